//! Purchases that were proven not to have been made: looked up for some hours more. The money of such a purchase is
//! free, and something else was bought with it; an order that turns up then is a second one.

use std::collections::BTreeSet;

use time::Duration;
use tradepost_domain::contracts::purchase::{FailureCode, Purchase, PurchaseStatus};
use tradepost_domain::contracts::remediation::{Evidence, RemediationKind};
use tradepost_domain::id::{ContractId, PurchaseId};
use tradepost_domain::text::ExternalId;
use tradepost_domain::transition::Subject;
use tradepost_operations::contracts::{GetRemediations, ListPurchases, ListRemediations, OpenRemediation};

use tradepost_ports::marketplace::{OrderIdentity, Sought};

use crate::context::Context;
use crate::error::EngineResult;
use crate::mark::Mark;
use crate::market::marketplace_terms::is_due;
use crate::open_records::PAGE;
use crate::orders::Orders;
use crate::orders::reconciliation::sought;
use crate::orders::submission::idempotency_key;
use crate::pass::Pass;

/// How often they are looked up.
const CHECK_INTERVAL: Duration = Duration::minutes(10);
/// For how long after the proof.
const WATCH_PERIOD: Duration = Duration::hours(6);
/// Maximum number of pages of failed purchases that a new engine reads; later reads only find what other nodes have proven.
const INITIAL_PAGES: usize = 5;

/// The purchases that are looked up, as far as they are known.
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

/// To whom an order belongs that has turned up.
enum Whose {
    /// A later purchase.
    Later,
    /// It may belong to a later purchase whose outcome is unknown.
    Open,
    /// No other purchase.
    Itself,
}

fn is_not_placed(purchase: &Purchase) -> bool {
    purchase.status == PurchaseStatus::Failed && purchase.progress.failure_code == Some(FailureCode::NotPlaced)
}

impl Orders {
    /// Looks up once more what was proven not to be there, if it is time.
    pub(crate) async fn recheck_not_placed(&mut self, context: &Context, pass: &mut Pass) -> EngineResult {
        let (now, mark) = (context.now(), context.mark());
        if !is_due(self.not_placed.looked_at.as_ref(), mark, CHECK_INTERVAL) {
            return Ok(());
        }
        self.load_not_placed(context, if self.not_placed.looked_at.is_none() { INITIAL_PAGES } else { 1 }).await?;
        self.not_placed.looked_at = Some(mark);
        let (since, mut still) = (now.plus(-WATCH_PERIOD), BTreeSet::new());
        let ids: Vec<PurchaseId> = self.not_placed.ids.iter().copied().collect();
        for ids in ids.chunks(PAGE.unsigned_abs() as usize) {
            for purchase in context.purchases_by_id(ids.to_vec()).await? {
                let purchase = purchase.value;
                if !is_not_placed(&purchase) || purchase.updated_at < since {
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

    /// Adds those of the purchases that failed last.
    async fn load_not_placed(&mut self, context: &Context, pages: usize) -> EngineResult {
        let (workspace_id, status, mut cursor) = (context.desk.workspace_id, PurchaseStatus::Failed, String::new());
        for _ in 0..pages {
            let list = ListPurchases { workspace_id, limit: PAGE, cursor, contract_id: None, status: Some(status) };
            let page = context.operations.list_purchases(&context.caller, list).await?;
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
    let (terms, key) = (&purchase.terms, idempotency_key(purchase));
    if !context.holds_marketplace(&terms.marketplace) {
        return Ok(false);
    }
    let counter = context.venue(&terms.marketplace)?.with_rate(terms.exchange_rate);
    let sought = sought(purchase, context.account(&terms.account_name)?.address);
    let Sought::Found(order) = counter.find_order(sought).await? else { return Ok(false) };
    match belongs_to(context, purchase, &order.id).await? {
        Whose::Later => return Ok(true),
        Whose::Open => return Ok(false),
        Whose::Itself => {}
    }
    if !is_reported_duplicate(context, terms.contract_id, &order.id).await? {
        tracing::warn!(purchase = %terms.id, order = %order.id, "order found that was proven absent");
        let (workspace_id, subject) = (context.desk.workspace_id, Subject::Contract(terms.contract_id));
        let evidence = Evidence { shown_by: Some(order.id), expected: None, found: Some(key) };
        let command = OpenRemediation { workspace_id, kind: RemediationKind::DuplicateSuspect, subject, evidence };
        context.operations.open_remediation(&context.caller, command).await?;
    }
    Ok(true)
}

/// To whom an order belongs that was found for a purchase. A marketplace that keeps no keys finds it by its listing, and so also that of
/// a later purchase of the same listing.
async fn belongs_to(context: &Context, purchase: &Purchase, order: &ExternalId) -> EngineResult<Whose> {
    let traits = context.venue(&purchase.terms.marketplace)?.marketplace.traits();
    if traits.orders == OrderIdentity::Keyed {
        return Ok(Whose::Itself);
    }
    let later = later_of_listing(context, purchase).await?;
    let has_it = |later: &Purchase| later.progress.order.as_ref().is_some_and(|has| has.id == *order);
    if later.iter().any(has_it) {
        return Ok(Whose::Later);
    }
    let may_have_it = |later: &Purchase| {
        matches!(later.status, PurchaseStatus::Pending | PurchaseStatus::Submitted | PurchaseStatus::Uncertain)
    };
    Ok(if later.iter().any(may_have_it) { Whose::Open } else { Whose::Itself })
}

/// The purchases of the same listing that were made later.
async fn later_of_listing(context: &Context, purchase: &Purchase) -> EngineResult<Vec<Purchase>> {
    let (workspace_id, mut cursor, mut later) = (context.desk.workspace_id, String::new(), Vec::new());
    let is_of_it = |other: &Purchase| {
        let (terms, others) = (&purchase.terms, &other.terms);
        others.id > terms.id && others.marketplace == terms.marketplace && others.listing_id == terms.listing_id
    };
    loop {
        let list = ListPurchases { workspace_id, limit: PAGE, cursor, contract_id: None, status: None };
        let page = context.operations.list_purchases(&context.caller, list).await?;
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
    let workspace_id = context.desk.workspace_id;
    let list = ListRemediations {
        workspace_id,
        limit: PAGE,
        cursor: String::new(),
        status: None,
        kind: Some(RemediationKind::DuplicateSuspect),
        severity: None,
    };
    let remediation_ids = context.operations.list_remediations(&context.caller, list).await?.entries;
    if remediation_ids.is_empty() {
        return Ok(false);
    }
    let get = GetRemediations { workspace_id, remediation_ids };
    let reported = context.operations.get_remediations(&context.caller, get).await?.found;
    let subject = Subject::Contract(contract_id);
    Ok(reported
        .into_iter()
        .map(|reported| reported.value)
        .any(|reported| reported.subject == subject && reported.evidence.shown_by.as_ref() == Some(order)))
}
