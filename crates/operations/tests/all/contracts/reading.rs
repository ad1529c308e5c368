//! Single and batch gets.

use tradepost_domain::contracts::purchase::PurchaseStatus;
use tradepost_domain::id::Id;
use tradepost_operations::Code;
use tradepost_operations::contracts::{GetContracts, GetInventoryItems, GetPurchase, GetPurchases};

use super::{Desk, buying, contract, submitted};
use crate::harness::refusal;

#[tokio::test]
async fn a_purchase_is_given_as_recorded_with_its_version() {
    let desk = Desk::open().await;
    let purchase_id = desk.buy(1).await;
    let found = desk.purchase(purchase_id).await;
    assert_eq!((found.value.status, found.version), (PurchaseStatus::Pending, 1));
    assert_eq!(found.value.terms.listing_id.as_str(), "listing-1");
    desk.advance(purchase_id, submitted()).await.unwrap();
    assert_eq!(desk.purchase(purchase_id).await.version, 2);
}

#[tokio::test]
async fn a_purchase_of_another_workspace_is_as_unknown_as_one_that_never_was() {
    let desk = Desk::open().await;
    let purchase_id = desk.buy(1).await;
    let (workspace_id, _, stranger) = desk.world.other_workspace().await;
    let get = |purchase_id| desk.operations().get_purchase(&stranger, GetPurchase { workspace_id, purchase_id });
    let (foreign, unknown) = (get(purchase_id).await.unwrap_err(), get(Id::from_bytes([9; 16])).await.unwrap_err());
    assert_eq!(foreign.code, Code::NotFound);
    assert_eq!((foreign.reason, foreign.message), (unknown.reason, unknown.message));
}

#[tokio::test]
async fn purchases_are_given_in_the_order_asked_for_each_once() {
    let desk = Desk::open().await;
    let (first, second, unknown) = (desk.buy(1).await, desk.buy(2).await, Id::from_bytes([9; 16]));
    let purchase_ids = vec![second, unknown, first, second, unknown];
    let command = GetPurchases { workspace_id: desk.workspace_id(), purchase_ids };
    let batch = desk.operations().get_purchases(&desk.trader, command).await.unwrap();
    let found: Vec<_> = batch.found.iter().map(|purchase| purchase.value.terms.id).collect();
    assert_eq!((found, batch.missing), (vec![second, first], vec![unknown]));
}

#[tokio::test]
async fn contracts_are_given_in_the_order_asked_for() {
    let desk = Desk::open().await;
    let later = contract(&desk.world, &desk.trader, buying()).await;
    let contract_ids = vec![later, desk.contract_id];
    let command = GetContracts { workspace_id: desk.workspace_id(), contract_ids: contract_ids.clone() };
    let batch = desk.operations().get_contracts(&desk.trader, command).await.unwrap();
    assert_eq!(batch.found.iter().map(|contract| contract.value.id).collect::<Vec<_>>(), contract_ids);
    assert_eq!(batch.missing, []);
}

#[tokio::test]
async fn items_are_given_in_the_order_asked_for() {
    let desk = Desk::open().await;
    let inventory_item_ids = vec![desk.item(1).await, desk.item(2).await];
    let command =
        GetInventoryItems { workspace_id: desk.workspace_id(), inventory_item_ids: inventory_item_ids.clone() };
    let batch = desk.operations().get_inventory_items(&desk.trader, command).await.unwrap();
    assert_eq!(batch.found.iter().map(|item| item.value.id).collect::<Vec<_>>(), inventory_item_ids);
}

#[tokio::test]
async fn a_batch_has_1_to_200_ids() {
    let desk = Desk::open().await;
    let batch = |count: u8| {
        let purchase_ids = (0..count).map(|number| Id::from_bytes([number; 16])).collect();
        desk.operations().get_purchases(&desk.trader, GetPurchases { workspace_id: desk.workspace_id(), purchase_ids })
    };
    assert_eq!(refusal(batch(0).await), (Code::InvalidArgument, "INVALID_FIELD"));
    assert_eq!(refusal(batch(201).await), (Code::InvalidArgument, "INVALID_FIELD"));
    assert_eq!(batch(200).await.unwrap().missing.len(), 200);
}
