//! Snapshots, as an operator meets them: the released program trades, takes snapshots by itself and when it is asked to, and shows what
//! differs between them.

use serde_json::{Value, json};

use super::live_demo::LiveDemo;

fn has(answer: &Value, list: &str, least: usize) -> bool {
    answer[list].as_array().is_some_and(|entries| entries.len() >= least)
}

#[tokio::test]
async fn the_engine_takes_snapshots_by_itself_and_shows_what_differs() {
    let demo = LiveDemo::start().await;
    let complete = json!({ "status": "SNAPSHOT_STATUS_COMPLETE" });
    let listed = demo.until("ListSnapshots", complete, |answer| has(answer, "snapshotIds", 1)).await;
    let found = demo.call("GetSnapshot", json!({ "snapshotId": listed["snapshotIds"][0] })).await;
    let account = found["snapshot"]["accountId"].clone();
    let of_account = json!({ "accountId": account, "status": "SNAPSHOT_STATUS_COMPLETE" });
    let listed = demo.until("ListSnapshots", of_account, |answer| has(answer, "snapshotIds", 3)).await;
    let ids = listed["snapshotIds"].as_array().unwrap();
    let (later, earlier) = (&ids[0], &ids[2]);
    let batch = demo.call("GetSnapshots", json!({ "snapshotIds": [later, earlier] })).await;
    assert_eq!(batch["snapshots"][0]["contexts"].as_array().map(Vec::len), Some(2), "both contexts are read: {batch}");
    let compared = demo.call("CompareSnapshots", json!({ "fromSnapshotId": earlier, "toSnapshotId": later })).await;
    assert!(compared["differences"].is_array() || compared["nextCursor"] == "", "{compared}");
    let back = json!({ "fromSnapshotId": later, "toSnapshotId": earlier });
    demo.refuse("CompareSnapshots", back, "invalid_argument", "INVALID_FIELD").await;
}

#[tokio::test]
async fn a_person_asks_for_a_snapshot_and_reads_its_items() {
    let demo = LiveDemo::start().await;
    let complete = json!({ "status": "SNAPSHOT_STATUS_COMPLETE" });
    let first = demo.until("ListSnapshots", complete, |answer| has(answer, "snapshotIds", 1)).await;
    let found = demo.call("GetSnapshot", json!({ "snapshotId": first["snapshotIds"][0] })).await;
    let account = found["snapshot"]["accountId"].clone();
    let asked = demo.call("CreateSnapshot", json!({ "accountId": account })).await;
    let id = asked["snapshot"]["id"].clone();
    let is_taken = |answer: &Value| answer["snapshot"]["status"] == "SNAPSHOT_STATUS_COMPLETE";
    let taken = demo.until("GetSnapshot", json!({ "snapshotId": id }), is_taken).await;
    let items = demo.call("ListSnapshotItems", json!({ "snapshotId": id, "limit": 200 })).await;
    let count = items["items"].as_array().map_or(0, Vec::len);
    assert_eq!(
        taken["snapshot"]["itemCount"].as_i64().map(|shown| shown.min(200)),
        i64::try_from(count).ok(),
        "{taken}"
    );
    let shown = demo.tradepost(&["snapshots", "list", "--status", "complete"]).await;
    assert!(shown.contains("STATUS") && shown.lines().count() > 1, "{shown}");
    let counted = demo.call("CountSnapshots", json!({})).await;
    assert_eq!(counted["counts"].as_array().map(Vec::len), Some(4));
}
