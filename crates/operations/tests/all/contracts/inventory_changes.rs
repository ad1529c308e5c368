//! Inventory changes: what people decide on them, what that does to the chain of an item, and items that nothing explains.

use time::Duration;
use tradepost_domain::asset::{AppId, ContextId};
use tradepost_domain::contracts::inventory_item::{ItemEvent, ItemStatus};
use tradepost_domain::id::{AccountId, Id, InventoryChangeId, InventoryItemId};
use tradepost_domain::trading::inventory_change::{ChangeStatus, InventoryChange};
use tradepost_domain::trading::snapshot::{Face, ItemPlace, ShownItem, SnapshotTrigger};
use tradepost_domain::transition::Subject;
use tradepost_operations::contracts::DismissRemediation;
use tradepost_operations::trading::{
    AccountSecrets, BeginSnapshot, ContextReading, CreateAccount, GetInventoryChange, IgnoreInventoryChange,
    LimitsOfAccount, ListInventoryChanges, MatchInventoryChange, RecordInventoryChanges, RecordSnapshot, ReportOrphans,
    SnapshotReading,
};
use tradepost_operations::{Caller, Code, OpResult, Versioned};
use tradepost_ports::clock::Clock as _;
use tradepost_testkit::samples::{Samples, text};

use super::Desk;
use super::items::asset;

/// An item as the platform shows it, of the variant that the desk buys.
fn shown(asset_id: &str) -> ShownItem {
    let place = ItemPlace { asset_id: asset(asset_id), context_id: ContextId::ORDINARY, locked_until: None };
    ShownItem { face: Face::default(), place, ..Samples::seeded(9).shown_item(1) }
}

impl Desk {
    async fn recorded_account(&self, name: &str, number: u32) -> AccountId {
        let command = CreateAccount {
            workspace_id: self.workspace_id(),
            name: name.to_owned(),
            platform: "steam".to_owned(),
            platform_user_id: (76_561_198_000_000_000_u64 + u64::from(number)).to_string(),
            trade_token: None,
            capabilities: Vec::new(),
            limits: LimitsOfAccount::default(),
            giving_limits: None,
            secrets: AccountSecrets::default(),
        };
        self.operations().create_account(&Caller::system(), command).await.unwrap().value.id
    }

    /// Takes a complete snapshot that shows these items, and records what changed.
    async fn look(&self, account_id: AccountId, items: Vec<ShownItem>) {
        let (workspace_id, on, trigger) = (self.workspace_id(), self.operations(), SnapshotTrigger::Schedule);
        let begin = BeginSnapshot { workspace_id, account_id, trigger };
        let snapshot_id = on.begin_snapshot(&Caller::system(), begin).await.unwrap().value.id;
        let (app_id, context_id) = (AppId::CS2, ContextId::ORDINARY);
        let contexts = vec![ContextReading { app_id, context_id, items, is_complete: true }];
        let reading = SnapshotReading { contexts, shown_at: self.world.clock.now() };
        on.record_snapshot(&Caller::system(), RecordSnapshot { workspace_id, snapshot_id, reading }).await.unwrap();
        let record = RecordInventoryChanges { workspace_id, account_id, moves: Vec::new() };
        on.record_inventory_changes(&Caller::system(), record).await.unwrap();
    }

    /// The change that the appearance of these asset ids makes, the last one first.
    async fn appeared(&self, account_id: AccountId, assets: &[&str]) -> Vec<InventoryChangeId> {
        self.look(account_id, Vec::new()).await;
        self.look(account_id, assets.iter().map(|asset| shown(asset)).collect()).await;
        let (workspace_id, cursor) = (self.workspace_id(), String::new());
        let list = ListInventoryChanges { workspace_id, limit: 0, cursor, account_id: None, kind: None, status: None };
        self.operations().list_inventory_changes(&self.trader, list).await.unwrap().entries
    }

    async fn inventory_change(&self, inventory_change_id: InventoryChangeId) -> Versioned<InventoryChange> {
        let command = GetInventoryChange { workspace_id: self.workspace_id(), inventory_change_id };
        self.operations().get_inventory_change(&self.trader, command).await.unwrap()
    }

    fn matching(&self, inventory_change_id: InventoryChangeId, item: InventoryItemId) -> MatchInventoryChange {
        let workspace_id = self.workspace_id();
        MatchInventoryChange { workspace_id, inventory_change_id, inventory_item_id: item, expected_version: None }
    }

    async fn match_change(&self, command: MatchInventoryChange) -> OpResult<Versioned<InventoryChange>> {
        self.operations().match_inventory_change(&self.trader, command).await
    }

    async fn ignore(&self, inventory_change_id: InventoryChangeId) -> OpResult<Versioned<InventoryChange>> {
        let (workspace_id, reason) = (self.workspace_id(), "a gift".to_owned());
        let command = IgnoreInventoryChange { workspace_id, inventory_change_id, reason, expected_version: Some(1) };
        self.operations().ignore_inventory_change(&self.trader, command).await
    }

    async fn lose(&self, item: InventoryItemId) {
        let first_absent_at = self.world.clock.now();
        let last_absent_at = first_absent_at.plus(Duration::minutes(10));
        self.advance_item(item, ItemEvent::WentMissing { first_absent_at, last_absent_at }).await.unwrap();
    }

    async fn report_orphans(&self) -> usize {
        let command = ReportOrphans { workspace_id: self.workspace_id() };
        self.operations().report_orphans(&Caller::system(), command).await.unwrap()
    }
}

#[tokio::test]
async fn a_missing_item_is_found_by_the_change_that_is_matched_with_it() {
    let desk = Desk::open().await;
    let (account, item) = (desk.recorded_account("trader-1", 1).await, desk.item(1).await);
    desk.lose(item).await;
    let [change] = desk.appeared(account, &["30001"]).await.try_into().unwrap();
    let matched = desk.match_change(desk.matching(change, item)).await.unwrap();
    assert_eq!((matched.value.status, matched.value.inventory_item_id), (ChangeStatus::Matched, Some(item)));
    let found = desk.owned(item).await.value;
    assert_eq!((found.status, found.current_asset_id()), (ItemStatus::InInventory, &asset("30001")));
    assert_eq!(desk.sources(item).await, ["listing", "purchase_trade", "inventory"]);
    assert_eq!(desk.problem_states().await, [("MISSING_ITEM", "RESOLVED")]);
    let steps: Vec<_> = desk.log(Subject::InventoryChange(change)).await.iter().map(|step| step.trigger).collect();
    assert_eq!(steps, ["found", "matched"]);
}

#[tokio::test]
async fn an_item_in_the_inventory_gets_the_asset_id_that_the_change_shows() {
    let desk = Desk::open().await;
    let (account, item) = (desk.recorded_account("trader-1", 1).await, desk.item(1).await);
    let [change] = desk.appeared(account, &["30001"]).await.try_into().unwrap();
    desk.match_change(desk.matching(change, item)).await.unwrap();
    assert_eq!(desk.owned(item).await.value.current_asset_id(), &asset("30001"));
    assert_eq!(desk.sources(item).await, ["listing", "purchase_trade", "inventory"]);
}

#[tokio::test]
async fn a_change_that_shows_the_id_that_the_item_has_adds_nothing_to_its_chain() {
    let desk = Desk::open().await;
    let (account, item) = (desk.recorded_account("trader-1", 1).await, desk.item(1).await);
    let [change] = desk.appeared(account, &["20001"]).await.try_into().unwrap();
    assert_eq!(desk.inventory_change(change).await.value.inventory_item_id, Some(item), "it is known by its id");
    desk.match_change(desk.matching(change, item)).await.unwrap();
    assert_eq!(desk.sources(item).await, ["listing", "purchase_trade"]);
}

#[tokio::test]
async fn what_the_rules_of_chains_reject_is_not_matched() {
    let desk = Desk::open().await;
    let account = desk.recorded_account("trader-1", 1).await;
    let (item, other) = (desk.item(1).await, desk.item(2).await);
    desk.lose(item).await;
    let [change] = desk.appeared(account, &["20002"]).await.try_into().unwrap();
    desk.forbidden(desk.match_change(desk.matching(change, item)), "ASSET_ID_OWNED").await;
    desk.match_change(desk.matching(change, other)).await.unwrap();
}

#[tokio::test]
async fn only_an_item_of_the_account_and_of_the_name_is_matched() {
    let desk = Desk::open().await;
    let (account, item) = (desk.recorded_account("trader-9", 9).await, desk.item(1).await);
    let [change] = desk.appeared(account, &["30001"]).await.try_into().unwrap();
    desk.refused(desk.match_change(desk.matching(change, item)), Code::InvalidArgument, "INVALID_FIELD").await;
    let account = desk.recorded_account("trader-1", 1).await;
    desk.look(account, Vec::new()).await;
    let case = ShownItem { market_hash_name: text("Glove Case"), ..shown("30002") };
    desk.look(account, vec![case]).await;
    let (workspace_id, cursor, account_id) = (desk.workspace_id(), String::new(), Some(account));
    let list = ListInventoryChanges { workspace_id, limit: 0, cursor, account_id, kind: None, status: None };
    let [other] =
        desk.operations().list_inventory_changes(&desk.trader, list).await.unwrap().entries.try_into().unwrap();
    desk.refused(desk.match_change(desk.matching(other, item)), Code::InvalidArgument, "INVALID_FIELD").await;
}

#[tokio::test]
async fn a_change_is_decided_on_once_and_at_the_version_that_was_seen() {
    let desk = Desk::open().await;
    let (account, item) = (desk.recorded_account("trader-1", 1).await, desk.item(1).await);
    let [change] = desk.appeared(account, &["30001"]).await.try_into().unwrap();
    let outdated = MatchInventoryChange { expected_version: Some(2), ..desk.matching(change, item) };
    desk.forbidden(desk.match_change(outdated), "VERSION_MISMATCH").await;
    let ignored = desk.ignore(change).await.unwrap().value;
    assert_eq!((ignored.status, ignored.reason), (ChangeStatus::Ignored, Some(text("a gift"))));
    desk.forbidden(desk.match_change(desk.matching(change, item)), "ILLEGAL_STEP").await;
    let workspace_id = desk.workspace_id();
    let again = IgnoreInventoryChange {
        workspace_id,
        inventory_change_id: change,
        reason: "a gift".to_owned(),
        expected_version: None,
    };
    desk.forbidden(desk.operations().ignore_inventory_change(&desk.trader, again.clone()), "ILLEGAL_STEP").await;
    let silent = IgnoreInventoryChange { reason: String::new(), ..again };
    let silent = desk.operations().ignore_inventory_change(&desk.trader, silent);
    desk.refused(silent, Code::InvalidArgument, "INVALID_FIELD").await;
    let unknown = desk.matching(Id::from_bytes([9; 16]), item);
    desk.refused(desk.match_change(unknown), Code::NotFound, "NOT_FOUND").await;
    let unknown = desk.matching(change, Id::from_bytes([9; 16]));
    desk.refused(desk.match_change(unknown), Code::NotFound, "NOT_FOUND").await;
}

#[tokio::test]
async fn an_orphan_is_reported_once_after_ten_minutes_and_resolved_by_a_decision() {
    let desk = Desk::open().await;
    let account = desk.recorded_account("trader-1", 1).await;
    let [change] = desk.appeared(account, &["30001"]).await.try_into().unwrap();
    desk.advance_clock(Duration::minutes(9));
    assert_eq!(desk.report_orphans().await, 0);
    desk.advance_clock(Duration::minutes(2));
    assert_eq!((desk.report_orphans().await, desk.report_orphans().await), (1, 0));
    assert_eq!(desk.problem_states().await, [("ORPHAN_ITEM", "NEEDS_OPERATOR")]);
    let workspace_id = desk.workspace_id();
    let reason = "a gift".to_owned();
    let ignore = IgnoreInventoryChange { workspace_id, inventory_change_id: change, reason, expected_version: None };
    desk.operations().ignore_inventory_change(&desk.trader, ignore).await.unwrap();
    assert_eq!(desk.problem_states().await, [("ORPHAN_ITEM", "RESOLVED")]);
}

#[tokio::test]
async fn an_orphan_whose_report_was_dismissed_is_not_reported_again() {
    let desk = Desk::open().await;
    let account = desk.recorded_account("trader-1", 1).await;
    desk.appeared(account, &["30001"]).await;
    desk.advance_clock(Duration::minutes(11));
    assert_eq!(desk.report_orphans().await, 1);
    let remediation_id = desk.problems().await[0].id;
    let (workspace_id, reason) = (desk.workspace_id(), "known".to_owned());
    let dismiss = DismissRemediation { workspace_id, remediation_id, reason, expected_version: None };
    desk.operations().dismiss_remediation(&desk.trader, dismiss).await.unwrap();
    desk.advance_clock(Duration::hours(1));
    assert_eq!(desk.report_orphans().await, 0);
}

#[tokio::test]
async fn an_item_that_is_on_record_under_its_id_is_no_orphan() {
    let desk = Desk::open().await;
    let account = desk.recorded_account("trader-1", 1).await;
    desk.item(1).await;
    desk.appeared(account, &["20001"]).await;
    desk.advance_clock(Duration::minutes(11));
    assert_eq!(desk.report_orphans().await, 0);
}
