//! Decides how an intent proceeds: by the status of its item, and by what a failed step has shown. Values in, values out.

use tradepost_domain::contracts::intent::{Intent, IntentKind, IntentResult, IntentStatus, LOOKS, Target};
use tradepost_domain::contracts::inventory_item::{InventoryItem, ItemStatus};
use tradepost_domain::text::{Marketplace, Name};
use tradepost_operations::Code;
use tradepost_operations::contracts::IntentOutcome;
use tradepost_ports::external::ExternalError;

use crate::error::{EngineError, EngineResult};

/// Check of an intent for a marketplace or an account that the desk does not have.
pub(crate) const NOT_SERVED: &str = "NOT_SERVED";
/// Check of an intent that waits for a marketplace to which no call is made at present.
pub(crate) const NOT_ASKED: &str = "MARKETPLACE_NOT_ASKED";

/// Result of a look at an intent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum IntentProgress {
    /// It has ended or was started, or another node executes it.
    Advanced,
    /// It waits for this check.
    WaitsFor(&'static str),
}

impl IntentProgress {
    /// Returns the check that a look has left an approved intent waiting for.
    pub(crate) fn waiting_check(looked: &EngineResult<Self>, status: IntentStatus) -> Option<&'static str> {
        let check = match looked {
            Ok(Self::Advanced) => None,
            Ok(Self::WaitsFor(check)) => Some(*check),
            Err(error) => waits_for(error),
        };
        check.filter(|_| status == IntentStatus::Approved)
    }
}

/// Returns whether a look must be recorded: as long as looks count, and whenever the intent waits for another check.
pub(crate) fn must_record_look(intent: &Intent, check: &str) -> bool {
    let is_known = intent.failed_check.as_ref().is_some_and(|known| known.as_str() == check);
    intent.looks < LOOKS || !is_known
}

/// Next step of an intent about an item, by the item's status.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum IntentStep {
    /// Execute the intent.
    Execute,
    /// Wait for the listing call in progress.
    Wait,
    /// None: it was executed.
    Done,
    /// None: it cannot be executed, for this reason.
    Reject(&'static str),
}

impl IntentStep {
    pub(crate) fn of(intent: &Intent, item: &InventoryItem, may_sell: bool) -> Self {
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

/// Returns what an intent waits for before it changes a sale: the fees of the marketplace, or the end of a backoff.
pub(crate) fn must_wait(intent: &Intent, is_backing_off: bool, are_fees_known: bool) -> Option<&'static str> {
    match intent.terms.kind {
        IntentKind::Reprice if intent.status == IntentStatus::Approved && is_backing_off => Some(NOT_ASKED),
        IntentKind::List | IntentKind::Reprice => {
            let may_list = intent.terms.contract_id.is_none() || are_fees_known;
            (!may_list).then_some("FEES_UNKNOWN")
        }
        IntentKind::Buy | IntentKind::Delist | IntentKind::Deliver | IntentKind::AcceptOffer | IntentKind::Transfer => {
            None
        }
    }
}

pub(crate) fn success_outcome(item: &InventoryItem) -> IntentOutcome {
    IntentOutcome::Succeeded(item.sale_listing_id.clone().map(IntentResult::Listing))
}

/// Returns the end of an intent that was not executed: failed if it was claimed, else denied.
pub(crate) fn failure_outcome(intent: &Intent, why: &str) -> Option<IntentOutcome> {
    let is_begun = intent.status == IntentStatus::Executing;
    let outcome = if is_begun { IntentOutcome::Failed } else { IntentOutcome::Denied };
    Name::new(why).ok().map(outcome)
}

/// Returns the marketplace of an intent's target.
pub(crate) fn target_marketplace(target: &Target) -> Option<Marketplace> {
    match target {
        Target::Listing(listing) => Some(listing.marketplace.clone()),
        Target::Item(item) => item.marketplace.clone(),
        Target::Offer(_) => None,
    }
}

/// Returns what an approved intent waits for after this error; nothing if another node was faster.
pub(crate) fn waits_for(error: &EngineError) -> Option<&'static str> {
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
        | EngineError::Social(_)
        | EngineError::Session(_)
        | EngineError::AccountUnreadable
        | EngineError::Prices(_)
        | EngineError::SubmitTooLate
        | EngineError::NotShown
        | EngineError::UnknownState { .. }
        | EngineError::OfferMismatch(_)
        | EngineError::Money(_) => "NO_ANSWER",
    })
}

/// Returns the reason why an intent had no effect for certain; `None` if it may have had one, or may still have one.
pub(crate) fn failure_reason(intent: &Intent, error: &EngineError) -> Option<&'static str> {
    // An earlier call may have had an effect.
    let is_first = intent.status == IntentStatus::Approved;
    match error {
        // The price is decided again, by the value of the item at that time.
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
        | EngineError::Social(_)
        | EngineError::Session(_)
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

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;
    use tradepost_domain::contracts::purchase::PurchaseStatus;
    use tradepost_operations::{OpError, Reason};
    use tradepost_ports::external::Effect;
    use tradepost_ports::marketplace::MarketplaceRefusal;
    use tradepost_testkit::samples::{Samples, text};

    fn intent(kind: IntentKind, status: IntentStatus) -> Intent {
        let samples = Samples::seeded(9);
        samples.sale_intent(samples.id(), samples.id(), kind, status)
    }

    fn item(status: ItemStatus) -> InventoryItem {
        let samples = Samples::seeded(10);
        samples.item_in(&samples.purchase(samples.id(), samples.id(), PurchaseStatus::Traded), status).0
    }

    fn step(kind: IntentKind, status: IntentStatus, item_status: ItemStatus) -> IntentStep {
        IntentStep::of(&intent(kind, status), &item(item_status), true)
    }

    fn limited() -> EngineError {
        let effect = Effect::Nothing;
        EngineError::Marketplace(ExternalError::RateLimited { retry_after: Duration::from_secs(1), effect })
    }

    fn lost() -> EngineError {
        EngineError::Marketplace(ExternalError::Unknown("no answer".to_owned()))
    }

    #[test]
    fn an_approved_intent_is_executed_if_its_item_is_where_it_must_be() {
        use IntentKind::{Delist, List, Reprice};
        let approved = |kind, item| step(kind, IntentStatus::Approved, item);
        assert_eq!(approved(List, ItemStatus::InInventory), IntentStep::Execute);
        assert_eq!(approved(Reprice, ItemStatus::Listed), IntentStep::Execute);
        assert_eq!(approved(Delist, ItemStatus::Listed), IntentStep::Execute);
        assert_eq!(approved(Delist, ItemStatus::InInventory), IntentStep::Done);
        assert_eq!(approved(List, ItemStatus::Listing), IntentStep::Wait);
        assert_eq!(approved(List, ItemStatus::Sold), IntentStep::Reject("ITEM_ELSEWHERE"));
    }

    #[test]
    fn a_claimed_listing_intent_ends_by_what_its_item_shows() {
        let claimed = |item| step(IntentKind::List, IntentStatus::Executing, item);
        assert_eq!(claimed(ItemStatus::Listed), IntentStep::Done);
        assert_eq!(claimed(ItemStatus::InInventory), IntentStep::Reject("NOT_LISTED"));
    }

    #[test]
    fn an_account_that_is_not_ready_lists_nothing() {
        let intent = intent(IntentKind::List, IntentStatus::Approved);
        let step = IntentStep::of(&intent, &item(ItemStatus::InInventory), false);
        assert_eq!(step, IntentStep::Reject("ACCOUNT_NOT_READY"));
    }

    #[test]
    fn an_approved_reprice_waits_for_the_backoff_and_a_claimed_one_does_not() {
        let waits = |status| must_wait(&intent(IntentKind::Reprice, status), true, true);
        assert_eq!(waits(IntentStatus::Approved), Some(NOT_ASKED));
        assert_eq!(waits(IntentStatus::Executing), None);
        assert_eq!(must_wait(&intent(IntentKind::Delist, IntentStatus::Approved), true, false), None);
    }

    #[test]
    fn only_an_approved_intent_waits_for_a_check() {
        let waiting = |looked, status| IntentProgress::waiting_check(&looked, status);
        let waits = || Ok(IntentProgress::WaitsFor(NOT_SERVED));
        assert_eq!(waiting(waits(), IntentStatus::Approved), Some(NOT_SERVED));
        assert_eq!(waiting(waits(), IntentStatus::Executing), None);
        assert_eq!(waiting(Ok(IntentProgress::Advanced), IntentStatus::Approved), None);
        assert_eq!(waiting(Err(limited()), IntentStatus::Approved), Some(NOT_ASKED));
        assert_eq!(waiting(Err(lost()), IntentStatus::Approved), Some("NO_ANSWER"));
    }

    #[test]
    fn a_look_is_recorded_while_looks_count_or_the_check_changes() {
        let mut looked_at = intent(IntentKind::List, IntentStatus::Approved);
        assert!(must_record_look(&looked_at, NOT_ASKED));
        looked_at = with_looks(&looked_at, LOOKS, NOT_ASKED);
        assert!(!must_record_look(&looked_at, NOT_ASKED));
        assert!(must_record_look(&looked_at, NOT_SERVED));
    }

    fn with_looks(intent: &Intent, looks: u8, check: &str) -> Intent {
        let mut parts = (**intent).clone();
        (parts.looks, parts.failed_check) = (looks, Some(text(check)));
        Intent::restore(parts).unwrap()
    }

    #[test]
    fn a_call_without_an_answer_ends_no_intent() {
        let approved = intent(IntentKind::List, IntentStatus::Approved);
        assert_eq!(failure_reason(&approved, &lost()), None);
        let refused = EngineError::Marketplace(ExternalError::Rejected(MarketplaceRefusal::PriceRefused));
        assert_eq!(failure_reason(&approved, &refused), Some("MARKETPLACE_REFUSED"));
        let halted = EngineError::Operation(OpError::failed_precondition(Reason::TradingHalted, "trading is halted"));
        assert_eq!(failure_reason(&approved, &halted), Some("TRADING_HALTED"));
    }

    #[test]
    fn only_a_reprice_that_was_never_sent_ends_at_a_rate_limit() {
        let ends = |kind, status| failure_reason(&intent(kind, status), &limited());
        assert_eq!(ends(IntentKind::Reprice, IntentStatus::Approved), Some(NOT_ASKED));
        assert_eq!(ends(IntentKind::Reprice, IntentStatus::Executing), None);
        assert_eq!(ends(IntentKind::Delist, IntentStatus::Approved), None);
    }

    #[test]
    fn an_intent_that_was_claimed_fails_and_another_is_denied() {
        let end = |status| failure_outcome(&intent(IntentKind::List, status), "NOT_LISTED");
        assert!(matches!(end(IntentStatus::Executing), Some(IntentOutcome::Failed(_))));
        assert!(matches!(end(IntentStatus::Approved), Some(IntentOutcome::Denied(_))));
    }
}
