//! The switch that is put into every crate with mutants. `MUTANT` is the number of the one that is on; `MUTANTS_REACHED` is a file for the numbers
//! of all that are asked for.

use std::io::Write;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering::Relaxed};

const UNREAD: u32 = u32::MAX;
const TRACED: u32 = u32::MAX - 1;
static CHOSEN: AtomicU32 = AtomicU32::new(UNREAD);
static REACHED: [AtomicBool; 8192] = [const { AtomicBool::new(false) }; 8192];

/// Whether a mutant is on.
#[inline]
pub(crate) fn is(id: u32) -> bool {
    match CHOSEN.load(Relaxed) {
        TRACED if REACHED[id as usize].load(Relaxed) => false,
        UNREAD | TRACED => first(id),
        chosen => chosen == id,
    }
}

#[cold]
fn first(id: u32) -> bool {
    let chosen = std::env::var("MUTANT").ok().and_then(|id| id.parse().ok()).unwrap_or(0);
    let trace = std::env::var_os("MUTANTS_REACHED");
    CHOSEN.store(if trace.is_some() { TRACED } else { chosen }, Relaxed);
    if let Some(path) = trace
        && !REACHED[id as usize].swap(true, Relaxed)
    {
        let file = std::fs::OpenOptions::new().append(true).create(true).open(path);
        file.and_then(|mut file| file.write_all(format!("{id}\n").as_bytes())).expect("the file takes a number");
    }
    chosen == id
}
