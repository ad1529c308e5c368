//! In which market a workspace trades, and whose time a look over several workspaces goes by.

use async_trait::async_trait;
use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::accounts::workspace::MarketKind;
use tradepost_domain::id::WorkspaceId;

use crate::store::StoreResult;

/// The workspaces that live in one time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Worlds {
    /// Every workspace that is not known to trade in a simulated market.
    Real,
    /// This one, which has a market to itself.
    Of(WorkspaceId),
}

/// In which market each workspace trades.
#[async_trait]
pub trait MarketKinds: Send + Sync {
    /// The kind of market in which a workspace trades, which is this one if it never traded before; `None` if there is no such
    /// workspace. Of those who ask at once for different ones the first decides.
    async fn settle_market(&self, scope: WorkspaceScope, kind: MarketKind) -> StoreResult<Option<MarketKind>>;
}
