//! GetPurchase under load against programs that do the same by hand, and the memory that it takes.

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;
use tradepost_ports::store::Records;

use tradepost_domain::id::{Id, WorkspaceId};

use crate::data::{self, Of};
use crate::drive::{self, Load, get_purchase};
use crate::http::Client;
use crate::load::{Backend, Database, Founded};
use crate::measure::{Run, observed};
use crate::report::{Figure, Report, Target, Unit, median};
use crate::server::{Running, Server};

/// The server without anything of ours.
const BARE: &str = "bare axum";
const SETTLE: Duration = Duration::from_secs(2);
const SAMPLE: Duration = Duration::from_millis(50);

/// One round of one server.
#[derive(Clone, Copy)]
struct Round {
    load: Load,
    /// Of the server's processor time.
    micros_per_request: f64,
}

/// A server, and its rounds.
#[derive(Clone, Copy)]
struct Measured<'a> {
    server: &'a Running,
    rounds: &'a [Round],
}

pub(super) async fn measure(run: &Run, database: &Database, report: &mut Report) -> anyhow::Result<()> {
    let statement = statement(database).await?;
    let ours = Server::tradepost(&run.places, database).start()?;
    thread::sleep(SETTLE);
    let idle = ours.anonymous_megabytes()?;
    let mut servers = vec![ours, Server::bare(&run.places, database, &statement).start()?];
    if let Some(folder) = &run.node {
        servers.push(Server::node(folder, database, &statement).start()?);
    }
    check_same_answers(&servers, database)?;

    let mut most_memory = 0.0_f64;
    let mut rounds: Vec<Vec<Round>> = vec![Vec::new(); servers.len()];
    for server in &servers {
        drive::run(server.address, database.workspace, run.sizes.purchases, run.time / 2)?;
    }
    for _ in 0..run.rounds {
        for (server, rounds) in servers.iter().zip(&mut rounds) {
            let (round, memory) = one_round(run, database, server)?;
            rounds.push(round);
            if server.name == "tradepost" {
                most_memory = most_memory.max(memory);
            }
        }
    }
    let ours = Measured { server: &servers[0], rounds: &rounds[0] };
    for (server, rounds) in servers.iter().zip(&rounds).skip(1) {
        let theirs = Measured { server, rounds };
        report.add(compare(database, ours, theirs));
        if server.name == BARE {
            report.add(processor(database, ours, theirs));
        }
    }
    memory(database, idle, most_memory, report);
    for server in servers {
        server.stop()?;
    }
    Ok(())
}

/// The statement that the product runs for GetPurchase.
async fn statement(database: &Database) -> anyhow::Result<String> {
    let workspace = WorkspaceId::from_bytes(database.workspace.into_bytes());
    observed(database, async |store| {
        let scope = Founded::find(&store).await?.scope()?;
        anyhow::ensure!(scope.workspace_id() == workspace, "the database is another one");
        let purchase = Id::from_bytes(data::id(Of::Purchase, 0).into_bytes());
        let found = store.purchases().find(scope, purchase).await?;
        anyhow::ensure!(found.is_some_and(|found| found.into_display().1 > 0), "the first purchase is not there");
        Ok(())
    })
    .await
}

/// Servers that do not write the same cannot be compared.
fn check_same_answers(servers: &[Running], database: &Database) -> anyhow::Result<()> {
    for number in (0..database.sizes.purchases).step_by(database.sizes.purchases as usize / 40 + 1) {
        let request = get_purchase(database.workspace, number);
        let answers: Vec<_> =
            servers.iter().map(|server| Client::connect(server.address)?.json(&request)).collect::<Result<_, _>>()?;
        let same = answers.windows(2).all(|two| two[0] == two[1]);
        anyhow::ensure!(same, "the servers answer differently: {answers:#?}");
    }
    Ok(())
}

/// Loads a server for a while; with the most memory it had in that time.
fn one_round(run: &Run, database: &Database, server: &Running) -> anyhow::Result<(Round, f64)> {
    let over = AtomicBool::new(false);
    let before = server.processor_seconds()?;
    let (load, memory) = thread::scope(|scope| {
        let watcher = scope.spawn(|| {
            let mut most = 0.0_f64;
            while !over.load(Ordering::Relaxed) {
                most = most.max(server.anonymous_megabytes().unwrap_or(f64::NAN));
                thread::sleep(SAMPLE);
            }
            most
        });
        let load = drive::run(server.address, database.workspace, run.sizes.purchases, run.time);
        over.store(true, Ordering::Relaxed);
        (load, watcher.join())
    });
    let load = load?;
    let used = server.processor_seconds()? - before;
    let micros_per_request = used * 1e6 / (load.per_second * run.time.as_secs_f64());
    let memory = memory.map_err(|_| anyhow::anyhow!("the memory could not be watched"))?;
    Ok((Round { load, micros_per_request }, memory))
}

/// The processor time of the server for one call under load, in microseconds.
pub(super) fn micros_per_request(run: &Run, database: &Database) -> anyhow::Result<f64> {
    let server = Server::tradepost(&run.places, database).start()?;
    let mut rounds = Vec::new();
    for _ in 0..run.rounds {
        rounds.push(one_round(run, database, &server)?.0.micros_per_request);
    }
    server.stop()?;
    Ok(median(rounds))
}

fn compare(database: &Database, ours: Measured<'_>, theirs: Measured<'_>) -> Figure {
    let ratios =
        ours.rounds.iter().zip(theirs.rounds).map(|(ours, theirs)| ours.load.per_second / theirs.load.per_second);
    let least = match (theirs.server.name, database.backend) {
        (BARE, _) => 0.7,
        (_, Backend::Sqlite) => 4.0,
        (_, Backend::Postgres) => 3.5,
    };
    let [ours_shown, theirs_shown] = [ours, theirs].map(|Measured { server, rounds }| {
        let of = |what: fn(&Round) -> f64| median(rounds.iter().map(what));
        format!(
            "{} {:.0}/s, {:.0} µs of processor, median {:.1} ms, p99 {:.1} ms",
            server.name,
            of(|round| round.load.per_second),
            of(|round| round.micros_per_request),
            of(|round| round.load.median_micros) / 1e3,
            of(|round| round.load.p99_micros) / 1e3,
        )
    });
    Figure {
        what: format!("{}: GetPurchase, requests/s against {}", database.backend.name(), theirs.server.name),
        target: Target::AtLeast(least),
        value: median(ratios),
        unit: Unit::Ratio,
        details: format!("{ours_shown}; {theirs_shown}"),
    }
}

fn processor(database: &Database, ours: Measured<'_>, theirs: Measured<'_>) -> Figure {
    let rounds = || ours.rounds.iter().zip(theirs.rounds);
    Figure {
        what: format!("{}: GetPurchase, processor time against {}", database.backend.name(), theirs.server.name),
        target: Target::AtMost(1.5),
        value: median(rounds().map(|(ours, theirs)| ours.micros_per_request / theirs.micros_per_request)),
        unit: Unit::Ratio,
        details: format!(
            "{:.0} µs; by hand {:.0} µs",
            median(rounds().map(|(ours, _)| ours.micros_per_request)),
            median(rounds().map(|(_, theirs)| theirs.micros_per_request))
        ),
    }
}

fn memory(database: &Database, idle: f64, loaded: f64, report: &mut Report) {
    for (when, most, value) in [("idle", 60.0, idle), ("under load", 300.0, loaded)] {
        report.add(Figure {
            what: format!("{}: anonymous memory {when}", database.backend.name()),
            target: Target::AtMost(most),
            value,
            unit: Unit::Megabytes,
            details: String::new(),
        });
    }
}
