//! An item of a desk with two marketplaces: it is on sale at one of them at a time, and its buyer gets it, once.

use time::Duration;
use tradepost_adapters_simulator::Fault;
use tradepost_domain::contracts::inventory_item::ItemStatus;
use tradepost_domain::contracts::purchase::FailureCode;
use tradepost_domain::contracts::remediation::{RemediationKind, RemediationStatus};
use tradepost_domain::trading::trade::{OfferStatus, PlatformUserId};
use tradepost_engine::Engine;
use tradepost_operations::Caller;
use tradepost_operations::contracts::DelistItem;
use tradepost_ports::game_platform::{ConfirmationAnswer, GamePlatform as _, Offer};
use tradepost_ports::marketplace::{ListingStatus, Marketplace as _, OrderStatus};

use crate::custom_adapter::{SHOP, Shop};
use crate::desk::{CUSTOMER, Desk, MARKET, all_items};
use crate::flaky_systems::Moody;

const MISMATCH: RemediationKind = RemediationKind::ListingMismatch;
/// A price at which no stranger buys an item.
const PRICE: i64 = 900_000;

impl Desk {
    /// Puts the only item on sale, and waits until it is.
    pub(crate) async fn list_at(&self, marketplace: &str, engine: &mut Engine) {
        self.put_on_sale_at(marketplace).await;
        self.live_until(engine, all_items(1, ItemStatus::Listed)).await;
    }

    async fn delist_only_item(&self, engine: &mut Engine) {
        let (workspace_id, inventory_item_id) = (self.workspace_id, self.item().await.id);
        self.operations.delist_item(&Caller::system(), DelistItem { workspace_id, inventory_item_id }).await.unwrap();
        self.live_until(engine, all_items(1, ItemStatus::InInventory)).await;
    }

    /// The offers that a buyer can accept.
    pub(crate) async fn offers_to(&self, buyer: PlatformUserId) -> Vec<Offer> {
        let since = self.item().await.created_at;
        let mut offers = self.simulator.platform().offers(buyer, since).await.unwrap();
        offers.retain(|offer| offer.status == OfferStatus::Active);
        offers
    }

    /// Runs some passes, some seconds apart.
    pub(crate) async fn passes(&self, engine: &mut Engine, number: usize) {
        for _ in 0..number {
            engine.pass().await;
            self.simulator.advance(Duration::seconds(10));
        }
    }
}

/// A desk whose only item is on sale in a shop, over a platform of moods.
pub(crate) async fn in_shop(seed: u64) -> (Desk, Engine, std::sync::Arc<Shop>, std::sync::Arc<Moody>) {
    let (desk, _) = Desk::stocked(seed).await;
    let (mut engaged, shop) = desk.engaged_with_shop("7");
    let moody = Moody::of(&desk);
    engaged.platform = moody.clone();
    let mut engine = desk.engine_for(engaged);
    desk.list_at(SHOP, &mut engine).await;
    (desk, engine, shop, moody)
}

#[tokio::test]
async fn an_item_that_is_listed_under_an_id_that_it_had_before_is_sold_and_delivered() {
    let (desk, mut engine) = Desk::on_sale(131).await;
    let first = desk.item().await.sale_listing_id.clone().unwrap();
    desk.delist_only_item(&mut engine).await;
    // Another marketplace gives the same id, and gives it twice.
    let (mut engine, shop) = desk.engine_with_shop(first.as_str());
    for _ in 0..2 {
        desk.list_at(SHOP, &mut engine).await;
        assert_eq!(desk.item().await.sale_listing_id.as_ref(), Some(&first));
        desk.delist_only_item(&mut engine).await;
    }
    desk.list_at(SHOP, &mut engine).await;
    let links: Vec<_> =
        desk.chain(desk.item().await.id).await.into_iter().map(|link| link.source_id.to_string()).collect();
    assert_eq!(links[2..], [format!("{first}"), format!("{first}@3"), format!("{first}@4"), format!("{first}@5")]);
    let buyer = desk.buyer();
    shop.sell(&buyer);
    desk.live_until(&mut engine, all_items(1, ItemStatus::Delivering)).await;
    desk.passes(&mut engine, 2).await;
    let [offer] = desk.offers_to(buyer.user).await.try_into().unwrap();
    desk.simulator.platform().accept(buyer.user, &offer.id).await.unwrap();
    shop.sale_is(OrderStatus::Settled);
    desk.live_until(&mut engine, all_items(1, ItemStatus::Settled)).await;
}

#[tokio::test]
async fn an_item_relisted_under_the_id_of_a_failed_sale_stays_on_sale() {
    let (desk, mut engine, shop, _) = in_shop(132).await;
    let buyer = desk.buyer();
    shop.sell(&buyer);
    engine.pass().await;
    shop.sale_is(OrderStatus::Failed(FailureCode::SellerLate));
    desk.live_until(&mut engine, all_items(1, ItemStatus::InInventory)).await;
    desk.list_at(SHOP, &mut engine).await;
    // The former buyer's refund shows after the new listing.
    shop.sale_is(OrderStatus::Refunded);
    desk.live(&mut engine, Duration::minutes(20)).await;
    assert_eq!((desk.item_statuses().await, shop.sells()), (vec![ItemStatus::Listed], true));
}

#[tokio::test]
async fn an_offer_whose_answer_was_lost_is_waited_for_before_another_is_sent() {
    let (desk, mut engine, shop, moody) = in_shop(133).await;
    let buyer = desk.buyer();
    moody.mood.lock().unwrap().holds_sends = true;
    shop.sell(&buyer);
    desk.passes(&mut engine, 3).await;
    assert_eq!(moody.mood.lock().unwrap().held.len(), 1, "it is not known yet that it was not sent");
    moody.mood.lock().unwrap().holds_sends = false;
    moody.carry_out().await;
    desk.passes(&mut engine, 3).await;
    let offers = desk.offers_to(buyer.user).await;
    assert_eq!(offers.len(), 1);
    desk.simulator.platform().accept(buyer.user, &offers[0].id).await.unwrap();
    desk.live_until(&mut engine, all_items(1, ItemStatus::Sold)).await;
}

#[tokio::test]
async fn the_offer_that_the_buyer_accepts_counts_whichever_it_is() {
    let (desk, mut engine, shop, moody) = in_shop(134).await;
    let buyer = desk.buyer();
    moody.mood.lock().unwrap().holds_sends = true;
    shop.sell(&buyer);
    engine.pass().await;
    moody.mood.lock().unwrap().holds_sends = false;
    desk.simulator.advance(Duration::minutes(2));
    desk.passes(&mut engine, 2).await;
    let [other] = desk.offers_to(buyer.user).await.try_into().unwrap();
    // The first appears after all, later than the one that was sent in its place.
    moody.carry_out().await;
    desk.simulator.platform().accept(buyer.user, &other.id).await.unwrap();
    shop.sale_is(OrderStatus::Settled);
    desk.live_until(&mut engine, all_items(1, ItemStatus::Settled)).await;
}

#[tokio::test]
async fn an_item_is_free_once_all_its_offers_are_cancelled() {
    let (desk, mut engine, shop, moody) = in_shop(135).await;
    let (buyer, platform) = (desk.buyer(), desk.simulator.platform());
    moody.mood.lock().unwrap().holds_sends = true;
    shop.sell(&buyer);
    engine.pass().await;
    moody.mood.lock().unwrap().holds_sends = false;
    desk.simulator.advance(Duration::minutes(2));
    desk.passes(&mut engine, 2).await;
    // The first appears, and a person confirms it.
    moody.carry_out().await;
    desk.simulator.advance(Duration::seconds(10));
    for waiting in platform.confirmations(desk.account.user).await.unwrap() {
        platform.answer(desk.account.user, &waiting, ConfirmationAnswer::Allow).await.unwrap();
    }
    assert_eq!(desk.offers_to(buyer.user).await.len(), 2);
    shop.sale_is(OrderStatus::Failed(FailureCode::SellerLate));
    desk.live_until(&mut engine, all_items(1, ItemStatus::InInventory)).await;
    assert_eq!(desk.offers_to(buyer.user).await, []);
}

#[tokio::test]
async fn an_item_sold_elsewhere_is_reported_and_delisted() {
    let (desk, mut first) = Desk::on_sale(136).await;
    first.pass().await;
    let (mut engine, shop) = desk.engine_with_shop("7");
    let (item, buyer) = (desk.item().await, desk.buyer());
    let listing_id = item.sale_listing_id.clone().unwrap();
    desk.live(&mut engine, Duration::minutes(10)).await;
    // A person has put it on sale there as well, and it is bought at once.
    shop.put(item.current_asset_id(), PRICE);
    shop.sell(&buyer);
    engine.pass().await;
    assert_eq!(desk.item_statuses().await, [ItemStatus::InInventory]);
    let listing = desk.simulator.marketplace(CUSTOMER).listing(&listing_id).await.unwrap().unwrap();
    assert_eq!(listing.status, ListingStatus::Withdrawn);
    desk.live(&mut engine, Duration::minutes(20)).await;
    assert_eq!(desk.remediations(MISMATCH).await, [RemediationStatus::NeedsOperator]);
    // Put on sale again by hand it is delisted again, and the problem remains open.
    desk.put_on_sale_at(MARKET).await;
    desk.live(&mut engine, Duration::minutes(30)).await;
    assert_eq!(desk.item_statuses().await, [ItemStatus::InInventory]);
    assert_eq!(desk.remediations(MISMATCH).await[0], RemediationStatus::NeedsOperator);
    shop.sale_is(OrderStatus::Refunded);
    desk.live(&mut engine, Duration::minutes(20)).await;
    assert!(desk.remediations(MISMATCH).await.iter().all(|status| *status == RemediationStatus::Resolved));
}

#[tokio::test]
async fn a_sale_elsewhere_stays_reported_while_the_listing_is_in_order() {
    let (desk, _) = Desk::on_sale(137).await;
    let (engaged, shop) = desk.engaged_with_shop("7");
    let (item, buyer) = (desk.item().await, desk.buyer());
    shop.put(item.current_asset_id(), PRICE);
    shop.sell(&buyer);
    let mut engine = desk.engine_for(engaged.clone());
    desk.live(&mut engine, Duration::minutes(20)).await;
    assert_eq!(desk.remediations(MISMATCH).await, [RemediationStatus::NeedsOperator]);
    // Another node, which has seen nothing of it yet and the listing's item in order.
    let mut other = desk.engine_for(engaged);
    for _ in 0..3 {
        other.pass().await;
        assert_eq!(desk.remediations(MISMATCH).await, [RemediationStatus::NeedsOperator]);
        desk.simulator.advance(Duration::minutes(2));
    }
}

#[tokio::test]
async fn a_listing_that_is_unknown_for_a_moment_goes_on_whatever_else_is_wrong_with_it() {
    let (desk, mut engine, shop, _) = in_shop(138).await;
    shop.asks(2 * PRICE);
    desk.live(&mut engine, Duration::minutes(20)).await;
    assert_eq!(desk.remediations(MISMATCH).await, [RemediationStatus::NeedsOperator]);
    shop.hides(true);
    engine.pass().await;
    shop.hides(false);
    desk.live(&mut engine, Duration::minutes(20)).await;
    assert_eq!(desk.item_statuses().await, [ItemStatus::Listed]);
    assert_eq!(desk.remediations(MISMATCH).await, [RemediationStatus::NeedsOperator]);
}

#[tokio::test]
async fn an_orphan_listing_is_delisted() {
    let (desk, mut first) = Desk::on_sale(139).await;
    first.pass().await;
    let (mut engine, shop) = desk.engine_with_shop("7");
    shop.put(desk.item().await.current_asset_id(), PRICE);
    desk.passes(&mut engine, 12).await;
    assert!(shop.sells(), "a step may be in flight");
    desk.live(&mut engine, Duration::minutes(10)).await;
    assert!(!shop.sells());
    assert_eq!(desk.item_statuses().await, [ItemStatus::Listed]);
    desk.live(&mut engine, Duration::minutes(10)).await;
    assert_eq!(desk.remediations(MISMATCH).await, [RemediationStatus::Resolved]);
}

#[tokio::test]
async fn a_missing_item_is_delisted() {
    let (desk, mut engine, shop, _) = in_shop(140).await;
    desk.simulator.world(|world| world.inject(Fault::ItemWithheld { seconds: 24 * 3_600 }));
    desk.live_until(&mut engine, all_items(1, ItemStatus::Missing)).await;
    desk.live(&mut engine, Duration::minutes(20)).await;
    assert!(!shop.sells());
    desk.live_until(&mut engine, all_items(1, ItemStatus::InInventory)).await;
}

#[tokio::test]
async fn an_item_reversed_by_support_is_delisted_first() {
    let desk = Desk::slow(141).await;
    desk.buying(1).await;
    let (mut engaged, shop) = desk.engaged_with_shop("7");
    let moody = Moody::of(&desk);
    engaged.platform = moody.clone();
    let mut engine = desk.engine_for(engaged);
    desk.live_until(&mut engine, |_, items| items.len() == 1).await;
    let until = desk.item().await.lock.unwrap().until;
    desk.live(&mut engine, until.since(desk.simulator.world(|world| world.now()))).await;
    desk.list_at(SHOP, &mut engine).await;
    moody.mood.lock().unwrap().support_takes_back = true;
    desk.live_until(&mut engine, all_items(1, ItemStatus::Reverted)).await;
    assert!(!shop.sells());
}

#[tokio::test]
async fn a_sale_reversed_between_two_passes_brings_the_item_back() {
    let (desk, mut engine) = Desk::on_sale(142).await;
    desk.simulator.world(|world| world.inject(Fault::Reversal { hours: 25 }));
    let listing_id = desk.item().await.sale_listing_id.clone().unwrap();
    assert!(desk.simulator.world(|world| world.sell_to_stranger(&listing_id)));
    // The offer is out when the engine stops.
    while desk.item_statuses().await != [ItemStatus::Delivering] {
        engine.pass().await;
        desk.simulator.advance(Duration::seconds(10));
    }
    desk.passes(&mut engine, 1).await;
    drop(engine);
    desk.simulator.advance(Duration::days(3));
    desk.live_until(&mut desk.engine(), all_items(1, ItemStatus::InInventory)).await;
    assert_eq!(desk.remediations(RemediationKind::MissingItem).await, []);
    desk.assert_sound().await;
}

#[tokio::test(start_paused = true)]
async fn a_stalled_node_does_not_send_a_recorded_offer() {
    let (desk, mut engine, shop, moody) = in_shop(143).await;
    let buyer = desk.buyer();
    shop.sell(&buyer);
    moody.mood.lock().unwrap().stalls = Some(desk.clock.clone());
    let pass = engine.pass().await;
    let errors = pass.errors.iter().map(ToString::to_string).collect::<String>();
    assert!(errors.contains("not submitted in time"), "{errors}");
    assert_eq!(desk.simulator.platform().offers(buyer.user, desk.item().await.created_at).await.unwrap(), []);
    moody.mood.lock().unwrap().stalls = None;
    desk.simulator.advance(Duration::minutes(2));
    desk.passes(&mut engine, 2).await;
    assert_eq!(desk.offers_to(buyer.user).await.len(), 1);
}

#[tokio::test(start_paused = true)]
async fn a_stalled_node_does_not_make_a_recorded_listing() {
    let (desk, _) = Desk::stocked(144).await;
    let (mut engine, shop) = desk.engine_with_shop("7");
    engine.pass().await;
    desk.put_on_sale_at(SHOP).await;
    desk.clock.be_slow(true);
    let pass = engine.pass().await;
    desk.clock.be_slow(false);
    let errors = pass.errors.iter().map(ToString::to_string).collect::<String>();
    assert!(errors.contains("not submitted in time"), "{errors}");
    assert_eq!((desk.item_statuses().await, shop.sells()), (vec![ItemStatus::Listing], false));
    desk.simulator.advance(Duration::minutes(2));
    desk.live_until(&mut engine, all_items(1, ItemStatus::InInventory)).await;
}
