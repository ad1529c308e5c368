//! Resealing secrets after a rotation, separately from the calls. Each secret is stored with the key that sealed it. A process that ends in
//! the middle leaves nothing to correct: the next round continues with the rest.

use crate::secrets::data_keys::active_key;
use crate::secrets::data_keys::open_key;
use crate::secrets::data_keys::open_sealed;
use crate::secrets::data_keys::seal_under;
use secrecy::ExposeSecret as _;
use tradepost_domain::accounts::access::{Principal, WorkspaceScope};
use tradepost_domain::accounts::workspace_key::{WorkspaceKey, WorkspaceSecret};
use tradepost_ports::changes::{Caller, Changes, Seen};
use tradepost_ports::envelope::DataKey;

use crate::commit::turns::{Turns, concerns_every_record};
use crate::{OpError, OpResult, Operations, Reason};

/// Secrets that are resealed in one commit.
const SECRETS_AT_ONCE: u32 = 100;
/// Retired keys that are looked at in one statement.
const KEYS_AT_ONCE: u32 = 100;

/// The result of one resealing round.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Resealed {
    /// Secrets that are under their workspace's active key now.
    pub done: u64,
    /// Secrets that do not open, and stay as they are. Keys that do not open count as one.
    pub broken: u64,
}

impl Operations {
    /// Waits until a key is rotated in this process; returns at once if one was since the last time.
    pub async fn workspace_key_rotated(&self) {
        self.rotated.notified().await;
    }

    /// Reseals every secret that is under a retired key under its workspace's active one, 100 in a commit.
    ///
    /// Any number of processes may do this at once, and may end at any time. A call that changes a secret in between seals it itself. A
    /// secret that does not open is logged and stays unchanged.
    ///
    /// # Errors
    /// `internal` when storage or the key-encryption key is unavailable; the first error of a secret, after all others had their turn. What was
    /// resealed stays so.
    pub async fn reseal_workspace_secrets(&self) -> OpResult<Resealed> {
        let (mut round, mut after, mut turns) = (Resealed::default(), None, Turns::default());
        loop {
            let keys = self.ports.store.workspace_keys().list_retired_in_use(after, KEYS_AT_ONCE).await?;
            let Some(last) = keys.last().map(|key| key.peek().id) else { return turns.end().map(|_| round) };
            after = Some(last);
            for key in keys {
                turns.take(self.empty_key(&key.into_display().0, &mut round).await)?;
            }
        }
    }

    /// Reseals everything under one retired key.
    async fn empty_key(&self, retired: &WorkspaceKey, round: &mut Resealed) -> OpResult<()> {
        let scope = Principal::System.enter_as_member(retired.workspace_id)?;
        let opened = match open_key(self, retired).await {
            Err(error) if error.reason == Reason::Internal => {
                tracing::error!(key = %retired.id, error = ?error.source, "what is under a retired key was not resealed");
                round.broken = round.broken.saturating_add(1);
                return Ok(());
            }
            opened => opened?,
        };
        let (mut after, mut turns) = (None, Turns::default());
        loop {
            let (store, number) = (&self.ports.store, retired.number);
            let secrets = store.workspace_secrets().list_under(scope, number, after, SECRETS_AT_ONCE).await?;
            let Some(last) = secrets.last().map(|secret| secret.peek().id) else { return turns.end().map(drop) };
            after = Some(last);
            match self.reseal(scope, &opened, secrets.clone(), round).await {
                Ok(()) => {}
                // Another process was faster: the next round sees what is left.
                Err(error) if error.is_conflict() => {}
                Err(error) if concerns_every_record(&error) => return Err(error),
                // One that cannot be stored stops no other.
                Err(error) => {
                    tracing::debug!(source = ?error.source, "secrets are resealed one by one");
                    for secret in secrets {
                        turns.take(self.reseal(scope, &opened, vec![secret], round).await)?;
                    }
                }
            }
        }
    }

    /// Reseals some secrets in one commit. It relies on the active key, as every sealing operation does.
    async fn reseal(
        &self,
        scope: WorkspaceScope,
        retired: &DataKey,
        secrets: Vec<Seen<WorkspaceSecret>>,
        round: &mut Resealed,
    ) -> OpResult<()> {
        let system = Caller::system();
        let mut changes = Changes::by(&system);
        // A workspace whose keys are all destroyed was removed in between.
        let Some(active) = active_key(self, scope, &mut changes).await? else { return Ok(()) };
        let opened = open_key(self, &active).await?;
        let (mut done, mut broken) = (0_u64, 0_u64);
        for secret in secrets {
            let Ok(plain) = open_sealed(self, retired, secret.peek()).inspect_err(|error| {
                tracing::error!(error = ?error.source, "a secret was not resealed");
            }) else {
                broken = broken.saturating_add(1);
                continue;
            };
            let sealed = seal_under(self, &active, &opened, &secret.peek().place, plain.expose_secret());
            let resealed = |secret| Ok::<_, OpError>(WorkspaceSecret { key_number: active.number, sealed, ..secret });
            changes.revise(secret, resealed)?;
            done = done.saturating_add(1);
        }
        self.commit(&system, changes).await?;
        round.broken = round.broken.saturating_add(broken);
        round.done = round.done.saturating_add(done);
        Ok(())
    }
}
