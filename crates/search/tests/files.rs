//! Whole files: with and without an index, in any number of threads, with bad trees in them.

use std::io;
use std::sync::Arc;

use tracebank_search::{Answer, Asked, Index, IndexError, Pattern, Searcher, search};
use tracebank_syntax::dialect::Dialect;

const PATTERNS: [&str; 6] = [
    "NP < NN",
    "__ < anomaly",
    "VP < (VB < buy)",
    "@SBAR < /^WHNP/ << /^\\*T\\*/",
    "!NP",
    "/^NP-SBJ/ => @NP",
];

fn searcher(pattern: &str) -> Searcher {
    let asked = Asked { details: true, ..Asked::default() };
    let pattern = Pattern::parse(pattern).unwrap_or_else(|error| panic!("{error}"));
    Searcher::new(&[Arc::new(pattern)], Dialect::named("penn").unwrap(), None, asked)
}

/// The hits in `text` as lines, and the errors.
fn lines(pattern: &str, text: &[u8]) -> Vec<String> {
    let mut lines = Vec::new();
    let take = |answer: Answer| -> io::Result<()> {
        push(answer, &mut lines);
        Ok(())
    };
    search(text, &searcher(pattern), take).unwrap();
    lines
}

fn push(answer: Answer, lines: &mut Vec<String>) {
    for found in answer.found {
        match found {
            Ok(found) => {
                lines.extend(found.hits.iter().map(|hit| format!("{} {:?}", found.number, hit.node)));
            }
            Err(error) => lines.push(format!("bad: {error}")),
        }
    }
}

fn corpus() -> Vec<u8> {
    let mut all = Vec::new();
    for file in ["handmade.mrg", "questions.mrg"] {
        all.extend(std::fs::read(tracebank_testdata::free(file)).unwrap());
    }
    // more than one block
    all.repeat(12)
}

#[test]
fn the_hits_do_not_depend_on_the_threads() {
    let corpus = corpus();
    for pattern in PATTERNS {
        let pool = |threads| rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let one = pool(1).install(|| lines(pattern, &corpus));
        assert_eq!(one, pool(3).install(|| lines(pattern, &corpus)), "{pattern}");
        assert!(!one.is_empty() || pattern.contains("anomaly"), "{pattern}");
    }
}

#[test]
fn counts_are_the_numbers_of_the_hits() {
    let corpus = corpus();
    let more = [
        "/^WHNP/ $.. (S << /^\\*T\\*/)",
        "NP !< NP << CC",
        "@NP|VP !<< @PP",
        "/P$/ <: __=x < ~x",
        "/^VB(D|Z)/",
    ];
    for text in PATTERNS.into_iter().chain(more) {
        let pattern = Arc::new(Pattern::parse(text).unwrap());
        let asked = Asked { counts: true, ..Asked::default() };
        let searcher = Searcher::new(&[pattern], Dialect::named("penn").unwrap(), None, asked);
        let mut counted = 0;
        let take = |answer: Answer| -> io::Result<()> {
            counted += answer.counts[0];
            assert!(answer.found.is_empty());
            Ok(())
        };
        search(&corpus[..], &searcher, take).unwrap();
        assert_eq!(counted, lines(text, &corpus).len(), "{text}");
    }
}

#[test]
fn whoever_counts_leaves_out_only_what_no_relation_sees() {
    use tracebank_search::testing::{Choices, TREGEX, bytes, tree};
    let bytes = bytes(5, 30_000);
    let mut choices = Choices(&bytes);
    let corpus: Vec<String> = (0..60).map(|_| tree(&mut choices)).collect();
    let corpus = corpus.join("\n");
    let mut hits = 0;
    for relation in TREGEX {
        for (a, b) in [("NP", "N"), ("S|VP", "VB"), ("__", "N"), ("N", "!NP"), ("NP", "a"), ("-NONE-", "D")] {
            let text = format!("{a} {relation} {b}");
            let pattern = Arc::new(Pattern::parse(&text).unwrap());
            let asked = Asked { counts: true, ..Asked::default() };
            let counter = Searcher::new(&[pattern], Dialect::named("penn").unwrap(), None, asked);
            let mut counted = 0;
            let take = |answer: Answer| -> io::Result<()> {
                counted += answer.counts[0];
                Ok(())
            };
            search(corpus.as_bytes(), &counter, take).unwrap();
            assert_eq!(counted, lines(&text, corpus.as_bytes()).len(), "{text}");
            hits += counted;
        }
    }
    assert!(hits > 5000, "{hits}");
}

#[test]
fn what_no_label_fits_is_told() {
    let unknown = |text: &str| {
        let searcher = searcher(text);
        search(&corpus()[..], &searcher, |_| -> io::Result<()> { Ok(()) }).unwrap();
        searcher.seen().unknown()
    };
    assert_eq!(unknown("NP < (NN < xyzzy)"), ["xyzzy"]);
    assert_eq!(unknown("@NPP < /^QQQ/"), ["@NPP", "/^QQQ/"]);
    assert_eq!(unknown("NP < NN"), Vec::<String>::new());
    assert_eq!(unknown("NP [< xyzzy | < NN]"), Vec::<String>::new());
    // known words that never meet
    assert_eq!(unknown("S < the"), Vec::<String>::new());
}

#[test]
fn an_index_leaves_out_no_hit() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("corpus.mrg");
    let corpus = corpus();
    std::fs::write(&path, &corpus).unwrap();
    assert!(Index::open(&path).unwrap().is_none());
    let trees = Index::build(&path).unwrap();
    let index = Index::open(&path).unwrap().unwrap();
    assert_eq!(index.trees(), trees);
    for pattern in PATTERNS {
        let candidates = index.candidates(&Arc::new(Pattern::parse(pattern).unwrap())).unwrap();
        let mut found = Vec::new();
        let take = |answer: Answer| -> Result<(), IndexError> {
            push(answer, &mut found);
            Ok(())
        };
        index.search(&searcher(pattern), take).unwrap();
        assert_eq!(found, lines(pattern, &corpus), "{pattern}");
        assert!(candidates.len() < trees || pattern == "!NP", "{pattern}");
    }
}

#[test]
fn a_stale_or_damaged_index_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("corpus.mrg");
    std::fs::write(&path, "(S (N a))\n(S (N b))\n").unwrap();
    Index::build(&path).unwrap();
    let good = std::fs::read(Index::path(&path)).unwrap();
    // all that is there is asked for
    let use_it = || -> Result<Vec<String>, IndexError> {
        let index = Index::open(&path)?.expect("there is one");
        let mut found = Vec::new();
        for pattern in ["N < a", "S < (N < b)", "__", "/^/", "@N"] {
            let take = |answer: Answer| -> Result<(), IndexError> {
                push(answer, &mut found);
                Ok(())
            };
            index.search(&searcher(pattern), take)?;
        }
        Ok(found)
    };
    let whole = use_it().unwrap();
    assert_eq!(whole.len(), 16);
    let mut unnoticed = 0;
    for at in 0..good.len() {
        for bit in [0, 7] {
            let mut bad = good.clone();
            bad[at] ^= 1 << bit;
            std::fs::write(Index::path(&path), bad).unwrap();
            match use_it() {
                Ok(found) => {
                    assert_eq!(found, whole, "byte {at}");
                    unnoticed += 1;
                }
                Err(error) => {
                    assert!(
                        matches!(
                            error,
                            IndexError::Damaged(_) | IndexError::Foreign(_) | IndexError::Stale(_)
                        ),
                        "{error}"
                    );
                }
            }
        }
    }
    // only the row for the end has something that no one reads
    assert!(unnoticed <= 2 * 16, "{unnoticed} of {}", 2 * good.len());
    for length in 0..good.len() {
        std::fs::write(Index::path(&path), &good[..length]).unwrap();
        assert!(use_it().is_err(), "{length} bytes");
    }
    std::fs::write(Index::path(&path), &good).unwrap();
    std::fs::write(&path, "(S (N a))\n(S (N b))\n(S (N c))\n").unwrap();
    assert!(matches!(Index::open(&path), Err(IndexError::Stale(_))));
    std::fs::write(&path, "(S (N a))\n(S (N b)").unwrap();
    assert!(matches!(Index::build(&path), Err(IndexError::Corpus(..))));
}

#[test]
fn a_tree_that_is_too_large_for_an_index_is_searched_without_one() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("corpus.mrg");
    for (words, fits) in [(32_767, true), (32_768, false)] {
        let text = format!("(S (N a))\n(S {})\n", "(N b) ".repeat(words));
        std::fs::write(&path, &text).unwrap();
        let built = Index::build(&path);
        assert_eq!(built.is_ok(), fits, "{words}");
        assert!(
            built.err().is_none_or(|error| error.to_string().contains("tree 2 has more than 65535 nodes"))
        );
        let mut counted = 0;
        let asked = Asked { counts: true, ..Asked::default() };
        let pattern = Arc::new(Pattern::parse("N > S < b").unwrap());
        let searcher = Searcher::new(&[pattern], Dialect::named("penn").unwrap(), None, asked);
        let take = |answer: Answer| -> io::Result<()> {
            counted += answer.counts[0];
            Ok(())
        };
        search(text.as_bytes(), &searcher, take).unwrap();
        assert_eq!(counted, words);
    }
}

#[test]
fn a_bad_tree_is_told_with_its_line_and_spoils_only_itself() {
    assert_eq!(
        lines("N|M < b|c", b"(S (N a))\n(S (N))\n(S (N b))\n"),
        [
            "bad: 2:4: a bracket has nothing in it",
            "3 Node { number: 1, label: \"N\", span: 0..1, words: \"b\", antecedent: None }"
        ]
    );
    let late = lines("N|M < b|c", b"(S (N a))\n(S (N b))\n)\n(S (N b))\n");
    assert!(
        late[0].starts_with("2 ") && late[1].starts_with("bad: 3:1") && late[2].starts_with("4 "),
        "{late:?}"
    );
    assert!(lines("a", b"").is_empty());
    // a tree that cannot have a hit is not read
    assert_eq!(lines("N < b", b"(S (N a))\n(S (N))\n(S (N b))\n").len(), 1);
}

#[test]
fn what_is_null_has_its_antecedent_in_the_hit() {
    let tree = b"( (NP (NP (NNS cakes)) (SBAR (WHNP-1 (WDT that)) (S (NP-SBJ (PRP we)) (VP (VBD baked) (NP (-NONE- *T*-1)))))))";
    let found = lines("NP <: -NONE-", tree);
    assert!(found[0].contains("words: \"*T*-1\", antecedent: Some(\"cakes\")"), "{found:?}");
}
