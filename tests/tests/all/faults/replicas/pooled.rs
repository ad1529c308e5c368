//! `PgBouncer` between the server and its database, in each mode that the installed version supports with the documented settings.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::{Duration, Instant};

use futures::future::join_all;
use sea_orm::ConnectionTrait as _;
use serde_json::{Value, json};
use tokio::process::{Child, Command};

use super::serve;
use super::several_servers::assert_a_revoked_key_is_heard;
use crate::faults::cluster::Cluster;
use crate::faults::two_servers::Trader;
use crate::harness::Client;

/// Names the program where it is not the one of the operating system.
const VARIABLE: &str = "TRADEPOST_TEST_PGBOUNCER";
/// The first version that follows prepared statements from one server connection to another.
const WITH_STATEMENTS: (u32, u32) = (1, 21);
/// Callers at the same time, and what each of them writes.
const CALLERS: usize = 12;
const WRITES: usize = 10;

/// The program and its version.
#[expect(clippy::disallowed_methods, reason = "who tests a newer version names it in this variable")]
fn program() -> (PathBuf, (u32, u32)) {
    let named = std::env::var_os(VARIABLE).map(PathBuf::from);
    for program in named.into_iter().chain(["pgbouncer".into(), "/usr/sbin/pgbouncer".into()]) {
        let Ok(output) = std::process::Command::new(&program).arg("--version").output() else { continue };
        let text = String::from_utf8(output.stdout).unwrap();
        let Some(version) = text.lines().find_map(|line| line.strip_prefix("PgBouncer ")) else { continue };
        let mut numbers = version.split('.').map(|number| number.parse().unwrap());
        return (program, (numbers.next().unwrap(), numbers.next().unwrap()));
    }
    panic!("there is no pgbouncer; `cargo xtask test` installs it as root on Debian");
}

/// A running pooler, ended with the value.
struct Pooler {
    _process: Child,
    url: String,
}

impl Pooler {
    async fn before(database: &Cluster, program: &Path, mode: &str, more: &str) -> Self {
        let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let server = database.url().rsplit_once(':').unwrap().1.split_once('/').unwrap().0.to_owned();
        let settings = database.folder().join("pgbouncer.ini");
        let text = format!(
            "[databases]\npostgres = host=127.0.0.1 port={server} dbname=postgres user=app\n[pgbouncer]\nlisten_addr = 127.0.0.1\n\
             listen_port = {port}\nunix_socket_dir =\nauth_type = any\npool_mode = {mode}\n{more}\n"
        );
        fs::write(&settings, text).unwrap();
        let log = fs::File::create(database.folder().join("pgbouncer.log")).unwrap();
        let mut command: Command = database.as_owner(program);
        let process = command.arg(&settings).stdout(Stdio::null()).stderr(log).spawn().unwrap();
        let mut looks = tokio::time::interval(Duration::from_millis(20));
        while tokio::net::TcpStream::connect(("127.0.0.1", port)).await.is_err() {
            looks.tick().await;
        }
        Self { _process: process, url: format!("postgres://app@127.0.0.1:{port}/postgres") }
    }
}

/// Writes from many callers at once, and reads what they wrote.
async fn assert_all_is_written(client: &Client, trader: &Trader) {
    let writing = (0..CALLERS).map(|caller| async move {
        let mut ids = Vec::new();
        for number in 0..WRITES {
            let name = format!("{caller}-{number}");
            let rules = json!({ "marketHashNames": [name] });
            let draft = json!({ "workspaceId": trader.workspace_id, "name": name, "rules": rules });
            let made = client.call(Some(&trader.key), "CreateFilterSet", &draft).await.ok();
            ids.push(made["filterSet"]["id"].clone());
        }
        ids
    });
    let ids: Vec<Value> = join_all(writing).await.into_iter().flatten().collect();
    for ids in ids.chunks(50) {
        let request = json!({ "workspaceId": trader.workspace_id, "filterSetIds": ids });
        let found = client.call(Some(&trader.key), "GetFilterSets", &request).await.ok();
        assert_eq!(found["filterSets"].as_array().unwrap().len(), ids.len());
    }
}

/// A table that another session has locked is waited for no longer than the setting says.
async fn assert_locks_have_a_limit(client: &Client, trader: &Trader, database: &Cluster) {
    let other = database.connect().await;
    other.execute_unprepared("BEGIN; LOCK TABLE filter_sets IN ACCESS EXCLUSIVE MODE").await.unwrap();
    let draft =
        json!({ "workspaceId": trader.workspace_id, "name": "Locked", "rules": { "marketHashNames": ["Locked"] } });
    let began = Instant::now();
    let refused = client.call(Some(&trader.key), "CreateFilterSet", &draft).await;
    assert_eq!((refused.status, refused.header("x-error-reason")), (500, Some("STORAGE_UNAVAILABLE")), "{refused:?}");
    assert!(began.elapsed() < Duration::from_secs(4), "{:?}", began.elapsed());
    other.execute_unprepared("ROLLBACK").await.unwrap();
    other.close().await.unwrap();
    client.call(Some(&trader.key), "CreateFilterSet", &draft).await.ok();
}

async fn started() -> Cluster {
    let mut database = Cluster::new().await;
    assert!(database.start(&mut database.command()).await, "{}", database.log());
    database
}

/// Everything that a pooler can break: statements of many callers at once, limits, locks of a session, news.
async fn assert_it_works(database: &mut Cluster, url: &str, settings: &[(&str, &str)]) {
    let folder = tempfile::tempdir().unwrap();
    let server = serve(folder.path(), url, settings).await;
    let (client, trader) = (Client::of(server.url()), Trader::of(folder.path(), &server));
    assert_all_is_written(&client, &trader).await;
    assert_locks_have_a_limit(&client, &trader, database).await;
    let control = database.connect().await;
    assert_a_revoked_key_is_heard(&client, &trader, &control).await;
    control.close().await.unwrap();
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_works_through_pgbouncer_in_session_mode() {
    let ((program, version), mut database) = (program(), started().await);
    let pooler = Pooler::before(&database, &program, "session", "default_pool_size = 40").await;
    let url = pooler.url.clone();
    assert_it_works(&mut database, &url, &[("TRADEPOST_DATABASE__POOLER", "session")]).await;
    println!("pgbouncer {version:?} in session mode");
    drop(pooler);
    database.kill().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_works_through_pgbouncer_in_transaction_mode_where_it_follows_prepared_statements() {
    let ((program, version), mut database) = (program(), started().await);
    assert!(version >= WITH_STATEMENTS, "transaction mode needs pgbouncer 1.21, and this is {version:?}");
    let limits = "ALTER ROLE app SET statement_timeout = '5s'; ALTER ROLE app SET lock_timeout = '2s'; \
                  ALTER ROLE app SET idle_in_transaction_session_timeout = '10s'";
    let control = database.connect().await;
    control.execute_unprepared(limits).await.unwrap();
    control.close().await.unwrap();
    let pooler =
        Pooler::before(&database, &program, "transaction", "max_prepared_statements = 256\ndefault_pool_size = 6")
            .await;
    let (url, direct) = (pooler.url.clone(), database.url());
    let settings =
        [("TRADEPOST_DATABASE__POOLER", "transaction"), ("TRADEPOST_DATABASE__SESSION_URL", direct.as_str())];
    assert_it_works(&mut database, &url, &settings).await;
    println!("pgbouncer {version:?} in transaction mode");
    drop(pooler);
    database.kill().await;
}
