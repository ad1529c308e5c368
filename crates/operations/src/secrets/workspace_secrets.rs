//! Secrets of a workspace's records: keeping, reading and removing them. Commands of the library: no request reaches them, and
//! no answer of the interface holds a secret.

use crate::secrets::data_keys::active_key;
use crate::secrets::data_keys::new_key;
use crate::secrets::data_keys::open_key;
use crate::secrets::data_keys::open_sealed;
use crate::secrets::data_keys::seal_under;
use secrecy::{ExposeSecret as _, SecretSlice};
use tradepost_domain::accounts::access::{Denied, Principal, WorkspaceScope};
use tradepost_domain::accounts::workspace_key::{SecretPlace, WorkspaceSecret};
use tradepost_domain::id::WorkspaceId;
use tradepost_ports::changes::{Caller, Changes};

use crate::secrets::data_keys::{FIRST, lost_race};
use crate::{OpError, OpResult, Operations};

/// A secret to be kept, such as the password of a trading account.
#[derive(Debug)]
pub struct KeepWorkspaceSecret {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The one field of one record whose secret it is. The sealed secret opens nowhere else.
    pub place: SecretPlace,
    /// The secret.
    pub secret: SecretSlice<u8>,
}

/// The secret to find, by its owner.
#[derive(Debug)]
pub struct FindWorkspaceSecret {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The one field of one record.
    pub place: SecretPlace,
}

impl Operations {
    /// Keeps a secret of a record, sealed under the workspace's active key, in place of the one before. The first secret of
    /// a workspace makes its first key.
    ///
    /// # Errors
    /// `permission_denied` unless the process itself calls; `not_found` without such a workspace; `internal` with
    /// `KEY_ENCRYPTION_UNAVAILABLE`, and nothing is kept; `failed_precondition` with `CONFLICT` when others kept changing the
    /// same secret.
    pub async fn keep_workspace_secret(&self, caller: &Caller, command: &KeepWorkspaceSecret) -> OpResult<()> {
        let scope = system_scope(caller, command.workspace_id)?;
        self.retrying(|| async {
            let mut changes = Changes::by(caller);
            // Relied on, so that nothing is stored for a workspace that is removed in between.
            let workspace = self.ports.store.workspaces().find(scope).await?;
            changes.rely_on(workspace.ok_or_else(|| OpError::not_found("workspace"))?);
            seal_secret(self, scope, &command.place, command.secret.expose_secret(), &mut changes).await?;
            self.commit(caller, changes).await.map(drop).map_err(lost_race)
        })
        .await
    }

    /// Reads a secret of a record; `None` where none was kept.
    ///
    /// # Errors
    /// `permission_denied` unless the process itself calls; `internal` with `KEY_ENCRYPTION_UNAVAILABLE`, or `INTERNAL` for
    /// one that does not open: it was changed or moved in the database.
    pub async fn read_workspace_secret(
        &self,
        caller: &Caller,
        command: &FindWorkspaceSecret,
    ) -> OpResult<Option<SecretSlice<u8>>> {
        let scope = system_scope(caller, command.workspace_id)?;
        let Some(found) = self.ports.store.workspace_secrets().find(scope, &command.place).await? else {
            return Ok(None);
        };
        let opened = open_key(self, &found.key).await?;
        open_sealed(self, &opened, &found.secret.into_display().0).map(Some)
    }

    /// Removes a secret of a record; `false` where none was kept.
    ///
    /// # Errors
    /// `permission_denied` unless the process itself calls; `failed_precondition` with `CONFLICT` when others kept changing
    /// the same secret.
    pub async fn remove_workspace_secret(&self, caller: &Caller, command: &FindWorkspaceSecret) -> OpResult<bool> {
        let scope = system_scope(caller, command.workspace_id)?;
        self.retrying(|| async {
            let Some(found) = self.ports.store.workspace_secrets().find(scope, &command.place).await? else {
                return Ok(false);
            };
            let mut changes = Changes::by(caller);
            changes.remove(found.secret);
            self.commit(caller, changes).await.map(|_| true)
        })
        .await
    }
}

/// Adds a secret to the changes that bring its record, sealed; whichever was there is replaced.
pub(crate) async fn seal_secret(
    operations: &Operations,
    scope: WorkspaceScope,
    place: &SecretPlace,
    plain: &[u8],
    changes: &mut Changes,
) -> OpResult<()> {
    let at = operations.now();
    let key = if let Some(active) = active_key(operations, scope, changes).await? {
        active
    } else {
        let first = new_key(operations, scope.workspace_id(), FIRST, at).await?;
        changes.insert(first.clone());
        first
    };
    let opened = open_key(operations, &key).await?;
    let sealed = seal_under(operations, &key, &opened, place, plain);
    let (workspace_id, key_number) = (key.workspace_id, key.number);
    if let Some(found) = operations.ports.store.workspace_secrets().find(scope, place).await? {
        changes.revise(found.secret, |secret| {
            Ok::<_, OpError>(WorkspaceSecret { key_number, sealed, updated_at: at, ..secret })
        })?;
    } else {
        let place = place.clone();
        changes.insert(WorkspaceSecret {
            id: operations.mint(),
            workspace_id,
            place,
            key_number,
            sealed,
            updated_at: at,
        });
    }
    Ok(())
}

/// Removes a secret, in the changes that end its record or its use. A secret that is not kept changes nothing.
pub(crate) async fn drop_secret(
    operations: &Operations,
    scope: WorkspaceScope,
    place: &SecretPlace,
    changes: &mut Changes,
) -> OpResult<()> {
    if let Some(found) = operations.ports.store.workspace_secrets().find(scope, place).await? {
        changes.remove(found.secret);
    }
    Ok(())
}

fn system_scope(caller: &Caller, workspace_id: WorkspaceId) -> OpResult<WorkspaceScope> {
    if caller.principal != Principal::System {
        return Err(Denied.into());
    }
    Ok(caller.principal.enter_as_member(workspace_id)?)
}
