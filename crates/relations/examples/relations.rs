//! Relations of the trees of a file: `cargo run -p tracebank-relations --example relations -- DIALECT FILE`.

#![allow(clippy::print_stdout)] // an example prints

use tracebank_syntax::dialect::Dialect;
use tracebank_syntax::penn::{Input, Reader};

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let dialect = Dialect::named(&arguments[1]).expect("a dialect");
    for (number, tree) in Reader::new(Input::open(arguments[2].as_ref()).unwrap().stream).enumerate() {
        let mut tree = tree.unwrap();
        dialect.normalise(&mut tree);
        let words: Vec<&str> = tree.words().collect();
        println!("# {} {}", number + 1, words.join(" "));
        for relation in tracebank_relations::relations(&tree) {
            println!("{}", relation.to_text(&tree));
        }
        for null in tracebank_relations::nulls(&tree).iter().filter(|_| arguments.len() > 3) {
            println!("  {}", null.describe(&tree, &|tokens| words[tokens].join(" ")));
        }
        println!();
    }
}
