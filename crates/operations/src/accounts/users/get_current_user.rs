//! `GetCurrentUser`: the user on whose behalf the caller acts.

use tradepost_domain::accounts::step_up::Factors;
use tradepost_domain::accounts::user::User;
use tradepost_ports::changes::Caller;

use crate::{OpError, OpResult, Operations, Versioned};

/// A user with the factors enrolled.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CurrentUser {
    /// The user.
    pub user: Versioned<User>,
    /// The factors that prove their identity.
    pub factors: Factors,
}

impl Operations {
    /// Fetches the caller's own user.
    ///
    /// # Errors
    /// `permission_denied` for a key without `identity`.
    pub async fn get_current_user(&self, caller: &Caller) -> OpResult<CurrentUser> {
        let user_id = caller.principal.act_as_user()?;
        let user = self.ports.store.users().find(user_id).await?.ok_or_else(|| OpError::not_found("user"))?;
        let factors = self.ports.store.second_factors().find_all(user_id).await?;
        Ok(CurrentUser { user: user.into(), factors })
    }
}
