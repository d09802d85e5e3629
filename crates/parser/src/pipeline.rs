//! The pipeline: sentences in, trees out; score, decode, build, rewrite.
//!
//! A [`Pipeline`] is a model at work: its metadata and its scorer, immutable and shared. Sentences are taken in blocks, sorted by length within
//! a block and scored a few at a time, which is when a scorer is fastest. Which sentences are scored together never depends on how many
//! threads there are, so neither does the answer.

use std::borrow::Borrow;
use std::sync::LazyLock;
use std::time::Duration;

use rayon::prelude::*;
use tracebank_syntax::class::Structure;
use tracebank_syntax::dialect::{Rewrite, rewrite};
use tracebank_syntax::graph::text::{check_form, check_tag};
use tracebank_syntax::graph::{self, Graph, Targets};
use tracebank_syntax::heads::HeadTable;
use tracebank_syntax::tree::{NULL_TAG, Tree};
use tracebank_text::Sentence;

use crate::clock::Stopwatch;
use crate::decode::{CandidateScope, Decoder, Optimality, Probabilities, Ranked, Settings, Shares};
use crate::gold::{Analysis, build};
use crate::model::Metadata;
use crate::outcome::Outcome;
use crate::progress::Progress;
use crate::scores::{ScoreRequest, Scorer, SentenceScores};
use crate::vocabulary::TagId;

/// A request for parses.
#[derive(Clone, PartialEq, Debug)]
pub struct Request {
    /// The class of structures.
    pub structure: Structure,
    /// The number of the dialect to follow, among those of the model.
    pub dialect: usize,
    /// The most words of a sentence that is parsed.
    pub max_words: usize,
    /// The settings of the decoder; those of the model unless given.
    pub settings: Option<Settings>,
    /// The rewrites of every answer.
    pub rewrites: Vec<Rewrite>,
    /// The number of [alternatives](Answer::alternatives) that are asked for; 0 for none beside the answer.
    pub alternatives: usize,
    /// Whether the [probabilities](Answer::probabilities) of the answer's parts are asked for.
    pub probabilities: bool,
}

impl Default for Request {
    fn default() -> Request {
        Request {
            structure: Structure::OneEndpointCrossing,
            dialect: 0,
            max_words: 1000,
            settings: None,
            rewrites: Vec::new(),
            alternatives: 0,
            probabilities: false,
        }
    }
}

/// The time of the stages. Scoring is shared by the sentences of a batch.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Times {
    /// Scoring.
    pub score: Duration,
    /// Decoding.
    pub decode: Duration,
    /// Building the tree.
    pub build: Duration,
}

/// The answer to a sentence.
#[derive(Clone, PartialEq, Debug)]
pub struct Answer {
    /// The tree, with traces and function tags; flat where there is no parse.
    pub tree: Tree,
    /// The tree in the dialect that the model was told to follow, where `tree` is that one rewritten into another; it has all that the model says.
    pub model_tree: Option<Tree>,
    /// The graph of spines and edges that the tree was made of.
    pub graph: Graph,
    /// The analysis that the graph was built from; empty where there is no parse.
    pub analysis: Analysis,
    /// The score of the analysis.
    pub score: f32,
    /// For each word, the log-probability (or what is like one) of its spine, its structural edge and its attachment.
    pub confidence: Vec<f32>,
    /// The best trees, the answer's first, if they were asked for. No two are the same.
    pub alternatives: Vec<Alternative>,
    /// The probabilities of the analysis and its parts, if they were asked for.
    pub probabilities: Option<Probabilities>,
    /// The outcome.
    pub outcome: Outcome,
    /// The candidates that it was chosen from; none where there is no parse.
    pub candidates: Option<CandidateScope>,
    /// The time it took.
    pub times: Times,
}

/// One of the best trees of a sentence.
#[derive(Clone, PartialEq, Debug)]
pub struct Alternative {
    /// The tree.
    pub tree: Tree,
    /// The score of its best analysis.
    pub score: f32,
    /// The probability of its analyses, as far as they are among the best.
    pub probability: f32,
}

/// The number of sentences that are sorted by length together.
const BLOCK: usize = 256;
/// The most sentences that are scored together, and the most words they have, counted as the longest of them. What one layer of a network hands to the
/// next stays in a core's own cache then, for the most part.
const BATCH_SENTENCES: usize = 16;
const BATCH_WORDS: usize = 200;

/// A model at work.
#[derive(Clone, Debug)]
pub struct Pipeline<S> {
    /// The metadata of the model.
    pub metadata: Metadata,
    /// The scorer.
    pub scorer: S,
}

impl<S: Scorer> Pipeline<S> {
    /// Parses sentences on all threads of the current pool; the answers are in their order.
    pub fn parse<T: Borrow<Sentence> + Sync>(&self, sentences: &[T], request: &Request) -> Vec<Answer> {
        self.parse_watched(sentences, request, &Progress::default()).expect("nobody asked it to stop")
    }

    /// Parses sentences as [`Pipeline::parse`] does; `None` if `progress` was asked to stop before the end.
    pub fn parse_watched<T: Borrow<Sentence> + Sync>(
        &self,
        sentences: &[T],
        request: &Request,
        progress: &Progress,
    ) -> Option<Vec<Answer>> {
        let mut answers: Vec<Option<Answer>> = vec![None; sentences.len()];
        let shares = Shares::of(&self.settings(request).pruning);
        let may_have = |words: usize| words <= request.max_words && shares.hold_words(words);
        for (block, answers) in sentences.chunks(BLOCK).zip(answers.chunks_mut(BLOCK)) {
            let block: Vec<&Sentence> = block.iter().map(Borrow::borrow).collect();
            let batches = batches(&block, may_have);
            let answer = |decoder: &mut Decoder<'_>, batch: &Vec<usize>| {
                let sentences: Vec<&Sentence> = batch.iter().map(|&place| block[place]).collect();
                self.parse_batch(&sentences, request, decoder, progress)
            };
            let found: Option<Vec<Vec<Answer>>> = match &batches[..] {
                // One batch is for one thread: the current one, without waking a pool, or making one.
                [batch] => answer(&mut self.decoder(request), batch).map(|found| vec![found]),
                _ => batches.par_iter().map_init(|| self.decoder(request), answer).collect(),
            };
            for (batch, found) in batches.iter().zip(found?) {
                batch.iter().zip(found).for_each(|(&place, answer)| answers[place] = Some(answer));
            }
            for (sentence, answer) in block.iter().zip(answers) {
                answer.get_or_insert_with(|| {
                    progress.add(1);
                    Answer::flat(sentence, Outcome::TooLong)
                });
            }
        }
        Some(answers.into_iter().flatten().collect())
    }

    /// The request for scores that a request for parses asks of the scorer.
    pub fn score_request(&self, request: &Request) -> ScoreRequest {
        let pruning = self.settings(request).pruning;
        ScoreRequest { dialect: request.dialect, traces: request.structure.has_traces(), pruning }
    }

    /// A decoder for [`Pipeline::parse_scored`], which owns the memory of a thread.
    pub fn decoder(&self, request: &Request) -> Decoder<'_> {
        let Metadata { vocabulary, valency, rules, .. } = &self.metadata;
        Decoder::new(vocabulary, self.settings(request)).with_valency(valency).with_rules(rules.as_ref())
    }

    fn settings(&self, request: &Request) -> Settings {
        request.settings.unwrap_or(self.metadata.settings)
    }

    fn parse_batch(
        &self,
        sentences: &[&Sentence],
        request: &Request,
        decoder: &mut Decoder<'_>,
        progress: &Progress,
    ) -> Option<Vec<Answer>> {
        if progress.is_stopped() {
            return None;
        }
        let start = Stopwatch::start();
        let scores = self.scorer.score(sentences, &self.score_request(request));
        let share = start.elapsed() / sentences.len().max(1) as u32;
        let each = sentences.iter().zip(scores);
        each.map(|(sentence, scores)| {
            if progress.is_stopped() {
                return None;
            }
            let mut answer = self.parse_scored(sentence, &scores, request, decoder);
            answer.times.score = share;
            progress.add(1);
            Some(answer)
        })
        .collect()
    }

    /// Parses a sentence whose scores are known.
    pub fn parse_scored(
        &self,
        sentence: &Sentence,
        scores: &SentenceScores,
        request: &Request,
        decoder: &mut Decoder<'_>,
    ) -> Answer {
        let Metadata { vocabulary, restoration, .. } = &self.metadata;
        let start = Stopwatch::start();
        if !scores.is_sound() {
            return Answer::flat(sentence, Outcome::Failed);
        }
        if !decoder.has_room(scores) {
            return Answer::flat(sentence, Outcome::TooLong);
        }
        let tag = |word: usize| given_tag(sentence, word).and_then(|tag| vocabulary.tag_id(tag));
        let tags: Option<Vec<Option<TagId>>> =
            (!sentence.tags.is_empty()).then(|| (0..scores.words()).map(tag).collect());
        let weighed = tags.as_ref().map(|tags| {
            let mut scores = scores.clone();
            self.metadata.spine_tags.weigh(&mut scores.spines, tags);
            scores
        });
        let scores = weighed.as_ref().unwrap_or(scores);
        let mut wanted = request.alternatives.max(1);
        let mut decoded = decoder.decode(scores, request.structure, tags.as_deref(), wanted);
        let decode = start.elapsed();
        let start = Stopwatch::start();
        let is_kept = |rewrite: &Rewrite| tags.is_none() || !rewrite.changes_tags();
        let rewrites: Vec<Rewrite> = request.rewrites.iter().copied().filter(is_kept).collect();
        let unwritten = |analysis: &Analysis| {
            let mut graph = build(analysis, &sentence.tokens, vocabulary, restoration).ok()?;
            graph.drop_repeated_phrases();
            // tags that the model does not know are kept as well
            for (index, word) in graph.words.iter_mut().enumerate() {
                if let Some(tag) = given_tag(sentence, index) {
                    word.tag = Some(tag.to_owned());
                }
            }
            Some(graph)
        };
        let built = |analysis: &Analysis| rewrite(unwritten(analysis)?, &rewrites);
        let Ranked { analysis, score, .. } = decoded.best().clone();
        let Some((graph, tree)) = built(&analysis) else { return Answer::flat(sentence, Outcome::Failed) };
        // Where something is to be left out, nobody is to have it by another way.
        let is_whole = !rewrites.is_empty() && !rewrites.iter().any(|rewrite| rewrite.leaves_out());
        let model_tree =
            is_whole.then(|| unwritten(&analysis).and_then(|graph| graph::decode(&graph).ok())).flatten();
        let confidence = analysis.words.iter().enumerate().map(|(index, word)| {
            let attachment =
                if word.head == 0 { 0.0 } else { scores.attachment(index, word.head, word.attachment) };
            scores.spine(index, word.spine) + scores.head(index, word.head) + attachment
        });
        let confidence = confidence.collect();
        let is_asked = request.probabilities || request.alternatives > 0;
        let probabilities =
            is_asked.then(|| decoder.probabilities(scores, request.structure, decoded.best())).flatten();
        let mut alternatives = Vec::new();
        if let Some(probabilities) = probabilities.as_ref().filter(|_| request.alternatives > 0) {
            // Different analyses may have the same tree; then more of them are looked at.
            loop {
                let probability = |score: f32| decoder.probability(score, probabilities.log_total);
                alternatives = distinct(&decoded.ranking, built, probability);
                let is_all = decoded.ranking.len() < wanted || wanted >= 4 * request.alternatives;
                if alternatives.len() >= request.alternatives || is_all {
                    break;
                }
                wanted *= 2;
                decoded = decoder.decode(scores, request.structure, tags.as_deref(), wanted);
            }
            alternatives.truncate(request.alternatives);
        }
        Answer {
            confidence,
            tree,
            model_tree,
            graph,
            score,
            analysis,
            alternatives,
            probabilities: probabilities.filter(|_| request.probabilities),
            outcome: match decoded.optimality {
                _ if scores.is_cut => Outcome::Approximate,
                Optimality::ProvedByRelaxation | Optimality::ProvedByChart => Outcome::Exact,
                Optimality::Unproved => Outcome::Approximate,
            },
            candidates: Some(decoded.candidates),
            times: Times { score: Duration::ZERO, decode, build: start.elapsed() },
        }
    }
}

/// The different trees of a ranking, best first, each with the probabilities of all its analyses.
fn distinct(
    ranking: &[Ranked],
    built: impl Fn(&Analysis) -> Option<(Graph, Tree)>,
    probability: impl Fn(f32) -> f32,
) -> Vec<Alternative> {
    let mut trees: Vec<Alternative> = Vec::new();
    for Ranked { analysis, score, .. } in ranking {
        let Some((_, tree)) = built(analysis) else { continue };
        let share = probability(*score);
        match trees.iter_mut().find(|known| known.tree == tree) {
            Some(known) => known.probability += share,
            None => trees.push(Alternative { tree, score: *score, probability: share }),
        }
    }
    trees
}

/// The places of the sentences that are scored together, alike in length. Empty and overlong sentences are in none.
fn batches(block: &[&Sentence], may_have: impl Fn(usize) -> bool) -> Vec<Vec<usize>> {
    let length = |place: usize| block[place].tokens.len();
    let mut places: Vec<usize> =
        (0..block.len()).filter(|&place| length(place) > 0 && may_have(length(place))).collect();
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

/// The tag that came with a word, if it is one that a word of a tree can have.
fn given_tag(sentence: &Sentence, word: usize) -> Option<&str> {
    let tag = sentence.tags.get(word)?;
    check_form(tag).and_then(|()| check_tag(tag)).is_ok().then_some(tag)
}

/// Heads for trees that did not come from a decoder.
static HEADS: LazyLock<HeadTable> =
    LazyLock::new(|| HeadTable::named("penn").expect("the table comes with the crate"));

impl Answer {
    /// The answer to a sentence without a parse: all its words under one phrase that says so. A bracket cannot be empty, so a null stands in
    /// it if there is no word.
    pub fn flat(sentence: &Sentence, outcome: Outcome) -> Answer {
        let outcome =
            if sentence.tokens.is_empty() && !outcome.is_unreadable() { Outcome::Empty } else { outcome };
        let mut tree = Tree::with_top("");
        let phrase = tree.push_phrase(tree.top(), outcome.mark().unwrap_or_default());
        for (index, word) in sentence.words().enumerate() {
            tree.push_token(phrase, given_tag(sentence, index).unwrap_or("XX"), word);
        }
        if sentence.tokens.is_empty() {
            tree.push_token(phrase, NULL_TAG, "0");
        }
        Answer {
            graph: graph::encode(&tree, &HEADS, Targets::Referent),
            tree,
            model_tree: None,
            analysis: Analysis::default(),
            score: f32::NEG_INFINITY,
            confidence: vec![f32::NEG_INFINITY; sentence.tokens.len()],
            alternatives: Vec::new(),
            probabilities: None,
            outcome,
            candidates: None,
            times: Times::default(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_empty_sentence_and_one_with_too_few_tags_have_a_tree() {
        let empty = Answer::flat(&Sentence::default(), Outcome::TooLong);
        assert_eq!(empty.tree.to_string(), "( (X-EMPTY (-NONE- 0)))");
        assert_eq!(empty.outcome, Outcome::Empty);
        let mut sentence = Sentence::of_words(&["a", "b"]);
        sentence.tags = vec!["DT".to_owned()];
        let failed = Answer::flat(&sentence, Outcome::Failed);
        assert_eq!(failed.tree.to_string(), "( (X-FAILED (DT a) (XX b)))");
        for tag in ["-NONE-", "(", "", "N N", "CODE", "ID-()"] {
            sentence.tags = vec!["FOO".to_owned(), tag.to_owned()];
            let failed = Answer::flat(&sentence, Outcome::Failed);
            assert_eq!(failed.tree.to_string(), "( (X-FAILED (FOO a) (XX b)))", "{tag}");
        }
    }

    #[test]
    fn sentences_of_like_length_are_scored_together() {
        let sentence = |length| Sentence::of_words(&vec!["a"; length]);
        let block: Vec<Sentence> = [30, 0, 2, 30, 2, 500, 1].map(sentence).into();
        assert_eq!(batches(&block.iter().collect::<Vec<_>>(), |words| words <= 100), [vec![6, 2, 4, 0, 3]]);
        let long = sentence(40);
        assert_eq!(
            batches(&[&long; 20], |words| words <= 100).iter().map(Vec::len).collect::<Vec<_>>(),
            [5, 5, 5, 5]
        );
    }
}
