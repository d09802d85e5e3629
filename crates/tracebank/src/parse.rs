//! What a parser answers.

use std::ops::Range;
use std::sync::LazyLock;

use tracebank_parser::outcome::Outcome;
use tracebank_parser::pipeline::{self, Times};
use tracebank_syntax::dialect::{self, Rewrite};
use tracebank_syntax::graph::{self, Graph, Targets};
use tracebank_syntax::heads::HeadTable;
use tracebank_syntax::tree::{NULL_TAG, Tree};
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
    /// The same in characters.
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
    /// What the analysis is worth.
    pub score: f32,
    /// For each word, the log-probability (or what is like one) of its spine and its structural edge.
    pub confidence: Vec<f32>,
    /// How it came about.
    pub outcome: Outcome,
    /// How long it took.
    pub times: Times,
}

impl Parse {
    /// The answer to `sentence`, rewritten.
    pub(crate) fn new(sentence: Sentence, parse: pipeline::Parse, rewrites: &[Rewrite]) -> Parse {
        let outcome = parse.outcome;
        if outcome.mark().is_some() {
            return Parse::without_tree(sentence, outcome);
        }
        let (graph, tree) = dialect::rewrite(parse.graph, parse.tree, rewrites);
        Parse {
            tokens: tokens(&sentence, &graph),
            text: sentence.text,
            start: sentence.start,
            tree,
            graph,
            score: parse.score,
            confidence: parse.confidence,
            outcome,
            times: parse.times,
        }
    }

    /// The answer to a sentence that has no parse.
    pub(crate) fn without_tree(sentence: Sentence, outcome: Outcome) -> Parse {
        let tree = flat(&sentence, outcome.mark().unwrap_or_default());
        let graph = graph::encode(&tree, &HEADS, Targets::Referent);
        Parse {
            tokens: tokens(&sentence, &graph),
            confidence: vec![f32::NEG_INFINITY; sentence.tokens.len()],
            text: sentence.text,
            start: sentence.start,
            tree,
            graph,
            score: f32::NEG_INFINITY,
            outcome,
            times: Times::default(),
        }
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

    /// Every null element, from left to right, with what it stands for.
    pub fn nulls(&self) -> Vec<Null> {
        nulls::nulls(&self.tree, &|tokens| self.words(tokens))
    }
}

/// Heads for trees that did not come from a parser.
static HEADS: LazyLock<HeadTable> =
    LazyLock::new(|| HeadTable::named("penn").expect("the table comes with the crate"));

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

/// All words under one phrase; a null element if there is no word, for nobody can read a bracket with nothing in it.
fn flat(sentence: &Sentence, label: &str) -> Tree {
    let mut tree = Tree::with_top("");
    let phrase = tree.push_phrase(tree.top(), label);
    for (index, token) in sentence.tokens.iter().enumerate() {
        let tag = sentence.tags.get(index);
        tree.push_token(phrase, tag.map_or("XX", String::as_str), &token.text);
    }
    if sentence.tokens.is_empty() {
        tree.push_token(phrase, NULL_TAG, "0");
    }
    tree
}
