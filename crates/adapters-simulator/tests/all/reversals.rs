//! Trades that are reversed while they are protected.

use std::collections::BTreeSet;

use time::Duration;
use tradepost_adapters_simulator::Fault;
use tradepost_domain::asset::ContextId;
use tradepost_domain::text::ExternalId;
use tradepost_domain::time::Timestamp;
use tradepost_domain::trading::trade::{OfferStatus, TradeStatus};
use tradepost_ports::game_platform::{GamePlatform as _, Trade};
use tradepost_ports::marketplace::{Marketplace as _, OrderStatus};

use crate::desk::Desk;

async fn rollback_of(desk: &Desk, trade: &Trade) -> Option<Trade> {
    let trades = desk.platform.trades(desk.account.user, Timestamp::MIN).await.unwrap();
    trades.into_iter().find(|other| other.rollback_of.as_ref() == Some(&trade.id))
}

#[tokio::test]
async fn a_reversal_takes_the_item_back_on_any_day_and_only_the_trade_tells() {
    for day in 0..7 {
        let desk = Desk::quiet();
        let before = desk.balance().await;
        desk.inject(Fault::Reversal { hours: day * 24 });
        let (_, order, trade) = desk.receive().await;
        desk.pass(Duration::days(i64::from(day)));
        let reversed = desk.trade(&trade.id).await;
        assert_eq!(reversed.status, TradeStatus::ProtectionRollback, "day {day}");
        let offer = desk.offers().await.swap_remove(0);
        assert_eq!(offer.status, OfferStatus::Accepted);
        let rollback = rollback_of(&desk, &trade).await.unwrap();
        assert_eq!(rollback.status, TradeStatus::Complete);
        let (_, ours) = trade.received[0].moved_to.clone().unwrap();
        assert_eq!(rollback.given[0].asset_id, ours);
        assert_eq!(desk.inventory(ContextId::PROTECTED).await, []);
        assert_eq!(desk.order(&order).await.status, OrderStatus::Reverted);
        desk.pass(Duration::minutes(10));
        assert_eq!((desk.order(&order).await.status, desk.balance().await), (OrderStatus::Refunded, before));
        desk.check_books();
    }
}

#[tokio::test]
async fn a_reversal_comes_too_late_when_the_protection_is_over() {
    let desk = Desk::quiet();
    desk.inject(Fault::Reversal { hours: 7 * 24 });
    let (_, order, trade) = desk.receive().await;
    desk.pass(Duration::days(8));
    assert_eq!(desk.trade(&trade.id).await.status, TradeStatus::Complete);
    assert_eq!(desk.order(&order).await.status, OrderStatus::Settled);
}

#[tokio::test]
async fn a_reversed_item_goes_back_under_its_old_id_or_a_new_one() {
    let mut old_ids = BTreeSet::new();
    let desk = Desk::quiet();
    for (listing, number) in desk.listings().await.into_iter().take(12).zip(0..) {
        let key: ExternalId = ExternalId::from(number);
        desk.inject(Fault::Reversal { hours: 1 });
        let order = desk.market.buy(&desk.request(&listing, key.as_str())).await.unwrap();
        let offer = desk.offer_for(&order).await;
        let trade = desk.accept(&offer).await;
        desk.pass(Duration::hours(1));
        let returned_as = desk.trade(&trade.id).await.received[0].returned_as.clone().unwrap();
        old_ids.insert(returned_as == listing.asset_id);
    }
    assert_eq!(old_ids.len(), 2, "both happen");
}

#[tokio::test]
async fn a_reversed_sale_brings_our_item_back_and_takes_the_money() {
    let desk = Desk::quiet();
    let before = desk.balance().await;
    desk.inject(Fault::Reversal { hours: 48 });
    let (asset_id, sale) = desk.sell().await;
    let offer = desk.deliver(&sale, &asset_id).await;
    desk.pass(Duration::hours(48));
    let trade = desk.trade(&offer.trade_id.unwrap()).await;
    assert_eq!(trade.status, TradeStatus::ProtectionRollback);
    let ours = desk.inventory(ContextId::ORDINARY).await;
    assert_eq!(Some(&ours[0].asset_id), trade.given[0].returned_as.as_ref());
    desk.pass(Duration::days(8));
    assert_eq!((desk.sale().await.status, desk.balance().await), (OrderStatus::Refunded, before));
    desk.check_books();
}
