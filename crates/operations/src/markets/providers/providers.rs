//! Providers as they are seen before a change and shown, the rows of their steps in the log, and what a disabled one stops.

use std::collections::HashMap;

use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::id::ProviderId;
use tradepost_domain::markets::provider::{
    Baseline, Driver, Provider, ProviderDisabled, ProviderError, ProviderKind, ProviderReport, ProviderStatus,
};
use tradepost_domain::text::Marketplace;
use tradepost_domain::transition::{Subject, Transition};
use tradepost_ports::changes::{AppendedRow, Changes, Revised, Seen};

use crate::commit::{By, Step};
use crate::results::require_version;
use crate::{Code, OpError, OpResult, Operations, Reason, Versioned};

/// A provider as it is shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShownProvider {
    /// The record that operators maintain.
    pub provider: Versioned<Provider>,
    /// The last report about it; `None` before the first one.
    pub report: Option<ProviderReport>,
    /// The baseline from which its balance is calculated; `None` until that is known.
    pub baseline: Option<Baseline>,
    /// Its driver; `None` where this process has none of that name.
    pub driver: Option<Driver>,
}

/// Returns a provider for a caller that reads or changes it, at the version that the caller saw, if it names one.
pub(crate) async fn provider_as_seen(
    operations: &Operations,
    scope: WorkspaceScope,
    id: ProviderId,
    expected_version: Option<i64>,
) -> OpResult<Seen<Provider>> {
    let found = operations.ports.store.providers().find(scope, id).await?;
    let provider = found.ok_or_else(no_provider)?;
    require_version(&provider, expected_version)?;
    Ok(provider)
}

/// Returns the provider of a kind with this name.
pub(crate) async fn provider_named(
    operations: &Operations,
    scope: WorkspaceScope,
    kind: ProviderKind,
    name: &Marketplace,
) -> OpResult<Seen<Provider>> {
    operations.ports.store.providers().find_named(scope, kind, name).await?.ok_or_else(no_provider)
}

/// Returns providers with their reports.
pub(crate) async fn shown(
    operations: &Operations,
    scope: WorkspaceScope,
    providers: Vec<Versioned<Provider>>,
) -> OpResult<Vec<ShownProvider>> {
    if providers.is_empty() {
        return Ok(Vec::new());
    }
    let ids: Vec<ProviderId> = providers.iter().map(|provider| provider.value.id).collect();
    let seen = operations.ports.store.providers().find_healths(scope, &ids).await?;
    let seen = seen.into_iter().map(|seen| seen.into_display().0);
    let mut seen: HashMap<_, _> = seen.map(|health| (health.provider_id, health)).collect();
    let shown = providers.into_iter().map(|provider| {
        let (driver, health) = (operations.driver(&provider.value.driver), seen.remove(&provider.value.id));
        let baseline = health.as_ref().and_then(|health| health.baseline);
        ShownProvider { provider, report: health.map(|health| health.report), baseline, driver }
    });
    Ok(shown.collect())
}

/// Returns one provider with its report.
pub(crate) async fn shown_one(
    operations: &Operations,
    scope: WorkspaceScope,
    provider: Versioned<Provider>,
) -> OpResult<ShownProvider> {
    shown(operations, scope, vec![provider]).await?.pop().ok_or_else(no_provider)
}

/// Adds a step's row to the log of status changes.
pub(crate) fn log_provider(
    operations: &Operations,
    changes: &mut Changes,
    by: By<'_>,
    from: Option<ProviderStatus>,
    after: &Revised<Provider>,
) {
    let provider = &after.value;
    let step = Step {
        subject: Subject::Provider(provider.id),
        from: from.map(ProviderStatus::as_str),
        to: provider.status.as_str(),
        version: after.version,
        trigger: trigger(from, provider.status),
    };
    let logged = operations.transition(by.caller, provider.workspace_id, step, by.at);
    changes.append(AppendedRow::Transition(Transition { reason: provider.status_reason.clone(), ..logged }));
}

/// Checks that something may be begun at a marketplace, and makes the changes depend on that: once a provider is disabled they
/// are rejected. Returns its provider; `None` for one without a record, which is worked with as it was set up.
pub(crate) async fn rely_on_marketplace(
    operations: &Operations,
    changes: &mut Changes,
    scope: WorkspaceScope,
    name: &Marketplace,
) -> OpResult<Option<Provider>> {
    let found = operations.ports.store.providers().find_named(scope, ProviderKind::Marketplace, name).await?;
    let Some(provider) = found else { return Ok(None) };
    let provider = changes.rely_on(provider);
    provider.check_enabled()?;
    Ok(Some(provider))
}

/// Checks that things are bought and sold at a provider, as far as this server knows its driver.
pub(crate) fn check_trades(operations: &Operations, provider: &Provider) -> OpResult<()> {
    match operations.driver(&provider.driver) {
        Some(driver) if driver.only_reads(provider.kind) => {
            let message = format!("{} is only read: its driver {} neither buys nor sells", provider.name, driver.name);
            Err(OpError::failed_precondition(Reason::MarketplaceReadOnly, message))
        }
        Some(_) | None => Ok(()),
    }
}

/// Checks that something may be begun at one of these marketplaces at least, and makes the changes depend on that. An
/// empty list means all of them.
pub(crate) async fn rely_on_a_marketplace(
    operations: &Operations,
    changes: &mut Changes,
    scope: WorkspaceScope,
    names: &[Marketplace],
) -> OpResult<()> {
    let mut refused = Ok(());
    for name in names {
        refused = rely_on_marketplace(operations, changes, scope, name).await.map(drop);
        match &refused {
            Err(refusal) if refusal.code == Code::FailedPrecondition => {}
            Ok(()) | Err(_) => break,
        }
    }
    refused
}

/// Checks that each of these marketplaces is on record, so that nothing waits for ever for one whose name is mistyped.
pub(crate) async fn check_on_record(
    operations: &Operations,
    scope: WorkspaceScope,
    names: &[Marketplace],
) -> OpResult<()> {
    for name in names {
        if operations.ports.store.providers().find_named(scope, ProviderKind::Marketplace, name).await?.is_none() {
            let message = format!(
                "no marketplace named {name} is on record in this workspace: add it with CreateProvider (`tradepost providers create`), \
                 or correct the contract's marketplaces"
            );
            return Err(OpError::failed_precondition(Reason::MarketplaceNotOnRecord, message));
        }
    }
    Ok(())
}

/// Checks that the fees of one of these marketplaces can be known. It fails when every enabled one was looked at and none has
/// reported its fees. Of one that no engine has looked at nothing is known.
pub(crate) async fn check_fees(operations: &Operations, scope: WorkspaceScope, names: &[Marketplace]) -> OpResult<()> {
    let mut enabled = Vec::new();
    for name in names {
        match operations.ports.store.providers().find_named(scope, ProviderKind::Marketplace, name).await? {
            Some(provider) if provider.peek().check_enabled().is_ok() => enabled.push(provider.peek().id),
            Some(_) => {}
            None => return Ok(()),
        }
    }
    if enabled.is_empty() {
        return Ok(());
    }
    let healths = operations.ports.store.providers().find_healths(scope, &enabled).await?;
    let silent = healths.iter().filter(|health| health.peek().report.fees.is_none()).count();
    if silent < enabled.len() {
        return Ok(());
    }
    let message =
        "none of the contract's marketplaces has reported its fees yet: an engine that trades there requests them";
    Err(OpError::failed_precondition(Reason::FeesUnknown, message))
}

/// Returns the trigger of a provider's step, from no status for a new one.
const fn trigger(from: Option<ProviderStatus>, to: ProviderStatus) -> &'static str {
    match (from, to) {
        (None, _) => "created",
        (Some(_), ProviderStatus::Enabled) => "enabled",
        (Some(_), ProviderStatus::Disabled) => "disabled",
    }
}

fn no_provider() -> OpError {
    OpError::not_found("provider")
}

impl From<ProviderError> for OpError {
    fn from(error: ProviderError) -> Self {
        let reason = match &error {
            ProviderError::IllegalStep { .. } => Reason::IllegalStep,
            ProviderError::InUse(_) => Reason::ProviderInUse,
        };
        Self::failed_precondition(reason, error.to_string())
    }
}

impl From<ProviderDisabled> for OpError {
    fn from(error: ProviderDisabled) -> Self {
        Self::failed_precondition(Reason::ProviderDisabled, error.to_string())
    }
}
