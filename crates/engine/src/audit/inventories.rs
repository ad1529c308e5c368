//! Checks that items are where the records say, by reading the inventory of one trading account after another, some minutes apart.
//!
//! Only a whole inventory shows that an item is missing, and only twice: an item that has just moved may not be visible yet. One that a trade
//! has given to another account of the desk is with that account.

use std::collections::{BTreeMap, BTreeSet};

use time::Duration;
use tradepost_domain::asset::{AppId, AssetId, ContextId};
use tradepost_domain::contracts::inventory_item::{
    ABSENCE_SPACING, AssetEvidence, InventoryItem, ItemEvent, ItemStatus,
};
use tradepost_domain::id::InventoryItemId;
use tradepost_domain::text::{AccountName, ExternalId};
use tradepost_domain::time::Timestamp;
use tradepost_operations::Versioned;
use tradepost_operations::contracts::ItemsOfAccount;
use tradepost_ports::game_platform::{Asset, Trade};

use crate::audit::Audit;
use crate::context::Context;
use crate::context::own_trades::given;
use crate::desk::{TradingAccount, account_in_turn};
use crate::error::EngineResult;
use crate::mark::Mark;
use crate::mark::is_due;
use crate::pass::Pass;

/// For how long the platform holds a trade at most.
const LONGEST_HOLD: Duration = Duration::days(15);
/// Maximum number of items read at once.
const ITEM_PAGE: u32 = 200;

/// What was seen of the inventories.
#[derive(Debug, Default)]
pub(crate) struct InventoryAudit {
    looked_at: Option<Mark>,
    /// Whose turn it is.
    turn: usize,
    /// Since when items of each account are not seen where they should be.
    absent_since: BTreeMap<AccountName, BTreeMap<InventoryItemId, Mark>>,
}

/// All that an account has of the games that were asked for.
struct InventorySnapshot {
    assets: Vec<Asset>,
    seen_at: Timestamp,
    /// The same, to measure spans by.
    mark: Mark,
}

impl InventorySnapshot {
    fn has(&self, app_id: AppId, asset_id: &AssetId) -> bool {
        self.assets.iter().any(|asset| asset.app_id == app_id && asset.asset_id == *asset_id)
    }

    /// Returns the step of a missing item that is there.
    fn found(&self, item: &InventoryItem, known: &BTreeSet<AssetId>) -> Option<ItemEvent> {
        let source_id = ExternalId::from(self.seen_at.as_micros().unsigned_abs());
        let asset_id = self.find(item, known)?;
        Some(ItemEvent::Found { seen: AssetEvidence { asset_id, source_id } })
    }

    /// Under which id an item is there that was missing: its own, or that of the only one like it which no other item has.
    fn find(&self, item: &InventoryItem, known: &BTreeSet<AssetId>) -> Option<AssetId> {
        if self.has(item.app_id, item.current_asset_id()) {
            return Some(item.current_asset_id().clone());
        }
        let is_like = |asset: &&Asset| {
            asset.app_id == item.app_id
                && asset.market_hash_name == item.market_hash_name
                && asset.traits.difference(&item.traits).is_none()
                && !known.contains(&asset.asset_id)
        };
        let mut like = self.assets.iter().filter(is_like).filter(|asset| asset.traits.wear.is_some());
        like.next().filter(|_| like.next().is_none()).map(|asset| asset.asset_id.clone())
    }
}

impl Audit {
    /// Reads the next account's inventory if it is time. Reports items that are missing and resolves those that are back.
    pub(crate) async fn audit_next_inventory(&mut self, context: &Context, pass: &mut Pass) -> EngineResult {
        let now = context.mark();
        if !context.holds_inventory()
            || !is_due(self.inventories.looked_at.as_ref(), now, context.timings().inventory_audit_interval)
        {
            return Ok(());
        }
        self.inventories.looked_at = Some(now);
        let turn = self.inventories.turn;
        self.inventories.turn = turn.wrapping_add(1);
        let Some(account) = account_in_turn(&context.desk().accounts, turn, |_| true).cloned() else { return Ok(()) };
        let items = account_items(context, &account).await?;
        let Some(snapshot) = read_snapshot(context, &account, &items).await? else { return Ok(()) };
        let known: BTreeSet<AssetId> = items.iter().map(|item| item.value.current_asset_id().clone()).collect();
        let (missing, held): (Vec<_>, Vec<_>) =
            items.into_iter().partition(|item| item.value.status == ItemStatus::Missing);
        let mut lost = Vec::new();
        for item in missing {
            match snapshot.found(&item.value, &known) {
                Some(event) => pass.record_error(context.apply_item_event(&item, event).await.map(drop)),
                None => lost.push(item),
            }
        }
        let absent = self.inventories.absent_items(&account.name, held, &snapshot);
        let lately = context.now().plus(-context.timings().trade_lookback);
        // No trade that begins now can explain what has been missing for longer.
        lost.retain(|item| item.value.updated_at >= lately.plus(-LONGEST_HOLD));
        if absent.is_empty() && lost.is_empty() {
            return Ok(());
        }
        let trades = context.desk().platform.trades(account.address.user, lately.plus(-LONGEST_HOLD)).await?;
        let trades = Trades { all: &trades, lately };
        for item in lost {
            follow_by_trades(context, &item, &trades, pass).await;
        }
        report_missing(context, absent, &trades, pass).await;
        Ok(())
    }
}

/// Returns the open items of an account.
async fn account_items(context: &Context, account: &TradingAccount) -> EngineResult<Vec<Versioned<InventoryItem>>> {
    let (workspace_id, mut found, mut after) = (context.desk().workspace_id, Vec::new(), None);
    loop {
        let ask = ItemsOfAccount { workspace_id, account_name: account.name.clone(), after, most: ITEM_PAGE };
        let slice = context.operations().items_of_account(context.caller(), ask).await?;
        let is_last = slice.len() < ITEM_PAGE as usize;
        after = slice.last().map(|last| last.value.id);
        found.extend(slice);
        if is_last {
            return Ok(found);
        }
    }
}

/// What the account has of the games of these items; `None` unless all of it was shown.
async fn read_snapshot(
    context: &Context,
    account: &TradingAccount,
    items: &[Versioned<InventoryItem>],
) -> EngineResult<Option<InventorySnapshot>> {
    let apps: BTreeSet<AppId> = items.iter().map(|item| item.value.app_id).collect();
    let (mut assets, mut seen_at, mark) = (Vec::new(), None, context.mark());
    for app_id in apps {
        let protected = (app_id.protection_days() > 0).then_some(ContextId::PROTECTED);
        // What changes its context between two reads is seen in the later one.
        for context_id in protected.into_iter().chain([ContextId::ORDINARY]) {
            let shown = context.desk().platform.inventory(account.address.user, app_id, context_id).await?;
            if !shown.is_complete {
                return Ok(None);
            }
            assets.extend(shown.assets);
            seen_at = seen_at.or(Some(shown.seen_at));
        }
    }
    Ok(seen_at.map(|seen_at| InventorySnapshot { assets, seen_at, mark }))
}

impl InventoryAudit {
    /// Those of the items that have not been there for long enough, and since when by the time that the snapshot shows.
    fn absent_items(
        &mut self,
        account: &AccountName,
        held: Vec<Versioned<InventoryItem>>,
        snapshot: &InventorySnapshot,
    ) -> Vec<AbsentItem> {
        let absent_since = self.absent_since.entry(account.clone()).or_default();
        let (before, mut absent) = (std::mem::take(absent_since), Vec::new());
        for item in held {
            let is_there = snapshot.has(item.value.app_id, item.value.current_asset_id());
            if !is_there && item.value.status.can_go_missing() {
                let since = before.get(&item.value.id).copied().unwrap_or(snapshot.mark);
                absent_since.insert(item.value.id, since);
                let absent_for = snapshot.mark.since(since);
                if absent_for >= ABSENCE_SPACING {
                    let last_absent_at = snapshot.seen_at;
                    absent.push(AbsentItem { item, first_absent_at: last_absent_at.plus(-absent_for), last_absent_at });
                }
            }
        }
        absent
    }
}

/// An item that two readings of its inventory did not show.
#[derive(Debug, PartialEq, Eq)]
struct AbsentItem {
    item: Versioned<InventoryItem>,
    first_absent_at: Timestamp,
    last_absent_at: Timestamp,
}

/// The trades of an account.
struct Trades<'t> {
    /// Since the longest hold began that can end now, the oldest first.
    all: &'t [Trade],
    /// From this time on a trade explains that an item left the desk.
    lately: Timestamp,
}

impl Trades<'_> {
    fn explain(&self, context: &Context, item: &InventoryItem) -> bool {
        // No account of the desk is the buyer of an item.
        let explains = |trade: &Trade| {
            let is_own = context.receiver_of(trade, item).is_some();
            !is_own && trade.started_at >= self.lately && explains_absence(trade, item)
        };
        self.all.iter().any(|trade| explains(trade) || context.is_under_way(trade, item))
    }
}

async fn report_missing(context: &Context, absent: Vec<AbsentItem>, trades: &Trades<'_>, pass: &mut Pass) {
    for AbsentItem { item, first_absent_at, last_absent_at } in absent {
        // First of all, since the trade that reverses a transfer is one of these, too.
        if follow_by_trades(context, &item, trades, pass).await || trades.explain(context, &item.value) {
            continue;
        }
        let went = context.apply_item_event(&item, ItemEvent::WentMissing { first_absent_at, last_absent_at }).await;
        pass.record_error(went.map(drop));
    }
}

/// Follows an item by the latest trade that gave it, if that was with another account of the desk; whether that is new. A trade that is on
/// record was followed before.
async fn follow_by_trades(
    context: &Context,
    item: &Versioned<InventoryItem>,
    trades: &Trades<'_>,
    pass: &mut Pass,
) -> bool {
    // Of those that gave it under this id only the latest says where it is: an earlier one gave it, and it came back.
    let Some(trade) = trades.all.iter().rev().find(|trade| given(trade, &item.value).is_some()) else { return false };
    match context.apply_own_trade(item, trade).await {
        Ok(is_new) => is_new,
        // It is reported as missing then, and followed again as long as it is.
        Err(error) => {
            pass.record_error(Err(error));
            false
        }
    }
}

/// Returns whether a known trade explains a missing item: a reversal of its purchase, or the trade with its buyer. A trade that the platform
/// could not roll back explains nothing.
fn explains_absence(trade: &Trade, item: &InventoryItem) -> bool {
    let is_ours = trade.rollback_of.is_some() || item.status == ItemStatus::Delivering;
    is_ours && given(trade, item).is_some() && !trade.status.is_stuck()
}

#[cfg(test)]
mod tests {
    use super::*;
    use tradepost_domain::asset::Wear;
    use tradepost_domain::contracts::inventory_item::Traits;
    use tradepost_domain::trading::trade::TradeStatus;
    use tradepost_testkit::samples::{minute, text};

    use crate::samples::{asset, asset_id, item, moved, trade};

    fn snapshot(assets: Vec<Asset>, minutes: i64) -> InventorySnapshot {
        let mark = Mark::START.plus(Duration::minutes(minutes));
        InventorySnapshot { assets, seen_at: minute(minutes), mark }
    }

    /// A missing item with a wear, and an asset that is like it.
    fn worn(id: &str) -> (InventoryItem, Asset) {
        let traits = Traits { wear: Wear::new("0.2512").ok(), paint_seed: Some(412), ..Traits::default() };
        let mut parts = item(ItemStatus::Missing).value.into_parts();
        parts.traits = traits.clone();
        (InventoryItem::restore(parts).unwrap(), Asset { traits, ..asset(id) })
    }

    fn found(item: &InventoryItem, assets: Vec<Asset>, known: &[AssetId]) -> Option<AssetId> {
        snapshot(assets, 0).find(item, &known.iter().cloned().collect())
    }

    fn absent(audit: &mut InventoryAudit, assets: Vec<Asset>, minutes: i64) -> usize {
        let held = vec![item(ItemStatus::InInventory)];
        audit.absent_items(&text("trader-1"), held, &snapshot(assets, minutes)).len()
    }

    fn given_in(trade: Trade) -> Trade {
        Trade { given: vec![moved()], ..trade }
    }

    #[test]
    fn a_missing_item_is_found_under_its_own_id() {
        let missing = item(ItemStatus::Missing).value;
        assert_eq!(found(&missing, vec![asset("7")], &[]), Some(asset_id("7")));
        let seen = AssetEvidence {
            asset_id: asset_id("7"),
            source_id: ExternalId::from(minute(0).as_micros().unsigned_abs()),
        };
        let event = snapshot(vec![asset("7")], 0).found(&missing, &BTreeSet::new());
        assert_eq!(event, Some(ItemEvent::Found { seen }));
    }

    #[test]
    fn a_missing_item_is_found_as_the_only_one_like_it_that_no_other_item_has() {
        let (missing, like) = worn("9");
        assert_eq!(found(&missing, vec![like.clone()], &[]), Some(asset_id("9")));
        assert_eq!(found(&missing, vec![like.clone()], &[asset_id("9")]), None);
        assert_eq!(found(&missing, vec![like, worn("10").1], &[]), None, "it may be either");
    }

    #[test]
    fn an_asset_of_another_name_or_without_a_wear_is_no_missing_item() {
        let (missing, like) = worn("9");
        assert_eq!(found(&missing, vec![Asset { market_hash_name: text("Glove Case"), ..like }], &[]), None);
        assert_eq!(found(&item(ItemStatus::Missing).value, vec![asset("9")], &[]), None);
    }

    #[test]
    fn an_item_is_absent_after_two_readings_far_enough_apart() {
        let (mut audit, spacing) = (InventoryAudit::default(), ABSENCE_SPACING.whole_minutes());
        assert_eq!([0, spacing - 1, spacing].map(|at| absent(&mut audit, Vec::new(), at)), [0, 0, 1]);
    }

    #[test]
    fn an_item_that_was_there_in_between_is_not_absent() {
        let (mut audit, spacing) = (InventoryAudit::default(), ABSENCE_SPACING.whole_minutes());
        assert_eq!(absent(&mut audit, Vec::new(), 0), 0);
        assert_eq!(absent(&mut audit, vec![asset("7")], 1), 0);
        assert_eq!(absent(&mut audit, Vec::new(), spacing), 0);
    }

    #[test]
    fn the_times_of_an_absence_follow_the_clock_of_the_platform() {
        let (mut audit, spacing) = (InventoryAudit::default(), ABSENCE_SPACING.whole_minutes());
        let held = || vec![item(ItemStatus::InInventory)];
        audit.absent_items(&text("trader-1"), held(), &snapshot(Vec::new(), 0));
        let later = InventorySnapshot { seen_at: minute(500), ..snapshot(Vec::new(), spacing) };
        let absent = audit.absent_items(&text("trader-1"), held(), &later);
        let (first_absent_at, last_absent_at) = (minute(500 - spacing), minute(500));
        let [item] = held().try_into().unwrap();
        assert_eq!(absent, [AbsentItem { item, first_absent_at, last_absent_at }]);
    }

    #[test]
    fn a_reversal_that_gave_the_item_explains_its_absence() {
        let reversal = Trade { rollback_of: Some(text("trade-0")), ..trade(TradeStatus::Complete) };
        let kept = item(ItemStatus::InInventory).value;
        assert!(explains_absence(&given_in(reversal.clone()), &kept));
        assert!(!explains_absence(&reversal, &kept), "it gave another item");
    }

    #[test]
    fn the_trade_with_its_buyer_explains_the_absence_of_an_item() {
        let given = given_in(trade(TradeStatus::InEscrow));
        assert!(explains_absence(&given, &item(ItemStatus::Delivering).value));
        assert!(!explains_absence(&given, &item(ItemStatus::InInventory).value));
    }

    #[test]
    fn a_trade_that_could_not_be_rolled_back_explains_nothing() {
        let stuck = given_in(trade(TradeStatus::RollbackFailed));
        assert!(!explains_absence(&stuck, &item(ItemStatus::Delivering).value));
    }
}
