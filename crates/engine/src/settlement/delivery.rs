//! From a paid order to the item in our inventory: the seller's offer, the trade, and what is owed when it does not come.

use futures::FutureExt as _;
use time::Duration;
use tradepost_domain::asset::AssetId;
use tradepost_domain::contracts::inventory_item::Traits;
use tradepost_domain::contracts::purchase::{FailureCode, Purchase, PurchaseEvent, PurchaseStatus};
use tradepost_domain::contracts::remediation::{Evidence, RemediationKind};
use tradepost_domain::money::Cents;
use tradepost_domain::text::{ExternalId, MarketHashName};
use tradepost_domain::time::Timestamp;
use tradepost_domain::trading::trade::{OfferStatus, TradeStatus};
use tradepost_domain::trading::trade_offer::OfferOwner;
use tradepost_domain::transition::Subject;
use tradepost_operations::Versioned;
use tradepost_operations::contracts::ReceiveItem;
use tradepost_ports::external::ExternalError;
use tradepost_ports::game_platform::{Acceptance, Asset, MovedAsset, Offer, PlatformRefusal, Trade};
use tradepost_ports::marketplace::{OrderStatus, WithdrawRequest};

use crate::context::Context;
use crate::desk::currency::OurOrder;
use crate::desk::{TradingAccount, Venue};
use crate::error::{EngineError, EngineResult, known_deal};
use crate::orders::submission::idempotency_key;
use crate::pass::Pass;
use crate::settlement::item_match::{Origin, is_purchased_item};
use crate::settlement::trade_offers::SeenOffer;

/// A purchase that was paid, with what the marketplace says of it.
struct PendingDelivery {
    purchase: Versioned<Purchase>,
    venue: Venue,
    account: TradingAccount,
    order: OurOrder,
}

/// What the game platform shows of a delivery.
enum PlatformView {
    /// The trade that was begun.
    Trade(Trade),
    /// The offer, not accepted yet.
    Offer(Offer),
    /// Neither.
    Absent,
}

impl PlatformView {
    /// Returns whether a held trade was released: the item is ours, or with its owner again.
    fn ends_hold(&self) -> bool {
        let Self::Trade(trade) = self else { return false };
        match trade.status {
            TradeStatus::Complete
            | TradeStatus::ProtectionRollback
            | TradeStatus::PartialSupportRollback
            | TradeStatus::FullSupportRollback
            | TradeStatus::SelectiveSupportRollback => trade.received.iter().any(|moved| moved.moved_to.is_some()),
            TradeStatus::EscrowRollback | TradeStatus::Failed => true,
            TradeStatus::InEscrow
            | TradeStatus::RollbackFailed
            | TradeStatus::RollbackAbandoned
            | TradeStatus::Init
            | TradeStatus::PreCommitted
            | TradeStatus::Committed
            | TradeStatus::Unknown(_) => false,
        }
    }
}

impl PendingDelivery {
    fn status(&self) -> PurchaseStatus {
        self.purchase.value.status
    }

    /// The offer that the marketplace takes for the delivery, or took when we saw one.
    fn offer_id(&self) -> Option<&ExternalId> {
        self.order.trade_offer_id.as_ref().or(self.purchase.value.progress.trade_offer_id.as_ref())
    }

    /// Until when the item is to be sent. Of what is in custody: from when on we can have it.
    fn due_by(&self) -> Timestamp {
        let in_custody =
            if let OrderStatus::InCustody { withdrawable_at } = self.order.status { withdrawable_at } else { None };
        self.order.deliver_by.or(in_custody).unwrap_or(self.purchase.value.updated_at)
    }

    /// How long the delivery has to be overdue before that is reported. When an item left custody shows nowhere, unless the order has a
    /// deadline: then it counts from the first time that it is seen to have left.
    fn grace(&self, patience: Duration) -> Duration {
        let left_custody = self.venue.marketplace.traits().custody && self.order.deliver_by.is_none();
        if left_custody && self.purchase.value.status == PurchaseStatus::Paid { patience } else { Duration::ZERO }
    }

    /// The id that the item had when it was listed.
    fn asset_id(&self) -> &AssetId {
        self.order.asset_id.as_ref().unwrap_or(&self.purchase.value.terms.listing_asset_id)
    }

    /// Whether we are left without item and money for longer than we should: the deadline of the seller is over and the order goes
    /// on, the platform holds the trade beyond its time or for a marketplace that has given it up, or the refund does not come.
    fn is_overdue(&self, now: Timestamp, sight: Option<&PlatformView>, patience: Duration) -> bool {
        let purchase = &self.purchase.value;
        match purchase.status {
            PurchaseStatus::Paid | PurchaseStatus::Offered => {
                self.marketplace_failure().is_none() && now > self.due_by().plus(patience)
            }
            PurchaseStatus::TradeHeld => {
                let until = purchase.progress.held_until.unwrap_or(purchase.updated_at);
                !sight.is_some_and(PlatformView::ends_hold)
                    && (self.marketplace_failure().is_some() || now > until.plus(patience))
            }
            PurchaseStatus::RefundPending => {
                let is_back = self.order.status == OrderStatus::Refunded;
                self.is_zero_refund() || (!is_back && now > purchase.updated_at.plus(patience))
            }
            PurchaseStatus::Reverted => self.is_zero_refund(),
            PurchaseStatus::Pending
            | PurchaseStatus::Submitted
            | PurchaseStatus::Uncertain
            | PurchaseStatus::Traded
            | PurchaseStatus::Settled
            | PurchaseStatus::Failed
            | PurchaseStatus::Cancelled
            | PurchaseStatus::Refunded
            | PurchaseStatus::WrittenOff => false,
        }
    }

    /// Whether the marketplace says that the money is back, and has kept all of it.
    fn is_zero_refund(&self) -> bool {
        self.order.status == OrderStatus::Refunded && self.order.refunded == Cents::ZERO
    }

    /// Why the marketplace gave it up, if it did.
    const fn marketplace_failure(&self) -> Option<FailureCode> {
        match self.order.status {
            OrderStatus::Failed(code) => Some(code),
            // It ended unobserved.
            OrderStatus::Refunded => Some(FailureCode::CancelledByMarketplace),
            OrderStatus::AwaitingCommit
            | OrderStatus::AwaitingSeller
            | OrderStatus::InCustody { .. }
            | OrderStatus::Offered
            | OrderStatus::Delivered
            | OrderStatus::Settled
            | OrderStatus::Reverted
            | OrderStatus::Other(_) => None,
        }
    }
}

pub(crate) async fn process_deliveries(context: &mut Context, pass: &mut Pass) -> EngineResult {
    let waiting = [
        PurchaseStatus::Paid,
        PurchaseStatus::Offered,
        PurchaseStatus::TradeHeld,
        PurchaseStatus::RefundPending,
        PurchaseStatus::Reverted,
    ];
    for status in waiting {
        let purchases = context.next_purchases(status).await?;
        let follow = |purchase: Versioned<Purchase>| {
            let place = Some(purchase.value.terms.marketplace.clone());
            process_delivery(context, purchase).map(|result| (place, result))
        };
        pass.record_results(context.run_concurrently(purchases.into_iter().map(follow)).await);
    }
    Ok(())
}

async fn process_delivery(context: &Context, purchase: Versioned<Purchase>) -> EngineResult {
    let terms = &purchase.value.terms;
    let (venue, account) = (context.venue(&terms.marketplace)?, context.account(&terms.account_name)?);
    let Some(bought) = &purchase.value.progress.order else { return Ok(()) };
    let order = match venue.with_rate(terms.exchange_rate).order(&bought.id).await {
        Err(ExternalError::Rejected(refusal)) => {
            if unknown_for_too_long(&purchase.value, context.now(), context.timings.delivery_overdue_after) {
                report_undelivered(context, &purchase.value, Duration::ZERO, Some(&bought.id)).await?;
            }
            return Err(ExternalError::Rejected(refusal).into());
        }
        order => order?,
    };
    let known = known_deal(&order.id, order.status);
    follow_order(context, PendingDelivery { purchase, venue, account, order }).await?;
    known
}

async fn follow_order(context: &Context, delivery: PendingDelivery) -> EngineResult {
    let is_owed = matches!(delivery.status(), PurchaseStatus::RefundPending | PurchaseStatus::Reverted);
    if is_owed && delivery.order.status == OrderStatus::Refunded && !delivery.is_zero_refund() {
        let amount = delivery.order.refunded;
        return context
            .apply_purchase_event(&delivery.purchase, PurchaseEvent::RefundBooked { amount })
            .await
            .map(drop);
    }
    if delivery.status() == PurchaseStatus::Reverted {
        let shown = Some(&delivery.order.id)
            .filter(|_| delivery.is_overdue(context.now(), None, context.timings.delivery_overdue_after));
        return report_undelivered(context, &delivery.purchase.value, Duration::ZERO, shown).await;
    }
    let (name, is_back) = (delivery.account.name.clone(), delivery.order.status == OrderStatus::Refunded);
    let paid_back = is_back.then(|| (delivery.purchase.clone(), delivery.order.refunded));
    let followed = context.track_session(&name, Box::pin(check_platform(context, delivery))).await;
    // What the marketplace has not paid back is in no balance, whatever the platform would show.
    let Some((purchase, amount)) = paid_back else { return followed.map_err(EngineError::if_no_money_received) };
    let is_unread = matches!(followed, Err(EngineError::Platform(ExternalError::AuthLost { .. })));
    // Whether the item came is unknown. The money did; the item is late if it appears.
    if is_unread
        && amount != Cents::ZERO
        && unknown_for_too_long(&purchase.value, context.now(), context.timings.delivery_overdue_after)
    {
        return context.apply_purchase_event(&purchase, PurchaseEvent::RefundBooked { amount }).await.map(drop);
    }
    followed
}

async fn check_platform(context: &Context, delivery: PendingDelivery) -> EngineResult {
    let sight = read_platform(context, &delivery).await;
    report_if_undelivered(context, &delivery, sight.as_ref()).await?;
    match sight? {
        PlatformView::Trade(trade) => handle_trade(context, delivery, &trade).await,
        // After a refund the item is not accepted.
        PlatformView::Offer(_) if delivery.order.status == OrderStatus::Refunded => {
            handle_no_offer(context, &delivery).await
        }
        PlatformView::Offer(offer) => handle_offer(context, delivery, offer).await,
        PlatformView::Absent => handle_no_offer(context, &delivery).await,
    }
}

/// Reports a paid purchase that is neither delivered in time nor refunded, or is stuck between its owners. While the platform does not
/// answer, an earlier report stays open.
async fn report_if_undelivered(
    context: &Context,
    delivery: &PendingDelivery,
    sight: Result<&PlatformView, &EngineError>,
) -> EngineResult {
    let (purchase, now) = (&delivery.purchase.value, context.now());
    let patience = context.timings.delivery_overdue_after;
    let stuck = match sight {
        Ok(PlatformView::Trade(trade)) if trade.status.is_stuck() => Some(&trade.id),
        Ok(PlatformView::Trade(_) | PlatformView::Offer(_) | PlatformView::Absent) | Err(_) => None,
    };
    let is_refused = matches!(sight, Err(EngineError::Platform(ExternalError::Rejected(_))));
    let is_overdue =
        delivery.is_overdue(now, sight.ok(), patience) || (is_refused && unknown_for_too_long(purchase, now, patience));
    let shown = stuck.or(Some(&delivery.order.id).filter(|_| is_overdue));
    if shown.is_none() && sight.is_err() {
        return Ok(());
    }
    let lasting = if stuck.is_some() { Duration::ZERO } else { delivery.grace(patience) };
    report_undelivered(context, purchase, lasting, shown).await
}

/// Reports a purchase that is paid and not delivered once that has lasted, and resolves the problem when it has not.
async fn report_undelivered(
    context: &Context,
    purchase: &Purchase,
    lasting: Duration,
    shown_by: Option<&ExternalId>,
) -> EngineResult {
    let shown = shown_by.map(|id| Evidence { shown_by: Some(id.clone()), ..Evidence::default() });
    let problem = (RemediationKind::PaidNotDelivered, Subject::Purchase(purchase.terms.id));
    context.report_problem(problem, lasting, shown).await
}

async fn read_platform(context: &Context, delivery: &PendingDelivery) -> EngineResult<PlatformView> {
    let account = delivery.account.address.user;
    if let Some(trade_id) = &delivery.purchase.value.progress.trade_id {
        return Ok(PlatformView::Trade(context.desk.platform.trade(account, trade_id).await?));
    }
    let Some(offer_id) = delivery.offer_id() else { return Ok(PlatformView::Absent) };
    let offer = match context.desk.platform.offer(account, offer_id).await {
        Err(ExternalError::Rejected(PlatformRefusal::NotFound)) => return Ok(PlatformView::Absent),
        offer => offer?,
    };
    let owner = OfferOwner::Purchase(delivery.purchase.value.terms.id);
    let trade = match &offer.trade_id {
        Some(trade_id) => Some(context.desk.platform.trade(account, trade_id).await?),
        None => None,
    };
    context.record_offer(&delivery.account, SeenOffer { offer: &offer, trade: trade.as_ref() }, owner).await?;
    Ok(trade.map_or_else(|| PlatformView::Offer(offer), PlatformView::Trade))
}

/// No offer, no trade: the seller still has to deliver, or never will.
async fn handle_no_offer(context: &Context, delivery: &PendingDelivery) -> EngineResult {
    let event = match (delivery.status(), delivery.marketplace_failure()) {
        (PurchaseStatus::Paid | PurchaseStatus::Offered, Some(code)) => PurchaseEvent::DeliveryFailed(code),
        (PurchaseStatus::Offered, None) => PurchaseEvent::OfferLost,
        (PurchaseStatus::Paid, None) => return withdraw_bought(context, delivery).await,
        _ => return Ok(()),
    };
    context.apply_purchase_event(&delivery.purchase, event).await.map(drop)
}

/// Has the marketplace send what is in its custody, once it can be withdrawn. The order was read just before, and is on record: whatever
/// becomes of the answer, the next look shows whether it is in custody still, and a marketplace sends it once.
async fn withdraw_bought(context: &Context, delivery: &PendingDelivery) -> EngineResult {
    let OrderStatus::InCustody { withdrawable_at } = delivery.order.status else { return Ok(()) };
    if withdrawable_at.is_some_and(|at| at > context.now()) {
        return Ok(());
    }
    let (key, order_id) = (idempotency_key(&delivery.purchase.value), delivery.order.id.clone());
    let request = WithdrawRequest { key, order_id, deliver_to: delivery.account.address.clone() };
    Ok(delivery.venue.marketplace.withdraw(&request).await?)
}

async fn handle_offer(context: &Context, delivery: PendingDelivery, offer: Offer) -> EngineResult {
    match offer.status {
        OfferStatus::Active => accept_or_decline(context, delivery, offer).await,
        OfferStatus::Accepted | OfferStatus::InEscrow | OfferStatus::NeedsConfirmation | OfferStatus::Unknown(_) => {
            Ok(())
        }
        OfferStatus::Invalid
        | OfferStatus::Countered
        | OfferStatus::Expired
        | OfferStatus::Cancelled
        | OfferStatus::Declined
        | OfferStatus::InvalidItems
        | OfferStatus::CancelledBySecondFactor => handle_no_offer(context, &delivery).await,
    }
}

/// Accepts an offer that gives what was bought and asks for nothing, and declines any other.
async fn accept_or_decline(context: &Context, mut delivery: PendingDelivery, offer: Offer) -> EngineResult {
    if offer.give.is_empty() && offer.receive.is_empty() {
        // The platform does not show the items at present. What is not seen is not accepted.
        return Ok(());
    }
    let account = delivery.account.address.user;
    if !matches_purchase(&delivery, &offer).await? {
        context.desk.platform.decline(account, &offer.id).await?;
        return Err(EngineError::OfferMismatch(offer.id.to_string()));
    }
    if delivery.status() == PurchaseStatus::Paid {
        let seen = PurchaseEvent::OfferSeen { trade_offer_id: offer.id.clone(), asks_for_ours: false };
        delivery.purchase = context.apply_purchase_event(&delivery.purchase, seen).await?;
    }
    match context.desk.platform.accept(account, &offer.id).await? {
        Acceptance::Begun { trade_id } => {
            let trade = context.desk.platform.trade(account, &trade_id).await?;
            handle_trade(context, delivery, &trade).await
        }
        Acceptance::NeedsConfirmation => Ok(()),
    }
}

async fn matches_purchase(delivery: &PendingDelivery, offer: &Offer) -> EngineResult<bool> {
    let order = &delivery.order;
    let [given] = offer.receive.as_slice() else { return Ok(false) };
    // Where the marketplace does not name the seller it has named this very offer, or it would not have been looked at.
    let is_sellers = order.seller.is_none_or(|seller| seller == offer.partner);
    let is_from_seller = is_sellers && !offer.is_ours && offer.give.is_empty();
    let is_named = given.market_hash_name == delivery.purchase.value.terms.market_hash_name;
    if !is_from_seller || !is_named || given.asset_id == *delivery.asset_id() {
        return Ok(is_from_seller && is_named);
    }
    let is_in_custody = order.seller.is_none() && delivery.venue.marketplace.traits().custody;
    let origin = if is_in_custody { Origin::Custody } else { Origin::Seller };
    Ok(is_purchased_item(&listed_traits(delivery).await?, &given.traits, origin))
}

/// Returns what the listing showed of the item: as recorded with the purchase, or as the marketplace shows the listing now.
async fn listed_traits(delivery: &PendingDelivery) -> EngineResult<Traits> {
    let recorded = delivery.purchase.value.terms.traits.as_ref();
    if recorded.wear.is_some() {
        return Ok(recorded.clone());
    }
    let listing = delivery.venue.marketplace.listing(&delivery.order.listing_id).await?;
    Ok(listing.map(|listing| Traits::from(&listing.offered)).unwrap_or_default())
}

async fn handle_trade(context: &Context, delivery: PendingDelivery, trade: &Trade) -> EngineResult {
    let (is_held, is_given_up) =
        (delivery.status() == PurchaseStatus::TradeHeld, delivery.marketplace_failure().is_some());
    let event = match trade.status {
        // An item that was returned later was received first, and its chain shows both.
        TradeStatus::Complete
        | TradeStatus::ProtectionRollback
        | TradeStatus::PartialSupportRollback
        | TradeStatus::FullSupportRollback
        | TradeStatus::SelectiveSupportRollback => return receive_item(context, delivery, trade).await,
        TradeStatus::InEscrow if is_held => return Ok(()),
        TradeStatus::InEscrow => {
            let held_until = trade.held_until.unwrap_or(trade.started_at);
            PurchaseEvent::TradeHeld { trade_id: trade.id.clone(), held_until }
        }
        TradeStatus::EscrowRollback | TradeStatus::Failed if is_held => PurchaseEvent::HoldRolledBack,
        TradeStatus::EscrowRollback => PurchaseEvent::DeliveryFailed(FailureCode::EscrowRolledBack),
        // The items are with their owners again, and the seller sends another offer.
        TradeStatus::Failed => return handle_no_offer(context, &delivery).await,
        // Neither side has the item, and it never comes: that counts once the marketplace reports it as well.
        TradeStatus::RollbackFailed | TradeStatus::RollbackAbandoned if is_given_up => {
            if !is_held {
                return handle_no_offer(context, &delivery).await;
            }
            PurchaseEvent::HoldRolledBack
        }
        TradeStatus::RollbackFailed
        | TradeStatus::RollbackAbandoned
        | TradeStatus::Init
        | TradeStatus::PreCommitted
        | TradeStatus::Committed
        | TradeStatus::Unknown(_) => return Ok(()),
    };
    if delivery.status() == PurchaseStatus::RefundPending {
        return Ok(());
    }
    context.apply_purchase_event(&delivery.purchase, event).await.map(drop)
}

/// Whether the money is back of an item that is ours: nothing shows that the item went back for it.
async fn is_refunded(context: &Context, delivery: &PendingDelivery, trade: &Trade) -> EngineResult<bool> {
    let is_back = delivery.order.status == OrderStatus::Refunded && !delivery.is_zero_refund();
    if !is_back || trade.status != TradeStatus::Complete {
        return Ok(false);
    }
    // As long as a trade can be reversed, only the one that took it back says so.
    let later = context
        .desk
        .platform
        .trades(delivery.account.address.user, trade.started_at.plus(-context.timings.trade_backdating))
        .await?;
    Ok(!later.iter().any(|later| later.rollback_of.as_ref() == Some(&trade.id)))
}

/// Receives the item, unless the money is back as well: then the refund is booked, and the item reported as a late delivery. Until the
/// platform shows its new id, it waits.
async fn receive_item(context: &Context, delivery: PendingDelivery, trade: &Trade) -> EngineResult {
    if is_refunded(context, &delivery, trade).await? {
        let amount = delivery.order.refunded;
        return context
            .apply_purchase_event(&delivery.purchase, PurchaseEvent::RefundBooked { amount })
            .await
            .map(drop);
    }
    let is_it = |moved: &&MovedAsset| {
        moved.asset_id == *delivery.asset_id()
            || moved.market_hash_name == delivery.purchase.value.terms.market_hash_name
    };
    let Some(moved) = trade.received.iter().find(is_it) else { return Ok(()) };
    let Some((context_id, asset_id)) = &moved.moved_to else { return Ok(()) };
    let command = ReceiveItem {
        workspace_id: context.desk.workspace_id,
        purchase_id: delivery.purchase.value.terms.id,
        trade_id: trade.id.to_string(),
        asset_id: asset_id.to_string(),
        protected_until: trade.protected_until.unwrap_or(trade.started_at),
        app_id: moved.app_id,
        context_id: *context_id,
        traits: item_traits(context, &delivery, &moved.market_hash_name).await?,
        expected_version: Some(delivery.purchase.version),
    };
    context.operations.receive_item(&context.caller, command).await?;
    Ok(())
}

/// Returns what distinguishes the item from others of its name, as the offer showed it.
async fn item_traits(context: &Context, delivery: &PendingDelivery, name: &MarketHashName) -> EngineResult<Traits> {
    let Some(offer_id) = delivery.offer_id() else { return Ok(Traits::default()) };
    let shown = match context.desk.platform.offer(delivery.account.address.user, offer_id).await {
        Err(ExternalError::Rejected(PlatformRefusal::NotFound)) => return Ok(Traits::default()),
        offer => offer?.receive,
    };
    let asset: Option<Asset> = shown.into_iter().find(|asset| asset.market_hash_name == *name);
    Ok(asset.map(|asset| asset.traits).unwrap_or_default())
}

/// Returns whether a purchase is in its status for so long that a marketplace or a platform which does not know its order or its trade
/// is not only slow.
fn unknown_for_too_long(purchase: &Purchase, now: Timestamp, patience: Duration) -> bool {
    now > purchase.updated_at.plus(patience)
}
