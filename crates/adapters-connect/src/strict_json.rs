//! The innermost interceptor: a JSON body has to be an object in UTF-8 with the fields of its message and no others, and an
//! error in it names the field.
//!
//! The codec would read an array by position, ignores fields that it does not know, whatever is in them, and its errors give
//! a line and a column, of which a caller who built the JSON with a library can make nothing.

mod place;
mod schema;
mod walk;

use std::borrow::Cow;

use connectrpc::interceptor::{UnaryRequest, UnaryResponse};
use connectrpc::{CodecFormat, ConnectError, ErrorCode, Interceptor, Next};
use http::{HeaderMap, HeaderName};

use crate::convert::invalid;
use crate::error::{internal, unknown_field};
use schema::INTERFACE;
use walk::{Refusal, refusal};

/// How the library's messages about JSON begin.
const DECODING: &str = "failed to decode JSON: ";

/// What a client newer than its server sends, to have the server ignore fields that only the client knows.
const UNKNOWN_FIELDS: HeaderName = HeaderName::from_static("tradepost-unknown-fields");
const IGNORE: &str = "ignore";

/// What the library says is cut in the middle above this: it quotes values whole.
const MOST_SAID_CHARS: usize = 256;

/// The interceptor.
pub(crate) struct StrictJson;

#[connectrpc::async_trait]
impl Interceptor for StrictJson {
    async fn intercept_unary(&self, request: UnaryRequest, next: Next<'_>) -> Result<UnaryResponse, ConnectError> {
        if request.payload.format() != CodecFormat::Json {
            return next.run(request).await;
        }
        let body = request.payload.bytes().clone();
        check(request.ctx.path(), request.ctx.headers(), &body)?;
        next.run(request).await.map_err(|error| name_field(error, &body))
    }
}

/// Whether a JSON request of the method at a path, sent without the header, has only names that the interface has.
///
/// For a measurement of what the interceptor costs each request: it runs the same check.
#[doc(hidden)]
pub fn has_only_known_names(path: &str, body: &[u8]) -> bool {
    check(Some(path), &HeaderMap::new(), body).is_ok()
}

fn check(path: Option<&str>, headers: &HeaderMap, body: &[u8]) -> Result<(), ConnectError> {
    if body.iter().find(|byte| !byte.is_ascii_whitespace()) != Some(&b'{') {
        return Err(ConnectError::invalid_argument("the request body must be a JSON object"));
    }
    let Ok(json) = std::str::from_utf8(body) else {
        return Err(ConnectError::invalid_argument("malformed JSON: the request body is not valid UTF-8"));
    };
    let message = path.and_then(|path| INTERFACE.request(path));
    let message = message.ok_or_else(|| internal("a method has no table of its request"))?;
    let ignores_unknown_fields = ignores_unknown_fields(headers)?;
    refusal(&INTERFACE, message, json, ignores_unknown_fields).map_or(Ok(()), |refusal| Err(refused(refusal)))
}

fn ignores_unknown_fields(headers: &HeaderMap) -> Result<bool, ConnectError> {
    match headers.get(UNKNOWN_FIELDS) {
        None => Ok(false),
        Some(value) if value.as_bytes() == IGNORE.as_bytes() => Ok(true),
        Some(_) => Err(invalid(UNKNOWN_FIELDS.as_str(), format_args!("must be {IGNORE:?}"))),
    }
}

fn refused(refusal: Refusal) -> ConnectError {
    match refusal {
        Refusal::UnknownField { path, nearest: Some(nearest) } => {
            unknown_field(format!("{path} is not a known field; the nearest known one is {nearest}"))
        }
        Refusal::UnknownField { path, nearest: None } => unknown_field(format!("{path} is not a known field")),
        Refusal::UnknownValue { path, given, allowed } => {
            invalid(&format!("{path}:"), format_args!("unknown value {given:?}; allowed: {}", allowed.join(", ")))
        }
        Refusal::ListForMessage { path } => invalid(&format!("{path}:"), "must be a JSON object"),
    }
}

/// Puts the field in front of what the library says about the JSON.
fn name_field(mut error: ConnectError, body: &[u8]) -> ConnectError {
    let said = error.message.as_deref().and_then(|message| message.strip_prefix(DECODING));
    if let (ErrorCode::InvalidArgument, Some(said)) = (error.code, said) {
        match place::of_error(body, said) {
            Some((field, problem)) => {
                return invalid(&format!("{}:", shortened(&field)), shortened(&in_words(problem)));
            }
            None => error.message = Some(format!("malformed JSON: {}", shortened(said))),
        }
    }
    error
}

/// What is wrong, where the decoder for base64 does not say it in words of the interface.
fn in_words(problem: &str) -> Cow<'_, str> {
    const BASE64: [&str; 4] = ["Invalid symbol", "Invalid last symbol", "Invalid input length", "Invalid padding"];
    if BASE64.iter().any(|start| problem.starts_with(start)) { "must be base64".into() } else { problem.into() }
}

/// The beginning and the end of what quotes a long value in its middle.
fn shortened(said: &str) -> Cow<'_, str> {
    let chars = said.chars().count();
    if chars <= MOST_SAID_CHARS {
        return said.into();
    }
    let half = MOST_SAID_CHARS / 2;
    let begin = said.chars().take(half);
    let end = said.chars().skip(chars.saturating_sub(half));
    begin.chain(['…']).chain(end).collect::<String>().into()
}
