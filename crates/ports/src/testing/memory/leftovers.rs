//! What is over and still stored.

use async_trait::async_trait;
use tradepost_domain::api_key::ApiKey;
use tradepost_domain::email_link::EmailLink;
use tradepost_domain::membership::Membership;
use tradepost_domain::session::Session;
use tradepost_domain::sign_in::PendingSignIn;
use tradepost_domain::step_up::Challenge;
use tradepost_domain::time::Timestamp;
use tradepost_domain::user::{LinkedIdentity, User};
use tradepost_domain::workspace::Workspace;

use super::MemoryStore;
use super::state::Held;
use crate::changes::Seen;
use crate::store::{Leftovers, StoreResult};

impl MemoryStore {
    /// The oldest records of a kind that are wanted, by a time of theirs.
    fn oldest<T: Held>(&self, most: u32, time: impl Fn(&T) -> Option<Timestamp>, before: Timestamp) -> Vec<Seen<T>> {
        let mut found = self.state().all(|record: &T| time(record).is_some_and(|time| time < before));
        found.sort_by_key(|seen| time(seen.peek()));
        found.truncate(most as usize);
        found
    }
}

#[async_trait]
impl Leftovers for MemoryStore {
    async fn list_overdue_invitations(&self, until: Timestamp, most: u32) -> StoreResult<Vec<Seen<Membership>>> {
        Ok(self.oldest(most, Membership::expires_at, until.plus(time::Duration::MICROSECOND)))
    }

    async fn list_old_sessions(&self, before: Timestamp, most: u32) -> StoreResult<Vec<Seen<Session>>> {
        Ok(self.oldest(most, |session: &Session| Some(session.created_at), before))
    }

    async fn list_old_pending_sign_ins(&self, before: Timestamp, most: u32) -> StoreResult<Vec<Seen<PendingSignIn>>> {
        Ok(self.oldest(most, |pending: &PendingSignIn| Some(pending.created_at), before))
    }

    async fn list_old_challenges(&self, before: Timestamp, most: u32) -> StoreResult<Vec<Seen<Challenge>>> {
        Ok(self.oldest(most, |challenge: &Challenge| Some(challenge.created_at), before))
    }

    async fn list_old_email_links(&self, before: Timestamp, most: u32) -> StoreResult<Vec<Seen<EmailLink>>> {
        Ok(self.oldest(most, |link: &EmailLink| Some(link.created_at), before))
    }

    async fn list_unconfirmed_users(&self, before: Timestamp, most: u32) -> StoreResult<Vec<Seen<User>>> {
        let linked = self.state().all(|_: &LinkedIdentity| true);
        let linked: Vec<_> = linked.iter().map(|identity| identity.peek().user_id).collect();
        let links = self.state().all(|_: &EmailLink| true);
        let links: Vec<_> = links.iter().map(|link| link.peek().user_id).collect();
        let unconfirmed = |user: &User| {
            let signs_in = user.email.is_some() || user.password.is_some() || linked.contains(&user.id);
            (!signs_in && !user.disabled && !links.contains(&user.id)).then_some(user.created_at)
        };
        Ok(self.oldest(most, unconfirmed, before))
    }

    async fn list_keys_to_remind_of(&self, until: Timestamp, most: u32) -> StoreResult<Vec<Seen<ApiKey>>> {
        Ok(self.oldest(most, |key: &ApiKey| key.remind_at, until.plus(time::Duration::MICROSECOND)))
    }

    async fn list_deleted_workspaces(&self, before: Timestamp, most: u32) -> StoreResult<Vec<Seen<Workspace>>> {
        Ok(self.oldest(most, |workspace: &Workspace| workspace.deleted_at, before))
    }
}
