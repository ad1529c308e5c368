//! Reads of storage: users, workspaces, their members, keys and sessions.

pub(super) mod account_links;
pub(super) mod audit;
pub(super) mod executions;
pub(super) mod outbox;
pub(super) mod second_factors;
pub(super) mod sessions;
pub(super) mod usage;
pub(super) mod users;
pub(super) mod workspace_keys;
pub(super) mod workspaces;
