use super::*;
use crate::gold::TrainingExample;
use tracebank_syntax::heads::HeadTable;

fn vocabulary(spines: &[&str], traces: &[&str]) -> Vocabulary {
    let list = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect();
    Vocabulary::new(Names { spines: list(spines), traces: list(traces), ..Names::default() }).unwrap()
}

#[test]
fn only_wh_phrases_await_a_trace_of_movement() {
    let traces = [
        "(NP *T*)#0 > WHNP#0",
        "(NP *T*)#0 > NP#0",
        "(NP *)#0 > WHNP#0",
        "(NP *)#0 > NP#0",
        "(NP *T*)#0 > #0",
    ];
    let vocabulary = vocabulary(&[], &traces);
    let awaited: Vec<bool> = (0..5).map(|id| vocabulary.is_awaited(TraceId(id))).collect();
    assert_eq!(awaited, [true, false, false, false, false]);
    for id in (0..5).map(TraceId) {
        assert_eq!(vocabulary.trace_id(vocabulary.trace(id)), Some(id));
    }
}

#[test]
fn a_null_refers_once_whatever_the_label_and_not_if_it_refers_within_its_spine() {
    let traces = ["(NP *)#0 > NP#0", "(NP *)#0 > VP#0", "(NP *T*)#0 > NP#0"];
    let vocabulary = vocabulary(&["VP S(NP(*))", "VP S(NP(*)) ((NP *)#0 > S#0)"], &traces);
    let labels = |spine: u16| -> Vec<&[TraceId]> {
        vocabulary.facts(SpineId(spine)).referrers.iter().map(|referrer| &referrer.labels[..]).collect()
    };
    assert_eq!(labels(0), [[TraceId(0), TraceId(1)]]);
    assert!(labels(1).is_empty());
}

#[test]
fn a_null_is_named_by_the_phrase_above_it_and_not_by_the_one_beside_it() {
    let vocabulary = vocabulary(&["VP S(NP(*))(*T*)"], &[]);
    let nulls = vocabulary.sites(SpineId(0)).filter_map(|(site, _)| match site {
        Site::Null { above, kind } => Some((above.as_deref(), kind.as_str())),
        _ => None,
    });
    assert_eq!(nulls.collect::<Vec<_>>(), [(Some("NP"), "*"), (None, "*T*")]);
}

#[test]
fn nulls_of_which_nineteen_in_twenty_refer_are_obliged_to() {
    let heads = HeadTable::named("penn").unwrap();
    let obliged = |referring: usize| {
        let mut counter = VocabularyCounter::default();
        for index in 0..20 {
            let end = if index < referring { "-1" } else { "" };
            let tree = format!(
                "( (S (NP-SBJ-1 (PRP We)) (VP (VBP want) (S (NP-SBJ (-NONE- *{end})) (VP (TO to) (VP (VB go)))))))"
            );
            let example = TrainingExample::of(&tree.parse().unwrap(), &heads).unwrap();
            counter.add(&example.projection, &example.functions);
        }
        counter.names(1).obliged
    };
    assert_eq!(obliged(19), ["*"]);
    assert!(obliged(18).is_empty());
}
