//! Appending links at the port against the drivers by hand, and what group commit makes of a slow disk.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::Context as _;
use clap::Args;
use tradepost_adapters_sql::{DatabaseSettings, SqlStore, SqliteSettings};

use crate::append::floor_postgres::TokioPostgres;
use crate::append::floor_sqlite::Rusqlite;
use crate::append::ours::Ours;
use crate::append::{Appender as _, Links, rate};
use crate::data::Sizes;
use crate::load::{Backend, Database};
use crate::measure::{Run, observed};
use crate::report::{Figure, Report, Target, Unit, median};

const WRITERS: u32 = 32;
/// More links than one run appends.
const MOST_LINKS: u32 = 10_000_000;
const SLOW_FLUSH: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/shim/slow_flush.c");

pub(super) async fn measure(run: &Run, database: &Database, report: &mut Report) -> anyhow::Result<()> {
    let links = Links::after(database.sizes);
    match database.backend {
        Backend::Sqlite => {
            against_rusqlite(run, database, &links, report).await?;
            on_a_slow_disk(run, database, report)
        }
        Backend::Postgres => against_tokio_postgres(run, database, &links, report).await,
    }
}

async fn against_rusqlite(run: &Run, database: &Database, links: &Links, report: &mut Report) -> anyhow::Result<()> {
    let mut rounds = Vec::new();
    for _ in 0..run.rounds {
        let store = database.open().await?;
        let ours = rate(&Ours::new(&store).await?, links, WRITERS, run.time).await?;
        store.close().await?;
        let floor = Rusqlite::open(&database.file(), database.workspace)?;
        let theirs = rate(&floor, links, WRITERS, run.time).await?;
        floor.close()?;
        rounds.push((ours, theirs));
    }
    report.add(compare("SQLite, synchronous=FULL", "rusqlite with group commit", 0.45, &rounds));
    Ok(())
}

async fn against_tokio_postgres(
    run: &Run,
    database: &Database,
    links: &Links,
    report: &mut Report,
) -> anyhow::Result<()> {
    let statement =
        observed(database, async |store| Ours::new(&store).await?.append(links.take(0, WRITERS, 0)).await).await?;
    let store = database.open().await?;
    let ours = Ours::new(&store).await?;
    let floor = TokioPostgres::connect(&database.url, &statement, ours.guards(), database.workspace).await?;
    let mut rounds = Vec::new();
    for _ in 0..run.rounds {
        let our_rate = rate(&ours, links, WRITERS, run.time).await?;
        rounds.push((our_rate, rate(&floor, links, WRITERS, run.time).await?));
    }
    report.add(compare("PostgreSQL", "tokio-postgres with the same statement", 0.75, &rounds));
    Ok(())
}

fn compare(what: &str, with: &str, least: f64, rounds: &[(f64, f64)]) -> Figure {
    Figure {
        what: format!("{what}: appends/s of {WRITERS} writers against {with}"),
        target: Target::AtLeast(least),
        value: median(rounds.iter().map(|(ours, theirs)| ours / theirs)),
        unit: Unit::Ratio,
        details: format!(
            "tradepost {:.0}/s; by hand {:.0}/s",
            median(rounds.iter().map(|round| round.0)),
            median(rounds.iter().map(|round| round.1))
        ),
    }
}

/// Many writers against one, where each flush takes 2 ms more.
fn on_a_slow_disk(run: &Run, database: &Database, report: &mut Report) -> anyhow::Result<()> {
    let Some(shim) = slow_flush(&run.places.cache)? else {
        report
            .skip("SQLite, 2 ms flush: cc is not installed, and the flush cannot be slowed down without it".to_owned());
        return Ok(());
    };
    let mut first_link = MOST_LINKS;
    let mut appends_per_second = |writers| {
        first_link += MOST_LINKS;
        let mut command = Command::new(&run.places.own);
        command.arg("append").arg("--file").arg(database.file());
        command.args(["--purchases", &database.sizes.purchases.to_string(), "--first-link", &first_link.to_string()]);
        command.args(["--writers", &u32::to_string(&writers), "--seconds", &run.time.as_secs_f64().to_string()]);
        let output = command.env("LD_PRELOAD", &shim).output()?;
        let said = String::from_utf8_lossy(&output.stdout);
        said.trim().parse::<f64>().with_context(|| String::from_utf8_lossy(&output.stderr).into_owned())
    };
    let mut rounds = Vec::new();
    for _ in 0..run.rounds {
        rounds.push((appends_per_second(WRITERS)?, appends_per_second(1)?));
    }
    report.add(Figure {
        what: format!("SQLite, 2 ms flush: appends/s of {WRITERS} writers against one"),
        target: Target::AtLeast(6.0),
        value: median(rounds.iter().map(|(many, one)| many / one)),
        unit: Unit::Ratio,
        details: format!(
            "{WRITERS} writers {:.0}/s; one {:.0}/s",
            median(rounds.iter().map(|round| round.0)),
            median(rounds.iter().map(|round| round.1))
        ),
    });
    Ok(())
}

/// Compiles the library that slows flushes down, where there is a compiler.
fn slow_flush(folder: &Path) -> anyhow::Result<Option<PathBuf>> {
    if !Command::new("cc").arg("--version").output().is_ok_and(|output| output.status.success()) {
        return Ok(None);
    }
    let library = folder.join("slow_flush.so");
    let compiled =
        Command::new("cc").args(["-O2", "-shared", "-fPIC", SLOW_FLUSH, "-ldl", "-o"]).arg(&library).status()?;
    anyhow::ensure!(compiled.success(), "cc could not compile {SLOW_FLUSH}");
    Ok(Some(library))
}

/// Appends links in a process of its own, and prints how many a second.
#[derive(Debug, Args)]
pub(crate) struct Append {
    #[arg(long)]
    file: PathBuf,
    #[arg(long)]
    purchases: u32,
    #[arg(long)]
    first_link: u32,
    #[arg(long)]
    writers: u32,
    #[arg(long)]
    seconds: f64,
}

impl Append {
    pub(crate) async fn run(self) -> anyhow::Result<()> {
        let store = SqlStore::open(DatabaseSettings::Sqlite(SqliteSettings::at(self.file))).await?;
        let sizes = Sizes { purchases: self.purchases, strangers: 0 };
        let links = Links::numbered_from(self.first_link, sizes);
        let ours = Ours::new(&store).await?;
        println!("{}", rate(&ours, &links, self.writers, Duration::from_secs_f64(self.seconds)).await?);
        store.close().await?;
        Ok(())
    }
}
