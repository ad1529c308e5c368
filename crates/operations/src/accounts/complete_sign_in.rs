//! `CompleteSignIn`: the second factor of a sign-in.

use secrecy::{ExposeSecret as _, SecretString};
use tradepost_domain::id::{ChallengeId, UserId};
use tradepost_domain::session::Proof;
use tradepost_domain::sign_in::{PendingSignIn, TRIES};
use tradepost_domain::step_up::{ChallengeError, Method};
use tradepost_domain::time::Timestamp;
use tradepost_ports::changes::{Caller, Changes};
use tradepost_ports::limiter::RateClass;

use super::open_session::{Proved, SignedIn, user_agent};
use crate::{OpError, OpResult, Operations, fields};

/// Whoever loses a race for a sign-in lost it to a try that was charged, of which there are only so many.
const ATTEMPTS: u64 = TRIES as u64 + 1;

/// The answer.
#[derive(Debug, Clone)]
pub struct CompleteSignIn {
    /// Which sign-in it completes.
    pub challenge_id: ChallengeId,
    /// By which method.
    pub method: Method,
    /// The code.
    pub code: SecretString,
    /// What the client says of itself, for the list of sessions.
    pub user_agent: Option<String>,
}

impl Operations {
    /// Completes a sign-in by a code of the authenticator app or a recovery code.
    ///
    /// A try is charged and stored before the code is looked at.
    ///
    /// # Errors
    /// `permission_denied` with `CODE_MISMATCH`; `failed_precondition` with `CHALLENGE_INVALID`, `CHALLENGE_EXHAUSTED` or
    /// `OTHER_METHOD`; `invalid_argument` without a code.
    pub async fn complete_sign_in(&self, caller: &Caller, command: CompleteSignIn) -> OpResult<SignedIn> {
        fields::given("code", &command.code)?;
        let proof = proof_by(command.method)?;
        let at = self.now();
        let pending = self.charge_sign_in(caller, command.challenge_id, at).await?;
        let user_agent = user_agent(command.user_agent.as_deref());
        self.retrying_up_to(ATTEMPTS, || async {
            let mut changes = Changes::by(caller);
            if !self.use_factor(pending.user_id, (command.method, &command.code), &mut changes, at).await? {
                return Err(OpError::permission_denied("CODE_MISMATCH", "the code is not right"));
            }
            let open = self.ports.store.find_pending_sign_in(pending.id).await?.ok_or_else(invalid)?;
            changes.remove(open);
            let user = self.ports.store.find_user(pending.user_id).await?.ok_or_else(invalid)?;
            let user = changes.rely_on(user);
            if !pending.still_stands(&user) {
                return Err(invalid());
            }
            let proofs = pending.proofs.with(proof);
            let proved = Proved { user, proofs, user_agent: user_agent.clone() };
            let signed_in = self.open_session(caller, &mut changes, proved, at).await?;
            self.commit(caller, changes).await?;
            Ok(signed_in)
        })
        .await
    }

    /// Charges one try: to the user, and to this sign-in.
    async fn charge_sign_in(&self, caller: &Caller, id: ChallengeId, at: Timestamp) -> OpResult<PendingSignIn> {
        let pending = self.ports.store.find_pending_sign_in(id).await?.ok_or_else(invalid)?;
        self.charge_costs(pending.peek().user_id.to_bytes(), &[RateClass::Code]).await?;
        self.retrying_up_to(ATTEMPTS, || async {
            let open = self.ports.store.find_pending_sign_in(id).await?.ok_or_else(invalid)?;
            let mut changes = Changes::beside(caller);
            let charged = changes.revise(open, |pending| pending.charge(at)).map_err(|error| refusal(&error))?;
            self.commit(caller, changes).await?;
            Ok(charged.value)
        })
        .await
    }

    /// Whether the code is the user's and was not used before; its use becomes part of the changes.
    pub(super) async fn use_factor(
        &self,
        user_id: UserId,
        (method, code): (Method, &SecretString),
        changes: &mut Changes,
        at: Timestamp,
    ) -> OpResult<bool> {
        match method {
            Method::Totp => self.use_totp(user_id, code.expose_secret(), changes, at).await,
            Method::RecoveryCode => self.use_recovery_code(user_id, code.expose_secret(), changes).await,
            Method::Email | Method::Passkey => Ok(false),
        }
    }
}

/// What a method proves, where it completes a sign-in.
pub(super) fn proof_by(method: Method) -> OpResult<Proof> {
    match method {
        Method::Totp => Ok(Proof::Totp),
        Method::RecoveryCode => Ok(Proof::RecoveryCode),
        Method::Email | Method::Passkey => Err(OpError::failed_precondition(
            "OTHER_METHOD",
            "this is answered by a code of the authenticator app or a recovery code; no try was spent",
        )),
    }
}

fn refusal(error: &ChallengeError) -> OpError {
    match error {
        ChallengeError::Exhausted => {
            OpError::failed_precondition("CHALLENGE_EXHAUSTED", "too many wrong codes were tried; sign in anew")
        }
        ChallengeError::Invalid | ChallengeError::OtherMethod(_) | ChallengeError::PasskeyNotAsked => invalid(),
    }
}

fn invalid() -> OpError {
    OpError::failed_precondition("CHALLENGE_INVALID", "the sign-in is unknown, used or expired; sign in anew")
}
