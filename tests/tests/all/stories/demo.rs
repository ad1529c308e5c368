//! The demo, as a newcomer starts it: a process of its own, one line of JSON, and curl lines that work.

use std::process::Stdio;

use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt as _, AsyncReadExt as _, BufReader};
use tokio::process::{Child, Command};

use crate::harness::{Answer, Client, Mailbox, program};

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

    /// The commands to copy among what is written for people.
    async fn curl_commands(&mut self) -> Vec<Curl> {
        let mut written = BufReader::new(self.process.stderr.as_mut().unwrap()).lines();
        let mut text = String::new();
        while let Some(line) = written.next_line().await.unwrap()
            && !line.contains("Stop: ")
        {
            text.push_str(&line);
            text.push('\n');
        }
        text.split("curl ").skip(1).map(Curl::parse).collect()
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
async fn the_curl_lines_for_people_work_as_they_are() {
    let mut demo = Demo::start().await;
    let commands = demo.curl_commands().await;
    assert_eq!(commands.len(), 3, "{commands:?}");
    for command in commands {
        let answer = command.run().await;
        assert_eq!(answer.status, 200, "{command:?}: {answer:?}");
        assert_ne!(answer.json(), json!({}), "{command:?} shows nothing");
    }
    let rest = demo.stop().await;
    assert!(!rest.contains("panicked"), "{rest}");
}

/// A line to copy, taken apart as a shell and curl would.
#[derive(Debug)]
struct Curl {
    url: String,
    headers: Vec<(String, String)>,
    body: String,
}

impl Curl {
    fn parse(text: &str) -> Self {
        let url = text.split_whitespace().find(|word| word.starts_with("http")).unwrap().to_owned();
        let headers = text.split("-H \"").skip(1).map(|rest| rest.split('"').next().unwrap().split_once(": ").unwrap());
        let headers = headers.map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
        let body = text.split("-d '").nth(1).unwrap().split('\'').next().unwrap().to_owned();
        Self { url, headers, body }
    }

    async fn run(&self) -> Answer {
        let request = reqwest::Client::new().post(&self.url).body(self.body.clone());
        let request = self.headers.iter().fold(request, |request, (name, value)| request.header(name, value));
        Answer::of(request.send().await.unwrap()).await.unwrap()
    }
}
