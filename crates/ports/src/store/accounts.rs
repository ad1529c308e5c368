//! Reads of storage: users, workspaces, their members, keys and sessions.

pub(super) mod account_links;
pub(super) mod api_keys;
pub(super) mod audit;
pub(super) mod email_links;
pub(super) mod executions;
pub(super) mod memberships;
pub(super) mod outbox;
pub(super) mod passkeys;
pub(super) mod second_factors;
pub(super) mod sessions;
pub(super) mod sign_ins;
pub(super) mod step_ups;
pub(super) mod usage;
pub(super) mod users;
pub(super) mod workspace_keys;
pub(super) mod workspace_secrets;
pub(super) mod workspaces;
