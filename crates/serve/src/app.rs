//! The routes, and what stands in front of them.

use std::any::Any;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use axum::body::Body;
use axum::extract::{MatchedPath, Request, State};
use axum::http::{HeaderValue, Method, Response, StatusCode, Uri, header};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse as _, Json};
use axum::routing::{get, post};
use axum::{Router, http};
use serde_json::{Value, json};
use tokio::sync::Semaphore;
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::compression::CompressionLayer;
use tower_http::cors::{Any as AnyOrigin, CorsLayer};
use tower_http::trace::TraceLayer;
use tracebank::Parser;
use tracebank_page::{Asked, files};

use crate::failed::Failed;
use crate::metrics::Metrics;
use crate::queue::Queue;
use crate::{Config, openapi, operations, parse};

/// The most streams at a time: each has a thread that waits for its lines.
const STREAMS: usize = 64;

/// The most operations that go on though nobody waits for them any more.
pub(crate) const STRAYS: usize = 16;

/// All that requests share.
pub(crate) struct App {
    pub(crate) config: Config,
    pub(crate) metrics: Arc<Metrics>,
    pub(crate) queue: Queue,
    pub(crate) streams: Arc<Semaphore>,
    /// Operations on trees that run at a time; the others wait.
    pub(crate) operations: Arc<Semaphore>,
    /// Operations that have lost their place.
    pub(crate) strays: Arc<Semaphore>,
    /// Whether the service was told to end.
    pub(crate) ending: AtomicBool,
    parser: Arc<Parser>,
    token: Option<blake3::Hash>,
}

impl App {
    pub(crate) fn new(parser: Parser, config: Config) -> std::io::Result<App> {
        let metrics = Arc::new(Metrics::new());
        Ok(App {
            queue: Queue::new(config.threads, config.queue, Arc::clone(&metrics))?,
            metrics,
            streams: Arc::new(Semaphore::new(STREAMS)),
            operations: Arc::new(Semaphore::new(config.threads.max(1))),
            strays: Arc::new(Semaphore::new(STRAYS)),
            ending: AtomicBool::new(false),
            parser: Arc::new(parser),
            token: config.token.as_ref().map(|token| blake3::hash(token.as_bytes())),
            config,
        })
    }

    /// The parser with these options.
    pub(crate) fn parser(&self, asked: &Asked) -> Result<Arc<Parser>, Failed> {
        let options = asked.options(self.config.max_sentence_words)?;
        if options == *self.parser.options() {
            return Ok(Arc::clone(&self.parser));
        }
        let parser = self.parser.with_options(options);
        let refused =
            |error: tracebank::Error| Failed::new(StatusCode::BAD_REQUEST, "option", error.to_string());
        Ok(Arc::new(parser.map_err(refused)?))
    }

    pub(crate) fn is_ending(&self) -> bool {
        self.ending.load(Ordering::SeqCst)
    }
}

/// All routes.
pub(crate) fn router(app: &Arc<App>) -> Router {
    let guarded = Router::new()
        .route("/v1/parse", post(parse::parse))
        .route("/v1/draw", post(operations::draw))
        .route("/v1/convert", post(operations::convert))
        .route("/v1/derive", post(operations::derive))
        .route("/v1/edit", post(operations::edit))
        .route("/v1/inspect", post(operations::inspect))
        .route("/v1/search", post(operations::search))
        .route("/v1/info", get(info))
        .route("/metrics", get(metrics))
        .layer(from_fn_with_state(Arc::clone(app), bearer));
    let mut open = Router::new()
        .route("/healthz", get(async || "ok\n"))
        .route("/readyz", get(ready))
        .route("/openapi.json", get(async || ([(header::CONTENT_TYPE, "application/json")], openapi())));
    for file in files() {
        let respond = async move || {
            let headers = [
                (header::CONTENT_TYPE, file.media),
                (header::CACHE_CONTROL, "no-cache"),
                (header::CONTENT_SECURITY_POLICY, POLICY),
                (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
                (header::REFERRER_POLICY, "no-referrer"),
            ];
            (headers, file.bytes)
        };
        if file.name == "index.html" {
            open = open.route("/", get(respond));
        }
        open = open.route(&format!("/{}", file.name), get(respond));
    }
    open.merge(guarded)
        .fallback(async |uri: Uri| {
            Failed::new(StatusCode::NOT_FOUND, "path", format!("there is nothing at {}", uri.path()))
        })
        .method_not_allowed_fallback(async |method: Method, uri: Uri| {
            let detail = format!("{} does not answer {method}", uri.path());
            Failed::new(StatusCode::METHOD_NOT_ALLOWED, "method", detail)
        })
        .layer(CatchPanicLayer::custom(|_: Box<dyn Any + Send>| {
            Failed::new(StatusCode::INTERNAL_SERVER_ERROR, "panic", "the request went wrong").into_response()
        }))
        .layer(CompressionLayer::new())
        .layer(cors(&app.config.cors))
        .layer(from_fn_with_state(Arc::clone(app), observe))
        .layer(TraceLayer::new_for_http())
        .with_state(Arc::clone(app))
}

/// The page loads its own files and asks its own server, and nothing else.
const POLICY: &str = "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; frame-ancestors 'self'";

/// Nothing, unless origins are named.
fn cors(origins: &[String]) -> CorsLayer {
    let layer = CorsLayer::new();
    if origins.is_empty() {
        return layer;
    }
    let layer = layer.allow_methods([Method::GET, Method::POST]).allow_headers([
        header::CONTENT_TYPE,
        header::ACCEPT,
        header::AUTHORIZATION,
    ]);
    if origins.iter().any(|origin| origin == "*") {
        return layer.allow_origin(AnyOrigin);
    }
    let origins: Vec<HeaderValue> = origins.iter().filter_map(|origin| origin.parse().ok()).collect();
    layer.allow_origin(origins)
}

/// Lets requests through that bear the token, if there is one. Hashes are compared in constant time.
async fn bearer(State(app): State<Arc<App>>, request: Request, next: Next) -> Response<Body> {
    if let Some(token) = app.token {
        let given = request.headers().get(header::AUTHORIZATION).and_then(|value| value.to_str().ok());
        let given = given.and_then(|value| value.strip_prefix("Bearer "));
        if given.is_none_or(|given| blake3::hash(given.trim().as_bytes()) != token) {
            let detail = "this needs the header Authorization: Bearer TOKEN with the service's token";
            return Failed::new(StatusCode::UNAUTHORIZED, "token", detail).into_response();
        }
    }
    next.run(request).await
}

/// Counts a request, and tells the client to come by another connection if the service is about to end.
async fn observe(State(app): State<Arc<App>>, request: Request, next: Next) -> Response<Body> {
    let start = Instant::now();
    let path = request.extensions().get::<MatchedPath>().map_or("other", MatchedPath::as_str).to_owned();
    let mut response = next.run(request).await;
    app.metrics.request(&path, response.status().as_u16(), start.elapsed());
    if app.is_ending() {
        response.headers_mut().insert(http::header::CONNECTION, HeaderValue::from_static("close"));
    }
    response
}

async fn ready(State(app): State<Arc<App>>) -> Result<&'static str, Failed> {
    if app.is_ending() {
        return Err(Failed::new(StatusCode::SERVICE_UNAVAILABLE, "ending", "the service is about to end"));
    }
    Ok("ready\n")
}

async fn metrics(State(app): State<Arc<App>>) -> ([(header::HeaderName, &'static str); 1], String) {
    let media = "application/openmetrics-text; version=1.0.0; charset=utf-8";
    ([(header::CONTENT_TYPE, media)], app.metrics.text(app.queue.len()))
}

async fn info(State(app): State<Arc<App>>) -> Json<Value> {
    let config = &app.config;
    Json(json!({
        "version": env!("CARGO_PKG_VERSION"),
        "model": config.model,
        "limits": {
            "body": config.max_body,
            "sentences": config.max_sentences,
            "words": config.max_words,
            "sentence_words": config.max_sentence_words,
            "seconds": config.time.as_secs_f64(),
            "queue": config.queue,
        },
    }))
}
