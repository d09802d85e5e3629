//! Hits of each pattern in a file of trees, and the seconds it took, as `tracebank search --count` would: for measuring without the parser's crates.
//!
//! ```text
//! cargo run --release -p tracebank-search --example count -- patterns.txt trees.mrg
//! cargo run --release -p tracebank-search --example count -- patterns.txt trees.mrg index
//! ```
//!
//! With `index`, the index of the file is made if there is none, and opened anew for each pattern.

use std::io::{BufReader, Write as _};
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use tracebank_search::{Answer, Asked, Index, IndexError, Pattern, Searcher, search};
use tracebank_syntax::dialect::Dialect;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let (patterns, trees, indexed) = match &arguments[..] {
        [patterns, trees] => (patterns, Path::new(trees), false),
        [patterns, trees, index] if index == "index" => (patterns, Path::new(trees), true),
        _ => return Err("patterns and trees are needed".into()),
    };
    let mut out = std::io::stdout().lock();
    let dialect = Dialect::named("penn").ok_or("the project's own dialect")?;
    if indexed && Index::open(trees)?.is_none() {
        let start = Instant::now();
        writeln!(out, "{} trees, indexed in {:.3} s", Index::build(trees)?, start.elapsed().as_secs_f64())?;
    }
    for text in std::fs::read_to_string(patterns)?.lines() {
        let start = Instant::now();
        let asked = Asked { counts: true, ..Asked::default() };
        let pattern = Arc::new(Pattern::parse(text)?);
        let searcher = Searcher::new(&[pattern], dialect, None, asked);
        let mut hits = 0;
        let mut count = |answer: Answer| hits += answer.counts.iter().sum::<usize>();
        if indexed {
            let index = Index::open(trees)?.ok_or("it was made above")?;
            index.search(&searcher, |answer| -> Result<(), IndexError> {
                count(answer);
                Ok(())
            })?;
        } else {
            let file = BufReader::with_capacity(1 << 16, std::fs::File::open(trees)?);
            search(file, &searcher, |answer| -> std::io::Result<()> {
                count(answer);
                Ok(())
            })?;
        }
        writeln!(out, "{hits}\t{:.3}\t{text}", start.elapsed().as_secs_f64())?;
    }
    Ok(())
}
