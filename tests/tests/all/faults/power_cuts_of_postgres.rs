//! The power fails under PostgreSQL, over and over, while many write: of what it had not flushed any part is missing afterwards. It may
//! fail again while the server recovers.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use tempfile::TempDir;
use tokio::process::Command;

use super::cluster::Cluster;
use super::killed::Engine;
use super::ledger::{Books, Ledger};
use super::shim::compiled;
use super::unflushed::{Loss, lose};
use crate::harness::{Place, Settled, open, program};

const CUTS: u64 = 8;

/// A server whose power fails.
struct Mains {
    cluster: Cluster,
    shim: PathBuf,
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
        for (file, held) in [(&state, shared.as_slice()), (&journal, &[])] {
            fs::write(file, held).unwrap();
            // The server may be another user's.
            fs::set_permissions(file, fs::Permissions::from_mode(0o666)).unwrap();
        }
        let mut command = self.cluster.command();
        command.env("LD_PRELOAD", &self.shim).env("POWER_CUT_FOLDER", self.cluster.data());
        command.env("POWER_CUT_STATE", state).env("POWER_CUT_JOURNAL", journal);
        self.cluster.start(&mut command).await
    }

    /// Takes away what was not flushed.
    fn lose(&mut self, seed: u64) {
        self.losses.push(lose(&self.file("power-journal"), &self.cluster.data(), seed));
    }

    /// The power fails while many write, at this call.
    async fn cut_at_work(&mut self, calls: u64, trade: (&Place, &TempDir, &Settled), ledger: &mut Ledger) {
        let (place, folder, settled) = trade;
        if self.start(calls).await {
            let mut command = Engine::command(place, folder, Some(settled));
            let work = async {
                // It ends once it is refused a purchase.
                if let Some(engine) = Engine::of(&mut command).await {
                    engine.live_until_its_end(settled, ledger).await;
                }
            };
            tokio::join!(work, self.cluster.gone());
        } else {
            self.cluster.gone().await;
        }
        self.lose(calls);
    }

    /// The power fails while the server recovers, or soon after.
    async fn cut_in_recovery(&mut self, calls: u64) {
        self.start(calls).await;
        self.cluster.gone().await;
        self.lose(calls);
    }

    /// Every page of every table and index is read, and what an index names is in its table.
    async fn assert_sound(&self) {
        let mut check = self.cluster.program("pg_amcheck");
        check.args(["--install-missing", "--heapallindexed"]).arg(self.cluster.url());
        let told = check.output().await.unwrap();
        let said = [told.stdout, told.stderr].concat();
        assert!(told.status.success(), "{}", String::from_utf8_lossy(&said));
    }
}

async fn assert_doctor_finds_nothing(folder: &Path, place: &Place) {
    let mut doctor = Command::new(program());
    doctor.args(["doctor", "--deep", "--database", &place.url()]).current_dir(folder).env_clear().env("HOME", folder);
    let told = doctor.env("TRADEPOST_SECRET__ROOT_FILE", folder.join("root-secret")).output().await.unwrap();
    assert!(told.status.success(), "{}", String::from_utf8_lossy(&told.stdout));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nothing_acknowledged_is_lost_when_the_power_of_postgres_fails_eight_times() {
    let folder = tempfile::tempdir().unwrap();
    let Some(shim) = compiled("power_cut_server.c", folder.path()) else { return };
    fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o755)).unwrap();
    let mut mains = Mains { cluster: Cluster::new().await, shim, losses: Vec::new() };
    let place = Place::At { url: mains.cluster.url() };
    let root_secret = folder.path().join("root-secret");
    assert!(mains.cluster.start(&mut mains.cluster.command()).await, "{}", mains.cluster.log());
    let settled = Settled::at(&place, &root_secret).await;
    mains.cluster.stop().await;
    let mut ledger = Ledger::default();
    for round in 0..CUTS {
        // The first cuts fall into the start of the server, the later ones into its work.
        mains.cut_at_work(3 + round * round * 90, (&place, &folder, &settled), &mut ledger).await;
        // It flushes each of its files first, about a thousand.
        mains.cut_in_recovery(700 + round * 120).await;
        let mut sound = mains.cluster.command();
        assert!(mains.cluster.start(&mut sound).await, "round {round}: {}", mains.cluster.log());
        mains.assert_sound().await;
        let app = open(&place, &root_secret).await;
        let (workspace_id, contract_id, items) = (settled.workspace_id, settled.contract_id, &settled.items);
        Books { place: &place, app: &app, workspace_id, contract_id, items }.audit(&ledger).await;
        app.shutdown().await.unwrap();
        mains.cluster.stop().await;
    }
    let lost_some = mains.losses.iter().filter(|loss| loss.dropped > 0).count();
    assert!(lost_some as u64 > CUTS / 2, "too few cuts lost anything: {:?}", mains.losses);
    assert!(ledger.links.len() as u64 > CUTS, "{} links", ledger.links.len());
    assert!(ledger.purchases.len() as u64 > CUTS, "{} purchases", ledger.purchases.len());
    let mut sound = mains.cluster.command();
    assert!(mains.cluster.start(&mut sound).await);
    assert_doctor_finds_nothing(folder.path(), &place).await;
    mains.cluster.stop().await;
    println!("{:?}; links {}, purchases {}", mains.losses, ledger.links.len(), ledger.purchases.len());
}
