//! `ListPasskeys`, `UpdatePasskey` and `DeletePasskey`: looking after the passkeys one has.

use crate::accounts::credentials::sign_in_methods::rely_on_another_way_in;
use crate::accounts::sessions::end_sessions;
use crate::accounts::two_factor::strong_factors::rely_on_another_strong_factor;
use tradepost_domain::accounts::audit::AuditKind;
use tradepost_domain::accounts::passkey::Passkey;
use tradepost_domain::id::PasskeyId;
use tradepost_domain::text::Name;
use tradepost_ports::changes::{Caller, Changes};

use crate::accounts::credentials::sign_in_methods::SignInMethod;
use crate::accounts::sessions::current;
use crate::accounts::two_factor::strong_factors::StrongFactor;
use crate::results::require_version;
use crate::rules;
use crate::{OpError, OpResult, Operations, Versioned, fields};

/// A new label.
#[derive(Debug, Clone)]
pub struct UpdatePasskey {
    /// The passkey.
    pub passkey_id: PasskeyId,
    /// Its label from now on.
    pub name: String,
    /// The version that the caller saw, if it must be the one.
    pub expected_version: Option<i64>,
}

/// The passkey to delete.
#[derive(Debug, Clone, Copy)]
pub struct DeletePasskey {
    /// The passkey.
    pub passkey_id: PasskeyId,
}

impl Operations {
    /// Returns all passkeys of the caller's user, the oldest first.
    ///
    /// # Errors
    /// `permission_denied` for a key without `identity`.
    pub async fn list_passkeys(&self, caller: &Caller) -> OpResult<Vec<Versioned<Passkey>>> {
        let user_id = caller.principal.act_as_user()?;
        Ok(self.ports.store.passkeys().list(user_id).await?.into_iter().map(Versioned::from).collect())
    }

    /// Changes the label of a passkey.
    ///
    /// # Errors
    /// `not_found`; `invalid_argument` for a bad name; `failed_precondition` with `VERSION_MISMATCH`; `permission_denied`
    /// for a key without `identity`.
    pub async fn update_passkey(&self, caller: &Caller, command: UpdatePasskey) -> OpResult<Versioned<Passkey>> {
        let user_id = caller.principal.act_as_user()?;
        let name: Name = fields::text("name", &command.name)?;
        fields::expected_version(command.expected_version)?;
        self.retrying(|| async {
            let passkey = self.ports.store.passkeys().find(user_id, command.passkey_id).await?.ok_or_else(unknown)?;
            require_version(&passkey, command.expected_version)?;
            let mut changes = Changes::by(caller);
            let named = |passkey| Ok::<_, OpError>(Passkey { name: name.clone(), ..passkey });
            let revised = changes.revise(passkey, named)?;
            changes.audit(AuditKind::PasskeyUpdated, &revised.value);
            self.commit(caller, changes).await?;
            Ok(revised.into())
        })
        .await
    }

    /// Removes a passkey, ends the user's other sessions, and notifies the user by mail. The last sign-in method stays.
    ///
    /// # Errors
    /// `not_found`; `failed_precondition` with `STEP_UP_REQUIRED`, `LAST_SIGN_IN_METHOD` or `REQUIRED_BY_WORKSPACE`;
    /// `permission_denied` for a key without `identity`.
    pub async fn delete_passkey(&self, caller: &Caller, command: DeletePasskey) -> OpResult<()> {
        let user_id = caller.principal.act_as_user()?;
        self.retrying(|| async {
            let mut changes = Changes::by(caller);
            self.require_step_up(caller, rules::DELETE_PASSKEY, &mut changes).await?;
            let passkey = self.ports.store.passkeys().find(user_id, command.passkey_id).await?.ok_or_else(unknown)?;
            let passkey = changes.remove(passkey);
            changes.audit(AuditKind::PasskeyDeleted, &passkey);
            if passkey.is_usable() {
                rely_on_another_way_in(self, user_id, SignInMethod::Passkey(passkey.id), &mut changes).await?;
                rely_on_another_strong_factor(self, user_id, StrongFactor::Passkey(passkey.id), &mut changes).await?;
            }
            end_sessions(self, user_id, current(caller), &mut changes).await?;
            let name = passkey.name.as_str();
            self.notify_user(&mut changes, user_id, |to| Self::passkey_removed_mail(to, name)).await?;
            self.commit(caller, changes).await.map(drop)
        })
        .await
    }
}

fn unknown() -> OpError {
    OpError::not_found("passkey")
}
