//! Hits of each pattern in a file of trees, and the seconds it took, as `tracebank search --count` would: for measuring without the parser's crates.
//!
//! ```text
//! cargo run --release -p tracebank-search --example count -- patterns.txt trees.mrg
//! ```

use std::io::BufReader;
use std::sync::Arc;
use std::time::Instant;

use tracebank_search::{Answer, Asked, Pattern, Searcher, search};
use tracebank_syntax::dialect::Dialect;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [patterns, trees] = &arguments[..] else { return Err("patterns and trees are needed".into()) };
    let dialect = Dialect::named("penn").ok_or("the project's own dialect")?;
    for text in std::fs::read_to_string(patterns)?.lines() {
        let asked = Asked { counts: true, ..Asked::default() };
        let searcher = Searcher::new(&[Arc::new(Pattern::parse(text)?)], dialect, None, asked);
        let start = Instant::now();
        let mut hits = 0;
        let take = |answer: Answer| -> std::io::Result<()> {
            hits += answer.counts.iter().sum::<usize>();
            Ok(())
        };
        search(BufReader::with_capacity(1 << 16, std::fs::File::open(trees)?), &searcher, take)?;
        println!("{hits}\t{:.3}\t{text}", start.elapsed().as_secs_f64());
    }
    Ok(())
}
