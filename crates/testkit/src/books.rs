//! Ledgers in bulk: purchases in every status, with their delivered items, the sales of these, and all records that the product would have
//! written with them. The machines of the domain create every record, and every entry books its amounts. Both are committed as operations
//! commit them, so that counters and sums follow. The result is the same in every run.

mod story;

use time::Duration;
use tradepost_domain::contracts::contract::{
    ApprovalMode, BuyingTerms, Contract, ContractDraft, ContractEvent, SellingTerms, Terms,
};
use tradepost_domain::contracts::inventory_item::InventoryItem;
use tradepost_domain::contracts::ledger::posting::Booking;
use tradepost_domain::contracts::ledger::{Balanced, LedgerEntry, Posting};
use tradepost_domain::contracts::pool::{Pool, PoolLimits};
use tradepost_domain::contracts::purchase::Purchase;
use tradepost_domain::id::{Id, RecordKey, WorkspaceId};
use tradepost_domain::money::{Currency, SignedCents};
use tradepost_domain::time::Timestamp;
use tradepost_domain::transition::{Actor, Subject, Transition};

use super::fakes::SequentialIds;
use super::samples::{start, text};
use story::Story;
use tradepost_ports::changes::{AppendedRow, Caller, Changes, Seen};
use tradepost_ports::store::Store;

/// Purchases of one commit.
const AT_ONCE: u32 = 200;
const CONTRACTS: usize = 16;
const POOLS: usize = 4;
/// The longest time between the first purchase, at the start, and the last one.
const SPREAD: Duration = Duration::days(250);
/// The first deposit into each pool.
pub const CAPITAL: i64 = 5_000_000_000_000;

/// Purchases of a workspace, and everything around them.
pub struct Books<'a> {
    store: &'a dyn Store,
    workspace_id: WorkspaceId,
    ids: SequentialIds,
    buying: Vec<Seen<Contract>>,
    selling: Seen<Contract>,
    pools: Vec<Seen<Pool>>,
}

/// The contents of one commit: records in their current state.
struct Batch<'a> {
    ids: &'a SequentialIds,
    workspace_id: WorkspaceId,
    changes: Changes,
    buying: Vec<Contract>,
    selling: Contract,
    pools: Vec<Pool>,
    /// The time at which the current purchase was recorded. Ids are of that time, so that they are in order.
    recorded_at: Timestamp,
}

/// A step of an item.
#[derive(Clone, Copy)]
struct ItemStep<'a> {
    before: &'a InventoryItem,
    after: &'a InventoryItem,
    /// The purchase that delivered it.
    purchase: &'a Purchase,
    /// Whether the marketplace pays the sale out in this step.
    pays_out: bool,
}

/// A change of status.
#[derive(Clone, Copy)]
struct LoggedStep {
    from: Option<&'static str>,
    to: &'static str,
    version: i64,
    trigger: &'static str,
    at: Timestamp,
}

impl<'a> Books<'a> {
    /// Opens a ledger in a workspace that is in the store: contracts, and pools with money.
    ///
    /// # Panics
    /// When the store fails.
    pub async fn open(store: &'a dyn Store, workspace_id: WorkspaceId) -> Self {
        let ids = SequentialIds::seeded(29);
        let mut changes = Changes::by(&Caller::system());
        let pools: Vec<Pool> = (0..POOLS).map(|number| pool(&ids, workspace_id, number)).collect();
        let mut seen_pools = Vec::with_capacity(POOLS);
        for empty in pools {
            let (pool, amounts) = empty.adjust(SignedCents::new(CAPITAL).unwrap(), start()).unwrap();
            changes.append(AppendedRow::Ledger(funded(&ids, &pool, amounts)));
            seen_pools.push(changes.insert_at(pool, 1).committed());
        }
        let buying = (0..CONTRACTS)
            .map(|number| {
                let pool =
                    number.checked_rem(POOLS + 1).and_then(|place| seen_pools.get(place)).map(|pool| pool.peek().id);
                let draft = draft(&ids, workspace_id, &format!("Buys {number}"), Terms::Buying(buying()));
                changes.insert_at(activated(ContractDraft { pool_id: pool, ..draft }), 2).committed()
            })
            .collect();
        let selling = activated(draft(&ids, workspace_id, "Sells", Terms::Selling(selling())));
        let selling = changes.insert_at(selling, 2).committed();
        store.commit(changes).await.unwrap();
        Self { store, workspace_id, ids, buying, selling, pools: seen_pools }
    }

    /// Adds purchases up to this number. Calls `progress` with the number of purchases written.
    ///
    /// # Panics
    /// When the store fails.
    pub async fn write(mut self, purchases: u32, mut progress: impl FnMut(u32)) {
        let step = SPREAD.checked_div(i32::try_from(purchases.max(1)).unwrap_or(i32::MAX)).unwrap();
        let step = step.min(Duration::minutes(5));
        let mut written = 0;
        while written < purchases {
            let next = purchases.min(written + AT_ONCE);
            self.write_some(
                (written..next).map(|number| (number, start().plus(step * i32::try_from(number).unwrap()))),
            )
            .await;
            written = next;
            progress(written);
        }
    }

    async fn write_some(&mut self, numbers: impl Iterator<Item = (u32, Timestamp)>) {
        let mut batch = Batch {
            ids: &self.ids,
            workspace_id: self.workspace_id,
            changes: Changes::by(&Caller::system()),
            buying: self.buying.iter().map(|seen| seen.peek().clone()).collect(),
            selling: self.selling.peek().clone(),
            pools: self.pools.iter().map(|seen| seen.peek().clone()).collect(),
            recorded_at: start(),
        };
        for (number, at) in numbers {
            Story::of(number, at).write(&mut batch);
        }
        let Batch { mut changes, buying, selling, pools, .. } = batch;
        let revised = self.buying.drain(..).zip(buying);
        self.buying = revised.map(|(seen, contract)| revise(&mut changes, seen, contract)).collect();
        let revised: Vec<Seen<Pool>> =
            self.pools.drain(..).zip(pools).map(|(seen, pool)| revise(&mut changes, seen, pool)).collect();
        self.pools = revised;
        self.selling = revise(&mut changes, self.selling.clone(), selling);
        self.store.commit(changes).await.unwrap();
    }
}

fn revise<T: tradepost_ports::record::Record>(changes: &mut Changes, seen: Seen<T>, now: T) -> Seen<T> {
    changes.revise(seen, |_| Ok::<_, std::convert::Infallible>(now)).unwrap().committed()
}

impl Batch<'_> {
    fn mint<K>(&self) -> Id<K> {
        self.ids.mint(self.recorded_at)
    }

    /// Counts a step of a purchase, and books its amounts.
    fn step_of_purchase(&mut self, place: usize, before: Option<&Purchase>, after: &Purchase) {
        let contract = self.buying.get(place).unwrap().clone();
        let at = after.updated_at;
        let pool = self.pools.iter().position(|pool| Some(pool.id) == contract.pool_id);
        if let Some(contract) = self.buying.get_mut(place) {
            *contract = contract.clone().count(before, after, at).unwrap();
        }
        if let Some(pool) = pool.and_then(|place| self.pools.get_mut(place)) {
            *pool = pool.clone().used(before, after);
        }
        let booked = tradepost_domain::contracts::ledger::posting::of_purchase(before, after).unwrap();
        if let Some(booking) = booked {
            self.book(pool, booking, at);
        }
    }

    /// Counts a step of an item, and books its amounts.
    fn step_of_item(&mut self, place: usize, step: ItemStep<'_>) {
        let ItemStep { before, after, purchase, pays_out } = step;
        let at = after.updated_at;
        self.selling = self.selling.clone().count_sale(before, after, at).unwrap();
        let pool_id = self.buying.get(place).and_then(|contract| contract.pool_id);
        let pool = self.pools.iter().position(|pool| Some(pool.id) == pool_id);
        let mut booked = tradepost_domain::contracts::ledger::posting::of_item(before, after, purchase).unwrap();
        if pays_out {
            let paid_out = booked
                .last()
                .map(tradepost_domain::contracts::ledger::posting::paid_out)
                .transpose()
                .unwrap()
                .flatten();
            booked.extend(paid_out);
        }
        for booking in booked {
            self.book(pool, booking, at);
        }
    }

    fn book(&mut self, pool: Option<usize>, booking: Booking, at: Timestamp) {
        let mut amounts = booking.amounts;
        let pool = pool.and_then(|place| self.pools.get_mut(place));
        let pool_id = pool.map(|pool| {
            let (next, written) = pool.clone().book(&amounts, at).unwrap();
            (*pool, amounts) = (next, written);
            pool.id
        });
        self.changes.append(AppendedRow::Ledger(LedgerEntry {
            id: self.mint(),
            workspace_id: self.workspace_id,
            pool_id,
            posting: booking.posting,
            amounts,
            pending: booking.pending,
            trade: Some(booking.trade),
            reason: None,
            at,
        }));
    }

    fn log(&mut self, subject: Subject, step: LoggedStep) {
        let LoggedStep { from, to, version, trigger, at } = step;
        self.changes.append(AppendedRow::Transition(Transition {
            id: self.mint(),
            workspace_id: self.workspace_id,
            subject,
            from,
            to,
            version,
            trigger,
            actor: Actor::System,
            reason: None,
            evidence: None,
            at,
            logged_at: at,
        }));
    }
}

fn pool(ids: &SequentialIds, workspace_id: WorkspaceId, number: usize) -> Pool {
    let limits = PoolLimits {
        budget: story::cents(CAPITAL),
        max_per_purchase: None,
        max_exposure_per_item: None,
        daily_limit: None,
    };
    let name = text(&format!("Pool {number}"));
    Pool::open(RecordKey { workspace_id, id: ids.mint(start()) }, name, Currency::USD, limits, start()).unwrap()
}

fn funded(ids: &SequentialIds, pool: &Pool, amounts: Balanced) -> LedgerEntry {
    LedgerEntry {
        id: ids.mint(start()),
        workspace_id: pool.workspace_id,
        pool_id: Some(pool.id),
        posting: Posting::FundsAdjusted,
        amounts,
        pending: SignedCents::ZERO,
        trade: None,
        reason: Some(text("to trade with")),
        at: start(),
    }
}

fn draft(ids: &SequentialIds, workspace_id: WorkspaceId, name: &str, terms: Terms) -> ContractDraft {
    ContractDraft {
        id: ids.mint(start()),
        workspace_id,
        name: text(name),
        terms,
        filter_set_id: None,
        pool_id: None,
        approval_mode: ApprovalMode::Automatic,
        marketplaces: Vec::new(),
        price_reference: None,
        starts_at: None,
        ends_at: None,
    }
}

fn activated(draft: ContractDraft) -> Contract {
    Contract::draft(draft, start()).unwrap().apply(ContractEvent::Activated, start()).unwrap()
}

fn buying() -> BuyingTerms {
    BuyingTerms {
        target_quantity: 100_000_000,
        max_buy_price: story::cents(100_000),
        budget: story::cents(CAPITAL),
        daily_budget: None,
        max_daily_loss: None,
        min_discount: None,
        min_expected_margin: None,
        max_per_item_name: None,
        max_open_purchases: None,
        cooldown_seconds: None,
        max_trade_lock_days: None,
        min_liquidity_score: None,
        min_seller_success: None,
    }
}

fn selling() -> SellingTerms {
    SellingTerms {
        floor_price: story::cents(100),
        min_margin: None,
        undercut: None,
        ceiling_price: None,
        reprice_interval_seconds: None,
        max_listings: None,
        max_below_value: None,
        max_above_value: None,
    }
}
