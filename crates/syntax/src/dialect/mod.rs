//! What each treebank writes differently, and how it comes to the one dialect that the rest of the project knows.
//!
//! That dialect is the Penn Treebank's: a null element is a token tagged `-NONE-`; its index is part of its word (`*T*-1`); the
//! node it refers to has `-1` on its label; each link of a chain has an index of its own; a gap has `=1` and its template `-1`.
//! A dialect is a row of [`DIALECTS`]; [`Dialect::normalise`] does what the row says.

mod chains;
mod gaps;
mod nulls;

use crate::tree::Tree;

/// Where a treebank writes the index of a null element.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum IndexOn {
    /// On the null element: `(NP (-NONE- *-1))`.
    Null,
    /// On the label over it, and one number for a whole chain: `(NP-1 (-NONE- *))`.
    Label,
}

/// What the template of a gap is marked with.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Template {
    /// `-1`, as what a null element refers to.
    Index,
    /// `=1`, as the gaps themselves.
    Gap,
}

/// How null elements are tagged.
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
    /// Its name on the command line.
    pub name: &'static str,
    /// What it is.
    pub description: &'static str,
    /// The [head table](crate::heads::HeadTable::named) for its categories.
    pub head_table: &'static str,
    index_on: IndexOn,
    template: Template,
    null_tag: NullTag,
    /// Types of null elements that have another name here: theirs, ours.
    null_types: &'static [(&'static str, &'static str)],
}

const PENN: Dialect = Dialect {
    name: "penn",
    description: "the Penn Treebank II",
    head_table: "penn",
    index_on: IndexOn::Null,
    template: Template::Index,
    null_tag: NullTag::Always,
    null_types: &[],
};

/// Every dialect.
pub const DIALECTS: [Dialect; 6] = [
    PENN,
    Dialect {
        name: "craft",
        description: "CRAFT: the index on the label over the null, one for a whole chain; *0* for 0; =1 on the template too",
        index_on: IndexOn::Label,
        template: Template::Gap,
        null_types: &[("*0*", "0")],
        ..PENN
    },
    Dialect {
        name: "masc",
        description: "MASC: *PRO* apart from *, SU and CODE leaves that are no words",
        ..PENN
    },
    Dialect { name: "genia", description: "GENIA: indices that are unique to the abstract", ..PENN },
    Dialect {
        name: "helsinki",
        description: "the Penn-Helsinki family (IcePaHC, FarPaHC): nulls may stand straight under their phrase",
        head_table: "helsinki",
        null_tag: NullTag::Optional,
        ..PENN
    },
    Dialect {
        name: "keyaki",
        description: "the Keyaki Treebank: as helsinki, with a head table for Japanese",
        head_table: "keyaki",
        null_tag: NullTag::Optional,
        ..PENN
    },
];

impl Dialect {
    /// The dialect with this name.
    pub fn named(name: &str) -> Option<&'static Dialect> {
        DIALECTS.iter().find(|dialect| dialect.name == name)
    }

    /// Brings a tree of this dialect to the project's dialect.
    ///
    /// ```
    /// use tracebank_syntax::{dialect::Dialect, tree::Tree};
    /// let mut tree: Tree = "( (S (NP-SBJ-1 (NN EDTA)) (VP (VBD was) (VP (VBN added) (NP-1 (-NONE- *))))))".parse()?;
    /// Dialect::named("craft").unwrap().normalise(&mut tree);
    /// assert_eq!(tree.to_string(), "( (S (NP-SBJ-1 (NN EDTA)) (VP (VBD was) (VP (VBN added) (NP (-NONE- *-1))))))");
    /// # Ok::<(), tracebank_syntax::penn::SyntaxError>(())
    /// ```
    pub fn normalise(&self, tree: &mut Tree) {
        if self.null_tag == NullTag::Optional {
            nulls::wrap(tree);
        }
        if !self.null_types.is_empty() {
            nulls::rename(tree, self.null_types);
        }
        if self.index_on == IndexOn::Label {
            chains::resolve(tree);
        }
        if self.template == Template::Gap {
            gaps::mark_templates(tree);
        }
    }
}

/// Writes new slots on a label that may have had others.
fn relabel(tree: &mut Tree, node: crate::tree::NodeId, slots: &[crate::tree::Slot]) {
    let label = crate::tree::Label::fill(&tree.label(node).stem(), slots);
    tree.set_label(node, &label);
}

/// Index numbers that the tree does not use yet.
struct FreshNumbers(u32);

impl FreshNumbers {
    fn of(tree: &Tree) -> FreshNumbers {
        let used = |node| match tree.null_element(node) {
            Some(null) => null.index,
            None => tree.label(node).slots().map(|slot| slot.number).max(),
        };
        FreshNumbers(tree.preorder(tree.top()).filter_map(used).max().unwrap_or(0))
    }

    fn draw(&mut self) -> u32 {
        self.0 += 1;
        self.0
    }
}
