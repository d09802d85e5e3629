//! The linear model learns what it is shown, and does so the same way every time.

mod common;

use std::ops::ControlFlow;

use common::oracle;
use tracebank_linear::roles::Roles;
use tracebank_linear::{LinearConfig, LinearModel, Prepared};
use tracebank_nn::random::Random;
use tracebank_parser::decode::{Decoder, Pruning};
use tracebank_parser::gold::{
    ALPHABET, Analysis, Gold, RestorationTable, TrainingExample, WordAnalysis, build,
};
use tracebank_parser::model::{ModelError, ModelFile, ModelWriter};
use tracebank_parser::scores::{Grid, Part, SentenceScores, difference, parts_of};
use tracebank_parser::vocabulary::{
    AttachmentId, FunctionId, Names, SpineId, TagId, Trace, TraceId, Vocabulary, VocabularyCounter,
};
use tracebank_syntax::class::Structure;
use tracebank_syntax::graph;
use tracebank_syntax::heads::HeadTable;
use tracebank_syntax::penn::{Input, Reader};
use tracebank_syntax::tree::Tree;
use tracebank_train::linear::online::{OnlineOptions, State, train_epoch};
use tracebank_train::linear::roles::{self, RoleOptions};
use tracebank_train::linear::update::Rule;
use tracebank_train::linear::{Example, new_model, prepare};
use tracebank_train::objective::crf::Crf;
use tracebank_train::objective::local::Local;
use tracebank_train::objective::loss::{EdgeLoss, Loss};
use tracebank_train::objective::{Objective, ObjectiveKind};

const STRUCTURE: Structure = Structure::OneEndpointCrossing;

/// The model as a file.
fn bytes(model: &LinearModel) -> Vec<u8> {
    let mut writer = ModelWriter::default();
    model.write(&mut writer).unwrap();
    writer.finish()
}

fn read(bytes: &[u8], vocabulary: &Vocabulary) -> Result<LinearModel, ModelError> {
    LinearModel::read(&ModelFile::open(bytes)?, vocabulary)
}

/// Trees that come back from what is right about them, and what is needed to learn them.
struct Tiny {
    names: Names,
    restoration: RestorationTable,
    examples: Vec<Example>,
    trees: Vec<Tree>,
}

impl Tiny {
    fn new() -> Tiny {
        let heads = HeadTable::named("penn").unwrap();
        let mut examples = Vec::new();
        for (file, most) in [("handmade.mrg", 60), ("craft-sample.mrg", 6)] {
            let path = tracebank_testdata::free(file);
            for tree in Reader::new(Input::open(&path).unwrap().stream).take(most) {
                let mut tree = tree.unwrap();
                let example = TrainingExample::of(&tree, &heads).unwrap();
                ALPHABET.strip(&mut tree);
                examples.push((example, tree));
            }
        }
        let (mut counter, mut restoration) = (VocabularyCounter::default(), RestorationTable::default());
        for (example, _) in &examples {
            counter.add(&example.projection, &example.functions);
            restoration.learn(example);
        }
        let vocabulary = Vocabulary::new(counter.names(1)).unwrap();
        let mut tiny =
            Tiny { names: vocabulary.names().clone(), restoration, examples: Vec::new(), trees: Vec::new() };
        let mut decoder = Decoder::new(&vocabulary, LinearConfig::default().settings);
        for (example, tree) in examples {
            let words: Vec<String> = example.projection.words.iter().map(|word| word.form.clone()).collect();
            let gold = example.gold(&vocabulary);
            let is_known = tiny.examples.iter().any(|example| example.words == words);
            let analysis =
                decoder.decode(&oracle(&gold, &vocabulary), STRUCTURE, None, 1).best().analysis.clone();
            let back = tiny.tree(&analysis, &words, &vocabulary);
            if !is_known && back.is_some_and(|back| back.to_string() == tree.to_string()) {
                tiny.examples.push(Example { words, gold });
                tiny.trees.push(tree);
            }
        }
        assert!(tiny.trees.len() >= 30, "{}", tiny.trees.len());
        tiny
    }

    fn tree(&self, analysis: &Analysis, words: &[String], vocabulary: &Vocabulary) -> Option<Tree> {
        let mut tree = graph::decode(&build(analysis, words, vocabulary, &self.restoration).ok()?).ok()?;
        ALPHABET.strip(&mut tree);
        Some(tree)
    }

    fn config(objective: ObjectiveKind) -> LinearConfig {
        let is_normalised = matches!(objective, ObjectiveKind::Crf | ObjectiveKind::Local);
        // All heads: training looks at gold even where parsing would not, so it need not learn to be among the best.
        LinearConfig {
            bits: 16,
            folds: 0,
            tag_epochs: 20,
            heads: 100,
            is_normalised,
            ..LinearConfig::default()
        }
    }

    fn model(&self, objective: ObjectiveKind) -> (LinearModel, Vec<(Prepared, Gold)>) {
        let vocabulary = Vocabulary::new(self.names.clone()).unwrap();
        let model = new_model(&vocabulary, Tiny::config(objective), &self.examples);
        let prepared = prepare(&model, &self.examples);
        let golds = self.examples.iter().map(|example| example.gold.clone());
        let examples = prepared.into_iter().zip(golds).collect();
        (model, examples)
    }

    fn train(&self, options: &OnlineOptions) -> LinearModel {
        let (mut model, examples) = self.model(options.objective);
        let mut state = State::new(&model, options);
        for _ in 0..options.epochs {
            let flow =
                train_epoch(&model, &examples, options, &mut state, &mut |_| ControlFlow::Continue(()));
            assert!(flow.is_continue());
        }
        state.finish(&mut model);
        model
    }

    /// The sentences whose trees a model gets wrong.
    fn mistakes(&self, model: &LinearModel) -> Vec<String> {
        let mut decoder = Decoder::new(&model.vocabulary, model.settings());
        let is_wrong = |(example, tree): &(&Example, &Tree)| {
            let scores = model.score(&example.words, None, &Pruning::default());
            let decoded = decoder.decode(&scores, STRUCTURE, None, 1).best().clone();
            let guess = self.tree(&decoded.analysis, &example.words, &model.vocabulary);
            guess.is_none_or(|guess| guess.to_string() != tree.to_string())
        };
        let wrong = self.examples.iter().zip(&self.trees).filter(is_wrong);
        wrong.map(|(example, _)| example.words.join(" ")).collect()
    }
}

/// To learn by heart, the last step is better than the average of all.
fn options(objective: ObjectiveKind, epochs: usize) -> OnlineOptions {
    let by_heart = Rule { rate: 0.2, is_averaged: false, ..Rule::default() };
    let rule = if objective == ObjectiveKind::Perceptron { Rule::PERCEPTRON } else { by_heart };
    OnlineOptions { objective, rule, epochs, ..OnlineOptions::default() }
}

#[test]
fn a_tiny_treebank_is_learnt_to_the_last_tree() {
    let tiny = Tiny::new();
    let mut mistakes = Vec::new();
    for (objective, epochs) in
        [(ObjectiveKind::Hinge, 20), (ObjectiveKind::Perceptron, 20), (ObjectiveKind::Crf, 25)]
    {
        let model = tiny.train(&options(objective, epochs));
        mistakes.extend(tiny.mistakes(&model).into_iter().map(|sentence| (objective, sentence)));
        let back = read(&bytes(&model), &model.vocabulary).unwrap();
        assert_eq!(back, model, "{objective:?}");
    }
    assert_eq!(mistakes, []);
}

#[test]
fn one_thread_gives_the_same_bytes_every_time_and_two_learn_too() {
    let tiny = Tiny::new();
    let options = options(ObjectiveKind::Hinge, 2);
    let model = tiny.train(&options);
    assert_eq!(bytes(&model), bytes(&tiny.train(&options)));
    let together = tiny.train(&OnlineOptions { threads: 2, epochs: 12, ..options });
    assert!(tiny.mistakes(&together).len() <= tiny.mistakes(&model).len());
}

#[test]
fn training_goes_on_where_it_stopped() {
    let tiny = Tiny::new();
    let rule = Rule { l1: 1e-6, l2: 1e-6, ..Rule::default() };
    let options = OnlineOptions { rule, batch: 3, ..options(ObjectiveKind::Hinge, 2) };
    let whole = tiny.train(&options);
    let (model, examples) = tiny.model(options.objective);
    let mut state = State::new(&model, &options);
    let mut go_on = |_| ControlFlow::Continue(());
    assert!(train_epoch(&model, &examples, &options, &mut state, &mut go_on).is_continue());
    let saved = state.to_bytes(&model);
    let (mut model, examples) = tiny.model(options.objective);
    assert!(State::restore(&model, &options, &saved[1..]).is_none());
    let mut state = State::restore(&model, &options, &saved).unwrap();
    assert!(train_epoch(&model, &examples, &options, &mut state, &mut go_on).is_continue());
    assert_eq!(state.epoch, 2);
    state.finish(&mut model);
    assert_eq!(bytes(&model), bytes(&whole));
}

#[test]
fn a_model_of_other_names_or_other_bytes_is_refused() {
    let tiny = Tiny::new();
    let (model, _) = tiny.model(ObjectiveKind::Hinge);
    let stored = bytes(&model);
    assert!(read(&stored, &small_vocabulary()).is_err());
    let mut without_weights = ModelWriter::default();
    without_weights.bytes("linear weights", vec![200]);
    assert!(read(&without_weights.finish(), &model.vocabulary).is_err());
    assert_eq!(read(&stored, &model.vocabulary).unwrap(), model);
}

#[test]
fn roles_are_learnt_and_a_threshold_of_zero_keeps_all() {
    let tiny = Tiny::new();
    let (mut model, examples) = tiny.model(ObjectiveKind::Hinge);
    roles::train(&mut model, &examples, &RoleOptions { epochs: 20, ..RoleOptions::default() });
    let guesses: Vec<(Roles, &Gold)> =
        examples.iter().map(|(prepared, gold)| (Roles::of(&model, prepared), gold)).collect();
    let points = roles::operating_points(&guesses, &[0.0, 0.5]);
    assert_eq!((points[0].kept, points[0].survived), (1.0, 1.0));
    assert!(points[1].kept < 0.2 && points[1].survived > 0.9, "{points:?}");
    let bins = roles::reliability(&guesses);
    assert!(bins[9].observed > 0.9 && bins[0].observed < 0.1, "{bins:?}");
}

/// A sentence of `n` words with random scores for everything a vocabulary has.
fn random_scores(vocabulary: &Vocabulary, n: usize, random: &mut Random) -> SentenceScores {
    let names = vocabulary.names();
    let mut grid = |rows: usize, columns: usize| {
        let values = (0..rows * columns).map(|_| random.below(4000) as f32 / 1000.0 - 2.0);
        Grid::from_values(columns, values.collect())
    };
    SentenceScores {
        tags: grid(n, names.tags.len()),
        spines: grid(n, names.spines.len()),
        functions: grid(n, names.functions.len()),
        heads: grid(n, n + 1),
        attachments: grid(n * (n + 1), names.attachments.len()),
        traces: (0..n).map(|_| Some(grid(n, names.traces.len()))).collect(),
        is_cut: false,
    }
}

/// An analysis that need not make sense.
fn random_analysis(vocabulary: &Vocabulary, n: usize, random: &mut Random) -> Analysis {
    let names = vocabulary.names();
    let mut analysis = Analysis::default();
    for word in 0..n as u32 {
        let attachment = AttachmentId(random.below(names.attachments.len().min(3)) as u16);
        let head = (word + 2 + random.below(n) as u32) % (n as u32 + 1);
        analysis.words.push(WordAnalysis {
            tag: TagId(random.below(2) as u16),
            spine: SpineId(random.below(3) as u16),
            function: FunctionId(random.below(2) as u16),
            head,
            attachment: if head == 0 { AttachmentId(0) } else { attachment },
        });
    }
    for _ in 0..random.below(4) {
        let referrer = random.below(n) as u32 + 1;
        let antecedent = (referrer + random.below(n - 1) as u32) % n as u32 + 1;
        analysis.traces.push(Trace { referrer, antecedent, label: TraceId(random.below(3) as u16) });
    }
    analysis.traces.sort_unstable();
    analysis.traces.dedup();
    analysis
}

fn as_gold(analysis: &Analysis) -> Gold {
    let words = &analysis.words;
    Gold {
        tags: words.iter().map(|word| Some(word.tag)).collect(),
        spines: words.iter().map(|word| Some(word.spine)).collect(),
        functions: words.iter().map(|word| Some(word.function)).collect(),
        heads: words.iter().map(|word| word.head).collect(),
        attachments: words.iter().map(|word| Some(word.attachment)).collect(),
        traces: analysis.traces.clone(),
    }
}

fn small_vocabulary() -> Vocabulary {
    let list = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect::<Vec<_>>();
    let names = Names {
        tags: list(&["NN", "VB"]),
        spines: list(&["NP", "VP S(NP-SBJ(*))", "()", "VP(NP(*T*)) S"]),
        functions: list(&["", "-SBJ"]),
        attachments: list(&["VP#0", "S#0", "NP#0"]),
        traces: list(&["(NP-SBJ *)#0 > NP#0", "(NP *T*)#0 > NP#0", "(NP *T*)#0 > ()#0"]),
        obliged: Vec::new(),
    };
    Vocabulary::new(names).unwrap()
}

#[test]
fn augmented_scores_are_scores_plus_loss() {
    let vocabulary = small_vocabulary();
    let mut random = Random::new(5);
    let loss = Loss {
        spine: 0.7,
        structural: EdgeLoss { extra: 1.1, missing: 0.9, different: 0.4 },
        trace: EdgeLoss { extra: 0.3, missing: 1.7, different: 0.8 },
    };
    for _ in 0..300 {
        let n = 2 + random.below(3);
        let plain = random_scores(&vocabulary, n, &mut random);
        let gold = as_gold(&random_analysis(&vocabulary, n, &mut random));
        let guess = random_analysis(&vocabulary, n, &mut random);
        let mut augmented = plain.clone();
        let constant = loss.augment(&mut augmented, &gold);
        let score =
            |scores: &SentenceScores| parts_of(&guess).iter().map(|&part| scores.part(part)).sum::<f32>();
        let counted = loss.between(&guess, &gold);
        let added = score(&augmented) + constant - score(&plain);
        assert!((added - counted).abs() < 1e-3, "{added} {counted}");
        let same = difference(&guess, &gold).is_empty();
        assert_eq!(same, as_gold(&guess) == gold);
    }
}

/// The answer of the loss-augmented decoder has at least the score of gold.
#[test]
fn augmented_decoding_finds_what_violates_most() {
    let vocabulary = small_vocabulary();
    let mut random = Random::new(9);
    let settings = LinearConfig::default().settings;
    let mut decoder = Decoder::new(&vocabulary, settings);
    for _ in 0..50 {
        let n = 2 + random.below(4);
        let plain = random_scores(&vocabulary, n, &mut random);
        let gold =
            decoder.decode(&random_scores(&vocabulary, n, &mut random), STRUCTURE, None, 1).best().clone();
        let mut augmented = plain.clone();
        Loss::default().augment(&mut augmented, &as_gold(&gold.analysis));
        let found = decoder.decode(&augmented, STRUCTURE, None, 1).best().clone();
        let structural = |part: &Part| !matches!(part, Part::Tag(..) | Part::Function(..));
        let parts = parts_of(&gold.analysis);
        let gold_score: f32 =
            parts.iter().filter(|part| structural(part)).map(|&part| augmented.part(part)).sum();
        assert!(found.score >= gold_score - 1e-3, "{} {gold_score}", found.score);
    }
}

#[test]
fn gradients_are_those_of_the_loss() {
    let vocabulary = small_vocabulary();
    let settings = LinearConfig::default().settings;
    let mut random = Random::new(3);
    for round in 0..20 {
        let n = 2 + random.below(3);
        let scores = random_scores(&vocabulary, n, &mut random);
        let mut decoder = Decoder::new(&vocabulary, settings);
        let source = random_scores(&vocabulary, n, &mut random);
        let gold = as_gold(&decoder.decode(&source, STRUCTURE, None, 1).best().analysis);
        let mut objective: Box<dyn Objective> = if round % 2 == 0 {
            Box::new(Crf::new(&vocabulary, settings))
        } else {
            Box::new(Local::new(&vocabulary, settings.unmet_penalty))
        };
        let gradient = objective.gradient(scores.clone(), &gold);
        let mut checked = 0;
        for &(part, expected) in &gradient.parts {
            let mut moved = |by: f32| {
                let mut scores = scores.clone();
                *scores.part_mut(part).unwrap() += by;
                objective.gradient(scores, &gold).loss
            };
            let measured = (moved(0.02) - moved(-0.02)) / 0.04;
            assert!((measured - f64::from(expected)).abs() < 2e-3, "{part:?}: {measured} {expected}");
            checked += 1;
        }
        assert!(checked > n);
    }
}
