//! The rules of a class, ready for use: expanded, compiled, and indexed for looking single rules up.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use crate::compile::Program;
use crate::compile::shape::Shape;
use crate::expand::{EdgeStep, KindId, Rules};
use crate::item::Side;
use crate::structure::Class;

/// A combination rule, as an index into [`Rules::combinations`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct CombinationId(pub u32);

/// An edge rule, as an index into [`Rules::edges`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct EdgeRuleId(pub u32);

/// The rules of a class, compiled. Immutable: share one between threads, and give each thread its own
/// [`Worker`](crate::decode::Worker).
#[derive(Debug)]
pub struct Grammar {
    rules: Rules,
    program: Program,
    combinations: HashMap<(Shape, Vec<KindId>), CombinationId>,
    edges: HashMap<(KindId, EdgeStep, Option<Side>), EdgeRuleId>,
}

impl Grammar {
    /// The complete rules of a class. They are compiled when first asked for and then shared.
    ///
    /// ```
    /// use tracebank_chart::{Class, Grammar};
    ///
    /// let grammar = Grammar::of(Class::PROJECTIVE_TREE);
    /// assert_eq!(grammar.rules().kinds.len(), 4);
    /// ```
    pub fn of(class: Class) -> Arc<Self> {
        static SHARED: OnceLock<Mutex<HashMap<Class, Arc<Grammar>>>> = OnceLock::new();
        let mut shared = SHARED.get_or_init(Mutex::default).lock().unwrap_or_else(PoisonError::into_inner);
        shared.entry(class).or_insert_with(|| Arc::new(Self::new(&Rules::expand(class)))).clone()
    }

    /// Compiles a set of rules, for example one restricted to those that a treebank uses.
    pub fn new(rules: &Rules) -> Self {
        let rules = rules.trim();
        let shapes: Vec<Shape> = rules.templates.iter().map(Shape::of).collect();
        let combinations = (0..).zip(&rules.combinations);
        let combinations = combinations
            .map(|(id, rule)| ((shapes[rule.template.index()], rule.inputs().to_vec()), CombinationId(id)))
            .collect();
        let edges = (0..).zip(&rules.edges);
        let edges = edges
            .map(|(id, rule)| {
                let side = rules.kinds[rule.output.index()].side;
                ((rule.input, rule.edge, side), EdgeRuleId(id))
            })
            .collect();
        Self { program: Program::compile(&rules), rules, combinations, edges }
    }

    /// The class.
    pub fn class(&self) -> Class {
        self.rules.class
    }

    /// The rules, trimmed.
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// The compiled rules.
    pub fn program(&self) -> &Program {
        &self.program
    }

    /// The rule that combines these kinds in this shape.
    pub fn combination(&self, shape: Shape, inputs: &[KindId]) -> Option<CombinationId> {
        self.combinations.get(&(shape, inputs.to_vec())).copied()
    }

    /// The rule that adds this edge to this kind, with the external vertex of the result on this side.
    pub fn edge_rule(&self, input: KindId, edge: EdgeStep, side: Option<Side>) -> Option<EdgeRuleId> {
        self.edges.get(&(input, edge, side)).copied()
    }
}
