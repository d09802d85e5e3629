//! The inputs that are answered, as a hash: a run that continues another must have the same ones.

use blake3::Hasher;
use miette::Result;
use tracebank::{BrokenStream, Id, Input, Origin};

use crate::failure::Failure;
use crate::partial::Progress;

/// A running hash of inputs.
#[derive(Default)]
pub(super) struct Seen {
    answered: usize,
    hasher: Hasher,
}

impl Seen {
    /// Takes one more input in.
    pub(super) fn add(&mut self, input: &Input) {
        self.answered += 1;
        let id = input.id.as_ref().map(|id| match id {
            Id::Text(text) => format!("text {text}"),
            Id::Number(digits) => format!("number {digits}"),
        });
        self.field(id.as_deref().unwrap_or_default());
        // Some forms write where an input is from.
        let Origin { file, number, part, place } = &input.origin;
        self.field(file);
        self.field(&format!("{number} {part:?} {place:?}"));
        match &input.sentence {
            Err(bad) => self.field(&bad.message),
            Ok(sentence) => {
                self.field(&sentence.text);
                sentence.tokens.iter().for_each(|token| self.field(&token.text));
                sentence.tags.iter().for_each(|tag| self.field(tag));
            }
        }
    }

    /// Lengths keep fields apart.
    fn field(&mut self, text: &str) {
        self.hasher.update(&(text.len() as u64).to_le_bytes());
        self.hasher.update(text.as_bytes());
    }

    /// The progress so far.
    pub(super) fn progress(&self) -> Progress {
        Progress { answered: self.answered, inputs: self.hasher.finalize().to_hex().to_string() }
    }

    /// Passes over the inputs that an earlier run has answered, if they are the same.
    pub(super) fn skip(
        &mut self,
        inputs: &mut impl Iterator<Item = Result<Input, BrokenStream>>,
        done: &Progress,
    ) -> Result<()> {
        for input in inputs.take(done.answered) {
            self.add(&input.map_err(|error| Failure(error.0))?);
        }
        if done.answered == 0 || self.progress() == *done {
            return Ok(());
        }
        let message = if self.answered < done.answered {
            format!("{} inputs are answered already, and now there are only {}", done.answered, self.answered)
        } else {
            format!("the first {} inputs are not those that are answered already", done.answered)
        };
        Err(Failure(format!("the output cannot be continued: {message}")).into())
    }
}
