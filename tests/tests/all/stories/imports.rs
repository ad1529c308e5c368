//! A folder of authenticator files becomes trading accounts, by the commands of the program.

use std::fs;
use std::path::Path;
use std::process::Stdio;

use secrecy::ExposeSecret as _;
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt as _, BufReader};
use tokio::process::{Child, Command};
use tradepost::SystemClock;
use tradepost::auth::Rfc6238;
use tradepost::ports::clock::Clock as _;

use crate::harness::{Client, program};

const SHARED: &str = "AQIDBAUGBwgJCgsMDQ4PEBESExQ=";

/// A running demo, whose owner has proved a second factor.
struct Desk {
    _process: Child,
    line: Value,
}

impl Desk {
    async fn open() -> Self {
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
        let desk = Self { _process: process, line: serde_json::from_str(&line).unwrap() };
        let begun = desk.call("BeginStepUp", json!({})).await;
        let code = Rfc6238::code(desk.text("totpSecret"), SystemClock.now()).unwrap();
        let answer = json!({
            "challengeId": begun["challengeId"],
            "method": "TWO_FACTOR_METHOD_TOTP",
            "code": code.expose_secret(),
        });
        desk.call("CompleteStepUp", answer).await;
        desk
    }

    fn text(&self, field: &str) -> &str {
        self.line[field].as_str().unwrap()
    }

    async fn call(&self, method: &str, request: Value) -> Value {
        let client = Client::of(self.text("baseUrl"));
        client.call(Some(self.text("apiKey")), method, &request).await.ok()
    }

    /// What a command prints.
    async fn run(&self, arguments: &[&str]) -> String {
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

    async fn json(&self, arguments: &[&str]) -> Value {
        serde_json::from_str(&self.run(&[arguments, &["-o", "json"]].concat()).await).unwrap()
    }
}

fn write_folder(folder: &Path) {
    let file = |number: u32, session: Value| {
        json!({
            "account_name": format!("lantern{number}"), "shared_secret": SHARED, "identity_secret": SHARED,
            "revocation_code": format!("R{number}"), "device_id": "android:1", "Session": session,
        })
    };
    let entry = |number: u32| json!({ "filename": format!("{number}.maFile"), "steamid": 76_561_198_100_000_000_u64 + u64::from(number) });
    let manifest = json!({ "encrypted": false, "entries": [entry(1), entry(2), entry(3)] });
    fs::write(folder.join("manifest.json"), manifest.to_string()).unwrap();
    fs::write(folder.join("1.maFile"), file(1, json!({ "SteamID": 76_561_198_100_000_001_u64 })).to_string()).unwrap();
    fs::write(folder.join("2.maFile"), file(2, json!(null)).to_string()).unwrap();
    fs::write(folder.join("3.maFile"), "not a file of an authenticator").unwrap();
}

#[tokio::test]
async fn a_folder_of_authenticator_files_becomes_accounts_of_the_desk() {
    let (desk, folder) = (Desk::open().await, tempfile::tempdir().unwrap());
    write_folder(folder.path());
    let path = folder.path().to_str().unwrap();
    let create = ["imports", "create", path, "--format", "mafile-bundle", "--can", "buy", "--name", "the farm"];
    let created = desk.json(&create).await;
    let import = &created["importRecord"];
    assert_eq!((&import["rows"], &import["accepted"], &import["rejected"]), (&json!(3), &json!(2), &json!(1)));
    let id = import["id"].as_str().unwrap();

    let rows = desk.run(&["imports", "rows", id]).await;
    assert!(rows.contains("will create") && rows.contains("FILE_INVALID"), "{rows}");
    assert!(!rows.contains(SHARED) && !rows.contains("lantern"), "{rows}");

    let applied = desk.json(&["imports", "apply", id, "--version", "1"]).await;
    assert_eq!(applied["importRecord"]["status"], "IMPORT_STATUS_APPLIED");
    let again = desk.json(&["imports", "apply", id, "--version", "1"]).await;
    assert_eq!(again, applied);

    let code = desk.run(&["accounts", "revocation-code", "76561198100000002"]).await;
    assert!(code.contains("R2"), "{code}");
    let second = desk.json(&create).await;
    assert_eq!(second["importRecord"]["accepted"], 2);
    let rows = desk.run(&["imports", "rows", second["importRecord"]["id"].as_str().unwrap()]).await;
    assert_eq!(rows.matches("same").count(), 2, "{rows}");
}
