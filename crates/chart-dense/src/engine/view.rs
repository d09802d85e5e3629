//! Where a step reads its factors and writes its target.

use crate::compile::Array;

/// How many `x` go through at once.
pub(crate) const LANES: usize = 8;

/// The indices that a factor depends on.
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
    pub(crate) array: Array,
    /// The indices it depends on.
    pub(crate) mode: Mode,
    /// The length of a block of all entries. (A view is 32 bytes: three are made for each step at each cell.)
    pub(crate) unit: u32,
    /// The start. It may be less than zero before `at[j]` is added, hence wrapping.
    pub(crate) base: usize,
    /// For each `j`, its first block if the view depends on `x`, else its lane; read only if the mode says so. If there are
    /// none, rows follow each other whatever their `j`.
    pub(crate) at: &'a [u32],
}

/// Rows evenly apart.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Even {
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

    /// Do rows lie inside `len` values, if each is so long?
    #[inline(always)]
    pub(crate) fn fits(&self, count: usize, length: usize, len: usize) -> bool {
        // Steps may lead backwards, and nothing may wrap: the rows between lie inside only if the last is where it seems to be.
        let back =
            isize::try_from(count).ok().and_then(|count| (count - 1).checked_mul(self.step.cast_signed()));
        let last_row = back.and_then(|by| self.start.checked_add_signed(by));
        len.checked_sub(length)
            .is_some_and(|last| count == 0 || (self.start <= last && last_row.is_some_and(|row| row <= last)))
    }
}

impl<'a> View<'a> {
    pub(crate) fn new(array: Array, mode: Mode, unit: usize, base: usize, at: &'a [u32]) -> Self {
        Self { array, mode, unit: unit as u32, base, at }
    }

    /// The length of a block of all entries.
    pub(crate) fn unit(&self) -> usize {
        self.unit as usize
    }

    /// Where the rows are.
    #[inline(always)]
    pub(crate) fn over(&self, rows: &Rows) -> Even {
        let unit = self.unit();
        let (offset, step) = match (self.mode, *rows) {
            (BY_X, Rows::Blocks(_)) => (0, unit),
            (BY_X, Rows::Cells { block, .. }) => (block * unit, 0),
            (BY_JX, _) if self.at.is_empty() => (0, unit),
            (BY_JX | BY_J, Rows::Cells { first, count, block }) => {
                let place = |j: usize| {
                    let at = self.at[j] as usize;
                    if self.mode == BY_J { at / LANES * unit + at % LANES } else { (at + block) * unit }
                };
                let offset = place(first);
                (offset, if count > 1 { place(first + 1).wrapping_sub(offset) } else { 0 })
            }
            _ => (0, 0),
        };
        Even { start: self.base.wrapping_add(offset), step }
    }
}
