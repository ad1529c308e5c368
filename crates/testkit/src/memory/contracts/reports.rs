//! Reads of the sums of the ledger, calculated from the entries themselves.

use std::collections::BTreeMap;

use async_trait::async_trait;
use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::contracts::contract::Contract;
use tradepost_domain::contracts::inventory_item::InventoryItem;
use tradepost_domain::contracts::ledger::report::{
    Attribution, Figures, GroupKey, Grouping, ReportFilter, Span, day_of,
};
use tradepost_domain::contracts::ledger::{LedgerEntry, Posting};
use tradepost_domain::contracts::pool::Pool;
use tradepost_domain::contracts::purchase::Purchase;
use tradepost_domain::id::{ContractId, WorkspaceId};
use tradepost_domain::markets::variant::Variant;
use tradepost_domain::money::Cents;
use tradepost_ports::changes::Seen;
use tradepost_ports::store::{Position, ReportQuery, Reports, StoreResult};

use crate::memory::MemoryStore;
use crate::memory::state::State;

#[async_trait]
impl Reports for MemoryStore {
    async fn sum_figures(
        &self,
        scope: WorkspaceScope,
        query: ReportQuery<'_>,
        most: u32,
    ) -> StoreResult<Vec<(GroupKey, Figures)>> {
        let mut sums: BTreeMap<GroupKey, Figures> = BTreeMap::new();
        let state = self.state();
        for (of, day, figures) in state.figures(scope.workspace_id(), query) {
            if day < query.to_day {
                let pending = Figures { pending: figures.pending, ..Figures::default() };
                let counted = if day < query.from_day { pending } else { figures };
                let sum = sums.entry(of.key(query.grouping)).or_default();
                *sum = sum.plus(counted);
            }
        }
        sums.retain(|_, sum| *sum != Figures::default());
        Ok(sums.into_iter().take(most as usize).collect())
    }
    async fn sum_earned(&self, scope: WorkspaceScope, contract: ContractId, day: i64) -> StoreResult<i64> {
        let (state, workspace) = (self.state(), scope.workspace_id());
        let is_of_day = |entry: &&LedgerEntry| {
            let buyer = entry.trade.as_ref().and_then(|trade| trade.contract_id);
            buyer == Some(contract) && day_of(entry.at) == day && !state.is_sale_elsewhere(workspace, entry)
        };
        let of_day = state.entries(workspace).filter(is_of_day).map(Figures::of);
        Ok(of_day.fold(Figures::default(), Figures::plus).earned())
    }
    async fn list_changes(
        &self,
        scope: WorkspaceScope,
        query: ReportQuery<'_>,
        span: Span,
    ) -> StoreResult<(i64, Vec<(i64, Figures)>)> {
        let (mut pending, mut changes) = (0_i64, Vec::new());
        let state = self.state();
        for (_, day, figures) in state.figures(scope.workspace_id(), query) {
            if day < query.from_day {
                pending = pending.saturating_add(figures.pending);
            } else if day < query.to_day {
                changes.push((day, figures));
            }
        }
        Ok((pending, query.by_span(span, changes)))
    }
    async fn sum_positions(
        &self,
        scope: WorkspaceScope,
        grouping: Grouping,
        filter: &ReportFilter,
    ) -> StoreResult<Vec<Position>> {
        let (state, workspace) = (self.state(), scope.workspace_id());
        let mut sums: BTreeMap<(GroupKey, Variant), (i64, i64, i64)> = BTreeMap::new();
        for item in state.several(workspace, |item: &InventoryItem| item.status.is_open()) {
            let item = item.peek();
            let Some((of, cost)) = state.attribution(workspace, item) else { continue };
            if filter.takes(&of) {
                let variant = Variant {
                    app_id: item.app_id,
                    market_hash_name: item.market_hash_name.clone(),
                    phase: item.traits.phase.clone(),
                };
                let (items, uncosted, sum) = sums.entry((of.key(grouping), variant)).or_default();
                *items += 1;
                *uncosted += i64::from(cost.is_none());
                *sum = sum.saturating_add(cost.unwrap_or_default());
            }
        }
        let position = |((key, variant), (items, uncosted, cost))| Position { key, variant, items, uncosted, cost };
        Ok(sums.into_iter().map(position).collect())
    }
}

impl State {
    /// Returns the attribution of each entry, its day, and its figures.
    fn figures<'a>(
        &'a self,
        workspace: WorkspaceId,
        query: ReportQuery<'a>,
    ) -> impl Iterator<Item = (Attribution, i64, Figures)> + 'a {
        let attributed = self.entries(workspace).filter_map(|entry| Some((Attribution::of(entry)?, entry)));
        let taken = attributed.filter(move |(of, _)| query.filter.takes(of));
        taken.map(move |(of, entry)| (of, query.day_of(entry.at), Figures::of(entry)))
    }

    /// Returns whether an entry settles a sale that was made elsewhere.
    fn is_sale_elsewhere(&self, workspace: WorkspaceId, entry: &LedgerEntry) -> bool {
        let item_id = entry.trade.as_ref().and_then(|trade| trade.inventory_item_id);
        let item: Option<Seen<InventoryItem>> =
            item_id.and_then(|item_id| self.find(workspace.to_bytes(), item_id.to_bytes()));
        entry.posting == Posting::SaleSettled && item.is_some_and(|item| item.peek().is_sold_elsewhere())
    }

    /// Returns the attribution of an item, and its cost, if that is known.
    fn attribution(&self, workspace: WorkspaceId, item: &InventoryItem) -> Option<(Attribution, Option<i64>)> {
        let home = workspace.to_bytes();
        let purchase: Seen<Purchase> = self.find(home, item.purchase_id.to_bytes())?;
        let contract: Option<Seen<Contract>> = item.contract_id.and_then(|id| self.find(home, id.to_bytes()));
        let named = contract.and_then(|contract| contract.peek().pool_id);
        let pool: Option<Seen<Pool>> = named.and_then(|id| self.find(home, id.to_bytes()));
        let place = item.sale_place.as_ref();
        let of = Attribution {
            contract_id: item.contract_id,
            selling_contract_id: place.and_then(|place| place.contract_id),
            pool_id: pool.map(|pool| pool.peek().id),
            account_name: item.account_name.clone(),
            buy_marketplace: purchase.peek().terms.marketplace.clone(),
            sell_marketplace: place.map(|place| place.marketplace.clone()),
            market_hash_name: item.market_hash_name.clone(),
        };
        Some((of, purchase.peek().known_cost().map(Cents::get)))
    }
}
