//! `CompleteStepUp`: answers a challenge, and opens sensitive operations to the calling key or session for ten
//! minutes.

use crate::accounts::passkeys::passkey_proofs::{PasskeyResponse, credential_named_by, use_passkey};
use crate::accounts::sessions::live_session;
use crate::accounts::two_factor::begin_totp_enrollment::open_totp_secret;
use crate::accounts::two_factor::guesses::charge_code_of;
use crate::accounts::two_factor::guesses::refund_code_of;
use crate::accounts::two_factor::recovery_codes::use_recovery_code;
use secrecy::{ExposeSecret as _, SecretString};
use tradepost_domain::accounts::access::{Denied, PrincipalId, Prover};
use tradepost_domain::accounts::audit::{About, AuditKind, Fact};
use tradepost_domain::accounts::step_up::{Challenge, ChallengeError, Grant, Method};
use tradepost_domain::id::{ChallengeId, UserId};
use tradepost_domain::time::Timestamp;
use tradepost_ports::changes::{Caller, Changes};
use tradepost_ports::limiter::RateClass;
use tradepost_ports::secrets::TokenKind;

use super::guesses::{self, ATTEMPTS};
use crate::{OpError, OpResult, Operations, Reason, fields};

/// The answer.
#[derive(Debug, Clone)]
pub struct CompleteStepUp {
    /// The challenge that it answers.
    pub challenge_id: ChallengeId,
    /// The method.
    pub method: Method,
    /// The code; empty for a passkey.
    pub code: SecretString,
    /// The authenticator's answer as JSON, as `PublicKeyCredential.toJSON()` gives it; empty for every other method.
    pub credential: String,
}

/// The rights that a correct answer opens.
#[derive(Debug)]
pub struct SteppedUp {
    /// The time until which sensitive operations are open to the calling key or session.
    pub verified_until: Timestamp,
    /// The session's new token; the token of this call is no longer valid. Absent for keys.
    pub session_token: Option<SecretString>,
    /// When the session ends at the latest. Absent for keys.
    pub session_expires_at: Option<Timestamp>,
}

/// A session that continues under a new token.
struct RenewedSession {
    token: SecretString,
    expires_at: Timestamp,
}

impl Operations {
    /// Completes a step-up. A session receives a new token, so that a holder of the old one does not share its rights.
    ///
    /// A try is charged and stored before the code is checked, so that of any number of concurrent tries at most five are evaluated. The
    /// use of a recovery code is reported by mail.
    ///
    /// # Errors
    /// `permission_denied` with `CODE_MISMATCH`; `failed_precondition` with `CHALLENGE_INVALID`, `CHALLENGE_EXHAUSTED`, or
    /// `OTHER_METHOD` naming those that the challenge allows; `invalid_argument` without a code. With a passkey besides
    /// `permission_denied` with `CREDENTIAL_REFUSED` or `PASSKEY_COMPROMISED`, and `invalid_argument` with
    /// `CREDENTIAL_MALFORMED`.
    pub async fn complete_step_up(&self, caller: &Caller, command: CompleteStepUp) -> OpResult<SteppedUp> {
        let prover = caller.principal.prover().ok_or(Denied)?;
        let at = self.now();
        let outcome = match command.method {
            Method::Passkey => self.complete_by_passkey(caller, prover, &command, at).await,
            Method::Email | Method::Totp | Method::RecoveryCode => {
                self.complete_by_code(caller, prover, &command, at).await
            }
        };
        let tried = About::from(prover.user_id).with(Fact::Method, command.method.as_str());
        self.audit_denied(caller, AuditKind::StepUpFailed, tried, outcome).await
    }

    /// Looks at the code, and trades the challenge for a grant if it is right.
    async fn complete_by_code(
        &self,
        caller: &Caller,
        prover: Prover,
        command: &CompleteStepUp,
        at: Timestamp,
    ) -> OpResult<SteppedUp> {
        fields::given("code", &command.code)?;
        self.refuse_outdated_method(prover, command.method).await?;
        self.charge_prover(prover, RateClass::Code).await?;
        let challenge = self.charge_challenge(caller, prover, command, at).await?;
        self.retrying_up_to(ATTEMPTS, || async {
            let mut changes = Changes::by(caller);
            let code = command.code.expose_secret();
            let right = match command.method {
                Method::Email => self.is_mailed_code(&challenge, code),
                Method::Totp => use_totp(self, prover.user_id, code, &mut changes, at).await?,
                Method::RecoveryCode => use_recovery_code(self, prover.user_id, code, &mut changes).await?,
                // Answered by no code.
                Method::Passkey => false,
            };
            if !right {
                return Err(OpError::permission_denied(Reason::CodeMismatch, "the code is not right"));
            }
            refund_code_of(self, &mut changes, prover, command.method).await?;
            let (user_id, principal) = (prover.user_id, prover.id);
            let grant = Grant { user_id, principal, method: command.method, granted_at: at };
            let stepped_up = trade_for_grant(self, challenge.id, grant, &mut changes).await?;
            self.commit(caller, changes).await?;
            Ok(stepped_up)
        })
        .await
    }

    /// Rejects a mailed code when a stronger factor was enrolled after its challenge began.
    async fn refuse_outdated_method(&self, prover: Prover, method: Method) -> OpResult<()> {
        if method != Method::Email {
            return Ok(());
        }
        let factors = self.ports.store.second_factors().find_all(prover.user_id).await?;
        if factors.has_strong() { Err(refusal(&ChallengeError::OtherMethod(factors.methods()))) } else { Ok(()) }
    }

    async fn charge_challenge(
        &self,
        caller: &Caller,
        prover: Prover,
        command: &CompleteStepUp,
        at: Timestamp,
    ) -> OpResult<Challenge> {
        self.retrying_up_to(ATTEMPTS, || async {
            let open = self.ports.store.step_ups().find_challenge(prover.user_id, command.challenge_id).await?;
            let open = open.ok_or_else(|| refusal(&ChallengeError::Invalid))?;
            let mut changes = Changes::detached(caller);
            charge_code_of(self, &mut changes, prover, command.method, at).await?;
            let charged = changes
                .revise(open, |challenge| challenge.charge(prover.id, command.method, at))
                .map_err(|error| refusal(&error))?;
            self.commit(caller, changes).await.map_err(guesses::lost_race)?;
            Ok(charged.value)
        })
        .await
    }

    /// Completes a step-up by the authenticator's answer. A passkey of which a copy was used is disabled.
    async fn complete_by_passkey(
        &self,
        caller: &Caller,
        prover: Prover,
        command: &CompleteStepUp,
        at: Timestamp,
    ) -> OpResult<SteppedUp> {
        credential_named_by(self, &command.credential)?;
        self.charge_prover(prover, RateClass::Code).await?;
        let state = self.take_passkey_state(caller, prover, command.challenge_id, at).await?;
        let answer = PasskeyResponse { user_id: prover.user_id, state: &state, credential: &command.credential };
        self.retrying_up_to(ATTEMPTS, || async {
            let mut changes = Changes::by(caller);
            use_passkey(self, caller, &answer, &mut changes, at).await?;
            let (user_id, principal) = (prover.user_id, prover.id);
            let grant = Grant { user_id, principal, method: Method::Passkey, granted_at: at };
            let stepped_up = trade_for_grant(self, command.challenge_id, grant, &mut changes).await?;
            self.commit(caller, changes).await?;
            Ok(stepped_up)
        })
        .await
    }

    /// Charges a try and takes the state that the answer is checked against, both in one commit.
    async fn take_passkey_state(
        &self,
        caller: &Caller,
        prover: Prover,
        challenge_id: ChallengeId,
        at: Timestamp,
    ) -> OpResult<String> {
        self.retrying_up_to(ATTEMPTS, || async {
            let open = self.ports.store.step_ups().find_challenge(prover.user_id, challenge_id).await?;
            let open = open.ok_or_else(|| refusal(&ChallengeError::Invalid))?;
            let mut state = String::new();
            let mut changes = Changes::detached(caller);
            changes
                .revise(open, |open| {
                    let (charged, taken) = open.charge_passkey(prover.id, at)?;
                    state = taken;
                    Ok(charged)
                })
                .map_err(|error| refusal(&error))?;
            self.commit(caller, changes).await?;
            Ok(state)
        })
        .await
    }

    fn is_mailed_code(&self, challenge: &Challenge, code: &str) -> bool {
        let id = challenge.id.to_bytes();
        challenge.code_digest.is_some_and(|digest| self.ports.secrets.is_code(&id, code.trim(), &digest))
    }

    /// Continues a session that proves a second factor under a new token.
    async fn renew_session(&self, grant: &Grant, changes: &mut Changes) -> OpResult<Option<RenewedSession>> {
        let PrincipalId::Session(id) = grant.principal else { return Ok(None) };
        let session = live_session(self, grant.user_id, id).await?.ok_or_else(OpError::unauthenticated)?;
        let issued = self.ports.secrets.issue(TokenKind::Session);
        let (prefix, digest) = (issued.prefix, issued.digest);
        let expires_at = self.session_life.expires_at(session.peek());
        changes.revise(session, |session| {
            Ok::<_, OpError>(session.proved(grant.method.into(), grant.granted_at).with_token(prefix, digest))
        })?;
        Ok(Some(RenewedSession { token: issued.secret, expires_at }))
    }
}

/// Ends an answered challenge, and grants the step-up.
pub(crate) async fn trade_for_grant(
    operations: &Operations,
    challenge_id: ChallengeId,
    grant: Grant,
    changes: &mut Changes,
) -> OpResult<SteppedUp> {
    let open = operations.ports.store.step_ups().find_challenge(grant.user_id, challenge_id).await?;
    changes.remove(open.ok_or_else(|| refusal(&ChallengeError::Invalid))?);
    let verified_until = grant.valid_until();
    changes.put(grant.clone());
    let about = About::from(grant.user_id).with(Fact::Method, grant.method.as_str());
    changes.audit(AuditKind::StepUpCompleted, about);
    let renewed = operations.renew_session(&grant, changes).await?;
    let session_expires_at = renewed.as_ref().map(|session| session.expires_at);
    Ok(SteppedUp { verified_until, session_token: renewed.map(|session| session.token), session_expires_at })
}

/// Returns whether the code is of the user's authenticator app and was not used before; its use becomes part of the changes.
pub(crate) async fn use_totp(
    operations: &Operations,
    user_id: UserId,
    code: &str,
    changes: &mut Changes,
    at: Timestamp,
) -> OpResult<bool> {
    let Some(totp) = operations.ports.store.second_factors().find_totp(user_id).await? else { return Ok(false) };
    let secret = open_totp_secret(operations, user_id, &totp.peek().sealed_secret)?;
    let step = operations.ports.totp.step_of(secret.expose_secret(), code.trim(), at);
    Ok(step.is_some_and(|step| changes.revise(totp, |totp| totp.used(step)).is_ok()))
}

/// Returns the caller's error for a challenge that cannot be answered this way.
pub(crate) fn refusal(error: &ChallengeError) -> OpError {
    let (reason, remedy) = match error {
        ChallengeError::Invalid => (Reason::ChallengeInvalid, "call BeginStepUp for a new one"),
        ChallengeError::Exhausted => (Reason::ChallengeExhausted, "call BeginStepUp for a new one"),
        ChallengeError::PasskeyNotAsked => {
            (Reason::ChallengeInvalid, "call BeginStepUpPasskey for new options; no try was spent")
        }
        ChallengeError::OtherMethod(_) => (Reason::OtherMethod, "no try was spent"),
    };
    OpError::failed_precondition(reason, format!("{error}; {remedy}"))
}
