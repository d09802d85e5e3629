//! Merging: item kinds that no context can tell apart become one class.
//!
//! An item passes through up to three levels in its cell. It is made by a combination (*pre*), may get the edge between
//! its ends (*mid*), may get an edge to its external vertex (*post*), and is then taken up by other combinations. Two
//! kinds at the same level are told apart by what the next level makes of them: by the class each edge leads to, or by
//! the class that each combination with each *kind* of partner makes. Partners are compared as kinds, not as classes, so
//! that the result is a congruence: whatever holds for one member of a class holds for all, one derivation for one. That
//! is what makes merged sums and counts exact, not only maxima.

use std::collections::HashMap;

use crate::expand::{KindId, Rules};
use crate::item::{Side, Visible};
use crate::part::Node;
use crate::shape::Shape;
use crate::structure::Class;

/// How many options there are for the edge between the ends: none, `l→r` and `r→l`, each structural or trace.
pub const END_OPTIONS: usize = 5;
/// How many options there are for the edge to `x`: none, and for either end, either direction and either kind.
pub const EXTERNAL_OPTIONS: usize = 9;

/// The number of the option that adds this edge; 0 is for no edge.
pub fn option(edge: crate::expand::EdgeStep) -> usize {
    let trace = usize::from(edge.trace);
    match (edge.from, edge.to) {
        (Visible::L, _) => 1 + trace,
        (_, Visible::L) => 3 + trace,
        (Visible::R, _) => 5 + trace,
        (Visible::X, _) => 7 + trace,
    }
}

/// The edge that an option adds between the end `end` of a span and another vertex, and whether it is a trace. Options are those
/// for one end: 1 to 4. Undirected edges are filed from left to right.
pub fn option_edge(class: Class, option: usize, end: usize, other: usize) -> (Node, Node, bool) {
    let (is_outward, is_trace) = ((option - 1) & 2 == 0, (option - 1) & 1 == 1);
    let (from, to) = if is_outward { (end, other) } else { (other, end) };
    let (from, to) = if class.directed { (from, to) } else { (from.min(to), from.max(to)) };
    (Node(from as u32), Node(to as u32), is_trace)
}

/// Where an item has its external vertex: nowhere, left, right.
pub fn place(side: Option<Side>) -> usize {
    match side {
        None => 0,
        Some(Side::Left) => 1,
        Some(Side::Right) => 2,
    }
}

/// The classes of one level. Classes are numbered apart for each [`place`].
#[derive(Clone, Debug, Default)]
pub struct Level {
    /// The class of each kind that occurs at this level.
    class: Vec<Option<u16>>,
    /// One member of each class, by place.
    members: [Vec<KindId>; 3],
}

impl Level {
    /// The class of a kind, if it occurs at this level.
    pub fn class(&self, kind: KindId) -> Option<u16> {
        self.class[kind.index()]
    }

    /// One member of each class.
    pub fn members(&self, place: usize) -> &[KindId] {
        &self.members[place]
    }
}

/// The part an item plays in a combination.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Role {
    /// It is combined when its own cell is done: the left item, or the middle one of [`Shape::NestRight`].
    Left,
    /// It waits for a left item: a right item, or another middle one.
    Right,
}

impl Role {
    /// The role of an item with an external vertex.
    pub fn of(shape: Shape, position: usize) -> Self {
        if position == 0 || (shape == Shape::NestRight && position == 1) { Self::Left } else { Self::Right }
    }
}

/// The levels after *pre*.
#[derive(Clone, Debug)]
pub struct Chain {
    /// With or without the edge between the ends; intervals are finished here.
    pub mid: Level,
    /// With or without an edge to the external vertex; no intervals.
    pub post: Level,
}

/// The classes of all levels, and how edges lead from one to the next.
#[derive(Clone, Debug)]
pub struct Classes {
    /// Made by a combination.
    pub pre: Level,
    /// As all combinations together tell them apart.
    pub all: Chain,
    /// For each kind, the kinds that the edge options between its ends lead to (option 0: itself).
    ends: Vec<Vec<(usize, KindId)>>,
    /// For each kind, the kinds that edges to the external vertex lead to (option 0: itself).
    external: Vec<Vec<(usize, KindId)>>,
}

impl Classes {
    /// From a *pre* kind: each option for the edge between the ends and the kind it leads to.
    pub fn ends(&self, kind: KindId) -> &[(usize, KindId)] {
        &self.ends[kind.index()]
    }

    /// From a *mid* kind: each option for an edge to `x` and the kind it leads to.
    pub fn external(&self, kind: KindId) -> &[(usize, KindId)] {
        &self.external[kind.index()]
    }

    /// The coarsest congruence.
    pub fn of(rules: &Rules) -> Self {
        let mut refinement = Refinement::new(rules);
        let mut before = [0; 3];
        loop {
            let now = refinement.refine();
            if now == before {
                break;
            }
            before = now;
        }
        refinement.classes
    }

    /// The levels as combinations tell them apart that take the item in one role. The classes are fewer, and an item may have
    /// none because it never plays the role.
    pub fn in_role(&self, rules: &Rules, role: Role) -> Chain {
        Refinement { classes: self.clone(), ..Refinement::new(rules) }.chain(Some(role))
    }
}

struct Refinement<'r> {
    rules: &'r Rules,
    contexts: Vec<Context>,
    places: Vec<usize>,
    classes: Classes,
}

/// An input of a combination, seen from the combination.
struct Context {
    input: KindId,
    output: KindId,
    role: Role,
    /// Stands for the shape, the position and the kinds of the partners.
    print: u64,
}

impl<'r> Refinement<'r> {
    fn new(rules: &'r Rules) -> Self {
        let count = rules.kinds.len();
        let kinds = (0..count).map(|kind| KindId(kind as u16));
        let places: Vec<usize> = rules.kinds.iter().map(|kind| place(kind.side)).collect();
        let mut made = vec![false; count];
        made[0] = true;
        rules.combinations.iter().for_each(|rule| made[rule.output.index()] = true);
        let mut ends: Vec<Vec<(usize, KindId)>> = kinds.clone().map(|kind| vec![(0, kind)]).collect();
        let mut external: Vec<Vec<(usize, KindId)>> =
            kinds.map(|kind| if places[kind.index()] == 0 { vec![] } else { vec![(0, kind)] }).collect();
        for rule in &rules.edges {
            let to_external = rule.edge.from == Visible::X || rule.edge.to == Visible::X;
            let list = if to_external { &mut external } else { &mut ends };
            list[rule.input.index()].push((option(rule.edge), rule.output));
        }
        // A kind occurs at a level if the level before can make it.
        let reach = |from: &[bool], steps: &[Vec<(usize, KindId)>]| {
            let mut reached = vec![false; count];
            for (steps, _) in steps.iter().zip(from).filter(|(_, from)| **from) {
                for &(_, to) in steps {
                    reached[to.index()] = true;
                }
            }
            reached
        };
        let mid = reach(&made, &ends);
        let post = reach(&mid, &external);
        let start = |occurs: &[bool]| Level {
            class: occurs.iter().map(|&occurs| occurs.then_some(0)).collect(),
            members: Default::default(),
        };
        let all = Chain { mid: start(&mid), post: start(&post) };
        let classes = Classes { pre: start(&made), all, ends, external };
        Self { rules, contexts: contexts(rules), places, classes }
    }

    /// One round: from the latest level back to the earliest. Says how many classes each level now has.
    fn refine(&mut self) -> [usize; 3] {
        self.classes.all = self.chain(None);
        let mut pre: Vec<Signature> =
            self.places.iter().map(|&place| Signature::start(&[place as u64])).collect();
        for (kind, steps) in self.classes.ends.iter().enumerate() {
            for &(option, to) in steps {
                pre[kind].add(&[option as u64, self.classes.all.mid.class(to).map_or(u64::MAX, u64::from)]);
            }
        }
        let count = |level: &Level| level.members.iter().map(Vec::len).sum();
        renumber(&mut self.classes.pre, &pre, &self.places);
        [count(&self.classes.pre), count(&self.classes.all.mid), count(&self.classes.all.post)]
    }

    /// The levels after *pre*, as the combinations in one role (or in all) tell them apart.
    fn chain(&self, role: Option<Role>) -> Chain {
        let Chain { mut mid, mut post } = self.classes.all.clone();
        let mut finished: Vec<Signature> = (0..self.rules.kinds.len())
            .map(|kind| {
                let complete = self.rules.is_final(KindId(kind as u16));
                Signature::start(&[self.places[kind] as u64, u64::from(complete)])
            })
            .collect();
        let mut used = vec![role.is_none(); self.rules.kinds.len()];
        for context in &self.contexts {
            let Some(output) = self.classes.pre.class(context.output) else { continue };
            if role.is_none_or(|role| role == context.role) {
                finished[context.input.index()].add_print(context.print, output);
                used[context.input.index()] = true;
            }
        }
        let drop_unused = |level: &mut Level, used: &[bool]| {
            for (class, _) in level.class.iter_mut().zip(used).filter(|(_, used)| !**used) {
                *class = None;
            }
        };
        drop_unused(&mut post, &used);
        renumber(&mut post, &finished, &self.places);
        // A finished interval is also what extervals are made of.
        let mut signatures = finished;
        for (kind, steps) in self.classes.external.iter().enumerate() {
            if self.places[kind] != 0 {
                signatures[kind] = Signature::start(&[self.places[kind] as u64]);
                used[kind] = false;
            }
            for &(option, to) in steps {
                if let Some(class) = post.class(to) {
                    signatures[kind].add(&[option as u64, self.places[to.index()] as u64, u64::from(class)]);
                    used[kind] = true;
                }
            }
        }
        drop_unused(&mut mid, &used);
        renumber(&mut mid, &signatures, &self.places);
        Chain { mid, post }
    }
}

fn contexts(rules: &Rules) -> Vec<Context> {
    let shapes: Vec<Shape> = rules.templates.iter().map(Shape::of).collect();
    let mut contexts = Vec::with_capacity(3 * rules.combinations.len());
    for rule in &rules.combinations {
        let shape = shapes[rule.template.index()];
        for (position, &input) in rule.inputs().iter().enumerate() {
            let mut print = scramble((shape as u64) << 8 | position as u64);
            for (other, kind) in rule.inputs().iter().enumerate() {
                print = scramble(print ^ if other == position { u64::MAX } else { u64::from(kind.0) });
            }
            contexts.push(Context { input, output: rule.output, role: Role::of(shape, position), print });
        }
    }
    contexts
}

fn renumber(level: &mut Level, signatures: &[Signature], places: &[usize]) {
    let mut known: HashMap<Signature, u16> = HashMap::new();
    level.members = Default::default();
    for (kind, signature) in signatures.iter().enumerate() {
        if level.class[kind].is_none() {
            continue;
        }
        let members = &mut level.members[places[kind]];
        let class = *known.entry(*signature).or_insert_with(|| {
            members.push(KindId(kind as u16));
            members.len() as u16 - 1
        });
        level.class[kind] = Some(class);
    }
}

/// A fingerprint of a multiset of contexts: 128 bits, so that different multisets do not meet.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Signature(u64, u64);

impl Signature {
    fn start(words: &[u64]) -> Self {
        let mut signature = Self(0, 0);
        signature.add(words);
        signature
    }

    /// Adds a context of which all but a class has been scrambled already.
    fn add_print(&mut self, print: u64, class: u16) {
        let a = scramble(print ^ u64::from(class));
        self.0 = self.0.wrapping_add(a);
        self.1 = self.1.wrapping_add(scramble(a ^ print.rotate_left(32)));
    }

    /// Adds one context; the order in which contexts are added does not matter.
    fn add(&mut self, words: &[u64]) {
        let (mut a, mut b) = (words.len() as u64, 0x5bd1_e995_u64);
        for &word in words {
            a = scramble(a ^ word);
            b = scramble(b.rotate_left(23) ^ word);
        }
        self.0 = self.0.wrapping_add(a);
        self.1 = self.1.wrapping_add(b);
    }
}

/// The finaliser of splitmix64.
fn scramble(mut z: u64) -> u64 {
    z = z.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}
