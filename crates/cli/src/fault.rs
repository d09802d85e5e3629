//! Faults on purpose: in tests, the k-th call to the system fails, for every k, as `SQLite`'s tests do it.
//!
//! Whoever writes results asks [`point`] before each call that could fail on a full or broken disk. Outside tests it does nothing.

use std::io::{self, Write};

/// A call to the system that could fail.
#[cfg(not(test))]
#[inline]
#[expect(clippy::unnecessary_wraps, reason = "in tests it fails")]
pub(crate) fn point() -> io::Result<()> {
    Ok(())
}

#[cfg(test)]
pub(crate) use testing::point;

/// A writer whose writes can fail: in tests, half of the bytes go through and the next call fails, as on a disk that has become full.
pub(crate) struct Fallible<W> {
    pub(crate) inner: W,
    failing: Option<io::Error>,
}

impl<W> Fallible<W> {
    pub(crate) fn new(inner: W) -> Fallible<W> {
        Fallible { inner, failing: None }
    }
}

impl<W: Write> Write for Fallible<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if let Some(error) = self.failing.take() {
            return Err(error);
        }
        match point() {
            Ok(()) => self.inner.write(bytes),
            Err(error) if bytes.len() < 2 => Err(error),
            Err(error) => {
                self.failing = Some(error);
                self.inner.write(&bytes[..bytes.len() / 2])
            }
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        point()?;
        self.inner.flush()
    }
}

#[cfg(test)]
pub(crate) mod testing {
    use std::cell::Cell;
    use std::io;

    /// The calls that are to fail.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub(crate) enum Plan {
        /// None.
        Never,
        /// One, after so many that do not.
        Once(usize),
        /// All, after so many that do not: nothing is written any more, as after a crash.
        From(usize),
    }

    thread_local! {
        static PLAN: Cell<Plan> = const { Cell::new(Plan::Never) };
        static HIT: Cell<bool> = const { Cell::new(false) };
    }

    /// Does `work` with faults, and tells whether there was one.
    pub(crate) fn with<T>(plan: Plan, work: impl FnOnce() -> T) -> (T, bool) {
        PLAN.set(plan);
        HIT.set(false);
        let result = work();
        PLAN.set(Plan::Never);
        (result, HIT.get())
    }

    pub(crate) fn point() -> io::Result<()> {
        let (next, fails) = match PLAN.get() {
            Plan::Never => (Plan::Never, false),
            Plan::Once(0) => (Plan::Never, true),
            Plan::From(0) => (Plan::From(0), true),
            Plan::Once(left) => (Plan::Once(left - 1), false),
            Plan::From(left) => (Plan::From(left - 1), false),
        };
        PLAN.set(next);
        HIT.set(HIT.get() || fails);
        if fails { Err(io::Error::other("a fault on purpose")) } else { Ok(()) }
    }
}
