//! A demo that trades in a process of its own, as its user starts it.

use std::process::Stdio;
use std::time::Duration;

use secrecy::ExposeSecret as _;
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt as _, BufReader};
use tokio::process::{Child, Command};
use tokio::time::{Instant, interval};
use tradepost::SystemClock;
use tradepost::auth::Rfc6238;
use tradepost::ports::clock::Clock as _;

use crate::harness::{Client, program};

/// How long a demo may take to show something.
const PATIENCE: Duration = Duration::from_secs(170);

/// A demo that trades.
pub(crate) struct LiveDemo {
    _process: Child,
    line: Value,
    client: Client,
}

impl LiveDemo {
    /// An hour passes at its market in a second.
    pub(crate) async fn start() -> Self {
        Self::start_with(&[]).await
    }

    /// A week passes at its market in 56 s: what was bought can be sold soon, and a busy machine still sends what was sold in time.
    pub(crate) async fn start_fast() -> Self {
        Self::start_with(&["--speed", "10800"]).await
    }

    async fn start_with(arguments: &[&str]) -> Self {
        let mut process = Command::new(program())
            .args(["demo", "--listen", "127.0.0.1:0"])
            .args(arguments)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .kill_on_drop(true)
            .spawn()
            .unwrap();
        let mut said = BufReader::new(process.stdout.take().unwrap()).lines();
        let line = said.next_line().await.unwrap().expect("the demo says where it is");
        let line: Value = serde_json::from_str(&line).unwrap();
        let client = Client::of(line["baseUrl"].as_str().unwrap());
        Self { _process: process, line, client }
    }

    fn text(&self, field: &str) -> &str {
        self.line[field].as_str().unwrap_or_else(|| panic!("the line has no {field}: {}", self.line))
    }

    /// The request with the workspace.
    fn here(&self, mut request: Value) -> Value {
        request["workspaceId"] = self.line["workspaceId"].clone();
        request
    }

    /// Proves the second factor of its owner.
    pub(crate) async fn step_up(&self) {
        prove_by_app(&self.client, self.text("apiKey"), self.text("totpSecret")).await;
    }

    pub(crate) async fn call(&self, method: &str, request: Value) -> Value {
        self.client.call(Some(self.text("apiKey")), method, &self.here(request)).await.ok()
    }

    pub(crate) async fn refuse(&self, method: &str, request: Value, code: &str, reason: &str) {
        let answer = self.client.call(Some(self.text("apiKey")), method, &self.here(request)).await;
        answer.assert_refused(code, reason);
    }

    /// Calls until the answer is as wanted.
    pub(crate) async fn until(&self, method: &str, request: Value, is_wanted: impl Fn(&Value) -> bool) -> Value {
        let (began, mut pace) = (Instant::now(), interval(Duration::from_millis(100)));
        loop {
            pace.tick().await;
            let answer = self.call(method, request.clone()).await;
            if is_wanted(&answer) {
                return answer;
            }
            assert!(began.elapsed() < PATIENCE, "{method} never gave what was wanted: {answer}");
        }
    }

    /// Two accounts that trade at the market, once both are ready: one of them is signed in first.
    pub(crate) async fn pair(&self) -> [Value; 2] {
        let listed = self.call("ListAccounts", json!({ "limit": 200 })).await;
        let ids = json!({ "accountIds": listed["accountIds"] });
        let found = self.until("GetAccounts", ids, |answer| ready(answer).len() == 2).await;
        ready(&found).try_into().unwrap()
    }

    /// What the command line prints.
    pub(crate) async fn tradepost(&self, arguments: &[&str]) -> String {
        let output = Command::new(program())
            .args(arguments)
            .env("TRADEPOST_URL", self.text("baseUrl"))
            .env("TRADEPOST_API_KEY", self.text("apiKey"))
            .env("TRADEPOST_WORKSPACE", self.text("workspaceId"))
            .stdin(Stdio::null())
            .output()
            .await
            .unwrap();
        assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    }
}

/// The accounts at the market that are ready, by name.
fn ready(answer: &Value) -> Vec<Value> {
    let is_live = |account: &&Value| account["name"].as_str().is_some_and(|name| name.starts_with("live-"));
    let is_ready = |account: &&Value| account["status"] == "ACCOUNT_STATUS_READY";
    let all = answer["accounts"].as_array().into_iter().flatten();
    let mut ready: Vec<Value> = all.filter(is_live).filter(is_ready).cloned().collect();
    ready.sort_by_key(|account| account["name"].to_string());
    ready
}

/// Proves the second factor of a caller by the authenticator app with this secret.
pub(crate) async fn prove_by_app(client: &Client, key: &str, totp_secret: &str) {
    let begun = client.call(Some(key), "BeginStepUp", &json!({})).await.ok();
    let code = Rfc6238::code(totp_secret, SystemClock.now()).unwrap();
    let answer = json!({
        "challengeId": begun["challengeId"],
        "method": "TWO_FACTOR_METHOD_TOTP",
        "code": code.expose_secret(),
    });
    client.call(Some(key), "CompleteStepUp", &answer).await.ok();
}
