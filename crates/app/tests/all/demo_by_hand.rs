//! What a person does by hand in the live demo is carried out, however fast its market's clock runs.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::command::{Place, Server};

/// Five hours a second: what was bought can be sold within a minute.
const FAST: &[&str] = &["--speed", "18000"];
/// An hour a second.
const BY_DEFAULT: &[&str] = &[];
/// Longer than anything takes on a busy machine.
const PATIENCE: Duration = Duration::from_mins(4);
/// More than any buyer of the market pays.
const UNSOLD: &str = "9000000";

struct Demo {
    server: Server,
    began: Instant,
    _place: Place,
}

impl Demo {
    fn start(speed: &[&str]) -> Self {
        let place = Place::new();
        let server = place.serve(&[&["demo"][..], speed].concat());
        Self { server, began: Instant::now(), _place: place }
    }

    /// An operation with the status of its answer, within the time that a test takes.
    async fn try_to(&self, operation: &str, more: Value) -> (u16, Value) {
        assert!(self.began.elapsed() < PATIENCE, "{operation} {more}: never so; log: {}", self.server.log());
        let mut request = more;
        request["workspaceId"] = self.server.line["workspaceId"].clone();
        let operation = format!("contracts.v1.Contracts/{operation}");
        self.server.call(self.server.printed("apiKey"), &operation, request).await
    }

    async fn ask(&self, operation: &str, more: Value) -> Value {
        let (status, answer) = self.try_to(operation, more).await;
        assert_eq!(status, 200, "{operation}: {answer}");
        answer
    }

    /// The clock of the live market, once it runs.
    async fn clock(&self) -> Value {
        loop {
            assert!(self.began.elapsed() < PATIENCE, "no market trades; log: {}", self.server.log());
            let request = json!({ "workspaceId": self.server.line["workspaceId"] });
            let key = self.server.printed("apiKey");
            let (status, answer) = self.server.call(key, "accounts.v1.Accounts/GetWorkspace", request).await;
            assert_eq!(status, 200, "{answer}");
            if answer["simulatedClock"]["now"].is_string() {
                return answer["simulatedClock"].clone();
            }
        }
    }

    /// The id of the contract of the live market whose name begins so.
    async fn contract(&self, name: &str) -> Value {
        let ids = self.ask("ListContracts", json!({ "limit": 200 })).await["contractIds"].clone();
        let found = self.ask("GetContracts", json!({ "contractIds": ids })).await["contracts"].clone();
        let is_meant = |contract: &&Value| contract["name"].as_str().unwrap().starts_with(name);
        found.as_array().unwrap().iter().find(is_meant).unwrap()["id"].clone()
    }

    /// The intent as it ends.
    async fn ended(&self, id: &Value) -> Value {
        let live = ["INTENT_STATUS_PROPOSED", "INTENT_STATUS_APPROVED", "INTENT_STATUS_EXECUTING"];
        loop {
            let intent = self.ask("GetIntent", json!({ "intentId": id })).await["intent"].clone();
            if !live.contains(&intent["status"].as_str().unwrap()) {
                return intent;
            }
        }
    }

    /// The newest items of the live market that are in the inventory.
    async fn in_inventory(&self) -> Vec<Value> {
        let more = json!({ "limit": 200, "status": "INVENTORY_ITEM_STATUS_IN_INVENTORY", "accountName": "live-1" });
        let ids = self.ask("ListInventoryItems", more).await["inventoryItemIds"].clone();
        ids.as_array().cloned().unwrap_or_default()
    }

    /// Puts an item on sale, the first that is free of its lock: the others fail, and say so.
    async fn put_on_sale(&self) -> Value {
        loop {
            // The oldest of them, which is free first.
            let Some(item) = self.in_inventory().await.pop() else { continue };
            let more = json!({ "inventoryItemId": item, "marketplace": "simulated", "priceCents": UNSOLD });
            let (status, answer) = self.try_to("ListItemForSale", more).await;
            if status != 200 {
                continue;
            }
            let ended = self.ended(&answer["intent"]["id"]).await;
            if ended["status"] == "INTENT_STATUS_SUCCEEDED" {
                return item;
            }
            assert_eq!(ended["failedCheck"], "ITEM_LOCKED", "{ended}");
        }
    }

    async fn carry_out(&self, operation: &str, more: Value) {
        let asked = self.ask(operation, more).await;
        let ended = self.ended(&asked["intent"]["id"]).await;
        assert_eq!(ended["status"], "INTENT_STATUS_SUCCEEDED", "{operation}: {ended}");
    }
}

#[tokio::test]
async fn selling_repricing_and_delisting_by_hand_are_carried_out_in_the_live_demo() {
    let demo = Demo::start(FAST);
    let seller = demo.contract("Live: sell").await;
    demo.ask("PauseContract", json!({ "contractId": seller })).await;
    let item = demo.put_on_sale().await;
    demo.carry_out("RepriceItem", json!({ "inventoryItemId": item, "priceCents": "8000000" })).await;
    demo.carry_out("DelistItem", json!({ "inventoryItemId": item })).await;
}

#[tokio::test]
async fn without_a_speed_an_hour_of_the_live_demo_passes_in_a_second() {
    let demo = Demo::start(BY_DEFAULT);
    let began = demo.clock().await;
    assert_eq!(began["speed"], 3_600);
    // By the date and the hour: `2026-11-30T12`.
    let hour = |clock: &Value| clock["now"].as_str().unwrap()[..13].to_owned();
    while hour(&demo.clock().await) <= hour(&began) {}
}

#[tokio::test]
async fn what_a_person_approves_in_the_live_demo_is_carried_out() {
    let demo = Demo::start(BY_DEFAULT);
    let draft = json!({
        "name": "Asks first",
        "approvalMode": "APPROVAL_MODE_MANUAL",
        "marketplaces": ["simulated"],
        "buying": {
            "budgetCents": "500000", "maxBuyPriceCents": "20000", "targetQuantity": 50, "minDiscountBps": 100,
        },
        "priceReference": { "statistic": "PRICE_STATISTIC_MEDIAN", "maxAgeSeconds": 3600, "minConfidenceBps": 5000 },
    });
    let contract = demo.ask("CreateContract", draft).await["contract"]["id"].clone();
    demo.ask("ActivateContract", json!({ "contractId": contract })).await;
    let proposed = json!({ "contractId": contract, "status": "INTENT_STATUS_PROPOSED" });
    loop {
        let waiting = demo.ask("ListIntents", proposed.clone()).await["intentIds"].clone();
        let Some(newest) = waiting.as_array().and_then(|ids| ids.first()).cloned() else { continue };
        demo.ask("ApproveIntent", json!({ "intentId": newest })).await;
        let ended = demo.ended(&newest).await;
        if ended["status"] == "INTENT_STATUS_SUCCEEDED" {
            break;
        }
        // Another buyer was faster, which the marketplace says.
        assert_eq!(ended["status"], "INTENT_STATUS_FAILED", "{ended}");
        assert!(ended["failedCheck"].as_str().is_some_and(|check| !check.is_empty()), "{ended}");
    }
}
