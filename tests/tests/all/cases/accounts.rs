//! The cases of users, workspaces, members, keys and sessions.

pub(super) mod account_links;
pub(super) mod audit;
pub(super) mod credentials;
pub(super) mod keys;
pub(super) mod members;
pub(super) mod overview;
pub(super) mod sessions;
pub(super) mod usage;
pub(super) mod users;
pub(super) mod workspace_keys;
pub(super) mod workspaces;
