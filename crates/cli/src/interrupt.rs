//! Interrupts: Ctrl-C, and the signals that ask a program to end.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;

#[cfg(unix)]
const SIGNALS: [i32; 3] = [SIGINT, SIGTERM, signal_hook::consts::SIGHUP];
#[cfg(not(unix))]
const SIGNALS: [i32; 2] = [SIGINT, SIGTERM];

/// An interrupt: the work stops after what is under way. While input is awaited nothing is under way and all answers are written, so the
/// program ends at once, as it does at a second signal.
#[derive(Default)]
pub(crate) struct Interrupt {
    /// Set by a signal.
    pub(crate) stop: Arc<AtomicBool>,
    waiting: Arc<AtomicBool>,
    signal: Arc<AtomicUsize>,
}

impl Interrupt {
    /// Watches for signals from now on.
    pub(crate) fn watch() -> Interrupt {
        let interrupt = Interrupt::default();
        for signal in SIGNALS {
            let code = 128 + signal;
            // without a handler, a signal ends the program at once: nothing to complain about
            let _ = flag::register_conditional_shutdown(signal, code, Arc::clone(&interrupt.stop));
            let _ = flag::register_conditional_shutdown(signal, code, Arc::clone(&interrupt.waiting));
            let _ = flag::register_usize(signal, Arc::clone(&interrupt.signal), signal as usize);
            let _ = flag::register(signal, Arc::clone(&interrupt.stop));
        }
        interrupt
    }

    /// The exit code of a program that a signal ended, as shells have it: 130 for Ctrl-C, 143 for SIGTERM.
    pub(crate) fn code(&self) -> u8 {
        128 + self.signal.load(Ordering::SeqCst) as u8
    }

    /// `inputs`, which end with an interrupt.
    pub(crate) fn awaited<I>(&self, inputs: I) -> Awaited<'_, I> {
        Awaited { inputs, interrupt: self }
    }
}

/// Inputs that tell when they are waited for, and end with an interrupt.
pub(crate) struct Awaited<'i, I> {
    inputs: I,
    interrupt: &'i Interrupt,
}

impl<I: Iterator> Iterator for Awaited<'_, I> {
    type Item = I::Item;

    fn next(&mut self) -> Option<I::Item> {
        let Interrupt { stop, waiting, .. } = self.interrupt;
        waiting.store(true, Ordering::SeqCst);
        let next = if stop.load(Ordering::SeqCst) { None } else { self.inputs.next() };
        waiting.store(false, Ordering::SeqCst);
        next
    }
}
