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
pub(crate) enum Rows<'a> {
    /// The first blocks of `x`, where no `j` plays a part.
    Blocks(usize),
    /// One block of `x` at each `j` of a list, in increasing order.
    Cells {
        /// The `j`.
        js: &'a [u32],
        /// The block.
        block: usize,
    },
}

impl Rows<'_> {
    pub(crate) fn len(&self) -> usize {
        match self {
            Self::Blocks(count) => *count,
            Self::Cells { js, .. } => js.len(),
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

/// Rows evenly apart: where the first begins, and how far it is from each to the next (wrapping, for it may be back).
#[derive(Clone, Copy, Debug)]
pub(crate) struct Even {
    pub(crate) start: usize,
    pub(crate) step: usize,
}

impl Even {
    #[inline(always)]
    pub(crate) fn row(&self, row: usize) -> usize {
        self.start.wrapping_add(self.step.wrapping_mul(row))
    }
}

impl View<'_> {
    /// What it depends on, if the rows are blocks and so go with `x`.
    #[inline(always)]
    pub(crate) fn mode_over(&self, rows: &Rows<'_>) -> Mode {
        match rows {
            Rows::Blocks(_) if self.mode == BY_X => BY_JX,
            _ => self.mode,
        }
    }

    /// Where a row starts.
    #[inline]
    pub(crate) fn start(&self, rows: &Rows<'_>, row: usize) -> usize {
        let offset = match (self.mode, rows) {
            (BY_X, Rows::Blocks(_)) => row * self.unit,
            (BY_X, Rows::Cells { block, .. }) => block * self.unit,
            (BY_JX, Rows::Cells { .. }) if self.at.is_empty() => row * self.unit,
            (BY_JX, Rows::Cells { js, block }) => (self.at[js[row] as usize] as usize + block) * self.unit,
            (BY_J, Rows::Cells { js, .. }) => {
                let lane = self.at[js[row] as usize] as usize;
                lane / LANES * self.unit + lane % LANES
            }
            _ => 0,
        };
        self.base.wrapping_add(offset)
    }

    /// Where the next rows are, and how many of the next `most` are evenly apart.
    #[inline]
    pub(crate) fn run(&self, rows: &Rows<'_>, row: usize, most: usize) -> (Even, usize) {
        let start = self.start(rows, row);
        if most == 1 {
            return (Even { start, step: 0 }, 1);
        }
        let even = Even { start, step: self.start(rows, row + 1).wrapping_sub(start) };
        // Only what is looked up for each `j` can be uneven.
        if self.at.is_empty() || self.mode & BY_J == 0 {
            return (even, most);
        }
        let next = (2..most).find(|&next| self.start(rows, row + next) != even.row(next));
        (even, next.unwrap_or(most))
    }

    /// Makes sure that rows lie inside `len` values, with all entries up to `last`. The loops rely on this instead of
    /// checking each access.
    #[inline(always)]
    pub(crate) fn check(&self, even: &Even, count: usize, last: usize, len: usize) {
        let reach = last * LANES + if self.mode & BY_X == 0 { 1 } else { LANES };
        let inside = |start: usize| start.checked_add(reach).is_some_and(|end| end <= len);
        assert!(inside(even.row(0)) && inside(even.row(count - 1)), "a view reaches beyond its array");
    }
}
