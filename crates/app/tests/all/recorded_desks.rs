//! `serve` with worlds: a server that trades for the workspaces whose providers and accounts make a desk.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::command::{Place, Server, credential};
use crate::demo::mailed_code;
use crate::trading::Desk;

/// Money for two customers.
const SCENARIO: &str =
    r#"[{"call":"pay_in","customer":"alpha","cents":1000000},{"call":"pay_in","customer":"beta","cents":1000000}]"#;
const PASSWORD: &str = "nine quiet herons cross the marsh";
/// How long the first calls of an engine may take on a busy machine.
const WITHIN: Duration = Duration::from_mins(1);

/// A world whose hours pass in seconds, and a server that may trade there.
fn both(place: &Place) -> (Server, Server) {
    std::fs::write(place.path("scenario.json"), SCENARIO).unwrap();
    let world = place.serve(&["sim", "serve", "--data", "world", "--scenario", "scenario.json", "--speed", "1200"]);
    let mut command = place.command(&["--listen", "127.0.0.1:0"]);
    command.env("TRADEPOST_TRADING__WORLDS__MAIN", world.url()).env("TRADEPOST_TRADING__INTERVAL_MILLISECONDS", "100");
    let server = place.start(&mut command);
    (world, server)
}

impl Desk<'_> {
    /// Proves the second factor: a code that is mailed. A session has another token from then on.
    async fn prove(mut self, place: &Place) -> Self {
        let accounts = |operation: &str| format!("accounts.v1.Accounts/{operation}");
        let (_, begun) = self.server.call(&self.key, &accounts("BeginStepUp"), json!({})).await;
        let mails = place.path("data/mail");
        let code = mailed_code(&mails, &credential(&place.path("data/initial-credentials"), "email"));
        for mail in std::fs::read_dir(&mails).unwrap() {
            std::fs::remove_file(mail.unwrap().path()).unwrap();
        }
        let complete =
            json!({ "challengeId": begun["challengeId"], "method": "TWO_FACTOR_METHOD_EMAIL", "code": code });
        let (status, proven) = self.server.call(&self.key, &accounts("CompleteStepUp"), complete).await;
        assert_eq!(status, 200, "{proven}");
        if let Some(token) = proven["sessionToken"].as_str().filter(|token| !token.is_empty()) {
            token.clone_into(&mut self.key);
        }
        self
    }

    async fn provide(&self, kind: &str, name: &str, settings: &[(&str, &str)]) -> Value {
        let settings: Vec<Value> =
            settings.iter().map(|(name, value)| json!({ "name": name, "value": value })).collect();
        let provider = json!({
            "kind": format!("PROVIDER_KIND_{kind}"), "driver": "simulator", "name": name, "currency": "USD",
            "settings": settings,
        });
        self.call("markets.v1.Markets/CreateProvider", provider).await["provider"]["id"].clone()
    }

    /// A game platform and two sources of prices in a world, for one of its customers.
    async fn provide_but_a_marketplace(&self, world: &str, customer: &str) {
        self.provide("GAME_PLATFORM", "steam", &[("world", world), ("customer", customer)]).await;
        for name in ["index", "guide"] {
            self.provide("PRICE_SOURCE", name, &[("world", world)]).await;
        }
    }

    /// The same with a marketplace.
    async fn provide_all(&self, world: &str, customer: &str) {
        self.provide_but_a_marketplace(world, customer).await;
        self.provide("MARKETPLACE", "simulated", &[("world", world), ("customer", customer)]).await;
    }

    pub(crate) async fn open_account(&self, name: &str, number: &str) {
        let account = json!({
            "name": name, "platform": "steam", "platformUserId": number, "tradeToken": format!("token-{name}"),
            "capabilities": ["ACCOUNT_CAPABILITY_BUY", "ACCOUNT_CAPABILITY_SELL"],
        });
        let made = self.call("trading.v1.Trading/CreateAccount", account).await;
        let accepted = json!({ "accountIds": [made["account"]["id"]] });
        self.call("trading.v1.Trading/AcknowledgeTradeProtection", accepted).await;
    }

    /// Another workspace of the same owner.
    async fn another(&self, place: &Place) -> Self {
        let credentials = place.path("data/initial-credentials");
        let (url, email) = (credential(&credentials, "setupUrl"), credential(&credentials, "email"));
        let reset = json!({ "token": url.split_once('#').unwrap().1, "newPassword": PASSWORD });
        self.server.call("", "accounts.v1.Accounts/ResetPassword", reset).await;
        let sign_in = json!({ "email": email, "password": PASSWORD });
        let (_, signed_in) = self.server.call("", "accounts.v1.Accounts/SignIn", sign_in).await;
        let key = signed_in["sessionToken"].as_str().unwrap_or_else(|| panic!("{signed_in}")).to_owned();
        let found = json!({ "name": "Second" });
        let (_, made) = self.server.call(&key, "accounts.v1.Accounts/CreateWorkspace", found).await;
        Self { server: self.server, key, workspace_id: made["workspace"]["id"].clone() }.prove(place).await
    }
}

pub(crate) async fn first<'a>(place: &Place, server: &'a Server) -> Desk<'a> {
    let key = credential(&place.path("data/initial-credentials"), "apiKey");
    Desk { server, key, workspace_id: server.line["workspaceId"].clone() }.prove(place).await
}

#[tokio::test]
async fn two_workspaces_trade_by_their_records_and_follow_changes_without_a_restart() {
    let place = Place::new();
    let (_world, server) = both(&place);
    let one = first(&place, &server).await;
    one.provide_all("main", "alpha").await;
    server.until_logged("no trading account of steam with a trade token is on record");
    one.open_account("bot-1", "76561198000000001").await;
    server.until_logged("trading for a desk on record");
    one.buy().await;
    one.until_items(1).await;

    let two = one.another(&place).await;
    two.provide_all("main", "beta").await;
    two.open_account("bot-1", "76561198000000002").await;
    two.buy().await;
    two.until_items(1).await;

    one.open_account("bot-2", "76561198000000003").await;
    server.until_logged(r#""accounts":2"#);
    one.until_items(3).await;
}

#[tokio::test]
async fn a_marketplace_of_another_world_is_left_out_with_the_reason_until_it_is_corrected() {
    let place = Place::new();
    let (_world, server) = both(&place);
    let desk = first(&place, &server).await;
    desk.provide_but_a_marketplace("main", "alpha").await;
    let lost = desk.provide("MARKETPLACE", "simulated", &[("world", "nowhere"), ("customer", "alpha")]).await;
    desk.open_account("bot-1", "76561198000000001").await;
    server.until_logged("its world is nowhere, and steam has main: no item would arrive");
    assert!(!server.log().contains("trading for a desk on record"), "{}", server.log());
    let settings = json!([{ "name": "world", "value": "main" }, { "name": "customer", "value": "alpha" }]);
    desk.call("markets.v1.Markets/UpdateProvider", json!({ "providerId": lost, "settings": settings })).await;
    desk.buy().await;
    desk.until_items(1).await;
}

#[tokio::test]
async fn a_marketplace_under_a_second_name_is_left_out_and_so_is_a_workspace_in_the_place_of_another() {
    let place = Place::new();
    let (_world, server) = both(&place);
    let desk = first(&place, &server).await;
    desk.provide_all("main", "alpha").await;
    desk.provide("MARKETPLACE", "twin", &[("world", "main"), ("customer", "alpha")]).await;
    desk.open_account("bot-1", "76561198000000001").await;
    server.until_logged("another provider of the workspace is the same marketplace");
    server.until_logged(r#""marketplaces":1"#);
    let thief = desk.another(&place).await;
    thief.provide_all("main", "alpha").await;
    thief.open_account("bot-1", "76561198000000009").await;
    server.until_logged("another one trades there");
    assert!(!server.log().contains(r#""marketplaces":2"#), "{}", server.log());
    assert_eq!(server.log().matches("trading for a desk on record").count(), 1, "{}", server.log());
}

#[tokio::test]
async fn a_workspace_whose_game_platform_is_in_no_known_world_trades_nothing_and_its_log_says_why() {
    let place = Place::new();
    let (_world, server) = both(&place);
    let desk = first(&place, &server).await;
    desk.provide_all("nowhere", "alpha").await;
    desk.open_account("bot-1", "76561198000000001").await;
    server.until_logged("the settings of the server name no world nowhere (trading.worlds)");
    assert!(!server.log().contains("trading for a desk on record"), "{}", server.log());
    assert_eq!(server.page("/livez").await.0, 200);
}

#[tokio::test]
async fn calls_to_providers_are_measured_by_driver_and_never_by_a_users_name() {
    let place = Place::new();
    let (_world, server) = both(&place);
    let desk = first(&place, &server).await;
    let there = [("world", "main"), ("customer", "alpha")];
    desk.provide("GAME_PLATFORM", "steam", &there).await;
    desk.provide("PRICE_SOURCE", "Odd, a guide", &there[..1]).await;
    desk.provide("MARKETPLACE", "Odd {the} shop", &there).await;
    desk.open_account("bot-1", "76561198000000001").await;
    let began = Instant::now();
    let measured = loop {
        let (_, page) = server.page("/metrics").await;
        let is_measured = |kind: &str| page.contains(&format!(r#"kind="{kind}",system="simulator""#));
        if is_measured("marketplace") && is_measured("price_source") {
            break page;
        }
        assert!(began.elapsed() < WITHIN, "{page}");
    };
    assert!(!measured.contains("Odd"), "{measured}");
}
