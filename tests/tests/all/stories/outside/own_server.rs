//! A server of its own with a second factor done, for stories about what a server calls.

use std::process::Stdio;
use std::time::Duration;

use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::io::{AsyncBufReadExt as _, BufReader};
use tokio::process::{Child, Command};

use crate::harness::{Client, Mailbox, program};

const OWNER: &str = "owner@example.com";
/// Longer than anything takes on a busy machine.
pub(crate) const PATIENCE: Duration = Duration::from_mins(2);
/// Between two questions for something that another process does.
pub(crate) const PAUSE: Duration = Duration::from_millis(100);

/// The server, and its first workspace.
pub(crate) struct Server {
    _process: Child,
    pub(crate) folder: TempDir,
    client: Client,
    key: String,
    workspace_id: String,
}

impl Server {
    /// Starts it with settings for what it calls.
    pub(crate) async fn start(settings: &[(&str, &str)]) -> Self {
        let folder = TempDir::new().unwrap();
        let mut process = Command::new(program())
            .args(["serve", "--listen", "127.0.0.1:0"])
            .current_dir(folder.path())
            .env("TRADEPOST_BOOTSTRAP__EMAIL", OWNER)
            .envs(settings.iter().copied())
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .kill_on_drop(true)
            .spawn()
            .unwrap();
        let mut said = BufReader::new(process.stdout.take().unwrap()).lines();
        let line = said.next_line().await.unwrap().expect("the server says where it is");
        let line: Value = serde_json::from_str(&line).unwrap();
        let made = std::fs::read_to_string(folder.path().join("data/initial-credentials")).unwrap();
        let key = made.lines().find_map(|line| line.strip_prefix("apiKey=")).unwrap().to_owned();
        let client = Client::of(line["baseUrl"].as_str().unwrap());
        let workspace_id = line["workspaceId"].as_str().unwrap().to_owned();
        let server = Self { _process: process, folder, client, key, workspace_id };
        server.step_up().await;
        server
    }

    /// Creating a provider takes a second factor: the owner has a mailbox.
    async fn step_up(&self) {
        let begun = self.call("BeginStepUp", json!({})).await;
        let code = Mailbox::at(self.folder.path().join("data/mail")).code(OWNER);
        let answer = json!({ "challengeId": begun["challengeId"], "method": "TWO_FACTOR_METHOD_EMAIL", "code": code });
        self.call("CompleteStepUp", answer).await;
    }

    async fn call(&self, method: &str, request: Value) -> Value {
        self.client.call(Some(&self.key), method, &request).await.ok()
    }

    /// Calls a method about the workspace.
    pub(crate) async fn ask(&self, method: &str, mut request: Value) -> Value {
        request["workspaceId"] = json!(self.workspace_id);
        self.call(method, request).await
    }

    /// Creates a provider with the name of its driver, and returns its id.
    pub(crate) async fn create(&self, kind: &str, driver: &str) -> Value {
        let request = json!({ "kind": kind, "driver": driver, "name": driver, "currency": "USD" });
        self.ask("CreateProvider", request).await["provider"]["id"].clone()
    }

    /// Asks until the answer is as it is to be.
    pub(crate) async fn until(&self, method: &str, request: &Value, is_wanted: impl Fn(&Value) -> bool) -> Value {
        let asking = async {
            let mut looks = tokio::time::interval(PAUSE);
            loop {
                looks.tick().await;
                let answer = self.ask(method, request.clone()).await;
                if is_wanted(&answer) {
                    return answer;
                }
            }
        };
        tokio::time::timeout(PATIENCE, asking).await.unwrap_or_else(|_| panic!("{method} stays as it is"))
    }
}
