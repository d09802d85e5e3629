//! Operations on trees: `POST /v1/draw` and the like.

use std::sync::Arc;

use axum::body::Body;
use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue, Response, StatusCode, header};
use tracebank_page::{Convert, Derive, Draw, Edit, Inspect, Picture, Search, answer, read};

use crate::app::App;
use crate::body;
use crate::failed::Failed;

/// An operation in a request's own words, on a thread where it may take its time.
async fn run(
    app: &App,
    headers: &HeaderMap,
    body: Body,
    work: impl FnOnce(&str) -> Result<(&'static str, Vec<u8>), Failed> + Send + 'static,
) -> Result<Response<Body>, Failed> {
    let text = body::text(body, headers, &app.config).await?;
    let busy = Arc::clone(&app.operations).acquire_owned().await;
    let done = tokio::task::spawn_blocking(move || {
        let _busy = busy;
        work(&text)
    });
    let (media, bytes) = done
        .await
        .map_err(|_| Failed::new(StatusCode::INTERNAL_SERVER_ERROR, "panic", "the operation went wrong"))??;
    let mut response = Response::new(Body::from(bytes));
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static(media));
    Ok(response)
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
