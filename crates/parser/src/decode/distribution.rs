//! The distribution over all analyses of a sentence: each has a probability in proportion to the exponential of its score.
//!
//! The sum is over projective trees with attachment sites, and over all antecedents of every null, none among them. Traces may cross anything, as
//! in the relaxed problem: the class rules out little, and a null chooses its antecedent by itself once its spine is chosen, whichever of its spines
//! the antecedent's word has. Scores are divided by the [temperature](Settings::temperature) first.

use tracebank_chart::Node;
use tracebank_chart::sites::{SiteWorker, Slot};
use tracebank_syntax::class::Structure;

use super::Settings;
use super::candidates::{Candidate, Candidates};
use super::relaxed::Relaxed;
use crate::scores::{Part, Parts, SentenceScores};
use crate::valency::Valency;
use crate::vocabulary::{SpineId, Vocabulary};

/// The sum over all analyses, and the share of each part.
#[derive(Clone, PartialEq, Debug)]
pub struct Marginals {
    /// The logarithm of the sum of the exponentials of all scores.
    pub log_total: f64,
    /// The probability of every spine, head, attachment and trace that has one above the least share. A trace is not counted in spines that are left
    /// out. No part comes twice.
    pub parts: Parts,
}

/// The marginals of the analyses over these spines of each word; none if there is no analysis. Parts below `least` are left out.
pub fn marginals(
    worker: &mut SiteWorker,
    scores: &SentenceScores,
    (vocabulary, valency): (&Vocabulary, &Valency),
    settings: &Settings,
    spines: &[Vec<SpineId>],
    least: f32,
) -> Option<Marginals> {
    let structure = Structure::OneEndpointCrossing;
    let candidates = Candidates::of_spines(scores, vocabulary, settings, structure, spines);
    summed_over(worker, &heated(scores, (vocabulary, valency), settings, &candidates), least)
}

/// The relaxed problem with sums over antecedents, at the temperature of the settings.
pub(super) fn heated<'a>(
    scores: &SentenceScores,
    (vocabulary, valency): (&'a Vocabulary, &Valency),
    settings: &'a Settings,
    candidates: &'a [Vec<Candidate>],
) -> Relaxed<'a> {
    let total = |candidate: &Candidate| candidate.total(settings.temperature);
    let mut relaxed = Relaxed::new(scores, vocabulary, valency, settings, candidates, total);
    relaxed.sites.scale(1.0 / settings.temperature);
    relaxed
}

pub(super) fn summed_over(worker: &mut SiteWorker, relaxed: &Relaxed<'_>, least: f32) -> Option<Marginals> {
    let found = worker.marginals(&relaxed.sites)?;
    let (nodes, temperature) = (relaxed.sites.nodes(), relaxed.settings.temperature);
    let mut parts = Vec::new();
    for (word, candidates) in relaxed.candidates.iter().enumerate() {
        let index = word as u32;
        let mut slots = vec![0.0; relaxed.sites.slots()];
        let mut of_word = Vec::new();
        for (node, candidate) in nodes.of_word(word).zip(candidates) {
            let row = found.row(Node(node as u32));
            slots.iter_mut().zip(row).for_each(|(sum, share)| *sum += share);
            let share: f32 = row.iter().sum();
            of_word.push((Part::Spine(index, candidate.spine), share));
            for referral in candidate.referrals.iter().filter(|_| share > least) {
                let total = referral.total(temperature);
                let of = |score: f32| share * ((score - total) / temperature).exp();
                let choices = referral.choices.iter();
                of_word.extend(choices.map(|choice| (Part::Trace(choice.trace), of(choice.score))));
            }
        }
        for (slot, share) in slots.into_iter().enumerate().filter(|&(_, share)| share > 0.0) {
            let (head, attachment) = relaxed.parent(Slot(slot as u32));
            of_word.push((Part::Head(index, head), share));
            of_word.extend(attachment.map(|id| (Part::Attachment(index, head, id), share)));
        }
        of_word.sort_by_key(|&(part, _)| part);
        of_word.dedup_by(|later, earlier| {
            let is_same = later.0 == earlier.0;
            if is_same {
                earlier.1 += later.1;
            }
            is_same
        });
        parts.extend(of_word.into_iter().filter(|&(_, share)| share > least));
    }
    Some(Marginals { log_total: found.total, parts })
}
