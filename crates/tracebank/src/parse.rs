//! A parsed sentence.

use std::ops::Range;

use tracebank_parser::outcome::Outcome;
use tracebank_parser::pipeline::{Answer, Times};
use tracebank_relations::Relation;
use tracebank_syntax::graph::{self, Graph};
use tracebank_syntax::tree::Tree;
use tracebank_text::{CharOffsets, Sentence};

use crate::nulls::{self, Null};

/// A word of a parsed sentence.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Token {
    /// As the tree has it: `-LRB-`, `n't`.
    pub text: String,
    /// Its part of speech.
    pub tag: String,
    /// Its bytes in [`Parse::text`].
    pub bytes: Range<usize>,
    /// Its characters there.
    pub chars: Range<usize>,
}

/// A parsed sentence.
#[derive(Clone, PartialEq, Debug)]
pub struct Parse {
    /// The sentence as it was written.
    pub text: String,
    /// At which byte of a longer text it begins.
    pub start: usize,
    /// Its words.
    pub tokens: Vec<Token>,
    /// The tree. Where there is no parse it is flat, under a phrase labelled `X-FAILED` or, without words, `X-EMPTY`.
    pub tree: Tree,
    /// The graph of spines and edges that the tree was made of.
    pub graph: Graph,
    /// The score of the analysis.
    pub score: f32,
    /// For each word, the log-probability (or what is like one) of its spine and its structural edge.
    pub confidence: Vec<f32>,
    /// The outcome.
    pub outcome: Outcome,
    /// The time it took.
    pub times: Times,
}

impl Parse {
    /// The answer to `sentence`.
    pub(crate) fn new(sentence: &Sentence, answer: Answer) -> Parse {
        Parse {
            tokens: tokens(sentence, &answer.graph),
            text: sentence.text.clone(),
            start: sentence.start,
            tree: answer.tree,
            graph: answer.graph,
            score: answer.score,
            confidence: answer.confidence,
            outcome: answer.outcome,
            times: answer.times,
        }
    }

    /// The answer to an input that could not be read.
    pub(crate) fn unreadable() -> Parse {
        let nothing = Sentence::default();
        Parse::new(&nothing, Answer::flat(&nothing, Outcome::Unreadable))
    }

    /// The words between two places, as they stand in the text.
    pub fn words(&self, tokens: Range<usize>) -> String {
        let (Some(first), Some(last)) =
            (self.tokens.get(tokens.start), self.tokens.get(tokens.end.wrapping_sub(1)))
        else {
            return String::new();
        };
        if tokens.is_empty() {
            return String::new();
        }
        let text = self.text.get(first.bytes.start..last.bytes.end).unwrap_or_default();
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    }

    /// The relations of the sentence: its predicates with their arguments, every null resolved.
    ///
    /// ```
    /// let parse = tracebank::Parser::embedded()?.parse("The company, which was bought by Google, wants to sell its plant.");
    /// let lines: Vec<String> = parse.relations().iter().map(|relation| relation.to_text(&parse.tree)).collect();
    /// assert_eq!(lines[0], "bought  subject=Google (by)  object=The company (which → trace)");
    /// # Ok::<(), tracebank::Error>(())
    /// ```
    pub fn relations(&self) -> Vec<Relation> {
        tracebank_relations::relations(&self.tree)
    }

    /// Every null element, from left to right, with what it stands for. The one that stands in the tree of an input without words is none:
    /// it only keeps its bracket from being empty.
    pub fn nulls(&self) -> Vec<Null> {
        if self.tokens.is_empty() {
            return Vec::new();
        }
        nulls::nulls(&self.tree, &|tokens| self.words(tokens))
    }
}

fn tokens(sentence: &Sentence, graph: &Graph) -> Vec<Token> {
    let chars = CharOffsets::new(&sentence.text);
    let pairs = sentence.tokens.iter().zip(&graph.words);
    let token = |(token, word): (&tracebank_text::Token, &graph::Word)| Token {
        text: token.text.clone(),
        tag: word.tag.clone().unwrap_or_default(),
        bytes: token.range(),
        chars: chars.at(token.start)..chars.at(token.end),
    };
    pairs.map(token).collect()
}
