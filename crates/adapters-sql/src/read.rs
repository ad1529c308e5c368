//! The reads of the port: one statement each.

mod second_factors;
mod trading;
mod users;
mod workspaces;
