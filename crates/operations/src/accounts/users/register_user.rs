//! `RegisterUser`: a user made by the process itself, with an address that is taken as verified.

use crate::accounts::credentials::new_password::hash_new_password;
use secrecy::SecretString;
use tradepost_domain::accounts::access::{Denied, Principal};
use tradepost_domain::accounts::audit::AuditKind;
use tradepost_domain::accounts::email::EmailAddress;
use tradepost_domain::accounts::preferences::Preferences;
use tradepost_domain::accounts::user::{Password, User};
use tradepost_domain::text::Name;
use tradepost_ports::changes::{Caller, Changes};
use tradepost_ports::store::{StoreError, Unique};

use crate::{OpError, OpResult, Operations, Reason};

/// The user to create.
#[derive(Debug, Clone)]
pub struct RegisterUser {
    /// The address.
    pub email: EmailAddress,
    /// The name shown.
    pub display_name: Name,
    /// The password.
    pub password: SecretString,
}

impl Operations {
    /// Makes a user.
    ///
    /// # Errors
    /// `permission_denied` unless the process itself calls; `already_exists` with `EMAIL_TAKEN`; `invalid_argument` for a
    /// weak password.
    pub async fn register_user(&self, caller: &Caller, command: RegisterUser) -> OpResult<User> {
        if caller.principal != Principal::System {
            return Err(Denied.into());
        }
        let words = command.email.words().map(str::to_owned).collect();
        let hash = hash_new_password(self, "password", &command.password, words).await?;
        let at = self.now();
        let user = User {
            id: self.mint(),
            display_name: command.display_name,
            preferences: Preferences::default(),
            email: Some(command.email),
            password: Some(Password { hash, changed_at: at }),
            email_changed_at: None,
            disabled: false,
            created_at: at,
            updated_at: at,
        };
        let mut changes = Changes::by(caller);
        changes.insert(user.clone());
        changes.audit(AuditKind::UserRegistered, user.id);
        self.commit(caller, changes).await.map_err(email_taken)?;
        Ok(user)
    }
}

/// Names the case in which another user has the address.
pub(crate) fn email_taken(error: OpError) -> OpError {
    match error.source {
        Some(StoreError::Duplicate(Unique::UserEmail)) => {
            OpError::already_exists(Reason::EmailTaken, "another account uses this e-mail address")
        }
        Some(_) | None => error,
    }
}
