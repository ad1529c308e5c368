//! `DeclineMembership`: the invited person says no.

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
            let invitation = self.find_own(&mut changes, user_id, command.membership_id).await?;
            let declined = self.step_membership(caller, &mut changes, invitation, Event::Decline)?.value;
            let workspace = self.workspace_name(declined.workspace_id).await?;
            let concerned = self.addresses_of_managers(declined.workspace_id).await?;
            let invitee = declined.invitee.as_ref().map(ToString::to_string).unwrap_or_default();
            self.send_notice(&mut changes, &concerned, &Notice::invitation_declined(&workspace, &invitee));
            self.commit(caller, changes).await?;
            Ok(declined)
        })
        .await
    }
}
