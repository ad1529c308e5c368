//! The process that is killed: an engine on a SQLite file, which trades in a world that another process serves. After each pass
//! it tells how far it has come and lets time pass in the world.

use std::io::{Write as _, stdout};
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
    RunRemediationAction,
};
use tradepost::ports::clock::MarketClock;
use tradepost_adapters_simulator::{Deed, Line as _, RemoteSimulator, Request};

use super::Progress;
use super::world::{ACCOUNTS, CUSTOMER, MARKETPLACE};
use crate::office::{Office, text};

/// How much time passes from one pass to the next, as long as a pass follows everything that is open.
const STEP: Duration = Duration::minutes(40);
/// With more records open a pass follows a part of them. Then less time passes, so that each is still followed every forty minutes:
/// who delivers waits for us for four hours.
const FOLLOWED: u64 = 500;
/// What is not over so long after the last purchase never will be.
const LAST: Duration = Duration::days(20);
/// An item that is missing for so long is given up, as a person would.
const GIVEN_UP: Duration = Duration::days(1);

/// The trader's world, database and contract.
#[derive(Debug, Args)]
pub(crate) struct Trader {
    folder: PathBuf,
    url: String,
    workspace_id: WorkspaceId,
    contract_id: ContractId,
    purchases: u64,
}

/// The time of the world, as far as it was told to go on.
struct ToldTime(AtomicI64);

impl MarketClock for ToldTime {
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
    pub(crate) async fn run(self) -> anyhow::Result<()> {
        let office = Office::again(&self.folder, self.workspace_id).await?;
        let world = RemoteSimulator::connect(&self.url, RemoteSimulator::TIMEOUT).await?;
        // The world stands still unless it is told to go on, and nobody else tells it.
        let clock = Arc::new(ToldTime(AtomicI64::new(world.clock().market_now().as_micros())));
        let mut engine = office.app.engine(self.desk(&world).await?, clock.clone()).await?;
        let mut last_bought_at = clock.market_now();
        let mut is_paused = false;
        loop {
            engine.pass().await;
            self.give_up_missing(&office, clock.market_now()).await?;
            let mut progress = self.progress(&office).await?;
            if progress.bought < self.purchases {
                last_bought_at = clock.market_now();
            } else if !is_paused {
                self.pause(&office).await?;
                is_paused = true;
            }
            let waited = clock.market_now().since(last_bought_at);
            progress.is_done = is_paused && (progress.open == 0 || waited > LAST);
            say(progress)?;
            if progress.is_done {
                return office.close().await;
            }
            let micros = u64::try_from(STEP.whole_microseconds())? * FOLLOWED / progress.open.max(FOLLOWED);
            world.ask(Request::World(Deed::Advance { micros })).await?;
            clock.0.fetch_add(i64::try_from(micros)?, Ordering::SeqCst);
        }
    }

    async fn desk(&self, world: &RemoteSimulator) -> anyhow::Result<Desk> {
        let accounts = world.ask(Request::World(Deed::Accounts { customer: CUSTOMER.to_owned() })).await?;
        let addresses: Vec<TradeAddress> =
            accounts.try_into().map_err(|other| anyhow::anyhow!("the world told no accounts: {other:?}"))?;
        let account = |(name, address): (&str, TradeAddress)| anyhow::Ok(TradingAccount { name: text(name)?, address });
        let marketplace: Marketplace = text(MARKETPLACE)?;
        Ok(Desk {
            workspace_id: self.workspace_id,
            node: text("trader")?,
            accounts: ACCOUNTS.into_iter().zip(addresses).map(account).collect::<anyhow::Result<_>>()?,
            venues: vec![Venue {
                name: marketplace,
                marketplace: Arc::new(world.marketplace(CUSTOMER)),
                currency: None,
            }],
            platform: Arc::new(world.platform()),
            price_sources: vec![Arc::new(world.prices(text("index")?)), Arc::new(world.prices(text("guide")?))],
            rates: None,
        })
    }

    /// Gives up what has been missing for a day.
    async fn give_up_missing(&self, office: &Office, now: Timestamp) -> anyhow::Result<()> {
        let (operations, system, workspace_id) = (office.operations(), Caller::system(), self.workspace_id);
        let list = ListRemediations {
            workspace_id,
            limit: 200,
            cursor: String::new(),
            status: Some(RemediationStatus::Open),
            kind: Some(RemediationKind::MissingItem),
            severity: None,
        };
        let remediation_ids = operations.list_remediations(&system, list).await?.entries;
        if remediation_ids.is_empty() {
            return Ok(());
        }
        let get = GetRemediations { workspace_id, remediation_ids };
        let missing = operations.get_remediations(&system, get).await?.found;
        for problem in missing.into_iter().filter(|problem| now.since(problem.value.created_at) > GIVEN_UP) {
            let give_up = RunRemediationAction {
                workspace_id,
                remediation_id: problem.value.id,
                action: RemediationAction::WriteOff,
                args: ActionArgs { evidence: "missing for a day".to_owned(), ..ActionArgs::default() },
                expected_version: Some(problem.version),
            };
            operations.run_remediation_action(&system, give_up).await?;
        }
        Ok(())
    }

    async fn progress(&self, office: &Office) -> anyhow::Result<Progress> {
        let (system, workspace_id) = (Caller::system(), self.workspace_id);
        let count = CountPurchases { workspace_id, contract_id: None };
        let purchases = office.operations().count_purchases(&system, count).await?;
        let count = CountInventoryItems { workspace_id, contract_id: None };
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
fn say(progress: Progress) -> anyhow::Result<()> {
    let mut out = stdout().lock();
    writeln!(out, "{}", serde_json::to_string(&progress)?)?;
    out.flush().context("nobody listens any more")
}
