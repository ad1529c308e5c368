//! The innermost interceptor: a JSON body has to be an object in UTF-8, and an error in it names the field.
//!
//! The codec would read an array by position, takes anything for text in fields that it does not know, and its errors give
//! a line and a column, of which a caller who built the JSON with a library can make nothing.

mod place;

use std::borrow::Cow;

use connectrpc::interceptor::{UnaryRequest, UnaryResponse};
use connectrpc::{CodecFormat, ConnectError, ErrorCode, Interceptor, Next};

use crate::convert::invalid;

/// How the library's messages about JSON begin.
const DECODING: &str = "failed to decode JSON: ";

/// The interceptor.
pub(crate) struct StrictJson;

#[connectrpc::async_trait]
impl Interceptor for StrictJson {
    async fn intercept_unary(&self, request: UnaryRequest, next: Next<'_>) -> Result<UnaryResponse, ConnectError> {
        if request.payload.format() != CodecFormat::Json {
            return next.run(request).await;
        }
        let body = request.payload.bytes().clone();
        if body.iter().find(|byte| !byte.is_ascii_whitespace()) != Some(&b'{') {
            return Err(ConnectError::invalid_argument("the request body must be a JSON object"));
        }
        if std::str::from_utf8(&body).is_err() {
            return Err(ConnectError::invalid_argument("malformed JSON: the request body is not valid UTF-8"));
        }
        next.run(request).await.map_err(|error| name_field(error, &body))
    }
}

/// Puts the field in front of what the library says about the JSON.
fn name_field(mut error: ConnectError, body: &[u8]) -> ConnectError {
    let said = error.message.as_deref().and_then(|message| message.strip_prefix(DECODING));
    if let (ErrorCode::InvalidArgument, Some(said)) = (error.code, said) {
        match place::of_error(body, said) {
            Some((field, problem)) => return invalid(&format!("{field}:"), in_words(problem)),
            None => error.message = Some(format!("malformed JSON: {said}")),
        }
    }
    error
}

/// What is wrong, where the decoders for enums and base64 do not say it in words of the interface.
fn in_words(problem: &str) -> Cow<'_, str> {
    const BASE64: [&str; 4] = ["Invalid symbol", "Invalid last symbol", "Invalid input length", "Invalid padding"];
    let unknown =
        problem.strip_prefix("unknown variant `").and_then(|rest| rest.split_once('`')).map(|(name, _)| name).or_else(
            || problem.strip_prefix("invalid value: string \"")?.strip_suffix("\", expected a known enum variant name"),
        );
    match unknown {
        Some(name) => format!("unknown value {name}").into(),
        None if BASE64.iter().any(|start| problem.starts_with(start)) => "must be base64".into(),
        None => problem.into(),
    }
}
