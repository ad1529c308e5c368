//! What every handler does with a request first: its caller, its workspace, and whether the operation is allowed.

use connectrpc::{ConnectError, RequestContext, Response};
use http::HeaderValue;
use http::header::{CACHE_CONTROL, SET_COOKIE};
use tradepost_domain::accounts::access::Denied;
use tradepost_domain::id::WorkspaceId;
use tradepost_domain::time::Timestamp;
use tradepost_operations::accounts::home;
use tradepost_operations::rules::Rule;
use tradepost_operations::{Caller, Operations};

use crate::browser::PageCall;
use crate::convert::id;
use crate::error::{internal, to_wire};
use tradepost_proto::accounts::v1 as wire;

/// Returns the caller, as the authentication left it with the request. Fails when the operation needs a policy that the
/// caller does not hold. Rights are checked before the fields of the request, so that a rejected caller learns nothing of them.
pub(in crate::handlers) fn caller(context: &RequestContext) -> Result<&Caller, ConnectError> {
    admitted(context).map(|(caller, _)| caller)
}

/// Returns the caller and the workspace that the request names, if the caller may enter it for this operation. Every handler
/// whose request has a `workspaceId` calls it before it reads another field.
pub(in crate::handlers) fn enter<'a>(
    context: &'a RequestContext,
    workspace_id: &[u8],
) -> Result<(&'a Caller, WorkspaceId), ConnectError> {
    let (caller, rule) = admitted(context)?;
    let workspace_id = id("workspaceId", workspace_id)?;
    rule.enter(&caller.principal, workspace_id).map_err(|denied| to_wire(denied.into()))?;
    Ok((caller, workspace_id))
}

/// The same for requests that name no workspace: it is the calling key's, or the one that the session has chosen.
pub(in crate::handlers) fn enter_own(context: &RequestContext) -> Result<(&Caller, WorkspaceId), ConnectError> {
    let (caller, rule) = admitted(context)?;
    let workspace_id = home(caller).map_err(to_wire)?;
    rule.enter(&caller.principal, workspace_id).map_err(|denied| to_wire(denied.into()))?;
    Ok((caller, workspace_id))
}

fn admitted(context: &RequestContext) -> Result<(&Caller, &'static Rule), ConnectError> {
    let caller: Option<&Caller> = context.extensions().get();
    let caller = caller.ok_or_else(|| internal("a call was not authenticated"))?;
    let rule = context.path().and_then(Rule::of_path).ok_or_else(|| internal("a method has no rule"))?;
    if rule.admits(&caller.principal) { Ok((caller, rule)) } else { Err(to_wire(Denied.into())) }
}

/// Returns an answer with a secret in it, which no cache may keep.
pub(in crate::handlers) fn secret_answer<B>(body: B) -> Response<B> {
    let mut answer = Response::new(body);
    answer.headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    answer
}

/// An answer that can have the token of a session.
pub(in crate::handlers) trait SessionAnswer {
    /// The field of the token.
    fn session_token(&mut self) -> &mut Option<String>;
}

macro_rules! session_answers {
    ($($answer:ident),+ $(,)?) => {
        $(impl SessionAnswer for wire::$answer {
            fn session_token(&mut self) -> &mut Option<String> {
                &mut self.session_token
            }
        })+

        /// The answers that can have the token of a session.
        #[cfg(test)]
        pub(crate) const SESSION_ANSWERS: &[&str] = &[$(concat!("accounts.v1.", stringify!($answer))),+];
    };
}

session_answers!(
    CompleteSignInResponse,
    CompleteStepUpResponse,
    FinishLinkedSignInResponse,
    FinishPasskeySignInResponse,
    SignInResponse,
);

/// Returns an answer with the token of a session that ends at `expires_at`. A page that asked for the cookie gets the token there alone.
pub(in crate::handlers) fn session_answer<B: SessionAnswer>(
    operations: &Operations,
    context: &RequestContext,
    expires_at: Option<Timestamp>,
    mut body: B,
) -> Result<Response<B>, ConnectError> {
    let Some(page) = page_of(context) else { return Ok(secret_answer(body)) };
    let token = body.session_token().replace(String::new()).unwrap_or_default();
    let mut answer = secret_answer(body);
    if let Some(expires_at) = expires_at {
        set_cookie(&mut answer, page.names.set_session(&token, operations.time_left(expires_at)))?;
    }
    Ok(answer)
}

/// Returns the page that calls, if it asked for the cookie.
pub(in crate::handlers) fn page_of(context: &RequestContext) -> Option<&PageCall> {
    context.extensions().get()
}

/// Adds a cookie to an answer.
pub(in crate::handlers) fn set_cookie<B>(
    answer: &mut Response<B>,
    cookie: Option<HeaderValue>,
) -> Result<(), ConnectError> {
    answer.headers.append(SET_COOKIE, cookie.ok_or_else(|| internal("a token is not a value of a cookie"))?);
    Ok(())
}
