//! A parsed sentence, or one whose tree was given.

use std::ops::Range;

use tracebank_parser::decode::{CandidateScope, Probabilities};
use tracebank_parser::gold::Analysis;
use tracebank_parser::outcome::Outcome;
use tracebank_parser::pipeline::{Alternative, Answer, Times};
use tracebank_relations::{Reading, Relation, ud};
use tracebank_syntax::graph::{self, Graph, Targets};
use tracebank_syntax::heads::HeadTable;
use tracebank_syntax::tree::Tree;
use tracebank_text::{CharOffsets, Sentence};

use crate::likelihood::Likelihood;
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
    /// The byte of a longer text at which it begins.
    pub start: usize,
    /// The character of that text at which it begins.
    pub start_char: usize,
    /// Its words.
    pub tokens: Vec<Token>,
    /// The tree. Where there is no parse it is flat, under a phrase labelled `X-FAILED` or, without words, `X-EMPTY`.
    pub tree: Tree,
    /// The tree in the dialect that the model followed, where `tree` is that one rewritten into another. It has what the other leaves out, such as
    /// the structure inside noun phrases that Penn does not mark, so dependencies are read off it; see [`Parse::to_conllu`].
    pub model_tree: Option<Tree>,
    /// The graph of spines and edges that the tree was made of.
    pub graph: Graph,
    /// The score of the analysis.
    pub score: f32,
    /// For each word, the log-probability (or what is like one) of its spine and its structural edge.
    pub confidence: Vec<f32>,
    /// The best trees, this one first, if [asked for](crate::Options::alternatives). No two are the same.
    pub alternatives: Vec<Alternative>,
    /// The probabilities of the answer's parts, if [asked for](crate::Options::probabilities).
    pub probabilities: Option<Probabilities>,
    /// The outcome.
    pub outcome: Outcome,
    /// The candidates that the answer was chosen from; none where there is no parse.
    pub candidates: Option<CandidateScope>,
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
            start_char: sentence.start_char,
            tree: answer.tree,
            model_tree: answer.model_tree,
            graph: answer.graph,
            score: answer.score,
            confidence: answer.confidence,
            alternatives: answer.alternatives,
            probabilities: answer.probabilities,
            outcome: answer.outcome,
            candidates: answer.candidates,
            times: answer.times,
        }
    }

    /// The answer to an input that could not be read.
    pub fn unreadable() -> Parse {
        let nothing = Sentence::default();
        Parse::new(&nothing, Answer::flat(&nothing, Outcome::Unreadable))
    }

    /// The parse that a tree in the project's dialect stands for, so that a treebank has all that a parse has: relations, JSON, dependencies.
    /// Its text is its words with blanks between them.
    ///
    /// ```
    /// use tracebank::Parse;
    /// let tree = "( (SBARQ (WHNP-1 (WP Who)) (SQ (NP-SBJ (-NONE- *T*-1)) (VP (VBD left))) (. ?)))".parse()?;
    /// let parse = Parse::of_tree(tree);
    /// assert_eq!(parse.nulls()[0].describe(), "*T*-1 = Who, subject of left");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn of_tree(tree: Tree) -> Parse {
        let heads = HeadTable::named("penn").expect("the table comes with the crate");
        let graph = graph::encode(&tree, &heads, Targets::Referent);
        let plain: Vec<String> = tree.words().map(ud::plain).collect();
        let mut sentence = Sentence::of_words(&plain);
        for (token, word) in sentence.tokens.iter_mut().zip(tree.words()) {
            word.clone_into(&mut token.text);
        }
        let confidence = vec![f32::NEG_INFINITY; sentence.tokens.len()];
        Parse::new(
            &sentence,
            Answer {
                tree,
                model_tree: None,
                graph,
                analysis: Analysis::default(),
                score: f32::NEG_INFINITY,
                confidence,
                alternatives: Vec::new(),
                probabilities: None,
                outcome: Outcome::Given,
                candidates: None,
                times: Times::default(),
            },
        )
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
        self.reading().relations
    }

    /// Every null element, from left to right, with its antecedent, its role and the words it stands for.
    ///
    /// ```
    /// let parse = tracebank::Parser::embedded()?.parse("Which book did she want to buy?");
    /// let null = &parse.nulls()[1];
    /// assert_eq!(null.describe(), "*T*-1 = Which book, object of buy");
    /// assert_eq!((null.role, null.predicate), (Some("object"), Some(6)));
    /// # Ok::<(), tracebank::Error>(())
    /// ```
    pub fn nulls(&self) -> Vec<Null> {
        self.nulls_of(&self.reading())
    }

    pub(crate) fn nulls_of(&self, reading: &Reading) -> Vec<Null> {
        let likelihood = Likelihood::new(self.probabilities.as_ref());
        nulls::nulls(&self.tree, &reading.nulls, likelihood, &|tokens| self.words(tokens))
    }

    /// The relations and the nulls; a placeholder is neither.
    pub(crate) fn reading(&self) -> Reading {
        if self.has_parse() { Reading::of(&self.tree) } else { Reading::default() }
    }

    /// Whether its tree is more than a flat one over words without a parse.
    pub(crate) fn has_parse(&self) -> bool {
        self.outcome.mark().is_none()
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
