//! [`MatchInventoryChange`]: a person names the inventory item that an open change belongs to.
//!
//! The item's chain gets the asset id that the change shows, by the rules that every chain has: a missing item is found by it. What does
//! not follow from these rules is rejected. No money moves.

use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::accounts::audit::{About, AuditKind};
use tradepost_domain::contracts::chain::{Evidence, Source};
use tradepost_domain::contracts::inventory_item::{AssetEvidence, InventoryItem, ItemEvent, ItemStatus};
use tradepost_domain::id::{InventoryChangeId, InventoryItemId, WorkspaceId};
use tradepost_domain::text::ExternalId;
use tradepost_domain::trading::inventory_change::InventoryChange;
use tradepost_ports::changes::{Caller, Seen};

use super::change_steps::change_as_seen;
use crate::contracts::items::item_moves::{Cause, ItemMove, take_item_step};
use crate::contracts::purchases::lifecycle_update::LifecycleUpdate;
use crate::rules;
use crate::trading::trading_accounts::account_moves::account_as_seen;
use crate::{OpError, OpResult, Operations, Versioned, fields};

/// Matches an inventory change with an item.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MatchInventoryChange {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The inventory change.
    pub inventory_change_id: InventoryChangeId,
    /// The inventory item, of the same account and variant.
    pub inventory_item_id: InventoryItemId,
    /// The version that the caller saw, from 1; rejected when the change has another one.
    pub expected_version: Option<i64>,
}

impl Operations {
    /// Names the inventory item that a change belongs to. If the change shows it under another asset id, its chain gets that id. The
    /// remediation of an orphan is resolved with it.
    ///
    /// # Errors
    /// `permission_denied`; `invalid_argument` for an expected version below 1, and for an item of another account, game or name;
    /// `not_found` for a change or an item; `failed_precondition`: `VERSION_MISMATCH`, `ILLEGAL_STEP` unless the change is open, and what
    /// the rules of chains reject: `ILLEGAL_SUCCESSOR`, `ILLEGAL_LINK`, `ASSET_ID_OWNED`.
    pub async fn match_inventory_change(
        &self,
        caller: &Caller,
        command: MatchInventoryChange,
    ) -> OpResult<Versioned<InventoryChange>> {
        let scope = rules::MATCH_INVENTORY_CHANGE.enter(&caller.principal, command.workspace_id)?;
        fields::expected_version(command.expected_version)?;
        self.in_turn(command.workspace_id, || self.match_once(caller, scope, command)).await
    }

    async fn match_once(
        &self,
        caller: &Caller,
        scope: WorkspaceScope,
        command: MatchInventoryChange,
    ) -> OpResult<Versioned<InventoryChange>> {
        let at = self.market_now(command.workspace_id);
        let seen = change_as_seen(self, scope, command.inventory_change_id, command.expected_version).await?;
        let found = self.ports.store.items().find(scope, command.inventory_item_id).await?;
        let item = found.ok_or_else(|| OpError::not_found("inventory item"))?;
        self.require_like(scope, seen.peek(), item.peek()).await?;
        let mut steps = LifecycleUpdate::new(self, caller, at);
        let cause = cause_of(seen.peek(), item.peek());
        let matched = steps.match_change(scope, seen, command.inventory_item_id).await?;
        take_step(self, &mut steps, scope, item, cause).await?;
        steps.audit(AuditKind::InventoryChangeMatched, About::from(&matched.value));
        steps.commit().await?;
        Ok(matched.into())
    }

    /// Checks that the item can be the one that changed.
    async fn require_like(
        &self,
        scope: WorkspaceScope,
        change: &InventoryChange,
        item: &InventoryItem,
    ) -> OpResult<()> {
        let account = account_as_seen(self, scope, change.account_id, None).await?;
        let is_of_account = item.account_name == account.peek().name;
        if !is_of_account {
            return Err(OpError::invalid_field("inventoryItemId", "is an item of another account"));
        }
        let shown = &change.item;
        if item.app_id != shown.app_id || item.market_hash_name != shown.market_hash_name {
            return Err(OpError::invalid_field("inventoryItemId", "is an item of another name"));
        }
        Ok(())
    }
}

async fn take_step(
    operations: &Operations,
    steps: &mut LifecycleUpdate<'_>,
    scope: WorkspaceScope,
    item: Seen<InventoryItem>,
    cause: Option<Cause>,
) -> OpResult<()> {
    let Some(cause) = cause else {
        steps.rely_on(item);
        return Ok(());
    };
    let wanted = ItemMove { item_id: item.peek().id, expected_version: None, cause };
    take_item_step(operations, steps, scope, item, wanted).await.map(drop)
}

/// Returns the step that the item takes by the change: none where the change shows no asset id that the item does not have.
fn cause_of(change: &InventoryChange, item: &InventoryItem) -> Option<Cause> {
    let asset_id = change.current_asset_id()?.clone();
    // An identifier of 16 bytes is a legal outside identifier.
    let source_id = ExternalId::new(&change.between.to.to_string()).ok()?;
    if item.status == ItemStatus::Missing {
        return Some(Cause::Event(ItemEvent::Found { seen: AssetEvidence { asset_id, source_id } }));
    }
    let evidence = Evidence { asset_id, source: Source::Inventory, source_id };
    (*item.current_asset_id() != evidence.asset_id).then_some(Cause::Fact { evidence, expected_step: None })
}
