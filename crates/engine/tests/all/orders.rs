//! Sales that do not go as they should: unexpected sales, listings and states that are unknown, and buyers who take their time.

use std::sync::Arc;

use time::Duration;
use tradepost_adapters_simulator::{Call, Fault};
use tradepost_domain::contracts::intent::IntentKind;
use tradepost_domain::contracts::inventory_item::{InventoryItem, ItemStatus};
use tradepost_domain::contracts::purchase::{Purchase, PurchaseStatus};
use tradepost_domain::contracts::remediation::{RemediationAction, RemediationKind, RemediationStatus};
use tradepost_domain::id::InventoryItemId;
use tradepost_domain::text::ExternalId;
use tradepost_domain::trading::trade_offer::{OfferOwner, TradeOfferStatus};
use tradepost_engine::{Engine, EngineError};
use tradepost_operations::Caller;
use tradepost_operations::contracts::{
    ActionArgs, AppendAssetIDLink, ListItemForSale, ListRemediations, RunRemediationAction,
};
use tradepost_ports::game_platform::GamePlatform as _;
use tradepost_ports::marketplace::{ListingStatus, Marketplace as _, SellRequest};

use crate::desk::{CUSTOMER, Desk, MARKET, all_items, cents};
use crate::flaky_systems::Moody;

/// Too expensive for a stranger to buy it unless a test says so.
const PRICE: i64 = 900_000;

impl Desk {
    /// A desk with one item that can be traded, and the engine that has bought it.
    pub(crate) async fn stocked(seed: u64) -> (Self, Engine) {
        Self::stocked_with(seed, 1).await
    }

    /// The same with so many items.
    pub(crate) async fn stocked_with(seed: u64, many: u8) -> (Self, Engine) {
        let mut desk = Self::slow(seed).await;
        desk.buying(many.into()).await;
        let mut engine = desk.engine();
        desk.live_until(&mut engine, |_, items| items.len() == usize::from(many)).await;
        // Nothing happens until its protection is over.
        let step = std::mem::replace(&mut desk.step, Duration::hours(6));
        desk.live(&mut engine, Duration::days(8)).await;
        desk.step = step;
        (desk, engine)
    }

    /// The same, where the item is on sale.
    pub(crate) async fn on_sale(seed: u64) -> (Self, Engine) {
        Self::on_sale_with(seed, 1).await
    }

    /// The same with so many items.
    async fn on_sale_with(seed: u64, many: u8) -> (Self, Engine) {
        let (desk, mut engine) = Self::stocked_with(seed, many).await;
        for item in desk.items().await {
            desk.list(item.id, MARKET).await;
        }
        desk.live_until(&mut engine, all_items(many.into(), ItemStatus::Listed)).await;
        (desk, engine)
    }

    /// The only item.
    pub(crate) async fn item(&self) -> InventoryItem {
        self.items().await.remove(0)
    }

    /// Lets a person put the only item on sale.
    pub(crate) async fn put_on_sale(&self) {
        self.put_on_sale_at(MARKET).await;
    }

    /// The same at this marketplace.
    pub(crate) async fn put_on_sale_at(&self, marketplace: &str) {
        self.list(self.item().await.id, marketplace).await;
    }

    pub(crate) async fn list(&self, inventory_item_id: InventoryItemId, marketplace: &str) {
        let workspace_id = self.workspace_id;
        let (marketplace, price_cents) = (marketplace.to_owned(), Some(PRICE));
        let list = ListItemForSale { workspace_id, inventory_item_id, marketplace, price_cents };
        self.operations.list_item_for_sale(&Caller::system(), list).await.unwrap();
    }

    pub(crate) fn strike(&self, fault: Fault) {
        self.simulator.world(|world| world.inject(fault));
    }

    /// Lets a stranger buy what is listed.
    fn sell(&self, listing_id: &ExternalId) {
        assert!(self.simulator.world(|world| world.sell_to_stranger(listing_id)));
    }

    async fn sell_item(&self) {
        self.sell(&self.item().await.sale_listing_id.clone().unwrap());
    }

    /// Sells what is on sale to buyers who take it after they have the money back.
    async fn sell_to_who_keeps_it_with_the_money(&self, engine: &mut Engine) {
        let items = self.items().await;
        for item in &items {
            self.strike(Fault::LateBuyer { seconds: 3_600 });
            self.sell(item.sale_listing_id.as_ref().unwrap());
        }
        self.live(engine, Duration::minutes(30)).await;
        // No engine is there to cancel the offers.
        self.simulator.advance(Duration::hours(3));
        self.live(engine, Duration::minutes(30)).await;
        assert_eq!(self.item_statuses().await, vec![ItemStatus::Sold; items.len()]);
    }

    async fn run_action_of(&self, kind: RemediationKind, action: RemediationAction, args: ActionArgs) {
        let (workspace_id, cursor) = (self.workspace_id, String::new());
        let (status, kind, severity, subject) = (None, Some(kind), None, None);
        let list = ListRemediations { workspace_id, limit: 1, cursor, status, kind, severity, subject };
        let remediation_id = self.operations.list_remediations(&Caller::system(), list).await.unwrap().entries[0];
        let run = RunRemediationAction { workspace_id, remediation_id, action, args, expected_version: None };
        self.operations.run_remediation_action(&Caller::system(), run).await.unwrap();
    }
}

#[tokio::test]
async fn a_sent_offer_is_cancelled_before_its_item_is_free_when_its_sale_ends() {
    let (desk, mut engine) = Desk::on_sale(101).await;
    desk.strike(Fault::LateBuyer { seconds: 7_200 });
    desk.sell_item().await;
    desk.live_until(&mut engine, all_items(1, ItemStatus::InInventory)).await;
    let [offer] = desk.offers_of(OfferOwner::Item(desk.item().await.id)).await.try_into().unwrap();
    assert_eq!(offer.status, TradeOfferStatus::Cancelled);
    desk.live(&mut engine, Duration::hours(3)).await;
    assert_eq!(desk.item_statuses().await, [ItemStatus::InInventory], "the buyer came too late");
    desk.assert_sound().await;
}

#[tokio::test]
async fn an_offer_is_cancelled_even_if_its_item_was_not_seen_for_a_while() {
    let (desk, mut engine) = Desk::on_sale(101).await;
    desk.strike(Fault::LateBuyer { seconds: 7_200 });
    desk.sell_item().await;
    desk.live(&mut engine, Duration::minutes(10)).await;
    desk.strike(Fault::ItemWithheld { seconds: 3_600 });
    desk.live_until(&mut engine, all_items(1, ItemStatus::Missing)).await;
    desk.live_until(&mut engine, all_items(1, ItemStatus::InInventory)).await;
    let [offer] = desk.offers_of(OfferOwner::Item(desk.item().await.id)).await.try_into().unwrap();
    assert_eq!(offer.status, TradeOfferStatus::Cancelled);
    desk.assert_sound().await;
}

#[tokio::test]
async fn offers_are_read_once_a_pass_however_many_buyers_are_waited_for() {
    let (desk, _) = Desk::on_sale_with(103, 3).await;
    for item in desk.items().await {
        desk.strike(Fault::LateBuyer { seconds: 7_200 });
        desk.sell(item.sale_listing_id.as_ref().unwrap());
    }
    let (marketplace, moody) = (Arc::new(desk.simulator.marketplace(CUSTOMER)), Moody::of(&desk));
    let mut engine = desk.engaged_over("node-1", (marketplace, moody.clone()));
    desk.live_until(&mut engine, all_items(3, ItemStatus::Delivering)).await;
    desk.live(&mut engine, Duration::minutes(10)).await;
    moody.mood.lock().unwrap().offers_read = 0;
    engine.pass().await;
    assert_eq!(moody.mood.lock().unwrap().offers_read, 1);
    assert_eq!(desk.item_statuses().await, [ItemStatus::Delivering; 3]);
}

#[tokio::test]
async fn an_item_taken_by_its_buyer_after_the_refund_is_reported_until_it_returns() {
    let (desk, mut engine) = Desk::on_sale(102).await;
    desk.sell_to_who_keeps_it_with_the_money(&mut engine).await;
    assert_eq!(desk.remediations(RemediationKind::MissingItem).await, [], "it may come back with the refund");
    desk.live(&mut engine, Duration::hours(1)).await;
    assert_eq!(desk.remediations(RemediationKind::MissingItem).await, [RemediationStatus::Open]);
    desk.assert_sound().await;
    let item = desk.item().await;
    let back = AppendAssetIDLink {
        workspace_id: desk.workspace_id,
        inventory_item_id: item.id,
        expected_step: None,
        asset_id: item.current_asset_id().to_string(),
        source: "sale_return".to_owned(),
        source_id: "case-7".to_owned(),
    };
    desk.operations.append_asset_id_link(&Caller::system(), back).await.unwrap();
    desk.live(&mut engine, Duration::minutes(10)).await;
    assert_eq!(desk.remediations(RemediationKind::MissingItem).await, [RemediationStatus::Resolved]);
}

#[tokio::test]
async fn an_item_that_its_buyer_keeps_is_reported_although_it_was_dismissed_before() {
    let (desk, mut engine) = Desk::on_sale(104).await;
    desk.strike(Fault::ItemWithheld { seconds: 3_600 });
    desk.live_until(&mut engine, all_items(1, ItemStatus::Missing)).await;
    desk.dismiss(RemediationKind::MissingItem).await;
    desk.live_until(&mut engine, all_items(1, ItemStatus::InInventory)).await;
    desk.put_on_sale().await;
    desk.live_until(&mut engine, all_items(1, ItemStatus::Listed)).await;
    desk.sell_to_who_keeps_it_with_the_money(&mut engine).await;
    desk.live(&mut engine, Duration::hours(1)).await;
    let reported = desk.remediations(RemediationKind::MissingItem).await;
    assert_eq!(reported, [RemediationStatus::Open, RemediationStatus::Dismissed]);
}

#[tokio::test]
async fn an_operator_writes_off_an_item_that_its_buyer_keeps_with_the_money() {
    let (desk, mut engine) = Desk::on_sale(102).await;
    desk.sell_to_who_keeps_it_with_the_money(&mut engine).await;
    desk.live(&mut engine, Duration::hours(1)).await;
    let shown = ActionArgs { evidence: "the platform's support says so".to_owned(), ..ActionArgs::default() };
    desk.run_action_of(RemediationKind::MissingItem, RemediationAction::WriteOff, shown).await;
    desk.live(&mut engine, Duration::hours(1)).await;
    assert_eq!(desk.item_statuses().await, [ItemStatus::WrittenOff]);
    assert_eq!(desk.remediations(RemediationKind::MissingItem).await, [RemediationStatus::Resolved]);
    desk.assert_sound().await;
}

#[tokio::test]
async fn trades_are_read_once_a_pass_however_many_items_should_come_back() {
    let (desk, mut engine) = Desk::on_sale_with(103, 3).await;
    desk.sell_to_who_keeps_it_with_the_money(&mut engine).await;
    let (marketplace, moody) = (Arc::new(desk.simulator.marketplace(CUSTOMER)), Moody::of(&desk));
    let mut engine = desk.engaged_over("node-1", (marketplace, moody.clone()));
    desk.live(&mut engine, Duration::minutes(10)).await;
    moody.mood.lock().unwrap().trades_read = 0;
    engine.pass().await;
    assert_eq!(moody.mood.lock().unwrap().trades_read, 1);
    assert_eq!(desk.item_statuses().await, [ItemStatus::Sold; 3]);
}

#[tokio::test]
async fn an_item_listed_without_an_answer_and_sold_before_the_next_pass_is_delivered() {
    let (desk, mut engine) = Desk::stocked(103).await;
    desk.strike(Fault::TimeoutAfterCommit { call: Call::List });
    desk.put_on_sale().await;
    engine.pass().await;
    assert_eq!(desk.item_statuses().await, [ItemStatus::Listing]);
    let own = desk.simulator.marketplace(CUSTOMER).own_listings().await.unwrap();
    desk.sell(&own[0].id);
    desk.simulator.advance(desk.step);
    desk.live_until(&mut engine, all_items(1, ItemStatus::Settled)).await;
    desk.assert_sound().await;
}

#[tokio::test]
async fn an_approved_intent_that_expired_keeps_no_item_from_being_sold() {
    let (desk, mut engine) = Desk::stocked(103).await;
    desk.put_on_sale().await;
    desk.simulator.advance(Duration::days(8));
    engine.pass().await;
    assert_eq!(desk.item_statuses().await, [ItemStatus::InInventory]);
    desk.put_on_sale().await;
    desk.live_until(&mut engine, all_items(1, ItemStatus::Listed)).await;
}

#[tokio::test]
async fn an_unexpected_sale_is_reported_as_long_as_its_buyer_waits() {
    let (desk, mut engine) = Desk::stocked(104).await;
    let (market, item) = (desk.simulator.marketplace(CUSTOMER), desk.item().await);
    // A person has put it on sale at the marketplace itself.
    let (owner, asset_id) = (desk.account.user, item.current_asset_id().clone());
    let listing = market.list(&SellRequest { owner, asset_id, price: cents(PRICE) }).await.unwrap();
    engine.pass().await;
    assert_eq!(desk.remediations(RemediationKind::ListingMismatch).await, []);
    desk.sell(&listing.id);
    desk.live(&mut engine, Duration::minutes(20)).await;
    assert_eq!(desk.remediations(RemediationKind::ListingMismatch).await, [RemediationStatus::NeedsOperator]);
    desk.live(&mut engine, Duration::hours(2)).await;
    assert_eq!(desk.remediations(RemediationKind::ListingMismatch).await, [RemediationStatus::Resolved]);
    assert_eq!(desk.item_statuses().await, [ItemStatus::InInventory]);
    desk.assert_sound().await;
}

#[tokio::test]
async fn a_listing_with_another_price_is_corrected_from_its_remediation() {
    let (desk, mut engine) = Desk::on_sale(105).await;
    let (market, listing_id) =
        (desk.simulator.marketplace(CUSTOMER), desk.item().await.sale_listing_id.clone().unwrap());
    market.reprice(&listing_id, cents(2 * PRICE)).await.unwrap();
    desk.live(&mut engine, Duration::minutes(20)).await;
    assert_eq!(desk.remediations(RemediationKind::ListingMismatch).await, [RemediationStatus::NeedsOperator]);
    let (marketplace, price_cents) = (MARKET.to_owned(), Some(PRICE));
    let args = ActionArgs { marketplace, price_cents, ..ActionArgs::default() };
    desk.run_action_of(RemediationKind::ListingMismatch, RemediationAction::Relist, args).await;
    desk.live(&mut engine, Duration::minutes(20)).await;
    assert_eq!(market.listing(&listing_id).await.unwrap().unwrap().offered.price, cents(PRICE));
    assert_eq!(desk.remediations(RemediationKind::ListingMismatch).await, [RemediationStatus::Resolved]);
    assert_eq!(desk.intents(IntentKind::Reprice).await.len(), 1);
}

#[tokio::test]
async fn an_item_whose_listing_the_marketplace_has_forgotten_is_no_longer_on_sale() {
    let (desk, mut engine) = Desk::stocked(106).await;
    desk.strike(Fault::ListingVanishes { seconds: 1_200 });
    desk.put_on_sale().await;
    desk.live_until(&mut engine, all_items(1, ItemStatus::Listed)).await;
    desk.live(&mut engine, Duration::minutes(20)).await;
    assert_eq!(desk.item_statuses().await, [ItemStatus::Listed], "it may be there again in a moment");
    desk.live_until(&mut engine, all_items(1, ItemStatus::InInventory)).await;
    assert_eq!(desk.remediations(RemediationKind::ListingMismatch).await, [RemediationStatus::Resolved]);
    desk.put_on_sale().await;
    desk.live_until(&mut engine, all_items(1, ItemStatus::Listed)).await;
    let listing_id = desk.item().await.sale_listing_id.clone().unwrap();
    let listing = desk.simulator.marketplace(CUSTOMER).listing(&listing_id).await.unwrap().unwrap();
    assert_eq!(listing.status, ListingStatus::OnSale);
    desk.assert_sound().await;
}

#[tokio::test]
async fn deals_in_an_unknown_state_are_reported_and_unchanged_until_it_is_known() {
    let (desk, mut engine) = Desk::on_sale(83).await;
    desk.buying(2).await;
    desk.live_until(&mut engine, |purchases, _| purchases.iter().any(|one| one.status == PurchaseStatus::Paid)).await;
    desk.strike(Fault::UnknownState { number: 17, seconds: 900 });
    desk.sell_item().await;
    let before = desk.purchases().await;
    let pass = engine.pass().await;
    let is_unknown = |error: &EngineError| matches!(error, EngineError::UnknownState { number: 17, .. });
    assert!(pass.errors.iter().filter(|error| is_unknown(error)).count() >= 2, "{:?}", pass.errors);
    assert_eq!(desk.purchases().await, before);
    assert_eq!(desk.item().await.status, ItemStatus::Listed, "of a sale in an unknown state nothing follows");
    desk.live(&mut engine, Duration::minutes(9)).await;
    let is_ended = |purchase: &Purchase| matches!(purchase.status, PurchaseStatus::Failed | PurchaseStatus::Refunded);
    assert!(!desk.purchases().await.iter().any(is_ended));
    desk.live_until(&mut engine, |purchases, items| {
        let is_settled = |purchase: &Purchase| purchase.status == PurchaseStatus::Settled;
        purchases.iter().all(is_settled) && items.iter().any(|item| item.status == ItemStatus::Settled)
    })
    .await;
    desk.assert_sound().await;
}

#[tokio::test]
async fn an_item_whose_sale_is_in_an_unknown_state_is_not_sent() {
    let (desk, mut engine) = Desk::on_sale(84).await;
    desk.sell_item().await;
    desk.strike(Fault::TimeoutBeforeCommit { call: Call::Send });
    desk.live_until(&mut engine, all_items(1, ItemStatus::Delivering)).await;
    desk.strike(Fault::UnknownState { number: 17, seconds: 900 });
    let started = desk.item().await.updated_at;
    desk.live(&mut engine, Duration::minutes(9)).await;
    let sent = desk.simulator.platform().offers(desk.account.user, started).await.unwrap();
    assert_eq!(sent.iter().filter(|offer| offer.is_ours).count(), 0);
    assert_eq!(desk.item().await.status, ItemStatus::Delivering);
    desk.live_until(&mut engine, all_items(1, ItemStatus::Settled)).await;
    desk.assert_sound().await;
}

#[tokio::test]
async fn an_item_whose_listing_had_no_answer_stays_set_aside_while_its_sale_is_in_an_unknown_state() {
    let (desk, mut engine) = Desk::stocked(85).await;
    desk.strike(Fault::TimeoutAfterCommit { call: Call::List });
    desk.put_on_sale().await;
    engine.pass().await;
    assert_eq!(desk.item().await.status, ItemStatus::Listing);
    let own = desk.simulator.marketplace(CUSTOMER).own_listings().await.unwrap();
    desk.sell(&own[0].id);
    desk.strike(Fault::UnknownState { number: 17, seconds: 900 });
    desk.live(&mut engine, Duration::minutes(9)).await;
    assert_eq!(desk.item().await.status, ItemStatus::Listing);
    desk.live_until(&mut engine, all_items(1, ItemStatus::Settled)).await;
    desk.assert_sound().await;
}
