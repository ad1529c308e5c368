//! The whole loop, when nothing goes wrong.

use time::Duration;
use tradepost_domain::contracts::inventory_item::ItemStatus;
use tradepost_domain::contracts::purchase::PurchaseStatus;
use tradepost_domain::trading::trade_offer::{OfferDirection, OfferOwner, TradeOfferStatus};
use tradepost_operations::Caller;
use tradepost_operations::accounts::SetTradingHalt;

use crate::desk::{Desk, all_items, all_purchases, cents};

#[tokio::test]
async fn a_listing_that_a_contract_wants_is_bought_and_delivered() {
    let desk = Desk::lively(1).await;
    let contract_id = desk.buying(3).await;
    let mut engine = desk.engine();
    desk.live_until(&mut engine, all_purchases(3, PurchaseStatus::Traded)).await;
    assert_eq!(desk.item_statuses().await, [ItemStatus::InInventory; 3]);
    let (reserved, spent) = desk.money(contract_id).await;
    assert_eq!(reserved, cents(0));
    assert!(spent > cents(0));
    desk.assert_sound().await;
}

#[tokio::test]
async fn a_bought_item_is_sold_once_it_can_be_and_its_proceeds_are_booked() {
    let desk = Desk::slow(2).await;
    desk.buying(3).await;
    desk.selling().await;
    desk.live_until(&mut desk.engine(), all_items(3, ItemStatus::Settled)).await;
    assert_eq!(desk.purchase_statuses().await, [PurchaseStatus::Settled; 3]);
    desk.assert_sound().await;
}

#[tokio::test]
async fn an_item_has_the_offers_that_brought_it_and_took_it_with_the_ids_of_its_chain() {
    let desk = Desk::slow(2).await;
    desk.buying(1).await;
    desk.selling().await;
    desk.live_until(&mut desk.engine(), all_items(1, ItemStatus::Settled)).await;
    let (purchase, item) = (desk.purchases().await.remove(0), desk.items().await.remove(0));
    let chain = desk.chain(item.id).await;
    let [bought] = desk.offers_of(OfferOwner::Purchase(purchase.terms.id)).await.try_into().unwrap();
    assert_eq!(
        (bought.status, bought.offer_id.clone()),
        (TradeOfferStatus::Final, purchase.progress.trade_offer_id.clone())
    );
    let trade = desk.trade(&purchase.progress.trade_id.clone().unwrap()).await;
    let [moved] = trade.assets.as_slice() else { panic!("{trade:?}") };
    assert_eq!((&moved.asset.asset_id, moved.moved_to.as_ref()), (&chain[0].asset_id, Some(&chain[1].asset_id)));
    let [sold] = desk.offers_of(OfferOwner::Item(item.id)).await.try_into().unwrap();
    assert_eq!((sold.status, sold.direction), (TradeOfferStatus::Final, OfferDirection::Sent));
    let trade = desk.trade(&sold.trade.clone().unwrap().id).await;
    let [moved] = trade.assets.as_slice() else { panic!("{trade:?}") };
    assert_eq!(moved.moved_to.as_ref(), chain.last().map(|link| &link.asset_id));
    desk.assert_sound().await;
}

#[tokio::test]
async fn nothing_is_bought_while_trading_is_halted() {
    let desk = Desk::lively(3).await;
    desk.buying(3).await;
    let halt = SetTradingHalt { workspace_id: desk.workspace_id, halted: true, reason: "a test".to_owned() };
    desk.operations.set_trading_halt(&Caller::system(), halt).await.unwrap();
    desk.live(&mut desk.engine(), Duration::hours(1)).await;
    assert!(desk.purchases().await.is_empty());
}

#[tokio::test]
async fn an_engine_that_is_replaced_at_every_pass_trades_like_one_that_is_not() {
    let desk = Desk::slow(4).await;
    desk.buying(4).await;
    desk.selling().await;
    let is_settled = all_items(4, ItemStatus::Settled);
    while !is_settled(&[], &desk.items().await) {
        desk.live(&mut desk.engine(), Duration::hours(1)).await;
    }
    desk.assert_sound().await;
}
