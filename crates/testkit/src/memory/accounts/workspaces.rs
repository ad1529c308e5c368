//! Reads of workspaces, memberships and keys, and the record of a key's use.

use async_trait::async_trait;
use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::accounts::membership::{Membership, Status};
use tradepost_domain::accounts::workspace::Workspace;
use tradepost_domain::id::{UserId, WorkspaceId};
use tradepost_ports::changes::Seen;
use tradepost_ports::store::{StoreResult, Workspaces};

use crate::memory::MemoryStore;

#[async_trait]
impl Workspaces for MemoryStore {
    async fn find(&self, scope: WorkspaceScope) -> StoreResult<Option<Seen<Workspace>>> {
        let home = scope.workspace_id().to_bytes();
        Ok(self.state().find(home, home))
    }
    async fn list_own(&self, user: UserId) -> StoreResult<Vec<Seen<Workspace>>> {
        let state = self.state();
        let accepted = state.all(|membership: &Membership| {
            membership.user_id() == Some(user) && membership.status() == Status::Accepted
        });
        let accepted: Vec<WorkspaceId> = accepted.iter().map(|membership| membership.peek().workspace_id).collect();
        Ok(state.all(|workspace: &Workspace| accepted.contains(&workspace.id)))
    }
}
