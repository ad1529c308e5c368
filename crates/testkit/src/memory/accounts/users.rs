//! Reads of users and their second factors.

use async_trait::async_trait;
use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::accounts::email::EmailAddress;
use tradepost_domain::accounts::membership::{Membership, Status};
use tradepost_domain::accounts::passkey::Passkey;
use tradepost_domain::accounts::step_up::Factors;
use tradepost_domain::accounts::totp::{RecoveryCodes, Totp};
use tradepost_domain::accounts::user::User;
use tradepost_domain::id::UserId;
use tradepost_ports::changes::Seen;
use tradepost_ports::record::ONLY;
use tradepost_ports::store::{StoreResult, Users};

use crate::memory::MemoryStore;
use crate::memory::state::State;

#[async_trait]
impl Users for MemoryStore {
    async fn find(&self, id: UserId) -> StoreResult<Option<Seen<User>>> {
        Ok(self.state().find(id.to_bytes(), id.to_bytes()))
    }
    async fn find_many(&self, ids: &[UserId]) -> StoreResult<Vec<Seen<User>>> {
        Ok(self.state().all(|user: &User| ids.contains(&user.id)))
    }
    async fn find_by_email(&self, email: &EmailAddress) -> StoreResult<Option<Seen<User>>> {
        Ok(self.state().first(|user: &User| user.email.as_ref() == Some(email)))
    }
    async fn has_any(&self) -> StoreResult<bool> {
        Ok(self.state().first(|_: &User| true).is_some())
    }
    async fn find_fellows(
        &self,
        viewer: UserId,
        scopes: &[WorkspaceScope],
        ids: &[UserId],
    ) -> StoreResult<Vec<Seen<User>>> {
        let state = self.state();
        let is_there = |membership: &Membership| {
            matches!(membership.status(), Status::Accepted | Status::Suspended)
                && scopes.iter().any(|scope| scope.workspace_id() == membership.workspace_id)
        };
        let fellows: Vec<_> = state.all(is_there).iter().map(|member| member.peek().user_id()).collect();
        Ok(state.all(|user: &User| ids.contains(&user.id) && (user.id == viewer || fellows.contains(&Some(user.id)))))
    }
}

impl State {
    /// Returns the factors that a user has.
    pub(crate) fn factors_of(&self, user: UserId) -> Factors {
        let home = user.to_bytes();
        Factors {
            email: self.find::<User>(home, home).is_some_and(|user| user.peek().email.is_some()),
            totp: self.find::<Totp>(home, ONLY).is_some(),
            passkey: self.first(|passkey: &Passkey| passkey.user_id == user && passkey.is_usable()).is_some(),
            recovery_code: self.find::<RecoveryCodes>(home, ONLY).is_some_and(|codes| !codes.peek().digests.is_empty()),
        }
    }
}
