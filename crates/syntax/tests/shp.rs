//! The authors' format against their own output (`../shared/oracle/shp`) and on the trees of the treebanks (`../shared/treebanks`).
//! Without them there is nothing to do.

use std::fs;
use std::path::{Path, PathBuf};

use tracebank_syntax::penn::{self, Input};
use tracebank_syntax::shp::{self, Options};
use tracebank_syntax::tree::Tree;

/// The three ways in which the authors' output is there, by the end of the file's name.
const VARIANTS: [(&str, Options); 3] = [
    ("shp", Options { functions: true, redirect_gaps: false, comments: true }),
    ("f.shp", Options { functions: false, redirect_gaps: false, comments: true }),
    ("fg.shp", Options { functions: false, redirect_gaps: true, comments: true }),
];

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

fn written(tree: &Tree, options: &Options) -> String {
    shp::write(tree, options).unwrap_or_else(|error| panic!("{error}: {tree}"))
}

fn read(text: &str) -> Vec<Result<Tree, penn::SyntaxError>> {
    shp::Reader::new(text.as_bytes()).collect()
}

#[test]
fn the_output_is_the_authors() {
    for part in ["wsj-dev", "wsj-test"] {
        let trees = treebank(part);
        for (ending, options) in VARIANTS {
            let Some(path) = shared(&format!("oracle/shp/{part}.{ending}")) else { continue };
            let theirs = fs::read_to_string(path).unwrap();
            // these come in the order of Python's hash table
            let theirs = theirs.lines().filter(|line| !line.starts_with("# 1EC_violation"));
            let ours: String = trees.iter().map(|tree| written(tree, &options)).collect();
            let mut lines = 0;
            for (theirs, ours) in theirs.zip(ours.lines()) {
                lines += 1;
                assert_eq!(theirs, ours, "{part}.{ending}");
            }
            assert_eq!(lines, ours.lines().count(), "{part}.{ending}");
            eprintln!("{part}.{ending}: {lines} lines");
        }
    }
}

#[test]
fn overt_trees_come_back_whole_and_most_others() {
    for (_, options) in VARIANTS {
        let (mut trees, mut exact, mut failed) = (0, 0, 0);
        for gold in ["wsj-train", "wsj-dev", "wsj-test"].map(treebank).into_iter().flatten() {
            let back = match &read(&written(&gold, &options))[..] {
                [Ok(back)] => back.clone(),
                [Err(error)] => {
                    eprintln!("{error} {gold}");
                    failed += 1;
                    continue;
                }
                _ => panic!("one sentence was written"),
            };
            trees += 1;
            let mut gold = expected(gold, options);
            let mut back = back;
            back.renumber();
            exact += usize::from(back == gold);
            gold.strip_traces();
            back.strip_traces();
            assert!(back == gold, "\n{gold}\n{back}");
        }
        eprintln!("{options:?}: {exact} of {trees} exact, {failed} failed: {}", exact as f64 / trees as f64);
    }
}

/// The gold tree as far as the format can hold it.
fn expected(mut tree: Tree, options: Options) -> Tree {
    if !options.functions {
        tree.strip_functions();
    }
    tree.set_label(tree.top(), "ROOT");
    let ambiguous: Vec<_> =
        tree.preorder(tree.top()).filter(|&node| tree.label_text(node) == "ADVP|PRT").collect();
    ambiguous.into_iter().for_each(|node| tree.set_label(node, "ADVP"));
    let leaves: Vec<_> = tree.word_nodes().collect();
    for leaf in leaves {
        // the authors take these tags from the word
        let tag = match tree.word(leaf).unwrap() {
            "--" | "-" | ";" | ":" => ":",
            "{" | "-LRB-" | "-LCB-" => "-LRB-",
            "}" | "-RRB-" | "-RCB-" => "-RRB-",
            "Wa" => "NNP",
            _ => continue,
        };
        tree.set_label(leaf, tag);
    }
    tree.renumber();
    tree
}
