//! The whole network: its gradients, its learning, and its way through bytes.

mod gradients;
mod language;
mod structured;

use gradients::assert_gradients;
use language::{encoders, examples, network, vocabulary};
use tracebank_neural::batch_scores::{BatchScores, Referring, Scope};
use tracebank_neural::encoder::{EncoderConfig, LstmConfig, PretrainedConfig};
use tracebank_neural::network::Hidden;
use tracebank_neural::store::Precision;
use tracebank_neural::{Network, NetworkConfig, Prepared};
use tracebank_nn::gradients::{Gradient, Gradients};
use tracebank_nn::optimiser::{Optimiser, OptimiserConfig};
use tracebank_nn::product::Products;
use tracebank_nn::random::Random;
use tracebank_nn::tape::{Mode, Tape};
use tracebank_parser::decode::Pruning;
use tracebank_parser::scores::{SentenceScores, argmax};
use tracebank_parser::vocabulary::{AttachmentId, SpineId, TagId};
use tracebank_train::network::checkpoint::{optimiser_from_bytes, optimiser_to_bytes};
use tracebank_train::network::{NetworkObjective, PreparedExample, TaskWeights, Trainer};

fn loss(network: &Network, batch: &[&PreparedExample], gradients: &mut Gradients) -> f64 {
    let tasks = TaskWeights { traces: 0.5, smoothing: 0.05, ..TaskWeights::default() };
    let objective = NetworkObjective { tasks, structured: None };
    let mut tape = Tape::new(&network.params, Mode::Train { seed: 4 });
    let losses = objective.add_loss(network, &mut tape, batch, 1.0);
    tape.backward(gradients);
    f64::from(losses.tags)
        + f64::from(losses.spines)
        + 0.3 * f64::from(losses.functions)
        + f64::from(losses.arcs)
        + f64::from(losses.attachments)
        + 0.5 * f64::from(losses.traces)
}

/// The scores that parsing reads.
fn scores(network: &Network, sentences: &[&Prepared]) -> Vec<SentenceScores> {
    let tape = &mut network.inference();
    let words = network.read(tape, sentences);
    BatchScores::new(
        network,
        tape,
        &words,
        Scope::parsing(Some(&Referring::new(&vocabulary())), &Pruning::default()),
    )
    .sentences()
}

#[test]
fn the_gradient_is_the_difference_along_random_directions() {
    for encoder in encoders(0.1) {
        let mut network = network(encoder, 0.1);
        // What starts at zero would hide mistakes, or sit on the kinks of relu.
        let mut random = Random::new(3);
        for param in network.params.iter_mut() {
            for value in param.value.values_mut() {
                *value += 0.2 * random.normal();
            }
        }
        let examples = examples(&network, 4);
        let batch: Vec<&PreparedExample> = examples.iter().collect();
        assert_gradients(&mut network, &mut random, |network, gradients| loss(network, &batch, gradients));
    }
}

#[test]
fn every_parameter_gets_a_gradient_unless_frozen() {
    for encoder in encoders(0.0) {
        let mut network = network(encoder, 0.0);
        let examples = examples(&network, 8);
        let batch: Vec<&PreparedExample> = examples.iter().collect();
        let mut gradients = Gradients::new(&network.params);
        loss(&network, &batch, &mut gradients);
        for (param, gradient) in network.params.iter().zip(gradients.iter()) {
            assert!(gradient.values().iter().any(|&g| g != 0.0), "{}", param.name);
        }

        network.params.freeze(|param| param.name.starts_with("embeddings"));
        let mut gradients = Gradients::new(&network.params);
        loss(&network, &batch, &mut gradients);
        for (param, gradient) in network.params.iter().zip(gradients.iter()) {
            assert_eq!(matches!(gradient, Gradient::Absent), param.frozen, "{}", param.name);
        }
    }
}

fn train(network: &mut Network, examples: &[PreparedExample], steps: usize) -> Trainer {
    let config = OptimiserConfig {
        rate: 1e-2,
        encoder_rate: 1e-2,
        layer_decay: 1.0,
        warm_up: 5,
        steps,
        ..OptimiserConfig::default()
    };
    let mut trainer = Trainer::new(Optimiser::new(config, &network.params), Products::F32);
    go_on(&mut trainer, network, examples, steps);
    trainer
}

fn go_on(trainer: &mut Trainer, network: &mut Network, examples: &[PreparedExample], until: usize) {
    let (left, right) = examples.split_at(examples.len() / 2);
    let shards: Vec<Vec<&PreparedExample>> = vec![left.iter().collect(), right.iter().collect()];
    for step in trainer.optimiser.steps_taken()..until {
        trainer.step(network, &shards, &NetworkObjective::default(), step as u64);
    }
}

fn assert_all_right(network: &Network, examples: &[PreparedExample]) {
    let sentences: Vec<_> = examples.iter().map(|example| &example.sentence).collect();
    for (PreparedExample { gold, .. }, scores) in examples.iter().zip(scores(network, &sentences)) {
        for word in 0..scores.words() {
            let head = gold.heads[word];
            assert_eq!(Some(argmax(scores.tags.row(word))), gold.tags[word].map(TagId::index));
            assert_eq!(Some(argmax(scores.spines.row(word))), gold.spines[word].map(SpineId::index));
            assert_eq!(argmax(scores.heads.row(word)), head as usize);
            if head > 0 {
                let attachment = argmax(scores.attachments(word, head));
                assert_eq!(Some(attachment), gold.attachments[word].map(AttachmentId::index));
            }
            let traces = scores.traces[word].as_ref().expect("every spine may refer");
            for antecedent in (0..scores.words()).filter(|&antecedent| antecedent != word) {
                let ends = (word as u32 + 1, antecedent as u32 + 1);
                let right = gold.traces.iter().find(|trace| (trace.referrer, trace.antecedent) == ends);
                let row = traces.row(antecedent);
                let found = (row[argmax(row)] > 0.0).then(|| argmax(row));
                assert_eq!(found, right.map(|trace| trace.label.index()));
            }
        }
    }
}

#[test]
fn twenty_sentences_are_learnt_by_heart() {
    for encoder in encoders(0.0) {
        let mut network = network(encoder, 0.0);
        let examples = examples(&network, 20);
        train(&mut network, &examples, 250);
        assert_all_right(&network, &examples);
        let bytes = network.to_bytes(Precision::Full);
        let int8 = network.to_bytes(Precision::Int8);
        assert_all_right(&Network::from_bytes(&bytes).expect("just written"), &examples);
        assert_all_right(&Network::for_use(&int8).expect("just written"), &examples);
    }
}

#[test]
fn probabilities_sum_to_one_whatever_the_batch() {
    for encoder in encoders(0.3) {
        let network = network(encoder, 0.3);
        let examples = examples(&network, 3);
        let sentences: Vec<_> = examples.iter().map(|example| &example.sentence).collect();
        let together = scores(&network, &sentences);
        for (sentence, batched) in sentences.iter().zip(&together) {
            let alone = &scores(&network, &[sentence])[0];
            for word in 0..alone.words() {
                let total: f32 = alone.heads.row(word).iter().map(|log| log.exp()).sum();
                assert!((total - 1.0).abs() < 1e-5);
                assert!(alone.head(word, word as u32 + 1).is_infinite());
                for other in (0..alone.words()).filter(|&other| other != word) {
                    let traces =
                        [alone, batched].map(|scores| scores.traces[word].as_ref().unwrap().row(other));
                    for (a, b) in [
                        (traces[0], traces[1]),
                        (
                            alone.attachments(word, other as u32 + 1),
                            batched.attachments(word, other as u32 + 1),
                        ),
                        (alone.tags.row(word), batched.tags.row(word)),
                    ] {
                        assert!(a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-4));
                    }
                }
            }
        }
    }
}

#[test]
fn int8_weights_change_little() {
    // Every kind of matrix must be so big that it is stored as int8, the recurrent ones of the LSTM too.
    let widened = encoders(0.0).map(|encoder| match encoder {
        EncoderConfig::Lstm(config) => {
            EncoderConfig::Lstm(LstmConfig { hidden: 80, embedding: 64, ..config })
        }
        EncoderConfig::Pretrained(config) => {
            EncoderConfig::Pretrained(PretrainedConfig { hidden: 128, intermediate: 256, ..config })
        }
    });
    for encoder in widened {
        let small = network(encoder, 0.0);
        let hidden =
            Hidden { tags: 100, spines: 100, functions: 100, arcs: 100, attachments: 100, traces: 100 };
        let config = NetworkConfig { width: 200, hidden, ..small.config().clone() };
        let mut full = Network::new(config, small.lexicon().clone(), 1);
        // Larger than they begin, so that it shows if they are not there.
        for param in full.params.iter_mut().filter(|param| param.name.ends_with("recurrent")) {
            param.value.values_mut().iter_mut().for_each(|weight| *weight *= 4.0);
        }
        let int8 = Network::for_use(&full.to_bytes(Precision::Int8)).expect("just written");
        let examples = examples(&full, 3);
        let sentences: Vec<_> = examples.iter().map(|example| &example.sentence).collect();
        let mut largest = 0.0f32;
        for (full, int8) in scores(&full, &sentences).iter().zip(scores(&int8, &sentences)) {
            for word in 0..full.words() {
                let other = usize::from(word == 0);
                let traces = [full, &int8].map(|scores| scores.traces[word].as_ref().unwrap().row(other));
                let pairs = [
                    (full.tags.row(word), int8.tags.row(word)),
                    (full.heads.row(word), int8.heads.row(word)),
                    (full.attachments(word, other as u32 + 1), int8.attachments(word, other as u32 + 1)),
                    (traces[0], traces[1]),
                ];
                for (a, b) in pairs.iter().flat_map(|(a, b)| a.iter().zip(*b)) {
                    largest = largest.max((a.exp() - b.exp()).abs());
                }
            }
        }
        // Traces are odds against none, which may be more than 1, and inputs have seven bits; recurrent weights that are not there give a quarter.
        assert!(largest > 0.0 && largest < 0.1, "{largest}");
    }
}

#[test]
fn threads_do_not_change_a_bit() {
    for encoder in encoders(0.2) {
        let run = |threads: usize| {
            let pool =
                rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads can be started");
            pool.install(|| {
                let mut network = network(encoder.clone(), 0.2);
                let examples = examples(&network, 12);
                train(&mut network, &examples, 5);
                network.to_bytes(Precision::Full)
            })
        };
        assert!(run(1) == run(2));
    }
}

#[test]
fn training_goes_on_from_bytes_as_if_never_stopped() {
    let [encoder, _] = encoders(0.2);
    let mut straight = network(encoder.clone(), 0.2);
    let examples = examples(&straight, 12);
    let mut stopped = straight.clone();
    let config = OptimiserConfig { steps: 10, warm_up: 2, ..OptimiserConfig::default() };
    let mut trainer = Trainer::new(Optimiser::new(config.clone(), &straight.params), Products::F32);
    go_on(&mut trainer, &mut straight, &examples, 8);

    let mut first = Trainer::new(Optimiser::new(config, &stopped.params), Products::F32);
    go_on(&mut first, &mut stopped, &examples, 4);
    let (weights, state) =
        (stopped.to_bytes(Precision::Full), optimiser_to_bytes(&first.optimiser, &stopped.params));
    let mut resumed = Network::from_bytes(&weights).expect("just written");
    let mut second =
        Trainer::new(optimiser_from_bytes(&state, &resumed.params).expect("just written"), Products::F32);
    go_on(&mut second, &mut resumed, &examples, 8);
    assert!(resumed.to_bytes(Precision::Full) == straight.to_bytes(Precision::Full));
    assert!(
        optimiser_to_bytes(&second.optimiser, &resumed.params)
            == optimiser_to_bytes(&trainer.optimiser, &straight.params)
    );
}
