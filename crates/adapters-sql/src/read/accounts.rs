//! Reads of users, workspaces, their keys and sessions, and the audit log.

mod account_links;
mod audit;
mod outbox;
mod second_factors;
mod sessions;
mod users;
mod workspace_keys;
mod workspaces;
