//! Tests of the SQL store. What every store promises is in the contract suite of the ports; here it runs on both databases,
//! and beside it stands what only a database can break.

mod contract_on_postgres;
mod contract_on_sqlite;
mod support;
