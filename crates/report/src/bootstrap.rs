//! The paired bootstrap: is one system better than another, or was it luck with the sentences?
//!
//! It (Efron and Tibshirani 1993; for parsing and translation Koehn 2004, Berg-Kirkpatrick et al. 2012) draws as
//! many sentences as there are, with replacement, over and over, and looks at the difference in F1 each time. The
//! p-value is two-sided: the share of samples whose difference is at least as far from the observed one as that is from
//! zero.
//!
//! ```
//! use tracebank_report::{bootstrap::{Bootstrap, compare}, metric::{Metric, MetricCounts}, score::Counts};
//! let sentence = |matched| {
//!     let mut counts = MetricCounts::default();
//!     counts[Metric::Null] = Counts { matched, gold: 2, test: 2 };
//!     counts
//! };
//! let (better, worse) = (vec![sentence(2); 50], vec![sentence(1); 50]);
//! let differences = compare(&better, &worse, &Bootstrap::default());
//! let nulls = differences.iter().find(|difference| difference.metric == Metric::Null).unwrap();
//! assert_eq!((nulls.first, nulls.second, nulls.difference), (100.0, 50.0, 50.0));
//! assert!(nulls.p_value < 0.001);
//! ```

use rand_xoshiro::SplitMix64;
use rand_xoshiro::rand_core::{Rng as _, SeedableRng as _};

use crate::metric::{Metric, MetricCounts};
use crate::score::Counts;

/// The drawing of samples.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Bootstrap {
    /// How many samples.
    pub samples: usize,
    /// Where the random numbers begin: the same seed gives the same answer.
    pub seed: u64,
}

impl Default for Bootstrap {
    fn default() -> Bootstrap {
        Bootstrap { samples: 10_000, seed: 1 }
    }
}

/// Two systems in one metric.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Difference {
    /// The metric.
    pub metric: Metric,
    /// F1 of the first system.
    pub first: f64,
    /// F1 of the second.
    pub second: f64,
    /// The first less the second.
    pub difference: f64,
    /// The middle 95 % of the differences in the samples.
    pub interval: (f64, f64),
    /// The probability of a difference as large as this one between two systems that are equally good.
    pub p_value: f64,
}

/// Compares two systems, given the counts of the same sentences in the same order. Metrics of which neither gold nor guess has
/// anything are left out. What one list has more than the other is not looked at.
pub fn compare(first: &[MetricCounts], second: &[MetricCounts], bootstrap: &Bootstrap) -> Vec<Difference> {
    let sentences = first.len().min(second.len());
    let (first, second) = (&first[..sentences], &second[..sentences]);
    let observed = (sum(first), sum(second));
    let metrics: Vec<Metric> = Metric::all()
        .filter(|&metric| observed.0[metric] != Counts::default() || observed.1[metric] != Counts::default())
        .collect();
    let mut samples: Vec<Vec<f64>> = vec![Vec::with_capacity(bootstrap.samples); metrics.len()];
    let mut random = SplitMix64::seed_from_u64(bootstrap.seed);
    for _ in 0..bootstrap.samples {
        let (mut mine, mut theirs) = (MetricCounts::default(), MetricCounts::default());
        for _ in 0..sentences {
            let sentence = below(&mut random, sentences);
            for &metric in &metrics {
                mine[metric] += first[sentence][metric];
                theirs[metric] += second[sentence][metric];
            }
        }
        for (&metric, differences) in metrics.iter().zip(&mut samples) {
            differences.push(mine[metric].f1() - theirs[metric].f1());
        }
    }
    metrics
        .into_iter()
        .zip(samples)
        .map(|(metric, samples)| judge(metric, observed.0[metric].f1(), observed.1[metric].f1(), samples))
        .collect()
}

/// A number from 0 to `bound - 1`. The bias is under `bound / 2^64`.
fn below(random: &mut SplitMix64, bound: usize) -> usize {
    ((u128::from(random.next_u64()) * bound as u128) >> 64) as usize
}

fn sum(sentences: &[MetricCounts]) -> MetricCounts {
    let mut total = MetricCounts::default();
    for counts in sentences {
        for metric in Metric::all() {
            total[metric] += counts[metric];
        }
    }
    total
}

fn judge(metric: Metric, first: f64, second: f64, mut samples: Vec<f64>) -> Difference {
    let difference = first - second;
    let as_far = samples.iter().filter(|&&sample| (sample - difference).abs() >= difference.abs()).count();
    // the observed difference counts as one more sample, so that no p-value is 0
    let p_value = (as_far + 1) as f64 / (samples.len() + 1) as f64;
    samples.sort_unstable_by(f64::total_cmp);
    let percentile = |part: f64| {
        let last = samples.len().saturating_sub(1);
        samples.get((part * last as f64).round() as usize).copied().unwrap_or(difference)
    };
    Difference {
        metric,
        first,
        second,
        difference,
        interval: (percentile(0.025), percentile(0.975)),
        p_value,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sentences(matched: impl Fn(usize) -> u64) -> Vec<MetricCounts> {
        let counts = |index| {
            let mut counts = MetricCounts::default();
            counts[Metric::Brackets] = Counts { matched: matched(index), gold: 10, test: 10 };
            counts
        };
        (0..100).map(counts).collect()
    }

    fn run(first: &[MetricCounts], second: &[MetricCounts], seed: u64) -> Difference {
        let differences = compare(first, second, &Bootstrap { samples: 1000, seed });
        assert_eq!(differences.len(), 1, "metrics without counts are left out");
        differences[0]
    }

    #[test]
    fn the_same_seed_gives_the_same_answer() {
        let (first, second) = (sentences(|i| (i % 10) as u64), sentences(|i| (i % 7) as u64));
        assert_eq!(run(&first, &second, 7), run(&first, &second, 7));
        assert_ne!(run(&first, &second, 7).interval, run(&first, &second, 8).interval);
    }

    #[test]
    fn a_system_does_not_differ_from_itself() {
        let system = sentences(|i| (i % 10) as u64);
        let difference = run(&system, &system, 1);
        assert!(difference.difference.abs() < 1e-9 && (difference.p_value - 1.0).abs() < 1e-9);
    }

    #[test]
    fn a_clear_difference_is_significant_and_a_noisy_one_is_not() {
        let clear = run(&sentences(|_| 8), &sentences(|_| 7), 1);
        assert!(clear.p_value < 0.01 && clear.interval.0 > 0.0, "{clear:?}");
        let noisy = run(&sentences(|i| 5 + (i % 4) as u64), &sentences(|i| 5 + (i * 7 % 4) as u64), 1);
        assert!(noisy.p_value > 0.05, "{noisy:?}");
    }

    #[test]
    fn turning_the_systems_round_turns_the_sign() {
        let (first, second) = (sentences(|i| (i % 10) as u64), sentences(|i| (i % 7) as u64));
        let (there, back) = (run(&first, &second, 3), run(&second, &first, 3));
        assert!((there.difference + back.difference).abs() < 1e-9);
        assert!((there.p_value - back.p_value).abs() < 1e-9);
    }

    #[test]
    fn what_one_system_alone_has_is_compared() {
        let nothing = vec![MetricCounts::default(); 100];
        assert!((run(&sentences(|_| 8), &nothing, 1).difference - 80.0).abs() < 1e-9);
    }

    #[test]
    fn the_interval_is_the_middle_of_the_samples() {
        let samples = (0..=1000).rev().map(f64::from).collect();
        assert_eq!(judge(Metric::Brackets, 1.0, 0.0, samples).interval, (25.0, 975.0));
    }

    #[test]
    fn no_sentences_give_no_answer() {
        assert!(compare(&[], &[], &Bootstrap::default()).is_empty());
    }
}
