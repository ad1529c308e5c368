//! `BeginPasskeyRegistration`: options for the browser's authenticator.

use tradepost_domain::accounts::audit::AuditKind;
use tradepost_domain::accounts::passkey::PasskeyRegistration;
use tradepost_domain::text::Name;
use tradepost_ports::changes::{Caller, Changes};
use tradepost_ports::passkeys::Registrant;

use crate::{OpError, OpResult, Operations, fields};

/// The passkey to be.
#[derive(Debug, Clone)]
pub struct BeginPasskeyRegistration {
    /// Its label.
    pub name: String,
}

impl Operations {
    /// Begins the registration of a passkey; gives the WebAuthn creation options as JSON. They can be used for five
    /// minutes, and only the latest ones.
    ///
    /// # Errors
    /// `invalid_argument` for a bad name; `permission_denied` for a key without `identity`.
    pub async fn begin_passkey_registration(
        &self,
        caller: &Caller,
        command: BeginPasskeyRegistration,
    ) -> OpResult<String> {
        let user_id = caller.principal.act_as_user()?;
        let name: Name = fields::text("name", &command.name)?;
        let user = self.ports.store.users().find(user_id).await?.ok_or_else(|| OpError::not_found("user"))?;
        let (user, _) = user.into_display();
        let known = self.ports.store.passkeys().list(user_id).await?;
        let registrant = Registrant {
            user_id,
            account_name: user.email.as_ref().map_or(user.display_name.as_str(), |email| email.as_str()),
            display_name: user.display_name.as_str(),
            exclude: known.into_iter().map(|passkey| passkey.into_display().0.credential_id).collect(),
        };
        let begun = self.ports.passkeys.begin(&registrant).map_err(|error| OpError::internal(error.to_string()))?;
        let mut changes = Changes::by(caller);
        changes.put(PasskeyRegistration { user_id, name, state: begun.state, created_at: self.now() });
        changes.audit(AuditKind::PasskeyBegin, user_id);
        self.commit(caller, changes).await?;
        Ok(begun.options)
    }
}
