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

mod long {
    use std::time::Duration;

    use sea_orm::DatabaseConnection;

    use super::*;
    use crate::faults::two_servers::row;

    /// For how long servers are watched of which nothing is asked, and after how long they are at rest.
    const WATCHED: Duration = Duration::from_mins(2);
    const AT_REST: Duration = Duration::from_secs(30);
    /// By how many percent four servers may do more than one.
    const MORE: i64 = 20;

    /// Waits, and asks the database for nothing in between.
    async fn pass(time: Duration) {
        let mut ticks = tokio::time::interval(time);
        ticks.tick().await;
        ticks.tick().await;
    }

    async fn committed(database: &DatabaseConnection) -> i64 {
        let asked = "(SELECT xact_commit FROM pg_stat_database WHERE datname = current_database())";
        row(database, asked).await.try_get("", "found").unwrap()
    }

    /// How many transactions the servers make once they are at rest.
    async fn transactions(database: &DatabaseConnection) -> i64 {
        pass(AT_REST).await;
        let before = committed(database).await;
        pass(WATCHED).await;
        committed(database).await - before
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn four_idle_servers_make_at_most_a_fifth_more_transactions_than_one() {
        let (place, folder) = (Place::new(Database::Postgres).await, tempfile::tempdir().unwrap());
        let (folder, database) = (folder.path(), place.connect().await);
        let mut servers = vec![server(folder, &place, "first").await];
        let one = transactions(&database).await;
        for name in ["second", "third", "fourth"] {
            servers.push(server(folder, &place, name).await);
        }
        let four = transactions(&database).await;
        println!("one server makes {one} transactions, four make {four}");
        assert!(one > 0 && four * 100 <= one * (100 + MORE), "{one} and {four}");
        for server in servers {
            server.stop().await;
        }
    }
}
