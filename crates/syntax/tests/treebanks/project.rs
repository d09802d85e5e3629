//! The share of a treebank that comes back from its projection, and the number of labels that a parser has to know for it.
//!
//! `TREEBANKS=… cargo test -p tracebank-syntax --test treebanks project -- --ignored --nocapture` prints the numbers of
//! `docs/projection.md`. Places are learnt from the training part alone.

use std::collections::BTreeSet;
use std::fmt;

use tracebank_syntax::dialect::Dialect;
use tracebank_syntax::graph::{self, Graph, Spine, Targets};
use tracebank_syntax::heads::HeadTable;
use tracebank_syntax::project::{
    Alphabet, PhraseName, PlaceTable, Projection, SpineType, TraceLabel, restore,
};
use tracebank_syntax::tree::Tree;

use crate::trees;

type Pair = (Tree, Graph);

/// The training, development and test parts of a treebank.
fn read(corpus: &str, form: &str, dialect: &str) -> [Vec<Pair>; 3] {
    let heads = HeadTable::named(Dialect::named(dialect).unwrap().head_table).unwrap();
    let pair = |tree: Tree| {
        let graph = graph::encode(&tree, &heads, Targets::Common);
        (tree, graph)
    };
    ["train", "dev", "test"].map(|part| trees(&format!("{corpus}-{part}{form}"), dialect).map(pair).collect())
}

/// Trees that came back, of how many.
#[derive(Clone, Copy, Default)]
struct Share {
    back: usize,
    all: usize,
}

impl Share {
    fn percent(self) -> f64 {
        100.0 * self.back as f64 / self.all as f64
    }
}

impl std::ops::Add for Share {
    type Output = Share;

    fn add(self, other: Share) -> Share {
        Share { back: self.back + other.back, all: self.all + other.all }
    }
}

/// Trees that did not come back, by what the projection left out.
#[derive(Default)]
struct Losses {
    place: usize,
    loose_index: usize,
    index_order: usize,
}

impl Losses {
    fn count(&mut self, graph: &Graph) {
        let mut spines = graph.words.iter().map(|word| &word.spine).chain([&graph.root]);
        let has_holes = |spine: &Spine| spine.symbols.iter().any(|symbol| symbol.name().contains('('));
        let cause = if !graph.loose.is_empty() {
            &mut self.loose_index
        } else if spines.any(has_holes) {
            &mut self.index_order
        } else {
            &mut self.place
        };
        *cause += 1;
    }
}

/// The labels that a parser has to choose from.
#[derive(Default)]
struct Vocabulary {
    spines: BTreeSet<SpineType>,
    attachments: BTreeSet<PhraseName>,
    traces: BTreeSet<TraceLabel>,
    compound_arcs: usize,
}

impl Vocabulary {
    fn add(&mut self, projection: Projection) {
        for word in projection.words {
            self.spines.insert(word.spine);
            self.attachments.extend(word.attachment);
        }
        for arc in projection.arcs {
            self.compound_arcs += usize::from(arc.label.0.len() > 1);
            self.traces.insert(arc.label);
        }
    }
}

struct Measure {
    all: Share,
    unseen: Share,
    losses: Losses,
    vocabulary: Vocabulary,
    table_lines: usize,
}

impl fmt::Display for Measure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Measure { all, unseen, losses, vocabulary, table_lines } = self;
        write!(
            f,
            "{:.2} % of {} trees, {:.2} % of {}",
            all.percent(),
            all.all,
            unseen.percent(),
            unseen.all
        )?;
        let Losses { place, loose_index, index_order } = losses;
        write!(f, " | lost: {place} place, {loose_index} loose index, {index_order} index order")?;
        let bare: BTreeSet<&Spine> = vocabulary.spines.iter().map(|spine| &spine.spine).collect();
        write!(f, " | {} spines ({} without traces)", vocabulary.spines.len(), bare.len())?;
        write!(f, ", {} attachments", vocabulary.attachments.len())?;
        write!(f, ", {} trace labels ({} compound arcs)", vocabulary.traces.len(), vocabulary.compound_arcs)?;
        write!(f, " | {table_lines} lines of table")
    }
}

fn measure(parts: &[Vec<Pair>; 3], alphabet: Alphabet) -> Measure {
    let mut table = PlaceTable::default();
    for (_, graph) in &parts[0] {
        table.learn(graph, alphabet);
    }
    let text = table.to_string();
    assert!(text.parse::<PlaceTable>().unwrap() == table);
    let (mut losses, mut vocabulary) = (Losses::default(), Vocabulary::default());
    let mut shares = [Share::default(); 3];
    for (part, share) in parts.iter().zip(&mut shares) {
        for (tree, graph) in part {
            let projection = alphabet.project(graph).unwrap();
            let restored = graph::decode(&restore(&projection, &table).unwrap()).unwrap();
            let mut gold = tree.clone();
            alphabet.strip(&mut gold);
            gold.renumber();
            share.all += 1;
            if restored == gold {
                share.back += 1;
            } else {
                losses.count(graph);
            }
            vocabulary.add(projection);
        }
    }
    let unseen = shares[1] + shares[2];
    Measure { all: shares[0] + unseen, unseen, losses, vocabulary, table_lines: text.lines().count() }
}

/// Measures a corpus and asks for at least so many per cent, with and without function tags.
fn check(corpus: &str, form: &str, dialect: &str, at_least: [f64; 2]) {
    let parts = read(corpus, form, dialect);
    for (functions, at_least) in [true, false].into_iter().zip(at_least) {
        let measure = measure(&parts, Alphabet { functions, ..Alphabet::default() });
        println!("{corpus} {}: {measure}", if functions { "with tags" } else { "without tags" });
        assert!(measure.all.percent() >= at_least, "{corpus}: {measure}");
    }
}

#[test]
#[ignore = "needs TREEBANKS"]
fn wsj() {
    check("wsj", "", "penn", [99.0, 98.7]);
}

#[test]
#[ignore = "needs TREEBANKS"]
fn masc() {
    check("masc", "", "masc", [99.3, 99.0]);
}

#[test]
#[ignore = "needs TREEBANKS"]
fn genia() {
    check("genia", "", "genia", [98.9, 98.8]);
}

#[test]
#[ignore = "needs TREEBANKS"]
fn craft() {
    check("craft", ".released", "craft", [98.9, 98.8]);
}
