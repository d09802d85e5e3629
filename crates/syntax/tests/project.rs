//! How much of a treebank comes back from what a parser predicts. Run with `--nocapture` to see the numbers.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use tracebank_syntax::dialect::Dialect;
use tracebank_syntax::graph::{self, Graph, Targets};
use tracebank_syntax::heads::HeadTable;
use tracebank_syntax::penn::{Input, Reader};
use tracebank_syntax::project::{Alphabet, PlaceTable, Projection, restore};
use tracebank_syntax::tree::Tree;

struct Sentence {
    tree: Tree,
    graph: Graph,
}

fn sentences(path: &Path, dialect: &Dialect) -> Vec<Sentence> {
    let heads = HeadTable::named(dialect.head_table).unwrap();
    Reader::new(Input::open(path).unwrap().stream)
        .map(|tree| {
            let mut tree = tree.unwrap();
            dialect.normalise(&mut tree);
            let graph = graph::encode(&tree, &heads, Targets::Common);
            Sentence { tree, graph }
        })
        .collect()
}

/// Why a tree did not come back, by what could not be predicted.
fn cause(graph: &Graph) -> usize {
    let odd = |label: &str| label.contains('(');
    let mut spines = graph.words.iter().map(|word| &word.spine).chain([&graph.root]);
    if !graph.loose.is_empty() {
        0
    } else if spines.any(|spine| spine.symbols.iter().any(|symbol| odd(symbol.name()))) {
        1
    } else {
        2
    }
}

#[derive(Default)]
struct Inventory {
    spines: BTreeSet<String>,
    attachments: BTreeSet<String>,
    traces: BTreeSet<String>,
    compound: usize,
}

impl Inventory {
    fn add(&mut self, projection: &Projection) {
        for word in &projection.words {
            self.spines.insert(word.spine.to_string());
            self.attachments.extend(word.attachment.as_ref().map(ToString::to_string));
        }
        for arc in &projection.arcs {
            self.traces.insert(arc.label.to_string());
            self.compound += usize::from(arc.label.0.len() > 1);
        }
    }
}

/// Trees that came back, of all trees.
#[derive(Clone, Copy, Default)]
struct Share(usize, usize);

impl Share {
    fn percent(self) -> f64 {
        100.0 * self.0 as f64 / self.1 as f64
    }
}

fn measure(corpus: &str, functions: bool, parts: &[Vec<Sentence>; 3]) -> (Share, Share) {
    let alphabet = Alphabet { functions, ..Alphabet::default() };
    let mut table = PlaceTable::default();
    for sentence in &parts[0] {
        table.learn(&sentence.graph, &alphabet);
    }
    let mut inventory = Inventory::default();
    let mut lost = [0; 3];
    let mut shares = [Share::default(); 3];
    for (part, share) in parts.iter().zip(&mut shares) {
        for Sentence { tree, graph } in part {
            let projection = alphabet.project(graph).unwrap();
            inventory.add(&projection);
            let restored = graph::decode(&restore(&projection, &table).unwrap()).unwrap();
            let mut gold = tree.clone();
            alphabet.strip(&mut gold);
            gold.renumber();
            if restored == gold {
                share.0 += 1;
            } else {
                lost[cause(graph)] += 1;
                if std::env::var("SHOW").is_ok() {
                    println!("G {gold}\nR {restored}");
                }
            }
            share.1 += 1;
        }
    }
    let [train, dev, test] = shares;
    let unseen = Share(dev.0 + test.0, dev.1 + test.1);
    let all = Share(train.0 + unseen.0, train.1 + unseen.1);
    println!(
        "| {corpus} | {} | {:.2} | {:.2} | {} | {} | {} | {} | {} | {} | {} | {} |",
        if functions { "with" } else { "without" },
        all.percent(),
        unseen.percent(),
        lost[2],
        lost[0],
        lost[1],
        inventory.spines.len(),
        inventory.attachments.len(),
        inventory.traces.len(),
        inventory.compound,
        table.to_string().lines().count(),
    );
    (all, unseen)
}

#[test]
fn measured() {
    let folder: PathBuf = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/treebanks");
    for (corpus, form, dialect) in
        [("wsj", "", "penn"), ("masc", "", "masc"), ("genia", "", "genia"), ("craft", ".released", "craft")]
    {
        let dialect = Dialect::named(dialect).unwrap();
        let parts = ["train", "dev", "test"]
            .map(|part| sentences(&folder.join(format!("{corpus}-{part}{form}.mrg.gz")), dialect));
        for functions in [true, false] {
            measure(corpus, functions, &parts);
        }
    }
}
