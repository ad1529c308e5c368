//! The workspace of a request that names none.

use tradepost_domain::accounts::access::WorkspaceAccess;
use tradepost_domain::id::WorkspaceId;
use tradepost_ports::changes::Caller;

use crate::{OpError, OpResult, Reason};

/// Returns a key's workspace, or the one that a session has chosen.
///
/// # Errors
/// `invalid_argument` with `WORKSPACE_REQUIRED` for a session that has chosen none; `permission_denied` for other callers.
pub fn home(caller: &Caller) -> OpResult<WorkspaceId> {
    caller.principal.home()?.ok_or_else(|| {
        let message = "the header x-workspace-id must name the workspace: a session has none of its own";
        OpError::invalid_argument(Reason::WorkspaceRequired, message)
    })
}

/// Returns the caller's place there.
pub(crate) fn access_at_home(caller: &Caller) -> OpResult<WorkspaceAccess> {
    Ok(caller.principal.access_to(home(caller)?)?)
}
