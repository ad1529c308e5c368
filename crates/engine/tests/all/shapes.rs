//! The whole loop at marketplaces of every shape: the engine does everything there once, even if answers are lost, and the ledger
//! agrees.

use time::Duration;
use tradepost_adapters_simulator::{Call, Fault, Settings};
use tradepost_domain::contracts::inventory_item::ItemStatus;
use tradepost_domain::contracts::ledger::Account;
use tradepost_domain::contracts::purchase::PurchaseStatus;
use tradepost_domain::contracts::remediation::{RemediationKind, RemediationStatus};
use tradepost_domain::time::Timestamp;
use tradepost_engine::Engine;
use tradepost_operations::Caller;
use tradepost_operations::contracts::{DelistItem, ListItemForSale, RepriceItem};
use tradepost_ports::game_platform::{ConfirmationAnswer, GamePlatform as _};
use tradepost_ports::marketplace::{
    Announcement, MarketTraits, Marketplace as _, MoneyUnit, OrderIdentity, OrderStatus,
};

use crate::desk::{CUSTOMER, Desk, MARKET, all_items, all_purchases, cents};
use crate::faults::SOLD;
use crate::killed::{Death, assert_survives};

const BY_LISTING: MarketTraits = MarketTraits { orders: OrderIdentity::ByListing, ..MarketTraits::KEYED };
pub(crate) const CUSTODY: MarketTraits = MarketTraits { custody: true, ..MarketTraits::KEYED };
const COMMITS: MarketTraits = MarketTraits { commits_sales: true, ..MarketTraits::KEYED };
const ANNOUNCED_BEFORE: MarketTraits =
    MarketTraits { announcement: Announcement::BeforeConfirming, ..MarketTraits::KEYED };
const ANNOUNCED_AFTER: MarketTraits =
    MarketTraits { announcement: Announcement::AfterConfirming, ..MarketTraits::KEYED };
pub(crate) const EVERYTHING: MarketTraits = MarketTraits {
    orders: OrderIdentity::ByListing,
    custody: true,
    commits_sales: true,
    announcement: Announcement::BeforeConfirming,
    unit: MoneyUnit::Cents,
};

/// A desk at such a marketplace, where trades are protected for half a day.
pub(crate) async fn desk(seed: u64, traits: MarketTraits) -> Desk {
    let settings = Settings { traits, in_custody: 1_800, protection: 43_200, ..Settings::default() };
    Desk::slow_in(seed, settings).await
}

/// The calls of a shape that change something outside and are made by a loop that nothing disturbs. Tests of their own lose the others: to
/// reprice, delist, decline and cancel.
fn calls(traits: MarketTraits) -> Vec<Call> {
    let mut calls = vec![Call::Buy, Call::Accept, Call::List, Call::Send, Call::Answer];
    calls.extend(traits.custody.then_some(Call::Withdraw));
    calls.extend(traits.commits_sales.then_some(Call::Commit));
    calls.extend((traits.announcement != Announcement::Never).then_some(Call::Announce));
    calls
}

/// Buys and sells so many items where this goes wrong.
async fn assert_trades(traits: MarketTraits, number: usize, faults: &[Fault]) {
    let desk = desk(12, traits).await.pooled().await;
    desk.buying(i64::try_from(number).unwrap()).await;
    desk.selling().await;
    desk.simulator.world(|world| faults.iter().for_each(|fault| world.inject(fault.clone())));
    desk.live_until(&mut desk.engine(), all_items(number, ItemStatus::Settled)).await;
    let waiting = desk.simulator.world(|world| world.armed().to_vec());
    assert!(waiting.is_empty(), "never struck in {traits:?}: {waiting:?}");
    desk.assert_sound().await;
    let (books, balance) = (desk.balances().await, desk.simulator.marketplace(CUSTOMER).balance().await.unwrap());
    assert_eq!(books.of(Account::Available).get(), balance.get(), "the ledger and the marketplace differ");
    let open = [Account::Reserved, Account::PaidInTransit, Account::RefundDue, Account::Receivable];
    assert!(open.into_iter().all(|account| books.of(account).get() == 0), "something is open: {books:?}");
}

/// Lists an item by hand, changes its price and delists it, each once, where a call is lost. Then a contract sells it.
async fn assert_relists(traits: MarketTraits, lost: fn(Call) -> Fault) {
    let desk = desk(12, traits).await.pooled().await;
    desk.buying(1).await;
    let mut engine = desk.engine();
    desk.live_until(&mut engine, |purchases, items| {
        all_purchases(1, PurchaseStatus::Settled)(purchases, items) && all_items(1, ItemStatus::InInventory)(&[], items)
    })
    .await;
    desk.simulator
        .world(|world| [Call::Reprice, Call::Delist].map(lost).into_iter().for_each(|lost| world.inject(lost)));
    let (workspace_id, inventory_item_id, system) = (desk.workspace_id, desk.items().await[0].id, Caller::system());
    let (marketplace, price_cents) = (MARKET.to_owned(), Some(9_000_000));
    let listing = ListItemForSale { workspace_id, inventory_item_id, marketplace, price_cents };
    desk.operations.list_item_for_sale(&system, listing).await.unwrap();
    desk.live_until(&mut engine, all_items(1, ItemStatus::Listed)).await;
    let reprice = RepriceItem { workspace_id, inventory_item_id, price_cents: Some(8_000_000) };
    desk.operations.reprice_item(&system, reprice).await.unwrap();
    desk.live_until(&mut engine, |_, items| items[0].list_price == Some(cents(8_000_000))).await;
    let shown = desk.simulator.marketplace(CUSTOMER).own_listings().await.unwrap();
    assert_eq!(shown.iter().map(|listing| listing.offered.price).collect::<Vec<_>>(), [cents(8_000_000)]);
    desk.operations.delist_item(&system, DelistItem { workspace_id, inventory_item_id }).await.unwrap();
    desk.live_until(&mut engine, all_items(1, ItemStatus::InInventory)).await;
    assert_eq!(desk.simulator.marketplace(CUSTOMER).own_listings().await, Ok(Vec::new()));
    let waiting = desk.simulator.world(|world| world.armed().to_vec());
    assert!(waiting.is_empty(), "never struck in {traits:?}: {waiting:?}");
    desk.selling().await;
    desk.live_until(&mut engine, all_items(1, ItemStatus::Settled)).await;
    desk.assert_sound().await;
}

/// A call that is lost before it is carried out, and one whose answer is.
const LOST: [fn(Call) -> Fault; 2] =
    [|call| Fault::TimeoutBeforeCommit { call }, |call| Fault::TimeoutAfterCommit { call }];

/// What goes wrong between people, with what has to go wrong in addition.
fn mishaps() -> Vec<Vec<Fault>> {
    let alone = [
        Fault::OfferVanishes { seconds: 30 },
        Fault::GlitchedOffer { seconds: 900 },
        Fault::FailedTrade,
        Fault::FailedInPlace,
        Fault::Escrow { hours: 24, rolled_back: false },
        Fault::LostConfirmation,
        Fault::LateDelivery { seconds: 3_600 },
        Fault::ItemSwapped,
    ];
    let late = vec![Fault::LateLookup { seconds: 900 }, Fault::TimeoutAfterCommit { call: Call::Buy }];
    alone.into_iter().map(|fault| vec![fault]).chain([late]).collect()
}

macro_rules! shapes {
    ($($shape:ident: $traits:expr;)+) => {$(
        mod $shape {
            use super::*;

            #[tokio::test]
            async fn items_are_bought_and_sold() {
                assert_trades($traits, 3, &[]).await;
            }

            #[tokio::test]
            async fn a_write_that_was_lost_is_made_after_all() {
                let lost = calls($traits).into_iter().map(|call| Fault::TimeoutBeforeCommit { call });
                assert_trades($traits, 2, &lost.collect::<Vec<_>>()).await;
            }

            #[tokio::test]
            async fn a_write_whose_answer_was_lost_is_not_made_again() {
                let lost = calls($traits).into_iter().map(|call| Fault::TimeoutAfterCommit { call });
                assert_trades($traits, 2, &lost.collect::<Vec<_>>()).await;
            }

            #[tokio::test]
            async fn a_lost_change_of_a_listing_is_made_once() {
                for lost in LOST {
                    assert_relists($traits, lost).await;
                }
            }

            #[tokio::test]
            async fn a_lost_end_of_an_offer_is_made_once() {
                for lost in LOST {
                    assert_trades($traits, 1, &[Fault::ItemSwapped, lost(Call::Decline)]).await;
                    assert_trades($traits, 1, &[Fault::LostConfirmation, lost(Call::Cancel)]).await;
                }
            }

            #[tokio::test]
            async fn a_trade_that_goes_wrong_between_people_is_completed_in_the_end() {
                for faults in mishaps() {
                    assert_trades($traits, 1, &faults).await;
                }
            }

            #[tokio::test]
            async fn a_restarted_engine_makes_the_calls_that_were_not_made() {
                assert_survives(&desk(21, $traits).await, 2, Death::Before).await;
            }

            #[tokio::test]
            async fn a_restarted_engine_reads_the_outcome_of_unanswered_calls() {
                assert_survives(&desk(21, $traits).await, 2, Death::After).await;
            }
        }
    )+};
}

shapes! {
    by_listing: BY_LISTING;
    custody: CUSTODY;
    commits: COMMITS;
    announced_before: ANNOUNCED_BEFORE;
    announced_after: ANNOUNCED_AFTER;
    by_listing_and_announced_after: MarketTraits { orders: OrderIdentity::ByListing, ..ANNOUNCED_AFTER };
    custody_and_commits: MarketTraits { custody: true, ..COMMITS };
    everything: EVERYTHING;
}

#[tokio::test]
async fn an_item_in_custody_is_withdrawn_once_it_can_be() {
    let desk = desk(13, CUSTODY).await;
    desk.buying(1).await;
    let mut engine = desk.engine();
    desk.live_until(&mut engine, all_purchases(1, PurchaseStatus::Paid)).await;
    let order_id = desk.purchases().await.remove(0).progress.order.clone().unwrap().id;
    let order = desk.simulator.marketplace(CUSTOMER).order(&order_id).await.unwrap();
    let OrderStatus::InCustody { withdrawable_at: Some(at) } = order.status else { panic!("{order:?}") };
    engine.pass().await;
    assert_eq!(desk.simulator.marketplace(CUSTOMER).order(&order_id).await.unwrap().status, order.status);
    desk.live_until(&mut engine, all_purchases(1, PurchaseStatus::Traded)).await;
    assert!(desk.simulator.world(|world| world.now()) >= at);
    desk.assert_sound().await;
}

#[tokio::test]
async fn an_offer_with_a_rejected_announcement_is_cancelled_unconfirmed_and_another_is_sent() {
    let desk = desk(12, ANNOUNCED_BEFORE).await;
    desk.buying(1).await;
    desk.selling().await;
    desk.simulator.world(|world| world.inject(Fault::AnnouncementRefused));
    desk.live_until(&mut desk.engine(), all_items(1, ItemStatus::Settled)).await;
    desk.assert_went(desk.first_item().await, (SOLD, "CANCELLED FINAL")).await;
    desk.assert_sound().await;
}

#[tokio::test]
async fn a_sent_offer_is_announced_until_the_marketplace_accepts_it() {
    let desk = desk(12, ANNOUNCED_AFTER).await;
    desk.buying(1).await;
    desk.selling().await;
    desk.simulator.world(|world| world.inject(Fault::AnnouncementRefused));
    desk.live_until(&mut desk.engine(), all_items(1, ItemStatus::Settled)).await;
    desk.assert_went(desk.first_item().await, (SOLD, "FINAL")).await;
    desk.assert_sound().await;
}

#[tokio::test]
async fn an_offer_confirmed_before_its_announcement_is_cancelled_and_another_is_sent() {
    let mut desk = desk(12, ANNOUNCED_BEFORE).await;
    desk.buying(1).await;
    desk.selling().await;
    let mut engine = desk.engine();
    desk.live_until(&mut engine, all_items(1, ItemStatus::Listed)).await;
    let listing_id = desk.items().await[0].sale_listing_id.clone().unwrap();
    desk.simulator.world(|world| {
        // In one pass it is tried as the item is sold, and as it is being delivered.
        for _ in 0..2 {
            world.inject(Fault::TimeoutBeforeCommit { call: Call::Announce });
        }
        assert!(world.sell_to_stranger(&listing_id));
    });
    desk.step = Duration::minutes(1);
    desk.live_until(&mut engine, all_items(1, ItemStatus::Delivering)).await;
    desk.simulator.advance(Duration::seconds(10));
    let (platform, user) = (desk.simulator.platform(), desk.account.user);
    for waiting in platform.confirmations(user).await.unwrap() {
        platform.answer(user, &waiting, ConfirmationAnswer::Allow).await.unwrap();
    }
    desk.live_until(&mut engine, all_items(1, ItemStatus::Sold)).await;
    desk.step = Duration::minutes(10);
    desk.live_until(&mut engine, all_items(1, ItemStatus::Settled)).await;
    desk.assert_went(desk.first_item().await, (SOLD, "CANCELLED FINAL")).await;
    desk.assert_sound().await;
}

/// Trade offers of the desk that give something, since a time.
async fn given_since(desk: &Desk, since: Timestamp) -> usize {
    let offers = desk.simulator.platform().offers(desk.account.user, since).await.unwrap();
    offers.iter().filter(|offer| !offer.give.is_empty()).count()
}

/// A desk with an item that was just sold at such a marketplace, which rejects the next announcements.
async fn sold_and_rejected(traits: MarketTraits, rejections: usize) -> (Desk, Engine) {
    let mut desk = desk(12, traits).await;
    desk.buying(1).await;
    desk.selling().await;
    let mut engine = desk.engine();
    desk.live_until(&mut engine, all_items(1, ItemStatus::Listed)).await;
    let listing_id = desk.items().await[0].sale_listing_id.clone().unwrap();
    desk.simulator.world(|world| {
        for _ in 0..rejections {
            world.inject(Fault::AnnouncementRefused);
        }
        assert!(world.sell_to_stranger(&listing_id));
    });
    desk.step = Duration::seconds(10);
    (desk, engine)
}

const MISMATCH: RemediationKind = RemediationKind::ListingMismatch;

#[tokio::test]
async fn a_rejected_announcement_is_followed_by_another_offer_after_a_minute_and_not_in_each_pass() {
    let (desk, mut engine) = sold_and_rejected(ANNOUNCED_BEFORE, 2).await;
    let since = desk.simulator.world(|world| world.now());
    desk.live(&mut engine, Duration::seconds(50)).await;
    assert_eq!(given_since(&desk, since).await, 1);
    desk.live(&mut engine, Duration::seconds(60)).await;
    assert_eq!(given_since(&desk, since).await, 2);
    desk.live_until(&mut engine, all_items(1, ItemStatus::Sold)).await;
    assert_eq!(given_since(&desk, since).await, 3);
    assert_eq!(desk.remediations(MISMATCH).await, [], "the third offer was accepted");
}

#[tokio::test]
async fn an_operator_is_asked_after_three_rejected_announcements_and_no_further_offer_is_sent() {
    let (mut desk, mut engine) = sold_and_rejected(ANNOUNCED_BEFORE, 20).await;
    let since = desk.simulator.world(|world| world.now());
    desk.live(&mut engine, Duration::minutes(10)).await;
    assert_eq!(given_since(&desk, since).await, 3);
    assert_eq!(desk.remediations(MISMATCH).await, [RemediationStatus::NeedsOperator]);
    // Another engine knows it from the record.
    let mut other = desk.engine();
    desk.live(&mut other, Duration::minutes(10)).await;
    assert_eq!(given_since(&desk, since).await, 3);
    // The deadline of the sale is over.
    desk.step = Duration::minutes(10);
    desk.live_until(&mut other, |_, items| items[0].status != ItemStatus::Delivering).await;
    desk.live(&mut other, Duration::minutes(10)).await;
    assert_eq!(desk.remediations(MISMATCH).await, [RemediationStatus::Resolved]);
    desk.assert_sound().await;
}

#[tokio::test]
async fn offers_are_sent_again_once_an_operator_has_dismissed_the_rejections() {
    let (desk, mut engine) = sold_and_rejected(ANNOUNCED_BEFORE, 3).await;
    let since = desk.simulator.world(|world| world.now());
    desk.live(&mut engine, Duration::minutes(10)).await;
    assert_eq!(given_since(&desk, since).await, 3);
    desk.dismiss(MISMATCH).await;
    desk.live_until(&mut engine, all_items(1, ItemStatus::Sold)).await;
    assert_eq!(given_since(&desk, since).await, 4);
    desk.assert_sound().await;
}

#[tokio::test]
async fn an_operator_is_asked_when_an_offer_that_is_out_is_rejected_for_minutes() {
    let (desk, mut engine) = sold_and_rejected(ANNOUNCED_AFTER, 60).await;
    desk.live(&mut engine, Duration::minutes(4)).await;
    assert_eq!(desk.remediations(MISMATCH).await, []);
    desk.live(&mut engine, Duration::minutes(4)).await;
    assert_eq!(desk.remediations(MISMATCH).await, [RemediationStatus::NeedsOperator]);
    desk.live_until(&mut engine, all_items(1, ItemStatus::Sold)).await;
    desk.live(&mut engine, Duration::minutes(2)).await;
    assert_eq!(desk.remediations(MISMATCH).await, [RemediationStatus::Resolved]);
}
