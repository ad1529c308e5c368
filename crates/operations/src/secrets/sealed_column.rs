//! A column whose values are secrets that come in numbers, such as the texts of messages: sealed and opened many at a time.

use crate::secrets::data_keys::{FIRST, active_key, new_key, open_key, open_sealed, seal_under};
use secrecy::SecretSlice;
use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::accounts::workspace_key::{SecretPlace, WorkspaceSecret};
use tradepost_domain::text::Name;
use tradepost_ports::changes::Changes;
use tradepost_ports::store::SecretColumn;

use crate::{OpError, OpResult, Operations};

/// A column of a table.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SealedColumn {
    pub(crate) table: &'static str,
    pub(crate) column: &'static str,
}

impl SealedColumn {
    /// Adds the values of new rows to the changes that bring the rows, sealed under the workspace's active key.
    pub(crate) async fn keep(
        self,
        operations: &Operations,
        scope: WorkspaceScope,
        values: &[([u8; 16], &[u8])],
        changes: &mut Changes,
    ) -> OpResult<()> {
        if values.is_empty() {
            return Ok(());
        }
        // The commit relies on the workspace, so that nothing is stored for one that is removed in the meantime.
        let workspace = operations.ports.store.workspaces().find(scope).await?;
        changes.rely_on(workspace.ok_or_else(|| OpError::not_found("workspace"))?);
        let at = operations.now();
        let key = if let Some(active) = active_key(operations, scope, changes).await? {
            active
        } else {
            let first = new_key(operations, scope.workspace_id(), FIRST, at).await?;
            changes.insert(first.clone());
            first
        };
        let opened = open_key(operations, &key).await?;
        for (row, plain) in values {
            let place = self.place(*row)?;
            let sealed = seal_under(operations, &key, &opened, &place, plain);
            let (id, workspace_id, key_number) = (operations.mint(), key.workspace_id, key.number);
            changes.insert(WorkspaceSecret { id, workspace_id, place, key_number, sealed, updated_at: at });
        }
        Ok(())
    }

    /// Returns the values of rows, in no order; rows without one are left out.
    pub(crate) async fn open(
        self,
        operations: &Operations,
        scope: WorkspaceScope,
        rows: &[[u8; 16]],
    ) -> OpResult<Vec<([u8; 16], SecretSlice<u8>)>> {
        if rows.is_empty() {
            return Ok(Vec::new());
        }
        let column = SecretColumn { table: self.table, column: self.column };
        let mut values = Vec::with_capacity(rows.len());
        for found in operations.ports.store.workspace_secrets().find_rows(scope, column, rows).await? {
            let opened = open_key(operations, &found.key).await?;
            let (secret, _) = found.secret.into_display();
            values.push((secret.place.row, open_sealed(operations, &opened, &secret)?));
        }
        Ok(values)
    }

    fn place(self, row: [u8; 16]) -> OpResult<SecretPlace> {
        let name = |name| Name::new(name).map_err(|error| OpError::internal(error.to_string()));
        Ok(SecretPlace { table: name(self.table)?, column: name(self.column)?, row })
    }
}
