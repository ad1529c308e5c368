//! Scheduled backups of a server: made, verified, rotated, copied off the machine, and what is found of their failures.

use rusqlite::Connection;
use std::path::PathBuf;

use crate::care::fix;
use crate::command::{Place, Server};

/// A server that makes backups into `backups`, with these settings more.
fn serve(place: &Place, settings: &[(&str, &str)]) -> Server {
    let mut command = place.command(&["--listen", "127.0.0.1:0"]);
    command.env("TRADEPOST_BACKUP__FOLDER", "backups");
    place.start(command.envs(settings.iter().copied()))
}

/// What `doctor` reports with these settings.
fn doctor(place: &Place, settings: &[(&str, &str)]) -> crate::command::Ended {
    let mut command = place.command(&["doctor", "-o", "json"]);
    command.env("TRADEPOST_BACKUP__FOLDER", "backups");
    command.envs(settings.iter().copied()).output().unwrap().into()
}

fn names(place: &Place) -> Vec<String> {
    let files = std::fs::read_dir(place.path("backups")).unwrap();
    let mut names: Vec<String> = files.map(|file| file.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

/// The files that are there, as if a server had written them long ago.
fn write(place: &Place, names: &[&str]) {
    std::fs::create_dir_all(place.path("backups")).unwrap();
    for name in names {
        std::fs::write(place.path("backups").join(name), "old").unwrap();
    }
}

fn newest(place: &Place) -> PathBuf {
    let is_backup = |name: &String| name.strip_suffix(".db").is_some_and(|name| name.starts_with("tradepost-20"));
    place.path("backups").join(names(place).into_iter().rfind(is_backup).unwrap())
}

#[test]
fn a_server_makes_a_backup_at_once_that_can_be_restored() {
    let place = Place::new();
    let mut server = serve(&place, &[]);
    server.until_logged("backup made and verified");
    server.terminate();
    assert!(server.wait().success(), "{}", server.log());
    let backup = newest(&place);
    std::fs::remove_file(place.path("data/tradepost.db")).unwrap();
    place.run(&["restore", backup.to_str().unwrap()]).expect_success();
    let server = place.serve(&[]);
    assert!(!server.url().is_empty());
}

#[test]
fn the_oldest_beyond_those_that_are_kept_are_removed_and_nothing_else() {
    let place = Place::new();
    write(
        &place,
        &[
            "tradepost-20250101T000000Z.db",
            "tradepost-20250102T000000Z.db",
            "tradepost-20250102T000000Z.db.not-copied",
            "tradepost-20250103T000000Z.db",
            "tradepost-20250103T000000Z.db.part",
            "tradepost-mine.db",
            "other-20250101T000000Z.db",
        ],
    );
    let server = serve(&place, &[("TRADEPOST_BACKUP__KEEP", "2")]);
    server.until_logged("old backup removed");
    server.until_logged("tradepost-20250102T000000Z.db");
    let made = newest(&place).file_name().unwrap().to_str().unwrap().to_owned();
    let expected = ["other-20250101T000000Z.db", "tradepost-20250103T000000Z.db", &made, "tradepost-mine.db"];
    assert_eq!(names(&place), expected);
}

#[test]
fn a_restart_makes_no_backup_before_one_is_due() {
    let place = Place::new();
    let mut server = serve(&place, &[]);
    server.until_logged("backup made and verified");
    server.terminate();
    server.wait();
    let made = names(&place);
    let mut server = serve(&place, &[]);
    server.until_logged("listening");
    server.terminate();
    server.wait();
    assert_eq!(names(&place), made);
}

#[test]
fn a_backup_dated_in_the_future_keeps_no_other_from_being_made_and_kept() {
    let place = Place::new();
    write(&place, &["tradepost-29990101T000000Z.db"]);
    let mut server = serve(&place, &[("TRADEPOST_BACKUP__KEEP", "1")]);
    server.until_logged("backup made and verified");
    server.terminate();
    server.wait();
    assert_eq!(names(&place).len(), 2, "{:?}", names(&place));
}

#[tokio::test]
async fn a_backup_is_copied_off_the_machine() {
    let place = Place::new();
    std::fs::create_dir(place.path("elsewhere")).unwrap();
    let after = [("TRADEPOST_BACKUP__AFTER", r#"env > elsewhere/environment && cp "$1" elsewhere/"#)];
    let server = serve(&place, &after);
    server.until_logged("backup copied off the machine");
    let copy = place.path("elsewhere").join(newest(&place).file_name().unwrap());
    let users: i64 =
        Connection::open(copy).unwrap().query_row("SELECT count(*) FROM users", [], |row| row.get(0)).unwrap();
    assert_eq!(users, 1);
    assert!(!std::fs::read_to_string(place.path("elsewhere/environment")).unwrap().contains("TRADEPOST_"));
    let examined = doctor(&place, &after).expect_success().json();
    let check = examined["checks"].as_array().unwrap().iter().find(|check| check["name"] == "backups").unwrap();
    assert_eq!(check["status"], "ok", "{check}");
}

#[tokio::test]
async fn a_copy_that_fails_is_logged_counted_found_and_retried() {
    let place = Place::new();
    let after = [("TRADEPOST_BACKUP__AFTER", r#"test -d elsewhere || { echo "no such disk: $1" >&2; exit 3; }"#)];
    let mut server = serve(&place, &after);
    server.until_logged("backup not copied off the machine");
    assert!(server.log().contains("no such disk"), "{}", server.log());
    let metrics = server.page("/metrics").await.1;
    assert!(metrics.contains(r#"tradepost_backup_failures_total{step="copy"} 1"#), "{metrics}");
    assert_eq!(server.page("/readyz").await.0, 200);
    let examined = doctor(&place, &after);
    let advice = "correct what the command reports, or the setting backup.after: the server retries every 10 min, and when it starts";
    assert_eq!(fix(&examined, "backups"), advice);
    server.terminate();
    server.wait();
    std::fs::create_dir(place.path("elsewhere")).unwrap();
    let server = serve(&place, &after);
    server.until_logged("backup copied off the machine");
    doctor(&place, &after).expect_success();
}

#[tokio::test]
async fn a_backup_that_fails_is_logged_and_counted_and_the_server_goes_on() {
    let place = Place::new();
    std::fs::write(place.path("backups"), "a file").unwrap();
    let server = serve(&place, &[]);
    server.until_logged("backup failed");
    let metrics = server.page("/metrics").await.1;
    assert!(metrics.contains(r#"tradepost_backup_failures_total{step="backup"}"#), "{metrics}");
    assert_eq!(server.page("/readyz").await.0, 200);
}

#[test]
fn a_latest_backup_that_is_overdue_is_found() {
    let place = Place::new();
    place.run(&["migrate"]).expect_success();
    write(&place, &["tradepost-20250101T000000Z.db"]);
    let examined = doctor(&place, &[]);
    assert_eq!(fix(&examined, "backups"), "start the server, or find \"backup failed\" in its log");
}

#[test]
fn a_backup_that_the_root_secret_does_not_open_is_found_and_is_not_the_latest() {
    let place = Place::new();
    place.run(&["migrate"]).expect_success();
    write(&place, &["tradepost-20250101T000000Z.db", "tradepost-20250102T000000Z.other-root-secret.db"]);
    let examined = doctor(&place, &[]);
    let advice = "put the root secret of this database back (setting secret.root_file): the server then makes a backup within 10 min";
    assert_eq!(fix(&examined, "backups"), advice);
    let found = ["20250102T000000Z.other-root-secret.db cannot be restored", "it opens is backups/tradepost-20250101"];
    for words in found {
        assert!(examined.stdout.contains(words), "{words} in {}", examined.stdout);
    }
}

#[test]
fn a_schedule_that_is_wrong_is_refused_before_anything_is_made() {
    for (variable, value, words) in [
        ("TRADEPOST_BACKUP__EVERY", "daily", "setting backup.every cannot be \"daily\""),
        ("TRADEPOST_BACKUP__KEEP", "0", "setting backup.keep must be at least 1"),
        ("TRADEPOST_BACKUP__AFTER", "copy-off", "setting backup.after must name the backup as \"$1\""),
        (
            "TRADEPOST_DATABASE__URL",
            "postgres://app@127.0.0.1/app",
            "setting backup.folder has an effect on SQLite only",
        ),
    ] {
        let place = Place::new();
        let mut command = place.command(&["--listen", "127.0.0.1:0"]);
        command.env("TRADEPOST_BACKUP__FOLDER", "backups").env(variable, value);
        let refused = crate::command::Ended::from(command.output().unwrap());
        assert_eq!(refused.code, Some(78), "{}", refused.stderr);
        assert!(refused.stderr.contains(words), "{words} in {}", refused.stderr);
        assert!(!place.path("data").exists());
    }
}
