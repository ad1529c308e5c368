//! `DeclineMembership`: the invited person says no.

use crate::accounts::memberships::membership_changes::addresses_of_managers;
use crate::accounts::memberships::membership_changes::find_own;
use crate::accounts::memberships::membership_changes::step_membership;
use crate::accounts::memberships::membership_changes::workspace_name;
use tradepost_domain::accounts::membership::{Event, Membership};
use tradepost_domain::id::MembershipId;
use tradepost_ports::changes::{Caller, Changes};

use crate::mails::Notice;
use crate::{OpResult, Operations};

/// The invitation to decline.
#[derive(Debug, Clone, Copy)]
pub struct DeclineMembership {
    /// The membership.
    pub membership_id: MembershipId,
}

impl Operations {
    /// Declines a pending invitation of the caller's verified address permanently; owner and admins are notified.
    ///
    /// # Errors
    /// `not_found` for an unknown membership and for another user's alike; `failed_precondition` with `MEMBERSHIP_NOT_PENDING`;
    /// `permission_denied` for a key without `identity`.
    pub async fn decline_membership(&self, caller: &Caller, command: DeclineMembership) -> OpResult<Membership> {
        let user_id = caller.principal.act_as_user()?;
        self.retrying(|| async {
            let mut changes = Changes::by(caller);
            let invitation = find_own(self, &mut changes, user_id, command.membership_id).await?;
            let declined = step_membership(self, caller, &mut changes, invitation, Event::Decline)?.value;
            let workspace = workspace_name(self, declined.workspace_id).await?;
            let concerned = addresses_of_managers(self, declined.workspace_id).await?;
            let invitee = declined.invitee.as_ref().map(ToString::to_string).unwrap_or_default();
            self.send_notice(&mut changes, &concerned, &Notice::invitation_declined(&workspace, &invitee));
            self.commit(caller, changes).await?;
            Ok(declined)
        })
        .await
    }
}
