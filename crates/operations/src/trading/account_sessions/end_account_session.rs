//! [`EndAccountSession`]: a person ends the session of a trading account.

use tradepost_domain::accounts::audit::AuditKind;
use tradepost_domain::id::{AccountSessionId, WorkspaceId};
use tradepost_domain::trading::account_session::{AccountSession, SessionEvent};
use tradepost_ports::changes::{Caller, Changes};

use super::session_moves::{SessionStep, session_as_seen, step_session};
use crate::commit::By;
use crate::contracts::remediations::remediation_steps::commit_problems;
use crate::rules;
use crate::{OpResult, Operations, Versioned, fields};

/// Ends a session.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EndAccountSession {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The session.
    pub account_session_id: AccountSessionId,
    /// Whether the platform is to revoke its tokens. Otherwise they are forgotten here, and the platform accepts them until they end.
    pub revoke: bool,
    /// The version that the caller saw, from 1; rejected when the session has another one.
    pub expected_version: Option<i64>,
}

impl Operations {
    /// Ends a session at once, or has the engine revoke its tokens at the platform and end it then. The account trades no longer until a person
    /// starts another session.
    ///
    /// # Errors
    /// `permission_denied`; `invalid_argument` for an expected version below 1; `not_found`; `failed_precondition`: `VERSION_MISMATCH`,
    /// `ILLEGAL_STEP` when it is over.
    pub async fn end_account_session(
        &self,
        caller: &Caller,
        command: EndAccountSession,
    ) -> OpResult<Versioned<AccountSession>> {
        let scope = rules::END_ACCOUNT_SESSION.enter(&caller.principal, command.workspace_id)?;
        fields::expected_version(command.expected_version)?;
        let at = self.market_now(command.workspace_id);
        self.retrying(|| async {
            let seen = session_as_seen(self, scope, command.account_session_id, command.expected_version).await?;
            let has_tokens = seen.peek().status.works();
            let event = if command.revoke && has_tokens { SessionEvent::EndRequested } else { SessionEvent::Closed };
            let mut changes = Changes::by(caller);
            let ended =
                step_session(self, &mut changes, By { caller, at }, seen, SessionStep::of(scope, event)).await?;
            changes.audit(AuditKind::AccountSessionEnded, &ended.value);
            commit_problems(self, caller, changes).await?;
            Ok(ended.into())
        })
        .await
    }
}
