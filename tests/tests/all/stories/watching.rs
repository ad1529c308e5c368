//! A client follows what happens in a workspace.

use std::collections::BTreeSet;
use std::time::Duration;

use serde_json::{Value, json};
use tokio::task::JoinSet;
use tokio::time::timeout;
use tradepost_operations::Caller;
use tradepost_operations::contracts::RecordPurchase;

use crate::cases::merged;
use crate::harness::{Answer, Client, Database, Key, Served, Trading, World, on_both_databases};

/// Longer than any answer takes on a busy machine, and shorter than a call waits.
const PROMPT: Duration = Duration::from_secs(10);

fn watch(world: &World, more: &Value) -> Value {
    let workspace = json!({ "workspaceId": world.desk.workspace_id.to_string() });
    merged(workspace, more)
}

/// Where the log ends now.
async fn end(world: &World) -> Value {
    let now = world.call(Key::Reader, "WatchTransitions", &watch(world, &json!({ "fromEnd": true }))).await.ok();
    now["lastTransitionId"].clone()
}

fn trading(world: &World) -> Trading<'_> {
    Trading { operations: world.app.operations(), clock: &world.clock, workspace_id: world.desk.workspace_id }
}

/// Records a purchase, however often another buyer is faster.
async fn record(world: &World, listing: RecordPurchase) {
    loop {
        match world.app.operations().record_purchase(&Caller::system(), listing.clone()).await {
            Err(error) if error.reason.as_str() == "CONFLICT" => {}
            recorded => break drop(recorded.unwrap()),
        }
    }
}

/// Watches behind a change until so many were seen; gives them and where the log goes on.
async fn follow(world: &World, client: &Client, mut after: Value, many: usize) -> (Vec<Value>, Value) {
    let mut seen = Vec::new();
    while seen.len() < many {
        let request = watch(world, &json!({ "afterTransitionId": after, "waitSeconds": 25 }));
        let answer = client.call(Some(world.token(Key::Reader)), "WatchTransitions", &request).await.ok();
        seen.extend(answer["transitions"].as_array().cloned().unwrap_or_default());
        after = answer["lastTransitionId"].clone();
    }
    (seen, after)
}

fn is_busy(answer: &Answer) -> bool {
    answer.refusal().2 == "BUSY"
}

on_both_databases! {
    async fn a_waiting_call_returns_a_purchase_at_once(database) {
        let world = World::new(database).await;
        let end = end(&world).await;
        let heard = timeout(PROMPT, follow(&world, &world.client, end, 1));
        let (heard, purchase) = tokio::join!(heard, async { trading(&world).record(world.desk.contract, 70).await });
        let (heard, _) = heard.expect("the call is answered before its time is over");
        assert_eq!(heard[0]["subjectId"], json!(purchase.to_string()));
        assert_eq!((&heard[0]["trigger"], &heard[0]["toStatus"]), (&json!("recorded"), &json!("PENDING")));
        assert_eq!(heard[0]["actor"], json!({ "kind": "TRANSITION_ACTOR_KIND_SYSTEM", "id": "" }));
    }

    async fn a_watcher_receives_every_concurrent_transition_exactly_once(database) {
        const WRITERS: u32 = 8;
        const EACH: u32 = 5;
        let world = World::new(database).await;
        let end = end(&world).await;
        let writing = futures::future::join_all((0..WRITERS).map(|writer| {
            let world = &world;
            async move {
                for number in 0..EACH {
                    let listing = trading(world).listing(world.desk.contract, 1_000 + writer * EACH + number);
                    record(world, listing).await;
                }
            }
        }));
        let many = usize::try_from(WRITERS * EACH).unwrap();
        let ((heard, last), _) = tokio::join!(follow(&world, &world.client, end, many), writing);
        let distinct: BTreeSet<_> = heard.iter().map(|step| step["subjectId"].as_str().unwrap()).collect();
        assert_eq!((heard.len(), distinct.len()), (many, many));
        let rest = world.call(Key::Reader, "WatchTransitions", &watch(&world, &json!({ "afterTransitionId": last }))).await.ok();
        assert_eq!(rest, json!({ "lastTransitionId": last }));
    }

    async fn a_reader_a_month_behind_gets_an_error_and_misses_nothing_silently(database) {
        let world = World::new(database).await;
        let long_ago = end(&world).await;
        let first = trading(&world).record(world.desk.contract, 70).await;
        let (_, seen) = follow(&world, &world.client, long_ago.clone(), 1).await;
        world.clock.advance(time::Duration::days(32));
        let second = trading(&world).record(world.desk.contract, 71).await;
        world.app.operations().forget_old_places().await.unwrap();
        // A reader that had seen everything goes on, any other one gets an error.
        let (heard, _) = follow(&world, &world.client, seen.clone(), 1).await;
        assert_eq!(heard[0]["subjectId"], json!(second.to_string()));
        let call = async |more: Value| world.call(Key::Reader, "WatchTransitions", &watch(&world, &more)).await;
        let (status, code, reason) = call(json!({ "afterTransitionId": long_ago })).await.refusal();
        assert_eq!((status, code.as_str(), reason.as_str()), (400, "failed_precondition", "WATCH_EXPIRED"));
        let lately = call(json!({})).await.ok();
        assert_eq!(lately["transitions"], json!(heard));
        // What was missed is still listed and read.
        let request = merged(watch(&world, &json!({})), &json!({ "transitionId": seen }));
        let missed = world.call(Key::Reader, "GetTransition", &request).await.ok();
        assert_eq!(missed["transition"]["subjectId"], json!(first.to_string()));
    }

    async fn calls_that_wait_keep_none_that_works_out_of_its_workspace(database) {
        const OF_A_KEY: usize = 16;
        let world = World::new(database).await;
        let keys = [Key::Full, Key::Unproven, Key::NoIdentity, Key::Reader, Key::Trader].map(|key| world.token(key));
        let now = world.call(Key::Full, "WatchTransitions", &watch(&world, &json!({ "fromEnd": true }))).await.ok();
        let request = watch(&world, &json!({ "afterTransitionId": now["lastTransitionId"], "waitSeconds": 25 }));
        let one_more = merged(request.clone(), &json!({ "waitSeconds": 1 }));
        let mut waiting = JoinSet::new();
        for key in keys {
            for _ in 0..OF_A_KEY {
                let (client, key, request) = (world.client.clone(), key.to_owned(), request.clone());
                // The call that finds out below whether all places are taken takes one itself for a second.
                waiting.spawn(async move {
                    loop {
                        let answer = client.call(Some(&key), "WatchTransitions", &request).await;
                        if !is_busy(&answer) {
                            return answer;
                        }
                    }
                });
            }
            // Refused once all places of the key are taken by the calls above.
            while !is_busy(&world.client.call(Some(key), "WatchTransitions", &one_more).await) {}
        }
        // More wait than may work in one workspace at a moment.
        let workspace = json!({ "workspaceId": world.desk.workspace_id.to_string() });
        for _ in 0..10 {
            world.call(Key::Full, "GetWorkspace", &workspace).await.ok();
        }
        trading(&world).record(world.desk.contract, 70).await;
        let heard = waiting.join_all().await;
        assert!(heard.into_iter().all(|answer| answer.ok()["transitions"][0]["trigger"] == "recorded"));
    }

    async fn a_server_that_stops_ends_waiting_calls(database) {
        let world = World::new(database).await;
        let Served { client, stop, ended } = Served::by(&world.app).await;
        let request = watch(&world, &json!({ "afterTransitionId": end(&world).await, "waitSeconds": 25 }));
        let waiting = client.call(Some(world.token(Key::Reader)), "WatchTransitions", &request);
        let stopping = async {
            // They come through the same door: when they have been answered, the call before them has long been let in.
            for _ in 0..5 {
                let now = watch(&world, &json!({ "fromEnd": true }));
                client.call(Some(world.token(Key::Reader)), "WatchTransitions", &now).await.ok();
            }
            drop(stop);
        };
        let (answer, ()) = timeout(PROMPT, async { tokio::join!(waiting, stopping) }).await.expect("nobody waits for the whole time");
        assert_eq!(answer.ok()["lastTransitionId"], request["afterTransitionId"]);
        timeout(PROMPT, ended).await.expect("then the server ends").unwrap();
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_call_waiting_at_one_node_returns_what_another_one_commits() {
    let world = World::new(Database::Postgres).await;
    let other_node = world.other_node().await;
    let served = Served::by(&other_node).await;
    let end = end(&world).await;
    let heard = timeout(PROMPT, follow(&world, &served.client, end, 1));
    let (heard, purchase) = tokio::join!(heard, async { trading(&world).record(world.desk.contract, 70).await });
    let (heard, _) = heard.expect("the call is answered before its time is over");
    assert_eq!(heard[0]["subjectId"], json!(purchase.to_string()));
    drop(served);
    other_node.shutdown().await.unwrap();
}
