//! The installation as a whole: its workspaces and users, the time of the latest change, and its root secrets. It is for operators;
//! no call of a client ends here.

mod census;
mod root_secrets;

use std::time::Duration;

use sea_orm::Value;
use sqlx::Connection as _;
use tradepost_domain::accounts::user::User;
use tradepost_domain::accounts::workspace::Workspace;
use tradepost_domain::id::{UserId, WorkspaceId};
use tradepost_domain::time::Timestamp;
use tradepost_ports::store::{StoreError, StoreResult};

use crate::rows::cell;
use crate::settings::DatabaseSettings;
use crate::store::SqlStore;

pub use census::{Census, PoolState, QueueState};
pub use root_secrets::FormerRoot;

const WORKSPACES: &str = "SELECT * FROM workspaces WHERE id > $1 ORDER BY id LIMIT $2";
const USERS: &str = "SELECT * FROM users WHERE id > $1 ORDER BY id LIMIT $2";
/// The latest of the transitions that were placed last. There may be too many to read all.
const LATEST_CHANGE: &str = "SELECT max(t.at) FROM (SELECT workspace_id, subject_kind, transition_id FROM transition_places \
    ORDER BY position DESC LIMIT 1000) p CROSS JOIN transitions t WHERE t.workspace_id = p.workspace_id \
    AND t.subject_kind = p.subject_kind AND t.id = p.transition_id";
const CLOCK_SQLITE: &str = "SELECT CAST(unixepoch('subsec') * 1000000 AS INTEGER)";
const CLOCK_POSTGRES: &str = "SELECT (extract(epoch FROM clock_timestamp()) * 1000000)::bigint";

impl SqlStore {
    /// The workspaces made after this one, the oldest first.
    ///
    /// # Errors
    /// [`StoreError`] when the database fails.
    pub async fn list_workspaces(&self, after: Option<WorkspaceId>, limit: u32) -> StoreResult<Vec<Workspace>> {
        let after = uuid::Uuid::from_bytes(after.map_or([0; 16], WorkspaceId::to_bytes));
        let values: Vec<Value> = vec![after.into(), i64::from(limit).into()];
        let found = self.all::<Workspace>(WORKSPACES, values).await?;
        Ok(found.into_iter().map(|seen| seen.into_display().0).collect())
    }

    /// The users made after this one, the oldest first; those who were deleted are among them.
    ///
    /// # Errors
    /// [`StoreError`] when the database fails.
    pub async fn list_users(&self, after: Option<UserId>, limit: u32) -> StoreResult<Vec<User>> {
        let after = uuid::Uuid::from_bytes(after.map_or([0; 16], UserId::to_bytes));
        let values: Vec<Value> = vec![after.into(), i64::from(limit).into()];
        let found = self.all::<User>(USERS, values).await?;
        Ok(found.into_iter().map(|seen| seen.into_display().0).collect())
    }

    /// What the clock of the database says: PostgreSQL's may be another machine's.
    ///
    /// # Errors
    /// [`StoreError`] when the database fails.
    pub async fn clock(&self) -> StoreResult<Timestamp> {
        let micros = self.number(self.pick(CLOCK_SQLITE, CLOCK_POSTGRES), Vec::new()).await?;
        Timestamp::from_micros(micros)
            .map_err(|error| StoreError::Corrupt(format!("the clock of the database: {error}")))
    }

    /// The latest time in the column `at` of a SQLite table; nothing where there is no such table, as in an old schema. It reads
    /// the whole table or an index of it.
    pub(crate) async fn latest_in(&self, table: &'static str) -> StoreResult<Option<Timestamp>> {
        let there = "SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name = $1";
        if self.number(there, vec![table.into()]).await? == 0 {
            return Ok(None);
        }
        let row = self.row(&format!("SELECT max(at) FROM {table}"), Vec::new()).await?;
        let micros: Option<i64> = row.map(|row| cell(&row, 0)).transpose()?.flatten();
        let read = |micros| {
            Timestamp::from_micros(micros).map_err(|error| StoreError::Corrupt(format!("{table}.at: {error}")))
        };
        micros.map(read).transpose()
    }

    /// Connects to the address for sessions, and ends that connection; nothing where the database has no such address.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`] when no server answers there.
    pub async fn check_sessions(&self) -> StoreResult<()> {
        let DatabaseSettings::Postgres(settings) = &self.settings else { return Ok(()) };
        let found = settings.of_sessions().address()?.find().await?;
        found.connection.close().await.map_err(|error| StoreError::Unavailable(error.to_string()))
    }

    /// Waits until something is known of the standby from which lists and reports are read. By how much it is behind; nothing without one.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`] with the reason for which nothing is read from it.
    pub async fn check_standby(&self) -> StoreResult<Option<Duration>> {
        match self.standby() {
            Some(standby) => standby.check().await.map(Some),
            None => Ok(None),
        }
    }

    /// The age of the newest state that this standby is known to have had; nothing without one.
    pub fn standby_lag(&self) -> Option<Duration> {
        self.standby().map(|standby| standby.lag())
    }

    /// When a status last changed, of those that changed last.
    ///
    /// # Errors
    /// [`StoreError`] when the database fails.
    pub async fn latest_change(&self) -> StoreResult<Option<Timestamp>> {
        let row = self.row(LATEST_CHANGE, Vec::new()).await?;
        let micros: Option<i64> = row.map(|row| cell(&row, 0)).transpose()?.flatten();
        let read = |micros| {
            Timestamp::from_micros(micros).map_err(|error| StoreError::Corrupt(format!("transitions.at: {error}")))
        };
        micros.map(read).transpose()
    }
}
