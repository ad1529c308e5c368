//! The data of a SQLite file moves to PostgreSQL.

use std::collections::BTreeMap;
use std::fs::OpenOptions;
use std::io::Write as _;
use std::os::unix::fs::OpenOptionsExt as _;
use std::panic::AssertUnwindSafe;
use std::path::{Path, PathBuf};
use std::process::Output;

use futures::FutureExt as _;
use sea_orm::{ConnectionTrait as _, DatabaseConnection, Statement};
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::process::Command;
use tradepost::SystemClock;
use tradepost::auth::RootSecret;
use tradepost::sql::{DatabaseSettings, Move, MoveProgress, ServeLock, SqliteSettings};
use tradepost_ports::clock::Clock as _;

use crate::cases::merged;
use crate::harness::{Database, Key, Place, ROOT_SECRET, Served, Trading, World, program};

/// Rows that make a table of several chunks.
const MANY: i64 = 300_000;
const TABLES: &str = "SELECT tablename::text FROM pg_tables WHERE schemaname = 'public' AND tablename NOT IN \
    ('schema_migrations', 'nodes', 'rate_limits', 'trading_processes', 'transitions_waiting') ORDER BY 1";
/// Each column as text that SQLite and PostgreSQL write in the same way.
const COLUMNS: &str = "SELECT json_build_array(column_name, data_type)::text FROM information_schema.columns \
    WHERE table_schema = 'public' AND table_name = '{table}' \
    AND (table_name || '.' || column_name) NOT IN ('record_counts.slot', 'inventory_items.replaced_asset_id') ORDER BY 1";
/// What a schema consists of, apart from its tables.
const SCHEMA: &str = "SELECT indexdef FROM pg_indexes WHERE schemaname = 'public' UNION ALL \
    SELECT concat_ws(' ', tgrelid::regclass, tgname, tgenabled) FROM pg_trigger WHERE NOT tgisinternal UNION ALL \
    SELECT concat_ws(' ', conrelid::regclass, conname, pg_get_constraintdef(oid)) FROM pg_constraint \
    WHERE connamespace = 'public'::regnamespace UNION ALL SELECT concat_ws(' ', relname, reloptions::text) FROM pg_class WHERE relnamespace = 'public'::regnamespace UNION ALL \
    SELECT concat_ws(' ', version, checksum) FROM schema_migrations ORDER BY 1";

/// A SQLite file that no process has open, with the settings to move it.
struct Stopped {
    folder: TempDir,
    target: Place,
}

impl Stopped {
    /// The file of a world, as it is now.
    async fn of(world: &World) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let copy = format!("VACUUM INTO '{}'", folder.path().join("tradepost.db").display());
        world.place.connect().await.execute_unprepared(&copy).await.unwrap();
        let stopped = Self { folder, target: Place::empty().await };
        stopped.write_root_secret(&ROOT_SECRET);
        stopped
    }

    /// A file with one table that takes several chunks.
    async fn of_many_rows() -> Self {
        let stopped = Self::of(&World::new(Database::Sqlite).await).await;
        let many = format!(
            "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < {MANY}) \
             INSERT INTO spent_answers (digest, spent_at, version) SELECT randomblob(16), i, 1 FROM n"
        );
        stopped.change(&many).await;
        stopped
    }

    /// The same, of which an earlier move has copied a part.
    async fn half_copied() -> Self {
        let stopped = Self::of_many_rows().await;
        stopped.cut_off(|come_to| matches!(come_to, MoveProgress::Copied { rows: 100_000.., .. })).await;
        stopped
    }

    fn file(&self) -> PathBuf {
        self.folder.path().join("tradepost.db")
    }

    fn write_root_secret(&self, secret: &[u8]) {
        let path = self.folder.path().join("root-secret");
        let mut file = OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(path).unwrap();
        file.write_all(secret).unwrap();
    }

    async fn change(&self, sql: &str) {
        let connection = connect(&self.file()).await;
        connection.execute_unprepared(sql).await.unwrap();
        connection.close().await.unwrap();
    }

    /// The program with these arguments, on the new database.
    fn command(&self, arguments: &[&str]) -> Command {
        self.command_on(&self.target.url(), arguments)
    }

    fn command_on(&self, database: &str, arguments: &[&str]) -> Command {
        let mut command = Command::new(program());
        command
            .args(arguments)
            .args(["--database", database])
            .current_dir(self.folder.path())
            .env_clear()
            .env("HOME", self.folder.path())
            // However busy the machine.
            .env("TRADEPOST_DATABASE__ACQUIRE_TIMEOUT_SECONDS", "60")
            .env("TRADEPOST_SECRET__ROOT_FILE", self.folder.path().join("root-secret"));
        command
    }

    async fn run(&self, arguments: &[&str]) -> Output {
        self.command(arguments).output().await.unwrap()
    }

    /// Moves the file, also one that was renamed already.
    async fn moved(&self) -> Value {
        let files = std::fs::read_dir(self.folder.path()).unwrap().map(|entry| entry.unwrap().file_name());
        let mut files: Vec<String> = files.map(|name| name.into_string().unwrap()).collect();
        files.retain(|name| name == "tradepost.db" || (name.contains(".moved-") && name.ends_with('Z')));
        let moved = self.run(&["move", files.first().unwrap(), "-o", "json"]).await;
        assert!(moved.status.success(), "{}", stderr(&moved));
        serde_json::from_slice(&moved.stdout).unwrap()
    }

    /// Moves the file, and compares both databases.
    async fn assert_moves(&self) -> Value {
        let moved = self.moved().await;
        let kept = self.folder.path().join(moved["kept"].as_str().unwrap());
        assert_eq!(json!(assert_equal(&kept, &self.target).await), moved["rows"]);
        moved
    }

    /// What the command says when it refuses.
    async fn refused(&self) -> String {
        let refused = self.run(&["move", "tradepost.db"]).await;
        assert!(!refused.status.success());
        assert!(self.file().exists(), "the file is as it was");
        stderr(&refused)
    }

    /// Moves in this process until that has happened, and no further, like a process that is killed.
    async fn cut_off(&self, at: fn(MoveProgress) -> bool) {
        let DatabaseSettings::Postgres(target) = self.target.settings() else { panic!("it is on PostgreSQL") };
        let moving = Move {
            source: SqliteSettings::at(self.file()),
            target,
            fingerprints: vec![RootSecret::from_bytes(ROOT_SECRET).canary()],
            at: SystemClock.now(),
        };
        let ended = AssertUnwindSafe(moving.run(|come_to| assert!(!at(come_to), "the process ends here")));
        assert!(ended.catch_unwind().await.is_err(), "it came to its end before");
        self.session_ended().await;
    }

    /// Waits until the server has noticed that the session of a move has ended.
    async fn session_ended(&self) {
        let connection = self.target.connect().await;
        let held = "SELECT 'held' FROM pg_locks WHERE locktype = 'advisory' \
            AND database = (SELECT oid FROM pg_database WHERE datname = current_database())";
        while !first_column(&connection, held).await.is_empty() {
            tokio::task::yield_now().await;
        }
        connection.close().await.unwrap();
    }

    /// Kills the command once a part of the large table is in the new database. Returns whether it was running and had not copied all.
    async fn killed_halfway(&self) -> bool {
        let connection = self.target.connect().await;
        let mut process = self.command(&["move", "tradepost.db"]).kill_on_drop(true).spawn().unwrap();
        while rows_copied(&connection).await == 0 && process.try_wait().unwrap().is_none() {
            tokio::task::yield_now().await;
        }
        let was_running = process.try_wait().unwrap().is_none();
        process.kill().await.unwrap();
        self.session_ended().await;
        was_running && (1..MANY).contains(&rows_copied(&connection).await)
    }

    async fn assert_unusable(&self) {
        let refused = self.run(&["serve", "--listen", "127.0.0.1:0"]).await;
        assert!(stderr(&refused).contains("a move of data into this database is not finished"), "{}", stderr(&refused));
    }
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// The rows of the large table that are committed; none before and after a move.
async fn rows_copied(connection: &DatabaseConnection) -> i64 {
    let rows = "SELECT coalesce(max(rows), 0) FROM moved_tables WHERE table_name = 'spent_answers'";
    let rows = Statement::from_string(connection.get_database_backend(), rows);
    let row = connection.query_one_raw(rows).await.ok().flatten();
    row.map_or(0, |row| row.try_get_by_index(0).unwrap())
}

async fn connect(file: &Path) -> DatabaseConnection {
    sea_orm::Database::connect(format!("sqlite:{}?mode=rw", file.display())).await.unwrap()
}

async fn first_column(connection: &DatabaseConnection, sql: &str) -> Vec<String> {
    let rows = connection.query_all_raw(Statement::from_string(connection.get_database_backend(), sql)).await.unwrap();
    rows.iter().map(|row| row.try_get_by_index(0).unwrap()).collect()
}

/// A statement for each table that reads its rows as text: of SQLite, and of PostgreSQL.
async fn statements(new: &DatabaseConnection) -> BTreeMap<String, [String; 2]> {
    let mut statements = BTreeMap::new();
    for table in first_column(new, TABLES).await {
        let columns = first_column(new, &COLUMNS.replace("{table}", &table)).await;
        let columns: Vec<[String; 2]> = columns.iter().map(|column| serde_json::from_str(column).unwrap()).collect();
        let texts = [
            columns.iter().map(|[name, kind]| in_sqlite(name, kind)).collect::<Vec<_>>(),
            columns.iter().map(|[name, kind]| in_postgres(name, kind)).collect(),
        ];
        let select = |texts: Vec<String>| format!("SELECT concat_ws('|', {}) FROM {table}", texts.join(", "));
        statements.insert(table.clone(), texts.map(select));
    }
    statements
}

fn in_sqlite(name: &str, kind: &str) -> String {
    match kind {
        "uuid" | "bytea" => format!("coalesce(lower(hex({name})), '')"),
        _ => format!("coalesce(CAST({name} AS TEXT), '')"),
    }
}

fn in_postgres(name: &str, kind: &str) -> String {
    match kind {
        "uuid" => format!("coalesce(replace({name}::text, '-', ''), '')"),
        "bytea" => format!("coalesce(encode({name}, 'hex'), '')"),
        "boolean" => format!("coalesce({name}::int::text, '')"),
        _ => format!("coalesce({name}::text, '')"),
    }
}

/// Compares every value of every row, read without the program.
async fn assert_equal(file: &Path, target: &Place) -> usize {
    let (old, new) = (connect(file).await, target.connect().await);
    let mut rows = 0;
    for (table, [of_sqlite, of_postgres]) in statements(&new).await {
        let mut expected = first_column(&old, &of_sqlite).await;
        let mut found = first_column(&new, &of_postgres).await;
        expected.sort();
        found.sort();
        assert!(expected == found, "{table}: {} rows, and {} before", found.len(), expected.len());
        rows += found.len();
    }
    new.close().await.unwrap();
    rows
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_row_moves_and_a_server_goes_on_with_them() {
    let world = World::new(Database::Sqlite).await;
    world.chained().await;
    let stopped = Stopped::of(&world).await;
    let moved = stopped.moved().await;
    let kept = stopped.folder.path().join(moved["kept"].as_str().unwrap());
    let rows = assert_equal(&kept, &stopped.target).await;
    assert_eq!((&moved["rows"], &moved["resumedAt"]), (&json!(rows), &json!(null)), "{moved}");
    assert!(rows > 500 && !stopped.file().exists(), "{moved}");
    let examined = stopped.run(&["doctor", "--deep"]).await;
    assert!(examined.status.success(), "{}", String::from_utf8_lossy(&examined.stdout));

    let app = world.node_at(&stopped.target).await;
    let served = Served::by(&app).await;
    let workspace = json!({ "workspaceId": world.desk.workspace_id.to_string() });
    let by_contract = json!({ "groupBy": "PROFIT_AND_LOSS_GROUPING_CONTRACT" });
    for (operation, more) in [
        ("ListPurchases", json!({})),
        ("ListInventoryItems", json!({})),
        ("ListTransitions", json!({})),
        ("CountPurchases", json!({})),
        ("GetCapital", json!({})),
        ("GetProfitAndLoss", by_contract),
    ] {
        let request = merged(workspace.clone(), &more);
        let answer = served.client.call(Some(world.token(Key::Reader)), operation, &request).await.ok();
        assert_eq!(answer, world.call(Key::Reader, operation, &request).await.ok(), "{operation}");
    }

    // Positions, places in the audit chain and counters go on after the last ones.
    let from_end = merged(workspace.clone(), &json!({ "fromEnd": true }));
    let end = served.client.call(Some(world.token(Key::Reader)), "WatchTransitions", &from_end).await.ok();
    let (operations, clock, workspace_id) = (app.operations(), &*world.clock, world.desk.workspace_id);
    let purchase = Trading { operations, clock, workspace_id }.record(world.desk.contract, 70).await;
    let after = json!({ "afterTransitionId": end["lastTransitionId"], "waitSeconds": 25 });
    let watch = merged(workspace.clone(), &after);
    let heard = served.client.call(Some(world.token(Key::Reader)), "WatchTransitions", &watch).await.ok();
    assert_eq!(heard["transitions"][0]["subjectId"], json!(purchase.to_string()));
    let create = json!({ "name": "Night shift", "policies": ["analytics"] });
    served.client.call(Some(world.token(Key::Full)), "CreateAPIKey", &create).await.ok();
    while app.operations().chain_audit_events().await.unwrap() > 0 {}
    let verified = served.client.call(Some(world.token(Key::Full)), "VerifyAuditChain", &workspace).await.ok();
    assert_eq!(verified["ok"], json!(true), "{verified}");
    app.shutdown().await.unwrap();
    let examined = stopped.run(&["doctor", "--deep"]).await;
    assert!(examined.status.success(), "{}", String::from_utf8_lossy(&examined.stdout));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_move_leaves_the_schema_that_a_new_database_has() {
    let stopped = Stopped::of(&World::new(Database::Sqlite).await).await;
    stopped.moved().await;
    let fresh = Place::new(Database::Postgres).await;
    let schema = async |place: &Place| first_column(&place.connect().await, SCHEMA).await;
    let expected = schema(&fresh).await;
    assert!(expected.len() > 500, "{} parts", expected.len());
    assert_eq!(schema(&stopped.target).await, expected);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_move_that_is_killed_continues_after_the_last_chunk() {
    for _ in 0..5 {
        let stopped = Stopped::of_many_rows().await;
        if !stopped.killed_halfway().await {
            continue;
        }
        stopped.assert_unusable().await;
        let moved = stopped.assert_moves().await;
        assert!(moved["resumedAt"].as_i64().unwrap() > 0, "{moved}");
        return;
    }
    panic!("each move had copied all before it could be killed");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_move_that_ends_at_any_step_leaves_at_most_one_database_usable_and_continues() {
    let steps: [fn(MoveProgress) -> bool; 4] = [
        |come_to| matches!(come_to, MoveProgress::Copied { .. }),
        |come_to| matches!(come_to, MoveProgress::Checked { rows: 1.., .. }),
        |come_to| matches!(come_to, MoveProgress::Checked { indexes: 1.., .. }),
        |come_to| matches!(come_to, MoveProgress::Renamed),
    ];
    let world = World::new(Database::Sqlite).await;
    for (number, step) in steps.into_iter().enumerate() {
        let stopped = Stopped::of(&world).await;
        stopped.cut_off(step).await;
        stopped.assert_unusable().await;
        assert_eq!(stopped.file().exists(), number < 3, "the file has its name until the last step");
        if number == 3 {
            let refused = stopped.run(&["move", "tradepost.db"]).await;
            assert!(stderr(&refused).contains("continue: tradepost move "), "{}", stderr(&refused));
        }
        stopped.assert_moves().await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_file_that_changed_after_its_first_half_was_copied_is_refused() {
    let mut stopped = Stopped::half_copied().await;
    let change = "UPDATE spent_answers SET spent_at = 0 WHERE digest = (SELECT min(digest) FROM spent_answers)";
    stopped.change(change).await;
    let refused = stopped.refused().await;
    assert!(refused.contains("of the file was changed after an earlier move began"), "{refused}");
    assert!(refused.contains("drop the new database"), "{refused}");
    stopped.target = Place::empty().await;
    stopped.assert_moves().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_database_that_changed_what_it_was_sent_is_refused() {
    let mut stopped = Stopped::half_copied().await;
    let damage = "UPDATE spent_answers SET spent_at = 0 WHERE spent_at = (SELECT max(spent_at) FROM spent_answers)";
    stopped.target.connect().await.execute_unprepared(damage).await.unwrap();
    let refused = stopped.refused().await;
    assert!(refused.contains("the table spent_answers of the new database does not hold"), "{refused}");
    stopped.target = Place::empty().await;
    stopped.assert_moves().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_database_that_an_older_program_began_to_fill_is_refused() {
    let mut stopped = Stopped::of(&World::new(Database::Sqlite).await).await;
    stopped.cut_off(|come_to| matches!(come_to, MoveProgress::Copied { .. })).await;
    let older = "DELETE FROM schema_migrations \
        WHERE version = (SELECT max(version) FROM schema_migrations WHERE name <> 'moving')";
    stopped.target.connect().await.execute_unprepared(older).await.unwrap();
    let refused = stopped.refused().await;
    assert!(refused.contains("the new database: the database has schema version"), "{refused}");
    stopped.target = Place::empty().await;
    stopped.assert_moves().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_cannot_be_moved_is_refused_with_what_to_do() {
    let stopped = Stopped::of(&World::new(Database::Sqlite).await).await;
    stopped.write_root_secret(&[1; 32]);
    let refused = stopped.refused().await;
    assert!(refused.contains("which is not at hand") && refused.contains("secret.root_file"), "{refused}");
    stopped.write_root_secret(&ROOT_SECRET);

    let served = ServeLock::take(&stopped.file()).unwrap();
    let refused = stopped.refused().await;
    assert!(refused.contains("is being served") && refused.contains("stop the server"), "{refused}");
    drop(served);

    let writer = connect(&stopped.file()).await;
    writer.execute_unprepared("BEGIN IMMEDIATE").await.unwrap();
    let refused = stopped.refused().await;
    assert!(refused.contains("database is locked") && refused.contains("that have the file open"), "{refused}");
    writer.close().await.unwrap();

    let connection = stopped.target.connect().await;
    let busy = "SELECT pg_advisory_lock(8390876139571146102)";
    connection.execute_unprepared(busy).await.unwrap();
    let refused = stopped.refused().await;
    assert!(refused.contains("another process is moving data into the new database"), "{refused}");
    connection.execute_unprepared("SELECT pg_advisory_unlock_all()").await.unwrap();

    connection
        .execute_unprepared("INSERT INTO spent_answers (digest, spent_at, version) VALUES (gen_random_uuid(), 1, 1)")
        .await
        .unwrap();
    let refused = stopped.refused().await;
    assert!(refused.contains("holds data already, in the table spent_answers"), "{refused}");
    connection.execute_unprepared("DELETE FROM spent_answers").await.unwrap();

    // Each time the file was left as it was.
    stopped.assert_moves().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_file_of_an_older_program_is_refused_with_the_command_that_upgrades_it() {
    let stopped = Stopped::of(&World::new(Database::Sqlite).await).await;
    stopped.change("DELETE FROM schema_migrations WHERE version = (SELECT max(version) FROM schema_migrations)").await;
    let refused = stopped.refused().await;
    assert!(refused.contains("tradepost migrate --database sqlite:///"), "{refused}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_server_starts_under_the_old_name_and_the_file_can_be_restored() {
    let stopped = Stopped::of(&World::new(Database::Sqlite).await).await;
    // By another name: it is the file that moves.
    std::os::unix::fs::symlink(stopped.file(), stopped.folder.path().join("link.db")).unwrap();
    let moved = stopped.run(&["move", "link.db", "-o", "json"]).await;
    assert!(moved.status.success() && !stopped.file().exists(), "{}", stderr(&moved));
    let moved: Value = serde_json::from_slice(&moved.stdout).unwrap();
    let on_the_file =
        async |arguments: &[&str]| stopped.command_on("sqlite://tradepost.db", arguments).output().await.unwrap();
    for command in [&["serve", "--listen", "127.0.0.1:0"][..], &["migrate"], &["doctor"], &["key", "list"]] {
        let refused = on_the_file(command).await;
        let said = [stderr(&refused), String::from_utf8_lossy(&refused.stdout).into_owned()].concat();
        assert!(said.contains("its data was moved to PostgreSQL"), "{command:?}: {said}");
    }
    let restored = on_the_file(&["restore", moved["kept"].as_str().unwrap()]).await;
    assert!(restored.status.success() && stopped.file().exists(), "{}", stderr(&restored));
}
