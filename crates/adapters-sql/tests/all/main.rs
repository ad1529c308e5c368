//! Tests of the SQL store. What every store promises is in the contract suite of the ports; here it runs on both databases.
//! The other tests are of what only a database can break.
#![expect(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a failed expectation ends the test")]

mod append_only;
mod broken;
mod contract_on_postgres;
mod contract_on_sqlite;
mod deep;
mod disk;
mod faults;
mod filters;
mod homes;
mod migrations;
mod model;
mod nodes;
mod observations;
mod operators;
mod plans;
mod postgres_tools;
mod restoring;
mod schema;
mod statements;
mod support;
mod transitions;
