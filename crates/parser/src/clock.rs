//! A clock that also exists where the machine has none: a browser's WebAssembly gives no time, and asking for it there ends the program.

use std::time::Duration;
#[cfg(not(target_family = "wasm"))]
use std::time::Instant;

/// A watch that was started. Without a clock, no time passes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stopwatch {
    #[cfg(not(target_family = "wasm"))]
    start: Instant,
}

impl Stopwatch {
    pub(crate) fn start() -> Stopwatch {
        Stopwatch {
            #[cfg(not(target_family = "wasm"))]
            start: Instant::now(),
        }
    }

    #[cfg(not(target_family = "wasm"))]
    pub(crate) fn elapsed(self) -> Duration {
        self.start.elapsed()
    }

    #[cfg(target_family = "wasm")]
    pub(crate) fn elapsed(self) -> Duration {
        Duration::ZERO
    }
}
