//! Caring for an installation: `doctor`, `backup`, `migrate`.

use std::fs::Permissions;
use std::os::unix::fs::PermissionsExt as _;

use rusqlite::Connection;

use crate::command::{Ended, Place};
use crate::filled_demo;

/// A database full of sample data that no process serves, in the folder `kept`.
pub(crate) fn kept_demo() -> Place {
    let place = Place::new();
    filled_demo::keep(&place);
    place
}

pub(crate) const KEPT: &str = "sqlite://kept/tradepost.db";

fn doctor(place: &Place) -> Ended {
    place.run(&["doctor", "--database", KEPT])
}

pub(crate) fn deep_doctor(place: &Place) -> Ended {
    place.run(&["doctor", "--deep", "--database", KEPT])
}

fn damage(place: &Place, sql: &str) {
    Connection::open(place.path("kept/tradepost.db")).unwrap().execute_batch(sql).unwrap();
}

#[test]
fn nothing_is_wrong_with_the_sample_data() {
    let place = kept_demo();
    for (examined, expected) in [(doctor(&place), 12), (deep_doctor(&place), 21)] {
        let examined = examined.expect_success().stdout;
        let verdicts: Vec<&str> = examined.lines().filter_map(|line| line.split_whitespace().next()).collect();
        let checks = verdicts.iter().filter(|verdict| **verdict == "ok" || **verdict == "warn");
        assert_eq!(checks.count(), expected, "{examined}");
        assert!(!verdicts.contains(&"fail"), "{examined}");
        assert!(examined.contains("up to date") && examined.contains("belongs to the database"), "{examined}");
    }
}

#[test]
fn a_broken_chain_a_wrong_counter_and_a_wrong_sum_are_found() {
    let place = kept_demo();
    damage(
        &place,
        "DROP TRIGGER asset_id_links_are_never_updated;
         UPDATE asset_id_links SET previous_asset_id = '1' WHERE step = 3 AND source = 5;
         UPDATE record_counts SET n = n + 1 WHERE kind = 15;
         UPDATE ledger_months SET sold = sold + 1;",
    );
    let examined = deep_doctor(&place);
    assert_eq!(examined.code, Some(1));
    for found in ["fail  chains", "the previous asset id is 1", "fail  counters", "fail  sums", "fix: "] {
        assert!(examined.stdout.contains(found), "{found} in {}", examined.stdout);
    }
}

#[test]
fn a_clock_behind_the_latest_change_is_found() {
    let place = kept_demo();
    damage(
        &place,
        "INSERT INTO transitions (workspace_id, subject_kind, subject_id, version, id, to_status, cause, actor_kind, at)
         SELECT workspace_id, subject_kind, subject_id, version + 1000, randomblob(16), to_status, cause, 3,
         (unixepoch() + 3600) * 1000000 FROM transitions LIMIT 1",
    );
    let examined = place.run(&["doctor", "--database", KEPT, "-o", "json"]);
    assert_eq!(fix(&examined, "clock"), "set the clock, and keep it right with NTP: timedatectl set-ntp true");
    assert!(examined.stdout.contains("before the latest change in the database"), "{}", examined.stdout);
}

#[test]
fn what_no_server_clears_away_is_a_warning() {
    let place = kept_demo();
    damage(
        &place,
        "DELETE FROM executions; DELETE FROM usage_counts;
         INSERT INTO pending_sign_ins (id, user_id, tries_left, created_at, version)
         VALUES (randomblob(16), randomblob(16), 1, (unixepoch() - 2 * 86400) * 1000000, 1)",
    );
    let examined = doctor(&place).expect_success().stdout;
    for found in ["warn  clearing", "rows of pending_sign_ins that are overdue for more than an hour: "] {
        assert!(examined.contains(found), "{found} in {examined}");
    }
}

#[test]
fn a_database_that_others_can_write_to_is_found() {
    let place = kept_demo();
    for (path, mode) in [("kept/tradepost.db", 0o666), ("kept", 0o777)] {
        let path = place.path(path);
        let before = std::fs::metadata(&path).unwrap().permissions();
        std::fs::set_permissions(&path, Permissions::from_mode(mode)).unwrap();
        let examined = doctor(&place);
        assert_eq!(examined.code, Some(1), "{}", examined.stdout);
        for found in ["fail  files", "every user of this machine can write to", "fix: chmod o-w"] {
            assert!(examined.stdout.contains(found), "{found} in {}", examined.stdout);
        }
        std::fs::set_permissions(&path, before).unwrap();
    }
    assert!(doctor(&place).expect_success().stdout.contains("ok    files"));
}

#[test]
fn a_mail_folder_that_others_can_open_is_found() {
    let place = kept_demo();
    for (mode, found) in [(0o755, "warn  mail"), (0o770, "fail  mail"), (0o707, "fail  mail"), (0o700, "ok    mail")] {
        std::fs::set_permissions(place.path("kept/mail"), Permissions::from_mode(mode)).unwrap();
        let examined = doctor(&place).stdout;
        assert!(examined.contains(found), "{mode:o}: {examined}");
        assert_eq!(examined.contains("fix: chmod 700 kept/mail"), mode != 0o700, "{mode:o}: {examined}");
    }
}

#[test]
fn a_file_with_damaged_pages_is_found() {
    let place = kept_demo();
    let path = place.path("kept/tradepost.db");
    let mut bytes = std::fs::read(&path).unwrap();
    let half = bytes.len() / 2 / 4096 * 4096;
    bytes[half..half + 8 * 4096].fill(0xA5);
    std::fs::write(&path, bytes).unwrap();
    let examined = deep_doctor(&place);
    assert_eq!(examined.code, Some(1));
    assert!(examined.stdout.contains("fail  integrity") && examined.stdout.contains("fix: "), "{}", examined.stdout);
}

#[test]
fn a_lost_root_secret_is_found() {
    let place = kept_demo();
    std::fs::write(place.path("kept/root-secret"), [7; 32]).unwrap();
    let examined = doctor(&place);
    assert_eq!(examined.code, Some(1));
    assert!(examined.stdout.contains("fail  root secret"), "{}", examined.stdout);
}

#[test]
fn a_root_secret_that_is_not_there_is_found() {
    let place = kept_demo();
    std::fs::remove_file(place.path("kept/root-secret")).unwrap();
    let examined = place.run(&["doctor", "--database", KEPT, "-o", "json"]);
    let advice = "put a copy of the root secret there that this database was made with";
    assert_eq!(fix(&examined, "root secret"), advice);
}

#[test]
fn a_data_key_that_does_not_open_is_found_and_nothing_is_served_with_it() {
    let place = kept_demo();
    damage(&place, "UPDATE workspace_keys SET wrapped = zeroblob(60)");
    let examined = place.run(&["doctor", "--database", KEPT, "-o", "json"]);
    assert_eq!(fix(&examined, "data keys"), RESTORE);
    let served = place.run(&["serve", "--database", KEPT, "--listen", "127.0.0.1:0"]);
    assert!(served.stderr.contains("the data key of the installation does not open"), "{}", served.stderr);
    assert!(served.stderr.contains("try: tradepost doctor"), "{}", served.stderr);
}

const RESTORE: &str = "stop the server and restore the latest sound backup, which keeps the damaged files: tradepost restore --force FILE";

/// What a report of `doctor` says to do about a check that failed.
pub(crate) fn fix(examined: &Ended, check: &str) -> String {
    assert_eq!(examined.code, Some(1), "{}", examined.stdout);
    let report = examined.json();
    let found = report["checks"].as_array().unwrap().iter().find(|one| one["name"] == check).unwrap();
    assert_eq!(found["status"], "fail", "{report}");
    found["fix"].as_str().unwrap().to_owned()
}

#[test]
fn a_root_secret_that_others_can_read_is_fixed_by_its_mode() {
    let place = kept_demo();
    std::fs::set_permissions(place.path("kept/root-secret"), Permissions::from_mode(0o644)).unwrap();
    let examined = place.run(&["doctor", "--database", KEPT, "-o", "json"]);
    assert_eq!(fix(&examined, "root secret"), "chmod 600 kept/root-secret");
}

#[test]
fn a_file_that_is_no_database_is_fixed_by_a_backup() {
    let place = Place::new();
    for content in [[b"no database at all\n".as_slice(); 100].concat(), torn_database()] {
        std::fs::write(place.path("torn.db"), content).unwrap();
        let examined = place.run(&["doctor", "--database", "sqlite://torn.db", "-o", "json"]);
        assert_eq!(fix(&examined, "database"), RESTORE);
        let backed_up = place.run(&["backup", "--database", "sqlite://torn.db", "copy.db"]);
        assert!(backed_up.stderr.contains(&format!("try: {RESTORE}")), "{}", backed_up.stderr);
    }
}

/// The beginning of a database, as a full disk leaves it.
fn torn_database() -> Vec<u8> {
    let place = Place::new();
    place.run(&["migrate"]).expect_success();
    let mut whole = std::fs::read(place.path("data/tradepost.db")).unwrap();
    whole.truncate(20_000);
    whole
}

#[test]
fn settings_with_which_nothing_is_served_are_found() {
    let place = Place::new();
    for (variable, value, advice) in [
        ("TRADEPOST_LIMITS__READ__CALLS", "0", "correct it there, or remove it to get the default"),
        ("TRADEPOST_LOG__LEVEL", "loud", "a level: off, error, warn, info, debug, trace"),
    ] {
        let mut command = place.command(&["doctor", "-o", "json"]);
        let examined = Ended::from(command.env(variable, value).output().unwrap());
        assert_eq!(fix(&examined, "settings"), advice, "{variable}");
    }
}

#[test]
fn a_file_that_cannot_be_looked_at_is_not_said_to_be_missing() {
    let place = Place::new();
    std::fs::write(place.path("file"), "").unwrap();
    let examined = place.run(&["doctor", "--database", "sqlite://file/tradepost.db"]);
    assert!(examined.stdout.contains("cannot look at the database file/tradepost.db"), "{}", examined.stdout);
}

#[test]
fn a_server_without_tls_that_others_reach_gets_a_warning_about_browsers() {
    let (reached, public_url) = (("TRADEPOST_SERVER__LISTEN", "192.0.2.7:8080"), "TRADEPOST_SERVER__PUBLIC_URL");
    let tls = [("TRADEPOST_SERVER__TLS_CERT", "cert.pem"), ("TRADEPOST_SERVER__TLS_KEY", "key.pem")];
    for (variables, is_said) in [
        (vec![reached], true),
        (vec![reached, (public_url, "http://trade.example.com")], true),
        (vec![reached, (public_url, "https://trade.example.com")], false),
        (vec![reached, tls[0], tls[1]], false),
        (vec![("TRADEPOST_SERVER__LISTEN", "127.0.0.1:8080")], false),
        (vec![("TRADEPOST_SERVER__LISTEN", "[::1]:8080")], false),
    ] {
        let place = Place::new();
        let mut command = place.command(&["doctor", "-o", "json"]);
        let report = Ended::from(command.envs(variables.clone()).output().unwrap()).json();
        let said = report["checks"].as_array().unwrap().iter().find(|check| check["name"] == "browsers");
        assert_eq!(said.is_some(), is_said, "{variables:?}: {report}");
        if let Some(said) = said {
            assert_eq!(said["status"], "warn", "{report}");
            let fix = said["fix"].as_str().unwrap();
            assert!(fix.contains("server.tls_cert") && fix.contains("server.public_url"), "{fix}");
        }
    }
}

#[test]
fn without_a_database_the_way_to_one_is_reported() {
    let examined = Place::new().run(&["doctor", "-o", "json"]);
    assert_eq!(examined.code, Some(1));
    let report = examined.json();
    assert_eq!(report["ok"], false);
    let checks = report["checks"].as_array().unwrap();
    let database = checks.iter().find(|check| check["name"] == "database").unwrap();
    assert_eq!(database["fix"], "start the server once: tradepost");
}

#[test]
fn a_backup_of_a_served_file_can_be_served() {
    let place = Place::new();
    let server = filled_demo::serve(&place);
    let made = place.run(&["backup", "--database", KEPT, "-o", "json", "copy.db"]).expect_success().json();
    assert!(made["items"].as_i64().unwrap() > 50 && made["links"].as_i64().unwrap() > 150, "{made}");
    let mut command = place.command(&["--database", "sqlite://copy.db", "--listen", "127.0.0.1:0"]);
    let copy = place.start(command.env("TRADEPOST_SECRET__ROOT_FILE", "kept/root-secret"));
    let key = server.printed("apiKey");
    let counted = |url: &str| {
        let request = format!(r#"{{"workspaceId":"{}"}}"#, server.printed("workspaceId"));
        place.run(&["call", "--url", url, "--key", key, "CountPurchases", &request]).expect_success().stdout
    };
    assert_eq!(counted(copy.url()), counted(server.url()));
}

#[test]
fn a_backup_overwrites_nothing() {
    let place = kept_demo();
    std::fs::write(place.path("precious"), "mine").unwrap();
    assert_eq!(place.run(&["backup", "--database", KEPT, "precious"]).code, Some(1));
    assert_eq!(std::fs::read_to_string(place.path("precious")).unwrap(), "mine");
}

#[test]
fn no_backup_is_kept_of_a_database_that_is_not_sound() {
    let place = kept_demo();
    damage(&place, "UPDATE record_counts SET n = n + 1 WHERE kind = 15;");
    let ended = place.run(&["backup", "--database", KEPT, "copy.db"]);
    assert_eq!(ended.code, Some(1));
    assert!(ended.stderr.contains("the database is not sound"), "{}", ended.stderr);
    assert!(!place.path("copy.db").exists());
}

#[test]
fn postgresql_is_backed_up_by_its_own_tool() {
    let ended =
        Place::new().run(&["backup", "--database", "postgres://app@127.0.0.1/app", "copy.dump"]).expect_success();
    assert_eq!(ended.stdout, "pg_dump --format=custom --file=copy.dump \"$DATABASE_URL\"\n");
}

#[test]
fn a_database_that_was_migrated_first_can_be_served() {
    let place = Place::new();
    place.run(&["migrate"]).expect_success();
    let server = place.serve(&["--no-migrate"]);
    assert!(!server.printed("workspaceId").is_empty());
}

#[test]
fn migrating_twice_changes_nothing() {
    let place = Place::new();
    let first = place.run(&["migrate", "-o", "json"]).expect_success().json();
    let second = place.run(&["migrate", "-o", "json"]).expect_success().json();
    assert_eq!(first["from"], 0);
    assert_eq!(second["from"], first["to"]);
}
