//! The whole network: its gradients, its learning, and its way through bytes.

mod gradients;
mod language;
mod structured;

use gradients::assert_gradients;
use language::{encoders, examples, network};
use tracebank_neural::encoder::{EncoderConfig, LstmConfig, PretrainedConfig};
use tracebank_neural::grads::{Gradient, Grads};
use tracebank_neural::network::Hidden;
use tracebank_neural::optimise::Average;
use tracebank_neural::random::Random;
use tracebank_neural::store::Precision;
use tracebank_neural::tape::{Mode, Tape};
use tracebank_neural::{
    Network, NetworkConfig, Optimiser, OptimiserConfig, Prepared, PreparedExample, TaskWeights, Trainer,
};
use tracebank_parser::vocabulary::{AttachmentId, SpineId, TagId};

fn loss(network: &Network, batch: &[&PreparedExample], grads: &mut Grads) -> f64 {
    let weights = TaskWeights { traces: 0.5, smoothing: 0.05, ..TaskWeights::default() };
    let mut tape = Tape::new(&network.params, Mode::Train { seed: 4 });
    let sentences: Vec<&Prepared> = batch.iter().map(|example| &example.sentence).collect();
    let words = network.read(&mut tape, &sentences);
    let losses = network.loss(&mut tape, &words, batch, &weights, 1.0);
    tape.backward(grads);
    f64::from(losses.tags)
        + f64::from(losses.spines)
        + 0.3 * f64::from(losses.functions)
        + f64::from(losses.arcs)
        + f64::from(losses.attachments)
        + 0.5 * f64::from(losses.traces)
}

#[test]
fn the_gradient_is_the_slope_along_random_directions() {
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
        assert_gradients(&mut network, &mut random, |network, grads| loss(network, &batch, grads));
    }
}

#[test]
fn every_parameter_gets_a_gradient_unless_frozen() {
    for encoder in encoders(0.0) {
        let mut network = network(encoder, 0.0);
        let examples = examples(&network, 8);
        let batch: Vec<&PreparedExample> = examples.iter().collect();
        let mut grads = Grads::new(&network.params);
        loss(&network, &batch, &mut grads);
        for (param, gradient) in network.params.iter().zip(grads.iter()) {
            assert!(gradient.values().iter().any(|&g| g != 0.0), "{}", param.name);
        }

        network.params.freeze(|param| param.name.starts_with("embeddings"));
        let mut grads = Grads::new(&network.params);
        loss(&network, &batch, &mut grads);
        for (param, gradient) in network.params.iter().zip(grads.iter()) {
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
        average: Some(Average { decay: 0.9, every: 2 }),
        ..OptimiserConfig::default()
    };
    let mut trainer = Trainer::new(Optimiser::new(config, &network.params));
    go_on(&mut trainer, network, examples, steps);
    trainer
}

fn go_on(trainer: &mut Trainer, network: &mut Network, examples: &[PreparedExample], until: usize) {
    let (left, right) = examples.split_at(examples.len() / 2);
    let shards: Vec<Vec<&PreparedExample>> = vec![left.iter().collect(), right.iter().collect()];
    for step in trainer.optimiser.steps_taken()..until {
        trainer.step(network, &shards, &TaskWeights::default(), None, step as u64);
    }
}

fn best(scores: &[f32]) -> usize {
    let order = |a: &usize, b: &usize| scores[*a].total_cmp(&scores[*b]);
    (0..scores.len()).max_by(order).expect("there is a label")
}

fn assert_all_right(network: &Network, examples: &[PreparedExample]) {
    let sentences: Vec<_> = examples.iter().map(|example| &example.sentence).collect();
    for (PreparedExample { gold, .. }, scores) in examples.iter().zip(network.scores(&sentences)) {
        for word in 0..scores.len() {
            let head = gold.heads[word] as usize;
            assert_eq!(Some(best(scores.tags(word))), gold.tags[word].map(TagId::index));
            assert_eq!(Some(best(scores.spines(word))), gold.spines[word].map(SpineId::index));
            assert_eq!(best(scores.heads(word)), head);
            let attachment = best(scores.attachments(word, head));
            assert_eq!(Some(attachment), gold.attachments[word].map(AttachmentId::index));
            for child in (0..scores.len()).filter(|&child| child != word) {
                let ends = (word as u32 + 1, child as u32 + 1);
                let right = gold.traces.iter().find(|trace| (trace.referrer, trace.antecedent) == ends);
                assert_eq!(
                    best(scores.traces(word, child)),
                    right.map_or(0, |trace| trace.label.index() + 1)
                );
            }
        }
    }
}

#[test]
fn twenty_sentences_are_learnt_by_heart() {
    for encoder in encoders(0.0) {
        let mut network = network(encoder, 0.0);
        let examples = examples(&network, 20);
        let trainer = train(&mut network, &examples, 150);
        assert_all_right(&network, &examples);
        network.params = trainer.optimiser.averaged(&network.params).expect("an average is kept");
        assert_all_right(&network, &examples);
        let bytes = network.to_bytes(Precision::Full);
        let eight = network.to_bytes(Precision::Eight);
        assert_all_right(&Network::from_bytes(&bytes).expect("just written"), &examples);
        assert_all_right(&Network::for_use(&eight).expect("just written"), &examples);
    }
}

#[test]
fn probabilities_sum_to_one_whatever_the_batch() {
    for encoder in encoders(0.3) {
        let network = network(encoder, 0.3);
        let examples = examples(&network, 3);
        let sentences: Vec<_> = examples.iter().map(|example| &example.sentence).collect();
        let together = network.scores(&sentences);
        for (sentence, batched) in sentences.iter().zip(&together) {
            let alone = &network.scores(&[sentence])[0];
            for word in 0..alone.len() {
                let total: f32 = alone.heads(word).iter().map(|log| log.exp()).sum();
                assert!((total - 1.0).abs() < 1e-5);
                assert!(alone.heads(word)[word + 1].is_infinite());
                for other in 0..alone.len() {
                    for (a, b) in [
                        (alone.traces(word, other), batched.traces(word, other)),
                        (alone.attachments(word, other), batched.attachments(word, other)),
                        (alone.tags(word), batched.tags(word)),
                    ] {
                        assert!(a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-4));
                    }
                }
            }
        }
    }
}

#[test]
fn eight_bits_change_little() {
    // Every kind of matrix must be so big that it is stored as eight bits, the recurrent ones of the LSTM too.
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
        let eight = Network::for_use(&full.to_bytes(Precision::Eight)).expect("just written");
        let examples = examples(&full, 3);
        let sentences: Vec<_> = examples.iter().map(|example| &example.sentence).collect();
        let mut largest = 0.0f32;
        for (full, eight) in full.scores(&sentences).iter().zip(eight.scores(&sentences)) {
            for word in 0..full.len() {
                let pairs = [
                    (full.tags(word), eight.tags(word)),
                    (full.heads(word), eight.heads(word)),
                    (full.attachments(word, 0), eight.attachments(word, 0)),
                    (full.traces(word, 0), eight.traces(word, 0)),
                ];
                for (a, b) in pairs.iter().flat_map(|(a, b)| a.iter().zip(*b)) {
                    largest = largest.max((a.exp() - b.exp()).abs());
                }
            }
        }
        assert!(largest > 0.0 && largest < 0.01, "{largest}");
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
    let config = OptimiserConfig {
        steps: 10,
        warm_up: 2,
        average: Some(Average { decay: 0.99, every: 3 }),
        ..OptimiserConfig::default()
    };
    let mut trainer = Trainer::new(Optimiser::new(config.clone(), &straight.params));
    go_on(&mut trainer, &mut straight, &examples, 8);

    let mut first = Trainer::new(Optimiser::new(config, &stopped.params));
    go_on(&mut first, &mut stopped, &examples, 4);
    let (weights, state) = (stopped.to_bytes(Precision::Full), first.optimiser.to_bytes(&stopped.params));
    let mut resumed = Network::from_bytes(&weights).expect("just written");
    let mut second = Trainer::new(Optimiser::from_bytes(&state, &resumed.params).expect("just written"));
    go_on(&mut second, &mut resumed, &examples, 8);
    assert!(resumed.to_bytes(Precision::Full) == straight.to_bytes(Precision::Full));
    assert!(second.optimiser.to_bytes(&resumed.params) == trainer.optimiser.to_bytes(&straight.params));
}
