//! The measurements, each in interleaved rounds.

mod abuse;
mod authentication;
mod chain;
mod demo;
mod fairness;
mod filters;
mod get;
mod latency;
mod lists;
mod matching;
mod observations;
mod pool_race;
mod profit;
mod race;
mod recovery;
mod start;
mod unknown_fields;
mod waiting;

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use anyhow::Context as _;
use clap::ValueEnum;
use tradepost_adapters_sql::SqlStore;

use crate::data::Sizes;
use crate::load::{Backend, Database, Places};
use crate::report::Report;

pub(crate) use chain::Append;
pub(crate) use pool_race::PoolBuyer;

/// What can be measured by itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Section {
    /// From process start to the first answer
    Start,
    /// From process start to the demo with its sample data
    Demo,
    /// GetPurchase under load, and memory
    Get,
    /// The last page against the first, and counters on much data against little
    Lists,
    /// The first page of a list with each of its filters, on much data against a tenth of it
    Filters,
    /// Appending links at the port
    Chain,
    /// Finding out who calls, as a part of GetPurchase
    Authentication,
    /// Refusing unknown fields, as a part of GetPurchase
    UnknownFields,
    /// Matching and evaluating listings in memory
    Matching,
    /// Recording what is seen on markets, at the port and over the interface
    Observations,
    /// Reservations of many who race for one budget, and of many contracts of one pool
    Race,
    /// From a listing that is seen to a purchase that is ready to be sent
    Latency,
    /// Profit and loss of a month over a year of sold items
    Pnl,
    /// How long other writes take while observations flood in
    Fairness,
    /// Beginning again with many open purchases
    Recovery,
    /// What others feel of slow clients, half-open connections, bombs and floods of sign-ins
    Abuse,
    /// The memory of calls that wait for the next change, and what others feel of them
    Waiting,
}

impl Section {
    fn is_on_databases(self) -> bool {
        !matches!(self, Self::Matching | Self::Demo)
    }
}

/// How to measure.
#[derive(Debug)]
pub(crate) struct Run {
    pub(crate) places: Places,
    pub(crate) sizes: Sizes,
    pub(crate) rounds: u32,
    /// Of one round of load.
    pub(crate) time: Duration,
    /// Recorded in a round.
    pub(crate) observations: u32,
    /// Items that were sold, of which profit and loss are calculated.
    pub(crate) sold: u32,
    /// That a budget covers for which many race.
    pub(crate) reservations: u32,
    /// With which an engine begins again.
    pub(crate) open_purchases: u32,
    /// The folder of the Node server, where it is measured too.
    pub(crate) node: Option<PathBuf>,
    pub(crate) sections: Vec<Section>,
}

impl Run {
    pub(crate) async fn measure(&self) -> anyhow::Result<Report> {
        let mut report = Report::default();
        if self.sections.contains(&Section::Matching) {
            eprintln!("in memory: {:?}", Section::Matching);
            matching::measure(self, &mut report)?;
        }
        if self.sections.contains(&Section::Demo) {
            eprintln!("in a folder of its own: {:?}", Section::Demo);
            demo::measure(self, &mut report)?;
        }
        let on_databases: Vec<_> = self.sections.iter().filter(|section| section.is_on_databases()).collect();
        if on_databases.is_empty() {
            return Ok(report);
        }
        for backend in Backend::BOTH {
            let loaded = Database::prepared(&self.places, backend, self.sizes).await?;
            let database = loaded.copied(&self.places).await?;
            let is_sqlite = backend == Backend::Sqlite;
            for section in &on_databases {
                eprintln!("{}: {section:?}", backend.name());
                match section {
                    Section::Start => start::measure(self, &database, &mut report)?,
                    Section::Get => get::measure(self, &database, &mut report).await?,
                    Section::Lists => lists::measure(self, &database, &mut report).await?,
                    Section::Filters => filters::measure(self, &database, &mut report).await?,
                    Section::Chain => chain::measure(self, &database, &mut report).await?,
                    Section::Authentication => authentication::measure(self, &database, &mut report).await?,
                    Section::UnknownFields => unknown_fields::measure(self, &database, &mut report)?,
                    Section::Abuse => abuse::measure(self, &database, &mut report)?,
                    Section::Waiting => waiting::measure(self, &database, &mut report)?,
                    Section::Observations => observations::measure(self, &database, &mut report).await?,
                    Section::Pnl => profit::measure(self, backend, &mut report).await?,
                    Section::Race => {
                        race::measure(self, &database, &mut report).await?;
                        pool_race::measure(self, &database, &mut report).await?;
                    }
                    Section::Latency if is_sqlite => latency::measure(self, &database, &mut report).await?,
                    Section::Fairness if is_sqlite => fairness::measure(self, &database, &mut report).await?,
                    Section::Recovery if is_sqlite => recovery::measure(self, &mut report).await?,
                    // Of SQLite with its one writer alone.
                    Section::Latency | Section::Fairness | Section::Recovery => {}
                    // They touch neither of these databases.
                    Section::Matching | Section::Demo => {}
                }
            }
        }
        Ok(report)
    }
}

/// The last statement that the product runs in `work`.
async fn observed<F>(database: &Database, work: impl FnOnce(Arc<SqlStore>) -> F) -> anyhow::Result<String>
where
    F: Future<Output = anyhow::Result<()>>,
{
    let seen = Arc::new(Mutex::new(String::new()));
    let observer = Arc::clone(&seen);
    let note = move |text: &str| text.clone_into(&mut observer.lock().unwrap_or_else(PoisonError::into_inner));
    let store = Arc::new(SqlStore::open_observed(database.settings(), Arc::new(note)).await?);
    work(Arc::clone(&store)).await?;
    Arc::into_inner(store).context("the store is still in use")?.close().await?;
    let text = seen.lock().unwrap_or_else(PoisonError::into_inner).clone();
    anyhow::ensure!(!text.is_empty(), "no statement was seen");
    Ok(text)
}
