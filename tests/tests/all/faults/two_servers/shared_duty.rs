//! Two servers on one PostgreSQL of which one looks for the work that either leaves: the other does it once that one is killed.

use std::path::Path;

use serde_json::json;

use super::{Running, Trader, run, until};
use crate::harness::{Client, Database, Place};

const IS_CHAINED: &str = "(NOT EXISTS (SELECT 1 FROM audit_waiting))";

async fn server(folder: &Path, place: &Place, name: &str) -> Running {
    let command = run(folder, &["--listen", "127.0.0.1:0", "--database", &place.url()]);
    Running::start(command, &folder.join(format!("{name}.log"))).await
}

/// Makes an event of the audit log, which waits to be chained.
async fn rename_workspace(trader: &Trader, server: &Running, name: &str) {
    let request = json!({ "workspaceId": trader.workspace_id, "name": name });
    Client::of(server.url()).call(Some(&trader.key), "UpdateWorkspace", &request).await.ok();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_a_server_leaves_is_done_by_the_one_that_began_last_and_by_the_other_once_that_one_is_killed() {
    let (place, folder) = (Place::new(Database::Postgres).await, tempfile::tempdir().unwrap());
    let (folder, database) = (folder.path(), place.connect().await);
    // One after the other, as the first creates the root secret and the caller.
    let first = server(folder, &place, "first").await;
    let trader = Trader::of(folder, &first);
    let mut last = server(folder, &place, "last").await;
    until(&database, "(SELECT count(*) = 2 FROM nodes)").await;
    rename_workspace(&trader, &first, "Chained by the last").await;
    until(&database, IS_CHAINED).await;
    last.process.kill().await.unwrap();
    rename_workspace(&trader, &first, "Chained by the first").await;
    until(&database, IS_CHAINED).await;
    first.stop().await;
    until(
        &database,
        "(SELECT count(*) = 0 FROM nodes WHERE seen_at > extract(epoch FROM now() - interval '15 s') * 1000000)",
    )
    .await;
}
