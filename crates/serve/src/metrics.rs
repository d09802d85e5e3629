//! Counters for Prometheus.

use std::sync::atomic::AtomicU64;
use std::time::Duration;

use prometheus_client::encoding::{EncodeLabelSet, text};
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::{Histogram, exponential_buckets};
use prometheus_client::registry::Registry;

/// The labels of a request.
#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
struct Request {
    path: String,
    status: u16,
}

/// All counters.
pub(crate) struct Metrics {
    registry: Registry,
    requests: Family<Request, Counter>,
    seconds: Histogram,
    batches: Histogram,
    queued: Gauge<i64, std::sync::atomic::AtomicI64>,
    pub(crate) connections: Gauge<i64, std::sync::atomic::AtomicI64>,
    pub(crate) sentences: Counter<u64, AtomicU64>,
    pub(crate) words: Counter<u64, AtomicU64>,
    pub(crate) panics: Counter<u64, AtomicU64>,
}

impl Metrics {
    pub(crate) fn new() -> Metrics {
        let mut registry = Registry::with_prefix("tracebank");
        let metrics = Metrics {
            requests: Family::default(),
            seconds: Histogram::new(exponential_buckets(0.001, 2.0, 16)),
            batches: Histogram::new(exponential_buckets(1.0, 2.0, 5)),
            queued: Gauge::default(),
            connections: Gauge::default(),
            sentences: Counter::default(),
            words: Counter::default(),
            panics: Counter::default(),
            registry: Registry::default(),
        };
        registry.register("requests", "Requests by path and status", metrics.requests.clone());
        registry.register("request_seconds", "Time from a request to its response", metrics.seconds.clone());
        registry.register("batch_sentences", "Sentences parsed together", metrics.batches.clone());
        registry.register("queue_sentences", "Sentences that wait or are parsed", metrics.queued.clone());
        registry.register("connections", "Open connections", metrics.connections.clone());
        registry.register("sentences", "Sentences answered", metrics.sentences.clone());
        registry.register("words", "Words of the sentences answered", metrics.words.clone());
        registry.register("panics", "Sentences whose parsing panicked", metrics.panics.clone());
        Metrics { registry, ..metrics }
    }

    pub(crate) fn batch(&self, sentences: usize) {
        self.batches.observe(sentences as f64);
    }

    pub(crate) fn request(&self, path: &str, status: u16, time: Duration) {
        self.requests.get_or_create(&Request { path: path.to_owned(), status }).inc();
        self.seconds.observe(time.as_secs_f64());
    }

    /// All of them in Prometheus's text form.
    pub(crate) fn text(&self, queued: usize) -> String {
        self.queued.set(queued as i64);
        let mut out = String::new();
        text::encode(&mut out, &self.registry).expect("writing to a string");
        out
    }
}
