//! `ResendStepUpCode`: another code by mail, for one that did not arrive.

use crate::accounts::two_factor::begin_step_up::address_of;
use secrecy::ExposeSecret as _;
use tradepost_domain::accounts::access::Denied;
use tradepost_domain::accounts::audit::{About, AuditKind, Fact};
use tradepost_domain::accounts::step_up::{ChallengeError, Method};
use tradepost_domain::id::ChallengeId;
use tradepost_ports::changes::{Caller, Changes};

use super::complete_step_up::refusal;
use crate::{OpResult, Operations};

/// The challenge whose code did not arrive.
#[derive(Debug, Clone, Copy)]
pub struct ResendStepUpCode {
    /// The challenge.
    pub challenge_id: ChallengeId,
}

impl Operations {
    /// Mails a new code for a challenge; the code before is no longer valid.
    ///
    /// Only digests of codes are stored, so the code is never the same one. Tries and time are not reset, and at most two more codes are
    /// mailed.
    ///
    /// # Errors
    /// `failed_precondition` with `CHALLENGE_INVALID` or `CHALLENGE_EXHAUSTED`, or with `OTHER_METHOD` where no code was
    /// mailed; `resource_exhausted` after too many mails.
    pub async fn resend_step_up_code(&self, caller: &Caller, command: ResendStepUpCode) -> OpResult<()> {
        let prover = caller.principal.prover().ok_or(Denied)?;
        self.charge_mail_of(prover).await?;
        let (at, id) = (self.now(), command.challenge_id);
        let code = self.ports.secrets.numeric_code();
        let digest = self.ports.secrets.code_digest(&id.to_bytes(), code.expose_secret());
        self.retrying(|| async {
            let open = self.ports.store.step_ups().find_challenge(prover.user_id, id).await?;
            let open = open.ok_or_else(|| refusal(&ChallengeError::Invalid))?;
            let mut changes = Changes::by(caller);
            changes.revise(open, |open| open.with_code(prover.id, digest, at).map_err(|error| refusal(&error)))?;
            changes
                .audit(AuditKind::StepUpBegin, About::from(prover.user_id).with(Fact::Method, Method::Email.as_str()));
            let to = address_of(self, prover).await?;
            self.post(&mut changes, Self::step_up_mail(&to, code.expose_secret()));
            self.commit(caller, changes).await.map(drop)
        })
        .await
    }
}
