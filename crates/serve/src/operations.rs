//! Operations on trees: `POST /v1/draw` and the like.

use std::sync::{Arc, Mutex, PoisonError};

use axum::body::Body;
use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue, Response, StatusCode, header};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;
use tracebank_page::{Convert, Derive, Draw, Edit, Inspect, Picture, Search, answer, read};

use crate::app::App;
use crate::failed::Failed;
use crate::{body, trees};

/// The place that an operation has among those that run at a time. Nothing can stop it, so once nobody waits for it any more, because its
/// time is up or the client is gone, it becomes a stray and leaves its place to others.
struct Busy {
    place: Arc<Mutex<OwnedSemaphorePermit>>,
    strays: Arc<Semaphore>,
}

impl Drop for Busy {
    fn drop(&mut self) {
        // Too many strays would take all there is of the machine: beyond, they keep their places, and the others wait.
        if let Ok(stray) = Arc::clone(&self.strays).try_acquire_owned() {
            *self.place.lock().unwrap_or_else(PoisonError::into_inner) = stray;
        }
    }
}

/// An operation in a request's own words, on a thread where it may take its time.
async fn run(
    app: &App,
    headers: &HeaderMap,
    body: Body,
    work: impl FnOnce(&str) -> Result<(&'static str, Vec<u8>), Failed> + Send + 'static,
) -> Result<Response<Body>, Failed> {
    let text = body::text(body, headers, &app.config).await?;
    trees::check(&text, &app.config)?;
    let (media, bytes) = timeout(app.config.time, answered(app, text, work))
        .await
        .map_err(|_| Failed::late(app.config.time))??;
    let mut response = Response::new(Body::from(bytes));
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static(media));
    Ok(response)
}

async fn answered<T: Send + 'static>(
    app: &App,
    text: String,
    work: impl FnOnce(&str) -> Result<T, Failed> + Send + 'static,
) -> Result<T, Failed> {
    let panicked = || Failed::new(StatusCode::INTERNAL_SERVER_ERROR, "panic", "the operation went wrong");
    let place = Arc::clone(&app.operations).acquire_owned().await.map_err(|_| panicked())?;
    let place = Arc::new(Mutex::new(place));
    let busy = Busy { place: Arc::clone(&place), strays: Arc::clone(&app.strays) };
    let done = tokio::task::spawn_blocking(move || {
        let _place = place;
        work(&text)
    });
    let answer = done.await.map_err(|_| panicked())?;
    drop(busy);
    answer
}

fn named(operation: &'static str) -> impl FnOnce(&str) -> Result<(&'static str, Vec<u8>), Failed> + Send {
    move |text| {
        let answer = answer(operation, text, None)?;
        Ok((answer.media, answer.text.into_bytes()))
    }
}

macro_rules! operations {
    ($($(#[$doc:meta])* $name:ident: $body:ty => $media:literal;)*) => {$(
        $(#[$doc])*
        #[utoipa::path(
            post, path = concat!("/v1/", stringify!($name)), request_body = $body,
            responses(
                (status = 200, description = "The answer", content_type = $media, body = String),
                (status = "4XX", description = "A request that is wrong or beyond a limit", content_type = "application/problem+json", body = serde_json::Value),
                (status = 504, description = "The request took more than its time", content_type = "application/problem+json", body = serde_json::Value),
            ),
        )]
        pub(crate) async fn $name(State(app): State<Arc<App>>, headers: HeaderMap, body: Body) -> Result<Response<Body>, Failed> {
            run(&app, &headers, body, named(stringify!($name))).await
        }
    )*};
}

operations! {
    /// Convert trees to another form
    convert: Convert => "text/plain";
    /// Show how a tree is derived: a picture, and steps in words
    derive: Derive => "application/json";
    /// Change a tree by hand
    edit: Edit => "application/json";
    /// Tell all about a tree: nodes, nulls and relations in words, an outline, faults
    inspect: Inspect => "application/json";
    /// Search trees for a pattern or a named construction
    search: Search => "application/json";
}

/// Draw a tree, as SVG, PNG, PDF or LaTeX
#[utoipa::path(
    post, path = "/v1/draw", request_body = Draw,
    responses(
        (status = 200, description = "The picture", content((String = "image/svg+xml"), (String = "application/x-latex"), (Vec<u8> = "image/png"), (Vec<u8> = "application/pdf"))),
        (status = "4XX", description = "A request that is wrong or beyond a limit", content_type = "application/problem+json", body = serde_json::Value),
        (status = 504, description = "The request took more than its time", content_type = "application/problem+json", body = serde_json::Value),
    ),
)]
pub(crate) async fn draw(
    State(app): State<Arc<App>>,
    headers: HeaderMap,
    body: Body,
) -> Result<Response<Body>, Failed> {
    let picture = |text: &str| {
        let request: Draw = read(text)?;
        let answer = request.answer()?;
        let failed = |error: tracebank_raster::Error| {
            Failed::new(StatusCode::PAYLOAD_TOO_LARGE, "picture", error.to_string())
        };
        Ok(match request.to {
            Picture::Png => ("image/png", tracebank_raster::png(&answer.text, 2.0).map_err(failed)?),
            Picture::Pdf => ("application/pdf", tracebank_raster::pdf(&answer.text).map_err(failed)?),
            _ => (answer.media, answer.text.into_bytes()),
        })
    };
    run(&app, &headers, body, picture).await
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;
    use std::time::Duration;

    use tracebank::testing;

    use super::*;
    use crate::Config;

    /// Work that takes its time is cut off for whoever waits, and does not keep others waiting, be the client there or not.
    #[test]
    fn a_slow_operation_has_a_limit_and_leaves_its_place() {
        let parser = testing::parser(&["( (S (N a)))".parse().unwrap()], &["penn"]);
        let config = Config { threads: 1, time: Duration::from_millis(200), ..Config::default() };
        let runtime = tokio::runtime::Runtime::new().unwrap();
        runtime.block_on(async {
            let app = App::new(parser, config).unwrap();
            let headers = HeaderMap::new();
            let mut gates = Vec::new();
            let mut slow = || {
                let (gate, closed) = mpsc::channel::<()>();
                gates.push(gate);
                run(&app, &headers, Body::from("{}"), move |_| {
                    let _ = closed.recv();
                    Ok(("text/plain", Vec::new()))
                })
            };
            let late = slow().await.unwrap_err();
            assert_eq!((late.0.status, late.0.kind), (504, "time"));
            // The client goes while its operation runs.
            assert!(timeout(Duration::from_millis(50), slow()).await.is_err());
            let quick = |_: &str| Ok(("text/plain", b"done".to_vec()));
            assert!(run(&app, &headers, Body::from("{}"), quick).await.is_ok());
            assert_eq!(app.strays.available_permits() + 2, crate::app::STRAYS);
            drop(gates);
            while app.strays.available_permits() < crate::app::STRAYS {
                tokio::time::sleep(Duration::from_millis(2)).await;
            }
            assert_eq!(app.operations.available_permits(), 1);
        });
    }
}
