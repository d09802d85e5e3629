//! `tracebank train`.

mod checkpoint;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};
use miette::Result;
use tracebank_train::network::TaskWeights;
use tracebank_train::{Event, Figures, Recipe, Training, Watcher, begin};

use self::checkpoint::Checkpoint;
use crate::failure::{Failure, say};
use crate::interrupt::Interrupt;
use crate::output::{Output, Place, refuse_gzip};
use crate::range::{THREADS, within};
use crate::small;

/// Train a model on treebanks
///
/// The recipe is a file in TOML that names the trees to learn from and to measure with, the network and the schedule; the guide (docs/guide)
/// explains every entry. What has been learnt, and what has been tried of the decoder's settings after that, is saved as a checkpoint every few
/// minutes, and when Ctrl-C is pressed; `--resume` goes on from there and gives the same model as a run that was never interrupted.
#[derive(Args)]
#[command(after_help = "Examples:
  tracebank train recipes/english.toml --out english.tbm
  tracebank train recipes/english.toml --out english.tbm --resume    go on after an interruption
  tracebank model info english.tbm                                   what came of it")]
pub(crate) struct Train {
    /// The recipe
    recipe: PathBuf,

    /// The file of the model
    #[arg(short, long, value_name = "FILE")]
    out: PathBuf,
    /// Overwrite the file if there is one, and begin again where an earlier run left a checkpoint
    #[arg(long)]
    force: bool,

    /// Go on from the checkpoint FILE.checkpoint of an interrupted run; without one, begin
    #[arg(long)]
    resume: bool,

    /// Write the model as the checkpoint has it, and learn nothing more
    #[arg(long, requires = "resume")]
    snapshot: bool,

    /// The number of threads [default: one for each core, and one for a linear model]. A network is the same for any number; a linear
    /// model is the same every time with one only
    #[arg(long, value_name = "N", value_parser = within(THREADS))]
    threads: Option<usize>,

    /// The minutes between two checkpoints
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u64).range(..=100_000))]
    checkpoint_minutes: u64,

    /// Write what happens as lines of JSON to this file
    #[arg(long, value_name = "FILE")]
    log: Option<PathBuf>,
}

/// The number of steps below which a network learns next to nothing.
const FEW_STEPS: usize = 200;

pub(crate) fn run(arguments: &Train) -> Result<ExitCode> {
    // Hours later would be too late to say that the file cannot be written.
    let checkpoint = arguments.checkpoint()?;
    if let Some(threads) = arguments.threads {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build_global();
        pool.map_err(|error| Failure(error.to_string()))?;
    }
    let mut recipe = read_recipe(&arguments.recipe)?;
    if let (Some(linear), Some(threads)) = (&mut recipe.linear, arguments.threads) {
        linear.training.threads = threads;
    }
    let is_linear = recipe.linear.is_some();
    let mut session = begin(recipe).map_err(|error| Failure(error.to_string()))?;
    if arguments.resume {
        match checkpoint.read().map_err(|error| at(checkpoint.path(), &error))? {
            Some(bytes) => session.resume(&bytes).map_err(|error| at(checkpoint.path(), &error))?,
            None if arguments.snapshot => return Err(at(checkpoint.path(), &"there is no such file").into()),
            // One command then serves to begin and to go on.
            None => say(&format!("there is no {}: the run begins", checkpoint.path().display())),
        }
    }
    if arguments.snapshot {
        return arguments.write_model(&*session);
    }
    if session.steps() < FEW_STEPS && !is_linear {
        say(&format!(
            "this run makes {} steps only and will hardly learn anything: more trees, more epochs or fewer words_per_step give more",
            session.steps()
        ));
    }
    let interrupt = Interrupt::watch();
    let mut log = Log::open(arguments.log.as_deref(), session.steps())?;
    let interval = Duration::from_secs(60 * arguments.checkpoint_minutes);
    let (mut watch, mut keep) = (|event: Event<'_>| log.tell(&event), |bytes: &[u8]| checkpoint.save(bytes));
    let finished = session.run(Watcher::new(&interrupt.stop, interval, &mut watch, &mut keep));
    log.bar.finish_and_clear();
    if !finished.map_err(|error| Failure(error.to_string()))? {
        say(&format!("stopped; go on with --resume from {}", checkpoint.path().display()));
        return Ok(ExitCode::from(interrupt.code()));
    }
    let written = arguments.write_model(&*session)?;
    checkpoint.remove();
    Ok(written)
}

pub(super) fn read_recipe(path: &Path) -> Result<Recipe> {
    let recipe = Recipe::parse(&small::text(path)?).map_err(|error| at(path, &error))?;
    Ok(recipe.in_folder(path.parent().unwrap_or(Path::new(""))))
}

impl Train {
    /// The checkpoint beside the model, if the model can be written in the end.
    fn checkpoint(&self) -> Result<Checkpoint> {
        refuse_gzip(&self.out)?;
        let Place::File(model) = Place::of(&self.out, self.force)? else {
            return Err(at(&self.out, &"a model is written to a file, with its checkpoint beside it").into());
        };
        if self.snapshot {
            Ok(Checkpoint::of(&model))
        } else {
            Checkpoint::claim(&model, self.resume || self.force)
        }
    }

    fn write_model(&self, session: &dyn Training) -> Result<ExitCode> {
        let model = session.model().map_err(|error| Failure(error.to_string()))?;
        let mut output = Output::file(&self.out, self.force)?;
        output.write_bytes(&model)?;
        output.finish()?;
        Ok(ExitCode::SUCCESS)
    }
}

fn at(path: &Path, error: &dyn std::fmt::Display) -> Failure {
    Failure(format!("{}: {error}", path.display()))
}

/// Trials between two lines about them, where no bar can be seen.
const TOLD: usize = 10;

fn bar_style(template: &str) -> ProgressStyle {
    ProgressStyle::with_template(template).expect("the template is a constant")
}

/// Tells whoever watches.
struct Log {
    bar: ProgressBar,
    lines: Option<fs::File>,
}

impl Log {
    fn open(path: Option<&Path>, steps: usize) -> Result<Log> {
        let file = |path: &Path| {
            fs::File::options().create(true).append(true).open(path).map_err(|error| at(path, &error))
        };
        let bar = ProgressBar::new(steps as u64);
        bar.set_style(bar_style("{wide_bar} step {pos} of {len}, {eta} left, {msg}"));
        Ok(Log { bar, lines: path.map(file).transpose()? })
    }

    fn tell(&mut self, event: &Event<'_>) {
        match event {
            Event::Step { step, losses } => {
                self.bar.set_position(*step as u64);
                self.bar.set_message(format!("loss {:.3}", losses.per_word(&TaskWeights::default())));
            }
            Event::Round { round, loss } => {
                self.bar.set_position(*round as u64);
                self.bar.suspend(|| say(&format!("round {round}: loss {loss:.3}")));
            }
            Event::Tried { trial, of, score } => {
                if *trial == 1 || self.bar.length() != Some(*of as u64) {
                    self.bar
                        .set_style(bar_style("{wide_bar} tuning, trial {pos} of {len}, {eta} left, {msg}"));
                    self.bar.set_length(*of as u64);
                    self.bar.reset_eta();
                }
                self.bar.set_position(*trial as u64);
                self.bar.set_message(format!("score {score:.2}"));
                if trial.is_multiple_of(TOLD) {
                    self.bar.suspend(|| say(&format!("tuning: trial {trial} of {of}")));
                }
            }
            Event::Between { share, score } => {
                let line = format!("with {:.0} % of the weights it started from: {score:.2}", 100.0 * share);
                self.bar.suspend(|| say(&line));
            }
            Event::Rounded { file, full, rounded } => {
                let line = format!(
                    "{file}, some sentences: in full {}; as int8 {}",
                    headline(full),
                    headline(rounded)
                );
                self.bar.suspend(|| say(&line));
            }
            Event::Measured { step, file, figures } => {
                self.bar.suspend(|| say(&format!("step {step}, {file}: {}", headline(figures))));
            }
        }
        if let Some(file) = &mut self.lines {
            use std::io::Write as _;
            let line = serde_json::to_string(event).unwrap_or_default();
            // The log is for people to read along; the run goes on without it.
            let _ = writeln!(file, "{line}");
        }
    }
}

pub(super) fn headline(figures: &Figures) -> String {
    let [brackets, nulls, coindex] = figures.headline();
    format!("brackets {brackets:.2}, nulls {nulls:.2}, with co-indexation {coindex:.2}")
}
