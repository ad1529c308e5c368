//! [`RecordProviderHealth`]: a report about the external system of a provider. Not an operation of the interface.

use tradepost_domain::id::WorkspaceId;
use tradepost_domain::markets::provider::{MOST_FEE_OVERRIDES, ProviderHealth, ProviderKind, ProviderReport};
use tradepost_domain::text::Marketplace;
use tradepost_ports::changes::{Caller, Changes};
use tradepost_ports::store::{StoreError, Unique};

use crate::rules::WRITE_MARKETS;
use crate::{OpError, OpResult, Operations};

/// A report of a provider's health.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecordProviderHealth {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The provider's kind.
    pub kind: ProviderKind,
    /// Its name.
    pub name: Marketplace,
    /// The report.
    pub report: ProviderReport,
}

impl Operations {
    /// Records a provider's health where the report is worth writing down; returns whether it did. It records nothing for an
    /// unknown provider.
    ///
    /// # Errors
    /// `permission_denied`.
    pub async fn record_provider_health(&self, caller: &Caller, mut command: RecordProviderHealth) -> OpResult<bool> {
        let scope = caller.principal.enter(command.workspace_id, WRITE_MARKETS)?;
        if let Some(fees) = &mut command.report.fees {
            fees.overrides.truncate(MOST_FEE_OVERRIDES);
        }
        self.retrying(|| async {
            let found = self.ports.store.providers().find_named(scope, command.kind, &command.name).await?;
            let Some(provider) = found else { return Ok(false) };
            let mut changes = Changes::by(caller);
            // The commit relies on the provider, so that nothing is stored of one that is deleted in the meantime.
            let provider = changes.rely_on(provider);
            let (provider_id, report) = (provider.id, command.report.clone());
            let known = self.ports.store.providers().find_healths(scope, &[provider_id]).await?.pop();
            match known {
                Some(known) if !known.peek().report.is_outdated_by(&report) => return Ok(false),
                Some(known) => {
                    changes.revise(known, |known| {
                        Ok::<_, OpError>(ProviderHealth { report: known.report.followed_by(report.clone()), ..known })
                    })?;
                }
                None => {
                    let (workspace_id, baseline) = (command.workspace_id, None);
                    changes.insert(ProviderHealth { provider_id, workspace_id, report, baseline });
                }
            }
            match self.commit(caller, changes).await {
                // Another caller recorded the first report in the meantime.
                Err(OpError { source: Some(StoreError::Duplicate(Unique::Address)), .. }) => {
                    Err(StoreError::Conflict.into())
                }
                done => done.map(|_| true),
            }
        })
        .await
    }
}
