//! Log-loss of whole analyses, by inside and outside sums.
//!
//! The sum is that of [`marginals`]: over spines, heads, attachment sites that nest, and the antecedents of every null, none among them. So the
//! network learns a null's antecedent and its spine together, and a spine whose null finds nothing loses for it.

use tracebank_chart::sites::SiteWorker;
use tracebank_parser::decode::{Pruning, Settings, likely, marginals};
use tracebank_parser::gold::Gold;
use tracebank_parser::scores::{Part, SentenceScores, parts_of_gold};
use tracebank_parser::valency::Valency;
use tracebank_parser::vocabulary::{SpineId, Vocabulary};

use super::local::{LEAST_SHARE, Local, choose_functions};
use super::{LossGradient, Objective, merged};

/// -log of the probability of the gold analysis.
#[derive(Debug)]
pub struct Crf<'m> {
    vocabulary: &'m Vocabulary,
    local: Local<'m>,
    worker: SiteWorker,
    /// Says which spines of a word are summed over; the gold one always is.
    settings: Settings,
}

impl<'m> Crf<'m> {
    /// The objective for a vocabulary.
    pub fn new(vocabulary: &'m Vocabulary, settings: Settings) -> Crf<'m> {
        // No trace is left out, so that gold's is there.
        let pruning = Pruning { trace_margin: f32::INFINITY, ..settings.pruning };
        let settings = Settings { pruning, ..settings.unweighted() };
        Crf {
            vocabulary,
            local: Local::new(vocabulary, settings.unmet_penalty),
            worker: SiteWorker::default(),
            settings,
        }
    }

    /// The spines of each word that are summed over.
    fn spines(&self, scores: &SentenceScores, gold: &Gold) -> Vec<Vec<SpineId>> {
        let of_word = |word: usize| {
            let mut spines = likely(scores.spines.row(word), &self.settings.pruning);
            spines.extend(gold.spines[word].filter(|right| !spines.contains(right)));
            spines
        };
        (0..scores.words()).map(of_word).collect()
    }

    /// The parts of gold in the sum, and their score with that of its nulls without antecedents. None if something of it is not in the sum.
    fn gold(&self, scores: &SentenceScores, gold: &Gold) -> Option<(Vec<Part>, f64)> {
        let analysis = gold.complete()?;
        let structural =
            |part: &Part| matches!(part, Part::Spine(..) | Part::Head(..) | Part::Attachment(..));
        let mut parts: Vec<Part> = parts_of_gold(gold).into_iter().filter(structural).collect();
        let mut silence = 0.0;
        for (referrer, word) in (1..).zip(&analysis.words) {
            for place in &self.vocabulary.facts(word.spine).referrers {
                let trace = gold
                    .traces
                    .iter()
                    .find(|trace| trace.referrer == referrer && place.labels.contains(&trace.label));
                match trace {
                    Some(trace) => parts.push(Part::Trace(*trace)),
                    None if place.is_obliged => silence -= f64::from(self.settings.unmet_penalty),
                    None => {}
                }
            }
        }
        let score = parts.iter().map(|&part| f64::from(scores.part(part))).sum::<f64>() + silence;
        score.is_finite().then_some((parts, score))
    }
}

impl Objective for Crf<'_> {
    fn gradient(&mut self, scores: SentenceScores, gold: &Gold) -> LossGradient {
        let Some((right, gold_score)) = self.gold(&scores, gold) else {
            // What the vocabulary lacks is still learnt from choice by choice.
            return self.local.gradient(scores, gold);
        };
        let spines = self.spines(&scores, gold);
        let knowledge = (self.vocabulary, Valency::NONE);
        // A tree in pieces is in the sum only if the root may have several children.
        let several = gold.heads.iter().filter(|&&head| head == 0).count() > 1;
        let settings = Settings { single_root: self.settings.single_root && !several, ..self.settings };
        let found = marginals(&mut self.worker, &scores, knowledge, &settings, &spines, LEAST_SHARE);
        let Some(found) = found else { return self.local.gradient(scores, gold) };
        let mut parts = found.parts;
        parts.extend(right.into_iter().map(|part| (part, -1.0)));
        let mut parts = merged(parts);
        parts.retain(|&(_, share)| share.abs() > LEAST_SHARE);
        let mut gradient = LossGradient { loss: found.log_total - gold_score, parts };
        choose_functions(&scores, gold, &mut gradient);
        gradient
    }
}
