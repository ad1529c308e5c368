//! [`DeletePriceOverride`]: takes the value away that a person gave to a variant.

use tradepost_domain::accounts::audit::AuditKind;
use tradepost_domain::id::{PriceOverrideId, WorkspaceId};
use tradepost_ports::changes::{Caller, Changes};

use crate::results::require_version;
use crate::rules;
use crate::{OpError, OpResult, Operations, fields};

/// The value to delete.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DeletePriceOverride {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The value.
    pub price_override_id: PriceOverrideId,
    /// The version that the caller saw, from 1; rejected when it has another one.
    pub expected_version: Option<i64>,
}

impl Operations {
    /// Takes a value away; the sources count again.
    ///
    /// # Errors
    /// `permission_denied`, `invalid_argument` for a version below 1, `not_found`, `failed_precondition` with
    /// `VERSION_MISMATCH`.
    pub async fn delete_price_override(&self, caller: &Caller, command: DeletePriceOverride) -> OpResult<()> {
        let scope = rules::DELETE_PRICE_OVERRIDE.enter(&caller.principal, command.workspace_id)?;
        fields::expected_version(command.expected_version)?;
        self.retrying(|| async {
            let found = self.ports.store.prices().find_override(scope, command.price_override_id).await?;
            let seen = found.ok_or_else(|| OpError::not_found("price override"))?;
            require_version(&seen, command.expected_version)?;
            let mut changes = Changes::by(caller);
            let deleted = changes.remove(seen);
            changes.audit(AuditKind::PriceOverrideDeleted, &deleted);
            self.commit(caller, changes).await?;
            Ok(())
        })
        .await
    }
}
