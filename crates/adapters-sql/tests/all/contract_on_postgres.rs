//! The contract of storage on PostgreSQL.

use crate::support::postgres;

tradepost_testkit::store_contract!(postgres().await);
