//! The requests of the reference pages: each is sent as it is printed there, to a world of its own.

use std::collections::BTreeMap;
use std::fs;

use super::getting_started::{method, send, words};
use crate::architecture::repository;
use crate::harness::{Database, Key, World};

const PAGES: [&str; 5] = [
    "docs/reference/api.md",
    "docs/reference/api-accounts.md",
    "docs/reference/api-markets.md",
    "docs/reference/api-trading.md",
    "docs/explanation/audit-log.md",
];
/// Valid requests that the records of the world do not allow: some of its members have no second factor.
const NOT_IN_THIS_STATE: [&str; 1] = ["UpdateWorkspace"];
/// The one block that is a loop without an end: the tests of watching do the same.
const LOOP: &str = "AFTER=";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_request_of_the_reference_pages_is_accepted() {
    let requests: Vec<String> = PAGES.iter().flat_map(|page| requests(page)).collect();
    assert!(requests.len() > 12, "{requests:?}");
    let mut rejected = Vec::new();
    for request in requests {
        let world = World::new(Database::Sqlite).await;
        world.app.operations().offer_driver(tradepost_adapters_simulator::driver().unwrap());
        // Each request has a world of its own, and the page has the acknowledgement in one before.
        world.acknowledge_risks().await;
        let answer = send(&words(&request, &variables(&world))).await;
        if answer.status != 200 && !NOT_IN_THIS_STATE.contains(&method(&request)) {
            rejected.push(format!("{request}\n{answer:?}"));
        }
    }
    assert!(rejected.is_empty(), "{}", rejected.join("\n"));
}

/// The requests of a page. A block may have several, and comments with what they return.
fn requests(page: &str) -> Vec<String> {
    let text = fs::read_to_string(repository().join(page)).unwrap();
    let blocks = text.split("```sh\n").skip(1).map(|rest| rest.split("\n```").next().unwrap());
    let blocks: Vec<&str> = blocks.filter(|block| !block.starts_with(LOOP)).collect();
    let lines = blocks.iter().flat_map(|block| block.lines()).filter(|line| !line.starts_with("# "));
    let mut found: Vec<String> = Vec::new();
    for line in lines {
        match found.last_mut() {
            Some(request) if !line.starts_with("curl ") => *request += &format!(" {}", line.trim_start()),
            _ => found.push(line.to_owned()),
        }
    }
    found.into_iter().map(|request| request.replace("\\ ", " ")).collect()
}

fn variables(world: &World) -> BTreeMap<String, String> {
    let desk = &world.desk;
    [
        ("BASE", world.client.base.clone()),
        ("KEY", world.token(Key::Full).to_owned()),
        ("WORKSPACE", desk.workspace_id.to_string()),
        ("CONTRACT", desk.contract.to_string()),
        ("INTENT", desk.intent.to_string()),
        ("POOL", desk.pool.to_string()),
        ("REMEDIATION", desk.remediation.to_string()),
        ("PASSWORD", "nine quiet herons cross the marsh".to_owned()),
    ]
    .map(|(name, value)| (name.to_owned(), value))
    .into()
}
