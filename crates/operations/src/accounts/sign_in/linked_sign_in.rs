//! `BeginLinkedSignIn` and `FinishLinkedSignIn`: from an identity of another platform to a session, to the question for a
//! second factor, or to a new user.

use crate::accounts::credentials::linking::begin_link;
use crate::accounts::credentials::linking::prove_identity;
use crate::accounts::credentials::linking::use_up;
use crate::accounts::sign_in::open_session::open_session;
use crate::accounts::sign_in::sign_in::ask_for_second_factor;
use crate::accounts::sign_in::sign_up::check_sign_up_is_open;
use tradepost_domain::accounts::account_link::{Provider, Purpose};
use tradepost_domain::accounts::audit::{About, AuditKind, Fact};
use tradepost_domain::accounts::preferences::Preferences;
use tradepost_domain::accounts::session::{Proof, Proofs};
use tradepost_domain::accounts::sign_in;
use tradepost_domain::accounts::user::{LinkedIdentity, User};
use tradepost_domain::text::Name;
use tradepost_domain::time::Timestamp;
use tradepost_ports::changes::{Caller, Changes, Seen};
use tradepost_ports::limiter::RateClass;
use tradepost_ports::store::{StoreError, Unique};

use super::open_session::{AuthenticatedUser, user_agent};
use super::sign_in::{SecondFactorQuestion, SignInAnswer};
use crate::accounts::credentials::linking::{BeginLink, BegunLink, FinishLink, ProvenAt, used_up};
use crate::{OpError, OpResult, Operations};

/// The parameters with which the browser came back, and what the client says of itself.
#[derive(Debug, Clone)]
pub struct FinishLinkedSignIn {
    /// The answer.
    pub answer: FinishLink,
    /// The client's own name, for the list of sessions.
    pub user_agent: Option<String>,
}

impl Operations {
    /// Begins to sign in with an identity of another platform.
    ///
    /// # Errors
    /// `invalid_argument` for an address that is not allowed; `failed_precondition` with `PROVIDER_NOT_OFFERED`.
    pub async fn begin_linked_sign_in(&self, caller: &Caller, command: BeginLink) -> OpResult<BegunLink> {
        begin_link(self, caller, Changes::by(caller), command, Purpose::SignIn).await
    }

    /// Signs in as the user who has the identity that the platform's answer proves.
    ///
    /// A user with an authenticator app or a passkey is asked for it. An unknown identity becomes a new user, without an e-mail address.
    ///
    /// # Errors
    /// `failed_precondition` with `LINK_INVALID`, `PROVIDER_DENIED`, or `SIGN_UP_CLOSED` for an unknown identity where sign-up is closed;
    /// `unauthenticated` with `WRONG_CREDENTIALS` for a disabled account; `internal` with `PROVIDER_UNAVAILABLE`; `invalid_argument`;
    /// `resource_exhausted` after too many tries from one network.
    pub async fn finish_linked_sign_in(&self, caller: &Caller, command: FinishLinkedSignIn) -> OpResult<SignInAnswer> {
        self.charge_network(caller.client, RateClass::PasswordNetwork).await?;
        let proven = prove_identity(self, &command.answer, Purpose::SignIn).await?;
        let user_agent = user_agent(command.user_agent.as_deref());
        let outcome = self.retrying(|| async {
            let at = self.now();
            let mut changes = Changes::by(caller);
            use_up(self, command.answer.link_id, Purpose::SignIn, &proven.proven, &mut changes).await?;
            let known = self.ports.store.account_links().find_identity(proven.provider, &proven.proven.subject).await?;
            let user = match known {
                Some(identity) => self.user_of(identity, &mut changes).await?,
                None => self.welcome(&proven, &mut changes, at)?,
            };
            let proofs = Proofs::of(&[Proof::LinkedIdentity]);
            let authenticated = AuthenticatedUser { user, proofs, user_agent: user_agent.clone() };
            let answer = self.let_in(caller, authenticated, &mut changes, at).await?;
            self.commit(caller, changes).await.map_err(lost_race)?;
            Ok(answer)
        });
        let tried = About::NO_SUBJECT.with(Fact::Provider, &proven.provider);
        self.audit_denied(caller, AuditKind::SessionSignInFailed, tried, outcome.await).await
    }

    async fn user_of(&self, identity: Seen<LinkedIdentity>, changes: &mut Changes) -> OpResult<User> {
        let user_id = changes.rely_on(identity).user_id;
        let user = self.ports.store.users().find(user_id).await?.filter(|user| !user.peek().disabled);
        Ok(changes.rely_on(user.ok_or_else(OpError::identity_refused)?))
    }

    /// Creates a user, known by the identity alone.
    fn welcome(&self, proven: &ProvenAt, changes: &mut Changes, at: Timestamp) -> OpResult<User> {
        check_sign_up_is_open(self)?;
        let ProvenAt { provider, proven } = proven;
        let user = User {
            id: self.mint(),
            display_name: proven.display_name.clone().map_or_else(|| unnamed(*provider), Ok)?,
            preferences: Preferences::default(),
            email: None,
            password: None,
            email_changed_at: None,
            disabled: false,
            created_at: at,
            updated_at: at,
        };
        changes.audit(AuditKind::UserSignedUp, About::from(user.id).with(Fact::Provider, provider));
        let subject = proven.subject.clone();
        changes.insert(user.clone()).insert(LinkedIdentity {
            id: self.mint(),
            user_id: user.id,
            provider: *provider,
            subject,
            linked_at: at,
        });
        Ok(user)
    }

    /// Opens a session, or asks for a second factor where the user has one.
    async fn let_in(
        &self,
        caller: &Caller,
        proved: AuthenticatedUser,
        changes: &mut Changes,
        at: Timestamp,
    ) -> OpResult<SignInAnswer> {
        let user_id = proved.user.id;
        let allowed_methods = sign_in::methods(self.ports.store.second_factors().find_all(user_id).await?);
        if allowed_methods.is_empty() {
            return Ok(SignInAnswer::Open(Box::new(open_session(self, caller, changes, proved, at).await?)));
        }
        let question = SecondFactorQuestion { user_id, proofs: proved.proofs, allowed_methods };
        ask_for_second_factor(self, question, changes, at).await
    }
}

fn unnamed(provider: Provider) -> OpResult<Name> {
    Name::new(&format!("{provider} user")).map_err(|error| OpError::internal(error.to_string()))
}

/// Returns a retryable conflict: another call created a user of the same identity first, and that is the user to sign in as.
fn lost_race(error: OpError) -> OpError {
    match error.source {
        Some(StoreError::Duplicate(Unique::LinkedIdentity)) => StoreError::Conflict.into(),
        Some(_) | None => used_up(error),
    }
}
