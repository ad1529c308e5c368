//! Buyers who wait for an item that is not where it should be, or for one under an id that another had.

use time::Duration;
use tradepost_adapters_simulator::Fault;
use tradepost_domain::contracts::inventory_item::ItemStatus;
use tradepost_domain::contracts::purchase::FailureCode;
use tradepost_domain::contracts::remediation::{RemediationKind, RemediationStatus};
use tradepost_domain::trading::trade::TradeAddress;
use tradepost_domain::trading::trade_offer::{OfferOwner, TradeOfferStatus};
use tradepost_engine::Engine;
use tradepost_ports::game_platform::GamePlatform as _;
use tradepost_ports::marketplace::OrderStatus;

use crate::custom_adapter::{SHOP, Shop};
use crate::desk::{Desk, all_items};
use crate::two_markets::in_shop;

impl Desk {
    /// Sells the item in the shop to a buyer who has its offer, and accepts it when a test says so.
    async fn offer_in_shop(&self, engine: &mut Engine, shop: &Shop) -> TradeAddress {
        let buyer = self.buyer();
        shop.sell(&buyer);
        self.passes(engine, 3).await;
        assert_eq!(self.offers_to(buyer.user).await.len(), 1);
        buyer
    }

    async fn accept(&self, buyer: &TradeAddress) {
        let [offer] = self.offers_to(buyer.user).await.try_into().unwrap();
        self.simulator.platform().accept(buyer.user, &offer.id).await.unwrap();
    }

    async fn withhold(&self, engine: &mut Engine, hours: u32) {
        self.simulator.world(|world| world.inject(Fault::ItemWithheld { seconds: hours * 3_600 }));
        self.live_until(engine, all_items(1, ItemStatus::Missing)).await;
    }
}

#[tokio::test]
async fn the_offer_of_a_missing_item_is_cancelled_once_its_sale_is_over() {
    let (desk, mut engine, shop, _) = in_shop(145).await;
    let buyer = desk.offer_in_shop(&mut engine, &shop).await;
    desk.withhold(&mut engine, 24).await;
    desk.live(&mut engine, Duration::minutes(10)).await;
    assert_eq!(desk.offers_to(buyer.user).await.len(), 1, "the buyer waits");
    shop.sale_is(OrderStatus::Failed(FailureCode::SellerLate));
    desk.live(&mut engine, Duration::minutes(10)).await;
    assert_eq!(desk.offers_to(buyer.user).await, []);
    assert_eq!(desk.item_statuses().await, [ItemStatus::Missing]);
}

#[tokio::test]
async fn an_item_that_its_buyer_got_while_it_was_missing_is_sold() {
    let (desk, mut engine, shop, _) = in_shop(146).await;
    let buyer = desk.offer_in_shop(&mut engine, &shop).await;
    desk.withhold(&mut engine, 1).await;
    // It can be given again before the next read.
    desk.simulator.advance(Duration::hours(1));
    desk.accept(&buyer).await;
    shop.sale_is(OrderStatus::Settled);
    desk.live_until(&mut engine, all_items(1, ItemStatus::Settled)).await;
    assert_eq!(desk.remediations(RemediationKind::MissingItem).await, [RemediationStatus::Resolved]);
    let [offer] = desk.offers_of(OfferOwner::Item(desk.item().await.id)).await.try_into().unwrap();
    assert_eq!(offer.status, TradeOfferStatus::Final);
}

#[tokio::test]
async fn an_item_that_came_back_from_a_hold_is_kept_while_its_buyer_waits() {
    let (desk, mut engine, shop, _) = in_shop(147).await;
    let buyer = desk.offer_in_shop(&mut engine, &shop).await;
    // It was sent before the platform began to hold trades.
    desk.simulator.world(|world| world.inject(Fault::Escrow { hours: 1, rolled_back: true }));
    desk.accept(&buyer).await;
    desk.live_until(&mut engine, all_items(1, ItemStatus::Held)).await;
    desk.selling().await;
    desk.live_until(&mut engine, all_items(1, ItemStatus::InInventory)).await;
    desk.live(&mut engine, Duration::minutes(20)).await;
    assert_eq!(desk.item_statuses().await, [ItemStatus::InInventory]);
    assert_eq!(desk.remediations(RemediationKind::ListingMismatch).await, [RemediationStatus::NeedsOperator]);
    shop.sale_is(OrderStatus::Refunded);
    desk.live_until(&mut engine, all_items(1, ItemStatus::Listed)).await;
}

#[tokio::test]
async fn an_item_that_is_listed_under_the_id_of_one_that_was_given_stays_on_sale() {
    let (desk, _) = Desk::stocked_with(148, 2).await;
    let (mut engine, shop) = desk.engine_with_shop("7");
    let [second, first] = desk.items().await.try_into().unwrap();
    desk.list(first.id, SHOP).await;
    desk.passes(&mut engine, 3).await;
    let buyer = desk.offer_in_shop(&mut engine, &shop).await;
    desk.accept(&buyer).await;
    shop.sale_is(OrderStatus::Delivered);
    desk.passes(&mut engine, 3).await;
    desk.list(second.id, SHOP).await;
    desk.passes(&mut engine, 6).await;
    assert_eq!(desk.item_statuses().await, [ItemStatus::Sold, ItemStatus::Listed]);
    assert_eq!(desk.offers_to(buyer.user).await, []);
}

#[tokio::test]
async fn an_item_sold_again_between_two_reads_goes_to_its_new_buyer() {
    let (desk, mut engine, shop, _) = in_shop(149).await;
    let (former, buyer) = (desk.buyer(), desk.buyer());
    shop.sell(&former);
    engine.pass().await;
    shop.sale_is(OrderStatus::Failed(FailureCode::SellerLate));
    desk.live_until(&mut engine, all_items(1, ItemStatus::InInventory)).await;
    desk.list_at(SHOP, &mut engine).await;
    shop.sells_when_looked_at(&buyer);
    desk.passes(&mut engine, 4).await;
    assert_eq!(desk.offers_to(former.user).await, []);
    desk.accept(&buyer).await;
    shop.sale_is(OrderStatus::Settled);
    desk.live_until(&mut engine, all_items(1, ItemStatus::Settled)).await;
}
