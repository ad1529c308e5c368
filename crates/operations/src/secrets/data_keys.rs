//! Data keys: creating, finding and opening them, and sealing secrets under them. It must not know the reader of a secret.

use std::sync::Arc;

use secrecy::SecretSlice;
use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::accounts::workspace_key::{KeyState, KeyStatus, SecretPlace, WorkspaceKey, WorkspaceSecret};
use tradepost_domain::id::WorkspaceId;
use tradepost_domain::time::Timestamp;
use tradepost_ports::changes::{Changes, Seen};
use tradepost_ports::envelope::{DataKey, KeyEncryptionError};
use tradepost_ports::store::{StoreError, Unique};

use crate::{OpError, OpResult, Operations, Reason};

/// The number of a workspace's first key.
pub(crate) const FIRST: u32 = 1;

/// Returns the workspace's active key, which the changes rely on: nothing is sealed under a key that is retired in between.
pub(crate) async fn active_key(
    operations: &Operations,
    scope: WorkspaceScope,
    changes: &mut Changes,
) -> OpResult<Option<WorkspaceKey>> {
    let keys = operations.ports.store.workspace_keys().list(scope).await?;
    let active = keys.into_iter().find(|key| key.peek().status() == KeyStatus::Active);
    Ok(active.map(|active| changes.rely_on(active)))
}

/// Returns a new active key.
pub(crate) async fn new_key(
    operations: &Operations,
    workspace_id: WorkspaceId,
    number: u32,
    at: Timestamp,
) -> OpResult<WorkspaceKey> {
    let id = operations.mint();
    let key = operations.ports.envelopes.new_key();
    let wrapped = operations.ports.key_encryption.wrap(id, &key).await.map_err(|error| unavailable(&error))?;
    Ok(WorkspaceKey { id, workspace_id, number, state: KeyState::Active { wrapped }, created_at: at })
}

/// Opens the key.
pub(crate) async fn open_key(operations: &Operations, key: &WorkspaceKey) -> OpResult<Arc<DataKey>> {
    if let Some(known) = operations.opened_keys.recall(key.id) {
        return Ok(known);
    }
    let wrapped = key.wrapped().ok_or_else(|| OpError::internal(format!("key {} is destroyed", key.id)))?;
    let opened = operations.ports.key_encryption.unwrap(key.id, wrapped).await;
    let opened = Arc::new(opened.map_err(|error| unavailable(&error))?);
    operations.opened_keys.remember(key.id, opened.clone());
    Ok(opened)
}

/// Seals a secret of a place under an opened key.
pub(crate) fn seal_under(
    operations: &Operations,
    key: &WorkspaceKey,
    opened: &DataKey,
    place: &SecretPlace,
    plain: &[u8],
) -> Vec<u8> {
    operations.ports.envelopes.seal(opened, key.number, &place.bound_to(key.workspace_id), plain)
}

/// Opens a secret with its key.
pub(crate) fn open_sealed(
    operations: &Operations,
    opened: &DataKey,
    secret: &WorkspaceSecret,
) -> OpResult<SecretSlice<u8>> {
    let WorkspaceSecret { id, workspace_id, place, key_number, sealed, .. } = secret;
    operations.ports.envelopes.open(opened, *key_number, &place.bound_to(*workspace_id), sealed).map_err(|error| {
        let SecretPlace { table, column, .. } = place;
        OpError::internal(format!("secret {id} ({table}.{column}) of workspace {workspace_id}: {error}"))
    })
}

/// Returns the number of the next key.
pub(crate) fn next_number(keys: &[Seen<WorkspaceKey>]) -> u32 {
    keys.iter().map(|key| key.peek().number).max().unwrap_or_default().saturating_add(1)
}

/// Returns a conflict when another call created the key with this number, or stored the first secret of the place, first.
pub(crate) fn lost_race(error: OpError) -> OpError {
    match error.source {
        Some(StoreError::Duplicate(Unique::WorkspaceKey | Unique::SecretPlace)) => StoreError::Conflict.into(),
        Some(_) | None => error,
    }
}

pub(crate) fn unavailable(error: &KeyEncryptionError) -> OpError {
    match error {
        KeyEncryptionError::Unavailable(why) => {
            tracing::error!(why, "the key-encryption key cannot be reached");
            OpError::outage(Reason::KeyEncryptionUnavailable)
        }
        KeyEncryptionError::OtherKey(_) | KeyEncryptionError::DoesNotOpen => OpError::internal(error.to_string()),
    }
}
