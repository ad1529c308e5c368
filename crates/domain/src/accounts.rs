//! Users and their rights: users, credentials, sessions, workspaces, memberships, keys and the audit log.

pub mod access;
pub mod account_link;
pub mod api_key;
pub mod audit;
pub mod authenticator;
pub mod email;
pub mod email_link;
pub mod guesses;
pub mod mail;
pub mod membership;
pub mod passkey;
pub mod password;
pub mod policy;
pub mod preferences;
pub mod principal_id;
pub mod session;
pub mod sign_in;
pub mod step_up;
pub mod totp;
pub mod usage;
pub mod user;
pub mod workspace;
pub mod workspace_key;
