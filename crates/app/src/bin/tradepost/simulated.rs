//! Trading in a simulated world: the desk over whatever line reaches the world, and the market and contracts of those who only
//! show how it goes.

use std::collections::BTreeMap;
use std::fmt::Display;
use std::sync::Arc;

use time::Duration;
use tradepost::Tradepost;
use tradepost::domain::contracts::contract::{ApprovalMode, Contract, ContractStatus, PriceStatistic};
use tradepost::domain::contracts::ledger::Account;
use tradepost::domain::id::{ContractId, FilterSetId, PoolId, WorkspaceId};
use tradepost::domain::money::Currency;
use tradepost::domain::text::{AccountName, Marketplace, Name};
use tradepost::domain::time::Timestamp;
use tradepost::domain::trading::trade::TradeAddress;
use tradepost::engine::{Desk, TradingAccount, Venue};
use tradepost::operations::contracts::{
    ActivateContract, AdjustPoolFunds, BuyingLimits, ContractTerms, CreateContract, CreatePool, FilterFeatures,
    FilterRules, FilterSticker, GetContracts, GetPoolBalance, GetPools, LimitsOfPool, ListContracts, ListPools,
    PriceSource, SellingLimits, UndercutBy,
};
use tradepost::operations::{Caller, OpResult, Operations};
use tradepost::ports::clock::MarketClock;
use tradepost::ports::game_platform::sessions::TokenVault;
use tradepost::ports::marketplace::MarketTraits;
use tradepost::ports::price_source::PriceSource as Prices;
use tradepost_adapters_simulator::{
    Request, Settings, SimulatedMarketplace, SimulatedPlatform, SimulatedPrices, SimulatedRates, SimulatedSessions,
    SimulatedSocial, Spread, WorldCommand, WorldTransport, WorldTransportError,
};

use crate::failure::{Exit, Failure, Outcome};
use crate::sample_records;

/// The customer of the simulated marketplace, and the marketplace's name on contracts.
pub(crate) const CUSTOMER: &str = "desk";
pub(crate) const MARKET: &str = "simulated";
/// The names of the indexes of prices: two of them and the marketplace are three sources, of which none sets the value alone.
pub(crate) const INDEXES: [&str; 2] = ["index", "guide"];
/// What the desk of those who only show it has to trade with, in cents.
pub(crate) const CAPITAL: i64 = 1_000_000;
/// What the contracts of the demo spend of it on a day of the market at most. An item comes back as money after about ten days, so that half
/// of the capital is left for the contracts of a person who tries the demo.
pub(crate) const DAILY_LIMIT: i64 = CAPITAL / 20;
/// The name of the pool that it is in.
const POOL: &str = "Simulated";
/// The filter set of the contracts of [`SHOWN`] that buy: what costs a few cents is not worth its fees.
const WORTH_ITS_FEES: Picks = Picks {
    filter_set: "Live: from 1.00 on",
    rules: || FilterRules { price_min_cents: Some(100), ..FilterRules::default() },
};
/// How far the clock of a market at the pace of a show is moved between two looks of the engine.
pub(crate) const STEP: Duration = Duration::minutes(30);
/// As many as the operations give at once.
const PAGE: i32 = 200;

/// The desk that trades, and its names.
pub(crate) struct Names<'a> {
    pub(crate) workspace_id: WorkspaceId,
    /// The name of this process among those that trade for the workspace, the same at every start.
    pub(crate) node: Name,
    /// The customer of the marketplace.
    pub(crate) customer: &'a str,
    /// The marketplace's name on contracts.
    pub(crate) marketplace: Marketplace,
    /// The currency of the world's prices; `None` where it is that of the workspace.
    pub(crate) currency: Option<Currency>,
    /// The names of the trading accounts; in the world they are those of the customer in the order in which they were opened.
    pub(crate) accounts: Vec<AccountName>,
}

/// The trading accounts of a customer, which are opened where there are too few.
pub(crate) async fn trading_accounts<L: WorldTransport>(
    line: &L,
    names: &Names<'_>,
) -> Result<Vec<TradingAccount>, WorldTransportError> {
    let addresses = accounts(line, names.customer, names.accounts.len()).await?;
    let accounts = names.accounts.iter().cloned().zip(addresses);
    Ok(accounts.map(|(name, address)| TradingAccount { name, address }).collect())
}

/// The desk of a customer, by the clock of the world.
pub(crate) async fn desk<L: WorldTransport>(
    line: &L,
    names: &Names<'_>,
    clock: Arc<dyn MarketClock>,
) -> Result<Desk, WorldTransportError> {
    let customer = names.customer.to_owned();
    let index = |name: &&str| -> Result<Arc<dyn Prices>, WorldTransportError> {
        let name = Marketplace::new(name).map_err(|error| WorldTransportError::NoAnswer(error.to_string()))?;
        Ok(Arc::new(SimulatedPrices::new(line.clone(), name).in_currency(names.currency)))
    };
    Ok(Desk {
        workspace_id: names.workspace_id,
        clock,
        node: names.node.clone(),
        accounts: trading_accounts(line, names).await?,
        venues: vec![Venue {
            name: names.marketplace.clone(),
            marketplace: Arc::new(SimulatedMarketplace::new(line.clone(), customer).with_traits(traits(line).await?)),
            currency: names.currency,
        }],
        platform: Arc::new(SimulatedPlatform::new(line.clone())),
        social: Some(Arc::new(SimulatedSocial::new(line.clone()))),
        sessions: None,
        price_sources: INDEXES.iter().map(index).collect::<Result<_, _>>()?,
        rates: Some(Arc::new(SimulatedRates::new(line.clone()))),
        drivers: BTreeMap::new(),
    })
}

/// The same desk, which signs accounts in where the platform asks for it, and calls it with their tokens.
pub(crate) fn signing_in<L: WorldTransport>(desk: Desk, line: &L, vault: Arc<dyn TokenVault>) -> Desk {
    Desk {
        platform: Arc::new(SimulatedPlatform::new(line.clone()).with_vault(Arc::clone(&vault))),
        social: Some(Arc::new(SimulatedSocial::new(line.clone()).with_vault(vault))),
        sessions: Some(Arc::new(SimulatedSessions::new(line.clone()))),
        ..desk
    }
}

/// How the marketplace of a world works.
async fn traits<L: WorldTransport>(line: &L) -> Result<MarketTraits, WorldTransportError> {
    line.ask(Request::World(WorldCommand::Traits)).await?.try_into().map_err(|_| misunderstood())
}

/// The first trading accounts of a customer. Asked for again once some were opened: another process may have opened
/// others since, and all processes must take the same.
async fn accounts<L: WorldTransport>(
    line: &L,
    customer: &str,
    wanted: usize,
) -> Result<Vec<TradeAddress>, WorldTransportError> {
    let known = Request::World(WorldCommand::Accounts { customer: customer.to_owned() });
    let there = addresses(line.ask(known.clone()).await?)?;
    for _ in there.len()..wanted {
        line.ask(Request::World(WorldCommand::OpenAccount { customer: customer.to_owned() })).await?;
    }
    addresses(line.ask(known).await?)
}

fn addresses(answer: tradepost_adapters_simulator::Answer) -> Result<Vec<TradeAddress>, WorldTransportError> {
    answer.try_into().map_err(|_| misunderstood())
}

fn misunderstood() -> WorldTransportError {
    WorldTransportError::NoAnswer("it answered something else than was asked".to_owned())
}

/// A market at the pace of a show: what takes an hour elsewhere must take several looks of the engine.
pub(crate) fn paced(start: Timestamp) -> Settings {
    const HOUR: u32 = 3_600;
    Settings {
        start,
        next_listing: Spread::new(HOUR / 12, HOUR / 2),
        delivery_deadline: 6 * HOUR,
        refund: HOUR,
        ..Settings::default()
    }
}

/// A contract to show.
pub(crate) struct Shown {
    pub(crate) name: &'static str,
    terms: fn() -> ContractTerms,
    /// What it buys; nothing for one that sells.
    picks: Option<Picks>,
}

/// A filter set.
struct Picks {
    filter_set: &'static str,
    rules: fn() -> FilterRules,
}

/// From now on providers can be made for the simulator.
pub(crate) fn offer_driver(app: &Tradepost) -> Outcome {
    let driver = tradepost_adapters_simulator::driver();
    app.operations().offer_driver(driver.map_err(|error| Failure::new(Exit::Failed, "no driver").because(error))?);
    Ok(())
}

/// The contracts of a desk that shows how trading goes.
pub(crate) static SHOWN: [Shown; 3] = [
    Shown { name: "Live: 8 % below value", terms: || buying(800, 20_000), picks: Some(WORTH_ITS_FEES) },
    Shown { name: "Live: 5 % below value, up to 30.00", terms: || buying(500, 3_000), picks: Some(WORTH_ITS_FEES) },
    Shown { name: "Live: sell at value", terms: selling, picks: None },
];

/// Contracts that choose by what is special about an item: its phase, a sticker, a charm.
pub(crate) static CHOOSY: [Shown; 3] = [
    Shown {
        name: "Live: Doppler of Phase 2, and Emerald",
        terms: || buying(200, 25_000),
        picks: Some(Picks {
            filter_set: "Live: Phase 2 and Emerald",
            rules: || having(FilterFeatures { phases: texts(&["Phase 2", "Emerald"]), ..FilterFeatures::default() }),
        }),
    },
    Shown {
        name: "Live: with a Crown",
        terms: || buying(200, 10_000),
        picks: Some(Picks { filter_set: "Live: Crown (Foil) on it", rules: || having(with_sticker(CROWN)) }),
    },
    Shown {
        name: "Live: with a charm",
        terms: || buying(200, 10_000),
        picks: Some(Picks {
            filter_set: "Live: charm on it",
            rules: || having(FilterFeatures { charms: texts(&CHARMS), ..FilterFeatures::default() }),
        }),
    },
];

const CROWN: &str = "Sticker | Crown (Foil)";
const CHARMS: [&str; 2] = ["Charm | Lil' Ava", "Charm | Hot Sauce"];

fn having(features: FilterFeatures) -> FilterRules {
    FilterRules { features, price_min_cents: Some(100), ..FilterRules::default() }
}

fn with_sticker(name: &str) -> FilterFeatures {
    let sticker = FilterSticker { name: name.to_owned(), min_count: None, max_wear: None };
    FilterFeatures { stickers: vec![sticker], ..FilterFeatures::default() }
}

fn texts(of: &[&str]) -> Vec<String> {
    of.iter().map(|text| (*text).to_owned()).collect()
}

/// These contracts, created and activated where they are not yet: the process that made some may have been killed.
pub(crate) async fn engage(
    operations: &Operations,
    workspace_id: WorkspaceId,
    pool_id: Option<PoolId>,
    all: impl Iterator<Item = &'static Shown>,
) -> Outcome<Vec<ContractId>> {
    let (system, mut engaged) = (Caller::system(), Vec::new());
    let known = contracts(operations, workspace_id).await.map_err(refused)?;
    for shown in all {
        let (id, status) = if let Some(contract) = known.iter().find(|contract| shown.is(contract)) {
            (contract.id, contract.status)
        } else {
            let filter_set_id = filter_set(operations, workspace_id, shown).await.map_err(refused)?;
            let drafted = draft(shown, workspace_id, pool_id.filter(|_| shown.buys()), filter_set_id);
            let contract = operations.create_contract(&system, drafted).await.map_err(refused)?.value;
            (contract.id, contract.status)
        };
        if status == ContractStatus::Draft {
            let activate = ActivateContract { workspace_id, contract_id: id, expected_version: None };
            operations.activate_contract(&system, activate).await.map_err(refused)?;
        }
        engaged.push(id);
    }
    Ok(engaged)
}

/// The filter set of a contract.
pub(crate) async fn filter_set(
    operations: &Operations,
    workspace_id: WorkspaceId,
    shown: &Shown,
) -> OpResult<Option<FilterSetId>> {
    let Some(Picks { filter_set, rules }) = &shown.picks else { return Ok(None) };
    sample_records::filter_set(operations, workspace_id, filter_set, rules()).await.map(Some)
}

/// The pool from which the contracts of [`SHOWN`] buy: that of those that are there, or else one with money.
pub(crate) async fn pool_of_shown(operations: &Operations, workspace_id: WorkspaceId) -> Outcome<Option<PoolId>> {
    let known = contracts(operations, workspace_id).await.map_err(refused)?;
    let mut buying = SHOWN.iter().filter(|shown| shown.buys());
    match buying.find_map(|shown| known.iter().find(|contract| shown.is(contract))) {
        Some(contract) => Ok(contract.pool_id),
        None => fund(operations, workspace_id, Some(DAILY_LIMIT)).await.map(Some).map_err(refused),
    }
}

/// A pool with what was paid in at the marketplace. The process that made it may have been killed before it had money.
pub(crate) async fn fund(
    operations: &Operations,
    workspace_id: WorkspaceId,
    daily_limit_cents: Option<i64>,
) -> OpResult<PoolId> {
    let system = Caller::system();
    let pool_id = match pool(operations, workspace_id).await? {
        Some(known) => known,
        None => operations.create_pool(&system, new_pool(workspace_id, daily_limit_cents)).await?.value.id,
    };
    let balance = operations.get_pool_balance(&system, GetPoolBalance { workspace_id, pool_id }).await?;
    if balance.value.of(Account::Capital).get() == 0 {
        let reason = "paid in at the marketplace".to_owned();
        let command = AdjustPoolFunds { workspace_id, pool_id, delta_cents: CAPITAL, reason, expected_version: None };
        operations.adjust_pool_funds(&system, command).await?;
    }
    Ok(pool_id)
}

fn new_pool(workspace_id: WorkspaceId, daily_limit_cents: Option<i64>) -> CreatePool {
    let limits = LimitsOfPool {
        // What its contracts may spend in all, as the money comes back and is spent again.
        budget_cents: CAPITAL * 100,
        max_per_purchase_cents: None,
        max_exposure_per_item_cents: None,
        daily_limit_cents,
    };
    CreatePool { workspace_id, name: POOL.to_owned(), currency: "USD".to_owned(), limits }
}

async fn pool(operations: &Operations, workspace_id: WorkspaceId) -> OpResult<Option<PoolId>> {
    let system = Caller::system();
    let list = ListPools { workspace_id, limit: PAGE, cursor: String::new(), status: None };
    let pool_ids = operations.list_pools(&system, list).await?.entries;
    if pool_ids.is_empty() {
        return Ok(None);
    }
    let found = operations.get_pools(&system, GetPools { workspace_id, pool_ids }).await?.found;
    Ok(found.into_iter().find(|pool| pool.value.name.as_str() == POOL).map(|pool| pool.value.id))
}

/// The contracts of a workspace.
async fn contracts(operations: &Operations, workspace_id: WorkspaceId) -> OpResult<Vec<Contract>> {
    let (system, mut found, mut cursor) = (Caller::system(), Vec::new(), String::new());
    loop {
        let list = ListContracts { workspace_id, limit: PAGE, cursor, contract_type: None, status: None };
        let page = operations.list_contracts(&system, list).await?;
        if !page.entries.is_empty() {
            let get = GetContracts { workspace_id, contract_ids: page.entries };
            found.extend(operations.get_contracts(&system, get).await?.found.into_iter().map(|one| one.value));
        }
        if page.next_cursor.is_empty() {
            return Ok(found);
        }
        cursor = page.next_cursor;
    }
}

impl Shown {
    fn is(&self, contract: &Contract) -> bool {
        contract.name.as_str() == self.name
    }

    fn buys(&self) -> bool {
        matches!((self.terms)(), ContractTerms::Buying(_))
    }
}

fn draft(
    shown: &Shown,
    workspace_id: WorkspaceId,
    pool_id: Option<PoolId>,
    filter_set_id: Option<FilterSetId>,
) -> CreateContract {
    CreateContract {
        workspace_id,
        name: shown.name.to_owned(),
        terms: (shown.terms)(),
        filter_set_id,
        pool_id,
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

/// Sells a cent below the next one, and with a profit.
fn selling() -> ContractTerms {
    ContractTerms::Selling(SellingLimits {
        floor_price_cents: Some(1),
        min_margin_bps: Some(200),
        undercut: Some(UndercutBy::Cents(1)),
        ..SellingLimits::default()
    })
}

/// What is refused while a desk is set up that only shows how trading goes is a mistake in it.
pub(crate) fn refused(error: impl Display) -> Failure {
    Failure::new(Exit::Failed, "the desk in the simulated world cannot be set up").because(error)
}
