//! Measures tradepost: its release binary over HTTP, and its store in process, each against a hand-written program that does
//! the same work, in the same run. `cargo xtask bench` builds what is measured and runs this.

mod append;
mod bare;
#[cfg(feature = "books")]
mod books;
mod data;
mod drive;
mod http;
mod load;
mod machine;
mod market;
mod measure;
mod observe;
mod office;
mod outside;
mod report;
mod server;
mod soak;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::Duration;

use anyhow::Context as _;
use clap::{Args, Parser, Subcommand, ValueEnum as _};

use data::Sizes;
use load::Places;
use measure::{Run, Section};

const DOCUMENT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/benchmarks.md");
const NODE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/node");
const INTERFACE: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/contracts.fds.bin"));

/// Measures tradepost against hand-written programs that do the same work.
#[derive(Debug, Parser)]
#[command(name = "cargo xtask bench")]
struct Cli {
    #[command(flatten)]
    measure: Measure,
    #[command(subcommand)]
    part: Option<Part>,
}

#[derive(Debug, Args)]
struct Measure {
    /// Measure only this; can be given several times
    #[arg(long, value_enum)]
    only: Vec<Section>,
    /// A short run on little data, to see that everything works: its figures mean little
    #[arg(long)]
    quick: bool,
    /// Measure against Node too: takes node and npm, and fetches packages
    #[arg(long)]
    node: bool,
    /// Write the figures into docs/benchmarks.md
    #[arg(long)]
    record: bool,
    /// Rounds of each measurement, of which the median counts
    #[arg(long, default_value_t = 5)]
    rounds: u32,
    /// Seconds of load in a round
    #[arg(long, default_value_t = 5.0)]
    seconds: f64,
    /// Purchases to load; a fifth of them brought an item, each with three links
    #[arg(long, default_value_t = 1_000_000)]
    purchases: u32,
    /// Observations that are recorded in a round
    #[arg(long, default_value_t = 50_000)]
    observations: u32,
    /// Items that were sold in the year of which profit and loss are calculated
    #[arg(long, default_value_t = 1_000_000)]
    sold: u32,
    /// Reservations that the budget covers for which many race
    #[arg(long, default_value_t = 3_000)]
    reservations: u32,
    /// Purchases that are open when an engine begins again
    #[arg(long, default_value_t = 50_000)]
    open_purchases: u32,
    /// A PostgreSQL server to measure on: an administrator's URL
    #[arg(long, env = "TRADEPOST_TEST_POSTGRES", hide_env_values = true)]
    postgres: Option<String>,
}

/// What a run starts in processes of their own.
#[derive(Debug, Subcommand)]
#[command(disable_help_subcommand = true)]
enum Part {
    #[command(hide = true)]
    Bare(bare::Bare),
    #[command(hide = true)]
    Append(measure::Append),
    #[command(hide = true)]
    PoolBuyer(measure::PoolBuyer),
    /// Trades in a simulated world with every fault, is killed at random, and checks that everything adds up
    Soak(soak::Soak),
    #[command(hide = true)]
    Trader(soak::Trader),
    #[cfg(feature = "books")]
    /// Writes consistent books: purchases in every status, with all that belongs to them
    Books(books::Books),
}

#[tokio::main]
async fn main() -> ExitCode {
    let cli = Cli::parse();
    let ended = match cli.part {
        Some(Part::Bare(bare)) => bare.serve().await.map(|()| true),
        Some(Part::Append(append)) => append.run().await.map(|()| true),
        Some(Part::PoolBuyer(buyer)) => buyer.run().await.map(|()| true),
        Some(Part::Soak(soak)) => soak.run().await,
        Some(Part::Trader(trader)) => trader.run().await.map(|()| true),
        #[cfg(feature = "books")]
        Some(Part::Books(books)) => books.run().await.map(|()| true),
        None => cli.measure.run().await,
    };
    match ended {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

impl Measure {
    /// Whether every target is met.
    async fn run(self) -> anyhow::Result<bool> {
        let machine = machine::describe()?;
        let run = self.plan()?;
        let report = run.measure().await?;
        let circumstances = format!(
            "{machine} {} purchases, {} items, {} links. Medians of {} rounds of {} s.",
            run.sizes.purchases,
            run.sizes.items(),
            run.sizes.links(),
            run.rounds,
            run.time.as_secs_f64()
        );
        println!("\n{circumstances}\n\n{}", report.table());
        if self.record {
            report.record(Path::new(DOCUMENT), &circumstances)?;
        }
        Ok(report.is_met())
    }

    fn plan(&self) -> anyhow::Result<Run> {
        let own = std::env::current_exe()?;
        let built = own.parent().context("this program is in no folder")?;
        let target = built.parent().context("this program is in no target folder")?;
        let places = Places {
            tradepost: built.join("tradepost"),
            own: own.clone(),
            cache: target.join("bench"),
            postgres: self.postgres.clone().context("no PostgreSQL is named: run this by cargo xtask bench")?,
        };
        anyhow::ensure!(places.tradepost.is_file(), "there is no {}: build it first", places.tradepost.display());
        let sections = if self.only.is_empty() { Section::value_variants().to_vec() } else { self.only.clone() };
        let full = Sizes { purchases: self.purchases, strangers: 10_000 };
        Ok(Run {
            places,
            sizes: if self.quick { Sizes { purchases: 20_000, strangers: 100 } } else { full },
            rounds: if self.quick { 1 } else { self.rounds },
            time: if self.quick { Duration::from_secs(1) } else { Duration::from_secs_f64(self.seconds) },
            observations: if self.quick { 5_000 } else { self.observations },
            sold: if self.quick { 20_000 } else { self.sold },
            reservations: if self.quick { 200 } else { self.reservations },
            open_purchases: if self.quick { 2_000 } else { self.open_purchases },
            node: if self.node { Some(node_server()?) } else { None },
            sections,
        })
    }
}

/// The folder of the Node server, with its packages and the description of the interface.
fn node_server() -> anyhow::Result<PathBuf> {
    let folder = PathBuf::from(NODE);
    let mut npm = Command::new("npm");
    npm.args(["install", "--no-audit", "--no-fund", "--no-package-lock"]).current_dir(&folder);
    let installed = npm.status().context("cannot run npm")?;
    anyhow::ensure!(installed.success(), "npm could not install what the Node server needs");
    fs::write(folder.join("node_modules").join("contracts.fds.bin"), INTERFACE)?;
    Ok(folder)
}
