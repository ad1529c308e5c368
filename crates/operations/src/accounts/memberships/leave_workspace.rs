//! `LeaveWorkspace`: a member ends the own membership, and the keys that hang on it.

use crate::accounts::memberships::membership_changes::notify_departure;
use crate::accounts::memberships::membership_changes::revoke_keys_of;
use crate::accounts::memberships::membership_changes::step_membership;
use tradepost_domain::accounts::access::Denied;
use tradepost_domain::accounts::membership::{Event, Membership};
use tradepost_domain::id::WorkspaceId;
use tradepost_ports::changes::{Caller, Changes};

use crate::alerts::channels::removal::remove_channels_of;
use crate::mails::Notice;
use crate::{OpError, OpResult, Operations, Reason};

/// The workspace to leave.
#[derive(Debug, Clone, Copy)]
pub struct LeaveWorkspace {
    /// The workspace, whichever one the caller is a member of.
    pub workspace_id: WorkspaceId,
}

impl Operations {
    /// Ends the caller's membership, revokes the caller's keys in the workspace and deletes the caller's own alert channels there, in one
    /// commit; owner and admins are notified.
    ///
    /// # Errors
    /// `permission_denied` for a workspace of which the caller is not a member, whether it exists or not, and for a key without `identity`;
    /// `failed_precondition` with `OWNER_CANNOT_LEAVE`.
    pub async fn leave_workspace(&self, caller: &Caller, command: LeaveWorkspace) -> OpResult<Membership> {
        let user_id = caller.principal.act_as_user()?;
        self.retrying(|| async {
            let own = self.ports.store.memberships().list_own(user_id).await?;
            let own = own.into_iter().find(|membership| membership.peek().workspace_id == command.workspace_id);
            let mut changes = Changes::by(caller);
            let left = step_membership(self, caller, &mut changes, own.ok_or(Denied)?, Event::Leave);
            let left = left.map_err(owner_cannot_leave)?.value;
            let keys = revoke_keys_of(self, caller, &mut changes, &left).await?;
            remove_channels_of(self, &mut changes, &left).await?;
            notify_departure(self, &mut changes, &left, &keys, Notice::member_left).await?;
            self.commit(caller, changes).await?;
            Ok(left)
        })
        .await
    }
}

fn owner_cannot_leave(error: OpError) -> OpError {
    if error.reason == Reason::LastOwner { OpError { reason: Reason::OwnerCannotLeave, ..error } } else { error }
}
