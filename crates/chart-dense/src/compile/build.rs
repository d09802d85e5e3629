//! From rule tables to a [`Program`]: which sets of classes combinations ask for, and the maps between them.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use tracebank_chart::expand::{KindId, Rules};
use tracebank_chart::merge::{Chain, Classes, Level, Role};
use tracebank_chart::shape::Shape;

use super::factor::factor;
use super::terms::Bilinear;
use super::{Array, Finish, Program};

/// Sets of classes, numbered as they are asked for.
#[derive(Default)]
struct Sets {
    number: HashMap<Vec<u16>, u16>,
    sets: Vec<Vec<u16>>,
}

impl Sets {
    fn number(&mut self, set: &[u16]) -> u16 {
        *self.number.entry(set.to_vec()).or_insert_with(|| {
            self.sets.push(set.to_vec());
            self.sets.len() as u16 - 1
        })
    }

    /// The map that adds up the members of each set.
    fn collect(&self) -> Bilinear {
        let members = |(set, members): (usize, &Vec<u16>)| {
            members.iter().map(move |&member| (set as u16, member, 0)).collect::<Vec<_>>()
        };
        Bilinear::new(self.sets.iter().enumerate().flat_map(members).collect())
    }
}

type Two = BTreeSet<(u16, u16, u16)>;

/// The sets that combinations ask for, collected on the way through the rule tables.
pub(super) struct Builder<'r> {
    rules: &'r Rules,
    classes: &'r Classes,
    /// The classes of items with an external vertex in each role, [`Role::Left`] first.
    roles: [Chain; 2],
    /// The combinations of each shape, with classes for kinds; inputs, then output.
    tables: BTreeMap<(Shape, usize), BTreeSet<Vec<u16>>>,
    intervals: Sets,
    sets: [Sets; 2],
    rights: [Sets; 2],
    owns: Sets,
    firsts: Sets,
}

impl<'r> Builder<'r> {
    pub(super) fn new(rules: &'r Rules, classes: &'r Classes) -> Self {
        let shapes: Vec<Shape> = rules.templates.iter().map(Shape::of).collect();
        let roles = [Role::Left, Role::Right].map(|role| classes.in_role(rules, role));
        let mut tables: BTreeMap<(Shape, usize), BTreeSet<Vec<u16>>> = BTreeMap::new();
        for rule in &rules.combinations {
            let shape = shapes[rule.template.index()];
            let input = |(position, &kind): (usize, &KindId)| {
                let role = &roles[Role::of(shape, position) as usize];
                role.post.class(kind).or_else(|| classes.all.mid.class(kind))
            };
            let inputs = rule.inputs().iter().enumerate().map(input);
            let entry: Option<Vec<u16>> = inputs.chain([classes.pre.class(rule.output)]).collect();
            let place = tracebank_chart::merge::place(rules.kinds[rule.output.index()].side);
            if let Some(entry) = entry {
                tables.entry((shape, place)).or_default().insert(entry);
            }
        }
        Self {
            rules,
            classes,
            roles,
            tables,
            intervals: Sets::default(),
            sets: Default::default(),
            rights: Default::default(),
            owns: Sets::default(),
            firsts: Sets::default(),
        }
    }

    pub(super) fn build(mut self) -> Program {
        let step = self.two(Shape::Step, 0, Self::interval, Self::interval);
        let pair = self.two(Shape::Pair, 0, Self::interval, Self::interval);
        let close_left = self.two(Shape::CloseLeft, 0, Self::right_set, Self::interval);
        let close_right = self.two(Shape::CloseRight, 0, Self::interval, Self::own);

        let (tails, use_tail) = self.first_two(Shape::Tail, 0, Self::interval);
        let make_tail = self.halves(&tails, Self::right_set, Self::interval);
        let (heads, use_head) = self.last_two(Shape::Head, Self::interval);
        let make_head = self.halves(&heads, Self::interval, Self::own);
        let (crossing, mut use_pairs) = self.first_two(Shape::Cross, 0, Self::own);
        let make_pairs = self.halves(&crossing, Self::right_set, Self::interval);
        let offset = crossing.iter().map(|entry| entry.2 + 1).max().unwrap_or(0);
        let (nested, use_nested) = self.first_two(Shape::NestLeft, offset, Self::own);
        let nest_pairs = self.halves(&nested, Self::interval, Self::own);
        use_pairs.extend(use_nested);
        let (quads, use_quads) = self.last_two(Shape::NestRight, |b, set| b.firsts.number(set));
        let make_quads = self.halves(&quads, Self::right_set, Self::interval);

        let same =
            self.sided(Shape::Same, |b, s, set| b.sets[s].number(set), |b, s, set| b.rights[s].number(set));
        let own_right =
            self.sided(Shape::OwnRight, |b, s, set| b.sets[s].number(set), |b, _, set| b.own(set));
        let own_left =
            self.sided(Shape::OwnLeft, |b, _, set| b.right_set(set), |b, s, set| b.rights[s].number(set));
        let beside_right =
            self.sided(Shape::BesideRight, |b, s, set| b.sets[s].number(set), |b, _, set| b.interval(set));
        let beside_left =
            self.sided(Shape::BesideLeft, |b, _, set| b.interval(set), |b, s, set| b.rights[s].number(set));

        let left = self.finish(0);
        let right = self.finish(1);
        let complete: BTreeSet<u16> = (0..self.rules.kinds.len() as u16)
            .map(KindId)
            .filter(|&kind| self.rules.is_final(kind))
            .filter_map(|kind| self.classes.all.mid.class(kind))
            .collect();
        let complete = self.interval(&complete.into_iter().collect::<Vec<u16>>());
        let initial = self.classes.pre.class(KindId(0)).unwrap_or(0);

        let intervals = self.finish_intervals();
        let next = |list: &Two| list.iter().map(|entry| entry.2 as usize + 1).max().unwrap_or(0);
        let pairs = next(&crossing).max(next(&nested));
        let counts = self.counts([&left, &right], [next(&tails), next(&heads), pairs, next(&quads)]);
        Program {
            class: self.rules.class,
            counts,
            initial,
            complete,
            intervals,
            left,
            right,
            sets: [0, 1].map(|side: usize| self.sets[side].collect()),
            rights: [0, 1].map(|side: usize| self.rights[side].collect()),
            owns: self.owns.collect(),
            step,
            pair,
            close_left,
            close_right,
            make_tail,
            use_tail: Bilinear::new(use_tail),
            make_head,
            use_head: Bilinear::new(use_head),
            make_pairs,
            nest_pairs,
            use_pairs: Bilinear::new(use_pairs),
            make_quads,
            firsts: self.firsts.collect(),
            use_quads: Bilinear::new(use_quads),
            same,
            own_right,
            own_left,
            beside_right,
            beside_left,
        }
    }

    /// How many entries each array has.
    fn counts(
        &self,
        [left, right]: [&Finish; 2],
        [tails, heads, pairs, quads]: [usize; 4],
    ) -> [usize; Array::COUNT] {
        let level = |level: &Level, place| level.members(place).len();
        let [left_chain, right_chain] = &self.roles;
        Array::ALL.map(|array| match array {
            Array::PreI => level(&self.classes.pre, 0),
            Array::PreL => level(&self.classes.pre, 1),
            Array::PreR => level(&self.classes.pre, 2),
            Array::MidL => left.mid_count(0),
            Array::MidR => left.mid_count(1),
            Array::PostL => level(&left_chain.post, 1),
            Array::PostR => level(&left_chain.post, 2),
            Array::RowMidL => right.mid_count(0),
            Array::RowMidR => right.mid_count(1),
            Array::RowPostL => level(&right_chain.post, 1),
            Array::RowPostR => level(&right_chain.post, 2),
            Array::SetI => self.intervals.sets.len(),
            Array::SetL => self.sets[0].sets.len(),
            Array::SetR => self.sets[1].sets.len(),
            Array::RightL => self.rights[0].sets.len(),
            Array::RightR => self.rights[1].sets.len(),
            Array::OwnRow | Array::Own => self.owns.sets.len(),
            Array::Tail => tails,
            Array::Head => heads,
            Array::Pairs => pairs,
            Array::Firsts => self.firsts.sets.len(),
            Array::Quads => quads,
            Array::Ends => tracebank_chart::merge::END_OPTIONS,
            // Nothing is read here if no item has an external vertex.
            Array::ExternalL | Array::ExternalR if level(&self.classes.pre, 1) == 0 => 0,
            Array::ExternalL | Array::ExternalR => tracebank_chart::merge::EXTERNAL_OPTIONS,
            Array::One => 1,
        })
    }

    fn interval(&mut self, set: &[u16]) -> u16 {
        self.intervals.number(set)
    }

    fn own(&mut self, set: &[u16]) -> u16 {
        self.owns.number(set)
    }

    /// A set of left items whose external vertex, on the right, is a vertex of its neighbours.
    fn right_set(&mut self, set: &[u16]) -> u16 {
        self.sets[1].number(set)
    }

    fn two(
        &mut self,
        shape: Shape,
        place: usize,
        mut left: impl FnMut(&mut Self, &[u16]) -> u16,
        mut right: impl FnMut(&mut Self, &[u16]) -> u16,
    ) -> Bilinear {
        let table = self.tables.remove(&(shape, place)).unwrap_or_default();
        let entries: Two = table.iter().map(|entry| (entry[0], entry[1], entry[2])).collect();
        let products = factor(&entries).into_iter().map(|rectangle| {
            let (l, r) = (left(self, &rectangle.left), right(self, &rectangle.right));
            (rectangle.output, l, r)
        });
        Bilinear::new(products.collect())
    }

    fn sided(
        &mut self,
        shape: Shape,
        left: impl Fn(&mut Self, usize, &[u16]) -> u16,
        right: impl Fn(&mut Self, usize, &[u16]) -> u16,
    ) -> [Bilinear; 2] {
        [0, 1]
            .map(|side| self.two(shape, side + 1, |b, set| left(b, side, set), |b, set| right(b, side, set)))
    }

    /// Cuts a three-item shape after its second item. Gives the entries (first, second, auxiliary item) and the products
    /// (output, auxiliary item, third); auxiliary items are numbered from `offset`.
    fn first_two(
        &mut self,
        shape: Shape,
        offset: u16,
        mut third: impl FnMut(&mut Self, &[u16]) -> u16,
    ) -> (Two, Vec<(u16, u16, u16)>) {
        let table = self.tables.remove(&(shape, 0)).unwrap_or_default();
        let entries: BTreeSet<((u16, u16), u16, u16)> =
            table.iter().map(|entry| ((entry[0], entry[1]), entry[2], entry[3])).collect();
        let mut auxiliary: BTreeMap<Vec<(u16, u16)>, u16> = BTreeMap::new();
        let mut products = Vec::new();
        for rectangle in factor(&entries) {
            let next = offset + auxiliary.len() as u16;
            let item = *auxiliary.entry(rectangle.left).or_insert(next);
            products.push((rectangle.output, item, third(self, &rectangle.right)));
        }
        (flatten(auxiliary), products)
    }

    /// Cuts a three-item shape after its first item: the mirror image of [`Self::first_two`].
    fn last_two(
        &mut self,
        shape: Shape,
        mut first: impl FnMut(&mut Self, &[u16]) -> u16,
    ) -> (Two, Vec<(u16, u16, u16)>) {
        let table = self.tables.remove(&(shape, 0)).unwrap_or_default();
        let entries: BTreeSet<(u16, (u16, u16), u16)> =
            table.iter().map(|entry| (entry[0], (entry[1], entry[2]), entry[3])).collect();
        let mut auxiliary: BTreeMap<Vec<(u16, u16)>, u16> = BTreeMap::new();
        let mut products = Vec::new();
        for rectangle in factor(&entries) {
            let next = auxiliary.len() as u16;
            let item = *auxiliary.entry(rectangle.right).or_insert(next);
            products.push((rectangle.output, first(self, &rectangle.left), item));
        }
        (flatten(auxiliary), products)
    }

    /// The products that make auxiliary items.
    fn halves(
        &mut self,
        entries: &Two,
        mut left: impl FnMut(&mut Self, &[u16]) -> u16,
        mut right: impl FnMut(&mut Self, &[u16]) -> u16,
    ) -> Bilinear {
        let products = factor(entries)
            .into_iter()
            .map(|rectangle| (rectangle.output, left(self, &rectangle.left), right(self, &rectangle.right)));
        Bilinear::new(products.collect())
    }

    fn finish_intervals(&self) -> Bilinear {
        let mut products = Vec::new();
        for (pre, &kind) in self.classes.pre.members(0).iter().enumerate() {
            for &(option, to) in self.classes.ends(kind) {
                let Some(class) = self.classes.all.mid.class(to) else { continue };
                for (set, members) in self.intervals.sets.iter().enumerate() {
                    if members.contains(&class) {
                        products.push((set as u16, pre as u16, option as u16));
                    }
                }
            }
        }
        Bilinear::new(products)
    }

    /// The maps that add edges, for one role.
    fn finish(&mut self, role: usize) -> Finish {
        let (mut mid, mut lift, mut post): ([Bilinear; 2], [Bilinear; 2], [Bilinear; 2]) = Default::default();
        for side in 0..2 {
            let place = side + 1;
            let chain = &self.roles[role];
            let mut mids = Vec::new();
            for (pre, &kind) in self.classes.pre.members(place).iter().enumerate() {
                for &(option, to) in self.classes.ends(kind) {
                    mids.extend(chain.mid.class(to).map(|mid| (mid, pre as u16, option as u16)));
                }
            }
            let mut posts = Vec::new();
            for (mid, &kind) in chain.mid.members(place).iter().enumerate() {
                for &(option, to) in self.classes.external(kind) {
                    posts.extend(chain.post.class(to).map(|post| (post, mid as u16, option as u16)));
                }
            }
            // Intervals that become extervals stand behind the classes.
            let mut lifts = Vec::new();
            for (class, &kind) in self.classes.all.mid.members(0).iter().enumerate() {
                let entry = (chain.mid.members(place).len() + lifts.len()) as u16;
                let before = posts.len();
                for &(option, to) in self.classes.external(kind) {
                    let here = tracebank_chart::merge::place(self.rules.kinds[to.index()].side) == place;
                    let class = chain.post.class(to).filter(|_| here);
                    posts.extend(class.map(|post| (post, entry, option as u16)));
                }
                if posts.len() > before {
                    lifts.push((entry, self.intervals.number(&[class as u16]), 0));
                }
            }
            mid[side] = Bilinear::new(mids);
            lift[side] = Bilinear::new(lifts);
            post[side] = Bilinear::new(posts);
        }
        Finish { mid, lift, post }
    }
}

fn flatten(auxiliary: BTreeMap<Vec<(u16, u16)>, u16>) -> Two {
    auxiliary
        .into_iter()
        .flat_map(|(pairs, item)| pairs.into_iter().map(move |(left, right)| (left, right, item)))
        .collect()
}
