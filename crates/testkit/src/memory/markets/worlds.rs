//! The market of each workspace.

use async_trait::async_trait;
use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::accounts::workspace::{MarketKind, Workspace};
use tradepost_domain::id::WorkspaceId;
use tradepost_ports::store::{MarketKinds, StoreResult, Worlds};

use crate::memory::MemoryStore;
use crate::memory::state::State;

impl State {
    /// Returns whether a workspace is one of those.
    pub(crate) fn is_in(&self, worlds: Worlds, workspace: WorkspaceId) -> bool {
        match worlds {
            Worlds::Real => self.markets.get(&workspace) != Some(&MarketKind::Simulated),
            Worlds::Of(wanted) => wanted == workspace,
        }
    }
}

#[async_trait]
impl MarketKinds for MemoryStore {
    async fn settle(&self, scope: WorkspaceScope, kind: MarketKind) -> StoreResult<Option<MarketKind>> {
        let (mut state, id) = (self.state(), scope.workspace_id());
        let is_there = state.find::<Workspace>(id.to_bytes(), id.to_bytes()).is_some();
        Ok(is_there.then(|| *state.markets.entry(id).or_insert(kind)))
    }
}
