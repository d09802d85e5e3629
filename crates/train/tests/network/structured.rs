//! Learning through the objectives over whole sentences.

use tracebank_neural::encoder::SpellingConfig;
use tracebank_neural::network::{Hidden, Labels};
use tracebank_neural::{Lexicon, Network, NetworkConfig};
use tracebank_nn::random::Random;
use tracebank_nn::tape::{Mode, Tape};
use tracebank_parser::decode::{Pruning, Settings};
use tracebank_parser::gold::TrainingExample;
use tracebank_parser::vocabulary::{Vocabulary, VocabularyCounter};
use tracebank_syntax::heads::HeadTable;
use tracebank_syntax::tree::Tree;
use tracebank_train::network::{
    NetworkObjective, PreparedExample, Structured, StructuredRecipe, TaskWeights,
};
use tracebank_train::objective::loss::Loss;
use tracebank_train::objective::{ClassKind, ObjectiveKind};

use crate::gradients::assert_gradients;
use crate::language::encoders;

const TREES: [&str; 2] = [
    "(S (NP-SBJ-1 (DT The) (NN book)) (VP (VBD was) (VP (VBN sold) (NP (-NONE- *-1)))) (. .))",
    "(SBARQ (WHNP-1 (WDT Which) (NN book)) (SQ (VBD did) (NP-SBJ-2 (PRP she)) (VP (VB want) (S (NP-SBJ (-NONE- *-2)) \
     (VP (TO to) (VP (VB buy) (NP (-NONE- *T*-1))))))) (. ?))",
];

fn examples() -> (Vocabulary, Vec<TrainingExample>) {
    let heads = HeadTable::named("penn").expect("it is built in");
    let example = |text: &&str| TrainingExample::of(&text.parse::<Tree>().unwrap(), &heads).unwrap();
    let examples: Vec<TrainingExample> = TREES.iter().map(example).collect();
    let mut counter = VocabularyCounter::default();
    examples.iter().for_each(|example| counter.add(&example.projection, &example.functions));
    (Vocabulary::new(counter.names(1)).unwrap(), examples)
}

fn words(example: &TrainingExample) -> Vec<String> {
    example.projection.words.iter().map(|word| word.form.clone()).collect()
}

fn network(vocabulary: &Vocabulary, examples: &[TrainingExample]) -> Network {
    let names = vocabulary.names();
    let [_, encoder] = encoders(0.1);
    let config = NetworkConfig {
        encoder,
        spelling: SpellingConfig { buckets: 64, ngrams: 6, shape: 4 },
        width: 24,
        dropout: 0.1,
        dialects: 1,
        labels: Labels {
            tags: names.tags.len(),
            spines: names.spines.len(),
            functions: names.functions.len(),
            attachments: names.attachments.len(),
            traces: names.traces.len(),
        },
        hidden: Hidden { tags: 12, spines: 12, functions: 8, arcs: 16, attachments: 12, traces: 12 },
    };
    let words: Vec<String> = examples.iter().flat_map(words).collect();
    Network::new(config, Lexicon::from_words(words.iter().map(String::as_str), 1), 5)
}

/// The log-losses are smooth, so their gradients, all the way down to the weights, can be compared with finite differences.
#[test]
fn the_gradient_of_whole_sentences_is_the_difference_along_random_directions() {
    let (vocabulary, examples) = examples();
    let mut network = network(&vocabulary, &examples);
    let mut random = Random::new(3);
    for param in network.params.iter_mut() {
        for value in param.value.values_mut() {
            *value += 0.2 * random.normal();
        }
    }
    let example = |example: &TrainingExample| PreparedExample {
        sentence: network.prepare(&words(example), 0),
        gold: example.gold(&vocabulary),
    };
    let examples: Vec<PreparedExample> = examples.iter().map(example).collect();
    let batch: Vec<&PreparedExample> = examples.iter().collect();
    // All spines are looked at, so that none comes or goes with a small step.
    let settings = Settings {
        pruning: Pruning { spines: usize::MAX, spine_margin: f32::INFINITY, ..Pruning::default() },
        ..Settings::default()
    };
    // The tasks count as well, at the same variables of the tape.
    let tasks = TaskWeights { spines: 0.3, ..TaskWeights::default() };
    for objective in [ObjectiveKind::Local, ObjectiveKind::Crf] {
        let recipe = StructuredRecipe {
            objective,
            weight: 0.5,
            class: ClassKind::default(),
            loss: Loss::default(),
            begin: 0.0,
            tasks: 1.0,
        };
        let structured = Some(Structured::new(recipe, &vocabulary, settings));
        let objective = NetworkObjective { tasks, structured };
        assert_gradients(&mut network, &mut random, |network, gradients| {
            let mut tape = Tape::new(&network.params, Mode::Train { seed: 4 });
            let losses = objective.add_loss(network, &mut tape, &batch, 1.0);
            tape.backward(gradients);
            f64::from(losses.words as f32 * losses.per_word(&tasks))
        });
    }
}
