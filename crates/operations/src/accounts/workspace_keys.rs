//! `ListWorkspaceKeys`, `RotateWorkspaceKey` and `DestroyWorkspaceKey`: the keys under which a workspace's secrets are stored.

use crate::secrets::data_keys::new_key;
use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::accounts::audit::AuditKind;
use tradepost_domain::accounts::workspace_key::{DestroyError, KeyStatus, WorkspaceKey};
use tradepost_domain::id::{WorkspaceId, WorkspaceKeyId};
use tradepost_ports::changes::{Caller, Changes};
use tradepost_ports::held::Effect;

use crate::rules;
use crate::secrets::data_keys::{lost_race, next_number};
use crate::{OpError, OpResult, Operations, Reason};

/// The workspace.
#[derive(Debug, Clone, Copy)]
pub struct RotateWorkspaceKey {
    /// The workspace.
    pub workspace_id: WorkspaceId,
}

/// The key to destroy.
#[derive(Debug, Clone, Copy)]
pub struct DestroyWorkspaceKey {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The key.
    pub workspace_key_id: WorkspaceKeyId,
}

/// A key with what is still sealed under it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeyWithRecords {
    /// The key.
    pub key: WorkspaceKey,
    /// The number of secrets that are sealed under it.
    pub records: u64,
}

impl Operations {
    /// Lists the keys of a workspace, the newest first. It has none before its first secret.
    ///
    /// # Errors
    /// `permission_denied` without the policy `workspace`.
    pub async fn list_workspace_keys(
        &self,
        caller: &Caller,
        workspace_id: WorkspaceId,
    ) -> OpResult<Vec<KeyWithRecords>> {
        let scope = rules::LIST_WORKSPACE_KEYS.enter(&caller.principal, workspace_id)?;
        let keys = self.ports.store.workspace_keys().list(scope).await?;
        let counts = self.ports.store.workspace_secrets().count_by_key(scope).await?;
        let shown = keys.into_iter().rev().map(|key| {
            let (key, _) = key.into_display();
            KeyWithRecords { records: records_under(&counts, key.number), key }
        });
        Ok(shown.collect())
    }

    /// Creates a new key. The previous one still opens what it sealed, until resealing is complete.
    ///
    /// Resealing begins at once and runs separately from the calls.
    ///
    /// # Errors
    /// `failed_precondition` with `STEP_UP_REQUIRED`; `permission_denied` without the policy `workspace`; `internal` with
    /// `KEY_ENCRYPTION_UNAVAILABLE`.
    pub async fn rotate_workspace_key(&self, caller: &Caller, command: RotateWorkspaceKey) -> OpResult<KeyWithRecords> {
        let scope = rules::ROTATE_WORKSPACE_KEY.enter(&caller.principal, command.workspace_id)?;
        let at = self.now();
        self.retrying(|| async {
            let mut changes = Changes::by(caller);
            self.require_step_up_in(caller, scope, rules::ROTATE_WORKSPACE_KEY, &mut changes).await?;
            let keys = self.ports.store.workspace_keys().list(scope).await?;
            let number = next_number(&keys);
            if let Some(active) = keys.into_iter().find(|key| key.peek().status() == KeyStatus::Active) {
                changes.revise(active, |key| key.retire(at)).map_err(|error| OpError::internal(error.to_string()))?;
            }
            let key = new_key(self, command.workspace_id, number, at).await?;
            changes.insert(key.clone());
            changes.audit(AuditKind::WorkspaceKeyRotated, &key);
            self.commit(caller, changes).await.map_err(lost_race)?;
            self.follow_with(caller, Effect::WorkspaceKeyRotated).await;
            Ok(KeyWithRecords { key, records: 0 })
        })
        .await
    }

    /// Destroys a retired key under which nothing is sealed. It cannot be undone.
    ///
    /// # Errors
    /// `failed_precondition` with `STEP_UP_REQUIRED`, `ACTIVE`, `STILL_IN_USE` or `ALREADY_DESTROYED`; `not_found`;
    /// `permission_denied` without the policy `workspace`.
    pub async fn destroy_workspace_key(
        &self,
        caller: &Caller,
        command: DestroyWorkspaceKey,
    ) -> OpResult<KeyWithRecords> {
        let scope = rules::DESTROY_WORKSPACE_KEY.enter(&caller.principal, command.workspace_id)?;
        let at = self.now();
        let destroyed = self
            .retrying(|| async {
                let mut changes = Changes::by(caller);
                self.require_step_up_in(caller, scope, rules::DESTROY_WORKSPACE_KEY, &mut changes).await?;
                let keys = self.ports.store.workspace_keys().list(scope).await?;
                let key = keys.into_iter().find(|key| key.peek().id == command.workspace_key_id);
                let key = key.ok_or_else(|| OpError::not_found("workspace key"))?;
                // Nothing is ever sealed under a retired key, so that the count can only have fallen since.
                let counts = self.ports.store.workspace_secrets().count_by_key(scope).await?;
                let remaining = records_under(&counts, key.peek().number);
                let revised = changes.revise(key, |key| key.destroy(remaining, at)).map_err(refusal)?;
                changes.audit(AuditKind::WorkspaceKeyDestroyed, &revised.value);
                self.commit(caller, changes).await?;
                Ok(revised.value)
            })
            .await?;
        self.follow_with(caller, Effect::WorkspaceKeyDestroyed(destroyed.id)).await;
        Ok(KeyWithRecords { key: destroyed, records: 0 })
    }
}

/// Adds the end of every key of a workspace to the changes: from their commit on nothing that is sealed in it can be opened.
pub(crate) async fn shred_keys(operations: &Operations, scope: WorkspaceScope, changes: &mut Changes) -> OpResult<()> {
    let at = operations.now();
    for key in operations.ports.store.workspace_keys().list(scope).await? {
        operations.opened_keys.forget(key.peek().id);
        changes.revise(key, |key| Ok::<_, OpError>(key.shred(at)))?;
    }
    Ok(())
}

fn records_under(counts: &[(u32, u64)], number: u32) -> u64 {
    counts.iter().filter(|(of, _)| *of == number).map(|(_, count)| *count).sum()
}

fn refusal(error: DestroyError) -> OpError {
    let reason = match error {
        DestroyError::Active => Reason::Active,
        DestroyError::StillInUse(_) => Reason::StillInUse,
        DestroyError::Destroyed => Reason::AlreadyDestroyed,
    };
    OpError::failed_precondition(reason, error.to_string())
}
