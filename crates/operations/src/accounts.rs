//! accounts.v1.Accounts: users, memberships, keys and second factors.
//!
//! Also the commands by which the process itself makes users, workspaces and keys: the command line on the server and
//! embedders call them; no request reaches them.

mod accept_membership;
mod add_email_credential;
mod api_keys;
mod begin_passkey_registration;
mod begin_step_up;
mod begin_totp_enrollment;
mod bootstrap;
mod change_email;
mod change_password;
mod complete_step_up;
mod confirm_totp_enrollment;
mod count_memberships;
mod create_api_key;
mod email_links;
mod finish_passkey_registration;
mod found_workspace;
mod get_current_user;
mod get_effective_permissions;
mod get_workspace;
mod invite_member;
mod issue_api_key;
mod list_policies;
mod memberships;
mod new_password;
mod register_user;
mod revoke_api_key;

pub use accept_membership::AcceptMembership;
pub use add_email_credential::AddEmailCredential;
pub use api_keys::{GetApiKey, KeyWithUse};
pub use begin_passkey_registration::BeginPasskeyRegistration;
pub use begin_step_up::StepUpAsked;
pub use begin_totp_enrollment::TotpOffered;
pub use bootstrap::{Bootstrap, Bootstrapped};
pub use change_email::ChangeEmail;
pub use change_password::ChangePassword;
pub use complete_step_up::CompleteStepUp;
pub use confirm_totp_enrollment::ConfirmTotpEnrollment;
pub use count_memberships::CountMemberships;
pub use create_api_key::{CreateApiKey, CreatedKey};
pub use email_links::FollowEmailLink;
pub use finish_passkey_registration::FinishPasskeyRegistration;
pub use found_workspace::{FoundWorkspace, FoundedWorkspace};
pub use get_current_user::CurrentUser;
pub use get_effective_permissions::{EffectivePermissions, GetEffectivePermissions};
pub use get_workspace::GetWorkspace;
pub use invite_member::InviteMember;
pub use issue_api_key::IssueApiKey;
pub use list_policies::PolicyEntry;
pub use memberships::{GetMembership, GetMemberships, ListMemberships};
pub use register_user::RegisterUser;
pub use revoke_api_key::RevokeApiKey;
