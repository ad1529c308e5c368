//! `IssueApiKey`: a key that the process itself creates, on the server's command line or through an embedder.
//!
//! The key may hold any policy, `identity` included. No second factor is required because a caller that can run this has the database.

use crate::accounts::api_keys::create_api_key::make_key;
use crate::accounts::api_keys::create_api_key::notify_owner_of_new_key;
use crate::accounts::api_keys::create_api_key::require_room_for_key;
use crate::accounts::workspaces::whole_workspace::take_turn_in;
use tradepost_domain::accounts::email::EmailAddress;
use tradepost_domain::accounts::policy::PolicySet;
use tradepost_domain::id::WorkspaceId;
use tradepost_domain::network::Networks;
use tradepost_domain::text::Name;
use tradepost_domain::time::Timestamp;
use tradepost_ports::changes::{Caller, Changes};

use super::create_api_key::{CreatedKey, KeyOrder};
use crate::{OpError, OpResult, Operations};

/// The key to create, and its owner.
#[derive(Debug, Clone)]
pub struct IssueApiKey {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The address of its owner, an accepted member.
    pub owner: EmailAddress,
    /// Its name.
    pub name: Name,
    /// Its policies.
    pub policies: PolicySet,
    /// When it expires; absent for never.
    pub expires_at: Option<Timestamp>,
}

impl Operations {
    /// Creates a key for a member and notifies the member.
    ///
    /// # Errors
    /// `permission_denied` unless the process itself calls; `not_found` without such a member; `failed_precondition` with
    /// `EXPIRY_IN_PAST`, `EXPIRY_TOO_FAR` or `API_KEY_LIMIT`.
    pub async fn issue_api_key(&self, caller: &Caller, command: IssueApiKey) -> OpResult<CreatedKey> {
        let scope = caller.principal.enter(command.workspace_id, PolicySet::NONE)?;
        let owner =
            self.ports.store.users().find_by_email(&command.owner).await?.ok_or_else(|| OpError::not_found("user"))?;
        let owner_id = owner.peek().id;
        let member = self
            .ports
            .store
            .memberships()
            .find_member(scope, owner_id)
            .await?
            .ok_or_else(|| OpError::not_found("membership"))?;
        let mut relied_on = Changes::by(caller);
        let membership_id = relied_on.rely_on(member).id;
        let order = KeyOrder {
            workspace_id: command.workspace_id,
            owner_id,
            membership_id,
            name: command.name,
            policies: command.policies,
            networks: Networks::default(),
            expires_at: command.expires_at,
        };
        self.retrying(|| async {
            let mut changes = relied_on.clone();
            let settings = take_turn_in(self, scope, &mut changes).await?.settings;
            require_room_for_key(self, scope, self.now()).await?;
            let created = make_key(self, order.clone(), settings, &mut changes)?;
            notify_owner_of_new_key(self, &mut changes, &created.key).await?;
            self.commit(caller, changes).await?;
            Ok(created)
        })
        .await
    }
}
