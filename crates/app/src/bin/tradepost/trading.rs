//! Trading in simulated worlds that other processes serve: for the desk that the settings name, and for those that workspaces have on record.
//! A game platform on record can also be Steam, if the settings admit that it is called.

use std::collections::BTreeMap;
use std::slice;
use std::sync::Arc;
use std::time::Duration;

use reqwest::Url;
use tokio_util::sync::CancellationToken;
use tradepost::domain::accounts::access::Principal;
use tradepost::domain::accounts::workspace::{MarketKind, Workspace};
use tradepost::domain::id::WorkspaceId;
use tradepost::domain::markets::provider::ProviderKind;
use tradepost::domain::money::Currency;
use tradepost::domain::text::{AccountName, Marketplace, Name};
use tradepost::engine::{Desk, EngineTimings, SafeTimings};
use tradepost::operations::OpResult;
use tradepost::outside::EgressError;
use tradepost::ports::connector::Connector;
use tradepost::ports::store::StoreError;
use tradepost::{PassLog, RecordedDesks, Tradepost};
use tradepost_adapters_simulator::{ConnectError, RemoteSimulator, WorldConnector};
use tradepost_adapters_steam::SteamConnector;

use crate::assembly;
use crate::failure::{Exit, Failure, Outcome};
use crate::sample_records;
use crate::settings::{Loaded, Trading};
use crate::simulated::{self, Names};

/// When to come back to a world that is not there.
const TRY_AGAIN: Duration = Duration::from_secs(1);

/// How engines run, as the settings have it.
struct Pace {
    node: Name,
    every: Duration,
    timings: SafeTimings,
}

/// A desk as the settings have it.
struct DeskSettings {
    simulator: String,
    workspace_id: Option<WorkspaceId>,
    customer: String,
    marketplace: Marketplace,
    currency: Option<Currency>,
    accounts: Vec<AccountName>,
    pace: Pace,
}

/// What the settings say of trading.
struct Wanted {
    /// The desk that they name, if they name one.
    desk: Option<DeskSettings>,
    /// Connects the providers that workspaces have on record: one connector for each driver whose systems the settings name.
    connectors: Vec<Arc<dyn Connector>>,
    /// Why Steam is not called, if it is not.
    without_steam: Option<EgressError>,
}

/// Checks the settings of trading. Makes no call.
pub(crate) fn check(loaded: &Loaded) -> Outcome {
    wanted(loaded).map(drop)
}

fn wanted(loaded: &Loaded) -> Outcome<Wanted> {
    let trading = &loaded.settings.trading;
    let desk = trading.simulator.as_deref().map(|simulator| desk(loaded, simulator)).transpose()?;
    let worlds = worlds(loaded)?;
    let mut connectors: Vec<Arc<dyn Connector>> = Vec::new();
    if !worlds.is_empty() {
        connectors.push(Arc::new(WorldConnector::new(worlds).map_err(assembly::no_connector)?));
    }
    let without_steam = match assembly::steam_connector(loaded)? {
        Ok(connector) => {
            connectors.push(Arc::new(connector));
            None
        }
        Err(reason) => Some(reason),
    };
    if !connectors.is_empty() {
        pace(loaded)?;
    }
    Ok(Wanted { desk, connectors, without_steam })
}

fn wrong(loaded: &Loaded, key: &str, rule: String, advice: &str) -> Failure {
    loaded.wrong(&format!("trading.{key}"), rule, advice)
}

fn check_address(loaded: &Loaded, key: &str, address: &str) -> Outcome {
    let advice = "give the address that `tradepost sim serve` prints, such as http://127.0.0.1:8090";
    match Url::parse(address) {
        Ok(url) if url.scheme() == "http" => Ok(()),
        Ok(_) => Err(wrong(loaded, key, "must begin with http://".to_owned(), advice)),
        Err(error) => Err(wrong(loaded, key, format!("is not an address: {error}"), advice)),
    }
}

/// The worlds that providers can name.
fn worlds(loaded: &Loaded) -> Outcome<BTreeMap<Name, String>> {
    let mut found = BTreeMap::new();
    for (name, address) in &loaded.settings.trading.worlds {
        let key = format!("worlds.{name}");
        check_address(loaded, &key, address)?;
        let name = Name::new(name).map_err(|error| wrong(loaded, &key, error.to_string(), "choose another name"))?;
        found.insert(name, address.clone());
    }
    Ok(found)
}

fn pace(loaded: &Loaded) -> Outcome<Pace> {
    let trading = &loaded.settings.trading;
    let interval = trading.interval_milliseconds;
    if !(10..=600_000).contains(&interval) {
        let (rule, advice) = ("must be 10 to 600000".to_owned(), "give it in milliseconds, such as 1000");
        return Err(wrong(loaded, "interval_milliseconds", rule, advice));
    }
    let advice = "remove the setting, or set a value near its default";
    let timings = timings(trading).map_err(|(key, rule)| wrong(loaded, key, rule, advice))?;
    let node = Name::new(&trading.node);
    let node = node.map_err(|error| wrong(loaded, "node", error.to_string(), "correct it there"))?;
    Ok(Pace { node, every: Duration::from_millis(u64::from(interval)), timings })
}

fn desk(loaded: &Loaded, simulator: &str) -> Outcome<DeskSettings> {
    let trading = &loaded.settings.trading;
    check_address(loaded, "simulator", simulator)?;
    let refused = |key: &str, error: &dyn std::fmt::Display| wrong(loaded, key, error.to_string(), "correct it there");
    let workspace_id = trading.workspace.as_deref().map(str::parse).transpose();
    let accounts: Result<Vec<_>, _> = trading.accounts.iter().map(|name| AccountName::new(name)).collect();
    let currency = trading.currency.as_deref().map(Currency::new).transpose();
    let wanted = DeskSettings {
        simulator: simulator.to_owned(),
        workspace_id: workspace_id.map_err(|error| refused("workspace", &error))?,
        customer: trading.customer.clone(),
        marketplace: Marketplace::new(&trading.marketplace).map_err(|error| refused("marketplace", &error))?,
        currency: currency.map_err(|error| refused("currency", &error))?,
        accounts: accounts.map_err(|error| refused("accounts", &error))?,
        pace: pace(loaded)?,
    };
    if wanted.accounts.is_empty() {
        return Err(loaded.missing("trading.accounts", "trading.simulator"));
    }
    Ok(wanted)
}

/// A setting of the engine's timings.
struct TimingSetting {
    key: &'static str,
    value: u32,
    apply: fn(&mut EngineTimings, u32),
}

impl TimingSetting {
    const fn new(key: &'static str, value: u32, apply: fn(&mut EngineTimings, u32)) -> Self {
        Self { key, value, apply }
    }

    /// Returns every setting of the timings.
    fn all(trading: &Trading) -> [Self; 9] {
        [
            Self::new("call_timeout_seconds", trading.call_timeout_seconds, |of, value| {
                of.call_within = seconds(value);
            }),
            Self::new("lease_ttl_seconds", trading.lease_ttl_seconds, |of, value| of.lease_ttl = seconds(value)),
            Self::new("quotes_interval_seconds", trading.quotes_interval_seconds, |of, value| {
                of.quotes_interval = seconds(value);
            }),
            Self::new("pages_per_scan", trading.pages_per_scan, |of, value| of.pages_per_scan = count(value)),
            Self::new("records_per_pass", trading.records_per_pass, |of, value| of.records_per_pass = value),
            Self::new("concurrency", trading.concurrency, |of, value| of.concurrency = count(value)),
            Self::new("sale_decision_interval_seconds", trading.sale_decision_interval_seconds, |of, value| {
                of.sale_decision_interval = seconds(value);
            }),
            Self::new("delivery_overdue_seconds", trading.delivery_overdue_seconds, |of, value| {
                of.delivery_overdue_after = seconds(value);
            }),
            Self::new("balance_mismatch_seconds", trading.balance_mismatch_seconds, |of, value| {
                of.balance_mismatch_grace = seconds(value);
            }),
        ]
    }
}

fn seconds(value: u32) -> time::Duration {
    time::Duration::seconds(value.into())
}

fn count(value: u32) -> usize {
    usize::try_from(value).unwrap_or(usize::MAX)
}

/// Returns the engine's timings, or the key of the first setting that breaks a relation, with the relation.
fn timings(trading: &Trading) -> Result<SafeTimings, (&'static str, String)> {
    let mut timings = EngineTimings::default();
    let mut safe = SafeTimings::default();
    for setting in TimingSetting::all(trading) {
        (setting.apply)(&mut timings, setting.value);
        safe = timings.checked().map_err(|error| (setting.key, format!("is rejected: {error}")))?;
    }
    Ok(safe)
}

/// Trades until the shutdown, from when a world is there. Whether it is there does not keep the server from serving.
pub(crate) async fn begin(app: &Tradepost, loaded: &Loaded, stop: CancellationToken) -> Outcome {
    let wanted = wanted(loaded)?;
    let except = match wanted.desk {
        Some(desk) => Some(begin_desk(app, loaded, desk, stop).await?),
        None => None,
    };
    let mut connectors = wanted.connectors;
    if let Some(reason) = wanted.without_steam {
        connectors.extend(steam_on_record(app, &reason).await?);
    }
    if !connectors.is_empty() {
        let Pace { node, every, timings } = pace(loaded)?;
        app.trade_by_records(RecordedDesks { connectors, node, every, timings, except });
    }
    Ok(())
}

/// A connector that shows why Steam is not called, if a workspace has it on record: the settings admitted it before, or those of another
/// server do.
async fn steam_on_record(app: &Tradepost, reason: &EgressError) -> Outcome<Option<Arc<dyn Connector>>> {
    let connector = SteamConnector::not_called(&reason.to_string()).map_err(assembly::no_connector)?;
    let on_record = app.operations().list_game_platforms(slice::from_ref(&connector.driver().name)).await;
    let unreadable = || Failure::new(Exit::Unavailable, "the game platforms on record cannot be read");
    let on_record = on_record.map_err(|error| unreadable().because(error))?;
    if on_record.is_empty() {
        return Ok(None);
    }
    tracing::warn!(%reason, platforms = on_record.len(), "platforms on record are not connected: Steam is not called");
    Ok(Some(Arc::new(connector)))
}

/// Trades for the desk that the settings name. Returns its workspace.
async fn begin_desk(
    app: &Tradepost,
    loaded: &Loaded,
    wanted: DeskSettings,
    stop: CancellationToken,
) -> Outcome<WorkspaceId> {
    let workspace = workspace(app, loaded, wanted.workspace_id).await?;
    let workspace_id = workspace.id;
    let settled = app.operations().settle_market(workspace_id, MarketKind::Simulated).await;
    settled.map_err(simulated::refused)?;
    // Contracts are activated only for marketplaces that are on record.
    let (kind, name) = (ProviderKind::Marketplace, wanted.marketplace.as_str());
    let currency = wanted.currency.unwrap_or(workspace.base_currency);
    let recorded = sample_records::provider_once(app.operations(), workspace_id, kind, name, currency).await;
    recorded.map_err(simulated::refused)?;
    let app = app.clone();
    tokio::spawn(async move {
        if let Some((world, desk)) = stop.run_until_cancelled(find(&wanted, workspace_id)).await
            && let Err(error) = trade(&app, world, desk, &wanted.pace).await
        {
            tracing::error!(%error, "nothing is traded in the simulated world");
        }
    });
    Ok(workspace_id)
}

/// The workspace that trades: the one that the settings name, else the only one.
async fn workspace(app: &Tradepost, loaded: &Loaded, named: Option<WorkspaceId>) -> Outcome<Workspace> {
    let failed = |error: StoreError| assembly::storage_failure(loaded, &error);
    if let Some(id) = named {
        let scope = Principal::System.enter_as_member(id).map_err(simulated::refused)?;
        let found = app.store().workspaces().find(scope).await.map_err(failed)?;
        let unknown = || {
            let rule = "is not a workspace of this database".to_owned();
            loaded.wrong("trading.workspace", rule, "give the `workspaceId` that the server prints when it starts")
        };
        return Ok(found.ok_or_else(unknown)?.into_display().0);
    }
    let mut known = assembly::open_database(app)?.list_workspaces(None, 2).await.map_err(failed)?;
    let only = if known.len() == 1 { known.pop() } else { None };
    only.ok_or_else(|| loaded.missing("trading.workspace", "trading.simulator"))
}

/// The world and the desk in it, whenever they are there.
async fn find(wanted: &DeskSettings, workspace_id: WorkspaceId) -> (RemoteSimulator, Desk) {
    let mut is_reported = false;
    loop {
        match look(wanted, workspace_id).await {
            Ok(found) => return found,
            Err(error) if is_reported => tracing::debug!(%error, "there is no simulated world to trade in yet"),
            Err(error) => {
                tracing::warn!(%error, url = wanted.simulator, "there is no simulated world to trade in yet");
                is_reported = true;
            }
        }
        tokio::time::sleep(TRY_AGAIN).await;
    }
}

async fn look(wanted: &DeskSettings, workspace_id: WorkspaceId) -> Result<(RemoteSimulator, Desk), ConnectError> {
    let world = RemoteSimulator::connect(&wanted.simulator, RemoteSimulator::TIMEOUT).await?;
    let names = Names {
        workspace_id,
        node: wanted.pace.node.clone(),
        customer: &wanted.customer,
        marketplace: wanted.marketplace.clone(),
        accounts: wanted.accounts.clone(),
        currency: wanted.currency,
    };
    let desk = simulated::desk(&world, &names, world.clock()).await?;
    Ok((world, desk))
}

/// Lives by the clock of the world, and logs what is done, and when steps begin to fail and no longer do.
async fn trade(app: &Tradepost, world: RemoteSimulator, desk: Desk, pace: &Pace) -> OpResult<()> {
    let workspace_id = desk.workspace_id;
    tracing::info!(workspace = %workspace_id, seed = world.seed(), "trading in a simulated world");
    let engine = app.engine_with_timings(desk, pace.timings).await?;
    app.trade(engine, pace.every, PassLog::of(workspace_id));
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_default_settings_give_the_default_timings() {
        assert_eq!(timings(&Trading::default()), Ok(SafeTimings::default()));
    }

    #[test]
    fn a_setting_that_breaks_a_relation_of_the_timings_is_named() {
        let key = |trading: Trading| timings(&trading).map_err(|(key, _)| key);
        let slow = Trading { call_timeout_seconds: 50, ..Trading::default() };
        assert_eq!(key(slow), Err("call_timeout_seconds"));
        let hasty = Trading { lease_ttl_seconds: 6, ..Trading::default() };
        assert_eq!(key(hasty), Err("lease_ttl_seconds"));
        let greedy = Trading { records_per_pass: 201, ..Trading::default() };
        assert_eq!(key(greedy), Err("records_per_pass"));
    }
}
