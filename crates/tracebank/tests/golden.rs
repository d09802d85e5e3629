//! Golden parses: the models in the box answer as they did when their trees were last reviewed.
//!
//! `treebank/golden/DIALECT.txt` has a sentence a line, `treebank/golden/DIALECT.MODEL.mrg` the answers. A change of a model, the decoder,
//! the tokeniser or the rewriting of answers shows here tree by tree. Where the new trees are wanted, renew the files and review the
//! difference, as `treebank/golden/README.md` says:
//!
//! ```text
//! TRACEBANK_RENEW_GOLDEN=1 cargo test -p tracebank --test golden
//! ```

use std::fs;
use std::path::PathBuf;

use tracebank::{Options, Parser};

const DIALECTS: [&str; 4] = ["penn", "masc", "genia", "craft"];

/// How many changed trees are shown in full.
const SHOWN: usize = 5;

#[test]
fn the_default_model_answers_as_reviewed() {
    compare(tracebank::DEFAULT_MODEL);
}

#[test]
fn the_fast_model_answers_as_reviewed() {
    compare(tracebank::FAST_MODEL);
}

fn golden(file: &str) -> PathBuf {
    tracebank_testdata::free("golden").join(file)
}

fn compare(model: &str) {
    let renew = std::env::var_os("TRACEBANK_RENEW_GOLDEN").is_some();
    let file = tracebank::embedded_model(model).expect("the name is known").expect("it is built in");
    let mut parser = Parser::with_model(&file).unwrap();
    let mut changes = Vec::new();
    for dialect in DIALECTS {
        let options = Options { dialect: Some(dialect.to_owned()), ..Options::default() };
        parser = parser.with_options(options).unwrap();
        let text = fs::read_to_string(golden(&format!("{dialect}.txt"))).unwrap();
        let sentences: Vec<&str> = text.lines().collect();
        let parses = parser.parse_batch(&sentences);
        let trees: Vec<String> = parses.iter().map(|parse| parse.tree.to_string()).collect();
        let answers = format!("{dialect}.{model}.mrg");
        if renew {
            fs::write(golden(&answers), trees.join("\n") + "\n").unwrap();
            continue;
        }
        let reviewed = fs::read_to_string(golden(&answers)).unwrap();
        assert_eq!(reviewed.lines().count(), sentences.len(), "{answers} has a tree for each sentence");
        for (index, (reviewed, tree)) in reviewed.lines().zip(&trees).enumerate() {
            if reviewed != tree {
                changes.push(format!(
                    "{answers}:{}: {}\n  was {reviewed}\n  is  {tree}",
                    index + 1,
                    sentences[index]
                ));
            }
        }
    }
    assert!(changes.is_empty(), "{}", report(&changes));
}

/// The places of all changes, the first few in full, and how to renew the files.
fn report(changes: &[String]) -> String {
    let places: Vec<&str> = changes.iter().filter_map(|change| change.split(": ").next()).collect();
    format!(
        "{} golden trees changed: {}\n{}\nIf that is wanted: TRACEBANK_RENEW_GOLDEN=1 cargo test -p tracebank --test golden, \
         and review the difference (treebank/golden/README.md)",
        changes.len(),
        places.join(", "),
        changes[..changes.len().min(SHOWN)].join("\n")
    )
}
