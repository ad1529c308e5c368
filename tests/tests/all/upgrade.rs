//! Databases of every released version on PostgreSQL: each is restored from its dump, brought to the present schema and checked whole.

use std::collections::BTreeMap;
use std::fs::{self, File, OpenOptions};
use std::io::{Read as _, Write as _};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;
use sea_orm::{ConnectionTrait as _, DbBackend, Statement};

use crate::harness::{Database, Place, ROOT_SECRET, World, program};

/// A file for each released version: a dump of a database with every kind of record.
const RELEASED: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/released");
/// A folder for each released version, with a database of SQLite.
const RELEASED_ON_SQLITE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../crates/app/tests/released");

/// A fixture is never made twice: it stays what the released program wrote.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[expect(clippy::disallowed_methods, reason = "snapshots are kept by the same variable")]
async fn the_version_of_this_program_has_a_dump_to_upgrade() {
    let dump = Path::new(RELEASED).join(format!("{}.sql.gz", env!("CARGO_PKG_VERSION")));
    if !dump.exists() && std::env::var_os("INSTA_UPDATE").is_some_and(|update| update == "always") {
        keep_dump_of_this_version(&dump).await;
    }
    assert!(
        dump.exists(),
        "there is no dump of this version: run this test with INSTA_UPDATE=always before the version is released"
    );
}

async fn keep_dump_of_this_version(dump: &Path) {
    let world = World::new(Database::Postgres).await;
    world.chained().await;
    let dumped = Command::new("pg_dump")
        .args(["--no-owner", "--no-privileges", &format!("--dbname={}", world.place.url())])
        .output()
        .unwrap();
    assert!(dumped.status.success(), "{}", String::from_utf8_lossy(&dumped.stderr));
    let dumped = String::from_utf8(dumped.stdout).unwrap();
    fs::create_dir_all(RELEASED).unwrap();
    let mut packed = GzEncoder::new(File::create(dump).unwrap(), Compression::best());
    // Older servers do not know this parameter, and older clients do not know these commands.
    let is_new =
        |line: &str| ["SET transaction_timeout", "\\restrict", "\\unrestrict"].iter().any(|new| line.starts_with(new));
    for line in dumped.lines().filter(|line| !is_new(line)) {
        writeln!(packed, "{line}").unwrap();
    }
    packed.finish().unwrap();
}

fn unpacked(file: &Path) -> Vec<u8> {
    let mut content = Vec::new();
    GzDecoder::new(File::open(file).unwrap()).read_to_end(&mut content).unwrap();
    content
}

async fn restored(dump: &Path) -> Place {
    let place = Place::empty().await;
    let mut psql = Command::new("psql");
    psql.args(["--quiet", "--no-psqlrc", "--set=ON_ERROR_STOP=1", "--single-transaction", "--dbname", &place.url()]);
    let mut psql = psql.stdin(Stdio::piped()).stdout(Stdio::null()).spawn().unwrap();
    psql.stdin.take().unwrap().write_all(&unpacked(dump)).unwrap();
    assert!(psql.wait().unwrap().success());
    place
}

/// How many rows each table has.
async fn rows(place: &Place) -> BTreeMap<String, usize> {
    place.contents().await.into_iter().map(|(table, rows)| (table, rows.len())).collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_dump_of_each_released_version_is_restored_upgraded_and_checked_whole() {
    let dumps: Vec<PathBuf> = fs::read_dir(RELEASED).unwrap().map(|dump| dump.unwrap().path()).collect();
    assert!(!dumps.is_empty());
    for dump in dumps {
        let place = restored(&dump).await;
        let before = rows(&place).await;
        assert!(before["purchases"] > 0 && before["asset_id_links"] > 0, "{dump:?}: {before:?}");
        let folder = tempfile::tempdir().unwrap();
        let root_secret = folder.path().join("root-secret");
        let mut file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&root_secret).unwrap();
        file.write_all(&ROOT_SECRET).unwrap();
        for command in [&["migrate"][..], &["doctor", "--deep"]] {
            let ended = Command::new(program())
                .args(command)
                .args(["--database", &place.url()])
                .current_dir(folder.path())
                .env_clear()
                .env("HOME", folder.path())
                .env("TRADEPOST_SECRET__ROOT_FILE", &root_secret)
                .output()
                .unwrap();
            let said = String::from_utf8_lossy(&ended.stdout);
            assert!(ended.status.success(), "{dump:?}, {command:?}: {said}{}", String::from_utf8_lossy(&ended.stderr));
        }
        let after = rows(&place).await;
        let lost: Vec<&String> = before.keys().filter(|table| after.get(*table) < before.get(*table)).collect();
        assert!(lost.is_empty(), "{dump:?} lost rows of {lost:?}");
    }
}

/// What is released of each version, by its name: files or folders of which this is the end of the name.
fn released(folder: &str, end: &str) -> BTreeMap<String, PathBuf> {
    let found = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let version = |path: &PathBuf| path.file_name().unwrap().to_str().unwrap().strip_suffix(end).unwrap().to_owned();
    found.map(|path| (version(&path), path)).collect()
}

/// The last migration of a dump of PostgreSQL.
fn last_migration(dump: &Path) -> i64 {
    let sql = String::from_utf8(unpacked(dump)).unwrap();
    let (_, migrations) = sql.split_once("\nCOPY public.schema_migrations ").unwrap();
    let rows = migrations.lines().skip(1).take_while(|row| *row != "\\.");
    rows.map(|row| row.split_once('\t').unwrap().0.parse().unwrap()).max().unwrap()
}

async fn last_migration_on_sqlite(folder: &Path) -> i64 {
    let place = Place::new(Database::Sqlite).await;
    fs::write(place.url().trim_start_matches("sqlite://"), unpacked(&folder.join("tradepost.db.gz"))).unwrap();
    let database = place.connect().await;
    let query = Statement::from_string(DbBackend::Sqlite, "SELECT max(version) FROM schema_migrations");
    let row = database.query_one_raw(query).await.unwrap().unwrap();
    database.close().await.unwrap();
    row.try_get_by_index(0).unwrap()
}

/// A dump that is made later than the release has migrations of the next one, and their upgrade is never tried.
#[tokio::test]
async fn the_databases_of_a_released_version_end_at_the_same_migration() {
    let mut on_sqlite = BTreeMap::new();
    for (version, folder) in released(RELEASED_ON_SQLITE, "") {
        on_sqlite.insert(version, last_migration_on_sqlite(&folder).await);
    }
    let on_postgres: BTreeMap<String, i64> =
        released(RELEASED, ".sql.gz").into_iter().map(|(version, dump)| (version, last_migration(&dump))).collect();
    assert_eq!(on_postgres, on_sqlite);
}
