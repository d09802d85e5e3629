//! Every shipped construction finds its examples, and none of those that are something else.

use tracebank_search::Names;

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
