//! `tracebank serve`: the parser as a service, and its page.

use std::net::{IpAddr, SocketAddr};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use clap::Args;
use miette::Result;
use tracebank::Parser;
use tracebank_serve::{Config, Server};

use super::model::open_model;
use super::parse::asked::{bytes, seconds};
use crate::failure::{self, Failure};
use crate::range::{THREADS, within};
use crate::small;

/// The variable that may hold the token.
const TOKEN: &str = "TRACEBANK_TOKEN";

/// Serve parses over HTTP, and a page where a sentence becomes a tree
///
/// POST /v1/parse answers text, JSON and JSON lines with the bytes of `tracebank parse`; /openapi.json describes the rest. Only this machine
/// is served unless --host says otherwise. Ctrl-C or SIGTERM lets the requests that were accepted finish.
#[derive(Args)]
#[command(after_help = "Examples:
  tracebank serve                                      then open http://127.0.0.1:9000 in a browser
  tracebank serve --model fast --port 8080
  TRACEBANK_TOKEN=secret tracebank serve --host 0.0.0.0
  curl -d 'Which book did she want to buy?' http://127.0.0.1:9000/v1/parse
  curl -d '{\"text\": \"They left.\", \"best\": 3}' -H 'Content-Type: application/json' http://127.0.0.1:9000/v1/parse
  curl -T - -X POST -H 'Content-Type: application/x-ndjson' http://127.0.0.1:9000/v1/parse < texts.jsonl")]
pub(crate) struct Serve {
    /// The port; 0 is one that is free
    #[arg(short, long, default_value_t = 9000)]
    port: u16,
    /// The address to listen on; 0.0.0.0 lets every machine that can reach this one use it
    #[arg(long, default_value = "127.0.0.1", value_name = "ADDRESS")]
    host: IpAddr,
    /// A model file, or one of those built in: default, fast
    #[arg(short, long, default_value = tracebank::DEFAULT_MODEL, value_name = "MODEL")]
    model: String,
    /// The number of threads that parse; as many as there are cores unless given
    #[arg(long, value_name = "N", value_parser = within(THREADS))]
    threads: Option<usize>,
    /// The most sentences that wait for their parse; beyond, requests get 503 and are to come again
    #[arg(long, value_name = "N", default_value_t = Config::default().queue, value_parser = within(1..=1_000_000))]
    queue: usize,
    /// The most bytes of a request's body, as 500K or 2M (at least 1M)
    #[arg(long, value_name = "BYTES", default_value = "1M", value_parser = bytes)]
    max_body: usize,
    /// The most sentences of a request
    #[arg(long, value_name = "N", default_value_t = Config::default().max_sentences, value_parser = within(1..=1_000_000))]
    max_sentences: usize,
    /// The most words of a request
    #[arg(long, value_name = "N", default_value_t = Config::default().max_words, value_parser = within(1..=100_000_000))]
    max_words: usize,
    /// The most words of a sentence; longer ones are refused
    #[arg(long, value_name = "N", default_value_t = Config::default().max_sentence_words, value_parser = within(1..=1000))]
    max_sentence_words: usize,
    /// The most seconds of a request; for a stream of lines, the longest silence
    #[arg(long, value_name = "SECONDS", default_value = "60", value_parser = seconds)]
    time: f64,
    /// The most connections at a time
    #[arg(long, value_name = "N", default_value_t = Config::default().connections, value_parser = within(1..=100_000))]
    connections: usize,
    /// The seconds that accepted requests have to finish when the service ends
    #[arg(long, value_name = "SECONDS", default_value = "30", value_parser = seconds)]
    drain: f64,
    /// A file with a token that requests must bear (Authorization: Bearer TOKEN); else the variable `TRACEBANK_TOKEN` may hold one
    #[arg(long, value_name = "FILE")]
    token_file: Option<PathBuf>,
    /// Let pages of this origin ask, as `https://example.org`; `*` is any. Can be given more than once
    #[arg(long, value_name = "ORIGIN")]
    cors: Vec<String>,
    /// Tell about each request on standard error
    #[arg(short, long)]
    verbose: bool,
}

pub(crate) fn run(arguments: &Serve) -> Result<ExitCode> {
    let config = arguments.config()?;
    if arguments.verbose {
        tracing_subscriber::fmt()
            .with_writer(std::io::stderr)
            .with_max_level(tracing_subscriber::filter::LevelFilter::DEBUG)
            .init();
    }
    let parser = Parser::with_model(&open_model(&arguments.model)?)
        .map_err(|error| Failure(format!("model {}: {error}", arguments.model)))?;
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .worker_threads(2)
        .build()
        .map_err(|error| Failure(format!("no threads can be had: {error}")))?;
    runtime.block_on(async {
        let address = SocketAddr::new(arguments.host, arguments.port);
        let fail = |error: std::io::Error| Failure(format!("{address}: {error}"));
        let token = config.token.is_some();
        let server = Server::bind(address, config).await.map_err(fail)?;
        let address = server.address().map_err(fail)?;
        failure::say(&format!("serving at http://{address}/"));
        if !arguments.host.is_loopback() {
            let who = if token {
                "whoever has the token"
            } else {
                "whoever reaches this machine, without a token,"
            };
            failure::say(&format!("note: {who} can use the parser; what is sent is not encrypted"));
        }
        server.run(parser, told_to_end()).await.map_err(fail)?;
        Ok::<(), Failure>(())
    })?;
    // A reader that waits for a client's next line has no end of its own.
    runtime.shutdown_background();
    Ok(ExitCode::SUCCESS)
}

impl Serve {
    fn config(&self) -> Result<Config> {
        let usual = Config::default();
        Ok(Config {
            model: self.model.clone(),
            threads: self.threads.unwrap_or(usual.threads),
            queue: self.queue,
            max_body: self.max_body,
            max_sentences: self.max_sentences,
            max_words: self.max_words,
            max_sentence_words: self.max_sentence_words,
            time: Duration::from_secs_f64(self.time),
            connections: self.connections,
            drain: Duration::from_secs_f64(self.drain),
            token: self.token()?,
            cors: self.cors.clone(),
        })
    }

    fn token(&self) -> Result<Option<String>> {
        let token = match &self.token_file {
            Some(path) => Some(small::text(path)?),
            None => std::env::var(TOKEN).ok(),
        };
        match token.map(|token| token.trim().to_owned()) {
            Some(token) if token.is_empty() => Err(Failure("the token is empty".to_owned()).into()),
            token => Ok(token),
        }
    }
}

/// The moment at which the service is told to end.
async fn told_to_end() {
    let interrupt = tokio::signal::ctrl_c();
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        if let Ok(mut terminate) = signal(SignalKind::terminate()) {
            tokio::select! {
                _ = interrupt => {}
                _ = terminate.recv() => {}
            }
            return;
        }
    }
    let _ = interrupt.await;
}
