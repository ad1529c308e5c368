//! Recovery codes: making a set of them, and using one in the stead of the authenticator app. `RegenerateRecoveryCodes`.

use secrecy::{ExposeSecret as _, SecretString};
use tradepost_domain::accounts::audit::{About, AuditKind, Fact};
use tradepost_domain::accounts::totp::{RECOVERY_CODES, RecoveryCodes};
use tradepost_domain::id::UserId;
use tradepost_domain::time::Timestamp;
use tradepost_ports::changes::{Caller, Changes};

use super::disable_totp::totp_not_enabled;
use crate::rules;
use crate::{OpError, OpResult, Operations};

impl Operations {
    /// Creates ten new recovery codes, shown only once; the codes before are no longer valid.
    ///
    /// # Errors
    /// `failed_precondition` with `STEP_UP_REQUIRED` or `TOTP_NOT_ENABLED`; `permission_denied` for a key without
    /// `identity`.
    pub async fn regenerate_recovery_codes(&self, caller: &Caller) -> OpResult<Vec<SecretString>> {
        let user_id = caller.principal.act_as_user()?;
        let at = self.now();
        let mut changes = Changes::by(caller);
        self.require_step_up(caller, rules::REGENERATE_RECOVERY_CODES, &mut changes).await?;
        let totp = self.ports.store.second_factors().find_totp(user_id).await?.ok_or_else(totp_not_enabled)?;
        changes.rely_on(totp);
        let codes = make_recovery_codes(self, user_id, at, &mut changes);
        changes.audit(AuditKind::RecoveryCodesRegenerated, user_id);
        self.notify_user(&mut changes, user_id, Self::recovery_codes_made_mail).await?;
        self.commit(caller, changes).await?;
        Ok(codes)
    }
}

/// Makes a set of recovery codes, which replaces the one before.
pub(crate) fn make_recovery_codes(
    operations: &Operations,
    user_id: UserId,
    at: Timestamp,
    changes: &mut Changes,
) -> Vec<SecretString> {
    let codes: Vec<SecretString> = (0..RECOVERY_CODES).map(|_| operations.ports.secrets.recovery_code()).collect();
    let digest = |code: &SecretString| {
        let made = RecoveryCodes::as_made(code.expose_secret());
        operations.ports.secrets.code_digest(&user_id.to_bytes(), &made)
    };
    let (digests, pepper) = (codes.iter().map(digest).collect(), Some(operations.ports.secrets.pepper()));
    changes.put(RecoveryCodes { user_id, digests, pepper, created_at: at });
    codes
}

/// Returns whether this is one of the user's recovery codes. Its use becomes part of the changes and is reported by mail.
pub(crate) async fn use_recovery_code(
    operations: &Operations,
    user_id: UserId,
    code: &str,
    changes: &mut Changes,
) -> OpResult<bool> {
    let Some(codes) = operations.ports.store.second_factors().find_recovery_codes(user_id).await? else {
        return Ok(false);
    };
    let (owner, code) = (user_id.to_bytes(), RecoveryCodes::as_made(code));
    // Every digest is compared, so that the time does not reveal which one matches.
    let same = codes.peek().digests.iter().filter(|digest| operations.ports.secrets.is_code(&owner, &code, digest));
    let Some(used) = same.copied().last() else { return Ok(false) };
    let revised = changes.revise(codes, |codes| Ok::<_, OpError>(codes.without(&used)))?;
    let left = revised.value.digests.len();
    changes.audit(AuditKind::RecoveryCodeUsed, About::from(user_id).with(Fact::Count, &left));
    operations.notify_user(changes, user_id, |to| Operations::recovery_code_used_mail(to, left)).await?;
    Ok(true)
}
