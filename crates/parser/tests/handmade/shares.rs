//! Probabilities: shares of a sum over so few analyses that it can be added up by hand.

use tracebank_chart::sites::SiteWorker;
use tracebank_parser::decode::{Marginals, Settings, marginals};
use tracebank_parser::scores::Part;
use tracebank_parser::valency::Valency;
use tracebank_parser::vocabulary::{AttachmentId, SpineId, TraceId};
use tracebank_syntax::class::Structure;

use super::{Sentence, close, place, settings};

const TEMPERATURE: f32 = 2.0;

/// The score whose exponential is this at the temperature.
fn weighing(weight: f32) -> f32 {
    weight.ln() * TEMPERATURE
}

/// A noun under a verb, which is one of two kinds and may refer to it. The verbs weigh 1 and 3, their phrases 1 and 2 or 1 alone, a
/// trace 3 and none 1: that is 12 for each verb.
fn noun_and_verb() -> Sentence {
    Sentence::new(2)
        .spine(1, "NP", 0.0)
        .spine(2, "VP S(NP(*T*))", 0.0)
        .spine(2, "VP SQ(NP(*T*))", weighing(3.0))
        .hangs(1, 2, "VP#0", 0.0)
        .hangs(1, 2, "S#0", weighing(2.0))
        .root(2, 0.0)
        .refers(2, 1, "(NP *T*)#0 > NP#0", weighing(3.0))
}

fn warm() -> Settings {
    Settings { temperature: TEMPERATURE, ..settings() }
}

#[test]
fn marginals_are_the_shares_of_parts_in_all_analyses() {
    let sentence = noun_and_verb();
    let names = sentence.vocabulary.names();
    let spine = |name: &str| SpineId(place(&names.spines, name) as u16);
    let site = |name: &str| AttachmentId(place(&names.attachments, name) as u16);
    let spines = [vec![spine("NP")], vec![spine("VP S(NP(*T*))"), spine("VP SQ(NP(*T*))")]];
    let above = |least: f32| -> Marginals {
        let knowledge = (&sentence.vocabulary, Valency::NONE);
        marginals(&mut SiteWorker::default(), &sentence.scores, knowledge, &warm(), &spines, least).unwrap()
    };
    let trace = sentence.trace(2, 1, "(NP *T*)#0 > NP#0");
    let all = [
        (Part::Spine(0, spine("NP")), 1.0),
        (Part::Head(0, 2), 1.0),
        (Part::Attachment(0, 2, site("VP#0")), 2.0 / 3.0),
        (Part::Attachment(0, 2, site("S#0")), 1.0 / 3.0),
        (Part::Spine(1, spine("VP S(NP(*T*))")), 0.5),
        (Part::Spine(1, spine("VP SQ(NP(*T*))")), 0.5),
        (Part::Head(1, 0), 1.0),
        // A quarter of each verb goes without.
        (Part::Trace(trace), 0.75),
    ];
    for least in [0.0, 0.4, 0.49] {
        let found = above(least);
        assert!((found.log_total - 24_f64.ln()).abs() < 1e-5);
        let expected: Vec<_> = all.iter().filter(|(_, share)| *share > least).collect();
        assert_eq!(found.parts.len(), expected.len(), "{least}: {:?}", found.parts);
        for (part, share) in expected {
            let found: Vec<f32> =
                found.parts.iter().filter(|(other, _)| other == part).map(|&(_, share)| share).collect();
            assert!(found.len() == 1 && close(found[0], *share), "{least}: {part:?} {found:?}");
        }
    }
    // What has just the least share is left out, and a trace of spines that are goes with them.
    let found = above(0.5).parts;
    let parts: Vec<Part> = found.iter().map(|&(part, _)| part).collect();
    assert_eq!(parts.len(), 4, "{found:?}");
    assert!([0, 1, 2, 6].iter().all(|&place| parts.contains(&all[place].0)));
}

#[test]
fn phrases_reach_from_their_first_word_to_their_last() {
    let sentence = Sentence::new(5)
        .spine(1, "NP", 0.0)
        .spine(2, "NP NP", 0.0)
        .spine(3, "VP S", 0.0)
        .spine(4, "NP", 0.0)
        .spine(5, "NP NP", 0.0)
        .hangs(1, 2, "NP#1", 0.0)
        .hangs(2, 3, "S#0", 0.0)
        .root(3, 0.0)
        .hangs(4, 3, "VP#0", 0.0)
        .hangs(5, 4, "NP#0", 0.0);
    let structure = Structure::OneEndpointCrossing;
    let decoded = sentence.decode(structure, settings(), 1);
    let found =
        sentence.decoder(settings()).probabilities(&sentence.scores, structure, decoded.best()).unwrap();
    let phrases: Vec<(usize, &str, std::ops::Range<usize>)> =
        found.phrases.iter().map(|phrase| (phrase.head, &*phrase.label, phrase.tokens.clone())).collect();
    let expected = [
        (0, "NP", 0..1),
        (1, "NP", 1..2),
        (1, "NP", 0..2),
        (2, "VP", 2..5),
        (2, "S", 0..5),
        (3, "NP", 3..5),
        (4, "NP", 4..5),
        (4, "NP", 4..5),
    ];
    assert_eq!(phrases, expected);
    assert!(found.phrases.iter().all(|phrase| close(phrase.probability, 1.0)));
}

#[test]
fn antecedents_that_are_called_the_same_are_one() {
    // The lower and the higher phrase of the noun weigh 2 and 3, the clause of the third word 4, and none 1.
    let sentence = Sentence::new(3)
        .spine(1, "NP NP", 0.0)
        .spine(2, "VP SQ(NP(*T*))", 0.0)
        .spine(3, "VP S", 0.0)
        .hangs(1, 2, "VP#0", 0.0)
        .root(2, 0.0)
        .hangs(3, 2, "VP#0", 0.0)
        .refers(2, 1, "(NP *T*)#0 > NP#0", weighing(2.0))
        .refers(2, 1, "(NP *T*)#0 > NP#1", weighing(3.0))
        .refers(2, 3, "(NP *T*)#0 > S#0", weighing(4.0));
    let structure = Structure::OneEndpointCrossing;
    let decoded = sentence.decode(structure, warm(), 1);
    assert_eq!(decoded.best().analysis.traces[0].label, TraceId(2));
    let found = sentence.decoder(warm()).probabilities(&sentence.scores, structure, decoded.best()).unwrap();
    assert!((found.log_total - 10_f64.ln()).abs() < 1e-5 && close(found.analysis, 0.4));
    let null = &found.nulls[0];
    assert!(found.nulls.len() == 1 && close(null.probability, 1.0));
    assert_eq!((null.head, &*null.kind, null.above.as_deref()), (1, "*T*", Some("NP")));
    let antecedents: Vec<(usize, Option<&str>)> =
        null.antecedents.iter().map(|antecedent| (antecedent.head, antecedent.label.as_deref())).collect();
    assert_eq!(antecedents, [(0, Some("NP")), (2, Some("S"))]);
    let shares = null.antecedents.iter().map(|antecedent| antecedent.probability);
    assert!(shares.zip([0.5, 0.4]).all(|(share, expected)| close(share, expected)));
}
