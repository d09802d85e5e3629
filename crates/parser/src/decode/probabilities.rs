//! Probabilities of an answer: of the whole of it, of its phrases, its nulls and their antecedents.
//!
//! All are shares of the [distribution](super::marginals) over the analyses that decoding looks at. A phrase is there in many trees; their sum is that
//! of the trees in which nothing that would break the phrase is permitted.

use std::ops::Range;

use tracebank_chart::Node;
use tracebank_chart::sites::{SiteScores, Slot};
use tracebank_syntax::class::Structure;
use tracebank_syntax::project::Site;

use super::candidates::Candidates;
use super::distribution::{heated, summed_over};
use super::relaxed::Relaxed;
use super::{Decoder, Marginals, Ranked, Shares};
use crate::gold::{Analysis, WordAnalysis};
use crate::scores::{Part, SentenceScores};
use crate::vocabulary::Vocabulary;

/// The probabilities of an answer.
#[derive(Clone, PartialEq, Debug)]
pub struct Probabilities {
    /// That of the whole analysis.
    pub analysis: f32,
    /// Those of its phrases, by head and from the lowest to the highest.
    pub phrases: Vec<PhraseProbability>,
    /// Those of the nulls in its spines, by word.
    pub nulls: Vec<NullProbability>,
    /// The logarithm of the sum that all are shares of.
    pub log_total: f64,
}

/// The probability that a word heads a phrase with a label over some words.
#[derive(Clone, PartialEq, Debug)]
pub struct PhraseProbability {
    /// The word, from 0.
    pub head: usize,
    /// The label, without function tags.
    pub label: String,
    /// The words of the phrase.
    pub tokens: Range<usize>,
    /// The probability.
    pub probability: f32,
}

/// The probability that the spine of a word has a null.
#[derive(Clone, PartialEq, Debug)]
pub struct NullProbability {
    /// The word, from 0.
    pub head: usize,
    /// The type of the null: `*T*`.
    pub kind: String,
    /// The label of the null phrase above it, if there is one.
    pub above: Option<String>,
    /// The probability.
    pub probability: f32,
    /// The antecedents it may have, the likeliest first; what is left of its probability is that it has none.
    pub antecedents: Vec<AntecedentProbability>,
}

/// The probability that a null is there and has an antecedent.
#[derive(Clone, PartialEq, Debug)]
pub struct AntecedentProbability {
    /// The word whose spine has the antecedent, from 0.
    pub head: usize,
    /// The label of the antecedent; none if it is the word itself or a null.
    pub label: Option<String>,
    /// The probability.
    pub probability: f32,
}

/// The least probability that is told.
const LEAST: f32 = 1e-3;

impl Decoder<'_> {
    /// The probability of an analysis with this score, as a share of a sum.
    pub fn probability(&self, score: f32, log_total: f64) -> f32 {
        (f64::from(score / self.settings.temperature) - log_total).exp().min(1.0) as f32
    }

    /// The probabilities of an answer, over the candidates that decoding looks at; none if there is no tree, or no room
    /// for the sums over all.
    pub fn probabilities(
        &mut self,
        scores: &SentenceScores,
        structure: Structure,
        answer: &Ranked,
    ) -> Option<Probabilities> {
        let candidates = Candidates::choose(scores, self.vocabulary, &self.settings, structure);
        let knowledge = (self.vocabulary, self.valency);
        let mut relaxed = heated(scores, knowledge, &self.settings, &candidates.of_words);
        let (nodes, slots) = (relaxed.sites.nodes(), relaxed.sites.slots());
        if !Shares::of(&self.settings.pruning).hold_sums(nodes.words(), nodes.len(), slots) {
            return None;
        }
        if self.solver.sites.best(&relaxed.sites).is_none() {
            relaxed.sites.single_root = false;
        }
        let marginals = summed_over(&mut self.solver.sites, &relaxed, LEAST)?;
        let shifts = self.solver.sites.shifts(&relaxed.sites)?;
        let mut phrases = phrases_of(&answer.analysis, self.vocabulary);
        for phrase in &mut phrases {
            let ways = phrase.ways(&relaxed, self.vocabulary);
            let shares = ways.map(|(sign, sites)| {
                sign * (self.solver.sites.log_total(&sites, &shifts) - marginals.log_total).exp()
            });
            phrase.probability = shares.sum::<f64>().clamp(0.0, 1.0) as f32;
        }
        let nulls = nulls_of(&answer.analysis, self.vocabulary, &marginals);
        let analysis = self.probability(answer.score, marginals.log_total);
        Some(Probabilities { analysis, phrases, nulls, log_total: marginals.log_total })
    }
}

impl PhraseProbability {
    /// The problems over which the trees with this phrase are summed, each with its sign.
    ///
    /// There is one for each spine of the head and each phrase of it with the label. Two such phrases of a spine may be over the same words, one
    /// right above the other: those trees would count twice, so they are taken off once.
    fn ways<'r>(
        &'r self,
        relaxed: &'r Relaxed<'_>,
        vocabulary: &'r Vocabulary,
    ) -> impl Iterator<Item = (f64, SiteScores)> + 'r {
        let nodes = relaxed.sites.nodes().of_word(self.head).map(|node| Node(node as u32));
        nodes.flat_map(move |node| {
            let labels = vocabulary.labels(relaxed.candidate(node).spine);
            let slots = relaxed.sites.slots_of(node).zip(labels).filter(|(_, label)| *label == self.label);
            let slots: Vec<usize> = slots.map(|(slot, _)| slot).collect();
            let pairs: Vec<(f64, usize, usize)> =
                slots.windows(2).map(|pair| (-1.0, pair[0], pair[1])).collect();
            let ways = slots.into_iter().map(|slot| (1.0, slot, slot)).chain(pairs);
            ways.map(move |(sign, low, high)| (sign, self.only(relaxed, node, low, high)))
        })
    }

    /// The trees in which this phrase is that of the slot `low` of the head, and of all up to `high`: the words in it hang inside, at the head no
    /// higher than `low`; those outside hang outside, or at the head above `high`.
    fn only(&self, relaxed: &Relaxed<'_>, head: Node, low: usize, high: usize) -> SiteScores {
        let mut sites = relaxed.sites.clone();
        let nodes = relaxed.sites.nodes();
        for other in nodes.of_word(self.head).filter(|&node| node != head.index()) {
            *sites.spine_mut(Node(other as u32)) = f32::NEG_INFINITY;
        }
        for node in (0..nodes.len()).map(|node| Node(node as u32)) {
            let is_inside = self.tokens.contains(&nodes.word(node));
            for slot in relaxed.sites.slots_of(node) {
                let is_low = is_inside && (node != head || slot <= low);
                let is_high = !is_inside || (node == head && slot > high);
                for word in 0..nodes.words() {
                    let wanted = match self.tokens.contains(&word) {
                        _ if word == self.head => !is_inside,
                        true => is_low,
                        false => is_high,
                    };
                    if !wanted {
                        *sites.edge_mut(word, Slot(slot as u32)) = f32::NEG_INFINITY;
                    }
                }
            }
        }
        sites
    }
}

/// The phrases of an analysis, by word and from the bottom of its spine to the top, without their probabilities.
fn phrases_of(analysis: &Analysis, vocabulary: &Vocabulary) -> Vec<PhraseProbability> {
    let words = &analysis.words;
    let mut reach: Vec<Range<usize>> = (0..words.len()).map(|word| word..word + 1).collect();
    for word in 0..words.len() {
        let mut at = word;
        while let Some(parent) = (words[at].head as usize).checked_sub(1) {
            reach[parent] = reach[parent].start.min(word)..reach[parent].end.max(word + 1);
            at = parent;
        }
    }
    let mut phrases = Vec::new();
    for (head, WordAnalysis { spine, .. }) in words.iter().enumerate() {
        let facts = vocabulary.facts(*spine);
        let mut tokens = head..head + 1;
        for (height, label) in vocabulary.labels(*spine).enumerate() {
            for (dependant, under) in words.iter().enumerate() {
                if under.head as usize == head + 1 && facts.height(under.attachment) == Some(height) {
                    let Range { start, end } = reach[dependant];
                    tokens = tokens.start.min(start)..tokens.end.max(end);
                }
            }
            let (label, tokens) = (label.to_owned(), tokens.clone());
            phrases.push(PhraseProbability { head, label, tokens, probability: 0.0 });
        }
    }
    phrases
}

/// The nulls of an analysis.
fn nulls_of(analysis: &Analysis, vocabulary: &Vocabulary, marginals: &Marginals) -> Vec<NullProbability> {
    let mut nulls = Vec::new();
    for (head, word) in analysis.words.iter().enumerate() {
        for (site, nth) in vocabulary.sites(word.spine) {
            let Site::Null { above, kind } = site else { continue };
            let has_it = |spine| vocabulary.sites(spine).any(|other| other == (site, nth));
            let mut probability = 0.0;
            let mut antecedents: Vec<AntecedentProbability> = Vec::new();
            for &(part, share) in &marginals.parts {
                match part {
                    Part::Spine(word, spine) if word as usize == head && has_it(spine) => {
                        probability += share;
                    }
                    Part::Trace(trace) if trace.referrer as usize == head + 1 => {
                        let label = vocabulary.trace(trace.label);
                        if (&label.from.site, label.from.nth) != (site, nth) {
                            continue;
                        }
                        let phrase = match &label.to.site {
                            Site::Phrase(label) | Site::NullPhrase(label) => Some(label.clone()),
                            Site::Word | Site::Null { .. } => None,
                        };
                        let place = (trace.antecedent as usize - 1, phrase);
                        match antecedents
                            .iter_mut()
                            .find(|known| (known.head, &known.label) == (place.0, &place.1))
                        {
                            Some(known) => known.probability += share,
                            None => antecedents.push(AntecedentProbability {
                                head: place.0,
                                label: place.1,
                                probability: share,
                            }),
                        }
                    }
                    _ => {}
                }
            }
            antecedents.sort_by(|a, b| b.probability.total_cmp(&a.probability).then(a.head.cmp(&b.head)));
            nulls.push(NullProbability {
                head,
                kind: kind.clone(),
                above: above.clone(),
                probability: probability.min(1.0),
                antecedents,
            });
        }
    }
    nulls
}
