//! Null elements of a tree, each with its antecedent, its place and its reading.

use std::ops::Range;

use tracebank_relations::{Filler, NullReading};
use tracebank_syntax::tree::{Antecedents, NodeId, Tree};

use crate::likelihood::{Likelihood, LikelyAntecedent};

/// A phrase, or a word, of the tree.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Phrase {
    /// Its node in the tree.
    pub node: NodeId,
    /// Its label, with function tags and without indices; the tag of a word.
    pub label: String,
    /// Its tokens, counted from 0.
    pub tokens: Range<usize>,
    /// Those tokens as they stand in the text.
    pub words: String,
}

/// A null element, or (as kind `=`) a phrase that fills a gap.
#[derive(Clone, PartialEq, Debug)]
pub struct Null {
    /// Its node in the tree.
    pub node: NodeId,
    /// Its type: `*T*`, `*`, `0`, `*U*`, …; `=` for a phrase that fills a gap.
    pub kind: String,
    /// The number it shares with its antecedent.
    pub index: Option<u32>,
    /// The phrase right above it, if that holds no word. Of a gap, the phrase itself.
    pub phrase: Option<Phrase>,
    /// The token before which it stands, counted from 0; behind the last token it is their number.
    pub before: usize,
    /// The lowest phrase around it that holds a word.
    pub host: Phrase,
    /// The phrase it stands for; that may be another null, whose `tokens` are then an empty range.
    pub antecedent: Option<Phrase>,
    /// The phrase at the end of the chain of antecedents, if that holds a word.
    pub overt: Option<Phrase>,
    /// Its role: `object`; none if it is no argument.
    pub role: Option<&'static str>,
    /// The token of the predicate to which it has that role.
    pub predicate: Option<usize>,
    /// The words it stands for, behind all pronouns and nulls.
    pub filler: Option<Filler>,
    /// The reason why it is no argument, where it is none.
    pub reason: Option<&'static str>,
    /// The probability that it is there, if [asked for](crate::Options::probabilities).
    pub probability: Option<f32>,
    /// The antecedents that it may have, the likeliest first, if asked for.
    pub antecedents: Vec<LikelyAntecedent>,
    description: String,
}

impl Null {
    /// A description in words: `*T*-1 = Which book, object of buy`.
    pub fn describe(&self) -> &str {
        &self.description
    }
}

/// A tree with what is asked about its nodes again and again.
struct Scene<'a> {
    tree: &'a Tree,
    /// For each node, its tokens.
    spans: Vec<Range<usize>>,
    antecedents: Antecedents,
    /// The text of a range of tokens.
    show: &'a dyn Fn(Range<usize>) -> String,
}

/// The null elements of `tree`, whose readings are given. `show` gives a range of tokens as it stands in the text.
pub(crate) fn nulls(
    tree: &Tree,
    readings: &[NullReading],
    mut likelihood: Likelihood<'_>,
    show: &dyn Fn(Range<usize>) -> String,
) -> Vec<Null> {
    let scene = Scene { tree, spans: tree.word_spans(), antecedents: tree.antecedents(), show };
    readings.iter().map(|reading| scene.null(reading, &mut likelihood)).collect()
}

impl Scene<'_> {
    fn span(&self, node: NodeId) -> Range<usize> {
        self.spans[node.index()].clone()
    }

    fn phrase(&self, node: NodeId) -> Phrase {
        let tokens = self.span(node);
        Phrase { node, label: self.tree.label(node).stem(), words: (self.show)(tokens.clone()), tokens }
    }

    /// The lowest node above `node` that holds a word; the top if none does.
    fn host(&self, node: NodeId) -> NodeId {
        let mut above = self.tree.ancestors(node);
        above.find(|&above| !self.span(above).is_empty()).unwrap_or(self.tree.top())
    }

    fn null(&self, reading: &NullReading, likelihood: &mut Likelihood<'_>) -> Null {
        let node = reading.node;
        let (kind, index, phrase) = match self.tree.null_element(node) {
            Some(null) => {
                (null.kind, null.index, self.tree.parent(node).filter(|&above| self.span(above).is_empty()))
            }
            None => ("=", self.tree.label(node).gap(), Some(node)),
        };
        let antecedent = index.and_then(|index| self.antecedents.get(index));
        let end = antecedent.map(|first| self.end_of_chain(first));
        let (phrase, host) = (phrase.map(|node| self.phrase(node)), self.phrase(self.host(node)));
        let likely = likelihood.null(kind, &host, phrase.as_ref());
        let (probability, antecedents) = likely.unzip();
        Null {
            node,
            kind: kind.to_owned(),
            index,
            phrase,
            before: self.span(node).start,
            host,
            probability,
            antecedents: antecedents.unwrap_or_default(),
            antecedent: antecedent.map(|node| self.phrase(node)),
            overt: end.filter(|&end| !self.span(end).is_empty()).map(|end| self.phrase(end)),
            role: reading.role.as_ref().map(|(role, ..)| *role),
            predicate: reading.role.as_ref().map(|(_, predicate, _)| *predicate),
            filler: reading.filler.clone(),
            reason: reading.reason,
            description: reading.describe(self.tree, self.show),
        }
    }

    /// Follows the indices of nulls from antecedent to antecedent.
    fn end_of_chain(&self, first: NodeId) -> NodeId {
        self.antecedents.end_of_chain(first, |node| {
            let nulls = self.tree.leaves(node).filter_map(|leaf| self.tree.null_element(leaf)?.index);
            if self.span(node).is_empty() { nulls.last() } else { None }
        })
    }
}
