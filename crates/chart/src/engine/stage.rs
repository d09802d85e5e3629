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

use super::layout::Layout;
use super::view::{LANES, Rows, View};
use crate::compile::terms::Bilinear;
use crate::compile::{Array, Program};

/// One step at one place.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stage<'a> {
    pub(crate) map: &'a Bilinear,
    pub(crate) target: (Array, View<'a>),
    pub(crate) left: (Array, View<'a>),
    pub(crate) right: (Array, View<'a>),
    /// Blocks of lanes; or all cells it concerns, in whatever blocks: these are to be taken [tile by tile](Self::rows_in).
    pub(crate) rows: Rows<'a>,
    /// Nothing else adds to this part of the target.
    pub(crate) assign: bool,
}

impl<'a> Stage<'a> {
    /// Those of its cells that are in a tile.
    pub(crate) fn rows_in(&self, tile: &Rows<'a>) -> Rows<'a> {
        let (Rows::Cells { js: all, .. }, &Rows::Cells { js, block }) = (self.rows, tile) else {
            return self.rows;
        };
        let from = js.first().map_or(0, |&first| all.partition_point(|&j| j < first));
        let to = js.last().map_or(0, |&last| all.partition_point(|&j| j <= last));
        Rows::Cells { js: &all[from..to], block }
    }
}

/// How many steps finish a cell for the left role.
pub(crate) const FINISH: usize = 10;
/// How many steps there are at a cell.
pub(crate) const CELL: usize = FINISH + 23;
/// How many steps finish a row for the right role on either side.
pub(crate) const ROW: usize = 5;
/// How many steps at most run over the cells of a row on either side.
pub(crate) const PUSH: usize = 7;

const PRE: [Array; 2] = [Array::PreL, Array::PreR];
const MID: [Array; 2] = [Array::MidL, Array::MidR];
const POST: [Array; 2] = [Array::PostL, Array::PostR];
const ROW_MID: [Array; 2] = [Array::RowMidL, Array::RowMidR];
const ROW_POST: [Array; 2] = [Array::RowPostL, Array::RowPostR];
const SETS: [Array; 2] = [Array::SetL, Array::SetR];
const RIGHT: [Array; 2] = [Array::RightL, Array::RightR];
const EXTERNAL: [Array; 2] = [Array::ExternalL, Array::ExternalR];

/// Left or right row, by side.
fn sided(layout: &Layout, side: usize, array: Array, row: usize) -> (Array, View<'_>) {
    (array, if side == 0 { layout.left_row(array, row) } else { layout.right_row(array, row) })
}

/// A view of a row with `j` fixed.
fn fix((array, view): (Array, View<'_>), j: usize) -> (Array, View<'_>) {
    (array, view.at(j))
}

fn useful(stage: Stage<'_>) -> Option<Stage<'_>> {
    (!stage.map.forward.is_empty()).then_some(stage)
}

/// What a step at a cell needs to have anything to do.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Needs {
    /// An item of the cell with its external vertex on this side.
    pub(crate) set: Option<usize>,
    /// An item that begins at `k`, with its external vertex on this side.
    pub(crate) right: Option<usize>,
    /// An item that begins at `k`, with `i` as its external vertex.
    pub(crate) own: bool,
    /// An auxiliary item made at this cell.
    pub(crate) pairs: bool,
}

/// What step number `number` at a cell needs.
pub(crate) fn needs(number: usize) -> Needs {
    let none = Needs::default();
    let side = Some((number + 1) % 2);
    if number < FINISH {
        return match number {
            0 => none,
            9 => Needs { set: Some(1), ..none },
            _ => Needs { set: side, ..none },
        };
    }
    let number = number - FINISH;
    let side = Some((number + 1) % 2);
    match number {
        2 | 4 | 8 | 11 | 12 => Needs { set: Some(1), ..none },
        3 | 6 | 9 => Needs { own: true, ..none },
        10 => Needs { pairs: true, ..none },
        13 | 14 => Needs { set: side, right: side, ..none },
        15 | 16 => Needs { set: side, own: true, ..none },
        17 | 18 => Needs { set: Some(1), right: side, ..none },
        19 | 20 => Needs { set: side, ..none },
        21 | 22 => Needs { right: side, ..none },
        _ => none,
    }
}

/// The side of the external vertices that a step has lanes for, if it runs over the cells of a row.
pub(crate) fn tiled(number: usize) -> Option<usize> {
    match number.checked_sub(FINISH)? {
        10 | 12 => Some(1),
        number @ 13.. => Some((number + 1) % 2),
        _ => None,
    }
}

/// The map of step number `number` (below [`CELL`]), which is the same at all cells.
fn map(program: &Program, number: usize) -> &Bilinear {
    let side = (number + 1) % 2;
    match number {
        0 => &program.intervals,
        1 | 2 => &program.left.mid[side],
        3 | 4 => &program.left.lift[side],
        5 | 6 => &program.left.post[side],
        7 | 8 => &program.sets[side],
        9 => &program.firsts,
        10 => &program.step,
        11 => &program.pair,
        12 => &program.close_left,
        13 => &program.close_right,
        14 => &program.make_tail,
        15 => &program.use_tail,
        16 => &program.make_head,
        17 => &program.use_head,
        18 => &program.make_pairs,
        19 => &program.nest_pairs,
        20 => &program.use_pairs,
        21 => &program.make_quads,
        22 => &program.use_quads,
        23 | 24 => &program.same[side],
        25 | 26 => &program.own_right[side],
        27 | 28 => &program.own_left[side],
        29 | 30 => &program.beside_right[side],
        _ => &program.beside_left[side],
    }
}

/// Does the program have anything to do at this step?
pub(crate) fn is_used(program: &Program, number: usize) -> bool {
    !map(program, number).forward.is_empty()
}

/// Step number `number` (below [`CELL`]) at the cell `(i, k)`, unless it has nothing to do there.
pub(crate) fn cell<'a>(
    program: &'a Program,
    layout: &'a Layout,
    number: usize,
    i: usize,
    k: usize,
) -> Option<Stage<'a>> {
    let map = map(program, number);
    let stage = if number < FINISH {
        finish(map, layout, number, i, k)
    } else {
        push(map, layout, number - FINISH, i, k)
    };
    stage.and_then(useful)
}

/// Finishing a cell: intervals, then items with an external vertex on the left, on the right.
fn finish<'a>(map: &'a Bilinear, layout: &'a Layout, number: usize, i: usize, k: usize) -> Option<Stage<'a>> {
    let interval = (Array::SetI, layout.cell(Array::SetI, i, k));
    let ends = (Array::Ends, layout.ends_at(k));
    let assign = |target, left, right, blocks| {
        Some(Stage { map, target, left, right, rows: Rows::Blocks(blocks), assign: true })
    };
    if number == 0 {
        let pre = (Array::PreI, layout.cell(Array::PreI, i, k));
        return assign(interval, pre, ends, 1);
    }
    // Nothing stands right of the root.
    if layout.after(k).is_empty() {
        return None;
    }
    let side = (number + 1) % 2;
    let blocks = if side == 0 { layout.left_blocks(i) } else { layout.right_blocks(k) };
    let [mid, post, set] = [MID, POST, SETS].map(|arrays| (arrays[side], layout.transient(arrays[side])));
    let of_cell = |array| fix(sided(layout, side, array, i), k);
    let one = (Array::One, Layout::one());
    match number {
        1 | 2 => assign(mid, of_cell(PRE[side]), ends, blocks),
        3 | 4 => assign(mid, interval, one, blocks),
        5 | 6 => assign(post, mid, of_cell(EXTERNAL[side]), blocks),
        7 | 8 => assign(set, post, one, blocks),
        _ => {
            let firsts = (Array::Firsts, layout.right_row(Array::Firsts, i).at(k));
            let post = (Array::PostR, layout.transient(Array::PostR));
            assign(firsts, post, one, layout.right_blocks(k))
        }
    }
}

/// Combining the items of a cell, as left items, with what begins where they end.
fn push<'a>(map: &'a Bilinear, layout: &'a Layout, number: usize, i: usize, k: usize) -> Option<Stage<'a>> {
    let rest = layout.after(k);
    if rest.is_empty() {
        return None;
    }
    // Views are made only where they are used: there are many cells.
    let row_of = |array, row| (array, layout.row(array, row));
    let interval = || (Array::SetI, layout.cell(Array::SetI, i, k));
    let set = || (Array::SetR, layout.transient(Array::SetR));
    let at_cell = |array| (array, layout.right_row(array, i).at(k));
    let by_j = |(array, view)| (array, layout.column(view));
    // Along the right end `j`, one lane for each.
    let along = |target, left, right, assign| {
        let rows = Rows::Blocks(rest.len().div_ceil(LANES));
        Stage { map, target, left, right, rows, assign }
    };
    let add = |target, left, right| along(target, left, right, false);
    let assign = |target, left, right| along(target, left, right, true);
    let make = |left, right| add(row_of(Array::PreI, i), left, right);
    let next = || row_of(Array::SetI, k);
    let own = || at_cell(Array::Own);
    // Along a list of vertices, with lanes over a third one.
    let across = |target, left, right| {
        let rows = Rows::Cells { js: &layout.all[rest.clone()], block: 0 };
        Stage { map, target, left, right, rows, assign: false }
    };
    let crossing = |left, array| {
        let right = (array, layout.right_row(array, k));
        across(row_of(Array::PreI, i), by_j(left), right)
    };
    Some(match number {
        0 if layout.adjacent(i, k) => make(interval(), next()),
        1 => make(interval(), next()),
        2 => make(set(), next()),
        3 => make(interval(), own()),
        4 => add(row_of(Array::Tail, i), set(), next()),
        5 => make((Array::Tail, layout.cell(Array::Tail, i, k)), next()),
        6 => add(row_of(Array::Head, i), interval(), own()),
        7 => make(interval(), row_of(Array::Head, k)),
        8 => assign(at_cell(Array::Pairs), set(), next()),
        9 => assign(at_cell(Array::Pairs), interval(), own()),
        10 => crossing(at_cell(Array::Pairs), Array::Own),
        11 => assign(at_cell(Array::Quads), set(), next()),
        12 => crossing(at_cell(Array::Firsts), Array::Quads),
        13..23 => {
            let side = (number + 1) % 2;
            let add = |left, right| across(sided(layout, side, PRE[side], i), left, right);
            let left = (SETS[side], layout.transient(SETS[side]));
            let right = sided(layout, side, RIGHT[side], k);
            match (number - 13) / 2 {
                0 => add(left, right),
                1 => add(left, by_j(own())),
                2 => add(by_j(set()), right),
                3 => add(left, by_j(next())),
                _ => add(interval(), right),
            }
        }
        _ => return None,
    })
}

/// Step number `number` (below [`ROW`]) that finishes the cells `js` of the row `i` for the right role on one side.
pub(crate) fn row<'a>(
    program: &'a Program,
    layout: &'a Layout,
    number: usize,
    (side, i): (usize, usize),
    js: &'a [u32],
) -> Option<Stage<'a>> {
    let of_row = |arrays: [Array; 2]| sided(layout, side, arrays[side], i);
    let of_tile = |arrays: [Array; 2]| (arrays[side], layout.tile(arrays[side]));
    let interval = (Array::SetI, layout.column(layout.row(Array::SetI, i)));
    let one = (Array::One, Layout::one());
    let rows = Rows::Cells { js, block: 0 };
    let assign = |map, target, left, right| Stage { map, target, left, right, rows, assign: true };
    let (mid, post) = (of_tile(ROW_MID), of_tile(ROW_POST));
    let stage = match number {
        0 => assign(&program.right.mid[side], mid, of_row(PRE), (Array::Ends, layout.ends())),
        1 => assign(&program.right.lift[side], mid, interval, one),
        2 => assign(&program.right.post[side], post, mid, of_row(EXTERNAL)),
        3 => assign(&program.rights[side], of_row(RIGHT), post, one),
        _ if side == 0 => assign(&program.owns, sided(layout, 0, Array::OwnRow, i), post, one),
        _ => return None,
    };
    useful(stage)
}
