//! The shapes of combinations: where the items of a template stand, apart from their kinds.
//!
//! Written with vertices in order, `i < k < j` for two items and `a < b < c < d` for three; `[ik.x]` is an item with the
//! external vertex `x`. The 48 templates have fourteen shapes.

use crate::template::Template;

/// Where the items of a combination stand.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Shape {
    /// `[ik] [kj] → [ij]` with `k` next to `i` (rule 1).
    Step,
    /// `[ik] [kj] → [ij]` (rule 2).
    Pair,
    /// `[ik.j] [kj] → [ij]` (rule 3).
    CloseLeft,
    /// `[ik] [kj.i] → [ij]` (rule 3').
    CloseRight,
    /// `[ab.c] [bc] [cd.b] → [ad]` (rules 4 and 7 and their mirror images).
    Cross,
    /// `[ab.c] [bc] [cd] → [ad]` (rule 5).
    Tail,
    /// `[ab] [bc] [cd.b] → [ad]` (rule 5').
    Head,
    /// `[ab] [bc.a] [cd.b] → [ad]` (rule 6).
    NestLeft,
    /// `[ab.c] [bc.d] [cd] → [ad]` (rule 6').
    NestRight,
    /// `[ik.x] [kj.x] → [ij.x]` (rules 8 to 10).
    Same,
    /// `[ik.x] [kj.i] → [ij.x]` (rules 11 to 14).
    OwnRight,
    /// `[ik.j] [kj.x] → [ij.x]` (rules 11' to 14').
    OwnLeft,
    /// `[ik.x] [kj] → [ij.x]` (rules 15 to 22, 25, 26).
    BesideRight,
    /// `[ik] [kj.x] → [ij.x]` (the mirror images of those).
    BesideLeft,
}

impl Shape {
    /// All shapes.
    pub const ALL: [Self; 14] = [
        Self::Step,
        Self::Pair,
        Self::CloseLeft,
        Self::CloseRight,
        Self::Cross,
        Self::Tail,
        Self::Head,
        Self::NestLeft,
        Self::NestRight,
        Self::Same,
        Self::OwnRight,
        Self::OwnLeft,
        Self::BesideRight,
        Self::BesideLeft,
    ];

    /// The shape of a template.
    pub fn of(template: &Template) -> Self {
        let places = template.places();
        let external: Vec<Option<usize>> = places.inputs.iter().map(|input| input[2]).collect();
        match places.output {
            _ if template.initial => Self::Step,
            [Some(left), Some(right), output] => Self::at(&external, (left, right, output)),
            _ => unreachable!("every item has two ends"),
        }
    }

    /// The shape of items with these external vertices that make an item at this place. (An initial first item may make
    /// [`Shape::Step`] of a [`Shape::Pair`]; that is not looked at.)
    pub fn at(external: &[Option<usize>], (left, right, output): (usize, usize, Option<usize>)) -> Self {
        match (external, output) {
            ([Some(_), None, Some(_)], _) => Self::Cross,
            ([Some(_), None, None], _) => Self::Tail,
            ([None, None, Some(_)], _) => Self::Head,
            ([None, Some(_), Some(_)], _) => Self::NestLeft,
            ([Some(_), Some(_), _], _) => Self::NestRight,
            ([Some(x), _], None) if *x == right => Self::CloseLeft,
            ([_, Some(x)], None) if *x == left => Self::CloseRight,
            (_, None) => Self::Pair,
            ([Some(a), Some(b)], _) if a == b => Self::Same,
            ([Some(_), Some(x)], _) if *x == left => Self::OwnRight,
            ([Some(x), Some(_)], _) if *x == right => Self::OwnLeft,
            ([Some(_), _], _) => Self::BesideRight,
            _ => Self::BesideLeft,
        }
    }
}
