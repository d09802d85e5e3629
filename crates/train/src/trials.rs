//! Trials at the end of a run: weights, settings and temperatures, each tried on dev sets, one after the other.
//!
//! What is tried next depends on nothing but the scores of the trials before. So a run that was stopped among them has no other state than
//! those scores: they are in its checkpoint, and whoever goes on from there asks for the same trials again and has the scores of the first
//! ones at once.

use std::sync::atomic::{AtomicBool, Ordering};

use tracebank_parser::model::{ModelFile, ModelWriter};

use crate::training::{Event, TrainingError, Watcher};

/// The section of a checkpoint that holds the scores.
const SECTION: &str = "trials";

/// The trials of a run.
pub(crate) struct Trials<'t, 'w> {
    watcher: &'t mut Watcher<'w>,
    /// The checkpoint of what was learnt; empty if none is to be saved.
    learnt: Vec<u8>,
    scores: Vec<f64>,
    /// The number of those that have been asked for.
    asked: usize,
    /// The number of all that there will be.
    of: usize,
}

impl<'t, 'w> Trials<'t, 'w> {
    /// Trials of which the first have these scores.
    pub(crate) fn new(
        watcher: &'t mut Watcher<'w>,
        learnt: Vec<u8>,
        scores: Vec<f64>,
        of: usize,
    ) -> Trials<'t, 'w> {
        Trials { watcher, learnt, scores, asked: 0, of }
    }

    /// Whoever watches the run.
    pub(crate) fn watcher(&mut self) -> &mut Watcher<'w> {
        self.watcher
    }

    /// The score of the next trial, by what is known or by `measure`, which gives none if it was stopped.
    pub(crate) fn score(
        &mut self,
        measure: impl FnOnce(&AtomicBool) -> Option<f64>,
    ) -> Result<f64, TrainingError> {
        if self.asked == self.scores.len() {
            let found = measure(self.watcher.stop);
            self.scores.extend(found);
            self.save_if_due()?;
            let score = found.ok_or(TrainingError::Stopped)?;
            (self.watcher.watch)(Event::Tried { trial: self.asked + 1, of: self.of, score });
        }
        self.asked += 1;
        Ok(self.scores[self.asked - 1])
    }

    /// Saves what is known if it is time, or the last moment for it.
    pub(crate) fn save_if_due(&mut self) -> Result<(), TrainingError> {
        let (learnt, scores) = (&self.learnt, &self.scores);
        if learnt.is_empty() {
            return Ok(());
        }
        self.watcher.save_if_due(|| with_scores(learnt, scores))
    }
}

fn with_scores(learnt: &[u8], scores: &[f64]) -> Result<Vec<u8>, TrainingError> {
    let file = ModelFile::open(learnt)?;
    let mut writer = ModelWriter::default();
    for section in file.sections() {
        writer.copy(&file, &section.name)?;
    }
    // Bits and not decimals: what was better must stay better.
    writer.bytes(SECTION, scores.iter().flat_map(|score| score.to_bits().to_le_bytes()).collect());
    Ok(writer.finish())
}

/// The scores that a checkpoint has.
pub(crate) fn known_scores(checkpoint: &ModelFile<'_>) -> Result<Vec<f64>, TrainingError> {
    if !checkpoint.has(SECTION) {
        return Ok(Vec::new());
    }
    let bytes = checkpoint.section(SECTION)?;
    Ok(bytes.as_chunks::<8>().0.iter().map(|&bits| f64::from_bits(u64::from_le_bytes(bits))).collect())
}

/// Something that was worked out to its end; none if it was stopped.
pub(crate) fn unless_stopped<T>(stop: &AtomicBool, work: impl FnOnce() -> T) -> Option<T> {
    (!stop.load(Ordering::Relaxed)).then(work)
}

/// The flag of work that nobody stops.
pub(crate) static NEVER: AtomicBool = AtomicBool::new(false);
