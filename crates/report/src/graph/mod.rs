//! Spines and edges, as the authors' second scorer counts them.
//!
//! Both trees are made into [graphs](tracebank_syntax::graph) with the same head rules. Then every word has a spine and a
//! structural edge, and every trace a trace edge:
//!
//! * a *spine* is right when it has the same phrases and the same null elements in them (where among its siblings a null element stands
//!   does not count);
//! * a *structural edge* is right, unlabelled, when the word has the same head word, and labelled when it also hangs in the
//!   same phrase of that word's spine, which is named by its label and by how many phrases of that label are below it;
//! * a *trace edge* is right, unlabelled, when it joins the same two words, and labelled when it also joins the same phrases
//!   of their spines and has the same type.
//!
//! ```
//! use tracebank_report::graph::{Options, compare};
//! let gold = "( (S (NP-1 (N we)) (VP (V try) (S (NP (-NONE- *-1)) (VP (V go))))))".parse()?;
//! let guess = "( (S (NP (N we)) (VP (V try) (S (VP (V go))))))".parse()?;
//! let comparison = compare(&gold, &guess, &Options::default());
//! assert_eq!((comparison.spines().matched, comparison.spines().gold), (2, 3));
//! assert_eq!((comparison.edges().matched, comparison.traces().matched), (3, 0));
//! # Ok::<(), tracebank_syntax::penn::SyntaxError>(())
//! ```

mod reading;
#[cfg(test)]
mod reference;

use std::borrow::Cow;
use std::collections::BTreeSet;

use tracebank_syntax::graph::{Graph, Targets, encode};
use tracebank_syntax::heads::HeadTable;
use tracebank_syntax::tree::{Kind, NodeId, Tree};

use crate::score::{Counts, Tally};
use reading::{Reading, Trace};

/// The options of making graphs of trees.
#[derive(Clone, Debug)]
pub struct Options {
    /// The head rules.
    pub heads: HeadTable,
    /// Keep `-TMP` in `NP-TMP`.
    pub keep_functions: bool,
}

impl Default for Options {
    /// As in the paper: the authors' head rules, no function tags.
    fn default() -> Options {
        let heads = HeadTable::named("authors").expect("the authors' table comes with the syntax crate");
        Options { heads, keep_functions: false }
    }
}

impl Options {
    /// The graph of `tree`.
    pub fn graph(&self, tree: &Tree) -> Graph {
        encode(&self.labels_to_compare(tree), &self.heads, Targets::Referent)
    }

    /// Only the labels that have function tags are written anew: there are few of them, and every tree comes by here.
    fn labels_to_compare<'t>(&self, tree: &'t Tree) -> Cow<'t, Tree> {
        let mut tree_to_compare = Cow::Borrowed(tree);
        if self.keep_functions {
            return tree_to_compare;
        }
        let has_functions = |&node: &NodeId| {
            let may_have = tree.label_text(node).bytes().any(|byte| matches!(byte, b'-' | b'='));
            may_have && tree.kind(node) == Kind::Phrase && tree.label(node).functions().next().is_some()
        };
        for node in tree.preorder(tree.top()).filter(has_functions) {
            let label = tree.label(node).without_functions();
            tree_to_compare.to_mut().set_label(node, &label);
        }
        tree_to_compare
    }

    fn read<'t>(&self, tree: &'t Tree) -> Reading<'t> {
        Reading::of(self.labels_to_compare(tree), &self.heads)
    }
}

/// A comparison of two graphs over the same words: which parts are right.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Comparison {
    /// How many words the gold has, and how many the guess: 0 if there is none.
    words: (usize, usize),
    /// For each word, whether its spine is right.
    spine_is_right: Vec<bool>,
    /// For each word, how far its structural edge is right.
    edges: Vec<Agreement>,
    /// The type of each trace edge of the gold, and how far the guess has it.
    gold_traces: Vec<(String, Agreement)>,
    /// The type of each trace edge of the guess.
    test_traces: Vec<String>,
}

/// How far an edge agrees with one on the other side.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Agreement {
    /// There is no edge between these words.
    None,
    /// There is an edge between these words.
    Unlabelled,
    /// There is an edge between these words with the same label.
    Labelled,
}

/// Compares two trees over the same words.
pub fn compare(gold: &Tree, guess: &Tree, options: &Options) -> Comparison {
    let (gold, test) = (options.read(gold), options.read(guess));
    let words = || 1..=gold.words.len().min(test.words.len()) as u32;
    let test_traces = test.traces();
    Comparison {
        words: (gold.words.len(), test.words.len()),
        spine_is_right: words().map(|word| gold.same_spine(&test, word)).collect(),
        edges: words().map(|word| edge_agreement(&gold, &test, word)).collect(),
        gold_traces: trace_agreements(gold.traces(), &test_traces),
        test_traces: test_traces.into_iter().map(|trace| trace.kind).collect(),
    }
}

/// The comparison of a sentence whose guess is missing: everything in the gold is missed.
pub fn missed(gold: &Tree, options: &Options) -> Comparison {
    let gold = options.read(gold);
    Comparison {
        words: (gold.words.len(), 0),
        spine_is_right: Vec::new(),
        edges: Vec::new(),
        gold_traces: trace_agreements(gold.traces(), &[]),
        test_traces: Vec::new(),
    }
}

fn edge_agreement(gold: &Reading, test: &Reading, word: u32) -> Agreement {
    match (gold.edge(word), test.edge(word)) {
        ((mine, _), (theirs, _)) if mine != theirs => Agreement::None,
        ((_, Some(mine)), (_, Some(theirs))) if !gold.same_name(test, mine, theirs) => Agreement::Unlabelled,
        _ => Agreement::Labelled,
    }
}

/// How far each of `traces` is among `others`: by membership, as in the authors' script.
fn trace_agreements(traces: Vec<Trace>, others: &[Trace]) -> Vec<(String, Agreement)> {
    let others: BTreeSet<&Trace> = others.iter().collect();
    let joined: BTreeSet<(u32, u32)> = others.iter().map(|other| other.words()).collect();
    traces
        .into_iter()
        .map(|trace| {
            let agreement = match (others.contains(&trace), joined.contains(&trace.words())) {
                (true, _) => Agreement::Labelled,
                (false, true) => Agreement::Unlabelled,
                (false, false) => Agreement::None,
            };
            (trace.kind, agreement)
        })
        .collect()
}

impl Comparison {
    /// Spines.
    pub fn spines(&self) -> Counts {
        self.per_word(self.spine_is_right.iter().filter(|&&right| right).count())
    }

    /// Labelled structural edges.
    pub fn edges(&self) -> Counts {
        self.per_word(self.edges.iter().filter(|&&edge| edge == Agreement::Labelled).count())
    }

    /// Unlabelled structural edges.
    pub fn unlabelled_edges(&self) -> Counts {
        self.per_word(self.edges.iter().filter(|&&edge| edge >= Agreement::Unlabelled).count())
    }

    /// Labelled trace edges. A match is counted on the side of the gold.
    pub fn traces(&self) -> Counts {
        self.per_trace(Agreement::Labelled)
    }

    /// Unlabelled trace edges.
    pub fn unlabelled_traces(&self) -> Counts {
        self.per_trace(Agreement::Unlabelled)
    }

    /// Adds the trace edges to `tally`, each under its type.
    pub fn add_traces_to(&self, tally: &mut Tally) {
        for (kind, agreement) in &self.gold_traces {
            let matched = u64::from(*agreement == Agreement::Labelled);
            tally.add(kind, Counts { matched, gold: 1, test: 0 });
        }
        for kind in &self.test_traces {
            tally.add(kind, Counts { matched: 0, gold: 0, test: 1 });
        }
    }

    fn per_word(&self, matched: usize) -> Counts {
        Counts { matched: matched as u64, gold: self.words.0 as u64, test: self.words.1 as u64 }
    }

    fn per_trace(&self, least: Agreement) -> Counts {
        let matched = self.gold_traces.iter().filter(|(_, agreement)| *agreement >= least).count();
        Counts {
            matched: matched as u64,
            gold: self.gold_traces.len() as u64,
            test: self.test_traces.len() as u64,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Matches among spines, labelled and unlabelled edges, labelled and unlabelled traces.
    fn matched(gold: &str, guess: &str) -> [u64; 5] {
        let comparison = compare(&gold.parse().unwrap(), &guess.parse().unwrap(), &Options::default());
        [
            comparison.spines(),
            comparison.edges(),
            comparison.unlabelled_edges(),
            comparison.traces(),
            comparison.unlabelled_traces(),
        ]
        .map(|counts| counts.matched)
    }

    const CONTROL: &str = "( (S (NP-1 (N we)) (VP (V try) (S (NP (-NONE- *-1)) (VP (V go))))))";

    #[test]
    fn a_graph_equals_itself_whatever_its_root_is_called() {
        assert_eq!(matched(CONTROL, CONTROL), [3, 3, 3, 1, 1]);
        let root = CONTROL.replacen('(', "(ROOT", 1);
        assert_eq!(matched(CONTROL, &root), [3, 3, 3, 1, 1]);
    }

    #[test]
    fn traces_of_gaps_and_of_repeated_indices_have_types_of_their_own() {
        let tree =
            "( (S (S (NP-1 (N a)) (VP (V b))) (CC and) (S (NP=1 (N c)) (VP-1 (V d)))))".parse().unwrap();
        let mut tally = Tally::default();
        compare(&tree, &tree, &Options::default()).add_traces_to(&mut tally);
        assert_eq!(tally.by_type.into_keys().collect::<Vec<_>>(), ["-", "="]);
    }

    #[test]
    fn functions_do_not_count_unless_kept() {
        let guess = CONTROL.replace("NP-1", "NP-SBJ-1");
        assert_eq!(matched(CONTROL, &guess), [3, 3, 3, 1, 1]);
        let options = Options { keep_functions: true, ..Options::default() };
        let kept = compare(&CONTROL.parse().unwrap(), &guess.parse().unwrap(), &options);
        assert_eq!(
            (kept.spines().matched, kept.traces().matched, kept.unlabelled_traces().matched),
            (2, 0, 1)
        );
    }

    #[test]
    fn the_phrase_of_attachment_is_part_of_the_label() {
        let low = "( (S (NP (N we)) (VP (VP (V go)) (ADVP (R on)))))";
        let high = "( (S (NP (N we)) (VP (VP (V go) (ADVP (R on))))))";
        assert_eq!(matched(low, high), [3, 2, 3, 0, 0]);
    }

    #[test]
    fn a_null_belongs_to_a_spine_and_its_place_does_not_count() {
        let right = "( (S (NP (N we)) (VP (V go) (NP (-NONE- *)) (PP (P on)))))";
        let left = "( (S (NP (N we)) (VP (V go) (PP (P on)) (NP (-NONE- *)))))";
        assert_eq!(matched(right, left), [3, 3, 3, 0, 0]);
        assert_eq!(matched(right, &right.replace("(NP (-NONE- *))", "")), [2, 3, 3, 0, 0]);
    }

    #[test]
    fn traces_between_the_right_words_may_have_the_wrong_label() {
        assert_eq!(matched(CONTROL, &CONTROL.replace("*-1", "*T*-1")), [2, 3, 3, 0, 1]);
        assert_eq!(matched(CONTROL, &CONTROL.replace("NP (-NONE-", "PP (-NONE-")), [2, 3, 3, 0, 1]);
    }

    #[test]
    fn indices_in_unusual_places_do_not_count() {
        let gold = "( (S (NP=2-1 (N we)) (VP (V try) (S (NP (-NONE- *-1)) (VP (V go))))))";
        assert_eq!(matched(gold, CONTROL), [3, 3, 3, 1, 1]);
    }

    #[test]
    fn a_missing_guess_misses_everything() {
        let comparison = missed(&CONTROL.parse().unwrap(), &Options::default());
        assert_eq!(comparison.spines(), Counts { matched: 0, gold: 3, test: 0 });
        assert_eq!(comparison.traces(), Counts { matched: 0, gold: 1, test: 0 });
    }
}
