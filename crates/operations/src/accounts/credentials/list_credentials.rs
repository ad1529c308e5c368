//! `ListCredentials`: the sign-in methods and factors of the caller's user.

use crate::accounts::credentials::email_links::waiting_link;
use tradepost_domain::accounts::email::EmailAddress;
use tradepost_domain::accounts::email_link::PurposeKind;
use tradepost_domain::accounts::user::{LinkedIdentity, User};
use tradepost_ports::changes::Caller;

use crate::{OpError, OpResult, Operations};

/// The ways in which a user signs in. Nothing in it opens anything.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Credentials {
    /// The user, with the verified address and the time of the password.
    pub user: User,
    /// The address that waits to be confirmed: a first one, or the one of a change.
    pub pending_email: Option<EmailAddress>,
    /// Whether an authenticator app is enrolled.
    pub has_totp: bool,
    /// The number of passkeys that are registered.
    pub passkeys: usize,
    /// The identities of other platforms, the oldest first.
    pub linked: Vec<LinkedIdentity>,
}

impl Operations {
    /// Lists the credentials of the caller's user.
    ///
    /// # Errors
    /// `permission_denied` for a key without `identity`.
    pub async fn list_credentials(&self, caller: &Caller) -> OpResult<Credentials> {
        let user_id = caller.principal.act_as_user()?;
        let user = self.ports.store.users().find(user_id).await?.ok_or_else(|| OpError::not_found("user"))?;
        let user = user.into_display().0;
        let kind = if user.email.is_some() { PurposeKind::Change } else { PurposeKind::Add };
        let waiting = waiting_link(self, &user, kind).await?;
        let linked = self.ports.store.account_links().list_identities(user_id).await?;
        Ok(Credentials {
            pending_email: waiting.map(|link| link.into_display().0.purpose.email().clone()),
            user,
            has_totp: self.ports.store.second_factors().find_totp(user_id).await?.is_some(),
            passkeys: self.ports.store.passkeys().list(user_id).await?.len(),
            linked: linked.into_iter().map(|seen| seen.into_display().0).collect(),
        })
    }
}
