//! Friends and chat by the commands, on the market of a demo: the engine does what was asked for, and the database has no text.

use std::fs;
use std::time::Duration;

use serde_json::Value;

use crate::client::Demo;
use crate::command::Place;
use crate::filled_demo;

/// So fast that an hour of the market passes in a few seconds.
const SPEED: &str = "600";
/// Longer than anything takes on a busy machine.
const PATIENCE: Duration = Duration::from_mins(2);
const GREETING: &str = "a greeting that only two accounts know";

/// A demo with a market on which its accounts trade.
fn live_demo() -> Demo {
    let place = Place::new();
    filled_demo::keep(&place);
    let server = place.serve(&["demo", "--speed", SPEED, "--keep", "kept"]);
    Demo { place, server }
}

/// The platform's number of an account of the market.
fn number_of(demo: &Demo, account: &str) -> String {
    demo.json(&["accounts", "show", account])["account"]["platformUserId"].as_str().unwrap().to_owned()
}

/// The first record that a command lists, once it lists one.
async fn first_of(demo: &Demo, command: &[&str], records: &str) -> Value {
    let found = async {
        loop {
            let listed = demo.json(command);
            if let Some(first) = listed[records].as_array().and_then(|all| all.first()) {
                return first.clone();
            }
            tokio::task::yield_now().await;
        }
    };
    tokio::time::timeout(PATIENCE, found)
        .await
        .unwrap_or_else(|_| panic!("nothing by {command:?}: {}", demo.server.log()))
}

async fn befriend(demo: &Demo) {
    let asked = demo.json(&["friends", "add", "live-1", &number_of(demo, "live-2"), "--note", "the other desk"]);
    assert_eq!(asked["friend"]["action"], "FRIEND_ACTION_ADD", "{asked}");
    assert_eq!(asked["friend"]["actionState"], "FRIEND_ACTION_STATE_REQUESTED", "{asked}");
    let request = ["friends", "list", "--account", "live-2", "--relation", "they_asked"];
    let request = first_of(demo, &request, "friends").await;
    demo.run(&["friends", "accept", request["id"].as_str().unwrap()]).expect_success();
    let reached = first_of(demo, &["friends", "list", "--account", "live-1", "--relation", "friend"], "friends").await;
    assert_eq!(reached["note"], "the other desk", "{reached}");
}

#[tokio::test]
async fn two_accounts_become_friends_by_what_was_asked_for() {
    let demo = live_demo();
    befriend(&demo).await;
    let friend = first_of(&demo, &["friends", "list", "--account", "live-2", "--relation", "friend"], "friends").await;
    let id = friend["id"].as_str().unwrap();
    demo.run(&["friends", "remove", id]).expect_success();
    let removed = ["friends", "list", "--account", "live-2", "--relation", "none"];
    assert_eq!(first_of(&demo, &removed, "friends").await["id"], friend["id"]);
    let table = demo.table(&["friends", "count"]);
    assert!(table.starts_with("RELATION"), "{table}");
}

#[tokio::test]
async fn a_message_reaches_its_partner_and_is_in_no_file_of_the_server() {
    let mut demo = live_demo();
    befriend(&demo).await;
    let partner = number_of(&demo, "live-2");
    let refused = demo.run(&["chat", "send", "live-1", &partner, GREETING]);
    assert!(refused.code != Some(0) && refused.stderr.contains("CHAT_DISABLED"), "{}", refused.stderr);
    demo.run(&["accounts", "edit", "live-1", "--chat"]).expect_success();
    demo.run(&["accounts", "edit", "live-2", "--chat"]).expect_success();
    let draft = demo.json(&["chat", "send", "live-1", &partner, GREETING]);
    assert_eq!(draft["message"]["status"], "CHAT_MESSAGE_STATUS_DRAFT", "{draft}");

    let arrived = first_of(&demo, &["chat", "list", "--account", "live-2", "--unread"], "conversations").await;
    let id = arrived["id"].as_str().unwrap();
    let messages = demo.json(&["chat", "messages", id]);
    let [message] = messages["messages"].as_array().unwrap().as_slice() else { panic!("{messages}") };
    assert_eq!((&message["text"], &message["status"]), (&GREETING.into(), &"CHAT_MESSAGE_STATUS_RECEIVED".into()));
    demo.run(&["chat", "read", id]).expect_success();
    let sent = first_of(&demo, &["chat", "list", "--account", "live-1"], "conversations").await;
    let sent = demo.json(&["chat", "messages", sent["id"].as_str().unwrap()]);
    assert_eq!(sent["messages"].as_array().map(Vec::len), Some(1), "{sent}");
    assert_eq!(sent["messages"][0]["status"], "CHAT_MESSAGE_STATUS_SENT", "{sent}");

    demo.server.terminate();
    assert!(demo.server.wait().success(), "{}", demo.server.log());
    assert!(!demo.server.log().contains(GREETING), "the log has the text");
    for file in fs::read_dir(demo.place.path("kept")).unwrap().map(|file| file.unwrap().path()) {
        let is_of_database = file.file_name().unwrap().to_string_lossy().starts_with("tradepost.db");
        if is_of_database {
            let bytes = fs::read(&file).unwrap();
            let is_there = bytes.windows(GREETING.len()).any(|part| part == GREETING.as_bytes());
            assert!(!is_there, "{} has the text", file.display());
        }
    }
}
