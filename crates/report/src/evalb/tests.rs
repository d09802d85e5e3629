//! One hand-made case for each rule.

use super::*;

fn score_with(settings: &str, gold: &str, guess: &str) -> Result<SentenceScore, Mismatch> {
    let settings = settings.parse().unwrap();
    let (gold, guess) = (gold.parse().unwrap(), guess.parse().unwrap());
    compare(&gold, &guess, &settings).map(|comparison| comparison.score)
}

fn score(gold: &str, guess: &str) -> SentenceScore {
    let (gold, guess) = (gold.parse().unwrap(), guess.parse().unwrap());
    compare(&gold, &guess, &Settings::default()).unwrap().score
}

fn brackets(gold: &str, guess: &str) -> (u64, u64, u64) {
    let Counts { matched, gold, test } = score(gold, guess).brackets;
    (matched, gold, test)
}

#[test]
fn labels_and_spans_must_both_agree() {
    let gold = "( (S (NP (D the) (N cat)) (VP (V sat))))";
    assert_eq!(brackets(gold, gold), (3, 3, 3));
    assert_eq!(brackets(gold, "( (S (NX (D the) (N cat)) (VP (V sat))))"), (2, 3, 3));
    assert_eq!(brackets(gold, "( (S (NP (D the)) (VP (N cat) (V sat))))"), (1, 3, 3));
}

#[test]
fn nulls_and_what_they_leave_empty_are_not_there() {
    let gold = "( (S (NP-1 (N we)) (VP (V try) (S (NP (-NONE- *-1)) (VP (V go))))))";
    assert_eq!(brackets(gold, "( (S (NP (N we)) (VP (V try) (S (VP (V go))))))"), (5, 5, 5));
    assert_eq!(score(gold, gold).length, 3);
}

#[test]
fn marks_are_no_words() {
    let gold = "( (S (CODE A.1) (NP (N we)) (VP (V go)) (SU /)))";
    assert_eq!(brackets(gold, "( (S (NP (N we)) (VP (V go))))"), (3, 3, 3));
}

#[test]
fn punctuation_has_no_place() {
    let gold = "( (S (NP (N we)) (, ,) (VP (V go)) (. .)))";
    let guess = "( (S (NP (N we) (, ,)) (VP (V go) (. .))))";
    assert_eq!(brackets(gold, guess), (3, 3, 3));
    assert_eq!((score(gold, guess).words, score(gold, guess).length), (2, 4));
    // a phrase of nothing else goes with it
    assert_eq!(brackets("( (S (NP (N we)) (X (. .))))", "( (S (NP (N we)) (. .)))"), (2, 2, 2));
}

#[test]
fn functions_and_indices_do_not_count() {
    assert_eq!(
        brackets("( (S (NP-SBJ-1 (N we)) (VP=2 (V go))))", "( (S (NP (N we)) (VP (V go))))"),
        (3, 3, 3)
    );
}

#[test]
fn particles_are_adverbs_and_each_bracket_matches_once() {
    assert_eq!(brackets("( (VP (V give) (PRT (RP up))))", "( (VP (V give) (ADVP (RP up))))"), (2, 2, 2));
    assert_eq!(brackets("( (NP (NP (N we))))", "( (NP (N we)))"), (1, 2, 1));
    assert_eq!(brackets("( (NP (NP (N we))))", "( (NP (NP (NP (N we)))))"), (2, 2, 3));
}

#[test]
fn the_top_has_many_names_and_never_counts() {
    for top in ["", "TOP", "ROOT", "S1"] {
        assert_eq!(brackets("( (S (N we)))", &format!("({top} (S (N we)))")), (1, 1, 1), "{top}");
    }
    // only the top: elsewhere ROOT is a label as any other
    assert_eq!(brackets("( (S (ROOT (N we))))", "( (S (N we)))"), (1, 2, 1));
}

#[test]
fn crossing_counts_brackets_of_the_guess() {
    let gold = "( (S (A (N a) (N b)) (B (N c) (N d))))";
    let guess = "( (S (N a) (X (Y (N b) (N c)) (N d))))";
    assert_eq!(score(gold, guess).crossing, 2);
    assert_eq!(score(guess, gold).crossing, 2);
    assert_eq!(score("( (S (A (N a) (N b)) (N c)))", "( (S (N a) (X (Y (Z (N b) (N c))))))").crossing, 3);
    assert_eq!(score("( (S (A (N a) (N b)) (N c)))", "( (S (N a) (N b) (X (N c))))").crossing, 0);
}

#[test]
fn tags_are_compared_whole() {
    let gold = "( (S (NP (N we)) (VP (V go) (PRT (PRT up))) (. .)))";
    let guess = "( (S (NP (N-X we)) (VP (V go) (PRT (ADVP up))) (. .)))";
    let SentenceScore { words, correct_tags, .. } = score(gold, guess);
    assert_eq!((words, correct_tags), (3, 2));
}

#[test]
fn complete_needs_nothing_missed_and_nothing_extra() {
    assert!(score("( (S (N a)))", "( (S (N a)))").is_complete());
    assert!(!score("( (S (N a)))", "( (S (X (N a))))").is_complete());
    assert!(!score("( (S (X (N a))))", "( (S (N a)))").is_complete());
}

#[test]
fn what_does_not_line_up_has_no_score() {
    let gold = "( (S (N a) (N b)))";
    assert_eq!(score_with("", gold, "( (S (N a) (N c)))"), Err(Mismatch::Words));
    assert_eq!(score_with("", gold, "( (S (N a)))"), Err(Mismatch::Length { gold: 2, test: 1 }));
    assert_eq!(score_with("", gold, "( (S (-NONE- *)))"), Err(Mismatch::NoWords));
    assert!(score_with("EQ_WORD b c", gold, "( (S (N a) (N c)))").is_ok());
    // the words are the same, but one is punctuation for the guess only
    assert_eq!(
        score_with("DELETE_LABEL .", gold, "( (S (N a) (. b)))"),
        Err(Mismatch::Length { gold: 2, test: 1 })
    );
}

#[test]
fn quotes_are_kept_on_both_sides_if_one_needs_them() {
    let gold = "( (S (NP (NP (N boys) (POS ')) (N toys)) (VP (V go))))";
    let guess = "( (S (NP (N boys) ('' ') (N toys)) (VP (V go))))";
    let strict = "DELETE_LABEL ''";
    assert!(score_with(strict, gold, guess).is_err());
    assert!(score_with("DELETE_LABEL ''\nQUOTE_LABEL POS", gold, guess).is_err(), "a quote on one side only");
    let lenient = score_with("DELETE_LABEL ''\nQUOTE_LABEL POS\nQUOTE_LABEL ''", gold, guess).unwrap();
    assert_eq!(lenient.words, 4);
    assert_eq!(lenient.brackets.matched, 4, "the top is a bracket here: {lenient:?}");
}

#[test]
fn unlabelled_brackets_need_the_same_span_only() {
    let counts = score_with("LABELED 0", "(A (B (N a)) (N b))", "(C (D (N a)) (N b))").unwrap().brackets;
    assert_eq!(counts.matched, 2);
}

#[test]
fn a_lone_token_and_bare_words_are_read_too() {
    assert_eq!(brackets("(N a)", "(N a)"), (0, 0, 0));
    assert_eq!(brackets("(NP (D the) dog)", "(NP (D the) dog)"), (1, 1, 1));
}

#[test]
fn a_missed_sentence_has_all_its_brackets_missing() {
    let gold = "( (S (NP (N we)) (VP (V go)) (. .)))".parse().unwrap();
    let score = missed(&gold, &Settings::default()).score;
    assert_eq!(score.brackets, Counts { matched: 0, gold: 3, test: 0 });
    assert_eq!((score.length, score.words, score.correct_tags), (3, 2, 0));
}

#[test]
fn the_summary_follows_what_counts() {
    let gold = "( (S (NP (N we)) (VP (V go))))".parse().unwrap();
    let settings = Settings::default();
    let right = compare(&gold, &gold, &settings).unwrap().score;
    let miss = missed(&gold, &settings).score;
    let mut summary = Summary::default();
    summary.add(&right);
    summary.add_mismatch(Mismatch::Words, Some(&miss));
    assert_eq!((summary.sentences, summary.errors, summary.valid(), summary.scored), (2, 1, 1, 2));
    assert_eq!((summary.brackets.recall(), summary.brackets.precision()), (50.0, 100.0));
    assert_eq!((summary.complete_match(), summary.no_crossing()), (50.0, 100.0));
    summary.add_mismatch(Mismatch::NoWords, None);
    assert_eq!((summary.sentences, summary.skipped, summary.scored), (3, 1, 2));
}

#[test]
fn the_summary_adds_up_and_divides_by_what_could_be_compared() {
    let mut summary = Summary::default();
    for crossing in [0, 1, 2, 5] {
        let brackets = Counts { matched: 1, gold: 2, test: 4 };
        summary.add(&SentenceScore { length: 5, brackets, crossing, words: 5, correct_tags: 3 });
    }
    summary.add_mismatch(Mismatch::NoWords, None);
    summary.add_mismatch(Mismatch::Words, None);
    summary.add_mismatch(Mismatch::Words, None);
    let Summary { sentences, errors, skipped, scored, .. } = summary;
    assert_eq!((sentences, errors, skipped, scored, summary.valid()), (7, 2, 1, 4, 4));
    assert_eq!((summary.brackets.recall(), summary.brackets.precision()), (50.0, 25.0));
    assert_eq!((summary.average_crossing(), summary.no_crossing()), (2.0, 25.0));
    assert_eq!((summary.two_or_less_crossing(), summary.tagging_accuracy()), (75.0, 60.0));
    assert!(Summary::default().average_crossing() < 1e-9);
}
