//! The one secret of a record that users create, such as a webhook endpoint: kept with the record and removed with it.

use secrecy::{ExposeSecret as _, SecretSlice, SecretString};
use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::accounts::workspace_key::SecretPlace;
use tradepost_domain::id::Id;
use tradepost_domain::text::{Name, Text};
use tradepost_ports::changes::{Caller, Changes};

use crate::secrets::workspace_secrets::{FindWorkspaceSecret, drop_secret, seal_secret};
use crate::{OpError, OpResult, Operations};

/// The characters of a secret that are shown.
const HINT: usize = 4;

/// The secret of a record.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RecordSecret {
    table: &'static str,
    column: &'static str,
    row: [u8; 16],
}

impl RecordSecret {
    /// That of a record in a table.
    pub(crate) const fn of<K>(table: &'static str, column: &'static str, row: Id<K>) -> Self {
        Self { table, column, row: row.to_bytes() }
    }

    fn place(self) -> OpResult<SecretPlace> {
        let name = |name| Name::new(name).map_err(|error| OpError::internal(error.to_string()));
        Ok(SecretPlace { table: name(self.table)?, column: name(self.column)?, row: self.row })
    }

    /// Stores it, in the changes that create or change the record.
    pub(crate) async fn keep(
        self,
        operations: &Operations,
        scope: WorkspaceScope,
        plain: &[u8],
        changes: &mut Changes,
    ) -> OpResult<()> {
        seal_secret(operations, scope, &self.place()?, plain, changes).await
    }

    /// Removes it, in the changes that delete the record.
    pub(crate) async fn remove(
        self,
        operations: &Operations,
        scope: WorkspaceScope,
        changes: &mut Changes,
    ) -> OpResult<()> {
        drop_secret(operations, scope, &self.place()?, changes).await
    }

    /// Returns it; `None` where none is kept.
    pub(crate) async fn read(
        self,
        operations: &Operations,
        scope: WorkspaceScope,
    ) -> OpResult<Option<SecretSlice<u8>>> {
        let wanted = FindWorkspaceSecret { workspace_id: scope.workspace_id(), place: self.place()? };
        operations.read_workspace_secret(&Caller::system(), &wanted).await
    }
}

/// Returns the last characters of a secret, which may be shown.
pub(crate) fn hint(secret: &SecretString) -> OpResult<Text<HINT>> {
    let secret = secret.expose_secret();
    let shown = secret.char_indices().rev().nth(HINT - 1).map_or(secret, |(from, _)| secret.split_at(from).1);
    Text::new(shown).map_err(|error| OpError::internal(error.to_string()))
}
