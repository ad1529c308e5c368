//! [`DeleteProvider`]: deletes a provider permanently.

use crate::markets::providers::provider_fields::drop_provider_credentials;
use crate::markets::providers::providers::provider_as_seen;
use tradepost_domain::accounts::audit::AuditKind;
use tradepost_domain::id::{ProviderId, WorkspaceId};
use tradepost_ports::changes::{Caller, Changes};

use crate::rules;
use crate::{OpResult, Operations, fields};

/// Deletes a provider.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DeleteProvider {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The provider.
    pub provider_id: ProviderId,
    /// The version that the caller saw, from 1; rejected when the provider has another one.
    pub expected_version: Option<i64>,
}

impl Operations {
    /// Deletes a provider that nothing names, its credentials, and its reports. Its name is free again.
    ///
    /// # Errors
    /// `permission_denied`, `invalid_argument` for an expected version below 1, `not_found`, `failed_precondition`:
    /// `VERSION_MISMATCH`, `PROVIDER_IN_USE` while a contract that has not ended names it, a purchase there is open, an item is on
    /// sale there or sold and not settled, or a trading account is there.
    pub async fn delete_provider(&self, caller: &Caller, command: DeleteProvider) -> OpResult<()> {
        let scope = rules::DELETE_PROVIDER.enter(&caller.principal, command.workspace_id)?;
        fields::expected_version(command.expected_version)?;
        // In turn with commands that record purchases: a later one finds no provider.
        self.in_turn(command.workspace_id, || async {
            let seen = provider_as_seen(self, scope, command.provider_id, command.expected_version).await?;
            let (kind, name) = (seen.peek().kind, seen.peek().name.clone());
            seen.peek().check_unused(self.ports.store.providers().count_uses(scope, kind, &name).await?)?;
            let mut changes = Changes::by(caller);
            for health in self.ports.store.providers().find_healths(scope, &[command.provider_id]).await? {
                changes.remove(health);
            }
            drop_provider_credentials(self, scope, command.provider_id, &mut changes).await?;
            let deleted = changes.remove(seen);
            changes.audit(AuditKind::ProviderDeleted, &deleted);
            self.commit(caller, changes).await?;
            Ok(())
        })
        .await
    }
}
