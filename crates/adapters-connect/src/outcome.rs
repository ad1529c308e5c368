//! What a call came to: the outermost interceptor, which notes the code for the access log.
//!
//! It also keeps two promises about failures of our own: a panic becomes `internal` in the protocol of the caller (a layer
//! around the HTTP service would break gRPC clients), and an internal error never says more than "internal error".

use std::any::Any;
use std::panic::AssertUnwindSafe;
use std::sync::{Arc, OnceLock};

use connectrpc::interceptor::{UnaryRequest, UnaryResponse};
use connectrpc::{ConnectError, ErrorCode, Interceptor, Next};
use futures::FutureExt as _;

/// What callers read about every failure that is ours.
pub(crate) const INTERNAL_ERROR: &str = "internal error";

/// What is learned about a call on its way, for the access log. In the extensions of its request.
#[derive(Debug, Clone, Default)]
pub(crate) struct Notes(Arc<Noted>);

#[derive(Debug, Default)]
struct Noted {
    code: OnceLock<&'static str>,
    key_prefix: OnceLock<String>,
}

impl Notes {
    /// The code of the answer, if the call came as far as the interceptors.
    pub(crate) fn code(&self) -> Option<&'static str> {
        self.0.code.get().copied()
    }

    /// The first characters of the key that called.
    pub(crate) fn key_prefix(&self) -> Option<&str> {
        self.0.key_prefix.get().map(String::as_str)
    }

    /// Notes which key calls.
    pub(crate) fn by_key(&self, prefix: &str) {
        self.0.key_prefix.get_or_init(|| prefix.to_owned());
    }

    fn ended(&self, code: &'static str) {
        self.0.code.get_or_init(|| code);
    }
}

/// Notes the deadline if the call is dropped before it has ended: the library drops it when its time is over.
struct Running(Notes);

impl Drop for Running {
    fn drop(&mut self) {
        self.0.ended(ErrorCode::DeadlineExceeded.as_str());
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
        running.0.ended(answer.as_ref().map_or_else(|error| error.code.as_str(), |_| "ok"));
        answer
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
