//! What each fault looks like through the ports.

mod lost_answers;
mod prices;

use std::collections::BTreeSet;

use time::Duration;
use tradepost_adapters_simulator::{Call, Fault, Side};
use tradepost_domain::asset::ContextId;
use tradepost_domain::contracts::purchase::FailureCode;
use tradepost_domain::trading::trade::{OfferStatus, TradeStatus};
use tradepost_domain::trading::trading_account::{AccountLock, LockReason};
use tradepost_ports::external::{Effect, ExternalError};
use tradepost_ports::game_platform::{GamePlatform as _, Hold, NewOffer, PlatformRefusal};
use tradepost_ports::marketplace::{ListingStatus, Marketplace as _, MarketplaceRefusal, OrderStatus, SellRequest};

use crate::desk::{CUSTOMER, Desk, assert_is_listed_item, cents};

const PAGE: &str = include_str!("../../../../docs/reference/simulator.md");

/// One of each.
fn every_fault() -> Vec<Fault> {
    vec![
        Fault::TimeoutBeforeCommit { call: Call::Buy },
        Fault::TimeoutAfterCommit { call: Call::Buy },
        Fault::RateLimitStorm { side: Side::Marketplace, seconds: 60 },
        Fault::SessionLost { side: Side::Platform, seconds: 60 },
        Fault::SoldAlready,
        Fault::PriceMoved { percent: 10 },
        Fault::LateLookup { seconds: 60 },
        Fault::DelayedPurchase { seconds: 600 },
        Fault::LateDelivery { seconds: 60 },
        Fault::LateRefund { hours: 24 },
        Fault::OfferVanishes { seconds: 60 },
        Fault::GlitchedOffer { seconds: 60 },
        Fault::ItemSwapped,
        Fault::LateBuyer { seconds: 60 },
        Fault::AnnouncementRefused,
        Fault::FailedTrade,
        Fault::FailedInPlace,
        Fault::Escrow { hours: 24, rolled_back: true },
        Fault::RollbackFailed { hours: 24 },
        Fault::Reversal { hours: 24 },
        Fault::TradesHeld { hours: 24 },
        Fault::UnknownState { number: 17, seconds: 600 },
        Fault::LostConfirmation,
        Fault::StrangeConfirmation { number: 9 },
        Fault::ListingVanishes { seconds: 60 },
        Fault::PartialInventory,
        Fault::ItemWithheld { seconds: 60 },
        Fault::FakeAsk { percent: 200, seconds: 3_600 },
        Fault::WashSales { percent: 200, count: 5_000 },
        Fault::BalanceDrift { customer: CUSTOMER.to_owned(), cents: -100 },
    ]
}

#[test]
fn every_fault_is_documented_as_it_is_written() {
    let documented: BTreeSet<&str> =
        PAGE.lines().filter_map(|line| line.strip_prefix("| `{")).filter_map(|line| line.split('`').next()).collect();
    let written: Vec<String> = every_fault().iter().map(|fault| serde_json::to_string(fault).unwrap()).collect();
    assert_eq!(documented, written.iter().map(|fault| fault.trim_start_matches('{')).collect());
}

#[tokio::test]
async fn a_timeout_after_the_commit_of_an_offer_leaves_the_offer() {
    let desk = Desk::quiet();
    let (asset_id, sale) = desk.sell().await;
    desk.inject(Fault::TimeoutAfterCommit { call: Call::Send });
    let answer = desk.send(&sale, &asset_id).await;
    assert!(matches!(answer, Err(ExternalError::Unknown(_))), "{answer:?}");
    let offers = desk.offers().await;
    assert_eq!(offers.len(), 1);
    assert_eq!((offers[0].partner, &offers[0].give[0].asset_id), (sale.deliver_to.unwrap().user, &asset_id));
}

#[tokio::test]
async fn a_storm_of_429s_refuses_one_side_until_it_is_over() {
    let desk = Desk::quiet();
    desk.inject(Fault::RateLimitStorm { side: Side::Marketplace, seconds: 60 });
    desk.pass(Duration::seconds(20));
    let retry_after = std::time::Duration::from_secs(40);
    assert_eq!(desk.market.balance().await, Err(ExternalError::RateLimited { retry_after, effect: Effect::Nothing }));
    desk.platform.server_time().await.expect("the other side answers");
    desk.pass(Duration::seconds(40));
    desk.market.balance().await.expect("it is over");
}

#[tokio::test]
async fn a_lost_session_is_refused_until_it_is_back() {
    let desk = Desk::quiet();
    desk.inject(Fault::SessionLost { side: Side::Platform, seconds: 60 });
    assert_eq!(
        desk.platform.confirmations(desk.account.user).await,
        Err(ExternalError::AuthLost { effect: Effect::Nothing })
    );
    desk.pass(Duration::seconds(60));
    desk.platform.confirmations(desk.account.user).await.expect("it is back");
}

#[tokio::test]
async fn held_trades_are_shown_by_the_account_until_they_are_free() {
    let desk = Desk::quiet();
    let held = || async { desk.platform.account(desk.account.user).await.unwrap().restriction };
    assert_eq!(held().await, None);
    desk.inject(Fault::TradesHeld { hours: 24 });
    let until = desk.platform.server_time().await.unwrap().plus(Duration::hours(24));
    assert_eq!(held().await, Some(AccountLock { reason: LockReason::TradeHold, until }));
    desk.pass(Duration::hours(24));
    assert_eq!(held().await, None);
}

#[tokio::test]
async fn a_hold_is_shown_before_the_trade_that_it_strikes() {
    let desk = Desk::quiet();
    let partner = desk.simulator.world(|world| world.open_account("partner"));
    let hold = || async { desk.platform.hold_with(desk.account.user, &partner).await.unwrap() };
    assert_eq!(hold().await, Hold::default());
    desk.inject(Fault::Escrow { hours: 2, rolled_back: false });
    assert_eq!(hold().await, Hold { ours: 7_200, theirs: 7_200, both: 7_200 });
    desk.inject(Fault::TradesHeld { hours: 24 });
    assert_eq!(hold().await, Hold { ours: 86_400, theirs: 7_200, both: 86_400 });
}

#[tokio::test]
async fn a_hold_is_shown_for_an_offer_to_its_recipient_before_it_is_accepted() {
    let desk = Desk::quiet();
    let partner = desk.simulator.world(|world| world.open_account("partner"));
    let item = desk.simulator.world(|world| world.give_item(partner.user)).unwrap();
    let wanted = NewOffer { to: partner.clone(), give: Vec::new(), receive: vec![item], message: None };
    let sent = desk.platform.send(desk.account.user, &wanted).await.unwrap();
    assert_eq!(desk.platform.hold_of(partner.user, &sent.id).await, Ok(Hold::default()));
    desk.inject(Fault::Escrow { hours: 2, rolled_back: false });
    let held = Hold { ours: 7_200, theirs: 7_200, both: 7_200 };
    assert_eq!(desk.platform.hold_of(partner.user, &sent.id).await, Ok(held));
    let of_sender = desk.platform.hold_of(desk.account.user, &sent.id).await;
    assert_eq!(of_sender, Err(ExternalError::Rejected(PlatformRefusal::NotFound)));
}

#[tokio::test]
async fn a_hold_ends_with_the_deadline_of_a_sale_for_which_nothing_was_sent() {
    let desk = Desk::quiet();
    desk.inject(Fault::Escrow { hours: 24, rolled_back: false });
    desk.sell().await;
    desk.pass(Duration::hours(1));
    assert_eq!(desk.sale().await.status, OrderStatus::Failed(FailureCode::SellerLate));
    assert_eq!(desk.simulator.world(|world| world.armed().to_vec()), []);
}

#[tokio::test]
async fn a_listing_sold_already_is_refused_and_shows_as_sold() {
    let desk = Desk::quiet();
    let before = desk.balance().await;
    desk.inject(Fault::SoldAlready);
    let (listing, answer) = desk.try_to_buy().await;
    assert_eq!(answer, Err(ExternalError::Rejected(MarketplaceRefusal::SoldAlready)));
    let read = desk.market.listing(&listing.id).await.unwrap();
    assert_eq!(read.map(|listing| listing.status), Some(ListingStatus::Sold));
    assert_eq!(desk.balance().await, before);
}

#[tokio::test]
async fn a_price_that_moved_is_refused_with_the_new_price() {
    let desk = Desk::quiet();
    let before = desk.balance().await;
    desk.inject(Fault::PriceMoved { percent: 10 });
    let (listing, answer) = desk.try_to_buy().await;
    let read = desk.market.listing(&listing.id).await.unwrap().unwrap();
    assert_eq!(read.offered.price.get(), listing.offered.price.get() * 110 / 100);
    assert_eq!(answer, Err(ExternalError::Rejected(MarketplaceRefusal::PriceChanged { price: read.offered.price })));
    assert_eq!((read.status, desk.balance().await), (ListingStatus::OnSale, before));
}

#[tokio::test]
async fn a_late_delivery_before_the_refund_counts() {
    let desk = Desk::quiet();
    let before = desk.balance().await;
    desk.inject(Fault::LateDelivery { seconds: 60 });
    let (_, order) = desk.buy().await;
    desk.pass(Duration::hours(1));
    assert_eq!(desk.order(&order).await.status, OrderStatus::Failed(FailureCode::SellerLate));
    desk.pass(Duration::minutes(1));
    let offers = desk.offers().await;
    desk.accept(&offers[0]).await;
    desk.pass(Duration::days(8));
    assert_eq!(desk.order(&order).await.status, OrderStatus::Settled);
    assert!(desk.balance().await < before);
    desk.check_books();
}

#[tokio::test]
async fn a_late_delivery_after_the_refund_brings_the_item_for_nothing() {
    let desk = Desk::quiet();
    let before = desk.balance().await;
    desk.inject(Fault::LateDelivery { seconds: 3_600 });
    let (_, order) = desk.buy().await;
    desk.pass(Duration::hours(2));
    let offers = desk.offers().await;
    desk.accept(&offers[0]).await;
    assert_eq!(desk.order(&order).await.status, OrderStatus::Refunded);
    assert_eq!(desk.balance().await, before);
    assert_eq!(desk.inventory(ContextId::PROTECTED).await.len(), 1);
    desk.check_books();
}

#[tokio::test]
async fn an_offer_that_vanishes_is_unknown_and_another_one_comes() {
    let desk = Desk::quiet();
    desk.inject(Fault::OfferVanishes { seconds: 600 });
    let (_, order) = desk.buy().await;
    let first = desk.offer_for(&order).await;
    // The first came within five minutes, so it has disappeared after ten more, and the second comes within five.
    desk.pass(Duration::minutes(10));
    let missing = desk.platform.offer(desk.account.user, &first.id).await;
    assert_eq!(missing, Err(ExternalError::Rejected(PlatformRefusal::NotFound)));
    let second = desk.offer_for(&order).await;
    assert_ne!(second.id, first.id);
    assert_eq!(second.receive, first.receive);
    desk.accept(&second).await;
    assert_eq!(desk.order(&order).await.status, OrderStatus::Delivered);
}

#[tokio::test]
async fn a_glitched_offer_shows_no_items_until_it_heals() {
    let desk = Desk::quiet();
    desk.inject(Fault::GlitchedOffer { seconds: 600 });
    let (listing, order) = desk.buy().await;
    let glitched = desk.offer_for(&order).await;
    assert_eq!((glitched.status, glitched.give.len(), glitched.receive.len()), (OfferStatus::Active, 0, 0));
    assert_eq!(desk.offers().await, [glitched]);
    desk.pass(Duration::minutes(10));
    assert_eq!(desk.offers().await[0].receive[0].asset_id, listing.asset_id);
}

#[tokio::test]
async fn a_swapped_item_is_not_what_was_bought() {
    let desk = Desk::quiet();
    let before = desk.balance().await;
    desk.inject(Fault::ItemSwapped);
    let (listing, order) = desk.buy().await;
    let offer = desk.offer_for(&order).await;
    assert_ne!(offer.receive[0].asset_id, listing.asset_id);
    assert_ne!(offer.receive[0].market_hash_name, listing.offered.variant.market_hash_name);
    desk.platform.decline(desk.account.user, &offer.id).await.unwrap();
    assert_eq!(desk.order(&order).await.status, OrderStatus::Failed(FailureCode::OfferEnded));
    desk.pass(Duration::minutes(10));
    assert_eq!(desk.balance().await, before);
}

#[tokio::test]
async fn a_swapped_item_that_is_accepted_delivers_nothing() {
    let desk = Desk::quiet();
    desk.inject(Fault::ItemSwapped);
    let (_, order) = desk.buy().await;
    let offer = desk.offer_for(&order).await;
    desk.accept(&offer).await;
    desk.pass(Duration::hours(2));
    assert_eq!(desk.order(&order).await.status, OrderStatus::Refunded);
    desk.check_books();
}

#[tokio::test]
async fn a_failed_trade_gives_the_item_a_new_id_with_its_seller_who_tries_again() {
    let desk = Desk::quiet();
    desk.inject(Fault::FailedTrade);
    let (listing, order) = desk.buy().await;
    let first = desk.offer_for(&order).await;
    let failed = desk.accept(&first).await;
    assert_eq!((failed.status, &failed.received[0].moved_to), (TradeStatus::Failed, &None));
    let returned_as = failed.received[0].returned_as.clone().unwrap();
    assert_ne!(returned_as, listing.asset_id);
    let first = desk.platform.offer(desk.account.user, &first.id).await.unwrap();
    assert_eq!(first.status, OfferStatus::Accepted, "only the trade tells that it failed");
    let second = desk.offer_for(&order).await;
    assert_eq!(second.receive[0].asset_id, returned_as);
    assert_is_listed_item(&second.receive[0], &listing);
    desk.accept(&second).await;
    assert_eq!(desk.order(&order).await.status, OrderStatus::Delivered);
}

#[tokio::test]
async fn a_failed_trade_of_a_sale_gives_our_item_a_new_id_and_can_be_sent_again() {
    let desk = Desk::quiet();
    desk.inject(Fault::FailedTrade);
    let (asset_id, sale) = desk.sell().await;
    desk.deliver(&sale, &asset_id).await;
    assert_eq!(desk.sale().await.status, OrderStatus::AwaitingSeller);
    let ours = desk.inventory(ContextId::ORDINARY).await;
    assert_ne!(ours[0].asset_id, asset_id);
    let again = desk.deliver(&sale, &ours[0].asset_id).await;
    assert_eq!((again.status, desk.sale().await.status), (OfferStatus::Accepted, OrderStatus::Delivered));
}

#[tokio::test]
async fn what_is_held_in_escrow_is_nobodys_until_it_is_passed_on() {
    let desk = Desk::quiet();
    desk.inject(Fault::Escrow { hours: 24, rolled_back: false });
    let (_, order, held) = desk.receive().await;
    assert_eq!(held.status, TradeStatus::InEscrow);
    assert_eq!((held.held_until, held.protected_until), (Some(held.started_at.plus(Duration::hours(24))), None));
    assert_eq!(desk.offers().await[0].status, OfferStatus::InEscrow);
    desk.pass(Duration::hours(23));
    assert_eq!(desk.inventory(ContextId::PROTECTED).await, []);
    assert_eq!(desk.order(&order).await.status, OrderStatus::Offered, "its deadline does not count");
    desk.pass(Duration::hours(1));
    let passed_on = desk.trade(&held.id).await;
    assert_eq!(passed_on.status, TradeStatus::Complete);
    assert_eq!(desk.inventory(ContextId::PROTECTED).await[0].locked_until, passed_on.protected_until);
    assert_eq!(desk.order(&order).await.status, OrderStatus::Delivered);
    desk.check_books();
}

#[tokio::test]
async fn an_escrow_that_is_rolled_back_brings_the_money_back() {
    let desk = Desk::quiet();
    let before = desk.balance().await;
    desk.inject(Fault::Escrow { hours: 24, rolled_back: true });
    let (_, order, held) = desk.receive().await;
    desk.pass(Duration::hours(24));
    let rolled_back = desk.trade(&held.id).await;
    assert_eq!((rolled_back.status, &rolled_back.received[0].moved_to), (TradeStatus::EscrowRollback, &None));
    assert_eq!(desk.order(&order).await.status, OrderStatus::Failed(FailureCode::EscrowRolledBack));
    desk.pass(Duration::minutes(10));
    assert_eq!((desk.order(&order).await.status, desk.balance().await), (OrderStatus::Refunded, before));
    desk.check_books();
}

#[tokio::test]
async fn a_sale_whose_escrow_is_rolled_back_gives_our_item_back_under_a_new_id() {
    let desk = Desk::quiet();
    desk.inject(Fault::Escrow { hours: 24, rolled_back: true });
    let (asset_id, sale) = desk.sell().await;
    let offer = desk.deliver(&sale, &asset_id).await;
    assert_eq!(offer.status, OfferStatus::InEscrow);
    assert_eq!(desk.inventory(ContextId::ORDINARY).await, []);
    desk.pass(Duration::hours(24));
    let trade = desk.trade(&offer.trade_id.unwrap()).await;
    let ours = desk.inventory(ContextId::ORDINARY).await;
    assert_eq!(Some(&ours[0].asset_id), trade.given[0].returned_as.as_ref());
    assert_ne!(ours[0].asset_id, asset_id);
    assert_eq!(desk.sale().await.status, OrderStatus::Failed(FailureCode::EscrowRolledBack));
    desk.check_books();
}

#[tokio::test]
async fn a_lost_confirmation_never_appears_and_another_offer_can_be_made() {
    let desk = Desk::quiet();
    let (asset_id, sale) = desk.sell().await;
    desk.inject(Fault::LostConfirmation);
    let stuck = desk.deliver(&sale, &asset_id).await;
    assert_eq!(stuck.status, OfferStatus::NeedsConfirmation);
    assert_eq!(desk.platform.confirmations(desk.account.user).await, Ok(Vec::new()));
    desk.platform.cancel(desk.account.user, &stuck.id).await.unwrap();
    let again = desk.deliver(&sale, &asset_id).await;
    assert_eq!(again.status, OfferStatus::Accepted);
}

#[tokio::test]
async fn a_partial_inventory_says_that_it_is_not_complete() {
    let desk = Desk::quiet();
    for _ in 0..4 {
        desk.own_item();
    }
    desk.inject(Fault::PartialInventory);
    let read = async || {
        let game = tradepost_domain::asset::AppId::CS2;
        desk.platform.inventory(desk.account.user, game, ContextId::ORDINARY).await.unwrap()
    };
    let (partial, whole) = (read().await, read().await);
    assert_eq!((partial.is_complete, partial.assets.len()), (false, 2));
    assert_eq!((whole.is_complete, whole.assets.len()), (true, 4));
}

#[tokio::test]
async fn an_item_that_is_withheld_is_nowhere_for_a_while_and_cannot_be_given() {
    let desk = Desk::quiet();
    let (asset_id, sale) = desk.sell().await;
    desk.inject(Fault::ItemWithheld { seconds: 60 });
    assert_eq!(desk.inventory(ContextId::ORDINARY).await, []);
    let refused = desk.send(&sale, &asset_id).await;
    assert_eq!(refused, Err(ExternalError::Rejected(PlatformRefusal::AssetUnavailable(asset_id.clone()))));
    desk.pass(Duration::minutes(1));
    assert_eq!(desk.inventory(ContextId::ORDINARY).await[0].asset_id, asset_id);
    desk.check_books();
}

#[tokio::test]
async fn what_cannot_be_given_back_is_nobodys_and_the_money_comes_back() {
    let desk = Desk::quiet();
    let before = desk.balance().await;
    desk.inject(Fault::RollbackFailed { hours: 1 });
    let (_, order, trade) = desk.receive().await;
    assert_eq!(trade.status, TradeStatus::InEscrow);
    desk.pass(Duration::hours(1));
    assert_eq!(desk.trade(&trade.id).await.status, TradeStatus::RollbackFailed);
    assert_eq!(desk.inventory(ContextId::PROTECTED).await, []);
    desk.pass(Duration::minutes(10));
    assert_eq!((desk.order(&order).await.status, desk.balance().await), (OrderStatus::Refunded, before));
    desk.check_books();
}

#[tokio::test]
async fn a_drifting_balance_changes_without_an_order() {
    let desk = Desk::quiet();
    let before = desk.balance().await;
    desk.inject(Fault::BalanceDrift { customer: CUSTOMER.to_owned(), cents: -100 });
    assert_eq!(desk.balance().await.get(), before.get() - 100);
    desk.inject(Fault::BalanceDrift { customer: CUSTOMER.to_owned(), cents: i64::MIN });
    assert_eq!(desk.balance().await.get(), 0);
    desk.check_books();
}

#[tokio::test]
async fn a_fault_that_is_scheduled_strikes_when_its_time_comes() {
    let desk = Desk::quiet();
    let drift = Fault::BalanceDrift { customer: CUSTOMER.to_owned(), cents: -100 };
    let before = desk.balance().await;
    desk.simulator.world(|world| world.schedule(Duration::hours(1), drift));
    desk.pass(Duration::minutes(59));
    assert_eq!(desk.balance().await, before);
    desk.pass(Duration::minutes(1));
    assert_eq!(desk.balance().await.get(), before.get() - 100);
}

#[tokio::test]
async fn a_late_buyer_takes_what_is_still_out_and_has_the_money_back_as_well() {
    let desk = Desk::quiet();
    desk.inject(Fault::LateBuyer { seconds: 3_600 });
    let (asset_id, sale) = desk.sell().await;
    let offer = desk.deliver(&sale, &asset_id).await;
    desk.pass(Duration::minutes(90));
    assert_eq!((offer.status, desk.sale().await.status), (OfferStatus::Active, OrderStatus::Refunded));
    desk.pass(Duration::minutes(30));
    let offer = desk.platform.offer(desk.account.user, &offer.id).await.unwrap();
    assert_eq!((offer.status, desk.sale().await.status), (OfferStatus::Accepted, OrderStatus::Refunded));
    assert_eq!(desk.inventory(ContextId::ORDINARY).await, []);
    desk.check_books();
}

#[tokio::test]
async fn a_late_buyer_finds_nothing_where_the_offer_was_taken_back() {
    let desk = Desk::quiet();
    desk.inject(Fault::LateBuyer { seconds: 3_600 });
    let (asset_id, sale) = desk.sell().await;
    let offer = desk.deliver(&sale, &asset_id).await;
    desk.pass(Duration::minutes(90));
    desk.platform.cancel(desk.account.user, &offer.id).await.unwrap();
    desk.pass(Duration::minutes(30));
    assert_eq!(desk.inventory(ContextId::ORDINARY).await[0].asset_id, asset_id);
    desk.check_books();
}

#[tokio::test]
async fn a_trade_that_fails_in_place_leaves_the_item_its_id_and_can_be_sent_again() {
    let desk = Desk::quiet();
    desk.inject(Fault::FailedInPlace);
    let (asset_id, sale) = desk.sell().await;
    let failed = desk.deliver(&sale, &asset_id).await;
    let trade = desk.trade(&failed.trade_id.unwrap()).await;
    assert_eq!((trade.status, &trade.given[0].returned_as), (TradeStatus::Failed, &None));
    assert_eq!(desk.inventory(ContextId::ORDINARY).await[0].asset_id, asset_id);
    let again = desk.deliver(&sale, &asset_id).await;
    assert_eq!((again.status, desk.sale().await.status), (OfferStatus::Accepted, OrderStatus::Delivered));
    desk.check_books();
}

#[tokio::test]
async fn a_listing_that_vanishes_is_unknown_and_its_item_can_be_listed_again() {
    let desk = Desk::quiet();
    desk.inject(Fault::ListingVanishes { seconds: 60 });
    let request = SellRequest { owner: desk.account.user, asset_id: desk.own_item(), price: cents(5_000) };
    let listing = desk.market.list(&request).await.unwrap();
    desk.pass(Duration::minutes(1));
    assert_eq!(desk.market.listing(&listing.id).await, Ok(None));
    assert_eq!(desk.market.own_listings().await.unwrap(), []);
    assert_eq!(desk.market.delist(&listing.id).await, Err(ExternalError::Rejected(MarketplaceRefusal::NotFound)));
    let again = desk.market.list(&request).await.unwrap();
    assert_eq!(again.status, ListingStatus::OnSale);
    desk.check_books();
}
