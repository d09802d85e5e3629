//! Threads of a parser's own.
//!
//! A process that forks has in its child the memory of a pool and none of its threads: whoever waits for them waits for ever. Python's
//! `multiprocessing` and Spark's daemon fork. So a pool is kept with the number of its process, and where that has changed a new one is made.
//! No lock is taken on the way: the thread that held one may be among those that a fork left behind.

use std::process;
use std::sync::Arc;

use arc_swap::ArcSwapOption;
use rayon::{ThreadPool, ThreadPoolBuildError, ThreadPoolBuilder};

use crate::error::Error;

/// A number of threads, with the pool of the process that asked last.
#[derive(Clone)]
pub(crate) struct Threads {
    count: usize,
    pool: Arc<ArcSwapOption<Pool>>,
}

struct Pool {
    /// The process that has the threads.
    process: u32,
    threads: Option<ThreadPool>,
}

impl Drop for Pool {
    fn drop(&mut self) {
        // the threads of another process cannot be told to end
        if self.process != process::id() {
            std::mem::forget(self.threads.take());
        }
    }
}

impl Threads {
    /// So many threads.
    pub(crate) fn new(count: usize) -> Result<Threads, Error> {
        let threads = Threads { count, pool: Arc::default() };
        threads.pool().map_err(|error| Error::Threads { count, error: error.to_string() })?;
        Ok(threads)
    }

    /// Their number.
    pub(crate) fn count(&self) -> usize {
        self.count
    }

    /// Does `work` on them. A child process that can have no threads does it on those of its current pool.
    pub(crate) fn run<R: Send>(&self, work: impl FnOnce() -> R + Send) -> R {
        let pool = self.pool().ok();
        match pool.as_ref().and_then(|pool| pool.threads.as_ref()) {
            Some(threads) => threads.install(work),
            None => work(),
        }
    }

    /// The pool of this process.
    fn pool(&self) -> Result<Arc<Pool>, ThreadPoolBuildError> {
        let process = process::id();
        if let Some(pool) = self.pool.load_full().filter(|pool| pool.process == process) {
            return Ok(pool);
        }
        let threads = ThreadPoolBuilder::new().num_threads(self.count).build()?;
        let pool = Arc::new(Pool { process, threads: Some(threads) });
        self.pool.store(Some(Arc::clone(&pool)));
        Ok(pool)
    }
}
