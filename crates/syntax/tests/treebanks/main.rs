//! Tests that need whole treebanks: `TREEBANKS=… cargo test -p tracebank-syntax --test treebanks -- --ignored`.

#![allow(clippy::print_stdout)] // some are run for the numbers that they print

mod craft;
mod project;
mod rewrites;
mod survival;
#[path = "../tokenisation/mod.rs"]
mod tokenisation;
mod tokens;

use tracebank_syntax::dialect::Dialect;
use tracebank_syntax::penn::{Input, Reader};
use tracebank_syntax::tree::Tree;

/// The trees of a file of the treebanks, as Penn would write them.
fn trees(name: &str, dialect: &str) -> impl Iterator<Item = Tree> + use<> {
    let dialect = Dialect::named(dialect).unwrap();
    let input = Input::open(&tracebank_testdata::treebank(&format!("{name}.mrg.gz"))).unwrap();
    Reader::new(input.stream).map(|tree| {
        let mut tree = tree.unwrap();
        dialect.normalise(&mut tree);
        tree
    })
}
