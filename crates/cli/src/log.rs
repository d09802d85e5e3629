//! Messages on standard error while a command runs.

use std::io::{self, IsTerminal as _};
use std::time::{Duration, Instant};

use clap::{Args, ValueEnum};
use indicatif::{ProgressBar, ProgressStyle};
use serde_json::json;
use tracebank::BadInput;

use crate::failure::{Shown, render, say};

/// The amount and form of messages.
#[derive(Args, Clone, Copy, Debug, Default)]
pub(crate) struct LogArguments {
    /// Say nothing but why the command failed
    #[arg(short, long, conflicts_with = "verbose")]
    quiet: bool,
    /// Say what is being done
    #[arg(short, long)]
    verbose: bool,
    /// The form of messages on standard error
    #[arg(long, value_enum, default_value_t = LogForm::Text, value_name = "FORM")]
    log: LogForm,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, ValueEnum)]
enum LogForm {
    /// for people
    #[default]
    Text,
    /// a JSON object a line
    Json,
}

/// A bar appears only when something takes longer than this.
const PATIENCE: Duration = Duration::from_secs(1);

/// Says things.
pub(crate) struct Log {
    arguments: LogArguments,
    start: Instant,
    bar: Option<ProgressBar>,
}

impl Log {
    pub(crate) fn new(arguments: LogArguments) -> Log {
        Log { arguments, start: Instant::now(), bar: None }
    }

    /// For those who want to know.
    pub(crate) fn info(&self, message: &str) {
        if self.arguments.verbose {
            self.line("info", message);
        }
    }

    /// Something is not as it should be, but work goes on.
    pub(crate) fn warn(&self, message: &str) {
        if !self.arguments.quiet {
            self.line("warning", message);
        }
    }

    /// An input is not as it should be: people at a terminal are shown where, others get a line.
    pub(crate) fn bad_input(&self, input: &BadInput) {
        if self.arguments.log == LogForm::Text && io::stderr().is_terminal() {
            self.warn(render(&Shown { input: input.clone(), help: None }.into()).trim_end());
        } else {
            self.warn(&input.message);
        }
    }

    /// The command has failed. `false` if that is better said in another way.
    pub(crate) fn error(&self, message: &str) -> bool {
        let is_json = self.arguments.log == LogForm::Json;
        if is_json {
            self.line("error", message);
        }
        is_json
    }

    /// So many are done.
    pub(crate) fn progress(&mut self, done: usize) {
        let wanted =
            !self.arguments.quiet && self.arguments.log == LogForm::Text && io::stderr().is_terminal();
        if self.bar.is_none() && wanted && self.start.elapsed() > PATIENCE {
            let style = ProgressStyle::with_template("{spinner} {pos} sentences, {per_sec}, {elapsed}");
            let bar = ProgressBar::no_length();
            bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_spinner()));
            self.bar = Some(bar);
        }
        if let Some(bar) = &self.bar {
            bar.set_position(done as u64);
        }
    }

    fn line(&self, level: &str, message: &str) {
        let line = match self.arguments.log {
            LogForm::Text => message.to_owned(),
            LogForm::Json => json!({"level": level, "message": message}).to_string(),
        };
        match &self.bar {
            Some(bar) => bar.suspend(|| say(&line)),
            None => say(&line),
        }
    }
}

impl Drop for Log {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
