//! Speed of the network in training and use, against the bare products of matrices it is made of.
//!
//!     cargo run --release -p tracebank-train --example throughput [seconds]

#![allow(clippy::print_stdout, reason = "this is a program")]

use std::time::Instant;

use tracebank_neural::batch_scores::{BatchScores, Scope};
use tracebank_neural::encoder::{EncoderConfig, LstmConfig, PretrainedConfig};
use tracebank_neural::network::Labels;
use tracebank_neural::wordpiece::WordPiece;
use tracebank_neural::{Lexicon, Network, NetworkConfig, Prepared};
use tracebank_nn::optimiser::{Optimiser, OptimiserConfig};
use tracebank_nn::product::Products;
use tracebank_nn::random::Random;
use tracebank_parser::decode::Pruning;
use tracebank_parser::gold::Gold;
use tracebank_parser::vocabulary::{AttachmentId, FunctionId, SpineId, TagId, Trace, TraceId};
use tracebank_train::network::{NetworkObjective, PreparedExample, Trainer};

const WORDS: usize = 25;
const BATCH: usize = 64;
const LABELS: Labels = Labels { tags: 48, spines: 500, functions: 60, attachments: 150, traces: 40 };

fn main() {
    let seconds = std::env::args().nth(1).and_then(|text| text.parse().ok()).unwrap_or(10.0);
    for layers in [4, 6] {
        let config = PretrainedConfig { layers, ..PretrainedConfig::default() };
        report(&format!("{layers} layers"), EncoderConfig::Pretrained(config), seconds);
    }
    report("LSTM", EncoderConfig::Lstm(LstmConfig::default()), seconds);
}

fn report(name: &str, encoder: EncoderConfig, seconds: f32) {
    let mut network = network(encoder);
    let examples = examples(&network);
    let shards: Vec<Vec<&PreparedExample>> =
        examples.chunks(BATCH / 2).map(|shard| shard.iter().collect()).collect();
    let rows: usize = examples.iter().map(|example| example.sentence.encoder_rows()).sum();
    let forward = flops(&network, &examples);
    for (threads, products) in [(1, Products::F32), (2, Products::F32), (2, Products::Bf16)] {
        let pool =
            rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads can be started");
        let mut trainer = Trainer::new(Optimiser::new(OptimiserConfig::default(), &network.params), products);
        let time = pool.install(|| {
            measure(seconds, || {
                trainer.step(&mut network, &shards, &NetworkObjective::default(), 1);
            })
        });
        let speed = 3.0 * forward / time.processor / 1e9;
        println!(
            "{name}: training on {threads} threads, {products:?}: {:.0} rows/s and {:.0} words/s of a core, {:.0} words/s on the clock, {speed:.1} of {:.1} GFLOP/s, {:.0} %",
            rows as f32 / time.processor,
            (BATCH * WORDS) as f32 / time.processor,
            (BATCH * WORDS) as f32 / time.clock,
            time.raw,
            100.0 * speed / time.raw
        );
    }
    for (size, bits) in [(1, 32), (BATCH, 32), (1, 8), (BATCH, 8)] {
        if bits == 8 {
            network.quantise();
        }
        let batch: Vec<&Prepared> = examples[..size].iter().map(|example| &example.sentence).collect();
        let time = measure(seconds / 4.0, || {
            let tape = &mut network.inference();
            let words = network.read(tape, &batch);
            let pruning = Pruning::default();
            let scope = Scope { all_traces: true, ..Scope::parsing(None, &pruning) };
            BatchScores::new(&network, tape, &words, scope);
        });
        let speed = flops(&network, &examples[..size]) / time.processor / 1e9;
        println!(
            "{name}: scores of {size} sentences with {bits} bits on 1 thread: {:.0} words/s of a core, {:.0} on the clock, {speed:.1} of {:.1} GFLOP/s, {:.0} %",
            (size * WORDS) as f32 / time.processor,
            (size * WORDS) as f32 / time.clock,
            time.raw,
            100.0 * speed / time.raw
        );
    }
}

/// The mean time of a call: on the clock, and of the processor, which other programs on the machine slow down less.
struct Time {
    clock: f32,
    processor: f32,
    /// The speed of a bare product, in GFLOP/s of a core, measured between the calls, under the same conditions.
    raw: f32,
}

fn measure(seconds: f32, mut call: impl FnMut()) -> Time {
    let mut product = Product::new(1264, 1536, 384);
    call();
    product.run();
    let (mut clock, mut processor, mut calls) = (0.0, 0.0, 0.0);
    let (mut raw_processor, mut raw_calls) = (0.0, 0.0);
    while clock < seconds {
        let (start, before) = (Instant::now(), processor_seconds());
        call();
        let between = processor_seconds();
        clock += start.elapsed().as_secs_f32();
        processor += between - before;
        calls += 1.0;
        while raw_processor < processor / 3.0 {
            let before = processor_seconds();
            product.run();
            raw_processor += processor_seconds() - before;
            raw_calls += 1.0;
        }
    }
    let raw = product.flops() * raw_calls / raw_processor as f32 / 1e9;
    Time { clock: clock / calls, processor: processor as f32 / calls, raw }
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

/// A product of the shape that the encoder has most.
struct Product {
    m: usize,
    n: usize,
    k: usize,
    left: Vec<f32>,
    right: Vec<f32>,
    out: Vec<f32>,
}

impl Product {
    fn new(m: usize, n: usize, k: usize) -> Self {
        Self { m, n, k, left: vec![0.5; m * k], right: vec![0.25; n * k], out: vec![0.0; m * n] }
    }

    fn flops(&self) -> f32 {
        2.0 * (self.m * self.n * self.k) as f32
    }

    fn run(&mut self) {
        let (left, right, out) = (self.left.as_ptr(), self.right.as_ptr(), self.out.as_mut_ptr());
        let (n, k) = (self.n as isize, self.k as isize);
        let none = gemm_common::Parallelism::None;
        let product = gemm_f32::gemm::f32::get_gemm_fn();
        // SAFETY: the three vectors have the sizes that the strides reach.
        unsafe {
            product(
                self.n, self.m, self.k, out, n, 1, false, right, 1, k, left, k, 1, 1.0, 1.0, false, false,
                false, none,
            );
        }
    }
}

/// Operations of all products on the way there.
fn flops(network: &Network, examples: &[PreparedExample]) -> f32 {
    let count = |example: &PreparedExample| -> f32 {
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
fn examples(network: &Network) -> Vec<PreparedExample> {
    let mut random = Random::new(2);
    let mut example = || {
        let mut ids = |below: usize| (0..WORDS).map(|_| random.below(below) as u32).collect::<Vec<u32>>();
        let word = |(nth, id): (usize, u32)| format!("w{id}{}", if nth % 2 == 0 { "" } else { "s" });
        let words: Vec<String> = ids(10_000).into_iter().enumerate().map(word).collect();
        let mut some = |below: usize| ids(below).into_iter().map(|id| id as u16).map(Some);
        let gold = Gold {
            tags: some(LABELS.tags).map(|id| id.map(TagId)).collect(),
            spines: some(LABELS.spines).map(|id| id.map(SpineId)).collect(),
            functions: some(LABELS.functions).map(|id| id.map(FunctionId)).collect(),
            heads: vec![0; WORDS],
            attachments: some(LABELS.attachments).map(|id| id.map(AttachmentId)).collect(),
            traces: vec![Trace { referrer: 4, antecedent: 8, label: TraceId(0) }],
        };
        PreparedExample { sentence: network.prepare(&words, 0), gold }
    };
    (0..BATCH).map(|_| example()).collect()
}
