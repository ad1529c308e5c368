//! Databases of every released version: each is restored, brought to the present schema, checked whole and served.

use std::collections::BTreeMap;
use std::fs;
use std::io::{Read as _, Write as _};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};

use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;
use rusqlite::Connection;

use crate::care::{KEPT, deep_doctor, kept_demo};
use crate::command::Place;

/// A folder for each released version, with a backup of its demo and the root secret of that.
const RELEASED: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/released");
const DATABASE: &str = "tradepost.db.gz";
const ROOT_SECRET: &str = "root-secret";

/// A fixture is never made twice: it stays what the released program wrote.
#[test]
#[expect(clippy::disallowed_methods, reason = "snapshots are kept by the same variable")]
fn the_version_of_this_program_has_a_database_to_upgrade() {
    let folder = Path::new(RELEASED).join(env!("CARGO_PKG_VERSION"));
    if !folder.exists() && std::env::var_os("INSTA_UPDATE").is_some_and(|update| update == "always") {
        keep_database_of_this_version(&folder);
    }
    assert!(
        folder.join(DATABASE).exists() && folder.join(ROOT_SECRET).exists(),
        "there is no database of this version: run this test with INSTA_UPDATE=always before the version is released"
    );
}

fn keep_database_of_this_version(folder: &Path) {
    let place = kept_demo();
    place.run(&["backup", "--database", KEPT, "copy.db"]).expect_success();
    fs::create_dir_all(folder).unwrap();
    let mut packed = GzEncoder::new(fs::File::create(folder.join(DATABASE)).unwrap(), Compression::best());
    packed.write_all(&fs::read(place.path("copy.db")).unwrap()).unwrap();
    packed.finish().unwrap();
    fs::copy(place.path("kept/root-secret"), folder.join(ROOT_SECRET)).unwrap();
}

/// The released version, unpacked as a backup with its root secret in place.
fn unpacked(version: &Path) -> Place {
    let place = Place::new();
    fs::create_dir(place.path("kept")).unwrap();
    let mut database = Vec::new();
    GzDecoder::new(fs::File::open(version.join(DATABASE)).unwrap()).read_to_end(&mut database).unwrap();
    fs::write(place.path("copy.db"), database).unwrap();
    let mut secret = fs::OpenOptions::new();
    let mut secret = secret.write(true).create_new(true).mode(0o600).open(place.path("kept/root-secret")).unwrap();
    secret.write_all(&fs::read(version.join(ROOT_SECRET)).unwrap()).unwrap();
    place
}

/// How many rows each table of records has.
fn rows(database: &Path) -> BTreeMap<String, i64> {
    let db = Connection::open(database).unwrap();
    let mut tables = db.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").unwrap();
    let tables = tables.query_map([], |row| row.get::<_, String>(0)).unwrap();
    let count = |table: &str| db.query_row(&format!("SELECT count(*) FROM \"{table}\""), [], |row| row.get(0)).unwrap();
    let tables =
        tables.map(Result::unwrap).filter(|table| table != "schema_migrations" && !table.starts_with("sqlite_"));
    tables.map(|table| (table.clone(), count(&table))).collect()
}

#[test]
fn a_database_of_each_released_version_is_restored_upgraded_and_served() {
    let versions: Vec<PathBuf> = fs::read_dir(RELEASED).unwrap().map(|version| version.unwrap().path()).collect();
    assert!(!versions.is_empty());
    for version in versions {
        let place = unpacked(&version);
        let before = rows(&place.path("copy.db"));
        assert!(before["purchases"] > 50 && before["asset_id_links"] > 150, "{version:?}: {before:?}");
        let restored = place.run(&["restore", "--database", KEPT, "-o", "json", "copy.db"]).expect_success().json();
        let migrated = place.run(&["migrate", "--database", KEPT, "-o", "json"]).expect_success().json();
        assert_eq!(migrated["from"], restored["schemaVersion"], "{version:?}");
        let after = rows(&place.path("kept/tradepost.db"));
        let lost: Vec<&String> = before.keys().filter(|table| after.get(*table) < before.get(*table)).collect();
        assert!(lost.is_empty(), "{version:?} lost rows of {lost:?}");
        deep_doctor(&place).expect_success();
        let users = place.run(&["user", "list", "--database", KEPT, "-o", "json"]).expect_success();
        assert!(!users.json()["users"].as_array().unwrap().is_empty(), "{version:?}");
        let server = place.serve(&["serve", "--database", KEPT]);
        assert!(!server.url().is_empty());
    }
}
