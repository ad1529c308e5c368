//! Reads of sessions and sign-ins, and the record of a session's use.

use async_trait::async_trait;
use tradepost_domain::accounts::api_key::TokenDigest;
use tradepost_domain::accounts::membership::Membership;
use tradepost_domain::accounts::session::Session;
use tradepost_domain::id::UserId;
use tradepost_ports::changes::Seen;
use tradepost_ports::store::{ListedSession, SessionRecord, SessionUse, Sessions, StoreResult};

use crate::memory::MemoryStore;
use crate::memory::state::State;

#[async_trait]
impl Sessions for MemoryStore {
    async fn find_by_digest(&self, digest: &TokenDigest) -> StoreResult<Option<SessionRecord>> {
        let state = self.state();
        let Some(session) = state.first(|session: &Session| session.digest == *digest) else { return Ok(None) };
        let user_id = session.peek().user_id;
        let mut memberships = state
            .all(|membership: &Membership| membership.user_id() == Some(user_id) && !membership.status().is_terminal());
        memberships.sort_by_key(|membership| membership.peek().id);
        let user = state.find(user_id.to_bytes(), user_id.to_bytes());
        Ok(user.map(|user| SessionRecord { session: state.seen_last(session), user, memberships }))
    }
    async fn list(&self, user: UserId) -> StoreResult<Vec<ListedSession>> {
        let state = self.state();
        let own = state.all(|session: &Session| session.user_id == user);
        Ok(own.into_iter().map(|session| state.seen_last(session)).collect())
    }
    async fn touch(&self, uses: &[SessionUse]) -> StoreResult<()> {
        let mut state = self.state();
        for SessionUse { session_id, at, .. } in uses {
            let last = state.last_seen.entry(*session_id).or_insert(*at);
            *last = (*last).max(*at);
        }
        Ok(())
    }
}

impl State {
    fn seen_last(&self, session: Seen<Session>) -> ListedSession {
        ListedSession { last_seen_at: self.last_seen.get(&session.peek().id).copied(), session }
    }
}
