//! The product's store: a change with the guards that a call with an API key has.

use tradepost_adapters_sql::SqlStore;
use tradepost_domain::contracts::chain::Source;
use tradepost_domain::id::{Id, WorkspaceId};
use tradepost_domain::text::ExternalId;
use tradepost_domain::time::Timestamp;
use tradepost_ports::changes::{AppendLink, Caller, Changes, Committed, VersionGuard};
use tradepost_ports::store::Records;
use tradepost_ports::store::Store as _;

use super::{Appender, NewLink};
use crate::load::Founded;

/// The store with a caller.
pub(crate) struct Ours<'a> {
    store: &'a SqlStore,
    workspace: WorkspaceId,
    caller: Caller,
}

impl<'a> Ours<'a> {
    pub(crate) async fn new(store: &'a SqlStore) -> anyhow::Result<Self> {
        let founded = Founded::find(store).await?;
        let caller = Caller { guards: guards(store, &founded).await?, ..Caller::system() };
        Ok(Self { store, workspace: founded.workspace, caller })
    }

    /// What a commit relies on, in the order in which it is looked at: owner, membership, key.
    pub(crate) fn guards(&self) -> &[VersionGuard] {
        &self.caller.guards
    }
}

async fn guards(store: &SqlStore, founded: &Founded) -> anyhow::Result<Vec<VersionGuard>> {
    let scope = founded.scope()?;
    let user = store.users().find(founded.owner).await?.map(|user| user.stamp());
    let membership = store.memberships().find_member(scope, founded.owner).await?.map(|membership| membership.stamp());
    // The newest first; the key that the product made is the latest.
    let keys = store.api_keys().list(scope, Timestamp::from_micros(0)?).await?;
    let key = keys.first().map(|key| key.key.stamp());
    Ok([user, membership, key].into_iter().flatten().collect())
}

impl Appender for Ours<'_> {
    async fn append(&self, link: NewLink) -> anyhow::Result<()> {
        let mut changes = Changes::by(&self.caller);
        changes.append_link(AppendLink {
            id: Id::from_bytes(link.id().into_bytes()),
            workspace_id: self.workspace,
            inventory_item_id: Id::from_bytes(link.item_id().into_bytes()),
            expected_step: None,
            asset_id: link.asset_id.parse()?,
            source: Source::Inventory,
            source_id: ExternalId::new(&link.source_id)?,
            at: Timestamp::from_micros(link.at)?,
        });
        match self.store.commit(changes).await? {
            Committed::Applied { .. } => Ok(()),
            Committed::AlreadyRecorded(link) => anyhow::bail!("the link {} was there already", link.id),
        }
    }
}
