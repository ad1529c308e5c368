//! The release of the money of a purchase that an operator states was never made. What can be read must not contradict the statement, and
//! the log of status changes keeps both.

use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::contracts::purchase::{
    Absence, BalancesRead, ListingOutcome, OrderOrigin, Purchase, PurchaseEvent, PurchaseStatus,
};
use tradepost_domain::id::PurchaseId;
use tradepost_domain::text::{Description, ExternalId};
use tradepost_ports::changes::Seen;
use tradepost_ports::purchase_lookup::AbsenceReading;

use crate::contracts::purchases::lifecycle_update::LifecycleUpdate;
use crate::in_workspace::InWorkspace;
use crate::lookup_registry::{ReadingAttempt, read_absence};
use crate::{OpError, OpResult, Operations, Reason};

/// The longest text of a reason.
const MOST_CHARS: usize = 512;

/// What an operator states of a purchase that was never made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct StatedAbsence {
    pub(super) absence: Absence,
    /// What else lowered the balance.
    pub(super) lowered_by: Option<ExternalId>,
}

/// The orders that were read, by their origins.
#[derive(Debug, Default, PartialEq, Eq)]
struct OrdersRead {
    own: Option<ExternalId>,
    another: Option<ExternalId>,
    unclear: Option<ExternalId>,
}

impl StatedAbsence {
    /// Returns why it cannot be: what was read contradicts it.
    fn contradiction(&self, reading: &AbsenceReading, orders: &OrdersRead) -> Option<String> {
        if let Some(order) = &orders.own {
            return Some(format!("the marketplace shows order {order} of this purchase; run RECONCILE"));
        }
        let lower = reading.balances.filter(BalancesRead::is_lower).filter(|_| self.lowered_by.is_none());
        lower.map(|balances| format!("{balances}; name what else lowered it in args.absence.balanceLoweredBy"))
    }

    fn in_words(&self) -> String {
        let Absence { first_lookup_at, last_lookup_at, .. } = &self.absence;
        let balance = self.lowered_by.as_ref().map_or("unchanged".to_owned(), |by| format!("lowered by {by}"));
        format!("stated: no order at {first_lookup_at} and {last_lookup_at}, listing explained, balance {balance}")
    }
}

/// Returns what was read in words.
fn reading_in_words(reading: &AbsenceReading, orders: &OrdersRead) -> String {
    let found = match &orders.unclear {
        Some(order) => format!("order {order} of an unclear purchase"),
        None if reading.is_complete || orders.another.is_some() => "no order of this purchase".to_owned(),
        None => "order not shown".to_owned(),
    };
    let listing = match &orders.another {
        Some(order) if !reading.listing.is_explained() => ListingOutcome::SoldByOrder(order.clone()),
        _ => reading.listing.clone(),
    };
    let balances = reading.balances.map_or("balance not shown".to_owned(), |balances| balances.to_string());
    format!("read: {found}; {listing}; {balances}")
}

fn not_proven(why: &str) -> OpError {
    OpError::failed_precondition(Reason::AbsenceNotProven, format!("absence of the order is not proven: {why}"))
}

/// Returns a text as a reason, cut to its length.
fn reason(text: &str) -> OpResult<Description> {
    let most = text.char_indices().nth(MOST_CHARS).map_or(text.len(), |(end, _)| end);
    Description::new(text.get(..most).unwrap_or(text)).map_err(|error| OpError::invalid_field("args.absence", error))
}

impl Operations {
    /// Reads what shows whether the order exists, for a purchase whose outcome is unknown.
    pub(super) async fn read_for_release(
        &self,
        scope: WorkspaceScope,
        id: PurchaseId,
    ) -> OpResult<Option<ReadingAttempt>> {
        let found = self.ports.store.purchases().find(scope, id).await?;
        let seen = found.ok_or_else(|| OpError::not_found("purchase"))?;
        // The release of any other is rejected by its status.
        if seen.peek().status != PurchaseStatus::Uncertain {
            return Ok(None);
        }
        Ok(Some(read_absence(self, seen.peek()).await))
    }

    /// Returns the step that releases the money, and gives the steps their reason.
    pub(super) async fn release(
        &self,
        steps: &mut LifecycleUpdate<'_>,
        purchase: InWorkspace<&Purchase>,
        stated: &StatedAbsence,
        read: Option<&ReadingAttempt>,
    ) -> OpResult<PurchaseEvent> {
        if stated.absence.first_lookup_at < purchase.id.created_at {
            return Err(not_proven("a look-up before the purchase was made shows nothing"));
        }
        let shown = match read {
            Some(ReadingAttempt::Read(reading)) => {
                let orders = self.orders_read(purchase.scope, purchase.id, reading).await?;
                if let Some(why) = stated.contradiction(reading, &orders) {
                    return Err(not_proven(&why));
                }
                reading_in_words(reading, &orders)
            }
            Some(ReadingAttempt::NotRead(why)) => format!("not read: {why}"),
            None => "not read".to_owned(),
        };
        steps.explain(reason(&format!("{}; {shown}", stated.in_words()))?);
        Ok(PurchaseEvent::OrderAbsent(stated.absence.clone()))
    }

    async fn orders_read(
        &self,
        scope: WorkspaceScope,
        purchase: &Purchase,
        reading: &AbsenceReading,
    ) -> OpResult<OrdersRead> {
        let mut orders = OrdersRead::default();
        for order in &reading.orders {
            let marketplace = &purchase.terms.marketplace;
            let holder = self.ports.store.purchases().find_of_order(scope, marketplace, &order.id).await?;
            let id = Some(order.id.clone());
            match OrderOrigin::of(purchase, order.key.as_ref(), holder.as_ref().map(Seen::peek)) {
                OrderOrigin::Own => orders.own = id,
                OrderOrigin::Another => orders.another = id,
                OrderOrigin::Unclear => orders.unclear = id,
            }
        }
        Ok(orders)
    }
}
