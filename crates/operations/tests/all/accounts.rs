//! accounts.v1.Accounts, operation by operation.

mod account_links;
mod api_keys;
mod changing_keys;
mod credentials;
mod deleting_users;
mod deleting_workspaces;
mod governing;
mod invitations;
mod key_laws;
mod memberships;
mod ownership;
mod passkey_sign_in;
mod passkeys;
mod password_reset;
mod recovery_codes;
mod rescue;
mod sessions;
mod sign_in;
mod sign_up;
mod step_up;
mod step_up_by_passkey;
mod sweeping;
mod totp;
mod usage;
mod users;
mod workspaces;
