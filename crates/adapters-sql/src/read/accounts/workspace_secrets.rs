//! Reads of the secrets of workspaces.

use std::sync::LazyLock;

use async_trait::async_trait;
use sea_orm::QueryResult;
use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::accounts::workspace_key::{SecretPlace, WorkspaceKey, WorkspaceSecret};
use tradepost_domain::id::{Id, SecretId};
use tradepost_ports::changes::Seen;
use tradepost_ports::store::{SealedSecret, SecretColumn, StoreError, StoreResult, WorkspaceSecrets};
use uuid::Uuid;

use crate::rows::accounts::{workspace_key, workspace_secret};
use crate::rows::{cell, decode, uuid};
use crate::sql_text::{listed, listed_postgres, listed_sqlite};
use crate::store::SqlStore;
use crate::table::select_list;

static BY_PLACE: LazyLock<String> = LazyLock::new(|| {
    format!(
        "SELECT {}, {} FROM workspace_secrets s JOIN workspace_keys k ON k.workspace_id = s.workspace_id \
         AND k.number = s.key_number WHERE s.workspace_id = $1 AND s.of_table = $2 AND s.of_column = $3 AND s.of_row = $4",
        select_list::<workspace_secret::Entity>("s.", "s_"),
        select_list::<workspace_key::Entity>("k.", "k_"),
    )
});

/// The same of several rows, of which `{rows}` gives the ids.
static OF_ROWS: LazyLock<String> = LazyLock::new(|| BY_PLACE.replace("s.of_row = $4", "s.of_row IN ({rows})"));

static UNDER: LazyLock<String> = LazyLock::new(|| {
    let columns = select_list::<workspace_secret::Entity>("", "");
    format!(
        "SELECT {columns} FROM workspace_secrets WHERE workspace_id = $1 AND key_number = $2 AND id > $3 \
         ORDER BY id LIMIT $4"
    )
});

const BY_KEY: &str = "SELECT key_number, count(*) FROM workspace_secrets WHERE workspace_id = $1 GROUP BY key_number";

fn sealed(row: &QueryResult) -> StoreResult<SealedSecret> {
    let key: Seen<WorkspaceKey> = decode(row, "k_")?;
    Ok(SealedSecret { secret: decode(row, "s_")?, key: key.into_display().0 })
}

#[async_trait]
impl WorkspaceSecrets for SqlStore {
    async fn count_by_key(&self, scope: WorkspaceScope) -> StoreResult<Vec<(u32, u64)>> {
        let rows = self.rows(BY_KEY, vec![uuid(scope.workspace_id()).into()]).await?;
        let broken = |_| StoreError::Corrupt("workspace_secrets.key_number is out of range".to_owned());
        let pair = |row| -> StoreResult<(u32, u64)> {
            let (number, count): (i64, i64) = (cell(row, 0)?, cell(row, 1)?);
            Ok((u32::try_from(number).map_err(broken)?, u64::try_from(count).map_err(broken)?))
        };
        rows.iter().map(pair).collect()
    }
    async fn find(&self, scope: WorkspaceScope, place: &SecretPlace) -> StoreResult<Option<SealedSecret>> {
        let SecretPlace { table, column, row } = place;
        let (workspace, row) = (uuid(scope.workspace_id()), Uuid::from_bytes(*row));
        let place = vec![workspace.into(), table.as_str().into(), column.as_str().into(), row.into()];
        self.row(&BY_PLACE, place).await?.map(|row| sealed(&row)).transpose()
    }
    async fn find_rows(
        &self,
        scope: WorkspaceScope,
        column: SecretColumn<'_>,
        rows: &[[u8; 16]],
    ) -> StoreResult<Vec<SealedSecret>> {
        let among = if self.is_sqlite() { listed_sqlite(4) } else { listed_postgres(4) };
        let rows = listed(rows.iter().map(|row| Id::<()>::from_bytes(*row)));
        let values = vec![uuid(scope.workspace_id()).into(), column.table.into(), column.column.into(), rows];
        self.readable_rows(&OF_ROWS.replace("{rows}", &among), values, sealed).await
    }
    async fn list_under(
        &self,
        scope: WorkspaceScope,
        key_number: u32,
        after: Option<SecretId>,
        most: u32,
    ) -> StoreResult<Vec<Seen<WorkspaceSecret>>> {
        let workspace = uuid(scope.workspace_id());
        let after = after.map_or(Uuid::nil(), uuid);
        let values = vec![workspace.into(), i64::from(key_number).into(), after.into(), i64::from(most).into()];
        self.all(&UNDER, values).await
    }
}
