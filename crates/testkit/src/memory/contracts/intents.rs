//! Reads of intents.

use std::collections::{BTreeMap, BTreeSet};

use async_trait::async_trait;
use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::contracts::contract::{ApprovalMode, Contract, ContractStatus};
use tradepost_domain::contracts::intent::{FollowUp, Intent, IntentKind, IntentStatus, Moment, Target};
use tradepost_domain::id::{ContractId, IntentId, InventoryItemId, OfIntent};
use tradepost_domain::money::Cents;
use tradepost_domain::text::Marketplace;
use tradepost_domain::time::Timestamp;
use tradepost_ports::changes::Seen;
use tradepost_ports::store::{
    IntentFilter, Intents, Page, PageRequest, ProposalQuery, Proposals, ProposedListings, ProposedPurchases,
    StoreResult, Worlds, WouldBuyFilter, WouldBuySum,
};

use crate::memory::MemoryStore;

fn most_of(mut found: Vec<Seen<Intent>>, most: u32) -> Vec<Seen<Intent>> {
    found.truncate(most as usize);
    found
}

fn counts(intent: &Intent, contract: ContractId, which: Proposals) -> bool {
    let counts = match which {
        Proposals::Waiting => intent.status.is_waiting(),
        Proposals::Dry => intent.terms.approval_mode == ApprovalMode::DryRun,
    };
    counts && intent.terms.contract_id == Some(contract)
}

/// Whether it shows what a contract would buy at a marketplace that is only read.
fn would_buy_of(intent: &Intent, contract: Option<ContractId>) -> bool {
    intent.follow_up.is_some() && contract.is_none_or(|contract| intent.terms.contract_id == Some(contract))
}

#[async_trait]
impl Intents for MemoryStore {
    async fn find(&self, scope: WorkspaceScope, id: IntentId) -> StoreResult<Option<Seen<Intent>>> {
        Ok(self.state().find(scope.workspace_id().to_bytes(), id.to_bytes()))
    }
    async fn find_many(&self, scope: WorkspaceScope, ids: &[IntentId]) -> StoreResult<Vec<Seen<Intent>>> {
        Ok(self.state().several(scope.workspace_id(), |intent: &Intent| ids.contains(&intent.terms.id)))
    }
    async fn list(
        &self,
        scope: WorkspaceScope,
        filter: IntentFilter,
        page: PageRequest<OfIntent>,
    ) -> StoreResult<Page<OfIntent>> {
        Ok(self.state().page(scope.workspace_id(), &page, |intent: &Intent| {
            filter.contract_id.is_none_or(|wanted| intent.terms.contract_id == Some(wanted))
                && filter.kind.is_none_or(|wanted| intent.terms.kind == wanted)
                && filter.status.is_none_or(|wanted| intent.status == wanted)
        }))
    }
    async fn list_in(
        &self,
        scope: WorkspaceScope,
        status: IntentStatus,
        after: Option<IntentId>,
        most: u32,
    ) -> StoreResult<Vec<Seen<Intent>>> {
        let is_wanted = |intent: &Intent| intent.status == status && after.is_none_or(|after| after < intent.terms.id);
        Ok(most_of(self.state().several(scope.workspace_id(), is_wanted), most))
    }
    async fn list_waiting_of(
        &self,
        scope: WorkspaceScope,
        contract: ContractId,
        most: u32,
    ) -> StoreResult<Vec<Seen<Intent>>> {
        let is_wanted = |intent: &Intent| intent.status.is_waiting() && intent.terms.contract_id == Some(contract);
        Ok(most_of(self.state().several(scope.workspace_id(), is_wanted), most))
    }
    async fn list_overdue(&self, worlds: Worlds, at: Moment, most: u32) -> StoreResult<Vec<Seen<Intent>>> {
        let state = self.state();
        let is_over = |intent: &Intent| {
            intent.status.is_waiting() && intent.is_over(at) && state.is_in(worlds, intent.terms.workspace_id)
        };
        let mut found = state.all(is_over);
        found.sort_by_key(|seen| seen.peek().expires_at);
        Ok(most_of(found, most))
    }
    async fn sum_proposed_purchases(
        &self,
        scope: WorkspaceScope,
        contract: ContractId,
        query: ProposalQuery<'_>,
    ) -> StoreResult<ProposedPurchases> {
        let mut sum = ProposedPurchases::default();
        for intent in
            self.state().several(scope.workspace_id(), |intent: &Intent| counts(intent, contract, query.which))
        {
            let (intent, Target::Listing(listing)) = (intent.peek(), &intent.peek().terms.target) else { continue };
            let plus = |sum: Cents| sum.plus(listing.max_buy_price).unwrap_or(Cents::MAX);
            sum.quantity += 1;
            sum.cost = plus(sum.cost);
            sum.open += u32::from(intent.created_at >= query.open_since);
            if intent.created_at >= query.today {
                sum.cost_today = plus(sum.cost_today);
            }
            sum.of_item_name += u32::from(listing.market_hash_name == *query.item_name);
            sum.last_at = sum.last_at.max(Some(intent.created_at));
        }
        Ok(sum)
    }
    async fn count_proposed_listings(
        &self,
        scope: WorkspaceScope,
        contract: ContractId,
        which: Proposals,
        item: InventoryItemId,
    ) -> StoreResult<ProposedListings> {
        let is_wanted = |intent: &Intent| intent.terms.kind == IntentKind::List && counts(intent, contract, which);
        let found = self.state().several(scope.workspace_id(), is_wanted);
        let items: BTreeSet<_> = found.iter().filter_map(|intent| intent.peek().claimed_item()).collect();
        Ok(ProposedListings { items: u32::try_from(items.len()).unwrap(), has_item: items.contains(&item) })
    }
    async fn list_would_buys(
        &self,
        scope: WorkspaceScope,
        contract: Option<ContractId>,
        page: PageRequest<OfIntent>,
    ) -> StoreResult<Page<OfIntent>> {
        Ok(self.state().page(scope.workspace_id(), &page, |intent: &Intent| would_buy_of(intent, contract)))
    }
    async fn list_to_follow_up(
        &self,
        scope: WorkspaceScope,
        marketplace: &Marketplace,
        until: Timestamp,
        most: u32,
    ) -> StoreResult<Vec<Seen<Intent>>> {
        let is_there = |intent: &Intent| match &intent.terms.target {
            Target::Listing(listing) => listing.marketplace == *marketplace,
            Target::Item(_) | Target::Offer(_) => false,
        };
        let due = |intent: &Intent| match intent.follow_up {
            Some(FollowUp::Due(due)) => Some(due),
            Some(FollowUp::Done(_)) | None => None,
        };
        let is_wanted = |intent: &Intent| is_there(intent) && due(intent).is_some_and(|due| due <= until);
        let mut found = self.state().several(scope.workspace_id(), is_wanted);
        found.sort_by_key(|seen| due(seen.peek()));
        Ok(most_of(found, most))
    }
    async fn sum_would_buys(&self, scope: WorkspaceScope, filter: WouldBuyFilter) -> StoreResult<Vec<WouldBuySum>> {
        let is_wanted = |intent: &Intent| {
            let at = intent.created_at;
            would_buy_of(intent, filter.contract_id) && filter.from <= at && at < filter.to
        };
        let mut sums = BTreeMap::new();
        for intent in self.state().several(scope.workspace_id(), is_wanted) {
            let (intent, Target::Listing(listing)) = (intent.peek(), &intent.peek().terms.target) else { continue };
            let outcome = match intent.follow_up {
                Some(FollowUp::Done(seen)) => Some(seen.outcome),
                Some(FollowUp::Due(_)) | None => None,
            };
            let none = WouldBuySum { outcome, count: 0, cost: Cents::ZERO, fair_value: Cents::ZERO };
            let sum: &mut WouldBuySum = sums.entry(outcome).or_insert(none);
            let plus = |sum: Cents, more: Cents| sum.plus(more).unwrap_or(Cents::MAX);
            sum.count += 1;
            sum.cost = plus(plus(sum.cost, listing.price), listing.platform_fee);
            sum.fair_value = plus(sum.fair_value, intent.terms.basis.fair_value.unwrap_or(Cents::ZERO));
        }
        Ok(sums.into_values().collect())
    }
    async fn list_stranded(&self, most: u32) -> StoreResult<Vec<Seen<Intent>>> {
        let state = self.state();
        let stopped = |intent: &Intent, contract: ContractId| {
            let home = intent.terms.workspace_id.to_bytes();
            let contract = state.find::<Contract>(home, contract.to_bytes());
            contract.is_none_or(|contract| contract.peek().status != ContractStatus::Active)
        };
        let is_wanted = |intent: &Intent| {
            intent.status.is_waiting() && intent.terms.contract_id.is_some_and(|contract| stopped(intent, contract))
        };
        Ok(most_of(state.all(is_wanted), most))
    }
}
