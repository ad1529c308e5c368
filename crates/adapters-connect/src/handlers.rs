//! The handlers: a request becomes a command, the command an operation, the answer a message. Nothing is decided here.

/// Hands methods of the service on to the modules that have their bodies: an implementation of a trait is in one file.
macro_rules! handled {
    ($($module:ident: $($method:ident($request:ident) -> $answer:ident),+;)+) => {$($(
        async fn $method(
            &self,
            context: RequestContext,
            request: ServiceRequest<'_, wire::$request>,
        ) -> ServiceResult<wire::$answer> {
            $module::$method(&self.0, &context, request).await
        }
    )+)+};
}

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
#[expect(
    refining_impl_trait_internal,
    reason = "the traits are generated; naming the answer keeps the signatures readable"
)]
mod markets;
#[expect(
    refining_impl_trait_internal,
    reason = "the traits are generated; naming the answer keeps the signatures readable"
)]
mod trading;

use connectrpc::{ConnectError, RequestContext, Response};
use http::HeaderValue;
use http::header::CACHE_CONTROL;
use tradepost_domain::accounts::access::Denied;
use tradepost_domain::id::WorkspaceId;
use tradepost_operations::Caller;
use tradepost_operations::accounts::home;
use tradepost_operations::rules::Rule;

use crate::convert::id;
use crate::error::{internal, to_wire};

pub(crate) use accounts::AccountsHandlers;
pub(crate) use contracts::ContractsHandlers;
pub(crate) use markets::MarketsHandlers;
pub(crate) use trading::TradingHandlers;

/// Who calls, as the authentication left it with the request; refused when the operation asks for a policy that the
/// caller does not hold. Rights come before the fields of the request: whoever may not ask learns nothing of the form.
fn caller(context: &RequestContext) -> Result<&Caller, ConnectError> {
    admitted(context).map(|(caller, _)| caller)
}

/// Who calls, and the workspace that the request names, once the caller may enter it for this operation. Every handler
/// whose request has a `workspaceId` begins with it, before it reads another field.
fn enter<'a>(context: &'a RequestContext, workspace_id: &[u8]) -> Result<(&'a Caller, WorkspaceId), ConnectError> {
    let (caller, rule) = admitted(context)?;
    let workspace_id = id("workspaceId", workspace_id)?;
    rule.enter(&caller.principal, workspace_id).map_err(|denied| to_wire(denied.into()))?;
    Ok((caller, workspace_id))
}

/// The same where the request names no workspace: it is the calling key's, or the one that a session has chosen.
fn enter_own(context: &RequestContext) -> Result<(&Caller, WorkspaceId), ConnectError> {
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

/// An answer with a secret in it, which no cache may keep.
fn secret_answer<B>(body: B) -> Response<B> {
    let mut answer = Response::new(body);
    answer.headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    answer
}
