//! The steps of the engine: a table of which map is applied to what, and where.
//!
//! How they go together is told in [`stage`](super::stage).

use super::form::{Factor as Read, Form};
use super::layout::Layout;
use super::view::View;
use crate::compile::terms::Bilinear;
use crate::compile::{Array, Program};

use Array::{
    Ends, ExternalL, ExternalR, Firsts, Head, MidL, MidR, One, Own, OwnRow, Pairs, PostL, PostR, PreI, PreL,
    PreR, Quads, RightL, RightR, RowMidL, RowMidR, RowPostL, RowPostR, SetI, SetL, SetR, Tail,
};
use Of::{I, K};
use Place::{
    AllEnds, Cell, Column, Constant, EndsOfCell, Left, LeftRow, Right, RightColumn, RightRow, Row, RowOfTile,
    Transient, TransientColumn,
};

/// The vertex whose row is meant.
#[derive(Clone, Copy, Debug)]
pub(super) enum Of {
    I,
    K,
}

/// Where in its array a step finds what it needs, at the cell `(i, k)`.
#[derive(Clone, Copy, Debug)]
pub(super) enum Place {
    /// The cell.
    Cell,
    /// The right ends of a row, one lane each.
    Row(Of),
    /// The right ends of a row, one value each.
    Column(Of),
    /// The external vertices of the cell, one lane each, in an array that holds one cell.
    Transient,
    /// The external vertices of the cell, one value for each right end that is one.
    TransientColumn,
    /// As [`Place::Transient`], in an array that holds all cells, with external vertices on the left.
    Left,
    /// As [`Place::Left`], on the right.
    Right,
    /// As [`Place::Right`], one value for each.
    RightColumn,
    /// All cells of a row, with a lane for each external vertex on the left.
    LeftRow(Of),
    /// As [`Place::LeftRow`], on the right.
    RightRow(Of),
    /// The cells of a tile.
    RowOfTile,
    /// The options for an edge between `i` and `k`.
    EndsOfCell,
    /// Those for edges between `i` and each right end.
    AllEnds,
    /// The constant one.
    Constant,
}

impl Place {
    /// How a map reads it, or writes it if it is the target.
    const fn factor(self) -> Read {
        match self {
            Cell | Column(_) | TransientColumn | RightColumn | EndsOfCell | AllEnds => Read::Single,
            Row(_) | Transient | Left | Right | LeftRow(_) | RightRow(_) | RowOfTile => Read::Lanes,
            Constant => Read::One,
        }
    }

    /// Where it is at a cell.
    #[inline(always)]
    pub(super) fn view(self, layout: &Layout, array: Array, (i, k): (usize, usize)) -> View<'_> {
        let row = |of| match of {
            I => i,
            K => k,
        };
        match self {
            Cell => layout.cell(array, i, k),
            Row(of) => layout.row(array, row(of)),
            Column(of) => layout.column(layout.row(array, row(of))),
            Transient => layout.transient(array),
            TransientColumn => layout.column(layout.transient(array)),
            Left => layout.left_row(array, i).at(k),
            Right => layout.right_row(array, i).at(k),
            RightColumn => layout.column(layout.right_row(array, i).at(k)),
            LeftRow(of) => layout.left_row(array, row(of)),
            RightRow(of) => layout.right_row(array, row(of)),
            RowOfTile => layout.tile(array),
            EndsOfCell => layout.ends_at(k),
            AllEnds => layout.ends(),
            Constant => Layout::one(),
        }
    }
}

/// The range of a step.
#[derive(Clone, Copy, Debug)]
pub(super) enum Over {
    /// The cell alone.
    Cell,
    /// The external vertices left of the cell.
    Left,
    /// Those right of it, or the right ends after it.
    Right,
    /// The cells of a row.
    Cells,
}

/// A condition on the cell.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum CellNeeds {
    /// Any.
    Nothing,
    /// One with a vertex after `k`: nothing stands right of the root, so an item that ends there is no left item.
    After,
    /// Such a one, and `k` is next to `i`.
    Adjacent,
}

/// The conditions without which a step has nothing to do.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Needs {
    pub(crate) cell: CellNeeds,
    /// An item of the cell with its external vertex on this side.
    pub(crate) set: Option<usize>,
    /// An item that begins at `k`, with its external vertex on this side.
    pub(crate) right: Option<usize>,
    /// An item that begins at `k`, with `i` as its external vertex.
    pub(crate) own: bool,
    /// An auxiliary item made at this cell.
    pub(crate) pairs: bool,
}

/// An array, and where in it.
pub(super) type Factor = (Array, Place);

/// A map of a program, of which there may be one for each side of external vertices.
type Map = fn(&Program, usize) -> &Bilinear;

/// A step: which map is applied to what.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Step {
    pub(super) map: Map,
    pub(super) side: usize,
    pub(super) target: Factor,
    pub(super) left: Factor,
    pub(super) right: Factor,
    pub(super) over: Over,
    pub(super) form: Form,
    /// Going back, nothing has reached its left factor before, and it reaches all of it: classes that lead nowhere are not kept.
    pub(super) begins: bool,
    pub(crate) needs: Needs,
}

impl Step {
    const fn new(map: Map, target: Factor, left: Factor, right: Factor, over: Over) -> Self {
        let needs = Needs { cell: CellNeeds::After, set: None, right: None, own: false, pairs: false };
        let form = Form {
            target_has_lanes: matches!(target.1.factor(), Read::Lanes),
            left: left.1.factor(),
            right: right.1.factor(),
            assign: false,
        };
        Self { map, side: 0, target, left, right, over, form, begins: false, needs }
    }

    /// Nothing else adds to this part of the target.
    const fn assigned(self) -> Self {
        Self { form: Form { assign: true, ..self.form }, ..self }
    }

    const fn begins(self, begins: bool) -> Self {
        Self { begins, ..self }
    }

    const fn on(self, side: usize) -> Self {
        Self { side, ..self }
    }

    const fn anywhere(self) -> Self {
        Self { needs: Needs { cell: CellNeeds::Nothing, ..self.needs }, ..self }
    }

    const fn if_adjacent(self) -> Self {
        Self { needs: Needs { cell: CellNeeds::Adjacent, ..self.needs }, ..self }
    }

    const fn if_set(self, side: usize) -> Self {
        Self { needs: Needs { set: Some(side), ..self.needs }, ..self }
    }

    const fn if_right(self, side: usize) -> Self {
        Self { needs: Needs { right: Some(side), ..self.needs }, ..self }
    }

    const fn if_own(self) -> Self {
        Self { needs: Needs { own: true, ..self.needs }, ..self }
    }

    const fn if_pairs(self) -> Self {
        Self { needs: Needs { pairs: true, ..self.needs }, ..self }
    }
}

/// The options for an edge between the ends of the cell.
const ENDS: Factor = (Ends, EndsOfCell);
/// No factor.
const ONE: Factor = (One, Constant);

/// The step that finishes the intervals of a cell.
static INTERVALS: [Step; 1] =
    [Step::new(|p, _| &p.intervals, (SetI, Cell), (PreI, Cell), ENDS, Over::Cell).assigned().anywhere()];
/// The steps that finish its items with an external vertex for the left role, on the left and on the right.
static FINISH: [[Step; 4]; 2] = [
    finish(0, Left, [PreL, MidL, PostL, SetL, ExternalL]),
    finish(1, Right, [PreR, MidR, PostR, SetR, ExternalR]),
];
static FIRSTS: [Step; 1] = [finishing(1, |p, _| &p.firsts, (Firsts, Right), (PostR, Transient), ONE)];

const fn finish(side: usize, cell: Place, [pre, mid, post, set, external]: [Array; 5]) -> [Step; 4] {
    let (mid, post) = ((mid, Transient), (post, Transient));
    [
        finishing(side, |p, side| &p.left.mid[side], mid, (pre, cell), ENDS),
        finishing(side, |p, side| &p.left.lift[side], mid, (SetI, Cell), ONE),
        finishing(side, |p, side| &p.left.post[side], post, mid, (external, cell)).begins(true),
        // On the right, the first items of crossings come from there as well.
        finishing(side, |p, side| &p.sets[side], (set, Transient), post, ONE).begins(side == 0),
    ]
}

const fn finishing(side: usize, map: Map, target: Factor, left: Factor, right: Factor) -> Step {
    let over = if side == 0 { Over::Left } else { Over::Right };
    Step::new(map, target, left, right, over).assigned().on(side).if_set(side)
}

/// The steps that push it along its lanes, one for each right end.
static ALONG: [Step; 11] = [
    along(|p, _| &p.step, (PreI, Row(I)), (SetI, Cell), (SetI, Row(K))).if_adjacent(),
    along(|p, _| &p.pair, (PreI, Row(I)), (SetI, Cell), (SetI, Row(K))),
    along(|p, _| &p.close_left, (PreI, Row(I)), (SetR, Transient), (SetI, Row(K))).if_set(1),
    along(|p, _| &p.close_right, (PreI, Row(I)), (SetI, Cell), (Own, Right)).if_own(),
    along(|p, _| &p.make_tail, (Tail, Row(I)), (SetR, Transient), (SetI, Row(K))).if_set(1),
    along(|p, _| &p.use_tail, (PreI, Row(I)), (Tail, Cell), (SetI, Row(K))),
    along(|p, _| &p.make_head, (Head, Row(I)), (SetI, Cell), (Own, Right)).if_own(),
    along(|p, _| &p.use_head, (PreI, Row(I)), (SetI, Cell), (Head, Row(K))),
    along(|p, _| &p.make_pairs, (Pairs, Right), (SetR, Transient), (SetI, Row(K))).if_set(1).assigned(),
    along(|p, _| &p.nest_pairs, (Pairs, Right), (SetI, Cell), (Own, Right)).if_own().assigned(),
    along(|p, _| &p.make_quads, (Quads, Right), (SetR, Transient), (SetI, Row(K))).if_set(1).assigned(),
];

const fn along(map: Map, target: Factor, left: Factor, right: Factor) -> Step {
    Step::new(map, target, left, right, Over::Right)
}

/// The steps that push it over the cells after it: five combinations that leave an external vertex, on the left and on the
/// right.
static ACROSS: [[Step; 5]; 2] = [
    across(0, (PreL, LeftRow(I)), (SetL, Transient), (RightL, LeftRow(K))),
    across(1, (PreR, RightRow(I)), (SetR, Transient), (RightR, RightRow(K))),
];
/// The crossings that close: their lanes are over the right end, their rows over the vertex between.
static CROSSINGS: [Step; 2] = [
    over_cells(1, |p, _| &p.use_pairs, (PreI, Row(I)), (Pairs, RightColumn), (Own, RightRow(K))).if_pairs(),
    over_cells(1, |p, _| &p.use_quads, (PreI, Row(I)), (Firsts, RightColumn), (Quads, RightRow(K))).if_set(1),
];

const fn across(side: usize, target: Factor, set: Factor, right: Factor) -> [Step; 5] {
    let (closing, opening, beside) = ((SetR, TransientColumn), (Own, RightColumn), (SetI, Column(K)));
    [
        over_cells(side, |p, side| &p.same[side], target, set, right).if_set(side).if_right(side),
        over_cells(side, |p, side| &p.own_right[side], target, set, opening).if_set(side).if_own(),
        over_cells(side, |p, side| &p.own_left[side], target, closing, right).if_set(1).if_right(side),
        over_cells(side, |p, side| &p.beside_right[side], target, set, beside).if_set(side),
        over_cells(side, |p, side| &p.beside_left[side], target, (SetI, Cell), right).if_right(side),
    ]
}

/// The steps that finish a row for the right role, on the left and on the right.
static ROW: [[Step; 4]; 2] = [
    row(0, LeftRow(I), [PreL, RowMidL, RowPostL, RightL, ExternalL]),
    row(1, RightRow(I), [PreR, RowMidR, RowPostR, RightR, ExternalR]),
];
static OWNS: [Step; 1] =
    [over_cells(0, |p, _| &p.owns, (OwnRow, LeftRow(I)), (RowPostL, RowOfTile), ONE).assigned()];

const fn row(side: usize, cells: Place, [pre, mid, post, right, external]: [Array; 5]) -> [Step; 4] {
    let (mid, post) = ((mid, RowOfTile), (post, RowOfTile));
    [
        over_cells(side, |p, side| &p.right.mid[side], mid, (pre, cells), (Ends, AllEnds)).assigned(),
        over_cells(side, |p, side| &p.right.lift[side], mid, (SetI, Column(I)), ONE).assigned(),
        over_cells(side, |p, side| &p.right.post[side], post, mid, (external, cells)).assigned().begins(true),
        // On the left, a vertex's own items come from there as well.
        over_cells(side, |p, side| &p.rights[side], (right, cells), post, ONE).assigned().begins(side == 1),
    ]
}

const fn over_cells(side: usize, map: Map, target: Factor, left: Factor, right: Factor) -> Step {
    Step::new(map, target, left, right, Over::Cells).on(side)
}

/// The steps that a program has something to do at.
#[derive(Clone, Debug, Default)]
pub(crate) struct Steps {
    /// At a cell, to finish it for the left role.
    pub(crate) finish: Vec<&'static Step>,
    /// At a cell, along its lanes.
    pub(crate) along: Vec<&'static Step>,
    /// At a cell, over those after it, by the side of the vertices that lanes are for.
    pub(crate) across: [Vec<&'static Step>; 2],
    /// At a row, to finish it for the right role, by the side of external vertices. Those that make what lasts come last.
    pub(crate) row: [Vec<&'static Step>; 2],
}

impl Steps {
    /// Chooses the steps of a program.
    pub(crate) fn choose(&mut self, program: &Program) {
        let Self { finish, along, across: [left, right], row: [row_left, row_right] } = self;
        let choose = |chosen: &mut Vec<&'static Step>, tables: &[&'static [Step]]| {
            chosen.clear();
            let used = |step: &&Step| {
                let map = (step.map)(program, step.side);
                debug_assert!(
                    !step.begins
                        || map.forward.is_empty()
                        || map.to_left.groups().count() == program.counts[step.left.0 as usize],
                    "a class leads nowhere: {step:?}"
                );
                !map.forward.is_empty()
            };
            chosen.extend(tables.iter().copied().flatten().filter(used));
        };
        choose(finish, &[&INTERVALS, &FINISH[0], &FINISH[1], &FIRSTS]);
        choose(along, &[&ALONG]);
        choose(left, &[&ACROSS[0]]);
        choose(right, &[&CROSSINGS, &ACROSS[1]]);
        choose(row_left, &[&ROW[0], &OWNS]);
        choose(row_right, &[&ROW[1]]);
    }
}

/// The most steps that are taken tile by tile together.
pub(crate) const MOST_ACROSS: usize = CROSSINGS.len() + ACROSS[1].len();
