//! The components that can look purchases up at their marketplaces. They register while the process runs.

use std::sync::{Arc, PoisonError, RwLock};

use tradepost_domain::contracts::purchase::{Purchase, PurchaseError, PurchaseEvent, PurchaseStatus};
use tradepost_domain::money::Cents;
use tradepost_ports::purchase_lookup::{AbsenceReading, LookupResult, PurchaseLookup};
use tradepost_ports::store::StoreError;

use crate::{OpError, OpResult, Operations, Reason};

/// The registered components, the latest last.
#[derive(Default)]
pub(crate) struct LookupRegistry(RwLock<Vec<Arc<dyn PurchaseLookup>>>);

impl Operations {
    /// Registers a component for look-ups at the marketplaces that it reaches; of several for the same one, the latest is used.
    pub fn offer_lookup(&self, lookup: Arc<dyn PurchaseLookup>) {
        self.lookups.0.write().unwrap_or_else(PoisonError::into_inner).push(lookup);
    }

    /// Removes a component that was registered.
    pub fn withdraw_lookup(&self, lookup: &Arc<dyn PurchaseLookup>) {
        self.lookups.0.write().unwrap_or_else(PoisonError::into_inner).retain(|known| !Arc::ptr_eq(known, lookup));
    }
}

/// What was read of the absence of an order.
#[derive(Debug, Clone)]
pub(crate) enum ReadingAttempt {
    /// This.
    Read(Box<AbsenceReading>),
    /// Nothing, for this reason.
    NotRead(&'static str),
}

/// Asks the marketplace for the state of a purchase. Returns the event that follows from the response, if any.
///
/// # Errors
/// `failed_precondition`: `ILLEGAL_STEP` once the purchase has ended, unless it has failed, `PROVIDER_NOT_CONNECTED`; `internal` with
/// `PROVIDER_UNAVAILABLE` when the marketplace gives no answer.
pub(crate) async fn ask_about(operations: &Operations, purchase: &Purchase) -> OpResult<Option<PurchaseEvent>> {
    let (terms, from) = (&purchase.terms, purchase.status);
    if from.is_terminal() && from != PurchaseStatus::Failed {
        return Err(PurchaseError::IllegalStep { from, event: "reconciled" }.into());
    }
    let Some(lookup) = lookup_of(operations, purchase) else {
        let message = format!(
            "no provider of {} is connected to this server: start the engine that trades there, or say how the purchase \
             ended by RecordPurchaseOutcome",
            terms.marketplace
        );
        return Err(OpError::failed_precondition(Reason::ProviderNotConnected, message));
    };
    match lookup.look_up(purchase).await {
        Ok(answer) => Ok(event_of(answer, from)),
        Err(error) => Err(OpError {
            source: Some(StoreError::Unavailable(error.to_string())),
            ..OpError::outage(Reason::ProviderUnavailable)
        }),
    }
}

/// Reads what shows whether the order of an uncertain purchase exists, as far as its marketplace can be called.
pub(crate) async fn read_absence(operations: &Operations, purchase: &Purchase) -> ReadingAttempt {
    let Some(lookup) = lookup_of(operations, purchase) else {
        return ReadingAttempt::NotRead("no provider connected");
    };
    match lookup.read_absence(purchase).await {
        Ok(reading) => ReadingAttempt::Read(Box::new(reading)),
        Err(error) => {
            tracing::warn!(purchase = %purchase.terms.id, %error, "absence of the order not read");
            ReadingAttempt::NotRead("no answer from the marketplace")
        }
    }
}

fn lookup_of(operations: &Operations, purchase: &Purchase) -> Option<Arc<dyn PurchaseLookup>> {
    let terms = &purchase.terms;
    let known = operations.lookups.0.read().unwrap_or_else(PoisonError::into_inner).clone();
    known.into_iter().rfind(|lookup| lookup.reaches(terms.workspace_id, &terms.marketplace))
}

/// Returns the event that follows from a response, if it is new for a purchase in this status.
fn event_of(answer: LookupResult, from: PurchaseStatus) -> Option<PurchaseEvent> {
    use PurchaseStatus as Is;
    match answer {
        LookupResult::Nothing => None,
        LookupResult::OrderFound(order) => {
            matches!(from, Is::Uncertain | Is::Failed).then_some(PurchaseEvent::OrderFound(order))
        }
        LookupResult::Failed(code) => {
            matches!(from, Is::Paid | Is::Offered).then_some(PurchaseEvent::DeliveryFailed(code))
        }
        LookupResult::Refunded(amount) => {
            let is_owed = matches!(from, Is::RefundPending | Is::Reverted) && amount > Cents::ZERO;
            is_owed.then_some(PurchaseEvent::RefundBooked { amount })
        }
    }
}
