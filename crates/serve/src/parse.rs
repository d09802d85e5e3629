//! `POST /v1/parse`.

use std::io::{BufRead, BufReader, Cursor, Error};
use std::sync::Arc;
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::extract::rejection::QueryRejection;
use axum::extract::{Query, RawQuery, State};
use axum::http::{HeaderMap, HeaderValue, Response, StatusCode, header};
use futures_util::stream::{self, Stream, StreamExt as _};
use tokio::runtime::Handle;
use tokio::sync::{OwnedSemaphorePermit, mpsc, oneshot};
use tokio_util::io::{StreamReader, SyncIoBridge};
use tracebank::{Input, InputFormat, Limits, Parse, Parser, Record};
use tracebank_page::{Asked, Form, Forms, NAMES, Output, ParseBody, Parsing, read};

use crate::app::App;
use crate::body;
use crate::failed::Failed;
use crate::queue::Reply;

/// The sentences of one request that are in the queue or answered and not written yet. More would not be faster.
const WINDOW: usize = 64;

/// An input on its way: a sentence in the queue, or one that cannot be read.
struct Pending {
    input: Input,
    answer: Option<oneshot::Receiver<Reply>>,
}

/// Parse a text, or JSON with `text`, `sentences` or `tokens`, or a stream of JSON lines
///
/// The answer has the form of `output`, byte for byte as the command line writes it; else that of `Accept`: `application/json` is an array,
/// `application/x-ndjson` JSON lines, `text/plain` Penn brackets. Lines that are sent as `application/x-ndjson` are answered while they come.
#[utoipa::path(
    post, path = "/v1/parse", params(Forms, Asked),
    request_body(content(
        (ParseBody = "application/json"),
        (String = "text/plain", example = "Which book did she want to buy?"),
    )),
    responses(
        (status = 200, description = "The parses", content((serde_json::Value = "application/json"), (String = "application/x-ndjson"), (String = "text/plain"))),
        (status = "4XX", description = "A request that is wrong or beyond a limit", content_type = "application/problem+json", body = serde_json::Value),
        (status = 503, description = "The queue is full; Retry-After says when to come again", content_type = "application/problem+json", body = serde_json::Value),
        (status = 504, description = "The request took more than its time", content_type = "application/problem+json", body = serde_json::Value),
    ),
)]
pub(crate) async fn parse(
    State(app): State<Arc<App>>,
    RawQuery(raw): RawQuery,
    forms: Result<Query<Forms>, QueryRejection>,
    asked: Result<Query<Asked>, QueryRejection>,
    headers: HeaderMap,
    body: Body,
) -> Result<Response<Body>, Failed> {
    check_names(raw.as_deref().unwrap_or_default())?;
    let (Query(forms), Query(asked)) = (forms.map_err(|e| bad_query(&e))?, asked.map_err(|e| bad_query(&e))?);
    let content = media(&headers, &header::CONTENT_TYPE);
    let is_stream =
        matches!(content.as_str(), "application/x-ndjson" | "application/jsonl" | "application/json-lines");
    let wanted = forms.output.as_deref().map(Output::named).transpose()?;
    let output = wanted.or_else(|| accepted(&headers));
    if is_stream {
        let output = output.filter(|output| *output != Output::Array).unwrap_or(JSON_LINES);
        let parser = app.parser(&asked)?;
        check_room(output, &asked)?;
        return stream(app, parser, output, body);
    }
    let text = body::text(body, &headers, &app.config).await?;
    let (asked, output, parsing) = if content == "application/json" {
        let request: ParseBody = read(&text)?;
        let named = request.output.as_deref().map(Output::named).transpose()?;
        let parsing = request.parsing()?;
        let asked = if request.asked == Asked::default() { asked } else { request.asked };
        (asked, named.or(output).unwrap_or(Output::Array), parsing)
    } else {
        let usual = Output::Form(Form::Format(tracebank::OutputFormat::Penn));
        (asked, output.unwrap_or(usual), Parsing { format: forms.input()?, bytes: text.into_bytes() })
    };
    check_room(output, &asked)?;
    let parser = app.parser(&asked)?;
    let time = app.config.time;
    let answer = tokio::time::timeout(time, whole(&app, parser, output, parsing)).await;
    let answer = answer.map_err(|_| Failed::late(time))?;
    Ok(respond(output, Body::from(answer?)))
}

const JSON_LINES: Output = Output::Form(Form::Format(tracebank::OutputFormat::Json));

fn check_room(output: Output, asked: &Asked) -> Result<(), Failed> {
    if asked.best.is_some() && !output.holds_alternatives() {
        let detail = "best needs a form that holds several trees: json, or outline";
        return Err(Failed::new(StatusCode::BAD_REQUEST, "option", detail));
    }
    Ok(())
}

fn bad_query(error: &QueryRejection) -> Failed {
    Failed::new(StatusCode::BAD_REQUEST, "option", error.body_text())
}

/// Refuses options that nobody knows, which would be passed over in silence.
fn check_names(query: &str) -> Result<(), Failed> {
    let names = query.split('&').filter_map(|pair| pair.split('=').next()).filter(|name| !name.is_empty());
    for name in names {
        if !NAMES.contains(&name) {
            let detail = format!("there is no option {name:?}; there are {}", NAMES.join(", "));
            return Err(Failed::new(StatusCode::BAD_REQUEST, "option", detail));
        }
    }
    Ok(())
}

/// The media type of a header, without its parameters.
fn media(headers: &HeaderMap, name: &header::HeaderName) -> String {
    let value = headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default();
    value.split(';').next().unwrap_or_default().trim().to_ascii_lowercase()
}

/// The first form of `Accept` that there is.
fn accepted(headers: &HeaderMap) -> Option<Output> {
    let accept = headers.get(header::ACCEPT)?.to_str().ok()?;
    accept.split(',').find_map(|part| match part.split(';').next().unwrap_or_default().trim() {
        "application/json" => Some(Output::Array),
        "application/x-ndjson" | "application/jsonl" => Some(JSON_LINES),
        "text/plain" => Some(Output::Form(Form::Format(tracebank::OutputFormat::Penn))),
        _ => None,
    })
}

fn respond(output: Output, body: Body) -> Response<Body> {
    let mut response = Response::new(body);
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static(output.media()));
    response
}

/// All answers in one text.
async fn whole(
    app: &Arc<App>,
    parser: Arc<Parser>,
    output: Output,
    Parsing { format, bytes }: Parsing,
) -> Result<String, Failed> {
    // The first place is taken at once or not at all; for the rest of a long text the request waits.
    let room = app.queue.try_room().ok_or_else(full)?;
    let (sender, mut pending) = mpsc::channel(WINDOW);
    let reader = Reader { app: Arc::clone(app), parser, room: Some(room), sender, bounded: true };
    let handle = Handle::current();
    tokio::task::spawn_blocking(move || reader.read(&handle, Box::new(Cursor::new(bytes)), format));
    let mut text = String::new();
    let mut number = 0;
    while let Some(next) = pending.recv().await {
        let Pending { input, answer } = next?;
        if let Err(bad) = &input.sentence {
            return Err(Failed::new(StatusCode::UNPROCESSABLE_ENTITY, "input", bad.to_string()));
        }
        let parse = parsed(app, answer).await?;
        let record = Record { parse: &parse, id: input.id.as_ref(), origin: Some(&input.origin) };
        output.write(record, number, &mut text);
        number += 1;
    }
    output.finish(number, &mut text);
    Ok(text)
}

fn full() -> Failed {
    Failed::new(StatusCode::SERVICE_UNAVAILABLE, "queue", "the queue is full; try again in a moment")
}

async fn parsed(app: &App, answer: Option<oneshot::Receiver<Reply>>) -> Result<Parse, Failed> {
    let Some(answer) = answer else { return Ok(Parse::unreadable()) };
    let panicked = || {
        let detail = "parsing a sentence went wrong; the others are not affected";
        Failed::new(StatusCode::INTERNAL_SERVER_ERROR, "panic", detail)
    };
    let parse = answer.await.map_err(|_| panicked())?.map_err(|_| panicked())?;
    app.metrics.sentences.inc();
    app.metrics.words.inc_by(parse.tokens.len() as u64);
    Ok(parse)
}

/// Answers while lines come.
fn stream(app: Arc<App>, parser: Arc<Parser>, output: Output, body: Body) -> Result<Response<Body>, Failed> {
    let place = Arc::clone(&app.streams).try_acquire_owned().map_err(|_| full())?;
    let room = app.queue.try_room().ok_or_else(full)?;
    let (sender, pending) = mpsc::channel(WINDOW);
    let reader = Reader { app: Arc::clone(&app), parser, room: Some(room), sender, bounded: false };
    let handle = Handle::current();
    let bytes = Box::pin(in_time(body.into_data_stream(), app.config.time));
    tokio::task::spawn_blocking(move || {
        let bridge = SyncIoBridge::new_with_handle(StreamReader::new(bytes), handle.clone());
        reader.read(&handle, Box::new(BufReader::new(bridge)), InputFormat::Jsonl);
        drop(place);
    });
    let answers = stream::unfold((app, pending, 0), move |(app, mut pending, number)| async move {
        let next = pending.recv().await?;
        let answer = async {
            let Pending { input, answer } = next?;
            let parse = parsed(&app, answer).await?;
            let mut text = String::new();
            let record = Record { parse: &parse, id: input.id.as_ref(), origin: Some(&input.origin) };
            output.write(record, number, &mut text);
            Ok(Bytes::from(text))
        };
        // The status has been sent; a fault in the middle can only end the connection.
        let answer = answer.await.map_err(|Failed(problem)| Error::other(problem.detail));
        Some((answer, (app, pending, number + 1)))
    });
    Ok(respond(output, Body::from_stream(answers)))
}

/// The pieces of a body, and an error where the next one takes too long.
fn in_time(
    pieces: impl Stream<Item = Result<Bytes, axum::Error>>,
    time: Duration,
) -> impl Stream<Item = Result<Bytes, Error>> {
    let timed = tokio_stream::StreamExt::timeout(pieces, time);
    timed.map(|piece| match piece {
        Ok(piece) => piece.map_err(Error::other),
        Err(_) => Err(Error::other("nothing came for too long")),
    })
}

/// Reads inputs on a thread that may block, and puts their sentences into the queue.
struct Reader {
    app: Arc<App>,
    parser: Arc<Parser>,
    /// The place in the queue for the first sentence.
    room: Option<OwnedSemaphorePermit>,
    sender: mpsc::Sender<Result<Pending, Failed>>,
    /// Whether the limits of a request hold, or those of a stream: none but its lines'.
    bounded: bool,
}

impl Reader {
    fn read(mut self, handle: &Handle, stream: Box<dyn BufRead + Send>, format: InputFormat) {
        let limits = Limits::for_words(self.parser.options().max_words);
        let (mut sentences, mut words) = (0, 0);
        for input in tracebank::read(stream, "<stdin>", format, self.parser.tokeniser(), limits) {
            let pending = input
                .map_err(|error| Failed::new(StatusCode::BAD_REQUEST, "body", error.to_string()))
                .and_then(|input| {
                    sentences += 1;
                    words += input.sentence.as_ref().map_or(0, |sentence| sentence.tokens.len());
                    self.check(sentences, words)?;
                    Ok(self.enqueue(handle, input))
                });
            let is_end = pending.is_err();
            // Whoever waited for the answers may be gone.
            if self.sender.blocking_send(pending).is_err() || is_end {
                return;
            }
        }
    }

    fn check(&self, sentences: usize, words: usize) -> Result<(), Failed> {
        let config = &self.app.config;
        let limits = [("sentences", sentences, config.max_sentences), ("words", words, config.max_words)];
        for (kind, found, most) in limits.into_iter().filter(|_| self.bounded) {
            if found > most {
                let detail = format!("a request may have at most {most} {kind}");
                return Err(Failed::new(StatusCode::PAYLOAD_TOO_LARGE, kind, detail));
            }
        }
        Ok(())
    }

    fn enqueue(&mut self, handle: &Handle, input: Input) -> Pending {
        let answer = input.sentence.as_ref().ok().and_then(|sentence| {
            let room = self.room.take().or_else(|| handle.block_on(self.app.queue.room()))?;
            Some(self.app.queue.push(sentence.clone(), Arc::clone(&self.parser), room))
        });
        Pending { input, answer }
    }
}
