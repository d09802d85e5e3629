//! Where a step reads its factors and writes its target.

/// How many `x` go through at once.
pub(crate) const LANES: usize = 8;

/// What a factor depends on.
pub(crate) type Mode = u8;
/// On neither `j` nor `x`.
pub(crate) const POINT: Mode = 0;
/// On `j`.
pub(crate) const BY_J: Mode = 1;
/// On `x`.
pub(crate) const BY_X: Mode = 2;
/// On both.
pub(crate) const BY_JX: Mode = 3;
/// Not at all: the factor is one. It is given as an array of a single one, and not read.
pub(crate) const UNIT: Mode = 4;

/// The rows a map is applied at, eight lanes each.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Rows {
    /// The first blocks of `x`, where no `j` plays a part.
    Blocks(usize),
    /// One block of `x` at neighbouring `j`, which are evenly apart in all arrays.
    Cells {
        /// The first `j`.
        first: usize,
        /// How many there are.
        count: usize,
        /// The block.
        block: usize,
    },
}

impl Rows {
    pub(crate) fn len(&self) -> usize {
        match *self {
            Self::Blocks(count) | Self::Cells { count, .. } => count,
        }
    }
}

/// Where an array is to be read or written. In a block, entry `e` has its eight lanes at `8 e`; blocks are `unit` apart.
#[derive(Clone, Copy, Debug)]
pub(crate) struct View<'a> {
    /// What it depends on.
    pub(crate) mode: Mode,
    /// The start. It may be less than zero before `at[j]` is added, hence wrapping.
    pub(crate) base: usize,
    /// The length of a block of all entries.
    pub(crate) unit: usize,
    /// For each `j`, its first block if the view depends on `x`, else its lane; read only if the mode says so. If there are
    /// none, rows follow each other whatever their `j`.
    pub(crate) at: &'a [u32],
}

/// Rows evenly apart.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Even {
    /// What a row holds: lanes ([`BY_X`]), one value for each entry ([`POINT`]), or nothing that is read ([`UNIT`]).
    pub(crate) mode: Mode,
    /// Where the first row begins.
    pub(crate) start: usize,
    /// How far it is from each row to the next: wrapping, for it may be back.
    pub(crate) step: usize,
}

impl Even {
    #[inline(always)]
    pub(crate) fn row(&self, row: usize) -> usize {
        self.start.wrapping_add(self.step.wrapping_mul(row))
    }

    /// Makes sure that rows lie inside `len` values, with all entries up to `last`. The loops rely on this instead of
    /// checking each access.
    #[inline(always)]
    pub(crate) fn check(&self, count: usize, last: usize, len: usize) {
        let reach = last * LANES + if self.mode & BY_X == 0 { 1 } else { LANES };
        let inside = |start: usize| start.checked_add(reach).is_some_and(|end| end <= len);
        assert!(inside(self.row(0)) && inside(self.row(count - 1)), "a view reaches beyond its array");
    }
}

impl View<'_> {
    /// Where the rows are.
    #[inline(always)]
    pub(crate) fn over(&self, rows: &Rows) -> Even {
        let (offset, step) = match (self.mode, *rows) {
            (BY_X, Rows::Blocks(_)) => (0, self.unit),
            (BY_X, Rows::Cells { block, .. }) => (block * self.unit, 0),
            (BY_JX, _) if self.at.is_empty() => (0, self.unit),
            (BY_JX | BY_J, Rows::Cells { first, count, block }) => {
                let place = |j: usize| {
                    let at = self.at[j] as usize;
                    if self.mode == BY_J {
                        at / LANES * self.unit + at % LANES
                    } else {
                        (at + block) * self.unit
                    }
                };
                let offset = place(first);
                (offset, if count > 1 { place(first + 1).wrapping_sub(offset) } else { 0 })
            }
            _ => (0, 0),
        };
        let mode = if self.mode == UNIT { UNIT } else { self.mode & BY_X };
        Even { mode, start: self.base.wrapping_add(offset), step }
    }
}
