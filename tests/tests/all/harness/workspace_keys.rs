//! The keys under which the secrets of a world's workspaces are stored: one in each state. By the store, so that their ids are
//! known, and those of everything else do not depend on them.

use tradepost::Tradepost;
use tradepost::auth::{AesEnvelopes, LocalKeyEncryption, RootSecret};
use tradepost_domain::id::{Id, WorkspaceId, WorkspaceKeyId};
use tradepost_domain::text::Text;
use tradepost_domain::time::Timestamp;
use tradepost_domain::workspace_key::{KeyState, SecretPlace, WorkspaceKey, WorkspaceSecret};
use tradepost_operations::Caller;
use tradepost_ports::changes::Changes;
use tradepost_ports::envelope::{Envelopes as _, KeyEncryption as _};
use tradepost_ports::store::Store as _;

use super::ROOT_SECRET;

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
    let destroyed = key(DESTROYED_KEY, (home, 1), at).await.shred(at);
    let empty = key(EMPTY_KEY, (home, 2), at).await.retire(at).unwrap();
    let used = key(USED_KEY, (home, 3), at).await.retire(at).unwrap();
    let mut changes = Changes::by(&Caller::system());
    changes.insert(WorkspaceSecret {
        id: Id::from_bytes([0xa6; 16]),
        workspace_id: home,
        place: SecretPlace { table: name("samples"), column: name("secret"), row: [0xa7; 16] },
        key_number: used.number,
        sealed: b"damaged".to_vec(),
        updated_at: at,
    });
    for key in [destroyed, empty, used, key(ACTIVE_KEY, (home, 4), at).await, key(FOREIGN_KEY, (other, 1), at).await] {
        changes.insert(key);
    }
    app.store().commit(changes).await.unwrap();
}

async fn key(id: WorkspaceKeyId, (workspace_id, number): (WorkspaceId, u32), created_at: Timestamp) -> WorkspaceKey {
    let root = RootSecret::from_bytes(ROOT_SECRET);
    let wrapped = LocalKeyEncryption::new(&root).wrap(id, &AesEnvelopes.new_key()).await.unwrap();
    WorkspaceKey { id, workspace_id, number, state: KeyState::Active { wrapped }, created_at }
}

fn name<const MOST: usize>(text: &str) -> Text<MOST> {
    Text::new(text).unwrap()
}
