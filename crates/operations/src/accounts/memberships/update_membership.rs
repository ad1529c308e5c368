//! `UpdateMembership`: another role or other policies for a member.

use crate::accounts::memberships::membership_changes::addresses_of_user;
use crate::accounts::memberships::membership_changes::find_governed;
use crate::accounts::memberships::membership_changes::log_membership;
use crate::accounts::memberships::membership_changes::workspace_name;
use tradepost_domain::accounts::audit::AuditKind;
use tradepost_domain::accounts::membership::{Membership, Regrant};
use tradepost_domain::accounts::policy::Role;
use tradepost_domain::id::{MembershipId, WorkspaceId};
use tradepost_ports::changes::{Caller, Changes};

use super::membership_changes::{MembershipStep, governor, refusal};
use crate::mails::Notice;
use crate::results::require_version;
use crate::rules;
use crate::{OpError, OpResult, Operations, Versioned, fields};

/// The changes to one membership.
#[derive(Debug, Clone)]
pub struct UpdateMembership {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The membership of a member, suspended or not.
    pub membership_id: MembershipId,
    /// The role from now on; absent to leave it.
    pub role: Option<Role>,
    /// The names of the policies from now on; absent to leave them.
    pub policies: Option<Vec<String>>,
    /// The version that the caller saw, from 1; rejected when the membership has another one.
    pub expected_version: Option<i64>,
}

impl Operations {
    /// Changes role and policies of a member. The new rights bound the member's keys at once; the member is notified.
    ///
    /// # Errors
    /// `permission_denied`, with `ROLE_EXCEEDS_CALLER` or `POLICIES_EXCEED_CALLER` for more than the caller can give;
    /// `not_found`; `failed_precondition` with `STEP_UP_REQUIRED`, `VERSION_MISMATCH`, `MEMBERSHIP_NOT_ACCEPTED` or
    /// `LAST_OWNER`; `invalid_argument` for unknown policies, for the role of the owner, or when nothing is to change.
    pub async fn update_membership(
        &self,
        caller: &Caller,
        command: UpdateMembership,
    ) -> OpResult<Versioned<Membership>> {
        let scope = rules::UPDATE_MEMBERSHIP.enter(&caller.principal, command.workspace_id)?;
        let policies = command.policies.as_deref().map(fields::policies).transpose()?;
        let regrant = Regrant { role: command.role, policies };
        if regrant == Regrant::default() {
            return Err(OpError::invalid_field("role", "or policies is required"));
        }
        fields::expected_version(command.expected_version)?;
        self.retrying(|| async {
            let at = self.now();
            let mut changes = Changes::by(caller);
            self.require_step_up_in(caller, scope, rules::UPDATE_MEMBERSHIP, &mut changes).await?;
            let member = find_governed(self, caller, scope, command.membership_id).await?;
            require_version(&member, command.expected_version)?;
            let from = member.peek().status();
            let governor = governor(&caller.principal, command.workspace_id);
            let decide = |membership: Membership| membership.regrant(regrant, governor, at);
            let revised = changes.revise(member, decide).map_err(refusal)?;
            let step = MembershipStep { revised: &revised, from, trigger: "update" };
            log_membership(self, caller, &mut changes, step);
            changes.audit(AuditKind::MembershipUpdated, &revised.value);
            let workspace = workspace_name(self, command.workspace_id).await?;
            let concerned = addresses_of_user(self, revised.value.user_id()).await?;
            self.send_notice(&mut changes, &concerned, &Notice::rights_changed(&workspace, &revised.value));
            self.commit(caller, changes).await?;
            Ok(revised.into())
        })
        .await
    }
}
