//! Snapshots, as an operator meets them: the released program trades, takes snapshots by itself and when it is asked to, and shows what
//! differs between them.

use std::process::Stdio;
use std::time::Duration;

use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt as _, BufReader};
use tokio::process::{Child, Command};
use tokio::time::{Instant, interval};

use crate::harness::{Client, program};

/// How long a demo may take to show something: an hour passes at its market in a second.
const PATIENCE: Duration = Duration::from_secs(120);

/// A demo that trades.
pub(super) struct LiveDemo {
    _process: Child,
    line: Value,
    client: Client,
}

impl LiveDemo {
    pub(super) async fn start() -> Self {
        let mut process = Command::new(program())
            .args(["demo", "--listen", "127.0.0.1:0"])
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
    pub(super) fn here(&self, mut request: Value) -> Value {
        request["workspaceId"] = self.line["workspaceId"].clone();
        request
    }

    pub(super) async fn call(&self, method: &str, request: Value) -> Value {
        self.client.call(Some(self.text("apiKey")), method, &self.here(request)).await.ok()
    }

    pub(super) async fn refuse(&self, method: &str, request: Value, reason: &str) {
        let answer = self.client.call(Some(self.text("apiKey")), method, &self.here(request)).await;
        answer.assert_refused("failed_precondition", reason);
    }

    /// Calls until the answer is as wanted.
    pub(super) async fn until(&self, method: &str, request: Value, is_wanted: impl Fn(&Value) -> bool) -> Value {
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

    /// What the command line prints.
    pub(super) async fn tradepost(&self, arguments: &[&str]) -> String {
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
    let refused = demo.client.call(Some(demo.text("apiKey")), "CompareSnapshots", &demo.here(back)).await;
    refused.assert_refused("invalid_argument", "INVALID_FIELD");
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
