//! Storage of tradepost on SQLite and PostgreSQL, through SeaORM.
//!
//! [`SqlStore`] implements the port [`tradepost_ports::store::Store`]. Reads are one statement each. A commit is one
//! statement on PostgreSQL; on SQLite one writer gathers commits and flushes them together. Nothing outside this crate sees
//! SQL, rows or connections.
#![deny(missing_docs)]

mod backup;
mod classify;
mod clearing;
mod exposures;
mod installation;
mod known_names;
mod ledger_sums;
mod left_out;
mod many;
mod markets;
mod migrate;
mod open;
mod postgres;
mod read;
mod root_secrets;
mod rows;
mod serve_lock;
mod settings;
mod sqlite;
mod store;
mod table;
mod touch;
mod usage;
mod verify;

pub use backup::{BackupError, BackupProgress};
pub use clearing::Backlog;
pub use migrate::{MigrateError, Migrated};
pub use postgres::RightsNews;
pub use root_secrets::FormerRoot;
pub use serve_lock::{ServeLock, ServeLockError};
pub use settings::{DatabaseSettings, Durability, PostgresSettings, SqliteSettings};
pub use store::{Observer, SqlStore};
pub use verify::{
    AuditFault, AuditReport, BookError, BookReport, ChainReport, ContractDrift, ContractReport, CounterDrift, DriftOf,
    PurchaseDrift, PurchaseFault, PurchaseReport, RecordReport, RightsFault, RightsReport, SumDrift,
};
