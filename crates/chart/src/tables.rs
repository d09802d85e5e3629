//! The tables of the forest: what two neighbouring classes make, looked up one pair at a time.
//!
//! A [`Table`] answers for one shape. Classes that behave alike share a row or a column, so that the tables stay in the cache.
//!
//! Three-item shapes are cut in two: the first two items, or the last two, make an auxiliary item. An auxiliary class is what
//! the third item can tell apart of the other two, so that every table is a function: one pair, at most one output.

use std::collections::HashMap;

use crate::expand::{KindId, Rules};
use crate::merge::{Classes, place};
use crate::shape::Shape;

/// The class that a left and a right class make, if any.
#[derive(Clone, Debug, Default)]
pub(crate) struct Table {
    /// The row of each left class, the column of each right class; 0 is the empty one.
    row: Vec<u16>,
    column: Vec<u16>,
    columns: usize,
    /// One more than the output; 0 where there is none.
    outputs: Vec<u16>,
}

impl Table {
    /// From its entries (left, right, output).
    fn new(mut entries: Vec<Entry>) -> Self {
        entries.sort_unstable();
        entries.dedup();
        let (row, rows) = alike(&entries);
        let mut transposed: Vec<Entry> = Vec::new();
        for (number, entries) in (1..).zip(&rows) {
            transposed.extend(entries.iter().map(|&(_, right, output)| (right, number, output)));
        }
        transposed.sort_unstable();
        let (column, members) = alike(&transposed);
        let columns = members.len() + 1;
        let mut outputs = vec![0; (rows.len() + 1) * columns];
        for (number, entries) in (1..).zip(&members) {
            for &(_, row, output) in *entries {
                outputs[row as usize * columns + number] = output + 1;
            }
        }
        Self { row, column, columns, outputs }
    }

    /// The row of a left class, if it makes anything.
    #[inline]
    pub(crate) fn row(&self, left: u16) -> Option<Row<'_>> {
        let row = *self.row.get(left as usize)? as usize;
        let outputs = &self.outputs[row * self.columns..(row + 1) * self.columns];
        (row > 0).then_some(Row { column: &self.column, outputs })
    }
}

/// One row of a [`Table`].
#[derive(Clone, Copy, Debug)]
pub(crate) struct Row<'a> {
    column: &'a [u16],
    outputs: &'a [u16],
}

impl Row<'_> {
    /// The class that the right class makes here.
    #[inline]
    pub(crate) fn output(&self, right: u16) -> Option<u16> {
        let column = *self.column.get(right as usize)?;
        self.outputs[column as usize].checked_sub(1)
    }
}

type Entry = (u16, u16, u16);

/// Groups first components whose entries are the same otherwise: the number of the group of each, counting from 1, and the
/// entries of one member of each group.
fn alike(sorted: &[Entry]) -> (Vec<u16>, Vec<&[Entry]>) {
    let mut number = vec![0; sorted.last().map_or(0, |entry| entry.0 as usize + 1)];
    let mut groups: Vec<&[Entry]> = Vec::new();
    let mut known: HashMap<Vec<(u16, u16)>, u16> = HashMap::new();
    for entries in sorted.chunk_by(|a, b| a.0 == b.0) {
        let behaviour = entries.iter().map(|&(_, other, output)| (other, output)).collect();
        number[entries[0].0 as usize] = *known.entry(behaviour).or_insert_with(|| {
            groups.push(entries);
            groups.len() as u16
        });
    }
    (number, groups)
}

/// An option for an edge (see [`crate::merge::option`]) and the class it leads to.
pub(crate) type Choice = (u16, u16);

/// All tables of a class of structures. Pairs are for an external vertex on the left and on the right; fields are named
/// after their [`Shape`].
#[derive(Clone, Debug)]
pub(crate) struct Tables {
    /// The class of the initial item, an interval as combinations make it.
    pub(crate) initial: u16,
    /// Which classes of finished intervals are complete structures.
    pub(crate) complete: Vec<bool>,
    /// For each interval, the edges between its ends.
    pub(crate) intervals: Vec<Vec<Choice>>,
    /// For each finished interval, the edges to an external vertex.
    pub(crate) lifts: [Vec<Vec<Choice>>; 2],
    /// For each item with an external vertex, the edges between its ends.
    pub(crate) ends: [Vec<Vec<Choice>>; 2],
    /// For each of what comes out, the edges to the external vertex.
    pub(crate) external: [Vec<Vec<Choice>>; 2],

    /// `[ik] [kj]`, `k` next to `i`.
    pub(crate) step: Table,
    /// `[ik] [kj]`.
    pub(crate) pair: Table,
    /// `[ik.j] [kj]`.
    pub(crate) close_left: Table,
    /// `[ik] [kj.i]`.
    pub(crate) close_right: Table,
    /// `[ab.c] [bc]`, then `[cd]`.
    pub(crate) tail: [Table; 2],
    /// `[bc] [cd.b]`, and `[ab]` before it.
    pub(crate) head: [Table; 2],
    /// `[ab.c] [bc]`, for [`Self::pairs`].
    pub(crate) cross: Table,
    /// `[ab] [bc.a]`, for [`Self::pairs`].
    pub(crate) nest_left: Table,
    /// Two items with `b` still visible, then `[cd.b]`.
    pub(crate) pairs: Table,
    /// `[bc.d] [cd]`, and `[ab.c]` before it.
    pub(crate) nest_right: [Table; 2],
    /// `[ik.x] [kj.x]`.
    pub(crate) same: [Table; 2],
    /// `[ik.x] [kj.i]`.
    pub(crate) own_right: [Table; 2],
    /// `[ik.j] [kj.x]`.
    pub(crate) own_left: [Table; 2],
    /// `[ik.x] [kj]`.
    pub(crate) beside_right: [Table; 2],
    /// `[ik] [kj.x]`.
    pub(crate) beside_left: [Table; 2],
}

/// The combinations of one shape over classes: inputs, then output.
type Combinations = Vec<([u16; 3], u16)>;

impl Tables {
    /// The tables of trimmed rules.
    pub(crate) fn new(rules: &Rules, classes: &Classes) -> Self {
        let shapes: Vec<Shape> = rules.templates.iter().map(Shape::of).collect();
        let mut combinations: Vec<[Combinations; 3]> = vec![Default::default(); Shape::ALL.len()];
        let class = |kind: KindId| classes.all.post.class(kind).or_else(|| classes.all.mid.class(kind));
        'rules: for rule in &rules.combinations {
            let mut inputs = [0; 3];
            for (input, &kind) in inputs.iter_mut().zip(rule.inputs()) {
                let Some(class) = class(kind) else { continue 'rules };
                *input = class;
            }
            let Some(output) = classes.pre.class(rule.output) else { continue };
            let side = place(rules.kinds[rule.output.index()].side);
            combinations[shapes[rule.template.index()] as usize][side].push((inputs, output));
        }
        let mut take = |shape: Shape, place: usize| {
            let mut list = std::mem::take(&mut combinations[shape as usize][place]);
            list.sort_unstable();
            list.dedup();
            list
        };
        let mut two = |shape, place| {
            Table::new(
                take(shape, place).into_iter().map(|([left, right, _], made)| (left, right, made)).collect(),
            )
        };
        let [step, pair] = [Shape::Step, Shape::Pair].map(|shape| two(shape, 0));
        let [close_left, close_right] = [Shape::CloseLeft, Shape::CloseRight].map(|shape| two(shape, 0));
        let [same, own_right, own_left, beside_right, beside_left] =
            [Shape::Same, Shape::OwnRight, Shape::OwnLeft, Shape::BesideRight, Shape::BesideLeft]
                .map(|shape| [1, 2].map(|place| two(shape, place)));

        let first_two =
            |list: Combinations| list.into_iter().map(|([a, b, c], made)| ((a, b), c, made)).collect();
        let last_two =
            |list: Combinations| list.into_iter().map(|([a, b, c], made)| ((b, c), a, made)).collect();
        let transpose =
            |entries: Vec<Entry>| entries.into_iter().map(|(aux, other, made)| (other, aux, made)).collect();
        let mut cut = Cut::default();
        let make_tail = cut.cut(first_two(take(Shape::Tail, 0)));
        let use_tail = std::mem::take(&mut cut).uses;
        let make_head = cut.cut(last_two(take(Shape::Head, 0)));
        let use_head = transpose(std::mem::take(&mut cut).uses);
        let make_cross = cut.cut(first_two(take(Shape::Cross, 0)));
        let make_nest_left = cut.cut(first_two(take(Shape::NestLeft, 0)));
        let use_pairs = std::mem::take(&mut cut).uses;
        let make_quads = cut.cut(last_two(take(Shape::NestRight, 0)));
        let use_quads = transpose(cut.uses);

        let all = &classes.all;
        let complete = |&kind: &KindId| rules.is_final(kind);
        let choices = |members: &[KindId], steps: &dyn Fn(KindId) -> Vec<Choice>| {
            members.iter().map(|&kind| steps(kind)).collect::<Vec<Vec<Choice>>>()
        };
        let ends = |kind| {
            let steps = classes.ends(kind).iter();
            steps.filter_map(|&(option, to)| Some((option as u16, all.mid.class(to)?))).collect()
        };
        let external = |side: usize| {
            move |kind| {
                let steps = classes.external(kind).iter();
                let here = steps.filter(|&&(_, to)| place(rules.kinds[to.index()].side) == side + 1);
                here.filter_map(|&(option, to)| Some((option as u16, all.post.class(to)?))).collect()
            }
        };
        Self {
            initial: classes.pre.class(KindId(0)).unwrap_or(0),
            complete: all.mid.members(0).iter().map(complete).collect(),
            intervals: choices(classes.pre.members(0), &ends),
            lifts: [0, 1].map(|side| choices(all.mid.members(0), &external(side))),
            ends: [0, 1].map(|side| choices(classes.pre.members(side + 1), &ends)),
            external: [0, 1].map(|side| choices(all.mid.members(side + 1), &external(side))),
            step,
            pair,
            close_left,
            close_right,
            tail: [Table::new(make_tail), Table::new(use_tail)],
            head: [Table::new(make_head), Table::new(use_head)],
            cross: Table::new(make_cross),
            nest_left: Table::new(make_nest_left),
            pairs: Table::new(use_pairs),
            nest_right: [Table::new(make_quads), Table::new(use_quads)],
            same,
            own_right,
            own_left,
            beside_right,
            beside_left,
        }
    }
}

/// Cuts three-item shapes in two.
#[derive(Default)]
struct Cut {
    /// The auxiliary class for each list of what third items make.
    known: HashMap<Vec<(u16, u16)>, u16>,
    /// The entries (auxiliary class, third item, output).
    uses: Vec<Entry>,
}

impl Cut {
    /// From (two items, third item, output), the entries that make auxiliary classes of the two.
    fn cut(&mut self, mut entries: Vec<((u16, u16), u16, u16)>) -> Vec<Entry> {
        entries.sort_unstable();
        let mut makes = Vec::new();
        for same in entries.chunk_by(|a, b| a.0 == b.0) {
            let behaviour: Vec<(u16, u16)> = same.iter().map(|&(_, third, made)| (third, made)).collect();
            let next = self.known.len() as u16;
            let auxiliary = *self.known.entry(behaviour).or_insert(next);
            if auxiliary == next {
                self.uses.extend(same.iter().map(|&(_, third, made)| (next, third, made)));
            }
            let (first, second) = same[0].0;
            makes.push((first, second, auxiliary));
        }
        makes
    }
}
