//! The Rust that the console copies for a call of a page.

use serde_json::{Value, json};
use tokio::process::Command;

use crate::harness::{Database, Key, World};

const TEXT: &str = include_str!("../../../src/bin/copied_call/call.txt");

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_call_that_is_copied_from_the_console_as_rust_compiles_and_is_carried_out() {
    let world = World::new(Database::Sqlite).await;
    let workspace_id = world.desk.workspace_id.to_string();
    assert!(TEXT.contains(&workspace_id), "the text is about the workspace that every world has: {workspace_id}");
    let mut copied = Command::new(env!("CARGO_BIN_EXE_copied_call"));
    // The text names a server at the usual port. The one of this test is at another: it gets the call as a proxy does.
    copied.env_clear().env("http_proxy", &world.client.base).env("TRADEPOST_KEY", world.token(Key::Full));
    let ended = copied.kill_on_drop(true).output().await.unwrap();
    let (printed, errors) = (String::from_utf8_lossy(&ended.stdout), String::from_utf8_lossy(&ended.stderr));
    assert!(ended.status.success(), "{errors}");
    let answer: Value = serde_json::from_str(&printed).unwrap();
    let description = "Say \"#1\" in the desk's \\ chat";
    assert_eq!(answer["workspace"]["description"], description);
    let known = world.call(Key::Full, "GetWorkspace", &json!({ "workspaceId": workspace_id })).await.ok();
    assert_eq!(known["workspace"]["description"], description);
}
