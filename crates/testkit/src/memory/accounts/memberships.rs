//! Reads of members and invitations.

use std::collections::BTreeMap;

use async_trait::async_trait;
use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::accounts::api_key::TokenDigest;
use tradepost_domain::accounts::membership::{Membership, Status};
use tradepost_domain::accounts::user::User;
use tradepost_domain::id::{MembershipId, OfMembership, UserId};
use tradepost_ports::changes::Seen;
use tradepost_ports::store::{Memberships, Page, PageRequest, StoreResult};

use crate::memory::MemoryStore;

#[async_trait]
impl Memberships for MemoryStore {
    async fn find(&self, scope: WorkspaceScope, id: MembershipId) -> StoreResult<Option<Seen<Membership>>> {
        Ok(self.state().find(scope.workspace_id().to_bytes(), id.to_bytes()))
    }
    async fn find_many(&self, scope: WorkspaceScope, ids: &[MembershipId]) -> StoreResult<Vec<Seen<Membership>>> {
        let workspace = scope.workspace_id();
        Ok(self
            .state()
            .all(|membership: &Membership| membership.workspace_id == workspace && ids.contains(&membership.id)))
    }
    async fn find_member(&self, scope: WorkspaceScope, user: UserId) -> StoreResult<Option<Seen<Membership>>> {
        let workspace = scope.workspace_id();
        Ok(self.state().first(|membership: &Membership| {
            membership.workspace_id == workspace
                && membership.user_id() == Some(user)
                && !membership.status().is_terminal()
        }))
    }
    async fn find_own(&self, user: &User, id: MembershipId) -> StoreResult<Option<Seen<Membership>>> {
        Ok(self.state().first(|membership: &Membership| membership.id == id && is_own(membership, user)))
    }
    async fn count_without_strong_factor(&self, scope: WorkspaceScope) -> StoreResult<i64> {
        let (state, workspace) = (self.state(), scope.workspace_id());
        let accepted = state.all(|membership: &Membership| {
            membership.workspace_id == workspace && membership.status() == Status::Accepted
        });
        let without = accepted
            .iter()
            .filter_map(|member| member.peek().user_id())
            .filter(|user| !state.factors_of(*user).has_strong());
        Ok(without.map(|_| 1).sum())
    }
    async fn find_invitation(&self, token: &TokenDigest) -> StoreResult<Option<Seen<Membership>>> {
        Ok(self.state().first(|membership: &Membership| membership.token() == Some(*token)))
    }
    async fn list_own(&self, user: UserId) -> StoreResult<Vec<Seen<Membership>>> {
        let mut own = self
            .state()
            .all(|membership: &Membership| membership.user_id() == Some(user) && !membership.status().is_terminal());
        own.sort_by_key(|membership| membership.peek().id);
        Ok(own)
    }
    async fn list_all_of(&self, user: UserId) -> StoreResult<Vec<Seen<Membership>>> {
        let mut every = self.state().all(|membership: &Membership| membership.user_id() == Some(user));
        every.sort_by_key(|membership| membership.peek().id);
        Ok(every)
    }
    async fn list(
        &self,
        scope: WorkspaceScope,
        status: Option<Status>,
        page: PageRequest<OfMembership>,
    ) -> StoreResult<Page<OfMembership>> {
        let wanted = |membership: &Membership| status.is_none_or(|status| membership.status() == status);
        Ok(self.state().page(scope.workspace_id(), &page, wanted))
    }
    async fn count_own(&self, user: &User) -> StoreResult<Vec<(i16, i64)>> {
        Ok(by_status(&self.state().all(|membership: &Membership| is_own(membership, user))))
    }
    async fn count(&self, scope: WorkspaceScope, user: UserId) -> StoreResult<Vec<(i16, i64)>> {
        let workspace = scope.workspace_id();
        let of_user =
            |membership: &Membership| membership.workspace_id == workspace && membership.user_id() == Some(user);
        Ok(by_status(&self.state().all(of_user)))
    }
}

fn by_status(memberships: &[Seen<Membership>]) -> Vec<(i16, i64)> {
    let mut counts = BTreeMap::new();
    for membership in memberships {
        *counts.entry(membership.peek().status().code()).or_default() += 1;
    }
    counts.into_iter().collect()
}

/// Returns whether a membership is the user's, or an unaccepted invitation of the user's verified address.
fn is_own(membership: &Membership, user: &User) -> bool {
    match membership.user_id() {
        Some(member) => member == user.id,
        None => membership.invitee.is_some() && membership.invitee == user.email,
    }
}
