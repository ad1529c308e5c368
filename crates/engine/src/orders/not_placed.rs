//! Looks up purchases that were proven absent for some more hours (`not_placed_watch` of the timings).
//!
//! Their money was released and may be spent again, so an order that appears later is a duplicate.

use std::collections::BTreeSet;

use tradepost_domain::contracts::purchase::{FailureCode, Purchase, PurchaseStatus};
use tradepost_domain::contracts::remediation::{Evidence, RemediationKind};
use tradepost_domain::id::{ContractId, PurchaseId};
use tradepost_domain::text::ExternalId;
use tradepost_domain::time::Timestamp;
use tradepost_domain::transition::Subject;
use tradepost_operations::contracts::{
    GetRemediations, ListPurchases, ListRemediations, OpenRemediation, WantedPurchases,
};

use tradepost_ports::marketplace::{OrderIdentity, Sought};

use crate::context::Context;
use crate::error::EngineResult;
use crate::mark::Mark;
use crate::mark::is_due;
use crate::orders::Orders;
use crate::orders::reconciliation::sought_order;
use crate::pass::Pass;
use crate::timings::PAGE;

/// The purchases whose absent orders are looked up.
#[derive(Debug, Default)]
pub(crate) struct NotPlacedPurchases {
    looked_at: Option<Mark>,
    ids: BTreeSet<PurchaseId>,
}

impl NotPlacedPurchases {
    /// Watches purchases that are about to be recorded as absent.
    pub(crate) fn watch(&mut self, ids: impl Iterator<Item = PurchaseId>) {
        self.ids.extend(ids);
    }
}

/// The purchase to which an order belongs that was proven absent.
#[derive(Debug, PartialEq, Eq)]
enum OrderOwner {
    /// A later purchase.
    Later,
    /// It may belong to a later purchase whose outcome is unknown.
    Open,
    /// No other purchase: the proof was wrong.
    Itself,
}

impl OrderOwner {
    /// Returns the owner of an order, by the later purchases of its listing.
    ///
    /// A marketplace without keys finds an order by its listing, and so also that of a later purchase of the same listing.
    fn of(order: &ExternalId, later: &[Purchase]) -> Self {
        let has_it = |later: &Purchase| later.progress.order.as_ref().is_some_and(|has| has.id == *order);
        let may_have_it = |later: &Purchase| {
            matches!(later.status, PurchaseStatus::Pending | PurchaseStatus::Submitted | PurchaseStatus::Uncertain)
        };
        if later.iter().any(has_it) {
            Self::Later
        } else if later.iter().any(may_have_it) {
            Self::Open
        } else {
            Self::Itself
        }
    }
}

fn is_not_placed(purchase: &Purchase) -> bool {
    purchase.status == PurchaseStatus::Failed && purchase.progress.failure_code == Some(FailureCode::NotPlaced)
}

/// Returns whether a purchase was proven absent since a time.
fn is_watched(purchase: &Purchase, since: Timestamp) -> bool {
    is_not_placed(purchase) && purchase.updated_at >= since
}

impl Orders {
    /// Looks up the orders that were proven absent, at an interval.
    pub(crate) async fn recheck_not_placed(&mut self, context: &Context, pass: &mut Pass) -> EngineResult {
        let (now, mark) = (context.now(), context.mark());
        if !is_due(self.not_placed.looked_at.as_ref(), mark, context.timings().not_placed_interval) {
            return Ok(());
        }
        let is_new = self.not_placed.looked_at.is_none();
        self.load_not_placed(context, if is_new { context.timings().not_placed_initial_pages } else { 1 }).await?;
        self.not_placed.looked_at = Some(mark);
        let (since, mut still) = (now.plus(-context.timings().not_placed_watch), BTreeSet::new());
        let ids: Vec<PurchaseId> = self.not_placed.ids.iter().copied().collect();
        for ids in ids.chunks(PAGE.unsigned_abs() as usize) {
            for purchase in context.purchases_by_id(ids.to_vec()).await? {
                let purchase = purchase.value;
                if !is_watched(&purchase, since) {
                    continue;
                }
                let result = recheck_purchase(context, &purchase).await;
                if !matches!(result, Ok(true)) {
                    still.insert(purchase.terms.id);
                }
                pass.record_error(result.map(drop));
            }
        }
        self.not_placed.ids = still;
        Ok(())
    }

    /// Adds the purchases that failed most recently.
    async fn load_not_placed(&mut self, context: &Context, pages: usize) -> EngineResult {
        let (workspace_id, status, mut cursor) = (context.desk().workspace_id, PurchaseStatus::Failed, String::new());
        for _ in 0..pages {
            let list = ListPurchases {
                workspace_id,
                limit: PAGE,
                cursor,
                contract_id: None,
                status: Some(status),
                wanted: WantedPurchases::default(),
            };
            let page = context.operations().list_purchases(context.caller(), list).await?;
            let failed = context.purchases_by_id(page.entries).await?;
            let unplaced = failed.iter().map(|purchase| &purchase.value).filter(|purchase| is_not_placed(purchase));
            self.not_placed.watch(unplaced.map(|purchase| purchase.terms.id));
            cursor = page.next_cursor;
            if cursor.is_empty() {
                break;
            }
        }
        Ok(())
    }
}

/// Looks an order up again. Returns whether it exists, and reports it then.
async fn recheck_purchase(context: &Context, purchase: &Purchase) -> EngineResult<bool> {
    let terms = &purchase.terms;
    // Only imported purchases have no contract, and these never fail.
    let Some(contract_id) = terms.contract_id.filter(|_| context.holds_marketplace(&terms.marketplace)) else {
        return Ok(false);
    };
    let counter = context.venue(&terms.marketplace)?.with_rate(terms.exchange_rate);
    let sought = sought_order(context, purchase)?;
    let Sought::Found(order) = counter.find_our_order(sought).await? else { return Ok(false) };
    match order_owner(context, purchase, &order.id).await? {
        OrderOwner::Later => return Ok(true),
        OrderOwner::Open => return Ok(false),
        OrderOwner::Itself => {}
    }
    if !is_reported_duplicate(context, contract_id, &order.id).await? {
        tracing::warn!(purchase = %terms.id, order = %order.id, "order found that was proven absent");
        let (workspace_id, subject) = (context.desk().workspace_id, Subject::Contract(contract_id));
        let evidence = Evidence { shown_by: Some(order.id), expected: None, found: Some(terms.order_key()) };
        let command = OpenRemediation { workspace_id, kind: RemediationKind::DuplicateSuspect, subject, evidence };
        context.operations().open_remediation(context.caller(), command).await?;
    }
    Ok(true)
}

/// Returns the owner of an order that was found for a purchase. Only orders without keys need the later purchases.
async fn order_owner(context: &Context, purchase: &Purchase, order: &ExternalId) -> EngineResult<OrderOwner> {
    let traits = context.venue(&purchase.terms.marketplace)?.marketplace.traits();
    if traits.orders == OrderIdentity::Keyed {
        return Ok(OrderOwner::Itself);
    }
    Ok(OrderOwner::of(order, &later_of_listing(context, purchase).await?))
}

/// Returns the later purchases of the same listing.
async fn later_of_listing(context: &Context, purchase: &Purchase) -> EngineResult<Vec<Purchase>> {
    let (workspace_id, mut cursor, mut later) = (context.desk().workspace_id, String::new(), Vec::new());
    let is_of_it = |other: &Purchase| {
        let (terms, others) = (&purchase.terms, &other.terms);
        others.id > terms.id && others.marketplace == terms.marketplace && others.listing_id == terms.listing_id
    };
    loop {
        let list = ListPurchases {
            workspace_id,
            limit: PAGE,
            cursor,
            contract_id: None,
            status: None,
            wanted: WantedPurchases::default(),
        };
        let page = context.operations().list_purchases(context.caller(), list).await?;
        // The newest come first, in the order of their ids.
        let is_past = page.entries.last().is_some_and(|last| *last <= purchase.terms.id);
        let read = context.purchases_by_id(page.entries).await?;
        later.extend(read.into_iter().map(|other| other.value).filter(is_of_it));
        cursor = page.next_cursor;
        if is_past || cursor.is_empty() {
            return Ok(later);
        }
    }
}

/// Returns whether this order was reported before, whatever the state of that report: an operator's decision holds.
async fn is_reported_duplicate(context: &Context, contract_id: ContractId, order: &ExternalId) -> EngineResult<bool> {
    let workspace_id = context.desk().workspace_id;
    let list = ListRemediations {
        workspace_id,
        limit: PAGE,
        cursor: String::new(),
        status: None,
        kind: Some(RemediationKind::DuplicateSuspect),
        severity: None,
        subject: None,
    };
    let remediation_ids = context.operations().list_remediations(context.caller(), list).await?.entries;
    if remediation_ids.is_empty() {
        return Ok(false);
    }
    let get = GetRemediations { workspace_id, remediation_ids };
    let reported = context.operations().get_remediations(context.caller(), get).await?.found;
    let subject = Subject::Contract(contract_id);
    Ok(reported
        .into_iter()
        .map(|reported| reported.value)
        .any(|reported| reported.subject == subject && reported.evidence.shown_by.as_ref() == Some(order)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use tradepost_testkit::samples::{Samples, minute, text};

    fn later(status: PurchaseStatus) -> Purchase {
        let samples = Samples::seeded(7);
        samples.purchase(samples.id(), samples.id(), status)
    }

    fn failed(code: FailureCode) -> Purchase {
        let mut parts = later(PurchaseStatus::Failed).into_parts();
        (parts.progress.failure_code, parts.updated_at) = (Some(code), minute(10));
        Purchase::restore(parts).unwrap()
    }

    #[test]
    fn an_order_without_a_later_purchase_of_its_listing_is_a_duplicate() {
        assert_eq!(OrderOwner::of(&text("order-1"), &[]), OrderOwner::Itself);
        assert_eq!(OrderOwner::of(&text("order-1"), &[later(PurchaseStatus::Paid)]), OrderOwner::Itself);
    }

    #[test]
    fn an_order_that_a_later_purchase_has_belongs_to_it() {
        let [uncertain, paid] = [PurchaseStatus::Uncertain, PurchaseStatus::Paid].map(later);
        let order = paid.progress.order.clone().unwrap();
        assert_eq!(OrderOwner::of(&order.id, &[uncertain, paid]), OrderOwner::Later);
    }

    #[test]
    fn an_order_may_belong_to_a_later_purchase_whose_outcome_is_unknown() {
        for status in [PurchaseStatus::Pending, PurchaseStatus::Submitted, PurchaseStatus::Uncertain] {
            assert_eq!(OrderOwner::of(&text("order-1"), &[later(status)]), OrderOwner::Open);
        }
    }

    #[test]
    fn only_purchases_that_were_proven_absent_since_a_time_are_watched() {
        assert!(is_watched(&failed(FailureCode::NotPlaced), minute(10)));
        assert!(!is_watched(&failed(FailureCode::NotPlaced), minute(11)));
        assert!(!is_watched(&failed(FailureCode::SoldAlready), minute(10)));
    }
}
