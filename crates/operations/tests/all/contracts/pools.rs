//! Pools, and what the steps of purchases and items book under them.

mod capital;
mod exposure;
mod races;

use std::collections::BTreeMap;

use time::Duration;
use tradepost_domain::asset::AssetId;
use tradepost_domain::contracts::contract::{ContractStatus, Replaced, SuspensionCause};
use tradepost_domain::contracts::inventory_item::{ItemEvent, Proceeds};
use tradepost_domain::contracts::ledger::{Account, Balanced, LedgerEntry, Posting};
use tradepost_domain::contracts::pool::PoolStatus;
use tradepost_domain::contracts::purchase::{CancelCause, FailureCode, Order, PurchaseEvent};
use tradepost_domain::id::{Id, InventoryItemId, PoolId, WorkspaceId};
use tradepost_domain::transition::Subject;
use tradepost_operations::contracts::{
    ActivateContract, AdjustPoolFunds, ArchivePool, BuyingLimits, CancelContract, CloneContract, ContractTerms,
    CountPools, CreateContract, CreatePool, GetLedgerEntries, GetPool, GetPoolBalance, GetPools, LimitsOfPool,
    ListLedgerEntries, ListPools, PausePool, RecordPayout, RecordPurchase, ResumePool, UpdateContract, UpdatePool,
};
use tradepost_operations::{Caller, Code, OpResult, StatusCount};
use tradepost_ports::clock::Clock as _;
use tradepost_testkit::samples::text;

use super::{Desk, accepted, buying, buying_limits, cents, draft, renamed, submitted};

pub(super) const NO_LIMITS: LimitsOfPool = LimitsOfPool {
    budget_cents: 10_000,
    max_per_purchase_cents: None,
    max_exposure_per_item_cents: None,
    daily_limit_cents: None,
};

impl Desk {
    pub(super) async fn pool(&self, limits: LimitsOfPool) -> PoolId {
        let (name, currency) = ("Main".to_owned(), "USD".to_owned());
        let command = CreatePool { workspace_id: self.workspace_id(), name, currency, limits };
        self.operations().create_pool(&self.trader, command).await.unwrap().value.id
    }

    pub(super) fn adjustment(&self, pool_id: PoolId, delta_cents: i64) -> AdjustPoolFunds {
        let (workspace_id, reason) = (self.workspace_id(), "for the season".to_owned());
        AdjustPoolFunds { workspace_id, pool_id, delta_cents, reason, expected_version: None }
    }

    pub(super) async fn adjust(&self, pool_id: PoolId, delta_cents: i64) -> OpResult<()> {
        let command = self.adjustment(pool_id, delta_cents);
        self.operations().adjust_pool_funds(&Caller::system(), command).await.map(drop)
    }

    /// A desk whose contract buys from a pool with 50.00 in it.
    pub(super) async fn pooled(limits: LimitsOfPool) -> (Self, PoolId) {
        let desk = Self::open().await;
        let pool_id = desk.pool(limits).await;
        desk.adjust(pool_id, 5_000).await.unwrap();
        let desk = desk.buying_from(pool_id, buying_limits()).await;
        desk.activate().await.unwrap();
        (desk, pool_id)
    }

    /// The same with a draft that buys from a pool, with a budget that covers what is in it twice.
    pub(super) async fn buying_from(self, pool_id: PoolId, limits: BuyingLimits) -> Self {
        let terms = ContractTerms::Buying(BuyingLimits { budget_cents: Some(10_000), ..limits });
        let drafted = CreateContract { pool_id: Some(pool_id), ..draft(self.workspace_id(), terms) };
        let contract_id = self.operations().create_contract(&self.trader, drafted).await.unwrap().value.id;
        Self { contract_id, ..self }
    }

    pub(super) async fn limit(&self, pool_id: PoolId, limits: LimitsOfPool) -> OpResult<()> {
        let (workspace_id, limits) = (self.workspace_id(), Some(limits));
        let command = UpdatePool { workspace_id, pool_id, name: None, limits, expected_version: None };
        self.operations().update_pool(&self.trader, command).await.map(drop)
    }

    /// Sells an item and gives it to its buyer, for these proceeds.
    async fn sell_away(&self, item: InventoryItemId) -> Proceeds {
        let proceeds = Proceeds::new(cents(1_500), cents(75)).unwrap();
        let asset_id = self.owned(item).await.value.current_asset_id().clone();
        for event in [
            ItemEvent::ListingStarted {
                place: super::on_sale_at(None),
                price: cents(1_500),
                takes_locked: true,
                exchange_rate: None,
            },
            ItemEvent::ListingAccepted { listing_id: text("sale-1"), asset_id: asset_id.clone() },
            ItemEvent::SaleNoticed { listing_id: text("sale-1"), proceeds },
            ItemEvent::DeliveryStarted { asset_id },
            ItemEvent::Given { trade_id: text("trade-2"), asset_id: AssetId::new("30001").unwrap() },
        ] {
            self.advance_item(item, event).await.unwrap();
        }
        proceeds
    }

    pub(super) async fn activate(&self) -> OpResult<()> {
        let (workspace_id, contract_id) = (self.workspace_id(), self.contract_id);
        let command = ActivateContract { workspace_id, contract_id, expected_version: None };
        self.operations().activate_contract(&self.trader, command).await.map(drop)
    }

    async fn pause_pool(&self, pool_id: PoolId) -> OpResult<()> {
        let (workspace_id, reason) = (self.workspace_id(), Some("audit".to_owned()));
        let command = PausePool { workspace_id, pool_id, reason, expected_version: None };
        self.operations().pause_pool(&self.trader, command).await.map(drop)
    }

    async fn archive(&self, pool_id: PoolId) -> OpResult<()> {
        let command = ArchivePool { workspace_id: self.workspace_id(), pool_id, expected_version: None };
        self.operations().archive_pool(&self.trader, command).await.map(drop)
    }

    async fn balance(&self, pool_id: PoolId) -> Balanced {
        let command = GetPoolBalance { workspace_id: self.workspace_id(), pool_id };
        self.operations().get_pool_balance(&self.trader, command).await.unwrap().value
    }

    async fn held(&self, pool_id: PoolId) -> BTreeMap<Account, i64> {
        self.balance(pool_id).await.legs().map(|(account, amount)| (account, amount.get())).collect()
    }

    pub(super) fn entries_of(workspace_id: WorkspaceId) -> ListLedgerEntries {
        let (account, pool_id, contract_id, from, to) = (None, None, None, None, None);
        ListLedgerEntries { workspace_id, limit: 200, cursor: String::new(), account, pool_id, contract_id, from, to }
    }

    /// The entries of the workspace's ledger, the oldest first.
    pub(super) async fn ledger(&self) -> Vec<LedgerEntry> {
        let command = Self::entries_of(self.workspace_id());
        let mut ids = self.operations().list_ledger_entries(&self.trader, command).await.unwrap().entries;
        ids.reverse();
        let command = GetLedgerEntries { workspace_id: self.workspace_id(), ledger_entry_ids: ids };
        self.operations().get_ledger_entries(&self.trader, command).await.unwrap().entries
    }

    async fn postings(&self) -> Vec<Posting> {
        self.ledger().await.iter().map(|entry| entry.posting).collect()
    }
}

#[tokio::test]
async fn a_pool_is_made_without_money_and_found() {
    let desk = Desk::open().await;
    let workspace_id = desk.workspace_id();
    let pool_id = desk.pool(NO_LIMITS).await;
    let found = desk.operations().get_pool(&desk.trader, GetPool { workspace_id, pool_id }).await.unwrap();
    assert_eq!((found.value.status, found.version), (PoolStatus::Active, 1));
    assert_eq!(desk.held(pool_id).await, BTreeMap::new());
    let several = GetPools { workspace_id, pool_ids: vec![Id::from_bytes([4; 16]), pool_id] };
    let batch = desk.operations().get_pools(&desk.trader, several).await.unwrap();
    assert_eq!((batch.found.len(), batch.missing), (1, vec![Id::from_bytes([4; 16])]));
    let list = ListPools { workspace_id, limit: 0, cursor: String::new(), status: Some(PoolStatus::Active) };
    assert_eq!(desk.operations().list_pools(&desk.trader, list).await.unwrap().entries, [pool_id]);
    let counted = desk.operations().count_pools(&desk.trader, CountPools { workspace_id }).await.unwrap();
    let counts =
        [1, 0, 0].into_iter().zip(PoolStatus::ALL).map(|(count, status)| StatusCount { status: *status, count });
    assert_eq!(counted, counts.collect::<Vec<_>>());
    let log = desk.log(Subject::Pool(pool_id)).await;
    assert_eq!(log.iter().map(|step| (step.from, step.to)).collect::<Vec<_>>(), [(None, "ACTIVE")]);
}

#[tokio::test]
async fn a_pool_has_the_currency_of_its_workspace() {
    let desk = Desk::open().await;
    let in_currency = |currency: &str| CreatePool {
        workspace_id: desk.workspace_id(),
        name: "Main".to_owned(),
        currency: currency.to_owned(),
        limits: NO_LIMITS,
    };
    for named in ["", "USD"] {
        let made = desk.operations().create_pool(&desk.trader, in_currency(named)).await.unwrap();
        assert_eq!(made.value.currency.to_string(), "USD");
    }
    let made = desk.operations().create_pool(&desk.trader, in_currency("EUR"));
    desk.refused(made, Code::FailedPrecondition, "OTHER_CURRENCY").await;
}

#[tokio::test]
async fn a_pool_with_senseless_fields_is_refused() {
    let desk = Desk::open().await;
    let plain = || CreatePool {
        workspace_id: desk.workspace_id(),
        name: "Main".to_owned(),
        currency: "USD".to_owned(),
        limits: NO_LIMITS,
    };
    let refused = [
        CreatePool { name: String::new(), ..plain() },
        CreatePool { currency: "usd".to_owned(), ..plain() },
        CreatePool { limits: LimitsOfPool { budget_cents: 0, ..NO_LIMITS }, ..plain() },
        CreatePool { limits: LimitsOfPool { budget_cents: -1, ..NO_LIMITS }, ..plain() },
        CreatePool { limits: LimitsOfPool { max_per_purchase_cents: Some(10_001), ..NO_LIMITS }, ..plain() },
        CreatePool { limits: LimitsOfPool { daily_limit_cents: Some(0), ..NO_LIMITS }, ..plain() },
    ];
    for command in refused {
        let made = desk.operations().create_pool(&desk.trader, command);
        desk.refused(made, Code::InvalidArgument, "INVALID_FIELD").await;
    }
}

#[tokio::test]
async fn funds_are_put_in_and_taken_out_within_the_budget_and_the_reason_is_kept() {
    let desk = Desk::open().await;
    let pool_id = desk.pool(NO_LIMITS).await;
    desk.adjust(pool_id, 10_000).await.unwrap();
    desk.forbidden(desk.adjust(pool_id, 1), "ABOVE_POOL_BUDGET").await;
    desk.forbidden(desk.adjust(pool_id, -10_001), "POOL_FUNDS_TOO_LOW").await;
    desk.refused(desk.adjust(pool_id, 0), Code::InvalidArgument, "INVALID_FIELD").await;
    desk.refused(desk.adjust(pool_id, i64::MAX), Code::InvalidArgument, "INVALID_FIELD").await;
    desk.refused(desk.adjust(Id::from_bytes([4; 16]), 1), Code::NotFound, "NOT_FOUND").await;
    desk.adjust(pool_id, -4_000).await.unwrap();
    assert_eq!(desk.held(pool_id).await, [(Account::Available, 6_000), (Account::Capital, -6_000)].into());
    let ledger = desk.ledger().await;
    let shown = |entry: &LedgerEntry| (entry.posting, entry.pool_id, entry.reason.as_ref().map(ToString::to_string));
    let expected = (Posting::FundsAdjusted, Some(pool_id), Some("for the season".to_owned()));
    assert_eq!(ledger.iter().map(shown).collect::<Vec<_>>(), [expected.clone(), expected]);
}

#[tokio::test]
async fn a_caller_who_moves_capital_proves_a_second_factor() {
    let desk = Desk::open().await;
    let pool_id = desk.pool(NO_LIMITS).await;
    let moved = desk.operations().adjust_pool_funds(&desk.trader, desk.adjustment(pool_id, 100));
    desk.forbidden(moved, "STEP_UP_REQUIRED").await;
    let proven = desk.world.proven_key().await;
    desk.operations().adjust_pool_funds(&proven, desk.adjustment(pool_id, 100)).await.unwrap();
    assert_eq!(desk.held(pool_id).await.get(&Account::Available), Some(&100));
}

#[tokio::test]
async fn a_purchase_reserves_in_its_pool_and_every_step_is_booked() {
    let (desk, pool_id) = Desk::pooled(NO_LIMITS).await;
    let purchase_id = desk.buy(1).await;
    assert_eq!(desk.held(pool_id).await.get(&Account::Reserved), Some(&1_500));
    desk.advance(purchase_id, submitted()).await.unwrap();
    desk.advance(purchase_id, accepted(1)).await.unwrap();
    let paid = [(Account::Available, 3_780), (Account::PaidInTransit, 1_220), (Account::Capital, -5_000)];
    assert_eq!(desk.held(pool_id).await, paid.into());
    let arrival = desk.arrival(purchase_id, 1);
    let item = desk.operations().receive_item(&desk.trader, arrival).await.unwrap().item.value;
    assert_eq!(desk.held(pool_id).await.get(&Account::InventoryAtCost), Some(&1_220));
    let (proceeds, now) = (desk.sell_away(item.id).await, desk.world.clock.now());
    assert_eq!(desk.held(pool_id).await.get(&Account::DeliveredAtCost), Some(&1_220));
    let booked = ItemEvent::ProceedsBooked { proceeds, protected_until: now, paid_out: false };
    desk.advance_item(item.id, booked).await.unwrap();
    let settled = [
        (Account::Available, 3_780),
        (Account::Receivable, 1_425),
        (Account::Fees, 105),
        (Account::RealisedPnl, -310),
        (Account::Capital, -5_000),
    ];
    assert_eq!(desk.held(pool_id).await, settled.into());
    assert_eq!(desk.balance(pool_id).await.realised(), 205);
    let payout =
        RecordPayout { workspace_id: desk.workspace_id(), pool_id, amount_cents: 1_425, payout: "payout-1".to_owned() };
    desk.operations().record_payout(&desk.trader, payout.clone()).await.unwrap();
    assert_eq!(desk.held(pool_id).await.get(&Account::Available), Some(&5_205));
    desk.forbidden(desk.operations().record_payout(&desk.trader, payout), "POOL_FUNDS_TOO_LOW").await;
    let booked = [
        Posting::FundsAdjusted,
        Posting::Reserved,
        Posting::Paid,
        Posting::Received,
        Posting::Delivered,
        Posting::SaleSettled,
        Posting::PaidOut,
    ];
    assert_eq!(desk.postings().await, booked);
    let ledger = desk.ledger().await;
    let sum = ledger.iter().fold(Balanced::default(), |sum, entry| sum.plus(&entry.amounts).unwrap());
    assert_eq!(sum, desk.balance(pool_id).await, "the balances are the sum of the entries");
    let pending: Vec<i64> = ledger.iter().map(|entry| entry.pending.get()).collect();
    assert_eq!(pending, [0, 0, 0, 0, 205, -205, 0]);
}

#[tokio::test]
async fn what_fails_gives_the_money_back() {
    let (desk, pool_id) = Desk::pooled(NO_LIMITS).await;
    let withdrawn = desk.buy(1).await;
    desk.advance(withdrawn, PurchaseEvent::Cancelled(CancelCause::Withdrawn)).await.unwrap();
    let late = desk.pay(2).await;
    desk.advance(late, PurchaseEvent::DeliveryFailed(FailureCode::SellerLate)).await.unwrap();
    assert_eq!(desk.held(pool_id).await.get(&Account::RefundDue), Some(&1_220));
    desk.advance(late, PurchaseEvent::RefundBooked { amount: cents(1_000) }).await.unwrap();
    let lost = [(Account::Available, 4_780), (Account::WriteOffs, 220), (Account::Capital, -5_000)];
    assert_eq!(desk.held(pool_id).await, lost.into());
}

#[tokio::test]
async fn a_reversed_purchase_is_booked_once_with_its_item() {
    let (desk, pool_id) = Desk::pooled(NO_LIMITS).await;
    let received = desk.receive(1).await;
    let reversed = PurchaseEvent::TradeReversed { rollback_trade_id: text("trade-9") };
    desk.advance(received.purchase.value.terms.id, reversed.clone()).await.unwrap();
    desk.advance(received.purchase.value.terms.id, reversed).await.unwrap();
    let owed = [(Account::Available, 3_780), (Account::RefundDue, 1_220), (Account::Capital, -5_000)];
    assert_eq!(desk.held(pool_id).await, owed.into());
    assert_eq!(desk.postings().await.last(), Some(&Posting::Reverted));
    let other = desk.receive(2).await.item.value.id;
    let taken = ItemEvent::PurchaseReversed { rollback_trade_id: text("trade-10"), asset_id: None };
    desk.advance_item(other, taken).await.unwrap();
    assert_eq!(desk.held(pool_id).await.get(&Account::RefundDue), Some(&2_440));
}

#[tokio::test]
async fn an_archived_pool_takes_a_reversal_and_its_refund_and_gives_the_money_out() {
    let (desk, pool_id) = Desk::pooled(NO_LIMITS).await;
    let received = desk.receive(1).await;
    let (purchase_id, item) = (received.purchase.value.terms.id, received.item.value.id);
    let now = desk.world.clock.now();
    desk.advance_clock(Duration::minutes(10));
    let absent = ItemEvent::WentMissing { first_absent_at: now, last_absent_at: desk.world.clock.now() };
    desk.advance_item(item, absent).await.unwrap();
    desk.advance_item(item, ItemEvent::GivenUp).await.unwrap();
    let cancel =
        CancelContract { workspace_id: desk.workspace_id(), contract_id: desk.contract_id, expected_version: None };
    desk.operations().cancel_contract(&desk.trader, cancel).await.unwrap();
    desk.archive(pool_id).await.unwrap();
    let pool = async || {
        let command = GetPool { workspace_id: desk.workspace_id(), pool_id };
        desk.operations().get_pool(&desk.trader, command).await.unwrap().value
    };
    assert_eq!((pool().await.status, pool().await.late_booked_at), (PoolStatus::Archived, None));
    desk.advance(purchase_id, PurchaseEvent::TradeReversed { rollback_trade_id: text("rollback-1") }).await.unwrap();
    assert_eq!(desk.held(pool_id).await.get(&Account::RefundDue), Some(&1_220));
    assert_eq!(pool().await.late_booked_at, Some(desk.world.clock.now()));
    let several = GetPools { workspace_id: desk.workspace_id(), pool_ids: vec![pool_id] };
    assert_eq!(desk.operations().get_pools(&desk.trader, several).await.unwrap().found.len(), 1);
    desk.advance(purchase_id, PurchaseEvent::RefundBooked { amount: cents(1_220) }).await.unwrap();
    assert_eq!(desk.held(pool_id).await, [(Account::Available, 5_000), (Account::Capital, -5_000)].into());
    desk.forbidden(desk.adjust(pool_id, 1), "POOL_ARCHIVED").await;
    desk.adjust(pool_id, -5_000).await.unwrap();
    assert_eq!(desk.held(pool_id).await, BTreeMap::new());
}

#[tokio::test]
async fn a_contract_without_a_pool_books_under_the_workspace() {
    let desk = Desk::open().await;
    desk.pay(1).await;
    let ledger = desk.ledger().await;
    assert_eq!(ledger.iter().map(|entry| entry.posting).collect::<Vec<_>>(), [Posting::Reserved, Posting::Paid]);
    assert!(ledger.iter().all(|entry| entry.pool_id.is_none()));
    let trade = ledger.first().unwrap().trade.clone().unwrap();
    assert_eq!((trade.contract_id, trade.buy_fee), (Some(desk.contract_id), cents(30)));
}

#[tokio::test]
async fn a_purchase_beyond_a_limit_of_its_pool_changes_nothing() {
    let refusals = [
        (LimitsOfPool { max_per_purchase_cents: Some(1_499), ..NO_LIMITS }, 0, "POOL_PURCHASE_LIMIT"),
        (LimitsOfPool { max_exposure_per_item_cents: Some(2_999), ..NO_LIMITS }, 1, "POOL_ITEM_EXPOSURE"),
        (LimitsOfPool { daily_limit_cents: Some(2_999), ..NO_LIMITS }, 1, "POOL_DAILY_LIMIT"),
        (NO_LIMITS, 3, "POOL_FUNDS_TOO_LOW"),
    ];
    for (limits, bought_before, reason) in refusals {
        let (desk, pool_id) = Desk::pooled(NO_LIMITS).await;
        desk.limit(pool_id, limits).await.unwrap();
        for number in 0..bought_before {
            desk.buy(number).await;
        }
        desk.forbidden(desk.operations().record_purchase(&desk.trader, desk.listing(9)), reason).await;
    }
    let (desk, _) = Desk::pooled(LimitsOfPool { max_exposure_per_item_cents: Some(2_999), ..NO_LIMITS }).await;
    desk.buy(1).await;
    let other = RecordPurchase { market_hash_name: "Operation Bravo Case".to_owned(), ..desk.listing(2) };
    desk.operations().record_purchase(&desk.trader, other).await.unwrap();
}

#[tokio::test]
async fn an_overcharge_beyond_what_there_is_comes_from_new_capital() {
    let (desk, pool_id) = Desk::pooled(NO_LIMITS).await;
    desk.adjust(pool_id, -3_500).await.unwrap();
    let purchase_id = desk.buy(1).await;
    desk.advance(purchase_id, submitted()).await.unwrap();
    let overpaid =
        PurchaseEvent::Accepted(Order { id: text("order-1"), executed_price: cents(12_000), fee: cents(30) });
    desk.advance(purchase_id, overpaid).await.unwrap();
    assert_eq!(desk.held(pool_id).await, [(Account::PaidInTransit, 12_030), (Account::Capital, -12_030)].into());
    let get = GetPool { workspace_id: desk.workspace_id(), pool_id };
    let pool = desk.operations().get_pool(&desk.trader, get).await.unwrap().value;
    assert_eq!(pool.limits.budget, cents(12_030));
}

#[tokio::test]
async fn a_paused_pool_gives_nothing_until_it_is_resumed() {
    let (desk, pool_id) = Desk::pooled(NO_LIMITS).await;
    desk.pause_pool(pool_id).await.unwrap();
    desk.forbidden(desk.operations().record_purchase(&desk.trader, desk.listing(1)), "POOL_NOT_ACTIVE").await;
    desk.forbidden(desk.pause_pool(pool_id), "ILLEGAL_STEP").await;
    assert_eq!(desk.contract().await.value.suspended_for(), Some(SuspensionCause::PoolPaused));
    let resume = ResumePool { workspace_id: desk.workspace_id(), pool_id, expected_version: None };
    desk.operations().resume_pool(&desk.trader, resume).await.unwrap();
    assert_eq!(desk.contract().await.value.status, ContractStatus::Active);
    desk.buy(1).await;
    let log = desk.log(Subject::Pool(pool_id)).await;
    let steps: Vec<_> = log.iter().map(|step| (step.trigger, step.reason.as_ref().map(ToString::to_string))).collect();
    assert_eq!(steps, [("created", None), ("paused", Some("audit".to_owned())), ("resumed", None)]);
}

#[tokio::test]
async fn what_was_recorded_before_its_pool_was_paused_is_sent() {
    let (desk, pool_id) = Desk::pooled(NO_LIMITS).await;
    let purchase_id = desk.buy(1).await;
    desk.pause_pool(pool_id).await.unwrap();
    desk.advance(purchase_id, submitted()).await.unwrap();
}

#[tokio::test]
async fn what_is_paid_out_with_a_sale_is_available_in_the_same_commit() {
    let (desk, pool_id) = Desk::pooled(NO_LIMITS).await;
    let item = desk.item(1).await;
    let before = desk.balance(pool_id).await.of(Account::Available).get();
    let (proceeds, protected_until) = (desk.sell_away(item).await, desk.world.clock.now());
    let booked = ItemEvent::ProceedsBooked { proceeds, protected_until, paid_out: true };
    desk.advance_item(item, booked.clone()).await.unwrap();
    let held = desk.balance(pool_id).await;
    assert_eq!((held.of(Account::Available).get() - before, held.of(Account::Receivable).get()), (1_425, 0));
    assert_eq!(desk.postings().await[5..], [Posting::SaleSettled, Posting::PaidOut]);
    let entry = desk.ledger().await.pop().unwrap();
    assert_eq!(entry.trade.unwrap().inventory_item_id, Some(item));
    desk.forbidden(desk.advance_item(item, booked), "ITEM_CLOSED").await;
    assert_eq!(desk.balance(pool_id).await, held);
}

#[tokio::test]
async fn a_pool_is_archived_once_nothing_hangs_on_it() {
    let (desk, pool_id) = Desk::pooled(NO_LIMITS).await;
    let purchase_id = desk.buy(1).await;
    desk.forbidden(desk.archive(pool_id), "POOL_HOLDS_MONEY").await;
    desk.advance(purchase_id, PurchaseEvent::Cancelled(CancelCause::Withdrawn)).await.unwrap();
    desk.forbidden(desk.archive(pool_id), "POOL_IN_USE").await;
    let cancel = tradepost_operations::contracts::CancelContract {
        workspace_id: desk.workspace_id(),
        contract_id: desk.contract_id,
        expected_version: None,
    };
    desk.operations().cancel_contract(&desk.trader, cancel).await.unwrap();
    assert_eq!(desk.contract().await.value.status, ContractStatus::Cancelled);
    desk.archive(pool_id).await.unwrap();
    desk.forbidden(desk.archive(pool_id), "ILLEGAL_STEP").await;
    desk.forbidden(desk.adjust(pool_id, 1), "POOL_ARCHIVED").await;
    let rename = UpdatePool {
        workspace_id: desk.workspace_id(),
        pool_id,
        name: Some("Old".to_owned()),
        limits: None,
        expected_version: None,
    };
    desk.forbidden(desk.operations().update_pool(&desk.trader, rename), "POOL_ARCHIVED").await;
    let copy =
        CloneContract { workspace_id: desk.workspace_id(), contract_id: desk.contract_id, name: "Again".to_owned() };
    desk.forbidden(desk.operations().clone_contract(&desk.trader, copy), "POOL_ARCHIVED").await;
}

#[tokio::test]
async fn a_contract_names_only_a_pool_that_is_there() {
    let desk = Desk::open().await;
    let nowhere = Some(Id::from_bytes([4; 16]));
    let drafted = CreateContract { pool_id: nowhere, ..draft(desk.workspace_id(), buying()) };
    let made = desk.operations().create_contract(&desk.trader, drafted);
    desk.refused(made, Code::NotFound, "NOT_FOUND").await;
    let (pool_id, plain) = (desk.pool(NO_LIMITS).await, draft(desk.workspace_id(), buying()));
    let contract_id = desk.operations().create_contract(&desk.trader, plain).await.unwrap().value.id;
    let workspace_id = desk.workspace_id();
    let change = |pool_id| UpdateContract { pool_id, ..renamed(workspace_id, contract_id) };
    let elsewhere = desk.operations().update_contract(&desk.trader, change(Replaced::By(Id::from_bytes([4; 16]))));
    desk.refused(elsewhere, Code::NotFound, "NOT_FOUND").await;
    desk.operations().update_contract(&desk.trader, change(Replaced::By(pool_id))).await.unwrap();
    desk.pause_pool(pool_id).await.unwrap();
    let desk = Desk { contract_id, ..desk };
    desk.forbidden(desk.activate(), "POOL_NOT_ACTIVE").await;
    desk.forbidden(desk.archive(pool_id), "POOL_IN_USE").await;
    desk.operations().update_contract(&desk.trader, change(Replaced::ByNothing)).await.unwrap();
    desk.archive(pool_id).await.unwrap();
    let archived = desk.operations().update_contract(&desk.trader, change(Replaced::By(pool_id)));
    desk.forbidden(archived, "POOL_ARCHIVED").await;
}

#[tokio::test]
async fn limits_change_and_the_budget_covers_the_capital() {
    let (desk, pool_id) = Desk::pooled(NO_LIMITS).await;
    let update =
        |limits| UpdatePool { workspace_id: desk.workspace_id(), pool_id, name: None, limits, expected_version: None };
    let change = |command| desk.operations().update_pool(&desk.trader, command);
    let less = LimitsOfPool { budget_cents: 4_999, ..NO_LIMITS };
    desk.forbidden(change(update(Some(less))), "LIMIT_BELOW_USE").await;
    desk.refused(change(update(None)), Code::InvalidArgument, "INVALID_FIELD").await;
    let stale = UpdatePool { expected_version: Some(1), ..update(Some(NO_LIMITS)) };
    desk.forbidden(change(stale), "VERSION_MISMATCH").await;
    let tight = LimitsOfPool { daily_limit_cents: Some(1_500), ..NO_LIMITS };
    change(update(Some(tight))).await.unwrap();
    desk.buy(1).await;
    desk.forbidden(desk.operations().record_purchase(&desk.trader, desk.listing(2)), "POOL_DAILY_LIMIT").await;
    desk.advance_clock(time::Duration::days(1));
    desk.buy(2).await;
}
