//! [`SumFlow`] and [`KeepBaseline`]: payments and receipts at a marketplace according to the ledger, and the baseline from
//! which the ledger calculates its balance. No operations of the interface.

use tradepost_domain::contracts::ledger::flow::Flow;
use tradepost_domain::id::{ProviderId, WorkspaceId};
use tradepost_domain::markets::provider::{Baseline, ProviderHealth};
use tradepost_domain::text::Marketplace;
use tradepost_domain::time::Timestamp;
use tradepost_ports::changes::{Caller, Changes};
use tradepost_ports::store::FlowQuery;

use crate::rules::{READ_TRADING, WRITE_MARKETS};
use crate::{OpError, OpResult, Operations};

/// A request for the sums paid and received at a marketplace.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SumFlow {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The marketplace.
    pub marketplace: Marketplace,
    /// The time from which entries are summed.
    pub since: Timestamp,
    /// The time from which entries are late, and are summed separately as well.
    pub late: Timestamp,
}

/// The baseline from which a balance is calculated, to be recorded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct KeepBaseline {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The marketplace.
    pub provider_id: ProviderId,
    /// The baseline.
    pub baseline: Baseline,
}

impl Operations {
    /// Returns the sums paid and received at a marketplace by the ledger's entries, and the late part, both of one moment.
    ///
    /// # Errors
    /// `permission_denied`.
    pub async fn sum_flow(&self, caller: &Caller, ask: SumFlow) -> OpResult<(Flow, Flow)> {
        let scope = caller.principal.enter(ask.workspace_id, READ_TRADING)?;
        let query = FlowQuery { marketplace: &ask.marketplace, since: ask.since, late: ask.late };
        Ok(self.ports.store.ledger().sum_flow(scope, query).await?)
    }

    /// Records the baseline from which the ledger calculates the balance at a marketplace; returns whether it did. It records
    /// none for a provider without a health record.
    ///
    /// # Errors
    /// `permission_denied`.
    pub async fn keep_baseline(&self, caller: &Caller, command: KeepBaseline) -> OpResult<bool> {
        let scope = caller.principal.enter(command.workspace_id, WRITE_MARKETS)?;
        self.retrying(|| async {
            let known = self.ports.store.providers().find_healths(scope, &[command.provider_id]).await?.pop();
            let Some(known) = known else { return Ok(false) };
            let mut changes = Changes::by(caller);
            let baseline = Some(command.baseline);
            changes.revise(known, |known| Ok::<_, OpError>(ProviderHealth { baseline, ..known }))?;
            self.commit(caller, changes).await?;
            Ok(true)
        })
        .await
    }
}
