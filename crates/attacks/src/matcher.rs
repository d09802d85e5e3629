//! The fast matcher finds what the definition finds, whatever the pattern and the tree.

use std::sync::{Arc, LazyLock};

use tracebank_search::testing::{Choices, DESCRIPTIONS, Dialect, OURS, TREGEX, pattern, tree};
use tracebank_search::{Lexicon, Matcher, Pattern, View, naive};
use tracebank_syntax::heads::HeadTable;

static HEADS: LazyLock<HeadTable> = LazyLock::new(|| HeadTable::named("penn").unwrap());
static RELATIONS: LazyLock<Vec<&str>> = LazyLock::new(|| TREGEX.iter().chain(OURS).copied().collect());

/// One attack. Panics where a promise does not hold.
pub fn attack(bytes: &[u8]) {
    let mut choices = Choices(bytes);
    let dialect =
        Dialect { relations: &RELATIONS, descriptions: DESCRIPTIONS, name_all: choices.below(2) == 1 };
    let pattern = Pattern::parse(&pattern(&mut choices, dialect)).unwrap();
    let tree = tree(&mut choices).parse().unwrap();
    let mut lexicon = Lexicon::default();
    let mut view = View::of(&tree, Some(&HEADS), &mut lexicon);
    view.find_roles(&tree);
    let found = Matcher::new(Arc::new(pattern.clone())).assignments(&mut view, &lexicon);
    view.find_references(&lexicon);
    let wanted = naive::assignments(&pattern, &view, &lexicon);
    assert!(wanted.is_empty() || pattern.contradiction().is_none(), "{pattern}\n{tree}");
    assert!(found.into_iter().map(|found| (found.node, found.names)).eq(wanted), "{pattern}\n{tree}");
}
