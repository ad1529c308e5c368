//! Trading for the workspaces whose records make a desk. The processes on a database share them; each has a follower of every workspace that is
//! its own.

mod connecting;
mod follower;
mod outages;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Duration;

use tokio::task::JoinHandle;
use tokio::time::Interval;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use tradepost_domain::id::WorkspaceId;
use tradepost_domain::markets::desk::{ProcessId, share};
use tradepost_domain::markets::provider::Provider;
use tradepost_domain::text::Name;
use tradepost_operations::{OpResult, Operations};
use tradepost_ports::clock::Clock;
use tradepost_ports::connector::TradingProcesses;

use super::trading::LastPasses;
use crate::RecordedDesks;
use follower::Follower;

/// How often records are read, and processes report that they are alive: a change takes effect after this time.
const READING: Duration = Duration::from_secs(2);

/// The times at which records are read.
fn looks() -> Interval {
    super::ticks(READING)
}

/// What all followers share.
pub(crate) struct Host {
    pub(crate) operations: Arc<Operations>,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) passes: Arc<LastPasses>,
    pub(crate) tasks: TaskTracker,
    pub(crate) stop: CancellationToken,
    pub(crate) process: ProcessId,
    /// `None` where no other process trades on the database.
    pub(crate) processes: Option<Arc<dyn TradingProcesses>>,
}

/// Has every workspace followed that is this process's own, until stopped.
pub(crate) async fn trade_by_records(host: Host, desks: RecordedDesks) {
    let drivers = desks.connectors.iter().map(|connector| connector.driver().name.clone()).collect();
    let (host, desks) = (Arc::new(host), Arc::new(desks));
    let mut supervisor = Supervisor { host, desks, drivers, followers: BTreeMap::new(), refused: BTreeSet::new() };
    let (stop, mut looks) = (supervisor.host.stop.clone(), looks());
    while stop.run_until_cancelled(looks.tick()).await.is_some() {
        if let Err(error) = supervisor.look().await {
            warn_of!(error, why = %error.message, "workspaces to trade for not read");
        }
    }
    supervisor.leave().await;
}

struct Supervisor {
    host: Arc<Host>,
    desks: Arc<RecordedDesks>,
    drivers: Vec<Name>,
    followers: BTreeMap<WorkspaceId, Following>,
    /// Workspaces whose place belongs to another one, as they were logged.
    refused: BTreeSet<WorkspaceId>,
}

/// A follower that runs.
struct Following {
    task: JoinHandle<()>,
    stop: CancellationToken,
}

impl Supervisor {
    /// Begins to follow what is this process's own, and ends to follow what is not. A workspace that comes back is followed again once its former
    /// follower has ended.
    async fn look(&mut self) -> OpResult<()> {
        let mut processes = BTreeSet::from([self.host.process]);
        if let Some(others) = &self.host.processes {
            processes.extend(others.beat(self.host.process).await?);
        }
        let platforms = self.host.operations.list_game_platforms(&self.drivers).await?;
        let found = self.admitted(&platforms);
        let shared = share(&found, &processes);
        let is_own = |id: &WorkspaceId| shared.get(id) == Some(&self.host.process);
        self.followers.retain(|_, following| !following.task.is_finished());
        for (_, following) in self.followers.iter().filter(|(id, _)| !is_own(id)) {
            following.stop.cancel();
        }
        for workspace_id in found.into_iter().filter(is_own) {
            self.followers.entry(workspace_id).or_insert_with(|| {
                let stop = self.host.stop.child_token();
                let follower = Follower::new(self.host.clone(), self.desks.clone(), workspace_id, stop.clone());
                Following { task: self.host.tasks.spawn(follower.follow()), stop }
            });
        }
        Ok(())
    }

    /// The workspaces that may trade: a place belongs to the one that named it first, or another one would spend its money.
    fn admitted(&mut self, platforms: &[Provider]) -> BTreeSet<WorkspaceId> {
        let (mut owners, mut found) = (BTreeMap::new(), BTreeSet::new());
        for platform in platforms.iter().filter(|platform| Some(platform.workspace_id) != self.desks.except) {
            let of_driver = self.desks.connector(platform);
            let Some(connector) = of_driver.filter(|connector| connector.connects(platform)) else { continue };
            let (workspace_id, place) = (platform.workspace_id, connector.place(platform));
            let of_driver = place.clone().map(|place| (&platform.driver, place));
            let owner = of_driver.map_or(workspace_id, |place| *owners.entry(place).or_insert(workspace_id));
            if owner == workspace_id {
                found.insert(workspace_id);
                self.refused.remove(&workspace_id);
            } else if self.refused.insert(workspace_id) {
                let place = place.unwrap_or_default();
                tracing::warn!(workspace = %workspace_id, place, "nothing is traded for a workspace: another one trades there");
            }
        }
        found
    }

    /// Waits until every follower has ended, and removes this process, so that others trade for its workspaces.
    async fn leave(self) {
        for (_, following) in self.followers {
            // A follower that has failed has ended, too.
            let _ended = following.task.await;
        }
        if let Some(others) = &self.host.processes
            && let Err(error) = others.leave(self.host.process).await
        {
            tracing::debug!(%error, "other processes go on once this one has been silent");
        }
    }
}
