//! The power fails, over and over, while many write to a SQLite file: of what was not flushed any part is missing afterwards.

use std::fs;

use sea_orm::{ConnectionTrait as _, Statement};

use super::killed::Engine;
use super::ledger::{Books, Ledger};
use super::shim::compiled;
use crate::harness::{Database, Place, Settled, open};

const CUTS: u64 = 16;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nothing_acknowledged_is_lost_when_the_power_fails_sixteen_times() {
    let place = Place::new(Database::Sqlite).await;
    let folder = tempfile::tempdir().unwrap();
    let shim = compiled("power_cut.c", folder.path());
    let (root_secret, log) = (folder.path().join("root-secret"), folder.path().join("cuts"));
    let settled = Settled::at(&place, &root_secret).await;
    let mut ledger = Ledger::default();
    for round in 0..CUTS {
        let mut command = Engine::command(&place, &folder, Some(&settled));
        command.env("LD_PRELOAD", &shim).env("POWER_CUT_LOG", &log);
        // The first cuts fall into the start of the process, the later ones into its work.
        command.env("POWER_CUT_AFTER", (3 + round * round * 13).to_string()).env("POWER_CUT_SEED", round.to_string());
        if let Some(engine) = Engine::of(&mut command).await {
            engine.live_until_its_end(&settled, &mut ledger).await;
        }
        let connection = place.connect().await;
        let check = Statement::from_string(connection.get_database_backend(), "PRAGMA integrity_check");
        let found: String = connection.query_one_raw(check).await.unwrap().unwrap().try_get_by_index(0).unwrap();
        assert_eq!(found, "ok", "round {round}");
        connection.close().await.unwrap();
        let app = open(&place, &root_secret).await;
        let (workspace_id, contract_id, items) = (settled.workspace_id, settled.contract_id, &settled.items);
        Books { place: &place, app: &app, workspace_id, contract_id, items }.audit(&ledger).await;
        app.shutdown().await.unwrap();
    }
    assert!(ledger.links.len() as u64 > CUTS, "{} links", ledger.links.len());
    assert!(ledger.purchases.len() as u64 > CUTS, "{} purchases", ledger.purchases.len());
    let cuts = fs::read_to_string(&log).unwrap();
    let dropped = |line: &str| line.split_once(' ').is_some_and(|(dropped, _)| dropped != "0");
    assert_eq!(cuts.lines().count() as u64, CUTS, "{cuts}");
    assert!(cuts.lines().filter(|line| dropped(line)).count() > 3, "too few cuts lost anything: {cuts}");
    println!(
        "dropped and kept sectors: {}; links {}, purchases {}",
        cuts.replace('\n', ", "),
        ledger.links.len(),
        ledger.purchases.len()
    );
}
