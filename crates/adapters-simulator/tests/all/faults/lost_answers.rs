//! Orders whose call had no answer.

use time::Duration;
use tradepost_adapters_simulator::{Call, Fault};
use tradepost_domain::time::Timestamp;
use tradepost_ports::external::ExternalError;
use tradepost_ports::marketplace::{Buyer, Marketplace as _, OrderStatus, Sought, SoughtOrder};

use crate::desk::Desk;

#[tokio::test]
async fn a_timeout_before_the_commit_leaves_no_order() {
    let desk = Desk::quiet();
    let before = desk.balance().await;
    desk.inject(Fault::TimeoutBeforeCommit { call: Call::Buy });
    let (listing, answer) = desk.try_to_buy().await;
    assert!(matches!(answer, Err(ExternalError::Unknown(_))), "{answer:?}");
    assert_eq!(desk.find(&listing, "key-1").await, Sought::Absent);
    assert_eq!(desk.market.listing(&listing.id).await, Ok(Some(listing)));
    assert_eq!(desk.balance().await, before);
}

#[tokio::test]
async fn a_timeout_after_the_commit_leaves_an_order_that_is_found_by_its_key() {
    let desk = Desk::quiet();
    desk.inject(Fault::TimeoutAfterCommit { call: Call::Buy });
    let (listing, answer) = desk.try_to_buy().await;
    assert!(matches!(answer, Err(ExternalError::Unknown(_))), "{answer:?}");
    let Sought::Found(order) = desk.find(&listing, "key-1").await else { panic!("it is not found") };
    assert_eq!((&order.listing_id, order.status), (&listing.id, OrderStatus::AwaitingSeller));
    desk.offer_for(&order).await;
}

#[tokio::test]
async fn an_order_that_is_found_late_was_charged_at_once_and_is_not_made_twice() {
    let desk = Desk::quiet();
    let before = desk.balance().await;
    desk.inject(Fault::LateLookup { seconds: 60 });
    desk.inject(Fault::TimeoutAfterCommit { call: Call::Buy });
    let (listing, answer) = desk.try_to_buy().await;
    assert!(matches!(answer, Err(ExternalError::Unknown(_))), "{answer:?}");
    desk.pass(Duration::seconds(59));
    assert_eq!(desk.find(&listing, "key-1").await, Sought::Absent);
    let sought = SoughtOrder::of(&desk.request(&listing, "key-1"), &listing, Timestamp::MIN);
    let Ok(Buyer::Us(order)) = desk.market.who_bought(&sought).await else { panic!("no one has bought it") };
    assert_eq!(desk.balance().await, before.minus(order.price.plus(order.fee).unwrap()).unwrap());
    desk.pass(Duration::seconds(1));
    assert_eq!(desk.find(&listing, "key-1").await, Sought::Found(order));
}

#[tokio::test]
async fn a_delayed_purchase_is_executed_without_an_answer_if_the_listing_can_still_be_bought() {
    let desk = Desk::quiet();
    let before = desk.balance().await;
    desk.inject(Fault::DelayedPurchase { seconds: 600 });
    let (listing, answer) = desk.try_to_buy().await;
    assert!(matches!(answer, Err(ExternalError::Unknown(_))), "{answer:?}");
    desk.pass(Duration::seconds(599));
    let sought = SoughtOrder::of(&desk.request(&listing, "key-1"), &listing, Timestamp::MIN);
    assert_eq!(desk.find(&listing, "key-1").await, Sought::Absent);
    assert_eq!(desk.market.who_bought(&sought).await, Ok(Buyer::NotSold));
    assert_eq!(desk.balance().await, before, "nothing shows it");
    desk.pass(Duration::seconds(1));
    let Sought::Found(order) = desk.find(&listing, "key-1").await else { panic!("it is not found") };
    assert_eq!(desk.balance().await, before.minus(order.price.plus(order.fee).unwrap()).unwrap());
    desk.inject(Fault::DelayedPurchase { seconds: 600 });
    let listing = desk.listings().await.swap_remove(0);
    let answer = desk.market.buy(&desk.request(&listing, "key-2")).await;
    assert!(matches!(answer, Err(ExternalError::Unknown(_))), "{answer:?}");
    assert!(desk.simulator.world(|world| world.sell_to_stranger(&listing.id)));
    desk.pass(Duration::seconds(600));
    assert_eq!(desk.find(&listing, "key-2").await, Sought::Absent);
}
