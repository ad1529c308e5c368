//! Trading for the desk that the settings name, in a simulated world that another process serves.

use std::time::Duration;

use reqwest::Url;
use tokio_util::sync::CancellationToken;
use tradepost::Tradepost;
use tradepost::domain::accounts::access::Principal;
use tradepost::domain::accounts::workspace::{MarketKind, Workspace};
use tradepost::domain::id::WorkspaceId;
use tradepost::domain::markets::provider::ProviderKind;
use tradepost::domain::money::Currency;
use tradepost::domain::text::{AccountName, Marketplace, Name};
use tradepost::engine::{Desk, EngineTimings, Pass};
use tradepost::operations::OpResult;
use tradepost::ports::store::StoreError;
use tradepost_adapters_simulator::{ConnectError, RemoteSimulator};

use crate::assembly;
use crate::failure::Outcome;
use crate::sample_records;
use crate::settings::Loaded;
use crate::simulated::{self, Names};

/// When to come back to a world that is not there.
const TRY_AGAIN: Duration = Duration::from_secs(1);

/// A desk as the settings have it.
pub(crate) struct DeskSettings {
    simulator: String,
    workspace_id: Option<WorkspaceId>,
    node: Name,
    customer: String,
    marketplace: Marketplace,
    currency: Option<Currency>,
    accounts: Vec<AccountName>,
    every: Duration,
    timings: EngineTimings,
}

/// The desk that the settings name, if they name one. Makes no call.
pub(crate) fn wanted(loaded: &Loaded) -> Outcome<Option<DeskSettings>> {
    let trading = &loaded.settings.trading;
    let Some(simulator) = &trading.simulator else { return Ok(None) };
    let wrong = |key: &str, rule: String, advice: &str| loaded.wrong(&format!("trading.{key}"), rule, advice);
    let advice = "give the address that `tradepost sim serve` prints, such as http://127.0.0.1:8090";
    match Url::parse(simulator) {
        Ok(url) if url.scheme() == "http" => {}
        Ok(_) => return Err(wrong("simulator", "must begin with http://".to_owned(), advice)),
        Err(error) => return Err(wrong("simulator", format!("is not an address: {error}"), advice)),
    }
    if !(10..=600_000).contains(&trading.interval_milliseconds) {
        let rule = "must be 10 to 600000".to_owned();
        return Err(wrong("interval_milliseconds", rule, "give it in milliseconds, such as 1000"));
    }
    let timings = timings(trading.call_timeout_seconds)
        .map_err(|rule| wrong("call_timeout_seconds", rule, "give it in seconds, such as 30"))?;
    let workspace_id = trading.workspace.as_deref().map(str::parse).transpose();
    let accounts: Result<Vec<_>, _> = trading.accounts.iter().map(|name| AccountName::new(name)).collect();
    let currency = trading.currency.as_deref().map(Currency::new).transpose();
    let refused = |key: &str, error: &dyn std::fmt::Display| wrong(key, error.to_string(), "correct it there");
    let wanted = DeskSettings {
        simulator: simulator.clone(),
        workspace_id: workspace_id.map_err(|error| refused("workspace", &error))?,
        node: Name::new(&trading.node).map_err(|error| refused("node", &error))?,
        customer: trading.customer.clone(),
        marketplace: Marketplace::new(&trading.marketplace).map_err(|error| refused("marketplace", &error))?,
        currency: currency.map_err(|error| refused("currency", &error))?,
        accounts: accounts.map_err(|error| refused("accounts", &error))?,
        every: Duration::from_millis(u64::from(trading.interval_milliseconds)),
        timings,
    };
    if wanted.accounts.is_empty() {
        return Err(loaded.missing("trading.accounts", "trading.simulator"));
    }
    Ok(Some(wanted))
}

/// The bounds of calls to external systems, if they are safe to trade by; else the rule.
fn timings(call_timeout_seconds: u32) -> Result<EngineTimings, String> {
    let call_within = Duration::from_secs(u64::from(call_timeout_seconds));
    if call_within.is_zero() {
        return Err("must be at least 1".to_owned());
    }
    EngineTimings::default().with_call_within(call_within).map_err(|error| error.to_string())
}

/// Trades until the shutdown, from when the world is there. Whether it is there does not keep the server from serving.
pub(crate) async fn begin(app: &Tradepost, loaded: &Loaded, stop: CancellationToken) -> Outcome {
    let Some(wanted) = wanted(loaded)? else { return Ok(()) };
    let workspace = workspace(app, loaded, wanted.workspace_id).await?;
    let workspace_id = workspace.id;
    let settled = app.operations().settle_market(workspace_id, MarketKind::Simulated).await;
    settled.map_err(simulated::refused)?;
    // Contracts are activated only for marketplaces that are on record.
    let place = (ProviderKind::Marketplace, wanted.marketplace.as_str());
    let currency = wanted.currency.unwrap_or(workspace.base_currency);
    sample_records::provider_once(app.operations(), workspace_id, place, currency).await.map_err(simulated::refused)?;
    let app = app.clone();
    tokio::spawn(async move {
        if let Some(found) = stop.run_until_cancelled(find(&wanted, workspace_id)).await
            && let Err(error) = trade(&app, found, &wanted).await
        {
            tracing::error!(%error, "nothing is traded in the simulated world");
        }
    });
    Ok(())
}

/// The workspace that trades: the one that the settings name, else the only one.
async fn workspace(app: &Tradepost, loaded: &Loaded, named: Option<WorkspaceId>) -> Outcome<Workspace> {
    let failed = |error: StoreError| assembly::storage_failure(loaded, &error);
    if let Some(id) = named {
        let scope = Principal::System.enter_as_member(id).map_err(simulated::refused)?;
        let found = app.store().find_workspace(scope).await.map_err(failed)?;
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
        node: wanted.node.clone(),
        customer: &wanted.customer,
        marketplace: wanted.marketplace.clone(),
        accounts: wanted.accounts.clone(),
        currency: wanted.currency,
    };
    let desk = simulated::desk(&world, &names, world.clock()).await?;
    Ok((world, desk))
}

/// Lives by the clock of the world, and logs what is done, and when steps begin to fail and no longer do.
async fn trade(app: &Tradepost, (world, desk): (RemoteSimulator, Desk), wanted: &DeskSettings) -> OpResult<()> {
    tracing::info!(workspace = %desk.workspace_id, seed = world.seed(), "trading in a simulated world");
    let engine = app.engine_with_timings(desk, wanted.timings).await?;
    let mut is_troubled = false;
    let report = move |pass: Pass| {
        if pass.bought + pass.listed > 0 {
            tracing::info!(bought = pass.bought, listed = pass.listed, observed = pass.observed, "traded");
        }
        match pass.errors.first() {
            Some(trouble) if !is_troubled => tracing::warn!(%trouble, "steps are left for the next pass"),
            None if is_troubled => tracing::info!("every step is taken again"),
            Some(_) | None => {}
        }
        is_troubled = !pass.errors.is_empty();
    };
    app.trade(engine, wanted.every, report);
    Ok(())
}
