//! Proofs by passkey, for whatever they open: the question for a user's passkeys, and the check of an authenticator's
//! answer.

use tradepost_domain::accounts::audit::AuditKind;
use tradepost_domain::accounts::passkey::Passkey;
use tradepost_domain::id::UserId;
use tradepost_domain::time::Timestamp;
use tradepost_ports::changes::{Caller, Changes, Seen};
use tradepost_ports::passkeys::{PasskeyChallenge, PasskeyError};

use crate::{OpError, OpResult, Operations, Reason};

/// An authenticator's response, and the state that it is checked with. The state is no longer stored.
pub(crate) struct PasskeyResponse<'a> {
    pub(crate) user_id: UserId,
    pub(crate) state: &'a str,
    pub(crate) credential: &'a str,
}

/// Disables a passkey that was copied, notifies the user by mail, and returns the caller's error.
async fn disable_passkey(
    operations: &Operations,
    caller: &Caller,
    passkey: Seen<Passkey>,
    at: Timestamp,
) -> OpResult<OpError> {
    let mut changes = Changes::detached(caller);
    let disabled = changes.revise(passkey, |passkey| Ok::<_, OpError>(passkey.disabled(at)))?.value;
    changes.audit(AuditKind::PasskeyCloneSuspected, &disabled);
    let name = disabled.name.as_str();
    operations.notify_user(&mut changes, disabled.user_id, |to| Operations::passkey_copied_mail(to, name)).await?;
    operations.commit(caller, changes).await?;
    tracing::warn!(user = %disabled.user_id, passkey = %disabled.id, "a passkey has been copied and is disabled");
    let message = "a copy of this passkey has been used: it is disabled from now on; use another method and remove it";
    Ok(OpError::permission_denied(Reason::PasskeyCompromised, message))
}

/// Asks for any one of a user's passkeys; `None` for a user without one that can be used.
pub(crate) async fn ask_passkeys_of(operations: &Operations, user_id: UserId) -> OpResult<Option<PasskeyChallenge>> {
    let passkeys = operations.ports.store.passkeys().list(user_id).await?.into_iter();
    let usable = passkeys.map(|seen| seen.into_display().0).filter(Passkey::is_usable);
    let kept: Vec<String> = usable.map(|passkey| passkey.credential).collect();
    if kept.is_empty() { Ok(None) } else { operations.ports.passkeys.ask(&kept).map(Some).map_err(refused) }
}

/// Rejects a response that no authenticator could have sent, before any cost arises; returns the credential that it names.
pub(crate) fn credential_named_by(operations: &Operations, credential: &str) -> OpResult<Vec<u8>> {
    if credential.trim().is_empty() {
        return Err(OpError::invalid_field("credential", "is required"));
    }
    operations.ports.passkeys.named_by(credential).map_err(refused)
}

/// Checks an authenticator's answer; the use of the passkey becomes part of the changes. A passkey of which a copy was
/// used is disabled at once.
pub(crate) async fn use_passkey(
    operations: &Operations,
    caller: &Caller,
    answer: &PasskeyResponse<'_>,
    changes: &mut Changes,
    at: Timestamp,
) -> OpResult<()> {
    let named = credential_named_by(operations, answer.credential)?;
    let passkeys = operations.ports.store.passkeys().list(answer.user_id).await?;
    let is_named = |seen: &Seen<Passkey>| seen.peek().credential_id == named && seen.peek().is_usable();
    let passkey = passkeys.into_iter().find(is_named).ok_or_else(|| refused(PasskeyError::Refused))?;
    match operations.ports.passkeys.verify(answer.state, answer.credential, &passkey.peek().credential) {
        Ok(proved) => {
            let used = |passkey: Passkey| Ok::<_, OpError>(passkey.used(proved.credential, proved.backed_up, at));
            changes.revise(passkey, used).map(drop)
        }
        Err(PasskeyError::Copied) => Err(disable_passkey(operations, caller, passkey, at).await?),
        Err(error) => Err(refused(error)),
    }
}

/// Returns the caller's error for a response that proves nothing.
pub(crate) fn refused(error: PasskeyError) -> OpError {
    match error {
        PasskeyError::Malformed => OpError::invalid_argument(Reason::CredentialMalformed, error.to_string()),
        PasskeyError::Refused | PasskeyError::Copied => {
            OpError::permission_denied(Reason::CredentialRefused, PasskeyError::Refused.to_string())
        }
        PasskeyError::State(why) => OpError::internal(why),
    }
}
