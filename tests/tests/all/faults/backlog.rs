//! A great backlog of what is over: it is cleared away while calls go on, and none of them waits long for it.
//!
//! The size is a hundredth of 3 million answers, 1 million usage counts, observations and positions of changes each, and 200,000 sessions and
//! sign-ins each; `TRADEPOST_BACKLOG=1` makes it whole.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use sea_orm::{ConnectionTrait as _, DatabaseConnection, DbBackend, Statement};
use serde_json::{Value, json};
use tokio::task::JoinSet;
use tradepost_domain::accounts::access::Principal;
use tradepost_domain::accounts::policy::PolicySet;
use tradepost_domain::transition::SubjectKind;
use tradepost_ports::clock::Clock as _;
use tradepost_ports::store::MOST_OBSERVATIONS;
use tradepost_testkit::samples::{Samples, variant};

use crate::harness::{Client, Key, World, on_both_databases};

const ANSWERS: u32 = 3_000_000;
const OBSERVATIONS: u32 = 1_000_000;
const COUNTS: u32 = 1_000_000;
const POSITIONS: u32 = 1_000_000;
const SESSIONS: u32 = 200_000;
const SIGN_INS: u32 = 200_000;
/// How long ago it is that anything changed its status. The positions of changes are kept for a month.
const LATELY: time::Duration = time::Duration::days(40);
/// How many call at once, and how long it is from one call of each to the next.
const CALLERS: usize = 4;
const BETWEEN_CALLS: Duration = Duration::from_millis(20);
/// How long a call may wait at most, and so any statement that clears on a database with one writer.
const LONGEST: Duration = Duration::from_secs(1);
/// Within which time the whole backlog is cleared.
const WITHIN: Duration = Duration::from_mins(10);

/// Which part of the backlog is cleared: the hundredth, or another part for a measurement.
#[expect(clippy::disallowed_methods, reason = "a measurement of the whole backlog sets this variable")]
fn part() -> u32 {
    std::env::var("TRADEPOST_BACKLOG").map_or(100, |part| part.parse().unwrap())
}

on_both_databases! {
    long on_postgresql;

    async fn a_backlog_is_cleared_within_ten_minutes_while_calls_go_on(database) {
        let world = World::new(database).await;
        // Held from before there is a backlog: what this server clears between its calls would share the work.
        let _turn = loop {
            if let Some(turn) = world.app.operations().begin_clearing().await.unwrap() {
                break turn;
            }
        };
        let part = part();
        let db = world.place.connect().await;
        make_positions(&world, &db, POSITIONS / part).await;
        make_observations(&world, OBSERVATIONS / part).await;
        for statement in backlog(&db, world.clock.now().as_micros(), part) {
            db.execute_unprepared(&statement).await.unwrap();
        }
        let made = (ANSWERS + OBSERVATIONS + COUNTS + POSITIONS + SESSIONS + SIGN_INS) / part;
        let there = due(&db, world.clock.now().as_micros()).await;
        assert!(there >= i64::from(made) - 1, "{there} of {made} are due");
        let stop = Arc::new(AtomicBool::new(false));
        let mut callers = JoinSet::new();
        for caller in 0..CALLERS {
            let list = json!({ "workspaceId": world.desk.workspace_id.to_string() });
            let set = json!({ "name": format!("Caller {caller}"), "rules": { "weapons": ["AWP"] } });
            let calls = [("CreateFilterSet", crate::cases::merged(list.clone(), &set)), ("ListFilterSets", list)];
            callers.spawn(call_on(world.client.clone(), world.token(Key::Full).to_owned(), calls, stop.clone()));
        }
        let watching = tokio::spawn(longest_statement(world.place.connect().await, stop.clone()));
        let (begun, operations) = (Instant::now(), world.app.operations());
        while operations.forget_old_answers().await.unwrap()
            + operations.forget_old_credentials().await.unwrap()
            + operations.forget_old_usage().await.unwrap()
            + operations.forget_old_places().await.unwrap()
            + operations.forget_old_observations().await.unwrap()
            > 0
        {}
        let took = begun.elapsed();
        stop.store(true, Ordering::Relaxed);
        let (mut calls, mut longest) = (0, Duration::ZERO);
        while let Some(called) = callers.join_next().await {
            let (many, slowest) = called.unwrap();
            (calls, longest) = (calls + many, longest.max(slowest));
        }
        let (statement, text) = watching.await.unwrap();
        eprintln!("1/{part} of the backlog in {took:.1?} alongside {calls} calls, the slowest in {longest:?}; longest statement seen {statement:?}: {text}");
        assert_eq!(due(&db, world.clock.now().as_micros()).await, 0);
        assert!(took < WITHIN, "{took:?}");
        assert!(longest < LONGEST && statement < LONGEST, "{longest:?} {statement:?} {text}");
    }
}

/// The numbers up to the last one, as a table `n`.
fn numbers(db: &DatabaseConnection, last: u32) -> String {
    match db.get_database_backend() {
        DbBackend::Sqlite => {
            format!("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < {last})")
        }
        _ => format!("WITH n(i) AS (SELECT generate_series(1, {last}))"),
    }
}

/// Makes changes of purchases with their positions, and lets the time pass for which positions are kept.
async fn make_positions(world: &World, db: &DatabaseConnection, many: u32) {
    let workspace = u128::from_be_bytes(world.desk.workspace_id.to_bytes());
    let (workspace, id) = match db.get_database_backend() {
        DbBackend::Sqlite => (format!("x'{workspace:032x}'"), "randomblob(16)"),
        _ => (format!("'{workspace:032x}'::uuid"), "gen_random_uuid()"),
    };
    let (kind, now) = (SubjectKind::Purchase.code(), world.clock.now().as_micros());
    let insert = format!(
        "INSERT INTO transitions (workspace_id, subject_kind, subject_id, version, id, to_status, cause, actor_kind, at) {} \
         SELECT {workspace}, {kind}, {id}, 1, {id}, 'PENDING', 'recorded', 3, {now} FROM n",
        numbers(db, many)
    );
    db.execute_unprepared(&insert).await.unwrap();
    let mut placed = -1;
    loop {
        let last = world.app.store().transitions().place().await.unwrap();
        if last == placed {
            break;
        }
        placed = last;
    }
    world.clock.advance(LATELY);
}

/// Makes observations of listings, of a few hours.
async fn make_observations(world: &World, many: u32) {
    let (samples, workspace_id) = (Samples::seeded(77), world.desk.workspace_id);
    let scope = Principal::System.enter(workspace_id, PolicySet::NONE).unwrap();
    let begun = world.clock.now().plus(-time::Duration::days(9));
    let made = |number: &u32| {
        let at = begun.plus(time::Duration::minutes(i64::from(number % 180)));
        samples.observation(workspace_id, samples.on_offer(variant("AK-47 | Redline (Field-Tested)"), 1_000, at))
    };
    for numbers in (0..many).collect::<Vec<_>>().chunks(MOST_OBSERVATIONS) {
        let observations: Vec<_> = numbers.iter().map(made).collect();
        world.app.store().observations().record(scope, &[], &observations).await.unwrap();
    }
}

/// Statements that make what was over a moment ago.
fn backlog(db: &DatabaseConnection, now: i64, part: u32) -> Vec<String> {
    const DAY: i64 = 86_400_000_000;
    let (begun, minute) = (now - 2 * DAY, now / 60_000_000 - 100 * 24 * 60);
    let numbers = |many| numbers(db, many / part);
    let (id, bytes) = match db.get_database_backend() {
        DbBackend::Sqlite => ("randomblob(16)", "randomblob(32)"),
        _ => ("gen_random_uuid()", "sha256(gen_random_uuid()::text::bytea)"),
    };
    let answer = match db.get_database_backend() {
        DbBackend::Sqlite => "randomblob(600)".to_owned(),
        _ => "decode(repeat(md5(random()::text), 37), 'hex')".to_owned(),
    };
    vec![
        format!(
            "INSERT INTO executions (id, request, sealed, kept_until, created_at, version) {} \
             SELECT {id}, {bytes}, {answer}, {begun} + {DAY} + i, {begun} + i, 1 FROM n",
            numbers(ANSWERS)
        ),
        format!(
            "INSERT INTO usage_counts (workspace_id, minute, key_id, operation, requests, errors, rate_limited) {} \
             SELECT {id}, {minute} - i / 100, {id}, 'GetPurchase', 1, 0, 0 FROM n",
            numbers(COUNTS)
        ),
        format!(
            "INSERT INTO sessions (user_id, id, prefix, digest, proofs, proved_at, created_at, version) {} \
             SELECT {id}, {id}, 'tps_Sample00', {bytes}, 1, {begun} + i, {begun} + i, 1 FROM n",
            numbers(SESSIONS)
        ),
        format!(
            "INSERT INTO pending_sign_ins (id, user_id, tries_left, created_at, version) {} \
             SELECT {id}, {id}, 3, {begun} + i, 1 FROM n",
            numbers(SIGN_INS)
        ),
    ]
}

/// How much is due and still there. The last position of each kind of record stays.
async fn due(db: &DatabaseConnection, now: i64) -> i64 {
    const DAY: i64 = 86_400_000_000;
    let (before, observed_before, placed_before) = (now - DAY, now - 8 * DAY, now - 35 * DAY);
    let sql = format!(
        "SELECT (SELECT count(*) FROM executions WHERE created_at <= {before}) \
         + (SELECT count(*) FROM usage_counts WHERE minute < {}) \
         + (SELECT count(*) FROM sessions WHERE created_at < {before}) \
         + (SELECT count(*) FROM pending_sign_ins WHERE created_at < {before}) \
         + (SELECT count(*) FROM market_observations WHERE recorded_at < {observed_before}) \
         + (SELECT CAST(coalesce(sum(n - 1), 0) AS BIGINT) FROM (SELECT count(*) AS n FROM transition_places AS p \
            JOIN transitions AS t ON t.workspace_id = p.workspace_id AND t.subject_kind = p.subject_kind AND t.id = p.transition_id \
            WHERE t.at < {placed_before} GROUP BY p.workspace_id, p.subject_kind) AS of_kind) AS n",
        now / 60_000_000 - 90 * 24 * 60
    );
    let row = db.query_one_raw(Statement::from_string(db.get_database_backend(), sql)).await.unwrap().unwrap();
    row.try_get("", "n").unwrap()
}

/// Writes and reads in turn until it is stopped; how many calls it was, and how long the slowest took.
async fn call_on(client: Client, token: String, each: [(&str, Value); 2], stop: Arc<AtomicBool>) -> (u32, Duration) {
    let (mut calls, mut slowest) = (0, Duration::ZERO);
    let mut pace = tokio::time::interval(BETWEEN_CALLS);
    while !stop.load(Ordering::Relaxed) {
        for (method, body) in &each {
            let begun = Instant::now();
            client.call(Some(&token), method, body).await.ok();
            (calls, slowest) = (calls + 1, slowest.max(begun.elapsed()));
            pace.tick().await;
        }
    }
    (calls, slowest)
}

/// The longest time that PostgreSQL reports of a statement that clears. On SQLite calls that write wait for each.
async fn longest_statement(db: DatabaseConnection, stop: Arc<AtomicBool>) -> (Duration, String) {
    const LONGEST: &str = "SELECT (extract(epoch FROM clock_timestamp() - query_start) * 1000)::bigint AS n, query \
        FROM pg_stat_activity WHERE datname = current_database() AND state = 'active' AND (query LIKE 'DELETE%' OR query LIKE 'UPDATE%') \
        ORDER BY query_start LIMIT 1";
    let mut longest = (0_i64, String::new());
    let mut looks = tokio::time::interval(Duration::from_millis(10));
    while db.get_database_backend() == DbBackend::Postgres && !stop.load(Ordering::Relaxed) {
        if let Some(row) = db.query_one_raw(Statement::from_string(DbBackend::Postgres, LONGEST)).await.unwrap() {
            longest = longest.max((row.try_get("", "n").unwrap(), row.try_get("", "query").unwrap()));
        }
        looks.tick().await;
    }
    (Duration::from_millis(u64::try_from(longest.0).unwrap()), longest.1)
}
