//! Probabilities, brought from the parser's spines to the nodes of the tree.
//!
//! The parser knows a phrase by its head, its label and its words, and a null by the spine that has it. The tree may have been rewritten since, so
//! nodes are found by what they cover; what a rewrite has added has no probability.

use std::ops::Range;

use tracebank_parser::decode::{NullProbability, Probabilities};
use tracebank_syntax::tree::{Label, NodeId, NullElement, Slot, Tree};

use crate::nulls::Phrase;
use crate::parse::Parse;

/// An antecedent that a null may have.
#[derive(Clone, PartialEq, Debug)]
pub struct LikelyAntecedent {
    /// The token that heads it, counted from 0.
    pub head: usize,
    /// Its label; none if it is the word itself, or a null.
    pub label: Option<String>,
    /// Its tokens, if the tree has such a phrase.
    pub tokens: Option<Range<usize>>,
    /// The probability that the null is there and stands for it.
    pub probability: f32,
}

/// The probabilities of a tree's nodes, asked for from left to right.
pub(crate) struct Likelihood<'p> {
    probabilities: Option<&'p Probabilities>,
    /// The nulls that have been found already.
    used: Vec<bool>,
}

impl<'p> Likelihood<'p> {
    pub(crate) fn new(probabilities: Option<&'p Probabilities>) -> Likelihood<'p> {
        let nulls = probabilities.map_or(0, |known| known.nulls.len());
        Likelihood { probabilities, used: vec![false; nulls] }
    }

    /// The probability of a phrase with a category over some tokens.
    pub(crate) fn phrase(&self, category: &str, tokens: &Range<usize>) -> Option<f32> {
        let mut phrases = self.probabilities?.phrases.iter();
        phrases
            .find(|phrase| phrase.label == category && phrase.tokens == *tokens)
            .map(|phrase| phrase.probability)
    }

    /// The probability of a null of a kind, in a host and below a phrase, and its antecedents.
    pub(crate) fn null(
        &mut self,
        kind: &str,
        host: &Phrase,
        above: Option<&Phrase>,
    ) -> Option<(f32, Vec<LikelyAntecedent>)> {
        let known = self.probabilities?;
        let category = |phrase: &Phrase| Label::parse(&phrase.label).category().to_owned();
        let (label, above) = (category(host), above.map(category));
        let is_host = |null: &NullProbability| {
            let mut phrases = known.phrases.iter().filter(|phrase| phrase.head == null.head);
            phrases.any(|phrase| phrase.label == label && phrase.tokens == host.tokens)
        };
        let fits = |&place: &usize| {
            let null = &known.nulls[place];
            !self.used[place] && null.above == above && is_host(null)
        };
        // A dialect may call the null by another name.
        let fitting: Vec<usize> = (0..known.nulls.len()).filter(fits).collect();
        let named = fitting.iter().find(|&&place| known.nulls[place].kind == kind);
        let place = *named.or(fitting.first())?;
        self.used[place] = true;
        let null = &known.nulls[place];
        let antecedents = null.antecedents.iter().map(|antecedent| {
            let is_it = |label: &String| antecedent.label.as_ref() == Some(label);
            let mut phrases = known.phrases.iter();
            let phrase = phrases.find(|phrase| phrase.head == antecedent.head && is_it(&phrase.label));
            LikelyAntecedent {
                head: antecedent.head,
                label: antecedent.label.clone(),
                tokens: phrase.map(|phrase| phrase.tokens.clone()),
                probability: antecedent.probability,
            }
        });
        Some((null.probability, antecedents.collect()))
    }
}

/// Leaves out the nulls that are less likely than `least`, and the indices of those whose antecedent is.
pub(crate) fn leave_out_unlikely(parse: &mut Parse, least: f32) {
    let mut doubtful: Vec<NodeId> = Vec::new();
    let mut unbound: Vec<NodeId> = Vec::new();
    for null in parse.nulls() {
        let Some(probability) = null.probability else { continue };
        let antecedent = null.antecedent.as_ref().and_then(|phrase| {
            let mut likely = null.antecedents.iter();
            likely.find(|likely| {
                likely.tokens.as_ref().or(Some(&(likely.head..likely.head + 1))) == Some(&phrase.tokens)
            })
        });
        if probability < least {
            doubtful.push(null.node);
        } else if null.antecedent.is_some() && antecedent.is_none_or(|likely| likely.probability < least) {
            unbound.push(null.node);
        }
    }
    parse.model_tree = None;
    let tree = &mut parse.tree;
    for node in unbound {
        if let Some(NullElement { kind, .. }) = tree.null_element(node) {
            let bare = NullElement { kind, index: None }.text();
            tree.set_word(node, &bare);
        }
    }
    tree.prune_leaves(|_, leaf| doubtful.contains(&leaf));
    drop_lonely_indices(tree);
    tree.renumber();
}

/// Takes away the indices of phrases that no null and no gap shares.
fn drop_lonely_indices(tree: &mut Tree) {
    let nodes: Vec<NodeId> = tree.preorder(tree.top()).collect();
    let null_index = |node: &NodeId| tree.null_element(*node).and_then(|null| null.index);
    let gap = |node: &NodeId| tree.can_carry_index(*node).then(|| tree.label(*node).gap()).flatten();
    let wanted: Vec<u32> = nodes.iter().filter_map(|node| null_index(node).or_else(|| gap(node))).collect();
    for node in nodes {
        if !tree.can_carry_index(node) {
            continue;
        }
        let slots: Vec<Slot> = tree.label(node).slots().collect();
        let kept: Vec<Slot> = slots.iter().copied().filter(|slot| wanted.contains(&slot.number)).collect();
        if kept.len() < slots.len() {
            let label = Label::fill(&tree.label(node).stem(), &kept);
            tree.set_label(node, &label);
        }
    }
}
