//! Sentences in, trees out: score, decode, build.
//!
//! A [`Parser`] is what was learnt (shared, immutable) and a [`Scorer`]. Sentences are taken in blocks, sorted by length within a block and
//! scored a few at a time, which is when a scorer is fastest. Which sentences are scored together never depends on how many threads there
//! are, so neither does the answer.

use std::time::{Duration, Instant};

use rayon::prelude::*;
use tracebank_syntax::class::Structure;
use tracebank_syntax::graph::{self, Graph, Spine, SymbolId, Vertex, Word};
use tracebank_syntax::project::SpineType;
use tracebank_syntax::tree::Tree;

use crate::decode::{Decoder, Optimality, Settings};
use crate::gold::{Analysis, RestorationTable, build};
use crate::outcome::Outcome;
use crate::scores::SentenceScores;
use crate::vocabulary::{TagId, Vocabulary};

/// A sentence to be parsed.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Sentence {
    /// Its words, in Penn form (`-LRB-` for a bracket).
    pub words: Vec<String>,
    /// Their tags, where they are known.
    pub tags: Option<Vec<Option<String>>>,
}

impl Sentence {
    /// A sentence whose tags are not known.
    pub fn new(words: Vec<String>) -> Sentence {
        Sentence { words, tags: None }
    }
}

/// What a scorer is asked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Wanted {
    /// The number of the dialect to follow.
    pub dialect: usize,
    /// Whether references are to be scored: trees have none.
    pub references: bool,
}

/// Gives every part of a sentence its score.
pub trait Scorer: Send + Sync {
    /// The scores of sentences that are looked at together. None of them is empty.
    fn score(&self, sentences: &[&Sentence], wanted: Wanted) -> Vec<SentenceScores>;
}

impl<T: Scorer + ?Sized> Scorer for Box<T> {
    fn score(&self, sentences: &[&Sentence], wanted: Wanted) -> Vec<SentenceScores> {
        (**self).score(sentences, wanted)
    }
}

/// What was learnt beside the scores.
#[derive(Clone, PartialEq, Debug)]
pub struct Metadata {
    /// What there is to choose from.
    pub vocabulary: Vocabulary,
    /// What trees have that analyses do not.
    pub restoration: RestorationTable,
    /// How scores are weighed.
    pub settings: Settings,
    /// The dialects that the model knows.
    pub dialects: Vec<String>,
}

/// What is asked of a parse.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Options {
    /// The class of structures.
    pub structure: Structure,
    /// The dialect to follow.
    pub dialect: usize,
    /// Sentences with more words than this are not parsed.
    pub max_words: usize,
}

impl Default for Options {
    fn default() -> Options {
        Options { structure: Structure::OneEndpointCrossing, dialect: 0, max_words: 1000 }
    }
}

impl Options {
    /// What these ask of a scorer.
    pub fn wanted(&self) -> Wanted {
        Wanted { dialect: self.dialect, references: self.structure.has_traces() }
    }
}

/// How long the stages took. Scoring is shared by the sentences of a batch.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Times {
    /// Scores.
    pub score: Duration,
    /// The best analysis.
    pub decode: Duration,
    /// Its tree.
    pub build: Duration,
}

/// A parsed sentence.
#[derive(Clone, PartialEq, Debug)]
pub struct Parse {
    /// The tree, with traces and function tags.
    pub tree: Tree,
    /// Its graph.
    pub graph: Graph,
    /// The analysis it was built from; empty if the tree is flat.
    pub analysis: Analysis,
    /// What the analysis is worth.
    pub score: f32,
    /// The log-probability, or what is like one, of each word's spine, structural edge and attachment.
    pub confidence: Vec<f32>,
    /// How it came about.
    pub outcome: Outcome,
    /// How long it took.
    pub times: Times,
}

/// How many sentences are sorted by length together, and how many of them are scored together: at most so many, with at most so many words.
const BLOCK: usize = 256;
const BATCH_SENTENCES: usize = 16;
const BATCH_WORDS: usize = 400;

/// A parser.
#[derive(Clone, Debug)]
pub struct Parser<S> {
    /// What was learnt.
    pub metadata: Metadata,
    /// What gives the scores.
    pub scorer: S,
}

impl<S: Scorer> Parser<S> {
    /// Parses sentences on all threads of the current pool; the answers are in their order.
    pub fn parse(&self, sentences: &[Sentence], options: &Options) -> Vec<Parse> {
        let mut parses: Vec<Option<Parse>> = vec![None; sentences.len()];
        for (block, answers) in sentences.chunks(BLOCK).zip(parses.chunks_mut(BLOCK)) {
            let batches = batches(block, options.max_words);
            let found: Vec<Vec<Parse>> = batches
                .par_iter()
                .map_init(
                    || Decoder::new(&self.metadata.vocabulary, self.metadata.settings),
                    |decoder, batch| {
                        let sentences: Vec<&Sentence> = batch.iter().map(|&place| &block[place]).collect();
                        self.parse_batch(&sentences, options, decoder)
                    },
                )
                .collect();
            for (batch, found) in batches.iter().zip(found) {
                batch.iter().zip(found).for_each(|(&place, parse)| answers[place] = Some(parse));
            }
            for (sentence, answer) in block.iter().zip(answers) {
                answer.get_or_insert_with(|| flat(sentence, Outcome::TooLong));
            }
        }
        parses.into_iter().flatten().collect()
    }

    fn parse_batch(
        &self,
        sentences: &[&Sentence],
        options: &Options,
        decoder: &mut Decoder<'_>,
    ) -> Vec<Parse> {
        let start = Instant::now();
        let scores = self.scorer.score(sentences, options.wanted());
        let share = start.elapsed() / sentences.len().max(1) as u32;
        let each = sentences.iter().zip(scores);
        each.map(|(sentence, scores)| {
            let mut parse = self.parse_scored(sentence, &scores, options, decoder);
            parse.times.score = share;
            parse
        })
        .collect()
    }

    /// Parses a sentence whose scores are known.
    pub fn parse_scored(
        &self,
        sentence: &Sentence,
        scores: &SentenceScores,
        options: &Options,
        decoder: &mut Decoder<'_>,
    ) -> Parse {
        let Metadata { vocabulary, restoration, .. } = &self.metadata;
        let start = Instant::now();
        let tags: Option<Vec<Option<TagId>>> = sentence
            .tags
            .as_ref()
            .map(|tags| tags.iter().map(|tag| tag.as_ref().and_then(|tag| vocabulary.tag_id(tag))).collect());
        let decoded = decoder.decode(scores, options.structure, tags.as_deref());
        let decode = start.elapsed();
        let start = Instant::now();
        let built = build(&decoded.analysis, &sentence.words, vocabulary, restoration)
            .map_err(|_| ())
            .and_then(|mut graph| {
                graph.drop_repeated_phrases();
                Ok((graph::decode(&graph).map_err(|_| ())?, graph))
            });
        let Ok((tree, graph)) = built else { return flat(sentence, Outcome::Failed) };
        let confidence = decoded.analysis.words.iter().enumerate().map(|(index, word)| {
            let attachment =
                if word.head == 0 { 0.0 } else { scores.attachment(index, word.head, word.attachment) };
            scores.spine(index, word.spine) + scores.head(index, word.head) + attachment
        });
        Parse {
            confidence: confidence.collect(),
            tree,
            graph,
            score: decoded.score,
            analysis: decoded.analysis,
            outcome: match decoded.optimality {
                Optimality::Unproved => Outcome::Approximate,
                _ => Outcome::Exact,
            },
            times: Times { score: Duration::ZERO, decode, build: start.elapsed() },
        }
    }
}

/// The places of the sentences that are scored together, alike in length. Empty and overlong sentences are in none.
fn batches(block: &[Sentence], max_words: usize) -> Vec<Vec<usize>> {
    let length = |place: usize| block[place].words.len();
    let mut places: Vec<usize> =
        (0..block.len()).filter(|&place| (1..=max_words).contains(&length(place))).collect();
    places.sort_by_key(|&place| (length(place), place));
    let mut batches: Vec<Vec<usize>> = Vec::new();
    for place in places {
        match batches.last_mut() {
            Some(batch)
                if batch.len() < BATCH_SENTENCES && (batch.len() + 1) * length(place) <= BATCH_WORDS =>
            {
                batch.push(place);
            }
            _ => batches.push(vec![place]),
        }
    }
    batches
}

/// A tree in which every word hangs from the root. For an empty sentence it is the parse: a bracket cannot be empty, so a null stands in it.
fn flat(sentence: &Sentence, outcome: Outcome) -> Parse {
    let tag = |index: usize| sentence.tags.as_ref().and_then(|tags| tags.get(index)?.clone());
    let root = if sentence.words.is_empty() { "(())(0)" } else { "(())" };
    let root: SpineType = root.parse().expect("the outermost bracket is a spine");
    let words = sentence.words.iter().enumerate().map(|(index, form)| Word {
        form: form.clone(),
        tag: Some(tag(index).unwrap_or_else(|| "XX".to_owned())),
        spine: Spine::default(),
        head: Vertex::ROOT,
        attachment: Some(SymbolId(0)),
    });
    let graph = Graph { root: root.spine, words: words.collect(), ..Graph::default() };
    let outcome = if sentence.words.is_empty() { Outcome::Empty } else { outcome };
    Parse {
        tree: graph::decode(&graph).expect("words under a root are a tree"),
        graph,
        analysis: Analysis::default(),
        score: f32::NEG_INFINITY,
        confidence: vec![f32::NEG_INFINITY; sentence.words.len()],
        outcome,
        times: Times::default(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_empty_sentence_and_one_with_too_few_tags_have_a_tree() {
        let empty = flat(&Sentence::default(), Outcome::TooLong);
        assert_eq!(empty.tree.to_string(), "( (-NONE- 0))");
        assert_eq!(empty.outcome, Outcome::Empty);
        let tags = Some(vec![Some("DT".to_owned())]);
        let sentence = Sentence { words: vec!["a".to_owned(), "b".to_owned()], tags };
        assert_eq!(flat(&sentence, Outcome::Failed).tree.to_string(), "( (DT a) (XX b))");
    }

    #[test]
    fn sentences_of_like_length_are_scored_together() {
        let sentence = |length| Sentence::new(vec!["a".to_owned(); length]);
        let block: Vec<Sentence> = [30, 0, 2, 30, 2, 500, 1].map(sentence).into();
        assert_eq!(batches(&block, 100), [vec![6, 2, 4, 0, 3]]);
        let long: Vec<Sentence> = (0..20).map(|_| sentence(40)).collect();
        assert_eq!(batches(&long, 100).iter().map(Vec::len).collect::<Vec<_>>(), [10, 10]);
    }
}
