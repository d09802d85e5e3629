//! The steps of the engine, each a bilinear map between arrays.
//!
//! Rows are worked from the last vertex to the first, cells of a row from left to right. When the cell `(i, k)` is reached,
//! everything that makes items over `[ik]` has been added up. The cell is *finished* for the left role (edges are added,
//! classes collected into the sets that combinations ask for) and then *pushed*: its items are combined, as left items,
//! with all items that begin at `k` and end at any later `j`, which rows done before have finished. When the row is done,
//! it is finished for the right role, all cells at once.
//!
//! Steps along the lanes of one cell are taken one after the other. Those that run over all cells of a row are taken together,
//! tile by tile, so that what one step has touched is still near when the next one comes.
//!
//! The outside pass runs the same steps backwards.

use super::form::Form;
use super::layout::{Layout, Run, Tile};
use super::step::{Factor, Over, Step};
use super::view::{Rows, View};
use crate::compile::Program;
use crate::compile::terms::Bilinear;

/// A step at one place. (It is 128 bytes, which are moved without a call.)
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stage<'a> {
    pub(crate) map: &'a Bilinear,
    pub(crate) target: View<'a>,
    pub(crate) left: View<'a>,
    pub(crate) right: View<'a>,
    pub(crate) form: Form,
    /// See [`Step`].
    pub(crate) begins: bool,
    /// The blocks of lanes that it runs over, if it does not run over cells.
    blocks: u16,
    /// The cells that it runs over, if it does.
    cells: &'a [Run],
}

impl<'a> Stage<'a> {
    /// A step at a cell `(i, k)`, or at a row `i` whatever the `k`; `cells` are those it concerns if it runs over cells.
    #[inline(always)]
    pub(crate) fn new(
        step: &Step,
        (program, layout): (&'a Program, &'a Layout),
        (i, k): (usize, usize),
        cells: &'a [Run],
    ) -> Self {
        let factor = |(array, place): Factor| place.view(layout, array, (i, k));
        Self {
            map: (step.map)(program, step.side),
            target: factor(step.target),
            left: factor(step.left),
            right: factor(step.right),
            form: step.form,
            begins: step.begins,
            blocks: match step.over {
                Over::Cell => 1,
                Over::Left => layout.left_blocks(i) as u16,
                Over::Right => layout.right_blocks(k) as u16,
                Over::Cells => 0,
            },
            cells,
        }
    }

    /// All of its blocks.
    pub(crate) fn blocks(&self) -> Rows {
        Rows::Blocks(self.blocks as usize)
    }

    /// Those of its cells that are in a tile.
    #[inline(always)]
    pub(crate) fn cells_in(&self, tile: &Tile) -> impl Iterator<Item = Rows> + use<'a> {
        let Tile { cells: Run { start, end }, block } = *tile;
        self.cells.iter().map(move |run| {
            let first = run.start.max(start);
            Rows::Cells { first, count: run.end.min(end).saturating_sub(first), block }
        })
    }
}
