//! The secrets of workspaces, and the keys under which they are stored: one in each state. By the store, so that their ids are
//! known, and those of everything else do not depend on them.

use secrecy::{ExposeSecret as _, SecretSlice};
use tradepost::Tradepost;
use tradepost::auth::{AesEnvelopes, LocalKeyEncryption, RootSecret};
use tradepost_domain::accounts::workspace_key::{KeyState, SecretPlace, WorkspaceKey, WorkspaceSecret};
use tradepost_domain::id::{Id, WorkspaceId, WorkspaceKeyId};
use tradepost_domain::text::Text;
use tradepost_domain::time::Timestamp;
use tradepost_operations::accounts::{KeyWithRecords, RotateWorkspaceKey};
use tradepost_operations::secrets::workspace_secrets::{FindWorkspaceSecret, KeepWorkspaceSecret};
use tradepost_operations::{Caller, OpResult, Operations};
use tradepost_ports::changes::Changes;
use tradepost_ports::envelope::{Envelopes as _, KeyEncryption as _};

use super::{ROOT_SECRET, World};

/// The key that was destroyed.
pub(crate) const DESTROYED_KEY: WorkspaceKeyId = Id::from_bytes([0xa1; 16]);
/// A retired key under which nothing is left.
pub(crate) const EMPTY_KEY: WorkspaceKeyId = Id::from_bytes([0xa2; 16]);
/// A retired key with a secret that was damaged, and so stays under it.
pub(crate) const USED_KEY: WorkspaceKeyId = Id::from_bytes([0xa3; 16]);
/// The active key.
pub(crate) const ACTIVE_KEY: WorkspaceKeyId = Id::from_bytes([0xa4; 16]);
/// The active key of the other workspace.
pub(crate) const FOREIGN_KEY: WorkspaceKeyId = Id::from_bytes([0xa5; 16]);

/// Leaves all of them in the database.
pub(super) async fn leave_workspace_keys(app: &Tradepost, home: WorkspaceId, other: WorkspaceId, at: Timestamp) {
    let destroyed = key(DESTROYED_KEY, home, 1, at).await.shred(at);
    let empty = key(EMPTY_KEY, home, 2, at).await.retire(at).unwrap();
    let used = key(USED_KEY, home, 3, at).await.retire(at).unwrap();
    let mut changes = Changes::by(&Caller::system());
    changes.insert(WorkspaceSecret {
        id: Id::from_bytes([0xa6; 16]),
        workspace_id: home,
        place: SecretPlace { table: name("samples"), column: name("secret"), row: [0xa7; 16] },
        key_number: used.number,
        sealed: b"damaged".to_vec(),
        updated_at: at,
    });
    for key in [destroyed, empty, used, key(ACTIVE_KEY, home, 4, at).await, key(FOREIGN_KEY, other, 1, at).await] {
        changes.insert(key);
    }
    app.store().commit(changes).await.unwrap();
}

/// Secrets of a workspace, distinguished by numbers.
#[derive(Clone, Copy)]
pub(crate) struct Kept<'a> {
    pub(crate) operations: &'a Operations,
    pub(crate) workspace_id: WorkspaceId,
}

impl<'a> Kept<'a> {
    pub(crate) fn in_the_first_workspace(world: &'a World) -> Self {
        Self { operations: world.app.operations(), workspace_id: world.people.workspace_id }
    }

    /// Keeps a secret; tries again when others were faster, as its error says.
    pub(crate) async fn keep(self, number: u128, secret: &str) {
        let secret = SecretSlice::from(secret.as_bytes().to_vec());
        let command = KeepWorkspaceSecret { workspace_id: self.workspace_id, place: place_of(number), secret };
        while let Err(error) = self.operations.keep_workspace_secret(&Caller::system(), &command).await {
            assert_eq!(error.reason.as_str(), "CONFLICT");
        }
    }

    pub(crate) async fn read(self, number: u128) -> OpResult<Option<String>> {
        let command = FindWorkspaceSecret { workspace_id: self.workspace_id, place: place_of(number) };
        let secret = self.operations.read_workspace_secret(&Caller::system(), &command).await?;
        Ok(secret.map(|secret| String::from_utf8(secret.expose_secret().to_vec()).unwrap()))
    }

    pub(crate) async fn rotate(self) {
        let command = RotateWorkspaceKey { workspace_id: self.workspace_id };
        self.operations.rotate_workspace_key(&Caller::system(), command).await.unwrap();
    }

    /// The keys, the newest first.
    pub(crate) async fn keys(self) -> Vec<KeyWithRecords> {
        self.operations.list_workspace_keys(&Caller::system(), self.workspace_id).await.unwrap()
    }
}

/// The place of the secret of this number.
pub(crate) fn place_of(number: u128) -> SecretPlace {
    SecretPlace { table: name("trading_accounts"), column: name("password"), row: number.to_be_bytes() }
}

async fn key(id: WorkspaceKeyId, workspace_id: WorkspaceId, number: u32, created_at: Timestamp) -> WorkspaceKey {
    let root = RootSecret::from_bytes(ROOT_SECRET);
    let wrapped = LocalKeyEncryption::new(&root).wrap(id, &AesEnvelopes.new_key()).await.unwrap();
    WorkspaceKey { id, workspace_id, number, state: KeyState::Active { wrapped }, created_at }
}

fn name<const MOST: usize>(text: &str) -> Text<MOST> {
    Text::new(text).unwrap()
}
