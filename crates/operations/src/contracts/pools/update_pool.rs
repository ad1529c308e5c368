//! [`UpdatePool`]: changes the name or the limits of a pool.

use crate::contracts::pools::named_pools::pool_as_seen;
use tradepost_domain::accounts::audit::AuditKind;
use tradepost_domain::contracts::pool::{Pool, PoolChange};
use tradepost_domain::id::{PoolId, WorkspaceId};
use tradepost_ports::changes::{Caller, Changes};

use super::create_pool::LimitsOfPool;
use crate::rules;
use crate::{OpError, OpResult, Operations, Versioned, fields};

/// The changes to one pool; absent fields stay unchanged.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UpdatePool {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The pool.
    pub pool_id: PoolId,
    /// The name from now on, 1 to 64 characters.
    pub name: Option<String>,
    /// The limits from now on, all of them.
    pub limits: Option<LimitsOfPool>,
    /// The version that the caller saw, from 1; rejected when the pool has another one.
    pub expected_version: Option<i64>,
}

impl Operations {
    /// Changes a pool. Its currency stays.
    ///
    /// # Errors
    /// `permission_denied`; `invalid_argument` for bad fields, and when nothing is to change; `not_found`;
    /// `failed_precondition`: `VERSION_MISMATCH`, `POOL_ARCHIVED`, `LIMIT_BELOW_USE` for a budget below the capital.
    pub async fn update_pool(&self, caller: &Caller, command: UpdatePool) -> OpResult<Versioned<Pool>> {
        let scope = rules::UPDATE_POOL.enter(&caller.principal, command.workspace_id)?;
        let change = change(&command)?;
        fields::expected_version(command.expected_version)?;
        let at = self.market_now(command.workspace_id);
        self.in_turn(command.workspace_id, || async {
            let pool = pool_as_seen(self, scope, command.pool_id, command.expected_version).await?;
            let mut changes = Changes::by(caller);
            let next = changes.revise(pool, |pool| pool.change(change.clone(), at))?;
            changes.audit(AuditKind::PoolUpdated, &next.value);
            self.commit(caller, changes).await?;
            Ok(next.into())
        })
        .await
    }
}

fn change(command: &UpdatePool) -> OpResult<PoolChange> {
    let name = command.name.as_deref().map(|name| fields::text("name", name)).transpose()?;
    let limits = command.limits.as_ref().map(LimitsOfPool::check).transpose()?;
    let change = PoolChange { name, limits };
    if change == PoolChange::default() {
        return Err(OpError::invalid_field("limits", "or name is required"));
    }
    Ok(change)
}
