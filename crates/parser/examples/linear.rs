//! Trains the linear model on one treebank and scores it on another.
//!
//!     cargo run --release -p tracebank-parser --example linear -- TRAIN DEV DIALECT [name=value …]
//!
//! Names: `goal` (hinge, perceptron, crf, local), `warm` (rounds of `local` before), `epochs`, `rate`, `work`, `batch`, `threads`, `bits`, `spines`,
//! `margin`, `heads`, `candidates`, `unmet`, `l1`, `l2`, `average`, `trace-missing`, `trace-extra`, `loss` (a factor for all losses),
//! `role` (least probability of a role), `limit` (sentences to train on), `every` (rounds between evaluations), `out` (a file for the model).
#![expect(clippy::print_stdout, reason = "the figures are for whoever runs it")]

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::time::Instant;

use tracebank_parser::corpus::Treebank;
use tracebank_parser::decode::{Certainty, Decoder};
use tracebank_parser::gold::{ALPHABET, Gold, Habits, Lesson, build};
use tracebank_parser::inventory::{Census, Inventory};
use tracebank_parser::linear::model::{Config, Example, LinearModel, Prepared};
use tracebank_parser::linear::roles::{self, RoleOptions, Roles};
use tracebank_parser::train::online::{Goal, Options, State, train_epoch};
use tracebank_parser::train::update::Rule;
use tracebank_report::align::pair_up;
use tracebank_report::evaluation::{Evaluation, Options as Metrics};
use tracebank_report::metric::Metric;
use tracebank_syntax::class::Structure;
use tracebank_syntax::graph;
use tracebank_syntax::tree::Tree;

type Failure = Box<dyn std::error::Error>;

fn words(lesson: &Lesson) -> Vec<String> {
    lesson.projection.words.iter().map(|word| word.form.clone()).collect()
}

/// The `name=value` arguments.
struct Flags(BTreeMap<String, String>);

impl Flags {
    fn get<T: std::str::FromStr>(&self, name: &str, default: T) -> T {
        self.0.get(name).and_then(|value| value.parse().ok()).unwrap_or(default)
    }

    fn config(&self, goal: Goal) -> Config {
        let mut config = Config::default();
        config.bits = self.get("bits", config.bits);
        config.heads = self.get("heads", config.heads);
        config.candidates = self.get("candidates", config.candidates);
        config.is_normalised = matches!(goal, Goal::Crf | Goal::Local);
        config.settings.spines = self.get("spines", config.settings.spines);
        config.settings.spine_margin = self.get("margin", config.settings.spine_margin);
        config.settings.unmet = self.get("unmet", config.settings.unmet);
        config
    }

    fn options(&self, goal: Goal) -> Options {
        let mut options = Options { goal, ..Options::default() };
        if goal == Goal::Perceptron {
            options.rule = Rule::PERCEPTRON;
        }
        options.rule.rate = self.get("rate", options.rule.rate);
        options.rule.l1 = self.get("l1", 0.0);
        options.rule.l2 = self.get("l2", 0.0);
        options.rule.is_averaged = self.get("average", true);
        options.epochs = self.get("epochs", options.epochs);
        options.batch = self.get("batch", options.batch);
        options.threads = self.get("threads", 1);
        options.chart_work = self.get("work", options.chart_work);
        let factor = self.get("loss", 1.0);
        let loss = &mut options.loss;
        loss.trace.missing = self.get("trace-missing", 1.0);
        loss.trace.extra = self.get("trace-extra", 1.0);
        for weight in [
            &mut loss.spine,
            &mut loss.structural.extra,
            &mut loss.structural.missing,
            &mut loss.structural.different,
            &mut loss.trace.extra,
            &mut loss.trace.missing,
            &mut loss.trace.different,
        ] {
            *weight *= factor;
        }
        options
    }
}

fn main() -> Result<(), Failure> {
    let mut arguments = std::env::args().skip(1);
    let [train, dev, dialect] = std::array::from_fn(|_| arguments.next().unwrap_or_default());
    let flags = arguments.filter_map(|flag| flag.split_once('=').map(|(a, b)| (a.to_owned(), b.to_owned())));
    let flags = Flags(flags.collect());
    let goal = match flags.get("goal", String::from("hinge")).as_str() {
        "perceptron" => Goal::Perceptron,
        "crf" => Goal::Crf,
        "local" => Goal::Local,
        _ => Goal::Hinge,
    };
    let start = Instant::now();
    let lessons = |file: &str| {
        Treebank { file: file.into(), dialect: dialect.clone(), convention: None, weight: 1.0 }.lessons()
    };
    let mut census = Census::default();
    let mut habits = Habits::default();
    let mut train = lessons(&train)?;
    train.truncate(flags.get("limit", usize::MAX));
    for (_, lesson) in &train {
        census.add(&lesson.projection, &lesson.functions);
        habits.learn(lesson);
    }
    let names = census.names(1);
    let inventory = Inventory::new(names.clone())?;
    let example =
        |(_, lesson): &(Tree, Lesson)| Example { words: words(lesson), gold: lesson.gold(&inventory) };
    let examples: Vec<Example> = train.iter().map(example).collect();
    let mut model = LinearModel::new(names, flags.config(goal), &examples)?;
    println!("{:6.1} s: tagger", start.elapsed().as_secs_f64());
    let prepared = model.prepare_all(&examples);
    let golds = examples.into_iter().map(|example| example.gold);
    let examples: Vec<(Prepared, Gold)> = prepared.into_iter().zip(golds).collect();
    println!("{:6.1} s: {} sentences", start.elapsed().as_secs_f64(), examples.len());
    let dev = lessons(&dev)?;
    roles::train(&mut model, &examples, &RoleOptions::default());
    report_roles(&model, &dev);
    println!("{:6.1} s: roles", start.elapsed().as_secs_f64());

    let options = flags.options(goal);
    let local = Options { goal: Goal::Local, rule: Rule { rate: 0.1, ..options.rule }, ..options };
    let mut state = State::new(&model, &options);
    let warm = flags.get("warm", 0);
    for epoch in 0..warm + options.epochs {
        let options = if epoch < warm { &local } else { &options };
        let mut loss = 0.0;
        let _ = train_epoch(&model, &examples, options, &mut state, &mut |progress| {
            loss = progress.loss;
            ControlFlow::Continue(())
        });
        println!("{:6.1} s: {:?} {epoch}, loss {loss:.3}", start.elapsed().as_secs_f64(), options.goal);
        let is_last = epoch + 1 == warm + options.epochs;
        if is_last || (epoch + 1) % flags.get("every", 2) == 0 {
            evaluate(&state.snapshot(&model), &habits, &dev, &flags)?;
        }
    }
    state.finish(&mut model);
    let bytes = model.to_bytes();
    println!("{:6.1} s: {} bytes, peak memory {}", start.elapsed().as_secs_f64(), bytes.len(), peak());
    if let Some(out) = flags.0.get("out") {
        std::fs::write(out, bytes)?;
    }
    Ok(())
}

fn report_roles(model: &LinearModel, dev: &[(Tree, Lesson)]) {
    let golds: Vec<Gold> = dev.iter().map(|(_, lesson)| lesson.gold(&model.inventory)).collect();
    let roles = dev.iter().map(|(_, lesson)| Roles::of(model, &model.prepare(&words(lesson), None)));
    let guesses: Vec<(Roles, &Gold)> = roles.zip(&golds).collect();
    for bin in roles::reliability(&guesses) {
        println!("roles: {:6} expected {:.3} observed {:.3}", bin.count, bin.expected, bin.observed);
    }
    for point in roles::operating_points(&guesses, &[0.3, 0.1, 0.05, 0.03, 0.02, 0.01, 0.005, 0.002]) {
        let [kept, survived] = [point.kept, point.survived].map(|share| 100.0 * share);
        println!("roles: threshold {}: {kept:.1} % kept, {survived:.1} % survived", point.threshold);
    }
}

fn evaluate(
    model: &LinearModel,
    habits: &Habits,
    dev: &[(Tree, Lesson)],
    flags: &Flags,
) -> Result<(), Failure> {
    let mut model = model.clone();
    model.config.least_role = flags.get("role", 0.0);
    let mut decoder = Decoder::new(&model.inventory, model.settings());
    let mut evaluation = Evaluation::new(Metrics::default());
    let (mut scoring, mut decoding) = (0.0, 0.0);
    let (mut all, mut right, mut certain) = (0_usize, [0_usize; 5], [0; 3]);
    for (tree, lesson) in dev {
        let forms = words(lesson);
        let gold = lesson.gold(&model.inventory);
        let start = Instant::now();
        let scores = model.score(&forms, None);
        scoring += start.elapsed().as_secs_f64();
        let start = Instant::now();
        let decoded = decoder.decode(&scores, Structure::OneEndpointCrossing, None);
        decoding += start.elapsed().as_secs_f64();
        certain[match decoded.certainty {
            Certainty::Relaxed => 0,
            Certainty::Charted => 1,
            Certainty::Approximate => 2,
        }] += 1;
        for (index, word) in decoded.analysis.words.iter().enumerate() {
            all += 1;
            right[0] += usize::from(Some(word.tag) == gold.tags[index]);
            right[1] += usize::from(Some(word.spine) == gold.spines[index]);
            right[2] += usize::from(word.head == gold.heads[index]);
            right[3] += usize::from(Some(word.function) == gold.functions[index]);
            let among = gold.spines[index].is_some_and(|spine| scores.spine(index, spine).is_finite());
            right[4] += usize::from(among);
        }
        let graph = build(&decoded.analysis, &forms, &model.inventory, habits)?;
        let (mut guess, mut tree) = (graph::decode(&graph)?, tree.clone());
        ALPHABET.strip(&mut tree);
        ALPHABET.strip(&mut guess);
        for pair in pair_up(std::iter::once(Ok(tree)), std::iter::once(Ok(guess))) {
            evaluation.add(&pair);
        }
    }
    let f1 = [Metric::Brackets, Metric::Null, Metric::Coindex].map(|metric| {
        let total = &evaluation.tallies()[metric].total;
        format!("{:.2} ({:.1}/{:.1})", total.f1(), total.precision(), total.recall())
    });
    let right = right.map(|right| format!("{:.2}", 100.0 * right as f64 / all as f64));
    println!("   brackets, nulls, co-index: {}", f1.join("  "));
    println!("   tag, spine, head, function, spine among candidates: {}", right.join(" "));
    println!(
        "   scoring {scoring:.1} s, decoding {decoding:.1} s; relaxed, charted, approximate: {certain:?}"
    );
    Ok(())
}

/// The most memory so far, as Linux tells it.
fn peak() -> String {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find(|line| line.starts_with("VmHWM")).unwrap_or("unknown");
    line.split_whitespace().skip(1).collect::<Vec<_>>().join(" ")
}
