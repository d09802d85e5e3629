//! The fast matcher finds what the definition finds, whatever the pattern and the tree.

use std::sync::{Arc, LazyLock};

use tracebank_search::testing::{self, Choices, DESCRIPTIONS, OURS, TREGEX, pattern, tree};
use tracebank_search::{Answer, Asked, Lexicon, Matcher, Pattern, Searcher, View, naive, search};
use tracebank_syntax::dialect::Dialect;
use tracebank_syntax::heads::HeadTable;
use tracebank_syntax::tree::Tree;

static HEADS: LazyLock<HeadTable> = LazyLock::new(|| HeadTable::named("penn").unwrap());
static RELATIONS: LazyLock<Vec<&str>> = LazyLock::new(|| TREGEX.iter().chain(OURS).copied().collect());

/// One attack. Panics where a promise does not hold.
pub fn attack(bytes: &[u8]) {
    let mut choices = Choices(bytes);
    let dialect = testing::Dialect {
        relations: &RELATIONS,
        descriptions: DESCRIPTIONS,
        name_all: choices.below(2) == 1,
    };
    let pattern = Pattern::parse(&pattern(&mut choices, dialect)).unwrap();
    let text = tree(&mut choices);
    let tree: Tree = text.parse().unwrap();
    let mut lexicon = Lexicon::default();
    let mut view = View::of(&tree, Some(&HEADS), &mut lexicon);
    view.find_roles(&tree);
    let found = Matcher::new(Arc::new(pattern.clone())).assignments(&mut view, &lexicon);
    view.find_references(&lexicon);
    let wanted = naive::assignments(&pattern, &view, &lexicon);
    assert!(wanted.is_empty() || pattern.contradiction().is_none(), "{pattern}\n{tree}");
    let mut nodes: Vec<u32> = wanted.iter().map(|(node, _)| *node).collect();
    nodes.dedup();
    assert!(found.into_iter().map(|found| (found.node, found.names)).eq(wanted), "{pattern}\n{tree}");
    assert_eq!(counted(&pattern, &text), nodes.len(), "{pattern}\n{tree}");
}

/// The hits in brackets where only their number is asked for, so that readers leave out what they can.
fn counted(pattern: &Pattern, text: &str) -> usize {
    let asked = Asked { counts: true, ..Asked::default() };
    let searcher = Searcher::new(&[Arc::new(pattern.clone())], Dialect::named("penn").unwrap(), None, asked);
    let mut count = 0;
    let take = |answer: Answer| -> std::io::Result<()> {
        count += answer.counts[0];
        Ok(())
    };
    search(text.as_bytes(), &searcher, take).unwrap();
    count
}
