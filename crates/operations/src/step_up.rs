//! Requiring a recent second-factor check. Its age follows the server's clock, whatever the operation is about.

use crate::accounts::credentials::email_links::is_first_start;
use crate::accounts::sessions::live_session;
use tradepost_domain::accounts::access::{Principal, WorkspaceScope};
use tradepost_domain::accounts::step_up::{Grant, Method, WINDOW};
use tradepost_domain::time::Timestamp;
use tradepost_ports::changes::{Caller, Changes};

use crate::rules::{Rule, StepUp};
use crate::{OpError, OpResult, Operations, Reason};

impl Operations {
    /// Checks that the caller has recently proved a second factor, where the operation's rule requires it. The changes rely on the proof:
    /// the commit fails if it has expired or was removed by then.
    pub(crate) async fn require_step_up(&self, caller: &Caller, rule: Rule, changes: &mut Changes) -> OpResult<()> {
        self.recent_proof(caller, rule, changes).await.map(drop)
    }

    /// Does the same for an operation on a workspace, which may reject mailed codes.
    pub(crate) async fn require_step_up_in(
        &self,
        caller: &Caller,
        scope: WorkspaceScope,
        rule: Rule,
        changes: &mut Changes,
    ) -> OpResult<()> {
        if self.recent_proof(caller, rule, changes).await? != Some(Method::Email) {
            return Ok(());
        }
        // The changes do not rely on this read: a call just before the setting changes is still accepted.
        let workspace =
            self.ports.store.workspaces().find(scope).await?.ok_or_else(|| OpError::not_found("workspace"))?;
        if workspace.peek().settings.allow_email_step_up {
            return Ok(());
        }
        let message =
            "this workspace takes no code that was mailed: add an authenticator app or a passkey, and step up by it";
        Err(OpError::failed_precondition(Reason::EmailStepUpNotAllowed, message))
    }

    /// Returns the method with which the caller recently proved a second factor; `None` where the operation's rule requires none.
    async fn recent_proof(&self, caller: &Caller, rule: Rule, changes: &mut Changes) -> OpResult<Option<Method>> {
        // Only keys and sessions need a proof: an in-process caller has vouched for the user already.
        let Some(prover) = caller.principal.prover() else { return Ok(None) };
        let needed = match rule.step_up {
            StepUp::No => false,
            StepUp::IfWider
            | StepUp::IfMoney
            | StepUp::IfGives
            | StepUp::IfGivesFresh
            | StepUp::IfRenews
            | StepUp::Always
            | StepUp::Fresh => true,
            StepUp::IfStrong => self.ports.store.second_factors().find_all(prover.user_id).await?.has_strong(),
            StepUp::IfAny | StepUp::IfSignsIn => {
                let factors = self.ports.store.second_factors().find_all(prover.user_id).await?;
                // The first owner, who followed the link that the server printed, needs no mailbox to add a first strong factor.
                let can_answer =
                    factors.has_strong() || (factors.email && !is_first_start(self, prover.user_id).await?);
                if !can_answer {
                    return self.require_late_sign_in(caller, changes).await.map(|()| None);
                }
                true
            }
        };
        if !needed {
            return Ok(None);
        }
        match self.ports.store.step_ups().find_grant(prover).await? {
            Some(grant) if is_enough(grant.peek(), rule.step_up, self.now()) => Ok(Some(changes.rely_on(grant).method)),
            Some(_) | None => Err(OpError::failed_precondition(
                Reason::StepUpRequired,
                "this needs a recent second-factor check: call BeginStepUp, then CompleteStepUp, then try again",
            )),
        }
    }

    /// Checks that a session signed in recently: the only proof that a user without a factor can give. A key of such a user
    /// was created on the server's own machine, and is trusted like its owner.
    async fn require_late_sign_in(&self, caller: &Caller, changes: &mut Changes) -> OpResult<()> {
        let Principal::Session(holder) = &caller.principal else { return Ok(()) };
        let session = live_session(self, holder.user_id, holder.session_id).await?;
        let session = changes.rely_on(session.ok_or_else(OpError::unauthenticated)?);
        if self.now() < session.proved_at.plus(WINDOW) {
            return Ok(());
        }
        let message = "this needs a sign-in within the last ten minutes: sign in again, then try again";
        Err(OpError::failed_precondition(Reason::ReauthRequired, message))
    }
}

/// Returns whether a proof is as recent as an operation needs it.
fn is_enough(grant: &Grant, needed: StepUp, at: Timestamp) -> bool {
    match needed {
        StepUp::Fresh | StepUp::IfGivesFresh => grant.is_fresh(at),
        StepUp::No
        | StepUp::IfStrong
        | StepUp::IfAny
        | StepUp::IfWider
        | StepUp::IfMoney
        | StepUp::IfGives
        | StepUp::IfRenews
        | StepUp::IfSignsIn
        | StepUp::Always => grant.is_valid(at),
    }
}
