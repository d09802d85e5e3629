//! Problems, as RFC 9457 has them.

use serde_json::{Value, json};
use thiserror::Error;

/// A request that cannot be answered, and why.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{detail}")]
pub struct Problem {
    /// The status of HTTP.
    pub status: u16,
    /// The kind in a word: the limit that was passed, or the part of the request that is wrong.
    pub kind: &'static str,
    /// A sentence for whoever asked.
    pub detail: String,
}

impl Problem {
    /// A problem.
    pub fn new(status: u16, kind: &'static str, detail: impl Into<String>) -> Problem {
        Problem { status, kind, detail: detail.into() }
    }

    /// An option whose value cannot be used.
    pub(crate) fn option(name: &str, wanted: &str) -> Problem {
        Problem::new(400, "option", format!("{name}: {wanted}"))
    }

    pub(crate) fn no_parser() -> Problem {
        Problem::new(503, "model", "no model is loaded")
    }

    /// The problem as `application/problem+json`.
    pub fn to_json(&self) -> Value {
        json!({
            "type": format!("urn:tracebank:problem:{}", self.kind),
            "title": self.kind,
            "status": self.status,
            "detail": self.detail,
        })
    }
}
