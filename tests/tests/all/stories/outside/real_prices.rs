//! Real prices, as an operator of a server gets them: a provider of the driver `skinport`, at a facade of Skinport on this machine.

use std::process::Stdio;

use serde_json::{Value, json};
use tokio::process::Command;
use tradepost_fakes::{Addresses, Fakes, Fault, FaultRule, Served, serve};

use super::own_server::{PATIENCE, PAUSE, Server};
use crate::harness::program;

const ITEMS: &str = "GET /v1/items";
const LISTINGS: &str = "GET /api/v1/listings";
const NAME: &str = "AK-47 | Redline (Field-Tested)";

impl Server {
    async fn create_provider(&self) -> Value {
        self.create_provider_of("skinport").await
    }

    async fn create_provider_of(&self, source: &str) -> Value {
        self.create("PROVIDER_KIND_PRICE_SOURCE", source).await
    }

    /// The marketplace that is only read.
    async fn create_marketplace(&self) -> Value {
        self.create("PROVIDER_KIND_MARKETPLACE", "csfloat").await
    }

    async fn until_breaker(&self, provider_id: &Value, state: &str) -> Value {
        let request = json!({ "providerId": provider_id });
        let health =
            self.until("GetProviderHealth", &request, |answer| answer["health"]["breakerState"] == state).await;
        health["health"].clone()
    }

    async fn test(&self, provider_id: &Value) -> Value {
        self.ask("TestProvider", json!({ "providerId": provider_id })).await["checks"].clone()
    }

    /// The reasons of the open remediations.
    async fn problems(&self) -> Vec<Value> {
        let ids = self.ask("ListRemediations", json!({})).await["remediationIds"].clone();
        if ids.as_array().is_none_or(Vec::is_empty) {
            return Vec::new();
        }
        let found = self.ask("GetRemediations", json!({ "remediationIds": ids })).await;
        found["remediations"].as_array().cloned().unwrap_or_default()
    }
}

fn check<'a>(checks: &'a Value, code: &str) -> &'a Value {
    let found = checks.as_array().into_iter().flatten().find(|check| check["code"] == code);
    found.unwrap_or_else(|| panic!("no check {code} in {checks}"))
}

async fn facade() -> (Fakes, Served) {
    let fakes = Fakes::of_seed(3).unwrap();
    let served = serve(&fakes, Addresses::default(), "token").await.unwrap();
    (fakes, served)
}

#[tokio::test(flavor = "multi_thread")]
async fn prices_of_skinport_arrive_stop_with_the_reason_at_a_limit_and_arrive_again() {
    let (fakes, served) = facade().await;
    let server = Server::start(&[("TRADEPOST_OUTSIDE__ADDRESSES__SKINPORT", served.skinport.as_str())]).await;
    let drivers = server.ask("ListProviderDrivers", json!({})).await;
    assert!(drivers.to_string().contains("skinport"), "{drivers}");
    let provider_id = server.create_provider().await;

    let price = json!({ "marketHashName": NAME });
    let priced = server.until("GetPrice", &price, |answer| answer["price"]["sources"][0].is_object()).await;
    let source = &priced["price"]["sources"][0];
    assert_eq!((source["name"].as_str(), source["stale"].as_bool()), (Some("skinport"), Some(false)), "{priced}");
    assert!(source["priceCents"].as_str().unwrap().parse::<i64>().unwrap() > 0 && source["observedAt"].is_string());
    assert_eq!(priced["price"]["unpriced"], "ONE_SOURCE", "one source sets no price");
    let prices = server.ask("GetPrices", json!({ "variants": [{ "marketHashName": NAME }] })).await;
    assert_eq!(prices["prices"][0]["sources"][0], *source);
    server.until_breaker(&provider_id, "BREAKER_STATE_CLOSED").await;
    assert_eq!(fakes.ledger().len(), 1, "one list serves all");

    fakes.arm(vec![FaultRule::next(ITEMS, Fault::F01 { retry_after_seconds: 6 })]);
    server.ask("DisableProvider", json!({ "providerId": provider_id, "reason": "a look at limits" })).await;
    server.ask("EnableProvider", json!({ "providerId": provider_id })).await;
    let health = server.until_breaker(&provider_id, "BREAKER_STATE_OPEN").await;
    assert_eq!(health["remaining"], 0, "{health}");
    let checks = server.test(&provider_id).await;
    let limit = check(&checks, "RATE_LIMIT");
    assert_eq!(limit["ok"], false, "{checks}");
    assert!(limit["detail"].as_str().unwrap().starts_with("rate limited, to be called again in"), "{checks}");
    assert_eq!(fakes.ledger().len(), 2, "a test does not call before the time");

    let health = server.until_breaker(&provider_id, "BREAKER_STATE_CLOSED").await;
    assert!(health["lastSuccessAt"].is_string(), "{health}");
    let checks = server.test(&provider_id).await;
    assert_eq!(check(&checks, "QUOTES")["ok"], true, "{checks}");
    let statuses: Vec<u16> = fakes.ledger().iter().map(|entry| entry.status).collect();
    assert_eq!(statuses, [200, 429, 200, 200], "one limit, and no call before its time");
}

#[tokio::test(flavor = "multi_thread")]
async fn prices_of_every_source_arrive_in_one_server_and_two_of_them_make_a_value() {
    let (fakes, served) = facade().await;
    let key = Fakes::dmarket_key();
    let server = Server::start(&[
        ("TRADEPOST_OUTSIDE__ADDRESSES__SKINPORT", served.skinport.as_str()),
        ("TRADEPOST_OUTSIDE__ADDRESSES__MARKET_CSGO", served.market_csgo.as_str()),
        ("TRADEPOST_OUTSIDE__ADDRESSES__WAXPEER", served.waxpeer.as_str()),
        ("TRADEPOST_OUTSIDE__ADDRESSES__CSFLOAT", served.csfloat.as_str()),
        ("TRADEPOST_OUTSIDE__ADDRESSES__DMARKET", served.dmarket.as_str()),
        ("TRADEPOST_OUTSIDE__ADDRESSES__STEAM_MARKET", served.steam_market.as_str()),
        ("TRADEPOST_OUTSIDE__KEYS__DMARKET", key.as_str()),
    ])
    .await;
    let sources = ["csfloat", "dmarket", "market-csgo", "skinport", "steam-market", "waxpeer"];
    let mut providers = Vec::new();
    for source in sources {
        providers.push(server.create_provider_of(source).await);
    }
    let price = json!({ "marketHashName": NAME });
    let all = |answer: &Value| answer["price"]["sources"].as_array().is_some_and(|found| found.len() == sources.len());
    let priced = server.until("GetPrice", &price, all).await;
    let mut names: Vec<&str> =
        priced["price"]["sources"].as_array().unwrap().iter().filter_map(|source| source["name"].as_str()).collect();
    names.sort_unstable();
    assert_eq!(names, sources, "{priced}");
    assert!(priced["price"]["fairValueCents"].is_string(), "{priced}");
    let book = server.ask("GetOrderBook", price).await;
    let mut bidding: Vec<&str> =
        book["bids"].as_array().into_iter().flatten().filter_map(|bid| bid["source"].as_str()).collect();
    bidding.sort_unstable();
    assert_eq!(bidding, ["dmarket", "market-csgo", "waxpeer"], "{book}");
    for provider in &providers {
        server.until_breaker(provider, "BREAKER_STATE_CLOSED").await;
    }
    let agents: Vec<String> = fakes.ledger().into_iter().map(|entry| entry.user_agent).collect();
    assert!(agents.iter().all(|agent| agent.starts_with("tradepost/")), "{agents:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_contract_would_buy_listings_of_a_marketplace_that_is_only_read_and_buys_nothing() {
    let (fakes, served) = facade().await;
    let server = Server::start(&[
        ("TRADEPOST_OUTSIDE__ADDRESSES__SKINPORT", served.skinport.as_str()),
        ("TRADEPOST_OUTSIDE__ADDRESSES__WAXPEER", served.waxpeer.as_str()),
        ("TRADEPOST_OUTSIDE__ADDRESSES__CSFLOAT", served.csfloat.as_str()),
        ("TRADEPOST_OUTSIDE__KEYS__CSFLOAT", "a-key-of-the-operator"),
    ])
    .await;
    for source in ["skinport", "waxpeer"] {
        server.create_provider_of(source).await;
    }
    let priced = |answer: &Value| answer["price"]["fairValueCents"].is_string();
    server.until("GetPrice", &json!({ "marketHashName": NAME }), priced).await;
    let draft = json!({
        "name": "Everything", "marketplaces": ["csfloat"],
        "approvalMode": "APPROVAL_MODE_AUTOMATIC",
        "buying": { "targetQuantity": 2, "maxBuyPriceCents": "100000", "budgetCents": "200000" },
    });
    let contract_id = server.ask("CreateContract", draft).await["contract"]["id"].clone();
    let provider_id = server.create_marketplace().await;
    server.ask("ActivateContract", json!({ "contractId": contract_id })).await;
    // What was on sale before the contract was active is judged by none: the market goes on.
    server.until_breaker(&provider_id, "BREAKER_STATE_CLOSED").await;
    fakes.advance(time::Duration::hours(1));
    server.ask("DisableProvider", json!({ "providerId": provider_id, "reason": "read it again" })).await;
    server.ask("EnableProvider", json!({ "providerId": provider_id })).await;

    let bought = |answer: &Value| answer["intents"].as_array().is_some_and(|intents| intents.len() == 2);
    let listed = server.until("ListWouldBuys", &json!({ "contractId": contract_id }), bought).await;
    for intent in listed["intents"].as_array().unwrap() {
        assert_eq!(
            (intent["status"].as_str(), intent["approvalMode"].as_str(), intent["listing"]["marketplace"].as_str()),
            (Some("INTENT_STATUS_CANCELLED"), Some("APPROVAL_MODE_DRY_RUN"), Some("csfloat")),
            "{intent}"
        );
        assert!(intent["followUp"]["at"].is_string() && intent["followUp"].get("outcome").is_none(), "{intent}");
    }
    let report = server.ask("GetWouldBuyReport", json!({})).await;
    assert_eq!(
        (report["sums"].as_array().map(Vec::len), &report["sums"][0]["count"]),
        (Some(5), &json!(2)),
        "{report}"
    );
    let purchases = server.ask("ListPurchases", json!({})).await;
    assert_eq!(purchases["purchaseIds"].as_array().map(Vec::len).unwrap_or_default(), 0, "{purchases}");
    let asked: Vec<String> = fakes.ledger().into_iter().map(|entry| entry.route).collect();
    assert!(asked.iter().all(|route| route.starts_with("GET ")), "{asked:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn listings_of_every_marketplace_that_is_only_read_arrive_in_one_server() {
    let (fakes, served) = facade().await;
    let key = Fakes::dmarket_key();
    let server = Server::start(&[
        ("TRADEPOST_OUTSIDE__ADDRESSES__MARKET_CSGO", served.market_csgo.as_str()),
        ("TRADEPOST_OUTSIDE__ADDRESSES__WAXPEER", served.waxpeer.as_str()),
        ("TRADEPOST_OUTSIDE__ADDRESSES__CSFLOAT", served.csfloat.as_str()),
        ("TRADEPOST_OUTSIDE__ADDRESSES__DMARKET", served.dmarket.as_str()),
        ("TRADEPOST_OUTSIDE__KEYS__MARKET_CSGO", "a-third-key-of-the-operator"),
        ("TRADEPOST_OUTSIDE__KEYS__WAXPEER", "a-key-of-the-operator"),
        ("TRADEPOST_OUTSIDE__KEYS__CSFLOAT", "another-key-of-the-operator"),
        ("TRADEPOST_OUTSIDE__KEYS__DMARKET", key.as_str()),
    ])
    .await;
    for name in ["csfloat", "dmarket", "market-csgo", "waxpeer"] {
        let provider_id = server.create("PROVIDER_KIND_MARKETPLACE", name).await;
        server.until_breaker(&provider_id, "BREAKER_STATE_CLOSED").await;
        let checks = server.test(&provider_id).await;
        let quotes = check(&checks, "QUOTES");
        assert_eq!(quotes["ok"], true, "{name}: {checks}");
        assert!(quotes["detail"].as_str().unwrap().ends_with("new listings"), "{name}: {checks}");
    }
    let asked: Vec<String> = fakes.ledger().into_iter().map(|entry| entry.route).collect();
    let of_names = "GET /api/v2/search-list-items-by-hash-name-all";
    let reads = [LISTINGS, "GET /marketplace-api/v2/offers", of_names, "GET /v1/get-items-list"];
    assert!(asked.iter().all(|route| reads.contains(&route.as_str())), "{asked:?}");
    assert!(reads.iter().all(|route| asked.iter().any(|asked| asked == route)), "{asked:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_test_of_a_marketplace_shows_that_its_answers_changed_and_it_is_read_on_once_they_are_as_before() {
    let (fakes, served) = facade().await;
    // The test, and the read that the server makes by itself.
    fakes.arm(vec![FaultRule { route: LISTINGS.to_owned(), nth: 1, times: 2, fault: Fault::Drift }]);
    let server = Server::start(&[
        ("TRADEPOST_OUTSIDE__ADDRESSES__CSFLOAT", served.csfloat.as_str()),
        ("TRADEPOST_OUTSIDE__KEYS__CSFLOAT", "a-key-of-the-operator"),
    ])
    .await;
    let provider_id = server.create_marketplace().await;
    let checks = server.test(&provider_id).await;
    assert_eq!(check(&checks, "CONNECTION")["ok"], true, "{checks}");
    let shapes = check(&checks, "SHAPES");
    assert_eq!(shapes["ok"], false, "{checks}");
    assert!(shapes["detail"].as_str().unwrap().starts_with("SHAPE_DRIFT"), "{checks}");
    server.until_breaker(&provider_id, "BREAKER_STATE_CLOSED").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn dmarket_is_not_called_without_a_key_and_the_reason_names_the_setting() {
    let (fakes, served) = facade().await;
    let server = Server::start(&[("TRADEPOST_OUTSIDE__ADDRESSES__DMARKET", served.dmarket.as_str())]).await;
    let provider_id = server.create_provider_of("dmarket").await;
    let checks = server.test(&provider_id).await;
    let reason = "it is not called: the setting outside.keys.dmarket is missing";
    assert_eq!(check(&checks, "CONNECTION")["detail"], reason, "{checks}");
    assert!(fakes.ledger().is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_client_that_is_refused_is_reported_and_not_tried_again() {
    let (fakes, served) = facade().await;
    fakes.arm(vec![FaultRule { route: ITEMS.to_owned(), nth: 1, times: 10, fault: Fault::F02 }]);
    let server = Server::start(&[("TRADEPOST_OUTSIDE__ADDRESSES__SKINPORT", served.skinport.as_str())]).await;
    let provider_id = server.create_provider().await;
    server.until_breaker(&provider_id, "BREAKER_STATE_OPEN").await;
    let reported = async {
        let mut looks = tokio::time::interval(PAUSE);
        loop {
            looks.tick().await;
            let problems = server.problems().await;
            if !problems.is_empty() {
                return problems;
            }
        }
    };
    let problems = tokio::time::timeout(PATIENCE, reported).await.unwrap();
    let text = json!(problems).to_string();
    assert!(text.contains("PROVIDER_DOWN") && text.contains("it refuses this client, whatever its pace"), "{text}");
    assert_eq!(fakes.ledger().len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_real_service_is_not_called_without_the_word_of_the_operator_and_the_reason_is_said() {
    // A host that no test may reach, even if the guard failed.
    let real = ("TRADEPOST_OUTSIDE__ADDRESSES__SKINPORT", "https://prices.example.com");
    for (more, reason) in [
        (vec![], "prices.example.com is a real host, and the setting outside.real is not true"),
        (vec![("TRADEPOST_OUTSIDE__REAL", "true")], "the setting outside.hosts does not name prices.example.com"),
    ] {
        let settings: Vec<_> = more.into_iter().chain([real]).collect();
        let server = Server::start(&settings).await;
        let provider_id = server.create_provider().await;
        let checks = server.test(&provider_id).await;
        let connection = check(&checks, "CONNECTION");
        assert_eq!(connection["ok"], false, "{checks}");
        assert_eq!(connection["detail"], format!("it is not called: {reason}"));
        server.until_breaker(&provider_id, "BREAKER_STATE_OPEN").await;
        let doctor = Command::new(program())
            .arg("doctor")
            .current_dir(server.folder.path())
            .envs(settings)
            .stdin(Stdio::null())
            .output()
            .await
            .unwrap();
        let printed = String::from_utf8(doctor.stdout).unwrap();
        assert!(printed.contains(&format!("no service is called; not Skinport, because {reason}")), "{printed}");
    }
}
