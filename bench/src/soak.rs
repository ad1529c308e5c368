//! The soak: a workspace trades in a simulated world where everything goes wrong, and the nodes that trade for it are killed over and over.
//! Afterwards everything must add up.
//!
//! Three parts: the world, which this process serves as `tradepost sim serve` does; the nodes, processes of their own that run an engine on
//! the database and die by SIGKILL; and the audit, which asks the database and the world at the end.

mod audit;
mod chance;
mod nodes;
mod records;
mod site;
mod trader;
mod traits;
mod workspace;
mod world;

use std::collections::{BTreeMap, VecDeque};
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::Context as _;
use clap::Args;
use serde::{Deserialize, Serialize};
use tokio::time::{Instant, timeout};

use chance::Chance;
use nodes::{Death, Nodes};
use site::{Backend, Site};
use traits::Trait;
use workspace::Desk;
use world::Served;

pub(crate) use trader::Trader;

/// The longest from the moment at which a kill is due to the kill.
const KILLED_WITHIN_MS: u64 = 2_000;
/// One fault for so many purchases.
const PURCHASES_PER_FAULT: u64 = 15;
/// With so few records left nothing more goes wrong, so that they complete.
const FEW: u64 = 20;
/// Of so many kills one leaves the node away until another one has taken its leases.
const KILLS_PER_TAKEOVER: u32 = 3;

const SECOND: u64 = 1_000_000;
/// How much time passes between two passes that each follow all open records, in microseconds.
const STEP: u64 = 40 * 60 * SECOND;
/// With more open records a pass follows a part of them. Then less time passes, so that each is still followed every forty minutes: a
/// seller waits four hours for us.
const FOLLOWED: u64 = 500;
/// How much time passes while a node is away: its leases expire by the time outside of the world.
const STEP_WHILE_AWAY: u64 = 10 * SECOND;
/// A record that is still open so long after the last purchase is stuck.
const LAST: i64 = 20 * 24 * 3_600 * SECOND.cast_signed();

/// Trades in a simulated world with every fault, is killed at random, and checks that everything adds up
#[derive(Debug, Args)]
pub(crate) struct Soak {
    /// Purchases to make at least
    #[arg(long, default_value_t = 2_000)]
    purchases: u32,
    /// How often a node is killed
    #[arg(long, default_value_t = 5)]
    kills: u32,
    /// What faults and kills are drawn from
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// The database to trade on; a database of its own is created on the PostgreSQL server
    #[arg(long, value_enum, default_value = "sqlite")]
    database: Backend,
    /// Nodes that trade at the same time; SQLite takes one
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u8).range(1..=9))]
    nodes: u8,
    /// Traits of the marketplace
    #[arg(long, value_enum, value_delimiter = ',')]
    traits: Vec<Trait>,
    /// Where to keep the database and the world; emptied first
    #[arg(long)]
    folder: Option<PathBuf>,
    /// Stop after so many minutes
    #[arg(long, default_value_t = 170)]
    minutes: u64,
    /// The PostgreSQL server: an administrator's URL
    #[arg(long, env = "TRADEPOST_TEST_POSTGRES", hide_env_values = true)]
    postgres: Option<String>,
}

/// A turn of a node: it takes a pass.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
struct Turn {
    /// The time of the world.
    now_micros: i64,
    /// Whether this node does what one of them has to do: write-offs, and the end of buying.
    leads: bool,
}

/// How far the trading has come after a pass.
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize)]
struct Progress {
    /// Recorded purchases.
    bought: u64,
    /// Purchases and items in a final status.
    over: u64,
    /// Those that are not.
    open: u64,
    /// Buying had ended before the pass.
    is_paused: bool,
}

/// What was done to the nodes and the world.
#[derive(Debug, Default)]
struct Harm {
    faults: BTreeMap<&'static str, u32>,
    /// What balances were changed by without a reason, in order.
    drifts: Vec<i64>,
    kills: u32,
    passes: u32,
}

/// What the processes of the nodes are started with.
struct Plan<'a> {
    own: &'a Path,
    site: &'a Site,
    world_url: &'a str,
    desk: Desk,
    purchases: u32,
}

/// What is left of a soak when all trading is over.
struct Outcome {
    desk: Desk,
    world: Served,
    harm: Harm,
}

impl Soak {
    /// Whether everything adds up.
    pub(crate) async fn run(self) -> anyhow::Result<bool> {
        anyhow::ensure!(
            self.nodes == 1 || self.database == Backend::Postgres,
            "several nodes need --database postgres"
        );
        let own = std::env::current_exe()?;
        let next_to_own =
            || own.parent().map(|built| built.join(format!("soak-{}-{}", self.database.name(), self.seed)));
        let folder = self.folder.clone().or_else(next_to_own).context("this program is in no folder")?;
        if folder.exists() {
            std::fs::remove_dir_all(&folder)?;
        }
        std::fs::create_dir_all(&folder)?;
        let site = self.site(&folder).await?;
        let begun = Instant::now();
        let lived = timeout(Duration::from_mins(self.minutes), self.live(&own, &site)).await;
        let Outcome { desk, world, harm } = lived.context("it took too long")??;
        println!(
            "seed {}: {} rounds of {} nodes in {:.0} s, killed {} times of {}; faults: {:?}",
            self.seed,
            harm.passes,
            self.nodes,
            begun.elapsed().as_secs_f64(),
            harm.kills,
            self.kills,
            harm.faults
        );
        let audit = audit::Audit { site: &site, desk, world: &world, harm: &harm };
        let adds_up = audit.run(self.purchases).await?;
        world.stop().await?;
        if adds_up {
            site.clear(self.postgres.as_deref()).await?;
        }
        Ok(adds_up && harm.kills == self.kills)
    }

    async fn site(&self, folder: &Path) -> anyhow::Result<Site> {
        match (self.database, &self.postgres) {
            (Backend::Sqlite, _) => Ok(Site::on_sqlite(folder)),
            (Backend::Postgres, Some(administrator)) => Site::on_postgres(folder, administrator).await,
            (Backend::Postgres, None) => anyhow::bail!("no PostgreSQL is named: run this by cargo xtask soak"),
        }
    }

    async fn live(&self, own: &Path, site: &Site) -> anyhow::Result<Outcome> {
        let world = Served::begin(&site.folder, self.seed, traits::of(&self.traits)).await?;
        let desk = workspace::found(site).await?;
        let plan = Plan { own, site, world_url: world.url(), desk, purchases: self.purchases };
        let mut nodes = Nodes::new(plan, self.nodes.into());
        let (mut chance, mut harm) = (Chance::of(self.seed), Harm::default());
        let mut due = self.kills_due();
        let (mut now, mut last_bought_at) = (world.now_micros(), world.now_micros());
        let (mut progress, mut death) = (Progress::default(), None);
        loop {
            nodes.start()?;
            if death.is_none() && due.front().is_some_and(|at| progress.made(self) >= *at) {
                due.pop_front();
                death = Some(self.death(&mut chance, harm.kills));
            }
            let round = nodes.pass(now, death).await?;
            harm.passes += 1;
            if round.was_killed {
                harm.kills += 1;
                death = None;
            }
            if let Some(reported) = round.progress {
                if reported.open > FEW {
                    let bought = reported.bought.saturating_sub(progress.bought);
                    harm.inject(bought / PURCHASES_PER_FAULT + chance.below(2), &mut chance, &world).await?;
                }
                if reported.bought < self.purchases.into() {
                    last_bought_at = now;
                }
                progress = reported;
                let is_over = progress.open == 0 || now - last_bought_at > LAST;
                if progress.is_paused && is_over && death.is_none() {
                    break;
                }
            }
            let step = STEP * FOLLOWED / progress.open.max(FOLLOWED);
            let step = if nodes.is_any_away() { step.min(STEP_WHILE_AWAY) } else { step };
            world.advance(step).await?;
            now += step.cast_signed();
        }
        nodes.stop().await?;
        Ok(Outcome { desk, world, harm })
    }

    /// After how much was bought and sold each kill is due. What is bought completes later, so they are spread over both halves.
    fn kills_due(&self) -> VecDeque<u64> {
        let due_at = |kill: u32| u64::from(self.purchases) * 2 * u64::from(kill) / (u64::from(self.kills) + 1);
        (1..=self.kills).map(due_at).collect()
    }

    fn death(&self, chance: &mut Chance, kills: u32) -> Death {
        let wait = Duration::from_millis(chance.below(KILLED_WITHIN_MS));
        let node = usize::try_from(chance.below(self.nodes.into())).unwrap_or_default();
        let for_long = self.nodes > 1 && kills.is_multiple_of(KILLS_PER_TAKEOVER);
        Death { node, at: Instant::now() + wait, for_long }
    }
}

impl Progress {
    /// How much was bought and sold, each out of as many as are to be bought.
    fn made(&self, soak: &Soak) -> u64 {
        let wanted = u64::from(soak.purchases);
        self.bought.min(wanted) + (self.over / 2).min(wanted)
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
