//! The queue in which the sentences of all connections wait for a worker.
//!
//! A permit bounds how many wait or are parsed; a job keeps its own until it is answered. A worker takes several sentences with the same
//! options at once, but leaves the others their share. Jobs whose request has gone are dropped where a worker finds them.

use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use rayon::{ThreadPool, ThreadPoolBuilder};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, oneshot};
use tracebank::{Parse, Parser, Sentence};

use crate::metrics::Metrics;

/// The most sentences that a worker takes at once: as many as the pipeline scores together.
const BATCH: usize = 16;

/// A sentence whose parsing panicked.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Panicked;

/// The answer of a worker.
pub(crate) type Reply = Result<Parse, Panicked>;

/// A sentence that waits.
struct Job {
    sentence: Sentence,
    parser: Arc<Parser>,
    reply: oneshot::Sender<Reply>,
    _permit: OwnedSemaphorePermit,
}

struct Waiting {
    jobs: VecDeque<Job>,
    closed: bool,
}

struct Shared {
    waiting: Mutex<Waiting>,
    arrived: Condvar,
    threads: usize,
    metrics: Arc<Metrics>,
}

/// The queue with its workers, which end when it is dropped.
pub(crate) struct Queue {
    shared: Arc<Shared>,
    room: Arc<Semaphore>,
    bound: usize,
    _pools: Vec<ThreadPool>,
}

impl Queue {
    pub(crate) fn new(threads: usize, bound: usize, metrics: Arc<Metrics>) -> std::io::Result<Queue> {
        let waiting = Mutex::new(Waiting { jobs: VecDeque::new(), closed: false });
        let shared = Arc::new(Shared { waiting, arrived: Condvar::new(), threads: threads.max(1), metrics });
        let mut pools = Vec::new();
        for _ in 0..shared.threads {
            // A pool of one thread: what is parsed there stays there.
            let pool = ThreadPoolBuilder::new().num_threads(1).build().map_err(std::io::Error::other)?;
            let shared = Arc::clone(&shared);
            pool.spawn(move || shared.work());
            pools.push(pool);
        }
        Ok(Queue { shared, room: Arc::new(Semaphore::new(bound)), bound, _pools: pools })
    }

    /// Room for one sentence, if there is any.
    pub(crate) fn try_room(&self) -> Option<OwnedSemaphorePermit> {
        Arc::clone(&self.room).try_acquire_owned().ok()
    }

    /// Room for one sentence, as soon as there is some.
    pub(crate) async fn room(&self) -> Option<OwnedSemaphorePermit> {
        Arc::clone(&self.room).acquire_owned().await.ok()
    }

    /// The number of sentences that wait or are parsed.
    pub(crate) fn len(&self) -> usize {
        self.bound - self.room.available_permits()
    }

    /// Puts a sentence behind the others.
    pub(crate) fn push(
        &self,
        sentence: Sentence,
        parser: Arc<Parser>,
        permit: OwnedSemaphorePermit,
    ) -> oneshot::Receiver<Reply> {
        let (reply, answer) = oneshot::channel();
        self.shared.lock().jobs.push_back(Job { sentence, parser, reply, _permit: permit });
        self.shared.arrived.notify_one();
        answer
    }
}

impl Drop for Queue {
    fn drop(&mut self) {
        self.shared.lock().closed = true;
        self.shared.arrived.notify_all();
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, Waiting> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn work(&self) {
        while let Some(jobs) = self.take() {
            self.metrics.batch(jobs.len());
            self.answer(jobs);
        }
    }

    /// The next few jobs with the same options; none at the end.
    fn take(&self) -> Option<Vec<Job>> {
        let mut waiting = self.lock();
        loop {
            waiting.jobs.retain(|job| !job.reply.is_closed());
            if !waiting.jobs.is_empty() {
                break;
            }
            if waiting.closed {
                return None;
            }
            waiting = self.arrived.wait(waiting).unwrap_or_else(PoisonError::into_inner);
        }
        let share = waiting.jobs.len().div_ceil(self.threads).min(BATCH);
        let first = waiting.jobs.pop_front()?;
        let mut jobs = vec![first];
        while jobs.len() < share
            && let Some(next) = waiting.jobs.front()
            && next.parser.options() == jobs[0].parser.options()
        {
            jobs.extend(waiting.jobs.pop_front());
        }
        Some(jobs)
    }

    /// Answers jobs together. Where that panics, each by itself, so that only those are lost that cause it.
    fn answer(&self, jobs: Vec<Job>) {
        if let Some(parses) = parse(&jobs) {
            jobs.into_iter().zip(parses).for_each(|(job, parse)| drop(job.reply.send(Ok(parse))));
            return;
        }
        for job in jobs {
            let alone = parse(std::slice::from_ref(&job)).and_then(|mut parses| parses.pop());
            if alone.is_none() {
                self.metrics.panics.inc();
            }
            drop(job.reply.send(alone.ok_or(Panicked)));
        }
    }
}

fn parse(jobs: &[Job]) -> Option<Vec<Parse>> {
    let sentences: Vec<&Sentence> = jobs.iter().map(|job| &job.sentence).collect();
    catch_unwind(AssertUnwindSafe(|| jobs[0].parser.parse_sentences(&sentences))).ok()
}
