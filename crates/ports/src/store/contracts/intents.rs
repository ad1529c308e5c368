//! Reads of intents.

use async_trait::async_trait;
use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::contracts::intent::{Intent, IntentKind, IntentStatus, Moment};
use tradepost_domain::id::{ContractId, IntentId, InventoryItemId, OfIntent};
use tradepost_domain::money::Cents;
use tradepost_domain::text::MarketHashName;
use tradepost_domain::time::Timestamp;

use crate::changes::Seen;
use crate::store::{Page, PageRequest, StoreResult, Worlds};

/// Which intents to list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct IntentFilter {
    /// Only for this contract.
    pub contract_id: Option<ContractId>,
    /// Only of this kind.
    pub kind: Option<IntentKind>,
    /// Only in this status.
    pub status: Option<IntentStatus>,
}

/// Which proposals of a contract count against its limits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Proposals {
    /// Those for which nothing was done yet.
    Waiting,
    /// Those of dry runs, which end at once.
    Dry,
}

/// What is asked of what a contract has proposed to buy.
#[derive(Debug, Clone, Copy)]
pub struct ProposalQuery<'a> {
    /// Which proposals count.
    pub which: Proposals,
    /// From when on they count as open.
    pub open_since: Timestamp,
    /// When the day began.
    pub today: Timestamp,
    /// The market name of which they are counted.
    pub item_name: &'a MarketHashName,
}

/// What a contract has proposed to buy.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ProposedPurchases {
    /// How many items.
    pub quantity: u32,
    /// How many of them count as open.
    pub open: u32,
    /// What they may cost.
    pub cost: Cents,
    /// What those of the day may cost.
    pub cost_today: Cents,
    /// How many are of the market name.
    pub of_item_name: u32,
    /// When the last one was proposed.
    pub last_at: Option<Timestamp>,
}

/// What a contract has proposed to put on sale.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ProposedListings {
    /// How many items.
    pub items: u32,
    /// Whether the item that is asked about is one of them.
    pub has_item: bool,
}

/// The intents of workspaces.
#[async_trait]
pub trait Intents: Send + Sync {
    /// An intent.
    async fn find_intent(&self, scope: WorkspaceScope, id: IntentId) -> StoreResult<Option<Seen<Intent>>>;
    /// Several intents, in no order; those that are not there are left out.
    async fn find_intents(&self, scope: WorkspaceScope, ids: &[IntentId]) -> StoreResult<Vec<Seen<Intent>>>;
    /// Intents of the workspace.
    async fn list_intents(
        &self,
        scope: WorkspaceScope,
        filter: IntentFilter,
        page: PageRequest<OfIntent>,
    ) -> StoreResult<Page<OfIntent>>;
    /// Intents of the workspace that stand in a status, made after this one, at most so many, the oldest first.
    async fn list_intents_in(
        &self,
        scope: WorkspaceScope,
        status: IntentStatus,
        after: Option<IntentId>,
        most: u32,
    ) -> StoreResult<Vec<Seen<Intent>>>;
    /// Intents for a contract for which nothing was done yet, at most so many, the oldest first.
    async fn list_waiting_intents_of(
        &self,
        scope: WorkspaceScope,
        contract: ContractId,
        most: u32,
    ) -> StoreResult<Vec<Seen<Intent>>>;
    /// Intents of workspaces of these worlds for which nothing was done and that wait no longer ([`IntentParts::is_over`]), at most so many, the
    /// longest over first.
    ///
    /// [`IntentParts::is_over`]: tradepost_domain::contracts::intent::IntentParts::is_over
    async fn list_overdue_intents(&self, worlds: Worlds, at: Moment, most: u32) -> StoreResult<Vec<Seen<Intent>>>;
    /// What a contract has proposed to buy, of the proposals that count.
    async fn sum_proposed_purchases(
        &self,
        scope: WorkspaceScope,
        contract: ContractId,
        query: ProposalQuery<'_>,
    ) -> StoreResult<ProposedPurchases>;
    /// What a contract has proposed to put on sale, of the proposals that count.
    async fn count_proposed_listings(
        &self,
        scope: WorkspaceScope,
        contract: ContractId,
        which: Proposals,
        item: InventoryItemId,
    ) -> StoreResult<ProposedListings>;
    /// Intents of every workspace for which nothing was done yet, and whose contract takes on nothing new; at most so many.
    async fn list_stranded_intents(&self, most: u32) -> StoreResult<Vec<Seen<Intent>>>;
}
