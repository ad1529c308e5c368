//! Reads of users and their second factors.

use async_trait::async_trait;
use tradepost_domain::accounts::access::{Prover, WorkspaceScope};
use tradepost_domain::accounts::api_key::TokenDigest;
use tradepost_domain::accounts::email::EmailAddress;
use tradepost_domain::accounts::email_link::{EmailLink, PurposeKind};
use tradepost_domain::accounts::guesses::{CodeGuesses, Guesser, Guesses};
use tradepost_domain::accounts::membership::{Membership, Status};
use tradepost_domain::accounts::passkey::{Passkey, PasskeyRegistration};
use tradepost_domain::accounts::step_up::{Challenge, Factors, Grant};
use tradepost_domain::accounts::totp::{RecoveryCodes, Totp, TotpEnrollment};
use tradepost_domain::accounts::user::{LinkedIdentity, User};
use tradepost_domain::id::{ChallengeId, PasskeyId, UserId};

use crate::memory::MemoryStore;
use crate::memory::state::State;
use tradepost_ports::changes::Seen;
use tradepost_ports::record::{ONLY, numbered};
use tradepost_ports::store::{SecondFactors, StoreResult, Users};

#[async_trait]
impl Users for MemoryStore {
    async fn find_user(&self, id: UserId) -> StoreResult<Option<Seen<User>>> {
        Ok(self.state().find(id.to_bytes(), id.to_bytes()))
    }

    async fn find_users(&self, ids: &[UserId]) -> StoreResult<Vec<Seen<User>>> {
        Ok(self.state().all(|user: &User| ids.contains(&user.id)))
    }

    async fn find_user_by_email(&self, email: &EmailAddress) -> StoreResult<Option<Seen<User>>> {
        Ok(self.state().first(|user: &User| user.email.as_ref() == Some(email)))
    }

    async fn has_users(&self) -> StoreResult<bool> {
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
            membership.status() == Status::Accepted
                && scopes.iter().any(|scope| scope.workspace_id() == membership.workspace_id)
        };
        let fellows: Vec<_> = state.all(is_there).iter().map(|member| member.peek().user_id()).collect();
        Ok(state.all(|user: &User| ids.contains(&user.id) && (user.id == viewer || fellows.contains(&Some(user.id)))))
    }

    async fn count_linked_identities(&self, user: UserId) -> StoreResult<i64> {
        let linked = self.state().all(|identity: &LinkedIdentity| identity.user_id == user);
        Ok(linked.into_iter().map(|_| 1).sum())
    }

    async fn list_linked_identities(&self, user: UserId) -> StoreResult<Vec<Seen<LinkedIdentity>>> {
        Ok(self.state().all(|identity: &LinkedIdentity| identity.user_id == user))
    }

    async fn find_own_email_link(&self, user: UserId, kind: PurposeKind) -> StoreResult<Option<Seen<EmailLink>>> {
        Ok(self.state().find(user.to_bytes(), numbered(kind.code())))
    }

    async fn find_email_link(&self, digest: &TokenDigest) -> StoreResult<Option<Seen<EmailLink>>> {
        Ok(self.state().first(|link: &EmailLink| link.digest == *digest))
    }

    async fn find_email_link_to(&self, to: &EmailAddress, kind: PurposeKind) -> StoreResult<Option<Seen<EmailLink>>> {
        let mut links = self.state().all(|link: &EmailLink| link.purpose.kind() == kind && link.purpose.email() == to);
        links.sort_by_key(|link| (link.peek().created_at, link.peek().user_id));
        Ok(links.pop())
    }
}

#[async_trait]
impl SecondFactors for MemoryStore {
    async fn find_factors(&self, user: UserId) -> StoreResult<Factors> {
        Ok(self.state().factors_of(user))
    }

    async fn find_totp(&self, user: UserId) -> StoreResult<Option<Seen<Totp>>> {
        Ok(self.state().find(user.to_bytes(), ONLY))
    }

    async fn find_totp_enrollment(&self, user: UserId) -> StoreResult<Option<Seen<TotpEnrollment>>> {
        Ok(self.state().find(user.to_bytes(), ONLY))
    }

    async fn find_guesses(&self, user: UserId) -> StoreResult<Option<Seen<Guesses>>> {
        Ok(self.state().find(user.to_bytes(), ONLY))
    }

    async fn find_code_guesses(&self, user: UserId, by: Guesser) -> StoreResult<Option<Seen<CodeGuesses>>> {
        Ok(self.state().find(user.to_bytes(), by.to_bytes()))
    }

    async fn find_recovery_codes(&self, user: UserId) -> StoreResult<Option<Seen<RecoveryCodes>>> {
        Ok(self.state().find(user.to_bytes(), ONLY))
    }

    async fn find_passkey(&self, user: UserId, id: PasskeyId) -> StoreResult<Option<Seen<Passkey>>> {
        Ok(self.state().find(user.to_bytes(), id.to_bytes()))
    }

    async fn list_passkeys(&self, user: UserId) -> StoreResult<Vec<Seen<Passkey>>> {
        Ok(self.state().all(|passkey: &Passkey| passkey.user_id == user))
    }

    async fn find_passkey_registration(&self, user: UserId) -> StoreResult<Option<Seen<PasskeyRegistration>>> {
        Ok(self.state().find(user.to_bytes(), ONLY))
    }

    async fn find_challenge(&self, user: UserId, id: ChallengeId) -> StoreResult<Option<Seen<Challenge>>> {
        Ok(self.state().find(user.to_bytes(), id.to_bytes()))
    }

    async fn list_challenges(&self, prover: Prover) -> StoreResult<Vec<Seen<Challenge>>> {
        Ok(self.state().all(|open: &Challenge| open.user_id == prover.user_id && open.principal == prover.id))
    }

    async fn find_grant(&self, prover: Prover) -> StoreResult<Option<Seen<Grant>>> {
        Ok(self.state().find(prover.user_id.to_bytes(), prover.id.to_bytes()))
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
