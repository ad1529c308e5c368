//! Offers whose trade the platform would hold.

use tradepost_adapters_simulator::Fault;
use tradepost_domain::trading::trade_offer::TradeOfferStatus;

use super::Partners;

impl Partners {
    /// Partners whose next trade the platform holds for 15 days.
    async fn held(seed: u64) -> Self {
        let partners = Self::meet(seed).await;
        partners.strike_with(Fault::Escrow { hours: 360, rolled_back: false });
        partners
    }
}

#[tokio::test]
async fn an_offer_that_would_be_held_is_not_sent_and_says_for_how_long() {
    let partners = Partners::held(719).await;
    let mut engine = partners.desk.engine();
    let id = partners.ask(&[&partners.ours], &[]).await;
    partners.live(&mut engine, 3).await;
    let record = partners.record(id).await;
    assert_eq!((record.status, record.request), (TradeOfferStatus::Cancelled, None));
    let why = record.request_failure.as_ref().map(ToString::to_string).unwrap_or_default();
    assert!(why.contains("for 360 h because of the account"), "{why}");
    assert_eq!(partners.sent().await, []);
}

#[tokio::test]
async fn an_offer_that_would_be_held_is_not_accepted_and_says_because_of_whom() {
    let partners = Partners::held(721).await;
    let mut engine = partners.desk.engine();
    let gift = partners.offered(&mut engine, &[&partners.theirs], &[]).await;
    partners.accept(&gift).await;
    partners.live(&mut engine, 3).await;
    let record = partners.record(gift.value.id).await;
    assert_eq!((record.status, record.request), (TradeOfferStatus::Active, None));
    let why = record.request_failure.as_ref().map(ToString::to_string).unwrap_or_default();
    assert!(why.contains("for 360 h because of the partner"), "{why}");
}

#[tokio::test]
async fn an_offer_whose_hold_was_accepted_with_it_is_accepted_and_held() {
    let partners = Partners::held(722).await;
    let mut engine = partners.desk.engine();
    let gift = partners.offered(&mut engine, &[&partners.theirs], &[]).await;
    partners.accept_for(&gift, true).await;
    partners.live(&mut engine, 10).await;
    let record = partners.record(gift.value.id).await;
    assert_eq!((record.status, record.hold_seconds), (TradeOfferStatus::InEscrow, Some(1_296_000)));
}

#[tokio::test]
async fn an_offer_whose_hold_was_accepted_is_sent_and_held() {
    let partners = Partners::held(720).await;
    let mut engine = partners.desk.engine();
    let id = partners.ask_for(&[&partners.ours], &[], true).await;
    partners.live(&mut engine, 5).await;
    let [sent] = partners.sent().await.try_into().unwrap();
    partners.partner_accepts(&sent.id).await;
    partners.live(&mut engine, 10).await;
    let record = partners.record(id).await;
    assert_eq!((record.status, record.hold_seconds), (TradeOfferStatus::InEscrow, Some(1_296_000)));
}
