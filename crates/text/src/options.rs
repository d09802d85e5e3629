//! What treebanks do differently.

/// What happens to a hyphen (or an en dash, or a slash) between two letters or digits.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Hyphens {
    /// `well-known`, `and/or` stay whole, as in the Penn Treebank's Wall Street Journal, GENIA and most of MASC.
    #[default]
    Keep,
    /// `well - known`, `and / or`, as in CRAFT and other treebanks by the later guidelines. Affixes keep theirs: `anti-viral`, `two-fold`.
    Split,
}

/// How quotation marks and dashes are written.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Quotes {
    /// ` `` ` and `''`, `` ` `` and `'`, `--` and `...`, whatever the text has.
    #[default]
    Penn,
    /// As in the text, as most of MASC does.
    Keep,
}

/// Which brackets are escaped. Round ones always are: a tree could not be written else.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Brackets {
    /// `-LRB-`, `-LSB-`, `-LCB-`.
    #[default]
    All,
    /// `-LRB-` but `[` and `{`, as in GENIA and CRAFT.
    Round,
}

/// What happens to brackets inside a word.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum WordBrackets {
    /// `word -LRB- s -RRB-`.
    #[default]
    Split,
    /// `CD4-LRB-+-RRB-`, `t-LRB-9;22-RRB-`, as in GENIA, if the bracket is closed before the next white space.
    Keep,
}

/// What a [`Tokeniser`](crate::Tokeniser) can be told. The default is the Penn Treebank.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Options {
    /// Hyphens and slashes inside words.
    pub hyphens: Hyphens,
    /// The forms of quotation marks and dashes.
    pub quotes: Quotes,
    /// The forms of brackets.
    pub brackets: Brackets,
    /// Brackets inside words.
    pub word_brackets: WordBrackets,
}

/// The names that [`Options::named`] knows.
pub(crate) const NAMES: [&str; 4] = ["penn", "masc", "genia", "craft"];

impl Options {
    /// What the treebank called `name` does: `penn`, `masc`, `genia` or `craft`.
    ///
    /// ```
    /// use tracebank_text::{Options, Tokeniser};
    /// let craft = Tokeniser::new(Options::named("craft").unwrap());
    /// let words: Vec<_> = craft.tokens("RNA-binding [1] and/or anti-viral").into_iter().map(|token| token.text).collect();
    /// assert_eq!(words, ["RNA", "-", "binding", "[", "1", "]", "and", "/", "or", "anti-viral"]);
    /// ```
    pub fn named(name: &str) -> Option<Options> {
        let penn = Options::default();
        match name {
            "penn" => Some(penn),
            "masc" => Some(Options { quotes: Quotes::Keep, ..penn }),
            "genia" => Some(Options {
                quotes: Quotes::Keep,
                brackets: Brackets::Round,
                word_brackets: WordBrackets::Keep,
                ..penn
            }),
            "craft" => Some(Options {
                hyphens: Hyphens::Split,
                quotes: Quotes::Keep,
                brackets: Brackets::Round,
                ..penn
            }),
            _ => None,
        }
    }

    /// The names that [`named`](Self::named) knows.
    pub fn names() -> &'static [&'static str] {
        &NAMES
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_is_known() {
        assert!(Options::names().iter().all(|name| Options::named(name).is_some()));
        assert_eq!(Options::named("brown"), None);
    }
}
