//! A demo with months of sample data and no market, in a process of its own, by whose owner a second factor was proved.

use std::process::Stdio;
use std::time::Duration;

use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt as _, BufReader};
use tokio::process::{Child, Command};
use tokio::time::{Instant, interval};

use super::entries;
use crate::harness::{Answer, Client, Mailbox, program};
use crate::stories::live_demo::prove_by_app;

/// Longer than anything that the server does in the background takes on a busy machine.
const PATIENCE: Duration = Duration::from_secs(100);

pub(crate) struct StillDemo {
    _process: Child,
    line: Value,
    client: Client,
}

impl StillDemo {
    pub(crate) async fn start() -> Self {
        let mut process = Command::new(program())
            .args(["demo", "--still", "--listen", "127.0.0.1:0"])
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
        let demo = Self { _process: process, line, client };
        prove_by_app(&demo.client, demo.text("apiKey"), demo.text("totpSecret")).await;
        demo
    }

    /// What the demo says of itself.
    pub(crate) fn text(&self, field: &str) -> &str {
        self.line[field].as_str().unwrap_or_else(|| panic!("the line has no {field}: {}", self.line))
    }

    pub(crate) fn mailbox(&self) -> Mailbox {
        Mailbox::at(self.text("mailDir"))
    }

    /// The request with the workspace.
    pub(crate) fn here(&self, mut request: Value) -> Value {
        request["workspaceId"] = self.line["workspaceId"].clone();
        request
    }

    /// Calls by a key or a session, or without one.
    pub(crate) async fn by(&self, token: Option<&str>, method: &str, request: &Value) -> Answer {
        self.client.call(token, method, request).await
    }

    /// Calls by the key of the owner.
    pub(crate) async fn call(&self, method: &str, request: Value) -> Value {
        self.by(Some(self.text("apiKey")), method, &request).await.ok()
    }

    /// Calls a method about the workspace.
    pub(crate) async fn ask(&self, method: &str, request: Value) -> Value {
        self.call(method, self.here(request)).await
    }

    /// Calls a method about the workspace in vain.
    pub(crate) async fn refuse(&self, method: &str, request: Value, code: &str, reason: &str) {
        let answer = self.by(Some(self.text("apiKey")), method, &self.here(request)).await;
        answer.assert_refused(code, reason);
    }

    /// Asks about the workspace until the answer is as wanted.
    pub(crate) async fn until(&self, method: &str, request: Value, is_wanted: impl Fn(&Value) -> bool) -> Value {
        let (began, mut pace) = (Instant::now(), interval(Duration::from_millis(200)));
        loop {
            pace.tick().await;
            let answer = self.ask(method, request.clone()).await;
            if is_wanted(&answer) {
                return answer;
            }
            assert!(began.elapsed() < PATIENCE, "{method} never gave what was wanted: {answer}");
        }
    }

    /// Signs a person in who has no second factor; gives the token of the session.
    pub(crate) async fn sign_in(&self, email: &str, password: &str) -> String {
        let signed_in = self.by(None, "SignIn", &json!({ "email": email, "password": password })).await.ok();
        let token = signed_in["sessionToken"].as_str().unwrap().to_owned();
        assert!(token.starts_with("tps_"), "{signed_in}");
        token
    }

    /// Proves by a mailed code who calls; gives the token to call with from then on.
    pub(crate) async fn prove_by_mail(&self, token: &str, email: &str) -> String {
        let begun = self.by(Some(token), "BeginStepUp", &json!({})).await.ok();
        let code = self.mailbox().code(email);
        let answer = json!({ "challengeId": begun["challengeId"], "method": "TWO_FACTOR_METHOD_EMAIL", "code": code });
        let proven = self.by(Some(token), "CompleteStepUp", &answer).await.ok();
        proven["sessionToken"].as_str().filter(|next| !next.is_empty()).unwrap_or(token).to_owned()
    }

    /// The trading accounts whose names begin so, by name.
    pub(crate) async fn accounts(&self, prefix: &str) -> Vec<Value> {
        let listed = self.ask("ListAccounts", json!({ "limit": 200 })).await;
        let found = self.ask("GetAccounts", json!({ "accountIds": listed["accountIds"] })).await;
        let is_named = |account: &Value| account["name"].as_str().is_some_and(|name| name.starts_with(prefix));
        let mut accounts: Vec<Value> = entries(&found["accounts"]).into_iter().filter(is_named).collect();
        accounts.sort_by_key(|account| account["name"].to_string());
        accounts
    }

    /// What a command prints.
    pub(crate) async fn run(&self, arguments: &[&str]) -> String {
        let output = Command::new(program())
            .args(arguments)
            .env("TRADEPOST_URL", self.text("baseUrl"))
            .env("TRADEPOST_API_KEY", self.text("apiKey"))
            .stdin(Stdio::null())
            .output()
            .await
            .unwrap();
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{arguments:?}: {errors}");
        String::from_utf8(output.stdout).unwrap()
    }

    pub(crate) async fn json(&self, arguments: &[&str]) -> Value {
        serde_json::from_str(&self.run(&[arguments, &["-o", "json"]].concat()).await).unwrap()
    }
}
