//! The promises of storage about its records: users, workspaces, their members, keys and sessions.

pub mod account_links;
pub mod api_keys;
pub mod audit;
pub mod executions;
pub mod memberships;
pub mod outbox;
pub mod second_factors;
pub mod sessions;
pub mod usage;
pub mod users;
pub mod workspace_keys;
