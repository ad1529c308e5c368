//! What a call came to: the outermost interceptor, which notes the code, and the reason that every refusal has.
//!
//! The interceptor also keeps two promises about failures of our own: a panic becomes `internal` in the protocol of the
//! caller (a layer around the HTTP service would break gRPC clients), and an internal error never says more than
//! "internal error". What the protocol library refuses before any interceptor is read from its answer.

use std::any::Any;
use std::panic::AssertUnwindSafe;
use std::sync::{Arc, OnceLock};
use tradepost_operations::Reason;

use axum::body::{Body, to_bytes};
use axum::response::Response;
use connectrpc::interceptor::{UnaryRequest, UnaryResponse};
use connectrpc::{ConnectError, ErrorCode, Interceptor, Next};
use futures::FutureExt as _;
use http::header::CONTENT_TYPE;
use http::{HeaderMap, HeaderValue, StatusCode};

use crate::error::{INTERNAL_ERROR, give_reason, reason_of};

/// A frame begins with its flags and its length.
const FRAME_HEADER: usize = 5;

/// What is learned about a call while it is handled, for the access log. In the extensions of its request.
#[derive(Debug, Clone, Default)]
pub(crate) struct Notes(Arc<Noted>);

#[derive(Debug, Default)]
struct Noted {
    ended: OnceLock<Result<(), ErrorCode>>,
    token_prefix: OnceLock<String>,
}

impl Notes {
    /// The first characters of the key or session token that called.
    pub(crate) fn token_prefix(&self) -> Option<&str> {
        self.0.token_prefix.get().map(String::as_str)
    }

    /// Notes which key or session calls.
    pub(crate) fn by_token(&self, prefix: &str) {
        self.0.token_prefix.get_or_init(|| prefix.to_owned());
    }

    fn end(&self, ended: Result<(), ErrorCode>) {
        self.0.ended.get_or_init(|| ended);
    }
}

/// Notes the deadline if the call is dropped before it has ended: the library drops it when its time is over.
struct Running(Notes);

impl Drop for Running {
    fn drop(&mut self) {
        self.0.end(Err(ErrorCode::DeadlineExceeded));
    }
}

/// The interceptor.
pub(crate) struct Outcome;

#[connectrpc::async_trait]
impl Interceptor for Outcome {
    async fn intercept_unary(&self, request: UnaryRequest, next: Next<'_>) -> Result<UnaryResponse, ConnectError> {
        let running = Running(request.ctx.extensions().get::<Notes>().cloned().unwrap_or_default());
        let answer = match AssertUnwindSafe(next.run(request)).catch_unwind().await {
            Ok(answer) => answer.map_err(conceal),
            Err(panic) => {
                tracing::error!(panic = panic_message(&*panic), "a handler panicked");
                Err(ConnectError::internal(INTERNAL_ERROR))
            }
        };
        running.0.end(answer.as_ref().map(drop).map_err(|error| error.code));
        answer
    }
}

/// What is needed to refuse a request in the library's place.
#[derive(Debug)]
pub(crate) struct Asked {
    /// The `Content-Type` of the request, which says how an answer is written.
    pub(crate) form: HeaderMap,
    pub(crate) max_body_bytes: usize,
}

impl Asked {
    /// The library's answer, or ours where its code misleads: before any interceptor nothing of the server has failed, and
    /// the same body is too large at any time.
    fn refusal(&self, code: ErrorCode) -> Option<(ErrorCode, Response)> {
        let (message, reason) = if code == ErrorCode::Internal {
            (
                "the request body cannot be read: it is broken off, wrongly framed or compressed in no named way"
                    .to_owned(),
                Reason::Malformed,
            )
        } else if code == ErrorCode::ResourceExhausted {
            (format!("the request body has more than {} bytes", self.max_body_bytes), Reason::BodyTooLarge)
        } else {
            return None;
        };
        let mut error = ConnectError::invalid_argument(message);
        give_reason(error.response_headers_mut(), reason);
        Some((error.code, error.into_http_response(&self.form).map(Body::new)))
    }
}

/// The code of an answer, for the log, and the answer with a reason if it is a refusal.
pub(crate) async fn explained(notes: &Notes, asked: &Asked, answer: Response) -> (&'static str, Response) {
    let (ended, mut answer) = if let Some(ended) = notes.0.ended.get() {
        (*ended, answer)
    } else {
        let (code, answer) = refused_early(answer).await;
        asked.refusal(code).map_or((Err(code), answer), |(code, answer)| (Err(code), answer))
    };
    if let Err(code) = ended
        && let Some(reason) = reason_of(code, answer.status())
    {
        give_reason(answer.headers_mut(), reason);
    }
    (ended.map_or_else(|code| code.as_str(), |()| "ok"), answer)
}

/// The code of an answer that the library gave before any interceptor. gRPC-Web and streams of Connect say it in the body
/// only, in one short frame that is in memory already.
async fn refused_early(answer: Response) -> (ErrorCode, Response) {
    let content_type = answer.headers().get(CONTENT_TYPE).map(HeaderValue::as_bytes).unwrap_or_default();
    let read: fn(&[u8]) -> Option<ErrorCode> = match content_type {
        [b'a', ..] if content_type.starts_with(b"application/grpc-web") => code_of_grpc_web,
        [b'a', ..] if content_type.starts_with(b"application/connect+") => code_of_connect_stream,
        _ => return (code_of_headers(&answer), answer),
    };
    let (parts, body) = answer.into_parts();
    let body = to_bytes(body, usize::MAX).await.unwrap_or_default();
    let code = body.get(FRAME_HEADER..).and_then(read).unwrap_or(ErrorCode::Unknown);
    (code, Response::from_parts(parts, Body::from(body)))
}

fn code_of_grpc_web(trailers: &[u8]) -> Option<ErrorCode> {
    let status = str::from_utf8(trailers).ok()?.lines().find_map(|line| line.strip_prefix("grpc-status: "))?;
    ErrorCode::from_grpc_code(status.parse().ok()?)
}

fn code_of_connect_stream(end: &[u8]) -> Option<ErrorCode> {
    let end: serde_json::Value = serde_json::from_slice(end).ok()?;
    end["error"]["code"].as_str()?.parse().ok()
}

fn code_of_headers(answer: &Response) -> ErrorCode {
    let grpc = answer.headers().get("grpc-status").and_then(|status| status.to_str().ok()?.parse().ok());
    if let Some(code) = grpc.and_then(ErrorCode::from_grpc_code) {
        return code;
    }
    match answer.status() {
        StatusCode::BAD_REQUEST => ErrorCode::InvalidArgument,
        StatusCode::FORBIDDEN => ErrorCode::PermissionDenied,
        StatusCode::NOT_FOUND | StatusCode::NOT_IMPLEMENTED => ErrorCode::Unimplemented,
        StatusCode::TOO_MANY_REQUESTS => ErrorCode::ResourceExhausted,
        StatusCode::GATEWAY_TIMEOUT => ErrorCode::DeadlineExceeded,
        StatusCode::INTERNAL_SERVER_ERROR => ErrorCode::Internal,
        // 405 and 415.
        _ => ErrorCode::Unknown,
    }
}

/// What the library says about a failure of ours is for the log.
fn conceal(mut error: ConnectError) -> ConnectError {
    if error.code == ErrorCode::Internal && error.message.as_deref() != Some(INTERNAL_ERROR) {
        let detail = error.message.replace(INTERNAL_ERROR.to_owned());
        tracing::error!(detail, "the protocol library failed");
    }
    error
}

fn panic_message(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<&str>().copied();
    text.or_else(|| panic.downcast_ref::<String>().map(String::as_str)).unwrap_or("no message")
}
