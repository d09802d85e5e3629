//! One hand-made case for each rule.

use super::*;

fn describe_with(tree: &str, strictness: Strictness, options: &Options) -> Vec<String> {
    let tree = tree.parse().unwrap();
    Reading::of(&tree, options)
        .items(strictness)
        .into_iter()
        .map(|found| {
            let mut name = String::new();
            found.item.write_type(&mut name);
            match found.item {
                Item::Null { left, .. } => format!("{name} @{left}"),
                Item::Trace { left, span: (start, end), .. } => format!("{name} @{left} {start}-{end}"),
                Item::Gap { remnant: ((a, b), left), correlate: ((c, d), right) } => {
                    format!("{name} {left} {a}-{b} {right} {c}-{d}")
                }
            }
        })
        .collect()
}

fn nulls(tree: &str) -> Vec<String> {
    describe_with(tree, Strictness::NullOnly, &Options::default())
}

fn traces(tree: &str) -> Vec<String> {
    describe_with(tree, Strictness::Coindex, &Options::default())
}

#[test]
fn the_place_is_the_start_of_the_lowest_phrase_with_words() {
    // the null stands behind "eat", but its VP begins with it
    assert_eq!(nulls("( (S (NP (N we)) (VP (V eat) (NP (-NONE- *)))))"), ["no-link_*_NP @1"]);
    // nested null phrases climb further
    assert_eq!(
        nulls("( (S (N we) (VP (V say) (SBAR (-NONE- 0) (S (-NONE- *T*-1))))))"),
        ["no-link_0_SBAR @1", "no-link_*T*_S @1"]
    );
}

#[test]
fn the_category_shows_only_if_the_phrase_is_null() {
    assert_eq!(nulls("( (NP (QP ($ $) (CD 1)) (-NONE- *U*)))"), ["no-link_*U*_ @0"]);
    assert_eq!(nulls("( (SBAR (WHNP-1 (-NONE- 0)) (S (V go))))"), ["no-link_0_WHNP @0"]);
    // with co-indexation it always shows
    assert_eq!(traces("( (S-1 (N we) (VP (V go) (-NONE- *-1))))"), ["*_S_VP @1 0-2"]);
}

#[test]
fn an_antecedent_without_words_has_those_of_the_phrase_around_it() {
    assert_eq!(
        traces("( (NP (N tea) (SBAR (WHNP-1 (-NONE- 0)) (S (N we) (VP (V like) (NP (-NONE- *T*-1)))))))"),
        ["no-link_0_WHNP @1", "*T*_WHNP_NP @2 1-3"]
    );
}

#[test]
fn chains_are_followed_on_request() {
    let tree =
        "( (S (NP-1 (N we)) (VP (V are) (VP (V told) (NP-2 (-NONE- *-1)) (S (NP (-NONE- *-2)) (V go))))))";
    assert_eq!(traces(tree), ["*_NP_NP @2 0-1", "*_NP_NP @3 2-4"]);
    let followed = Options { chains: Chains::Followed, ..Options::default() };
    assert_eq!(describe_with(tree, Strictness::Coindex, &followed), ["*_NP_NP @2 0-1", "*_NP_NP @3 0-1"]);
}

#[test]
fn gaps_pair_a_remnant_with_its_correlate() {
    let tree = "( (S (S (NP-SBJ-1 (N we)) (VP (V eat) (NP-2 (N tea)))) (CC and) (S (NP-SBJ=1 (N they)) (NP=2 (N ham)))))";
    assert_eq!(traces(tree), ["gap NP 4-5 NP 0-1", "gap NP 5-6 NP 2-3"]);
    assert_eq!(nulls(tree), [""; 0]);
    let keep = Options { keep_functions: true, ..Options::default() };
    assert_eq!(describe_with(tree, Strictness::Coindex, &keep)[0], "gap NP-SBJ 4-5 NP 0-1");
}

#[test]
fn a_gap_index_stays_in_the_name_of_an_antecedent() {
    assert_eq!(
        traces("( (S (NP=1-2 (N we)) (VP (V go) (S (NP (-NONE- *-2)) (V on)))))"),
        ["*_NP=1_NP @2 0-1"]
    );
}

#[test]
fn indices_that_name_nothing_do_no_harm() {
    assert_eq!(traces("( (S (NP=4 (N we)) (VP (V go) (NP (-NONE- *-3)))))"), ["no-link_*_NP @1"]);
}

#[test]
fn punctuation_takes_no_place_whatever_its_tag_in_the_tree() {
    let tree = "( (S (`` ``) (NP (N we)) (NN --) (VP (V go) (NP (-NONE- *))) (. .)))";
    assert_eq!(nulls(tree), ["no-link_*_NP @1"]);
    let keep = Options { remove: Vec::new(), ..Options::default() };
    assert_eq!(describe_with(tree, Strictness::NullOnly, &keep), ["no-link_*_NP @3"]);
    // a phrase of punctuation is gone, and cannot be named; a phrase with such a label leaves its children
    assert_eq!(traces("( (S (X-1 (, ,)) (V go) (NP (-NONE- *-1))))"), ["no-link_*_NP @0"]);
    assert_eq!(
        traces("( (S (V go) (PP (, (-NONE- *) (-NONE- *U*)))))"),
        ["no-link_*_PP @0", "no-link_*U*_PP @0"]
    );
}

#[test]
fn equivalent_labels_and_words_are_read_as_the_first() {
    assert_eq!(nulls("( (S (V go) (PRT (-NONE- *))))"), ["no-link_*_ADVP @0"]);
    let pairs = |first: &str, second: &str| vec![(first.to_owned(), second.to_owned())];
    let options = Options {
        equivalent_labels: pairs("NP", "NX"),
        equivalent_words: pairs("*", "*PRO*"),
        ..Options::default()
    };
    assert_eq!(
        describe_with("( (S (V go) (NX (-NONE- *PRO*))))", Strictness::NullOnly, &options),
        ["no-link_*_NP @0"]
    );
}

#[test]
fn alternatives_are_read_as_the_first_or_as_adverbs() {
    assert_eq!(nulls("( (S (V go) (NP|NX (-NONE- *))))"), ["no-link_*_NP @0"]);
    assert_eq!(nulls("( (S (V go) (PRT|ADVP (-NONE- *))))"), ["no-link_*_ADVP @0"]);
}

#[test]
fn unaries_over_themselves_can_be_one_phrase() {
    let tree = "( (S (NP-1 (N we)) (VP (V go)) (NP=1 (NP=1 (N they)))))";
    assert_eq!(traces(tree).len(), 2);
    let options = Options { collapse_unaries: true, ..Options::default() };
    assert_eq!(describe_with(tree, Strictness::Coindex, &options).len(), 1);
}

#[test]
fn what_stands_above_the_sentence_can_be_left_out() {
    let tree = "(TOP-1 (S (N we) (NP (-NONE- *-1))))";
    assert_eq!(traces(tree), ["*_TOP_NP @0 0-1"]);
    let options = Options { homogenise_top: true, ..Options::default() };
    assert_eq!(describe_with(tree, Strictness::Coindex, &options), ["no-link_*_NP @0"]);
    assert_eq!(describe_with("(A (B (-NONE- *)))", Strictness::Coindex, &options), ["no-link_*_B @0"]);
}

#[test]
fn duplicates_match_more_than_once() {
    let gold = "( (S (V go) (NP (-NONE- *)) (NP (-NONE- *))))".parse().unwrap();
    let guess = "( (S (V go) (NP (-NONE- *))))".parse().unwrap();
    let counts = compare(&gold, &guess, Strictness::NullOnly, &Options::default()).counts();
    assert_eq!((counts.matched, counts.gold, counts.test), (2, 2, 1));
}
