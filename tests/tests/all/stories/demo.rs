//! The demo, as a newcomer starts it: a process of its own, one line of JSON, and commands to copy that work.

use std::process::Stdio;

use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt as _, AsyncReadExt as _, BufReader};
use tokio::process::{Child, Command};

use crate::harness::{Client, Mailbox, program};

/// The path of a newcomer who has just built the program.
const PATH: &str = "/usr/bin:/bin";

/// A running demo.
struct Demo {
    process: Child,
    line: Value,
    client: Client,
}

impl Demo {
    async fn start() -> Self {
        let mut process = Command::new(program())
            .args(["demo", "--still", "--listen", "127.0.0.1:0"])
            .env("PATH", PATH)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .kill_on_drop(true)
            .spawn()
            .unwrap();
        let mut said = BufReader::new(process.stdout.take().unwrap()).lines();
        let line = said.next_line().await.unwrap().expect("the demo says where it is");
        let line: Value = serde_json::from_str(&line).unwrap();
        let client = Client::of(line["baseUrl"].as_str().unwrap());
        Self { process, line, client }
    }

    fn text(&self, field: &str) -> &str {
        self.line[field].as_str().unwrap_or_else(|| panic!("the line has no {field}: {}", self.line))
    }

    async fn call(&self, key: &str, method: &str, request: Value) -> Value {
        self.client.call(Some(self.text(key)), method, &request).await.ok()
    }

    /// What it writes for people, to the end of its first screen.
    async fn first_screen(&mut self) -> String {
        let mut written = BufReader::new(self.process.stderr.as_mut().unwrap()).lines();
        let mut text = String::new();
        while let Some(line) = written.next_line().await.unwrap()
            && !line.contains("Stop: ")
        {
            text.push_str(&line);
            text.push('\n');
        }
        text
    }

    /// Asks it to stop, as an operator does, and gives what it wrote for people.
    async fn stop(mut self) -> String {
        let id = self.process.id().unwrap().to_string();
        let ended = Command::new("kill").args(["-TERM", &id]).status().await.unwrap();
        assert!(ended.success());
        let mut written = String::new();
        self.process.stderr.take().unwrap().read_to_string(&mut written).await.unwrap();
        assert!(self.process.wait().await.unwrap().success(), "{written}");
        written
    }
}

#[tokio::test]
async fn the_line_names_everything_that_a_script_needs() {
    let demo = Demo::start().await;
    let named: Vec<&String> = demo.line.as_object().unwrap().keys().collect();
    assert_eq!(
        named,
        [
            "apiKey",
            "baseUrl",
            "contractId",
            "email",
            "inventoryItemId",
            "invitedMembershipId",
            "linkedOnlyApiKey",
            "mailDir",
            "otherApiKey",
            "otherWorkspaceId",
            "password",
            "purchaseId",
            "readOnlyApiKey",
            "totpSecret",
            "workspaceId",
        ]
    );
}

#[tokio::test]
async fn everything_that_can_be_read_is_there() {
    let demo = Demo::start().await;
    let workspace = json!({ "workspaceId": demo.text("workspaceId") });
    let with = |field: &str| json!({ "workspaceId": demo.text("workspaceId"), field: demo.text(field) });
    for (method, list) in [
        ("ListContracts", "contractIds"),
        ("ListPurchases", "purchaseIds"),
        ("ListInventoryItems", "inventoryItemIds"),
        ("ListMemberships", "membershipIds"),
        ("ListFilterSets", "filterSetIds"),
        ("ListPools", "poolIds"),
        ("ListLedgerEntries", "ledgerEntryIds"),
        ("ListAssignments", "assignmentIds"),
        ("ListRemediations", "remediationIds"),
        ("ListTransitions", "transitionIds"),
        ("ListProviders", "providerIds"),
        ("ListAccounts", "accountIds"),
    ] {
        let listed = demo.call("readOnlyApiKey", method, workspace.clone()).await;
        assert!(listed[list].as_array().is_some_and(|ids| !ids.is_empty()), "{method}: {listed}");
    }
    assert!(!demo.call("readOnlyApiKey", "ListAPIKeys", json!({})).await["apiKeys"].as_array().unwrap().is_empty());
    demo.call("readOnlyApiKey", "GetContract", with("contractId")).await;
    demo.call("readOnlyApiKey", "GetPurchase", with("purchaseId")).await;
    demo.call("readOnlyApiKey", "GetInventoryItem", with("inventoryItemId")).await;
    let links = demo.call("readOnlyApiKey", "ListAssetIDLinks", with("inventoryItemId")).await;
    assert!(links["assetIdLinks"].as_array().unwrap().len() >= 3, "{links}");
    let verified = demo.call("readOnlyApiKey", "VerifyAssetIDChain", with("inventoryItemId")).await;
    assert_eq!(verified["valid"], true);
    let counted = demo.call("readOnlyApiKey", "CountPurchases", workspace).await;
    assert!(counted["counts"].as_array().unwrap().iter().all(|entry| entry["count"] != 0), "{counted}");
}

#[tokio::test]
async fn its_people_can_step_up_and_accept_what_waits_for_them() {
    let demo = Demo::start().await;
    let begun = demo.call("apiKey", "BeginStepUp", json!({})).await;
    assert_eq!(begun["allowedMethods"], json!(["TWO_FACTOR_METHOD_TOTP", "TWO_FACTOR_METHOD_RECOVERY_CODE"]));
    let begun = demo.call("otherApiKey", "BeginStepUp", json!({})).await;
    let code = Mailbox::at(demo.text("mailDir")).code("other@example.com");
    let answer = json!({ "challengeId": begun["challengeId"], "method": "TWO_FACTOR_METHOD_EMAIL", "code": code });
    demo.call("otherApiKey", "CompleteStepUp", answer).await;
    let created =
        demo.call("otherApiKey", "CreateAPIKey", json!({ "name": "From the demo", "policies": ["analytics"] })).await;
    let other = json!({ "workspaceId": demo.text("otherWorkspaceId") });
    demo.client.call(created["rawKey"].as_str(), "ListPurchases", &other).await.ok();
    let invited = json!({ "membershipId": demo.text("invitedMembershipId") });
    let accepted = demo.call("apiKey", "AcceptMembership", invited).await;
    assert_eq!(accepted["membership"]["status"], "MEMBERSHIP_STATUS_ACCEPTED");
    assert_eq!(accepted["membership"]["workspaceId"], demo.text("otherWorkspaceId"));
}

#[tokio::test]
async fn the_commands_that_its_first_screen_suggests_work_as_they_are_written() {
    let mut demo = Demo::start().await;
    let screen = demo.first_screen().await;
    let (before, tries) = screen.split_once("Try:").unwrap_or_else(|| panic!("nothing to try: {screen}"));
    let exports: Vec<&str> = before.lines().map(str::trim).filter(|line| line.starts_with("export ")).collect();
    let commands: Vec<&str> = tries.lines().map(str::trim).filter(|line| line.starts_with("tradepost ")).collect();
    // The first of them puts the program on the path.
    assert_eq!((exports.len(), commands.len()), (3, 5), "{screen}");
    for command in commands {
        let shown = in_a_shell(&exports, command).await;
        assert!(shown.lines().count() >= 1, "{command} shows nothing");
    }
    let rest = demo.stop().await;
    assert!(!rest.contains("panicked"), "{rest}");
}

/// What a command prints that is pasted into another terminal, below the lines that the screen has for that.
async fn in_a_shell(exports: &[&str], command: &str) -> String {
    let script = format!("{}\n{command}", exports.join("\n"));
    let mut shell = Command::new("sh");
    let output = shell.args(["-euc", &script]).env("PATH", PATH).stdin(Stdio::null()).output().await.unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command}: {errors}");
    String::from_utf8(output.stdout).unwrap()
}
