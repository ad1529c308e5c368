//! `RemoveMembership`: the workspace ends a membership, and the keys that hang on it.

use crate::accounts::memberships::membership_changes::addresses_of_user;
use crate::accounts::memberships::membership_changes::find_governed;
use crate::accounts::memberships::membership_changes::notify_departure;
use crate::accounts::memberships::membership_changes::revoke_keys_of;
use crate::accounts::memberships::membership_changes::step_membership;
use crate::accounts::memberships::membership_changes::workspace_name;
use tradepost_domain::accounts::membership::{Event, Membership};
use tradepost_domain::id::{MembershipId, WorkspaceId};
use tradepost_ports::changes::{Caller, Changes};

use crate::alerts::channels::removal::remove_channels_of;
use crate::mails::Notice;
use crate::rules;
use crate::{OpResult, Operations};

/// The membership to remove.
#[derive(Debug, Clone, Copy)]
pub struct RemoveMembership {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The membership of a member, suspended or not.
    pub membership_id: MembershipId,
}

impl Operations {
    /// Ends a membership permanently, revokes the member's keys in the workspace and deletes the member's own alert channels there, in one
    /// commit.
    ///
    /// The member, the owner and the admins are notified.
    ///
    /// # Errors
    /// `permission_denied`, with `ROLE_EXCEEDS_CALLER` for an admin unless the owner calls; `not_found`;
    /// `failed_precondition` with `STEP_UP_REQUIRED`, `MEMBERSHIP_NOT_ACCEPTED` or `LAST_OWNER`.
    pub async fn remove_membership(&self, caller: &Caller, command: RemoveMembership) -> OpResult<Membership> {
        let scope = rules::REMOVE_MEMBERSHIP.enter(&caller.principal, command.workspace_id)?;
        self.retrying(|| async {
            let mut changes = Changes::by(caller);
            self.require_step_up_in(caller, scope, rules::REMOVE_MEMBERSHIP, &mut changes).await?;
            let member = find_governed(self, caller, scope, command.membership_id).await?;
            let removed = step_membership(self, caller, &mut changes, member, Event::Remove)?.value;
            let keys = revoke_keys_of(self, caller, &mut changes, &removed).await?;
            remove_channels_of(self, &mut changes, &removed).await?;
            let workspace = workspace_name(self, command.workspace_id).await?;
            let concerned = addresses_of_user(self, removed.user_id()).await?;
            self.send_notice(&mut changes, &concerned, &Notice::member_removed(&workspace, &keys));
            notify_departure(self, &mut changes, &removed, &keys, Notice::member_was_removed).await?;
            self.commit(caller, changes).await?;
            Ok(removed)
        })
        .await
    }
}
