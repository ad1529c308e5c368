//! The market of a workspace, and the time that a read over several workspaces uses.

use async_trait::async_trait;
use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::accounts::workspace::MarketKind;
use tradepost_domain::id::WorkspaceId;

use crate::store::StoreResult;

/// The workspaces that share one time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Worlds {
    /// Every workspace that is not known to trade in a simulated market.
    Real,
    /// This workspace, which has a market to itself.
    Of(WorkspaceId),
}

/// The market of each workspace.
#[async_trait]
pub trait MarketKinds: Send + Sync {
    /// Returns the kind of market in which a workspace trades, which is this one if it never traded before. Returns `None` if there is no
    /// such workspace. If callers ask at once for different kinds, the first one decides.
    async fn settle(&self, scope: WorkspaceScope, kind: MarketKind) -> StoreResult<Option<MarketKind>>;
}
