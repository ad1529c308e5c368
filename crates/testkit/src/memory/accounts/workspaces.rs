//! Reads of workspaces, memberships and keys, and the record of a key's use.

use std::collections::BTreeMap;

use async_trait::async_trait;
use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::accounts::api_key::{ApiKey, EXPIRED_SHOWN, MOST_LIVE, PepperId, TokenDigest};
use tradepost_domain::accounts::membership::{Membership, Status};
use tradepost_domain::accounts::user::User;
use tradepost_domain::accounts::workspace::Workspace;
use tradepost_domain::id::{ApiKeyId, MembershipId, OfMembership, UserId, WorkspaceId};
use tradepost_domain::time::Timestamp;

use crate::memory::MemoryStore;
use crate::memory::state::State;
use tradepost_ports::changes::Seen;
use tradepost_ports::store::{KeyRecord, KeyUse, ListedKey, Page, PageRequest, StoreResult, Workspaces};

#[async_trait]
impl Workspaces for MemoryStore {
    async fn find_workspace(&self, scope: WorkspaceScope) -> StoreResult<Option<Seen<Workspace>>> {
        let home = scope.workspace_id().to_bytes();
        Ok(self.state().find(home, home))
    }

    async fn find_membership(&self, scope: WorkspaceScope, id: MembershipId) -> StoreResult<Option<Seen<Membership>>> {
        Ok(self.state().find(scope.workspace_id().to_bytes(), id.to_bytes()))
    }

    async fn find_memberships(
        &self,
        scope: WorkspaceScope,
        ids: &[MembershipId],
    ) -> StoreResult<Vec<Seen<Membership>>> {
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

    async fn find_own_membership(&self, user: &User, id: MembershipId) -> StoreResult<Option<Seen<Membership>>> {
        Ok(self.state().first(|membership: &Membership| membership.id == id && is_own(membership, user)))
    }

    async fn count_members_without_strong_factor(&self, scope: WorkspaceScope) -> StoreResult<i64> {
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

    async fn list_own_memberships(&self, user: UserId) -> StoreResult<Vec<Seen<Membership>>> {
        let mut own = self
            .state()
            .all(|membership: &Membership| membership.user_id() == Some(user) && !membership.status().is_terminal());
        own.sort_by_key(|membership| membership.peek().id);
        Ok(own)
    }

    async fn list_every_membership(&self, user: UserId) -> StoreResult<Vec<Seen<Membership>>> {
        let mut every = self.state().all(|membership: &Membership| membership.user_id() == Some(user));
        every.sort_by_key(|membership| membership.peek().id);
        Ok(every)
    }

    async fn list_own_workspaces(&self, user: UserId) -> StoreResult<Vec<Seen<Workspace>>> {
        let state = self.state();
        let accepted = state.all(|membership: &Membership| {
            membership.user_id() == Some(user) && membership.status() == Status::Accepted
        });
        let accepted: Vec<WorkspaceId> = accepted.iter().map(|membership| membership.peek().workspace_id).collect();
        Ok(state.all(|workspace: &Workspace| accepted.contains(&workspace.id)))
    }

    async fn list_memberships(
        &self,
        scope: WorkspaceScope,
        status: Option<Status>,
        page: PageRequest<OfMembership>,
    ) -> StoreResult<Page<OfMembership>> {
        let wanted = |membership: &Membership| status.is_none_or(|status| membership.status() == status);
        Ok(self.state().page(scope.workspace_id(), &page, wanted))
    }

    async fn count_own_memberships(&self, user: &User) -> StoreResult<Vec<(i16, i64)>> {
        Ok(by_status(&self.state().all(|membership: &Membership| is_own(membership, user))))
    }

    async fn count_memberships_of(&self, scope: WorkspaceScope, user: UserId) -> StoreResult<Vec<(i16, i64)>> {
        let workspace = scope.workspace_id();
        let of_user =
            |membership: &Membership| membership.workspace_id == workspace && membership.user_id() == Some(user);
        Ok(by_status(&self.state().all(of_user)))
    }

    async fn find_key_by_digest(&self, digest: &TokenDigest) -> StoreResult<Option<KeyRecord>> {
        let state = self.state();
        let Some(key) = state.first(|key: &ApiKey| key.digest == *digest) else { return Ok(None) };
        let ApiKey { workspace_id, owner_id, membership_id, .. } = key.peek();
        let owner = state.find(owner_id.to_bytes(), owner_id.to_bytes());
        let membership = state.find(workspace_id.to_bytes(), membership_id.to_bytes());
        Ok(owner.zip(membership).map(|(owner, membership)| KeyRecord { key, owner, membership }))
    }

    async fn find_key(&self, scope: WorkspaceScope, id: ApiKeyId) -> StoreResult<Option<ListedKey>> {
        let state = self.state();
        Ok(state.find(scope.workspace_id().to_bytes(), id.to_bytes()).map(|key| state.listed(key)))
    }

    async fn list_keys(&self, scope: WorkspaceScope, at: Timestamp) -> StoreResult<Vec<ListedKey>> {
        let state = self.state();
        Ok(state.keys_shown(scope.workspace_id(), at).into_iter().map(|key| state.listed(key)).collect())
    }

    async fn list_member_keys(&self, membership: &Membership, at: Timestamp) -> StoreResult<Vec<Seen<ApiKey>>> {
        let (workspace, id) = (membership.workspace_id, membership.id);
        let is_theirs = |key: &ApiKey| key.workspace_id == workspace && key.membership_id == id && key.is_live(at);
        let mut keys = self.state().all(is_theirs);
        keys.sort_by_key(|key| key.peek().id);
        Ok(keys)
    }

    async fn count_keys(&self, scope: WorkspaceScope, at: Timestamp) -> StoreResult<i64> {
        Ok(self.state().keys_shown(scope.workspace_id(), at).into_iter().map(|_| 1).sum())
    }

    async fn count_live_keys(&self, scope: WorkspaceScope, at: Timestamp) -> StoreResult<i64> {
        let workspace = scope.workspace_id();
        let live = self.state().all(|key: &ApiKey| key.workspace_id == workspace && key.is_live(at));
        Ok(live.into_iter().map(|_| 1).sum())
    }

    async fn touch_keys(&self, uses: &[KeyUse]) -> StoreResult<()> {
        let mut state = self.state();
        for KeyUse { workspace_id, key_id, at } in uses {
            let last = state.last_used.entry((*workspace_id, *key_id)).or_insert(*at);
            *last = (*last).max(*at);
        }
        Ok(())
    }

    async fn replace_key_digest(&self, key: &ApiKey, digest: TokenDigest, pepper: PepperId) -> StoreResult<()> {
        let mut state = self.state();
        let found = state.find::<ApiKey>(key.workspace_id.to_bytes(), key.id.to_bytes());
        let Some((stored, version)) = found.map(Seen::into_display) else { return Ok(()) };
        if stored.digest != key.digest {
            return Ok(());
        }
        state.set(ApiKey { digest, pepper: Some(pepper), ..stored }.into(), version)
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

impl State {
    fn listed(&self, key: Seen<ApiKey>) -> ListedKey {
        let last_used_at = self.last_used.get(&(key.peek().workspace_id, key.peek().id)).copied();
        ListedKey { key, last_used_at }
    }

    /// Returns the keys of a listing, newest first: the newest live ones, and those that expired last.
    fn keys_shown(&self, workspace: WorkspaceId, at: Timestamp) -> Vec<Seen<ApiKey>> {
        let mut keys = self.all(|key: &ApiKey| key.workspace_id == workspace && key.revoked_at.is_none());
        keys.sort_by_key(|key| std::cmp::Reverse(key.peek().id));
        let (mut shown, mut expired): (Vec<_>, Vec<_>) = keys.into_iter().partition(|key| key.peek().is_live(at));
        expired.sort_by_key(|key| std::cmp::Reverse((key.peek().expires_at, key.peek().id)));
        shown.truncate(MOST_LIVE);
        expired.truncate(EXPIRED_SHOWN);
        shown.extend(expired);
        shown.sort_by_key(|key| std::cmp::Reverse(key.peek().id));
        shown
    }
}
