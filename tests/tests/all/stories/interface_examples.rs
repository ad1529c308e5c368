//! The requests of the reference pages: each is sent as it is printed there, to a world of its own.

use std::collections::BTreeMap;
use std::fs;

use super::getting_started::{method, send, words};
use crate::architecture::repository;
use crate::harness::{Database, Key, World};

/// The pages, and how many requests each has.
const PAGES: [(&str, usize); 5] = [
    ("docs/reference/api.md", 1),
    ("docs/reference/api-accounts.md", 1),
    ("docs/reference/api-markets.md", 8),
    ("docs/reference/api-trading.md", 10),
    ("docs/explanation/audit-log.md", 2),
];
/// Valid requests that the records of the world do not allow, with the code and the reason: some of its members have no second factor.
const NOT_IN_THIS_STATE: [(&str, &str, &str); 1] =
    [("UpdateWorkspace", "failed_precondition", "MEMBERS_WITHOUT_TWO_FACTOR")];
/// The one block that is a loop without an end: the tests of watching do the same.
const LOOP: &str = "AFTER=";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_request_of_the_reference_pages_is_accepted() {
    let of_pages = PAGES.map(|(page, _)| (page, requests(page)));
    assert_eq!(of_pages.each_ref().map(|(page, requests)| (*page, requests.len())), PAGES);
    let mut rejected = Vec::new();
    for request in of_pages.into_iter().flat_map(|(_, requests)| requests) {
        let world = World::new(Database::Sqlite).await;
        world.app.operations().offer_driver(tradepost_adapters_simulator::driver().unwrap());
        // Each request has a world of its own, and the page has the acknowledgement in one before.
        world.acknowledge_risks().await;
        let answer = send(&words(&request, &variables(&world))).await;
        if let Some((_, code, reason)) = NOT_IN_THIS_STATE.iter().find(|(name, ..)| *name == method(&request)) {
            answer.assert_refused(code, reason);
        } else if answer.status != 200 {
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
