//! The part of the demo that trades: contracts on a simulated market, whose clock runs so fast that a week passes in minutes. The
//! market is stored next to the database, so that both go on where the process was killed.

use std::collections::VecDeque;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration as Real, Instant};

use time::Duration;
use tradepost::domain::accounts::workspace::MarketKind;
use tradepost::domain::contracts::evaluation::Decision;
use tradepost::domain::id::{ContractId, PoolId, WorkspaceId};
use tradepost::domain::money::VenueCents;
use tradepost::domain::text::{AccountName, Marketplace, Name};
use tradepost::domain::time::Timestamp;
use tradepost::engine::{DecidedListing, Pass, TradingAccount};
use tradepost::operations::trading::{AccountOnRecord, AccountSecrets, AccountTokens, UpdateAccount};
use tradepost::operations::{Caller, Operations};
use tradepost::ports::clock::MarketClock;
use tradepost::{PassObserver, Tradepost};
use tradepost_adapters_simulator::{
    AccountSignIn, Beginning, FolderError, PersistentSimulator, Request, Settings, SimulatedGuard, Variant,
    WorldCommand, WorldFolder, WorldTransport as _,
};

use super::sure;
use crate::failure::{Exit, Failure, Outcome};
use crate::sample_records::{self, PLATFORM};
use crate::simulated::{self, CAPITAL, CHOOSY, CUSTOMER, DAILY_LIMIT, MARKET, Names, SHOWN, Shown};

/// How often the engine looks. Before each look the clock of the market is moved on.
const TICK: Real = Real::from_millis(100);
/// The longest time between two looks that the market makes up for. When looks take longer, its clock runs slower.
const MADE_UP_FOR: Real = Real::from_millis(500);
const ACCOUNTS: [&str; 2] = ["live-1", "live-2"];
/// After so many looks the market is written down whole, so that going on with it takes no time.
const SNAPSHOT: u32 = 600;

/// As many decisions to buy are shown,
const BOUGHT: usize = 3;
/// and as many to skip a listing.
const SKIPPED: usize = 3;

/// A market, and the contracts that trade there.
#[derive(Clone)]
pub(super) struct Live {
    world: PersistentSimulator,
    pub(super) workspace_id: WorkspaceId,
    pub(super) contracts: Vec<ContractId>,
    /// The pool from which the contracts buy; those of a demo from before there was one buy without.
    pub(super) pool_id: Option<PoolId>,
    latest: Arc<Mutex<Latest>>,
}

/// What was decided lately.
#[derive(Debug, Clone, Default)]
pub(super) struct Latest {
    /// The newest first.
    pub(super) bought: VecDeque<DecidedListing>,
    /// Of the latest pass that skipped a listing.
    pub(super) skipped: Vec<DecidedListing>,
}

impl Latest {
    fn add(&mut self, decisions: Vec<DecidedListing>) {
        let (bought, mut skipped): (Vec<_>, Vec<_>) =
            decisions.into_iter().partition(|decided| decided.decision == Decision::Buy);
        // First what was wanted and could not be bought, then what missed least.
        skipped.sort_by_key(|decided| (!decided.failed.iter().any(|rule| rule.is_of_means()), decided.failed.len()));
        for decided in bought {
            self.bought.push_front(decided);
        }
        self.bought.truncate(BOUGHT);
        if !skipped.is_empty() {
            self.skipped = skipped.into_iter().take(SKIPPED).collect();
        }
    }
}

/// The contracts that trade there.
fn contracts() -> impl Iterator<Item = &'static Shown> {
    // The choosy ones take what the others would buy as well.
    CHOOSY.iter().chain(&SHOWN)
}

/// What strangers sell there.
pub(super) fn kinds() -> Vec<Variant> {
    let mut kinds = Settings::default().variants;
    kinds.extend(Variant::of_phases());
    kinds
}

/// The market in this folder, which opens at this time if there is none yet.
fn market(folder: &Path, seed: u64, at: Timestamp) -> Outcome<PersistentSimulator> {
    let deeds = vec![WorldCommand::PayIn { customer: CUSTOMER.to_owned(), cents: sure(VenueCents::new(CAPITAL))? }];
    let beginning = Beginning { seed, settings: Settings { variants: kinds(), ..simulated::paced(at) }, deeds };
    let folder = WorldFolder::open(folder, &beginning).map_err(|error| unusable(&error))?;
    let world = PersistentSimulator::new(folder);
    // What was lived through again is not to be lived through at every start.
    world.take_snapshot().map_err(|error| unusable(&error))?;
    Ok(world)
}

/// Returns the clock of the market in this folder if it is ahead of `now`. No time passes there while no contract trades.
pub(super) fn clock_ahead(folder: &Path, seed: u64, now: Timestamp) -> Outcome<Option<Arc<dyn MarketClock>>> {
    let world = market(folder, seed, now)?;
    if world.market_now() <= now {
        return Ok(None);
    }
    Ok(Some(Arc::new(world)))
}

/// The desk that trades there.
fn names(workspace_id: WorkspaceId) -> Outcome<Names<'static>> {
    let accounts: Result<Vec<_>, _> = ACCOUNTS.into_iter().map(AccountName::new).collect();
    Ok(Names {
        workspace_id,
        node: sure(Name::new("demo"))?,
        customer: CUSTOMER,
        marketplace: sure(Marketplace::new(MARKET))?,
        accounts: sure(accounts)?,
        currency: None,
    })
}

/// Opens the market in this folder, and puts on record where and by whom it will be traded on, and with whose money.
pub(super) async fn prepare(
    operations: &Operations,
    folder: &Path,
    workspace_id: WorkspaceId,
    seed: u64,
    at: Timestamp,
) -> Outcome {
    let world = market(folder, seed, at)?;
    let pool_id = simulated::fund(operations, workspace_id, Some(DAILY_LIMIT)).await.map_err(simulated::refused)?;
    for shown in contracts() {
        simulated::filter_set(operations, workspace_id, shown).await.map_err(simulated::refused)?;
    }
    let names = names(workspace_id)?;
    sample_records::keep(operations, &world, &names, pool_id).await?;
    require_sign_in(operations, &world, &names).await
}

/// Has the platform ask for a password of the last account, and the engine sign it in: the others are let in without.
async fn require_sign_in(operations: &Operations, world: &PersistentSimulator, names: &Names<'_>) -> Outcome {
    let accounts = simulated::trading_accounts(world, names).await.map_err(simulated::refused)?;
    let Some(TradingAccount { name, address }) = accounts.into_iter().last() else { return Ok(()) };
    let (login_name, password) = (name.to_string(), "simulated".to_owned());
    let secrets = AccountSecrets {
        login_name: Some(login_name.clone().into()),
        password: Some(password.clone().into()),
        ..AccountSecrets::default()
    };
    let sign_in = AccountSignIn { login_name, password, guard: SimulatedGuard::None };
    let required = Request::World(WorldCommand::RequireSignIn { account: address.user, sign_in });
    world.ask(required).await.map_err(simulated::refused)?;
    let (workspace_id, system) = (names.workspace_id, Caller::system());
    let found = operations.account_on_record(&system, AccountOnRecord { workspace_id, name }).await;
    let Some(account) = found.map_err(simulated::refused)? else { return Ok(()) };
    let account_id = account.id;
    let update = UpdateAccount {
        workspace_id,
        account_id,
        trade_token: None,
        capabilities: Vec::new(),
        limits: None,
        chat_enabled: None,
        secrets,
        cancel_strange_offers: None,
        giving_limits: None,
        expected_version: None,
    };
    operations.update_account(&system, update).await.map(drop).map_err(simulated::refused)
}

impl Live {
    /// The market in this folder, which opens at this time if there is none yet, and contracts that are active on it.
    pub(super) async fn open(
        app: &Tradepost,
        folder: &Path,
        workspace_id: WorkspaceId,
        seed: u64,
        at: Timestamp,
    ) -> Outcome<Self> {
        let world = market(folder, seed, at)?;
        let pool_id = simulated::pool_of_shown(app.operations(), workspace_id).await?;
        let contracts = simulated::engage(app.operations(), workspace_id, pool_id, contracts()).await?;
        Ok(Self { world, workspace_id, contracts, pool_id, latest: Arc::default() })
    }

    /// Lets the clock of the market run, so many times as fast as that of the server, and the contracts trade, until the shutdown.
    pub(super) async fn begin(&self, app: &Tradepost, speed: u32) -> Outcome {
        let names = names(self.workspace_id)?;
        let clock = Arc::new(PacedClock { world: self.world.clone(), speed });
        let desk = simulated::desk(&self.world, &names, clock).await.map_err(simulated::refused)?;
        let platform = sure(Name::new(PLATFORM))?;
        let vault = Arc::new(AccountTokens::new(app.operations().clone(), self.workspace_id, platform));
        let desk = simulated::signing_in(desk, &self.world, vault);
        let (world, latest) = (self.world.clone(), self.latest.clone());
        let pace = MarketPace { world, speed, looks: 0, looked_at: Instant::now(), latest };
        let engine = app.engine(desk).await.map_err(simulated::refused)?;
        app.trade(engine, TICK, pace);
        Ok(())
    }

    /// What was decided lately.
    pub(super) fn latest(&self) -> Latest {
        self.latest.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// What time it is at the market.
    pub(super) fn market_time(&self) -> Timestamp {
        self.world.world(tradepost_adapters_simulator::World::now)
    }
}

/// The clock of the market, with the speed at which passes advance it.
struct PacedClock {
    world: PersistentSimulator,
    speed: u32,
}

impl MarketClock for PacedClock {
    fn market_now(&self) -> Timestamp {
        self.world.market_now()
    }

    fn market_elapsed(&self) -> Real {
        self.world.market_elapsed()
    }

    fn kind(&self) -> MarketKind {
        self.world.kind()
    }

    fn speed(&self) -> u32 {
        self.speed
    }
}

/// Advances the market before each pass, and keeps what the pass decided.
struct MarketPace {
    world: PersistentSimulator,
    /// How many times as fast as the server's clock the market's runs.
    speed: u32,
    looks: u32,
    looked_at: Instant,
    latest: Arc<Mutex<Latest>>,
}

impl PassObserver for MarketPace {
    fn before_pass(&mut self) {
        self.looks = self.looks.wrapping_add(1);
        let step = self.looked_at.elapsed().min(MADE_UP_FOR).saturating_mul(self.speed);
        self.looked_at = Instant::now();
        let kept = if self.looks.is_multiple_of(SNAPSHOT) { self.world.take_snapshot() } else { Ok(()) };
        let step = Duration::try_from(step).unwrap_or(Duration::ZERO);
        if let Err(error) = kept.and_then(|()| self.world.advance(step)) {
            tracing::warn!(%error, "the simulated market stalls");
        }
    }

    fn after_pass(&mut self, pass: Pass) {
        self.latest.lock().unwrap_or_else(PoisonError::into_inner).add(pass.decisions);
    }
}

fn unusable(error: &FolderError) -> Failure {
    Failure::new(Exit::Unavailable, "cannot use the market of the demo")
        .because(error)
        .with_try("check that the disk has room, or begin another demo: tradepost demo --keep DIR")
}
