//! Progress of a batch, and the wish to stop it.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// A batch as seen from outside: another thread reads how many sentences are answered, and may ask it to stop. The wish is heard between two
/// sentences, not within one.
///
/// ```
/// let progress = tracebank_parser::progress::Progress::default();
/// progress.stop();
/// assert!(progress.is_stopped() && progress.answered() == 0);
/// ```
#[derive(Debug, Default)]
pub struct Progress {
    stopped: AtomicBool,
    answered: AtomicUsize,
}

impl Progress {
    /// Asks the batch to stop.
    pub fn stop(&self) {
        self.stopped.store(true, Ordering::SeqCst);
    }

    /// Whether it was asked to stop.
    pub fn is_stopped(&self) -> bool {
        self.stopped.load(Ordering::SeqCst)
    }

    /// The number of sentences that have an answer so far.
    pub fn answered(&self) -> usize {
        self.answered.load(Ordering::Relaxed)
    }

    pub(crate) fn add(&self, sentences: usize) {
        self.answered.fetch_add(sentences, Ordering::Relaxed);
    }
}
