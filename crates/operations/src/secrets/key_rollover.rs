//! Rewriting records that a former root secret or key-encryption key protects, after the start and separately from the calls.
//!
//! Each record is one commit, guarded by its version, and shows whether it is done. A process that ends in the middle leaves nothing to
//! correct, and any number of processes may do this at once.

use crate::audit::chaining::key_source_of;
use crate::audit::chaining::signed;
use tradepost_domain::accounts::audit::AuditHead;
use tradepost_domain::accounts::workspace_key::WorkspaceKey;
use tradepost_ports::changes::{Caller, Changes, Seen};
use tradepost_ports::envelope::KeyEncryptionError;
use tradepost_ports::secrets::AuditKeySource;

use crate::commit::turns::Turns;
use crate::secrets::data_keys::unavailable;
use crate::{OpError, OpResult, Operations};

/// Records that are looked at in one statement.
const AT_ONCE: u32 = 100;

/// The result of a round.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct RolloverProgress {
    /// Records that are under the newest root secret since.
    pub done: u64,
    /// Records that another call changed at the same moment: for another round.
    pub missed: u64,
    /// Data keys that do not open, and stay as they are.
    pub broken: u64,
}

impl Operations {
    /// Seals every data key that is not under the key-encryption key of now under that one.
    ///
    /// # Errors
    /// `internal` when storage or the key-encryption key is out; the first error of a key, after all others had their turn. What was sealed
    /// stays so.
    pub async fn reseal_data_keys(&self) -> OpResult<RolloverProgress> {
        let (mut round, mut after, mut turns) = (RolloverProgress::default(), None, Turns::default());
        loop {
            let keys = self.ports.store.workspace_keys().list_all(after, AT_ONCE).await?;
            let Some(last) = keys.last().map(|key| key.peek().id) else { return turns.end().map(|_| round) };
            after = Some(last);
            for key in keys {
                turns.take(self.reseal_data_key(key, &mut round).await)?;
            }
        }
    }

    async fn reseal_data_key(&self, key: Seen<WorkspaceKey>, round: &mut RolloverProgress) -> OpResult<()> {
        let (id, key_encryption) = (key.peek().id, &self.ports.key_encryption);
        let Some(wrapped) = key.peek().wrapped().filter(|wrapped| !key_encryption.is_current(id, wrapped)) else {
            return Ok(());
        };
        let opened = match key_encryption.unwrap(id, wrapped).await {
            Err(error @ (KeyEncryptionError::OtherKey(_) | KeyEncryptionError::DoesNotOpen)) => {
                let workspace = key.peek().workspace_id;
                tracing::error!(key = %id, %workspace, %error, "a data key opens under no root secret at hand");
                round.broken = round.broken.saturating_add(1);
                return Ok(());
            }
            opened => opened.map_err(|error| unavailable(&error))?,
        };
        let wrapped = key_encryption.wrap(id, &opened).await.map_err(|error| unavailable(&error))?;
        let mut changes = Changes::by(&Caller::system());
        changes.revise(key, |key| Ok::<_, OpError>(key.resealed(wrapped)))?;
        self.renew(changes, round).await
    }

    /// Chains the events that wait, and vouches for the end of every audit log for which the former root secret vouches. The events up to
    /// there permanently count as written under the former secret. One that still waited when that secret is removed would count as forged.
    ///
    /// # Errors
    /// `internal` when storage is out; the first error of a log, after all others had their turn. What was vouched for stays so.
    pub async fn reauthenticate_audit_logs(&self) -> OpResult<RolloverProgress> {
        self.chain_audit_events().await?;
        let missed = self.count_waiting_of_former().await?;
        let (mut round, mut after) = (RolloverProgress { missed, ..RolloverProgress::default() }, None);
        let mut turns = Turns::default();
        loop {
            let heads = self.ports.store.audit_logs().list_heads(after, AT_ONCE).await?;
            let Some(last) = heads.last().map(|head| head.peek().log_id) else { return turns.end().map(|_| round) };
            after = Some(last);
            for head in heads {
                if key_source_of(self, head.peek()) == Some(AuditKeySource::Former) {
                    let mut changes = Changes::by(&Caller::system());
                    let with_former = |head: AuditHead| AuditHead { former_until: head.sequence, ..head };
                    changes.revise(head, |head| Ok::<_, OpError>(signed(self, with_former(head))))?;
                    turns.take(self.renew(changes, &mut round).await)?;
                }
            }
        }
    }

    async fn renew(&self, changes: Changes, round: &mut RolloverProgress) -> OpResult<()> {
        match self.commit(&Caller::system(), changes).await {
            Ok(_) => round.done = round.done.saturating_add(1),
            Err(error) if error.is_conflict() => round.missed = round.missed.saturating_add(1),
            Err(error) => return Err(error),
        }
        Ok(())
    }
}
