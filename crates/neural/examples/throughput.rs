//! How fast the network learns and reads, against the bare products of matrices it is made of.
//!
//!     cargo run --release -p tracebank-neural --example throughput [seconds]

#![allow(clippy::print_stdout, reason = "this is a program")]

use std::time::Instant;

use tracebank_neural::encoder::{EncoderConfig, LstmConfig, PretrainedConfig};
use tracebank_neural::network::Labels;
use tracebank_neural::random::Random;
use tracebank_neural::wordpiece::WordPiece;
use tracebank_neural::{
    Example, Gold, Input, Lexicon, Network, NetworkConfig, Optimiser, OptimiserConfig, Prepared, TaskWeights,
    Trainer,
};

const WORDS: usize = 25;
const BATCH: usize = 64;
const LABELS: Labels = Labels { tags: 48, spines: 500, functions: 60, attachments: 150, traces: 40 };

fn main() {
    let seconds = std::env::args().nth(1).and_then(|text| text.parse().ok()).unwrap_or(10.0);
    let raw = raw_speed(1264, 1536, 384);
    println!("one product [1264 x 384] · [384 x 1536]: {raw:.1} GFLOP/s of a core");
    println!("one product [40 x 384] · [384 x 1536]: {:.1} GFLOP/s of a core", raw_speed(40, 1536, 384));
    for layers in [4, 6] {
        let config = PretrainedConfig { layers, ..PretrainedConfig::default() };
        report(&format!("{layers} layers"), EncoderConfig::Pretrained(config), seconds, raw);
    }
    report("LSTM", EncoderConfig::Lstm(LstmConfig::default()), seconds, raw);
}

fn report(name: &str, encoder: EncoderConfig, seconds: f32, raw: f32) {
    let mut network = network(encoder);
    let examples = examples(&network);
    let shards: Vec<Vec<&Example>> = examples.chunks(BATCH / 2).map(|shard| shard.iter().collect()).collect();
    let rows: usize = examples.iter().map(|example| example.sentence.encoder_rows()).sum();
    let forward = flops(&network, &examples);
    for threads in [1, 2] {
        let pool =
            rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads can be started");
        let mut trainer = Trainer::new(Optimiser::new(OptimiserConfig::default(), &network.params));
        let time = pool.install(|| {
            measure(seconds, || {
                trainer.step(&mut network, &shards, &TaskWeights::default(), 1);
            })
        });
        let speed = 3.0 * forward / time.processor / 1e9;
        println!(
            "{name}: training on {threads} threads: {:.0} rows/s, {:.0} words/s, {speed:.1} GFLOP/s of a core, {:.0} % of raw",
            rows as f32 / time.clock,
            (BATCH * WORDS) as f32 / time.clock,
            100.0 * speed / raw
        );
    }
    for (size, bits) in [(1, 32), (BATCH, 32), (1, 8), (BATCH, 8)] {
        if bits == 8 {
            network.quantise();
        }
        let batch: Vec<&Prepared> = examples[..size].iter().map(|example| &example.sentence).collect();
        let time = measure(seconds / 4.0, || {
            network.scores(&batch);
        });
        let speed = flops(&network, &examples[..size]) / time.processor / 1e9;
        println!(
            "{name}: scores of {size} sentences with {bits} bits on 1 thread: {:.0} words/s, {speed:.1} GFLOP/s of a core, {:.0} % of raw",
            (size * WORDS) as f32 / time.clock,
            100.0 * speed / raw
        );
    }
}

/// The mean time of a call: on the clock, and of the processor, which other programs on the machine slow down less.
struct Time {
    clock: f32,
    processor: f32,
}

fn measure(seconds: f32, mut call: impl FnMut()) -> Time {
    call();
    let (start, before, mut calls) = (Instant::now(), processor_seconds(), 0.0);
    while start.elapsed().as_secs_f32() < seconds {
        call();
        calls += 1.0;
    }
    Time {
        clock: start.elapsed().as_secs_f32() / calls,
        processor: (processor_seconds() - before) as f32 / calls,
    }
}

/// The processor time of all threads so far, as Linux tells it.
fn processor_seconds() -> f64 {
    let tasks = std::fs::read_dir("/proc/self/task").into_iter().flatten().flatten();
    let nanoseconds = tasks.filter_map(|task| {
        let text = std::fs::read_to_string(task.path().join("schedstat")).ok()?;
        text.split(' ').next()?.parse::<f64>().ok()
    });
    nanoseconds.sum::<f64>() / 1e9
}

fn raw_speed(m: usize, n: usize, k: usize) -> f32 {
    let (a, b, mut c) = (vec![0.5f32; m * k], vec![0.25f32; n * k], vec![0.0f32; m * n]);
    let time = measure(1.0, || {
        // SAFETY: the three slices have the sizes the strides reach.
        unsafe {
            gemm::gemm(
                m,
                n,
                k,
                c.as_mut_ptr(),
                1,
                n as isize,
                false,
                a.as_ptr(),
                1,
                k as isize,
                b.as_ptr(),
                k as isize,
                1,
                1.0,
                1.0,
                false,
                false,
                false,
                gemm::Parallelism::None,
            );
        }
    });
    2.0 * (m * n * k) as f32 / time.processor / 1e9
}

/// Operations of all products on the way there.
fn flops(network: &Network, examples: &[Example]) -> f32 {
    let count = |example: &Example| -> f32 {
        let (rows, words) = (example.sentence.encoder_rows() as f32, example.sentence.len() as f32);
        let mut sum = 0.0;
        for param in network.params.iter().filter(|param| !param.table && param.value.rows() > 1) {
            let rows = match param.name.as_str() {
                "traces.labels.weight" => words * words,
                name if name.starts_with("layers.") => rows,
                _ => words,
            };
            sum += 2.0 * rows * param.value.values().len() as f32;
        }
        if let EncoderConfig::Pretrained(config) = &network.config().encoder {
            sum += 4.0 * rows * rows * (config.hidden * config.layers) as f32;
        }
        sum
    };
    examples.iter().map(count).sum()
}

fn network(encoder: EncoderConfig) -> Network {
    let stems = || (0..10_000).map(|nth| format!("w{nth}"));
    let lexicon = match &encoder {
        EncoderConfig::Pretrained(_) => {
            let special = ["[UNK]", "[CLS]", "[SEP]", "##s"].map(str::to_owned).into_iter();
            let fillers = (0..20_518).map(|nth| format!("filler{nth}"));
            Lexicon::Pieces(
                WordPiece::new(special.chain(stems()).chain(fillers).collect()).expect("complete"),
            )
        }
        EncoderConfig::Lstm(_) => {
            let stems: Vec<String> = stems().collect();
            Lexicon::from_words(stems.iter().map(String::as_str), 1)
        }
    };
    Network::new(NetworkConfig { encoder, labels: LABELS, ..NetworkConfig::default() }, lexicon, 1)
}

/// Sentences of which every other word has two pieces.
fn examples(network: &Network) -> Vec<Example> {
    let mut random = Random::new(2);
    let mut example = || {
        let mut ids = |below: usize| (0..WORDS).map(|_| random.below(below) as u32).collect::<Vec<u32>>();
        let word = |(nth, id): (usize, u32)| format!("w{id}{}", if nth % 2 == 0 { "" } else { "s" });
        let words = ids(10_000).into_iter().enumerate().map(word).collect();
        let gold = Gold {
            tags: ids(LABELS.tags),
            spines: ids(LABELS.spines),
            functions: ids(LABELS.functions),
            heads: vec![0; WORDS],
            attachments: ids(LABELS.attachments),
            traces: vec![(3, 7, 1)],
        };
        Example { sentence: network.prepare(&Input { words, dialect: 0 }), gold }
    };
    (0..BATCH).map(|_| example()).collect()
}
