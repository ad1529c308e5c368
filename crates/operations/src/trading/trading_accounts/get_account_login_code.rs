//! [`GetAccountLoginCode`]: the code with which a person signs in to a trading account.

use crate::trading::trading_accounts::account_moves::account_as_seen;
use tradepost_domain::accounts::audit::AuditKind;
use tradepost_domain::id::{AccountId, WorkspaceId};
use tradepost_ports::changes::{Caller, Changes};
use tradepost_ports::totp::LoginCode;

use super::account_secrets::ReadAccountSecrets;
use crate::rules;
use crate::{OpError, OpResult, Operations, Reason};

/// A request for the code with which a person signs in to a trading account at the game platform.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GetAccountLoginCode {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The account.
    pub account_id: AccountId,
}

impl Operations {
    /// Returns the code that the account's mobile authenticator would show now. People sign in themselves now and then, and the secret that
    /// makes codes never leaves the server. Each code is in the audit log.
    ///
    /// # Errors
    /// `permission_denied`; `failed_precondition` with `STEP_UP_REQUIRED`; `not_found`; `failed_precondition`: `ACCOUNT_REMOVED`,
    /// `ACCOUNT_WITHOUT_AUTHENTICATOR` without a shared secret of 20 bytes in base 64; `resource_exhausted` with `RATE_LIMITED`;
    /// `internal` with `KEY_ENCRYPTION_UNAVAILABLE`.
    pub async fn get_account_login_code(&self, caller: &Caller, command: GetAccountLoginCode) -> OpResult<LoginCode> {
        let scope = rules::GET_ACCOUNT_LOGIN_CODE.enter(&caller.principal, command.workspace_id)?;
        let mut changes = Changes::by(caller);
        self.require_step_up_in(caller, scope, rules::GET_ACCOUNT_LOGIN_CODE, &mut changes).await?;
        let account = account_as_seen(self, scope, command.account_id, None).await?;
        if account.peek().status.is_terminal() {
            return Err(OpError::failed_precondition(Reason::AccountRemoved, "the trading account was removed"));
        }
        self.charge_login_code(command.account_id).await?;
        let GetAccountLoginCode { workspace_id, account_id } = command;
        let secrets =
            self.read_account_secrets(&Caller::system(), ReadAccountSecrets { workspace_id, account_id }).await?;
        let shared_secret = secrets.and_then(|secrets| secrets.shared_secret);
        // The platform knows no simulated time.
        let code = shared_secret.and_then(|secret| self.ports.totp.login_code(&secret, self.now()));
        let code = code.ok_or_else(|| {
            let message = "no code can be made: the account has no shared secret of 20 bytes in base 64";
            OpError::failed_precondition(Reason::AccountWithoutAuthenticator, message)
        })?;
        changes.audit(AuditKind::AccountLoginCode, account.peek());
        self.commit(caller, changes).await?;
        Ok(code)
    }
}
