//! A node: a process with an engine on the database of a soak, which trades in a world that another process serves. It takes a pass for each
//! turn that it reads, and reports how far the trading has come.

use std::collections::BTreeMap;
use std::io::{BufRead as _, Write as _, stdin, stdout};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use anyhow::Context as _;
use clap::Args;
use time::Duration;
use tradepost::domain::accounts::workspace::MarketKind;
use tradepost::domain::contracts::remediation::{RemediationAction, RemediationKind, RemediationStatus};
use tradepost::domain::id::{ContractId, WorkspaceId};
use tradepost::domain::text::Marketplace;
use tradepost::domain::time::Timestamp;
use tradepost::domain::trading::trade::TradeAddress;
use tradepost::engine::{Desk, TradingAccount, Venue};
use tradepost::operations::Caller;
use tradepost::operations::contracts::{
    ActionArgs, CountInventoryItems, CountPurchases, GetRemediations, ListRemediations, PauseContract,
    RunRemediationAction, WantedPurchases,
};
use tradepost::ports::clock::MarketClock;
use tradepost_adapters_simulator::{RemoteSimulator, Request, WorldCommand, WorldTransport as _};

use super::world::{ACCOUNTS, CUSTOMER, MARKETPLACE};
use super::{Progress, Turn};
use crate::office::{Office, text};

/// An item that is missing for so long is written off, as an operator would.
const WRITTEN_OFF_AFTER: Duration = Duration::days(1);

/// The node's database, world and contract.
#[derive(Debug, Args)]
pub(crate) struct Trader {
    folder: PathBuf,
    database_url: String,
    world_url: String,
    node: String,
    workspace_id: WorkspaceId,
    contract_id: ContractId,
    purchases: u64,
}

/// The time of the world at the last turn.
struct TurnTime(AtomicI64);

impl MarketClock for TurnTime {
    fn market_now(&self) -> Timestamp {
        Timestamp::from_micros(self.0.load(Ordering::SeqCst)).unwrap_or(Timestamp::MIN)
    }

    /// The world's time never goes back.
    fn market_elapsed(&self) -> std::time::Duration {
        std::time::Duration::from_micros(self.0.load(Ordering::SeqCst).max(0).unsigned_abs())
    }

    fn kind(&self) -> MarketKind {
        MarketKind::Simulated
    }
}

impl Trader {
    /// Takes passes until the turns end.
    pub(crate) async fn run(self) -> anyhow::Result<()> {
        let office = Office::again_on(&self.folder, &self.database_url, self.workspace_id).await?;
        let world = RemoteSimulator::connect(&self.world_url, RemoteSimulator::TIMEOUT).await?;
        let clock = Arc::new(TurnTime(AtomicI64::new(world.clock().market_now().as_micros())));
        let mut engine = office.app.engine(self.desk(&world, clock.clone()).await?).await?;
        let mut is_paused = false;
        for line in stdin().lock().lines() {
            let turn: Turn = serde_json::from_str(&line?)?;
            clock.0.store(turn.now_micros, Ordering::SeqCst);
            engine.pass().await;
            let mut progress = Progress { is_paused, ..Progress::default() };
            if turn.leads {
                self.write_off_missing(&office, clock.market_now()).await?;
                progress = Progress { is_paused, ..self.progress(&office).await? };
                if progress.bought >= self.purchases && !is_paused {
                    self.pause(&office).await?;
                    is_paused = true;
                }
            }
            report(progress)?;
        }
        office.close().await
    }

    async fn desk(&self, world: &RemoteSimulator, clock: Arc<TurnTime>) -> anyhow::Result<Desk> {
        let accounts = world.ask(Request::World(WorldCommand::Accounts { customer: CUSTOMER.to_owned() })).await?;
        let addresses: Vec<TradeAddress> =
            accounts.try_into().map_err(|other| anyhow::anyhow!("the world returned no accounts: {other:?}"))?;
        let account = |name: &str, address: TradeAddress| anyhow::Ok(TradingAccount { name: text(name)?, address });
        let accounts = ACCOUNTS.into_iter().zip(addresses).map(|(name, address)| account(name, address));
        let marketplace: Marketplace = text(MARKETPLACE)?;
        Ok(Desk {
            workspace_id: self.workspace_id,
            clock,
            node: text(&self.node)?,
            accounts: accounts.collect::<anyhow::Result<_>>()?,
            venues: vec![Venue {
                name: marketplace,
                marketplace: Arc::new(world.marketplace(CUSTOMER)),
                currency: None,
            }],
            platform: Arc::new(world.platform()),
            social: Some(Arc::new(world.social())),
            sessions: None,
            price_sources: vec![Arc::new(world.prices(text("index")?)), Arc::new(world.prices(text("guide")?))],
            rates: None,
            drivers: BTreeMap::new(),
        })
    }

    /// Writes off items that have been missing for a day.
    async fn write_off_missing(&self, office: &Office, now: Timestamp) -> anyhow::Result<()> {
        let (operations, system, workspace_id) = (office.operations(), Caller::system(), self.workspace_id);
        let list = ListRemediations {
            workspace_id,
            limit: 200,
            cursor: String::new(),
            status: Some(RemediationStatus::Open),
            kind: Some(RemediationKind::MissingItem),
            severity: None,
            subject: None,
        };
        let remediation_ids = operations.list_remediations(&system, list).await?.entries;
        if remediation_ids.is_empty() {
            return Ok(());
        }
        let get = GetRemediations { workspace_id, remediation_ids };
        let missing = operations.get_remediations(&system, get).await?.found;
        for problem in missing.into_iter().filter(|problem| now.since(problem.value.created_at) > WRITTEN_OFF_AFTER) {
            let write_off = RunRemediationAction {
                workspace_id,
                remediation_id: problem.value.id,
                action: RemediationAction::WriteOff,
                args: ActionArgs { evidence: "missing for a day".to_owned(), ..ActionArgs::default() },
                expected_version: Some(problem.version),
            };
            operations.run_remediation_action(&system, write_off).await?;
        }
        Ok(())
    }

    async fn progress(&self, office: &Office) -> anyhow::Result<Progress> {
        let (system, workspace_id) = (Caller::system(), self.workspace_id);
        let count = CountPurchases { workspace_id, contract_id: None, wanted: WantedPurchases::default() };
        let purchases = office.operations().count_purchases(&system, count).await?;
        let count = CountInventoryItems::of(workspace_id, None);
        let items = office.operations().count_inventory_items(&system, count).await?;
        let counted = purchases.iter().map(|one| (one.status.is_terminal(), one.count));
        let items = items.iter().map(|one| (one.status.is_terminal(), one.count));
        let bought: i64 = purchases.iter().map(|one| one.count).sum();
        let mut progress = Progress { bought: bought.try_into()?, ..Progress::default() };
        for (is_over, many) in counted.chain(items) {
            let many = u64::try_from(many)?;
            *(if is_over { &mut progress.over } else { &mut progress.open }) += many;
        }
        Ok(progress)
    }

    async fn pause(&self, office: &Office) -> anyhow::Result<()> {
        let pause = PauseContract {
            workspace_id: self.workspace_id,
            contract_id: self.contract_id,
            reason: None,
            expected_version: None,
        };
        match office.operations().pause_contract(&Caller::system(), pause).await {
            Ok(_) => Ok(()),
            // Before it was killed.
            Err(refused)
                if refused.reason.as_str() == "ILLEGAL_STEP" || refused.reason.as_str() == "CONTRACT_NOT_ACTIVE" =>
            {
                Ok(())
            }
            Err(other) => Err(other.into()),
        }
    }
}

/// The line is with the reader, outside of this process, before anything else happens.
fn report(progress: Progress) -> anyhow::Result<()> {
    let mut out = stdout().lock();
    writeln!(out, "{}", serde_json::to_string(&progress)?)?;
    out.flush().context("the soak reads no longer")
}
