//! The arrays of the dense engine.

/// The arrays that the engine stores. `[ij]` is an interval, `[ij.x]` an item with an external vertex; `L` and `R` say on which side.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Array {
    /// `[ij]` as made by combinations: classes.
    PreI,
    /// Finished `[ij]`: the sets of classes that combinations ask for.
    SetI,
    /// `[ab.c] [bc]` with `b` hidden, over `a` and `c`.
    Tail,
    /// `[bc] [cd.b]` with `c` hidden, over `b` and `d`.
    Head,
    /// `[ij.x]` with `x` on the left, as made by combinations: classes.
    PreL,
    /// As [`Array::PreL`], with `x` on the right.
    PreR,
    /// In the left role, with or without the edge between the ends: classes, then the intervals that become extervals.
    MidL,
    /// As [`Array::MidL`], with `x` on the right.
    MidR,
    /// Finished `[ij.x]` in the left role: classes.
    PostL,
    /// As [`Array::PostL`], with `x` on the right.
    PostR,
    /// As [`Array::MidL`], in the right role, for a whole row.
    RowMidL,
    /// As [`Array::RowMidL`], with `x` on the right.
    RowMidR,
    /// As [`Array::PostL`], in the right role, for a whole row.
    RowPostL,
    /// As [`Array::RowPostL`], with `x` on the right.
    RowPostR,
    /// Finished `[ij.x]`: the sets asked for where it is the left of two items.
    SetL,
    /// As [`Array::SetL`], with `x` on the right.
    SetR,
    /// Finished `[ij.x]`: the sets asked for where it is the right of two items and its external vertex stays.
    RightL,
    /// As [`Array::RightL`], with `x` on the right.
    RightR,
    /// Finished `[ij.x]`: the sets asked for where it is the right (or middle) item and `x` is a vertex of its neighbours.
    OwnRow,
    /// As [`Array::OwnRow`], kept with the rows of `x`.
    Own,
    /// The first two items of a crossing, `[ab.c] [bc]` or `[ab] [bc.a]`, over `a`, `b` and `c`.
    Pairs,
    /// The first item of `[ab.c] [bc.d] [cd]`.
    Firsts,
    /// Its last two items `[bc.d] [cd]`, over `b`, `c` and `d`.
    Quads,
    /// The options for the edge between the ends of a span.
    Ends,
    /// The options for an edge to an external vertex on the left.
    ExternalL,
    /// As [`Array::ExternalL`], on the right.
    ExternalR,
    /// The constant one.
    One,
}

impl Array {
    /// How many arrays there are.
    pub const COUNT: usize = Self::One as usize + 1;

    /// All arrays, in the order of their numbers.
    pub const ALL: [Self; Self::COUNT] = [
        Self::PreI,
        Self::SetI,
        Self::Tail,
        Self::Head,
        Self::PreL,
        Self::PreR,
        Self::MidL,
        Self::MidR,
        Self::PostL,
        Self::PostR,
        Self::RowMidL,
        Self::RowMidR,
        Self::RowPostL,
        Self::RowPostR,
        Self::SetL,
        Self::SetR,
        Self::RightL,
        Self::RightR,
        Self::OwnRow,
        Self::Own,
        Self::Pairs,
        Self::Firsts,
        Self::Quads,
        Self::Ends,
        Self::ExternalL,
        Self::ExternalR,
        Self::One,
    ];
}
