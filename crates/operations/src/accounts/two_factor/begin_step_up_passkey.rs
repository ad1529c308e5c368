//! `BeginStepUpPasskey`: asks for a passkey as the answer to a challenge.

use crate::accounts::passkeys::passkey_proofs::ask_passkeys_of;
use tradepost_domain::accounts::access::Denied;
use tradepost_domain::accounts::audit::{About, AuditKind, Fact};
use tradepost_domain::accounts::step_up::{ChallengeError, Method};
use tradepost_domain::id::ChallengeId;
use tradepost_ports::changes::{Caller, Changes};

use super::complete_step_up::refusal;
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
}
