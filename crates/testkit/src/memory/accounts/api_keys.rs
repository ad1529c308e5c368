//! Reads of API keys.

use async_trait::async_trait;
use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::accounts::api_key::{ApiKey, EXPIRED_SHOWN, MOST_LIVE, PepperId, TokenDigest};
use tradepost_domain::accounts::membership::Membership;
use tradepost_domain::id::{ApiKeyId, WorkspaceId};
use tradepost_domain::time::Timestamp;
use tradepost_ports::changes::Seen;
use tradepost_ports::store::{ApiKeys, KeyRecord, KeyUse, ListedKey, StoreResult};

use crate::memory::MemoryStore;
use crate::memory::state::State;

#[async_trait]
impl ApiKeys for MemoryStore {
    async fn find_by_digest(&self, digest: &TokenDigest) -> StoreResult<Option<KeyRecord>> {
        let state = self.state();
        let Some(key) = state.first(|key: &ApiKey| key.digest == *digest) else { return Ok(None) };
        let ApiKey { workspace_id, owner_id, membership_id, .. } = key.peek();
        let owner = state.find(owner_id.to_bytes(), owner_id.to_bytes());
        let membership = state.find(workspace_id.to_bytes(), membership_id.to_bytes());
        Ok(owner.zip(membership).map(|(owner, membership)| KeyRecord { key, owner, membership }))
    }
    async fn find(&self, scope: WorkspaceScope, id: ApiKeyId) -> StoreResult<Option<ListedKey>> {
        let state = self.state();
        Ok(state.find(scope.workspace_id().to_bytes(), id.to_bytes()).map(|key| state.listed(key)))
    }
    async fn list(&self, scope: WorkspaceScope, at: Timestamp) -> StoreResult<Vec<ListedKey>> {
        let state = self.state();
        Ok(state.keys_shown(scope.workspace_id(), at).into_iter().map(|key| state.listed(key)).collect())
    }
    async fn list_of_member(&self, membership: &Membership, at: Timestamp) -> StoreResult<Vec<Seen<ApiKey>>> {
        let (workspace, id) = (membership.workspace_id, membership.id);
        let is_theirs = |key: &ApiKey| key.workspace_id == workspace && key.membership_id == id && key.is_live(at);
        let mut keys = self.state().all(is_theirs);
        keys.sort_by_key(|key| key.peek().id);
        Ok(keys)
    }
    async fn count(&self, scope: WorkspaceScope, at: Timestamp) -> StoreResult<i64> {
        Ok(self.state().keys_shown(scope.workspace_id(), at).into_iter().map(|_| 1).sum())
    }
    async fn count_live(&self, scope: WorkspaceScope, at: Timestamp) -> StoreResult<i64> {
        let workspace = scope.workspace_id();
        let live = self.state().all(|key: &ApiKey| key.workspace_id == workspace && key.is_live(at));
        Ok(live.into_iter().map(|_| 1).sum())
    }
    async fn touch(&self, uses: &[KeyUse]) -> StoreResult<()> {
        let mut state = self.state();
        for KeyUse { workspace_id, key_id, at } in uses {
            let last = state.last_used.entry((*workspace_id, *key_id)).or_insert(*at);
            *last = (*last).max(*at);
        }
        Ok(())
    }
    async fn replace_digest(&self, key: &ApiKey, digest: TokenDigest, pepper: PepperId) -> StoreResult<()> {
        let mut state = self.state();
        let found = state.find::<ApiKey>(key.workspace_id.to_bytes(), key.id.to_bytes());
        let Some((stored, version)) = found.map(Seen::into_display) else { return Ok(()) };
        if stored.digest != key.digest {
            return Ok(());
        }
        state.set(ApiKey { digest, pepper: Some(pepper), ..stored }.into(), version)
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
