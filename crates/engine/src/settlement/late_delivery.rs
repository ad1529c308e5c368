//! Detects items that arrive after their purchase has failed, or its refund or write-off, and further parts of a refund. No step of a pass
//! follows such purchases, so they are checked separately for some days.

use std::collections::{BTreeMap, BTreeSet};

use time::Duration;
use tradepost_domain::asset::AssetId;
use tradepost_domain::contracts::purchase::{Purchase, PurchaseEvent, PurchaseStatus};
use tradepost_domain::contracts::remediation::{Evidence, RemediationKind};
use tradepost_domain::id::PurchaseId;
use tradepost_domain::money::Cents;
use tradepost_domain::text::{AccountName, ExternalId};
use tradepost_domain::time::Timestamp;
use tradepost_domain::trading::trade::TradeStatus;
use tradepost_domain::transition::Subject;
use tradepost_operations::contracts::{FindInventoryItemByAssetID, ListPurchases, WantedPurchases};
use tradepost_operations::{Code, Versioned};
use tradepost_ports::external::ExternalError;
use tradepost_ports::game_platform::{MovedAsset, Trade};
use tradepost_ports::marketplace::{MarketOrder, OrderStatus};

use crate::context::Context;
use crate::desk::TradingAccount;
use crate::desk::currency::OurOrder;
use crate::error::EngineResult;
use crate::mark::Mark;
use crate::mark::is_due;
use crate::pass::Pass;
use crate::settlement::Settlement;
use crate::timings::PAGE;
use crate::turns::Turns;

/// Where purchases end whose items may come all the same.
const CLOSED_WITHOUT_ITEM: [PurchaseStatus; 3] =
    [PurchaseStatus::Failed, PurchaseStatus::Refunded, PurchaseStatus::WrittenOff];

/// When such items were last looked for, and how far each account was looked through.
#[derive(Debug, Default)]
pub(crate) struct LateDeliveries {
    looked_at: Option<Mark>,
    /// Whether accounts are left that were not looked through since then.
    is_unfinished: bool,
    turns: Turns<AccountName>,
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

/// Returns the step of a purchase whose marketplace has paid back more than the part of the refund that is on record.
fn added_refund(purchase: &Purchase, order: &OurOrder) -> Option<PurchaseEvent> {
    let is_more = order.status == OrderStatus::Refunded && order.refunded > purchase.progress.refunded;
    is_more.then_some(PurchaseEvent::RefundAdded { total: order.refunded })
}

/// What an asset of a trade means for purchases that have ended without their items.
#[derive(Debug, PartialEq, Eq)]
enum TradeEffect<'a> {
    /// Nothing: it belongs to another purchase, or has failed.
    Nothing,
    /// Maybe an item, later.
    Undecided,
    /// An item under this id, of one of these purchases if no record has it: the one whose very asset it is comes first.
    Item { asset_id: &'a AssetId, candidates: Vec<&'a Purchase> },
}

impl<'a> TradeEffect<'a> {
    fn of(ended: &'a [Purchase], trade: &Trade, moved: &'a MovedAsset, backdating: Duration) -> Self {
        let is_like = |purchase: &&Purchase| {
            purchase.terms.market_hash_name == moved.market_hash_name
                && purchase.created_at.plus(-backdating) <= trade.started_at
        };
        let mut candidates: Vec<&Purchase> = ended.iter().filter(is_like).collect();
        if candidates.is_empty() || matches!(trade.status, TradeStatus::Failed | TradeStatus::EscrowRollback) {
            return Self::Nothing;
        }
        let Some((_, asset_id)) = &moved.moved_to else { return Self::Undecided };
        candidates.sort_by_key(|purchase| purchase.terms.listing_asset_id != moved.asset_id);
        Self::Item { asset_id, candidates }
    }
}

/// What shows whether a trade belongs to the order of a purchase.
#[derive(Debug, PartialEq, Eq)]
enum DeliveryProof<'a> {
    /// The partner, who is the seller or not; or nothing, so that it does not.
    Known(bool),
    /// The offer that delivers the order. A marketplace that has items in custody names no seller.
    Offer(&'a ExternalId),
}

impl<'a> DeliveryProof<'a> {
    fn of(purchase: &'a Purchase, order: Option<&'a MarketOrder>, trade: &Trade) -> Self {
        if let Some(seller) = order.and_then(|order| order.seller) {
            return Self::Known(seller == trade.partner);
        }
        let named = order.and_then(|order| order.trade_offer_id.as_ref());
        named.or(purchase.progress.trade_offer_id.as_ref()).map_or(Self::Known(false), Self::Offer)
    }
}

/// Whether a trade can bring items and gives nothing for them: neither a reversal nor an exchange.
fn only_receives(trade: &Trade) -> bool {
    trade.rollback_of.is_none() && trade.given.is_empty()
}

impl Settlement {
    /// Looks for items of purchases that have ended without them, if it is time.
    pub(crate) async fn find_late_deliveries(&mut self, context: &Context, pass: &mut Pass) -> EngineResult {
        let (now, late) = (context.mark(), &mut self.late_deliveries);
        let begins = is_due(late.looked_at.as_ref(), now, context.timings().late_delivery_interval);
        if begins {
            late.looked_at = Some(now);
        } else if !late.is_unfinished {
            return Ok(());
        }
        let mut ended: BTreeMap<AccountName, Vec<Purchase>> = BTreeMap::new();
        for purchase in recently_closed(context).await? {
            if begins && has_more_to_come(&purchase.value) {
                pass.record_error(follow_refund(context, &purchase).await);
            }
            let purchase = purchase.value;
            if purchase.was_traded() {
                continue;
            }
            ended.entry(purchase.terms.account_name.clone()).or_default().push(purchase);
        }
        late.looks.retain(|name, _| ended.contains_key(name));
        let is_left = |(name, _): &(AccountName, Vec<Purchase>)| late.turns.last(name).copied() < late.looked_at;
        let left: Vec<_> = ended.into_iter().filter(is_left).collect();
        let mut left = late.turns.in_turn(left, |(name, _)| name, context.time_slice());
        for (name, purchases) in left.by_ref() {
            late.turns.note(name.clone(), context.mark());
            let Some(account) = context.desk().account(&name).cloned() else { continue };
            // What is not looked through to its end is looked through from the beginning the next time.
            let look = late.looks.remove(&name).unwrap_or_default();
            let looked = scan_account(context, &account, &purchases, look);
            match context.track_session(&name, looked).await {
                Ok(look) => drop(late.looks.insert(name, look)),
                Err(error) => pass.record_error(Err(error)),
            }
        }
        late.is_unfinished = !left.left().is_empty();
        Ok(())
    }
}

/// Purchases that have lately failed, or ended with a refund or a loss, where this node works.
async fn recently_closed(context: &Context) -> EngineResult<Vec<Versioned<Purchase>>> {
    let (workspace_id, since, mut ended) =
        (context.desk().workspace_id, context.now().plus(-context.timings().late_delivery_watch), Vec::new());
    for status in CLOSED_WITHOUT_ITEM {
        let mut cursor = String::new();
        loop {
            let list = ListPurchases {
                workspace_id,
                limit: PAGE,
                cursor,
                contract_id: None,
                status: Some(status),
                wanted: WantedPurchases::default(),
            };
            let page = context.operations().list_purchases(context.caller(), list).await?;
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
    match added_refund(&purchase.value, &order) {
        Some(event) => context.apply_purchase_event(purchase, event).await.map(drop),
        None => Ok(()),
    }
}

/// Reports the items that trades have brought to an account for such purchases, and resolves those that were returned.
async fn scan_account(
    context: &Context,
    account: &TradingAccount,
    ended: &[Purchase],
    look: TradeScan,
) -> EngineResult<TradeScan> {
    let Some(since) = look.since(ended, context.timings().trade_backdating) else { return Ok(look) };
    let (now, user) = (context.now(), account.address.user);
    let mut trades = context.desk().platform.trades(user, since).await?;
    let read: BTreeSet<ExternalId> = trades.iter().map(|trade| trade.id.clone()).collect();
    for earlier in look.open.difference(&read) {
        match context.desk().platform.trade(user, earlier).await {
            Err(ExternalError::Rejected(_)) => {}
            trade => trades.push(trade?),
        }
    }
    let reversed: BTreeSet<&ExternalId> = trades.iter().filter_map(|trade| trade.rollback_of.as_ref()).collect();
    let mut open = BTreeSet::new();
    for trade in trades.iter().filter(|trade| only_receives(trade)) {
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
        let (asset_id, candidates) = match TradeEffect::of(ended, trade, moved, context.timings().trade_backdating) {
            TradeEffect::Nothing => continue,
            TradeEffect::Undecided => {
                is_open = true;
                continue;
            }
            TradeEffect::Item { asset_id, candidates } => (asset_id, candidates),
        };
        if is_known_asset(context, asset_id.to_string()).await? {
            resolve_received(context, moved, &candidates).await?;
            continue;
        }
        let Some(purchase_id) = delivered_purchase(context, trade, moved, candidates).await? else { continue };
        let is_there = !is_reversed && moved.returned_as.is_none();
        let evidence = Evidence { shown_by: Some(trade.id.clone()), ..Evidence::default() };
        let problem = (RemediationKind::LateDelivery, Subject::Purchase(purchase_id));
        context
            .report_problem(problem, context.timings().late_delivery_report_after, is_there.then_some(evidence))
            .await?;
        is_open |= is_there;
    }
    Ok(is_open)
}

/// Resolves what was reported of a purchase whose very asset is in the inventory since: by its order, or by another purchase.
async fn resolve_received(context: &Context, moved: &MovedAsset, candidates: &[&Purchase]) -> EngineResult {
    for purchase in candidates.iter().filter(|purchase| purchase.terms.listing_asset_id == moved.asset_id) {
        let problem = (RemediationKind::LateDelivery, Subject::Purchase(purchase.terms.id));
        context.report_problem(problem, Duration::ZERO, None).await?;
    }
    Ok(())
}

/// For which of these purchases an item came: the very asset that was listed, or one of its name that delivers the same order. A failed trade
/// gives an item a new asset id, and so does a marketplace that has it in custody.
async fn delivered_purchase(
    context: &Context,
    trade: &Trade,
    moved: &MovedAsset,
    candidates: Vec<&Purchase>,
) -> EngineResult<Option<PurchaseId>> {
    for purchase in candidates {
        if purchase.terms.listing_asset_id == moved.asset_id || delivers(context, trade, purchase).await? {
            return Ok(Some(purchase.terms.id));
        }
    }
    Ok(None)
}

async fn delivers(context: &Context, trade: &Trade, purchase: &Purchase) -> EngineResult<bool> {
    let terms = &purchase.terms;
    let Some(bought) = &purchase.progress.order else { return Ok(false) };
    let order = match context.venue(&terms.marketplace)?.marketplace.order(&bought.id).await {
        Err(ExternalError::Rejected(_)) => None,
        order => Some(order?),
    };
    let offer_id = match DeliveryProof::of(purchase, order.as_ref(), trade) {
        DeliveryProof::Known(delivers) => return Ok(delivers),
        DeliveryProof::Offer(offer_id) => offer_id,
    };
    let account = context.account(&terms.account_name)?.address.user;
    match context.desk().platform.offer(account, offer_id).await {
        Err(ExternalError::Rejected(_)) => Ok(false),
        offer => Ok(offer?.trade_id.as_ref() == Some(&trade.id)),
    }
}

/// Whether an item of the workspace has this asset id, or had it.
async fn is_known_asset(context: &Context, asset_id: String) -> EngineResult<bool> {
    let find = FindInventoryItemByAssetID { workspace_id: context.desk().workspace_id, asset_id };
    match context.operations().find_inventory_item_by_asset_id(context.caller(), find).await {
        Err(refusal) if refusal.code == Code::NotFound => Ok(false),
        Err(refusal) => Err(refusal.into()),
        Ok(_) => Ok(true),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tradepost_testkit::samples::{minute, start, text};

    use crate::samples::{asset_id, cents, moved, order, partner, purchase, trade_in};

    fn ended() -> Purchase {
        purchase(PurchaseStatus::Refunded)
    }

    fn effect<'a>(ended: &'a [Purchase], trade: &Trade, moved: &'a MovedAsset) -> TradeEffect<'a> {
        TradeEffect::of(ended, trade, moved, Duration::minutes(10))
    }

    fn venue_order() -> MarketOrder {
        MarketOrder {
            id: text("order-1"),
            key: None,
            listing_id: text("listing-1"),
            asset_id: None,
            seller: None,
            price: tradepost_domain::money::VenueCents::ZERO,
            fee: tradepost_domain::money::VenueCents::ZERO,
            status: OrderStatus::Refunded,
            trade_offer_id: None,
            deliver_by: None,
            refunded: tradepost_domain::money::VenueCents::ZERO,
        }
    }

    #[test]
    fn a_further_part_of_a_refund_is_added_once() {
        let total = |refunded| OurOrder { refunded: cents(refunded), ..order(OrderStatus::Refunded) };
        let added = PurchaseEvent::RefundAdded { total: cents(1_300) };
        assert_eq!(added_refund(&ended(), &total(1_300)), Some(added));
        assert_eq!(added_refund(&ended(), &total(1_220)), None, "it is on record");
        let open = OurOrder { refunded: cents(1_300), ..order(OrderStatus::Reverted) };
        assert_eq!(added_refund(&ended(), &open), None, "it is not paid back yet");
    }

    #[test]
    fn a_received_asset_of_the_same_name_may_be_a_late_delivery() {
        let (ended, moved) = ([ended()], moved());
        let item = TradeEffect::Item { asset_id: &asset_id("8"), candidates: vec![&ended[0]] };
        assert_eq!(effect(&ended, &trade_in(TradeStatus::Complete), &moved), item);
    }

    #[test]
    fn an_asset_of_another_name_or_of_an_earlier_trade_is_no_late_delivery() {
        let other = MovedAsset { market_hash_name: text("Glove Case"), ..moved() };
        assert_eq!(effect(&[ended()], &trade_in(TradeStatus::Complete), &other), TradeEffect::Nothing);
        let at = |at| Trade { started_at: at, ..trade_in(TradeStatus::Complete) };
        assert_eq!(effect(&[ended()], &at(start().plus(-Duration::minutes(11))), &moved()), TradeEffect::Nothing);
        assert_ne!(effect(&[ended()], &at(start().plus(-Duration::minutes(10))), &moved()), TradeEffect::Nothing);
    }

    #[test]
    fn a_failed_trade_is_no_late_delivery() {
        for status in [TradeStatus::Failed, TradeStatus::EscrowRollback] {
            assert_eq!(effect(&[ended()], &trade_in(status), &moved()), TradeEffect::Nothing);
        }
    }

    #[test]
    fn a_trade_whose_asset_has_no_new_id_yet_is_undecided() {
        let in_transit = MovedAsset { moved_to: None, ..moved() };
        assert_eq!(effect(&[ended()], &trade_in(TradeStatus::InEscrow), &in_transit), TradeEffect::Undecided);
    }

    #[test]
    fn the_purchase_of_the_very_asset_is_the_first_candidate() {
        let mut parts = ended().into_parts();
        parts.terms.listing_asset_id = asset_id("6");
        let (ended, moved) = ([Purchase::restore(parts).unwrap(), ended()], moved());
        let item = TradeEffect::Item { asset_id: &asset_id("8"), candidates: vec![&ended[1], &ended[0]] };
        assert_eq!(effect(&ended, &trade_in(TradeStatus::Complete), &moved), item);
    }

    #[test]
    fn a_trade_with_the_seller_delivers_the_order() {
        let by = |seller| MarketOrder { seller: Some(seller), ..venue_order() };
        let (ended, trade) = (ended(), trade_in(TradeStatus::Complete));
        assert_eq!(DeliveryProof::of(&ended, Some(&by(partner())), &trade), DeliveryProof::Known(true));
        let other = tradepost_domain::trading::trade::PlatformUserId::new(std::num::NonZeroU64::MAX);
        assert_eq!(DeliveryProof::of(&ended, Some(&by(other)), &trade), DeliveryProof::Known(false));
    }

    #[test]
    fn the_offer_of_an_order_without_a_seller_decides_and_the_marketplace_names_it_first() {
        let (mut parts, trade) = (ended().into_parts(), trade_in(TradeStatus::Complete));
        parts.progress.trade_offer_id = Some(text("recorded"));
        let recorded = Purchase::restore(parts).unwrap();
        let named = MarketOrder { trade_offer_id: Some(text("named")), ..venue_order() };
        assert_eq!(DeliveryProof::of(&recorded, Some(&named), &trade), DeliveryProof::Offer(&text("named")));
        assert_eq!(DeliveryProof::of(&recorded, None, &trade), DeliveryProof::Offer(&text("recorded")));
        assert_eq!(DeliveryProof::of(&ended(), None, &trade), DeliveryProof::Known(false));
    }

    #[test]
    fn reversals_and_exchanges_bring_no_late_delivery() {
        assert!(only_receives(&trade_in(TradeStatus::Complete)));
        assert!(!only_receives(&Trade { rollback_of: Some(text("trade-0")), ..trade_in(TradeStatus::Complete) }));
        assert!(!only_receives(&Trade { given: vec![moved()], ..trade_in(TradeStatus::Complete) }));
    }

    #[test]
    fn trades_are_read_from_the_last_look_on_unless_a_purchase_is_new() {
        let backdating = Duration::minutes(10);
        let known = TradeScan {
            purchases: BTreeSet::from([ended().terms.id]),
            until: Some(minute(500)),
            open: BTreeSet::new(),
        };
        assert_eq!(known.since(&[ended()], backdating), Some(minute(490)));
        let first = TradeScan::default();
        assert_eq!(first.since(&[ended()], backdating), Some(minute(-10)), "since it was made");
        assert_eq!(first.since(&[], backdating), None);
    }

    #[test]
    fn more_can_come_after_a_partial_refund_only() {
        assert!(!has_more_to_come(&ended()));
        let mut parts = ended().into_parts();
        parts.progress.refunded = cents(1_000);
        assert!(has_more_to_come(&Purchase::restore(parts).unwrap()));
        assert!(!has_more_to_come(&purchase(PurchaseStatus::WrittenOff)));
    }
}
