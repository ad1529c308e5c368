//! The time of what a workspace trades in. It is the server's in the real market; a simulated one has a time of its own, which is
//! known where an engine trades there.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError, RwLock};

use tradepost_domain::accounts::policy::PolicySet;
use tradepost_domain::accounts::workspace::MarketKind;
use tradepost_domain::id::WorkspaceId;
use tradepost_domain::time::Timestamp;
use tradepost_ports::changes::Caller;
use tradepost_ports::clock::MarketClock;
use tradepost_ports::store::Worlds;

use crate::{OpError, OpResult, Operations, Reason};

/// The time of a simulated market.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SimulatedTime {
    /// The time there now.
    pub now: Timestamp,
    /// The seconds there in a second of the server; 0 where the clock moves only in steps.
    pub speed: u32,
}

/// The clocks of the markets in which this process trades, by workspace.
#[derive(Default)]
pub(crate) struct MarketTime {
    clocks: RwLock<HashMap<WorkspaceId, Arc<dyn MarketClock>>>,
    /// When this process recorded observations last.
    recorded: Mutex<HashMap<WorkspaceId, Timestamp>>,
}

impl Operations {
    /// Sets the clock of a workspace's market, for its contracts, markets and trading accounts from now on.
    ///
    /// It decides until when an intent can be approved, what is sold today, and how old a price is. Access, sessions, keys, proofs, limits
    /// and the audit log use the server's clock.
    ///
    /// A workspace trades in the real market or in a simulated one, whichever came first, and never in both.
    ///
    /// # Errors
    /// `not_found`; `failed_precondition` with `MARKET_KIND` where the workspace trades in a market of the other kind.
    pub async fn trade_by(&self, workspace_id: WorkspaceId, clock: Arc<dyn MarketClock>) -> OpResult<()> {
        self.settle_market(workspace_id, clock.kind()).await?;
        self.market_time.clocks.write().unwrap_or_else(PoisonError::into_inner).insert(workspace_id, clock);
        Ok(())
    }

    /// Makes this the kind of market that a workspace trades in, if it has traded in none.
    ///
    /// # Errors
    /// The same.
    pub async fn settle_market(&self, workspace_id: WorkspaceId, kind: MarketKind) -> OpResult<()> {
        let scope = Caller::system().principal.enter(workspace_id, PolicySet::NONE)?;
        let known = self.ports.store.market_kinds().settle(scope, kind).await?;
        let known = known.ok_or_else(|| OpError::not_found("workspace"))?;
        known.admit(kind).map_err(|other| OpError::failed_precondition(Reason::MarketKind, other.to_string()))
    }

    /// Returns the time of the market in which a workspace trades. It is the server's where no engine of this process trades for the
    /// workspace.
    pub(crate) fn market_now(&self, workspace_id: WorkspaceId) -> Timestamp {
        let clock = self.market_time.clocks.read().unwrap_or_else(PoisonError::into_inner).get(&workspace_id).cloned();
        clock.map_or_else(|| self.now(), |clock| clock.market_now())
    }

    /// Returns the time of the simulated market in which this process trades for a workspace; `None` for the real market.
    pub(crate) fn simulated_time(&self, workspace_id: WorkspaceId) -> Option<SimulatedTime> {
        let clock = self.market_time.clocks.read().unwrap_or_else(PoisonError::into_inner).get(&workspace_id).cloned();
        let simulated = clock.filter(|clock| clock.kind() == MarketKind::Simulated)?;
        Some(SimulatedTime { now: simulated.market_now(), speed: simulated.speed() })
    }

    /// Returns the time at which observations of a workspace are recorded now.
    ///
    /// It does not run backwards when the clock is set back, because observations are found by it and enter the hourly prices in its order.
    pub(crate) fn recording_time(&self, workspace_id: WorkspaceId) -> Timestamp {
        let now = self.market_now(workspace_id);
        let mut recorded = self.market_time.recorded.lock().unwrap_or_else(PoisonError::into_inner);
        let latest = recorded.entry(workspace_id).or_insert(now);
        *latest = now.max(*latest);
        *latest
    }

    /// Returns the worlds whose time this process knows, each with its time. Work for all workspaces is done once for each world. A
    /// simulated world in which another process trades is left to that one.
    pub(crate) fn worlds(&self) -> Vec<(Worlds, Timestamp)> {
        let clocks = self.market_time.clocks.read().unwrap_or_else(PoisonError::into_inner).clone();
        let simulated = clocks.into_iter().filter(|(_, clock)| clock.kind() == MarketKind::Simulated);
        let mut worlds = vec![(Worlds::Real, self.now())];
        worlds.extend(simulated.map(|(workspace, clock)| (Worlds::Of(workspace), clock.market_now())));
        worlds
    }
}
