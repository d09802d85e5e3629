//! Odd trees: whatever the tree, there are relations and a valid dependency tree, or nothing.

use tracebank_relations::{nulls, relations, ud};
use tracebank_syntax::dialect::Dialect;
use tracebank_syntax::penn::{Input, Reader};
use tracebank_syntax::tree::Tree;

fn check(tree: &Tree) {
    let words: Vec<&str> = tree.words().collect();
    for relation in relations(tree) {
        assert!(relation.predicate.token < words.len(), "{tree}");
        assert!(!relation.to_text(tree).is_empty());
    }
    for null in nulls(tree) {
        assert!(null.argument.is_some() || null.reason.is_some(), "{tree}");
    }
    let tokens = ud::convert(tree);
    assert_eq!(tokens.len(), words.len(), "{tree}");
    assert_eq!(
        tokens.iter().filter(|token| token.head == 0).count(),
        usize::from(!words.is_empty()),
        "{tree}"
    );
    for (at, token) in tokens.iter().enumerate() {
        // every word leads to the root
        let above = std::iter::successors(Some(at + 1), |&node| (node > 0).then(|| tokens[node - 1].head));
        assert!(above.take(tokens.len() + 2).any(|node| node == 0), "{tree}");
        assert!(!token.deps.is_empty() && !token.form.is_empty(), "{tree}");
    }
    assert_eq!(ud::write(&tokens, "1", "").is_empty(), words.is_empty());
    assert!(ud::split_hyphens(tokens).len() >= words.len());
}

#[test]
fn free_trees() {
    for (file, dialect) in
        [("handmade.mrg", "penn"), ("questions.mrg", "masc"), ("craft-sample.mrg", "craft")]
    {
        for tree in Reader::new(Input::open(&tracebank_testdata::free(file)).unwrap().stream) {
            let mut tree = tree.unwrap();
            Dialect::named(dialect).unwrap().normalise(&mut tree);
            check(&tree);
        }
    }
}

/// Where each of them looks at all others, such trees take minutes.
#[test]
fn many_children_and_many_conjuncts() {
    let many = 20_000;
    let joined = |part: &str| vec![part; many].join(" (CC and) ");
    for tree in [
        format!("( (S {}))", "(NN x) ".repeat(many)),
        format!("( (S {}))", joined("(S (NP-SBJ (PRP we)) (VP (VBD went) (NP (NN home))))")),
        format!("( (S (NP-SBJ (PRP we)) (VP {})))", joined("(VP (VBD saw) (NP (NN it)))")),
        format!("( (VP {}))", joined("(VP (VBP go) (NP (NN home)))")),
    ] {
        let tree: Tree = tree.parse().unwrap();
        let relations = relations(&tree).len();
        assert!(relations == 0 || relations == many, "{relations}");
        assert_eq!(ud::convert(&tree).len(), tree.words().count());
    }
}

#[test]
fn trees_that_lead_nowhere() {
    for tree in [
        "( (S (NP-1 (-NONE- *-2)) (NP-2 (-NONE- *-1)) (VP (V go))))",
        "( (S (NP-SBJ (-NONE- *T*-9)) (VP (VB go))))",
        "( (S-1 (NP-SBJ (PRP he)) (VP (VBD said) (S (-NONE- *T*-1)))))",
        "( (NP (NP (-NONE- *)) (VP (VBN gone) (NP (-NONE- *)))))",
        "( (. .))",
        "( (X-FAILED (NN a) (, ,) (NN b)))",
    ] {
        check(&tree.parse().unwrap());
    }
}
