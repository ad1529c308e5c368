//! What an outage of the database leaves in the log: a line when it is lost and one when it is back, however many calls fail in between.

use std::path::Path;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::{LOG, serve};
use crate::faults::cluster::Cluster;
use crate::faults::two_servers::Trader;
use crate::harness::Client;

/// For how long the database is away.
const AWAY: Duration = Duration::from_secs(6);
/// How many calls fail at least while it is.
const FAILED: usize = 5;

/// The lines of a log.
pub(super) struct Lines(Vec<Value>);

impl Lines {
    pub(super) fn of(log: &Path) -> Self {
        let text = std::fs::read_to_string(log).unwrap();
        Self(text.lines().map(|line| serde_json::from_str(line).unwrap()).collect())
    }

    pub(super) fn with(&self, message: &str) -> Vec<&Value> {
        self.0.iter().filter(|line| line["message"] == message).collect()
    }

    /// The lines whose message begins so.
    pub(super) fn beginning_with(&self, start: &str) -> Vec<&Value> {
        let begins = |line: &&Value| line["message"].as_str().is_some_and(|message| message.starts_with(start));
        self.0.iter().filter(begins).collect()
    }

    /// Asserts that the database was lost and back once, and that nothing else is a warning but what has no known outcome and what was
    /// slow. For how many seconds it was lost.
    pub(super) fn assert_one_outage(&self) -> f64 {
        let [lost] = self.with("database lost")[..] else { panic!("{:?}", self.0) };
        assert!(lost["level"] == "ERROR" && !lost["why"].as_str().unwrap().is_empty(), "{lost}");
        let [back] = self.with("database back")[..] else { panic!("{:?}", self.0) };
        let is_warning = |line: &&Value| line["level"] == "WARN" || line["level"] == "ERROR";
        let others: Vec<_> = self
            .0
            .iter()
            .filter(is_warning)
            .filter(|line| line["message"] != "database lost" && line["reason"] != "OUTCOME_UNKNOWN")
            // How fast the machine is says nothing of the outage.
            .filter(|line| line["slow_threshold"].is_null())
            // A start says what is not set up.
            .filter(|line| line["timestamp"].as_str() > lost["timestamp"].as_str())
            .collect();
        assert!(others.is_empty(), "{others:?}");
        back["lost_for_seconds"].as_str().unwrap().parse().unwrap()
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_outage_of_the_database_is_one_line_of_the_log_and_its_end_another() {
    let mut database = Cluster::new().await;
    assert!(database.start(&mut database.command()).await, "{}", database.log());
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let server = serve(folder, &database.url(), &[]).await;
    let (client, trader) = (Client::of(server.url()), Trader::of(folder, &server));
    let count = json!({ "workspaceId": trader.workspace_id });
    client.call(Some(&trader.key), "CountFilterSets", &count).await.ok();
    database.kill().await;
    let (away, mut failed) = (Instant::now(), 0);
    while away.elapsed() < AWAY || failed < FAILED {
        let calls = (0..4).map(|_| client.call(Some(&trader.key), "CountFilterSets", &count));
        failed += futures::future::join_all(calls).await.iter().filter(|answer| answer.status == 500).count();
        assert_eq!(client.get("/readyz").await.status, 503);
    }
    assert!(database.start(&mut database.command()).await, "{}", database.log());
    while client.call(Some(&trader.key), "CountFilterSets", &count).await.status != 200 {}
    server.stop().await;
    let lost_for = Lines::of(&folder.join(LOG)).assert_one_outage();
    assert!((AWAY.as_secs_f64() - 2.0..AWAY.as_secs_f64() + 60.0).contains(&lost_for), "{lost_for}");
    println!("{failed} calls failed in {lost_for} s");
    database.stop().await;
}
