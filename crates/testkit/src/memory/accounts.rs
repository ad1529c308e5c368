//! Records of the in-memory store: users, workspaces, their members, keys and sessions.

mod account_links;
mod audit;
mod executions;
mod outbox;
mod sessions;
mod usage;
mod users;
mod workspace_keys;
mod workspaces;
