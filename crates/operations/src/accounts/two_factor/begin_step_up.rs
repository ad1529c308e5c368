//! `BeginStepUp`: asks the user behind the calling key or session for a second factor.

use secrecy::{ExposeSecret as _, SecretString};
use tradepost_domain::accounts::access::{Denied, Prover};
use tradepost_domain::accounts::audit::AuditKind;
use tradepost_domain::accounts::email::EmailAddress;
use tradepost_domain::accounts::step_up::{CHALLENGE_TRIES, Challenge, MORE_MAILS, MOST_CHALLENGES, Method};
use tradepost_domain::id::ChallengeId;
use tradepost_domain::time::Timestamp;
use tradepost_ports::changes::{Caller, Changes};

use crate::{OpError, OpResult, Operations, Reason};

/// A question that was asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StepUpAsked {
    /// The challenge that the answer must name.
    pub challenge_id: ChallengeId,
    /// The methods with which it can be answered.
    pub allowed_methods: Vec<Method>,
}

impl Operations {
    /// Begins a step-up (re-authentication) of the calling key or session. If e-mail is the method, a code is mailed at once.
    ///
    /// # Errors
    /// `failed_precondition` with `NO_STEP_UP_METHOD` for an owner without a second factor that can be asked for; `permission_denied` when
    /// the owner is no longer a member.
    pub async fn begin_step_up(&self, caller: &Caller) -> OpResult<StepUpAsked> {
        let prover = caller.principal.prover().ok_or(Denied)?;
        if caller.principal.key().is_ok_and(|key| !key.is_member) {
            return Err(Denied.into());
        }
        let methods = self.methods_for(caller, prover).await?;
        if methods.is_empty() {
            let message = "the user has no second factor to ask for: no authenticator app, no passkey, and no verified e-mail address \
                           or a workspace that takes no code that was mailed";
            return Err(OpError::failed_precondition(Reason::NoStepUpMethod, message));
        }
        let at = self.now();
        let id = self.mint();
        if methods.contains(&Method::Email) {
            self.ask_by_mail(caller, prover, id, at).await?;
        } else {
            self.ask(caller, prover, Question { id, methods: methods.clone(), mailed: None }, at).await?;
        }
        Ok(StepUpAsked { challenge_id: id, allowed_methods: methods })
    }

    /// Returns how the user can answer. No code is mailed for a key whose workspace would not take it; a session has user-level
    /// operations to step up for, whatever the workspaces of its user take.
    async fn methods_for(&self, caller: &Caller, prover: Prover) -> OpResult<Vec<Method>> {
        let mut methods = self.ports.store.second_factors().find_all(prover.user_id).await?.methods();
        if let Ok(key) = caller.principal.key()
            && methods.contains(&Method::Email)
        {
            let scope = caller.principal.enter_as_member(key.workspace_id)?;
            let workspace = self.ports.store.workspaces().find(scope).await?;
            if workspace.is_some_and(|workspace| !workspace.peek().settings.allow_email_step_up) {
                methods.retain(|method| *method != Method::Email);
            }
        }
        Ok(methods)
    }

    async fn ask_by_mail(&self, caller: &Caller, prover: Prover, id: ChallengeId, at: Timestamp) -> OpResult<()> {
        self.charge_mail_of(prover).await?;
        let code = self.ports.secrets.numeric_code();
        let to = address_of(self, prover).await?;
        self.ask(caller, prover, Question { id, methods: vec![Method::Email], mailed: Some((&to, &code)) }, at).await
    }

    /// Stores the challenge, ending those that are over and the oldest beyond the limit.
    async fn ask(&self, caller: &Caller, prover: Prover, question: Question<'_>, at: Timestamp) -> OpResult<()> {
        let Question { id, methods, mailed } = question;
        let code_digest = mailed.map(|(_, code)| self.ports.secrets.code_digest(&id.to_bytes(), code.expose_secret()));
        let challenge = Challenge {
            id,
            user_id: prover.user_id,
            principal: prover.id,
            methods,
            code_digest,
            passkey_state: None,
            tries_left: CHALLENGE_TRIES,
            mails_left: MORE_MAILS,
            created_at: at,
        };
        self.retrying(|| async {
            let mut changes = Changes::by(caller);
            let asked = self.ports.store.step_ups().list_challenges(prover).await?;
            let (live, over): (Vec<_>, Vec<_>) = asked.into_iter().partition(|seen| seen.peek().is_live(at));
            let beyond = (live.len() + 1).saturating_sub(MOST_CHALLENGES);
            for ended in over.into_iter().chain(live.into_iter().take(beyond)) {
                changes.remove(ended);
            }
            changes.insert(challenge.clone());
            changes.audit(AuditKind::StepUpBegin, prover.user_id);
            if let Some((to, code)) = mailed {
                self.post(&mut changes, Self::step_up_mail(to, code.expose_secret()));
            }
            self.commit(caller, changes).await.map(drop)
        })
        .await
    }
}

/// Returns the address to which the codes of a challenge are mailed.
pub(crate) async fn address_of(operations: &Operations, prover: Prover) -> OpResult<EmailAddress> {
    let owner = operations.ports.store.users().find(prover.user_id).await?;
    let email = owner.and_then(|seen| seen.into_display().0.email);
    email.ok_or_else(|| OpError::internal("a user whose factor is e-mail has no address"))
}

struct Question<'a> {
    id: ChallengeId,
    methods: Vec<Method>,
    /// The code, and where it goes.
    mailed: Option<(&'a EmailAddress, &'a SecretString)>,
}
