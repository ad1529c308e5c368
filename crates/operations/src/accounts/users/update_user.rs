//! `UpdateUser`: how the caller's user appears to others, and in which language and time zone they want to be addressed.

use tradepost_domain::accounts::audit::AuditKind;
use tradepost_domain::accounts::preferences::{Locale, TimeZone};
use tradepost_domain::accounts::user::{Preferred, ProfileChange, User};
use tradepost_ports::changes::{Caller, Changes};

use crate::results::require_version;
use crate::{OpError, OpResult, Operations, Versioned, fields};

/// The changes; absent fields stay unchanged.
#[derive(Debug, Clone, Default)]
pub struct UpdateUser {
    /// The name from now on.
    pub display_name: Option<String>,
    /// The language from now on, a tag of BCP 47; an empty text takes it away.
    pub locale: Option<String>,
    /// The time zone from now on, a name of the IANA database; an empty text takes it away.
    pub timezone: Option<String>,
    /// The version that the caller saw, from 1; rejected when the user has another one.
    pub expected_version: Option<i64>,
}

impl Operations {
    /// Changes the profile of the caller's user.
    ///
    /// # Errors
    /// `permission_denied` for a key without `identity`; `invalid_argument` for bad fields and when nothing is to change;
    /// `failed_precondition` with `VERSION_MISMATCH`.
    pub async fn update_user(&self, caller: &Caller, command: UpdateUser) -> OpResult<Versioned<User>> {
        let user_id = caller.principal.act_as_user()?;
        let change = change(&command)?;
        fields::expected_version(command.expected_version)?;
        self.retrying(|| async {
            let user = self.ports.store.users().find(user_id).await?.ok_or_else(|| OpError::not_found("user"))?;
            require_version(&user, command.expected_version)?;
            let at = self.now();
            let mut changes = Changes::by(caller);
            let revised = changes.revise(user, |user| Ok::<_, OpError>(user.change(change.clone(), at)))?;
            changes.audit(AuditKind::UserUpdated, user_id);
            self.commit(caller, changes).await?;
            Ok(revised.into())
        })
        .await
    }
}

fn change(command: &UpdateUser) -> OpResult<ProfileChange> {
    let change = ProfileChange {
        display_name: command.display_name.as_deref().map(|name| fields::text("displayName", name)).transpose()?,
        locale: preferred("locale", command.locale.as_deref(), Locale::new)?,
        time_zone: preferred("timezone", command.timezone.as_deref(), TimeZone::new)?,
    };
    if change == ProfileChange::default() {
        return Err(OpError::invalid_field("displayName", "or locale or timezone is required"));
    }
    Ok(change)
}

fn preferred<T, E: std::fmt::Display>(
    field: &str,
    given: Option<&str>,
    read: impl Fn(&str) -> Result<T, E>,
) -> OpResult<Option<Preferred<T>>> {
    match given.map(str::trim) {
        None => Ok(None),
        Some("") => Ok(Some(Preferred::Nothing)),
        Some(text) => {
            read(text).map(|value| Some(Preferred::This(value))).map_err(|error| OpError::invalid_field(field, error))
        }
    }
}
