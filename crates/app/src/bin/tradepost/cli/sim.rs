//! The commands around the simulated marketplace and game platform.

use std::net::SocketAddr;
use std::path::PathBuf;

use clap::builder::PossibleValuesParser;
use clap::{Args, Subcommand};
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;
use tradepost::SystemClock;
use tradepost::domain::time::Timestamp;
use tradepost::ports::clock::Clock as _;

use crate::sim::scenarios::SCENARIOS;

#[derive(Debug, Args)]
pub(crate) struct Sim {
    #[command(subcommand)]
    pub(crate) action: SimAction,
}

#[derive(Debug, Subcommand)]
pub(crate) enum SimAction {
    /// Serve a simulated world, and keep it in a folder
    #[command(
        after_help = "Example:\n  tradepost sim serve --data sim --speed 60\n\nPrograms of this machine alone reach it. The world that is in the folder goes on, wherever the process was killed; where there is none, one begins. A scenario is\na JSON list of what is done to a world that begins, such as\n  [{\"call\":\"pay_in\",\"customer\":\"desk\",\"cents\":1000000},\n   {\"call\":\"open_account\",\"customer\":\"desk\"},\n   {\"call\":\"schedule\",\"after_seconds\":7200,\"fault\":{\"fault\":\"sold_already\"}}]\n\nWhen stdout is not a terminal it gets one line of JSON with the URL, seed, speed and time."
    )]
    Serve(SimServe),
    /// Simulate days of trading with faults, then reconcile
    #[command(
        after_help = "Example:\n  tradepost sim run --scenario everything --seed 7 --days 14\n\nAt the end it compares ledger and marketplace. Nothing is kept, and no external system is reached. Equal scenario, seed and days give equal output. Ends with 1 when\nledger and marketplace differ."
    )]
    Run(SimRun),
    /// List the scenarios of sim run
    #[command(after_help = "Example:\n  tradepost sim scenarios")]
    Scenarios,
}

#[derive(Debug, Args)]
pub(crate) struct SimRun {
    /// What goes wrong in the world; tradepost sim scenarios lists them
    #[arg(long, default_value = "calm", value_name = "NAME", hide_possible_values = true, value_parser = PossibleValuesParser::new(SCENARIOS.map(|scenario| scenario.name)))]
    pub(crate) scenario: String,
    /// Random seed
    #[arg(long, default_value_t = 42, value_name = "NUMBER")]
    pub(crate) seed: u64,
    /// How many days pass in the world
    #[arg(long, default_value_t = 10, value_name = "NUMBER", value_parser = clap::value_parser!(u32).range(1..=366))]
    pub(crate) days: u32,
}

#[derive(Debug, Args)]
pub(crate) struct SimServe {
    /// The folder in which the world is kept
    #[arg(long, value_name = "DIR")]
    pub(crate) data: PathBuf,
    /// Address and port to serve on, of this machine only; port 0 picks a free one
    #[arg(long, default_value = "127.0.0.1:8090", value_name = "ADDRESS:PORT")]
    pub(crate) listen: SocketAddr,
    /// Random seed of a new world [default: 42]
    #[arg(long, value_name = "NUMBER")]
    pub(crate) seed: Option<u64>,
    /// When a world begins: now, or a time as RFC 3339 has it [default: 2026-01-01T00:00:00Z]
    #[arg(long, value_name = "TIME", value_parser = start)]
    pub(crate) start: Option<Timestamp>,
    /// Simulated seconds per real second; 0 advances only on request
    #[arg(long, default_value_t = 1, value_name = "NUMBER", value_parser = clap::value_parser!(u32).range(0..=1_000_000))]
    pub(crate) speed: u32,
    /// What is done to a world that begins; one that is there already goes on without it
    #[arg(long, value_name = "FILE")]
    pub(crate) scenario: Option<PathBuf>,
}

/// A time in words.
fn start(text: &str) -> Result<Timestamp, time::error::Parse> {
    if text == "now" { Ok(SystemClock.now()) } else { OffsetDateTime::parse(text, &Rfc3339).map(Into::into) }
}
