//! Trades that are reversed on each day of a week, when an item was bought and when it was sold.

use tradepost_adapters_simulator::Fault;
use tradepost_domain::contracts::inventory_item::{InventoryItem, ItemStatus};
use tradepost_domain::contracts::ledger::Account;
use tradepost_domain::contracts::purchase::PurchaseStatus;
use tradepost_ports::marketplace::Marketplace as _;

use crate::desk::{CUSTOMER, Desk, all_items};

/// The protection of a trade lasts for the days before this one.
const PROTECTED_DAYS: u32 = 7;

/// An hour of a day after the trade.
const fn on_day(day: u32) -> Fault {
    Fault::Reversal { hours: 24 * day + 1 }
}

/// A desk with money in a pool, which buys one item and sells it on.
async fn trading_in_one_item(seed: u64) -> Desk {
    let desk = Desk::slow(seed).await.pooled().await;
    desk.buying(1).await;
    desk.selling().await;
    desk
}

/// Whether a buyer can have the item, or is about to get it.
fn is_offered(item: &InventoryItem) -> bool {
    matches!(item.status, ItemStatus::Listing | ItemStatus::Listed | ItemStatus::Reserved | ItemStatus::Delivering)
}

impl Desk {
    /// Trades until there is an item and nothing is open. No item is offered before its protection is over.
    async fn trade_to_the_end(&self) {
        self.live_until(&mut self.engine(), |purchases, items| {
            let now = self.simulator.world(|world| world.now());
            for item in items.iter().filter(|item| is_offered(item)) {
                assert!(item.lock.is_none_or(|lock| lock.until <= now), "offered while it is protected: {item:?}");
            }
            let are_over = purchases.iter().all(|purchase| purchase.status.is_terminal());
            are_over && !items.is_empty() && items.iter().all(|item| item.status.is_terminal())
        })
        .await;
    }

    /// Asserts that the ledger has what the marketplace has, and that nothing is reserved, owed or in transit.
    pub(crate) async fn assert_ledger_agrees(&self) {
        self.assert_sound().await;
        let (books, balance) = (self.balances().await, self.simulator.marketplace(CUSTOMER).balance().await.unwrap());
        assert_eq!(books.of(Account::Available).get(), balance.get(), "the ledger and the marketplace differ");
        let open = [Account::Reserved, Account::PaidInTransit, Account::RefundDue, Account::Receivable];
        assert!(open.into_iter().all(|account| books.of(account).get() == 0), "something is open: {books:?}");
    }
}

/// The item goes back to its seller on this day, or stays because its protection is over.
async fn assert_books_of_a_reversed_purchase(day: u32) {
    let desk = trading_in_one_item(2_201).await;
    desk.simulator.world(|world| world.inject(on_day(day)));
    desk.trade_to_the_end().await;
    let first = desk.purchases().await.pop().unwrap();
    let expected = if day < PROTECTED_DAYS { PurchaseStatus::Refunded } else { PurchaseStatus::Settled };
    assert_eq!((first.status, first.was_traded()), (expected, true), "day {day}");
    let reverted = desk.item_statuses().await.iter().filter(|status| **status == ItemStatus::Reverted).count();
    assert_eq!(reverted, usize::from(day < PROTECTED_DAYS), "day {day}");
    desk.assert_ledger_agrees().await;
}

/// The item comes back from its buyer on this day and is sold again, or stays sold.
async fn assert_books_of_a_reversed_sale(day: u32) {
    let desk = trading_in_one_item(2_202).await;
    desk.live_until(&mut desk.engine(), all_items(1, ItemStatus::Listed)).await;
    desk.simulator.world(|world| world.inject(on_day(day)));
    desk.trade_to_the_end().await;
    assert_eq!(desk.item_statuses().await, [ItemStatus::Settled], "day {day}");
    let waiting = desk.simulator.world(|world| world.armed().to_vec());
    assert!(waiting.is_empty(), "never struck: {waiting:?}");
    let trades_of_a_sale = if day < PROTECTED_DAYS { 2 } else { 1 };
    assert_eq!(desk.offers_of(desk.first_item().await).await.len(), trades_of_a_sale, "day {day}");
    desk.assert_ledger_agrees().await;
}

#[tokio::test]
async fn the_ledger_is_right_when_a_purchase_or_a_sale_is_reversed_on_the_last_day() {
    assert_books_of_a_reversed_purchase(PROTECTED_DAYS - 1).await;
    assert_books_of_a_reversed_sale(PROTECTED_DAYS - 1).await;
}

/// Weeks of trading for each day: `cargo xtask nightly` runs them.
mod long {
    use super::{PROTECTED_DAYS, assert_books_of_a_reversed_purchase, assert_books_of_a_reversed_sale};

    #[tokio::test]
    async fn the_ledger_is_right_whichever_day_a_purchase_is_reversed() {
        for day in 0..=PROTECTED_DAYS {
            assert_books_of_a_reversed_purchase(day).await;
        }
    }

    #[tokio::test]
    async fn the_ledger_is_right_whichever_day_a_sale_is_reversed() {
        for day in 0..=PROTECTED_DAYS {
            assert_books_of_a_reversed_sale(day).await;
        }
    }
}
