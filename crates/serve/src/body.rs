//! Bodies of requests, within their limits.

use axum::body::{Body, Bytes};
use axum::http::{HeaderMap, StatusCode, header};
use http_body_util::{BodyExt as _, LengthLimitError, Limited};

use crate::Config;
use crate::failed::Failed;

/// The whole body.
pub(crate) async fn bytes(body: Body, headers: &HeaderMap, config: &Config) -> Result<Bytes, Failed> {
    let most = config.max_body;
    let too_large =
        || Failed::new(StatusCode::PAYLOAD_TOO_LARGE, "body", format!("the body has more than {most} bytes"));
    let declared = headers.get(header::CONTENT_LENGTH).and_then(|length| length.to_str().ok()?.parse().ok());
    if declared.is_some_and(|length: usize| length > most) {
        return Err(too_large());
    }
    match tokio::time::timeout(config.time, Limited::new(body, most).collect()).await {
        Err(_) => Err(Failed::new(
            StatusCode::REQUEST_TIMEOUT,
            "time",
            format!("the body did not come within {} s", config.time.as_secs_f64()),
        )),
        Ok(Err(error)) if error.is::<LengthLimitError>() => Err(too_large()),
        Ok(Err(error)) => {
            Err(Failed::new(StatusCode::BAD_REQUEST, "body", format!("the body cannot be read: {error}")))
        }
        Ok(Ok(collected)) => Ok(collected.to_bytes()),
    }
}

/// The whole body as text.
pub(crate) async fn text(body: Body, headers: &HeaderMap, config: &Config) -> Result<String, Failed> {
    let bytes = bytes(body, headers, config).await?;
    String::from_utf8(bytes.into()).map_err(|error| {
        let place = error.utf8_error().valid_up_to();
        Failed::new(StatusCode::BAD_REQUEST, "utf-8", format!("the body is not UTF-8 at byte {place}"))
    })
}
