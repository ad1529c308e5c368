//! Snapshots of a world, and what changed between them: recorded by the first who asks for them, so that reads can share a world.

use tradepost_domain::accounts::access::Principal;
use tradepost_domain::asset::{AppId, ContextId};
use tradepost_domain::id::{AccountId, InventoryChangeId, SnapshotId, WorkspaceId};
use tradepost_domain::trading::snapshot::{ChangeKind, ItemPlace, ShownItem, SnapshotTrigger};
use tradepost_operations::Caller;
use tradepost_operations::trading::{
    AccountSecrets, BeginSnapshot, ContextReading, CreateAccount, LimitsOfAccount, RecordInventoryChanges,
    RecordSnapshot, SnapshotReading,
};
use tradepost_ports::clock::Clock as _;
use tradepost_ports::store::{InventoryChangeFilter, PageRequest, SnapshotFilter};
use tradepost_testkit::samples::Samples;

use super::World;

/// An item of an inventory, of the variant that the desk buys.
fn shown(asset_id: u64) -> ShownItem {
    let item = Samples::seeded(9).shown_item(asset_id);
    let place = ItemPlace { context_id: ContextId::ORDINARY, locked_until: None, ..item.place.clone() };
    ShownItem { place, ..item }
}

impl World {
    /// Two complete snapshots of the account 1 of a workspace. The second one shows an item less, and another one more.
    pub(crate) async fn snapshots_of(&self, workspace_id: WorkspaceId) -> [SnapshotId; 2] {
        let account_id = self.account_of(workspace_id, 1).await;
        let scope = Principal::System.enter_as_member(workspace_id).unwrap();
        let filter = SnapshotFilter { account_id: Some(account_id), status: None };
        let page = PageRequest { before: None, limit: 2 };
        let known = self.app.store().snapshots().list_snapshots(scope, filter, page).await.unwrap().ids;
        if let [later, earlier] = known.as_slice() {
            return [*earlier, *later];
        }
        let earlier = self.look_at(workspace_id, account_id, vec![shown(1), shown(2)]).await;
        let later = self.look_at(workspace_id, account_id, vec![shown(2), self.other_item()]).await;
        [earlier, later]
    }

    /// An item of another wear than all others have.
    fn other_item(&self) -> ShownItem {
        let mut item = shown(3);
        item.face.wear = None;
        item
    }

    /// The same in the workspace that is not the other one.
    pub(crate) async fn snapshots(&self) -> [SnapshotId; 2] {
        self.snapshots_of(self.desk.workspace_id).await
    }

    /// The change by which an item appeared in the later one of these snapshots.
    pub(crate) async fn inventory_change_of(&self, workspace_id: WorkspaceId) -> InventoryChangeId {
        self.snapshots_of(workspace_id).await;
        self.appeared_in(workspace_id, self.account_of(workspace_id, 1).await).await
    }

    /// The same in the workspace that is not the other one.
    pub(crate) async fn inventory_change(&self) -> InventoryChangeId {
        self.inventory_change_of(self.desk.workspace_id).await
    }

    /// The appearance of an item in the inventory of the account that has the items of the desk.
    pub(crate) async fn change_at_the_desk(&self) -> InventoryChangeId {
        let workspace_id = self.desk.workspace_id;
        let command = CreateAccount {
            workspace_id,
            name: "trader-1".to_owned(),
            platform: "steam".to_owned(),
            platform_user_id: "76561198000000777".to_owned(),
            trade_token: None,
            capabilities: Vec::new(),
            limits: LimitsOfAccount::default(),
            giving_limits: None,
            secrets: AccountSecrets::default(),
        };
        let created = self.app.operations().create_account(&Caller::system(), command).await.unwrap();
        let account_id = created.value.id;
        self.look_at(workspace_id, account_id, Vec::new()).await;
        self.look_at(workspace_id, account_id, vec![shown(98_765)]).await;
        self.appeared_in(workspace_id, account_id).await
    }

    async fn appeared_in(&self, workspace_id: WorkspaceId, account_id: AccountId) -> InventoryChangeId {
        let scope = Principal::System.enter_as_member(workspace_id).unwrap();
        let (account_id, kind) = (Some(account_id), Some(ChangeKind::Appeared));
        let filter = InventoryChangeFilter { account_id, kind, status: None };
        let page = PageRequest { before: None, limit: 1 };
        let changes = self.app.store().inventory_changes();
        changes.list_inventory_changes(scope, filter, page).await.unwrap().ids[0]
    }

    async fn look_at(&self, workspace_id: WorkspaceId, account_id: AccountId, items: Vec<ShownItem>) -> SnapshotId {
        let on = self.app.operations();
        let begin = BeginSnapshot { workspace_id, account_id, trigger: SnapshotTrigger::Schedule };
        let snapshot_id = on.begin_snapshot(&Caller::system(), begin).await.unwrap().value.id;
        let (app_id, context_id) = (AppId::CS2, ContextId::ORDINARY);
        let contexts = vec![ContextReading { app_id, context_id, items, is_complete: true }];
        let reading = SnapshotReading { contexts, shown_at: self.clock.now() };
        on.record_snapshot(&Caller::system(), RecordSnapshot { workspace_id, snapshot_id, reading }).await.unwrap();
        let record = RecordInventoryChanges { workspace_id, account_id, moves: Vec::new() };
        on.record_inventory_changes(&Caller::system(), record).await.unwrap();
        snapshot_id
    }
}
