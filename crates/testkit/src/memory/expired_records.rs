//! Expired records that are still stored.

use std::sync::Arc;

use async_trait::async_trait;
use tradepost_domain::accounts::account_link::{AccountLink, ConsumedAssertion};
use tradepost_domain::accounts::api_key::ApiKey;
use tradepost_domain::accounts::email_link::EmailLink;
use tradepost_domain::accounts::guesses::CodeGuesses;
use tradepost_domain::accounts::membership::Membership;
use tradepost_domain::accounts::session::Session;
use tradepost_domain::accounts::sign_in::PendingSignIn;
use tradepost_domain::accounts::step_up::Challenge;
use tradepost_domain::accounts::user::{LinkedIdentity, User};
use tradepost_domain::accounts::workspace::Workspace;
use tradepost_domain::accounts::workspace_key::WorkspaceSecret;
use tradepost_domain::alerts::message::AlertMessage;
use tradepost_domain::events::webhook_delivery::{DeliveryState, WebhookDelivery};
use tradepost_domain::time::Timestamp;
use tradepost_domain::trading::chat::ChatMessage;
use tradepost_ports::changes::Seen;
use tradepost_ports::record::Record;
use tradepost_ports::store::{Aged, ClearingTurn, ExpiredRecords, StoreResult};

use super::MemoryStore;

impl MemoryStore {
    /// Returns the oldest matching records of a kind, by a time of theirs.
    fn oldest<T: Record>(&self, most: u32, time: impl Fn(&T) -> Option<Timestamp>, before: Timestamp) -> Vec<Seen<T>> {
        let mut found = self.state().all(|record: &T| time(record).is_some_and(|time| time < before));
        found.sort_by_key(|seen| time(seen.peek()));
        found.truncate(most as usize);
        found
    }

    /// Deletes the oldest records of a kind. Returns their number.
    fn forget<T: Record>(&self, most: u32, time: impl Fn(&T) -> Option<Timestamp>, before: Timestamp) -> u64 {
        let found = self.oldest(most, time, before);
        let mut state = self.state();
        for seen in &found {
            state.clear(seen.peek().address());
        }
        found.len() as u64
    }
}

#[async_trait]
impl ExpiredRecords for MemoryStore {
    async fn list_overdue_invitations(&self, until: Timestamp, most: u32) -> StoreResult<Vec<Seen<Membership>>> {
        Ok(self.oldest(most, Membership::expires_at, until.plus(time::Duration::MICROSECOND)))
    }
    async fn begin_clearing(&self) -> StoreResult<Option<ClearingTurn>> {
        Ok(Arc::clone(&self.clearing).try_lock_owned().ok().map(ClearingTurn::held_by))
    }
    async fn forget_aged(&self, what: Aged, before: Timestamp, most: u32) -> StoreResult<u64> {
        let forgotten = match what {
            Aged::Sessions => self.forget(most, |session: &Session| Some(session.created_at), before),
            Aged::PendingSignIns => self.forget(most, |pending: &PendingSignIn| Some(pending.created_at), before),
            Aged::Challenges => self.forget(most, |challenge: &Challenge| Some(challenge.created_at), before),
            Aged::CodeGuesses => self.forget(most, |guesses: &CodeGuesses| Some(guesses.since), before),
            Aged::EmailLinks => self.forget(most, |link: &EmailLink| Some(link.created_at), before),
            Aged::AccountLinks => self.forget(most, |link: &AccountLink| Some(link.created_at), before),
            Aged::SpentAnswers => self.forget(most, |answer: &ConsumedAssertion| Some(answer.spent_at), before),
            Aged::DoneDeliveries => {
                let is_done = |state| matches!(state, DeliveryState::Delivered | DeliveryState::Cancelled);
                let done_at = |delivery: &WebhookDelivery| delivery.done_at.filter(|_| is_done(delivery.state));
                self.forget(most, done_at, before)
            }
            Aged::Deliveries => self.forget(most, |delivery: &WebhookDelivery| Some(delivery.created_at), before),
            Aged::AlertMessages => self.forget(most, |message: &AlertMessage| Some(message.created_at), before),
            Aged::ChatMessages => self.forget(most, |message: &ChatMessage| Some(message.created_at), before),
            Aged::ChatTexts => {
                let is_text = |secret: &WorkspaceSecret| secret.place.table.as_str() == "chat_messages";
                self.forget(most, |secret: &WorkspaceSecret| is_text(secret).then_some(secret.updated_at), before)
            }
        };
        Ok(forgotten)
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
