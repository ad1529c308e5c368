//! Rows of users, workspaces, their keys and sessions, and the audit log.

pub(crate) mod account_link;
pub(crate) mod api_key;
pub(crate) mod audit_event;
pub(crate) mod audit_head;
pub(crate) mod audit_link;
pub(crate) mod email_link;
pub(crate) mod linked_identity;
pub(crate) mod membership;
pub(crate) mod outgoing_mail;
pub(crate) mod passkey;
pub(crate) mod passkey_registration;
pub(crate) mod passkey_sign_in;
pub(crate) mod pending_sign_in;
pub(crate) mod session;
pub(crate) mod spent_answer;
pub(crate) mod two_factor;
pub(crate) mod user;
pub(crate) mod workspace;
pub(crate) mod workspace_key;
pub(crate) mod workspace_secret;
