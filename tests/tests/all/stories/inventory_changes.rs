//! Inventory changes, as an operator meets them: the released program trades, and its trades explain what changes in the inventories.

use serde_json::{Value, json};

use super::live_demo::LiveDemo;

#[tokio::test]
async fn the_trades_of_the_engine_explain_what_changes_in_the_inventories() {
    let demo = LiveDemo::start().await;
    let appeared = json!({ "kind": "INVENTORY_CHANGE_KIND_APPEARED", "status": "INVENTORY_CHANGE_STATUS_EXPLAINED" });
    let is_there = |answer: &Value| answer["inventoryChangeIds"].as_array().is_some_and(|ids| !ids.is_empty());
    let listed = demo.until("ListInventoryChanges", appeared, is_there).await;
    let id = listed["inventoryChangeIds"][0].clone();
    let found = demo.call("GetInventoryChange", json!({ "inventoryChangeId": id })).await;
    let change = &found["inventoryChange"];
    assert_eq!(change["reason"], "a trade moved it", "{change}");
    assert_ne!(change["tradeId"], "", "{change}");
    let batch = demo.call("GetInventoryChanges", json!({ "inventoryChangeIds": [id] })).await;
    assert_eq!(batch["inventoryChanges"][0]["assetId"], change["assetId"]);
    let shown = demo.tradepost(&["inventory-changes", "list", "--status", "explained", "--kind", "appeared"]).await;
    assert!(shown.contains("KIND") && shown.lines().count() > 1, "{shown}");
    // What is explained is closed.
    demo.refuse(
        "IgnoreInventoryChange",
        json!({ "inventoryChangeId": id, "reason": "a gift" }),
        "failed_precondition",
        "ILLEGAL_STEP",
    )
    .await;
    let counted = demo.call("CountInventoryChanges", json!({})).await;
    let open =
        counted["counts"].as_array().unwrap().iter().find(|entry| entry["status"] == "INVENTORY_CHANGE_STATUS_OPEN");
    assert_eq!(open.map(|entry| &entry["count"]), Some(&json!(0)), "nothing stays unexplained: {counted}");
}
