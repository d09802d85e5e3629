//! Function tags, and the penalty for what breaks the guidelines.

use tracebank_parser::decode::Settings;
use tracebank_syntax::class::Structure;

use super::{Sentence, close, settings};

/// The function tags of the words.
fn functions(sentence: &Sentence) -> Vec<&str> {
    let decoded = sentence.decode(Structure::ProjectiveTree, settings(), 1);
    let names = &sentence.vocabulary.names().functions;
    decoded.best().analysis.words.iter().map(|word| &*names[word.function.index()]).collect()
}

#[test]
fn a_subject_is_more_likely_than_none_or_the_clause_needs_one() {
    // Those of the first word, which may be a subject with this score, and hangs in the top of the second.
    let cases = [
        ("VP FRAG", "FRAG#0", 0.0, ""),
        ("VP FRAG", "FRAG#0", 0.1, "-SBJ"),
        ("VP SQ", "SQ#0", 0.0, ""),
        ("VP SQ", "SQ#0", 0.1, "-SBJ"),
        ("VP S", "S#0", -7.0, ""),
        ("VP S", "S#0", -6.9, "-SBJ"),
        ("VP S", "VP#0", 0.1, ""),
    ];
    for (spine, site, score, function) in cases {
        let sentence = Sentence::new(2)
            .spine(1, "NP", 0.0)
            .spine(2, spine, 0.0)
            .hangs(1, 2, site, 0.0)
            .root(2, 0.0)
            .subject(1, score);
        assert_eq!(functions(&sentence), [function, ""], "{spine} {score}");
    }
    let behind = |score: f32| {
        let sentence = Sentence::new(2).spine(1, "VP S", 0.0).spine(2, "NP", 0.0).root(1, 0.0);
        functions(&sentence.hangs(2, 1, "S#0", 0.0).subject(2, score)).concat()
    };
    assert_eq!(
        (behind(-0.1), behind(0.1)),
        (String::new(), "-SBJ".to_owned()),
        "a clause needs one before it"
    );
}

#[test]
fn each_clause_has_its_own_subject() {
    let sentence = Sentence::new(4)
        .spine(1, "NP", 0.0)
        .spine(2, "VP S", 0.0)
        .spine(3, "NP", 0.0)
        .spine(4, "VP S", 0.0)
        .hangs(1, 2, "S#0", 0.0)
        .hangs(2, 4, "S#0", 0.0)
        .hangs(3, 4, "S#0", 0.0)
        .root(4, 0.0)
        .subject(1, 1.0)
        .subject(3, 2.0);
    assert_eq!(functions(&sentence), ["-SBJ", "", "-SBJ", ""]);
}

#[test]
fn a_clause_needs_a_verb_phrase_to_be_without_a_subject() {
    let settings = Settings { violation_penalty: 0.25, ..settings() };
    let cases =
        [("VP S", 1.0), ("NP S", 0.0), ("VP SQ", 0.0), ("VP S(NP(*T*))", 0.0), ("VP S(PP(*T*))", 1.0)];
    for (spine, violations) in cases {
        let sentence = Sentence::new(1).spine(1, spine, 0.0).root(1, 0.0);
        let decoded = sentence.decode(Structure::ProjectiveTree, settings, 1);
        assert!(close(decoded.best().penalty, 0.25 * violations), "{spine}");
    }
}

#[test]
fn a_wh_phrase_may_have_its_trace_in_any_word_below() {
    let settings = Settings { violation_penalty: 0.25, ..settings() };
    for (spine, violations) in [("VP SQ(NP(*T*))", 0.0), ("VP SQ", 1.0)] {
        let sentence = Sentence::new(3)
            .spine(1, "WHNP", 0.0)
            .spine(2, spine, 0.0)
            .spine(3, "VP SQ SBARQ", 0.0)
            .hangs(1, 3, "SBARQ#0", 0.0)
            .hangs(2, 3, "VP#0", 0.0)
            .root(3, 0.0);
        let decoded = sentence.decode(Structure::ProjectiveTree, settings, 1);
        assert!(close(decoded.best().penalty, 0.25 * violations), "{spine}");
    }
}
