//! Measuring: how good a parser is on a treebank.

use std::collections::BTreeMap;
use std::sync::atomic::AtomicBool;

use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use tracebank_parser::gold::{ALPHABET, TrainingExample};
use tracebank_parser::pipeline::{Pipeline, Request};
use tracebank_parser::scores::Scorer;
use tracebank_parser::scores::SentenceScores;
use tracebank_report::align::pair_up;
use tracebank_report::evaluation::{self, Evaluation};
use tracebank_report::metric::Metric;
use tracebank_syntax::tree::Tree;
use tracebank_text::Sentence;

use crate::trials::unless_stopped;

/// F1 (or accuracy) in per cent for each metric, by the name it has in files.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Figures(pub BTreeMap<String, f64>);

impl Figures {
    /// The F1 of a metric.
    pub fn f1(&self, metric: Metric) -> f64 {
        self.0.get(metric.name()).copied().unwrap_or_default()
    }

    /// Brackets, nulls, nulls with co-indexation: what a change is judged by.
    pub fn headline(&self) -> [f64; 3] {
        [Metric::Brackets, Metric::Null, Metric::Coindex].map(|metric| self.f1(metric))
    }

    /// The sum of these three, which count alike: the score that tuning maximises.
    pub fn score(&self) -> f64 {
        self.headline().iter().sum()
    }

    fn between(gold: &[(Tree, TrainingExample)], guesses: impl Iterator<Item = Tree>) -> Figures {
        let gold = gold.iter().map(|(tree, _)| {
            let mut tree = tree.clone();
            ALPHABET.strip(&mut tree);
            Ok(tree)
        });
        let mut evaluation = Evaluation::new(evaluation::Options::default());
        for pair in pair_up(gold, guesses.map(Ok)) {
            evaluation.add(&pair);
        }
        let f1 = |metric: Metric| (metric.name().to_owned(), evaluation.tallies()[metric].total.f1());
        Figures(Metric::all().map(f1).collect())
    }
}

fn sentences(gold: &[(Tree, TrainingExample)]) -> Vec<Sentence> {
    let words = |example: &TrainingExample| -> Vec<String> {
        example.projection.words.iter().map(|word| word.form.clone()).collect()
    };
    gold.iter().map(|(_, example)| Sentence::of_words(&words(example))).collect()
}

/// The sentences between two looks at whether to stop.
const FEW: usize = 64;

/// Parses the words of gold trees and compares; none if it was stopped.
pub fn measure<S: Scorer>(
    parser: &Pipeline<S>,
    gold: &[(Tree, TrainingExample)],
    request: &Request,
    stop: &AtomicBool,
) -> Option<Figures> {
    let parse = |few: &[Sentence]| unless_stopped(stop, || parser.parse(few, request));
    let parses: Vec<_> = sentences(gold).chunks(FEW).map(parse).collect::<Option<_>>()?;
    Some(Figures::between(gold, parses.into_iter().flatten().map(|parse| parse.tree)))
}

/// Gold trees whose words have been scored already.
pub struct Scored<'g> {
    gold: &'g [(Tree, TrainingExample)],
    request: Request,
    sentences: Vec<Sentence>,
    scores: Vec<SentenceScores>,
}

impl<'g> Scored<'g> {
    /// Scores the words of gold trees; none if it was stopped.
    pub fn new<S: Scorer>(
        parser: &Pipeline<S>,
        gold: &'g [(Tree, TrainingExample)],
        request: &Request,
        stop: &AtomicBool,
    ) -> Option<Scored<'g>> {
        let sentences = sentences(gold);
        let scores = sentences.par_chunks(16).map(|chunk| {
            let chunk: Vec<&Sentence> = chunk.iter().collect();
            unless_stopped(stop, || parser.scorer.score(&chunk, &parser.score_request(request)))
        });
        let scores: Vec<Vec<SentenceScores>> = scores.collect::<Option<_>>()?;
        let scores = scores.into_iter().flatten().collect();
        Some(Scored { gold, request: request.clone(), sentences, scores })
    }

    /// The request that they were scored for.
    pub fn request(&self) -> &Request {
        &self.request
    }

    /// The sentences.
    pub fn sentences(&self) -> impl Iterator<Item = &Sentence> {
        self.sentences.iter()
    }

    /// The gold trees.
    pub fn gold(&self) -> impl Iterator<Item = &(Tree, TrainingExample)> {
        self.gold.iter()
    }

    /// The scores of each.
    pub fn scores(&self) -> impl Iterator<Item = &SentenceScores> {
        self.scores.iter()
    }

    /// Decodes the scores with the parser's settings as they are now, and compares; none if it was stopped.
    pub fn measure<S: Scorer>(&self, parser: &Pipeline<S>, stop: &AtomicBool) -> Option<Figures> {
        let guesses: Option<Vec<Tree>> = self
            .sentences
            .par_iter()
            .zip(&self.scores)
            .map_init(
                || parser.decoder(&self.request),
                |decoder, (sentence, scores)| {
                    unless_stopped(stop, || {
                        parser.parse_scored(sentence, scores, &self.request, decoder).tree
                    })
                },
            )
            .collect();
        Some(Figures::between(self.gold, guesses?.into_iter()))
    }
}
