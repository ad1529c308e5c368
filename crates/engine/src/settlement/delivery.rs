//! From a paid order to the item in our inventory: the seller's offer, the trade, and what is owed when it does not come.
//! `delivery_decisions` decides each step.

use futures::FutureExt as _;
use time::Duration;
use tradepost_domain::contracts::inventory_item::Traits;
use tradepost_domain::contracts::purchase::{Purchase, PurchaseEvent, PurchaseStatus};
use tradepost_domain::contracts::remediation::{Evidence, RemediationKind};
use tradepost_domain::money::Cents;
use tradepost_domain::text::MarketHashName;
use tradepost_domain::trading::trade_offer::OfferOwner;
use tradepost_domain::transition::Subject;
use tradepost_operations::Versioned;
use tradepost_operations::contracts::ReceiveItem;
use tradepost_ports::external::ExternalError;
use tradepost_ports::game_platform::{Acceptance, Asset, Offer, PlatformRefusal, Trade};
use tradepost_ports::marketplace::{OrderStatus, WithdrawRequest};

use crate::context::Context;
use crate::context::trade_offers::SeenOffer;
use crate::desk::currency::OurOrder;
use crate::desk::{TradingAccount, Venue};
use crate::error::{EngineError, EngineResult, known_deal};
use crate::pass::Pass;
use crate::settlement::delivery_decisions::{
    DeliveryReport, OfferMatch, OfferStep, OrderStep, PaidPurchase, PlatformView, SellerStep, TradeStep,
    is_purchased_item, is_refund_final, is_reversed_by_any, unknown_order_report,
};

/// A purchase that was paid, with what the marketplace says of it.
struct PendingDelivery {
    purchase: Versioned<Purchase>,
    venue: Venue,
    account: TradingAccount,
    order: OurOrder,
}

impl PendingDelivery {
    fn paid(&self) -> PaidPurchase<'_> {
        PaidPurchase::new(&self.purchase.value, &self.order, self.venue.marketplace.traits().custody)
    }
}

/// Follows a batch of the paid purchases in each status until their item is ours or the money is back.
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
            let patience = context.timings().delivery_overdue_after;
            let report = unknown_order_report(&purchase.value, &bought.id, context.now(), patience);
            report_delivery(context, &purchase.value, report).await?;
            return Err(ExternalError::Rejected(refusal).into());
        }
        order => order?,
    };
    let known = known_deal(&order.id, order.status);
    follow_order(context, PendingDelivery { purchase, venue, account, order }).await?;
    known
}

async fn follow_order(context: &Context, delivery: PendingDelivery) -> EngineResult {
    let patience = context.timings().delivery_overdue_after;
    match delivery.paid().order_step(context.now(), patience) {
        OrderStep::BookRefund(amount) => return book_refund(context, &delivery.purchase, amount).await,
        OrderStep::ReportDue(report) => return report_delivery(context, &delivery.purchase.value, report).await,
        OrderStep::ReadPlatform => {}
    }
    let (name, is_back) = (delivery.account.name.clone(), delivery.order.status == OrderStatus::Refunded);
    let paid_back = is_back.then(|| (delivery.purchase.clone(), delivery.order.refunded));
    let followed = context.track_session(&name, check_platform(context, delivery)).await;
    // What the marketplace has not paid back is in no balance, whatever the platform would show.
    let Some((purchase, amount)) = paid_back else { return followed.map_err(EngineError::if_no_money_received) };
    if is_refund_final(&purchase.value, amount, &followed, context.now(), patience) {
        return book_refund(context, &purchase, amount).await;
    }
    followed
}

async fn book_refund(context: &Context, purchase: &Versioned<Purchase>, amount: Cents) -> EngineResult {
    context.apply_purchase_event(purchase, PurchaseEvent::RefundBooked { amount }).await.map(drop)
}

async fn check_platform(context: &Context, delivery: PendingDelivery) -> EngineResult {
    let sight = read_platform(context, &delivery).await;
    let patience = context.timings().delivery_overdue_after;
    let report = delivery.paid().report(sight.as_ref(), context.now(), patience);
    report_delivery(context, &delivery.purchase.value, report).await?;
    match sight? {
        PlatformView::Trade(trade) => handle_trade(context, &delivery, &trade).await,
        PlatformView::Offer(offer) => match delivery.paid().offer_step(&offer) {
            OfferStep::Compare => accept_or_decline(context, delivery, offer).await,
            OfferStep::Wait => Ok(()),
            OfferStep::Absent => handle_no_offer(context, &delivery).await,
        },
        PlatformView::Absent => handle_no_offer(context, &delivery).await,
    }
}

/// Reports a purchase that is paid and not delivered once that has lasted, and resolves the problem when it has not.
async fn report_delivery(context: &Context, purchase: &Purchase, report: DeliveryReport) -> EngineResult {
    let (lasting, shown) = match report {
        DeliveryReport::Unchanged => return Ok(()),
        DeliveryReport::Resolved => (Duration::ZERO, None),
        DeliveryReport::Overdue { shown_by, lasting } => {
            (lasting, Some(Evidence { shown_by: Some(shown_by), ..Evidence::default() }))
        }
    };
    let problem = (RemediationKind::PaidNotDelivered, Subject::Purchase(purchase.terms.id));
    context.report_problem(problem, lasting, shown).await
}

async fn read_platform(context: &Context, delivery: &PendingDelivery) -> EngineResult<PlatformView> {
    let account = delivery.account.address.user;
    if let Some(trade_id) = &delivery.purchase.value.progress.trade_id {
        return Ok(PlatformView::Trade(context.desk().platform.trade(account, trade_id).await?));
    }
    let Some(offer_id) = delivery.paid().offer_id() else { return Ok(PlatformView::Absent) };
    let offer = match context.desk().platform.offer(account, offer_id).await {
        Err(ExternalError::Rejected(PlatformRefusal::NotFound)) => return Ok(PlatformView::Absent),
        offer => offer?,
    };
    let owner = OfferOwner::Purchase(delivery.purchase.value.terms.id);
    let trade = match &offer.trade_id {
        Some(trade_id) => Some(context.desk().platform.trade(account, trade_id).await?),
        None => None,
    };
    context.record_offer(&delivery.account, SeenOffer::new(&offer, trade.as_ref()), owner).await?;
    Ok(trade.map_or_else(|| PlatformView::Offer(offer), PlatformView::Trade))
}

async fn handle_no_offer(context: &Context, delivery: &PendingDelivery) -> EngineResult {
    match delivery.paid().seller_step(context.now()) {
        SellerStep::Apply(event) => context.apply_purchase_event(&delivery.purchase, event).await.map(drop),
        SellerStep::Withdraw if context.may_trade(&delivery.account.name) => withdraw_bought(delivery).await,
        SellerStep::Withdraw | SellerStep::Wait => Ok(()),
    }
}

/// Has the marketplace send what is in its custody. The order was read just before, and is on record: whatever
/// becomes of the answer, the next look shows whether it is in custody still, and a marketplace sends it once.
async fn withdraw_bought(delivery: &PendingDelivery) -> EngineResult {
    let (key, order_id) = (delivery.purchase.value.terms.order_key(), delivery.order.id.clone());
    let request = WithdrawRequest { key, order_id, deliver_to: delivery.account.address.clone() };
    Ok(delivery.venue.marketplace.withdraw(&request).await?)
}

/// Accepts an offer that gives what was bought and asks for nothing, and declines any other.
async fn accept_or_decline(context: &Context, mut delivery: PendingDelivery, offer: Offer) -> EngineResult {
    let account = delivery.account.address.user;
    if !matches_purchase(&delivery, &offer).await? {
        context.desk().platform.decline(account, &offer.id).await?;
        return Err(EngineError::OfferMismatch(offer.id.to_string()));
    }
    if delivery.purchase.value.status == PurchaseStatus::Paid {
        let seen = PurchaseEvent::OfferSeen { trade_offer_id: offer.id.clone(), asks_for_ours: false };
        delivery.purchase = context.apply_purchase_event(&delivery.purchase, seen).await?;
    }
    if !context.may_trade(&delivery.account.name) {
        return Ok(());
    }
    match context.desk().platform.accept(account, &offer.id).await? {
        Acceptance::Begun { trade_id } => {
            let trade = context.desk().platform.trade(account, &trade_id).await?;
            handle_trade(context, &delivery, &trade).await
        }
        Acceptance::NeedsConfirmation => Ok(()),
    }
}

async fn matches_purchase(delivery: &PendingDelivery, offer: &Offer) -> EngineResult<bool> {
    match delivery.paid().offer_match(offer) {
        OfferMatch::Matches => Ok(true),
        OfferMatch::Differs => Ok(false),
        OfferMatch::ByTraits { offered, origin } => {
            Ok(is_purchased_item(&listed_traits(delivery).await?, offered, origin))
        }
    }
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

async fn handle_trade(context: &Context, delivery: &PendingDelivery, trade: &Trade) -> EngineResult {
    context.note_trade(&delivery.account.name, trade);
    match delivery.paid().trade_step(trade) {
        TradeStep::Receive => receive_item(context, delivery, trade).await,
        TradeStep::Apply(event) => context.apply_purchase_event(&delivery.purchase, event).await.map(drop),
        TradeStep::Absent => handle_no_offer(context, delivery).await,
        TradeStep::Wait => Ok(()),
    }
}

/// Returns the refund of an item that is ours: nothing shows that the item went back for it.
async fn unearned_refund(context: &Context, delivery: &PendingDelivery, trade: &Trade) -> EngineResult<Option<Cents>> {
    let Some(amount) = delivery.paid().refund_despite(trade) else { return Ok(None) };
    let since = trade.started_at.plus(-context.timings().trade_backdating);
    let later = context.desk().platform.trades(delivery.account.address.user, since).await?;
    Ok(Some(amount).filter(|_| !is_reversed_by_any(trade, &later)))
}

/// Receives the item, unless the money is back as well: then the refund is booked, and the item reported as a late delivery.
async fn receive_item(context: &Context, delivery: &PendingDelivery, trade: &Trade) -> EngineResult {
    if let Some(amount) = unearned_refund(context, delivery, trade).await? {
        return book_refund(context, &delivery.purchase, amount).await;
    }
    let Some((moved, context_id, asset_id)) = delivery.paid().received_asset(trade) else { return Ok(()) };
    let command = ReceiveItem {
        workspace_id: context.desk().workspace_id,
        purchase_id: delivery.purchase.value.terms.id,
        trade_id: trade.id.to_string(),
        asset_id: asset_id.to_string(),
        protected_until: trade.protected_until.unwrap_or(trade.started_at),
        app_id: moved.app_id,
        context_id,
        traits: item_traits(context, delivery, &moved.market_hash_name).await?,
        expected_version: Some(delivery.purchase.version),
    };
    context.operations().receive_item(context.caller(), command).await?;
    Ok(())
}

/// Returns what distinguishes the item from others of its name, as the offer showed it.
async fn item_traits(context: &Context, delivery: &PendingDelivery, name: &MarketHashName) -> EngineResult<Traits> {
    let Some(offer_id) = delivery.paid().offer_id() else { return Ok(Traits::default()) };
    let shown = match context.desk().platform.offer(delivery.account.address.user, offer_id).await {
        Err(ExternalError::Rejected(PlatformRefusal::NotFound)) => return Ok(Traits::default()),
        offer => offer?.receive,
    };
    let asset: Option<Asset> = shown.into_iter().find(|asset| asset.market_hash_name == *name);
    Ok(asset.map(|asset| asset.traits).unwrap_or_default())
}
