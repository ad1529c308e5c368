//! The program on a disk that is full, broken, read-only or too small: what it has acknowledged is read back by another process,
//! and it works again as soon as the disk does.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use futures::future::join_all;
use sea_orm::{ConnectionTrait as _, Statement};
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::io::{AsyncBufReadExt as _, BufReader};
use tokio::process::{Child, Command};

use super::shim::compiled;
use crate::harness::{Client, Database, Place, Settled, program};

/// Longer than anything takes on a busy machine.
const PATIENCE: Duration = Duration::from_mins(2);
/// How many call at the same time.
const CALLERS: usize = 32;
const MOST: &str = "1000000";

/// What `/readyz` may say: one of these.
type Reasons = &'static [&'static str];

/// Calls of the disk that fail, and what `/readyz` says then.
type Faults = &'static [(&'static str, Reasons)];

const IO_ERROR: Reasons = &["disk I/O error"];
const FULL: Reasons = &["database or disk is full"];
/// A write finds no space, and a flush or a truncation that finds none is an error of the disk for SQLite.
const FULL_OR_IO_ERROR: Reasons = &["database or disk is full", "disk I/O error"];
/// A write finds no space, or the next one found some again, and less is left than the setting requires.
const FULL_OR_LITTLE_SPACE: Reasons = &["database or disk is full", " MiB are free on the volume of the database"];

const FULL_DISK: Faults = &[("write 28", FULL), ("change 28", FULL_OR_IO_ERROR)];
const ERRORS_OF_WRITES: Faults = &[("write 5", IO_ERROR), ("change 5", IO_ERROR)];
const ERRORS_OF_FLUSHES: Faults = &[("flush 5", IO_ERROR), ("flush 28", IO_ERROR)];
const TURNED_READ_ONLY: Faults = &[("change 30", IO_ERROR)];
const NO_DATABASE: Reasons = &["the database file was moved or removed while it was open"];
const NO_LOG: Reasons = &["its write-ahead log was moved or removed while it was open"];

/// A database with a workspace, and the program that serves it.
struct Served {
    place: Place,
    folder: TempDir,
    settled: Settled,
    running: Option<Running>,
    /// The asset ids whose links were acknowledged.
    acknowledged: BTreeSet<String>,
    made: u64,
}

struct Running {
    process: Child,
    client: Client,
}

impl Served {
    async fn at(place: Place) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let settled = Settled::at(&place, &folder.path().join("root-secret")).await;
        Self { place, folder, settled, running: None, acknowledged: BTreeSet::new(), made: 0 }
    }

    /// What the disk does from now on: `CALL NUMBER` of the shim, or nothing.
    fn disk(&self, fault: &str) {
        // In one step, since the program reads it at any moment.
        let (new, control) = (self.folder.path().join("disk.new"), self.control());
        fs::write(&new, fault).unwrap();
        fs::rename(new, control).unwrap();
    }

    fn control(&self) -> PathBuf {
        self.folder.path().join("disk")
    }

    async fn start(&mut self, shim: Option<&Path>, min_free_mib: u64) {
        let mut command = Command::new(program());
        command.args(["--listen", "127.0.0.1:0", "--database", &self.place.url()]);
        command.current_dir(&self.folder).env_clear().env("HOME", self.folder.path());
        command.env("TRADEPOST_SECRET__ROOT_FILE", self.folder.path().join("root-secret"));
        command.env("TRADEPOST_DATABASE__MIN_FREE_MIB", min_free_mib.to_string());
        for class in ["READ", "TRADE", "WORKSPACE", "UNAUTHENTICATED"] {
            command.env(format!("TRADEPOST_LIMITS__{class}__CALLS"), MOST);
            command.env(format!("TRADEPOST_LIMITS__{class}__BURST"), MOST);
        }
        if let Some(shim) = shim {
            command.env("LD_PRELOAD", shim).env("FAULTY_DISK", self.control());
        }
        let log = File::options().create(true).append(true).open(self.folder.path().join("log")).unwrap();
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(log).kill_on_drop(true);
        let mut process = command.spawn().unwrap();
        let said = BufReader::new(process.stdout.take().unwrap()).lines().next_line().await.unwrap();
        let said = said.unwrap_or_else(|| panic!("it does not start: {}", self.log()));
        let line: Value = serde_json::from_str(&said).unwrap();
        self.running = Some(Running { process, client: Client::of(line["baseUrl"].as_str().unwrap()) });
    }

    fn log(&self) -> String {
        fs::read_to_string(self.folder.path().join("log")).unwrap_or_default()
    }

    fn client(&self) -> &Client {
        &self.running.as_ref().unwrap().client
    }

    /// Appends a link in each of so many calls, as many at once as there are callers; how many were refused.
    async fn append(&mut self, many: usize) -> usize {
        let mut refused = 0;
        for _ in 0..many.div_ceil(CALLERS) {
            let first = self.made;
            self.made += CALLERS as u64;
            let (client, settled) = (self.client(), &self.settled);
            let answers = join_all((first..self.made).map(async |number| {
                let item = settled.items[usize::try_from(number).unwrap() % settled.items.len()];
                let asset_id = format!("{}", 800_000_000 + number);
                let request = json!({
                    "workspaceId": settled.workspace_id.to_string(),
                    "inventoryItemId": item.to_string(),
                    "assetId": asset_id,
                    "source": "inventory",
                    "sourceId": format!("snapshot-{asset_id}-{}", "x".repeat(100)),
                });
                let answer = client.call(Some(&settled.token), "AppendAssetIDLink", &request).await;
                (asset_id, answer)
            }))
            .await;
            for (asset_id, answer) in answers {
                if answer.status == 200 {
                    self.acknowledged.insert(asset_id);
                } else {
                    let reason = answer.header("x-error-reason").unwrap_or_default();
                    assert!(matches!(reason, "STORAGE_UNAVAILABLE" | "OUTCOME_UNKNOWN"), "{answer:?}");
                    refused += 1;
                }
            }
        }
        refused
    }

    /// Appends until this many are acknowledged; how many were refused.
    async fn append_until(&mut self, acknowledged: usize) -> usize {
        let mut refused = 0;
        while self.acknowledged.len() < acknowledged {
            refused += self.append(CALLERS).await;
        }
        refused
    }

    /// Appends until something is refused, and then so many times more.
    async fn append_until_refused(&mut self, more: usize) {
        for _ in 0..2_000 {
            if self.append(CALLERS).await > 0 {
                self.append(more).await;
                return;
            }
        }
        panic!("nothing was refused");
    }

    /// All that was acknowledged is read by this process, which is not the one that wrote it.
    async fn assert_all_are_read(&self) {
        let connection = self.place.connect().await;
        let links = "SELECT asset_id FROM asset_id_links";
        let links = Statement::from_string(connection.get_database_backend(), links);
        let rows = connection.query_all_raw(links).await.unwrap();
        let read: BTreeSet<String> = rows.iter().map(|row| row.try_get_by_index(0).unwrap()).collect();
        let lost: Vec<_> = self.acknowledged.difference(&read).collect();
        assert!(lost.is_empty(), "{} of {} are lost, such as {:?}", lost.len(), self.acknowledged.len(), lost[0]);
        connection.close().await.unwrap();
    }

    async fn assert_not_ready(&self, reasons: Reasons) {
        let answer = self.client().get("/readyz").await;
        assert_eq!(answer.status, 503, "{answer:?}");
        assert!(reasons.iter().any(|reason| answer.body.contains(reason)), "none of {reasons:?}: {answer:?}");
        assert_eq!(self.client().get("/livez").await.status, 200);
    }

    /// No client writes in the meantime: readiness comes back by itself.
    async fn until_ready(&self) {
        let asked = async {
            let mut tick = tokio::time::interval(Duration::from_millis(100));
            while self.client().get("/readyz").await.status != 200 {
                tick.tick().await;
            }
        };
        tokio::time::timeout(PATIENCE, asked).await.unwrap_or_else(|_| panic!("it does not get ready: {}", self.log()));
    }

    /// Asks it to stop, as an operator does.
    async fn stop(&mut self) {
        assert!(self.terminate().await, "{}", self.log());
    }

    /// The same; whether everything was stored.
    async fn terminate(&mut self) -> bool {
        let mut running = self.running.take().unwrap();
        let id = running.process.id().unwrap().to_string();
        assert!(Command::new("kill").args(["-TERM", &id]).status().await.unwrap().success());
        running.process.wait().await.unwrap().success()
    }

    async fn kill(&mut self) {
        self.running.take().unwrap().process.kill().await.unwrap();
    }
}

/// Writes before, while and after each of the faults, and reads all back from here each time; then once more after a kill and after
/// an orderly stop.
async fn survives(faults: Faults, acknowledged: usize) {
    let mut served = Served::at(Place::new(Database::Sqlite).await).await;
    let shim = compiled("faulty_disk.c", served.folder.path());
    served.disk("");
    served.start(Some(&shim), 0).await;
    assert_eq!(served.append(320).await, 0);
    for (fault, reasons) in faults {
        served.disk(fault);
        served.append_until_refused(160).await;
        served.assert_not_ready(reasons).await;
        served.assert_all_are_read().await;
        served.disk("");
        served.until_ready().await;
        assert_eq!(served.append(320).await, 0, "{fault}: {}", served.log());
        served.assert_all_are_read().await;
    }
    assert_eq!(served.append_until(acknowledged).await, 0);
    served.kill().await;
    served.assert_all_are_read().await;

    served.start(Some(&shim), 0).await;
    served.disk(faults[0].0);
    served.append_until_refused(32).await;
    // It ends while the disk is broken, and its exit code says that not everything is stored, such as when keys were last used.
    assert!(!served.terminate().await, "{}", served.log());
    served.disk("");
    served.assert_all_are_read().await;
    served.start(None, 0).await;
    served.assert_all_are_read().await;
    assert_eq!(served.append(32).await, 0);
    served.stop().await;
    served.assert_all_are_read().await;
}

/// `cargo xtask nightly` runs it.
mod long {
    use super::*;

    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn of_ten_thousand_links_acknowledged_around_a_full_disk_none_is_lost() {
        survives(FULL_DISK, 10_000).await;
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn of_ten_thousand_links_acknowledged_around_errors_of_writes_none_is_lost() {
        survives(ERRORS_OF_WRITES, 10_000).await;
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn of_ten_thousand_links_acknowledged_around_errors_of_flushes_none_is_lost() {
        survives(ERRORS_OF_FLUSHES, 10_000).await;
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn of_ten_thousand_links_acknowledged_around_a_disk_turned_read_only_none_is_lost() {
        survives(TURNED_READ_ONLY, 10_000).await;
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn of_ten_thousand_links_acknowledged_around_a_vanished_database_file_none_is_lost() {
        survives_without("tradepost.db", NO_DATABASE, 10_000).await;
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn of_ten_thousand_links_acknowledged_around_a_vanished_write_ahead_log_none_is_lost() {
        survives_without("tradepost.db-wal", NO_LOG, 10_000).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_link_that_was_acknowledged_around_errors_of_writes_is_lost() {
    survives(ERRORS_OF_WRITES, 1_000).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_link_that_was_acknowledged_around_errors_of_flushes_is_lost() {
    survives(ERRORS_OF_FLUSHES, 1_000).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_link_that_was_acknowledged_around_a_disk_turned_read_only_is_lost() {
    survives(TURNED_READ_ONLY, 1_000).await;
}

/// Moves a file of the database away under the running program and back, and writes before, in between and after it; then kills the program,
/// and reads all back from here.
async fn survives_without(file: &str, reasons: Reasons, acknowledged: usize) {
    let mut served = Served::at(Place::new(Database::Sqlite).await).await;
    let Place::File(folder) = &served.place else { panic!("SQLite is in a folder") };
    let (file, away) = (folder.path().join(file), folder.path().join("away"));
    served.start(None, 0).await;
    assert_eq!(served.append(320).await, 0);
    fs::rename(&file, &away).unwrap();
    assert_eq!(served.append(320).await, 320, "every write is refused");
    served.assert_not_ready(reasons).await;
    assert!(!file.exists(), "no other file takes its place");
    fs::rename(&away, &file).unwrap();
    served.until_ready().await;
    assert_eq!(served.append(320).await, 0, "{}", served.log());
    assert_eq!(served.append_until(acknowledged).await, 0, "{}", served.log());
    served.kill().await;
    served.assert_all_are_read().await;
    served.start(None, 0).await;
    assert_eq!(served.append(32).await, 0);
    served.stop().await;
    served.assert_all_are_read().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn without_its_database_file_the_program_takes_no_write_until_the_file_is_back_and_loses_none() {
    survives_without("tradepost.db", NO_DATABASE, 640).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn without_its_write_ahead_log_the_program_takes_no_write_until_the_log_is_back_and_loses_none() {
    survives_without("tradepost.db-wal", NO_LOG, 640).await;
}

/// A file system of 8 MiB, which only root may mount.
struct Small(TempDir);

impl Small {
    async fn mounted() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let mut mount = Command::new("mount");
        mount.args(["-t", "tmpfs", "-o", "size=8m,mode=700", "tmpfs"]).arg(folder.path());
        let mounted = mount.status().await.unwrap();
        assert!(
            mounted.success(),
            "this user may not mount a file system: `cargo xtask test` leaves this test out then"
        );
        Self(folder)
    }

    async fn remount(&self, how: &str) -> bool {
        let remounted = Command::new("mount").args(["-o", how]).arg(self.0.path()).stderr(Stdio::null()).status().await;
        remounted.unwrap().success()
    }
}

impl Drop for Small {
    fn drop(&mut self) {
        // Lazily: a process that was killed may still hold a file.
        let unmounted = std::process::Command::new("umount").arg("-l").arg(self.0.path()).status();
        assert!(std::thread::panicking() || unmounted.is_ok_and(|status| status.success()));
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn on_a_really_full_file_system_nothing_acknowledged_is_lost_and_freeing_it_helps() {
    let small = Small::mounted().await;
    let filler = small.0.path().join("filler");
    let mut served = Served::at(Place::File(tempfile::tempdir_in(small.0.path()).unwrap())).await;
    served.start(None, 1).await;
    served.until_ready().await;
    fs::write(&filler, vec![1; 1 << 20]).unwrap();
    served.append_until_refused(320).await;
    served.assert_not_ready(FULL_OR_LITTLE_SPACE).await;
    served.assert_all_are_read().await;
    fs::remove_file(&filler).unwrap();
    assert!(small.remount("remount,size=64m").await);
    served.until_ready().await;
    assert_eq!(served.append(320).await, 0, "{}", served.log());
    served.assert_all_are_read().await;
    served.kill().await;
    served.start(None, 1).await;
    assert_eq!(served.append(32).await, 0);
    served.stop().await;
    served.assert_all_are_read().await;

    // It cannot start where it may not write, says so, and destroys nothing.
    assert!(small.remount("remount,ro").await);
    let refused = Command::new(program())
        .args(["--listen", "127.0.0.1:0", "--database", &served.place.url()])
        .current_dir(&served.folder)
        .env("TRADEPOST_SECRET__ROOT_FILE", served.folder.path().join("root-secret"))
        .stdin(Stdio::null())
        .output()
        .await
        .unwrap();
    assert_eq!(refused.status.code(), Some(69), "{refused:?}");
    assert!(small.remount("remount,rw").await);
    served.assert_all_are_read().await;
    drop(served);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn with_less_space_than_required_the_server_is_not_ready_and_says_how_much_is_missing() {
    let mut served = Served::at(Place::new(Database::Sqlite).await).await;
    served.start(None, 1 << 40).await;
    served.assert_not_ready(&[" MiB are free on the volume of the database, less than the required "]).await;
    assert_eq!(served.append(32).await, 0);
    served.stop().await;
}
