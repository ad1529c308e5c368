//! Storage of tradepost on SQLite and PostgreSQL, through SeaORM.
//!
//! [`SqlStore`] implements the port [`tradepost_ports::store::Store`]. Reads are one statement each. A commit is one
//! statement on PostgreSQL; on SQLite one writer gathers commits and flushes them together. Nothing outside this crate sees
//! SQL, rows or connections.
#![deny(missing_docs)]

mod backup;
mod bulk_insert;
mod classify;
mod clearing;
mod connection_options;
mod exposures;
mod installation;
mod interned_names;
mod last_used;
mod ledger_sums;
mod left_out;
mod markets;
mod migrate;
mod moving;
mod postgres;
mod read;
mod rows;
mod settings;
mod sql_text;
mod sqlite;
mod store;
mod table;
mod usage;
mod verify;

pub use backup::{
    Backup, BackupError, BackupFolder, BackupProgress, Restore, RestoreError, RestoreStep, Restored, ScheduledBackup,
};
pub use clearing::Backlog;
pub use installation::{Census, FormerRoot, PoolState, QueueState};
pub use migrate::{MigrateError, Migrated};
pub use moving::{Move, MoveError, MoveProgress, Moved, moved_away};
pub use postgres::RightsNews;
pub use settings::{DatabaseSettings, Durability, Pooler, PostgresSettings, SqliteSettings};
pub use sqlite::{ServeLock, ServeLockError};
pub use store::{Observer, SqlStore};
pub use verify::{
    AuditFault, AuditReport, BookError, BookReport, ChainReport, ContractDrift, ContractReport, CounterDrift, DriftOf,
    MAX_REPORTED, PurchaseDrift, PurchaseFault, PurchaseReport, RecordReport, RightsFault, RightsReport, SumDrift,
};
