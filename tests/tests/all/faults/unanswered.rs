//! Calls under an idempotency key whose caller gets no answer: the call is dropped, the process killed, or the connection to the
//! database cut, between the commit and the answer. The same call with the same key is answered, and done once.

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::future::poll_fn;
use std::sync::Arc;
use std::task::Poll;

use axum::body::Body;
use axum::http::Request;
use axum::response::Response;
use futures::future::BoxFuture;
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::task::JoinSet;
use tonic::codegen::Service as _;
use tradepost::sql::DatabaseSettings;

use super::cutter::Cutter;
use super::killed::Engine;
use crate::harness::{Answer, Client, Database, Key, Place, Settled, Setup, World, on_both_databases, url_of};

const ROUNDS: usize = 100;
const KILLS: usize = 5;
const CALLERS: usize = 4;

type Call = BoxFuture<'static, Result<Response, Infallible>>;

/// Polls a future so many times and drops it when it would be polled once more; what it gave before.
pub(super) async fn drop_after<T>(polls: usize, mut call: BoxFuture<'_, T>) -> Option<T> {
    let mut left = polls;
    poll_fn(move |context| {
        if left == 0 {
            return Poll::Ready(None);
        }
        left -= 1;
        call.as_mut().poll(context).map(Some)
    })
    .await
}

/// Drops a call after so many polls; whether it was answered before.
async fn is_answered_within(polls: usize, call: Call) -> bool {
    drop_after(polls, call).await.is_some_and(|answer| answer.unwrap().status().is_success())
}

/// A call to the server in this process, under a key.
async fn in_process(world: &World, key: &str, method: &str, body: &Value) -> Call {
    let url = world.client.url(method);
    let path = url.strip_prefix("http://").and_then(|rest| rest.find('/').map(|at| rest[at..].to_owned())).unwrap();
    let request = Request::post(path)
        .header("authorization", format!("Bearer {}", world.token(Key::Full)))
        .header("content-type", "application/json")
        .header("idempotency-key", key)
        .body(Body::from(body.to_string()))
        .unwrap();
    let mut router = world.app.router().await;
    Box::pin(async move { router.call(request).await })
}

/// How many API keys there are.
async fn keys(world: &World) -> u64 {
    let count = world.call(Key::Full, "CountAPIKeys", &json!({})).await.ok();
    count["count"].as_str().map_or_else(|| count["count"].as_u64().unwrap(), |count| count.parse().unwrap())
}

/// What is answered to a call that was made before and is made again, twice.
async fn answered_again(world: &World, key: &str, method: &str, body: &Value) -> Value {
    let again = || world.client.call_under(key, world.token(Key::Full), method, body);
    let (first, second) = (again().await, again().await);
    assert_eq!((first.status, second.status), (200, 200), "{first:?} {second:?}");
    assert_eq!(first.body, second.body);
    assert_eq!(second.header("idempotency-replayed"), Some("true"));
    first.json()
}

/// Whether a raw key opens anything.
async fn opens(world: &World, answer: &Value) -> bool {
    world.client.call(answer["rawKey"].as_str(), "GetCurrentUser", &json!({})).await.status != 401
}

on_both_databases! {
    async fn a_call_that_is_dropped_at_any_point_is_answered_when_it_is_made_again_and_done_once(database) {
        let world = World::new(database).await;
        world.step_up(Key::Full, None).await;
        let before = keys(&world).await;
        let (mut polls, mut answered_before) = (0, 0);
        for round in 0..ROUNDS {
            polls += 1;
            let under = format!("dropped-{round}");
            let create = json!({ "name": "Dropped", "policies": ["analytics"] });
            if is_answered_within(polls, in_process(&world, &under, "CreateAPIKey", &create).await).await {
                // Every point has had its turn.
                (polls, answered_before) = (0, answered_before + 1);
            }
            let created = answered_again(&world, &under, "CreateAPIKey", &create).await;
            assert!(opens(&world, &created).await);
            assert_eq!(keys(&world).await, before + 1, "round {round}");
            world.call(Key::Full, "RevokeAPIKey", &json!({ "apiKeyId": created["apiKey"]["id"] })).await.ok();
        }
        assert!(answered_before > 0, "no call was ever let to its end");
    }

    async fn a_rotation_that_is_dropped_at_any_point_gives_its_new_key_when_it_is_made_again(database) {
        let world = World::new(database).await;
        world.step_up(Key::Full, None).await;
        let create = json!({ "name": "Rotated", "policies": ["analytics"] });
        let mut current = world.call(Key::Full, "CreateAPIKey", &create).await.ok();
        let mut polls = 0;
        for round in 0..ROUNDS {
            polls += 1;
            let under = format!("rotated-{round}");
            let rotate = json!({ "apiKeyId": current["apiKey"]["id"], "overlapSeconds": 0 });
            if is_answered_within(polls, in_process(&world, &under, "RotateAPIKey", &rotate).await).await {
                polls = 0;
            }
            let rotated = answered_again(&world, &under, "RotateAPIKey", &rotate).await;
            assert_ne!(rotated["apiKey"]["id"], current["apiKey"]["id"]);
            assert!(opens(&world, &rotated).await);
            current = rotated;
        }
    }

    async fn calls_under_keys_are_answered_by_the_process_that_follows_one_that_was_killed(database) {
        let place = Place::new(database).await;
        let folder = tempfile::tempdir().unwrap();
        let settled = Settled::at(&place, &folder.path().join("root-secret")).await;
        let mut sent = BTreeMap::new();
        for round in 0..KILLS {
            call_until_killed(&place, &folder, &settled, round, &mut sent).await;
        }
        let mut engine = Engine::start(&place, &folder, None).await;
        let unanswered = sent.values().filter(|answer| answer.is_none()).count();
        for (name, answer) in &sent {
            let again = create_under(&engine.client, &settled, name).await.unwrap();
            assert_eq!(again.status, 200, "{again:?}");
            assert!(answer.as_ref().is_none_or(|before| *before == again.body), "{name} is answered otherwise");
        }
        let listed = listed(&engine.client, &settled).await;
        let made = |name: &&String| listed.iter().filter(|set| *set == *name).count();
        assert!(sent.keys().all(|name| made(&name) == 1), "{unanswered} of {} were not answered", sent.len());
        engine.process.kill().await.unwrap();
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_call_whose_commit_the_database_cannot_acknowledge_is_answered_and_done_once() {
    let cutter = Arc::new(Cutter::before(&url_of("postgres")).await);
    let led = cutter.clone();
    let through = move |settings| match settings {
        DatabaseSettings::Postgres(postgres) => led.lead(&postgres),
        other @ DatabaseSettings::Sqlite(_) => other,
    };
    let setup = Setup { database: Box::new(through), ..Setup::default() };
    let world = World::made_with(Database::Postgres, setup).await;
    world.step_up(Key::Full, None).await;
    let before = keys(&world).await;
    for round in 0..ROUNDS {
        let (name, under) = (format!("Unacknowledged {round} of many"), format!("cut-{round}"));
        let create = json!({ "name": name, "policies": ["analytics"] });
        cutter.cut_after(&name);
        let first = world.client.call_under(&under, world.token(Key::Full), "CreateAPIKey", &create).await;
        assert_eq!(cutter.cuts(), round + 1, "the commit of round {round} was acknowledged");
        let created = answered_again(&world, &under, "CreateAPIKey", &create).await;
        assert_eq!((first.status, first.json()), (200, created.clone()), "the outcome is looked up by the call itself");
        assert_eq!(keys(&world).await, before + 1, "round {round}");
        world.call(Key::Full, "RevokeAPIKey", &json!({ "apiKeyId": created["apiKey"]["id"] })).await.ok();
    }
}

/// Makes a filter set under a key of its own; `Err` once the server has ended.
async fn create_under(client: &Client, settled: &Settled, name: &str) -> Result<Answer, reqwest::Error> {
    let body =
        json!({ "workspaceId": settled.workspace_id.to_string(), "name": name, "rules": { "weapons": ["AWP"] } });
    client.try_call_under(name, &settled.token, "CreateFilterSet", &body).await
}

/// Has several callers make filter sets until some are answered, and kills the server in the middle of the others.
async fn call_until_killed(
    place: &Place,
    folder: &TempDir,
    settled: &Settled,
    round: usize,
    sent: &mut BTreeMap<String, Option<String>>,
) {
    let mut engine = Engine::start(place, folder, None).await;
    let (done, mut answers) = tokio::sync::mpsc::unbounded_channel();
    let mut callers = JoinSet::new();
    for caller in 0..CALLERS {
        let (client, done) = (engine.client.clone(), done.clone());
        let settled = Settled { items: Vec::new(), token: settled.token.clone(), ..*settled };
        callers.spawn(async move {
            for number in 0.. {
                let name = format!("set-{round}-{caller}-{number}");
                let answer = create_under(&client, &settled, &name).await;
                let is_over = answer.is_err();
                done.send((name, answer.ok().map(|answer| answer.body))).unwrap();
                if is_over {
                    return;
                }
            }
        });
    }
    drop(done);
    for _ in 0..CALLERS * (round + 2) {
        let (name, answer) = answers.recv().await.unwrap();
        sent.insert(name, answer);
    }
    engine.process.kill().await.unwrap();
    while let Some((name, answer)) = answers.recv().await {
        sent.insert(name, answer);
    }
}

/// The names of the filter sets that there are.
async fn listed(client: &Client, settled: &Settled) -> Vec<String> {
    let workspace_id = settled.workspace_id.to_string();
    let (mut names, mut cursor) = (Vec::new(), String::new());
    loop {
        let list = json!({ "workspaceId": workspace_id, "limit": 100, "cursor": cursor });
        let page = client.call(Some(&settled.token), "ListFilterSets", &list).await.ok();
        let get = json!({ "workspaceId": workspace_id, "filterSetIds": page["filterSetIds"] });
        let sets = client.call(Some(&settled.token), "GetFilterSets", &get).await.ok();
        names.extend(sets["filterSets"].as_array().unwrap().iter().map(|set| set["name"].as_str().unwrap().to_owned()));
        cursor = page["nextCursor"].as_str().unwrap_or_default().to_owned();
        if cursor.is_empty() {
            return names;
        }
    }
}
