//! The contract of storage on SQLite.

use crate::support::sqlite;

tradepost_ports::store_contract!(sqlite().await);
