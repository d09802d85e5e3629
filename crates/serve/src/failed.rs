//! Problems as responses.

use std::time::Duration;

use axum::body::Body;
use axum::http::{HeaderValue, Response, StatusCode, header};
use axum::response::IntoResponse;
use tracebank_page::Problem;

/// A problem on its way out.
#[derive(Clone, Debug)]
pub(crate) struct Failed(pub(crate) Problem);

impl Failed {
    pub(crate) fn new(status: StatusCode, kind: &'static str, detail: impl Into<String>) -> Failed {
        Failed(Problem::new(status.as_u16(), kind, detail))
    }

    /// A request that took more than its time.
    pub(crate) fn late(time: Duration) -> Failed {
        let detail = format!("the request took more than {} s", time.as_secs_f64());
        Failed::new(StatusCode::GATEWAY_TIMEOUT, "time", detail)
    }
}

impl From<Problem> for Failed {
    fn from(problem: Problem) -> Failed {
        Failed(problem)
    }
}

impl IntoResponse for Failed {
    fn into_response(self) -> Response<Body> {
        let status = StatusCode::from_u16(self.0.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        let mut response = Response::new(Body::from(self.0.to_json().to_string()));
        *response.status_mut() = status;
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/problem+json"));
        match status {
            StatusCode::SERVICE_UNAVAILABLE => {
                headers.insert(header::RETRY_AFTER, HeaderValue::from_static("1"));
            }
            StatusCode::UNAUTHORIZED => {
                headers.insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
            }
            _ => {}
        }
        response
    }
}
