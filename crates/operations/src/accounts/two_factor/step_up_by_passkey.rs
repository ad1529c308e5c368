//! Step-up by passkey: `BeginStepUpPasskey`, and what `CompleteStepUp` does with the authenticator's answer.

use crate::accounts::passkeys::passkey_proofs::ask_passkeys_of;
use crate::accounts::passkeys::passkey_proofs::credential_named_by;
use crate::accounts::passkeys::passkey_proofs::use_passkey;
use crate::accounts::two_factor::complete_step_up::trade_for_grant;
use tradepost_domain::accounts::access::{Denied, Prover};
use tradepost_domain::accounts::audit::{About, AuditKind, Fact};
use tradepost_domain::accounts::step_up::{ChallengeError, Grant, Method};
use tradepost_domain::id::ChallengeId;
use tradepost_domain::time::Timestamp;
use tradepost_ports::changes::{Caller, Changes};
use tradepost_ports::limiter::RateClass;

use super::complete_step_up::{CompleteStepUp, SteppedUp, refusal};
use super::guesses::ATTEMPTS;
use crate::accounts::passkeys::passkey_proofs::PasskeyResponse;
use crate::{OpResult, Operations};

/// The challenge to answer with a passkey.
#[derive(Debug, Clone, Copy)]
pub struct BeginStepUpPasskey {
    /// The challenge.
    pub challenge_id: ChallengeId,
}

impl Operations {
    /// Asks for a passkey as the answer to a challenge; gives the WebAuthn request options as JSON. They can be used once,
    /// as long as the challenge lives, and only the latest ones.
    ///
    /// # Errors
    /// `failed_precondition` with `CHALLENGE_INVALID`, or with `OTHER_METHOD` naming those that the challenge allows;
    /// `permission_denied` when neither a key nor a session calls.
    pub async fn begin_step_up_passkey(&self, caller: &Caller, command: BeginStepUpPasskey) -> OpResult<String> {
        let prover = caller.principal.prover().ok_or(Denied)?;
        let at = self.now();
        self.retrying(|| async {
            let open = self.ports.store.step_ups().find_challenge(prover.user_id, command.challenge_id).await?;
            let open = open.ok_or_else(|| refusal(&ChallengeError::Invalid))?;
            open.peek().opens_to(prover.id, Method::Passkey, at).map_err(|error| refusal(&error))?;
            // The last one may have been removed since the challenge was put.
            let begun = ask_passkeys_of(self, prover.user_id).await?;
            let begun = begun.ok_or_else(|| refusal(&ChallengeError::Invalid))?;
            let mut changes = Changes::by(caller);
            let asked = changes.revise(open, |open| open.ask_passkey(prover.id, begun.state, at));
            asked.map_err(|error| refusal(&error))?;
            changes.audit(
                AuditKind::StepUpBegin,
                About::from(prover.user_id).with(Fact::Method, Method::Passkey.as_str()),
            );
            self.commit(caller, changes).await?;
            Ok(begun.options)
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
}

/// Completes a step-up by the authenticator's answer. A passkey of which a copy was used is disabled.
pub(crate) async fn complete_by_passkey(
    operations: &Operations,
    caller: &Caller,
    prover: Prover,
    command: &CompleteStepUp,
    at: Timestamp,
) -> OpResult<SteppedUp> {
    credential_named_by(operations, &command.credential)?;
    operations.charge_prover(prover, RateClass::Code).await?;
    let state = operations.take_passkey_state(caller, prover, command.challenge_id, at).await?;
    let answer = PasskeyResponse { user_id: prover.user_id, state: &state, credential: &command.credential };
    operations
        .retrying_up_to(ATTEMPTS, || async {
            let mut changes = Changes::by(caller);
            use_passkey(operations, caller, &answer, &mut changes, at).await?;
            let (user_id, principal) = (prover.user_id, prover.id);
            let grant = Grant { user_id, principal, method: Method::Passkey, granted_at: at };
            let stepped_up = trade_for_grant(operations, command.challenge_id, grant, &mut changes).await?;
            operations.commit(caller, changes).await?;
            Ok(stepped_up)
        })
        .await
}
