//! Reads of sessions and sign-ins, and the record of a session's use.

use async_trait::async_trait;
use tradepost_domain::accounts::api_key::TokenDigest;
use tradepost_domain::accounts::membership::Membership;
use tradepost_domain::accounts::session::Session;
use tradepost_domain::accounts::sign_in::{PasskeySignIn, PendingSignIn};
use tradepost_domain::id::{ChallengeId, UserId};
use tradepost_domain::time::Timestamp;

use crate::memory::MemoryStore;
use crate::memory::state::State;
use tradepost_ports::changes::Seen;
use tradepost_ports::store::{ListedSession, SessionRecord, SessionUse, Sessions, StoreResult};

#[async_trait]
impl Sessions for MemoryStore {
    async fn find_pending_sign_in(&self, id: ChallengeId) -> StoreResult<Option<Seen<PendingSignIn>>> {
        Ok(self.state().find(id.to_bytes(), id.to_bytes()))
    }

    async fn list_pending_sign_ins(&self, user: UserId) -> StoreResult<Vec<Seen<PendingSignIn>>> {
        Ok(self.state().all(|pending: &PendingSignIn| pending.user_id == user))
    }

    async fn find_passkey_sign_in(&self, id: ChallengeId) -> StoreResult<Option<Seen<PasskeySignIn>>> {
        Ok(self.state().find(id.to_bytes(), id.to_bytes()))
    }

    async fn list_passkey_sign_ins_before(&self, at: Timestamp, most: u16) -> StoreResult<Vec<Seen<PasskeySignIn>>> {
        let mut before = self.state().all(|asked: &PasskeySignIn| asked.created_at < at);
        before.sort_by_key(|asked| (asked.peek().created_at, asked.peek().id));
        before.truncate(usize::from(most));
        Ok(before)
    }

    async fn find_session_by_digest(&self, digest: &TokenDigest) -> StoreResult<Option<SessionRecord>> {
        let state = self.state();
        let Some(session) = state.first(|session: &Session| session.digest == *digest) else { return Ok(None) };
        let user_id = session.peek().user_id;
        let mut memberships = state
            .all(|membership: &Membership| membership.user_id() == Some(user_id) && !membership.status().is_terminal());
        memberships.sort_by_key(|membership| membership.peek().id);
        let user = state.find(user_id.to_bytes(), user_id.to_bytes());
        Ok(user.map(|user| SessionRecord { session: state.seen_last(session), user, memberships }))
    }

    async fn list_sessions(&self, user: UserId) -> StoreResult<Vec<ListedSession>> {
        let state = self.state();
        let own = state.all(|session: &Session| session.user_id == user);
        Ok(own.into_iter().map(|session| state.seen_last(session)).collect())
    }

    async fn touch_sessions(&self, uses: &[SessionUse]) -> StoreResult<()> {
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
