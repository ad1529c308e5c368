//! `serve` with a desk: a server that trades in a simulated world which another process serves.

use std::time::Duration;

use serde_json::{Value, json};

use crate::command::{Place, Server, credential};

const SCENARIO: &str = r#"[{"call":"pay_in","customer":"desk","cents":1000000}]"#;
/// Longer than anything takes on a busy machine.
const PATIENCE: Duration = Duration::from_mins(2);

/// A world whose hours pass in seconds.
fn world(place: &Place) -> Server {
    std::fs::write(place.path("scenario.json"), SCENARIO).unwrap();
    place.serve(&["sim", "serve", "--data", "world", "--scenario", "scenario.json", "--speed", "1200"])
}

fn trader(place: &Place, simulator: &str) -> Server {
    let mut command = place.command(&["--listen", "127.0.0.1:0"]);
    command
        .env("TRADEPOST_TRADING__SIMULATOR", simulator)
        .env("TRADEPOST_TRADING__ACCOUNTS", "[bot-1, bot-2]")
        .env("TRADEPOST_TRADING__INTERVAL_MILLISECONDS", "100");
    place.start(&mut command)
}

pub(crate) struct Desk<'a> {
    pub(crate) server: &'a Server,
    /// An API key, or the token of a session.
    pub(crate) key: String,
    pub(crate) workspace_id: Value,
}

impl Desk<'_> {
    async fn ask(&self, operation: &str, more: Value) -> Value {
        self.call(&format!("contracts.v1.Contracts/{operation}"), more).await
    }

    /// Calls an operation in the workspace.
    pub(crate) async fn call(&self, operation: &str, more: Value) -> Value {
        let mut request = more;
        request["workspaceId"] = self.workspace_id.clone();
        let (status, answer) = self.server.call(&self.key, operation, request).await;
        assert_eq!(status, 200, "{operation}: {answer}");
        answer
    }

    /// An active contract that buys whatever is below its value.
    pub(crate) async fn buy(&self) {
        let draft = json!({
            "name": "Bargains",
            "approvalMode": "APPROVAL_MODE_AUTOMATIC",
            "marketplaces": ["simulated"],
            "buying": {
                "budgetCents": "500000", "maxBuyPriceCents": "20000", "targetQuantity": 5, "minDiscountBps": 100,
            },
            "priceReference": { "statistic": "PRICE_STATISTIC_MEDIAN", "maxAgeSeconds": 3600, "minConfidenceBps": 5000 },
        });
        let contract = self.ask("CreateContract", draft).await["contract"]["id"].clone();
        self.ask("ActivateContract", json!({ "contractId": contract })).await;
    }

    async fn items(&self) -> i64 {
        let counted = self.ask("CountInventoryItems", json!({})).await;
        let counts = counted["counts"].as_array().cloned().unwrap_or_default();
        counts.iter().map(|one| one["count"].as_i64().unwrap()).sum()
    }

    /// Looks again whenever something has changed.
    pub(crate) async fn until_items(&self, many: i64) {
        let grown = async {
            let mut seen = self.ask("WatchTransitions", json!({ "fromEnd": true })).await;
            while self.items().await < many {
                let after = json!({ "afterTransitionId": seen["lastTransitionId"], "waitSeconds": 25 });
                seen = self.ask("WatchTransitions", after).await;
            }
        };
        tokio::time::timeout(PATIENCE, grown).await.unwrap();
    }
}

#[tokio::test]
async fn a_server_trades_in_a_world_of_another_process() {
    let place = Place::new();
    let world = world(&place);
    let server = trader(&place, world.url());
    let key = credential(&place.path("data/initial-credentials"), "apiKey");
    let desk = Desk { server: &server, key: key.clone(), workspace_id: server.line["workspaceId"].clone() };
    desk.buy().await;
    desk.until_items(1).await;
    // Killed in the middle of it, and followed by one that goes on.
    let workspace_id = desk.workspace_id.clone();
    drop(server);
    let server = trader(&place, world.url());
    let desk = Desk { server: &server, key, workspace_id };
    desk.until_items(3).await;
    server.until_logged("trading in a simulated world");
}

#[tokio::test]
async fn a_server_serves_while_there_is_no_world_and_trades_once_there_is() {
    let place = Place::new();
    let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let url = format!("http://127.0.0.1:{port}");
    let mut server = trader(&place, &url);
    server.until_logged("there is no simulated world to trade in yet");
    assert_eq!(server.page("/livez").await.0, 200);
    std::fs::write(place.path("scenario.json"), SCENARIO).unwrap();
    let listen = format!("127.0.0.1:{port}");
    let elsewhere = Place::new();
    std::fs::write(elsewhere.path("scenario.json"), SCENARIO).unwrap();
    let _world = elsewhere.start(&mut elsewhere.command(&[
        "sim",
        "serve",
        "--data",
        "world",
        "--scenario",
        "scenario.json",
        "--listen",
        &listen,
    ]));
    server.until_logged("trading in a simulated world");
    server.terminate();
    assert!(server.wait().success(), "{}", server.log());
}
