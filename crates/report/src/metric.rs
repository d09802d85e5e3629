//! The list of metrics.

use crate::score::{Counts, Tally};

/// A thing that is counted in the gold, in the guess and in both.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Metric {
    /// Brackets, as [`evalb`](crate::evalb) counts them.
    Brackets,
    /// Brackets of sentences up to the cut-off length.
    BracketsShort,
    /// Part-of-speech tags of the words that `evalb` does not leave out.
    Tags,
    /// Null elements, by the [authors' definition](crate::nulls::authors).
    Null,
    /// Null elements with their antecedents, and gaps, by the authors' definition.
    Coindex,
    /// [Johnson's metric](crate::nulls::johnson).
    JohnsonFull,
    /// Johnson's metric of null elements that have an antecedent.
    JohnsonDependency,
    /// Johnson's metric without antecedents.
    JohnsonEmptyElement,
    /// Johnson's metric without antecedents and categories.
    JohnsonEmptyTerminal,
    /// [Spines](crate::graph) of words.
    Spines,
    /// Structural edges.
    Edges,
    /// Structural edges without their labels.
    UnlabelledEdges,
    /// Trace edges.
    Traces,
    /// Trace edges without their labels.
    UnlabelledTraces,
    /// [Function tags](crate::functions) of phrases that hold words.
    Functions,
    /// Function tags of phrases of nulls.
    NullFunctions,
}

/// The names of a metric.
struct Names {
    metric: Metric,
    /// In files.
    name: &'static str,
    /// For people.
    title: &'static str,
}

const NAMES: [Names; Metric::COUNT] = [
    Names { metric: Metric::Brackets, name: "evalb", title: "brackets (evalb)" },
    Names { metric: Metric::BracketsShort, name: "evalb_short", title: "brackets, short sentences" },
    Names { metric: Metric::Tags, name: "tags", title: "tags" },
    Names { metric: Metric::Null, name: "null", title: "nulls (authors)" },
    Names { metric: Metric::Coindex, name: "coindex", title: "nulls + co-indexation (authors)" },
    Names { metric: Metric::JohnsonFull, name: "johnson_full", title: "Johnson: full" },
    Names { metric: Metric::JohnsonDependency, name: "johnson_dependency", title: "Johnson: dependencies" },
    Names {
        metric: Metric::JohnsonEmptyElement,
        name: "johnson_empty_element",
        title: "Johnson: empty elements",
    },
    Names {
        metric: Metric::JohnsonEmptyTerminal,
        name: "johnson_empty_terminal",
        title: "Johnson: empty terminals",
    },
    Names { metric: Metric::Spines, name: "spines", title: "spines" },
    Names { metric: Metric::Edges, name: "edges", title: "structural edges" },
    Names {
        metric: Metric::UnlabelledEdges,
        name: "edges_unlabelled",
        title: "structural edges, unlabelled",
    },
    Names { metric: Metric::Traces, name: "traces", title: "trace edges" },
    Names { metric: Metric::UnlabelledTraces, name: "traces_unlabelled", title: "trace edges, unlabelled" },
    Names { metric: Metric::Functions, name: "functions", title: "function tags" },
    Names { metric: Metric::NullFunctions, name: "null_functions", title: "function tags of nulls" },
];

impl Metric {
    /// Their number.
    pub const COUNT: usize = 16;

    /// All of them, in the order of every table.
    pub fn all() -> impl Iterator<Item = Metric> {
        NAMES.iter().map(|names| names.metric)
    }

    /// The name in files.
    pub fn name(self) -> &'static str {
        NAMES[self as usize].name
    }

    /// The name for people.
    pub fn title(self) -> &'static str {
        NAMES[self as usize].title
    }
}

/// A value for each metric.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct PerMetric<T>([T; Metric::COUNT]);

/// The counts of a sentence, or of many.
pub type MetricCounts = PerMetric<Counts>;

/// The counts of many sentences, by type.
pub type MetricTallies = PerMetric<Tally>;

impl<T> std::ops::Index<Metric> for PerMetric<T> {
    type Output = T;

    fn index(&self, metric: Metric) -> &T {
        &self.0[metric as usize]
    }
}

impl<T> std::ops::IndexMut<Metric> for PerMetric<T> {
    fn index_mut(&mut self, metric: Metric) -> &mut T {
        &mut self.0[metric as usize]
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn the_table_of_names_is_in_order() {
        for (index, metric) in Metric::all().enumerate() {
            assert_eq!(metric as usize, index);
        }
    }

    #[test]
    fn no_two_metrics_have_one_name() {
        for name in [Metric::name, Metric::title] {
            assert_eq!(Metric::all().map(name).collect::<BTreeSet<_>>().len(), Metric::COUNT);
        }
    }
}
