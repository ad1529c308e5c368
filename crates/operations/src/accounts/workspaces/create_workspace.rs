//! `CreateWorkspace`: a workspace of one's own.

use crate::accounts::memberships::transfer_workspace_ownership::require_room_to_own;
use crate::accounts::workspaces::bootstrap_workspace::found;
use tradepost_domain::accounts::workspace::Workspace;
use tradepost_domain::money::Currency;
use tradepost_ports::changes::{Caller, Changes};

use super::bootstrap_workspace::BootstrapWorkspace;
use crate::{OpError, OpResult, Operations, Reason, fields};

/// The workspace to create.
#[derive(Debug, Clone)]
pub struct CreateWorkspace {
    /// Its name.
    pub name: String,
    /// The purpose of the workspace; may be empty.
    pub description: String,
    /// The currency of every amount in it: three capital letters; US dollars if empty. It never changes.
    pub base_currency: String,
}

impl Operations {
    /// Makes a workspace whose owner is the signed-in user.
    ///
    /// # Errors
    /// `permission_denied` for every key; `failed_precondition` with `EMAIL_NOT_VERIFIED` or `WORKSPACE_LIMIT`;
    /// `invalid_argument` for a bad name, description or currency.
    pub async fn create_workspace(&self, caller: &Caller, command: CreateWorkspace) -> OpResult<Workspace> {
        let owner_id = caller.principal.act_in_person()?;
        let name = fields::text("name", &command.name)?;
        let description = Some(command.description.as_str()).filter(|text| !text.trim().is_empty());
        let description = fields::optional(description, fields::text, "description")?;
        let base_currency = fields::currency("baseCurrency", &command.base_currency)?.unwrap_or(Currency::USD);
        self.retrying(|| async {
            let user = self.ports.store.users().find(owner_id).await?.ok_or_else(|| OpError::not_found("user"))?;
            let mut changes = Changes::by(caller);
            // Rewritten, so that of two concurrent calls one is rejected: each has counted without the other.
            let owner = changes.revise(user, Ok::<_, OpError>)?.value;
            if owner.email.is_none() {
                let message = "a workspace is owned by a user with a confirmed e-mail address; add one first";
                return Err(OpError::failed_precondition(Reason::EmailNotVerified, message));
            }
            require_room_to_own(self, owner_id).await?;
            let (name, description) = (name.clone(), description.clone());
            let order = BootstrapWorkspace { owner_id, name, description, base_currency };
            Ok(found(self, caller, changes, order).await?.workspace)
        })
        .await
    }
}
