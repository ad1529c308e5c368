//! `SignIn`: from an address and a password to a session, or to the question for a second factor.

use crate::accounts::passkeys::passkey_proofs::ask_passkeys_of;
use crate::accounts::sign_in::failed_sign_ins::check_bot_after_failures;
use crate::accounts::sign_in::failed_sign_ins::note_sign_in;
use crate::accounts::sign_in::known_devices::is_known_device;
use crate::accounts::sign_in::open_session::open_session;
use crate::accounts::two_factor::guesses::allows_password;
use crate::accounts::two_factor::guesses::forget_wrong_passwords;
use crate::accounts::two_factor::guesses::note_wrong_password;
use secrecy::SecretString;
use tradepost_domain::accounts::audit::AuditKind;
use tradepost_domain::accounts::email::EmailAddress;
use tradepost_domain::accounts::password::PasswordHash;
use tradepost_domain::accounts::session::{Proof, Proofs};
use tradepost_domain::accounts::sign_in::{self, PendingSignIn, TRIES};
use tradepost_domain::accounts::step_up::{MOST_CHALLENGES, Method};
use tradepost_domain::accounts::user::User;
use tradepost_domain::id::{ChallengeId, UserId};
use tradepost_domain::time::Timestamp;
use tradepost_ports::changes::{Caller, Changes, Seen};

use super::open_session::{AuthenticatedUser, SignedIn, user_agent};
use crate::calls::response_timing::on_grid;
use crate::{OpError, OpResult, Operations, fields};

/// The credentials that a client presents.
#[derive(Debug, Clone)]
pub struct SignIn {
    /// The address.
    pub email: String,
    /// The password.
    pub password: SecretString,
    /// The token of the bot-check widget; asked for after five failures.
    pub bot_check_token: Option<SecretString>,
    /// The token that this device received at its last sign-in, if any.
    pub device_token: Option<SecretString>,
    /// The client's own name, for the list of sessions.
    pub user_agent: Option<String>,
}

/// The identity that a client claims.
struct Claim<'a> {
    email: &'a EmailAddress,
    password: &'a SecretString,
    from_known_device: bool,
}

/// The question for a second factor.
pub(crate) struct SecondFactorQuestion {
    pub(crate) user_id: UserId,
    /// The proofs that the user has given already.
    pub(crate) proofs: Proofs,
    /// The methods with which it can be answered.
    pub(crate) allowed_methods: Vec<Method>,
}

/// The answer to a correct password.
#[derive(Debug)]
pub enum SignInAnswer {
    /// A session.
    Open(Box<SignedIn>),
    /// The question for a second factor.
    Asked {
        /// The challenge that the answer must name.
        challenge_id: ChallengeId,
        /// The methods with which it can be answered.
        allowed_methods: Vec<Method>,
        /// The WebAuthn request options as JSON, for a user who has passkeys.
        passkey_options: Option<String>,
    },
}

impl SignInAnswer {
    /// Returns when the session that was opened ends at the latest; `None` while a second factor is missing.
    pub fn expires_at(&self) -> Option<Timestamp> {
        match self {
            Self::Open(signed_in) => Some(signed_in.expires_at),
            Self::Asked { .. } => None,
        }
    }
}

impl Operations {
    /// Signs in. Users with an authenticator app or a passkey are asked for it.
    ///
    /// An address without an account costs the same password check as one with an account. Every rejection has the same words, at the same
    /// times. After a hundred wrong passwords in a row the correct one is rejected too, except from a device that signed in
    /// recently.
    ///
    /// # Errors
    /// `unauthenticated` with `WRONG_CREDENTIALS` for an unknown or unconfirmed address, a wrong password and a disabled
    /// account alike; `failed_precondition` with `BOT_CHECK_REQUIRED` after five failures, or `BOT_CHECK_FAILED`;
    /// `invalid_argument`; `resource_exhausted` after too many tries from one network or for one address, or with `BUSY`.
    pub async fn sign_in(&self, caller: &Caller, command: SignIn) -> OpResult<SignInAnswer> {
        self.refunding(self.try_password(caller, command)).await
    }

    async fn try_password(&self, caller: &Caller, command: SignIn) -> OpResult<SignInAnswer> {
        let email = fields::email("email", &command.email)?;
        fields::given("password", &command.password)?;
        let at = self.now();
        let device = command.device_token.filter(|token| is_known_device(self, &email, token, at));
        let _at_work = self.sign_ins.begin()?;
        self.charge_password(caller.client, &email, device.as_ref()).await?;
        check_bot_after_failures(self, caller, &email, command.bot_check_token).await?;
        let claim = Claim { email: &email, password: &command.password, from_known_device: device.is_some() };
        let user = on_grid(self.find_user_by_password(caller, claim)).await?;
        let hash = self.rehash(user.peek(), command.password).await?;
        let allowed_methods = sign_in::methods(self.ports.store.second_factors().find_all(user.peek().id).await?);
        let user_agent = user_agent(command.user_agent.as_deref());
        self.retrying(|| async {
            // Relied on as it was when the password was checked: a password that is changed in between opens nothing.
            let mut changes = Changes::by(caller);
            let user = match hash.clone() {
                Some(hash) => changes.revise(user.clone(), |user| Ok::<_, OpError>(user.with_hash(hash)))?.value,
                None => changes.rely_on(user.clone()),
            };
            forget_wrong_passwords(self, &mut changes, user.id).await?;
            let proofs = Proofs::of(&[Proof::Password]);
            let answer = if allowed_methods.is_empty() {
                let proved = AuthenticatedUser { user, proofs, user_agent: user_agent.clone() };
                SignInAnswer::Open(Box::new(open_session(self, caller, &mut changes, proved, at).await?))
            } else {
                let allowed_methods = allowed_methods.clone();
                let question = SecondFactorQuestion { user_id: user.id, proofs, allowed_methods };
                ask_for_second_factor(self, question, &mut changes, at).await?
            };
            self.commit(caller, changes).await?;
            Ok(answer)
        })
        .await
    }

    /// Returns the user with this address and password. The outcome is remembered, and a failure recorded.
    async fn find_user_by_password(&self, caller: &Caller, claim: Claim<'_>) -> OpResult<Seen<User>> {
        let found = self.ports.store.users().find_by_email(claim.email).await?;
        let user = found.as_ref().map(Seen::peek);
        let hash = user.and_then(|user| user.password.as_ref()).map(|password| password.hash.clone());
        let is_right = self.ports.passwords.verify(claim.password.clone(), hash).await?;
        let is_suspended = !allows_password(self, user).await? && !claim.from_known_device;
        let is_let_in = is_right && !is_suspended && user.is_some_and(|user| !user.disabled);
        note_sign_in(self, caller, claim.email, is_let_in);
        if !is_let_in {
            note_wrong_password(self, caller, user, is_suspended).await?;
        }
        found.filter(|_| is_let_in).ok_or_else(OpError::wrong_credentials)
    }

    /// Returns a new hash of the password, where the stored one was calculated at another cost.
    async fn rehash(&self, user: &User, password: SecretString) -> OpResult<Option<PasswordHash>> {
        let kept = user.password.as_ref().map(|password| &password.hash);
        match kept.filter(|hash| self.ports.passwords.is_outdated(hash)) {
            Some(_) => Ok(Some(self.ports.passwords.hash(password).await?)),
            None => Ok(None),
        }
    }
}

/// Adds the question to the changes, and ends the user's expired ones and the oldest beyond the limit. A user with passkeys gets the
/// options for a passkey.
pub(crate) async fn ask_for_second_factor(
    operations: &Operations,
    question: SecondFactorQuestion,
    changes: &mut Changes,
    at: Timestamp,
) -> OpResult<SignInAnswer> {
    let SecondFactorQuestion { user_id, proofs, allowed_methods } = question;
    let asked = operations.ports.store.sign_ins().list_pending(user_id).await?;
    let (open, over): (Vec<_>, Vec<_>) = asked.into_iter().partition(|seen| seen.peek().is_open(at));
    let beyond = (open.len() + 1).saturating_sub(MOST_CHALLENGES);
    for ended in over.into_iter().chain(open.into_iter().take(beyond)) {
        changes.remove(ended);
    }
    let begun = ask_passkeys_of(operations, user_id).await?;
    let (passkey_state, passkey_options) = begun.map(|begun| (begun.state, begun.options)).unzip();
    let id = operations.mint();
    changes.audit(AuditKind::SessionSecondFactorAsked, user_id);
    changes.insert(PendingSignIn { id, user_id, proofs, passkey_state, tries_left: TRIES, created_at: at });
    Ok(SignInAnswer::Asked { challenge_id: id, allowed_methods, passkey_options })
}
