//! `CompleteSignIn`: the second factor of a sign-in.

use crate::accounts::passkeys::passkey_proofs::credential_named_by;
use crate::accounts::passkeys::passkey_proofs::use_passkey;
use crate::accounts::sign_in::open_session::open_session;
use crate::accounts::two_factor::complete_step_up::use_totp;
use crate::accounts::two_factor::guesses::charge_code;
use crate::accounts::two_factor::guesses::take_back_charge;
use crate::accounts::two_factor::recovery_codes::use_recovery_code;
use secrecy::{ExposeSecret as _, SecretString};
use tradepost_domain::accounts::audit::{About, AuditKind, Fact};
use tradepost_domain::accounts::sign_in::{self, PendingSignIn};
use tradepost_domain::accounts::step_up::{ChallengeError, Method};
use tradepost_domain::id::{ChallengeId, UserId};
use tradepost_domain::time::Timestamp;
use tradepost_ports::changes::{Caller, Changes};
use tradepost_ports::limiter::RateClass;

use super::open_session::{AuthenticatedUser, SignedIn, user_agent};
use crate::accounts::passkeys::passkey_proofs::PasskeyResponse;
use crate::accounts::two_factor::guesses::ATTEMPTS;
use crate::{OpError, OpResult, Operations, Reason, fields};

/// The answer.
#[derive(Debug, Clone)]
pub struct CompleteSignIn {
    /// The sign-in that it completes.
    pub challenge_id: ChallengeId,
    /// The method.
    pub method: Method,
    /// The code; empty for a passkey.
    pub code: SecretString,
    /// The authenticator's answer as JSON, as `PublicKeyCredential.toJSON()` gives it; empty for every other method.
    pub credential: String,
    /// The client's own name, for the list of sessions.
    pub user_agent: Option<String>,
}

/// A code, and the method that it belongs to.
#[derive(Clone, Copy)]
pub(crate) struct EnteredCode<'a> {
    pub(crate) method: Method,
    pub(crate) code: &'a SecretString,
}

impl Operations {
    /// Completes a sign-in by a code of the authenticator app, a recovery code or a passkey.
    ///
    /// A try is charged and stored before the code is looked at. An authenticator's answer can be tried once: the options that
    /// it answers are good for nothing then.
    ///
    /// # Errors
    /// `permission_denied` with `CODE_MISMATCH`, `CREDENTIAL_REFUSED` or `PASSKEY_COMPROMISED`; `failed_precondition` with
    /// `CHALLENGE_INVALID`, `CHALLENGE_EXHAUSTED` or `OTHER_METHOD`; `invalid_argument` without a code, or with
    /// `CREDENTIAL_MALFORMED`.
    pub async fn complete_sign_in(&self, caller: &Caller, command: CompleteSignIn) -> OpResult<SignedIn> {
        match command.method {
            Method::Passkey => credential_named_by(self, &command.credential).map(drop)?,
            Method::Email | Method::Totp | Method::RecoveryCode => fields::given("code", &command.code)?,
        }
        let at = self.now();
        let (pending, passkey_state) = self.charge_sign_in(caller, &command, at).await?;
        let user_agent = user_agent(command.user_agent.as_deref());
        let outcome = self.retrying_up_to(ATTEMPTS, || async {
            let mut changes = Changes::by(caller);
            if let Some(state) = &passkey_state {
                let answer = PasskeyResponse { user_id: pending.user_id, state, credential: &command.credential };
                use_passkey(self, caller, &answer, &mut changes, at).await?;
            } else {
                let entered = EnteredCode { method: command.method, code: &command.code };
                if !use_code(self, pending.user_id, entered, &mut changes, at).await? {
                    return Err(OpError::permission_denied(Reason::CodeMismatch, "the code is not right"));
                }
            }
            take_back_charge(self, &mut changes, pending.user_id, command.method).await?;
            let open = self.ports.store.sign_ins().find_pending(pending.id).await?.ok_or_else(invalid)?;
            changes.remove(open);
            let user = self.ports.store.users().find(pending.user_id).await?.ok_or_else(invalid)?;
            let user = changes.rely_on(user);
            if !pending.is_still_valid(&user) {
                return Err(invalid());
            }
            let proofs = pending.proofs.with(command.method.into());
            let proved = AuthenticatedUser { user, proofs, user_agent: user_agent.clone() };
            let signed_in = open_session(self, caller, &mut changes, proved, at).await?;
            self.commit(caller, changes).await?;
            Ok(signed_in)
        });
        let tried = About::from(pending.user_id).with(Fact::Method, command.method.as_str());
        self.audit_denied(caller, AuditKind::SessionSignInFailed, tried, outcome.await).await
    }

    /// Charges one try: to the user, and to this sign-in. Takes the state that a passkey's answer is checked against, in the
    /// same commit.
    async fn charge_sign_in(
        &self,
        caller: &Caller,
        command: &CompleteSignIn,
        at: Timestamp,
    ) -> OpResult<(PendingSignIn, Option<String>)> {
        let id = command.challenge_id;
        let pending = self.ports.store.sign_ins().find_pending(id).await?.ok_or_else(invalid)?;
        let user_id = pending.peek().user_id;
        let methods = sign_in::methods(self.ports.store.second_factors().find_all(user_id).await?);
        if !methods.contains(&command.method) {
            return Err(refusal(&ChallengeError::OtherMethod(methods)));
        }
        self.charge_user(user_id, RateClass::Code).await?;
        self.retrying_up_to(ATTEMPTS, || async {
            let open = self.ports.store.sign_ins().find_pending(id).await?.ok_or_else(invalid)?;
            let mut changes = Changes::detached(caller);
            charge_code(self, &mut changes, user_id, command.method, at).await?;
            let mut state = None;
            let charged = changes.revise(open, |pending| {
                if command.method != Method::Passkey {
                    return pending.charge(at);
                }
                let (charged, taken) = pending.charge_passkey(at)?;
                state = Some(taken);
                Ok(charged)
            });
            let charged = charged.map_err(|error| refusal(&error))?;
            self.commit(caller, changes).await?;
            Ok((charged.value, state))
        })
        .await
    }
}

/// Returns whether the code is the user's and was not used before; its use becomes part of the changes.
pub(crate) async fn use_code(
    operations: &Operations,
    user_id: UserId,
    entered: EnteredCode<'_>,
    changes: &mut Changes,
    at: Timestamp,
) -> OpResult<bool> {
    let EnteredCode { method, code } = entered;
    match method {
        Method::Totp => use_totp(operations, user_id, code.expose_secret(), changes, at).await,
        Method::RecoveryCode => use_recovery_code(operations, user_id, code.expose_secret(), changes).await,
        // Answered by no code that is looked at here.
        Method::Email | Method::Passkey => Ok(false),
    }
}

fn refusal(error: &ChallengeError) -> OpError {
    match error {
        ChallengeError::Exhausted => {
            OpError::failed_precondition(Reason::ChallengeExhausted, "too many wrong codes were tried; sign in again")
        }
        ChallengeError::OtherMethod(_) => {
            OpError::failed_precondition(Reason::OtherMethod, format!("{error}; no try was spent"))
        }
        ChallengeError::Invalid | ChallengeError::PasskeyNotAsked => invalid(),
    }
}

fn invalid() -> OpError {
    OpError::failed_precondition(Reason::ChallengeInvalid, "the sign-in is unknown, used or expired; sign in again")
}
