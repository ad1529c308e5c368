//! [`EnableProvider`] and [`DisableProvider`]: whether anything new is begun at a provider.

use crate::markets::providers::providers::log_provider;
use crate::markets::providers::providers::provider_as_seen;
use crate::markets::providers::providers::shown_one;
use tradepost_domain::accounts::audit::{About, AuditKind, Fact};
use tradepost_domain::id::{ProviderId, WorkspaceId};
use tradepost_domain::text::Description;
use tradepost_ports::changes::{Caller, Changes};

use super::providers::ShownProvider;
use crate::commit::By;
use crate::in_workspace::InWorkspace;
use crate::rules;
use crate::{OpResult, Operations, fields};

/// Takes a provider out of work.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DisableProvider {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The provider.
    pub provider_id: ProviderId,
    /// Why, in 1 to 512 characters; kept with the provider and in the log of status changes.
    pub reason: Option<String>,
    /// The version that the caller saw, from 1; rejected when the provider has another one.
    pub expected_version: Option<i64>,
}

/// Lets a provider be worked with again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EnableProvider {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The provider.
    pub provider_id: ProviderId,
    /// The version that the caller saw, from 1; rejected when the provider has another one.
    pub expected_version: Option<i64>,
}

/// A decision on a provider.
struct Decision {
    is_enabled: bool,
    reason: Option<Description>,
    kind: AuditKind,
}

impl Operations {
    /// Disables a provider: after the response the engine neither buys nor lists anything there. It completes open trades.
    ///
    /// # Errors
    /// `permission_denied`, `invalid_argument` for a bad reason or an expected version below 1, `not_found`,
    /// `failed_precondition`: `VERSION_MISMATCH`, `ILLEGAL_STEP` when it is disabled.
    pub async fn disable_provider(&self, caller: &Caller, command: DisableProvider) -> OpResult<ShownProvider> {
        let scope = rules::DISABLE_PROVIDER.enter(&caller.principal, command.workspace_id)?;
        let reason = fields::optional(command.reason.as_deref(), fields::text, "reason")?;
        let decision = Decision { is_enabled: false, reason, kind: AuditKind::ProviderDisabled };
        let provider = InWorkspace { scope, id: command.provider_id };
        self.decide_on_provider(caller, provider, command.expected_version, decision).await
    }

    /// Lets a provider be worked with again.
    ///
    /// # Errors
    /// `permission_denied`, `invalid_argument` for an expected version below 1, `not_found`, `failed_precondition`:
    /// `VERSION_MISMATCH`, `ILLEGAL_STEP` unless it is disabled.
    pub async fn enable_provider(&self, caller: &Caller, command: EnableProvider) -> OpResult<ShownProvider> {
        let scope = rules::ENABLE_PROVIDER.enter(&caller.principal, command.workspace_id)?;
        let decision = Decision { is_enabled: true, reason: None, kind: AuditKind::ProviderEnabled };
        let provider = InWorkspace { scope, id: command.provider_id };
        self.decide_on_provider(caller, provider, command.expected_version, decision).await
    }

    async fn decide_on_provider(
        &self,
        caller: &Caller,
        provider: InWorkspace<ProviderId>,
        expected_version: Option<i64>,
        decision: Decision,
    ) -> OpResult<ShownProvider> {
        fields::expected_version(expected_version)?;
        let InWorkspace { scope, id } = provider;
        let (at, reason) = (self.market_now(scope.workspace_id()), &decision.reason);
        let decided = self
            .retrying(|| async {
                let seen = provider_as_seen(self, scope, id, expected_version).await?;
                let from = seen.peek().status;
                let mut changes = Changes::by(caller);
                let moved = changes.revise(seen, |provider| {
                    if decision.is_enabled { provider.enable(at) } else { provider.disable(reason.clone(), at) }
                })?;
                log_provider(self, &mut changes, By { caller, at }, Some(from), &moved);
                let about = About::from(&moved.value);
                changes
                    .audit(decision.kind, reason.iter().fold(about, |about, reason| about.with(Fact::Reason, reason)));
                self.commit(caller, changes).await?;
                Ok(moved)
            })
            .await?;
        shown_one(self, scope, decided.into()).await
    }
}
