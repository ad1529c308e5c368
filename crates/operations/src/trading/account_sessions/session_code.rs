//! [`SubmitAccountSessionCode`]: a person gives the code that the platform asks for. [`TakeSessionCode`], which the interface does not offer:
//! the engine takes it, or makes one.

use secrecy::{ExposeSecret as _, SecretString};
use tradepost_domain::accounts::audit::AuditKind;
use tradepost_domain::id::{AccountSessionId, WorkspaceId};
use tradepost_domain::time::Timestamp;
use tradepost_domain::trading::account_session::{AccountSession, Guard, SessionEvent};
use tradepost_ports::changes::{Caller, Changes, Seen};

use super::session_moves::{SessionStep, session_as_seen, step_session};
use super::session_tokens::{keep_code, take_code};
use crate::commit::By;
use crate::rules;
use crate::rules::WRITE_ACCOUNTS;
use crate::trading::trading_accounts::ReadAccountSecrets;
use crate::{OpError, OpResult, Operations, Versioned, fields};

/// Gives the code that the platform asks for.
#[derive(Debug, Clone)]
pub struct SubmitAccountSessionCode {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The session.
    pub account_session_id: AccountSessionId,
    /// The code: 5 to 8 letters and digits.
    pub code: SecretString,
    /// The version that the caller saw, from 1; rejected when the session has another one.
    pub expected_version: Option<i64>,
}

/// A request of the engine for the code that it gives to the platform now.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TakeSessionCode {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The session.
    pub account_session_id: AccountSessionId,
    /// The time of the platform, for which a code is made; that of the market where it is not known.
    pub platform_time: Option<Timestamp>,
}

impl Operations {
    /// Hands a code to the engine, which gives it to the platform once. It is sealed until then, and in no log.
    ///
    /// # Errors
    /// `permission_denied`; `invalid_argument` for a bad code or an expected version below 1; `not_found`; `failed_precondition`:
    /// `VERSION_MISMATCH`, `ILLEGAL_STEP` unless the platform asks for a code.
    pub async fn submit_account_session_code(
        &self,
        caller: &Caller,
        command: SubmitAccountSessionCode,
    ) -> OpResult<Versioned<AccountSession>> {
        let scope = rules::SUBMIT_ACCOUNT_SESSION_CODE.enter(&caller.principal, command.workspace_id)?;
        fields::expected_version(command.expected_version)?;
        check(&command.code)?;
        let at = self.market_now(command.workspace_id);
        self.retrying(|| async {
            let seen = session_as_seen(self, scope, command.account_session_id, command.expected_version).await?;
            let mut changes = Changes::by(caller);
            let by = By { caller, at };
            let given =
                step_session(self, &mut changes, by, seen, SessionStep::of(scope, SessionEvent::CodeSubmitted)).await?;
            keep_code(self, scope, given.value.id, &command.code, &mut changes).await?;
            changes.audit(AuditKind::AccountSessionCodeSubmitted, &given.value);
            self.commit(caller, changes).await?;
            Ok(given.into())
        })
        .await
    }

    /// Takes the code that a person gave, or makes one of the stored secret where that is due. The session says that it was given before the
    /// platform gets it, so that none is given twice. Nothing where there is no code to give.
    ///
    /// # Errors
    /// `permission_denied` unless the process itself calls; `not_found`; `internal` with `KEY_ENCRYPTION_UNAVAILABLE`.
    pub async fn take_session_code(
        &self,
        caller: &Caller,
        command: TakeSessionCode,
    ) -> OpResult<Option<(Guard, SecretString)>> {
        let scope = caller.principal.enter(command.workspace_id, WRITE_ACCOUNTS)?;
        let at = self.market_now(command.workspace_id);
        self.retrying(|| async {
            let seen = session_as_seen(self, scope, command.account_session_id, None).await?;
            let mut changes = Changes::by(caller);
            let code = if seen.peek().has_code {
                take_code(self, scope, caller, seen.peek(), &mut changes).await?
            } else if seen.peek().makes_code(at) {
                // The clock of the platform decides which code it accepts; that of a simulated market goes as the market does.
                self.made_code(caller, &seen, command.platform_time.unwrap_or(at)).await?
            } else {
                None
            };
            let guard = seen.peek().asked.guards.iter().copied().find(|guard| guard.takes_code());
            let Some((guard, code)) = guard.zip(code) else { return Ok(None) };
            step_session(self, &mut changes, By { caller, at }, seen, SessionStep::of(scope, SessionEvent::CodeGiven))
                .await?;
            self.commit(caller, changes).await?;
            Ok(Some((guard, code)))
        })
        .await
    }

    /// Makes the code that the account's authenticator shows at a time.
    async fn made_code(
        &self,
        caller: &Caller,
        session: &Seen<AccountSession>,
        at: Timestamp,
    ) -> OpResult<Option<SecretString>> {
        let AccountSession { workspace_id, account_id, .. } = *session.peek();
        let secrets = self.read_account_secrets(caller, ReadAccountSecrets { workspace_id, account_id }).await?;
        let Some(secret) = secrets.and_then(|secrets| secrets.shared_secret) else { return Ok(None) };
        Ok(self.ports.totp.login_code(&secret, at).map(|made| made.code))
    }
}

fn check(code: &SecretString) -> OpResult<()> {
    let code = code.expose_secret();
    if (5..=8).contains(&code.len()) && code.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
        return Ok(());
    }
    Err(OpError::invalid_field("code", "must have 5 to 8 letters and digits"))
}
