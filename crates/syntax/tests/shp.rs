//! The authors' format: against their own output (`../shared/oracle/shp`), there and back on the WSJ sample, on the other
//! treebanks (`../shared/treebanks`), and on garbage. What needs a file that is not there is skipped.

use std::fs;
use std::path::{Path, PathBuf};

use proptest::prelude::*;
use tracebank_syntax::penn::{self, Input};
use tracebank_syntax::shp::{self, Options, ShpError};
use tracebank_syntax::tree::{Kind, Tree};

/// The three ways in which the authors' output is there, by the end of the file's name.
const VARIANTS: [(&str, Options); 3] = [
    ("shp", Options { functions: true, redirect_gaps: false, comments: true }),
    ("f.shp", Options { functions: false, redirect_gaps: false, comments: true }),
    ("fg.shp", Options { functions: false, redirect_gaps: true, comments: true }),
];

#[allow(clippy::print_stderr)] // a skipped test should say so
fn shared(path: &str) -> Option<PathBuf> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared").join(path);
    if path.exists() {
        return Some(path);
    }
    eprintln!("skipped: there is no {}", path.display());
    None
}

fn treebank(name: &str) -> Vec<Tree> {
    let Some(path) = shared(&format!("treebanks/{name}.mrg.gz")) else { return Vec::new() };
    penn::Reader::new(Input::open(&path).unwrap().stream).map(Result::unwrap).collect()
}

fn written(tree: &Tree, options: Options) -> String {
    shp::write(tree, &options).unwrap_or_else(|error| panic!("{error}: {tree}"))
}

/// The one tree that `text` holds.
fn read(text: &str) -> Result<Tree, penn::SyntaxError> {
    let mut trees = shp::Reader::new(text.as_bytes());
    let tree = trees.next().unwrap();
    assert!(trees.next().is_none());
    tree
}

#[test]
fn every_line_is_the_authors() {
    for part in ["wsj-dev", "wsj-test"] {
        let trees = treebank(part);
        for (ending, options) in VARIANTS {
            let Some(path) = shared(&format!("oracle/shp/{part}.{ending}")) else { continue };
            let theirs = fs::read_to_string(path).unwrap();
            // not written here: these sets come in the order of Python's hash tables
            let theirs = theirs.lines().filter(|line| !line.starts_with("# 1EC_violation"));
            let ours: String = trees.iter().map(|tree| written(tree, options)).collect();
            for (number, (theirs, ours)) in theirs.clone().zip(ours.lines()).enumerate() {
                assert_eq!(theirs, ours, "{part}.{ending}, line {number}");
            }
            assert_eq!(theirs.count(), ours.lines().count(), "{part}.{ending}");
        }
    }
}

/// The tree as far as the authors' program takes it in: their top, and tags by the word.
fn cleaned(mut tree: Tree, options: Options) -> Tree {
    if !options.functions {
        tree.strip_functions();
    }
    tree.set_label(tree.top(), "ROOT");
    let nodes: Vec<_> = tree.preorder(tree.top()).collect();
    for node in nodes {
        let label = match tree.word(node) {
            Some("--" | "-" | ";" | ":") => ":",
            Some("-LRB-" | "-LCB-") => "-LRB-",
            Some("-RRB-" | "-RCB-") => "-RRB-",
            Some("Wa") => "NNP",
            None if tree.label_text(node) == "ADVP|PRT" => "ADVP",
            _ => continue,
        };
        tree.set_label(node, label);
    }
    tree.renumber();
    tree
}

/// Of 3,774 trees: with function tags 95.7 % come back whole, without 93.1 %, and with gaps redirected 92.8 %. What is lost
/// otherwise is the place of nulls among their siblings, and four nulls that refer to nothing.
#[test]
fn words_and_brackets_come_back_and_most_nulls_to_their_place() {
    for ((_, options), wanted) in VARIANTS.into_iter().zip([3612, 3512, 3501]) {
        let parts = ["wsj-train", "wsj-dev", "wsj-test"].map(treebank);
        if parts.iter().any(Vec::is_empty) {
            return;
        }
        let mut exact = 0;
        for gold in parts.into_iter().flatten() {
            let mut back = read(&written(&gold, options)).unwrap();
            let mut gold = cleaned(gold, options);
            back.renumber();
            exact += usize::from(back == gold);
            gold.strip_traces();
            back.strip_traces();
            assert!(back == gold, "\n{gold}\n{back}");
        }
        assert_eq!(exact, wanted, "{options:?}");
    }
}

#[test]
fn every_tree_is_written_and_read_or_refused_with_a_reason() {
    let names = ["craft-dev.released", "farpahc-all", "genia-dev", "icepahc-dev", "keyaki-dev", "masc-dev"];
    for tree in names.map(treebank).into_iter().flatten() {
        match shp::write(&tree, &VARIANTS[2].1) {
            Ok(text) => {
                let back = read(&text).unwrap_or_else(|error| panic!("{error}:\n{text}"));
                assert!(back.words().eq(tree.words().map(curly)), "{tree}");
            }
            Err(ShpError::BareWord(_)) => {
                assert!(tree.leaves(tree.top()).any(|leaf| tree.kind(leaf) == Kind::BareWord));
            }
            Err(ShpError::NoWords) => assert_eq!(tree.words().count(), 0),
            Err(ShpError::SeveralTops(tops)) => assert!(tops > 1),
            Err(ShpError::Label(label)) => assert!(label.is_empty() || label.contains(['_', '*'])),
            Err(_) => assert!(tree.words().count() == 1, "{tree}"),
        }
    }
}

fn curly(word: &str) -> &str {
    match word {
        "{" => "-LCB-",
        "}" => "-RCB-",
        _ => word,
    }
}

#[test]
fn depth_is_no_danger() {
    let deep = 100_000;
    let tree: Tree = format!("{}(NN a){}", "(NP-SBJ ".repeat(deep), ")".repeat(deep)).parse().unwrap();
    for (_, options) in VARIANTS {
        let back = read(&written(&tree, options)).unwrap();
        let mut wanted = format!("(ROOT {tree})").parse::<Tree>().unwrap();
        if !options.functions {
            wanted.strip_functions();
        }
        assert!(back == wanted);
    }
}

fn spine() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec!["_", "NP", "VP_S", "(NP_(*))_VP_S", "(0)_(S_(NP_(*T*)))_S_S", "NP_(*)", "(S"])
}

fn node() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec!["NP_0", "S_0", "S_1", "VP_0", "X_0", "ROOT_0", "NP"])
}

prop_compose! {
    fn line(number: usize)(
        spine in spine(),
        parent in 0..5_usize,
        node in node(),
        trace in prop::option::of((0..5_usize, self::node(), self::node(), any::<[bool; 2]>(), "[*=]")),
    ) -> String {
        let flag = |is_null| if is_null { "T" } else { "F" };
        let trace = trace.map_or(String::new(), |(word, target, own, [a, b], kind)| {
            format!(" {word} {target} {} {own} {} {kind}", flag(a), flag(b))
        });
        format!("{number} w{number} X {spine} {parent} {node}{trace}\n")
    }
}

proptest! {
    #[test]
    fn garbage_is_no_danger(text in "[0-9 \n_()*#=TFNPSÀ-]{0,80}") {
        for tree in shp::Reader::new(text.as_bytes()) {
            let _ = tree.map(|tree| shp::write(&tree, &Options::default()));
        }
    }

    #[test]
    fn a_graph_that_is_nearly_right_is_read_whole_or_refused(
        lines in (line(1), line(2), line(3), line(4)),
    ) {
        let text = [lines.0, lines.1, lines.2, lines.3].concat();
        if let Ok(tree) = read(&text) {
            prop_assert!(tree.words().eq(["w1", "w2", "w3", "w4"]));
            prop_assert_eq!(tree.to_string().parse::<Tree>().unwrap(), tree);
        }
    }
}
