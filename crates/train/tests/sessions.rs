//! From a few trees to a parser that knows them by heart.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use tracebank_chart::decompose::RuleUse;
use tracebank_chart::{Grammar, Worker, rule_file};
use tracebank_neural::scorer::SECTION;
use tracebank_neural::{Network, NeuralScorer};
use tracebank_parser::model::{Metadata, ModelFile};
use tracebank_parser::outcome::Outcome;
use tracebank_parser::pipeline::{Pipeline, Request};
use tracebank_parser::rules::RuleSet;
use tracebank_report::coverage::{Encoder, ROWS};
use tracebank_syntax::dialect::Dialect;
use tracebank_text::Sentence;
use tracebank_train::network::NetworkSession;
use tracebank_train::{Event, Figures, Recipe, Schedule, Training, TrainingRecord, Watcher, begin};

const TREES: &str = "\
( (S (NP-SBJ-1 (PRP We)) (VP (VBP like) (S (NP-SBJ (-NONE- *-1)) (VP (VBG running)))) (. .)))
( (SBARQ (WHNP-1 (WDT Which) (NN book)) (SQ (VBD did) (NP-SBJ-2 (PRP she)) (VP (VB want) (S (NP-SBJ (-NONE- *-2)) (VP (TO to) (VP (VB buy) (NP (-NONE- *T*-1))))))) (. ?)))
( (NP (NP (DT the) (NN city)) (SBAR (WHPP-1 (IN in) (WHNP (WDT which))) (S (NP-SBJ (PRP they)) (VP (VBP live) (PP-LOC (-NONE- *T*-1)))))))
( (S (NP-SBJ-1 (DT The) (NN book)) (VP (VBD was) (VP (VBN sold) (NP (-NONE- *-1)) (PP-TMP (IN in) (NP (NNP June))))) (. .)))
( (S (NP-SBJ (PRP He)) (VP (VBD said) (SBAR (-NONE- 0) (S (NP-SBJ (PRP they)) (VP (VBD left) (NP-TMP (NN yesterday)))))) (. .)))
( (S (NP-SBJ (NP (DT the) (NN man)) (SBAR (WHNP-1 (-NONE- 0)) (S (NP-SBJ (PRP she)) (VP (VBD saw) (NP (-NONE- *T*-1)))))) (VP (VBD left)) (. .)))
";

/// A folder with the trees, which goes away with the value.
fn recipe(folder: &tempfile::TempDir, seed: u64) -> Recipe {
    let file: PathBuf = folder.path().join("trees.mrg");
    std::fs::write(&file, TREES).unwrap();
    let file = file.display();
    let text = format!(
        r#"
        name = "tiny"
        least = 1
        train = [{{ file = "{file}", dialect = "penn" }}]
        dev = [{{ file = "{file}", dialect = "penn" }}]
        [network]
        width = 48
        dropout = 0.0
        encoder = {{ kind = "lstm", hidden = 32, embedding = 24, layers = 1, dropout = 0.0, word_dropout = 0.0 }}
        spelling = {{ buckets = 256, ngrams = 16, shape = 4 }}
        [schedule]
        epochs = 60.0
        words_per_step = 25
        rate = 0.01
        warm_up = 0.02
        seed = {seed}
        measure_every = 1000
        # A model that knows nothing yet breaks every guideline, and would look at many trees of each sentence.
        [settings]
        violation_penalty = 0.0
    "#
    );
    toml::from_str(&text).unwrap()
}

/// Learns for at most `steps` steps, then stops; gives the figures measured last.
fn run(session: &mut dyn Training, steps: usize) -> (bool, Option<Figures>, Vec<u8>) {
    let stop = AtomicBool::new(false);
    let (mut last, mut checkpoint) = (None, Vec::new());
    let mut watch = |event: Event<'_>| match event {
        Event::Step { step, .. } if step >= steps => stop.store(true, std::sync::atomic::Ordering::Relaxed),
        Event::Round { round, .. } if round >= steps => {
            stop.store(true, std::sync::atomic::Ordering::Relaxed);
        }
        Event::Measured { figures, .. } => last = Some(figures.clone()),
        _ => {}
    };
    let mut save = |bytes: &[u8]| checkpoint = bytes.to_vec();
    let finished = session.run(Watcher::new(&stop, Duration::MAX, &mut watch, &mut save));
    (finished.unwrap(), last, checkpoint)
}

#[test]
fn a_tiny_treebank_is_learnt_by_heart() {
    let folder = tempfile::tempdir().unwrap();
    let mut session = NetworkSession::begin(recipe(&folder, 1)).unwrap();
    let (finished, figures, _) = run(&mut session, usize::MAX);
    assert!(finished);
    let headline = figures.unwrap().headline();
    assert!(headline.iter().all(|f1| (f1 - 100.0).abs() < 1e-9), "{headline:?}");

    // The file holds all that is needed.
    let bytes = session.model().unwrap();
    let file = ModelFile::open(&bytes[..]).unwrap();
    let metadata = Metadata::read(&file).unwrap();
    let scorer = NeuralScorer::read(&file, &metadata.vocabulary).unwrap();
    let parser = Pipeline { metadata, scorer };
    let words: Vec<&str> = "Which book did she want to buy ?".split(' ').collect();
    let parse = parser.parse(&[Sentence::of_words(&words)], &Request::default()).remove(0);
    assert_eq!(parse.tree.to_string(), TREES.lines().nth(1).unwrap());
}

/// Attachments and traces are not learnt by themselves here. A little of spines and heads is, for that is what decides which of them are
/// looked at, and of function tags, which no objective over whole trees knows.
#[test]
fn a_tiny_treebank_is_learnt_through_whole_sentences() {
    for objective in ["crf", "hinge"] {
        let folder = tempfile::tempdir().unwrap();
        let mut recipe = recipe(&folder, 2);
        let little = "spines = 0.1\narcs = 0.1\nattachments = 0.0\ntraces = 0.0\nfunctions = 0.1";
        recipe.tasks = toml::from_str(little).unwrap();
        recipe.structured = Some(toml::from_str(&format!("objective = {objective:?}")).unwrap());
        let mut session = NetworkSession::begin(recipe).unwrap();
        let headline = run(&mut session, usize::MAX).1.unwrap().headline();
        assert!(headline.iter().all(|f1| (f1 - 100.0).abs() < 1e-9), "{objective}: {headline:?}");
    }
}

/// The file of the rules that derive the first trees of the treebank.
fn rules_of_first(trees: usize) -> String {
    let grammar = Grammar::of(RuleSet::CLASS);
    let encoder = Encoder::new(Dialect::named("penn").unwrap());
    let mut uses = RuleUse::new(&grammar);
    for tree in TREES.lines().take(trees) {
        let edges = encoder.edges(&tree.parse().unwrap(), &ROWS[ROWS.len() - 1]);
        uses.add(&edges.derivation(&mut Worker::new(), &grammar).unwrap());
    }
    rule_file::write(grammar.rules(), &uses)
}

#[test]
fn a_recipe_restricts_the_rules_that_derive_answers() {
    let folder = tempfile::tempdir().unwrap();
    let restricted = |rules: &str| {
        std::fs::write(folder.path().join("train.rules"), rules).unwrap();
        let mut recipe = recipe(&folder, 1);
        recipe.representation.rules = Some(folder.path().join("train.rules").into());
        NetworkSession::begin(recipe)
    };
    // The rules of all trees, and then those of the first, which derive no tree with the crossing traces of the second.
    for (trees, outcome) in [(6, Outcome::Exact), (1, Outcome::Approximate)] {
        let mut session = restricted(&rules_of_first(trees)).unwrap();
        let (_, figures, _) = run(&mut session, usize::MAX);
        assert!((figures.unwrap().headline()[0] - 100.0).abs() < 1e-9);
        let file = session.model().unwrap();
        let file = ModelFile::open(&file[..]).unwrap();
        let metadata = Metadata::read(&file).unwrap();
        assert_eq!(metadata.rules.as_ref().unwrap().file(), rules_of_first(trees));
        let scorer = NeuralScorer::read(&file, &metadata.vocabulary).unwrap();
        let words: Vec<&str> = "Which book did she want to buy ?".split(' ').collect();
        let parser = Pipeline { metadata, scorer };
        let parse = parser.parse(&[Sentence::of_words(&words)], &Request::default()).remove(0);
        assert_eq!(parse.outcome, outcome, "the rules of {trees} trees");
    }
    let error = restricted("class 1ec-graph\n").err().unwrap().to_string();
    assert!(error.contains("train.rules") && error.contains("1ec-graph+structural"), "{error}");
}

#[test]
fn frozen_parameters_are_rounded_before_the_first_step_and_others_after_the_last() {
    let folder = tempfile::tempdir().unwrap();
    let mut recipe = Recipe { schedule: short(), ..recipe(&folder, 1) };
    recipe.schedule.frozen = vec!["embeddings.ngrams".to_owned()];
    recipe.schedule.bits = [("embeddings.ngrams", 4), ("embeddings.words", 3)]
        .map(|(name, bits)| (name.to_owned(), bits))
        .into();
    let mut session = NetworkSession::begin(recipe).unwrap();
    let levels = |session: &NetworkSession, name: &str| {
        let file = session.checkpoint().unwrap();
        let network = ModelFile::open(&file[..]).unwrap().section(SECTION).unwrap().into_owned();
        let network = Network::from_bytes(&network).unwrap();
        let table = network.params.value(network.params.find(name).unwrap());
        let of_row =
            |row: usize| table.row(row).iter().map(|x| (x + 0.0).to_bits()).collect::<BTreeSet<_>>().len();
        (0..table.rows()).map(of_row).max().unwrap()
    };
    assert!(!run(&mut session, 3).0, "there is more to learn");
    assert_eq!(levels(&session, "embeddings.ngrams"), 15);
    assert!(levels(&session, "embeddings.words") > 7);
    assert!(run(&mut session, usize::MAX).0);
    assert_eq!(levels(&session, "embeddings.ngrams"), 15);
    assert_eq!(levels(&session, "embeddings.words"), 7);
}

#[test]
fn an_interrupted_run_ends_as_if_it_had_not_been() {
    let folder = tempfile::tempdir().unwrap();
    let begin = || NetworkSession::begin(Recipe { schedule: short(), ..recipe(&folder, 2) }).unwrap();
    let mut whole = begin();
    run(&mut whole, usize::MAX);
    let mut first = begin();
    let (finished, _, checkpoint) = run(&mut first, 3);
    assert!(!finished);
    let mut second = begin();
    second.resume(&checkpoint).unwrap();
    run(&mut second, usize::MAX);
    assert_eq!(whole.model().unwrap(), second.model().unwrap());
}

/// The trials and the steps that a run made until it came to an end, or to the event at which it is stopped; and its checkpoint.
fn tuned(session: &mut dyn Training, stops_at: fn(&Event<'_>) -> bool) -> (usize, usize, Option<Vec<u8>>) {
    let (stop, mut trials, mut steps) = (AtomicBool::new(false), 0, 0);
    let mut watch = |event: Event<'_>| {
        match event {
            Event::Step { .. } | Event::Round { .. } => steps += 1,
            Event::Tried { .. } => trials += 1,
            _ => {}
        }
        if stops_at(&event) {
            stop.store(true, std::sync::atomic::Ordering::Relaxed);
        }
    };
    let mut checkpoint = None;
    let mut save = |bytes: &[u8]| checkpoint = Some(bytes.to_vec());
    let finished = session.run(Watcher::new(&stop, Duration::MAX, &mut watch, &mut save)).unwrap();
    assert_eq!(finished, !stop.into_inner());
    (trials, steps, checkpoint)
}

#[test]
fn a_run_that_was_stopped_while_it_tuned_goes_on_with_the_next_trial() {
    let folder = tempfile::tempdir().unwrap();
    let network = || recipe(&folder, 2);
    let linear = || linear_recipe(&folder, None);
    let recipes: [&dyn Fn() -> Recipe; 2] = [&network, &linear];
    for recipe in recipes {
        let mut whole = begin(recipe()).unwrap();
        let (all, _, checkpoint) = tuned(&mut *whole, |_| false);
        assert!(all > 20 && checkpoint.is_none(), "{all} trials");

        let mut first = begin(recipe()).unwrap();
        let (trials, _, checkpoint) =
            tuned(&mut *first, |event| matches!(event, Event::Tried { trial: 5, .. }));
        assert_eq!(trials, 5);
        let mut second = begin(recipe()).unwrap();
        second.resume(&checkpoint.expect("it was stopped")).unwrap();
        // Once more, while it measures: nothing is left to be tried.
        let (trials, steps, checkpoint) =
            tuned(&mut *second, |event| matches!(event, Event::Tried { trial, of, .. } if trial == of));
        assert_eq!((trials, steps), (all - 5, 0));
        let mut third = begin(recipe()).unwrap();
        third.resume(&checkpoint.expect("it was stopped")).unwrap();
        assert_eq!(tuned(&mut *third, |_| false), (0, 0, None));
        assert!(third.model().unwrap() == whole.model().unwrap(), "interruptions change nothing");
    }
}

fn short() -> Schedule {
    Schedule { epochs: 4.0, words_per_step: 25, ..Default::default() }
}

/// A recipe of those trees for a linear model, alone or beside the network in `start`.
fn linear_recipe(folder: &tempfile::TempDir, start: Option<PathBuf>) -> Recipe {
    let mut recipe = recipe(folder, 1);
    recipe.linear = Some(toml::from_str("training.epochs = 12\nmodel.bits = 16\nmodel.folds = 0").unwrap());
    recipe.start = start.map(Into::into);
    recipe
}

#[test]
fn a_linear_model_is_learnt_alone_and_goes_on_after_an_interruption() {
    let folder = tempfile::tempdir().unwrap();
    let mut whole = begin(linear_recipe(&folder, None)).unwrap();
    let (finished, figures, _) = run(&mut *whole, usize::MAX);
    assert!(finished);
    assert!(figures.unwrap().headline().iter().all(|&f1| f1 > 99.999));

    let mut first = begin(linear_recipe(&folder, None)).unwrap();
    let (finished, _, checkpoint) = run(&mut *first, 5);
    assert!(!finished);
    let mut second = begin(linear_recipe(&folder, None)).unwrap();
    second.resume(&checkpoint).unwrap();
    assert!(run(&mut *second, usize::MAX).0);
    assert!(second.model().unwrap() == whole.model().unwrap(), "an interruption changes nothing");
}

#[test]
fn a_linear_model_is_learnt_beside_a_network() {
    let folder = tempfile::tempdir().unwrap();
    let mut network = NetworkSession::begin(recipe(&folder, 1)).unwrap();
    assert!(run(&mut network, usize::MAX).0);
    let start = folder.path().join("network.tbm");
    std::fs::write(&start, network.model().unwrap()).unwrap();
    let mut both = begin(linear_recipe(&folder, Some(start))).unwrap();
    let (finished, figures, _) = run(&mut *both, usize::MAX);
    assert!(finished);
    assert!(figures.unwrap().headline().iter().all(|&f1| f1 > 99.999));
    let bytes = both.model().unwrap();
    let file = ModelFile::open(&bytes).unwrap();
    assert!(["network", "linear", "share"].iter().all(|section| file.has(section)));
}

/// A recipe that goes on from a run that has been made with another seed.
fn onward(folder: &tempfile::TempDir) -> Recipe {
    let mut first = NetworkSession::begin(recipe(folder, 1)).unwrap();
    assert!(run(&mut first, usize::MAX).0);
    let start = folder.path().join("first.tbm");
    std::fs::write(&start, first.model().unwrap()).unwrap();
    Recipe { start: Some(start.into()), ..recipe(folder, 2) }
}

#[test]
fn a_run_that_went_too_far_keeps_some_of_what_it_started_from() {
    let folder = tempfile::tempdir().unwrap();
    let mut recipe = onward(&folder);
    // Steps that are far too large spoil what was known.
    recipe.schedule.epochs = 3.0;
    recipe.schedule.rate = 0.1;
    let mut session = NetworkSession::begin(recipe).unwrap();
    let mut scores = Vec::new();
    let mut watch = |event: Event<'_>| {
        if let Event::Between { share, score } = event {
            scores.push((share, score));
        }
    };
    assert!(
        session.run(Watcher::new(&AtomicBool::new(false), Duration::MAX, &mut watch, &mut |_| ())).unwrap()
    );
    let bytes = session.model().unwrap();
    let record: TrainingRecord = ModelFile::open(&bytes).unwrap().json(TrainingRecord::SECTION).unwrap();
    let best = scores.iter().copied().reduce(|best, next| if next.1 > best.1 { next } else { best }).unwrap();
    assert!(best.1 > scores[0].1 && (record.kept - best.0).abs() < 1e-6, "{scores:?}, {}", record.kept);
}

#[test]
fn a_network_goes_on_from_another() {
    let folder = tempfile::tempdir().unwrap();
    let onward = onward(&folder);
    let mut losses = [recipe(&folder, 2), onward].map(|recipe| {
        let mut session = NetworkSession::begin(recipe).unwrap();
        let mut loss = None;
        let stop = AtomicBool::new(true);
        let mut watch = |event: Event<'_>| {
            if let Event::Step { losses, .. } = event {
                loss = Some(losses.spines + losses.arcs);
            }
        };
        assert!(!session.run(Watcher::new(&stop, Duration::MAX, &mut watch, &mut |_| ())).unwrap());
        loss.unwrap()
    });
    losses.reverse();
    assert!(losses[0] < 0.1 * losses[1], "it knows already what the other has yet to learn: {losses:?}");
}
