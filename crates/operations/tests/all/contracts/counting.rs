//! Counts by status.

use tradepost_domain::contracts::inventory_item::ItemStatus;
use tradepost_domain::contracts::purchase::PurchaseStatus;
use tradepost_domain::id::Id;
use tradepost_operations::contracts::{CountInventoryItems, CountPurchases, WantedPurchases};

use super::{Desk, buying, contract, submitted};

#[tokio::test]
async fn purchases_are_counted_in_every_status_in_order() {
    let desk = Desk::open().await;
    desk.buy(1).await;
    let sent = desk.buy(2).await;
    desk.advance(sent, submitted()).await.unwrap();
    let command =
        CountPurchases { workspace_id: desk.workspace_id(), contract_id: None, wanted: WantedPurchases::default() };
    let counts = desk.operations().count_purchases(&desk.trader, command).await.unwrap();
    assert_eq!(counts.iter().map(|count| count.status).collect::<Vec<_>>(), PurchaseStatus::ALL);
    let counted: Vec<i64> = counts.iter().map(|count| count.count).collect();
    assert_eq!(counted, [1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
}

#[tokio::test]
async fn purchases_are_counted_by_contract() {
    let mut desk = Desk::open().await;
    desk.buy(1).await;
    let elsewhere = contract(&desk.world, &desk.trader, buying()).await;
    desk.contract_id = elsewhere;
    desk.buy(2).await;
    desk.buy(3).await;
    let pending = async |contract_id| {
        let command =
            CountPurchases { workspace_id: desk.workspace_id(), contract_id, wanted: WantedPurchases::default() };
        desk.operations().count_purchases(&desk.trader, command).await.unwrap()[0].count
    };
    assert_eq!(pending(None).await, 3);
    assert_eq!(pending(Some(elsewhere)).await, 2);
    assert_eq!(pending(Some(Id::from_bytes([9; 16]))).await, 0);
}

#[tokio::test]
async fn items_are_counted_in_every_status_in_order() {
    let desk = Desk::open().await;
    desk.item(1).await;
    let contract_id = Some(desk.contract_id);
    let command = CountInventoryItems::of(desk.workspace_id(), contract_id);
    let counts = desk.operations().count_inventory_items(&desk.trader, command).await.unwrap();
    assert_eq!(counts.iter().map(|count| count.status).collect::<Vec<_>>(), ItemStatus::ALL);
    assert_eq!(counts.iter().map(|count| count.count).collect::<Vec<_>>(), [1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
}
