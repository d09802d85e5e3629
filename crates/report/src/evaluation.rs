//! All metrics over a stream of sentences.
//!
//! ```
//! use tracebank_report::{align::pair_up, evaluation::{Evaluation, Options}, metric::Metric};
//! use tracebank_syntax::penn::Reader;
//! let gold = "( (S (NP-1 (N we)) (VP (V try) (S (NP (-NONE- *-1)) (VP (V go))))))";
//! let guess = "( (S (NP (N we)) (VP (V try) (S (VP (V go))))))";
//! let mut evaluation = Evaluation::new(Options::default());
//! for pair in pair_up(Reader::new(gold.as_bytes()), Reader::new(guess.as_bytes())) {
//!     evaluation.add(&pair);
//! }
//! assert_eq!(evaluation.tallies()[Metric::Brackets].total.f1(), 100.0);
//! assert_eq!(evaluation.tallies()[Metric::Null].total.recall(), 0.0);
//! ```

use tracebank_syntax::tree::Tree;

use crate::align::{Pair, Pairing};
use crate::evalb;
use crate::functions::{self, Phrases};
use crate::graph;
use crate::metric::{Metric, MetricCounts, MetricTallies};
use crate::nulls::authors::{self, Reading, Strictness};
use crate::nulls::johnson::{self, Target};
use crate::score::Counts;

/// The treatment of a sentence whose guess is missing, unreadable or over other words.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Unaligned {
    /// Everything in its gold counts as missed; the guess, if there is one, counts for nothing.
    #[default]
    Miss,
    /// It is left out, as `evalb` and the authors' scorer do it.
    Skip,
}

/// The options of counting.
#[derive(Clone, Default, Debug)]
pub struct Options {
    /// For the brackets.
    pub evalb: evalb::Settings,
    /// For the null elements; the chains are followed in both definitions or in none.
    pub nulls: authors::Options,
    /// For spines and edges.
    pub graph: graph::Options,
    /// The treatment of sentences that do not line up.
    pub unaligned: Unaligned,
}

/// The numbers of one sentence.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SentenceResult {
    /// Its counts.
    pub counts: MetricCounts,
    /// Why `evalb` has no score for it although the words agree: a word may be punctuation for one side only.
    pub evalb_mismatch: Option<evalb::Mismatch>,
}

/// The numbers so far.
#[derive(Clone, Default, Debug)]
pub struct Evaluation {
    options: Options,
    tallies: MetricTallies,
    evalb: evalb::Summary,
    evalb_short: evalb::Summary,
    sentences: usize,
    unaligned: Vec<usize>,
}

const AUTHORS: [(Metric, Strictness); 2] =
    [(Metric::Null, Strictness::NullOnly), (Metric::Coindex, Strictness::Coindex)];

const JOHNSON: [(Metric, Target); 4] = [
    (Metric::JohnsonFull, Target::Full),
    (Metric::JohnsonDependency, Target::Dependency),
    (Metric::JohnsonEmptyElement, Target::EmptyElement),
    (Metric::JohnsonEmptyTerminal, Target::EmptyTerminal),
];

impl Evaluation {
    /// Nothing counted yet.
    pub fn new(options: Options) -> Evaluation {
        Evaluation { options, ..Evaluation::default() }
    }

    /// How it counts.
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// The counts, by type.
    pub fn tallies(&self) -> &MetricTallies {
        &self.tallies
    }

    /// The table of `evalb` for all sentences.
    pub fn evalb(&self) -> &evalb::Summary {
        &self.evalb
    }

    /// The table of `evalb` for sentences up to the cut-off length.
    pub fn evalb_short(&self) -> &evalb::Summary {
        &self.evalb_short
    }

    /// How many gold sentences there were.
    pub fn sentences(&self) -> usize {
        self.sentences
    }

    /// The numbers of the gold sentences that did not line up.
    pub fn unaligned(&self) -> &[usize] {
        &self.unaligned
    }

    /// Counts a sentence. `None` if there is no gold to count.
    pub fn add(&mut self, pair: &Pair) -> Option<SentenceResult> {
        let (gold, guess) = match &pair.pairing {
            Pairing::Aligned { gold, guess } => (gold, Some(guess)),
            Pairing::WordsDiffer { gold, .. } | Pairing::NoGuess { gold, .. } => (gold, None),
            Pairing::NoGold { .. } => return None,
        };
        self.sentences += 1;
        if guess.is_none() {
            self.unaligned.push(pair.number);
        }
        let mut result = SentenceResult { counts: MetricCounts::default(), evalb_mismatch: None };
        self.add_brackets(gold, guess, &mut result);
        if guess.is_some() || self.options.unaligned == Unaligned::Miss {
            self.add_nulls(gold, guess, &mut result.counts);
            self.add_graph(gold, guess, &mut result.counts);
            self.add_functions(gold, guess, &mut result.counts);
        }
        Some(result)
    }

    fn add_brackets(&mut self, gold: &Tree, guess: Option<&Tree>, result: &mut SentenceResult) {
        let settings = &self.options.evalb;
        let compared = match guess {
            Some(guess) => evalb::compare(gold, guess, settings),
            None => Err(evalb::Mismatch::Words),
        };
        let (comparison, mismatch) = match compared {
            Ok(comparison) => (comparison, None),
            Err(mismatch) => (evalb::missed(gold, settings), Some(mismatch)),
        };
        result.evalb_mismatch = mismatch.filter(|_| guess.is_some());
        let score = comparison.score;
        let is_short = score.length <= settings.cutoff;
        let counts = mismatch.is_none() || self.options.unaligned == Unaligned::Miss;
        for (summary, takes_part) in [(&mut self.evalb, true), (&mut self.evalb_short, is_short)] {
            match mismatch {
                _ if !takes_part => {}
                None => summary.add(&score),
                Some(mismatch) => summary.add_mismatch(mismatch, counts.then_some(&score)),
            }
        }
        if !counts {
            return;
        }
        let tags = Counts { matched: score.correct_tags, gold: score.words, test: score.words };
        result.counts[Metric::Tags] = tags;
        self.tallies[Metric::Tags].total += tags;
        let metrics =
            if is_short { &[Metric::Brackets, Metric::BracketsShort][..] } else { &[Metric::Brackets] };
        let labels = by_label(&comparison, settings);
        for &metric in metrics {
            result.counts[metric] = score.brackets;
            for &(label, counts) in &labels {
                self.tallies[metric].add(label, counts);
            }
        }
    }

    fn add_nulls(&mut self, gold: &Tree, guess: Option<&Tree>, counts: &mut MetricCounts) {
        let options = &self.options.nulls;
        let gold_reading = Reading::of(gold, options);
        let test_reading = guess.map(|guess| Reading::of(guess, options));
        for (metric, strictness) in AUTHORS {
            let comparison = authors::compare_readings(&gold_reading, test_reading.as_ref(), strictness);
            counts[metric] = comparison.counts();
            comparison.add_to(&mut self.tallies[metric]);
        }
        let gold_items = johnson::items(gold, options.chains);
        let test_items = guess.map_or_else(Vec::new, |guess| johnson::items(guess, options.chains));
        for (metric, target) in JOHNSON {
            let comparison = johnson::compare(&gold_items, &test_items, target);
            counts[metric] = comparison.counts();
            comparison.add_to(&mut self.tallies[metric]);
        }
    }

    fn add_functions(&mut self, gold: &Tree, guess: Option<&Tree>, counts: &mut MetricCounts) {
        for (metric, phrases) in [(Metric::Functions, Phrases::Overt), (Metric::NullFunctions, Phrases::Null)]
        {
            let comparison = functions::compare(gold, guess, phrases);
            counts[metric] = comparison.counts();
            comparison.add_to(&mut self.tallies[metric]);
        }
    }

    fn add_graph(&mut self, gold: &Tree, guess: Option<&Tree>, counts: &mut MetricCounts) {
        let comparison = match guess {
            Some(guess) => graph::compare(gold, guess, &self.options.graph),
            None => graph::missed(gold, &self.options.graph),
        };
        for (metric, parts) in [
            (Metric::Spines, comparison.spines()),
            (Metric::Edges, comparison.edges()),
            (Metric::UnlabelledEdges, comparison.unlabelled_edges()),
            (Metric::Traces, comparison.traces()),
            (Metric::UnlabelledTraces, comparison.unlabelled_traces()),
        ] {
            counts[metric] = parts;
            if metric == Metric::Traces {
                comparison.add_traces_to(&mut self.tallies[metric]);
            } else {
                self.tallies[metric].total += parts;
            }
        }
    }
}

/// The brackets of a sentence by label. Equivalent labels are counted under the first of their pair.
fn by_label<'l>(comparison: &evalb::Comparison<'l>, settings: &'l evalb::Settings) -> Vec<(&'l str, Counts)> {
    let gold = comparison
        .gold
        .iter()
        .map(|bracket| (bracket.label, Counts { matched: u64::from(bracket.matched), gold: 1, test: 0 }));
    let test = comparison.test.iter().map(|bracket| (bracket.label, Counts { matched: 0, gold: 0, test: 1 }));
    let mut labels: Vec<(&str, Counts)> = Vec::new();
    for (label, counts) in gold.chain(test) {
        let label = settings.representative(label);
        // a sentence has few labels: looking through them is faster than a map
        match labels.iter_mut().find(|(known, _)| *known == label) {
            Some((_, sum)) => *sum += counts,
            None => labels.push((label, counts)),
        }
    }
    labels
}

#[cfg(test)]
mod tests {
    use tracebank_syntax::penn::Reader;

    use super::*;
    use crate::align::pair_up;

    fn evaluate(gold: &str, guess: &str, unaligned: Unaligned) -> Evaluation {
        let mut evaluation = Evaluation::new(Options { unaligned, ..Options::default() });
        for pair in pair_up(Reader::new(gold.as_bytes()), Reader::new(guess.as_bytes())) {
            evaluation.add(&pair);
        }
        evaluation
    }

    const GOLD: &str = "( (S (NP (N we)) (VP (V go) (NP (-NONE- *)))))\n( (S (V wait) (NP (-NONE- *))))";

    #[test]
    fn a_missing_guess_is_a_miss_in_every_metric() {
        let guess = GOLD.lines().next().unwrap();
        let missed = evaluate(GOLD, guess, Unaligned::Miss);
        assert_eq!((missed.sentences(), missed.unaligned()), (2, &[2][..]));
        for metric in
            [Metric::Brackets, Metric::BracketsShort, Metric::Null, Metric::JohnsonFull, Metric::Tags]
        {
            let counts = missed.tallies()[metric].total;
            assert!(counts.matched < counts.gold, "{metric:?} {counts:?}");
        }
        let skipped = evaluate(GOLD, guess, Unaligned::Skip);
        assert_eq!(skipped.unaligned(), [2]);
        for metric in Metric::all() {
            assert_eq!(skipped.tallies()[metric].total.loss(), 0, "{metric:?}");
        }
    }

    #[test]
    fn punctuation_for_one_side_only_is_told_and_concerns_brackets_alone() {
        let gold = "( (S (V wait) (NP (-NONE- *)) (NN x)))";
        let guess = "( (S (V wait) (NP (-NONE- *)) (. x)))";
        let mut pairs = pair_up(Reader::new(gold.as_bytes()), Reader::new(guess.as_bytes()));
        let mut evaluation = Evaluation::new(Options::default());
        let result = evaluation.add(&pairs.next().unwrap()).unwrap();
        assert_eq!(result.evalb_mismatch, Some(evalb::Mismatch::Length { gold: 2, test: 1 }));
        assert_eq!(result.counts[Metric::Brackets], Counts { matched: 0, gold: 1, test: 0 });
        assert_eq!(result.counts[Metric::JohnsonFull], Counts { matched: 1, gold: 1, test: 1 });
        assert_eq!(evaluation.evalb().errors, 1);
    }

    #[test]
    fn long_sentences_are_not_in_the_second_table() {
        let long = format!("( (S {}))", "(N x)".repeat(41));
        let evaluation = evaluate(&long, &long, Unaligned::Miss);
        assert_eq!((evaluation.evalb().sentences, evaluation.evalb_short().sentences), (1, 0));
        assert_eq!(evaluation.tallies()[Metric::BracketsShort].total, Counts::default());
    }

    #[test]
    fn brackets_are_counted_by_label_with_equivalent_ones_together() {
        let evaluation =
            evaluate("( (VP (V go) (PRT (R on))))", "( (VP (V go) (ADVP (R on))))", Unaligned::Miss);
        let by_type = &evaluation.tallies()[Metric::Brackets].by_type;
        assert_eq!(by_type["ADVP"], Counts { matched: 1, gold: 1, test: 1 });
        assert!(!by_type.contains_key("PRT"));
    }
}
