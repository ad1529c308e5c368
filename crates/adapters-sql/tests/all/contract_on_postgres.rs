//! The contract of storage on PostgreSQL.

use crate::support::postgres;

tradepost_ports::store_contract!(postgres().await);
