//! Records of the in-memory store: users, workspaces, their members, keys and sessions.

mod account_links;
mod api_keys;
mod audit;
mod email_links;
mod executions;
mod memberships;
mod outbox;
mod passkeys;
mod second_factors;
mod sessions;
mod sign_ins;
mod step_ups;
mod usage;
mod users;
mod workspace_keys;
mod workspace_secrets;
mod workspaces;
