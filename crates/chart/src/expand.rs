//! From templates to rules: every way in which kinds of items may combine, generated from the initial item upwards.
//!
//! Templates leave much open. Expanding one means trying it on all kinds met so far and keeping what passes the
//! constraints the paper leaves to generation code:
//!
//! * no cycle may close (`joint`),
//! * a vertex that disappears into the middle must be reachable from a vertex that stays visible,
//! * in trees, no vertex gets a second parent,
//! * with a structural tree, no vertex gets a second structural parent, none disappears without one, and no two
//!   structural edges cross.

mod edge;
mod joint;

use std::fmt;

use rustc_hash::FxHashMap;

use crate::item::{Kind, Link, Visible};
use crate::structure::{Class, Crossing};
use crate::template::{self, Template};
pub use edge::EdgeStep;
use joint::{Joint, State};

/// A kind of item, as an index into [`Rules::kinds`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct KindId(pub u16);

impl KindId {
    /// The index.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A template, as an index into [`Rules::templates`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct TemplateId(pub u8);

impl TemplateId {
    /// The index.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// Two or three neighbouring items become one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Combination {
    /// The template it came from.
    pub template: TemplateId,
    inputs: [KindId; 3],
    count: u8,
    /// The kind made.
    pub output: KindId,
}

impl Combination {
    /// The kinds combined, from left to right.
    pub fn inputs(&self) -> &[KindId] {
        &self.inputs[..self.count as usize]
    }
}

/// An edge is added to an item.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct EdgeRule {
    /// The kind it is added to.
    pub input: KindId,
    /// The edge.
    pub edge: EdgeStep,
    /// The kind made.
    pub output: KindId,
}

/// The rules of a class.
#[derive(Clone, Debug)]
pub struct Rules {
    /// The class.
    pub class: Class,
    /// Printed and mirrored templates.
    pub templates: Vec<Template>,
    /// The kinds of item that can occur, the initial one first.
    pub kinds: Vec<Kind>,
    /// The combinations, in the order of their templates.
    pub combinations: Vec<Combination>,
    /// The edge rules.
    pub edges: Vec<EdgeRule>,
}

impl Rules {
    /// All rules of the class over the kinds that can be reached from the initial item.
    pub fn expand(class: Class) -> Self {
        Expansion::new(class).run()
    }

    /// Is an item of this kind over the whole sentence a complete structure? The left end must be reachable from the
    /// root, which is the right end; with a structural tree it must have its structural parent.
    pub fn is_final(&self, kind: KindId) -> bool {
        let kind = &self.kinds[kind.index()];
        kind.side.is_none()
            && kind.link(Visible::R, Visible::L) != Link::None
            && (!self.class.structural || kind.structural.parent[Visible::L as usize])
    }

    /// Keeps only the kinds that some final item can contain, and the rules over them.
    #[must_use]
    pub fn trim(&self) -> Self {
        let mut useful: Vec<bool> = (0..self.kinds.len()).map(|k| self.is_final(KindId(k as u16))).collect();
        loop {
            let before = useful.iter().filter(|&&u| u).count();
            for rule in &self.combinations {
                if useful[rule.output.index()] {
                    rule.inputs().iter().for_each(|input| useful[input.index()] = true);
                }
            }
            for rule in &self.edges {
                if useful[rule.output.index()] {
                    useful[rule.input.index()] = true;
                }
            }
            if useful.iter().filter(|&&u| u).count() == before {
                return self.keep(&useful);
            }
        }
    }

    /// The combinations and edge rules that are marked.
    pub(crate) fn keep_rules(&self, combinations: &[bool], edges: &[bool]) -> Self {
        fn kept<T: Copy>(rules: &[T], marks: &[bool]) -> Vec<T> {
            rules.iter().zip(marks).filter(|(_, kept)| **kept).map(|(rule, _)| *rule).collect()
        }
        Self {
            combinations: kept(&self.combinations, combinations),
            edges: kept(&self.edges, edges),
            ..self.clone()
        }
    }

    /// The rules over a subset of the kinds, which are numbered anew.
    fn keep(&self, useful: &[bool]) -> Self {
        let mut number = vec![None; self.kinds.len()];
        let mut kinds = Vec::new();
        for (old, kind) in self.kinds.iter().enumerate() {
            if useful[old] {
                number[old] = Some(KindId(kinds.len() as u16));
                kinds.push(*kind);
            }
        }
        let combinations = self.combinations.iter().filter_map(|rule| {
            let mut inputs = [KindId(0); 3];
            for (new, old) in inputs.iter_mut().zip(rule.inputs()) {
                *new = number[old.index()]?;
            }
            Some(Combination { inputs, output: number[rule.output.index()]?, ..*rule })
        });
        let edges = self.edges.iter().filter_map(|rule| {
            Some(EdgeRule {
                input: number[rule.input.index()]?,
                output: number[rule.output.index()]?,
                ..*rule
            })
        });
        Self {
            class: self.class,
            templates: self.templates.clone(),
            combinations: combinations.collect(),
            edges: edges.collect(),
            kinds,
        }
    }
}

impl fmt::Display for EdgeStep {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = |vertex| match vertex {
            Visible::L => 'l',
            Visible::R => 'r',
            Visible::X => 'x',
        };
        write!(f, "{}→{}{}", name(self.from), name(self.to), if self.trace { " trace" } else { "" })
    }
}

/// The work list: each kind is tried, when it comes up, with all kinds that came up before.
struct Expansion {
    class: Class,
    templates: Vec<Template>,
    joints: Vec<Joint>,
    kinds: Vec<Kind>,
    number: FxHashMap<Kind, KindId>,
    /// For each template and position, the kinds that fit there and have come up, and what they say there.
    fitting: Vec<[Vec<(KindId, State)>; 3]>,
    /// For each template the combinations made: their inputs, in sixteen bits each, and their output.
    made: Vec<Vec<(u64, KindId)>>,
    edges: Vec<EdgeRule>,
}

impl Expansion {
    fn new(class: Class) -> Self {
        let mut templates = if class.directed { template::all() } else { template::undirected() };
        if class.crossing == Crossing::Projective {
            templates.retain(|t| t.number <= 2);
        }
        let joints: Vec<Joint> = templates.iter().map(|template| Joint::new(template, class)).collect();
        Self {
            class,
            fitting: vec![Default::default(); templates.len()],
            made: vec![Vec::new(); templates.len()],
            templates,
            joints,
            kinds: vec![Kind::INIT],
            number: FxHashMap::from_iter([(Kind::INIT, KindId(0))]),
            edges: Vec::new(),
        }
    }

    fn run(mut self) -> Rules {
        let mut next = 0;
        while next < self.kinds.len() {
            let id = KindId(next as u16);
            self.add_edges(id);
            for template in 0..self.templates.len() {
                self.combine(template, id);
            }
            next += 1;
        }
        self.edges.sort_unstable();
        let combinations = self.sorted_combinations();
        Rules {
            class: self.class,
            templates: self.templates,
            kinds: self.kinds,
            combinations,
            edges: self.edges,
        }
    }

    /// In the order of templates, then of inputs.
    fn sorted_combinations(&mut self) -> Vec<Combination> {
        let mut sorted = Vec::new();
        for (template, made) in self.made.iter_mut().enumerate() {
            made.sort_unstable();
            let count = self.templates[template].inputs.len() as u8;
            sorted.extend(made.iter().map(|&(inputs, output)| {
                let inputs = [32, 16, 0].map(|shift| KindId((inputs >> shift) as u16));
                Combination { template: TemplateId(template as u8), inputs, count, output }
            }));
        }
        sorted
    }

    fn intern(&mut self, kind: Kind) -> KindId {
        let next = KindId(self.kinds.len() as u16);
        *self.number.entry(kind).or_insert_with(|| {
            self.kinds.push(kind);
            next
        })
    }

    fn add_edges(&mut self, input: KindId) {
        let kind = self.kinds[input.index()];
        for (edge, made) in edge::steps(&kind, self.class) {
            let output = self.intern(made);
            self.edges.push(EdgeRule { input, edge, output });
        }
    }

    /// Tries `id` in each position of the template, with kinds that came up before it to its left and kinds up to
    /// itself to its right, so that each tuple is tried once.
    fn combine(&mut self, template: usize, id: KindId) {
        let kind = self.kinds[id.index()];
        let mut fitting = std::mem::take(&mut self.fitting[template]);
        let count = self.templates[template].inputs.len();
        for (position, list) in fitting.iter_mut().enumerate().take(count) {
            if self.templates[template].inputs[position].fits(&kind) {
                list.push((id, self.joints[template].place(position, &kind)));
            }
        }
        for position in 0..count {
            let Some(new) = fitting[position].last().filter(|new| new.0 == id) else { continue };
            let mut chosen: [&[(KindId, State)]; 3] = [&[]; 3];
            for (other, list) in chosen.iter_mut().enumerate().take(count) {
                *list = match &fitting[other] {
                    _ if other == position => std::slice::from_ref(new),
                    all if other < position && all.last().is_some_and(|last| last.0 == id) => {
                        &all[..all.len() - 1]
                    }
                    all => all,
                };
            }
            self.combine_all(template, &chosen[..count]);
        }
        self.fitting[template] = fitting;
    }

    fn combine_all(&mut self, template: usize, chosen: &[&[(KindId, State)]]) {
        for (first, one) in chosen[0] {
            for (second, item) in chosen[1] {
                let Some(two) = self.joints[template].join(one, item) else { continue };
                if chosen.len() == 2 {
                    self.keep_if_sound(template, &two, [*first, *second, KindId(0)]);
                    continue;
                }
                for (third, item) in chosen[2] {
                    let Some(three) = self.joints[template].join(&two, item) else { continue };
                    self.keep_if_sound(template, &three, [*first, *second, *third]);
                }
            }
        }
    }

    fn keep_if_sound(&mut self, template: usize, state: &State, inputs: [KindId; 3]) {
        if let Some(made) = self.joints[template].finish(state, &self.templates[template].output) {
            let output = self.intern(made);
            let inputs = inputs.iter().fold(0, |inputs, kind| inputs << 16 | u64::from(kind.0));
            self.made[template].push((inputs, output));
        }
    }
}
