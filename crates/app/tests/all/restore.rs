//! `restore`: what it puts where, what it refuses, and what a kill leaves.

use std::os::unix::fs::PermissionsExt as _;
use std::path::PathBuf;
use std::process::Stdio;
use std::time::{Duration, Instant};

use rusqlite::Connection;

use crate::care::{KEPT, deep_doctor, kept_demo};
use crate::command::{Ended, Place};

const FILE: &str = "kept/tradepost.db";

/// A served database with a backup of the time before one more change.
fn changed_since_its_backup() -> Place {
    let place = kept_demo();
    place.run(&["backup", "--database", KEPT, "copy.db"]).expect_success();
    make_user(&place, "ada@example.com");
    place
}

fn make_user(place: &Place, email: &str) {
    place.run(&["user", "create", "--database", KEPT, email, "--name", "Ada"]).expect_success();
}

fn restore(place: &Place, flags: &[&str]) -> Ended {
    place.run(&[&["restore", "--database", KEPT, "copy.db"], flags].concat())
}

/// How many users a database has: one more after the change.
fn users(place: &Place, file: &str) -> i64 {
    let db = Connection::open(place.path(file)).unwrap();
    db.query_row("SELECT count(*) FROM users", [], |row| row.get(0)).unwrap()
}

/// The old databases that were kept.
fn kept(place: &Place) -> Vec<PathBuf> {
    let files = std::fs::read_dir(place.path("kept")).unwrap().map(|file| file.unwrap().path());
    let is_kept = |path: &PathBuf| path.file_name().unwrap().to_string_lossy().starts_with("tradepost.db.replaced-");
    files.filter(is_kept).collect()
}

#[test]
fn a_backup_of_a_lost_database_is_restored_and_served() {
    let place = changed_since_its_backup();
    let before = users(&place, "copy.db");
    std::fs::remove_file(place.path(FILE)).unwrap();
    let restored = restore(&place, &["-o", "json"]).expect_success().json();
    assert!(restored["items"].as_i64().unwrap() > 50, "{restored}");
    assert!(restored["kept"].is_null() && restored["latestChange"].is_string(), "{restored}");
    assert_eq!(users(&place, FILE), before);
    let mode = std::fs::metadata(place.path(FILE)).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
    deep_doctor(&place).expect_success();
    let server = place.serve(&["serve", "--database", KEPT]);
    assert!(!server.url().is_empty());
}

#[test]
fn newer_data_is_replaced_by_force_alone_and_kept() {
    let place = changed_since_its_backup();
    let (old, new) = (users(&place, "copy.db"), users(&place, FILE));
    assert_eq!(new, old + 1);
    let refused = restore(&place, &[]);
    assert_eq!(refused.code, Some(1));
    for words in ["error: the database has newer data than the backup", "try: ", "tradepost restore --force copy.db"] {
        assert!(refused.stderr.contains(words), "{words} in {}", refused.stderr);
    }
    assert_eq!((users(&place, FILE), kept(&place).len()), (new, 0));
    let done = restore(&place, &["--force"]).expect_success();
    let [kept] = kept(&place).try_into().unwrap();
    let name = kept.file_name().unwrap().to_str().unwrap().to_owned();
    assert!(done.stdout.contains(&format!("The old database is kept/{name}.")), "{}", done.stdout);
    assert!(done.stderr.contains("tradepost doctor --deep"), "{}", done.stderr);
    assert_eq!((users(&place, FILE), users(&place, &format!("kept/{name}"))), (old, new));
    deep_doctor(&place).expect_success();
}

#[test]
fn what_was_replaced_can_be_restored_again() {
    let place = changed_since_its_backup();
    let new = users(&place, FILE);
    restore(&place, &["--force"]).expect_success();
    let [kept] = kept(&place).try_into().unwrap();
    place.run(&["restore", "--database", KEPT, kept.to_str().unwrap()]).expect_success();
    assert_eq!(users(&place, FILE), new);
}

#[test]
fn commits_that_are_only_in_the_log_of_the_old_database_are_kept() {
    let place = changed_since_its_backup();
    let mut server = place.serve(&["serve", "--database", KEPT]);
    make_user(&place, "bea@example.com");
    server.signal("KILL");
    server.wait();
    assert!(place.path("kept/tradepost.db-wal").metadata().unwrap().len() > 0);
    restore(&place, &["--force"]).expect_success();
    let [kept] = kept(&place).try_into().unwrap();
    assert!(!place.path("kept/tradepost.db-wal").exists());
    let kept = format!("kept/{}", kept.file_name().unwrap().to_str().unwrap());
    assert_eq!(users(&place, &kept), users(&place, "copy.db") + 2);
}

#[test]
fn a_database_that_is_served_is_not_replaced() {
    let place = changed_since_its_backup();
    let _server = place.serve(&["serve", "--database", KEPT]);
    let refused = restore(&place, &["--force"]);
    assert_eq!(refused.code, Some(69));
    for words in ["kept/tradepost.db is being served", "try: stop the server"] {
        assert!(refused.stderr.contains(words), "{words} in {}", refused.stderr);
    }
    assert!(kept(&place).is_empty());
}

#[test]
fn a_backup_of_another_root_secret_is_refused() {
    let place = changed_since_its_backup();
    std::fs::write(place.path("kept/root-secret"), [7; 32]).unwrap();
    let refused = restore(&place, &["--force"]);
    assert_eq!(refused.code, Some(1));
    for words in
        ["the root secret with the fingerprint", "try: put that root secret in place", "secret.former_root_file"]
    {
        assert!(refused.stderr.contains(words), "{words} in {}", refused.stderr);
    }
    std::fs::remove_file(place.path("kept/root-secret")).unwrap();
    let refused = restore(&place, &["--force"]);
    assert_eq!(refused.code, Some(78), "{}", refused.stderr);
    assert!(!place.path("kept/root-secret").exists() && kept(&place).is_empty());
}

#[test]
fn a_backup_that_is_damaged_or_something_else_changes_nothing() {
    let place = changed_since_its_backup();
    let new = users(&place, FILE);
    let mut damaged = std::fs::read(place.path("copy.db")).unwrap();
    let half = damaged.len() / 2 / 4096 * 4096;
    damaged[half..half + 8 * 4096].fill(0xA5);
    let newer = "INSERT INTO schema_migrations (version, name, checksum) VALUES (999, 'later', 'x')";
    std::fs::copy(place.path("copy.db"), place.path("newer.db")).unwrap();
    Connection::open(place.path("newer.db")).unwrap().execute_batch(newer).unwrap();
    Connection::open(place.path("other.db")).unwrap().execute_batch("CREATE TABLE t (x)").unwrap();
    std::fs::write(place.path("damaged.db"), damaged).unwrap();
    std::fs::write(place.path("text.db"), "no database at all\n".repeat(100)).unwrap();
    for (file, why) in [
        ("damaged.db", "the backup is not sound"),
        ("text.db", "the backup is not sound"),
        ("newer.db", "schema version 999"),
        ("other.db", "holds no data of tradepost"),
        ("absent.db", "cannot use absent.db"),
        (FILE, "the backup is the database itself"),
    ] {
        let refused = place.run(&["restore", "--force", "--database", KEPT, file]);
        assert!(refused.code != Some(0) && refused.stderr.contains(why), "{file}: {}", refused.stderr);
        assert!(refused.stderr.contains("\n  try: "), "{file}: {}", refused.stderr);
        assert_eq!((users(&place, FILE), kept(&place).len()), (new, 0), "{file}");
        assert!(!place.path("kept/tradepost.db.restore.part").exists(), "{file}");
    }
}

#[test]
fn a_database_that_cannot_be_read_is_replaced_by_force_alone() {
    let place = changed_since_its_backup();
    let old = users(&place, "copy.db");
    let torn = "torn\n".repeat(2_000);
    std::fs::write(place.path(FILE), &torn).unwrap();
    std::fs::write(place.path("kept/tradepost.db-wal"), "torn as well").unwrap();
    let refused = restore(&place, &[]);
    assert_eq!(refused.code, Some(1), "{}", refused.stderr);
    assert!(refused.stderr.contains("is unknown"), "{}", refused.stderr);
    assert_eq!(std::fs::read_to_string(place.path(FILE)).unwrap(), torn);
    restore(&place, &["--force"]).expect_success();
    assert_eq!(users(&place, FILE), old);
    deep_doctor(&place).expect_success();
}

#[test]
fn postgresql_is_restored_by_its_own_tool() {
    let refused = Place::new().run(&["restore", "--database", "postgres://app@127.0.0.1/app", "copy.dump"]);
    assert_eq!(refused.code, Some(2));
    assert!(
        refused.stderr.contains("pg_restore --no-owner --exit-on-error --dbname=URL copy.dump"),
        "{}",
        refused.stderr
    );
}

#[test]
fn a_restore_that_is_killed_leaves_the_old_or_the_new_database() {
    let place = changed_since_its_backup();
    let (old, new) = (users(&place, "copy.db"), users(&place, FILE));
    std::fs::copy(place.path(FILE), place.path("latest.db")).unwrap();
    let part = place.path("kept/tradepost.db.restore.part");
    // Each time it is killed after the part has been there for longer.
    for looks in [0_u32, 1, 10, 100, 1_000, 10_000, 100_000] {
        let mut command = place.command(&["restore", "--force", "--database", KEPT, "copy.db"]);
        let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        let began = Instant::now();
        while !part.exists() && child.try_wait().unwrap().is_none() {
            assert!(began.elapsed() < Duration::from_secs(20));
            std::thread::yield_now();
        }
        for _ in 0..looks {
            std::thread::yield_now();
        }
        child.kill().unwrap();
        child.wait().unwrap();
        let left = users(&place, FILE);
        assert!(left == old || left == new, "{left} users after {looks} looks");
        deep_doctor(&place).expect_success();
        let again = place.run(&["restore", "--force", "--database", KEPT, "latest.db"]).expect_success();
        assert_eq!(users(&place, FILE), new, "{}", again.stdout);
    }
}
