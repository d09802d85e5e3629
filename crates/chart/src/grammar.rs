//! The rules of a class, ready for use: expanded, compiled, and indexed for looking single rules up.

use std::any::Any;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use crate::expand::{Combination, EdgeStep, KindId, Rules, TemplateId};
use crate::item::Side;
use crate::merge::Classes;
use crate::shape::Shape;
use crate::structure::Class;
use crate::tables::Tables;

/// A combination rule, as an index into [`Rules::combinations`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct CombinationId(pub u32);

/// An edge rule, as an index into [`Rules::edges`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct EdgeRuleId(pub u32);

/// The rules of a class, compiled. Immutable: share one between threads, and give each thread its own
/// [`Worker`](crate::decode::Worker).
#[derive(Clone, Debug)]
pub struct Grammar {
    compiled: Arc<Compiled>,
    single_root: bool,
}

#[derive(Debug)]
struct Compiled {
    rules: Rules,
    classes: Classes,
    tables: Tables,
    /// Made by another engine when it is first needed.
    extension: OnceLock<Box<dyn Any + Send + Sync>>,
    /// The templates of each shape.
    templates: Vec<Vec<TemplateId>>,
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
        let classes = Classes::of(&rules);
        let tables = Tables::new(&rules, &classes);
        let mut templates = vec![Vec::new(); Shape::ALL.len()];
        for (id, template) in (0..).zip(&rules.templates) {
            templates[Shape::of(template) as usize].push(TemplateId(id));
        }
        let compiled = Compiled { rules, classes, tables, extension: OnceLock::new(), templates };
        Self { compiled: Arc::new(compiled), single_root: false }
    }

    /// These rules for structures whose root has exactly one structural child (without a structural tree: one child;
    /// undirected: one neighbour).
    ///
    /// ```
    /// use tracebank_chart::{Class, Grammar, Worker};
    ///
    /// let grammar = Grammar::of(Class::PROJECTIVE_TREE).with_single_root();
    /// assert_eq!(Worker::new().count_all(&grammar, 3)?, "7");
    /// # Ok::<(), tracebank_chart::DecodeError>(())
    /// ```
    #[must_use]
    pub fn with_single_root(&self) -> Self {
        Self { compiled: self.compiled.clone(), single_root: true }
    }

    /// Must the root have exactly one structural child?
    pub fn is_single_rooted(&self) -> bool {
        self.single_root
    }

    /// The class.
    pub fn class(&self) -> Class {
        self.compiled.rules.class
    }

    /// The rules, trimmed.
    pub fn rules(&self) -> &Rules {
        &self.compiled.rules
    }

    /// Do the rules derive every projective tree? Those that have been restricted do not.
    pub(crate) fn derives_all_projective_trees(&self) -> bool {
        let rules = self.rules();
        rules.class == Class::PROJECTIVE_TREE && (rules.combinations.len(), rules.edges.len()) == (5, 2)
    }

    /// The classes of kinds that no context can tell apart.
    pub fn classes(&self) -> &Classes {
        &self.compiled.classes
    }

    /// The rules as the forest looks them up.
    pub(crate) fn tables(&self) -> &Tables {
        &self.compiled.tables
    }

    /// A form of the rules that another engine runs, made when it is first asked for and then shared.
    ///
    /// # Panics
    /// If two engines ask for forms of different types.
    pub fn compiled_for<T: Any + Send + Sync>(&self, compile: impl FnOnce(&Self) -> T) -> &T {
        let made = self.compiled.extension.get_or_init(|| Box::new(compile(self)));
        made.downcast_ref().expect("one engine beside that of this crate")
    }

    /// The rule that combines these kinds in this shape.
    pub fn combination(&self, shape: Shape, inputs: &[KindId]) -> Option<CombinationId> {
        self.compiled.templates[shape as usize].iter().find_map(|&template| {
            let order = |rule: &Combination| (rule.template, rule.inputs()).cmp(&(template, inputs));
            let found = self.compiled.rules.combinations.binary_search_by(order).ok()?;
            Some(CombinationId(found as u32))
        })
    }

    /// The rule that adds this edge to this kind, with the external vertex of the result on this side.
    pub fn edge_rule(&self, input: KindId, edge: EdgeStep, side: Option<Side>) -> Option<EdgeRuleId> {
        let edges = &self.compiled.rules.edges;
        let first = edges.partition_point(|rule| (rule.input, rule.edge) < (input, edge));
        let same = (first..edges.len()).take_while(|&id| (edges[id].input, edges[id].edge) == (input, edge));
        let mut here = same.filter(|&id| self.compiled.rules.kinds[edges[id].output.index()].side == side);
        here.next().map(|id| EdgeRuleId(id as u32))
    }
}
