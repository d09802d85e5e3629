//! Relations of the trees of a file: `cargo run -p tracebank-relations --example relations -- DIALECT FILE [numbered] [nulls]`.

#![allow(clippy::print_stdout)] // an example prints

use tracebank_syntax::dialect::Dialect;
use tracebank_syntax::penn::{Input, Reader};

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let dialect = Dialect::named(&arguments[1]).expect("a dialect");
    let (numbered, with_nulls) =
        (arguments.iter().any(|word| word == "numbered"), arguments.iter().any(|word| word == "nulls"));
    for (number, tree) in Reader::new(Input::open(arguments[2].as_ref()).unwrap().stream).enumerate() {
        let mut tree = tree.unwrap();
        dialect.normalise(&mut tree);
        let words: Vec<&str> = tree.words().collect();
        println!("# {} {}", number + 1, words.join(" "));
        if numbered {
            println!("{tree}");
        }
        for relation in tracebank_relations::relations(&tree) {
            let number = if numbered { format!("{} ", relation.predicate.token) } else { String::new() };
            println!("{number}{}", relation.to_text(&tree));
        }
        for null in tracebank_relations::nulls(&tree).iter().filter(|_| with_nulls) {
            println!("  {}", null.describe(&tree, &|tokens| words[tokens].join(" ")));
        }
        println!();
    }
}
