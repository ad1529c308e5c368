//! Trades between two accounts of the desk, also those that a person made without us: they move items, and nothing leaves the desk.

use tradepost_domain::asset::AssetId;
use tradepost_domain::contracts::chain::Source;
use tradepost_domain::contracts::inventory_item::{InventoryItem, ItemEvent, ItemStatus};
use tradepost_domain::text::AccountName;
use tradepost_domain::trading::trade::TradeStatus;
use tradepost_operations::Versioned;
use tradepost_operations::contracts::AppendAssetIDLink;
use tradepost_ports::game_platform::{MovedAsset, Trade};

use crate::context::Context;
use crate::error::EngineResult;

impl Context {
    /// Records what a trade with another account of the desk did to an item: it moved it, or gave it back under another asset id. Returns
    /// whether that was new.
    pub(crate) async fn apply_own_trade(&self, item: &Versioned<InventoryItem>, trade: &Trade) -> EngineResult<bool> {
        let to = self.receiver_of(trade, &item.value).filter(|_| item.value.status.is_movable(item.value.missing_from));
        let Some(step) = to.and_then(|to| OwnTradeStep::of(trade, &item.value, to)) else { return Ok(false) };
        let after = match step {
            OwnTradeStep::Move(event) => Some(self.apply_transfer(item, event).await?),
            OwnTradeStep::Return(asset_id) => {
                self.link_as_seen(&item.value, asset_id.as_str(), trade.id.as_str()).await?;
                self.items_by_id(vec![item.value.id]).await?.into_iter().next()
            }
        };
        Ok(after.is_some_and(|after| after.version != item.version))
    }

    /// Whether a trade with another account of the desk, which is not over, has taken an item out of its inventory.
    pub(crate) fn is_under_way(&self, trade: &Trade, item: &InventoryItem) -> bool {
        item.status == ItemStatus::InInventory
            && trade.status == TradeStatus::InEscrow
            && given(trade, item).is_some()
            && self.receiver_of(trade, item).is_some()
    }

    /// Returns the other account of the desk that a trade is with.
    pub(crate) fn receiver_of(&self, trade: &Trade, item: &InventoryItem) -> Option<&AccountName> {
        let mut others = self.desk.accounts.iter().filter(|account| account.name != item.account_name);
        others.find(|account| account.address.user == trade.partner).map(|account| &account.name)
    }

    /// Records that a trade has moved an item. A listing that ended has left no link if the asset id stayed: the trade shows that the
    /// item was in the inventory again.
    pub(crate) async fn apply_transfer(
        &self,
        item: &Versioned<InventoryItem>,
        event: ItemEvent,
    ) -> EngineResult<Versioned<InventoryItem>> {
        let ItemEvent::Transferred { trade_id, .. } = &event else { return self.apply_item_event(item, event).await };
        if item.value.head.source != Source::SaleListing {
            return self.apply_item_event(item, event).await;
        }
        self.link_as_seen(&item.value, item.value.current_asset_id().as_str(), trade_id.as_str()).await?;
        let found = self.items_by_id(vec![item.value.id]).await?;
        match found.first() {
            Some(linked) => self.apply_item_event(linked, event).await,
            None => Ok(item.clone()),
        }
    }

    /// Adds a link to the chain of an item that a trade shows in the inventory, under an asset id.
    pub(crate) async fn link_as_seen(&self, item: &InventoryItem, asset_id: &str, trade_id: &str) -> EngineResult {
        let command = AppendAssetIDLink {
            workspace_id: self.desk.workspace_id,
            inventory_item_id: item.id,
            expected_step: None,
            asset_id: asset_id.to_owned(),
            source: Source::Inventory.as_str().to_owned(),
            source_id: trade_id.to_owned(),
        };
        self.operations.append_asset_id_link(&self.caller, command).await?;
        Ok(())
    }
}

/// Returns what a trade that gives an item did to it.
pub(crate) fn given<'t>(trade: &'t Trade, item: &InventoryItem) -> Option<&'t MovedAsset> {
    let is_it = |moved: &&MovedAsset| moved.app_id == item.app_id && moved.asset_id == *item.current_asset_id();
    trade.given.iter().find(is_it)
}

/// What a trade between two accounts of the desk did to an item.
#[derive(Debug, PartialEq, Eq)]
enum OwnTradeStep {
    Move(ItemEvent),
    /// The item is back under this asset id.
    Return(AssetId),
}

impl OwnTradeStep {
    fn of(trade: &Trade, item: &InventoryItem, to: &AccountName) -> Option<Self> {
        let given = given(trade, item)?;
        if !has_moved(trade.status, given.returned_as.is_some()) {
            return given.returned_as.clone().map(Self::Return);
        }
        let (context_id, asset_id) = given.moved_to.clone()?;
        let (trade_id, protected_until) = (trade.id.clone(), trade.protected_until);
        Some(Self::Move(ItemEvent::Transferred { trade_id, to: to.clone(), context_id, asset_id, protected_until }))
    }
}

/// Whether an item is where a trade has moved it. A reversal within the protection is a trade of its own, which moves the item again.
/// Support returns an item without another trade.
pub(crate) const fn has_moved(status: TradeStatus, is_returned: bool) -> bool {
    match status {
        TradeStatus::Complete | TradeStatus::ProtectionRollback => true,
        TradeStatus::PartialSupportRollback
        | TradeStatus::FullSupportRollback
        | TradeStatus::SelectiveSupportRollback => !is_returned,
        TradeStatus::Init
        | TradeStatus::PreCommitted
        | TradeStatus::Committed
        | TradeStatus::InEscrow
        | TradeStatus::Failed
        | TradeStatus::EscrowRollback
        | TradeStatus::RollbackFailed
        | TradeStatus::RollbackAbandoned
        | TradeStatus::Unknown(_) => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tradepost_testkit::samples::text;

    use crate::samples::{asset_id, item, moved, trade};

    fn step(given: MovedAsset, status: TradeStatus) -> Option<OwnTradeStep> {
        let trade = Trade { given: vec![given], ..trade(status) };
        OwnTradeStep::of(&trade, &item(ItemStatus::InInventory).value, &text("trader-2"))
    }

    fn returned() -> MovedAsset {
        MovedAsset { returned_as: Some(asset_id("77")), ..moved() }
    }

    #[test]
    fn an_item_is_where_a_complete_trade_has_brought_it() {
        let (context_id, asset_id) = moved().moved_to.unwrap();
        let Some(OwnTradeStep::Move(ItemEvent::Transferred { to, context_id: context, asset_id: asset, .. })) =
            step(moved(), TradeStatus::Complete)
        else {
            panic!("a complete trade moves nothing");
        };
        assert_eq!((to, context, asset), (text("trader-2"), context_id, asset_id));
    }

    #[test]
    fn a_reversal_is_a_trade_of_its_own_and_support_returns_items_without_one() {
        let back = || Some(OwnTradeStep::Return(asset_id("77")));
        assert!(matches!(step(returned(), TradeStatus::ProtectionRollback), Some(OwnTradeStep::Move(_))));
        assert_eq!(step(returned(), TradeStatus::FullSupportRollback), back());
        assert_eq!(step(returned(), TradeStatus::EscrowRollback), back());
        let another = step(moved(), TradeStatus::PartialSupportRollback);
        assert!(matches!(another, Some(OwnTradeStep::Move(_))), "support has returned another item: {another:?}");
    }

    #[test]
    fn a_trade_that_is_held_has_failed_or_gives_another_item_moves_nothing() {
        assert_eq!(step(moved(), TradeStatus::InEscrow), None);
        assert_eq!(step(moved(), TradeStatus::Failed), None);
        assert_eq!(step(MovedAsset { moved_to: None, ..moved() }, TradeStatus::Complete), None);
        assert_eq!(step(MovedAsset { asset_id: asset_id("99"), ..moved() }, TradeStatus::Complete), None);
    }
}
