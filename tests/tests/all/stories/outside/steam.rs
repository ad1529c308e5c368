//! Steam, as an operator connects it: the released program signs an account in at facades of Steam on this machine, reads it, renews its tokens,
//! and ends its session. It changes nothing else there.

use std::collections::BTreeSet;

use serde_json::{Value, json};
use tokio::task::JoinHandle;
use tradepost_adapters_simulator::{AccountSignIn, SimulatedGuard};
use tradepost_domain::asset::AssetId;
use tradepost_domain::trading::trade::TradeAddress;
use tradepost_fakes::{Addresses, Fakes, LedgerEntry, Served, serve};

use super::own_server::{PATIENCE, PAUSE, Server};

const LOGIN_NAME: &str = "lantern";
const PASSWORD: &str = "seven copper lanterns";
/// What the authenticator of the account shares with Steam: 20 bytes in base 64.
const SHARED_SECRET: &str = "zvIayp3JPvtvX/QGHqsqKBk/44s=";
/// What lists its mobile confirmations.
const IDENTITY_SECRET: &str = "GQP46b73Ws7gr8GmZFR0sDuau5c=";
const ITEMS: usize = 5;
/// The calls that change something at Steam: those of a session.
const OF_SESSIONS: [&str; 5] = [
    "BeginAuthSessionViaCredentials",
    "GenerateAccessTokenForApp",
    "PollAuthSessionStatus",
    "RevokeToken",
    "UpdateAuthSessionWithSteamGuardCode",
];

/// Steam, with an account that has items.
struct Steam {
    fakes: Fakes,
    served: Served,
    account: TradeAddress,
    items: BTreeSet<AssetId>,
    keeps_time: JoinHandle<()>,
}

impl Drop for Steam {
    fn drop(&mut self) {
        self.keeps_time.abort();
    }
}

impl Steam {
    async fn start() -> Self {
        let fakes = Fakes::of_now(11).unwrap();
        let served = serve(&fakes, Addresses::default(), "token").await.unwrap();
        let guard = SimulatedGuard::DeviceCode { shared_secret: SHARED_SECRET.to_owned() };
        let by = AccountSignIn { login_name: LOGIN_NAME.to_owned(), password: PASSWORD.to_owned(), guard };
        let (account, items) = fakes.simulator().world(|world| {
            let account = world.open_account("desk");
            let items = (0..ITEMS).map(|_| world.give_item(account.user).unwrap()).collect();
            world.require_sign_in(account.user, by).unwrap();
            (account, items)
        });
        fakes.set_identity_secret(account.user, IDENTITY_SECRET);
        let time = fakes.clone();
        let keeps_time = tokio::spawn(async move { time.keep_time().await });
        Self { fakes, served, account, items, keeps_time }
    }

    /// A server that calls it, and the id of the account there.
    async fn connected(&self) -> (Server, Value) {
        let server = Server::start(&[
            ("TRADEPOST_OUTSIDE__ADDRESSES__STEAM_API", self.served.steam_api.as_str()),
            ("TRADEPOST_OUTSIDE__ADDRESSES__STEAM_COMMUNITY", self.served.steam_community.as_str()),
        ])
        .await;
        let notice = server.ask("GetRiskNotice", json!({})).await["notice"]["version"].clone();
        server.ask("AcknowledgeRiskNotice", json!({ "version": notice })).await;
        server.create("PROVIDER_KIND_GAME_PLATFORM", "steam").await;
        let account = json!({
            "name": "bot-1", "platform": "steam", "platformUserId": self.account.user.to_string(),
            "tradeToken": self.account.token.as_str(), "capabilities": ["ACCOUNT_CAPABILITY_STORE"],
            "secrets": {
                "loginName": LOGIN_NAME, "password": PASSWORD, "sharedSecret": SHARED_SECRET,
                "identitySecret": IDENTITY_SECRET,
            },
        });
        let account_id = server.ask("CreateAccount", account).await["account"]["id"].clone();
        (server, account_id)
    }

    fn is_signed_in(&self) -> bool {
        self.fakes.simulator().world(|world| world.is_signed_in(self.account.user))
    }

    fn calls(&self) -> Vec<LedgerEntry> {
        self.fakes.ledger()
    }

    /// Waits until a route was called, and checks that it was admitted.
    async fn until_called(&self, route: &str) {
        let called = async {
            let mut looks = tokio::time::interval(PAUSE);
            loop {
                looks.tick().await;
                if let Some(call) = self.calls().into_iter().find(|call| call.route == route) {
                    return call;
                }
            }
        };
        let call = tokio::time::timeout(PATIENCE, called).await.unwrap();
        assert_eq!(call.card.as_deref(), Some("steam-community.confirmations"), "{call:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_account_is_signed_in_by_its_stored_secrets_read_renewed_and_signed_out_and_nothing_else_changes() {
    let steam = Steam::start().await;
    let (server, account_id) = steam.connected().await;
    let started = server.ask("StartAccountSession", json!({ "accountId": account_id })).await;
    let session = json!({ "accountSessionId": started["accountSession"]["id"] });
    let works = |answer: &Value| answer["accountSession"]["status"] == "ACCOUNT_SESSION_STATUS_ACTIVE";
    server.until("GetAccountSession", &session, works).await;
    assert!(steam.is_signed_in());

    let snapshot = server.ask("CreateSnapshot", json!({ "accountId": account_id })).await["snapshot"]["id"].clone();
    let taken = |answer: &Value| answer["snapshot"]["status"] == "SNAPSHOT_STATUS_COMPLETE";
    server.until("GetSnapshot", &json!({ "snapshotId": snapshot }), taken).await;
    let listed = server.ask("ListSnapshotItems", json!({ "snapshotId": snapshot })).await;
    let shown: BTreeSet<AssetId> = listed["items"]
        .as_array()
        .unwrap()
        .iter()
        .map(|item| AssetId::new(item["assetId"].as_str().unwrap()).unwrap())
        .collect();
    assert_eq!(shown, steam.items, "{listed}");

    let of_account = json!({ "accountId": account_id });
    server.ask("RefreshConfirmations", of_account).await;
    steam.until_called("GET /mobileconf/getlist").await;

    let renewal = json!({ "accountId": account_id, "kind": "RENEWAL_KIND_REFRESH_TOKEN" });
    let renewal = server.ask("RequestRenewal", renewal).await["renewal"]["id"].clone();
    let succeeded = |answer: &Value| answer["renewal"]["status"] == "RENEWAL_STATUS_SUCCEEDED";
    server.until("GetRenewal", &json!({ "renewalId": renewal }), succeeded).await;

    let end = json!({ "accountSessionId": session["accountSessionId"], "revoke": true });
    server.ask("EndAccountSession", end).await;
    let revoked = |answer: &Value| answer["accountSession"]["status"] == "ACCOUNT_SESSION_STATUS_REVOKED";
    server.until("GetAccountSession", &session, revoked).await;
    assert!(!steam.is_signed_in());

    let posts: BTreeSet<String> =
        steam.calls().into_iter().map(|call| call.route).filter(|route| route.starts_with("POST")).collect();
    let others = ["QueryStatus", "QueryTime"];
    let is_known = |route: &String| OF_SESSIONS.iter().chain(&others).any(|method| route.contains(method));
    assert!(posts.iter().all(is_known), "{posts:?}");
    assert!(OF_SESSIONS.iter().all(|method| posts.iter().any(|route| route.contains(method))), "{posts:?}");
    assert!(steam.calls().iter().all(|call| call.user_agent.starts_with("tradepost/")));
}
