//! The reads of the port: one statement each.

mod account_links;
mod audit;
mod executions;
mod filter_sets;
mod leftovers;
mod outbox;
mod second_factors;
mod sessions;
mod trading;
mod users;
mod workspace_keys;
mod workspaces;
