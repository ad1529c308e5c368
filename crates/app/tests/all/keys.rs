//! `key`: made, listed and revoked while a server runs.

use serde_json::json;

use crate::command::{Place, Server};

const COUNT: &str = "accounts.v1.Accounts/CountAPIKeys";

fn served() -> (Place, Server) {
    let place = Place::new();
    let server = place.serve(&[]);
    (place, server)
}

#[tokio::test]
async fn a_key_that_is_made_opens_the_running_server() {
    let (place, server) = served();
    let made = place.run(&["key", "create", "--name", "bot", "--policy", "analytics"]).expect_success();
    assert_eq!(server.call(made.stdout.trim(), COUNT, json!({})).await, (200, json!({ "count": 2 })));
}

#[tokio::test]
async fn a_revoked_key_opens_nothing() {
    let (place, server) = served();
    let made = place.run(&["key", "create", "--name", "bot", "--policy", "analytics"]).expect_success();
    let key = made.stdout.trim();
    place.run(&["key", "revoke", &key[..12]]).expect_success();
    assert_eq!(server.call(key, COUNT, json!({})).await.0, 401);
    assert_eq!(place.run(&["key", "revoke", &key[..12]]).code, Some(1));
}

#[test]
fn keys_are_listed_without_their_secrets() {
    let (place, _server) = served();
    let made =
        place.run(&["key", "create", "--name", "bot", "--policy", "trading", "--expires", "90d"]).expect_success();
    let listed = place.run(&["key", "list"]).expect_success().stdout;
    assert!(listed.contains(&made.stdout[..12]) && !listed.contains(made.stdout.trim()), "{listed}");
    let json = place.run(&["key", "list", "-o", "json"]).expect_success().json();
    assert_eq!(json["apiKeys"][0]["policies"], json!(["trading"]));
    assert!(json["apiKeys"][0]["expiresAt"].is_string());
}

#[test]
fn a_workspace_is_given_by_its_name_or_its_id() {
    let (place, server) = served();
    for workspace in ["Default", "default", server.printed("workspaceId")] {
        place.run(&["key", "list", "--workspace", workspace]).expect_success();
    }
    let unknown = place.run(&["key", "list", "--workspace", "Elsewhere"]);
    assert_eq!(unknown.code, Some(2), "{}", unknown.stderr);
    let error = "error: --workspace: there is no workspace \"Elsewhere\"\n  try: ";
    assert!(unknown.stderr.starts_with(error), "{}", unknown.stderr);
}

#[test]
fn what_cannot_be_a_key_is_refused_with_the_flag() {
    let (place, _server) = served();
    for (arguments, flag) in [
        (["--name", "bot", "--policy", "everything"].as_slice(), "--policy: unknown policy \"everything\""),
        (&["--name", " ", "--policy", "trading"], "--name: must not be empty"),
        (&["--name", "bot", "--policy", "trading", "--expires", "soon"], "--expires: must be a number"),
        (&["--name", "bot", "--policy", "trading", "--owner", "nobody"], "--owner: must have the form"),
    ] {
        let ended = place.run(&[&["key", "create"], arguments].concat());
        assert_eq!(ended.code, Some(2), "{}", ended.stderr);
        assert!(ended.stderr.contains(flag), "{}", ended.stderr);
    }
}

#[test]
fn there_is_no_key_without_a_database() {
    let ended = Place::new().run(&["key", "list"]);
    assert_eq!(ended.code, Some(69));
    assert!(ended.stderr.contains("error: there is no database data/tradepost.db"), "{}", ended.stderr);
}
