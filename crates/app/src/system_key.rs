//! The data key of the installation itself, under which what belongs to no workspace is sealed: second factors, links to other
//! platforms in progress, mails that wait, kept answers. Made at the first start, and held as long as the process runs.

use tradepost_domain::accounts::access::Principal;
use tradepost_domain::accounts::workspace_key::{KeyState, KeyStatus, SYSTEM, WorkspaceKey};
use tradepost_domain::id::WorkspaceKeyId;
use tradepost_ports::changes::{Caller, Changes, Seen};
use tradepost_ports::clock::{Clock, Ids as _, RandomIds};
use tradepost_ports::envelope::{DataKey, Envelopes, KeyEncryption};
use tradepost_ports::store::{Store, StoreError, Unique};

use crate::BuildError;

/// What it is found and made with.
pub(crate) struct SystemKey<'a> {
    pub(crate) store: &'a dyn Store,
    pub(crate) envelopes: &'a dyn Envelopes,
    pub(crate) key_encryption: &'a dyn KeyEncryption,
    pub(crate) clock: &'a dyn Clock,
}

impl SystemKey<'_> {
    /// The key with its number: the one that is there, else a new one. Of several processes that start at once on an empty
    /// database one makes it, and all have the same.
    pub(crate) async fn open_or_make(&self) -> Result<(u32, DataKey), BuildError> {
        if let Some(found) = self.open().await? {
            return Ok(found);
        }
        match self.make().await {
            Err(BuildError::Storage(StoreError::Duplicate(Unique::WorkspaceKey))) => {
                let missing = || StoreError::Bug("the installation's key was created and is missing".to_owned());
                Ok(self.open().await?.ok_or_else(missing)?)
            }
            made => made,
        }
    }

    async fn open(&self) -> Result<Option<(u32, DataKey)>, BuildError> {
        let scope = Principal::System.enter_as_member(SYSTEM).map_err(|denied| StoreError::Bug(denied.to_string()))?;
        let keys = self.store.workspace_keys().list(scope).await?;
        let active = keys.into_iter().find(|key| key.peek().status() == KeyStatus::Active);
        let Some((key, _)) = active.map(Seen::into_display) else { return Ok(None) };
        let Some(wrapped) = key.wrapped() else { return Ok(None) };
        Ok(Some((key.number, self.key_encryption.unwrap(key.id, wrapped).await?)))
    }

    async fn make(&self) -> Result<(u32, DataKey), BuildError> {
        let created_at = self.clock.now();
        let (id, number) = (WorkspaceKeyId::from_bytes(RandomIds::default().next(created_at)), 1);
        let key = self.envelopes.new_key();
        let wrapped = self.key_encryption.wrap(id, &key).await?;
        let state = KeyState::Active { wrapped };
        let mut changes = Changes::by(&Caller::system());
        changes.insert(WorkspaceKey { id, workspace_id: SYSTEM, number, state, created_at });
        self.store.commit(changes).await?;
        Ok((number, key))
    }
}
