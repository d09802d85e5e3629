//! Spines and edges, as the authors' second scorer counts them.
//!
//! Both trees are made into [graphs](tracebank_syntax::graph) with the same head rules. Then every word has a spine and a
//! structural edge, and every reference a trace edge:
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

use std::borrow::Cow;

use tracebank_syntax::graph::{
    Anchor, End, Graph, Parallel, Spine, Symbol, SymbolId, SymbolKind, TraceEdge, Vertex, Word, encode,
};
use tracebank_syntax::heads::HeadTable;
use tracebank_syntax::tree::Tree;

use crate::score::{Counts, Tally};

/// How graphs are made of trees.
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
        let mut tree = Cow::Borrowed(tree);
        if !self.keep_functions {
            tree.to_mut().strip_functions();
        }
        encode(&tree, &self.heads, Parallel::ToReferent)
    }
}

/// Two graphs over the same words, and which of their parts are right.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Comparison {
    /// The graph of the gold.
    pub gold: Graph,
    /// The graph of the guess, if there is one.
    pub test: Option<Graph>,
    /// For each word, whether its spine is right.
    pub spine_is_right: Vec<bool>,
    /// For each word, how far its structural edge is right.
    pub edge: Vec<Agreement>,
    /// For each trace edge of the gold, how far the guess has it.
    pub gold_trace: Vec<Agreement>,
    /// For each trace edge of the guess, how far the gold has it.
    pub test_trace: Vec<Agreement>,
}

/// How far an edge agrees with one on the other side.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Agreement {
    /// There is no edge between these words.
    None,
    /// There is an edge between these words.
    Unlabelled,
    /// There is an edge between these words with the same label.
    Labelled,
}

/// Compares two trees over the same words.
pub fn compare(gold: &Tree, guess: &Tree, options: &Options) -> Comparison {
    let (gold, test) = (options.graph(gold), options.graph(guess));
    let words = || gold.words.iter().zip(&test.words);
    let spine_is_right = words().map(|(mine, theirs)| same_spine(&mine.spine, &theirs.spine)).collect();
    let edge = words()
        .map(|(mine, theirs)| {
            if mine.head != theirs.head {
                Agreement::None
            } else if attachment(&gold, mine.head, mine.attachment)
                == attachment(&test, theirs.head, theirs.attachment)
            {
                Agreement::Labelled
            } else {
                Agreement::Unlabelled
            }
        })
        .collect();
    let (gold_trace, test_trace) = (agreements(&gold, &test), agreements(&test, &gold));
    Comparison { spine_is_right, edge, gold_trace, test_trace, gold, test: Some(test) }
}

/// The comparison of a sentence whose guess is missing: everything in the gold is missed.
pub fn missed(gold: &Tree, options: &Options) -> Comparison {
    let gold = options.graph(gold);
    Comparison {
        spine_is_right: vec![false; gold.words.len()],
        edge: vec![Agreement::None; gold.words.len()],
        gold_trace: vec![Agreement::None; gold.traces.len()],
        test_trace: Vec::new(),
        gold,
        test: None,
    }
}

impl Comparison {
    /// Spines.
    pub fn spines(&self) -> Counts {
        self.per_word(self.spine_is_right.iter().filter(|&&right| right).count())
    }

    /// Labelled structural edges.
    pub fn edges(&self) -> Counts {
        self.per_word(at_least(&self.edge, Agreement::Labelled))
    }

    /// Unlabelled structural edges.
    pub fn unlabelled_edges(&self) -> Counts {
        self.per_word(at_least(&self.edge, Agreement::Unlabelled))
    }

    /// Labelled trace edges. A match is counted on the side of the gold.
    pub fn traces(&self) -> Counts {
        self.per_trace(Agreement::Labelled)
    }

    /// Unlabelled trace edges.
    pub fn unlabelled_traces(&self) -> Counts {
        self.per_trace(Agreement::Unlabelled)
    }

    /// Adds the structural edges to `tally`, each under the label of the phrase it hangs in.
    pub fn add_edges_to(&self, tally: &mut Tally) {
        for (word, &agreement) in self.gold.words.iter().zip(&self.edge) {
            let matched = u64::from(agreement == Agreement::Labelled);
            tally.add(&edge_label(&self.gold, word), Counts { matched, gold: 1, test: 0 });
        }
        if let Some(graph) = &self.test {
            for word in &graph.words {
                tally.add(&edge_label(graph, word), Counts { matched: 0, gold: 0, test: 1 });
            }
        }
    }

    /// Adds the trace edges to `tally`, each under its type.
    pub fn add_traces_to(&self, tally: &mut Tally) {
        for (edge, &agreement) in self.gold.traces.iter().zip(&self.gold_trace) {
            let matched = u64::from(agreement == Agreement::Labelled);
            tally.add(self.gold.trace_type(edge), Counts { matched, gold: 1, test: 0 });
        }
        if let Some(graph) = &self.test {
            for edge in &graph.traces {
                tally.add(graph.trace_type(edge), Counts { matched: 0, gold: 0, test: 1 });
            }
        }
    }

    fn per_word(&self, matched: usize) -> Counts {
        let test = self.test.as_ref().map_or(0, |graph| graph.words.len());
        Counts { matched: matched as u64, gold: self.gold.words.len() as u64, test: test as u64 }
    }

    fn per_trace(&self, least: Agreement) -> Counts {
        Counts {
            matched: at_least(&self.gold_trace, least) as u64,
            gold: self.gold_trace.len() as u64,
            test: self.test_trace.len() as u64,
        }
    }
}

fn at_least(agreements: &[Agreement], least: Agreement) -> usize {
    agreements.iter().filter(|&&agreement| agreement >= least).count()
}

fn same_spine(mine: &Spine, theirs: &Spine) -> bool {
    let same = |(a, b): (&Symbol, &Symbol)| a.depth == b.depth && same_kind(a, b);
    mine.symbols.len() == theirs.symbols.len() && mine.symbols.iter().zip(&theirs.symbols).all(same)
}

/// The two have the same label, wherever in it the indices stand.
fn same_kind(mine: &Symbol, theirs: &Symbol) -> bool {
    match (&mine.kind, &theirs.kind) {
        (SymbolKind::Phrase(mine), SymbolKind::Phrase(theirs)) => {
            without_holes(mine) == without_holes(theirs)
        }
        (mine, theirs) => mine == theirs,
    }
}

/// The [shape](tracebank_syntax::tree::Label::shape) of a label has holes where its indices stood in an unusual place.
fn without_holes(shape: &str) -> Cow<'_, str> {
    if shape.contains("()") {
        Cow::Owned(shape.replace("-()", "").replace("=()", ""))
    } else {
        Cow::Borrowed(shape)
    }
}

/// A phrase of a spine: its label, how many of that label come before it from the bottom, and whether the word heads it. Phrases
/// without words are counted apart from those with.
type PhraseName<'g> = (Cow<'g, str>, usize, bool);

fn phrase_name(spine: &Spine, id: SymbolId) -> Option<PhraseName<'_>> {
    let symbol = spine.get(id)?;
    let same = |other: &&Symbol| other.is_headed() == symbol.is_headed() && same_kind(other, symbol);
    let before = spine.symbols[..id.index()].iter().filter(same).count();
    Some((without_holes(symbol.name()), before, symbol.is_headed()))
}

/// What a word hangs in. The root has one name, whatever its bracket is called.
fn attachment(graph: &Graph, head: Vertex, phrase: Option<SymbolId>) -> Option<PhraseName<'_>> {
    if head == Vertex::ROOT { None } else { phrase_name(graph.spine(head)?, phrase?) }
}

fn edge_label<'g>(graph: &'g Graph, word: &Word) -> Cow<'g, str> {
    attachment(graph, word.head, word.attachment).map_or(Cow::Borrowed("ROOT"), |(label, ..)| label)
}

/// An end of a trace edge: the word and the phrase. A null element is named by the phrase around it.
type EndName<'g> = (Vertex, Option<PhraseName<'g>>);

fn end_name(graph: &Graph, end: End) -> EndName<'_> {
    let phrase = match end.anchor {
        Anchor::Tag => None,
        Anchor::Symbol(id) => {
            graph.spine(end.vertex).and_then(|spine| phrase_name(spine, phrase_around(spine, id)))
        }
    };
    (end.vertex, phrase)
}

fn phrase_around(spine: &Spine, id: SymbolId) -> SymbolId {
    match spine.get(id) {
        Some(symbol) if matches!(symbol.kind, SymbolKind::Null(_)) => spine.symbols[..id.index()]
            .iter()
            .rposition(|above| above.depth + 1 == symbol.depth)
            .map_or(id, |above| SymbolId(above as u32)),
        _ => id,
    }
}

type TraceName<'g> = (EndName<'g>, EndName<'g>, &'g str);

fn trace_name<'g>(graph: &'g Graph, edge: &TraceEdge) -> TraceName<'g> {
    (end_name(graph, edge.from), end_name(graph, edge.to), graph.trace_type(edge))
}

/// How far each trace edge of `graph` is in `other`.
fn agreements(graph: &Graph, other: &Graph) -> Vec<Agreement> {
    let mut theirs: Vec<TraceName> = other.traces.iter().map(|edge| trace_name(other, edge)).collect();
    theirs.sort_unstable();
    let mut between: Vec<(Vertex, Vertex)> =
        other.traces.iter().map(|edge| (edge.from.vertex, edge.to.vertex)).collect();
    between.sort_unstable();
    let agreement = |edge: &TraceEdge| {
        if theirs.binary_search(&trace_name(graph, edge)).is_ok() {
            Agreement::Labelled
        } else if between.binary_search(&(edge.from.vertex, edge.to.vertex)).is_ok() {
            Agreement::Unlabelled
        } else {
            Agreement::None
        }
    };
    graph.traces.iter().map(agreement).collect()
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
