//! [`CompleteAccountSignIn`]: the platform has issued tokens. No operation of the interface.

use tradepost_domain::id::{AccountSessionId, WorkspaceId};
use tradepost_domain::trading::account_session::{AccountSession, SessionEvent, SessionFailure};
use tradepost_domain::trading::renewal::RenewalKind;
use tradepost_ports::changes::{Caller, Changes};
use tradepost_ports::game_platform::sessions::Tokens;

use super::session_moves::{SessionStep, session_as_seen, step_session};
use super::session_tokens::keep_tokens;
use crate::commit::By;
use crate::contracts::remediations::remediation_steps::commit_problems;
use crate::rules::WRITE_ACCOUNTS;
use crate::trading::renewals::renewal_moves::{Due, NewRenewal, schedule_renewal};
use crate::trading::trading_accounts::account_moves::account_as_seen;
use crate::{OpResult, Operations, Versioned};

/// A report of the tokens that the platform has issued for a session.
#[derive(Debug, Clone)]
pub struct CompleteAccountSignIn {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The session.
    pub account_session_id: AccountSessionId,
    /// The tokens.
    pub tokens: Tokens,
}

impl Operations {
    /// Seals the tokens of a session, which works from then on, and schedules their renewals, in one commit. Tokens of another account are not
    /// kept: the session has failed. A repeated report of the same tokens changes nothing: the outcome of the first one may not be known.
    ///
    /// # Errors
    /// `permission_denied`, `not_found`, `failed_precondition` with `ILLEGAL_STEP` unless the account is being signed in; `internal` with
    /// `KEY_ENCRYPTION_UNAVAILABLE`.
    pub async fn complete_account_sign_in(
        &self,
        caller: &Caller,
        command: CompleteAccountSignIn,
    ) -> OpResult<Versioned<AccountSession>> {
        let scope = caller.principal.enter(command.workspace_id, WRITE_ACCOUNTS)?;
        let at = self.market_now(command.workspace_id);
        let CompleteAccountSignIn { tokens, account_session_id, .. } = command;
        self.retrying(|| async {
            let by = By { caller, at };
            let seen = session_as_seen(self, scope, account_session_id, None).await?;
            if seen.peek().status.works() && seen.peek().expiry == Some(tokens.expiry) {
                return Ok(seen.into());
            }
            let account_id = seen.peek().account_id;
            let account = account_as_seen(self, scope, account_id, None).await?;
            let is_other = account.peek().platform_user_id != tokens.user;
            let event = if is_other {
                SessionEvent::Refused(SessionFailure::OtherAccount)
            } else {
                SessionEvent::SignedIn(tokens.expiry)
            };
            let mut changes = Changes::by(caller);
            let moved = step_session(self, &mut changes, by, seen, SessionStep::of(scope, event)).await?;
            if !is_other {
                keep_tokens(self, scope, moved.value.id, &tokens, &mut changes).await?;
                for kind in RenewalKind::ALL {
                    let new = NewRenewal { scope, account_id, kind: *kind, due: Due::InTime };
                    schedule_renewal(self, &mut changes, by, new, tokens.expiry)?;
                }
            }
            commit_problems(self, caller, changes).await?;
            Ok(moved.into())
        })
        .await
    }
}
