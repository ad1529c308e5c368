//! Carrying intents out: what people have approved, what contracts decide by themselves, and what was cut short.

use tokio::time::Instant;
use tradepost_domain::contracts::intent::{Intent, IntentKind, IntentResult, IntentStatus, ItemTarget, LOOKS, Target};
use tradepost_domain::contracts::inventory_item::{InventoryItem, ItemEvent, ItemStatus, SalePlace};
use tradepost_domain::markets::exchange::ExchangeRate;
use tradepost_domain::markets::fees::Charges;
use tradepost_domain::markets::provider::ProviderKind;
use tradepost_domain::money::Cents;
use tradepost_domain::text::{Marketplace, Name};
use tradepost_operations::contracts::{
    BuyApproved, ClaimIntent, FinishIntent, IntentOutcome, IntentsToDo, PostponeIntent,
};
use tradepost_operations::{Code, Reason, Versioned};
use tradepost_ports::external::ExternalError;
use tradepost_ports::marketplace::SellRequest;

use crate::context::Context;
use crate::desk::Venue;
use crate::desk::currency::ConvertedMarketplace;
use crate::error::{EngineError, EngineResult};
use crate::market::Market;
use crate::market::observation::MarketState;
use crate::orders::Orders;
use crate::pass::Pass;
use crate::sales::delisting::delist_item;

/// What is about a marketplace or an account that the desk does not have.
const NOT_SERVED: &str = "NOT_SERVED";
/// Check of an intent that waits for a marketplace to which no call is made at present.
const NOT_ASKED: &str = "MARKETPLACE_NOT_ASKED";

/// Maximum number of intents read at once.
const INTENT_PAGE: u32 = 100;

/// How far an intent has come by a look at it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Carried {
    /// It has ended, was begun, or is for another node.
    On,
    /// It waits for this.
    Later(&'static str),
}

/// Next step of an intent about an item, by the item's status.
enum IntentStep {
    /// To do it.
    Execute,
    /// To wait for what was begun.
    Wait,
    /// Nothing: it was done.
    Done,
    /// Nothing: it cannot be done, for this reason.
    Reject(&'static str),
}

impl IntentStep {
    fn of(intent: &Intent, item: &InventoryItem, may_sell: bool) -> Self {
        let is_begun = intent.status == IntentStatus::Executing;
        match (intent.terms.kind, item.status) {
            (IntentKind::List, ItemStatus::InInventory) if is_begun => Self::Reject("NOT_LISTED"),
            (IntentKind::List, ItemStatus::InInventory) if !may_sell => Self::Reject("ACCOUNT_NOT_READY"),
            (IntentKind::List, ItemStatus::InInventory)
            | (IntentKind::Reprice | IntentKind::Delist, ItemStatus::Listed) => Self::Execute,
            (IntentKind::List | IntentKind::Reprice | IntentKind::Delist, ItemStatus::Listing) => Self::Wait,
            (IntentKind::Delist, ItemStatus::InInventory) => Self::Done,
            (IntentKind::List, _) if is_begun && item.sale_listing_id.is_some() => Self::Done,
            (IntentKind::List | IntentKind::Reprice | IntentKind::Delist, _) => Self::Reject("ITEM_ELSEWHERE"),
            (IntentKind::Buy | IntentKind::Deliver | IntentKind::AcceptOffer | IntentKind::Transfer, _) => {
                Self::Reject("NOT_CARRIED_OUT")
            }
        }
    }
}

impl Orders {
    /// Goes on with what was begun, then begins what was approved.
    pub(crate) async fn execute_intents(
        &mut self,
        context: &Context,
        market: &mut Market,
        pass: &mut Pass,
    ) -> EngineResult {
        let workspace_id = context.desk.workspace_id;
        for status in [IntentStatus::Executing, IntentStatus::Approved] {
            let mut after = None;
            loop {
                let ask = IntentsToDo { workspace_id, status, after, most: INTENT_PAGE };
                let found = context.operations.intents_to_do(&context.caller, ask).await?;
                let Some(last) = found.last() else { break };
                after = Some(last.value.terms.id);
                for intent in found {
                    let carried_out = Box::pin(self.execute_intent(context, market, &intent, pass)).await;
                    after_look(context, &intent, carried_out, pass).await;
                }
            }
        }
        Ok(())
    }
}

/// Counts a look at an approved intent that was left for later, and ends it if it waits no longer: as long as it waits, nothing
/// else is done with what it is about.
async fn after_look(
    context: &Context,
    intent: &Versioned<Intent>,
    carried_out: EngineResult<Carried>,
    pass: &mut Pass,
) {
    let (mut is_over, mut later) = (false, None);
    match carried_out {
        Err(EngineError::Operation(refusal)) if refusal.reason == Reason::IntentExpired => is_over = true,
        Err(error) => {
            later = waits_for(&error);
            pass.record_results([(target_marketplace(&intent.value.terms.target), Err(error))]);
        }
        Ok(Carried::Later(check)) => later = Some(check),
        Ok(Carried::On) => {}
    }
    if let Some(check) = later.filter(|_| intent.value.status == IntentStatus::Approved) {
        let postponed = postpone(context, intent, check).await;
        pass.record_error(postponed);
        is_over = intent.value.looks >= LOOKS;
    }
    if is_over {
        let ended = context.operations.expire_intents().await;
        pass.record_error(ended.map(drop).map_err(EngineError::from));
    }
}

/// Writes down that an approved intent was looked at, as long as looks count and whenever it waits for something else.
async fn postpone(context: &Context, intent: &Versioned<Intent>, check: &str) -> EngineResult {
    let is_known = intent.value.failed_check.as_ref().is_some_and(|known| known.as_str() == check);
    let Some(check) = Name::new(check).ok().filter(|_| intent.value.looks < LOOKS || !is_known) else {
        return Ok(());
    };
    let command = PostponeIntent {
        workspace_id: context.desk.workspace_id,
        intent_id: intent.value.terms.id,
        expected_version: intent.version,
        check,
    };
    match context.operations.postpone_intent(&context.caller, command).await {
        // A person has ended it, or it was begun before it came to trouble.
        Err(refusal) if refusal.reason == Reason::VersionMismatch => Ok(()),
        postponed => Ok(postponed.map(drop)?),
    }
}

impl Orders {
    pub(crate) async fn execute_intent(
        &mut self,
        context: &Context,
        market: &mut Market,
        intent: &Versioned<Intent>,
        pass: &mut Pass,
    ) -> EngineResult<Carried> {
        match (&intent.value.terms.target, intent.value.status) {
            (Target::Listing(listing), IntentStatus::Approved) => match self.holds_up(context, &listing.marketplace) {
                None if context.holds_marketplace(&listing.marketplace) => {
                    self.buy_approved(context, market, intent, pass).await
                }
                Some(check) if looks_for(context, &listing.marketplace) => Ok(Carried::Later(check)),
                // Another node looks at it.
                None | Some(_) => Ok(Carried::On),
            },
            (Target::Item(target), _) if context.holds_inventory() => {
                execute_item_intent(context, market.state(), intent, target, pass).await
            }
            // A purchase that was recorded ends its intent; the rest is for other nodes.
            (Target::Listing(_) | Target::Offer(_) | Target::Item(_), _) => Ok(Carried::On),
        }
    }
}

/// Whether this node looks at what is to be bought at a marketplace: it works there, or no node of the desk does and it works on the
/// inventory.
fn looks_for(context: &Context, marketplace: &Marketplace) -> bool {
    context.holds_marketplace(marketplace) || (context.desk.venue(marketplace).is_none() && context.holds_inventory())
}

impl Orders {
    /// What keeps the desk from buying at a marketplace for now.
    fn holds_up(&self, context: &Context, marketplace: &Marketplace) -> Option<&'static str> {
        let checks = [
            (context.desk.venue(marketplace).is_none(), NOT_SERVED),
            (context.state.providers.is_disabled(ProviderKind::Marketplace, marketplace), "PROVIDER_DISABLED"),
            (self.uncertain.blocks_buying(marketplace), "OUTCOME_UNKNOWN"),
            (context.state.backoff.is_active(marketplace), NOT_ASKED),
        ];
        checks.into_iter().find(|(holds, _)| *holds).map(|(_, check)| check)
    }

    async fn buy_approved(
        &mut self,
        context: &Context,
        market: &mut Market,
        intent: &Versioned<Intent>,
        pass: &mut Pass,
    ) -> EngineResult<Carried> {
        let Some(contract_id) = intent.value.terms.contract_id else { return Ok(Carried::On) };
        let Target::Listing(listing) = &intent.value.terms.target else { return Ok(Carried::On) };
        let exchange_rate = context.rate_for(context.venue(&listing.marketplace)?.currency)?;
        let account = market.choose_buyer(context, contract_id).await?;
        let command = BuyApproved {
            workspace_id: context.desk.workspace_id,
            intent_id: intent.value.terms.id,
            expected_version: intent.version,
            account_name: account.name,
            exchange_rate,
        };
        let bought = match context.operations.buy_approved(&context.caller, command).await {
            // The intent shows it: its status is DENIED.
            Err(refusal) if refusal.is_limit_of_contract() || refusal.is_limit_of_pool() => return Ok(Carried::On),
            bought => bought?,
        };
        market.state_mut().deduct(&listing.marketplace, listing.max_buy_price);
        pass.bought += 1;
        self.submit(context, market.state_mut(), bought.purchase).await?;
        Ok(Carried::On)
    }
}

async fn execute_item_intent(
    context: &Context,
    market_state: &MarketState,
    intent: &Versioned<Intent>,
    target: &ItemTarget,
    pass: &mut Pass,
) -> EngineResult<Carried> {
    let found = context.items_by_id(vec![target.inventory_item_id]).await?;
    let Some(item) = found.into_iter().find(|item| context.desk.account(&item.value.account_name).is_some()) else {
        return Ok(Carried::Later(NOT_SERVED));
    };
    let Some(venue) = venue_of_item(context, &item.value, target) else { return Ok(Carried::Later(NOT_SERVED)) };
    let may_sell = context.state.accounts.may_sell(&item.value.account_name, context.now());
    match IntentStep::of(&intent.value, &item.value, may_sell) {
        IntentStep::Wait => return Ok(Carried::Later("ITEM_ELSEWHERE")),
        IntentStep::Done => {
            let claimed = claim_intent(context, intent, None).await?;
            finish_intent(context, &claimed, Some(success_outcome(&item.value))).await?;
        }
        IntentStep::Reject(why) => finish_intent(context, intent, failure_outcome(intent, why)).await?,
        IntentStep::Execute => {
            if let Some(check) = must_wait(context, market_state, &intent.value, &venue) {
                return Ok(Carried::Later(check));
            }
            let rate = rate_for_intent(context, intent.value.terms.kind, &venue)?;
            let claimed = claim_intent(context, intent, market_state.fees.get(&venue.name).cloned()).await?;
            if claimed.value.status != IntentStatus::Executing {
                // A check rejects it by now, and the intent shows which.
                return Ok(Carried::On);
            }
            let done = apply_to_item(context, &item, target, (&claimed.value, &venue, rate)).await;
            let outcome = match &done {
                Ok(item) => item.as_ref().map(|item| success_outcome(&item.value)),
                Err(error) => failure_reason(&intent.value, error).and_then(|why| failure_outcome(&claimed, why)),
            };
            finish_intent(context, &claimed, outcome).await?;
            pass.listed += usize::from(done.is_ok() && intent.value.terms.kind == IntentKind::List);
            done?;
        }
    }
    Ok(Carried::On)
}

/// Where an item is to be on sale, or is; `None` if the desk does not trade there.
fn venue_of_item(context: &Context, item: &InventoryItem, target: &ItemTarget) -> Option<Venue> {
    let named = target.marketplace.as_ref().or(item.sale_place.as_ref().map(|place| &place.marketplace));
    named.and_then(|name| context.desk.venue(name)).cloned()
}

/// Returns the check that has to wait, for fees that are not known yet or for the backoff of the marketplace.
fn must_wait(context: &Context, market_state: &MarketState, intent: &Intent, venue: &Venue) -> Option<&'static str> {
    match intent.terms.kind {
        IntentKind::Reprice
            if intent.status == IntentStatus::Approved && context.state.backoff.is_active(&venue.name) =>
        {
            Some(NOT_ASKED)
        }
        IntentKind::List | IntentKind::Reprice => {
            let is_known = intent.terms.contract_id.is_none() || market_state.fees.contains_key(&venue.name);
            (!is_known).then_some("FEES_UNKNOWN")
        }
        IntentKind::Buy | IntentKind::Delist | IntentKind::Deliver | IntentKind::AcceptOffer | IntentKind::Transfer => {
            None
        }
    }
}

/// By which rate a price is asked. What takes an item off sale asks none.
fn rate_for_intent(context: &Context, kind: IntentKind, venue: &Venue) -> EngineResult<Option<ExchangeRate>> {
    if kind == IntentKind::Delist { Ok(None) } else { context.rate_for(venue.currency) }
}

/// Applies the intent to its item; `None` while the outcome of an earlier call is unknown.
async fn apply_to_item(
    context: &Context,
    item: &Versioned<InventoryItem>,
    target: &ItemTarget,
    (intent, venue, exchange_rate): (&Intent, &Venue, Option<ExchangeRate>),
) -> EngineResult<Option<Versioned<InventoryItem>>> {
    let price = target.price.unwrap_or(Cents::ZERO);
    match (intent.terms.kind, &item.value.sale_listing_id) {
        (IntentKind::List, _) => {
            let contract_id = intent.terms.contract_id;
            let place = SalePlace { marketplace: venue.name.clone(), contract_id };
            let begun = ItemEvent::ListingStarted { place, price, takes_locked: false, exchange_rate };
            list_item(context, item, &venue.with_rate(exchange_rate), (begun, price)).await.map(Some)
        }
        (IntentKind::Reprice, Some(listing_id)) => {
            // The same price may be submitted twice: so a pass that ends here is followed by the next, and a listing whose price differs from
            // its record is corrected by the same call.
            venue.with_rate(exchange_rate).reprice(listing_id, price).await?;
            context.apply_item_event(item, ItemEvent::Repriced { price, exchange_rate }).await.map(Some)
        }
        (IntentKind::Delist, Some(listing_id)) => delist_item(context, item, (venue, listing_id)).await,
        _ => Ok(Some(item.clone())),
    }
}

/// Puts an item on sale. What is committed first says that the marketplace may have it.
async fn list_item(
    context: &Context,
    item: &Versioned<InventoryItem>,
    counter: &ConvertedMarketplace,
    (begun, price): (ItemEvent, Cents),
) -> EngineResult<Versioned<InventoryItem>> {
    let account = context.account(&item.value.account_name)?;
    let request = SellRequest { owner: account.address.user, asset_id: item.value.current_asset_id().clone(), price };
    let asked_at = Instant::now();
    let started = context.apply_item_event(item, begun).await?;
    if asked_at.elapsed() >= context.timings.sent_within() {
        return Err(EngineError::SubmitTooLate);
    }
    let event = match counter.list(request).await {
        Ok(listing) => ItemEvent::ListingAccepted { listing_id: listing.id, asset_id: listing.asset_id },
        // Looked for among our listings in the next pass.
        Err(error) if !error.did_nothing() => return Err(error.into()),
        Err(error) => {
            context.apply_item_event(&started, ItemEvent::ListingRefused).await?;
            return Err(error.into());
        }
    };
    context.apply_item_event(&started, event).await
}

async fn claim_intent(
    context: &Context,
    intent: &Versioned<Intent>,
    fees: Option<Charges>,
) -> EngineResult<Versioned<Intent>> {
    let command = ClaimIntent {
        workspace_id: context.desk.workspace_id,
        intent_id: intent.value.terms.id,
        expected_version: intent.version,
        fees,
    };
    Ok(context.operations.claim_intent(&context.caller, command).await?)
}

/// Ends an intent, if it is known what came of it.
async fn finish_intent(context: &Context, intent: &Versioned<Intent>, outcome: Option<IntentOutcome>) -> EngineResult {
    let Some(outcome) = outcome else { return Ok(()) };
    let command = FinishIntent {
        workspace_id: context.desk.workspace_id,
        intent_id: intent.value.terms.id,
        expected_version: intent.version,
        outcome,
    };
    context.operations.finish_intent(&context.caller, command).await?;
    Ok(())
}

fn success_outcome(item: &InventoryItem) -> IntentOutcome {
    IntentOutcome::Succeeded(item.sale_listing_id.clone().map(IntentResult::Listing))
}

/// What was never begun is refused, what was begun has failed.
fn failure_outcome(intent: &Versioned<Intent>, why: &str) -> Option<IntentOutcome> {
    let is_begun = intent.value.status == IntentStatus::Executing;
    let outcome = if is_begun { IntentOutcome::Failed } else { IntentOutcome::Denied };
    Name::new(why).ok().map(outcome)
}

/// The marketplace that something is about.
fn target_marketplace(target: &Target) -> Option<Marketplace> {
    match target {
        Target::Listing(listing) => Some(listing.marketplace.clone()),
        Target::Item(item) => item.marketplace.clone(),
        Target::Offer(_) => None,
    }
}

/// Returns what an approved intent waits for after this error; nothing if another node was faster.
fn waits_for(error: &EngineError) -> Option<&'static str> {
    Some(match error {
        EngineError::Operation(refusal) if refusal.is_conflict() => return None,
        EngineError::Operation(refusal) => refusal.reason.as_str(),
        EngineError::NoReadyAccount | EngineError::NoAssignedAccount(_) => "NO_ACCOUNT_READY",
        EngineError::NotOnDesk { .. } => NOT_SERVED,
        EngineError::NoExchangeRate(_) | EngineError::Rates(_) => "NO_EXCHANGE_RATE",
        EngineError::Marketplace(error @ (ExternalError::RateLimited { .. } | ExternalError::AuthLost { .. }))
            if error.did_nothing() =>
        {
            NOT_ASKED
        }
        EngineError::Marketplace(ExternalError::Rejected(_)) => "MARKETPLACE_REFUSED",
        EngineError::Marketplace(_)
        | EngineError::Platform(_)
        | EngineError::AccountUnreadable
        | EngineError::Prices(_)
        | EngineError::SubmitTooLate
        | EngineError::NotShown
        | EngineError::UnknownState { .. }
        | EngineError::OfferMismatch(_)
        | EngineError::Money(_) => "NO_ANSWER",
    })
}

/// Why something was definitely not done; `None` if it may have been, or may be yet.
fn failure_reason(intent: &Intent, error: &EngineError) -> Option<&'static str> {
    // What was asked before may have been heard then.
    let is_first = intent.status == IntentStatus::Approved;
    match error {
        // A price is decided again, by the value of the item at that time.
        EngineError::Marketplace(error @ (ExternalError::RateLimited { .. } | ExternalError::AuthLost { .. }))
            if is_first && error.did_nothing() && intent.terms.kind == IntentKind::Reprice =>
        {
            Some(NOT_ASKED)
        }
        EngineError::Operation(refusal) if refusal.is_conflict() || refusal.code != Code::FailedPrecondition => None,
        EngineError::Operation(refusal) => Some(refusal.reason.as_str()),
        EngineError::Marketplace(ExternalError::Rejected(_)) => Some("MARKETPLACE_REFUSED"),
        EngineError::Marketplace(_)
        | EngineError::Platform(_)
        | EngineError::AccountUnreadable
        | EngineError::Prices(_)
        | EngineError::Rates(_)
        | EngineError::NoExchangeRate(_)
        | EngineError::NotOnDesk { .. }
        | EngineError::SubmitTooLate
        | EngineError::NotShown
        | EngineError::UnknownState { .. }
        | EngineError::OfferMismatch(_)
        | EngineError::NoReadyAccount
        | EngineError::NoAssignedAccount(_)
        | EngineError::Money(_) => None,
    }
}
