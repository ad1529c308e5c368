//! Contracts that buy from one pool at the same time, in one process and in two: how many reservations a second against those of one
//! contract in each process, and never a cent too much.

use std::io::{BufRead as _, stdin};
use std::path::PathBuf;
use std::process::Stdio;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Instant;

use anyhow::Context as _;
use clap::Args;
use futures::future;
use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader, Lines};
use tokio::process::{Child, ChildStdin, ChildStdout, Command};
use tokio::task::JoinSet;
use tradepost::domain::contracts::ledger::Account;
use tradepost::domain::id::{ContractId, PoolId, WorkspaceId};
use tradepost::operations::Caller;
use tradepost::operations::contracts::{BuyingLimits, GetPoolBalance};

use crate::load::{Backend, Database};
use crate::measure::Run;
use crate::office::Office;
use crate::report::{Figure, Report, Target, Unit, median};

const CONTRACTS: usize = 16;
/// Tasks that buy, shared out over the processes.
const TASKS: usize = 64;
const PRICE: i64 = 1_234;
/// The number of the first listing. Those of other measurements on the same database have lower numbers.
const FIRST_LISTING: u32 = 1_000_000_000;
/// More listings than one process buys.
const MOST_LISTINGS: u32 = 1_000_000;
const READY: &str = "ready";

/// What races: how many processes, on what.
struct Race<'a> {
    run: &'a Run,
    database: &'a Database,
    office: &'a Office,
    processes: usize,
}

pub(super) async fn measure(run: &Run, database: &Database, report: &mut Report) -> anyhow::Result<()> {
    let office = Office::open(database).await?;
    let mut first_listing = FIRST_LISTING;
    // One server writes to a SQLite file.
    let (most, least) = if database.backend == Backend::Sqlite { (1, 1.0) } else { (2, 3.0) };
    for processes in 1..=most {
        let race = Race { run, database, office: &office, processes };
        let mut rounds = Vec::new();
        for _ in 0..run.rounds {
            let many = race.rate(CONTRACTS, &mut first_listing).await?;
            rounds.push((many, race.rate(processes, &mut first_listing).await?));
        }
        let (name, reservations) = (database.backend.name(), run.reservations);
        report.add(Figure {
            what: format!(
                "{name}: reservations/s of {CONTRACTS} contracts of one pool in {processes} process(es), against one \
                 contract in each"
            ),
            target: Target::AtLeast(least),
            value: median(rounds.iter().map(|(many, one)| many / one)),
            unit: Unit::Ratio,
            details: format!(
                "{CONTRACTS} contracts {:.0}/s; one in each {:.0}/s; {reservations} of them fit, the rest was \
                 rejected, and not a cent too much was reserved",
                median(rounds.iter().map(|round| round.0)),
                median(rounds.iter().map(|round| round.1))
            ),
        });
    }
    office.close().await
}

impl Race<'_> {
    /// Returns how many reservations a second so many contracts make of the money of a new pool, until it covers no other one.
    async fn rate(&self, contracts: usize, first_listing: &mut u32) -> anyhow::Result<f64> {
        let covered = PRICE * i64::from(self.run.reservations + 1) - 1;
        let pool_id = self.office.pool(covered).await?;
        let mut contract_ids = Vec::new();
        for _ in 0..contracts {
            let limits = BuyingLimits {
                target_quantity: Some(1_000_000),
                max_buy_price_cents: Some(PRICE),
                budget_cents: Some(covered * 2),
                ..BuyingLimits::default()
            };
            contract_ids.push(self.office.contract(limits, Some(pool_id)).await?);
        }
        let mut buyers = Vec::new();
        for process in 0..self.processes {
            let own = contract_ids.iter().skip(process).step_by(self.processes);
            buyers.push(self.start(own, *first_listing)?);
            *first_listing += MOST_LISTINGS;
        }
        for buyer in &mut buyers {
            let line = buyer.line().await?;
            anyhow::ensure!(line == READY, "a buyer printed {line:?}");
        }
        let begun = Instant::now();
        let bought = future::try_join_all(buyers.iter_mut().map(Buyer::buy)).await?;
        let elapsed = begun.elapsed().as_secs_f64();
        for buyer in buyers {
            buyer.ended().await?;
        }
        let (reserved, fitting) = (bought.into_iter().sum::<u32>(), self.run.reservations);
        anyhow::ensure!(reserved == fitting, "{reserved} reservations were made of {fitting} that fit");
        self.check(pool_id, &contract_ids, covered).await?;
        Ok(f64::from(reserved) / elapsed)
    }

    fn start<'c>(
        &self,
        contract_ids: impl Iterator<Item = &'c ContractId>,
        first_listing: u32,
    ) -> anyhow::Result<Buyer> {
        let Database { folder, url, .. } = self.database;
        let mut process = Command::new(&self.run.places.own)
            .arg("pool-buyer")
            .arg(folder)
            .arg(url)
            .args([self.office.workspace_id.to_string(), first_listing.to_string()])
            .arg((TASKS / self.processes).to_string())
            .args(contract_ids.map(ToString::to_string))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .kill_on_drop(true)
            .spawn()
            .context("cannot start a buyer")?;
        let input = process.stdin.take().context("a buyer has no input")?;
        let printed = process.stdout.take().context("a buyer has no output")?;
        Ok(Buyer { process, input, printed: BufReader::new(printed).lines() })
    }

    /// Checks that contracts, purchases and the pool agree on the sum that is reserved.
    async fn check(&self, pool_id: PoolId, contract_ids: &[ContractId], covered: i64) -> anyhow::Result<()> {
        let expected = PRICE * i64::from(self.run.reservations);
        let (mut counted, mut held) = (0, 0);
        for contract_id in contract_ids {
            counted += self.office.counters(*contract_id).await?.reserved.get();
            let purchases = self.office.purchases(*contract_id).await?;
            held += purchases.iter().map(|purchase| purchase.counter_delta().reserved.get()).sum::<i64>();
        }
        anyhow::ensure!(counted == expected, "the contracts count {counted} cents as reserved, not {expected}");
        anyhow::ensure!(held == expected, "purchases hold {held} cents, not {expected}");
        let get = GetPoolBalance { workspace_id: self.office.workspace_id, pool_id };
        let balances = self.office.operations().get_pool_balance(&Caller::system(), get).await?.value;
        let (available, reserved) = (balances.of(Account::Available).get(), balances.of(Account::Reserved).get());
        anyhow::ensure!(
            (available, reserved) == (covered - expected, expected),
            "the pool has {available}, {reserved}"
        );
        Ok(())
    }
}

/// A process that buys. It is killed when this is dropped.
struct Buyer {
    process: Child,
    input: ChildStdin,
    printed: Lines<BufReader<ChildStdout>>,
}

impl Buyer {
    async fn line(&mut self) -> anyhow::Result<String> {
        self.printed.next_line().await?.context("a buyer ended by itself")
    }

    /// Lets it begin, and returns how often it has bought.
    async fn buy(&mut self) -> anyhow::Result<u32> {
        self.input.write_all(b"begin\n").await.context("a buyer ended by itself")?;
        let line = self.line().await?;
        line.parse().with_context(|| format!("a buyer printed {line:?}"))
    }

    async fn ended(self) -> anyhow::Result<()> {
        let Self { mut process, input, .. } = self;
        drop(input);
        let ended = process.wait().await?;
        anyhow::ensure!(ended.success(), "a buyer ended with {ended}");
        Ok(())
    }
}

/// Buys for contracts of a pool in a process of its own, once it reads a line, and prints how often it bought until the pool refused.
#[derive(Debug, Args)]
pub(crate) struct PoolBuyer {
    folder: PathBuf,
    database_url: String,
    workspace_id: WorkspaceId,
    first_listing: u32,
    tasks: usize,
    #[arg(required = true)]
    contract_ids: Vec<ContractId>,
}

impl PoolBuyer {
    pub(crate) async fn run(self) -> anyhow::Result<()> {
        let office = Arc::new(Office::again_on(&self.folder, &self.database_url, self.workspace_id).await?);
        let next_listing = Arc::new(AtomicU32::new(self.first_listing));
        println!("{READY}");
        stdin().lock().read_line(&mut String::new())?;
        let mut tasks = JoinSet::new();
        for contract_id in self.contract_ids.iter().copied().cycle().take(self.tasks) {
            tasks.spawn(buy_until_refused(Arc::clone(&office), contract_id, Arc::clone(&next_listing)));
        }
        let mut bought = 0;
        while let Some(ended) = tasks.join_next().await {
            bought += ended??;
        }
        println!("{bought}");
        Arc::into_inner(office).context("the office is still in use")?.close().await
    }
}

async fn buy_until_refused(
    office: Arc<Office>,
    contract_id: ContractId,
    next_listing: Arc<AtomicU32>,
) -> anyhow::Result<u32> {
    let mut bought = 0;
    loop {
        let command = office.buying(contract_id, next_listing.fetch_add(1, Ordering::Relaxed), PRICE)?;
        match office.operations().buy_now(&Caller::system(), command).await {
            Ok(_) => bought += 1,
            Err(refused) if refused.reason.as_str() == "POOL_FUNDS_TOO_LOW" => return Ok(bought),
            // The other process was faster each time.
            Err(refused) if refused.reason.as_str() == "CONFLICT" => {}
            Err(other) => return Err(other.into()),
        }
    }
}
