//! The effect of a trading halt: it stops every purchase that is not submitted yet.

use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::accounts::workspace::TradingHalted;
use tradepost_ports::changes::Changes;

use crate::{OpError, OpResult, Operations, Reason};

/// Checks that the workspace buys, and makes the changes depend on that: once a halt has been answered they are rejected.
pub(crate) async fn rely_on_trading(
    operations: &Operations,
    changes: &mut Changes,
    scope: WorkspaceScope,
) -> OpResult<()> {
    let found = operations.ports.store.workspaces().find(scope).await?;
    let workspace = changes.rely_on(found.ok_or_else(|| OpError::not_found("workspace"))?);
    Ok(workspace.check_trading()?)
}

impl From<TradingHalted> for OpError {
    fn from(error: TradingHalted) -> Self {
        Self::failed_precondition(Reason::TradingHalted, error.to_string())
    }
}
