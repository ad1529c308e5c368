//! What belongs to the installation as a whole: the mark of its root secret, which workspaces and data keys there are.
//! For those who
//! run it; no call of a client ends here.

use sea_orm::{ConnectionTrait as _, Statement, Value};
use tradepost_domain::id::{UserId, WorkspaceId, WorkspaceKeyId};
use tradepost_domain::time::Timestamp;
use tradepost_domain::user::User;
use tradepost_domain::workspace::Workspace;
use tradepost_domain::workspace_key::WorkspaceKey;
use tradepost_ports::store::{StoreError, StoreResult};

use crate::classify::{During, classify};
use crate::store::{SqlStore, cell};

const FIND_CANARY: &str = "SELECT value FROM installation WHERE name = 'root_secret'";
const KEEP_CANARY: &str =
    "INSERT INTO installation (name, value) VALUES ('root_secret', $1) ON CONFLICT (name) DO NOTHING";
const WORKSPACES: &str = "SELECT * FROM workspaces WHERE id > $1 ORDER BY id LIMIT $2";
const USERS: &str = "SELECT * FROM users WHERE id > $1 ORDER BY id LIMIT $2";
const DATA_KEYS: &str = "SELECT * FROM workspace_keys WHERE status < 3 AND id > $1 ORDER BY id LIMIT $2";
const LATEST_CHANGE: &str = "SELECT max(at) FROM transitions";

impl SqlStore {
    /// Keeps the mark of the root secret if there is none yet. Whether it is the one that is kept.
    ///
    /// # Errors
    /// [`StoreError`] when the database fails.
    pub async fn keep_canary(&self, canary: [u8; 16]) -> StoreResult<bool> {
        if let Some(kept) = self.canary().await? {
            return Ok(kept == canary);
        }
        let backend = self.reads().get_database_backend();
        let keep = Statement::from_sql_and_values(backend, KEEP_CANARY, [canary.to_vec().into()]);
        self.writes().execute_raw(keep).await.map_err(|error| classify(&error, During::Statement))?;
        // Another process may have been first.
        Ok(self.canary().await?.is_some_and(|kept| kept == canary))
    }

    /// The mark of the root secret that the database was first used with.
    ///
    /// # Errors
    /// [`StoreError`] when the database fails.
    pub async fn canary(&self) -> StoreResult<Option<Vec<u8>>> {
        let row = self.row(FIND_CANARY, Vec::new()).await?;
        row.map(|row| cell(&row, 0)).transpose()
    }

    /// The workspaces made after this one, the oldest first.
    ///
    /// # Errors
    /// [`StoreError`] when the database fails.
    pub async fn list_workspaces(&self, after: Option<WorkspaceId>, limit: u32) -> StoreResult<Vec<Workspace>> {
        let after = uuid::Uuid::from_bytes(after.map_or([0; 16], WorkspaceId::to_bytes));
        let values: Vec<Value> = vec![after.into(), i64::from(limit).into()];
        let found = self.all::<Workspace>(WORKSPACES, values).await?;
        Ok(found.into_iter().map(|seen| seen.only_to_show().0).collect())
    }

    /// The users made after this one, the oldest first; those who were deleted are among them.
    ///
    /// # Errors
    /// [`StoreError`] when the database fails.
    pub async fn list_users(&self, after: Option<UserId>, limit: u32) -> StoreResult<Vec<User>> {
        let after = uuid::Uuid::from_bytes(after.map_or([0; 16], UserId::to_bytes));
        let values: Vec<Value> = vec![after.into(), i64::from(limit).into()];
        let found = self.all::<User>(USERS, values).await?;
        Ok(found.into_iter().map(|seen| seen.only_to_show().0).collect())
    }

    /// The data keys made after this one that are not destroyed, the oldest first: those of workspaces, and the installation's
    /// own.
    ///
    /// # Errors
    /// [`StoreError`] when the database fails.
    pub async fn list_data_keys(&self, after: Option<WorkspaceKeyId>, limit: u32) -> StoreResult<Vec<WorkspaceKey>> {
        let after = uuid::Uuid::from_bytes(after.map_or([0; 16], WorkspaceKeyId::to_bytes));
        let values: Vec<Value> = vec![after.into(), i64::from(limit).into()];
        let found = self.all::<WorkspaceKey>(DATA_KEYS, values).await?;
        Ok(found.into_iter().map(|seen| seen.only_to_show().0).collect())
    }

    /// When a status last changed.
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
