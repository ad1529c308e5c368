//! Detects items that arrive after their refund or write-off, and further parts of a refund. No step of a pass follows such purchases, so they
//! are checked separately for some days.

use std::collections::{BTreeMap, BTreeSet};

use time::Duration;
use tradepost_domain::contracts::purchase::{Purchase, PurchaseEvent, PurchaseStatus};
use tradepost_domain::contracts::remediation::{Evidence, RemediationKind};
use tradepost_domain::id::PurchaseId;
use tradepost_domain::money::Cents;
use tradepost_domain::text::{AccountName, ExternalId};
use tradepost_domain::time::Timestamp;
use tradepost_domain::trading::trade::TradeStatus;
use tradepost_domain::transition::Subject;
use tradepost_operations::contracts::{FindInventoryItemByAssetID, ListPurchases};
use tradepost_operations::{Code, Versioned};
use tradepost_ports::external::ExternalError;
use tradepost_ports::game_platform::{MovedAsset, Trade};
use tradepost_ports::marketplace::OrderStatus;

use crate::context::Context;
use crate::desk::TradingAccount;
use crate::error::EngineResult;
use crate::mark::Mark;
use crate::market::marketplace_terms::is_due;
use crate::open_records::PAGE;
use crate::pass::Pass;
use crate::settlement::Settlement;

/// Where purchases end whose items may come all the same.
const CLOSED_WITHOUT_ITEM: [PurchaseStatus; 2] = [PurchaseStatus::Refunded, PurchaseStatus::WrittenOff];

/// When such items were last looked for, and how far each account was looked through.
#[derive(Debug, Default)]
pub(crate) struct LateDeliveries {
    looked_at: Option<Mark>,
    looks: BTreeMap<AccountName, TradeScan>,
}

/// How far the trades of an account were looked through.
#[derive(Debug, Default)]
struct TradeScan {
    /// For which purchases, back to when each was made.
    purchases: BTreeSet<PurchaseId>,
    /// Up to when.
    until: Option<Timestamp>,
    /// Those that may bring an item yet, or have and may take it back.
    open: BTreeSet<ExternalId>,
}

impl TradeScan {
    /// From when on trades have to be looked through, for purchases of which some may be new.
    fn since(&self, ended: &[Purchase], backdating: Duration) -> Option<Timestamp> {
        let new = ended.iter().filter(|purchase| !self.purchases.contains(&purchase.terms.id));
        let since = new.map(|purchase| purchase.created_at).chain(self.until).min();
        since.map(|since| since.plus(-backdating))
    }
}

/// Whether the marketplace has paid back a part, so that more may come.
fn has_more_to_come(purchase: &Purchase) -> bool {
    purchase.status == PurchaseStatus::Refunded && purchase.unrefunded() > Cents::ZERO
}

/// What a trade does for purchases that have ended without their items.
enum TradeEffect {
    /// Nothing: it belongs to another purchase, has failed, or its item is recorded.
    Nothing,
    /// Maybe an item, later.
    Undecided,
    /// The item of this one.
    ItemOf(PurchaseId),
}

impl Settlement {
    /// Looks for items of purchases that have ended without them, if it is time.
    pub(crate) async fn find_late_deliveries(&mut self, context: &Context, pass: &mut Pass) -> EngineResult {
        let now = context.mark();
        if !is_due(self.late_deliveries.looked_at.as_ref(), now, context.timings.late_delivery_interval) {
            return Ok(());
        }
        self.late_deliveries.looked_at = Some(now);
        let mut ended: BTreeMap<AccountName, Vec<Purchase>> = BTreeMap::new();
        for purchase in recently_closed(context).await? {
            if has_more_to_come(&purchase.value) {
                pass.record_error(follow_refund(context, &purchase).await);
            }
            let purchase = purchase.value;
            if purchase.was_traded() {
                continue;
            }
            ended.entry(purchase.terms.account_name.clone()).or_default().push(purchase);
        }
        // What is not looked through to its end is looked through from the beginning the next time.
        let mut looks = std::mem::take(&mut self.late_deliveries.looks);
        for (name, purchases) in ended {
            let Some(account) = context.desk.account(&name).cloned() else { continue };
            let look = looks.remove(&name).unwrap_or_default();
            let looked = scan_account(context, &account, &purchases, look);
            match context.track_session(&name, looked).await {
                Ok(look) => drop(self.late_deliveries.looks.insert(name, look)),
                Err(error) => pass.record_error(Err(error)),
            }
        }
        Ok(())
    }
}

/// Purchases that have lately ended with a refund or a loss, where this node works.
async fn recently_closed(context: &Context) -> EngineResult<Vec<Versioned<Purchase>>> {
    let (workspace_id, since, mut ended) =
        (context.desk.workspace_id, context.now().plus(-context.timings.late_delivery_watch), Vec::new());
    for status in CLOSED_WITHOUT_ITEM {
        let mut cursor = String::new();
        loop {
            let list = ListPurchases { workspace_id, limit: PAGE, cursor, contract_id: None, status: Some(status) };
            let page = context.operations.list_purchases(&context.caller, list).await?;
            let known = ended.len();
            let read = context.purchases_by_id(page.entries).await?.into_iter();
            ended.extend(read.filter(|purchase| purchase.value.updated_at >= since));
            cursor = page.next_cursor;
            // The newest come first: what was made before a whole page that has ended long ago has as well.
            if cursor.is_empty() || ended.len() == known {
                break;
            }
        }
    }
    ended.retain(|purchase| context.holds_marketplace(&purchase.value.terms.marketplace));
    Ok(ended)
}

/// Books what a marketplace has paid back beyond the part of a refund that is on record.
async fn follow_refund(context: &Context, purchase: &Versioned<Purchase>) -> EngineResult {
    let terms = &purchase.value.terms;
    let Some(bought) = &purchase.value.progress.order else { return Ok(()) };
    let order = context.venue(&terms.marketplace)?.with_rate(terms.exchange_rate).order(&bought.id).await?;
    if order.status != OrderStatus::Refunded || order.refunded <= purchase.value.progress.refunded {
        return Ok(());
    }
    context.apply_purchase_event(purchase, PurchaseEvent::RefundAdded { total: order.refunded }).await.map(drop)
}

/// Reports the items that trades have brought to an account for such purchases, and resolves those that were returned.
async fn scan_account(
    context: &Context,
    account: &TradingAccount,
    ended: &[Purchase],
    look: TradeScan,
) -> EngineResult<TradeScan> {
    let Some(since) = look.since(ended, context.timings.trade_backdating) else { return Ok(look) };
    let (now, user) = (context.now(), account.address.user);
    let mut trades = context.desk.platform.trades(user, since).await?;
    let read: BTreeSet<ExternalId> = trades.iter().map(|trade| trade.id.clone()).collect();
    for earlier in look.open.difference(&read) {
        match context.desk.platform.trade(user, earlier).await {
            Err(ExternalError::Rejected(_)) => {}
            trade => trades.push(trade?),
        }
    }
    let reversed: BTreeSet<&ExternalId> = trades.iter().filter_map(|trade| trade.rollback_of.as_ref()).collect();
    let mut open = BTreeSet::new();
    for trade in trades.iter().filter(|trade| trade.rollback_of.is_none() && trade.given.is_empty()) {
        let is_reversed = reversed.contains(&trade.id);
        if report_late_delivery(context, ended, trade, is_reversed).await? {
            open.insert(trade.id.clone());
        }
    }
    let purchases = ended.iter().map(|purchase| purchase.terms.id).collect();
    Ok(TradeScan { purchases, until: Some(now), open })
}

/// Reports the effect of a trade on such purchases. Returns whether the trade has to be checked again.
async fn report_late_delivery(
    context: &Context,
    ended: &[Purchase],
    trade: &Trade,
    is_reversed: bool,
) -> EngineResult<bool> {
    let mut is_open = false;
    for moved in &trade.received {
        let purchase_id = match trade_effect(context, ended, trade, moved).await? {
            TradeEffect::Nothing => continue,
            TradeEffect::Undecided => {
                is_open = true;
                continue;
            }
            TradeEffect::ItemOf(purchase_id) => purchase_id,
        };
        let is_there = !is_reversed && moved.returned_as.is_none();
        let evidence = Evidence { shown_by: Some(trade.id.clone()), ..Evidence::default() };
        let problem = (RemediationKind::LateDelivery, Subject::Purchase(purchase_id));
        context
            .report_problem(problem, context.timings.late_delivery_report_after, is_there.then_some(evidence))
            .await?;
        is_open |= is_there;
    }
    Ok(is_open)
}

/// For which of these purchases an item came that no record has: the very asset that was listed, or one of its name that delivers the same
/// order. A failed trade gives an item a new asset id, and so does a marketplace that has it in custody.
async fn trade_effect(
    context: &Context,
    ended: &[Purchase],
    trade: &Trade,
    moved: &MovedAsset,
) -> EngineResult<TradeEffect> {
    let is_like = |purchase: &&Purchase| {
        purchase.terms.market_hash_name == moved.market_hash_name
            && purchase.created_at.plus(-context.timings.trade_backdating) <= trade.started_at
    };
    let mut like: Vec<&Purchase> = ended.iter().filter(is_like).collect();
    if like.is_empty() || matches!(trade.status, TradeStatus::Failed | TradeStatus::EscrowRollback) {
        return Ok(TradeEffect::Nothing);
    }
    let Some((_, asset_id)) = &moved.moved_to else { return Ok(TradeEffect::Undecided) };
    if is_known_asset(context, asset_id.to_string()).await? {
        return Ok(TradeEffect::Nothing);
    }
    like.sort_by_key(|purchase| purchase.terms.listing_asset_id != moved.asset_id);
    for purchase in like {
        let terms = &purchase.terms;
        if terms.listing_asset_id == moved.asset_id {
            return Ok(TradeEffect::ItemOf(terms.id));
        }
        if delivers(context, trade, purchase).await? {
            return Ok(TradeEffect::ItemOf(terms.id));
        }
    }
    Ok(TradeEffect::Nothing)
}

/// Returns whether a trade belongs to the order of a purchase: its partner is the seller, or it came of the offer that delivers the order.
/// A marketplace that has items in custody names no seller.
async fn delivers(context: &Context, trade: &Trade, purchase: &Purchase) -> EngineResult<bool> {
    let (terms, recorded) = (&purchase.terms, purchase.progress.trade_offer_id.as_ref());
    let Some(bought) = &purchase.progress.order else { return Ok(false) };
    let order = match context.venue(&terms.marketplace)?.marketplace.order(&bought.id).await {
        Err(ExternalError::Rejected(_)) => None,
        order => Some(order?),
    };
    if let Some(seller) = order.as_ref().and_then(|order| order.seller) {
        return Ok(seller == trade.partner);
    }
    let Some(offer_id) = order.as_ref().and_then(|order| order.trade_offer_id.as_ref()).or(recorded) else {
        return Ok(false);
    };
    let account = context.account(&terms.account_name)?.address.user;
    match context.desk.platform.offer(account, offer_id).await {
        Err(ExternalError::Rejected(_)) => Ok(false),
        offer => Ok(offer?.trade_id.as_ref() == Some(&trade.id)),
    }
}

/// Whether an item of the workspace has this asset id, or had it.
async fn is_known_asset(context: &Context, asset_id: String) -> EngineResult<bool> {
    let find = FindInventoryItemByAssetID { workspace_id: context.desk.workspace_id, asset_id };
    match context.operations.find_inventory_item_by_asset_id(&context.caller, find).await {
        Err(refusal) if refusal.code == Code::NotFound => Ok(false),
        Err(refusal) => Err(refusal.into()),
        Ok(_) => Ok(true),
    }
}
