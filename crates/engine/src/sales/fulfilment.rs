//! Giving a sold item to its buyer: the offer that is sent once, its confirmation, the trade that comes of it.
//! `fulfilment_decisions` decides each step.

use time::Duration;
use tokio::time::Instant;
use tradepost_domain::contracts::chain::Source;
use tradepost_domain::contracts::inventory_item::InventoryItem;
use tradepost_domain::contracts::remediation::{Evidence, RemediationKind};
use tradepost_domain::id::TradeOfferId;
use tradepost_domain::time::Timestamp;
use tradepost_domain::trading::trade_offer::OfferOwner;
use tradepost_domain::transition::Subject;
use tradepost_operations::Versioned;
use tradepost_operations::contracts::AppendAssetIDLink;
use tradepost_operations::trading::SaleReading;
use tradepost_ports::external::ExternalError;
use tradepost_ports::game_platform::{NewOffer, Offer, Trade};
use tradepost_ports::marketplace::{AnnouncedOffer, Announcement};

use crate::context::Context;
use crate::context::confirming::Confirming;
use crate::context::problems::{Problem, ProblemSource, rejected_announcement};
use crate::context::steps::Step;
use crate::context::trade_offers::SeenOffer;
use crate::desk::currency::{OurSale, convert_sale};
use crate::desk::{TradingAccount, Venue};
use crate::error::EngineResult;
use crate::sales::Sales;
use crate::sales::fulfilment_decisions::{
    BuyerOffer, BuyerTradeStep, FulfilmentState, FulfilmentStep, PendingStep, SendStep, is_announcement_due,
    offers_to_buyer, rejection_lasting, search_from,
};
use crate::sales::held_deliveries;
use crate::sales::listing_lifecycle::cancel_sale;
use crate::sales::reported_sales::awaits_delivery;

/// A sale that was read so lately is not read again before its offer is confirmed.
const SALE_READ_LATELY: Duration = Duration::seconds(20);

impl Sales {
    /// Sends the offer, once; has it confirmed; and follows the trade.
    pub(crate) async fn fulfil_sale(
        &self,
        context: &Context,
        item: &Versioned<InventoryItem>,
        sale: &OurSale,
    ) -> EngineResult {
        let user = context.account(&item.value.account_name)?.address.user;
        let since = search_from(&item.value, sale, context.timings().marketplace_backdating);
        let mut delivery = fulfilment_state(context, item, sale, &context.offers_since(user, since).await?).await?;
        if delivery == FulfilmentState::NoOffer {
            // The cached read may be older than an offer in flight, so read again before sending. If the item was missing in between, an older
            // offer has not changed since `since`: search from the first recorded one.
            let since = context
                .first_offered_at(item.value.id)
                .await?
                .map_or(since, |at| since.min(at.plus(-context.timings().marketplace_backdating)));
            delivery =
                fulfilment_state(context, item, sale, &context.desk().platform.offers(user, since).await?).await?;
        }
        self.take_step(context, item, sale, delivery).await
    }

    /// Follows the trade that the platform holds.
    pub(crate) async fn check_held_trade(
        &self,
        context: &Context,
        item: &Versioned<InventoryItem>,
        sale: &OurSale,
    ) -> EngineResult {
        let since = search_from(&item.value, sale, context.timings().marketplace_backdating);
        self.check_offers_since(context, item, sale, since).await
    }

    /// Follows the offers of a missing item.
    pub(crate) async fn check_missing_item(
        &self,
        context: &Context,
        item: &Versioned<InventoryItem>,
        sale: &OurSale,
    ) -> EngineResult {
        let Some(offered_at) = context.first_offered_at(item.value.id).await? else { return Ok(()) };
        let since = offered_at.plus(-context.timings().marketplace_backdating);
        self.check_offers_since(context, item, sale, since).await
    }

    async fn check_offers_since(
        &self,
        context: &Context,
        item: &Versioned<InventoryItem>,
        sale: &OurSale,
        since: Timestamp,
    ) -> EngineResult {
        let user = context.account(&item.value.account_name)?.address.user;
        let delivery = fulfilment_state(context, item, sale, &context.offers_since(user, since).await?).await?;
        self.take_step(context, item, sale, delivery).await
    }

    async fn take_step(
        &self,
        context: &Context,
        item: &Versioned<InventoryItem>,
        sale: &OurSale,
        delivery: FulfilmentState,
    ) -> EngineResult {
        let account = context.account(&item.value.account_name)?;
        match delivery.step(item.value.status, sale) {
            FulfilmentStep::ApplyTrade(trade) => self.apply_trade(context, item, &trade, sale).await,
            FulfilmentStep::Cancel(offers) => {
                cancel_offers(context, &account, offers.iter().map(|(offer, _)| offer).collect()).await
            }
            FulfilmentStep::Confirm(offers) => self.confirm_pending(context, item, sale, &offers).await,
            FulfilmentStep::Send => self.send_or_release(context, item, &account, sale).await,
            FulfilmentStep::Wait => Ok(()),
        }
    }
}

impl Sales {
    /// Sends the offer, or releases the item if its sale is cancelled. Does nothing after the marketplace has rejected several, or while the
    /// platform would hold the item: an operator decides then.
    async fn send_or_release(
        &self,
        context: &Context,
        item: &Versioned<InventoryItem>,
        account: &TradingAccount,
        sale: &OurSale,
    ) -> EngineResult {
        let to = match SendStep::of(sale, context.may_be_in_flight(item.value.id).await?) {
            SendStep::Wait => return Ok(()),
            SendStep::Release => return cancel_sale(context, item, sale).await,
            SendStep::Send(to) => to,
        };
        let problem = rejection_problem(&item.value);
        if context.gives_nothing(&account.name)
            || context.is_problem_reported(problem, ProblemSource::Announcement)
            || context.was_just_cancelled(item.value.id).await?
            || held_deliveries::is_to_wait(context, &item.value, sale).await?
        {
            return Ok(());
        }
        let buyer = to.user;
        let offer =
            NewOffer { to, give: vec![item.value.current_asset_id().clone()], receive: Vec::new(), message: None };
        let sent = match context.send_offer(account, &item.value, buyer, &offer).await {
            // It is reported with the account. The sale waits until the account may give as much again.
            Err(error) if error.is_giving_limit() => return Ok(()),
            sent => sent?,
        };
        self.announce(context, item, sale, &sent).await?;
        let sale = self.sale_purpose(context, &item.value, sale).await?;
        context.confirm_offer(account, confirming(context, &item.value, &sent, sale)).await.map(drop)
    }

    /// Has an offer confirmed that waits for it, unless another is with the buyer by now: then it is one too many.
    async fn confirm_pending(
        &self,
        context: &Context,
        item: &Versioned<InventoryItem>,
        sale: &OurSale,
        offers: &[(Offer, TradeOfferId)],
    ) -> EngineResult {
        let account = context.account(&item.value.account_name)?;
        match PendingStep::of(offers) {
            PendingStep::Confirm(offer, id) => {
                self.announce(context, item, sale, offer).await?;
                let sale = self.sale_purpose(context, &item.value, sale).await?;
                let confirming = confirming(context, &item.value, offer, sale);
                confirm_or_cancel(context, &account, PendingOffer { offer, id }, confirming).await
            }
            PendingStep::Keep { offer, spare } => {
                cancel_offers(context, &account, spare).await?;
                self.announce(context, item, sale, offer).await
            }
            PendingStep::Nothing => Ok(()),
        }
    }

    /// The sale of an item as its marketplace shows it, which is read again unless it was read lately.
    async fn sale_purpose(
        &self,
        context: &Context,
        item: &InventoryItem,
        sale: &OurSale,
    ) -> EngineResult<Option<(SaleReading, Instant)>> {
        let Some(venue) = context.sale_venue(item) else { return Ok(None) };
        let age = self.reported.read_at(&venue.name).map(|at| context.now().since(at));
        let read = Instant::now();
        let (shown, age) = if let Some(age) = age.filter(|age| *age < SALE_READ_LATELY) {
            (Some(sale.clone()), age)
        } else {
            let shown = venue.marketplace.sales(sale.updated_at).await?;
            let shown = shown.into_iter().find(|shown| shown.id == sale.id);
            let conversion = item.sale_rate.into();
            (shown.map(|shown| convert_sale(conversion, shown)).transpose()?, Duration::ZERO)
        };
        let is_announced_before = venue.marketplace.traits().announcement == Announcement::BeforeConfirming;
        let reading = shown.map(|shown| SaleReading {
            age,
            is_open: awaits_delivery(&shown),
            deliver_by: Some(shown.deliver_by),
            deliver_to: shown.deliver_to.map(|to| to.user),
            // An offer that was not announced does not get here.
            is_announced: is_announced_before.then_some(true),
        });
        Ok(reading.map(|reading| (reading, read)))
    }

    /// Announces an offer to a marketplace that requires it, in every pass until the sale shows that the marketplace knows the offer.
    /// An offer that has to be announced before its confirmation and is rejected is cancelled, and another is sent. The same holds for one
    /// that an operator has confirmed before.
    async fn announce(
        &self,
        context: &Context,
        item: &Versioned<InventoryItem>,
        sale: &OurSale,
        offer: &Offer,
    ) -> EngineResult {
        let Some(venue) = context.sale_venue(&item.value) else { return Ok(()) };
        let announcement = venue.marketplace.traits().announcement;
        if !is_announcement_due(announcement, sale, offer) {
            return Ok(());
        }
        let gives = offer.give.iter().map(|given| given.asset_id.clone()).collect();
        let announced = AnnouncedOffer { sale_id: sale.id.clone(), offer_id: offer.id.clone(), gives };
        let answer = venue.marketplace.announce_offer(&announced).await;
        let is_rejected = matches!(answer, Err(ExternalError::Rejected(_)));
        if is_rejected && announcement == Announcement::BeforeConfirming {
            let account = context.account(&item.value.account_name)?;
            cancel_offers(context, &account, vec![offer]).await?;
        }
        if answer.is_ok() || is_rejected {
            self.report_rejections(context, &Announcing { item: &item.value, sale, venue, offer }, is_rejected).await?;
        }
        Ok(answer?)
    }

    /// Reports a sale once its marketplace has rejected several announcements in a row, and resolves the problem once it accepts one. A
    /// marketplace may learn late of an offer that is out, so that has to last.
    async fn report_rejections(
        &self,
        context: &Context,
        announcing: &Announcing<'_>,
        is_rejected: bool,
    ) -> EngineResult {
        let Announcing { item, sale, venue, offer } = announcing;
        let (problem, source) = (rejection_problem(item), ProblemSource::Announcement);
        if !is_rejected {
            self.reported.clear_rejections(&venue.name, sale);
            return context.report_problem_from(problem, source, Duration::ZERO, None).await;
        }
        if self.reported.count_rejection(&venue.name, sale) < context.timings().announcement_rejections {
            return Ok(());
        }
        let lasting =
            rejection_lasting(venue.marketplace.traits().announcement, context.timings().listing_mismatch_grace);
        let shown = rejected_announcement(&sale.id, &offer.id);
        context.report_problem_from(problem, source, lasting, Some(shown)).await
    }
}

/// Returns what the confirmation of an offer is allowed by.
fn confirming<'o>(
    context: &Context,
    item: &InventoryItem,
    offer: &'o Offer,
    sale: Option<(SaleReading, Instant)>,
) -> Confirming<'o> {
    let holds_lease = context.sale_venue(item).is_some_and(|venue| context.holds_marketplace(&venue.name));
    Confirming { offer_id: &offer.id, sale, holds_lease }
}

/// An offer that was announced to the marketplace of a sale.
struct Announcing<'a> {
    item: &'a InventoryItem,
    sale: &'a OurSale,
    venue: &'a Venue,
    offer: &'a Offer,
}

/// Returns the problem that the marketplace of an item's sale rejects the trade offers for it.
fn rejection_problem(item: &InventoryItem) -> Problem {
    (RemediationKind::ListingMismatch, Subject::InventoryItem(item.id))
}

/// Takes offers back. One that cannot be keeps no other out.
async fn cancel_offers(context: &Context, account: &TradingAccount, offers: Vec<&Offer>) -> EngineResult {
    let mut outcome = Ok(());
    for offer in offers {
        let taken = context.desk().platform.cancel(account.address.user, &offer.id).await;
        outcome = outcome.and(taken);
    }
    Ok(outcome?)
}

/// Reads and records the offers to the buyer, found by what they give: the call that sent one may have ended without an answer.
async fn fulfilment_state(
    context: &Context,
    item: &Versioned<InventoryItem>,
    sale: &OurSale,
    shown: &[Offer],
) -> EngineResult<FulfilmentState> {
    let account = context.account(&item.value.account_name)?;
    let mut offers = Vec::new();
    for offer in offers_to_buyer(&item.value, sale, shown) {
        let trade = match &offer.trade_id {
            Some(trade_id) => Some(context.desk().platform.trade(account.address.user, trade_id).await?),
            None => None,
        };
        let seen = SeenOffer::new(offer, trade.as_ref());
        let id = record_own_offer(context, &account, seen, OfferOwner::Item(item.value.id)).await?;
        offers.push(BuyerOffer::new(offer.clone(), id, trade));
    }
    Ok(FulfilmentState::of(&item.value, offers))
}

/// An offer that waits for its confirmation, with its record.
#[derive(Clone, Copy)]
struct PendingOffer<'o> {
    offer: &'o Offer,
    id: TradeOfferId,
}

/// Confirms an offer, or reports `CONFIRMATION_STUCK` and cancels it after `confirmation_timeout`.
async fn confirm_or_cancel(
    context: &Context,
    account: &TradingAccount,
    pending: PendingOffer<'_>,
    confirming: Confirming<'_>,
) -> EngineResult {
    let PendingOffer { offer, id } = pending;
    let waited = context.waited_for(Step::new(id, offer.created_at));
    let is_overdue = waited > context.timings().confirmation_timeout;
    let confirmed = context.confirm_offer(account, confirming).await;
    if !is_overdue || confirmed.as_ref().is_ok_and(|confirmed| confirmed.is_listed()) {
        return confirmed.map(drop);
    }
    tracing::warn!(offer = %offer.id, "confirmation missing after 10 min; offer cancelled and resent");
    let shown = Evidence { shown_by: Some(offer.id.clone()), ..Evidence::default() };
    let problem = (RemediationKind::ConfirmationStuck, Subject::TradeOffer(id));
    context.report_problem(problem, Duration::ZERO, Some(shown)).await?;
    context.desk().platform.cancel(account.address.user, &offer.id).await?;
    confirmed.map(drop)
}

/// Records one of our offers as the platform shows it, and resolves `CONFIRMATION_STUCK` once it needs no confirmation.
async fn record_own_offer(
    context: &Context,
    account: &TradingAccount,
    seen: SeenOffer<'_>,
    owner: OfferOwner,
) -> EngineResult<TradeOfferId> {
    let id = context.record_offer(account, seen, owner).await?;
    if !seen.needs_our_confirmation() {
        let problem = (RemediationKind::ConfirmationStuck, Subject::TradeOffer(id));
        context.report_problem(problem, Duration::ZERO, None).await?;
    }
    Ok(id)
}

impl Sales {
    async fn apply_trade(
        &self,
        context: &Context,
        item: &Versioned<InventoryItem>,
        trade: &Trade,
        sale: &OurSale,
    ) -> EngineResult {
        match BuyerTradeStep::of(&item.value, trade) {
            BuyerTradeStep::Apply(event) => context.apply_item_event(item, event).await.map(drop),
            BuyerTradeStep::RollBack(event) => {
                context.apply_item_event(item, event).await?;
                self.reported.mark_unexplained(&item.value, sale);
                Ok(())
            }
            BuyerTradeStep::Relink(asset_id) => {
                let command = AppendAssetIDLink {
                    workspace_id: context.desk().workspace_id,
                    inventory_item_id: item.value.id,
                    expected_step: None,
                    asset_id: asset_id.to_string(),
                    source: Source::Inventory.as_str().to_owned(),
                    source_id: trade.id.to_string(),
                };
                context.operations().append_asset_id_link(context.caller(), command).await?;
                Ok(())
            }
            BuyerTradeStep::Wait => Ok(()),
        }
    }
}
