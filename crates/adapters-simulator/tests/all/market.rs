//! What happens when nothing goes wrong.

use std::collections::BTreeSet;

use time::Duration;
use tradepost_adapters_simulator::{Settings, Variant, World};
use tradepost_domain::asset::ContextId;
use tradepost_domain::money::VenueCents;
use tradepost_domain::text::Marketplace as SourceName;
use tradepost_domain::trading::trade::OfferStatus;
use tradepost_ports::game_platform::GamePlatform as _;
use tradepost_ports::marketplace::{ListingQuery, ListingStatus, Marketplace as _, OrderStatus, SellRequest};
use tradepost_ports::price_source::PriceSource as _;

use crate::desk::{Desk, assert_is_listed_item, cents, quiet};

#[tokio::test]
async fn what_is_bought_is_offered_delivered_and_settled() {
    let desk = Desk::quiet();
    let (listing, order) = desk.buy().await;
    let offer = desk.offer_for(&order).await;
    assert_eq!((Some(offer.partner), offer.status), (order.seller, OfferStatus::Active));
    assert_eq!((offer.give.len(), &offer.receive[0].asset_id), (0, &listing.asset_id));
    assert_eq!(desk.order(&order).await.status, OrderStatus::Offered);
    let trade = desk.accept(&offer).await;
    assert_eq!(trade.received[0].asset_id, listing.asset_id);
    assert_eq!(desk.order(&order).await.status, OrderStatus::Delivered);
    desk.pass(Duration::days(7));
    assert_eq!(desk.order(&order).await.status, OrderStatus::Settled);
    desk.check_books();
}

#[tokio::test]
async fn what_was_received_is_protected_for_seven_days_to_the_second() {
    let desk = Desk::quiet();
    let (listing, _, trade) = desk.receive().await;
    assert_eq!(trade.protected_until, Some(trade.started_at.plus(Duration::days(7))));
    desk.pass(Duration::days(7) - Duration::seconds(1));
    let protected = desk.inventory(ContextId::PROTECTED).await;
    assert_eq!(protected.len(), 1);
    assert_eq!(desk.inventory(ContextId::ORDINARY).await, []);
    let request = SellRequest { owner: desk.account.user, asset_id: protected[0].asset_id.clone(), price: cents(100) };
    assert!(desk.market.list(&request).await.is_err(), "a protected item cannot be listed");
    desk.pass(Duration::seconds(1));
    assert_eq!(desk.inventory(ContextId::PROTECTED).await, []);
    let free = desk.inventory(ContextId::ORDINARY).await;
    assert_eq!(free[0].asset_id, protected[0].asset_id);
    assert_is_listed_item(&free[0], &listing);
    desk.market.list(&request).await.expect("a free one can");
}

#[tokio::test]
async fn what_is_sold_is_delivered_and_paid_when_it_can_no_longer_be_reversed() {
    let desk = Desk::quiet();
    let before = desk.balance().await;
    let (asset_id, sale) = desk.sell().await;
    let offer = desk.deliver(&sale, &asset_id).await;
    assert_eq!(offer.status, OfferStatus::Accepted);
    assert_eq!(desk.sale().await.status, OrderStatus::Delivered);
    assert_eq!(desk.balance().await, before);
    desk.pass(Duration::days(7));
    assert_eq!(desk.sale().await.status, OrderStatus::Settled);
    assert_eq!(desk.balance().await, before.plus(sale.price).unwrap().minus(sale.fee).unwrap());
    desk.check_books();
}

#[tokio::test]
async fn a_buyer_takes_nothing_but_what_was_bought() {
    let desk = Desk::quiet();
    let (_, sale) = desk.sell().await;
    let another = desk.own_item();
    let offer = desk.deliver(&sale, &another).await;
    assert_eq!(offer.status, OfferStatus::Declined);
    assert_eq!(desk.sale().await.status, OrderStatus::AwaitingSeller);
}

#[tokio::test]
async fn who_does_not_deliver_in_time_is_not_paid_and_keeps_the_item() {
    let desk = Desk::quiet();
    let before = desk.balance().await;
    let (asset_id, sale) = desk.sell().await;
    desk.pass(Duration::hours(1));
    assert!(matches!(desk.sale().await.status, OrderStatus::Failed(_)));
    desk.pass(Duration::minutes(10));
    assert_eq!(desk.sale().await.status, OrderStatus::Refunded);
    assert_eq!(desk.balance().await, before);
    let request = SellRequest { owner: desk.account.user, asset_id, price: sale.price };
    desk.market.list(&request).await.expect("it can be sold to somebody else");
    desk.check_books();
}

#[tokio::test]
async fn who_declines_what_was_bought_gets_the_money_back() {
    let desk = Desk::quiet();
    let before = desk.balance().await;
    let (_, order) = desk.buy().await;
    let offer = desk.offer_for(&order).await;
    desk.platform.decline(desk.account.user, &offer.id).await.unwrap();
    desk.pass(Duration::minutes(10));
    let order = desk.order(&order).await;
    assert_eq!((order.status, order.refunded), (OrderStatus::Refunded, order.price.plus(order.fee).unwrap()));
    assert_eq!(desk.balance().await, before);
}

#[tokio::test]
async fn strangers_list_change_prices_and_buy_from_each_other() {
    let desk = Desk::lively(1);
    let before = desk.listings().await;
    desk.pass(Duration::hours(3));
    let after = desk.listings().await;
    assert!(after.iter().any(|listing| before.iter().all(|old| old.id != listing.id)), "nobody has listed anything");
    let (mut sold, mut repriced) = (0, 0);
    for old in before {
        let now = desk.market.listing(&old.id).await.unwrap().unwrap();
        sold += u32::from(now.status == ListingStatus::Sold);
        repriced += u32::from(now.offered.price != old.offered.price);
    }
    assert!(sold > 0 && repriced > 0, "{sold} sold, {repriced} repriced");
}

#[tokio::test]
async fn strangers_buy_what_is_cheap_and_leave_what_is_dear() {
    let desk = Desk::lively(2);
    let list = async |price| {
        let request = SellRequest { owner: desk.account.user, asset_id: desk.own_item(), price: cents(price) };
        desk.market.list(&request).await.unwrap()
    };
    let (cheap, dear) = (list(1).await, list(1_000_000).await);
    desk.pass(Duration::hours(3));
    let status = async |id| desk.market.listing(id).await.unwrap().unwrap().status;
    assert_eq!(status(&cheap.id).await, ListingStatus::Sold);
    assert_eq!(status(&dear.id).await, ListingStatus::OnSale);
}

#[tokio::test]
async fn the_world_stays_small_while_strangers_come_and_go() {
    let desk = Desk::lively(3);
    let everything = ListingQuery { market_hash_name: None, max_price: Some(VenueCents::MAX), limit: 100 };
    let size = || desk.simulator.world(|world| serde_json::to_vec(&*world).unwrap().len());
    desk.pass(Duration::days(3));
    let after_three_days = size();
    desk.pass(Duration::days(12));
    assert!(size() < after_three_days * 2, "{} bytes became {}", after_three_days, size());
    assert!(!desk.market.listings(&everything, None).await.unwrap().items.is_empty());
}

#[tokio::test]
async fn kinds_of_one_name_differ_in_phase_and_price() {
    let desk = Desk::over(World::new(7, Settings { variants: Variant::of_phases(), ..quiet() }));
    let quotes = desk.simulator.prices(SourceName::new("index").unwrap()).quotes().await.unwrap();
    let kinds: BTreeSet<_> = quotes.iter().map(|quote| (&quote.variant, quote.quote.lowest_ask)).collect();
    assert_eq!(kinds.len(), 5);
    let listings = desk.listings().await;
    assert!(listings.iter().all(|listing| listing.offered.variant.phase.is_some()));
    for listing in &listings {
        let quote = quotes.iter().find(|quote| quote.variant == listing.offered.variant).unwrap();
        let (price, market) = (listing.offered.price.get(), quote.quote.lowest_ask.unwrap().get());
        assert!((market * 88 / 100..=market * 115 / 100).contains(&price), "{listing:?}");
    }
}

#[tokio::test]
async fn some_items_have_stickers_and_some_have_charms() {
    let listings = Desk::lively(4).listings().await;
    let with_stickers = listings.iter().filter(|listing| !listing.offered.stickers.is_empty()).count();
    let with_charms = listings.iter().filter(|listing| !listing.offered.charms.is_empty()).count();
    assert!((1..listings.len()).contains(&with_stickers) && (1..listings.len()).contains(&with_charms));
}

#[tokio::test]
async fn an_index_reports_bids_below_what_is_asked() {
    let desk = Desk::quiet();
    for quote in desk.simulator.prices(SourceName::new("index").unwrap()).quotes().await.unwrap() {
        assert!(quote.quote.highest_bid.unwrap() < quote.quote.lowest_ask.unwrap(), "{quote:?}");
    }
}
