//! Every shipped construction finds its examples, and none of those that are something else.

use tracebank_search::{Names, Pattern};
use tracebank_syntax::penn::Reader;
use tracebank_syntax::tree::Tree;

#[test]
fn each_construction_finds_its_examples_and_no_others() {
    let names = Names::shipped();
    assert!(names.iter().count() >= 25);
    for named in names.iter() {
        assert!(!named.yes.is_empty() && !named.no.is_empty(), "{} has no examples", named.name);
        for tree in &named.yes {
            assert!(!named.pattern.matches(tree).is_empty(), "{} does not find {tree}", named.name);
        }
        for tree in &named.no {
            assert!(named.pattern.matches(tree).is_empty(), "{} finds {tree}", named.name);
        }
    }
}

#[test]
fn a_list_says_what_is_wrong_with_it() {
    let error = |text: &str| Names::parse(text).unwrap_err().to_string();
    assert!(error("[a]\nabout = 'x'\npattern = 'NP <'").starts_with("a: a node is missing here"));
    assert!(error("[a]\nabout = 'x'\npattern = 'NP'\nyes = ['(NP']").contains("is no tree"));
    assert!(error("[a]\npattern = 'NP'").contains("about"));
}

/// The patterns of a section of `docs/search.md`: the last cell of each row of its table.
fn taught(section: &str) -> Vec<String> {
    let text = include_str!("../../../docs/search.md");
    let section = text.split("\n## ").find(|part| part.starts_with(section)).expect("the section");
    let rows = section.lines().filter(|line| line.starts_with('|')).skip(2);
    rows.map(|row| row.replace("\\|", "\u{1}"))
        .map(|row| row.trim_end_matches('|').rsplit('|').next().unwrap().trim().replace('\u{1}', "|"))
        .map(|cell| cell.trim_matches('`').to_owned())
        .collect()
}

#[test]
fn every_pattern_that_is_taught_finds_something_in_the_free_trees() {
    let mut trees: Vec<Tree> = Names::shipped().iter().flat_map(|named| named.yes.clone()).collect();
    for file in ["handmade.mrg", "questions.mrg"] {
        let file = std::fs::read(tracebank_testdata::free(file)).unwrap();
        trees.extend(Reader::new(&file[..]).map(Result::unwrap));
    }
    let patterns = taught("Twenty constructions");
    assert!(patterns.len() >= 20, "{patterns:?}");
    for text in patterns {
        let pattern = Pattern::parse(&text).unwrap_or_else(|error| panic!("{error}"));
        assert!(trees.iter().any(|tree| !pattern.matches(tree).is_empty()), "{text} finds nothing");
    }
}

#[test]
fn roles_go_from_the_argument_to_the_predicate() {
    let tree: Tree = "( (S (NP-SBJ-1 (NP (DT The) (NN company)) (, ,) (SBAR (WHNP-2 (WDT which)) (S (NP-SBJ-3 (-NONE- *T*-2)) \
        (VP (VBD was) (VP (VBN bought) (NP (-NONE- *-3)) (PP (IN by) (NP-LGS (NNP Google))))))) (, ,)) (VP (VBZ wants) \
        (S (NP-SBJ (-NONE- *-1)) (VP (TO to) (VP (VB sell) (NP (PRP$ its) (NN plant)))))) (. .)))"
        .parse()
        .unwrap();
    let count =
        |text: &str| Pattern::parse(text).unwrap_or_else(|error| panic!("{error}")).matches(&tree).len();
    // the subject of the clause wants, and sells; so does its null
    assert_eq!(count("NP-SBJ-1 -subject> (VBZ < wants)"), 1);
    assert_eq!(count("NP-SBJ-1 -subject> (VB < sell)"), 1);
    assert_eq!(count("NP-SBJ -subject> (VB < sell)"), 1);
    // in the passive, the agent is the subject, and what is bought the object
    assert_eq!(count("NP-LGS -subject> bought"), 1);
    assert_eq!(count("NP-SBJ-1 -object> bought"), 1);
    assert_eq!(count("NP-SBJ-1 -surface-subject> bought"), 1);
    assert_eq!(count("NP-SBJ-1 -subject> bought"), 0);
    assert_eq!(count("VB -object< (NP << plant)"), 1);
    assert_eq!(count("VB=verb -argument< @NP=who"), count("@NP=who -argument> VB=verb"));
    let error = Pattern::parse("NP -subjct> VB").unwrap_err();
    assert!(
        error.to_string().contains("there is no role subjct") && error.to_string().contains("second-object")
    );
}

#[test]
fn a_null_inside_what_it_stands_for_is_no_circle() {
    let tree: Tree = "( (S (VP-1 (VB go) (VP (-NONE- *ICH*-1)))))".parse().unwrap();
    assert!(Pattern::parse("__ -argument> VB").unwrap().matches(&tree).is_empty());
}

#[test]
fn spines_and_trace_edges_are_those_of_the_graph() {
    let tree: Tree =
        "( (S (NP-SBJ-1 (PRP We)) (VP (VBP like) (S (NP-SBJ (-NONE- *-1)) (VP (VBG running)))) (. .)))"
            .parse()
            .unwrap();
    let count = |text: &str| Pattern::parse(text).unwrap().matches(&tree).len();
    // the structural parent of the subject is the verb, whose spine goes up to the sentence
    assert_eq!(count("NP-SBJ-1 #> VBP"), 1);
    assert_eq!(count("NP-SBJ-1 #> VBG"), 0);
    assert_eq!(count("VBP #< (VP < VBG)"), 1);
    assert_eq!(count("S ## VBP"), 1);
    // an edge from the null to its antecedent, also seen from its phrase
    assert_eq!(count("NP-SBJ -> NP-SBJ-1"), 1);
    assert_eq!(count("/^\\*-1/ -> NP-SBJ-1"), 1);
    assert_eq!(count("NP-SBJ-1 -< NP-SBJ"), 1);
    assert_eq!(count("NP-SBJ-1 -> __"), 0);
}
