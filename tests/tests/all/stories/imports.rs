//! A folder of authenticator files becomes trading accounts, and tables of what they hold, bought and sold become items and purchases, by the
//! commands of the program.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use crate::groups::StillDemo;

const SHARED: &str = "AQIDBAUGBwgJCgsMDQ4PEBESExQ=";

fn write_folder(folder: &Path) {
    let file = |number: u32, session: Value| {
        json!({
            "account_name": format!("lantern{number}"), "shared_secret": SHARED, "identity_secret": SHARED,
            "revocation_code": format!("R{number}"), "device_id": "android:1", "Session": session,
        })
    };
    let entry = |number: u32| json!({ "filename": format!("{number}.maFile"), "steamid": 76_561_198_100_000_000_u64 + u64::from(number) });
    let manifest = json!({ "encrypted": false, "entries": [entry(1), entry(2), entry(3)] });
    fs::write(folder.join("manifest.json"), manifest.to_string()).unwrap();
    fs::write(folder.join("1.maFile"), file(1, json!({ "SteamID": 76_561_198_100_000_001_u64 })).to_string()).unwrap();
    fs::write(folder.join("2.maFile"), file(2, json!(null)).to_string()).unwrap();
    fs::write(folder.join("3.maFile"), "not a file of an authenticator").unwrap();
}

#[tokio::test]
async fn a_folder_of_authenticator_files_becomes_accounts_of_the_desk() {
    let (desk, folder) = (StillDemo::start().await, tempfile::tempdir().unwrap());
    write_folder(folder.path());
    let path = folder.path().to_str().unwrap();
    let create = ["imports", "create", path, "--format", "mafile-bundle", "--can", "buy", "--name", "the farm"];
    let created = desk.json(&create).await;
    let import = &created["importRecord"];
    assert_eq!((&import["rows"], &import["accepted"], &import["rejected"]), (&json!(3), &json!(2), &json!(1)));
    let id = import["id"].as_str().unwrap();

    let rows = desk.run(&["imports", "rows", id]).await;
    assert!(rows.contains("will create") && rows.contains("FILE_INVALID"), "{rows}");
    assert!(!rows.contains(SHARED) && !rows.contains("lantern"), "{rows}");

    let applied = desk.json(&["imports", "apply", id, "--version", "1"]).await;
    assert_eq!(applied["importRecord"]["status"], "IMPORT_STATUS_APPLIED");
    let again = desk.json(&["imports", "apply", id, "--version", "1"]).await;
    assert_eq!(again, applied);

    let code = desk.run(&["accounts", "revocation-code", "76561198100000002"]).await;
    assert!(code.contains("R2"), "{code}");
    let second = desk.json(&create).await;
    assert_eq!(second["importRecord"]["accepted"], 2);
    let rows = desk.run(&["imports", "rows", second["importRecord"]["id"].as_str().unwrap()]).await;
    assert_eq!(rows.matches("same").count(), 2, "{rows}");
}

#[tokio::test]
async fn a_table_of_holdings_becomes_items_of_the_desk() {
    let (desk, folder) = (StillDemo::start().await, tempfile::tempdir().unwrap());
    write_folder(folder.path());
    let accounts = ["imports", "create", folder.path().to_str().unwrap(), "--format", "mafile-bundle"];
    let id = desk.json(&accounts).await["importRecord"]["id"].as_str().unwrap().to_owned();
    desk.json(&["imports", "apply", &id, "--version", "1"]).await;

    let table = folder.path().join("holdings.csv");
    let rows = "steamid,assetid,market_hash_name,price,marketplace,order_id\n\
                76561198100000001,99000000001,Glove Case,3.20,csfloat,A-1\n\
                76561198100000001,99000000002,Glove Case,,,\n\
                76561198999999999,99000000003,Glove Case,,,\n";
    fs::write(&table, rows).unwrap();
    let create = ["imports", "create", table.to_str().unwrap(), "--format", "csv", "--kind", "holdings"];
    let created = desk.json(&create).await;
    let import = &created["importRecord"];
    assert_eq!((&import["kind"], &import["accepted"]), (&json!("IMPORT_KIND_HOLDINGS"), &json!(2)));
    let id = import["id"].as_str().unwrap();
    let rows = desk.run(&["imports", "rows", id]).await;
    assert!(rows.contains("will create") && rows.contains("ACCOUNT_UNKNOWN"), "{rows}");

    let applied = desk.json(&["imports", "apply", id, "--version", "1"]).await;
    assert_eq!(applied["importRecord"]["status"], "IMPORT_STATUS_APPLIED");
    let rows = desk.json(&["imports", "rows", id]).await;
    let (workspace, item) = (&import["workspaceId"], &rows["rows"][0]["inventoryItemId"]);
    let get = json!({ "workspaceId": workspace, "inventoryItemId": item });
    let found = desk.call("GetInventoryItem", get).await;
    let item = &found["inventoryItem"];
    assert_eq!((&item["contractId"], &item["buyPriceCents"]), (&json!(""), &json!("320")));
    assert_eq!(item["currentAssetId"], "99000000001");
    let second = desk.json(&create).await;
    let rows = desk.run(&["imports", "rows", second["importRecord"]["id"].as_str().unwrap()]).await;
    assert_eq!(rows.matches("same").count(), 2, "{rows}");
}

#[tokio::test]
async fn a_table_of_purchases_becomes_purchases_with_their_items_and_closed_sales() {
    let (desk, folder) = (StillDemo::start().await, tempfile::tempdir().unwrap());
    write_folder(folder.path());
    let accounts = ["imports", "create", folder.path().to_str().unwrap(), "--format", "mafile-bundle"];
    let id = desk.json(&accounts).await["importRecord"]["id"].as_str().unwrap().to_owned();
    desk.json(&["imports", "apply", &id, "--version", "1"]).await;

    let table = folder.path().join("purchases.csv");
    let rows = "marketplace,order_id,steamid,assetid,market_hash_name,price,bought_at,held,sold_at,sale_price,sale_fee\n\
                csfloat,A-1,76561198100000001,99000000011,Glove Case,3.20,2021-01-31,yes,,,\n\
                csfloat,A-2,76561198100000001,99000000012,Glove Case,3.20,2021-01-31,no,2021-03-01,4.00,0.20\n\
                csfloat,A-3,76561198100000001,99000000013,Glove Case,3.20,2021-01-31,no,,,\n";
    fs::write(&table, rows).unwrap();
    let create = ["imports", "create", table.to_str().unwrap(), "--format", "csv", "--kind", "purchases"];
    let created = desk.json(&create).await;
    let import = &created["importRecord"];
    assert_eq!((&import["kind"], &import["accepted"]), (&json!("IMPORT_KIND_PURCHASES"), &json!(2)));
    let id = import["id"].as_str().unwrap();
    let rows = desk.run(&["imports", "rows", id]).await;
    assert!(rows.contains("csfloat:A-1") && rows.contains("SALE_MISSING"), "{rows}");

    desk.json(&["imports", "apply", id, "--version", "1"]).await;
    let rows = desk.json(&["imports", "rows", id]).await;
    for (row, status) in [(0, "INVENTORY_ITEM_STATUS_IN_INVENTORY"), (1, "INVENTORY_ITEM_STATUS_SETTLED")] {
        let get =
            json!({ "workspaceId": import["workspaceId"], "inventoryItemId": rows["rows"][row]["inventoryItemId"] });
        let found = desk.call("GetInventoryItem", get).await;
        assert_eq!(
            (&found["inventoryItem"]["status"], &found["inventoryItem"]["buyPriceCents"]),
            (&json!(status), &json!("320"))
        );
        let get = json!({ "workspaceId": import["workspaceId"], "purchaseId": rows["rows"][row]["purchaseId"] });
        let found = desk.call("GetPurchase", get).await;
        assert_eq!(found["purchase"]["status"], "PURCHASE_STATUS_SETTLED");
    }
    let second = desk.json(&create).await;
    let rows = desk.run(&["imports", "rows", second["importRecord"]["id"].as_str().unwrap()]).await;
    assert_eq!(rows.matches("same").count(), 2, "{rows}");
}
