//! Requests of people: what they may ask for, and what ends a request.

use std::num::NonZeroU64;

use super::*;
use crate::id::WorkspaceId;
use crate::trading::trade::OfferStatus;
use crate::trading::trade_offer::SeenOffer;

fn at(seconds: i64) -> Timestamp {
    Timestamp::from_micros(0).unwrap().plus(Duration::seconds(seconds))
}

fn key() -> RecordKey<TradeOfferId> {
    RecordKey { workspace_id: WorkspaceId::from_bytes([2; 16]), id: TradeOfferId::from_bytes([1; 16]) }
}

fn partner() -> PlatformUserId {
    PlatformUserId::new(NonZeroU64::new(9).unwrap())
}

fn reference(id: &str) -> AssetReference {
    AssetReference { app_id: AppId::CS2, context_id: ContextId::ORDINARY, asset_id: AssetId::new(id).unwrap() }
}

fn offered(id: &str) -> OfferedAsset {
    let market_hash_name = Text::new("AK-47 | Redline (Field-Tested)").unwrap();
    OfferedAsset { app_id: AppId::CS2, asset_id: AssetId::new(id).unwrap(), market_hash_name }
}

fn requested(gives: &[&str], receives: &[&str]) -> TradeOffer {
    let items = |ids: &[&str]| ids.iter().map(|id| reference(id)).collect();
    let wish = OfferWish {
        token: Text::new("token").unwrap(),
        gives: items(gives),
        receives: items(receives),
        message: None,
        intent_id: None,
        accepts_hold: false,
    };
    TradeOffer::requested(key(), Text::new("trader-1").unwrap(), partner(), wish, at(100))
}

fn report(status: OfferStatus, gives: &[&str], receives: &[&str]) -> OfferReport {
    let items = |ids: &[&str]| ids.iter().map(|id| offered(id)).collect();
    OfferReport {
        offer_id: ExternalId::from(7),
        partner: partner(),
        direction: OfferDirection::Sent,
        status,
        gives: items(gives),
        receives: items(receives),
        trade: None,
        hold_seconds: None,
        created_at: at(100),
        expires_at: at(9_000),
    }
}

fn received(status: OfferStatus) -> TradeOffer {
    let report = OfferReport { direction: OfferDirection::Received, ..report(status, &["1"], &["2"]) };
    TradeOffer::first_seen(
        key(),
        SeenOffer { account_name: Text::new("trader-1").unwrap(), report, owner: None },
        at(1),
    )
}

fn failure() -> ReasonText {
    Text::new("the platform rejected it").unwrap()
}

#[test]
fn a_requested_offer_is_shown_by_exactly_its_items_in_any_order() {
    let offer = requested(&["1", "2"], &["3"]);
    let shows = |gives: &[&str], receives: &[&str]| offer.is_shown_by(&report(OfferStatus::Active, gives, receives));
    assert!(shows(&["2", "1"], &["3"]));
    assert!(!shows(&["1"], &["3"]), "it gives less");
    assert!(!shows(&["1", "2", "4"], &["3"]), "it gives more");
    assert!(!shows(&["1", "2"], &[]), "it receives less");
    assert!(!shows(&["1", "2"], &["4"]), "it receives another item");
}

#[test]
fn an_offer_of_another_partner_or_from_long_before_the_draft_is_not_the_requested_one() {
    let (offer, shown) = (requested(&["1"], &[]), report(OfferStatus::Active, &["1"], &[]));
    let other = PlatformUserId::new(NonZeroU64::new(10).unwrap());
    assert!(!offer.is_shown_by(&OfferReport { partner: other, ..shown.clone() }));
    assert!(offer.is_shown_by(&OfferReport { created_at: at(70), ..shown.clone() }));
    assert!(!offer.is_shown_by(&OfferReport { created_at: at(69), ..shown }));
}

#[test]
fn a_request_to_send_ends_once_the_offer_is_with_its_recipient() {
    let begun = requested(&["1"], &[]).begun(at(101));
    let unconfirmed = begun.see(report(OfferStatus::NeedsConfirmation, &["1"], &[]), at(102));
    assert!(unconfirmed.request.is_some(), "it waits for its confirmation");
    let out = unconfirmed.see(report(OfferStatus::Active, &["1"], &[]), at(103));
    assert_eq!((out.status, out.request, out.origin), (TradeOfferStatus::Active, None, OfferOrigin::Person));
}

#[test]
fn a_request_to_accept_ends_with_the_trade_or_with_the_offer() {
    for shown in [OfferStatus::Accepted, OfferStatus::Expired, OfferStatus::Countered] {
        let asked = received(OfferStatus::Active).request(OfferStep::Accept, at(2)).unwrap();
        let shown = OfferReport { direction: OfferDirection::Received, ..report(shown, &["1"], &["2"]) };
        assert_eq!(asked.see(shown, at(3)).request, None);
    }
}

#[test]
fn a_request_to_accept_keeps_that_a_hold_is_accepted_while_it_is_carried_out() {
    let asked = received(OfferStatus::Active).request(OfferStep::Accept, at(2)).unwrap();
    let accepts_hold = |offer: &TradeOffer| offer.request.map(|request| request.accepts_hold);
    assert_eq!(accepts_hold(&asked), Some(false));
    let accepting = asked.accepting_hold().begun(at(3)).not_begun(at(4));
    assert_eq!(accepts_hold(&accepting), Some(true));
}

#[test]
fn an_offer_that_was_certainly_not_sent_is_cancelled_and_another_stays_uncertain() {
    let begun = || requested(&["1"], &[]).begun(at(101));
    let rejected = begun().request_failed(failure(), true, at(102));
    assert_eq!((rejected.status, rejected.request), (TradeOfferStatus::Cancelled, None));
    let lost = begun().request_failed(failure(), false, at(102));
    assert_eq!((lost.status, lost.request), (TradeOfferStatus::SendUncertain, None));
    let found = lost.see(report(OfferStatus::Active, &["1"], &[]), at(103));
    assert_eq!(found.status, TradeOfferStatus::Active);
}

#[test]
fn a_draft_that_was_not_begun_is_cancelled_at_once_and_one_in_flight_is_not() {
    let cancelled = requested(&["1"], &[]).request(OfferStep::Cancel, at(101)).unwrap();
    assert_eq!((cancelled.status, cancelled.request), (TradeOfferStatus::Cancelled, None));
    let begun = requested(&["1"], &[]).begun(at(101));
    assert_eq!(begun.request(OfferStep::Cancel, at(102)), Err(RequestError::Unfinished(OfferStep::Send)));
}

#[test]
fn an_offer_that_waits_for_its_confirmation_can_be_cancelled() {
    let sent = requested(&["1"], &[]).begun(at(101)).see(report(OfferStatus::NeedsConfirmation, &["1"], &[]), at(102));
    let cancelling = sent.request(OfferStep::Cancel, at(103)).unwrap();
    assert_eq!(cancelling.request.map(|request| request.step), Some(OfferStep::Cancel));
}

#[test]
fn only_an_active_offer_of_the_right_direction_is_accepted_declined_or_cancelled() {
    let sent = requested(&["1"], &[]).begun(at(101)).see(report(OfferStatus::Active, &["1"], &[]), at(102));
    let wrong = RequestError::Direction { step: OfferStep::Accept, direction: OfferDirection::Sent };
    assert_eq!(sent.request(OfferStep::Accept, at(103)), Err(wrong));
    let ended = RequestError::Status { step: OfferStep::Decline, status: TradeOfferStatus::Expired };
    assert_eq!(received(OfferStatus::Expired).request(OfferStep::Decline, at(3)), Err(ended));
    let asked = received(OfferStatus::Active).request(OfferStep::Decline, at(3)).unwrap();
    assert_eq!(asked.request(OfferStep::Accept, at(4)), Err(RequestError::Unfinished(OfferStep::Decline)));
}

#[test]
fn the_offers_of_purchases_and_sales_take_no_request() {
    let owner = OfferOwner::Purchase(crate::id::PurchaseId::from_bytes([3; 16]));
    let adopted = received(OfferStatus::Active).adopted(owner, at(2));
    assert_eq!((adopted.owner, adopted.origin), (Some(owner), OfferOrigin::Engine));
    assert_eq!(adopted.request(OfferStep::Decline, at(3)), Err(RequestError::OfEngine));
}

#[test]
fn a_request_waits_a_quarter_of_an_hour_for_an_engine() {
    let offer = requested(&["1"], &[]);
    assert!(!offer.is_request_late(at(100).plus(REQUEST_LASTS).plus(-Duration::SECOND)));
    assert!(offer.is_request_late(at(100).plus(REQUEST_LASTS)));
    assert!(!offer.begun(at(101)).is_request_late(at(100).plus(REQUEST_LASTS)), "its call may have had an effect");
}
