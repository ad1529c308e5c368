//! Every fault of the world: that it strikes, and the way from there to its end.

use time::Duration;
use tradepost_adapters_simulator::{Call, Fault, Side};
use tradepost_domain::contracts::inventory_item::ItemStatus;
use tradepost_domain::contracts::purchase::{FailureCode, Purchase, PurchaseStatus};
use tradepost_domain::id::Id;
use tradepost_domain::time::Timestamp;
use tradepost_domain::trading::trade_offer::OfferOwner;
use tradepost_domain::transition::Subject;
use tradepost_operations::Caller;
use tradepost_operations::contracts::{GetTransitions, ListTransitions, ReconcilePurchase};

use crate::desk::{Desk, all_items, all_purchases};

/// A purchase that nothing disturbs.
const BOUGHT: &str = "PENDING SUBMITTED PAID +10m OFFERED TRADED";
/// An item whose sale nothing disturbs.
pub(crate) const SOLD: &str = "IN_INVENTORY LISTING LISTED RESERVED DELIVERING SOLD SETTLED";
/// How long a side is out, in seconds.
const OUT: u32 = 1_800;

/// The status that a record went to, and when.
type Step = (&'static str, Timestamp);

impl Desk {
    /// The steps of a record, in order.
    pub(crate) async fn steps(&self, subject: Subject) -> Vec<Step> {
        let (workspace_id, cursor, from, to) = (self.workspace_id, String::new(), None, None);
        let (subject_kind, subject_id) = (Some(subject.kind()), Some(Id::from_bytes(subject.id_bytes())));
        let list = ListTransitions {
            workspace_id,
            limit: 200,
            cursor,
            subject_kind,
            subject_id,
            from,
            to,
            subject_kinds: Vec::new(),
        };
        let transition_ids = self.operations.list_transitions(&Caller::system(), list).await.unwrap().entries;
        let get = GetTransitions { workspace_id, transition_ids };
        let found = self.operations.get_transitions(&Caller::system(), get).await.unwrap().transitions;
        found.iter().rev().map(|step| (step.to, step.at)).collect()
    }

    fn strike_with(&self, fault: Fault) {
        self.simulator.world(|world| world.inject(fault));
    }

    pub(crate) async fn first_purchase(&self) -> OfferOwner {
        OfferOwner::Purchase(self.purchases().await.pop().unwrap().terms.id)
    }

    pub(crate) async fn first_item(&self) -> OfferOwner {
        OfferOwner::Item(self.items().await.pop().unwrap().id)
    }

    /// Asserts that everything that was to go wrong has, which way a purchase or an item went, with the minutes on it where the way that
    /// is expected has any, and how the offers for it ended.
    pub(crate) async fn assert_went(&self, owner: OfferOwner, (way, offers): (&str, &str)) {
        let waiting = self.simulator.world(|world| world.armed().to_vec());
        assert!(waiting.is_empty(), "never struck: {waiting:?}");
        let steps = match owner {
            OfferOwner::Purchase(id) => self.steps(Subject::Purchase(id)).await,
            OfferOwner::Item(id) => self.steps(Subject::InventoryItem(id)).await,
        };
        let went = if way.contains('+') { timed(&steps) } else { named(&steps) };
        let ended: Vec<_> = self.offers_of(owner).await.iter().rev().map(|offer| offer.status.as_str()).collect();
        assert_eq!((went.as_str(), ended.join(" ").as_str()), (way, offers));
    }
}

fn named(steps: &[Step]) -> String {
    steps.iter().map(|(status, _)| *status).collect::<Vec<_>>().join(" ")
}

/// The same with the minutes between them.
fn timed(steps: &[Step]) -> String {
    let mut texts = Vec::new();
    for (place, (status, at)) in steps.iter().enumerate() {
        let waited = place.checked_sub(1).map_or(0, |before| at.since(steps[before].1).whole_minutes());
        if waited > 0 {
            texts.push(format!("+{waited}m"));
        }
        texts.push((*status).to_owned());
    }
    texts.join(" ")
}

/// A desk with a contract that wants one item, where this goes wrong with it.
async fn struck_by(fault: Fault) -> Desk {
    let desk = Desk::slow(11).await;
    desk.buying(1).await;
    desk.strike_with(fault);
    desk
}

/// The same, where one item was bought and is on sale when this goes wrong.
async fn struck_on_sale_by(fault: Fault) -> Desk {
    let desk = Desk::slow(12).await;
    desk.buying(1).await;
    desk.selling().await;
    desk.live_until(&mut desk.engine(), all_items(1, ItemStatus::Listed)).await;
    desk.strike_with(fault);
    desk
}

/// The fault ends in one purchase that brought its item, this way.
async fn assert_bought(fault: Fault, way: (&str, &str)) {
    let desk = struck_by(fault).await;
    desk.live_until(&mut desk.engine(), all_purchases(1, PurchaseStatus::Traded)).await;
    desk.assert_went(desk.first_purchase().await, way).await;
    desk.assert_sound().await;
}

/// The fault ends the first purchase like this, with its money free or back, and the contract has bought another one.
async fn assert_replaced(fault: Fault, code: FailureCode, way: (&str, &str)) {
    let desk = struck_by(fault).await;
    let first = |purchase: &Purchase| purchase.status.is_terminal() && purchase.progress.failure_code == Some(code);
    desk.live_until(&mut desk.engine(), |purchases, items| purchases.last().is_some_and(first) && items.len() == 1)
        .await;
    assert_eq!(desk.purchases().await.len(), 2);
    desk.assert_went(desk.first_purchase().await, way).await;
    desk.assert_sound().await;
}

/// The fault does not keep the item from being sold in the end, this way.
async fn assert_sold(fault: Fault, way: (&str, &str)) {
    let desk = struck_on_sale_by(fault).await;
    desk.live_until(&mut desk.engine(), all_items(1, ItemStatus::Settled)).await;
    desk.assert_went(desk.first_item().await, way).await;
    desk.assert_sound().await;
}

/// While a side is out, one purchase goes as far as this, and the rest of its way once it is back.
async fn waiting_for(desk: Desk, outage: fn(Side, u32) -> Fault, (side, waiting_way): (Side, &str)) -> Desk {
    desk.buying(1).await;
    let back = desk.simulator.world(|world| world.now()).plus(Duration::seconds(OUT.into()));
    desk.strike_with(outage(side, OUT));
    desk.live_until(&mut desk.engine(), all_purchases(1, PurchaseStatus::Traded)).await;
    let OfferOwner::Purchase(id) = desk.first_purchase().await else { unreachable!("it is a purchase") };
    let steps = desk.steps(Subject::Purchase(id)).await;
    let begun: Vec<Step> = steps.iter().copied().filter(|(_, at)| *at < back).collect();
    assert_eq!(
        (named(&begun).as_str(), named(&steps).as_str()),
        (waiting_way, "PENDING SUBMITTED PAID OFFERED TRADED")
    );
    desk
}

const fn storm(side: Side, seconds: u32) -> Fault {
    Fault::RateLimitStorm { side, seconds }
}

const fn sign_out(side: Side, seconds: u32) -> Fault {
    Fault::SessionLost { side, seconds }
}

#[tokio::test]
async fn a_purchase_whose_answer_was_lost_is_found_and_not_made_twice() {
    let way = ("PENDING SUBMITTED UNCERTAIN +10m PAID OFFERED TRADED", "COMPLETED");
    assert_bought(Fault::TimeoutAfterCommit { call: Call::Buy }, way).await;
}

#[tokio::test]
async fn a_purchase_whose_answer_was_lost_is_found_at_once_when_an_operator_asks() {
    let desk = struck_by(Fault::TimeoutAfterCommit { call: Call::Buy }).await;
    let mut engine = desk.engine();
    desk.live_until(&mut engine, all_purchases(1, PurchaseStatus::Uncertain)).await;
    desk.operations.offer_lookup(engine.purchase_lookup());
    let purchase_id = desk.purchases().await[0].terms.id;
    let command = ReconcilePurchase { workspace_id: desk.workspace_id, purchase_id };
    let found = desk.operations.reconcile_purchase(&Caller::system(), command).await.unwrap();
    assert_eq!(found.value.status, PurchaseStatus::Paid);
    desk.live_until(&mut engine, all_purchases(1, PurchaseStatus::Traded)).await;
    desk.assert_sound().await;
}

#[tokio::test]
async fn a_purchase_that_was_never_made_is_proven_absent_before_its_money_is_free() {
    let fault = Fault::TimeoutBeforeCommit { call: Call::Buy };
    assert_replaced(fault, FailureCode::NotPlaced, ("PENDING SUBMITTED UNCERTAIN FAILED", "")).await;
}

#[tokio::test]
async fn a_listing_that_was_sold_already_is_not_bought() {
    assert_replaced(Fault::SoldAlready, FailureCode::SoldAlready, ("PENDING SUBMITTED FAILED", "")).await;
}

#[tokio::test]
async fn a_price_that_moved_is_not_chased() {
    let fault = Fault::PriceMoved { percent: 10 };
    assert_replaced(fault, FailureCode::PriceChanged, ("PENDING SUBMITTED FAILED", "")).await;
}

#[tokio::test]
async fn a_storm_of_limits_is_waited_for() {
    for waits in [(Side::Marketplace, ""), (Side::Platform, "PENDING SUBMITTED PAID")] {
        waiting_for(Desk::lively(11).await, storm, waits).await.assert_sound().await;
    }
}

#[tokio::test]
async fn a_session_that_is_lost_for_a_while_loses_nothing() {
    for waits in [(Side::Marketplace, ""), (Side::Platform, "PENDING SUBMITTED PAID")] {
        waiting_for(Desk::lively(11).await, sign_out, waits).await.assert_sound().await;
    }
    let desk = waiting_for(Desk::lively(11).await.abroad(), sign_out, (Side::Rates, "")).await;
    let (purchases, items) = (desk.purchases().await, desk.items().await);
    desk.assert_deals_agree(&purchases, &items).await;
}

#[tokio::test]
async fn an_offer_that_is_accepted_without_an_answer_is_read_again() {
    // In one pass a purchase is looked at as one that was paid, and as one that was offered.
    let (call, way) = (Call::Accept, (BOUGHT, "COMPLETED"));
    assert_bought(Fault::TimeoutAfterCommit { call }, way).await;
    assert_bought(Fault::TimeoutBeforeCommit { call }, way).await;
}

#[tokio::test]
async fn an_offer_that_vanishes_is_followed_by_another() {
    // It is seen before it vanishes, as both tries to accept it fail, and seen as missing before the seller sends another.
    let mut desk = struck_by(Fault::TimeoutBeforeCommit { call: Call::Accept }).await;
    desk.strike_with(Fault::TimeoutBeforeCommit { call: Call::Accept });
    desk.step = Duration::seconds(30);
    desk.strike_with(Fault::OfferVanishes { seconds: 30 });
    desk.live_until(&mut desk.engine(), all_purchases(1, PurchaseStatus::Traded)).await;
    let way = ("PENDING SUBMITTED PAID OFFERED PAID OFFERED TRADED", "ACTIVE COMPLETED");
    desk.assert_went(desk.first_purchase().await, way).await;
    desk.assert_sound().await;
}

#[tokio::test]
async fn an_offer_that_shows_no_items_is_not_accepted_until_it_does() {
    let way = ("PENDING SUBMITTED PAID +20m OFFERED TRADED", "COMPLETED");
    assert_bought(Fault::GlitchedOffer { seconds: 900 }, way).await;
}

#[tokio::test]
async fn a_trade_that_fails_is_followed_by_another_under_the_items_new_id() {
    let way = ("PENDING SUBMITTED PAID +10m OFFERED PAID +10m OFFERED TRADED", "ACTIVE COMPLETED");
    assert_bought(Fault::FailedTrade, way).await;
    assert_bought(Fault::FailedInPlace, way).await;
}

#[tokio::test]
async fn a_held_trade_is_waited_for() {
    let way = ("PENDING SUBMITTED PAID +10m OFFERED TRADE_HELD +1440m TRADED", "COMPLETED");
    assert_bought(Fault::Escrow { hours: 24, rolled_back: false }, way).await;
}

#[tokio::test]
async fn an_item_that_arrives_after_the_deadline_is_accepted_before_the_refund() {
    let mut desk = struck_by(Fault::LateDelivery { seconds: 1 }).await;
    desk.step = Duration::minutes(2);
    let late = |purchase: &Purchase| purchase.was_traded();
    desk.live_until(&mut desk.engine(), |purchases, _| purchases.last().is_some_and(late)).await;
    let way = ("PENDING SUBMITTED PAID +60m REFUND_PENDING +2m TRADED", "COMPLETED");
    desk.assert_went(desk.first_purchase().await, way).await;
    desk.assert_sound().await;
}

#[tokio::test]
async fn another_item_than_was_bought_is_declined_and_the_money_comes_back() {
    let desk = struck_by(Fault::ItemSwapped).await;
    let is_refunded = |purchase: &Purchase| purchase.status == PurchaseStatus::Refunded;
    desk.live_until(&mut desk.engine(), |purchases, items| {
        purchases.last().is_some_and(is_refunded) && items.len() == 1
    })
    .await;
    let way = ("PENDING SUBMITTED PAID +20m REFUND_PENDING REFUNDED", "DECLINED");
    desk.assert_went(desk.first_purchase().await, way).await;
    desk.assert_sound().await;
}

#[tokio::test]
async fn a_trade_that_is_rolled_back_out_of_escrow_is_refunded() {
    let fault = Fault::Escrow { hours: 24, rolled_back: true };
    let way = ("PENDING SUBMITTED PAID +10m OFFERED TRADE_HELD +1440m REFUND_PENDING +10m REFUNDED", "ROLLED_BACK");
    assert_replaced(fault, FailureCode::EscrowRolledBack, way).await;
}

#[tokio::test]
async fn an_item_that_arrives_after_the_refund_is_not_accepted() {
    let way = ("PENDING SUBMITTED PAID +60m REFUND_PENDING +10m REFUNDED", "");
    assert_replaced(Fault::LateDelivery { seconds: 3_600 }, FailureCode::SellerLate, way).await;
}

#[tokio::test]
async fn an_item_that_arrives_after_an_unseen_refund_is_not_accepted() {
    let mut desk = struck_by(Fault::LateDelivery { seconds: 1_200 }).await;
    desk.step = Duration::minutes(90);
    let is_refunded = |purchase: &Purchase| purchase.status == PurchaseStatus::Refunded && !purchase.was_traded();
    desk.live_until(&mut desk.engine(), |purchases, _| purchases.last().is_some_and(is_refunded)).await;
    let way = ("PENDING SUBMITTED PAID +90m REFUND_PENDING REFUNDED", "ACTIVE");
    desk.assert_went(desk.first_purchase().await, way).await;
    desk.assert_sound().await;
}

#[tokio::test]
async fn a_purchase_that_is_reversed_on_any_day_ends_refunded_and_its_item_reverted() {
    for day in 0..7 {
        let desk = struck_by(Fault::Reversal { hours: 24 * day + 1 }).await;
        let reverted = |purchase: &Purchase| purchase.status == PurchaseStatus::Refunded && purchase.was_traded();
        let mut engine = desk.engine();
        desk.live_until(&mut engine, |purchases, _| purchases.last().is_some_and(reverted)).await;
        assert_eq!(desk.item_statuses().await.first(), Some(&ItemStatus::Reverted), "day {day}");
        let minutes = 60 * (24 * day + 1);
        let way = format!("{BOUGHT} +{minutes}m REVERTED +10m REFUNDED");
        desk.assert_went(desk.first_purchase().await, (&way, "REVERTED")).await;
        desk.assert_sound().await;
    }
}

#[tokio::test]
async fn a_listing_whose_answer_was_lost_is_found_and_not_made_twice() {
    let asked_again = format!("IN_INVENTORY LISTING {SOLD}");
    for (fault, way) in [
        (Fault::TimeoutAfterCommit { call: Call::List }, SOLD),
        (Fault::TimeoutBeforeCommit { call: Call::List }, &asked_again),
    ] {
        let desk = struck_by(fault).await;
        desk.selling().await;
        desk.live_until(&mut desk.engine(), all_items(1, ItemStatus::Settled)).await;
        desk.assert_went(desk.first_item().await, (way, "FINAL")).await;
        desk.assert_sound().await;
    }
}

#[tokio::test]
async fn an_offer_to_a_buyer_is_sent_once_whatever_became_of_the_answer() {
    assert_sold(Fault::TimeoutAfterCommit { call: Call::Send }, (SOLD, "FINAL")).await;
    assert_sold(Fault::TimeoutBeforeCommit { call: Call::Send }, (SOLD, "FINAL")).await;
}

#[tokio::test]
async fn a_confirmation_whose_answer_was_lost_is_read_again() {
    assert_sold(Fault::TimeoutAfterCommit { call: Call::Answer }, (SOLD, "FINAL")).await;
    assert_sold(Fault::TimeoutBeforeCommit { call: Call::Answer }, (SOLD, "FINAL")).await;
}

#[tokio::test]
async fn a_confirmation_that_never_appears_is_requested_again() {
    assert_sold(Fault::LostConfirmation, (SOLD, "CANCELLED FINAL")).await;
}

#[tokio::test]
async fn a_trade_with_a_buyer_that_fails_is_made_again() {
    assert_sold(Fault::FailedTrade, (SOLD, "ROLLED_BACK FINAL")).await;
    assert_sold(Fault::FailedInPlace, (SOLD, "ROLLED_BACK FINAL")).await;
}

#[tokio::test]
async fn a_trade_with_a_buyer_that_is_held_ends_either_way() {
    let held = "IN_INVENTORY LISTING LISTED RESERVED DELIVERING HELD";
    for (rolled_back, way, offers) in
        [(false, format!("{held} SOLD SETTLED"), "FINAL"), (true, format!("{held} {SOLD}"), "ROLLED_BACK FINAL")]
    {
        let mut desk = struck_on_sale_by(Fault::Escrow { hours: 24, rolled_back }).await;
        let mut engine = desk.engine();
        desk.sell_though_held(&mut engine).await;
        desk.live_until(&mut engine, all_items(1, ItemStatus::Settled)).await;
        desk.assert_went(desk.first_item().await, (&way, offers)).await;
        desk.assert_sound().await;
    }
}

#[tokio::test]
async fn a_sale_that_is_reversed_brings_the_item_back_to_be_sold_again() {
    let way = "IN_INVENTORY LISTING LISTED RESERVED DELIVERING SOLD";
    for day in [0, 3, 6] {
        assert_sold(Fault::Reversal { hours: 24 * day + 1 }, (&format!("{way} {SOLD}"), "REVERTED FINAL")).await;
    }
}

#[tokio::test]
async fn nothing_but_the_money_comes_back_of_a_trade_after_its_protection() {
    let desk = struck_by(Fault::Reversal { hours: 24 * 8 }).await;
    desk.live(&mut desk.engine(), Duration::days(9)).await;
    let way = "PENDING SUBMITTED PAID OFFERED TRADED SETTLED";
    desk.assert_went(desk.first_purchase().await, (way, "FINAL")).await;
}
