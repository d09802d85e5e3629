//! Learning through the objectives over whole sentences.

use tracebank_neural::encoder::SpellingConfig;
use tracebank_neural::network::{Hidden, Labels};
use tracebank_neural::random::Random;
use tracebank_neural::structured::{Structured, StructuredRecipe};
use tracebank_neural::tape::{Mode, Tape};
use tracebank_neural::{Example, Input, Lexicon, Network, NetworkConfig, Prepared};
use tracebank_parser::decode::Settings;
use tracebank_parser::gold::Lesson;
use tracebank_parser::inventory::{Census, Inventory};
use tracebank_parser::train::goal::Goal;
use tracebank_parser::train::loss::Loss;
use tracebank_syntax::heads::HeadTable;
use tracebank_syntax::tree::Tree;

use crate::language::encoders;
use crate::slopes::assert_slopes;

const TREES: [&str; 2] = [
    "(S (NP-SBJ-1 (DT The) (NN book)) (VP (VBD was) (VP (VBN sold) (NP (-NONE- *-1)))) (. .))",
    "(SBARQ (WHNP-1 (WDT Which) (NN book)) (SQ (VBD did) (NP-SBJ-2 (PRP she)) (VP (VB want) (S (NP-SBJ (-NONE- *-2)) \
     (VP (TO to) (VP (VB buy) (NP (-NONE- *T*-1))))))) (. ?))",
];

fn lessons() -> (Inventory, Vec<Lesson>) {
    let heads = HeadTable::named("penn").expect("it is built in");
    let lesson = |text: &&str| Lesson::of(&text.parse::<Tree>().unwrap(), &heads).unwrap();
    let lessons: Vec<Lesson> = TREES.iter().map(lesson).collect();
    let mut census = Census::default();
    lessons.iter().for_each(|lesson| census.add(&lesson.projection, &lesson.functions));
    (Inventory::new(census.names(1)).unwrap(), lessons)
}

fn words(lesson: &Lesson) -> Vec<String> {
    lesson.projection.words.iter().map(|word| word.form.clone()).collect()
}

fn network(inventory: &Inventory, lessons: &[Lesson]) -> Network {
    let names = inventory.names();
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
    let words: Vec<String> = lessons.iter().flat_map(words).collect();
    Network::new(config, Lexicon::from_words(words.iter().map(String::as_str), 1), 5)
}

/// The log-losses are smooth, so their gradients, all the way down to the weights, can be compared with their slopes.
#[test]
fn the_gradient_of_whole_sentences_is_the_slope_along_random_directions() {
    let (inventory, lessons) = lessons();
    let mut network = network(&inventory, &lessons);
    let mut random = Random::new(3);
    for param in network.params.iter_mut() {
        for value in param.value.values_mut() {
            *value += 0.2 * random.normal();
        }
    }
    let example = |lesson: &Lesson| Example {
        sentence: network.prepare(&Input { words: words(lesson), dialect: 0 }),
        gold: lesson.gold(&inventory),
    };
    let examples: Vec<Example> = lessons.iter().map(example).collect();
    let batch: Vec<&Example> = examples.iter().collect();
    let sentences: Vec<&Prepared> = batch.iter().map(|example| &example.sentence).collect();
    // All spines are looked at, so that none comes or goes with a small step.
    let settings = Settings { spines: usize::MAX, spine_margin: f32::INFINITY, ..Settings::default() };
    for goal in [Goal::Local, Goal::Crf] {
        let recipe = StructuredRecipe { goal, weight: 0.5, loss: Loss::default() };
        let structured = Structured::new(recipe, &inventory, settings);
        assert_slopes(&mut network, &mut random, |network, grads| {
            let mut tape = Tape::new(&network.params, Mode::Train { seed: 4 });
            let words = network.read(&mut tape, &sentences);
            let loss = structured.loss(network, &mut tape, &words, &batch, 1.0);
            tape.backward(grads);
            f64::from(loss)
        });
    }
}
