//! Step-up by passkey: `BeginStepUpPasskey`, and what `CompleteStepUp` does with the authenticator's answer.

use tradepost_domain::access::{Denied, Prover};
use tradepost_domain::id::{ChallengeId, UserId};
use tradepost_domain::passkey::Passkey;
use tradepost_domain::step_up::{ChallengeError, Method};
use tradepost_domain::time::Timestamp;
use tradepost_ports::changes::{Caller, Changes, Seen};
use tradepost_ports::limiter::RateClass;
use tradepost_ports::passkeys::PasskeyError;

use super::complete_step_up::{ATTEMPTS, CompleteStepUp, SteppedUp, refusal};
use crate::{OpError, OpResult, Operations};

/// Which challenge is to be answered by a passkey.
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
            let open = self.ports.store.find_challenge(prover.user_id, command.challenge_id).await?;
            let open = open.ok_or_else(|| refusal(&ChallengeError::Invalid))?;
            open.peek().opens_to(prover.id, Method::Passkey, at).map_err(|error| refusal(&error))?;
            let passkeys = self.ports.store.list_passkeys(prover.user_id).await?.into_iter();
            let usable = passkeys.map(|seen| seen.only_to_show().0).filter(Passkey::is_usable);
            let kept: Vec<String> = usable.map(|passkey| passkey.credential).collect();
            if kept.is_empty() {
                // The last one was removed since the challenge was put.
                return Err(refusal(&ChallengeError::Invalid));
            }
            let begun = self.ports.passkeys.ask(&kept).map_err(refused)?;
            let mut changes = Changes::by(caller);
            let asked = changes.revise(open, |open| open.ask_passkey(prover.id, begun.state, at));
            asked.map_err(|error| refusal(&error))?;
            self.commit(caller, changes).await?;
            Ok(begun.options)
        })
        .await
    }

    /// Completes a step-up by the authenticator's answer. A passkey of which a copy was used is disabled.
    pub(super) async fn complete_by_passkey(
        &self,
        caller: &Caller,
        prover: Prover,
        command: &CompleteStepUp,
        at: Timestamp,
    ) -> OpResult<SteppedUp> {
        if command.credential.trim().is_empty() {
            return Err(OpError::invalid_field("credential", "is required"));
        }
        let named = self.ports.passkeys.named_by(&command.credential).map_err(refused)?;
        self.charge_costs(prover.user_id.to_bytes(), &[RateClass::Code]).await?;
        let state = self.take_passkey_state(caller, prover, command.challenge_id, at).await?;
        self.retrying_up_to(ATTEMPTS, || async {
            let passkey = self.usable_passkey(prover.user_id, &named).await?;
            match self.ports.passkeys.verify(&state, &command.credential, &passkey.peek().credential) {
                Ok(proved) => {
                    let mut changes = Changes::by(caller);
                    changes.revise(passkey, |passkey| {
                        Ok::<_, OpError>(passkey.used(proved.credential, proved.backed_up, at))
                    })?;
                    let grant = (command.challenge_id, Method::Passkey);
                    let stepped_up = self.trade_for_grant(prover, grant, &mut changes, at).await?;
                    self.commit(caller, changes).await?;
                    Ok(stepped_up)
                }
                Err(PasskeyError::Copied) => Err(self.disable_passkey(caller, passkey, at).await?),
                Err(error) => Err(refused(error)),
            }
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
            let open = self.ports.store.find_challenge(prover.user_id, challenge_id).await?;
            let open = open.ok_or_else(|| refusal(&ChallengeError::Invalid))?;
            let mut state = String::new();
            let mut changes = Changes::by(caller);
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

    async fn usable_passkey(&self, user_id: UserId, credential_id: &[u8]) -> OpResult<Seen<Passkey>> {
        let passkeys = self.ports.store.list_passkeys(user_id).await?;
        let is_named = |seen: &Seen<Passkey>| seen.peek().credential_id == credential_id && seen.peek().is_usable();
        passkeys.into_iter().find(is_named).ok_or_else(|| refused(PasskeyError::Refused))
    }

    /// Disables a passkey of which there is a copy, tells the user by mail, and gives what the caller is told.
    async fn disable_passkey(&self, caller: &Caller, passkey: Seen<Passkey>, at: Timestamp) -> OpResult<OpError> {
        let mut changes = Changes::by(caller);
        let disabled = changes.revise(passkey, |passkey| Ok::<_, OpError>(passkey.disabled(at)))?.value;
        let name = disabled.name.as_str();
        self.tell_user(&mut changes, disabled.user_id, |to| Self::passkey_copied_mail(to, name)).await?;
        self.commit(caller, changes).await?;
        tracing::warn!(user = %disabled.user_id, passkey = %disabled.id, "a passkey has been copied and is disabled");
        let message =
            "a copy of this passkey has been used: it is disabled from now on; use another method and remove it";
        Ok(OpError::permission_denied("PASSKEY_COMPROMISED", message))
    }
}

fn refused(error: PasskeyError) -> OpError {
    match error {
        PasskeyError::Malformed => OpError::invalid_argument("CREDENTIAL_MALFORMED", error.to_string()),
        PasskeyError::Refused | PasskeyError::Copied => {
            OpError::permission_denied("CREDENTIAL_REFUSED", PasskeyError::Refused.to_string())
        }
        PasskeyError::State(why) => OpError::internal(why),
    }
}
