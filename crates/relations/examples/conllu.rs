//! Universal Dependencies of the trees of a file: `cargo run -p tracebank-relations --example conllu -- DIALECT FILE [TEXTS]`.

#![allow(clippy::print_stdout)] // an example prints

use std::io::Write as _;

use tracebank_syntax::dialect::Dialect;
use tracebank_syntax::penn::{Input, Reader};

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let dialect = Dialect::named(&arguments[1]).expect("a dialect");
    let texts = arguments.get(3).map(|file| std::fs::read_to_string(file).unwrap()).unwrap_or_default();
    let texts: Vec<&str> = texts.lines().collect();
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    for (number, tree) in Reader::new(Input::open(arguments[2].as_ref()).unwrap().stream).enumerate() {
        let mut tree = tree.unwrap();
        dialect.normalise(&mut tree);
        let tokens = tracebank_relations::ud::convert(&tree);
        let tokens =
            if arguments.len() > 4 { tracebank_relations::ud::split_hyphens(tokens) } else { tokens };
        let text = texts.get(number).copied().unwrap_or_default();
        let id = (number + 1).to_string();
        if out.write_all(tracebank_relations::ud::write(&tokens, &id, text).as_bytes()).is_err() {
            return;
        }
    }
}
