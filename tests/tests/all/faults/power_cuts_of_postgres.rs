//! The power fails under PostgreSQL, over and over, while many callers write: of what it had not flushed any part is missing afterwards.
//! The power may fail again while the server recovers.
//!
//! In another test flushes fail instead of the power, and what they were for is missing afterwards, as a kernel may drop it.
//!
//! Two controls show that the check reports a loss: a server that acknowledges before it flushes, and a disk that ignores flushes.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::PathBuf;

use tempfile::TempDir;
use tokio::process::Command;

use super::cluster::Cluster;
use super::killed::Engine;
use super::ledger::{Books, Ledger};
use super::shim::compiled;
use super::unflushed::{Loss, Part, lose};
use crate::harness::{Place, Settled, open, program};

const CUTS: u64 = 8;
/// How often flushes begin to fail.
const FAILURES: u64 = 2;
/// How many cuts a control may take until the check reports a loss.
const CONTROL_CUTS: u64 = 4;
/// The server ends with its first failed flush. It would start itself again on the same disk otherwise.
const ENDS_ITSELF: &[&str] = &["restart_after_crash=off"];
/// A commit is acknowledged before it is on the disk.
const ACKNOWLEDGES_FIRST: &[&str] = &["synchronous_commit=off", "wal_writer_delay=10s"];

/// A server whose power fails, or the flushes of its disk.
struct Mains {
    cluster: Cluster,
    shim: PathBuf,
    /// Lines of `postgresql.conf` that hold until the power fails.
    settings: &'static [&'static str],
    only_flushes_fail: bool,
    losses: Vec<Loss>,
}

impl Mains {
    fn file(&self, name: &str) -> PathBuf {
        self.cluster.folder().join(name)
    }

    /// Starts the server, whose power fails after so many writes and flushes; whether it came up before.
    async fn start(&mut self, calls: u64) -> bool {
        let (state, journal) = (self.file("power-state"), self.file("power-journal"));
        let mut shared = [0_u8; 32];
        shared[..8].copy_from_slice(&calls.to_ne_bytes());
        shared[20..24].copy_from_slice(&i32::from(self.only_flushes_fail).to_ne_bytes());
        for (file, held) in [(&state, shared.as_slice()), (&journal, &[])] {
            fs::write(file, held).unwrap();
            // The server may be another user's.
            fs::set_permissions(file, fs::Permissions::from_mode(0o666)).unwrap();
        }
        let mut command = self.cluster.command();
        for setting in self.settings {
            command.args(["-c", setting]);
        }
        command.env("LD_PRELOAD", &self.shim).env("POWER_CUT_FOLDER", self.cluster.data());
        command.env("POWER_CUT_STATE", state).env("POWER_CUT_JOURNAL", journal);
        self.cluster.start(&mut command).await
    }

    fn lose(&mut self, part: Part) {
        self.losses.push(lose(&self.file("power-journal"), &self.cluster.data(), part));
    }

    /// Every page of every table and index is read, and what an index names is in its table.
    async fn assert_sound(&self) {
        let mut check = self.cluster.program("pg_amcheck");
        check.args(["--install-missing", "--heapallindexed"]).arg(self.cluster.url());
        let output = check.output().await.unwrap();
        let printed = [output.stdout, output.stderr].concat();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&printed));
    }
}

/// A workspace that trades on a server whose power fails, and what was acknowledged to its callers.
struct Trial {
    mains: Mains,
    folder: TempDir,
    place: Place,
    settled: Settled,
    ledger: Ledger,
}

impl Trial {
    async fn new(settings: &'static [&'static str]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let shim = compiled("power_cut_server.c", folder.path());
        fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o755)).unwrap();
        let cluster = Cluster::new().await;
        let mut mains = Mains { cluster, shim, settings, only_flushes_fail: false, losses: Vec::new() };
        let place = Place::At { url: mains.cluster.url() };
        assert!(mains.cluster.start(&mut mains.cluster.command()).await, "{}", mains.cluster.log());
        let settled = Settled::at(&place, &folder.path().join("root-secret")).await;
        mains.cluster.stop().await;
        Self { mains, folder, place, settled, ledger: Ledger::default() }
    }

    /// The power fails at this call, while many callers write.
    async fn cut_during_writes(&mut self, calls: u64, part: Part) {
        let Self { mains, folder, place, settled, ledger } = self;
        if mains.start(calls).await {
            let mut command = Engine::command(place, folder, Some(settled));
            let work = async {
                // The process ends at the first purchase that is refused.
                if let Some(engine) = Engine::of(&mut command).await {
                    engine.live_until_its_end(settled, ledger).await;
                }
            };
            tokio::join!(work, mains.cluster.ended());
        } else {
            mains.cluster.ended().await;
        }
        mains.lose(part);
    }

    /// The power fails at this call, while the server recovers or soon after.
    async fn cut_during_recovery(&mut self, calls: u64) {
        self.mains.start(calls).await;
        self.mains.cluster.ended().await;
        self.mains.lose(Part::Drawn(calls));
    }

    /// Starts a server that flushes and whose power does not fail.
    async fn start_sound(&mut self) {
        let mut command = self.mains.cluster.command();
        assert!(self.mains.cluster.start(&mut command).await, "{}", self.mains.cluster.log());
    }

    /// Compares everything that is stored with what was acknowledged and with itself.
    async fn audit(&self) {
        let app = open(&self.place, &self.folder.path().join("root-secret")).await;
        self.books(&app).audit(&self.ledger).await;
        app.shutdown().await.unwrap();
    }

    /// The acknowledged writes that the same check reports as lost.
    async fn lost(&self) -> Vec<String> {
        let app = open(&self.place, &self.folder.path().join("root-secret")).await;
        let lost = self.books(&app).lost(&self.ledger).await;
        app.shutdown().await.unwrap();
        lost
    }

    fn books<'a>(&'a self, app: &'a tradepost::Tradepost) -> Books<'a> {
        let Settled { workspace_id, contract_id, ref items, .. } = self.settled;
        Books { place: &self.place, app, workspace_id, contract_id, items }
    }

    async fn assert_doctor_finds_nothing(&self) {
        let folder = self.folder.path();
        let mut doctor = Command::new(program());
        doctor.args(["doctor", "--deep", "--database", &self.place.url()]).current_dir(folder);
        doctor.env_clear().env("HOME", folder).env("TRADEPOST_SECRET__ROOT_FILE", folder.join("root-secret"));
        let output = doctor.output().await.unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
    }

    /// Cuts the power until the check reports a loss.
    async fn assert_a_loss_is_reported(mut self, part: Part) {
        for round in 0..CONTROL_CUTS {
            self.cut_during_writes(400 + 200 * round, part).await;
            self.start_sound().await;
            let lost = self.lost().await;
            let acknowledged = self.ledger.links.len() + self.ledger.purchases.len();
            println!("cut {round}: {:?}; lost {} of {acknowledged}", self.mains.losses.last(), lost.len());
            self.mains.cluster.stop().await;
            if !lost.is_empty() {
                return;
            }
        }
        panic!("{CONTROL_CUTS} cuts and no loss is reported: {:?}", self.mains.losses);
    }
}

/// `cargo xtask nightly` runs it.
mod long {
    use super::*;

    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn nothing_acknowledged_is_lost_when_the_power_of_postgres_fails_eight_times() {
        let mut trial = Trial::new(&[]).await;
        for round in 0..CUTS {
            // The first cuts fall into the start of the server, the later ones into its work.
            let calls = 3 + round * round * 90;
            trial.cut_during_writes(calls, Part::Drawn(calls)).await;
            // It flushes each of its files first, about a thousand.
            trial.cut_during_recovery(700 + round * 120).await;
            trial.start_sound().await;
            trial.mains.assert_sound().await;
            trial.audit().await;
            trial.mains.cluster.stop().await;
        }
        let Trial { mains: Mains { losses, .. }, ledger: Ledger { links, purchases }, .. } = &trial;
        let lost_some = losses.iter().filter(|loss| loss.dropped > 0).count();
        assert!(lost_some as u64 > CUTS / 2, "too few cuts lost anything: {losses:?}");
        assert!(links.len() as u64 > CUTS, "{} links", links.len());
        assert!(purchases.len() as u64 > CUTS, "{} purchases", purchases.len());
        println!("{losses:?}; links {}, purchases {}", links.len(), purchases.len());
        trial.start_sound().await;
        trial.assert_doctor_finds_nothing().await;
        trial.mains.cluster.stop().await;
    }
}

/// A server that went on after a failed flush would acknowledge what its disk may never have.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nothing_acknowledged_is_lost_when_flushes_of_postgres_fail() {
    let mut trial = Trial::new(ENDS_ITSELF).await;
    trial.mains.only_flushes_fail = true;
    for round in 0..FAILURES {
        trial.cut_during_writes(400 + 200 * round, Part::Unflushed).await;
        trial.start_sound().await;
        trial.mains.assert_sound().await;
        trial.audit().await;
        trial.mains.cluster.stop().await;
    }
    let Trial { mains: Mains { cluster, losses, .. }, ledger: Ledger { links, purchases }, .. } = &trial;
    let log = cluster.log();
    assert!(log.matches("PANIC:").count() as u64 >= FAILURES, "a server went on after its flush had failed: {log}");
    assert!(losses.iter().all(|loss| loss.dropped > 0), "every flush was made: {losses:?}");
    assert!(!links.is_empty() && !purchases.is_empty(), "{} links, {} purchases", links.len(), purchases.len());
    println!("{losses:?}; links {}, purchases {}", links.len(), purchases.len());
    trial.start_sound().await;
    trial.assert_doctor_finds_nothing().await;
    trial.mains.cluster.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_check_reports_a_loss_when_postgres_acknowledges_before_it_flushes() {
    let trial = Trial::new(ACKNOWLEDGES_FIRST).await;
    trial.assert_a_loss_is_reported(Part::Unflushed).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_check_reports_a_loss_when_the_disk_of_postgres_ignores_flushes() {
    let trial = Trial::new(&[]).await;
    trial.assert_a_loss_is_reported(Part::Written).await;
}
