//! The decisions of a delivery to a buyer, arm by arm.

use super::*;
use tradepost_domain::trading::trade::PlatformUserId;
use tradepost_testkit::samples::{minute, start, text};

use crate::samples::{asset, asset_id, item, moved, offer, partner, sale, trade};

/// An offer of ours that gives the item to the buyer.
fn sent(status: OfferStatus) -> Offer {
    Offer { is_ours: true, give: vec![asset("7")], receive: Vec::new(), ..offer(status) }
}

fn id(number: u8) -> TradeOfferId {
    TradeOfferId::from_bytes([number; 16])
}

fn given(status: TradeStatus) -> Trade {
    Trade { given: vec![moved()], ..trade(status) }
}

fn state(status: ItemStatus, offers: Vec<BuyerOffer>) -> FulfilmentState {
    FulfilmentState::of(&item(status).value, offers)
}

fn traded(trade: Trade) -> BuyerOffer {
    BuyerOffer::new(sent(OfferStatus::Accepted), id(1), Some(trade))
}

fn open_sale() -> OurSale {
    sale(OrderStatus::AwaitingSeller)
}

fn trade_step(status: ItemStatus, trade: &Trade) -> BuyerTradeStep {
    BuyerTradeStep::of(&item(status).value, trade)
}

#[test]
fn the_offers_to_a_buyer_are_those_that_give_the_item_alone() {
    let other_buyer = PlatformUserId::new(std::num::NonZeroU64::MAX);
    let shown = [
        sent(OfferStatus::Active),
        Offer { is_ours: false, ..sent(OfferStatus::Active) },
        Offer { partner: other_buyer, ..sent(OfferStatus::Active) },
        Offer { give: vec![asset("7"), asset("9")], ..sent(OfferStatus::Active) },
        Offer { give: vec![asset("9")], ..sent(OfferStatus::Active) },
    ];
    assert_eq!(offers_to_buyer(&item(ItemStatus::Delivering).value, &open_sale(), &shown), [&shown[0]]);
}

#[test]
fn the_latest_offer_to_a_buyer_comes_first() {
    let shown = [sent(OfferStatus::Active), Offer { created_at: minute(1), ..sent(OfferStatus::Active) }];
    let found = offers_to_buyer(&item(ItemStatus::Delivering).value, &open_sale(), &shown);
    assert_eq!(found, [&shown[1], &shown[0]]);
}

#[test]
fn any_partner_may_be_the_buyer_of_a_cancelled_sale_that_names_none() {
    let (shown, nameless) = ([sent(OfferStatus::Active)], |status| OurSale { deliver_to: None, ..sale(status) });
    let found = |sale| offers_to_buyer(&item(ItemStatus::Delivering).value, &sale, &shown).len();
    assert_eq!([nameless(OrderStatus::Refunded), nameless(OrderStatus::AwaitingSeller)].map(found), [1, 0]);
}

#[test]
fn the_offer_that_came_to_a_trade_counts() {
    let offers = vec![BuyerOffer::new(sent(OfferStatus::Active), id(2), None), traded(given(TradeStatus::InEscrow))];
    assert_eq!(state(ItemStatus::Delivering, offers), FulfilmentState::Traded(given(TradeStatus::InEscrow)));
}

#[test]
fn a_trade_that_failed_in_place_is_no_delivery_unless_the_item_was_held() {
    let failed = || vec![traded(given(TradeStatus::Failed))];
    assert_eq!(state(ItemStatus::Delivering, failed()), FulfilmentState::NoOffer);
    assert_eq!(state(ItemStatus::Held, failed()), FulfilmentState::Traded(given(TradeStatus::Failed)));
}

#[test]
fn a_trade_that_returned_the_item_under_another_id_counts() {
    let returned = MovedAsset { returned_as: Some(asset_id("9")), ..moved() };
    let failed = Trade { given: vec![returned], ..trade(TradeStatus::Failed) };
    assert_eq!(state(ItemStatus::Delivering, vec![traded(failed.clone())]), FulfilmentState::Traded(failed));
}

#[test]
fn an_offer_with_the_buyer_comes_before_one_that_waits_for_its_confirmation() {
    let [waits, active] = [sent(OfferStatus::NeedsConfirmation), sent(OfferStatus::Active)];
    let offers = vec![BuyerOffer::new(waits.clone(), id(1), None), BuyerOffer::new(active.clone(), id(2), None)];
    let pending = FulfilmentState::Pending(vec![(active, id(2)), (waits, id(1))]);
    assert_eq!(state(ItemStatus::Delivering, offers), pending);
}

#[test]
fn offers_that_have_ended_are_none() {
    for status in [OfferStatus::Declined, OfferStatus::Expired, OfferStatus::Cancelled, OfferStatus::Countered] {
        let ended = vec![BuyerOffer::new(sent(status), id(1), None)];
        assert_eq!(state(ItemStatus::Delivering, ended), FulfilmentState::NoOffer);
    }
}

#[test]
fn a_trade_is_applied_in_every_status() {
    for status in [ItemStatus::Delivering, ItemStatus::Held, ItemStatus::Missing] {
        let step = FulfilmentState::Traded(given(TradeStatus::Complete)).step(status, &open_sale());
        assert_eq!(step, FulfilmentStep::ApplyTrade(given(TradeStatus::Complete)));
    }
}

#[test]
fn the_offers_of_a_cancelled_sale_are_cancelled_unless_the_item_is_held() {
    let offers = || vec![(sent(OfferStatus::Active), id(1))];
    let step = |status| FulfilmentState::Pending(offers()).step(status, &sale(OrderStatus::Refunded));
    assert_eq!(step(ItemStatus::Delivering), FulfilmentStep::Cancel(offers()));
    assert_eq!(step(ItemStatus::Missing), FulfilmentStep::Cancel(offers()));
    assert_eq!(step(ItemStatus::Held), FulfilmentStep::Wait);
}

#[test]
fn only_for_an_item_that_is_being_delivered_something_is_sent_or_confirmed() {
    let offers = || vec![(sent(OfferStatus::Active), id(1))];
    let pending = |status| FulfilmentState::Pending(offers()).step(status, &open_sale());
    let absent = |status| FulfilmentState::NoOffer.step(status, &open_sale());
    assert_eq!(pending(ItemStatus::Delivering), FulfilmentStep::Confirm(offers()));
    assert_eq!(absent(ItemStatus::Delivering), FulfilmentStep::Send);
    for status in [ItemStatus::Held, ItemStatus::Missing] {
        assert_eq!((pending(status), absent(status)), (FulfilmentStep::Wait, FulfilmentStep::Wait));
    }
}

#[test]
fn an_item_is_sent_to_the_buyer_of_an_open_sale() {
    let to = TradeAddress { user: partner(), token: text("token") };
    assert_eq!(SendStep::of(&open_sale(), false), SendStep::Send(to));
}

#[test]
fn nothing_is_sent_while_an_offer_may_be_in_flight_or_the_buyer_is_not_reported() {
    assert_eq!(SendStep::of(&open_sale(), true), SendStep::Wait);
    assert_eq!(SendStep::of(&sale(OrderStatus::Refunded), true), SendStep::Wait);
    assert_eq!(SendStep::of(&OurSale { deliver_to: None, ..open_sale() }, false), SendStep::Wait);
}

#[test]
fn the_item_of_a_cancelled_sale_is_released() {
    assert_eq!(SendStep::of(&sale(OrderStatus::Refunded), false), SendStep::Release);
}

#[test]
fn an_offer_that_waits_for_us_is_confirmed_while_no_other_is_with_the_buyer() {
    let offers = [(sent(OfferStatus::NeedsConfirmation), id(1))];
    assert_eq!(PendingStep::of(&offers), PendingStep::Confirm(&offers[0].0, id(1)));
}

#[test]
fn offers_that_wait_for_us_are_spare_once_one_is_with_the_buyer() {
    let offers = [OfferStatus::Active, OfferStatus::Active, OfferStatus::NeedsConfirmation].map(sent);
    let offers = offers.map(|offer| (offer, id(1)));
    assert_eq!(PendingStep::of(&offers), PendingStep::Keep { offer: &offers[0].0, spare: vec![&offers[2].0] });
    assert_eq!(PendingStep::of(&[]), PendingStep::Nothing);
}

#[test]
fn an_offer_is_announced_when_its_marketplace_wants_to_learn_of_it() {
    let due = |announcement, offer| is_announcement_due(announcement, &open_sale(), &sent(offer));
    let by_kind = |offer| {
        [Announcement::Never, Announcement::BeforeConfirming, Announcement::AfterConfirming]
            .map(|kind| due(kind, offer))
    };
    assert_eq!(by_kind(OfferStatus::NeedsConfirmation), [false, true, false]);
    assert_eq!(by_kind(OfferStatus::Active), [false, true, true]);
    assert_eq!(by_kind(OfferStatus::Accepted), [false, false, false]);
}

#[test]
fn an_offer_that_the_sale_shows_is_not_announced_again() {
    let known = sale(OrderStatus::Offered);
    assert!(!is_announcement_due(Announcement::AfterConfirming, &known, &sent(OfferStatus::Active)));
}

#[test]
fn rejections_are_reported_at_once_unless_the_marketplace_learns_late_of_offers() {
    let lasting = |announcement| rejection_lasting(announcement, Duration::HOUR);
    assert_eq!(lasting(Announcement::BeforeConfirming), Duration::ZERO);
    assert_eq!(lasting(Announcement::AfterConfirming), Duration::HOUR);
}

#[test]
fn an_item_whose_trade_shows_its_new_id_is_given() {
    let event = ItemEvent::Given { trade_id: text("trade-1"), asset_id: asset_id("8") };
    for status in [TradeStatus::Complete, TradeStatus::ProtectionRollback, TradeStatus::SelectiveSupportRollback] {
        assert_eq!(trade_step(ItemStatus::Delivering, &given(status)), BuyerTradeStep::Apply(event.clone()));
    }
    let hidden = Trade { given: vec![MovedAsset { moved_to: None, ..moved() }], ..trade(TradeStatus::Complete) };
    assert_eq!(trade_step(ItemStatus::Delivering, &hidden), BuyerTradeStep::Wait);
}

#[test]
fn a_trade_in_escrow_holds_an_item_once() {
    let held = BuyerTradeStep::Apply(ItemEvent::DeliveryHeld);
    assert_eq!(trade_step(ItemStatus::Delivering, &given(TradeStatus::InEscrow)), held);
    assert_eq!(trade_step(ItemStatus::Held, &given(TradeStatus::InEscrow)), BuyerTradeStep::Wait);
}

#[test]
fn an_item_that_a_failed_trade_returned_is_followed_under_its_new_id() {
    let returned = MovedAsset { returned_as: Some(asset_id("9")), ..moved() };
    for status in [TradeStatus::Failed, TradeStatus::EscrowRollback] {
        let renamed = Trade { given: vec![returned.clone()], ..trade(status) };
        assert_eq!(trade_step(ItemStatus::Delivering, &renamed), BuyerTradeStep::Relink(asset_id("9")));
        assert_eq!(trade_step(ItemStatus::Delivering, &given(status)), BuyerTradeStep::Relink(asset_id("7")));
    }
}

#[test]
fn a_held_item_whose_trade_ended_is_rolled_back() {
    let seen = AssetEvidence { asset_id: asset_id("7"), source_id: text("trade-1") };
    let rolled_back = BuyerTradeStep::RollBack(ItemEvent::HoldRolledBack { seen });
    let ended = [TradeStatus::Failed, TradeStatus::EscrowRollback, TradeStatus::RollbackFailed];
    for status in ended {
        assert_eq!(trade_step(ItemStatus::Held, &given(status)), rolled_back);
    }
}

#[test]
fn a_trade_that_has_not_ended_or_is_of_another_item_changes_nothing() {
    let open = [TradeStatus::Init, TradeStatus::PreCommitted, TradeStatus::RollbackAbandoned, TradeStatus::Unknown(99)];
    for status in open {
        assert_eq!(trade_step(ItemStatus::Delivering, &given(status)), BuyerTradeStep::Wait);
    }
    assert_eq!(trade_step(ItemStatus::Delivering, &trade(TradeStatus::Complete)), BuyerTradeStep::Wait);
}

#[test]
fn offers_are_searched_from_before_the_sale_or_the_item_changed() {
    let from = search_from(&item(ItemStatus::Delivering).value, &open_sale(), Duration::minutes(10));
    assert_eq!(from, start().plus(-Duration::minutes(10)));
}
