//! Giving a sold item to its buyer: the offer that is sent once, its confirmation, the trade that comes of it.

use std::cmp::Reverse;

use time::Duration;
use tradepost_domain::asset::AssetId;
use tradepost_domain::contracts::chain::Source;
use tradepost_domain::contracts::inventory_item::{AssetEvidence, InventoryItem, ItemEvent, ItemStatus};
use tradepost_domain::contracts::remediation::{Evidence, RemediationKind};
use tradepost_domain::id::TradeOfferId;
use tradepost_domain::time::Timestamp;
use tradepost_domain::trading::trade::{OfferStatus, TradeStatus};
use tradepost_domain::trading::trade_offer::OfferOwner;
use tradepost_domain::transition::Subject;
use tradepost_operations::Versioned;
use tradepost_operations::contracts::AppendAssetIDLink;
use tradepost_ports::external::ExternalError;
use tradepost_ports::game_platform::{ConfirmationAnswer, ConfirmationSubject, MovedAsset, NewOffer, Offer, Trade};
use tradepost_ports::marketplace::{AnnouncedOffer, Announcement, OrderStatus};

use crate::audit::problems::{Problem, ProblemSource, rejected_announcement};
use crate::context::Context;
use crate::desk::currency::OurSale;
use crate::desk::{TradingAccount, Venue};
use crate::error::EngineResult;
use crate::sales::Sales;
use crate::sales::listing_lifecycle::{cancel_sale, is_cancelled, sale_venue};
use crate::settlement::trade_offers::SeenOffer;

/// State of the delivery to one buyer, as the platform shows it.
enum FulfilmentState {
    /// There is none, or each has ended without a trade.
    NoOffer,
    /// These are out, those that wait for the buyer before those that wait for their confirmation. One is all that is meant to be;
    /// a call without an answer can make another, and so can a person.
    Pending(Vec<(Offer, TradeOfferId)>),
    /// The trade was begun.
    Traded(Trade),
}

impl Sales {
    /// Sends the offer, once; has it confirmed; and follows the trade.
    pub(crate) async fn fulfil_sale(
        &self,
        context: &Context,
        item: &Versioned<InventoryItem>,
        sale: &OurSale,
    ) -> EngineResult {
        let account = context.account(&item.value.account_name)?;
        let (user, since) = (account.address.user, search_from(item, sale, context.timings.marketplace_backdating));
        let mut delivery = fulfilment_state(context, item, sale, &context.offers_since(user, since).await?).await?;
        if matches!(delivery, FulfilmentState::NoOffer) {
            // The cached read may be older than an offer in flight, so read again before sending. If the item was missing in between, an older
            // offer has not changed since `since`: search from the first recorded one.
            let since = context
                .first_offered_at(item.value.id)
                .await?
                .map_or(since, |at| since.min(at.plus(-context.timings.marketplace_backdating)));
            delivery = fulfilment_state(context, item, sale, &context.desk.platform.offers(user, since).await?).await?;
        }
        match delivery {
            FulfilmentState::Traded(trade) => self.apply_trade(context, item, &trade, sale).await,
            // The buyer has been refunded and could still accept. The next pass reads whether the cancellation or the buyer was first.
            FulfilmentState::Pending(offers) if is_cancelled(sale) => {
                cancel_offers(context, &account, offers.iter().map(|(offer, _)| offer).collect()).await
            }
            FulfilmentState::Pending(offers) => self.confirm_pending(context, item, sale, &offers).await,
            FulfilmentState::NoOffer => self.send_or_release(context, item, &account, sale).await,
        }
    }

    /// Follows the trade that the platform holds.
    pub(crate) async fn check_held_trade(
        &self,
        context: &Context,
        item: &Versioned<InventoryItem>,
        sale: &OurSale,
    ) -> EngineResult {
        let user = context.account(&item.value.account_name)?.address.user;
        let offers =
            context.offers_since(user, search_from(item, sale, context.timings.marketplace_backdating)).await?;
        match fulfilment_state(context, item, sale, &offers).await? {
            FulfilmentState::Traded(trade) => self.apply_trade(context, item, &trade, sale).await,
            FulfilmentState::NoOffer | FulfilmentState::Pending(_) => Ok(()),
        }
    }

    /// Follows the offers of a missing item. The buyer may already have the item, so the offers of a cancelled sale are cancelled. Nothing is
    /// sent or confirmed.
    pub(crate) async fn check_missing_item(
        &self,
        context: &Context,
        item: &Versioned<InventoryItem>,
        sale: &OurSale,
    ) -> EngineResult {
        let Some(offered_at) = context.first_offered_at(item.value.id).await? else { return Ok(()) };
        let account = context.account(&item.value.account_name)?;
        let offers = context
            .offers_since(account.address.user, offered_at.plus(-context.timings.marketplace_backdating))
            .await?;
        match fulfilment_state(context, item, sale, &offers).await? {
            FulfilmentState::Traded(trade) => self.apply_trade(context, item, &trade, sale).await,
            FulfilmentState::Pending(offers) if is_cancelled(sale) => {
                cancel_offers(context, &account, offers.iter().map(|(offer, _)| offer).collect()).await
            }
            FulfilmentState::NoOffer | FulfilmentState::Pending(_) => Ok(()),
        }
    }
}

impl Sales {
    /// Sends the offer, or releases the item if its sale is cancelled. Does nothing while an offer may be in flight, nor after the
    /// marketplace has rejected several: an operator decides then.
    async fn send_or_release(
        &self,
        context: &Context,
        item: &Versioned<InventoryItem>,
        account: &TradingAccount,
        sale: &OurSale,
    ) -> EngineResult {
        if context.may_be_in_flight(item.value.id).await? {
            return Ok(());
        }
        if is_cancelled(sale) {
            return cancel_sale(context, item, sale).await;
        }
        let Some(to) = sale.deliver_to.clone() else { return Ok(()) };
        let problem = rejection_problem(&item.value);
        if context.problems.is_reported(problem, ProblemSource::Announcement)
            || context.was_just_cancelled(item.value.id).await?
        {
            return Ok(());
        }
        let buyer = to.user;
        let offer =
            NewOffer { to, give: vec![item.value.current_asset_id().clone()], receive: Vec::new(), message: None };
        let sent = context.send_offer(account, &item.value, buyer, &offer).await?;
        self.announce(context, item, sale, &sent).await?;
        confirm_offer(context, account, &sent).await.map(drop)
    }

    /// Has an offer confirmed that waits for it, unless another is with the buyer by now: then it is one too many.
    async fn confirm_pending(
        &self,
        context: &Context,
        item: &Versioned<InventoryItem>,
        sale: &OurSale,
        offers: &[(Offer, TradeOfferId)],
    ) -> EngineResult {
        let [(offer, id), others @ ..] = offers else { return Ok(()) };
        let account = context.account(&item.value.account_name)?;
        if needs_our_confirmation(offer) {
            self.announce(context, item, sale, offer).await?;
            return confirm_or_cancel(context, &account, offer, *id).await;
        }
        let spare = others.iter().map(|(offer, _)| offer).filter(|offer| needs_our_confirmation(offer));
        cancel_offers(context, &account, spare.collect()).await?;
        self.announce(context, item, sale, offer).await
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
        let Some(venue) = sale_venue(context, &item.value) else { return Ok(()) };
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
        if self.reported.count_rejection(&venue.name, sale) < context.timings.announcement_rejections {
            return Ok(());
        }
        let lasting = match venue.marketplace.traits().announcement {
            Announcement::AfterConfirming => context.timings.listing_mismatch_grace,
            Announcement::BeforeConfirming | Announcement::Never => Duration::ZERO,
        };
        let shown = rejected_announcement(&sale.id, &offer.id);
        context.report_problem_from(problem, source, lasting, Some(shown)).await
    }
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

/// Returns whether the marketplace has to learn of an offer now.
fn is_announcement_due(announcement: Announcement, sale: &OurSale, offer: &Offer) -> bool {
    let is_out_unknown = offer.status == OfferStatus::Active && sale.status == OrderStatus::AwaitingSeller;
    match announcement {
        Announcement::Never => false,
        Announcement::BeforeConfirming => needs_our_confirmation(offer) || is_out_unknown,
        Announcement::AfterConfirming => is_out_unknown,
    }
}

/// Takes offers back. One that cannot be keeps no other out.
async fn cancel_offers(context: &Context, account: &TradingAccount, offers: Vec<&Offer>) -> EngineResult {
    let mut outcome = Ok(());
    for offer in offers {
        let taken = context.desk.platform.cancel(account.address.user, &offer.id).await;
        outcome = outcome.and(taken);
    }
    Ok(outcome?)
}

/// The offers to the buyer, found by what they give: the call that sent one may have ended without an answer. Of several the one
/// that came to a trade counts.
async fn fulfilment_state(
    context: &Context,
    item: &Versioned<InventoryItem>,
    sale: &OurSale,
    shown: &[Offer],
) -> EngineResult<FulfilmentState> {
    let account = context.account(&item.value.account_name)?;
    let asset_id = item.value.current_asset_id();
    let gives_it = |offer: &&Offer| {
        offer.is_ours
            // The marketplace may no longer name the buyer of a sale that ended.
            && sale.deliver_to.as_ref().map_or(is_cancelled(sale), |to| to.user == offer.partner)
            && matches!(offer.give.as_slice(), [given] if given.asset_id == *asset_id)
    };
    let mut offers: Vec<&Offer> = shown.iter().filter(gives_it).collect();
    offers.sort_by_key(|offer| Reverse(offer.created_at));
    let (mut traded, mut failed, mut out) = (None, None, Vec::new());
    for offer in offers {
        let trade = match &offer.trade_id {
            Some(trade_id) => Some(context.desk.platform.trade(account.address.user, trade_id).await?),
            None => None,
        };
        let seen = SeenOffer { offer, trade: trade.as_ref() };
        let id = record_own_offer(context, &account, seen, OfferOwner::Item(item.value.id)).await?;
        match trade {
            Some(trade) if failed_in_place(&trade, asset_id) => failed = failed.or(Some(trade)),
            Some(trade) => traded = traded.or(Some(trade)),
            None if is_pending(offer) => out.push((offer.clone(), id)),
            None => {}
        }
    }
    // A held item has left the inventory whatever the trade's status is, so even a failed trade is applied.
    let announced = traded.or_else(|| failed.filter(|_| item.value.status == ItemStatus::Held));
    if let Some(trade) = announced {
        return Ok(FulfilmentState::Traded(trade));
    }
    out.sort_by_key(|(offer, _)| needs_our_confirmation(offer));
    Ok(if out.is_empty() { FulfilmentState::NoOffer } else { FulfilmentState::Pending(out) })
}

/// Allows the confirmation of an offer of ours, and of nothing else; whether there was one.
async fn confirm_offer(context: &Context, account: &TradingAccount, offer: &Offer) -> EngineResult<bool> {
    let user = account.address.user;
    let waiting = context.desk.platform.confirmations(user).await?;
    let ours = waiting.into_iter().find(|waits| waits.subject == ConfirmationSubject::Offer(offer.id.clone()));
    let Some(confirmation) = ours else { return Ok(false) };
    context.desk.platform.answer(user, &confirmation.id, ConfirmationAnswer::Allow).await?;
    Ok(true)
}

/// Confirms an offer, or reports `CONFIRMATION_STUCK` and cancels it after `confirmation_timeout`.
async fn confirm_or_cancel(
    context: &Context,
    account: &TradingAccount,
    offer: &Offer,
    id: TradeOfferId,
) -> EngineResult {
    let is_old = context.now().since(offer.created_at) > context.timings.confirmation_timeout;
    if confirm_offer(context, account, offer).await? || !is_old {
        return Ok(());
    }
    tracing::warn!(offer = %offer.id, "confirmation missing after 10 min; offer cancelled and resent");
    let shown = Evidence { shown_by: Some(offer.id.clone()), ..Evidence::default() };
    let problem = (RemediationKind::ConfirmationStuck, Subject::TradeOffer(id));
    context.report_problem(problem, Duration::ZERO, Some(shown)).await?;
    Ok(context.desk.platform.cancel(account.address.user, &offer.id).await?)
}

/// Records one of our offers as the platform shows it, and resolves `CONFIRMATION_STUCK` once it needs no confirmation.
async fn record_own_offer(
    context: &Context,
    account: &TradingAccount,
    seen: SeenOffer<'_>,
    owner: OfferOwner,
) -> EngineResult<TradeOfferId> {
    let id = context.record_offer(account, seen, owner).await?;
    if seen.offer.status != OfferStatus::NeedsConfirmation {
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
        let asset_id = item.value.current_asset_id();
        let Some(moved) = trade.given.iter().find(|moved| moved.asset_id == *asset_id) else { return Ok(()) };
        let returned = ReturnedAsset { trade, moved };
        match trade.status {
            TradeStatus::Complete
            | TradeStatus::ProtectionRollback
            | TradeStatus::PartialSupportRollback
            | TradeStatus::FullSupportRollback
            | TradeStatus::SelectiveSupportRollback => {
                let Some((_, given)) = &moved.moved_to else { return Ok(()) };
                let event = ItemEvent::Given { trade_id: trade.id.clone(), asset_id: given.clone() };
                context.apply_item_event(item, event).await.map(drop)
            }
            TradeStatus::InEscrow if item.value.status == ItemStatus::Delivering => {
                context.apply_item_event(item, ItemEvent::DeliveryHeld).await.map(drop)
            }
            TradeStatus::Failed | TradeStatus::EscrowRollback => {
                self.handle_return(context, item, sale, returned).await
            }
            // The item should be back and is not in any inventory; the inventory audit will report it.
            TradeStatus::RollbackFailed | TradeStatus::RollbackAbandoned if item.value.status == ItemStatus::Held => {
                self.handle_return(context, item, sale, returned).await
            }
            TradeStatus::InEscrow
            | TradeStatus::Init
            | TradeStatus::PreCommitted
            | TradeStatus::Committed
            | TradeStatus::RollbackFailed
            | TradeStatus::RollbackAbandoned
            | TradeStatus::Unknown(_) => Ok(()),
        }
    }

    /// Handles a failed trade: the item is ours again, usually under a new asset id. While the sale is active it is sent again, unless it
    /// was held.
    async fn handle_return(
        &self,
        context: &Context,
        item: &Versioned<InventoryItem>,
        sale: &OurSale,
        returned: ReturnedAsset<'_>,
    ) -> EngineResult {
        let ReturnedAsset { trade, moved } = returned;
        let asset_id = moved.returned_as.clone().unwrap_or_else(|| moved.asset_id.clone());
        if item.value.status == ItemStatus::Held {
            let seen = AssetEvidence { asset_id, source_id: trade.id.clone() };
            context.apply_item_event(item, ItemEvent::HoldRolledBack { seen }).await?;
            // Our records no longer list the item, but its buyer may still be waiting.
            self.reported.mark_unexplained(&item.value, sale);
            return Ok(());
        }
        let command = AppendAssetIDLink {
            workspace_id: context.desk.workspace_id,
            inventory_item_id: item.value.id,
            expected_step: None,
            asset_id: asset_id.to_string(),
            source: Source::Inventory.as_str().to_owned(),
            source_id: trade.id.to_string(),
        };
        context.operations.append_asset_id_link(&context.caller, command).await?;
        Ok(())
    }
}

/// An asset that a failed trade gives back.
#[derive(Clone, Copy)]
struct ReturnedAsset<'a> {
    trade: &'a Trade,
    moved: &'a MovedAsset,
}

/// Returns whether an offer can still be accepted, or was accepted and its trade is not visible yet.
const fn is_pending(offer: &Offer) -> bool {
    match offer.status {
        OfferStatus::NeedsConfirmation
        | OfferStatus::Active
        | OfferStatus::Accepted
        | OfferStatus::InEscrow
        | OfferStatus::Unknown(_) => true,
        OfferStatus::Invalid
        | OfferStatus::Countered
        | OfferStatus::Expired
        | OfferStatus::Cancelled
        | OfferStatus::Declined
        | OfferStatus::InvalidItems
        | OfferStatus::CancelledBySecondFactor => false,
    }
}

/// Returns the time from which offers to the buyer may have changed.
fn search_from(item: &Versioned<InventoryItem>, sale: &OurSale, backdating: Duration) -> Timestamp {
    sale.updated_at.min(item.value.updated_at).plus(-backdating)
}

/// Whether an offer waits for our confirmation.
fn needs_our_confirmation(offer: &Offer) -> bool {
    offer.status == OfferStatus::NeedsConfirmation
}

/// Returns whether a trade failed and the item kept its asset id, so that it can be offered again unchanged.
fn failed_in_place(trade: &Trade, asset_id: &AssetId) -> bool {
    let is_as_it_was = |moved: &MovedAsset| {
        moved.asset_id == *asset_id && moved.returned_as.as_ref().is_none_or(|returned_as| returned_as == asset_id)
    };
    matches!(trade.status, TradeStatus::Failed | TradeStatus::EscrowRollback) && trade.given.iter().any(is_as_it_was)
}
