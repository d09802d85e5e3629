//! The description of the service as `OpenAPI`.

use utoipa::OpenApi;

use crate::{operations, parse};

#[derive(OpenApi)]
#[openapi(
    info(title = "tracebank", description = "English sentences in, Penn trees with their traces out"),
    paths(
        parse::parse,
        operations::draw,
        operations::convert,
        operations::derive,
        operations::edit,
        operations::inspect,
        operations::search,
    )
)]
struct Description;

/// The description as JSON.
pub fn openapi() -> String {
    Description::openapi().to_json().expect("a description is JSON")
}
