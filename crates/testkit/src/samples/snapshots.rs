//! Samples of snapshots, of their items, and of inventory changes.

use tradepost_domain::asset::{AppId, AssetId, ContextId, Wear};
use tradepost_domain::id::{AccountId, RecordKey, WorkspaceId};
use tradepost_domain::trading::inventory_change::{Between, ChangeStatus, InventoryChange};
use tradepost_domain::trading::snapshot::{
    ChangeKind, Explanation, Face, ItemPlace, ShownItem, Snapshot, SnapshotContext, SnapshotDifference, SnapshotItem,
    SnapshotNumber, SnapshotStatus, SnapshotTrigger, Span,
};

use super::{Samples, minute, start, text};

impl Samples {
    /// Returns an item as the platform shows it, with every optional field.
    ///
    /// # Panics
    /// Never: the values are legal.
    pub fn shown_item(&self, asset_id: u64) -> ShownItem {
        ShownItem {
            app_id: AppId::CS2,
            market_hash_name: text("AK-47 | Redline (Field-Tested)"),
            face: Face { wear: Wear::new("0.2512").ok(), paint_seed: Some(412), phase: Some(text("Phase 2")) },
            place: ItemPlace {
                asset_id: AssetId::new(&asset_id.to_string()).unwrap(),
                context_id: ContextId::PROTECTED,
                locked_until: Some(minute(20)),
            },
        }
    }

    /// Returns what the platform showed of both contexts.
    pub fn snapshot_contexts(&self, is_complete: bool) -> Vec<SnapshotContext> {
        let context = |context_id| SnapshotContext { app_id: AppId::CS2, context_id, shown: 2, is_complete };
        [ContextId::PROTECTED, ContextId::ORDINARY].map(context).to_vec()
    }

    /// Returns a snapshot of a new account in a status.
    ///
    /// # Panics
    /// Never: each path is legal.
    pub fn snapshot_in(&self, workspace_id: WorkspaceId, status: SnapshotStatus) -> Snapshot {
        self.snapshot_of(workspace_id, self.id(), 1, status)
    }

    /// Returns a snapshot of an account with a number, if one of its status has any.
    ///
    /// # Panics
    /// Never: each path is legal.
    pub fn snapshot_of(
        &self,
        workspace_id: WorkspaceId,
        account: AccountId,
        number: SnapshotNumber,
        status: SnapshotStatus,
    ) -> Snapshot {
        let key = RecordKey { workspace_id, id: self.id() };
        let asked = Snapshot::asked(key, account, SnapshotTrigger::Trade, start());
        let taken = |is_complete| {
            let begun = asked.clone().numbered(number, start()).unwrap();
            begun.taken(self.snapshot_contexts(is_complete), minute(1), minute(2)).unwrap()
        };
        match status {
            SnapshotStatus::Taking => asked,
            SnapshotStatus::Complete => taken(true).with_changes(3, true, minute(3)),
            SnapshotStatus::Partial => taken(false),
            SnapshotStatus::Failed => asked.failed(text("the platform did not answer"), minute(2)).unwrap(),
        }
    }

    /// Returns an item of an account that these snapshots show.
    pub fn snapshot_item(
        &self,
        workspace_id: WorkspaceId,
        account: AccountId,
        item: ShownItem,
        span: Span,
    ) -> SnapshotItem {
        SnapshotItem { id: self.id(), workspace_id, account_id: account, item, span }
    }

    /// Returns an open inventory change of a new account.
    pub fn inventory_change(&self, workspace_id: WorkspaceId, kind: ChangeKind) -> InventoryChange {
        self.inventory_change_of(workspace_id, self.id(), kind, None)
    }

    /// Returns an inventory change of an account, which a trade may explain.
    ///
    /// # Panics
    /// Never: the values are legal.
    pub fn inventory_change_of(
        &self,
        workspace_id: WorkspaceId,
        account: AccountId,
        kind: ChangeKind,
        explanation: Option<Explanation>,
    ) -> InventoryChange {
        let item = self.shown_item(27_348_562_871);
        let place = ItemPlace { asset_id: AssetId::new("9").unwrap(), ..item.place.clone() };
        let after = (!matches!(kind, ChangeKind::Appeared | ChangeKind::Disappeared)).then_some(place);
        let difference = SnapshotDifference { kind, item, after, explanation };
        let between = Between { from: self.id(), to: self.id() };
        let key = RecordKey { workspace_id, id: self.id() };
        InventoryChange::recorded(key, account, between, difference, start())
    }

    /// Returns an inventory change in a status.
    ///
    /// # Panics
    /// Never: each path is legal.
    pub fn inventory_change_in(&self, workspace_id: WorkspaceId, status: ChangeStatus) -> InventoryChange {
        let open = self.inventory_change(workspace_id, ChangeKind::Appeared);
        match status {
            ChangeStatus::Open => open,
            ChangeStatus::Explained => {
                let by_trade = Some(Explanation::Trade(self.external_id()));
                self.inventory_change_of(workspace_id, self.id(), ChangeKind::AssetIdChanged, by_trade)
            }
            ChangeStatus::Matched => open.matched(self.id(), minute(1)).unwrap(),
            ChangeStatus::Ignored => open.ignored(text("a gift"), minute(1)).unwrap(),
        }
    }
}
