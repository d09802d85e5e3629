//! Batches: work without the interpreter's lock that Ctrl-C ends.

use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use tracebank::Progress;

/// The time between two looks at Python's signals. Work that is done sooner does not wait for it.
const LOOK: Duration = Duration::from_millis(20);

/// Does `work` on a thread of its own while this one looks for signals, which only Python's main thread hears, and tells `report` how many
/// sentences are answered. An exception of either stops the work and is raised when that has ended.
pub(crate) fn run<R: Send>(
    py: Python<'_>,
    progress: &Progress,
    report: Option<&Bound<'_, PyAny>>,
    work: impl FnOnce() -> Option<R> + Send,
) -> PyResult<R> {
    let mut raised = None;
    let found = thread::scope(|scope| {
        let (sender, mut receiver) = mpsc::channel();
        // The channel closes without an answer only if the work panics, which the join tells.
        let worker = scope.spawn(move || drop(sender.send(work())));
        let mut told = 0;
        let found = loop {
            let (answer, back) = py.detach(move || (receiver.recv_timeout(LOOK), receiver));
            receiver = back;
            match answer {
                Ok(found) => break found,
                Err(RecvTimeoutError::Disconnected) => break None,
                Err(RecvTimeoutError::Timeout) => {}
            }
            let mut looked = py.check_signals();
            if let (Ok(()), Some(report)) = (&looked, report)
                && progress.answered() > told
            {
                told = progress.answered();
                looked = report.call1((told,)).map(drop);
            }
            if let Err(error) = looked {
                progress.stop();
                raised.get_or_insert(error);
            }
        };
        worker.join().map(|()| found)
    });
    match (raised, found) {
        (Some(error), _) => Err(error),
        (None, Ok(Some(found))) => Ok(found),
        (None, _) => Err(PyRuntimeError::new_err("the parser failed: this is a bug of tracebank")),
    }
}
