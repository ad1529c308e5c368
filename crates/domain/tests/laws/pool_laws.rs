//! The money of a pool under random lives of its purchases and items.

use proptest::prelude::*;
use proptest::sample::{Index, select};
use tradepost_domain::id::RecordKey;

use tradepost_domain::contracts::contract::{BuyingTerms, LimitError, Terms};
use tradepost_domain::contracts::inventory_item::{AssetEvidence, InventoryItem, ItemEvent, ItemStatus, Proceeds};
use tradepost_domain::contracts::ledger::posting::{of_item, of_purchase, paid_out, recovered};
use tradepost_domain::contracts::ledger::{Account, Balanced, LedgerError, Posting};
use tradepost_domain::contracts::pool::{
    FundsError, Pool, PoolChange, PoolChangeError, PoolError, PoolEvent, PoolLimits, PoolParts, PoolRefusal, PoolStatus,
};
use tradepost_domain::contracts::purchase::{CancelCause, FailureCode, Order, Purchase, PurchaseEvent, PurchaseTerms};
use tradepost_domain::money::{Cents, Currency, SignedCents};

use crate::given::{
    asset, at, buying, cents, id, item, order, purchase_terms, receipt, sale_place, selling, text, traded_purchase,
};

const DAY: i64 = 86_400;

pub(crate) fn limits() -> PoolLimits {
    PoolLimits { budget: cents(10_000), max_per_purchase: None, max_exposure_per_item: None, daily_limit: None }
}

pub(crate) fn signed(amount: i64) -> SignedCents {
    SignedCents::new(amount).unwrap()
}

pub(crate) fn opened(limits: PoolLimits) -> Pool {
    Pool::open(RecordKey { workspace_id: id(1), id: id(9) }, text("Main"), Currency::new("USD").unwrap(), limits, at(0))
        .unwrap()
}

fn funded(limits: PoolLimits, capital: i64) -> Pool {
    opened(limits).adjust(signed(capital), at(0)).unwrap().0
}

fn reserved(pool: Pool, purchase: &Purchase) -> Pool {
    let booked = of_purchase(None, purchase).unwrap().unwrap();
    pool.used(None, purchase).book(&booked.amounts, purchase.created_at).unwrap().0
}

/// What a test knows of the pool: the records, and the sum of the entries.
pub(crate) struct Books {
    pub(crate) pool: Pool,
    pub(crate) lots: Vec<(Purchase, Option<InventoryItem>)>,
    pub(crate) sum: Balanced,
}

#[derive(Debug, Clone)]
pub(crate) enum Happening {
    Bought(i64),
    Purchase(Index, PurchaseEvent),
    Item(Index, ItemEvent),
    Adjusted(i64),
    PaidOut(i64),
    Archived,
}

fn any_purchase_event() -> impl Strategy<Value = PurchaseEvent> {
    let charged =
        |price| PurchaseEvent::Accepted(Order { id: text("order-2"), executed_price: cents(price), fee: cents(50) });
    select(vec![
        PurchaseEvent::Submitted { listing_price: cents(1_000) },
        PurchaseEvent::Cancelled(CancelCause::Withdrawn),
        PurchaseEvent::Accepted(order()),
        charged(9_000),
        charged(0),
        PurchaseEvent::OutcomeLost,
        PurchaseEvent::OrderFound(order()),
        PurchaseEvent::Refused(FailureCode::SoldAlready),
        PurchaseEvent::DeliveryFailed(FailureCode::SellerLate),
        PurchaseEvent::ItemReceived { trade_id: text("trade-1"), protected_until: at(0) },
        PurchaseEvent::ProtectionEnded,
        PurchaseEvent::TradeReversed { rollback_trade_id: text("trade-2") },
        PurchaseEvent::RefundBooked { amount: cents(400) },
        PurchaseEvent::RefundBooked { amount: cents(2_000) },
        PurchaseEvent::RefundAdded { total: cents(900) },
        PurchaseEvent::RefundAdded { total: cents(3_000) },
        PurchaseEvent::WrittenOff,
    ])
}

fn any_item_event() -> impl Strategy<Value = ItemEvent> {
    let proceeds = |price| Proceeds::new(cents(price), cents(75)).unwrap();
    let seen = |source| AssetEvidence { asset_id: asset(101), source_id: text(source) };
    select(vec![
        ItemEvent::ListingStarted { place: sale_place(), price: cents(1_500), takes_locked: true, exchange_rate: None },
        ItemEvent::ListingAccepted { listing_id: text("sale-1"), asset_id: asset(101) },
        ItemEvent::SaleNoticed { listing_id: text("sale-1"), proceeds: proceeds(1_500) },
        ItemEvent::DeliveryStarted { asset_id: asset(101) },
        ItemEvent::Given { trade_id: text("trade-6"), asset_id: asset(200) },
        ItemEvent::ProceedsBooked { proceeds: proceeds(1_490), protected_until: at(0), paid_out: false },
        ItemEvent::SaleReversed { rollback_trade_id: text("trade-7"), asset_id: asset(101) },
        ItemEvent::WentMissing { first_absent_at: at(0), last_absent_at: at(600) },
        ItemEvent::Found { seen: seen("snapshot-4") },
        ItemEvent::GivenUp,
    ])
}

pub(crate) fn any_happening() -> impl Strategy<Value = Happening> {
    prop_oneof![
        2 => (1_050..3_000_i64).prop_map(Happening::Bought),
        6 => (any::<Index>(), any_purchase_event()).prop_map(|(which, event)| Happening::Purchase(which, event)),
        6 => (any::<Index>(), any_item_event()).prop_map(|(which, event)| Happening::Item(which, event)),
        1 => (-4_000..6_000_i64).prop_map(Happening::Adjusted),
        1 => (0..2_000_i64).prop_map(Happening::PaidOut),
        1 => Just(Happening::Archived),
    ]
}

impl Books {
    fn book(&mut self, entry: &Balanced) {
        let (pool, written) = self.pool.clone().book(entry, at(5_000)).unwrap();
        self.pool = pool;
        self.sum = self.sum.plus(&written).unwrap();
    }

    pub(crate) fn happen(&mut self, happening: Happening) {
        match happening {
            Happening::Bought(most) => self.buy(most),
            Happening::Purchase(which, event) => {
                let Some(position) = (!self.lots.is_empty()).then(|| which.index(self.lots.len())) else { return };
                self.move_purchase(position, event);
            }
            Happening::Item(which, event) => {
                let Some(position) = (!self.lots.is_empty()).then(|| which.index(self.lots.len())) else { return };
                let (purchase, Some(before)) = self.lots[position].clone() else { return };
                let Ok((after, _)) = before.clone().apply(event, at(5_000)) else { return };
                for booked in of_item(&before, &after, &purchase).unwrap() {
                    self.book(&booked.amounts);
                }
                self.lots[position].1 = Some(after);
            }
            Happening::Adjusted(delta) => self.keep(self.pool.clone().adjust(signed(delta), at(5_000))),
            Happening::PaidOut(amount) => self.keep(self.pool.clone().pay_out(cents(amount), at(5_000))),
            Happening::Archived => {
                if let Ok(archived) = self.pool.clone().apply(PoolEvent::Archived { contracts: 0 }, at(5_000)) {
                    self.pool = archived;
                }
            }
        }
    }

    fn keep(&mut self, moved: Result<(Pool, Balanced), FundsError>) {
        if let Ok((pool, written)) = moved {
            self.pool = pool;
            self.sum = self.sum.plus(&written).unwrap();
        }
    }

    fn buy(&mut self, most: i64) {
        let number = u8::try_from(20 + self.lots.len()).unwrap();
        let terms = PurchaseTerms { max_buy_price: cents(most), ..purchase_terms(number) };
        if self.pool.admit(&terms, self.sum.exposure(), at(0)).is_ok() {
            let purchase = Purchase::record(terms, at(0)).unwrap();
            self.book(&of_purchase(None, &purchase).unwrap().unwrap().amounts);
            self.lots.push((purchase, None));
        }
    }

    fn move_purchase(&mut self, position: usize, event: PurchaseEvent) {
        let (before, item) = self.lots[position].clone();
        let Ok(after) = before.clone().apply(event.clone(), at(5_000)) else { return };
        let item = match (event, item) {
            (PurchaseEvent::ItemReceived { .. }, _) => {
                Some(InventoryItem::receive(&after, receipt(asset(101)), at(5_000)).unwrap().0)
            }
            (PurchaseEvent::TradeReversed { .. }, Some(item)) if item.status == ItemStatus::WrittenOff => {
                self.book(&recovered(&item, &before).unwrap().unwrap().amounts);
                Some(item)
            }
            (PurchaseEvent::TradeReversed { rollback_trade_id }, Some(item)) => {
                let event = ItemEvent::PurchaseReversed { rollback_trade_id, asset_id: None };
                let Ok((after, _)) = item.apply(event, at(5_000)) else { return };
                Some(after)
            }
            (_, item) => item,
        };
        if let Some(booked) = of_purchase(Some(&before), &after).unwrap() {
            self.book(&booked.amounts);
        }
        self.lots[position] = (after, item);
    }
}

proptest! {
    #[test]
    fn in_whatever_order_things_happen_the_books_of_a_pool_add_up(
        happenings in prop::collection::vec(any_happening(), 1..120),
    ) {
        let (pool, sum) = opened(limits()).adjust(signed(8_000), at(0)).unwrap();
        let mut books = Books { pool, lots: Vec::new(), sum };
        for happening in happenings {
            books.happen(happening);
            let held = |account| books.pool.balances.of(account).get();
            let is_late = books.pool.late_booked_at.is_some();
            prop_assert!(!is_late || books.pool.status == PoolStatus::Archived, "only an archived pool is late");
            prop_assert!(is_late || books.pool.status != PoolStatus::Archived || books.pool.bound().is_none());
            prop_assert_eq!(&books.pool.balances, &books.sum, "the balances are the sum of the entries");
            prop_assert!(held(Account::Available) >= 0);
            prop_assert!(books.pool.capital() <= books.pool.limits.budget.into());
            let owned: i64 = Account::BOUND.into_iter().map(held).sum::<i64>() + held(Account::Available);
            let came = books.pool.capital().get() + books.pool.balances.realised() - held(Account::WriteOffs);
            prop_assert_eq!(owned, came, "what there is came from capital and profit, less what was given up");
            let reserved = books.lots.iter().map(|(purchase, _)| purchase.counter_delta().reserved.get()).sum::<i64>();
            prop_assert_eq!(held(Account::Reserved), reserved);
            let sold = |item: &InventoryItem| item.status == ItemStatus::Sold;
            let given = books.lots.iter().filter(|(_, item)| item.as_ref().is_some_and(sold));
            prop_assert_eq!(held(Account::DeliveredAtCost), given.map(|(bought, _)| bought.cost().get()).sum::<i64>());
            prop_assert!(Pool::restore(books.pool.clone().into_parts()).is_ok());
        }
    }

    #[test]
    fn amounts_make_an_entry_exactly_if_they_sum_to_zero(amounts in prop::collection::vec(-5..=5_i64, 11)) {
        let legs = Account::ALL.iter().copied().zip(amounts.iter().map(|amount| signed(*amount)));
        match amounts.iter().sum::<i64>() {
            0 => prop_assert!(Balanced::new(legs).is_ok()),
            sum => prop_assert_eq!(Balanced::new(legs), Err(LedgerError::Unbalanced(sum.into()))),
        }
    }
}

#[test]
fn the_steps_of_a_pool_are_exactly_those_of_its_table() {
    let paused = opened(limits()).apply(PoolEvent::Paused, at(1)).unwrap();
    let archived = opened(limits()).apply(PoolEvent::Archived { contracts: 0 }, at(1)).unwrap();
    let mut steps = Vec::new();
    for pool in [opened(limits()), paused, archived] {
        for event in [PoolEvent::Paused, PoolEvent::Resumed, PoolEvent::Archived { contracts: 0 }] {
            match pool.clone().apply(event, at(2)) {
                Ok(after) => steps.push(format!("{} {} {}", pool.status, event.name(), after.status)),
                Err(refused) => {
                    assert_eq!(refused, PoolError::IllegalStep { from: pool.status, event: event.name() });
                }
            }
        }
    }
    let table =
        ["ACTIVE paused PAUSED", "ACTIVE archived ARCHIVED", "PAUSED resumed ACTIVE", "PAUSED archived ARCHIVED"];
    assert_eq!(steps, table);
}

#[test]
fn a_pool_with_bound_money_or_live_contracts_is_not_archived() {
    let archive = |pool: Pool, contracts| pool.apply(PoolEvent::Archived { contracts }, at(1)).map(drop);
    let bound = reserved(funded(limits(), 8_000), &Purchase::record(purchase_terms(3), at(0)).unwrap());
    let (account, cents) = (Account::Reserved, signed(1_200));
    assert_eq!(archive(bound, 0), Err(PoolError::HoldsMoney { account, cents }));
    assert_eq!(archive(funded(limits(), 8_000), 2), Err(PoolError::InUse { contracts: 2 }));
    assert_eq!(archive(funded(limits(), 8_000), 0), Ok(()));
}

/// An item is missing and written off, its pool archived; then the platform reverses the trade and the marketplace refunds in parts.
#[test]
fn an_archived_pool_takes_what_comes_late_and_says_so() {
    let (bought, (item, _)) = (traded_purchase(), item());
    let missing = ItemEvent::WentMissing { first_absent_at: at(0), last_absent_at: at(600) };
    let lost = [missing, ItemEvent::GivenUp]
        .into_iter()
        .fold(item.clone(), |item, event| item.apply(event, at(700)).unwrap().0);
    let mut books = Books { pool: opened(limits()), lots: Vec::new(), sum: Balanced::default() };
    books.keep(books.pool.clone().adjust(signed(8_000), at(0)));
    books.book(&Balanced::moved(Account::Available, Account::InventoryAtCost, bought.cost().into()).unwrap());
    for booked in of_item(&item, &lost, &bought).unwrap() {
        books.book(&booked.amounts);
    }
    books.happen(Happening::Archived);
    assert_eq!((books.pool.status, books.pool.late_booked_at), (PoolStatus::Archived, None));
    books.lots.push((bought, Some(lost)));
    books.move_purchase(0, PurchaseEvent::TradeReversed { rollback_trade_id: text("trade-2") });
    assert_eq!(books.pool.bound(), Some((Account::RefundDue, signed(1_040))));
    assert_eq!(books.pool.late_booked_at, Some(at(5_000)));
    assert!(Pool::restore(books.pool.clone().into_parts()).is_ok());
    books.move_purchase(0, PurchaseEvent::RefundBooked { amount: cents(400) });
    books.move_purchase(0, PurchaseEvent::RefundAdded { total: cents(1_040) });
    assert_eq!(books.pool.balances, Balanced::moved(Account::Capital, Account::Available, signed(8_000)).unwrap());
    assert_eq!(
        books.pool.clone().admit(&purchase_terms(4), 0, at(5_000)),
        Err(PoolRefusal::NotActive(PoolStatus::Archived))
    );
    books.happen(Happening::Adjusted(-8_000));
    assert_eq!(books.pool.balances, Balanced::default());
}

#[test]
fn a_pool_gives_no_more_than_each_of_its_limits() {
    let terms = purchase_terms(3);
    let admit = |pool: &Pool, exposed| pool.admit(&terms, exposed, at(0));
    let pool = |change: fn(&mut PoolLimits)| {
        let mut limits = limits();
        change(&mut limits);
        funded(limits, 8_000)
    };
    assert_eq!(admit(&pool(|_| ()), 0), Ok(()));
    let small = pool(|limits| limits.max_per_purchase = Cents::new(1_199).ok());
    assert_eq!(admit(&small, 0), Err(PoolRefusal::TooExpensive { given: cents(1_200), most: cents(1_199) }));
    let narrow = pool(|limits| limits.max_exposure_per_item = Cents::new(2_000).ok());
    assert_eq!(admit(&narrow, 800), Ok(()));
    assert_eq!(admit(&narrow, 801), Err(PoolRefusal::TooExposed { exposed: 2_001, most: cents(2_000) }));
    let scarce = funded(limits(), 1_199);
    let refused = PoolRefusal::TooLow { available: signed(1_199), needed: cents(1_200) };
    assert_eq!(admit(&scarce, 0), Err(refused));
    let paused = pool(|_| ()).apply(PoolEvent::Paused, at(0)).unwrap();
    assert_eq!(admit(&paused, 0), Err(PoolRefusal::NotActive(PoolStatus::Paused)));
}

#[test]
fn the_limits_of_a_contract_lie_within_those_of_its_pool() {
    let pool = |change: fn(&mut PoolLimits)| {
        let mut limits = limits();
        change(&mut limits);
        opened(limits)
    };
    let beyond = |pool: &Pool, terms: BuyingTerms| {
        pool.covers(&Terms::Buying(terms)).map_err(|beyond| (beyond.limit, beyond.most))
    };
    assert_eq!(beyond(&pool(|_| ()), buying()), Ok(()));
    assert_eq!(beyond(&pool(|limits| limits.budget = cents(2_999)), buying()), Err(("budget", cents(2_999))));
    let daily = |amount| BuyingTerms { daily_budget: Some(cents(amount)), ..buying() };
    let by_day = pool(|limits| limits.daily_limit = Cents::new(2_000).ok());
    assert_eq!((beyond(&by_day, daily(2_000)), beyond(&by_day, buying())), (Ok(()), Ok(())));
    assert_eq!(beyond(&by_day, daily(2_001)), Err(("daily budget", cents(2_000))));
    let small = pool(|limits| limits.max_per_purchase = Cents::new(1_199).ok());
    assert_eq!(beyond(&small, buying()), Err(("maximum buy price", cents(1_199))));
    assert_eq!(small.covers(&Terms::Selling(selling())), Ok(()), "what sells needs no money");
}

#[test]
fn what_a_day_gave_back_may_be_spent_again_that_day_and_all_of_it_the_next() {
    let limits = PoolLimits { daily_limit: Cents::new(2_000).ok(), ..limits() };
    let pending = Purchase::record(purchase_terms(3), at(0)).unwrap();
    let pool = reserved(funded(limits, 8_000), &pending);
    let used_up = PoolRefusal::DayUsedUp { left: cents(800), needed: cents(1_200) };
    assert_eq!(pool.admit(&purchase_terms(4), 0, at(1)), Err(used_up));
    assert_eq!(pool.admit(&purchase_terms(4), 0, at(DAY)), Ok(()));
    let cancelled = pending.clone().apply(PurchaseEvent::Cancelled(CancelCause::Withdrawn), at(1)).unwrap();
    let freed = pool.clone().used(Some(&pending), &cancelled);
    assert_eq!(freed.admit(&purchase_terms(4), 0, at(1)), Ok(()));
    let tomorrow = Purchase::record(purchase_terms(5), at(DAY)).unwrap();
    let next = pool.used(None, &tomorrow).used(Some(&pending), &cancelled);
    assert_eq!(next.day_use.used, cents(1_200), "what another day gave back does not count today");
}

#[test]
fn capital_stays_within_the_budget_and_what_is_bound_is_not_taken_out() {
    let adjust = |pool: Pool, delta| pool.adjust(signed(delta), at(1)).map(drop);
    let capital = signed(10_001);
    assert_eq!(adjust(opened(limits()), 10_001), Err(FundsError::AboveBudget { capital, budget: cents(10_000) }));
    assert_eq!(adjust(opened(limits()), 0), Err(FundsError::Nothing));
    let bound = reserved(funded(limits(), 8_000), &Purchase::record(purchase_terms(3), at(0)).unwrap());
    let held = signed(6_800);
    assert_eq!(adjust(bound.clone(), -6_801), Err(FundsError::TooLow { account: Account::Available, held }));
    assert_eq!(adjust(bound, -6_800), Ok(()));
    let archived = opened(limits()).apply(PoolEvent::Archived { contracts: 0 }, at(1)).unwrap();
    assert_eq!(adjust(archived.clone(), 1), Err(FundsError::Archived));
    let left = funded(limits(), 500).apply(PoolEvent::Archived { contracts: 0 }, at(1)).unwrap();
    assert_eq!(left.adjust(signed(-500), at(2)).unwrap().0.late_booked_at, None, "taking out is no late booking");
    assert_eq!(archived.change(PoolChange::default(), at(2)), Err(PoolChangeError::Archived));
    let less = PoolChange { limits: Some(PoolLimits { budget: cents(7_999), ..limits() }), name: None };
    let refused = Err(PoolChangeError::BelowCapital { capital: signed(8_000) });
    assert_eq!(funded(limits(), 8_000).change(less, at(1)), refused);
}

#[test]
fn what_a_marketplace_overcharges_is_put_in() {
    let pending = Purchase::record(purchase_terms(3), at(0)).unwrap();
    let pool = reserved(funded(limits(), 1_200), &pending);
    let submitted = pending.apply(PurchaseEvent::Submitted { listing_price: cents(1_000) }, at(1)).unwrap();
    let overpaid = Order { id: text("order-1"), executed_price: cents(11_000), fee: cents(50) };
    let paid = submitted.clone().apply(PurchaseEvent::Accepted(overpaid), at(2)).unwrap();
    let booked = of_purchase(Some(&submitted), &paid).unwrap().unwrap();
    let (pool, written) = pool.book(&booked.amounts, at(2)).unwrap();
    assert_eq!(written.of(Account::Capital), signed(-9_850));
    assert_eq!((pool.balances.of(Account::Available), pool.capital()), (SignedCents::ZERO, signed(11_050)));
    assert_eq!(pool.limits.budget, cents(11_050));
}

#[test]
fn a_settled_sale_books_price_cost_and_both_fees() {
    let (bought, (mut item, _)) = (traded_purchase(), item());
    let proceeds = Proceeds::new(cents(1_500), cents(75)).unwrap();
    let way = [
        ItemEvent::ListingStarted { place: sale_place(), price: cents(1_500), takes_locked: true, exchange_rate: None },
        ItemEvent::ListingAccepted { listing_id: text("sale-1"), asset_id: asset(101) },
        ItemEvent::SaleNoticed { listing_id: text("sale-1"), proceeds },
        ItemEvent::DeliveryStarted { asset_id: asset(101) },
        ItemEvent::Given { trade_id: text("trade-6"), asset_id: asset(200) },
        ItemEvent::ProceedsBooked { proceeds, protected_until: at(2_000), paid_out: true },
    ];
    let mut booked = Vec::new();
    for event in way {
        let after = item.clone().apply(event, at(5_000)).unwrap().0;
        booked.extend(of_item(&item, &after, &bought).unwrap());
        item = after;
    }
    let [delivered, settled] = booked.try_into().unwrap();
    assert_eq!((delivered.posting, settled.posting), (Posting::Delivered, Posting::SaleSettled));
    assert_eq!((delivered.pending, settled.pending), (signed(385), signed(-385)));
    let of = |account| settled.amounts.of(account).get();
    assert_eq!((of(Account::DeliveredAtCost), of(Account::Receivable)), (-1_040, 1_425));
    assert_eq!((of(Account::Fees), of(Account::RealisedPnl), settled.amounts.realised()), (125, -510, 385));
    let paid = paid_out(&settled).unwrap().unwrap();
    let moved = Balanced::moved(Account::Receivable, Account::Available, signed(1_425)).unwrap();
    assert_eq!((paid.posting, &paid.amounts, paid.pending), (Posting::PaidOut, &moved, SignedCents::ZERO));
    assert_eq!(paid.trade, settled.trade);
    assert_eq!(paid_out(&delivered).unwrap(), None);
}

#[test]
fn a_pool_whose_limits_make_no_sense_is_neither_opened_nor_taken_back() {
    let refused = |limits: PoolLimits| {
        let opened = Pool::open(
            RecordKey { workspace_id: id(1), id: id(9) },
            text("Main"),
            Currency::new("USD").unwrap(),
            limits,
            at(0),
        );
        let stored = PoolParts { limits, ..self::opened(self::limits()).into_parts() };
        assert_eq!(opened.is_ok(), Pool::restore(stored).is_ok(), "{limits:?}");
        opened.err()
    };
    let per_purchase = |most: i64| PoolLimits { max_per_purchase: Cents::new(most).ok(), ..limits() };
    let daily = |most: i64| PoolLimits { daily_limit: Cents::new(most).ok(), ..limits() };
    let above = LimitError::Above { smaller: "maximum per purchase", larger: "budget" };
    assert_eq!(refused(PoolLimits { budget: Cents::ZERO, ..limits() }), Some(LimitError::Zero("budget")));
    assert_eq!(refused(per_purchase(0)), Some(LimitError::Zero("maximum per purchase")));
    assert_eq!(refused(per_purchase(10_001)), Some(above));
    assert_eq!(refused(per_purchase(10_000)), None);
    assert_eq!(refused(per_purchase(9_999)), None);
    assert_eq!(refused(daily(10_001)), None, "a day may give back what it took");
}

#[test]
fn a_pool_that_has_spent_more_than_it_has_is_not_restored() {
    let overdrawn = Balanced::moved(Account::Available, Account::Reserved, signed(1)).unwrap();
    let stored = PoolParts { balances: overdrawn, ..opened(limits()).into_parts() };
    assert_eq!(Pool::restore(stored).unwrap_err().rule, "the available money is never negative");
}

#[test]
fn each_limit_is_spent_to_the_cent() {
    let terms = purchase_terms(3);
    let exactly = PoolLimits {
        max_per_purchase: Cents::new(1_200).ok(),
        max_exposure_per_item: Cents::new(1_200).ok(),
        daily_limit: Cents::new(1_200).ok(),
        ..limits()
    };
    assert_eq!(funded(exactly, 1_200).admit(&terms, 0, at(0)), Ok(()));
}

#[test]
fn a_day_has_used_what_was_recorded_on_it_whatever_day_a_clock_behind_says() {
    let recorded = |day: i64| Purchase::record(purchase_terms(3), at(day * DAY)).unwrap();
    let use_of = |pool: &Pool| (pool.day_use.day, pool.day_use.used);
    let next = opened(limits()).used(None, &recorded(1));
    assert_eq!(use_of(&next), (1, cents(1_200)));
    let twice = next.used(None, &recorded(1));
    assert_eq!(use_of(&twice), (1, cents(2_400)));
    let behind = twice.used(None, &recorded(0));
    assert_eq!(use_of(&behind), (1, cents(3_600)));
    assert_eq!(use_of(&behind.used(None, &recorded(2))), (2, cents(1_200)));
}

#[test]
fn every_change_of_a_pool_has_its_time() {
    let wider = PoolLimits { budget: cents(20_000), ..limits() };
    let changed = |limits| opened(self::limits()).change(PoolChange { name: None, limits }, at(7)).unwrap();
    assert_eq!((changed(Some(wider)).limits, changed(Some(wider)).updated_at), (wider, at(7)));
    assert_eq!(opened(limits()).named(at(7)).updated_at, at(7));
    assert_eq!(opened(limits()).apply(PoolEvent::Paused, at(7)).unwrap().updated_at, at(7));
}

#[test]
fn capital_fills_the_budget_to_the_cent_and_all_of_it_may_be_taken_out() {
    let full = funded(limits(), 10_000);
    assert_eq!(full.capital(), signed(10_000));
    let narrowed = PoolChange { name: None, limits: Some(limits()) };
    assert!(full.clone().change(narrowed, at(1)).is_ok(), "the budget may be what was put in");
    assert_eq!(full.adjust(signed(-10_000), at(1)).unwrap().0.balances, Balanced::default());
}

#[test]
fn nothing_is_neither_put_in_nor_paid_out_and_all_that_is_owed_may_be_paid() {
    let owing = Balanced::moved(Account::Available, Account::Receivable, signed(500)).unwrap();
    let (pool, _) = funded(limits(), 1_000).book(&owing, at(1)).unwrap();
    assert_eq!(pool.clone().adjust(SignedCents::ZERO, at(2)).unwrap_err(), FundsError::Nothing);
    assert_eq!(pool.clone().pay_out(Cents::ZERO, at(2)).unwrap_err(), FundsError::Nothing);
    let (paid, _) = pool.pay_out(cents(500), at(2)).unwrap();
    assert_eq!(paid.balances.of(Account::Available), signed(1_000));
}
