//! The part of the demo that trades: contracts on a simulated market, whose clock runs so fast that a week passes in minutes.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration as Real;

use time::Duration;
use tradepost::Tradepost;
use tradepost::domain::contract::{ApprovalMode, PriceStatistic};
use tradepost::domain::id::{ContractId, WorkspaceId};
use tradepost::domain::money::Cents;
use tradepost::domain::text::{AccountName, Marketplace, Name};
use tradepost::domain::time::Timestamp;
use tradepost::engine::{Decided, Desk, TradingAccount, Venue};
use tradepost::operations::contracts::{
    ActivateContract, BuyingLimits, ContractTerms, CreateContract, PriceSource, SellingLimits, UndercutBy,
};
use tradepost::operations::{Caller, Operations};
use tradepost_adapters_simulator::{Settings, Simulator, Spread, World};

use super::{refused, sure};
use crate::failure::Outcome;

/// How often the engine looks, and the simulated clock is moved.
const TICK: Real = Real::from_millis(100);
/// How far it is moved: a week passes in half a minute.
const STEP: Duration = Duration::minutes(30);
/// The customer of the simulated marketplace, and the marketplace's name on contracts.
const CUSTOMER: &str = "desk";
const MARKET: &str = "simulated";
/// What the desk has to trade with, in cents.
const CAPITAL: i64 = 1_000_000;
const ACCOUNTS: [&str; 2] = ["live-1", "live-2"];

/// A market, and the contracts that trade there.
pub(super) struct Live {
    simulator: Simulator,
    accounts: Vec<TradingAccount>,
    pub(super) workspace_id: WorkspaceId,
    pub(super) contracts: Vec<ContractId>,
    latest: Arc<Mutex<Vec<Decided>>>,
}

impl Live {
    /// A market that opens at this time, and contracts at work on it.
    pub(super) async fn open(
        operations: &Operations,
        workspace_id: WorkspaceId,
        (seed, at): (u64, Timestamp),
    ) -> Outcome<Self> {
        let mut world = World::new(seed, paced(at));
        world.pay_in(CUSTOMER, sure(Cents::new(CAPITAL))?);
        let mut accounts = Vec::new();
        for name in ACCOUNTS {
            let address = world.open_account(CUSTOMER);
            accounts.push(TradingAccount { name: sure(AccountName::new(name))?, address });
        }
        let mut live = Self {
            simulator: Simulator::new(world),
            accounts,
            workspace_id,
            contracts: Vec::new(),
            latest: Arc::default(),
        };
        live.engage(operations, "Live: 8 % below value", buying(800, 20_000)).await?;
        live.engage(operations, "Live: 5 % below value, up to 30.00", buying(500, 3_000)).await?;
        live.engage(operations, "Live: sell at value", selling()).await?;
        Ok(live)
    }

    async fn engage(&mut self, operations: &Operations, name: &str, terms: ContractTerms) -> Outcome {
        let (workspace_id, system) = (self.workspace_id, Caller::system());
        let draft = CreateContract {
            workspace_id,
            name: name.to_owned(),
            terms,
            filter_set_id: None,
            pool_id: None,
            approval_mode: ApprovalMode::Automatic,
            marketplaces: vec![MARKET.to_owned()],
            price_reference: Some(PriceSource {
                sources: Vec::new(),
                statistic: PriceStatistic::Median,
                max_age_seconds: Some(3_600),
                min_confidence_bps: Some(5_000),
            }),
            starts_at: None,
            ends_at: None,
        };
        let contract_id = operations.create_contract(&system, draft).await.map_err(refused)?.value.id;
        let activate = ActivateContract { workspace_id, contract_id, expected_version: None };
        operations.activate_contract(&system, activate).await.map_err(refused)?;
        self.contracts.push(contract_id);
        Ok(())
    }

    /// Lets the clock of the market run and the contracts trade, until the shutdown.
    pub(super) fn begin(&self, app: &Tradepost) -> Outcome {
        let clock = Arc::new(self.simulator.clone());
        let venue = Venue {
            name: sure(Marketplace::new(MARKET))?,
            marketplace: Arc::new(self.simulator.marketplace(CUSTOMER)),
        };
        let desk = Desk {
            workspace_id: self.workspace_id,
            node: sure(Name::new("demo"))?,
            accounts: self.accounts.clone(),
            venues: vec![venue],
            platform: Arc::new(self.simulator.platform()),
            price_sources: vec![Arc::new(self.simulator.prices(sure(Marketplace::new("index"))?))],
        };
        let (latest, simulator) = (self.latest.clone(), self.simulator.clone());
        app.trade(app.engine(desk, clock), TICK, move |pass| {
            simulator.advance(STEP);
            if !pass.decisions.is_empty() {
                *latest.lock().unwrap_or_else(PoisonError::into_inner) = pass.decisions;
            }
        });
        Ok(())
    }

    /// The decisions of the latest pass that made any.
    pub(super) fn decisions(&self) -> Vec<Decided> {
        self.latest.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// What can be spent at the marketplace.
    pub(super) fn balance(&self) -> Cents {
        self.simulator.world(|world| world.balance_of(CUSTOMER))
    }

    /// What time it is at the market.
    pub(super) fn market_time(&self) -> Timestamp {
        self.simulator.world(|world| world.now())
    }
}

/// A market at the pace of the demo: what takes an hour elsewhere must take several looks of the engine.
fn paced(start: Timestamp) -> Settings {
    const HOUR: u32 = 3_600;
    Settings {
        start,
        next_listing: Spread::new(HOUR / 12, HOUR / 2),
        delivery_deadline: 6 * HOUR,
        refund: HOUR,
        ..Settings::default()
    }
}

/// Buys what is so far below its value.
fn buying(discount_bps: i64, most: i64) -> ContractTerms {
    ContractTerms::Buying(BuyingLimits {
        target_quantity: Some(10_000),
        max_buy_price_cents: Some(most),
        budget_cents: Some(CAPITAL * 100),
        min_discount_bps: Some(discount_bps),
        max_open_purchases: Some(10),
        ..BuyingLimits::default()
    })
}

/// Sells at what things are worth, or a cent below the next one.
fn selling() -> ContractTerms {
    ContractTerms::Selling(SellingLimits {
        floor_price_cents: Some(1),
        undercut: Some(UndercutBy::Cents(1)),
        ..SellingLimits::default()
    })
}
