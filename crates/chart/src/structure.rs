//! The classes of structures, each a subset of the same rules.
//!
//! The paper has a sentence for it ("by using subsets of our rules we can restrict the space of structures"). Here it is a
//! value of four independent choices. The generation code of [`crate::expand`] asks them wherever it must decide.

use std::fmt;
use std::str::FromStr;

/// May edges cross?
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Crossing {
    /// No two edges cross: intervals only.
    Projective,
    /// All edges that cross a given edge share a vertex (and no chain of crossings is locked).
    OneEndpoint,
}

/// How many parents may a word have?
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Parents {
    /// Exactly one: trees.
    One,
    /// At least one: acyclic graphs (undirected: connected graphs).
    Several,
}

/// A class of structures over `n` words and the root, which stands after them.
///
/// ```
/// use tracebank_chart::Class;
///
/// let class: Class = "1ec-graph".parse()?;
/// assert_eq!(class, Class::ONE_ENDPOINT_GRAPH);
/// assert_eq!(class.with_structural_tree().to_string(), "1ec-graph+structural");
/// # Ok::<(), tracebank_chart::UnknownClass>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Class {
    /// May edges cross?
    pub crossing: Crossing,
    /// May words have several parents?
    pub parents: Parents,
    /// Do edges have a direction? Undirected trees are spanning trees; undirected graphs are connected graphs.
    pub directed: bool,
    /// Must every word have exactly one structural parent, structural edges never crossing? Other edges are then trace
    /// edges. Without it there is one kind of edge.
    pub structural: bool,
}

impl Class {
    /// Projective trees (Eisner 1996).
    pub const PROJECTIVE_TREE: Self = Self::new(Crossing::Projective, Parents::One);
    /// Projective acyclic graphs.
    pub const PROJECTIVE_GRAPH: Self = Self::new(Crossing::Projective, Parents::Several);
    /// One-endpoint-crossing trees (Pitler, Kannan and Marcus 2013).
    pub const ONE_ENDPOINT_TREE: Self = Self::new(Crossing::OneEndpoint, Parents::One);
    /// Lock-free one-endpoint-crossing acyclic graphs: the class of the paper.
    pub const ONE_ENDPOINT_GRAPH: Self = Self::new(Crossing::OneEndpoint, Parents::Several);

    /// The four directed classes without a structural tree, smallest first.
    pub const PLAIN: [Self; 4] =
        [Self::PROJECTIVE_TREE, Self::ONE_ENDPOINT_TREE, Self::PROJECTIVE_GRAPH, Self::ONE_ENDPOINT_GRAPH];

    /// Every class there is a point in asking for: the four, their undirected variants, and the graphs with a
    /// structural tree. (A tree that is its own structural tree is a projective tree.)
    pub const ALL: [Self; 10] = [
        Self::PROJECTIVE_TREE,
        Self::ONE_ENDPOINT_TREE,
        Self::PROJECTIVE_GRAPH,
        Self::ONE_ENDPOINT_GRAPH,
        Self::PROJECTIVE_TREE.undirected(),
        Self::ONE_ENDPOINT_TREE.undirected(),
        Self::PROJECTIVE_GRAPH.undirected(),
        Self::ONE_ENDPOINT_GRAPH.undirected(),
        Self::PROJECTIVE_GRAPH.with_structural_tree(),
        Self::ONE_ENDPOINT_GRAPH.with_structural_tree(),
    ];

    const fn new(crossing: Crossing, parents: Parents) -> Self {
        Self { crossing, parents, directed: true, structural: false }
    }

    /// The class with a structural tree required.
    #[must_use]
    pub const fn with_structural_tree(self) -> Self {
        Self { structural: true, ..self }
    }

    /// The undirected variant, which knows no structural tree.
    #[must_use]
    pub const fn undirected(self) -> Self {
        Self { directed: false, structural: false, ..self }
    }
}

impl fmt::Display for Class {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.crossing {
            Crossing::Projective => "projective-",
            Crossing::OneEndpoint => "1ec-",
        })?;
        f.write_str(match self.parents {
            Parents::One => "tree",
            Parents::Several => "graph",
        })?;
        f.write_str(if self.structural { "+structural" } else { "" })?;
        f.write_str(if self.directed { "" } else { "+undirected" })
    }
}

/// The name of no class.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error(
    "{0:?} is no class of structures: say projective-tree, projective-graph, 1ec-tree or 1ec-graph, \
     then +structural or +undirected if wanted"
)]
pub struct UnknownClass(String);

impl FromStr for Class {
    type Err = UnknownClass;

    fn from_str(name: &str) -> Result<Self, UnknownClass> {
        let mut parts = name.split('+');
        let mut class = match parts.next() {
            Some("projective-tree") => Self::PROJECTIVE_TREE,
            Some("projective-graph") => Self::PROJECTIVE_GRAPH,
            Some("1ec-tree") => Self::ONE_ENDPOINT_TREE,
            Some("1ec-graph") => Self::ONE_ENDPOINT_GRAPH,
            _ => return Err(UnknownClass(name.to_owned())),
        };
        for option in parts {
            class = match option {
                "structural" if class.directed => class.with_structural_tree(),
                "undirected" if !class.structural => class.undirected(),
                _ => return Err(UnknownClass(name.to_owned())),
            };
        }
        Ok(class)
    }
}
