//! The decisions of the delivery of a purchase, arm by arm.

use super::*;
use tradepost_domain::asset::Wear;
use tradepost_ports::external::Effect;
use tradepost_ports::game_platform::PlatformRefusal;
use tradepost_testkit::samples::{minute, text};

use crate::samples::{asset, asset_id, cents, moved, offer, order, purchase, trade, trade_in};

const PATIENCE: Duration = Duration::minutes(60);

/// A purchase with its order.
struct Paid {
    purchase: Purchase,
    order: OurOrder,
    has_custody: bool,
}

impl Paid {
    fn new(status: PurchaseStatus, shown: OrderStatus) -> Self {
        Self { purchase: purchase(status), order: order(shown), has_custody: false }
    }

    fn refunded(status: PurchaseStatus, amount: i64) -> Self {
        let order = OurOrder { refunded: cents(amount), ..order(OrderStatus::Refunded) };
        Self { order, ..Self::new(status, OrderStatus::Refunded) }
    }

    fn view(&self) -> PaidPurchase<'_> {
        PaidPurchase::new(&self.purchase, &self.order, self.has_custody)
    }

    fn report(&self, sight: &PlatformView, at: i64) -> DeliveryReport {
        self.view().report(Ok(sight), minute(at), PATIENCE)
    }

    fn trade_step(&self, status: TradeStatus) -> TradeStep {
        self.view().trade_step(&trade(status))
    }
}

fn overdue(by: &str, lasting: Duration) -> DeliveryReport {
    DeliveryReport::Overdue { shown_by: text(by), lasting }
}

fn waiting() -> Paid {
    Paid::new(PurchaseStatus::Paid, OrderStatus::AwaitingSeller)
}

#[test]
fn the_refund_of_a_failed_or_reversed_purchase_is_booked() {
    for status in [PurchaseStatus::RefundPending, PurchaseStatus::Reverted] {
        let step = Paid::refunded(status, 1_220).view().order_step(minute(0), PATIENCE);
        assert_eq!(step, OrderStep::BookRefund(cents(1_220)));
    }
}

#[test]
fn a_refund_of_nothing_for_a_reversed_purchase_is_reported() {
    let reported = OrderStep::ReportDue(overdue("order-1", Duration::ZERO));
    assert_eq!(Paid::refunded(PurchaseStatus::Reverted, 0).view().order_step(minute(0), PATIENCE), reported);
}

#[test]
fn a_reversed_purchase_waits_for_its_refund() {
    let waits = Paid::new(PurchaseStatus::Reverted, OrderStatus::Reverted).view().order_step(minute(9_999), PATIENCE);
    assert_eq!(waits, OrderStep::ReportDue(DeliveryReport::Resolved));
}

#[test]
fn the_platform_is_read_for_every_other_paid_purchase() {
    assert_eq!(waiting().view().order_step(minute(0), PATIENCE), OrderStep::ReadPlatform);
    let refunded = Paid::refunded(PurchaseStatus::Paid, 1_220);
    assert_eq!(refunded.view().order_step(minute(0), PATIENCE), OrderStep::ReadPlatform);
}

#[test]
fn a_delivery_is_overdue_after_the_deadline_of_its_seller() {
    let mut late = waiting();
    late.order.deliver_by = Some(minute(200));
    assert_eq!(late.report(&PlatformView::Absent, 260), DeliveryReport::Resolved);
    assert_eq!(late.report(&PlatformView::Absent, 261), overdue("order-1", Duration::ZERO));
}

#[test]
fn a_delivery_that_the_marketplace_has_ended_is_not_overdue() {
    let ended = Paid::new(PurchaseStatus::Paid, OrderStatus::Failed(FailureCode::SellerLate));
    assert_eq!(ended.report(&PlatformView::Absent, 9_999), DeliveryReport::Resolved);
}

#[test]
fn an_item_that_left_custody_is_overdue_once_that_has_lasted() {
    let custody = Paid { has_custody: true, ..waiting() };
    assert_eq!(custody.report(&PlatformView::Absent, 161), overdue("order-1", PATIENCE));
}

#[test]
fn an_item_in_custody_is_overdue_from_when_it_can_be_withdrawn() {
    let kept = OrderStatus::InCustody { withdrawable_at: Some(minute(300)) };
    let custody = Paid { has_custody: true, ..Paid::new(PurchaseStatus::Paid, kept) };
    assert_eq!(custody.report(&PlatformView::Absent, 360), DeliveryReport::Resolved);
    assert_eq!(custody.report(&PlatformView::Absent, 361), overdue("order-1", PATIENCE));
}

#[test]
fn a_held_trade_is_overdue_after_its_time_unless_it_was_released() {
    let mut held = Paid::new(PurchaseStatus::TradeHeld, OrderStatus::Offered);
    let mut parts = held.purchase.into_parts();
    parts.progress.held_until = Some(minute(200));
    held.purchase = Purchase::restore(parts).unwrap();
    let shown = |status| PlatformView::Trade(trade_in(status));
    assert_eq!(held.report(&shown(TradeStatus::InEscrow), 260), DeliveryReport::Resolved);
    assert_eq!(held.report(&shown(TradeStatus::InEscrow), 261), overdue("order-1", Duration::ZERO));
    for released in [TradeStatus::Complete, TradeStatus::EscrowRollback, TradeStatus::Failed] {
        assert_eq!(held.report(&shown(released), 261), DeliveryReport::Resolved);
    }
}

#[test]
fn a_held_trade_of_an_order_that_was_ended_is_overdue_at_once() {
    let held = Paid::new(PurchaseStatus::TradeHeld, OrderStatus::Failed(FailureCode::SellerLate));
    let shown = PlatformView::Trade(trade_in(TradeStatus::InEscrow));
    assert_eq!(held.report(&shown, 0), overdue("order-1", Duration::ZERO));
}

#[test]
fn a_refund_that_does_not_come_is_overdue() {
    let due = Paid::new(PurchaseStatus::RefundPending, OrderStatus::Failed(FailureCode::SellerLate));
    assert_eq!(due.report(&PlatformView::Absent, 160), DeliveryReport::Resolved);
    assert_eq!(due.report(&PlatformView::Absent, 161), overdue("order-1", Duration::ZERO));
    let kept = Paid::refunded(PurchaseStatus::RefundPending, 0);
    assert_eq!(kept.report(&PlatformView::Absent, 0), overdue("order-1", Duration::ZERO));
}

#[test]
fn a_trade_that_could_not_be_rolled_back_is_reported_at_once() {
    let stuck = PlatformView::Trade(trade(TradeStatus::RollbackFailed));
    assert_eq!(waiting().report(&stuck, 0), overdue("trade-1", Duration::ZERO));
}

#[test]
fn an_earlier_report_stays_open_while_the_platform_does_not_answer() {
    let silent = EngineError::Platform(ExternalError::Unknown("timeout".to_owned()));
    assert_eq!(waiting().view().report(Err(&silent), minute(0), PATIENCE), DeliveryReport::Unchanged);
}

#[test]
fn a_delivery_that_the_platform_does_not_know_for_long_is_reported() {
    let mut waiting = waiting();
    waiting.order.deliver_by = Some(minute(9_999));
    let unknown = EngineError::Platform(ExternalError::Rejected(PlatformRefusal::NotFound));
    let report = |at| waiting.view().report(Err(&unknown), minute(at), PATIENCE);
    assert_eq!(report(160), DeliveryReport::Unchanged);
    assert_eq!(report(161), overdue("order-1", Duration::ZERO));
}

#[test]
fn an_order_that_the_marketplace_does_not_know_for_long_is_reported() {
    let report = |at| unknown_order_report(&purchase(PurchaseStatus::Paid), &text("order-1"), minute(at), PATIENCE);
    assert_eq!(report(160), DeliveryReport::Unchanged);
    assert_eq!(report(161), overdue("order-1", Duration::ZERO));
}

#[test]
fn a_delivery_that_the_marketplace_has_ended_fails() {
    for status in [PurchaseStatus::Paid, PurchaseStatus::Offered] {
        let failed = Paid::new(status, OrderStatus::Failed(FailureCode::SellerLate)).view().seller_step(minute(0));
        assert_eq!(failed, SellerStep::Apply(PurchaseEvent::DeliveryFailed(FailureCode::SellerLate)));
        let refunded = Paid::refunded(status, 1_220).view().seller_step(minute(0));
        let code = FailureCode::CancelledByMarketplace;
        assert_eq!(refunded, SellerStep::Apply(PurchaseEvent::DeliveryFailed(code)));
    }
}

#[test]
fn an_offer_that_vanished_is_lost_while_the_order_is_open() {
    let step = Paid::new(PurchaseStatus::Offered, OrderStatus::AwaitingSeller).view().seller_step(minute(0));
    assert_eq!(step, SellerStep::Apply(PurchaseEvent::OfferLost));
}

#[test]
fn an_item_is_withdrawn_from_custody_once_that_is_possible() {
    let step = |withdrawable_at, at| {
        Paid::new(PurchaseStatus::Paid, OrderStatus::InCustody { withdrawable_at }).view().seller_step(minute(at))
    };
    assert_eq!(step(None, 0), SellerStep::Withdraw);
    assert_eq!([9, 10].map(|at| step(Some(minute(10)), at)), [SellerStep::Wait, SellerStep::Withdraw]);
}

#[test]
fn a_seller_who_has_time_left_is_waited_for() {
    assert_eq!(waiting().view().seller_step(minute(0)), SellerStep::Wait);
}

#[test]
fn only_an_active_offer_with_visible_items_is_compared() {
    assert_eq!(waiting().view().offer_step(&offer(OfferStatus::Active)), OfferStep::Compare);
    let hidden = Offer { receive: Vec::new(), ..offer(OfferStatus::Active) };
    assert_eq!(waiting().view().offer_step(&hidden), OfferStep::Wait);
    for status in [OfferStatus::Accepted, OfferStatus::InEscrow, OfferStatus::Unknown(99)] {
        assert_eq!(waiting().view().offer_step(&offer(status)), OfferStep::Wait);
    }
}

#[test]
fn an_offer_that_has_ended_delivers_nothing() {
    for status in [OfferStatus::Countered, OfferStatus::Expired, OfferStatus::Cancelled, OfferStatus::Declined] {
        assert_eq!(waiting().view().offer_step(&offer(status)), OfferStep::Absent);
    }
}

#[test]
fn an_offer_is_not_accepted_after_a_refund() {
    let refunded = Paid::refunded(PurchaseStatus::Paid, 1_220);
    assert_eq!(refunded.view().offer_step(&offer(OfferStatus::Active)), OfferStep::Absent);
}

#[test]
fn an_offer_of_the_listed_asset_matches() {
    assert_eq!(waiting().view().offer_match(&offer(OfferStatus::Active)), OfferMatch::Matches);
}

#[test]
fn an_offer_that_asks_for_something_or_gives_something_else_differs() {
    let whole = || offer(OfferStatus::Active);
    let other_name = tradepost_ports::game_platform::Asset { market_hash_name: text("Glove Case"), ..asset("7") };
    let offers = [
        Offer { give: vec![asset("1")], ..whole() },
        Offer { receive: vec![asset("7"), asset("9")], ..whole() },
        Offer { receive: vec![other_name], ..whole() },
        Offer { is_ours: true, ..whole() },
    ];
    for offer in offers {
        assert_eq!(waiting().view().offer_match(&offer), OfferMatch::Differs);
    }
}

#[test]
fn the_traits_of_an_item_decide_under_another_asset_id() {
    let other = Offer { receive: vec![asset("9")], ..offer(OfferStatus::Active) };
    let origin = |paid: &Paid| match paid.view().offer_match(&other) {
        OfferMatch::ByTraits { origin, .. } => Some(origin),
        OfferMatch::Matches | OfferMatch::Differs => None,
    };
    assert_eq!(origin(&waiting()), Some(Origin::Seller));
    let mut custody = Paid { has_custody: true, ..waiting() };
    assert_eq!(origin(&custody), Some(Origin::Seller), "the marketplace names a seller");
    custody.order.seller = None;
    assert_eq!(origin(&custody), Some(Origin::Custody));
}

#[test]
fn the_item_of_a_completed_trade_is_received_even_if_it_was_returned_later() {
    for status in [TradeStatus::Complete, TradeStatus::ProtectionRollback, TradeStatus::FullSupportRollback] {
        assert_eq!(waiting().trade_step(status), TradeStep::Receive);
    }
}

#[test]
fn a_trade_in_escrow_is_recorded_once() {
    let held_until = minute(50);
    let recorded = PurchaseEvent::TradeHeld { trade_id: text("trade-1"), held_until };
    assert_eq!(waiting().trade_step(TradeStatus::InEscrow), TradeStep::Apply(recorded));
    let held = Paid::new(PurchaseStatus::TradeHeld, OrderStatus::Offered);
    assert_eq!(held.trade_step(TradeStatus::InEscrow), TradeStep::Wait);
}

#[test]
fn a_held_trade_that_ends_without_the_item_is_rolled_back() {
    let held = Paid::new(PurchaseStatus::TradeHeld, OrderStatus::Offered);
    for status in [TradeStatus::EscrowRollback, TradeStatus::Failed] {
        assert_eq!(held.trade_step(status), TradeStep::Apply(PurchaseEvent::HoldRolledBack));
    }
}

#[test]
fn a_trade_that_was_not_held_fails_or_delivers_nothing() {
    let failed = PurchaseEvent::DeliveryFailed(FailureCode::EscrowRolledBack);
    assert_eq!(waiting().trade_step(TradeStatus::EscrowRollback), TradeStep::Apply(failed));
    assert_eq!(waiting().trade_step(TradeStatus::Failed), TradeStep::Absent);
}

#[test]
fn a_stuck_trade_counts_once_the_marketplace_has_ended_the_order() {
    let ended = |status| Paid::new(status, OrderStatus::Failed(FailureCode::SellerLate));
    for status in [TradeStatus::RollbackFailed, TradeStatus::RollbackAbandoned] {
        assert_eq!(waiting().trade_step(status), TradeStep::Wait);
        assert_eq!(ended(PurchaseStatus::Paid).trade_step(status), TradeStep::Absent);
        let rolled_back = TradeStep::Apply(PurchaseEvent::HoldRolledBack);
        assert_eq!(ended(PurchaseStatus::TradeHeld).trade_step(status), rolled_back);
    }
}

#[test]
fn a_trade_that_has_not_ended_is_waited_for() {
    for status in [TradeStatus::Init, TradeStatus::PreCommitted, TradeStatus::Committed, TradeStatus::Unknown(99)] {
        assert_eq!(waiting().trade_step(status), TradeStep::Wait);
    }
}

#[test]
fn a_purchase_that_waits_for_its_refund_takes_no_other_step_by_a_trade() {
    let due = Paid::new(PurchaseStatus::RefundPending, OrderStatus::Failed(FailureCode::SellerLate));
    assert_eq!(due.trade_step(TradeStatus::InEscrow), TradeStep::Wait);
    assert_eq!(due.trade_step(TradeStatus::EscrowRollback), TradeStep::Wait);
}

#[test]
fn a_refund_despite_a_completed_trade_is_unearned_unless_the_trade_was_reversed() {
    let refunded = Paid::refunded(PurchaseStatus::Paid, 1_220);
    let complete = trade_in(TradeStatus::Complete);
    assert_eq!(refunded.view().refund_despite(&complete), Some(cents(1_220)));
    assert_eq!(refunded.view().refund_despite(&trade_in(TradeStatus::ProtectionRollback)), None);
    assert_eq!(waiting().view().refund_despite(&complete), None);
    let reversal = Trade { rollback_of: Some(text("trade-1")), ..trade(TradeStatus::Complete) };
    assert!(is_reversed_by_any(&complete, &[trade(TradeStatus::Complete), reversal]));
    assert!(!is_reversed_by_any(&complete, &[trade(TradeStatus::Complete)]));
}

#[test]
fn a_received_asset_is_the_listed_one_or_one_of_its_name() {
    let received = |moved| {
        let trade = Trade { received: vec![moved], ..trade(TradeStatus::Complete) };
        waiting().view().received_asset(&trade).map(|(_, _, asset_id)| asset_id.clone())
    };
    let (other_id, other_name) = (asset_id("6"), text("Glove Case"));
    assert_eq!(received(moved()), Some(asset_id("8")));
    assert_eq!(received(MovedAsset { asset_id: other_id.clone(), ..moved() }), Some(asset_id("8")));
    assert_eq!(received(MovedAsset { asset_id: other_id, market_hash_name: other_name, ..moved() }), None);
    assert_eq!(received(MovedAsset { moved_to: None, ..moved() }), None, "its new id is not shown yet");
}

#[test]
fn a_refund_is_booked_without_the_platform_once_it_has_rejected_the_session_for_long() {
    let lost = || Err(EngineError::Platform(ExternalError::AuthLost { effect: Effect::Nothing }));
    let is_final = |amount, followed: EngineResult, at| {
        is_refund_final(&purchase(PurchaseStatus::Paid), cents(amount), &followed, minute(at), PATIENCE)
    };
    assert!(is_final(1_220, lost(), 161));
    assert!(!is_final(1_220, lost(), 160));
    assert!(!is_final(0, lost(), 161), "nothing was paid back");
    assert!(!is_final(1_220, Ok(()), 161));
}

#[test]
fn the_offer_that_the_marketplace_names_replaces_the_recorded_one() {
    let mut offered = Paid::new(PurchaseStatus::Offered, OrderStatus::Offered);
    assert_eq!(offered.view().offer_id(), offered.purchase.progress.trade_offer_id.as_ref());
    offered.order.trade_offer_id = Some(text("offer-2"));
    assert_eq!(offered.view().offer_id(), Some(&text("offer-2")));
}

fn traits(wear: Option<&str>, paint_seed: Option<u32>) -> Traits {
    Traits { wear: wear.map(|wear| Wear::new(wear).unwrap()), paint_seed, ..Traits::default() }
}

fn from_seller_and_custody(listed: &Traits, offered: &Traits) -> [bool; 2] {
    [Origin::Seller, Origin::Custody].map(|origin| is_purchased_item(listed, offered, origin))
}

#[test]
fn an_item_with_the_float_and_seed_of_the_listing_is_the_purchased_one() {
    let same = traits(Some("0.2512"), Some(412));
    assert_eq!(from_seller_and_custody(&same, &same), [true, true]);
}

#[test]
fn an_item_with_another_float_or_seed_is_not_the_purchased_one() {
    let listed = traits(Some("0.2512"), Some(412));
    assert_eq!(from_seller_and_custody(&listed, &traits(Some("0.2513999"), Some(412))), [false, false]);
    assert_eq!(from_seller_and_custody(&listed, &traits(Some("0.2512"), Some(413))), [false, false]);
}

#[test]
fn an_item_without_a_float_is_accepted_from_custody_and_not_from_a_seller() {
    assert_eq!(from_seller_and_custody(&traits(None, None), &traits(None, None)), [false, true]);
}

#[test]
fn an_item_of_a_forgotten_listing_is_accepted_from_custody_and_not_from_a_seller() {
    assert_eq!(from_seller_and_custody(&traits(None, None), &traits(Some("0.2512"), Some(412))), [false, true]);
}

#[test]
fn a_float_that_a_marketplace_shows_rounded_is_no_contradiction_from_custody() {
    assert_eq!(
        from_seller_and_custody(&traits(Some("0.2512"), None), &traits(Some("0.251243"), Some(412))),
        [false, true]
    );
}
