//! Ways to sign in to an account, of which the last one stays.

use tradepost_domain::accounts::passkey::Passkey;
use tradepost_domain::accounts::user::LinkedIdentity;
use tradepost_domain::id::{LinkedIdentityId, PasskeyId, UserId};
use tradepost_ports::changes::{Changes, Seen};

use crate::{OpError, OpResult, Operations, Reason};

/// A way in that is taken away.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum SignInMethod {
    LinkedIdentity(LinkedIdentityId),
    Passkey(PasskeyId),
}

/// Makes the changes rely on a way to sign in that stays: of two that are taken away at once, one stays.
///
/// # Errors
/// `failed_precondition` with `LAST_SIGN_IN_METHOD`.
pub(crate) async fn rely_on_another_way_in(
    operations: &Operations,
    user_id: UserId,
    removed: SignInMethod,
    changes: &mut Changes,
) -> OpResult<()> {
    let user = operations.ports.store.users().find(user_id).await?.ok_or_else(|| OpError::not_found("user"))?;
    if user.peek().email.is_some() && user.peek().password.is_some() {
        changes.rely_on(user);
        return Ok(());
    }
    let stays = |identity: &Seen<LinkedIdentity>| removed != SignInMethod::LinkedIdentity(identity.peek().id);
    if let Some(identity) =
        operations.ports.store.account_links().list_identities(user_id).await?.into_iter().find(stays)
    {
        changes.rely_on(identity);
        return Ok(());
    }
    let stays = |seen: &Seen<Passkey>| removed != SignInMethod::Passkey(seen.peek().id) && seen.peek().is_usable();
    let passkey = operations.ports.store.passkeys().list(user_id).await?.into_iter().find(stays).ok_or_else(|| {
        let message = "this is the only way to sign in to the account; add another one first";
        OpError::failed_precondition(Reason::LastSignInMethod, message)
    })?;
    changes.rely_on(passkey);
    Ok(())
}
