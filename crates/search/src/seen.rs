//! Descriptions that no label fits: why a search found nothing.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::{Index, IndexError, Matcher, Pattern};

/// The descriptions that a hit needs, and which of them some label or word of the corpus fits; shared by all threads of a search.
#[derive(Clone, Debug)]
pub struct Seen(Arc<Vec<Row>>);

#[derive(Debug)]
struct Row {
    pattern: Arc<Pattern>,
    /// Those that some label fits.
    seen: AtomicU64,
    /// Those that were not asked of every tree: another one had ruled the tree out.
    unasked: AtomicU64,
}

impl Seen {
    pub(crate) fn of(patterns: &[Arc<Pattern>]) -> Seen {
        let row = |pattern: &Arc<Pattern>| Row {
            pattern: Arc::clone(pattern),
            seen: AtomicU64::default(),
            unasked: AtomicU64::default(),
        };
        Seen(Arc::new(patterns.iter().map(row).collect()))
    }

    pub(crate) fn add(&self, pattern: usize, seen: u64, unasked: u64) {
        self.0[pattern].seen.fetch_or(seen, Ordering::Relaxed);
        self.0[pattern].unasked.fetch_or(unasked, Ordering::Relaxed);
    }

    /// Adds what an index knows of its corpus.
    pub fn add_index(&self, index: &Index) -> Result<(), IndexError> {
        for row in &*self.0 {
            for (bit, description) in Matcher::new(Arc::clone(&row.pattern)).required() {
                if !index.fitting(description)?.is_empty() {
                    row.seen.fetch_or(bit, Ordering::Relaxed);
                }
            }
        }
        Ok(())
    }

    /// The descriptions that a hit needs and that are known to fit no label or word, as text.
    pub fn unknown(&self) -> Vec<String> {
        let mut unknown = Vec::new();
        for row in &*self.0 {
            let known = row.seen.load(Ordering::Relaxed) | row.unasked.load(Ordering::Relaxed);
            for (bit, description) in Matcher::new(Arc::clone(&row.pattern)).required() {
                if bit != 0 && known & bit == 0 {
                    unknown.push(description.to_string());
                }
            }
        }
        unknown
    }
}
