//! Reliability of probabilities: what a parser says of an answer's phrases, nulls and antecedents, against how often they are right.

use std::collections::BTreeSet;
use std::sync::atomic::AtomicBool;

use rayon::prelude::*;
use serde::Serialize;
use tracebank_parser::decode::{Probabilities, Settings};
use tracebank_parser::gold::{Gold, TrainingExample};
use tracebank_parser::pipeline::{Pipeline, Request};
use tracebank_parser::scores::Scorer;
use tracebank_parser::vocabulary::{SpineId, Vocabulary};
use tracebank_syntax::project::Site;
use tracebank_syntax::tree::{Kind, Tree};

use crate::calibration::{Bin, sorted_into_bins};
use crate::measure::Scored;
use crate::trials::unless_stopped;

/// Something that the parser said with a probability, and whether it was right.
type Verdict = (f32, bool);

/// The reliability of a parser's probabilities at a temperature.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Reliability {
    /// The temperature.
    pub temperature: f32,
    /// The mean log-loss of a phrase, null or antecedent.
    pub log_loss: f64,
    /// The phrases of the answers, by probability.
    pub phrases: Vec<Bin>,
    /// Their nulls.
    pub nulls: Vec<Bin>,
    /// The likeliest antecedents of these.
    pub antecedents: Vec<Bin>,
}

/// The temperatures that are tried.
pub(crate) const TEMPERATURES: [f32; 7] = [0.8, 1.0, 1.2, 1.5, 1.8, 2.2, 2.7];

/// The reliability of the answers to scored sentences at one temperature; none if it was stopped.
pub fn reliability<S: Scorer>(
    parser: &Pipeline<S>,
    scored: &Scored<'_>,
    temperature: f32,
    stop: &AtomicBool,
) -> Option<Reliability> {
    let settings = Settings { temperature, ..parser.metadata.settings };
    let request = Request { settings: Some(settings), probabilities: true, ..scored.request().clone() };
    let vocabulary = &parser.metadata.vocabulary;
    let sentences: Vec<_> = scored.sentences().zip(scored.scores()).zip(scored.gold()).collect();
    let verdicts: Option<Vec<[Vec<Verdict>; 3]>> = sentences
        .par_iter()
        .map_init(
            || parser.decoder(&request),
            |decoder, ((sentence, scores), (tree, example))| {
                let answer =
                    unless_stopped(stop, || parser.parse_scored(sentence, scores, &request, decoder))?;
                let found = answer.probabilities.map(|found| verdicts(&found, tree, example, vocabulary));
                Some(found.unwrap_or_default())
            },
        )
        .collect();
    let verdicts = verdicts?;
    let [phrases, nulls, antecedents] =
        [0, 1, 2].map(|sort| verdicts.iter().flat_map(|found| &found[sort]).copied().collect::<Vec<_>>());
    let all = phrases.iter().chain(&nulls).chain(&antecedents);
    let loss = |&(probability, is_right): &Verdict| {
        let said = if is_right { probability } else { 1.0 - probability };
        -f64::from(said.max(1e-3)).ln()
    };
    let count = phrases.len() + nulls.len() + antecedents.len();
    Some(Reliability {
        temperature,
        log_loss: all.map(loss).sum::<f64>() / count.max(1) as f64,
        phrases: sorted_into_bins(phrases.into_iter()),
        nulls: sorted_into_bins(nulls.into_iter()),
        antecedents: sorted_into_bins(antecedents.into_iter()),
    })
}

/// Phrases, nulls and antecedents, each with its verdict.
fn verdicts(
    found: &Probabilities,
    tree: &Tree,
    example: &TrainingExample,
    vocabulary: &Vocabulary,
) -> [Vec<Verdict>; 3] {
    let spans = tree.word_spans();
    let phrases = tree.preorder(tree.top()).filter(|&node| tree.kind(node) == Kind::Phrase);
    let gold_phrases: BTreeSet<(&str, usize, usize)> = phrases
        .map(|node| (tree.label(node).category(), spans[node.index()].start, spans[node.index()].end))
        .collect();
    let gold = example.gold(vocabulary);
    let phrase = found.phrases.iter().map(|phrase| {
        let key = (&*phrase.label, phrase.tokens.start, phrase.tokens.end);
        (phrase.probability, gold_phrases.contains(&key))
    });
    let null = found.nulls.iter().map(|null| {
        (null.probability, has_null(&gold, vocabulary, null.head, &null.kind, null.above.as_ref()))
    });
    let antecedent = found.nulls.iter().filter_map(|null| {
        let first = null.antecedents.first()?;
        let is_right = gold.traces.iter().any(|trace| {
            trace.referrer as usize == null.head + 1 && trace.antecedent as usize == first.head + 1
        });
        Some((first.probability, is_right))
    });
    [phrase.collect(), null.collect(), antecedent.collect()]
}

fn has_null(gold: &Gold, vocabulary: &Vocabulary, word: usize, kind: &str, above: Option<&String>) -> bool {
    let is_it = |site: &Site| match site {
        Site::Null { above: theirs, kind: other } => theirs.as_ref() == above && other == kind,
        _ => false,
    };
    let has_it = |spine: SpineId| vocabulary.sites(spine).any(|(site, _)| is_it(site));
    gold.spines[word].is_some_and(has_it)
}
