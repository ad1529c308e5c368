//! Confirmations, as an operator meets them: the released program trades, allows the confirmations of its own offers alone, and asks a person
//! about every other one.

use serde_json::{Value, json};

use super::snapshots::LiveDemo;

impl LiveDemo {
    /// The first confirmation in a status, once there is one.
    async fn confirmation(&self, status: &str) -> Value {
        let request = json!({ "status": format!("CONFIRMATION_STATUS_{status}") });
        let is_there = |answer: &Value| answer["confirmationIds"].as_array().is_some_and(|ids| !ids.is_empty());
        let listed = self.until("ListConfirmations", request, is_there).await;
        let batch = self.call("GetConfirmations", json!({ "confirmationIds": [listed["confirmationIds"][0]] })).await;
        batch["confirmations"][0].clone()
    }
}

#[tokio::test]
async fn the_engine_allows_the_confirmations_of_its_own_offers_and_shows_every_check() {
    let demo = LiveDemo::start().await;
    let allowed = demo.confirmation("ALLOWED").await;
    assert_eq!(allowed["kind"], "CONFIRMATION_KIND_TRADE_OFFER", "{allowed}");
    let checks = allowed["checks"].as_array().unwrap();
    assert!(checks.len() == 13 && checks.iter().all(|check| check["ok"] == true), "{allowed}");
    let offer = demo.call("GetTradeOffer", json!({ "tradeOfferId": allowed["tradeOfferId"] })).await;
    assert_eq!(offer["tradeOffer"]["platformOfferId"], allowed["creator"], "{offer}");
    let id = json!({ "confirmationId": allowed["id"] });
    demo.refuse("DenyConfirmation", id.clone(), "ILLEGAL_STEP").await;
    let again = demo.call("GetConfirmation", id).await;
    assert_eq!(again["confirmation"]["status"], "CONFIRMATION_STATUS_ALLOWED", "{again}");
    let counted = demo.call("CountConfirmations", json!({})).await;
    assert_eq!(counted["counts"].as_array().map(Vec::len), Some(9), "{counted}");
    let accounts = demo.call("ListAccounts", json!({})).await;
    let refreshed = demo.call("RefreshConfirmations", json!({ "accountId": accounts["accountIds"][0] })).await;
    assert!(refreshed["requestedAt"].is_string(), "{refreshed}");
    let shown = demo.tradepost(&["confirmations", "list", "--status", "allowed"]).await;
    assert!(shown.contains("STATUS") && shown.lines().count() > 1, "{shown}");
}
