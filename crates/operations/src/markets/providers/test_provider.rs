//! [`TestProvider`]: asks a provider now whether it works.

use crate::markets::providers::providers::provider_as_seen;
use tradepost_domain::accounts::audit::AuditKind;
use tradepost_domain::id::{ProviderId, WorkspaceId};
use tradepost_domain::markets::provider::ProviderCheck;
use tradepost_ports::changes::{Caller, Changes};

use crate::rules;
use crate::{OpResult, Operations};

/// A request to test a provider.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TestProvider {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The provider.
    pub provider_id: ProviderId,
}

impl Operations {
    /// Checks whether a provider works, through a probe that this server offers; returns every check, passed or
    /// not. It changes nothing there, and also checks a disabled provider.
    ///
    /// # Errors
    /// `permission_denied`, `not_found`, `failed_precondition` with `PROVIDER_NOT_CONNECTED` when nothing on this server works with
    /// it.
    pub async fn test_provider(&self, caller: &Caller, command: TestProvider) -> OpResult<Vec<ProviderCheck>> {
        let scope = rules::TEST_PROVIDER.enter(&caller.principal, command.workspace_id)?;
        let (provider, _) = provider_as_seen(self, scope, command.provider_id, None).await?.into_display();
        let checks = self.probe(&provider).await?;
        let mut changes = Changes::by(caller);
        changes.audit(AuditKind::ProviderTested, &provider);
        self.commit(caller, changes).await?;
        Ok(checks)
    }
}
