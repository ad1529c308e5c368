//! The handlers: a request becomes a command, the command an operation, the answer a message. Nothing is decided here.

#[expect(
    refining_impl_trait_internal,
    reason = "the traits are generated; naming the answer keeps the signatures readable"
)]
mod accounts;
#[expect(
    refining_impl_trait_internal,
    reason = "the traits are generated; naming the answer keeps the signatures readable"
)]
mod contracts;

use connectrpc::{ConnectError, RequestContext, Response};
use http::HeaderValue;
use http::header::CACHE_CONTROL;
use tradepost_operations::Caller;

pub(crate) use accounts::AccountsHandlers;
pub(crate) use contracts::ContractsHandlers;

/// Who calls, as the authentication left it with the request.
fn caller(context: &RequestContext) -> Result<&Caller, ConnectError> {
    context.extensions().get().ok_or_else(|| crate::error::internal("a call was not authenticated"))
}

/// An answer with a secret in it, which no cache may keep.
fn secret_answer<B>(body: B) -> Response<B> {
    let mut answer = Response::new(body);
    answer.headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    answer
}
