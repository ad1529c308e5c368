//! [`RevealRevocationCode`]: reveals the code that removes the mobile authenticator of an account.

use secrecy::SecretString;
use tradepost_domain::accounts::audit::AuditKind;
use tradepost_domain::id::{AccountId, WorkspaceId};
use tradepost_ports::changes::{Caller, Changes};

use super::account_moves::account_as_seen;
use super::account_recovery::AccountRecovery;
use crate::rules;
use crate::{OpError, OpResult, Operations};

/// The account whose revocation code is revealed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RevealRevocationCode {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The account.
    pub account_id: AccountId,
}

impl Operations {
    /// Reveals the code that removes the mobile authenticator of an account. The audit log records it before the answer is given.
    ///
    /// # Errors
    /// `permission_denied`; `failed_precondition` with `STEP_UP_REQUIRED`; `not_found` for the account, and where no code was imported
    /// with it; `internal` with `KEY_ENCRYPTION_UNAVAILABLE`, or `INTERNAL` for one that does not open.
    pub async fn reveal_revocation_code(
        &self,
        caller: &Caller,
        command: RevealRevocationCode,
    ) -> OpResult<SecretString> {
        let scope = rules::REVEAL_REVOCATION_CODE.enter(&caller.principal, command.workspace_id)?;
        self.retrying(|| async {
            let mut changes = Changes::by(caller);
            self.require_step_up_in(caller, scope, rules::REVEAL_REVOCATION_CODE, &mut changes).await?;
            let account = changes.rely_on(account_as_seen(self, scope, command.account_id, None).await?);
            let recovery = AccountRecovery::read(self, scope, command.account_id).await?;
            let code = recovery.revocation_code.ok_or_else(|| OpError::not_found("revocation code"))?;
            changes.audit(AuditKind::AccountRevocationCodeRevealed, &account);
            self.commit(caller, changes).await?;
            Ok(code)
        })
        .await
    }
}
