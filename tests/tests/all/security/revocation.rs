//! Keys are revoked on one node while they are used on another.

use std::sync::{Arc, Mutex, OnceLock};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tokio::sync::Barrier;
use tokio::task::JoinSet;
use tradepost_domain::accounts::policy::PolicySet;

use crate::cases;
use crate::harness::{Client, Database, Key, OWNER, Served, World, issued};

const ROUNDS: usize = 40;
/// Each calls twice at once, and all of a workspace have 64 places.
const KEYS_AT_ONCE: usize = 25;
/// How long a caller who was found is remembered, where no node reports that the rights have changed.
const REMEMBERED: Duration = Duration::from_secs(5);

/// `cargo xtask nightly` runs it.
mod long {
    use super::*;

    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn a_thousand_keys_taken_back_on_one_node_change_nothing_through_the_other() {
        let world = Arc::new(World::new(Database::Postgres).await);
        let other_node = world.other_node().await;
        let served = Served::by(&other_node).await;
        let mut create = cases::named("CreateContract").ready(&world).await;
        // Contracts under one filter set meet in its count; these shall meet in nothing but their keys.
        create.as_object_mut().unwrap().remove("filterSetId");
        let mut stops = Vec::new();
        for _ in 0..ROUNDS {
            stops.extend(one_round(&world, &served.client, &create).await);
        }
        assert_eq!(stops.len(), ROUNDS * KEYS_AT_ONCE);
        stops.sort_by_key(|stop| stop.after);
        let (median, slowest) = (stops[stops.len() / 2].after, stops[stops.len() - 1].after);
        println!(
            "1000 revocations: 0 mutations after the answer; reads went on for {median:?} (median), {slowest:?} (most)"
        );
        // A caller that found the key had asked before it was revoked, and may be slow to remember it: no call takes longer than this.
        let late: Vec<_> = stops.iter().filter(|stop| stop.after >= REMEMBERED + stop.longest_call).collect();
        assert!(late.is_empty(), "a read was answered too long after the revocation: {late:?}");
        other_node.shutdown().await.unwrap();
    }
}

/// The end of a key that is revoked.
#[derive(Debug)]
struct Stop {
    /// How long after the answer the last call began that could still read.
    after: Duration,
    /// How long the longest call with the key took.
    longest_call: Duration,
}

/// Takes keys back, one after the other, while each of them reads and writes through the other node.
async fn one_round(world: &Arc<World>, other_node: &Client, create: &Value) -> Vec<Stop> {
    let in_use = Arc::new(Barrier::new(KEYS_AT_ONCE + 1));
    let mut users = JoinSet::new();
    let mut keys = Vec::new();
    for _ in 0..KEYS_AT_ONCE {
        let operations = world.app.operations();
        let (token, id) = issued(operations, world.people.workspace_id, OWNER, PolicySet::EVERY).await;
        let revoked = Arc::new(OnceLock::new());
        let (client, longest_call) = (other_node.clone(), Mutex::default());
        let user = User { client, token, revoked: Arc::clone(&revoked), longest_call };
        users.spawn(user.work_until_refused(
            world.people.workspace_id.to_string(),
            create.clone(),
            Arc::clone(&in_use),
        ));
        keys.push((id, revoked));
    }
    in_use.wait().await;
    for (id, revoked) in keys {
        world.call(Key::Full, "RevokeAPIKey", &json!({ "apiKeyId": id.to_string() })).await.ok();
        revoked.set(Instant::now()).unwrap();
    }
    users.join_all().await
}

/// A caller that uses a key as long as it works.
struct User {
    client: Client,
    token: String,
    /// When the revocation was answered.
    revoked: Arc<OnceLock<Instant>>,
    /// How long the longest call took so far.
    longest_call: Mutex<Duration>,
}

impl User {
    async fn work_until_refused(self, workspace_id: String, create: Value, in_use: Arc<Barrier>) -> Stop {
        let get = json!({ "workspaceId": workspace_id });
        self.succeeds("CreateContract", &create).await.expect("the key works at first");
        self.succeeds("GetWorkspace", &get).await.expect("the key works at first");
        in_use.wait().await;
        let writing = async {
            while let Some(begun) = self.succeeds("CreateContract", &create).await {
                let is_late = self.revoked.get().is_some_and(|revoked| begun > *revoked);
                assert!(!is_late, "a mutation that began after the revocation had answered went through");
            }
        };
        let reading = async {
            let mut last_read = Instant::now();
            while let Some(begun) = self.succeeds("GetWorkspace", &get).await {
                last_read = begun;
            }
            last_read
        };
        let (last_read, ()) = tokio::join!(reading, writing);
        let revoked = *self.revoked.wait();
        let longest_call = *self.longest_call.lock().unwrap();
        Stop { after: last_read.saturating_duration_since(revoked), longest_call }
    }

    /// When a call began that succeeded.
    async fn succeeds(&self, method: &str, body: &Value) -> Option<Instant> {
        let begun = Instant::now();
        let answer = self.client.call(Some(&self.token), method, body).await;
        {
            let mut longest = self.longest_call.lock().unwrap();
            *longest = begun.elapsed().max(*longest);
        }
        if answer.status != 200 {
            answer.assert_refused("unauthenticated", "UNAUTHENTICATED");
            return None;
        }
        Some(begun)
    }
}
