//! `tradepost sim run`: contracts trade through days of a simulated world at full speed, in one process and on the world's clock.
//! Nothing is kept; at the end our ledger is compared with the world's.

use std::path::Path;
use std::sync::Arc;

use time::Duration;
use tokio_util::sync::CancellationToken;
use tradepost::Tradepost;
use tradepost::domain::accounts::email::EmailAddress;
use tradepost::domain::contracts::purchase::PurchaseStatus;
use tradepost::domain::id::{PoolId, WorkspaceId};
use tradepost::domain::money::{Currency, VenueCents};
use tradepost::domain::text::{AccountName, Marketplace, Name};
use tradepost::domain::time::Timestamp;
use tradepost::engine::{Engine, EngineError, Pass};
use tradepost::operations::accounts::{Bootstrap, SetTradingHalt};
use tradepost::operations::contracts::{CountPurchases, WantedPurchases};
use tradepost::operations::{Caller, OpResult};
use tradepost::ports::clock::{Clock, MarketClock as _};
use tradepost::sql::{DatabaseSettings, Durability, SqliteSettings};
use tradepost_adapters_simulator::{Settings, Simulator, World};

use super::scenarios::SCENARIOS;
use crate::bootstrap::random_password;
use crate::cli::sim::SimRun;
use crate::failure::{Exit, Failure, Outcome, chain};
use crate::simulated::{self, CAPITAL, CUSTOMER, MARKET, Names, SHOWN, STEP, refused};
use crate::{progress, sample_records};

const ACCOUNTS: [&str; 2] = ["bot-1", "bot-2"];
/// After so many steps the run no longer waits for uncertain purchases.
const SETTLING: u32 = 96;

/// A desk in a world of its own.
pub(super) struct Run {
    pub(super) app: Tradepost,
    pub(super) simulator: Simulator,
    pub(super) workspace_id: WorkspaceId,
    pub(super) pool_id: PoolId,
    pub(super) began: Timestamp,
    pub(super) passes: u32,
    /// The currency of the world's prices, where it is not ours.
    pub(super) currency: Option<Currency>,
}

impl Run {
    /// Sets up the world that `wanted` names, and a desk in it.
    pub(super) async fn open(folder: &Path, wanted: &SimRun) -> Outcome<Self> {
        let mut world = World::new(wanted.seed, simulated::paced(Settings::default().start));
        world.pay_in(CUSTOMER, VenueCents::new(CAPITAL).map_err(refused)?);
        let scenario = SCENARIOS.iter().find(|scenario| scenario.name == wanted.scenario);
        if let Some(scenario) = scenario {
            scenario.schedule(&mut world, wanted.days);
        }
        let currency = scenario.and_then(|scenario| scenario.currency);
        let currency = currency.map(Currency::new).transpose().map_err(refused)?;
        let simulator = Simulator::new(world);
        let app = build(folder, &simulator).await?;
        simulated::offer_driver(&app)?;
        let workspace_id = found(&app).await?;
        let pool_id = simulated::fund(app.operations(), workspace_id, None).await.map_err(refused)?;
        let run = Self { began: simulator.market_now(), app, simulator, workspace_id, pool_id, passes: 0, currency };
        sample_records::keep(run.app.operations(), &run.simulator, &run.names()?, pool_id).await?;
        simulated::engage(run.app.operations(), workspace_id, Some(pool_id), SHOWN.iter()).await?;
        Ok(run)
    }

    /// The desk that trades in it.
    fn names(&self) -> Outcome<Names<'static>> {
        let accounts: Result<Vec<_>, _> = ACCOUNTS.into_iter().map(AccountName::new).collect();
        Ok(Names {
            workspace_id: self.workspace_id,
            node: Name::new("run").map_err(refused)?,
            customer: CUSTOMER,
            marketplace: Marketplace::new(MARKET).map_err(refused)?,
            accounts: accounts.map_err(refused)?,
            currency: self.currency,
        })
    }

    /// Trades to the last day, and until no purchase is uncertain.
    pub(super) async fn trade(&mut self, wanted: &SimRun, quiet: bool, stop: &CancellationToken) -> Outcome {
        let mut engine = self.engine().await?;
        let bar = progress::bar(quiet, wanted.days.into(), "  {bar:40} day {pos} of {len}, {eta} left");
        let until = self.began.plus(Duration::days(i64::from(wanted.days)));
        while self.simulator.market_now() < until {
            if stop.is_cancelled() {
                return Err(Failure::new(Exit::Failed, "the run was stopped before its end"));
            }
            self.simulator.advance(STEP);
            self.pass(&mut engine).await;
            bar.set_position(u64::try_from(self.simulator.market_now().since(self.began).whole_days()).unwrap_or(0));
        }
        drop(bar);
        self.settle(&mut engine).await
    }

    async fn engine(&self) -> Outcome<Engine> {
        let desk = simulated::desk(&self.simulator, &self.names()?, Arc::new(self.simulator.clone()))
            .await
            .map_err(refused)?;
        let engine = self.app.engine(desk).await.map_err(refused)?;
        Ok(engine.sequential())
    }

    async fn pass(&mut self, engine: &mut Engine) -> Pass {
        self.passes += 1;
        engine.pass().await
    }

    /// Buys nothing more, and goes on until it is known of every purchase what it costs.
    async fn settle(&mut self, engine: &mut Engine) -> Outcome {
        let halt = SetTradingHalt { workspace_id: self.workspace_id, halted: true, reason: "the end".to_owned() };
        self.app.operations().set_trading_halt(&Caller::system(), halt).await.map_err(refused)?;
        for step in 0..=SETTLING {
            let pass = self.pass(engine).await;
            let is_quiet = !pass.errors.iter().any(is_outside) && !self.is_in_doubt().await.map_err(refused)?;
            if is_quiet || step == SETTLING {
                break;
            }
            self.simulator.advance(STEP);
        }
        Ok(())
    }

    async fn is_in_doubt(&self) -> OpResult<bool> {
        use PurchaseStatus::{Pending, Submitted, Uncertain};
        let count =
            CountPurchases { workspace_id: self.workspace_id, contract_id: None, wanted: WantedPurchases::default() };
        let counted = self.app.operations().count_purchases(&Caller::system(), count).await?;
        Ok(counted.iter().any(|one| one.count > 0 && [Pending, Submitted, Uncertain].contains(&one.status)))
    }
}

/// Whether it is the outside that did not answer.
fn is_outside(trouble: &EngineError) -> bool {
    matches!(
        trouble,
        EngineError::Marketplace(_)
            | EngineError::Platform(_)
            | EngineError::Social(_)
            | EngineError::AccountUnreadable
            | EngineError::Prices(_)
            | EngineError::Rates(_)
    )
}

/// The server of a run lives in the time of its world, so that equal runs come to the same.
struct ServerTime(Simulator);

impl Clock for ServerTime {
    fn now(&self) -> Timestamp {
        self.0.market_now()
    }

    fn elapsed(&self) -> std::time::Duration {
        self.0.market_elapsed()
    }
}

async fn build(folder: &Path, simulator: &Simulator) -> Outcome<Tradepost> {
    let database =
        SqliteSettings { durability: Durability::ProcessOnly, ..SqliteSettings::at(folder.join("tradepost.db")) };
    let built = Tradepost::builder()
        .database(DatabaseSettings::Sqlite(database))
        .root_secret_file(folder.join("root-secret"))
        .clock(Arc::new(ServerTime(simulator.clone())))
        .build();
    built.await.map_err(|error| Failure::new(Exit::Failed, "the run cannot be set up").because(chain(&error)))
}

async fn found(app: &Tradepost) -> Outcome<WorkspaceId> {
    let order = Bootstrap {
        email: EmailAddress::new("owner@example.com").map_err(refused)?,
        display_name: Name::new("Owner").map_err(refused)?,
        password: random_password(),
        workspace: Name::new("Simulated").map_err(refused)?,
        key_name: Name::new("First key").map_err(refused)?,
        key: None,
        setup_link: false,
    };
    let made = app.operations().bootstrap(&Caller::system(), order).await.map_err(refused)?;
    made.map(|made| made.workspace.id).ok_or_else(|| refused("its database is not new"))
}
