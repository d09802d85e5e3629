//! Styles of tokenisation: the choices in which treebanks differ.

/// The treatment of a hyphen (or an en dash, or a slash) between two letters or digits.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Hyphens {
    /// `well-known`, `and/or` stay whole, as in the Penn Treebank's Wall Street Journal, GENIA and most of MASC.
    #[default]
    Keep,
    /// `well - known`, `and / or`, as in CRAFT and other treebanks by the later guidelines. Affixes keep theirs: `anti-viral`, `two-fold`.
    Split,
}

/// The forms of quotation marks and dashes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Quotes {
    /// ` `` ` and `''`, `` ` `` and `'`, `--` and `...`, whatever the text has.
    #[default]
    Penn,
    /// As in the text, as most of MASC does.
    Keep,
}

/// The brackets that are escaped. Round ones always are: a tree could not be written else.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Brackets {
    /// `-LRB-`, `-LSB-`, `-LCB-`.
    #[default]
    All,
    /// `-LRB-` but `[` and `{`, as in GENIA and CRAFT.
    Round,
}

/// The treatment of brackets inside a word.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum WordBrackets {
    /// `word -LRB- s -RRB-`.
    #[default]
    Split,
    /// `CD4-LRB-+-RRB-`, `t-LRB-9;22-RRB-`, as in GENIA, if the bracket is closed before the next white space.
    Keep,
}

/// A treebank's way of cutting and writing tokens. The default is the Penn Treebank's.
///
/// ```
/// use tracebank_text::{Hyphens, TokenStyle, Tokeniser};
/// let split = Tokeniser::new(TokenStyle { hyphens: Hyphens::Split, ..TokenStyle::PENN });
/// assert_eq!(split.sentence("RNA-binding and/or anti-viral").to_string(), "RNA - binding and / or anti-viral");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct TokenStyle {
    /// Hyphens and slashes inside words.
    pub hyphens: Hyphens,
    /// The forms of quotation marks and dashes.
    pub quotes: Quotes,
    /// The forms of brackets.
    pub brackets: Brackets,
    /// Brackets inside words.
    pub word_brackets: WordBrackets,
}

impl TokenStyle {
    /// The Penn Treebank's, which is the default.
    pub const PENN: TokenStyle = TokenStyle {
        hyphens: Hyphens::Keep,
        quotes: Quotes::Penn,
        brackets: Brackets::All,
        word_brackets: WordBrackets::Split,
    };
}
