//! Recording what is seen on markets: at the port against the drivers by hand, which write nothing but the rows of the
//! observations, and over the interface in batches of 500.

use std::thread;
use std::time::Instant;
use tradepost_ports::store::Records;

use anyhow::Context as _;
use futures::future::try_join_all;
use serde_json::json;
use tradepost_adapters_sql::SqlStore;
use tradepost_domain::markets::observation::MarketObservation;
use tradepost_domain::time::Timestamp;
use tradepost_ports::store::{Recorded, Worlds};

use crate::append::ours::Ours;
use crate::data::Cell;
use crate::http::{self, Client};
use crate::load::{self, Backend, Database, Founded};
use crate::measure::Run;
use crate::observe::{AT_ONCE, OBSERVATIONS, json as sightings_json, observations, row, sightings};
use crate::report::{Figure, Report, Target, Unit, median};
use crate::server::{Running, Server};

const RECORD: &str = "markets.v1.Markets/RecordMarketObservations";
/// Who record at once.
const CALLERS: u32 = 4;
/// The most that a body of this call may have.
const BODY_LIMIT: usize = 1 << 20;

/// Observations a second.
#[derive(Clone, Copy)]
struct Round {
    by_hand: f64,
    /// At the port, by one caller.
    alone: f64,
    port: f64,
    interface: f64,
}

pub(super) async fn measure(run: &Run, database: &Database, report: &mut Report) -> anyhow::Result<()> {
    let (many, mut numbers) = (run.observations, Numbers(0));
    let mut rounds = Vec::new();
    // One round more than is counted: the first finds everything empty and cold.
    for round in 0..=run.rounds {
        let store = database.open().await?;
        let founded = Founded::find(&store).await?;
        let by_hand = by_hand(database, observations(numbers.take(many), many, founded.workspace)?).await?;
        let alone = at_the_port(&store, &observations(numbers.take(many), many, founded.workspace)?, 1).await?;
        let port = at_the_port(&store, &observations(numbers.take(many), many, founded.workspace)?, CALLERS).await?;
        store.close().await?;
        let server = Server::tradepost(&run.places, database).start()?;
        let interface = over_the_interface(&server, database, numbers.take(many), many)?;
        server.stop()?;
        if round > 0 {
            rounds.push(Round { by_hand, alone, port, interface });
        }
    }
    let formed = formed_at(database).await?;
    add_figures(database.backend, many, formed, &rounds, report);
    Ok(())
}

/// Numbers that were not given out before.
struct Numbers(u32);

impl Numbers {
    fn take(&mut self, many: u32) -> u32 {
        let first = self.0;
        self.0 += many;
        first
    }
}

/// How many observations a second are put into the prices of hours, which is done some minutes after they are recorded.
async fn formed_at(database: &Database) -> anyhow::Result<f64> {
    let store = database.open().await?;
    let (begun, mut formed) = (Instant::now(), 0);
    loop {
        let part = store.candles().form(Worlds::Real, Timestamp::MIN, Timestamp::MAX).await?;
        if part == 0 {
            break;
        }
        formed += part;
    }
    let elapsed = begun.elapsed().as_secs_f64();
    store.close().await?;
    Ok(formed as f64 / elapsed)
}

fn add_figures(backend: Backend, many: u32, formed: f64, rounds: &[Round], report: &mut Report) {
    let (peer, least) = match backend {
        Backend::Sqlite => ("rusqlite in one transaction", 0.27),
        Backend::Postgres => ("COPY", 0.3),
    };
    let of = |what: fn(&Round) -> f64| median(rounds.iter().map(what));
    let name = backend.name();
    report.add(Figure {
        what: format!("{name}: observations/s at the port against {peer}"),
        target: Target::AtLeast(least),
        value: of(|round| round.port / round.by_hand),
        unit: Unit::Ratio,
        details: format!(
            "tradepost {:.0}/s, {CALLERS} callers; one call after the other {:.0}/s, which is {:.2}; by hand {:.0}/s; \
             {many} rows; put into the prices of hours later, at {formed:.0}/s",
            of(|round| round.port),
            of(|round| round.alone),
            of(|round| round.alone / round.by_hand),
            of(|round| round.by_hand)
        ),
    });
    report.add(Figure {
        what: format!("{name}: observations/s over the interface against {peer}"),
        target: Target::AtLeast(0.1),
        value: of(|round| round.interface / round.by_hand),
        unit: Unit::Ratio,
        details: format!("batches of {AT_ONCE} in JSON, {CALLERS} callers"),
    });
    report.add(Figure {
        what: format!("{name}: observations over the interface"),
        target: Target::AtLeast(20_000.0),
        value: of(|round| round.interface),
        unit: Unit::PerSecond,
        details: String::new(),
    });
}

/// The rows of the observations alone, in one stream or transaction.
async fn by_hand(database: &Database, observations: Vec<MarketObservation>) -> anyhow::Result<f64> {
    let rows: Vec<Vec<Cell>> = observations.iter().map(row).collect();
    let many = rows.len() as f64;
    let begun = match database.backend {
        Backend::Sqlite => {
            let mut connection = rusqlite::Connection::open(database.file())?;
            connection.pragma_update(None, "synchronous", "full")?;
            let begun = Instant::now();
            let transaction = connection.transaction()?;
            load::insert(&transaction, &OBSERVATIONS, rows.into_iter())?;
            transaction.commit()?;
            begun
        }
        Backend::Postgres => {
            let client = load::connect(&database.url).await?;
            let begun = Instant::now();
            load::copy(&client, &OBSERVATIONS, rows.into_iter()).await?;
            begun
        }
    };
    Ok(many / begun.elapsed().as_secs_f64())
}

/// So many callers at once, each with one batch after the other, with the guards that a call with an API key has.
async fn at_the_port(store: &SqlStore, observations: &[MarketObservation], callers: u32) -> anyhow::Result<f64> {
    let scope = Founded::find(store).await?.scope()?;
    let ours = Ours::new(store).await?;
    let begun = Instant::now();
    let record = async |caller: u32| {
        for batch in observations.chunks(AT_ONCE).skip(caller as usize).step_by(callers as usize) {
            let recorded = store.observations().record(scope, ours.guards(), batch).await?;
            anyhow::ensure!(recorded.iter().all(|one| *one == Recorded::Accepted), "not every listing was a new one");
        }
        Ok(())
    };
    try_join_all((0..callers).map(record)).await?;
    Ok(observations.len() as f64 / begun.elapsed().as_secs_f64())
}

fn over_the_interface(server: &Running, database: &Database, first: u32, many: u32) -> anyhow::Result<f64> {
    let workspace = http::wire(database.workspace);
    let bodies: Vec<Vec<u8>> = sightings(first, many)?
        .chunks(AT_ONCE)
        .map(|batch| {
            let body = json!({ "workspaceId": workspace, "observations": sightings_json(batch) }).to_string();
            anyhow::ensure!(body.len() <= BODY_LIMIT, "a batch has {} bytes", body.len());
            Ok(http::request(RECORD, &body))
        })
        .collect::<anyhow::Result<_>>()?;
    let begun = Instant::now();
    let accepted = thread::scope(|scope| {
        let callers: Vec<_> = (0..CALLERS as usize)
            .map(|caller| {
                let own = bodies.iter().skip(caller).step_by(CALLERS as usize);
                scope.spawn(move || record(server, own))
            })
            .collect();
        let joined = callers.into_iter().map(|caller| caller.join().ok().context("a caller panicked")?);
        joined.sum::<anyhow::Result<u64>>()
    })?;
    let elapsed = begun.elapsed().as_secs_f64();
    anyhow::ensure!(accepted == u64::from(many), "{accepted} of {many} observations were accepted");
    Ok(f64::from(many) / elapsed)
}

fn record<'a>(server: &Running, bodies: impl Iterator<Item = &'a Vec<u8>>) -> anyhow::Result<u64> {
    let mut client = Client::connect(server.address)?;
    let mut accepted = 0;
    for body in bodies {
        accepted += client.json(body)?["accepted"].as_u64().context("no number of accepted observations")?;
    }
    Ok(accepted)
}
