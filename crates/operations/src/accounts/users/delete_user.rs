//! `DeleteUser`: a user deletes their account. The id stays for the records that name it; every other personal detail is deleted.

use crate::accounts::memberships::membership_changes::log_membership;
use crate::accounts::memberships::membership_changes::notify_departure;
use crate::accounts::memberships::membership_changes::revoke_keys_of;
use crate::accounts::users::operator_recovery::end_everything_signed_in;
use crate::accounts::users::operator_recovery::remove_second_factors;
use tradepost_domain::accounts::audit::AuditKind;
use tradepost_domain::accounts::email::EmailAddress;
use tradepost_domain::accounts::email_link::PurposeKind;
use tradepost_domain::accounts::membership::{Event, Membership};
use tradepost_domain::accounts::policy::Role;
use tradepost_domain::id::UserId;
use tradepost_ports::changes::{Caller, Changes, Seen};

use crate::accounts::memberships::membership_changes::MembershipStep;
use crate::alerts::channels::removal::remove_channels_of;
use crate::mails::Notice;
use crate::rules;
use crate::{OpError, OpResult, Operations, Reason};

impl Operations {
    /// Deletes the caller's user: leaves every workspace, revokes the keys there, ends every session, removes every credential
    /// and frees the address, all at once. What is left is an id without a name.
    ///
    /// # Errors
    /// `permission_denied` for every key; `failed_precondition` with `STEP_UP_REQUIRED`, or with `OWNS_WORKSPACE` for the owner
    /// of a workspace that is not deleted.
    pub async fn delete_user(&self, caller: &Caller) -> OpResult<()> {
        let user_id = caller.principal.act_in_person()?;
        self.retrying(|| async {
            let at = self.now();
            let mut changes = Changes::by(caller);
            self.require_step_up(caller, rules::DELETE_USER, &mut changes).await?;
            let user = self.ports.store.users().find(user_id).await?.ok_or_else(|| OpError::not_found("user"))?;
            self.leave_every_workspace(caller, &mut changes, user_id).await?;
            self.remove_credentials(&mut changes, user_id).await?;
            end_everything_signed_in(self, &mut changes, user_id).await?;
            let concerned: Vec<EmailAddress> = user.peek().email.iter().cloned().collect();
            changes.revise(user, |user| Ok::<_, OpError>(user.erased(at)))?;
            changes.audit(AuditKind::UserDeleted, user_id);
            self.send_notice(&mut changes, &concerned, &Notice::user_deleted());
            self.commit(caller, changes).await?;
            Ok(())
        })
        .await
    }

    /// Ends the user's memberships, and forgets the address to which each invitation went.
    ///
    /// Those of the owner of a deleted workspace stay because they end with the workspace. Owner and admins of each workspace are notified.
    async fn leave_every_workspace(&self, caller: &Caller, changes: &mut Changes, user_id: UserId) -> OpResult<()> {
        let memberships = self.ports.store.memberships().list_all_of(user_id).await?;
        let owns = |seen: &Seen<Membership>| {
            let membership = seen.peek();
            membership.role == Role::Owner && !membership.status().is_terminal() && !membership.workspace_deleted
        };
        if memberships.iter().any(owns) {
            let message = "transfer or delete the workspaces that you own first";
            return Err(OpError::failed_precondition(Reason::OwnsWorkspace, message));
        }
        for seen in memberships {
            let from = seen.peek().status();
            let leaves = !from.is_terminal() && seen.peek().role != Role::Owner;
            let at = self.now();
            let end = |membership: Membership| {
                let membership = Membership { invitee: None, ..membership };
                if leaves { membership.apply(Event::Leave, at) } else { Ok(membership) }
            };
            let ended = changes.revise(seen, end).map_err(|error| OpError::internal(error.to_string()))?;
            if leaves {
                let step = MembershipStep { revised: &ended, from, trigger: Event::Leave.as_str() };
                log_membership(self, caller, changes, step);
                changes.audit(AuditKind::MembershipLeft, &ended.value);
                let keys = revoke_keys_of(self, caller, changes, &ended.value).await?;
                remove_channels_of(self, changes, &ended.value).await?;
                notify_departure(self, changes, &ended.value, &keys, Notice::member_left).await?;
            }
        }
        Ok(())
    }

    async fn remove_credentials(&self, changes: &mut Changes, user_id: UserId) -> OpResult<()> {
        let store = &self.ports.store;
        remove_second_factors(self, changes, user_id).await?;
        for identity in store.account_links().list_identities(user_id).await? {
            changes.remove(identity);
        }
        for kind in PurposeKind::ALL {
            store.email_links().find_own(user_id, kind).await?.map(|link| changes.remove(link));
        }
        Ok(())
    }
}
