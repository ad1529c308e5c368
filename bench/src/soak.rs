//! The soak: a workspace trades in a simulated world where everything goes wrong, and the process that trades for it is killed
//! over and over. Afterwards everything must add up.
//!
//! Three parts: the world, which this process serves as `tradepost sim serve` does; the trader, a process of its own that runs
//! the engine on a SQLite file and dies by SIGKILL; and the audit, which asks the file and the world when all is over.

mod audit;
mod chance;
mod trader;
mod world;

use std::collections::{BTreeMap, VecDeque};
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::{Duration, Instant};

use anyhow::Context as _;
use clap::Args;
use serde::{Deserialize, Serialize};
use tokio::io::{AsyncBufReadExt as _, BufReader, Lines};
use tokio::process::{Child, ChildStdout, Command};
use tokio::time::timeout;
use tradepost::domain::contracts::contract::{ApprovalMode, PriceStatistic};
use tradepost::domain::id::{ContractId, WorkspaceId};
use tradepost::operations::Caller;
use tradepost::operations::contracts::{
    ActivateContract, BuyingLimits, ContractTerms, CreateContract, PriceSource, SellingLimits,
};

use crate::office::Office;
use chance::Chance;
use world::Served;

pub(crate) use trader::Trader;

/// The longest from the moment at which a kill is due to the kill.
const KILLED_WITHIN_MS: u64 = 2_000;
/// One fault for so many purchases.
const PURCHASES_PER_FAULT: u64 = 15;
/// With so few records left nothing more goes wrong, so that they come to their end.
const FEW: u64 = 20;

/// Trades in a simulated world with every fault, is killed at random, and checks that everything adds up
#[derive(Debug, Args)]
pub(crate) struct Soak {
    /// Purchases to make at least
    #[arg(long, default_value_t = 2_000)]
    purchases: u32,
    /// How often the trading process is killed
    #[arg(long, default_value_t = 5)]
    kills: u32,
    /// What faults and kills are drawn from
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Where to keep the database and the world; emptied first
    #[arg(long)]
    folder: Option<PathBuf>,
    /// Give up after so many minutes
    #[arg(long, default_value_t = 170)]
    minutes: u64,
}

/// How far the trading has come, told by the trader after each pass.
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize)]
struct Progress {
    /// Purchases that were recorded.
    bought: u64,
    /// Purchases and items that have come to their end.
    over: u64,
    /// Those that have not.
    open: u64,
    /// Nothing more will come.
    is_done: bool,
}

/// What was done to the trader.
#[derive(Debug, Default)]
struct Harm {
    faults: BTreeMap<&'static str, u32>,
    /// What balances were changed by without a reason, in order.
    drifts: Vec<i64>,
    kills: u32,
    passes: u32,
}

/// Who trades, for what.
#[derive(Debug, Clone, Copy)]
struct Desk {
    workspace_id: WorkspaceId,
    buying: ContractId,
}

impl Soak {
    /// Whether everything adds up.
    pub(crate) async fn run(self) -> anyhow::Result<bool> {
        let own = std::env::current_exe()?;
        let beside = || own.parent().map(|built| built.join(format!("soak-{}", self.seed)));
        let folder = self.folder.clone().or_else(beside).context("this program is in no folder")?;
        if folder.exists() {
            std::fs::remove_dir_all(&folder)?;
        }
        std::fs::create_dir_all(&folder)?;
        let begun = Instant::now();
        let lived = timeout(Duration::from_secs(self.minutes * 60), self.live(&own, &folder)).await;
        let (desk, world, harm) = lived.context("it took too long")??;
        println!(
            "seed {}: {} passes in {:.0} s, killed {} times of {}; faults: {:?}",
            self.seed,
            harm.passes,
            begun.elapsed().as_secs_f64(),
            harm.kills,
            self.kills,
            harm.faults
        );
        let audit = audit::Audit { folder: &folder, desk, world: &world, harm: &harm };
        let adds_up = audit.run(self.purchases).await?;
        world.stop().await?;
        Ok(adds_up && harm.kills == self.kills)
    }

    async fn live(&self, own: &Path, folder: &Path) -> anyhow::Result<(Desk, Served, Harm)> {
        let world = Served::begin(folder, self.seed).await?;
        let desk = found(folder).await?;
        let (mut chance, mut harm) = (Chance::of(self.seed), Harm::default());
        // What is bought comes to its end later: kills are spread over both halves.
        let due_at = |kill: u32| u64::from(self.purchases) * 2 * u64::from(kill) / (u64::from(self.kills) + 1);
        let mut due: VecDeque<u64> = (1..=self.kills).map(due_at).collect();
        let mut progress = Progress::default();
        while !progress.is_done {
            let mut running = Running::start(own, folder, &world, desk, self.purchases)?;
            loop {
                if due.front().is_some_and(|at| progress.bought.min(self.purchases.into()) + progress.sold(self) >= *at)
                {
                    due.pop_front();
                    harm.kills += 1;
                    running.kill_within(Duration::from_millis(chance.below(KILLED_WITHIN_MS))).await?;
                    break;
                }
                let told = running.told().await?;
                harm.passes += 1;
                if told.open > FEW {
                    let times = told.bought.saturating_sub(progress.bought) / PURCHASES_PER_FAULT + chance.below(2);
                    harm.inject(times, &mut chance, &world).await?;
                }
                progress = told;
                if progress.is_done {
                    running.ended().await?;
                    break;
                }
            }
        }
        Ok((desk, world, harm))
    }
}

impl Progress {
    /// How much of the second half is over, out of as many as are to be bought.
    fn sold(&self, soak: &Soak) -> u64 {
        (self.over / 2).min(soak.purchases.into())
    }
}

impl Harm {
    /// How many faults of these kinds there were.
    fn of(&self, kinds: &[&str]) -> u32 {
        kinds.iter().filter_map(|kind| self.faults.get(kind)).sum()
    }

    async fn inject(&mut self, times: u64, chance: &mut Chance, world: &Served) -> anyhow::Result<()> {
        for _ in 0..times {
            let (name, fault, drift) = chance.fault();
            world.inject(fault).await?;
            *self.faults.entry(name).or_default() += 1;
            self.drifts.extend((drift != 0).then_some(drift));
        }
        Ok(())
    }
}

/// The process that trades. It is killed when this is dropped.
struct Running {
    process: Child,
    said: Lines<BufReader<ChildStdout>>,
}

impl Running {
    fn start(own: &Path, folder: &Path, world: &Served, desk: Desk, purchases: u32) -> anyhow::Result<Self> {
        let mut process = Command::new(own)
            .arg("trader")
            .args([folder.as_os_str(), world.url().as_ref()])
            .args([desk.workspace_id.to_string(), desk.buying.to_string(), purchases.to_string()])
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .kill_on_drop(true)
            .spawn()
            .context("cannot start the trader")?;
        let said = process.stdout.take().context("the trader has no output")?;
        Ok(Self { process, said: BufReader::new(said).lines() })
    }

    /// What it tells next.
    async fn told(&mut self) -> anyhow::Result<Progress> {
        let line = self.said.next_line().await?.context("the trader ended by itself")?;
        serde_json::from_str(&line).with_context(|| format!("the trader said {line:?}"))
    }

    /// Kills it after a while.
    async fn kill_within(mut self, wait: Duration) -> anyhow::Result<()> {
        // It may tell several times meanwhile; that it ends is no different from being killed.
        let _ = timeout(wait, async { while self.told().await.is_ok() {} }).await;
        // SIGKILL, by its id; and it is waited for.
        self.process.kill().await.context("the trader could not be killed")
    }

    async fn ended(mut self) -> anyhow::Result<()> {
        let ended = self.process.wait().await?;
        anyhow::ensure!(ended.success(), "the trader ended with {ended}");
        Ok(())
    }
}

/// A workspace with a pool, one contract that buys everything and one that sells everything.
async fn found(folder: &Path) -> anyhow::Result<Desk> {
    let office = Office::found(folder).await?;
    let pool_id = office.pool(world::PAID_IN).await?;
    office.keep_on_record(world::MARKETPLACE).await?;
    let buying = BuyingLimits {
        target_quantity: Some(10_000_000),
        max_buy_price_cents: Some(50_000),
        budget_cents: Some(world::PAID_IN),
        ..BuyingLimits::default()
    };
    let selling = SellingLimits { floor_price_cents: Some(1), ..SellingLimits::default() };
    let buying = contract(&office, Some(pool_id), ContractTerms::Buying(buying)).await?;
    contract(&office, None, ContractTerms::Selling(selling)).await?;
    let workspace_id = office.workspace_id;
    office.close().await?;
    Ok(Desk { workspace_id, buying })
}

async fn contract(
    office: &Office,
    pool_id: Option<tradepost::domain::id::PoolId>,
    terms: ContractTerms,
) -> anyhow::Result<ContractId> {
    let draft = CreateContract {
        workspace_id: office.workspace_id,
        name: "Soak".to_owned(),
        terms,
        filter_set_id: None,
        pool_id,
        approval_mode: ApprovalMode::Automatic,
        marketplaces: vec![world::MARKETPLACE.to_owned()],
        price_reference: Some(PriceSource {
            sources: Vec::new(),
            statistic: PriceStatistic::Median,
            max_age_seconds: Some(3_600),
            min_confidence_bps: Some(0),
        }),
        starts_at: None,
        ends_at: None,
    };
    let contract_id = office.operations().create_contract(&Caller::system(), draft).await?.value.id;
    let activate = ActivateContract { workspace_id: office.workspace_id, contract_id, expected_version: None };
    office.operations().activate_contract(&Caller::system(), activate).await?;
    Ok(contract_id)
}
