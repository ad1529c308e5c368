//! [`UpdateProvider`]: changes settings or credentials of a provider.

use crate::markets::providers::provider_fields::keep_provider_credentials;
use crate::markets::providers::providers::provider_as_seen;
use crate::markets::providers::providers::shown_one;
use tradepost_domain::accounts::audit::AuditKind;
use tradepost_domain::id::{ProviderId, WorkspaceId};
use tradepost_domain::markets::provider::{Driver, ProviderChange};
use tradepost_ports::changes::{Caller, Changes};

use super::provider_fields::{ProviderCredentials, settings};
use super::providers::ShownProvider;
use crate::rules;
use crate::secrets::data_keys::lost_race;
use crate::{OpError, OpResult, Operations, fields};

/// The changes to one provider; absent fields stay unchanged.
#[derive(Debug, Clone)]
pub struct UpdateProvider {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The provider.
    pub provider_id: ProviderId,
    /// The settings from now on, all of them.
    pub settings: Option<Vec<(String, String)>>,
    /// The credentials from now on, all of them; nothing leaves them.
    pub credentials: ProviderCredentials,
    /// The version that the caller saw, from 1; rejected when the provider has another one.
    pub expected_version: Option<i64>,
}

impl UpdateProvider {
    fn change(&self, driver: &Driver) -> OpResult<ProviderChange> {
        let changed = self.settings.as_ref().map(|given| settings(&driver.settings, given)).transpose()?;
        if !self.credentials.is_empty() {
            self.credentials.check(&driver.credentials)?;
        }
        Ok(ProviderChange { settings: changed, credentials: !self.credentials.is_empty() })
    }
}

impl Operations {
    /// Changes a provider. Its kind, driver, name and currency stay.
    ///
    /// # Errors
    /// `permission_denied`; `invalid_argument` for bad fields, and when nothing is to change; `not_found`;
    /// `failed_precondition`: `VERSION_MISMATCH`, `UNKNOWN_DRIVER`, `STEP_UP_REQUIRED` and `RISKS_NOT_ACKNOWLEDGED` for other credentials, and for other settings
    /// of a provider that has credentials, `PROVIDER_IN_USE` for settings that name another account while anything is open at the former one;
    /// `internal` with `KEY_ENCRYPTION_UNAVAILABLE`.
    pub async fn update_provider(&self, caller: &Caller, command: UpdateProvider) -> OpResult<ShownProvider> {
        let scope = rules::UPDATE_PROVIDER.enter(&caller.principal, command.workspace_id)?;
        fields::expected_version(command.expected_version)?;
        if command.settings.is_none() && command.credentials.is_empty() {
            return Err(OpError::invalid_field("settings", "or credentials are required"));
        }
        let at = self.market_now(command.workspace_id);
        // In turn with commands that record purchases: none begins between the look for open ones and the change.
        let changed = self
            .in_turn(command.workspace_id, || async {
                let seen = provider_as_seen(self, scope, command.provider_id, command.expected_version).await?;
                let driver = self.offered_driver(&seen.peek().driver)?;
                let change = command.change(&driver)?;
                if change.settings.as_ref().is_some_and(|after| driver.names_another(&seen.peek().settings, after)) {
                    let (kind, name) = (seen.peek().kind, seen.peek().name.clone());
                    seen.peek().check_unused(self.ports.store.providers().count_uses(scope, kind, &name).await?)?;
                }
                let has_credentials = seen.peek().has_credentials;
                let mut changes = Changes::by(caller);
                // Settings may name where the driver sends credentials that the caller never saw.
                if change.credentials || (change.settings.is_some() && has_credentials) {
                    self.require_step_up_in(caller, scope, rules::UPDATE_PROVIDER, &mut changes).await?;
                }
                if change.credentials {
                    let kept = (command.provider_id, &command.credentials);
                    keep_provider_credentials(self, scope, kept.0, kept.1, &mut changes).await?;
                }
                let next = changes.revise(seen, |provider| Ok::<_, OpError>(provider.change(change.clone(), at)))?;
                changes.audit(AuditKind::ProviderUpdated, &next.value);
                self.commit(caller, changes).await.map_err(lost_race)?;
                Ok(next)
            })
            .await?;
        shown_one(self, scope, changed.into()).await
    }
}
