//! What trades for one workspace by its records.

use std::sync::Arc;
use std::time::Duration;

use tokio::time::{Instant, sleep};
use tokio_util::sync::CancellationToken;
use tradepost_domain::id::WorkspaceId;
use tradepost_domain::markets::desk::{DeskRecords, NoDesk};
use tradepost_domain::markets::provider::Provider;
use tradepost_engine::{Desk, Engine};
use tradepost_operations::markets::RecordedDesk;
use tradepost_operations::{OpError, OpResult, Operations, Reason};
use tradepost_ports::provider_probe::ProviderProbe;
use tradepost_ports::purchase_lookup::PurchaseLookup;

use super::connecting::{self, Connection, LeftOut};
use super::outages::Outages;
use super::{Host, looks};
use crate::background::trading::{Drive, trade};
use crate::{PassLog, RecordedDesks};

/// How long after a failure a provider is connected again.
const CONNECTING_AGAIN: Duration = Duration::from_secs(10);
/// How often a workspace is looked at that was deleted.
const DELETED: Duration = Duration::from_mins(10);

/// What trades for one workspace.
pub(super) struct Follower {
    host: Arc<Host>,
    desks: Arc<RecordedDesks>,
    workspace_id: WorkspaceId,
    stop: CancellationToken,
    outages: Outages,
    /// What keeps the desk from trading, as it was logged last.
    said: Option<String>,
    /// The engine that ended last. The next one takes over what is not on record.
    former: Option<Engine>,
}

/// A desk that is connected, and the records that it was made of.
struct Ready {
    records: DeskRecords,
    desk: Desk,
    left_out: Vec<LeftOut>,
}

impl Follower {
    /// One that follows until stopped.
    pub(super) fn new(
        host: Arc<Host>,
        desks: Arc<RecordedDesks>,
        workspace_id: WorkspaceId,
        stop: CancellationToken,
    ) -> Self {
        let outages = Outages::new(host.operations.clone(), workspace_id);
        Self { host, desks, workspace_id, stop, outages, said: None, former: None }
    }

    /// Trades whenever there is a desk, until stopped, or until the workspace has no game platform any longer.
    pub(super) async fn follow(mut self) {
        let (stop, mut next) = (self.stop.clone(), None);
        while !stop.is_cancelled() {
            let ready = match next.take() {
                Some(ready) => Some(ready),
                None => stop.run_until_cancelled(self.until_ready()).await.flatten(),
            };
            let Some(ready) = ready else { break };
            next = self.trade(ready).await;
        }
        if let Some(engine) = self.former
            && let Err(error) = engine.end().await
        {
            tracing::debug!(%error, "leases not released; they expire");
        }
    }

    /// Waits until there is a desk; `None` when the workspace has no game platform.
    async fn until_ready(&mut self) -> Option<Ready> {
        let mut looks = looks();
        loop {
            looks.tick().await;
            match self.read().await {
                Ok(None) => sleep(DELETED).await,
                Ok(Some(Err(NoDesk::NoPlatform))) => return None,
                Ok(Some(Err(missing))) => self.say(&missing.to_string()),
                Ok(Some(Ok(records))) => match self.connect(records).await {
                    Ok(Some(ready)) => return Some(ready),
                    Ok(None) => sleep(CONNECTING_AGAIN).await,
                    Err(error) => {
                        self.complain(&error);
                        sleep(CONNECTING_AGAIN).await;
                    }
                },
                Err(error) => self.complain(&error),
            }
        }
    }

    async fn read(&self) -> OpResult<Option<RecordedDesk>> {
        let can_connect =
            |provider: &Provider| self.desks.connector(provider).is_some_and(|connector| connector.connects(provider));
        self.host.operations.read_recorded_desk(self.workspace_id, can_connect).await
    }

    /// Connects what is on record; `None` if that makes no desk.
    async fn connect(&mut self, records: DeskRecords) -> OpResult<Option<Ready>> {
        let Connection { desk, left_out, clock } =
            connecting::connect(&self.host.operations, &self.desks, &records).await?;
        if let Some(clock) = clock {
            // Before anything is recorded: reports have the time of the market.
            self.host.operations.trade_by(self.workspace_id, clock).await?;
            self.outages.note(records.providers().map(|provider| provider.id), &left_out).await?;
        } else {
            self.outages.note([records.platform.id].into_iter(), &left_out).await?;
        }
        Ok(desk.map(|desk| Ready { records, desk, left_out }))
    }

    /// Trades until the records have changed. Returns what they make then, if it is a desk.
    async fn trade(&mut self, ready: Ready) -> Option<Ready> {
        let Ready { records, desk, left_out } = ready;
        let (marketplaces, accounts) = (desk.venues.len(), desk.accounts.len());
        tracing::info!(workspace = %self.workspace_id, marketplaces, accounts, "trading for a desk on record");
        self.said = None;
        let operations = self.host.operations.clone();
        let mut engine = Engine::with_timings(operations.clone(), desk, self.desks.timings);
        if let Some(former) = &self.former {
            engine = engine.continuing(former);
        }
        let _offer = Offer::of(&engine, operations);
        let ended = self.stop.child_token();
        let (every, clock, passes) = (self.desks.every, self.host.clock.clone(), self.host.passes.clone());
        let drive = Drive { every, clock, passes, stop: ended.clone() };
        let trading = trade(engine, drive, PassLog::of(self.workspace_id));
        let changed = async {
            let next = ended.run_until_cancelled(self.until_changed(&records, &left_out)).await.flatten();
            ended.cancel();
            next
        };
        let (engine, next) = tokio::join!(trading, changed);
        self.former = Some(engine);
        next
    }

    /// Waits until an engine has to begin again: the records have changed, or a provider that was left out can be connected. The new desk is
    /// connected before the engine of the former one ends.
    async fn until_changed(&mut self, records: &DeskRecords, left_out: &[LeftOut]) -> Option<Ready> {
        let (mut looks, began) = (looks(), Instant::now());
        let mut failed_at = None;
        loop {
            looks.tick().await;
            let now = match self.read().await {
                Ok(Some(Ok(now))) => now,
                Ok(Some(Err(missing))) => {
                    self.say(&missing.to_string());
                    return None;
                }
                Ok(None) => return None,
                Err(error) => {
                    self.complain(&error);
                    continue;
                }
            };
            let has_changed = now.differs_from(records);
            // A change is connected at once, and what has failed after a while.
            let waits_since = failed_at.or((!has_changed).then_some(began));
            let is_due = waits_since.is_none_or(|since: Instant| since.elapsed() >= CONNECTING_AGAIN);
            if !is_due || (!has_changed && left_out.is_empty()) {
                continue;
            }
            let next = if has_changed { self.connect(now).await } else { self.connect_more(now, left_out).await };
            failed_at = Some(Instant::now());
            match next {
                Ok(Some(next)) => return Some(next),
                Ok(None) => {}
                Err(error) => self.complain(&error),
            }
        }
    }

    /// The desk with one more of the providers that were left out; `None` when none of them is connected.
    async fn connect_more(&mut self, records: DeskRecords, left_out: &[LeftOut]) -> OpResult<Option<Ready>> {
        let still = connecting::try_again(&self.host.operations, &self.desks, &records, left_out).await?;
        self.outages.note(left_out.iter().map(|one| one.provider_id), &still).await?;
        if still.len() < left_out.len() { self.connect(records).await } else { Ok(None) }
    }

    /// Logs why nothing is traded, once.
    fn say(&mut self, why: &str) {
        if self.is_new(why) {
            tracing::warn!(workspace = %self.workspace_id, why, "nothing is traded for a workspace");
        }
    }

    /// Logs what failed in this server, once. Storage itself reports an outage.
    fn complain(&mut self, error: &OpError) {
        if error.reason != Reason::StorageUnavailable && self.is_new(&error.message) {
            let (workspace, why) = (self.workspace_id, &error.message);
            tracing::warn!(%workspace, %why, error = ?error.source, "the records of a desk are not followed");
        }
    }

    fn is_new(&mut self, why: &str) -> bool {
        self.said.replace(why.to_owned()).is_none_or(|said| said != why)
    }
}

/// What an engine offers while it trades, withdrawn with the value.
struct Offer {
    operations: Arc<Operations>,
    lookup: Arc<dyn PurchaseLookup>,
    probe: Arc<dyn ProviderProbe>,
}

impl Offer {
    fn of(engine: &Engine, operations: Arc<Operations>) -> Self {
        let (lookup, probe) = (engine.purchase_lookup(), engine.provider_probe());
        operations.offer_lookup(lookup.clone());
        operations.offer_probe(probe.clone());
        Self { operations, lookup, probe }
    }
}

impl Drop for Offer {
    fn drop(&mut self) {
        self.operations.withdraw_lookup(&self.lookup);
        self.operations.withdraw_probe(&self.probe);
    }
}
