//! `DisableTOTP`: an account without an authenticator app again.

use crate::accounts::sessions::end_sessions;
use crate::accounts::two_factor::strong_factors::rely_on_another_strong_factor;
use tradepost_domain::accounts::audit::AuditKind;
use tradepost_ports::changes::{Caller, Changes};

use super::strong_factors::StrongFactor;
use crate::accounts::sessions::current;
use crate::rules;
use crate::{OpError, OpResult, Operations, Reason};

impl Operations {
    /// Removes the authenticator app and its recovery codes, ends the user's other sessions, and notifies the user by mail.
    ///
    /// # Errors
    /// `failed_precondition` with `STEP_UP_REQUIRED`, `TOTP_NOT_ENABLED` or `REQUIRED_BY_WORKSPACE`; `permission_denied` for a
    /// key without `identity`.
    pub async fn disable_totp(&self, caller: &Caller) -> OpResult<()> {
        let user_id = caller.principal.act_as_user()?;
        self.retrying(|| async {
            let mut changes = Changes::by(caller);
            self.require_step_up(caller, rules::DISABLE_TOTP, &mut changes).await?;
            let totp = self.ports.store.second_factors().find_totp(user_id).await?.ok_or_else(totp_not_enabled)?;
            changes.remove(totp);
            rely_on_another_strong_factor(self, user_id, StrongFactor::App, &mut changes).await?;
            changes.audit(AuditKind::TotpDisabled, user_id);
            if let Some(codes) = self.ports.store.second_factors().find_recovery_codes(user_id).await? {
                changes.remove(codes);
            }
            end_sessions(self, user_id, current(caller), &mut changes).await?;
            self.notify_user(&mut changes, user_id, Self::totp_disabled_mail).await?;
            self.commit(caller, changes).await.map(drop)
        })
        .await
    }
}

/// Returns the error for a user without an enrolled app.
pub(crate) fn totp_not_enabled() -> OpError {
    OpError::failed_precondition(Reason::TotpNotEnabled, "no authenticator app is enrolled")
}
