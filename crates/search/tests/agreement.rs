//! The fast matcher against the definition, and patterns through their text.

use std::sync::Arc;

use tracebank_search::testing::{Choices, DESCRIPTIONS, Dialect, OURS, TREGEX, bytes, pattern, tree};
use tracebank_search::{Lexicon, Matcher, Pattern, View, naive};
use tracebank_syntax::heads::HeadTable;
use tracebank_syntax::penn::Reader;
use tracebank_syntax::tree::Tree;

fn relations() -> Vec<&'static str> {
    TREGEX.iter().chain(OURS).copied().collect()
}

/// The fast answers must be the definition's: all assignments, and their first nodes.
fn agree(text: &str, tree: &Tree, heads: &HeadTable) -> usize {
    let pattern = Pattern::parse(text).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(Pattern::parse(&pattern.to_string()).as_ref(), Ok(&pattern), "{text} is printed as {pattern}");
    let mut lexicon = Lexicon::default();
    let mut view = View::of(tree, Some(heads), &mut lexicon);
    view.find_roles(tree);
    let mut matcher = Matcher::new(Arc::new(pattern.clone()));
    let fast = matcher.assignments(&mut view, &lexicon);
    let roots = matcher.nodes(&mut view, &lexicon);
    view.find_references(&lexicon);
    let wanted = naive::assignments(&pattern, &view, &lexicon);
    assert!(
        wanted.is_empty() || pattern.contradiction().is_none(),
        "{text} is said to match nothing\n{tree}"
    );
    let found: Vec<_> = fast.into_iter().map(|found| (found.node, found.names)).collect();
    assert_eq!(found, wanted.iter().cloned().collect::<Vec<_>>(), "{text}\n{tree}");
    let mut wanted_roots: Vec<u32> = wanted.iter().map(|(node, _)| *node).collect();
    wanted_roots.dedup();
    assert_eq!(roots, wanted_roots, "{text}\n{tree}");
    roots.len()
}

#[test]
fn random_patterns_on_random_trees() {
    let heads = HeadTable::named("penn").unwrap();
    let relations = relations();
    let mut matched = 0;
    for seed in 0..3000 {
        let bytes = bytes(seed, 400);
        let mut choices = Choices(&bytes);
        let dialect = Dialect { relations: &relations, descriptions: DESCRIPTIONS, name_all: seed % 2 == 0 };
        let text = pattern(&mut choices, dialect);
        let tree: Tree = tree(&mut choices).parse().unwrap();
        matched += usize::from(agree(&text, &tree, &heads) > 0);
    }
    assert!(matched > 500, "only {matched} patterns match anything");
}

#[test]
fn each_relation_on_the_free_trees() {
    let heads = HeadTable::named("penn").unwrap();
    let file = std::fs::read(tracebank_testdata::free("handmade.mrg")).unwrap();
    let trees: Vec<Tree> = Reader::new(&file[..]).map(Result::unwrap).collect();
    for relation in relations() {
        for (a, b) in
            [("__", "__"), ("@NP", "@VP"), ("/^[A-Z]/", "/^[a-z]/"), ("-NONE-", "__"), ("__", "/\\*/")]
        {
            let text = format!("{a}=a {relation} {b}=b");
            let found: usize = trees
                .iter()
                .filter(|tree| tree.arena_len() < 35)
                .take(20)
                .map(|tree| agree(&text, tree, &heads))
                .sum();
            assert!(found > 0 || a != "__" || b != "__", "{text} matches nothing");
        }
    }
}
