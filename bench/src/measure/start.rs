//! From process start to the first answer on an existing database.

use std::time::{Duration, Instant};

use crate::drive::get_purchase;
use crate::http::Client;
use crate::load::Database;
use crate::measure::Run;
use crate::report::{Figure, Report, Target, Unit, median};
use crate::server::Server;

const AGAIN_AFTER: Duration = Duration::from_millis(1);
const PATIENCE: Duration = Duration::from_secs(30);

pub(super) fn measure(run: &Run, database: &Database, report: &mut Report) -> anyhow::Result<()> {
    let request = get_purchase(database.workspace, 0);
    let mut took = Vec::new();
    for _ in 0..run.rounds.max(3) {
        let begun = Instant::now();
        let running = Server::tradepost(&run.places, database).spawn()?;
        while Client::connect(running.address).and_then(|mut client| client.call(&request).map(drop)).is_err() {
            anyhow::ensure!(begun.elapsed() < PATIENCE, "no answer within {PATIENCE:?}");
            std::thread::sleep(AGAIN_AFTER);
        }
        took.push(begun.elapsed().as_secs_f64() * 1e3);
        running.stop()?;
    }
    let slowest = took.iter().copied().fold(0.0, f64::max);
    report.add(Figure {
        what: format!("{}: start to first answer", database.backend.name()),
        target: Target::AtMost(300.0),
        value: median(took),
        unit: Unit::Milliseconds,
        details: format!("slowest {slowest:.0} ms"),
    });
    Ok(())
}
