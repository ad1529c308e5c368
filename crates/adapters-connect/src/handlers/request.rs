//! What every handler does with a request first: its caller, its workspace, and whether the operation is allowed.

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
