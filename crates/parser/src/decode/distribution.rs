//! The distribution over all analyses of a sentence: each has a probability in proportion to the exponential of its score.
//!
//! The sum is over projective trees with attachment sites, and over all antecedents of every null, none among them. Traces may cross anything, as
//! in the relaxed problem: the class rules out little, and a null chooses its antecedent by itself once its spine is chosen. Scores are divided by
//! the [temperature](Settings::temperature) first.

use tracebank_chart::Node;
use tracebank_chart::sites::{SiteScores, SiteWorker, Slot};
use tracebank_syntax::class::Structure;

use super::candidates::{Candidate, Candidates};
use super::relaxed::Relaxed;
use super::{Decoder, Settings};
use crate::gold::{Analysis, WordAnalysis};
use crate::scores::{Part, Parts, SentenceScores};
use crate::valency::Valency;
use crate::vocabulary::{SpineId, Vocabulary};

/// The sum over all analyses, and the share of each part.
#[derive(Clone, PartialEq, Debug)]
pub struct Marginals {
    /// The logarithm of the sum of the exponentials of all scores.
    pub log_total: f64,
    /// The probability of every spine, head, attachment and trace that has one above the least share. No part comes twice.
    pub parts: Parts,
}

/// The probabilities of an analysis and of what it is made of.
#[derive(Clone, PartialEq, Debug)]
pub struct Probabilities {
    /// The marginals of the sentence.
    pub marginals: Marginals,
    /// For each word of the analysis, the probabilities of the phrases of its spine from the bottom to the top: that the word heads a phrase with
    /// this label over these words.
    pub phrases: Vec<Vec<f32>>,
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
fn heated<'a>(
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

fn summed_over(worker: &mut SiteWorker, relaxed: &Relaxed<'_>, least: f32) -> Option<Marginals> {
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

/// The least probability that is told.
const LEAST: f32 = 1e-3;

impl Decoder<'_> {
    /// The probability of an analysis with this score.
    pub fn probability(&self, score: f32, marginals: &Marginals) -> f32 {
        (f64::from(score / self.settings.temperature) - marginals.log_total).exp() as f32
    }

    /// The probabilities of an analysis, over the candidates that decoding looks at; none if there is no tree.
    pub fn probabilities(
        &mut self,
        scores: &SentenceScores,
        structure: Structure,
        analysis: &Analysis,
    ) -> Option<Probabilities> {
        let candidates = Candidates::choose(scores, self.vocabulary, &self.settings, structure);
        let knowledge = (self.vocabulary, self.valency);
        let mut relaxed = heated(scores, knowledge, &self.settings, &candidates.of_words);
        if self.sites.best(&relaxed.sites).is_none() {
            relaxed.sites.single_root = false;
        }
        let marginals = summed_over(&mut self.sites, &relaxed, LEAST)?;
        let shifts = self.sites.shifts(&relaxed.sites)?;
        let mut probability = |phrase: &Phrase| {
            let ways = phrase.ways(&relaxed, self.vocabulary);
            let totals = ways.map(|sites| self.sites.log_total(&sites, &shifts) - marginals.log_total);
            totals.map(f64::exp).sum::<f64>().min(1.0) as f32
        };
        let phrases = phrases_of(analysis, self.vocabulary);
        let phrases = phrases.iter().map(|of_word| of_word.iter().map(&mut probability).collect()).collect();
        Some(Probabilities { marginals, phrases })
    }
}

/// A phrase of an analysis.
struct Phrase {
    head: usize,
    label: String,
    first: usize,
    last: usize,
}

impl Phrase {
    /// The problems whose trees are those that have this phrase: one for each spine of the head and each of its phrases with the label.
    fn ways<'r>(
        &'r self,
        relaxed: &'r Relaxed<'_>,
        vocabulary: &'r Vocabulary,
    ) -> impl Iterator<Item = SiteScores> + 'r {
        let nodes = relaxed.sites.nodes().of_word(self.head).map(|node| Node(node as u32));
        nodes.flat_map(move |node| {
            let labels = vocabulary.labels(relaxed.candidate(node).spine);
            let slots = relaxed.sites.slots_of(node).zip(labels).filter(|(_, label)| *label == self.label);
            slots.map(move |(slot, _)| self.only(relaxed, node, slot))
        })
    }

    /// The trees in which this phrase is that of a slot: the words in it hang inside, at the head no higher than the slot; those outside hang
    /// outside, or at the head above it.
    fn only(&self, relaxed: &Relaxed<'_>, head: Node, site: usize) -> SiteScores {
        let mut sites = relaxed.sites.clone();
        let nodes = relaxed.sites.nodes();
        for other in nodes.of_word(self.head).filter(|&node| node != head.index()) {
            *sites.spine_mut(Node(other as u32)) = f32::NEG_INFINITY;
        }
        let is_inside = |word: usize| (self.first..=self.last).contains(&word);
        for node in (0..nodes.len()).map(|node| Node(node as u32)) {
            for slot in relaxed.sites.slots_of(node) {
                let is_in_phrase = is_inside(nodes.word(node)) && !(node == head && slot > site);
                for word in (0..nodes.words()).filter(|&word| word != self.head) {
                    if is_inside(word) != is_in_phrase {
                        *sites.edge_mut(word, Slot(slot as u32)) = f32::NEG_INFINITY;
                    }
                }
                if is_inside(nodes.word(node)) {
                    *sites.edge_mut(self.head, Slot(slot as u32)) = f32::NEG_INFINITY;
                }
            }
        }
        sites
    }
}

/// The phrases of an analysis, by word and from the bottom of its spine to the top.
fn phrases_of(analysis: &Analysis, vocabulary: &Vocabulary) -> Vec<Vec<Phrase>> {
    let words = &analysis.words;
    let mut reach: Vec<(usize, usize)> = (0..words.len()).map(|word| (word, word)).collect();
    for word in 0..words.len() {
        let mut at = word;
        while let Some(parent) = (words[at].head as usize).checked_sub(1) {
            reach[parent] = (reach[parent].0.min(word), reach[parent].1.max(word));
            at = parent;
        }
    }
    let of_word = |(head, word): (usize, &WordAnalysis)| {
        let facts = vocabulary.facts(word.spine);
        let mut extent = (head, head);
        let phrase = |(height, label): (usize, &str)| {
            for (dependant, under) in words.iter().enumerate() {
                if under.head as usize == head + 1 && facts.height(under.attachment) == Some(height) {
                    extent = (extent.0.min(reach[dependant].0), extent.1.max(reach[dependant].1));
                }
            }
            Phrase { head, label: label.to_owned(), first: extent.0, last: extent.1 }
        };
        vocabulary.labels(word.spine).enumerate().map(phrase).collect()
    };
    words.iter().enumerate().map(of_word).collect()
}
