//! Items: what a partial parse says about itself, apart from where it stands.
//!
//! An item covers a span `[l r]` and may look at one vertex `x` outside it. Its [`Kind`] is everything the rules may
//! ask about it: the letter of the paper, the side of `x`, whether one or several edges lead to `x`, the hat, and for
//! each ordered pair of visible vertices whether the second can be reached from the first. Where the item stands
//! (the positions of `l`, `r` and `x`) is no part of its kind.

use std::fmt;

/// The six item types of the paper, by which edges may cross the edges to the external vertex.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Letter {
    /// Interval: no edge leaves the inside of the span.
    I,
    /// Exterval: an interval and one edge from an end to the external vertex.
    X,
    /// Both: edges to `x` cross edges of both ends.
    B,
    /// Left: edges to `x` cross edges of the left end only.
    L,
    /// Right: the mirror image of [`Letter::L`].
    R,
    /// Neither: edges to `x` are crossed by no edge but `l r` itself.
    N,
}

impl Letter {
    /// The letter of the mirror image.
    #[must_use]
    pub fn mirror(self) -> Self {
        match self {
            Self::L => Self::R,
            Self::R => Self::L,
            same => same,
        }
    }
}

/// Where the external vertex lies relative to the span.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Side {
    /// `x` comes before the span; the paper's dot before the letter.
    Left,
    /// `x` comes after the span; the paper's dot after the letter.
    Right,
}

impl Side {
    /// The other side.
    #[must_use]
    pub fn mirror(self) -> Self {
        match self {
            Self::Left => Self::Right,
            Self::Right => Self::Left,
        }
    }
}

/// How many edges link the external vertex to the span.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Count {
    /// Exactly one; the paper's dot below the letter.
    One,
    /// More than one; the paper's wave below the letter.
    Many,
}

/// The connectivity of an ordered pair of visible vertices.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum Link {
    /// `n`: the second is not reachable from the first.
    #[default]
    None,
    /// `p`: reachable, but not by an edge.
    Path,
    /// `d`: there is an edge.
    Direct,
}

/// A visible vertex of an item.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Visible {
    /// The left end of the span.
    L = 0,
    /// The right end of the span.
    R = 1,
    /// The external vertex.
    X = 2,
}

/// The ordered pairs of visible vertices in the order in which the paper writes their connectivity:
/// `rl`, `xl`, `lr`, `xr`, `lx`, `rx`.
pub const PAIRS: [(Visible, Visible); 6] = [
    (Visible::R, Visible::L),
    (Visible::X, Visible::L),
    (Visible::L, Visible::R),
    (Visible::X, Visible::R),
    (Visible::L, Visible::X),
    (Visible::R, Visible::X),
];

/// The part of the structural tree inside an item: which visible vertices have their structural parent inside the item, and
/// whether a structural edge links the external vertex to the span. All false where no structural tree is asked for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Structural {
    /// Indexed by [`Visible`].
    pub parent: [bool; 3],
    /// A structural edge between `x` and the span.
    pub external: bool,
}

/// Everything the rules may ask about an item.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Kind {
    /// The type.
    pub letter: Letter,
    /// The side of the external vertex; `None` exactly for intervals.
    pub side: Option<Side>,
    /// How many edges lead to the external vertex ([`Count::One`] for intervals, where it says nothing).
    pub count: Count,
    /// Every vertex inside the span lies under an edge of the span (the paper's hat; kept for `L`, `R` and `N`).
    pub hat: bool,
    /// `links[u][v]`: is `v` reachable from `u`?
    pub links: [[Link; 3]; 3],
    /// The structural tree.
    pub structural: Structural,
}

impl Kind {
    /// The initial item: two neighbouring vertices and no edge.
    pub const INIT: Self = Self {
        letter: Letter::I,
        side: None,
        count: Count::One,
        hat: false,
        links: [[Link::None; 3]; 3],
        structural: Structural { parent: [false; 3], external: false },
    };

    /// The connectivity from `from` to `to`.
    pub fn link(&self, from: Visible, to: Visible) -> Link {
        self.links[from as usize][to as usize]
    }

    /// Is there an edge, in either direction, between two visible vertices?
    pub fn direct(&self, a: Visible, b: Visible) -> bool {
        self.link(a, b) == Link::Direct || self.link(b, a) == Link::Direct
    }

    /// Does the vertex have a parent inside the item?
    ///
    /// By lemma 3 of the paper whatever is covered can be reached from something visible; in an acyclic graph a visible
    /// vertex with a parent is therefore reachable from *another* visible vertex.
    pub fn has_parent(&self, vertex: Visible) -> bool {
        (0..3).any(|from| self.links[from][vertex as usize] != Link::None)
    }
}

impl fmt::Display for Link {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::None => "n",
            Self::Path => "p",
            Self::Direct => "d",
        })
    }
}

/// Writes the kind in the paper's notation, in the ASCII dress of the templates: `·` on the side of the external vertex,
/// `1` or `+` for one or many, `^` for the hat, then the connectivity in the order of [`PAIRS`]. With a structural tree
/// the vertices that have a structural parent follow a slash, and `*` says that a structural edge leads to `x`.
impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.side == Some(Side::Left) {
            f.write_str("·")?;
        }
        write!(f, "{:?}", self.letter)?;
        if !matches!(self.letter, Letter::I | Letter::X) {
            f.write_str(if self.count == Count::One { "1" } else { "+" })?;
        }
        if self.hat {
            f.write_str("^")?;
        }
        if self.side == Some(Side::Right) {
            f.write_str("·")?;
        }
        f.write_str(if self.side.is_some() { "[lrx " } else { "[lr " })?;
        for (from, to) in PAIRS {
            if self.side.is_some() || (from != Visible::X && to != Visible::X) {
                write!(f, "{}", self.link(from, to))?;
            }
        }
        if self.structural != Structural::default() {
            f.write_str("/")?;
            for (has, name) in self.structural.parent.into_iter().zip(["l", "r", "x"]) {
                if has {
                    f.write_str(name)?;
                }
            }
            if self.structural.external {
                f.write_str("*")?;
            }
        }
        f.write_str("]")
    }
}
