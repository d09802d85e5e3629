//! Tuning of the decoder's [`Settings`], on trees that were not learnt from.
//!
//! Scores are computed once; decoding them again under other [`Settings`] is cheap. One setting after another takes the value with which
//! the trees come out best, twice round. The temperature of probabilities is chosen last, by their log-loss.

use std::sync::atomic::AtomicBool;

use tracebank_parser::decode::Settings;
use tracebank_parser::gold::TrainingExample;
use tracebank_parser::pipeline::{Pipeline, Request};
use tracebank_parser::scores::Scorer;
use tracebank_syntax::tree::Tree;

use crate::measure::Scored;
use crate::reliability::{TEMPERATURES, reliability};
use crate::training::TrainingError;
use crate::trials::Trials;

/// A setting and the values to try.
struct Dial {
    set: fn(&mut Settings, f32),
    values: &'static [f32],
}

const DIALS: [Dial; 9] = [
    Dial {
        set: |settings, value| settings.trace = value,
        values: &[0.1, 0.2, 0.3, 0.45, 0.6, 0.8, 1.0, 1.3],
    },
    Dial { set: |settings, value| settings.spine = value, values: &[0.3, 0.4, 0.5, 0.7, 1.0, 1.4, 2.0] },
    Dial { set: |settings, value| settings.unmet_penalty = value, values: &[1.0, 2.0, 4.0, 8.0] },
    Dial {
        set: |settings, value| settings.trace_bonus = value,
        values: &[-1.5, -1.0, -0.6, -0.3, 0.0, 0.3, 0.6, 1.0],
    },
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

/// The number of trials that tuning takes.
pub(crate) fn trials() -> usize {
    let values: usize = DIALS.iter().map(|dial| dial.values.len()).sum();
    1 + ROUNDS * values + TEMPERATURES.len()
}

/// Samples that are scored when they are first asked for.
struct Lazy<'s, 'g> {
    samples: &'s [Sample<'g>],
    most: usize,
    scored: Option<Vec<Scored<'g>>>,
}

impl<'s, 'g> Lazy<'s, 'g> {
    fn new(samples: &'s [Sample<'g>], most: usize) -> Lazy<'s, 'g> {
        Lazy { samples, most, scored: None }
    }

    fn get<S: Scorer>(&mut self, parser: &Pipeline<S>, stop: &AtomicBool) -> Option<&[Scored<'g>]> {
        if self.scored.is_none() {
            let few = |gold: &'g [_]| &gold[..gold.len().min(self.most)];
            let scored = |(gold, request): &Sample<'g>| Scored::new(parser, few(gold), request, stop);
            self.scored = self.samples.iter().map(scored).collect();
        }
        self.scored.as_deref()
    }
}

/// Leaves the parser with the best settings found.
pub(crate) fn tune<S: Scorer>(
    parser: &mut Pipeline<S>,
    samples: &[Sample<'_>],
    trials: &mut Trials<'_, '_>,
) -> Result<(), TrainingError> {
    let mut all = Lazy::new(samples, usize::MAX);
    let mut score = |settings: Settings, parser: &mut Pipeline<S>| {
        parser.metadata.settings = settings;
        trials.score(|stop| {
            let figures = all.get(parser, stop)?.iter().map(|sample| sample.measure(parser, stop));
            figures.map(|figures| Some(figures?.score())).sum()
        })
    };
    let mut best = parser.metadata.settings;
    let mut best_score = score(best, parser)?;
    for dial in std::iter::repeat_n(&DIALS, ROUNDS).flatten() {
        for &value in dial.values {
            let mut settings = best;
            (dial.set)(&mut settings, value);
            let score = score(settings, parser)?;
            if score > best_score {
                (best, best_score) = (settings, score);
            }
        }
    }
    parser.metadata.settings = best;
    drop(all);
    let mut few = Lazy::new(samples, MOST_HEATED);
    let mut best_temperature = (f64::INFINITY, 1.0);
    for temperature in TEMPERATURES {
        let loss = trials.score(|stop| {
            let found = few.get(parser, stop)?.iter();
            found.map(|sample| Some(reliability(parser, sample, temperature, stop)?.log_loss)).sum()
        })?;
        if loss < best_temperature.0 {
            best_temperature = (loss, temperature);
        }
    }
    parser.metadata.settings.temperature = best_temperature.1;
    Ok(())
}

/// The score of a parser as it is: that of its figures, summed over the samples; none if it was stopped.
pub(crate) fn total_score<S: Scorer>(
    parser: &Pipeline<S>,
    samples: &[Sample<'_>],
    stop: &AtomicBool,
) -> Option<f64> {
    let measure = |(gold, request): &Sample<'_>| {
        Some(Scored::new(parser, gold, request, stop)?.measure(parser, stop)?.score())
    };
    samples.iter().map(measure).sum()
}
