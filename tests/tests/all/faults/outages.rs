//! A database that is locked, absent, full or removed: a clear error at once, and work goes on when it is back.

use std::process::Stdio;
use std::sync::Arc;
use std::time::{Duration, Instant};

use futures::future::join_all;
use sea_orm::ConnectionTrait as _;
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt as _, BufReader};
use tokio::process::Command;
use tradepost::sql::{DatabaseSettings, SqliteSettings};
use tradepost::{BuildError, Tradepost};
use tradepost_testkit::fakes::FakeKeyEncryption;

use super::valve::Valve;
use crate::harness::{Answer, Client, Database, Key, Place, Settled, Setup, World, url_of};

pub(super) fn append(world: &World, number: usize) -> Value {
    json!({
        "workspaceId": world.desk.workspace_id.to_string(),
        "inventoryItemId": world.desk.item.to_string(),
        "assetId": format!("80000{number:03}"),
        "source": "inventory",
        "sourceId": format!("snapshot-of-{number}"),
    })
}

fn read(world: &World) -> Value {
    json!({ "workspaceId": world.desk.workspace_id.to_string(), "inventoryItemId": world.desk.item.to_string() })
}

#[track_caller]
fn assert_unavailable(answer: &Answer) {
    assert_outage(answer, "STORAGE_UNAVAILABLE");
}

#[track_caller]
fn assert_outage(answer: &Answer, reason: &str) {
    assert_eq!((answer.status, answer.body.as_str()), (500, r#"{"code":"internal","message":"internal error"}"#));
    assert_eq!((answer.header("x-error-reason"), answer.header("retry-after")), (Some(reason), Some("5")));
}

/// The same of a write, which may have been in flight when the database went away: then its outcome is unknown, and it says so.
#[track_caller]
fn assert_unavailable_or_unknown(answer: &Answer) {
    if answer.header("x-error-reason") != Some("OUTCOME_UNKNOWN") {
        return assert_unavailable(answer);
    }
    assert_eq!((answer.status, answer.body.as_str()), (500, r#"{"code":"internal","message":"internal error"}"#));
    assert_eq!(answer.header("retry-after"), None, "to be looked up first, not tried again");
}

/// Calls until it succeeds: each connection of the pool may have to be found broken once.
async fn call_until_it_works(world: &World, key: Key, method: &str, request: &Value) -> Value {
    const MOST: usize = 20;
    for _ in 0..MOST {
        let answer = world.call(key, method, request).await;
        if answer.status == 200 {
            return answer.json();
        }
        assert_unavailable_or_unknown(&answer);
    }
    panic!("{method} still fails after {MOST} calls");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn while_another_process_holds_the_file_writes_are_refused_and_reads_go_on() {
    let short_wait = |settings| match settings {
        DatabaseSettings::Sqlite(sqlite) => {
            DatabaseSettings::Sqlite(SqliteSettings { busy_timeout: Duration::from_millis(200), ..sqlite })
        }
        other @ DatabaseSettings::Postgres(_) => other,
    };
    let setup = Setup { database: Box::new(short_wait), ..Setup::default() };
    let world = World::made_with(Database::Sqlite, setup).await;
    let other = world.place.connect().await;
    other.execute_unprepared("BEGIN IMMEDIATE").await.unwrap();
    assert_unavailable(&world.call(Key::Trader, "AppendAssetIDLink", &append(&world, 1)).await);
    world.call(Key::Reader, "GetInventoryItem", &read(&world)).await.ok();
    other.execute_unprepared("ROLLBACK").await.unwrap();
    world.call(Key::Trader, "AppendAssetIDLink", &append(&world, 1)).await.ok();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn while_the_server_of_the_database_is_down_calls_fail_clearly_and_then_work_again() {
    let valve = Arc::new(Valve::before(&url_of("postgres")).await);
    let led = valve.clone();
    let through = move |settings| match settings {
        DatabaseSettings::Postgres(postgres) => led.lead(&postgres),
        other @ DatabaseSettings::Sqlite(_) => other,
    };
    let setup = Setup { database: Box::new(through), ..Setup::default() };
    let world = World::made_with(Database::Postgres, setup).await;
    world.call(Key::Reader, "GetInventoryItem", &read(&world)).await.ok();
    valve.shut();
    let began = Instant::now();
    assert_unavailable(&world.call(Key::Reader, "GetInventoryItem", &read(&world)).await);
    assert_unavailable_or_unknown(&world.call(Key::Trader, "AppendAssetIDLink", &append(&world, 1)).await);
    assert!(began.elapsed() < Duration::from_secs(10), "an outage is noticed at once");
    assert_eq!(world.client.get("/livez").await.status, 200);
    assert_eq!(world.client.get("/readyz").await.status, 503);
    valve.open();
    call_until_it_works(&world, Key::Reader, "GetInventoryItem", &read(&world)).await;
    call_until_it_works(&world, Key::Trader, "AppendAssetIDLink", &append(&world, 1)).await;
    assert_eq!(world.client.get("/readyz").await.status, 200);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn when_every_connection_breaks_no_acknowledged_link_is_lost_and_none_is_doubled() {
    let world = World::new(Database::Postgres).await;
    let control = world.place.connect().await;
    let cut = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity \
               WHERE datname = current_database() AND pid <> pg_backend_pid()";
    let requests: Vec<Value> = (0..32).map(|number| append(&world, number)).collect();
    for wave in requests.chunks(8) {
        let appends = join_all(wave.iter().map(|request| world.call(Key::Trader, "AppendAssetIDLink", request)));
        let (answers, terminated) = tokio::join!(appends, control.execute_unprepared(cut));
        terminated.unwrap();
        for (request, answer) in wave.iter().zip(answers) {
            assert!(matches!(answer.status, 200 | 500), "{answer:?}");
            // The same fact reported again is answered with the link that records it, whether or not the first call came through.
            let again = call_until_it_works(&world, Key::Trader, "AppendAssetIDLink", request).await;
            if answer.status == 200 {
                assert_eq!(again, answer.json());
            }
        }
    }
    control.close().await.unwrap();
    let verified = world.call(Key::Reader, "VerifyAssetIDChain", &read(&world)).await.ok();
    assert_eq!(verified["valid"], true, "{verified}");
    let links = world.call(Key::Reader, "ListAssetIDLinks", &read(&world)).await.ok();
    assert_eq!(links["assetIdLinks"].as_array().unwrap().len(), 3 + 32);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn while_the_key_encryption_key_is_out_no_key_is_rotated_and_then_it_is() {
    let key_encryption = Arc::new(FakeKeyEncryption::default());
    let setup = Setup { key_encryption: key_encryption.clone(), ..Setup::default() };
    let world = World::made_with(Database::Sqlite, setup).await;
    let workspace = json!({ "workspaceId": world.people.workspace_id.to_string() });
    let before = world.contents().await;
    key_encryption.set_out(true);
    assert_outage(&world.call(Key::Full, "RotateWorkspaceKey", &workspace).await, "KEY_ENCRYPTION_UNAVAILABLE");
    assert_eq!(world.contents().await, before);
    key_encryption.set_out(false);
    world.call(Key::Full, "RotateWorkspaceKey", &workspace).await.ok();
}

#[tokio::test]
async fn a_database_that_is_not_there_is_named_at_the_start() {
    let folder = tempfile::tempdir().unwrap();
    let file = format!("sqlite://{}", folder.path().join("no-such-folder/tradepost.db").display());
    for url in [file, url_of("no_such_database")] {
        let built = Tradepost::builder().database_url(&url).root_secret_file(folder.path().join("root-secret")).build();
        let error = built.await.err().unwrap_or_else(|| panic!("{url} was opened"));
        assert!(matches!(error, BuildError::Storage(_)), "{error:?}");
    }
}

/// A limit of the operating system on the size of files replaces a disk that is full.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn on_a_full_disk_writes_are_refused_reads_go_on_and_nothing_acknowledged_is_lost() {
    const BLOCK: u64 = 512;
    let place = Place::new(Database::Sqlite).await;
    let folder = tempfile::tempdir().unwrap();
    let settled = Settled::at(&place, &folder.path().join("root-secret")).await;
    let Place::File(data) = &place else { panic!("{place:?}") };
    let size = std::fs::metadata(data.path().join("tradepost.db")).unwrap().len();
    let mut engine = Command::new("sh")
        .args(["-c", r#"trap "" XFSZ; ulimit -f "$1"; shift; exec "$@""#, "sh"])
        .arg((size / BLOCK + 200).to_string())
        .arg(env!("CARGO_BIN_EXE_engine"))
        .arg(place.url())
        .arg(folder.path().join("root-secret"))
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .kill_on_drop(true)
        .spawn()
        .unwrap();
    let mut said = BufReader::new(engine.stdout.take().unwrap()).lines();
    let client = Client::of(said.next_line().await.unwrap().unwrap());
    let item = settled.items[0].to_string();
    let of_item = json!({ "workspaceId": settled.workspace_id.to_string(), "inventoryItemId": item });
    let append = |number: u32| {
        let fact = json!({ "assetId": format!("80{number:06}"), "source": "inventory", "sourceId": "x".repeat(100) + &number.to_string() });
        crate::cases::merged(of_item.clone(), &fact)
    };
    let mut written = 0;
    let refused = loop {
        let answer = client.call(Some(&settled.token), "AppendAssetIDLink", &append(written)).await;
        if answer.status != 200 {
            break answer;
        }
        written += 1;
        assert!(written < 5_000, "the disk never gets full");
    };
    assert_unavailable_or_unknown(&refused);
    let links = client.call(Some(&settled.token), "VerifyAssetIDChain", &of_item).await.ok();
    assert_eq!(links["valid"], true);
    engine.kill().await.unwrap();

    let app = crate::harness::open(&place, &folder.path().join("root-secret")).await;
    let served = crate::harness::Served::by(&app).await;
    for number in 0..written {
        let again = served.client.call(Some(&settled.token), "AppendAssetIDLink", &append(number)).await.ok();
        assert_eq!(again["assetIdLink"]["step"], json!(3 + number), "an acknowledged link is lost");
    }
}
