//! Log-loss of the whole tree, by inside and outside sums.
//!
//! The structural part of an analysis (spines, parents, phrases) is a projective tree over (word, spine) pairs, and the chart sums over all
//! of them. On one edge the phrases of the parent's spine are summed over first, each edge by itself: that attachment sites must not fall along a side
//! is left to the decoder. The antecedents of nulls are chosen given their spines, each null by itself, as in [`local`](super::local).

use std::sync::Arc;

use tracebank_chart::{Class, Edge, EdgeKind, Grammar, Marginals, Node, Nodes, Request, Scores, Worker};

use super::local::{LEAST_SHARE, Local, choose_functions};
use super::{LossGradient, Objective, merged};
use tracebank_parser::decode::{Settings, likely};
use tracebank_parser::gold::Gold;
use tracebank_parser::scores::{Part, Parts, SentenceScores, log_sum, parts_of_gold};
use tracebank_parser::vocabulary::{AttachmentId, SpineId, Vocabulary};

/// -log of the probability of the gold tree, and of its traces given its spines.
#[derive(Debug)]
pub struct Crf<'m> {
    vocabulary: &'m Vocabulary,
    local: Local<'m>,
    worker: Worker,
    grammar: Arc<Grammar>,
    /// Says which spines of a word are summed over; the gold one always is.
    settings: Settings,
}

impl<'m> Crf<'m> {
    /// The objective for a vocabulary.
    pub fn new(vocabulary: &'m Vocabulary, settings: Settings) -> Crf<'m> {
        Crf {
            vocabulary,
            local: Local::new(vocabulary, settings.unmet_penalty),
            worker: Worker::with_limit(settings.pruning.chart_bytes),
            grammar: Grammar::of(Class::PROJECTIVE_TREE),
            settings,
        }
    }
}

impl Objective for Crf<'_> {
    fn gradient(&mut self, scores: SentenceScores, gold: &Gold) -> LossGradient {
        let problem = gold.complete().map(|_| Forest::new(&scores, gold, self.vocabulary, &self.settings));
        let solved = problem.and_then(|forest| {
            let request = Request::new(&forest.parts);
            let marginals = self.worker.marginals(&self.grammar, &request).ok()?;
            Some((forest, marginals))
        });
        // What the vocabulary lacks, or what is too long for the chart, is still learnt from choice by choice.
        let Some((forest, marginals)) = solved else { return self.local.gradient(scores, gold) };
        let structural =
            |part: &Part| matches!(part, Part::Spine(..) | Part::Head(..) | Part::Attachment(..));
        let right: Vec<Part> = parts_of_gold(gold).into_iter().filter(structural).collect();
        let gold_score: f64 = right.iter().map(|&part| f64::from(scores.part(part))).sum();
        let mut parts = forest.parts(&marginals);
        parts.extend(right.into_iter().map(|part| (part, -1.0)));
        let mut parts = merged(parts);
        parts.retain(|&(_, share)| share.abs() > LEAST_SHARE);
        let mut gradient = LossGradient { loss: marginals.log_total - gold_score, parts };
        choose_functions(&scores, gold, &mut gradient);
        self.local.traces(&scores, gold, &mut gradient);
        gradient
    }
}

/// A parent, as a word and as a node, and its phrases with their scores; the root has one without a name.
type Parent = (u32, Node, Vec<(Option<AttachmentId>, f32)>);

/// All trees over the likely spines of a sentence.
struct Forest<'a> {
    scores: &'a SentenceScores,
    vocabulary: &'a Vocabulary,
    spines: Vec<Vec<SpineId>>,
    parts: Scores,
}

impl<'a> Forest<'a> {
    fn new(
        scores: &'a SentenceScores,
        gold: &Gold,
        vocabulary: &'a Vocabulary,
        settings: &Settings,
    ) -> Forest<'a> {
        let spines_of = |word: usize| {
            let mut spines = likely(scores.spines.row(word), &settings.pruning);
            spines.extend(gold.spines[word].filter(|right| !spines.contains(right)));
            spines
        };
        let spines: Vec<Vec<SpineId>> = (0..scores.words()).map(spines_of).collect();
        let nodes = Nodes::new(spines.iter().map(Vec::len));
        let mut forest = Forest { scores, vocabulary, parts: Scores::new(nodes, f32::NEG_INFINITY), spines };
        forest.fill();
        forest
    }

    fn fill(&mut self) {
        let nodes = self.parts.nodes().clone();
        for (word, spines) in self.spines.iter().enumerate() {
            for (node, &spine) in nodes.of_word(word).zip(spines) {
                self.parts[Node(node as u32)] = self.scores.spine(word, spine);
            }
        }
        self.parts[nodes.root()] = 0.0;
        for word in 0..self.scores.words() {
            for (head, parent, phrases) in self.parents(word) {
                let score = self.scores.head(word, head) + log_sum(phrases.iter().map(|&(_, score)| score));
                for to in nodes.of_word(word) {
                    let edge = Edge { from: parent, to: Node(to as u32), kind: EdgeKind::Structural };
                    self.parts[edge] = score;
                }
            }
        }
    }

    /// The parents that a word can hang from.
    fn parents(&self, word: usize) -> Vec<Parent> {
        let nodes = self.parts.nodes();
        let mut parents = vec![(0, nodes.root(), vec![(None, 0.0)])];
        for (parent, spines) in self.spines.iter().enumerate().filter(|&(parent, _)| parent != word) {
            let head = parent as u32 + 1;
            let row = self.scores.attachments(word, head);
            for (node, &spine) in nodes.of_word(parent).zip(spines) {
                let phrases = self.vocabulary.facts(spine).phrases.iter().flatten();
                let phrases = phrases.map(|&phrase| (Some(phrase), row[phrase.index()])).collect();
                parents.push((head, Node(node as u32), phrases));
            }
        }
        parents.retain(|&(head, ..)| self.scores.head(word, head).is_finite());
        parents
    }

    /// The share of each part in all trees.
    fn parts(&self, marginals: &Marginals) -> Parts {
        let nodes = self.parts.nodes();
        let mut parts = Vec::new();
        for (word, spines) in self.spines.iter().enumerate() {
            let index = word as u32;
            for (node, &spine) in nodes.of_word(word).zip(spines) {
                parts.push((Part::Spine(index, spine), marginals.table[Node(node as u32)]));
            }
            for (head, from, phrases) in self.parents(word) {
                let edge = |to: usize| Edge { from, to: Node(to as u32), kind: EdgeKind::Structural };
                let share: f32 = nodes.of_word(word).map(|to| marginals.table[edge(to)]).sum();
                if share > LEAST_SHARE {
                    parts.push((Part::Head(index, head), share));
                    let total = log_sum(phrases.iter().map(|&(_, score)| score));
                    for (phrase, score) in phrases {
                        let part = phrase.map(|phrase| Part::Attachment(index, head, phrase));
                        parts.extend(part.map(|part| (part, share * (score - total).exp())));
                    }
                }
            }
        }
        parts
    }
}
