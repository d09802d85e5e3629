//! The record of a run: everything that decides the bytes of its output, and how far the answers have come.
//!
//! It is read back from a file that anybody may have changed, so nothing in it is believed beyond the answers that are there. It stands by
//! itself, without the rest of the program, so that it can be fuzzed.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// Everything but the inputs that decides the bytes of an output, by name.
pub(crate) type Fingerprint = BTreeMap<String, String>;

/// The most bytes of a record that are read.
pub(crate) const MOST_BYTES: u64 = 1 << 20;

/// The record of a run.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Record {
    pub(crate) fingerprint: Fingerprint,
    /// The inputs that are answered, and the bytes of their answers.
    pub(crate) answered: usize,
    pub(crate) bytes: u64,
    /// A hash of those inputs.
    pub(crate) inputs: String,
    /// The process that writes.
    pub(crate) process: u32,
}

impl Record {
    /// The record in a file.
    pub(crate) fn parse(bytes: &[u8]) -> Result<Record, String> {
        serde_json::from_slice(bytes).map_err(|error| error.to_string())
    }

    /// The text of the file.
    pub(crate) fn to_text(&self) -> String {
        serde_json::to_string_pretty(self).expect("names and numbers")
    }

    /// Whether a run with this fingerprint can go on behind the first [`Record::bytes`] of `length` bytes; otherwise, why not.
    pub(crate) fn check(&self, now: &Fingerprint, length: u64) -> Result<(), String> {
        if let Some(difference) = difference(&self.fingerprint, now) {
            return Err(format!(
                "it is of another run: {difference}; the rest must be parsed as the beginning was"
            ));
        }
        if length < self.bytes {
            return Err(format!(
                "{} bytes of answers are missing; --force begins again",
                self.bytes - length
            ));
        }
        Ok(())
    }
}

/// The first thing in which two runs differ.
fn difference(then: &Fingerprint, now: &Fingerprint) -> Option<String> {
    let mut names: Vec<&String> = then.keys().chain(now.keys()).collect();
    names.sort_unstable();
    let name = names.into_iter().find(|&name| then.get(name) != now.get(name))?;
    let value = |run: &Fingerprint| run.get(name).map_or("not given", String::as_str).to_owned();
    Some(format!("{name} was {}, and is {}", value(then), value(now)))
}
