//! Reads of users, workspaces, their keys and sessions, and the audit log.

mod account_links;
mod api_keys;
mod audit;
mod email_links;
mod memberships;
mod outbox;
mod passkeys;
mod second_factors;
mod sessions;
mod sign_ins;
mod step_ups;
mod users;
mod workspace_keys;
mod workspace_secrets;
mod workspaces;
