//! Reads of intents.

use async_trait::async_trait;
use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::contracts::intent::{FollowUpOutcome, Intent, IntentKind, IntentStatus, Moment};
use tradepost_domain::id::{ContractId, IntentId, InventoryItemId, OfIntent};
use tradepost_domain::money::Cents;
use tradepost_domain::text::{MarketHashName, Marketplace};
use tradepost_domain::time::Timestamp;

use crate::changes::Seen;
use crate::store::{Page, PageRequest, StoreResult, Worlds};

/// The intents to list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct IntentFilter {
    /// Only for this contract.
    pub contract_id: Option<ContractId>,
    /// Only of this kind.
    pub kind: Option<IntentKind>,
    /// Only in this status.
    pub status: Option<IntentStatus>,
}

/// The proposals of a contract that count against its limits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Proposals {
    /// Proposals that were not executed yet.
    Waiting,
    /// Proposals of dry runs, which end at once.
    Dry,
}

/// The question about a contract's proposals to buy.
#[derive(Debug, Clone, Copy)]
pub struct ProposalQuery<'a> {
    /// The proposals that count.
    pub which: Proposals,
    /// The time from which they count as open.
    pub open_since: Timestamp,
    /// The beginning of the day.
    pub today: Timestamp,
    /// The market name whose proposals are counted.
    pub item_name: &'a MarketHashName,
}

/// A contract's proposals to buy.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ProposedPurchases {
    /// The number of items.
    pub quantity: u32,
    /// The number of items that count as open.
    pub open: u32,
    /// Their maximum cost.
    pub cost: Cents,
    /// The maximum cost of those of the day.
    pub cost_today: Cents,
    /// The number of items of the market name.
    pub of_item_name: u32,
    /// The time of the last proposal.
    pub last_at: Option<Timestamp>,
}

/// A contract's proposals to list items.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ProposedListings {
    /// The number of items.
    pub items: u32,
    /// Whether the item in question is one of them.
    pub has_item: bool,
}

/// The purchases that contracts would have made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WouldBuyFilter {
    /// Only of this contract.
    pub contract_id: Option<ContractId>,
    /// Only those decided at this time or later.
    pub from: Timestamp,
    /// Only those decided before this time.
    pub to: Timestamp,
}

/// The purchases that contracts would have made whose follow-ups had one outcome.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WouldBuySum {
    /// The outcome; `None` before the listing is looked at again.
    pub outcome: Option<FollowUpOutcome>,
    /// The number of purchases.
    pub count: u32,
    /// Their cost, with fees.
    pub cost: Cents,
    /// What the items were thought to be worth.
    pub fair_value: Cents,
}

/// The intents of workspaces.
#[async_trait]
pub trait Intents: Send + Sync {
    /// Returns an intent.
    async fn find(&self, scope: WorkspaceScope, id: IntentId) -> StoreResult<Option<Seen<Intent>>>;
    /// Returns several intents, in no order; missing ones are left out.
    async fn find_many(&self, scope: WorkspaceScope, ids: &[IntentId]) -> StoreResult<Vec<Seen<Intent>>>;
    /// Returns intents of the workspace.
    async fn list(
        &self,
        scope: WorkspaceScope,
        filter: IntentFilter,
        page: PageRequest<OfIntent>,
    ) -> StoreResult<Page<OfIntent>>;
    /// Returns the workspace's intents in a status that were created after this one, at most `most`, the oldest first.
    async fn list_in(
        &self,
        scope: WorkspaceScope,
        status: IntentStatus,
        after: Option<IntentId>,
        most: u32,
    ) -> StoreResult<Vec<Seen<Intent>>>;
    /// Returns intents of a contract that were not executed yet, at most `most`, the oldest first.
    async fn list_waiting_of(
        &self,
        scope: WorkspaceScope,
        contract: ContractId,
        most: u32,
    ) -> StoreResult<Vec<Seen<Intent>>>;
    /// Returns unexecuted intents of these worlds' workspaces that no longer wait ([`IntentParts::is_over`]), at most `most`. Those that
    /// have been over for longest come first.
    ///
    /// [`IntentParts::is_over`]: tradepost_domain::contracts::intent::IntentParts::is_over
    async fn list_overdue(&self, worlds: Worlds, at: Moment, most: u32) -> StoreResult<Vec<Seen<Intent>>>;
    /// Returns a contract's proposals to buy, as far as they count.
    async fn sum_proposed_purchases(
        &self,
        scope: WorkspaceScope,
        contract: ContractId,
        query: ProposalQuery<'_>,
    ) -> StoreResult<ProposedPurchases>;
    /// Returns a contract's proposals to list items, as far as they count.
    async fn count_proposed_listings(
        &self,
        scope: WorkspaceScope,
        contract: ContractId,
        which: Proposals,
        item: InventoryItemId,
    ) -> StoreResult<ProposedListings>;
    /// Returns the purchases that contracts would have made.
    async fn list_would_buys(
        &self,
        scope: WorkspaceScope,
        contract: Option<ContractId>,
        page: PageRequest<OfIntent>,
    ) -> StoreResult<Page<OfIntent>>;
    /// Returns what contracts would have bought at a marketplace whose listing is to be looked at by this time; at most `most`, those that
    /// are due longest first.
    async fn list_to_follow_up(
        &self,
        scope: WorkspaceScope,
        marketplace: &Marketplace,
        until: Timestamp,
        most: u32,
    ) -> StoreResult<Vec<Seen<Intent>>>;
    /// Returns the number and the sums of what contracts would have bought, an entry for each outcome of which there is one.
    async fn sum_would_buys(&self, scope: WorkspaceScope, filter: WouldBuyFilter) -> StoreResult<Vec<WouldBuySum>>;
    /// Returns unexecuted intents of every workspace whose contract accepts no new work; at most `most`.
    async fn list_stranded(&self, most: u32) -> StoreResult<Vec<Seen<Intent>>>;
}
