//! The parser as a service over HTTP.
//!
//! ```text
//! connections ── limits, token ── handlers ──┬── page::answer (draw, convert, …)
//!                                            └── sentences ── Queue ── workers ── Parser
//! ```
//!
//! Sentences of all connections wait in one `queue` with a bound; each worker takes a few of them at a time, because scoring several
//! together is faster. A sentence has the same answer whatever it is scored with, so the bytes are those of the command line. What nobody
//! waits for any more is not parsed. `connection` accepts, and lets requests finish when the service is told to end.

#![forbid(unsafe_code)]

mod app;
mod body;
mod connection;
mod failed;
mod metrics;
mod openapi;
mod operations;
mod parse;
mod queue;
mod trees;

use std::future::Future;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use tokio::net::TcpListener;
use tracebank::Parser;

pub use openapi::openapi;

/// Settings of a service.
#[derive(Clone, Debug)]
pub struct Config {
    /// The name of the model, for whoever asks.
    pub model: String,
    /// The workers that parse, each on a thread of its own.
    pub threads: usize,
    /// The most sentences that wait or are parsed.
    pub queue: usize,
    /// The most bytes of a body that is not a stream.
    pub max_body: usize,
    /// The most sentences of a request that is not a stream.
    pub max_sentences: usize,
    /// The most words of a request that is not a stream.
    pub max_words: usize,
    /// The most words of one sentence.
    pub max_sentence_words: usize,
    /// The most time of a request; for a stream, the most time in which nothing comes.
    pub time: Duration,
    /// The most connections.
    pub connections: usize,
    /// The time that requests have to finish when the service is told to end.
    pub drain: Duration,
    /// The token that requests must bear.
    pub token: Option<String>,
    /// The origins whose pages may ask; `*` is any.
    pub cors: Vec<String>,
}

impl Default for Config {
    fn default() -> Config {
        Config {
            model: tracebank::DEFAULT_MODEL.to_owned(),
            threads: std::thread::available_parallelism().map_or(1, usize::from),
            queue: 1024,
            max_body: 1 << 20,
            max_sentences: 1000,
            max_words: 20_000,
            max_sentence_words: 400,
            time: Duration::from_secs(60),
            connections: 1000,
            drain: Duration::from_secs(30),
            token: None,
            cors: Vec::new(),
        }
    }
}

/// A service that has its address and waits for [`Server::run`].
pub struct Server {
    listener: TcpListener,
    config: Config,
}

impl Server {
    /// Takes an address.
    pub async fn bind(address: SocketAddr, config: Config) -> std::io::Result<Server> {
        Ok(Server { listener: TcpListener::bind(address).await?, config })
    }

    /// The address; with port 0, the one that was free.
    pub fn address(&self) -> std::io::Result<SocketAddr> {
        self.listener.local_addr()
    }

    /// Serves until `end` comes and the requests that were accepted are answered.
    pub async fn run(self, parser: Parser, end: impl Future<Output = ()>) -> std::io::Result<()> {
        let app = Arc::new(app::App::new(parser, self.config)?);
        connection::serve(self.listener, app, end).await;
        Ok(())
    }
}
