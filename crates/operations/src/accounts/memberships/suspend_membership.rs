//! `SuspendMembership` and `ReinstateMembership`: a member loses the rights temporarily and gets them back.
//!
//! The member's keys hold only the rights of the membership, so they have none during the suspension. Suspending requires no second factor
//! because it must be easy in an emergency and removes nothing permanently.

use crate::accounts::memberships::membership_changes::addresses_of_user;
use crate::accounts::memberships::membership_changes::find_governed;
use crate::accounts::memberships::membership_changes::step_membership;
use crate::accounts::memberships::membership_changes::workspace_name;
use crate::accounts::two_factor::strong_factors::require_strong_factor;
use tradepost_domain::accounts::membership::{Event, Membership};
use tradepost_domain::id::{MembershipId, WorkspaceId};
use tradepost_ports::changes::{Caller, Changes};

use crate::in_workspace::InWorkspace;
use crate::mails::Notice;
use crate::rules;
use crate::{OpResult, Operations};

/// The membership to suspend.
#[derive(Debug, Clone, Copy)]
pub struct SuspendMembership {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The membership of a member with rights.
    pub membership_id: MembershipId,
}

/// The membership to reinstate.
#[derive(Debug, Clone, Copy)]
pub struct ReinstateMembership {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The suspended membership.
    pub membership_id: MembershipId,
}

impl Operations {
    /// Suspends the rights of a member and of the member's keys until they are reinstated; the member is notified.
    ///
    /// # Errors
    /// `permission_denied`, with `ROLE_EXCEEDS_CALLER` for an admin unless the owner calls; `not_found`;
    /// `failed_precondition` with `MEMBERSHIP_NOT_ACCEPTED` or `LAST_OWNER`.
    pub async fn suspend_membership(&self, caller: &Caller, command: SuspendMembership) -> OpResult<Membership> {
        let SuspendMembership { workspace_id, membership_id } = command;
        let scope = rules::SUSPEND_MEMBERSHIP.enter(&caller.principal, workspace_id)?;
        self.turn(caller, InWorkspace { scope, id: membership_id }, Event::Suspend, Notice::member_suspended).await
    }

    /// Returns the rights to a suspended member and to the member's keys; the member is notified.
    ///
    /// # Errors
    /// `permission_denied`, with `ROLE_EXCEEDS_CALLER` for an admin unless the owner calls; `not_found`;
    /// `failed_precondition` with `STEP_UP_REQUIRED`, `MEMBERSHIP_NOT_SUSPENDED` or `TWO_FACTOR_REQUIRED`.
    pub async fn reinstate_membership(&self, caller: &Caller, command: ReinstateMembership) -> OpResult<Membership> {
        let ReinstateMembership { workspace_id, membership_id } = command;
        let scope = rules::REINSTATE_MEMBERSHIP.enter(&caller.principal, workspace_id)?;
        self.turn(caller, InWorkspace { scope, id: membership_id }, Event::Reinstate, Notice::member_reinstated).await
    }

    async fn turn(
        &self,
        caller: &Caller,
        member: InWorkspace<MembershipId>,
        event: Event,
        notice: fn(&str) -> Notice,
    ) -> OpResult<Membership> {
        let InWorkspace { scope, id: membership_id } = member;
        let workspace_id = scope.workspace_id();
        self.retrying(|| async {
            let mut changes = Changes::by(caller);
            if event == Event::Reinstate {
                self.require_step_up_in(caller, scope, rules::REINSTATE_MEMBERSHIP, &mut changes).await?;
            }
            let member = find_governed(self, caller, scope, membership_id).await?;
            let turned = step_membership(self, caller, &mut changes, member, event)?.value;
            if let (Event::Reinstate, Some(user_id)) = (event, turned.user_id()) {
                require_strong_factor(self, workspace_id, user_id, &mut changes).await?;
            }
            let workspace = workspace_name(self, workspace_id).await?;
            let concerned = addresses_of_user(self, turned.user_id()).await?;
            self.send_notice(&mut changes, &concerned, &notice(&workspace));
            self.commit(caller, changes).await?;
            Ok(turned)
        })
        .await
    }
}
