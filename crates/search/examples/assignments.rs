//! All assignments of many patterns in many trees, for comparing with other programs.
//!
//! ```text
//! cargo run --release -p tracebank-search --example assignments -- patterns.txt trees.mrg
//! cargo run --release -p tracebank-search --example assignments -- --nodes patterns.txt trees.mrg
//! cargo run --release -p tracebank-search --features testing --example assignments -- --random 300
//! ```
//!
//! For each pattern a line `P` and the pattern, `X` if it does not parse; then a line for each assignment: the number of the tree, the number of
//! the node in pre-order (words are nodes too), the named nodes. With `--nodes`, one line a pattern: for each tree a hash of the nodes that the pattern's
//! first node matches (`h = 31 h + number + 1`, from 17) and how many they are, or `-`. With `--random`, as many random patterns over treebank
//! labels instead.

use std::io::Write as _;
use std::sync::Arc;

use tracebank_search::{Lexicon, Matcher, Pattern, View};
use tracebank_syntax::penn::Reader;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments: Vec<String> = std::env::args().skip(1).collect();
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    #[cfg(feature = "testing")]
    if arguments[0] == "--random" {
        use tracebank_search::testing::{Choices, Dialect, TREGEX, bytes, pattern};
        const DESCRIPTIONS: &[&str] = &[
            "NP",
            "__",
            "@NP",
            "/^NP/",
            "VP|S",
            "!NP",
            "!@NP|VP",
            "/-([0-9]+)$/#1%i",
            "/^N/",
            "the|of",
            "@SBAR|WHNP",
            "-NONE-",
            "@/^.P$/",
            "PP",
            "NP-SBJ",
            "/^V/",
            "IN",
            "CC",
            "/ing$/",
            "@S",
            "ADJP",
            "S",
            "/^WH/",
            "DT",
            "NN|NNS",
            "@PP|ADVP",
        ];
        for seed in 0..arguments[1].parse()? {
            let bytes = bytes(seed + 7_000_000, 200);
            let dialect = Dialect { relations: TREGEX, descriptions: DESCRIPTIONS, name_all: seed % 3 == 0 };
            writeln!(out, "{}", pattern(&mut Choices(&bytes), dialect))?;
        }
        return Ok(());
    }
    let nodes_only = arguments.first().is_some_and(|first| first == "--nodes");
    if nodes_only {
        arguments.remove(0);
    }
    let mut lexicon = Lexicon::default();
    let file = std::fs::read(&arguments[1])?;
    let trees: Result<Vec<_>, _> = Reader::new(&file[..]).collect();
    let mut views: Vec<View> = trees?.iter().map(|tree| View::of(tree, None, &mut lexicon)).collect();
    for text in std::fs::read_to_string(&arguments[0])?.lines() {
        let Ok(pattern) = Pattern::parse(text) else {
            writeln!(out, "X\t{text}")?;
            continue;
        };
        if nodes_only {
            let mut matcher = Matcher::new(Arc::new(pattern));
            write!(out, "P\t{text}\t")?;
            for view in &mut views {
                let nodes = matcher.nodes(view, &lexicon);
                let mix = |hash: u32, node: &u32| hash.wrapping_mul(31).wrapping_add(node + 1);
                let hash = nodes.iter().fold(17, mix);
                match nodes.len() {
                    0 => write!(out, "- ")?,
                    many => write!(out, "{hash:x}:{many} ")?,
                }
            }
            writeln!(out)?;
            continue;
        }
        writeln!(out, "P\t{text}")?;
        let mut names: Vec<(usize, &String)> = pattern.names().iter().enumerate().collect();
        names.sort_by_key(|(_, name)| *name);
        let mut matcher = Matcher::new(Arc::new(pattern.clone()));
        for (number, view) in views.iter_mut().enumerate() {
            let mut lines: Vec<String> = Vec::new();
            for found in matcher.assignments(view, &lexicon) {
                let bound =
                    names.iter().filter_map(|&(id, name)| Some(format!(" {name}={}", found.names[id]?)));
                lines.push(format!("{}:{}{}", number + 1, found.node, bound.collect::<String>()));
            }
            lines.sort_unstable();
            for line in lines {
                writeln!(out, "{line}")?;
            }
        }
    }
    Ok(())
}
