//! Memberships of workspaces: invitations, roles and policies.

mod accept_membership;
mod decline_membership;
mod get_effective_permissions;
mod get_invitation;
pub(crate) mod invite_member;
mod leave_workspace;
mod list_policies;
pub(crate) mod membership_changes;
mod read;
mod remove_membership;
mod resend_invitation;
mod revoke_invitation;
mod suspend_membership;
pub(crate) mod transfer_workspace_ownership;
mod update_membership;

pub use accept_membership::AcceptMembership;
pub use decline_membership::DeclineMembership;
pub use get_effective_permissions::{EffectivePermissions, GetEffectivePermissions};
pub use get_invitation::{GetInvitation, InvitationShown};
pub use invite_member::InviteMember;
pub use leave_workspace::LeaveWorkspace;
pub use list_policies::PolicyEntry;
pub use read::*;
pub use remove_membership::RemoveMembership;
pub use resend_invitation::ResendInvitation;
pub use revoke_invitation::RevokeInvitation;
pub use suspend_membership::{ReinstateMembership, SuspendMembership};
pub use transfer_workspace_ownership::TransferWorkspaceOwnership;
pub use update_membership::UpdateMembership;
