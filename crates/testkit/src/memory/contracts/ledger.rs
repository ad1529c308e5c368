//! Reads of the ledger.

use async_trait::async_trait;
use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::contracts::ledger::LedgerEntry;
use tradepost_domain::contracts::ledger::flow::Flow;
use tradepost_domain::id::{LedgerEntryId, OfLedgerEntry, PurchaseId};
use tradepost_domain::money::SignedCents;
use tradepost_domain::time::Timestamp;
use tradepost_ports::store::{FlowQuery, Ledger, LedgerFilter, Page, PageRequest, StoreResult};

use crate::memory::MemoryStore;

#[async_trait]
impl Ledger for MemoryStore {
    async fn find_many(&self, scope: WorkspaceScope, ids: &[LedgerEntryId]) -> StoreResult<Vec<LedgerEntry>> {
        let state = self.state();
        Ok(state.entries(scope.workspace_id()).filter(|entry| ids.contains(&entry.id)).cloned().collect())
    }
    async fn list(
        &self,
        scope: WorkspaceScope,
        filter: LedgerFilter,
        page: PageRequest<OfLedgerEntry>,
    ) -> StoreResult<Page<OfLedgerEntry>> {
        let state = self.state();
        let wanted = state.entries(scope.workspace_id()).filter(|entry| is_wanted(entry, &filter));
        let mut ids: Vec<LedgerEntryId> = wanted.map(|entry| entry.id).collect();
        ids.retain(|id| page.before.is_none_or(|before| *id < before));
        ids.reverse();
        Ok(Page::of(ids, page.limit))
    }
    async fn list_of_purchase(&self, scope: WorkspaceScope, purchase: PurchaseId) -> StoreResult<Vec<LedgerEntry>> {
        let state = self.state();
        let of_it = |entry: &&LedgerEntry| entry.trade.as_ref().is_some_and(|trade| trade.purchase_id == purchase);
        Ok(state.entries(scope.workspace_id()).filter(of_it).cloned().collect())
    }
    async fn sum_flow(&self, scope: WorkspaceScope, query: FlowQuery<'_>) -> StoreResult<(Flow, Flow)> {
        let FlowQuery { marketplace, since, late } = query;
        let state = self.state();
        let from = |at: Timestamp| {
            let entries = state.entries(scope.workspace_id()).filter(|entry| entry.at >= at);
            entries.map(|entry| Flow::of(entry, marketplace)).fold(Flow::default(), Flow::plus)
        };
        Ok((from(since), from(late.max(since))))
    }
}

fn is_wanted(entry: &LedgerEntry, filter: &LedgerFilter) -> bool {
    let millis = |at: Timestamp| at.as_micros().div_euclid(1_000);
    let contract_id = entry.trade.as_ref().and_then(|trade| trade.contract_id);
    filter.account.is_none_or(|account| entry.amounts.of(account) != SignedCents::ZERO)
        && filter.pool_id.is_none_or(|pool| entry.pool_id == Some(pool))
        && filter.contract_id.is_none_or(|contract| contract_id == Some(contract))
        && filter.from.is_none_or(|from| millis(from) <= millis(entry.at))
        && filter.to.is_none_or(|to| millis(entry.at) < millis(to))
}
