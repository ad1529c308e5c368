//! Calls that change something and get no answer, whether they were carried out or not: what was to be done is done once.

use std::sync::atomic::{AtomicBool, Ordering};

use async_trait::async_trait;
use time::Duration;
use tradepost_adapters_simulator::{Call, Fault, Side};
use tradepost_domain::contracts::intent::{IntentKind, IntentStatus};
use tradepost_domain::contracts::inventory_item::ItemStatus;
use tradepost_domain::contracts::purchase::{Purchase, PurchaseStatus};
use tradepost_engine::Engine;
use tradepost_operations::Caller;
use tradepost_operations::contracts::{DelistItem, ListItemForSale, RepriceItem};
use tradepost_ports::external::{Effect, ExternalError};
use tradepost_ports::marketplace::{ListingStatus, Marketplace as _, MarketplaceRefusal};
use tradepost_testkit::samples::text;

use crate::desk::{CUSTOMER, Desk, MARKET, all_items, cents};
use crate::faults::SOLD;
use crate::reached::{Kind, Manner};

/// A price at which no stranger buys an item.
const TOO_MUCH: i64 = 9_000_000;

/// A call that is lost before it is carried out, and one after.
fn lost(call: Call) -> [Fault; 2] {
    [Fault::TimeoutBeforeCommit { call }, Fault::TimeoutAfterCommit { call }]
}

/// A desk with one item, which a person has put on sale.
async fn on_sale() -> (Desk, Engine) {
    let desk = Desk::slow(71).await;
    desk.buying(1).await;
    let mut engine = desk.engine();
    desk.live_until(&mut engine, |_, items| {
        let now = desk.simulator.world(|world| world.now());
        items.len() == 1 && items[0].lock.is_none_or(|lock| lock.until <= now)
    })
    .await;
    let (workspace_id, inventory_item_id) = (desk.workspace_id, desk.items().await[0].id);
    let (marketplace, price_cents) = (MARKET.to_owned(), Some(TOO_MUCH));
    let list = ListItemForSale { workspace_id, inventory_item_id, marketplace, price_cents };
    desk.operations.list_item_for_sale(&Caller::system(), list).await.unwrap();
    desk.live_until(&mut engine, all_items(1, ItemStatus::Listed)).await;
    (desk, engine)
}

#[tokio::test]
async fn a_price_that_was_asked_without_an_answer_is_asked_again() {
    let (desk, mut engine) = on_sale().await;
    let (workspace_id, item) = (desk.workspace_id, desk.items().await.remove(0));
    let (listing_id, market) = (item.sale_listing_id.clone().unwrap(), desk.simulator.marketplace(CUSTOMER));
    for (fault, price) in lost(Call::Reprice).into_iter().zip([TOO_MUCH - 1, TOO_MUCH - 2]) {
        desk.simulator.world(|world| world.inject(fault));
        let reprice = RepriceItem { workspace_id, inventory_item_id: item.id, price_cents: Some(price) };
        desk.operations.reprice_item(&Caller::system(), reprice).await.unwrap();
        assert!(!engine.pass().await.errors.is_empty(), "the answer was not lost");
        assert_eq!(desk.intents(IntentKind::Reprice).await[0].value.status, IntentStatus::Executing);
        desk.live_until(&mut engine, |_, items| items[0].list_price == Some(cents(price))).await;
        let listing = market.listing(&listing_id).await.unwrap().unwrap();
        assert_eq!((listing.offered.price, listing.status), (cents(price), ListingStatus::OnSale));
        assert_eq!(desk.intents(IntentKind::Reprice).await[0].value.status, IntentStatus::Succeeded);
    }
    desk.assert_sound().await;
}

#[tokio::test]
async fn a_price_that_was_certainly_not_heard_is_not_asked_for_later() {
    let (desk, mut engine) = on_sale().await;
    let (workspace_id, inventory_item_id) = (desk.workspace_id, desk.items().await[0].id);
    desk.simulator.world(|world| world.inject(Fault::SessionLost { side: Side::Marketplace, seconds: 3_600 }));
    let reprice = RepriceItem { workspace_id, inventory_item_id, price_cents: Some(TOO_MUCH - 1) };
    desk.operations.reprice_item(&Caller::system(), reprice).await.unwrap();
    engine.pass().await;
    let intent = desk.intents(IntentKind::Reprice).await.remove(0).value;
    assert_eq!(
        (intent.status, intent.failed_check.clone()),
        (IntentStatus::Failed, Some(text("MARKETPLACE_NOT_ASKED")))
    );
    desk.live(&mut engine, Duration::hours(2)).await;
    assert_eq!(desk.items().await[0].list_price, Some(cents(TOO_MUCH)));
}

#[tokio::test]
async fn an_item_delisted_without_an_answer_is_on_sale_nowhere_in_the_end() {
    for fault in lost(Call::Delist) {
        let (desk, mut engine) = on_sale().await;
        let (workspace_id, inventory_item_id) = (desk.workspace_id, desk.items().await[0].id);
        desk.simulator.world(|world| world.inject(fault));
        desk.operations.delist_item(&Caller::system(), DelistItem { workspace_id, inventory_item_id }).await.unwrap();
        assert!(!engine.pass().await.errors.is_empty(), "the answer was not lost");
        desk.live_until(&mut engine, all_items(1, ItemStatus::InInventory)).await;
        desk.live(&mut engine, desk.step).await;
        let intent = desk.intents(IntentKind::Delist).await.remove(0);
        assert!(intent.value.status.is_terminal(), "{:?}", intent.value.status);
        let own = desk.simulator.marketplace(CUSTOMER).own_listings().await.unwrap();
        assert!(own.iter().all(|listing| listing.status != ListingStatus::OnSale), "{own:?}");
        desk.assert_sound().await;
    }
}

#[tokio::test]
async fn an_offer_that_was_declined_without_an_answer_is_never_accepted() {
    // What was not heard is said again with the next look, and takes so much longer.
    for (fault, minutes) in lost(Call::Decline).into_iter().zip([30, 20]) {
        let desk = Desk::lively(11).await;
        desk.buying(1).await;
        desk.simulator.world(|world| {
            world.inject(Fault::ItemSwapped);
            world.inject(fault);
        });
        let is_refunded = |purchase: &Purchase| purchase.status == PurchaseStatus::Refunded && !purchase.was_traded();
        desk.live_until(&mut desk.engine(), |purchases, items| {
            purchases.last().is_some_and(is_refunded) && items.len() == 1
        })
        .await;
        let way = format!("PENDING SUBMITTED PAID +{minutes}m REFUND_PENDING REFUNDED");
        desk.assert_went(desk.first_purchase().await, (&way, "DECLINED")).await;
        desk.assert_sound().await;
    }
}

#[tokio::test]
async fn an_offer_cancelled_without_an_answer_is_sent_again_once() {
    for fault in lost(Call::Cancel) {
        let mut desk = Desk::slow(12).await;
        desk.buying(1).await;
        desk.selling().await;
        let mut engine = desk.engine();
        desk.live_until(&mut engine, all_items(1, ItemStatus::Listed)).await;
        let listing_id = desk.items().await[0].sale_listing_id.clone().unwrap();
        desk.simulator.world(|world| {
            world.inject(Fault::LostConfirmation);
            world.inject(fault);
            assert!(world.sell_to_stranger(&listing_id));
        });
        // However often it is to be cancelled: there is time for another before the buyer has waited for an hour.
        desk.step = Duration::minutes(5);
        desk.live_until(&mut engine, all_items(1, ItemStatus::Sold)).await;
        desk.step = Duration::minutes(10);
        desk.live_until(&mut engine, all_items(1, ItemStatus::Settled)).await;
        desk.assert_went(desk.first_item().await, (SOLD, "CANCELLED FINAL")).await;
        desk.assert_sound().await;
    }
}

/// Purchases are carried out, and turned away all the same.
struct TurnsAway(ExternalError<MarketplaceRefusal>, AtomicBool);

#[async_trait]
impl Manner for TurnsAway {
    async fn before(&self, _: Kind) {}

    async fn after(&self, call: Kind) -> Option<ExternalError<MarketplaceRefusal>> {
        (call == Kind::Write && self.1.load(Ordering::SeqCst)).then(|| self.0.clone())
    }
}

#[tokio::test]
async fn a_purchase_that_is_turned_away_without_a_word_of_its_effect_keeps_its_money_and_is_found() {
    let (retry_after, effect) = (std::time::Duration::from_secs(1), Effect::Unknown);
    for answer in [ExternalError::RateLimited { retry_after, effect }, ExternalError::AuthLost { effect }] {
        let desk = Desk::slow(72).await;
        desk.buying(1).await;
        let market = desk.reached(TurnsAway(answer, AtomicBool::new(true)));
        let mut engine = desk.engine_at(market.clone());
        desk.live_until(&mut engine, |purchases, _| !purchases.is_empty()).await;
        assert_eq!(desk.purchase_statuses().await, [PurchaseStatus::Uncertain]);
        market.manner.1.store(false, Ordering::SeqCst);
        desk.live_until(&mut engine, |purchases, _| purchases.iter().all(|one| one.progress.order.is_some())).await;
        assert_eq!(desk.purchases().await.len(), 1, "what was bought already was bought again");
        desk.assert_sound().await;
    }
}
