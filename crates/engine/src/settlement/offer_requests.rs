//! Carries out what people ask for: offers that are sent, accepted, declined and cancelled for them.
//!
//! A request is recorded as begun before the platform is called, and is never begun again: what the platform shows ends it. A call whose
//! answer is lost is looked up for [`offer_timeout`](crate::timings::EngineTimings::offer_timeout), and then a person decides.

use std::collections::BTreeSet;

use time::Duration;
use tokio::time::Instant;
use tradepost_domain::contracts::remediation::{Evidence, RemediationKind};
use tradepost_domain::text::{Description, ExternalId};
use tradepost_domain::trading::trade::{OfferStatus, TradeAddress};
use tradepost_domain::trading::trade_offer::{
    AssetReference, OfferRequest, OfferStep, Strangeness, TradeOffer, TradeOfferStatus,
};
use tradepost_domain::transition::Subject;
use tradepost_operations::trading::{
    BeginOfferRequest, FailOfferRequest, LoseTradeOffer, PostponeOfferRequest, RequestedTradeOffers,
};
use tradepost_operations::{Reason, Versioned};
use tradepost_ports::external::ExternalError;
use tradepost_ports::game_platform::{Hold, NewOffer, Offer, PlatformRefusal, PlatformResult};

use crate::context::Context;
use crate::context::confirming::{Confirmed, Confirming};
use crate::context::steps::Step;
use crate::context::trade_holds::Giving;
use crate::context::trade_offers::offer_report;
use crate::desk::TradingAccount;
use crate::error::{EngineError, EngineResult};
use crate::pass::Pass;
use crate::settlement::Settlement;

/// How far before its draft an offer is looked for: by how much the platform may date it back.
const DATED_BACK: Duration = Duration::minutes(1);

impl Settlement {
    /// Takes the next step of each request, those that wait longest first. After a failed call, the account waits for the next pass.
    pub(crate) async fn carry_out_requests(&mut self, context: &Context, pass: &mut Pass) -> EngineResult {
        if !context.holds_inventory() {
            return Ok(());
        }
        let ask = RequestedTradeOffers { workspace_id: context.desk().workspace_id };
        let requested = context.operations().requested_trade_offers(context.caller(), ask).await?;
        let (turns, mut failed) = (&mut self.requests, BTreeSet::new());
        turns.retain(|id| requested.iter().any(|offer| offer.value.id == *id));
        for offer in turns.in_turn(requested, |offer| &offer.value.id, context.time_slice()) {
            let name = offer.value.account_name.clone();
            let Some(account) = context.desk().account(&name).filter(|_| !failed.contains(&name)) else { continue };
            turns.note(offer.value.id, context.mark());
            let outcome = context.track_session(&name, carry_out(context, account, &offer)).await;
            if outcome.as_ref().is_err_and(EngineError::is_external) {
                failed.insert(name);
            }
            pass.record_error(outcome);
        }
        Ok(())
    }
}

async fn carry_out(context: &Context, account: &TradingAccount, offer: &Versioned<TradeOffer>) -> EngineResult {
    let Some(request) = offer.value.request else { return Ok(()) };
    match request.begun_at {
        Some(_) => follow(context, account, &offer.value).await,
        None if offer.value.is_request_late(context.now()) => {
            fail(context, &offer.value, Failure::certain("no engine carried the request out within 15 min")).await
        }
        None if gives_now(&offer.value, request) && context.gives_nothing(&account.name) => Ok(()),
        None if makes_trade(request) && !context.may_trade(&account.name) => Ok(()),
        // An offer whose answer is lost would not be found by its time.
        None if makes_trade(request) && context.clocks_apart().is_some() => Ok(()),
        None => begin(context, account, offer, request).await,
    }
}

/// Whether a request has the account give or receive items.
const fn makes_trade(request: OfferRequest) -> bool {
    matches!(request.step, OfferStep::Send | OfferStep::Accept)
}

/// Whether a request has the account give items.
fn gives_now(offer: &TradeOffer, request: OfferRequest) -> bool {
    makes_trade(request) && !offer.given_assets().is_empty()
}

/// Why a request ends without its effect.
struct Failure {
    why: String,
    /// Whether the call certainly had none.
    is_certain: bool,
    strangeness: Option<Strangeness>,
}

impl Failure {
    fn certain(why: impl Into<String>) -> Self {
        Self { why: why.into(), is_certain: true, strangeness: None }
    }

    fn unknown(why: impl Into<String>) -> Self {
        Self { is_certain: false, ..Self::certain(why) }
    }
}

async fn begin(
    context: &Context,
    account: &TradingAccount,
    offer: &Versioned<TradeOffer>,
    request: OfferRequest,
) -> EngineResult {
    let mut can_be_held = true;
    if request.step == OfferStep::Accept {
        let Some(status) = status_with_content(context, account, &offer.value).await? else {
            let failure = Failure::certain("the platform shows other items than before; nothing was accepted");
            return fail(context, &offer.value, failure).await;
        };
        // The call itself shows that an offer has ended.
        can_be_held = status == OfferStatus::Active;
    }
    if can_be_held && let Some(why) = hold_not_accepted(context, account, &offer.value, request).await? {
        return fail(context, &offer.value, Failure::certain(why)).await;
    }
    let command = BeginOfferRequest {
        workspace_id: context.desk().workspace_id,
        trade_offer_id: offer.value.id,
        expected_version: offer.version,
    };
    let started = Instant::now();
    let begun = match context.operations().begin_offer_request(context.caller(), command).await {
        Err(refusal) if matches!(refusal.reason, Reason::ItemOnRecord | Reason::GivingLimitReached) => {
            return fail(context, &offer.value, Failure::certain(refusal.message)).await;
        }
        begun => begun?,
    };
    if started.elapsed() >= context.timings().sent_within {
        return Err(EngineError::SubmitTooLate);
    }
    call_platform(context, account, &begun.value, request.step).await
}

/// Why a trade is not made whose items the platform would hold; nothing where the person accepts a hold, and of a step that makes no trade.
/// Nothing was sent.
async fn hold_not_accepted(
    context: &Context,
    account: &TradingAccount,
    offer: &TradeOffer,
    request: OfferRequest,
) -> EngineResult<Option<String>> {
    let giving = Giving { ours: !offer.given_assets().is_empty(), theirs: !offer.received_assets().is_empty() };
    let Some(hold) = read_hold(context, account, offer, request).await else { return Ok(None) };
    match hold {
        Ok(hold) => {
            let why = |time| format!("the platform would hold the items for {time}, which was not accepted");
            Ok(giving.held_for(hold).map(why))
        }
        Err(ExternalError::Rejected(refusal @ PlatformRefusal::PartnerRefused)) => Ok(Some(refusal.to_string())),
        Err(ExternalError::Rejected(PlatformRefusal::NotDone(why))) => {
            Ok(Some(format!("how long the platform would hold the items is not known: {why}")))
        }
        Err(error) => Err(error.into()),
    }
}

/// Reads the hold of a trade that a request makes; nothing where it does not count.
async fn read_hold(
    context: &Context,
    account: &TradingAccount,
    offer: &TradeOffer,
    request: OfferRequest,
) -> Option<PlatformResult<Hold>> {
    let (platform, user) = (&context.desk().platform, account.address.user);
    match (request.step, &offer.wish, &offer.offer_id) {
        (OfferStep::Send, Some(wish), _) if !wish.accepts_hold => {
            let to = TradeAddress { user: offer.partner, token: wish.token.clone() };
            Some(platform.hold_with(user, &to).await)
        }
        (OfferStep::Accept, _, Some(id)) if !request.accepts_hold => Some(platform.hold_of(user, id).await),
        (OfferStep::Send | OfferStep::Accept | OfferStep::Decline | OfferStep::Cancel, _, _) => None,
    }
}

/// Makes the one call of a request, and records its outcome.
async fn call_platform(
    context: &Context,
    account: &TradingAccount,
    offer: &TradeOffer,
    step: OfferStep,
) -> EngineResult {
    let (operations, caller, workspace_id) = (context.operations(), context.caller(), context.desk().workspace_id);
    match perform(context, account, offer, step).await {
        Ok(Some(sent)) => {
            let recorded = context.record_shown(account, &sent, Some(offer)).await?;
            match recorded {
                Some(recorded) => confirm(context, account, &recorded).await.map(drop),
                None => Ok(()),
            }
        }
        Ok(None) => follow(context, account, offer).await,
        Err(ExternalError::Rejected(refusal)) => after_rejection(context, account, offer, &refusal).await,
        Err(error) if error.did_nothing() => {
            let command = PostponeOfferRequest { workspace_id, trade_offer_id: offer.id };
            operations.postpone_offer_request(caller, command).await?;
            Err(error.into())
        }
        Err(error) => {
            if step == OfferStep::Send {
                let command = LoseTradeOffer { workspace_id, trade_offer_id: offer.id };
                operations.lose_trade_offer(caller, command).await?;
            }
            Err(error.into())
        }
    }
}

/// Calls the platform; returns the offer that was sent.
async fn perform(
    context: &Context,
    account: &TradingAccount,
    offer: &TradeOffer,
    step: OfferStep,
) -> PlatformResult<Option<Offer>> {
    let (platform, user) = (&context.desk().platform, account.address.user);
    match (step, &offer.offer_id, &offer.wish) {
        (OfferStep::Send, _, Some(wish)) => {
            let ids = |assets: &[AssetReference]| assets.iter().map(|asset| asset.asset_id.clone()).collect();
            let message = wish.message.clone().map(|message| -> Description { message.widened() });
            let to = TradeAddress { user: offer.partner, token: wish.token.clone() };
            let new = NewOffer { to, give: ids(&wish.gives), receive: ids(&wish.receives), message };
            platform.send(user, &new).await.map(Some)
        }
        (OfferStep::Accept, Some(id), _) => platform.accept(user, id).await.map(|_| None),
        (OfferStep::Decline, Some(id), _) => platform.decline(user, id).await.map(|()| None),
        (OfferStep::Cancel, Some(id), _) => platform.cancel(user, id).await.map(|()| None),
        (OfferStep::Send, _, None) | (OfferStep::Accept | OfferStep::Decline | OfferStep::Cancel, None, _) => {
            Err(ExternalError::Rejected(PlatformRefusal::NotFound))
        }
    }
}

/// A rejected call changed nothing. What the platform shows instead may end the request all the same.
async fn after_rejection(
    context: &Context,
    account: &TradingAccount,
    offer: &TradeOffer,
    refusal: &PlatformRefusal,
) -> EngineResult {
    let shown = read(context, account, offer).await?;
    let still_open = shown.as_ref().is_none_or(|shown| shown.value.request.is_some());
    if still_open { fail(context, offer, Failure::certain(refusal.to_string())).await } else { Ok(()) }
}

/// Follows a begun request by what the platform shows.
async fn follow(context: &Context, account: &TradingAccount, offer: &TradeOffer) -> EngineResult {
    let Some(begun_at) = offer.request.and_then(|request| request.begun_at) else { return Ok(()) };
    let waited = context.waited_for(Step::new(offer.id, begun_at));
    let is_over = waited >= context.timings().offer_timeout;
    let shown =
        if offer.is_unsent() { search(context, account, offer).await? } else { read(context, account, offer).await? };
    let Some(shown) = shown else {
        if !is_over {
            return Ok(());
        }
        return fail(context, offer, Failure::unknown("the platform does not show the offer after 60 s")).await;
    };
    let Some(request) = shown.value.request else { return Ok(()) };
    let waits_for_us = match request.step {
        OfferStep::Send => shown.value.status == TradeOfferStatus::NeedsConfirmation,
        OfferStep::Accept => shown.value.status == TradeOfferStatus::Active,
        OfferStep::Decline | OfferStep::Cancel => false,
    };
    let confirmed = if waits_for_us { confirm(context, account, &shown).await } else { Ok(Confirmed::Missing) };
    if confirmed.as_ref().is_ok_and(|confirmed| *confirmed == Confirmed::Followed) {
        return Ok(());
    }
    if request.step == OfferStep::Send && waited > context.timings().confirmation_timeout {
        // Also where the confirmation cannot be read or allowed: the platform would take it for days.
        give_confirmation_up(context, account, &shown.value).await?;
        return confirmed.map(drop);
    }
    if !matches!(confirmed, Ok(Confirmed::Missing)) {
        if waited > context.timings().confirmation_timeout {
            fail(context, &shown.value, Failure::unknown("its confirmation was not allowed within 10 min")).await?;
        }
        return confirmed.map(drop);
    }
    if is_over && request.step != OfferStep::Send {
        return fail(context, &shown.value, Failure::unknown("the platform shows no effect of the call after 60 s"))
            .await;
    }
    Ok(())
}

/// Finds an offer whose call had no answer, by its partner and its exact items.
async fn search(
    context: &Context,
    account: &TradingAccount,
    offer: &TradeOffer,
) -> EngineResult<Option<Versioned<TradeOffer>>> {
    let since = offer.created_at.plus(-DATED_BACK);
    let shown = context.desk().platform.offers(account.address.user, since).await?;
    for found in shown.iter().filter(|shown| offer.is_shown_by(&offer_report(shown, None))) {
        let recorded = context.record_shown(account, found, Some(offer)).await?;
        // An earlier request of the same items may have sent it.
        if recorded.as_ref().is_some_and(|recorded| recorded.value.id == offer.id) {
            return Ok(recorded);
        }
    }
    Ok(None)
}

/// Reads and records an offer that the platform has shown before.
async fn read(
    context: &Context,
    account: &TradingAccount,
    offer: &TradeOffer,
) -> EngineResult<Option<Versioned<TradeOffer>>> {
    let Some(id) = &offer.offer_id else { return Ok(None) };
    match context.desk().platform.offer(account.address.user, id).await {
        Err(ExternalError::Rejected(PlatformRefusal::NotFound)) => Ok(None),
        shown => context.record_shown(account, &shown?, None).await,
    }
}

/// Returns the status of an offer, by a reading of its own; nothing where the platform shows other items or another partner than are on record.
async fn status_with_content(
    context: &Context,
    account: &TradingAccount,
    offer: &TradeOffer,
) -> EngineResult<Option<OfferStatus>> {
    let Some(id) = &offer.offer_id else { return Ok(None) };
    let shown = context.desk().platform.offer(account.address.user, id).await?;
    Ok(offer.has_content_of(&offer_report(&shown, None)).then_some(shown.status))
}

/// Allows the confirmation of a request, if it waits. The offer is read once more before, and an offer of ours that gives or
/// receives anything else than was asked for is cancelled and reported.
async fn confirm(
    context: &Context,
    account: &TradingAccount,
    offer: &Versioned<TradeOffer>,
) -> EngineResult<Confirmed> {
    let offer = &offer.value;
    let Some(id) = offer.offer_id.as_ref().filter(|_| offer.request.is_some()) else { return Ok(Confirmed::Missing) };
    let shown = context.desk().platform.offer(account.address.user, id).await?;
    if shown.give.is_empty() && shown.receive.is_empty() {
        return Ok(Confirmed::Missing);
    }
    if !offer.has_content_of(&offer_report(&shown, None)) {
        if shown.is_ours {
            context.cancel_offer(account, id).await?;
        }
        let why = "the platform shows other items than were asked for; nothing was confirmed";
        let strangeness = Some(Strangeness::ContentDiffers);
        fail(context, offer, Failure { strangeness, ..Failure::certain(why) }).await?;
        return Ok(Confirmed::Followed);
    }
    let needs_it = shown.is_ours == (offer.status == TradeOfferStatus::NeedsConfirmation);
    let confirming = Confirming { offer_id: id, sale: None, holds_lease: context.holds_inventory() };
    if needs_it { context.confirm_offer(account, confirming).await } else { Ok(Confirmed::Missing) }
}

/// Cancels an offer whose confirmation does not appear, or is not allowed in time. One that the driver does not cancel ends the request, and stays
/// for its owner.
async fn give_confirmation_up(context: &Context, account: &TradingAccount, offer: &TradeOffer) -> EngineResult {
    let Some(id) = &offer.offer_id else { return Ok(()) };
    tracing::warn!(offer = %id, "not confirmed after 10 min; offer cancelled");
    report_stuck(context, offer, Some(id)).await?;
    match context.desk().platform.cancel(account.address.user, id).await {
        Err(ExternalError::Rejected(PlatformRefusal::NotDone(why))) => {
            let why = format!("it was not confirmed within 10 min, and it is not cancelled: {why}");
            return fail(context, offer, Failure::unknown(why)).await;
        }
        cancelled => cancelled?,
    }
    report_stuck(context, offer, None).await?;
    read(context, account, offer).await?;
    Ok(())
}

async fn report_stuck(context: &Context, offer: &TradeOffer, shown_by: Option<&ExternalId>) -> EngineResult {
    let shown = shown_by.map(|id| Evidence { shown_by: Some(id.clone()), ..Evidence::default() });
    let problem = (RemediationKind::ConfirmationStuck, Subject::TradeOffer(offer.id));
    context.report_problem(problem, Duration::ZERO, shown).await
}

async fn fail(context: &Context, offer: &TradeOffer, failure: Failure) -> EngineResult {
    let command = FailOfferRequest {
        workspace_id: context.desk().workspace_id,
        trade_offer_id: offer.id,
        why: failure.why,
        is_certain: failure.is_certain,
        strangeness: failure.strangeness,
    };
    context.operations().fail_offer_request(context.caller(), command).await?;
    Ok(())
}
