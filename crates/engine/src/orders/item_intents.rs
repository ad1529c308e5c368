//! Executes intents about an item: lists it, changes its price, takes it off sale, or continues to move it to another account.

use tokio::time::Instant;
use tradepost_domain::contracts::intent::{Intent, IntentKind, IntentStatus, ItemTarget};
use tradepost_domain::contracts::inventory_item::{InventoryItem, ItemEvent, SalePlace};
use tradepost_domain::markets::exchange::ExchangeRate;
use tradepost_domain::money::Cents;
use tradepost_operations::Versioned;
use tradepost_ports::marketplace::SellRequest;

use crate::context::Context;
use crate::context::delisting::delist_item;
use crate::desk::Venue;
use crate::error::{EngineError, EngineResult};
use crate::market::state::MarketState;
use crate::orders::intent_decisions::{
    IntentProgress, IntentStep, NOT_SERVED, failure_outcome, failure_reason, must_wait, success_outcome,
};
use crate::orders::intent_steps::{claim_intent, finish_intent};
use crate::orders::transfers::continue_transfer;
use crate::pass::Pass;

pub(crate) async fn execute_item_intent(
    context: &Context,
    market_state: &MarketState,
    intent: &Versioned<Intent>,
    target: &ItemTarget,
    pass: &mut Pass,
) -> EngineResult<IntentProgress> {
    let found = context.items_by_id(vec![target.inventory_item_id]).await?;
    let Some(item) = found.into_iter().find(|item| context.desk().account(&item.value.account_name).is_some()) else {
        return Ok(IntentProgress::WaitsFor(NOT_SERVED));
    };
    if intent.value.terms.kind == IntentKind::Transfer {
        return continue_transfer(context, intent, target, &item).await;
    }
    let Some(venue) = venue_of_item(context, &item.value, target) else {
        return Ok(IntentProgress::WaitsFor(NOT_SERVED));
    };
    let may_sell = context.may_sell(&item.value.account_name, context.now());
    match IntentStep::of(&intent.value, &item.value, may_sell) {
        IntentStep::Wait => return Ok(IntentProgress::WaitsFor("ITEM_ELSEWHERE")),
        IntentStep::Done => {
            let claimed = claim_intent(context, intent, None).await?;
            finish_intent(context, &claimed, Some(success_outcome(&item.value))).await?;
        }
        IntentStep::Reject(why) => finish_intent(context, intent, failure_outcome(&intent.value, why)).await?,
        IntentStep::Execute => {
            let is_backing_off = context.is_backing_off(&venue.name);
            let are_fees_known = market_state.fees(&venue.name).is_some();
            if let Some(check) = must_wait(&intent.value, is_backing_off, are_fees_known) {
                return Ok(IntentProgress::WaitsFor(check));
            }
            let rate = rate_for_intent(context, intent.value.terms.kind, &venue)?;
            let claimed = claim_intent(context, intent, market_state.fees(&venue.name).cloned()).await?;
            if claimed.value.status != IntentStatus::Executing {
                // A check rejects it by now, and the intent shows which.
                return Ok(IntentProgress::Advanced);
            }
            let change = SaleChange { intent: &claimed.value, target, venue: &venue, exchange_rate: rate };
            let done = change.apply_to(context, &item).await;
            let outcome = match &done {
                Ok(item) => item.as_ref().map(|item| success_outcome(&item.value)),
                Err(error) => failure_reason(&intent.value, error).and_then(|why| failure_outcome(&claimed.value, why)),
            };
            finish_intent(context, &claimed, outcome).await?;
            pass.listed += usize::from(done.is_ok() && intent.value.terms.kind == IntentKind::List);
            done?;
        }
    }
    Ok(IntentProgress::Advanced)
}

/// Where an item is to be on sale, or is; `None` if the desk does not trade there.
fn venue_of_item(context: &Context, item: &InventoryItem, target: &ItemTarget) -> Option<Venue> {
    let named = target.marketplace.as_ref().or(item.sale_place.as_ref().map(|place| &place.marketplace));
    named.and_then(|name| context.desk().venue(name)).cloned()
}

/// By which rate a price is asked. What takes an item off sale asks none.
fn rate_for_intent(context: &Context, kind: IntentKind, venue: &Venue) -> EngineResult<Option<ExchangeRate>> {
    if kind == IntentKind::Delist { Ok(None) } else { context.rate_for(venue.currency) }
}

/// A change of an item's sale, as a claimed intent decides it.
struct SaleChange<'a> {
    intent: &'a Intent,
    target: &'a ItemTarget,
    venue: &'a Venue,
    exchange_rate: Option<ExchangeRate>,
}

impl SaleChange<'_> {
    /// Applies the change to the item; `None` while the outcome of an earlier call is unknown.
    async fn apply_to(
        &self,
        context: &Context,
        item: &Versioned<InventoryItem>,
    ) -> EngineResult<Option<Versioned<InventoryItem>>> {
        let (price, exchange_rate) = (self.price(), self.exchange_rate);
        match (self.intent.terms.kind, &item.value.sale_listing_id) {
            (IntentKind::List, _) => self.list(context, item).await.map(Some),
            (IntentKind::Reprice, Some(listing_id)) => {
                // The same price may be submitted twice. So a pass that ends here is continued by the next one, and the same call corrects
                // a listing whose price differs from its record.
                self.venue.with_rate(exchange_rate).reprice(listing_id, price).await?;
                context.apply_item_event(item, ItemEvent::Repriced { price, exchange_rate }).await.map(Some)
            }
            (IntentKind::Delist, Some(listing_id)) => delist_item(context, item, self.venue, listing_id).await,
            _ => Ok(Some(item.clone())),
        }
    }

    fn price(&self) -> Cents {
        self.target.price.unwrap_or(Cents::ZERO)
    }

    /// Puts an item on sale. The first commit records that the marketplace may have it.
    async fn list(&self, context: &Context, item: &Versioned<InventoryItem>) -> EngineResult<Versioned<InventoryItem>> {
        let account = context.account(&item.value.account_name)?;
        let (price, exchange_rate) = (self.price(), self.exchange_rate);
        let place = SalePlace { marketplace: self.venue.name.clone(), contract_id: self.intent.terms.contract_id };
        let request =
            SellRequest { owner: account.address.user, asset_id: item.value.current_asset_id().clone(), price };
        let begun = Instant::now();
        let started = ItemEvent::ListingStarted { place, price, takes_locked: false, exchange_rate };
        let started = context.apply_item_event(item, started).await?;
        if begun.elapsed() >= context.timings().sent_within {
            return Err(EngineError::SubmitTooLate);
        }
        let event = match self.venue.with_rate(exchange_rate).list(request).await {
            Ok(listing) => ItemEvent::ListingAccepted { listing_id: listing.id, asset_id: listing.asset_id },
            // The next pass searches for it in our listings.
            Err(error) if !error.did_nothing() => return Err(error.into()),
            Err(error) => {
                context.apply_item_event(&started, ItemEvent::ListingRefused).await?;
                return Err(error.into());
            }
        };
        context.apply_item_event(&started, event).await
    }
}
