//! Users: the people behind keys, with the ways in which they prove who they are.

use time::Duration;

use crate::accounts::account_link::Provider;
use crate::accounts::email::EmailAddress;
use crate::accounts::password::PasswordHash;
use crate::accounts::preferences::{Locale, Preferences, TimeZone};
use crate::id::{LinkedIdentityId, UserId};
use crate::text::Name;
use crate::time::Timestamp;

/// How long after a change of address the next one is refused.
pub const EMAIL_CHANGE_PAUSE: Duration = Duration::hours(24);

/// A person.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct User {
    /// Identifier.
    pub id: UserId,
    /// Name shown to other members.
    pub display_name: Name,
    /// What the person prefers.
    pub preferences: Preferences,
    /// The verified address; absent for a user who signs in only through a linked identity.
    pub email: Option<EmailAddress>,
    /// The password; absent as long as the user has none.
    pub password: Option<Password>,
    /// When the address was last changed.
    pub email_changed_at: Option<Timestamp>,
    /// A disabled user's keys are refused.
    pub disabled: bool,
    /// When the user was made.
    pub created_at: Timestamp,
    /// When the user last changed.
    pub updated_at: Timestamp,
}

/// A stored password.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Password {
    /// The hash.
    pub hash: PasswordHash,
    /// When it was set.
    pub changed_at: Timestamp,
}

/// A sign-in identity of another platform that belongs to a user.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LinkedIdentity {
    /// Identifier.
    pub id: LinkedIdentityId,
    /// Whose it is.
    pub user_id: UserId,
    /// The platform.
    pub provider: Provider,
    /// The identity there. Never an e-mail address: those change hands.
    pub subject: Name,
    /// When it was linked.
    pub linked_at: Timestamp,
}

/// What is to change of how a user appears and is addressed; what is absent stays.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ProfileChange {
    /// The name from now on.
    pub display_name: Option<Name>,
    /// The language from now on.
    pub locale: Option<Preferred<Locale>>,
    /// The time zone from now on.
    pub time_zone: Option<Preferred<TimeZone>>,
}

/// What is preferred from now on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Preferred<T> {
    /// Nothing in particular.
    Nothing,
    /// This.
    This(T),
}

impl<T> Preferred<T> {
    fn into_option(self) -> Option<T> {
        match self {
            Self::Nothing => None,
            Self::This(value) => Some(value),
        }
    }
}

/// Why an e-mail credential cannot be added.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum AddEmailError {
    /// There is an address or a password already.
    #[error("this account has an e-mail credential already")]
    Exists,
    /// There is no linked identity by which the account could have been entered.
    #[error("this account has no linked sign-in identity")]
    NoLinkedIdentity,
}

/// Why the address cannot be changed now.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum ChangeEmailError {
    /// There is no password that could authorise the change.
    #[error("this account has no password")]
    NoPassword,
    /// The new address is the one in use.
    #[error("this is the account's address already")]
    Unchanged,
    /// The last change was less than [`EMAIL_CHANGE_PAUSE`] ago.
    #[error("the address was changed less than 24 hours ago")]
    Locked,
}

impl User {
    /// The user after a change of profile.
    #[must_use]
    pub fn change(self, change: ProfileChange, at: Timestamp) -> Self {
        let Preferences { locale, time_zone } = self.preferences;
        let preferences = Preferences {
            locale: change.locale.map_or(locale, Preferred::into_option),
            time_zone: change.time_zone.map_or(time_zone, Preferred::into_option),
        };
        let display_name = change.display_name.unwrap_or(self.display_name);
        Self { display_name, preferences, updated_at: at, ..self }
    }

    /// Returns what remains of a user who deletes their account: an id without credentials or personal data.
    #[must_use]
    pub fn erased(self, at: Timestamp) -> Self {
        Self {
            display_name: Name::deleted(),
            preferences: Preferences::default(),
            email: None,
            password: None,
            email_changed_at: None,
            disabled: true,
            updated_at: at,
            ..self
        }
    }

    /// Whether an e-mail credential may be added.
    ///
    /// # Errors
    /// [`AddEmailError`] says why not.
    pub fn may_add_email(&self, has_linked_identity: bool) -> Result<(), AddEmailError> {
        if self.email.is_some() || self.password.is_some() {
            return Err(AddEmailError::Exists);
        }
        if has_linked_identity { Ok(()) } else { Err(AddEmailError::NoLinkedIdentity) }
    }

    /// The user with a first, now verified, address and its password.
    #[must_use]
    pub fn with_email(self, email: EmailAddress, hash: PasswordHash, at: Timestamp) -> Self {
        Self { email: Some(email), password: Some(Password { hash, changed_at: at }), updated_at: at, ..self }
    }

    /// Whether the address may be changed to `new` at this time.
    ///
    /// # Errors
    /// [`ChangeEmailError`] says why not.
    pub fn may_change_email(&self, new: &EmailAddress, at: Timestamp) -> Result<(), ChangeEmailError> {
        if self.password.is_none() {
            return Err(ChangeEmailError::NoPassword);
        }
        if self.email.as_ref() == Some(new) {
            return Err(ChangeEmailError::Unchanged);
        }
        match self.email_changed_at {
            Some(last) if at.since(last) < EMAIL_CHANGE_PAUSE => Err(ChangeEmailError::Locked),
            Some(_) | None => Ok(()),
        }
    }

    /// The user at a new, verified address.
    #[must_use]
    pub fn at_email(self, email: EmailAddress, at: Timestamp) -> Self {
        Self { email: Some(email), email_changed_at: Some(at), updated_at: at, ..self }
    }

    /// Returns the user with the same password under a new hash.
    #[must_use]
    pub fn with_hash(self, hash: PasswordHash) -> Self {
        let password = self.password.map(|password| Password { hash, ..password });
        Self { password, ..self }
    }

    /// The user with a new password.
    #[must_use]
    pub fn with_password(self, hash: PasswordHash, at: Timestamp) -> Self {
        Self { password: Some(Password { hash, changed_at: at }), updated_at: at, ..self }
    }
}
