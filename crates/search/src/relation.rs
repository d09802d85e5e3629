//! Relations between two nodes, and how they are written.
//!
//! The first part of [`SYMBOLS`] is Tregex's; `'` for the last child is tgrep2's. The rest is ours and speaks of what is not there: nulls and what they
//! stand for, spines, trace edges. Each row is one spelling, so the parser, the printer and the tables of `docs/search.md` say the same.

use std::fmt;

use crate::role::{Role, arrow_at, role_at};

/// The sense in which `A rel B` holds, read from left to right.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Relation {
    /// `<`: A is the parent of B.
    Parent,
    /// `>`: A is a child of B.
    Child,
    /// `<<`: A dominates B.
    Dominates,
    /// `>>`: A is dominated by B.
    Dominated,
    /// `<3`, `<-3`: B is the third child of A, from the left or from the right. `<,` and `<-` are the first and the last.
    HasNth(i32),
    /// `>3`, `>-3`: A is the third child of B.
    IsNth(i32),
    /// `<:`: B is the only child of A.
    HasOnly,
    /// `>:`: A is the only child of B.
    IsOnly,
    /// `<<,`: B is a leftmost descendant of A.
    Leftmost,
    /// `>>,`: A is a leftmost descendant of B.
    IsLeftmost,
    /// `<<-`: B is a rightmost descendant of A.
    Rightmost,
    /// `>>-`: A is a rightmost descendant of B.
    IsRightmost,
    /// `<<:`: A dominates B, and nothing branches between them.
    Unary,
    /// `>>:`: B dominates A, and nothing branches between them.
    IsUnary,
    /// `<<<`: B is a leaf below A.
    Leaf,
    /// `<<<2`, `<<<-2`: B is the second leaf below A, from the left or from the right.
    NthLeaf(i32),
    /// `$`: A and B are sisters, and not the same node.
    Sister,
    /// `$++`: A is a sister of B and stands left of it.
    LeftSister,
    /// `$--`: A is a sister of B and stands right of it.
    RightSister,
    /// `$+`: A is the sister right before B.
    NextSister,
    /// `$-`: A is the sister right behind B.
    PreviousSister,
    /// `..`: A ends before B begins.
    Precedes,
    /// `,,`: A begins after B ends.
    Follows,
    /// `.`: B begins with the leaf right behind A.
    JustBefore,
    /// `,`: B ends with the leaf right before A.
    JustBehind,
    /// `<+(C)`: a way down from A to B with only nodes of the description between them.
    Down(DescriptionId),
    /// `>+(C)`: the way up.
    Up(DescriptionId),
    /// `.+(C)`: a row of nodes of the description, each right behind the one before, from A to B.
    Ahead(DescriptionId),
    /// `,+(C)`: the row backwards.
    Back(DescriptionId),
    /// `<#`: B is the head child of A.
    HeadChild,
    /// `>#`: A is the head child of B.
    IsHeadChild,
    /// `<<#`: B is a head of A: its head child, the head child of that, and so on down to the word.
    Head,
    /// `>>#`: A is a head of B.
    IsHead,
    /// `==`: A and B are the same node.
    Same,
    /// `<=`: A and B are the same node, or A is the parent of B.
    SameOrParent,
    /// `:`: B is anywhere in the tree.
    Anywhere,
    /// `=>`: A is null and stands for B, through any number of links.
    StandsFor,
    /// `=<`: B is null and stands for A.
    StoodForBy,
    /// `=>>`: A stands for B, and the chain goes on from a relative pronoun to what its clause modifies.
    Resolves,
    /// `=<<`: the other way round.
    ResolvedBy,
    /// `->`: a trace edge goes from A to B: one link, from a null element or from the remnant of a gap.
    Edge,
    /// `-<`: a trace edge comes to A from B.
    EdgeFrom,
    /// `##`: A and B are on one spine: they have the same head word, and are not the same node.
    Spine,
    /// `#>`: the spine of A hangs on that of B: the word of B is the structural parent of the word of A.
    Hangs,
    /// `#<`: the spine of B hangs on that of A.
    Holds,
    /// `-subject>`: A has this role to the predicate B.
    IsArgument(Role),
    /// `-subject<`: B has this role to the predicate A.
    HasArgument(Role),
}

/// The number of a description in its pattern.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct DescriptionId(pub(crate) u32);

/// The argument that a relation's spelling ends with.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Argument {
    /// Nothing: the relation.
    None(Relation),
    /// A number may follow, and makes another relation; `-1` where the spelling ends in a minus.
    Number(Relation, fn(i32) -> Relation, i32),
    /// A description in brackets.
    Description(fn(DescriptionId) -> Relation),
    /// A list of nodes in braces: the children of A, all of them.
    Children,
    /// Nothing: it has the form of a role, and there is no such role.
    NoRole,
}

use Argument::{Description, None as Plain, Number};
use Relation as R;

/// Every spelling. Where two begin alike, the longer one is meant.
pub(crate) const SYMBOLS: &[(&str, Argument)] = &[
    ("<", Number(R::Parent, R::HasNth, 1)),
    (">", Number(R::Child, R::IsNth, 1)),
    ("<<", Plain(R::Dominates)),
    (">>", Plain(R::Dominated)),
    ("<,", Plain(R::HasNth(1))),
    (">,", Plain(R::IsNth(1))),
    ("<-", Number(R::HasNth(-1), R::HasNth, -1)),
    (">-", Number(R::IsNth(-1), R::IsNth, -1)),
    ("<`", Plain(R::HasNth(-1))),
    (">`", Plain(R::IsNth(-1))),
    ("<'", Plain(R::HasNth(-1))),
    (">'", Plain(R::IsNth(-1))),
    ("<:", Plain(R::HasOnly)),
    (">:", Plain(R::IsOnly)),
    ("<<,", Plain(R::Leftmost)),
    (">>,", Plain(R::IsLeftmost)),
    ("<<-", Plain(R::Rightmost)),
    (">>-", Plain(R::IsRightmost)),
    ("<<`", Plain(R::Rightmost)),
    (">>`", Plain(R::IsRightmost)),
    ("<<'", Plain(R::Rightmost)),
    (">>'", Plain(R::IsRightmost)),
    ("<<:", Plain(R::Unary)),
    (">>:", Plain(R::IsUnary)),
    ("<<<", Number(R::Leaf, R::NthLeaf, 1)),
    ("<<<-", Number(R::NthLeaf(-1), R::NthLeaf, -1)),
    ("$", Plain(R::Sister)),
    ("$++", Plain(R::LeftSister)),
    ("$--", Plain(R::RightSister)),
    ("$+", Plain(R::NextSister)),
    ("$-", Plain(R::PreviousSister)),
    ("$..", Plain(R::LeftSister)),
    ("$,,", Plain(R::RightSister)),
    ("$.", Plain(R::NextSister)),
    ("$,", Plain(R::PreviousSister)),
    ("..", Plain(R::Precedes)),
    (",,", Plain(R::Follows)),
    (".", Plain(R::JustBefore)),
    (",", Plain(R::JustBehind)),
    ("<+", Description(R::Down)),
    (">+", Description(R::Up)),
    (".+", Description(R::Ahead)),
    (",+", Description(R::Back)),
    ("<#", Plain(R::HeadChild)),
    (">#", Plain(R::IsHeadChild)),
    ("<<#", Plain(R::Head)),
    (">>#", Plain(R::IsHead)),
    ("==", Plain(R::Same)),
    ("<=", Plain(R::SameOrParent)),
    (":", Plain(R::Anywhere)),
    ("<...", Argument::Children),
    ("=>", Plain(R::StandsFor)),
    ("=<", Plain(R::StoodForBy)),
    ("=>>", Plain(R::Resolves)),
    ("=<<", Plain(R::ResolvedBy)),
    ("->", Plain(R::Edge)),
    ("-<", Plain(R::EdgeFrom)),
    ("##", Plain(R::Spine)),
    ("#>", Plain(R::Hangs)),
    ("#<", Plain(R::Holds)),
];

/// The longest spelling at the start of `text`, by its length.
pub(crate) fn symbol_at(text: &str) -> Option<(usize, Argument)> {
    if let Some((length, relation)) = role_at(text) {
        return Some((length, Plain(relation)));
    }
    let here = SYMBOLS.iter().filter(|(symbol, _)| text.starts_with(symbol));
    here.max_by_key(|(symbol, _)| symbol.len()).map(|&(symbol, argument)| (symbol.len(), argument))
}

/// The spelling where only a relation can stand: a name between `-` and `>` is then a role, known or not.
pub(crate) fn relation_at(text: &str) -> Option<(usize, Argument)> {
    symbol_at(text).or_else(|| arrow_at(text).map(|name| (name.len() + 2, Argument::NoRole)))
}

impl Relation {
    /// Whether it asks for heads, which come from a table of head rules.
    pub(crate) fn needs_heads(self) -> bool {
        use Relation::{Hangs, Head, HeadChild, Holds, IsHead, IsHeadChild, Spine};
        matches!(self, HeadChild | IsHeadChild | Head | IsHead | Spine | Hangs | Holds)
    }

    /// Whether it asks who does what.
    pub(crate) fn needs_roles(self) -> bool {
        matches!(self, Relation::IsArgument(_) | Relation::HasArgument(_))
    }

    /// Whether it asks what nulls stand for.
    pub(crate) fn needs_references(self) -> bool {
        use Relation::{Edge, EdgeFrom, ResolvedBy, Resolves, StandsFor, StoodForBy};
        matches!(self, StandsFor | StoodForBy | Resolves | ResolvedBy | Edge | EdgeFrom)
    }
}

/// The relation as it is written; that of a chain without its description.
impl fmt::Display for Relation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            R::HasNth(n) => write!(f, "<{n}"),
            R::IsNth(n) => write!(f, ">{n}"),
            R::NthLeaf(n) => write!(f, "<<<{n}"),
            R::Down(_) => f.write_str("<+"),
            R::Up(_) => f.write_str(">+"),
            R::Ahead(_) => f.write_str(".+"),
            R::Back(_) => f.write_str(",+"),
            R::IsArgument(role) => write!(f, "-{role}>"),
            R::HasArgument(role) => write!(f, "-{role}<"),
            plain => {
                let named = |argument: Argument| match argument {
                    Plain(relation) | Number(relation, ..) => relation == *plain,
                    _ => false,
                };
                let (symbol, _) =
                    SYMBOLS.iter().find(|(_, argument)| named(*argument)).expect("every relation has a row");
                f.write_str(symbol)
            }
        }
    }
}
