//! The registry of dialects: how each treebank writes its trees, and how a parse comes to be written like it.
//!
//! Everything that is particular to a treebank stands in its row of [`DIALECTS`], and adding a treebank is adding a row:
//!
//! * **Reading.** The rest of the project knows one dialect, the Penn Treebank's: a null element is a token tagged `-NONE-`; its index is
//!   part of its word (`*T*-1`); its antecedent has `-1` on its label; each link of a chain has an index of its own; a gap has `=1` and
//!   its template `-1`. [`Dialect::normalise`] brings the trees of any other treebank to it.
//! * **Tokens.** [`Dialect::tokens`] says how the treebank's annotators cut text.
//! * **Heads.** [`Dialect::head_table`] names the head rules for its categories.
//! * **Answers.** A model is told which of the dialects it has learnt to follow. A [`Plan`] gives any dialect that is asked for: by that
//!   dialect itself if the model knows it, else by another whose answers a few [`Rewrite`]s turn into it.

mod normalise;
mod plan;
mod rewrite;

use tracebank_text::{Brackets, Hyphens, Quotes, TokenStyle, WordBrackets};

pub use plan::{Plan, known};
pub use rewrite::{Rewrite, rewrite};

use crate::tree::Tree;

/// The place of a null element's index.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum IndexOn {
    /// On the null element: `(NP (-NONE- *-1))`.
    Null,
    /// On the label over it, and one number for a whole chain: `(NP-1 (-NONE- *))`.
    Label,
}

/// The mark on the template of a gap.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Template {
    /// `-1`, as on an antecedent.
    Index,
    /// `=1`, as on the gaps themselves.
    Gap,
}

/// The tags of null elements.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum NullTag {
    /// `(NP (-NONE- *pro*))`.
    Always,
    /// Also `(NP *pro*)`: straight under the phrase.
    Optional,
}

/// A treebank's way of writing trees.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Dialect {
    /// Its name on the command line, in recipes and in models.
    pub name: &'static str,
    /// The treebank and its peculiarities, in a line.
    pub description: &'static str,
    /// The [head table](crate::heads::HeadTable::named) for its categories.
    pub head_table: &'static str,
    /// Its style of tokenisation.
    pub tokens: TokenStyle,
    index_on: IndexOn,
    template: Template,
    null_tag: NullTag,
    /// Types of null elements that have another name here: theirs, ours.
    null_types: &'static [(&'static str, &'static str)],
    /// Other dialects whose answers can be rewritten into this one, the nearest first, and the rewrites that do it.
    rewritten_from: &'static [(&'static str, &'static [Rewrite])],
    /// The rewrites of answers that a model gives in this dialect itself, for what it learns from all dialects alike.
    finish: &'static [Rewrite],
}

/// The Penn Treebank, from which the other rows differ as little as they say.
const PENN: Dialect = Dialect {
    name: "penn",
    description: "the Penn Treebank: * for every subject that is understood, *U* behind sums of money, no NML",
    head_table: "penn",
    tokens: TokenStyle::PENN,
    index_on: IndexOn::Null,
    template: Template::Index,
    null_tag: NullTag::Always,
    null_types: &[],
    rewritten_from: &[(
        "masc",
        &[
            Rewrite::Predicates,
            Rewrite::PlainPro,
            Rewrite::PlainLabels,
            Rewrite::PlainTags,
            Rewrite::NoNominals,
            Rewrite::Quantities,
            Rewrite::Units,
            Rewrite::EnclosedPunctuation,
            Rewrite::TracePlaces,
            Rewrite::SaidAsides,
            Rewrite::ZeroComplementisers,
            Rewrite::ReportedSpeech,
            Rewrite::SettledFunctions,
        ],
    )],
    finish: &[Rewrite::Predicates],
};

/// Penn's row without its rewrites: the beginning of every other.
const LIKE_PENN: Dialect = Dialect { rewritten_from: &[], ..PENN };

/// The treebanks of written English today keep the quotation marks and dashes of the text.
const PLAIN_QUOTES: TokenStyle = TokenStyle { quotes: Quotes::Keep, ..TokenStyle::PENN };

/// Every dialect.
pub static DIALECTS: [Dialect; 7] = [
    PENN,
    Dialect {
        name: "masc",
        description: "MASC: *PRO* apart from *, which is left for passives; SU and CODE leaves that are no words",
        tokens: PLAIN_QUOTES,
        ..LIKE_PENN
    },
    Dialect {
        name: "masc3",
        description: "the rest of MASC 3: as masc, with Penn's quotation marks and later tags (HYPH, ADD, NFP, GW, XX, IN for every to but the infinitive's)",
        tokens: TokenStyle { hyphens: Hyphens::Split, ..TokenStyle::PENN },
        ..LIKE_PENN
    },
    Dialect {
        name: "genia",
        description: "GENIA: abstracts of molecular biology; indices that are unique to the abstract",
        tokens: TokenStyle { brackets: Brackets::Round, word_brackets: WordBrackets::Keep, ..PLAIN_QUOTES },
        finish: &[Rewrite::Predicates, Rewrite::BareAdverbialTraces],
        ..LIKE_PENN
    },
    Dialect {
        name: "craft",
        description: "CRAFT: biomedical articles; the index on the label over the null, one for a whole chain; *0* for 0; =1 on the template too",
        tokens: TokenStyle { hyphens: Hyphens::Split, brackets: Brackets::Round, ..PLAIN_QUOTES },
        index_on: IndexOn::Label,
        template: Template::Gap,
        null_types: &[("*0*", "0")],
        ..LIKE_PENN
    },
    Dialect {
        name: "helsinki",
        description: "the Penn-Helsinki family (IcePaHC, FarPaHC): nulls may stand straight under their phrase",
        head_table: "helsinki",
        finish: &[],
        null_tag: NullTag::Optional,
        ..LIKE_PENN
    },
    Dialect {
        name: "keyaki",
        description: "the Keyaki Treebank: as helsinki, with a head table for Japanese",
        head_table: "keyaki",
        finish: &[],
        null_tag: NullTag::Optional,
        ..LIKE_PENN
    },
];

impl Dialect {
    /// The dialect with this name.
    pub fn named(name: &str) -> Option<&'static Dialect> {
        DIALECTS.iter().find(|dialect| dialect.name == name)
    }

    /// Brings a tree of this dialect to the Penn Treebank's.
    ///
    /// ```
    /// use tracebank_syntax::{dialect::Dialect, tree::Tree};
    /// let mut tree: Tree = "( (S (NP-SBJ-1 (NN EDTA)) (VP (VBD was) (VP (VBN added) (NP-1 (-NONE- *))))))".parse()?;
    /// Dialect::named("craft").unwrap().normalise(&mut tree);
    /// assert_eq!(tree.to_string(), "( (S (NP-SBJ-1 (NN EDTA)) (VP (VBD was) (VP (VBN added) (NP (-NONE- *-1))))))");
    /// # Ok::<(), tracebank_syntax::penn::SyntaxError>(())
    /// ```
    pub fn normalise(&self, tree: &mut Tree) {
        if self.is_native() {
            return;
        }
        if self.null_tag == NullTag::Optional {
            normalise::wrap_nulls(tree);
        }
        if !self.null_types.is_empty() {
            normalise::rename_nulls(tree, self.null_types);
        }
        if self.index_on == IndexOn::Label {
            normalise::resolve_chains(tree);
        }
        if self.template == Template::Gap {
            normalise::mark_templates(tree);
        }
    }

    /// Whether its trees are in the project's dialect as they stand, so that their text can be taken as it is.
    pub fn is_native(&self) -> bool {
        let penn = (PENN.index_on, PENN.template, PENN.null_tag);
        (self.index_on, self.template, self.null_tag) == penn && self.null_types.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::heads::HeadTable;

    #[test]
    fn rows_name_what_there_is() {
        for (at, dialect) in DIALECTS.iter().enumerate() {
            assert!(DIALECTS[..at].iter().all(|other| other.name != dialect.name), "{}", dialect.name);
            assert!(HeadTable::named(dialect.head_table).is_some(), "{}", dialect.name);
            for (other, _) in dialect.rewritten_from {
                assert!(Dialect::named(other).is_some_and(|other| other != dialect), "{}", dialect.name);
            }
        }
    }
}
