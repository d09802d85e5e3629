//! Tuning of the decoder's [`Settings`], on trees that were not learnt from.
//!
//! Scores are computed once; decoding them again under other [`Settings`] is cheap. One setting after another takes the value with which
//! the trees come out best, twice round. The temperature of probabilities is chosen last, by their log-loss.

use tracebank_parser::decode::Settings;
use tracebank_parser::gold::TrainingExample;
use tracebank_parser::pipeline::{Pipeline, Request};
use tracebank_parser::scores::Scorer;
use tracebank_syntax::tree::Tree;

use crate::measure::Scored;
use crate::reliability::best_temperature;

/// A setting and the values to try.
struct Dial {
    set: fn(&mut Settings, f32),
    values: &'static [f32],
}

const DIALS: [Dial; 9] = [
    Dial { set: |settings, value| settings.trace = value, values: &[0.3, 0.45, 0.6, 0.8, 1.0, 1.3] },
    Dial { set: |settings, value| settings.spine = value, values: &[0.5, 0.7, 1.0, 1.4, 2.0] },
    Dial { set: |settings, value| settings.unmet_penalty = value, values: &[1.0, 2.0, 4.0, 8.0] },
    Dial { set: |settings, value| settings.trace_bonus = value, values: &[-0.6, -0.3, 0.0, 0.3, 0.6, 1.0] },
    Dial { set: |settings, value| settings.attachment = value, values: &[0.4, 0.6, 0.8, 1.0, 1.3] },
    Dial { set: |settings, value| settings.shared_penalty = value, values: &[0.0, 1.0, 2.0, 3.0, 5.0] },
    Dial { set: |settings, value| settings.awaited_bonus = value, values: &[0.0, 0.5, 1.0, 1.5, 2.0, 3.0] },
    Dial { set: |settings, value| settings.valency = value, values: &[0.0, 0.25, 0.5, 0.75, 1.0] },
    Dial { set: |settings, value| settings.pruning.spine_margin = value, values: &[3.0, 4.0, 5.0, 6.0] },
];

const ROUNDS: usize = 2;

/// The most sentences of each file that the temperature is chosen with: probabilities take longer than parses.
const MOST_HEATED: usize = 200;

/// How many sentences of each file the decoder is tuned with, at least.
pub(crate) const LEAST_TUNED: usize = 1500;

/// A file's trees and the dialect they follow.
pub type Sample<'s> = (&'s [(Tree, TrainingExample)], Request);

/// Leaves the parser with the best settings found.
pub fn tune<S: Scorer>(parser: &mut Pipeline<S>, samples: &[Sample<'_>]) {
    let scored: Vec<Scored<'_>> =
        samples.iter().map(|(gold, request)| Scored::new(parser, gold, request)).collect();
    let score = |settings: Settings, parser: &mut Pipeline<S>| -> f64 {
        parser.metadata.settings = settings;
        scored.iter().map(|sample| sample.measure(parser).score()).sum()
    };
    let mut best = parser.metadata.settings;
    let mut best_score = score(best, parser);
    for dial in std::iter::repeat_n(&DIALS, ROUNDS).flatten() {
        for &value in dial.values {
            let mut settings = best;
            (dial.set)(&mut settings, value);
            let score = score(settings, parser);
            if score > best_score {
                (best, best_score) = (settings, score);
            }
        }
    }
    parser.metadata.settings = best;
    drop(scored);
    let few: Vec<Scored<'_>> = samples
        .iter()
        .map(|(gold, request)| Scored::new(parser, &gold[..gold.len().min(MOST_HEATED)], request))
        .collect();
    parser.metadata.settings.temperature = best_temperature(parser, &few);
}

/// The score of a parser as it is: that of its figures, summed over the samples.
pub(crate) fn total_score<S: Scorer>(parser: &Pipeline<S>, samples: &[Sample<'_>]) -> f64 {
    let measure = |(gold, request): &Sample<'_>| Scored::new(parser, gold, request).measure(parser).score();
    samples.iter().map(measure).sum()
}
