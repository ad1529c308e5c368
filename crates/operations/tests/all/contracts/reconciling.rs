//! Asking the marketplace at once for the outcome of a purchase.

use std::sync::Arc;

use tradepost_domain::contracts::purchase::{FailureCode, Order, Purchase, PurchaseEvent, PurchaseStatus};
use tradepost_domain::contracts::remediation::{Remediation, RemediationAction, RemediationKind, RemediationStatus};
use tradepost_domain::id::PurchaseId;
use tradepost_domain::transition::Subject;
use tradepost_operations::contracts::{ActionArgs, ReconcilePurchase, RunRemediationAction};
use tradepost_operations::{Code, OpResult, Versioned};
use tradepost_ports::purchase_lookup::{LookupFailed, LookupResult};
use tradepost_testkit::fakes::FakeLookup;
use tradepost_testkit::samples::text;

use super::{Desk, cents, submitted};

impl Desk {
    /// A desk on a server where the marketplace can be asked.
    async fn connected() -> (Self, Arc<FakeLookup>) {
        let (desk, lookup) = (Self::open().await, Arc::new(FakeLookup::of("csfloat")));
        desk.operations().offer_lookup(lookup.clone());
        (desk, lookup)
    }

    async fn reconcile(&self, purchase_id: PurchaseId) -> OpResult<Versioned<Purchase>> {
        let command = ReconcilePurchase { workspace_id: self.workspace_id(), purchase_id };
        self.operations().reconcile_purchase(&self.trader, command).await
    }

    async fn reconcile_problem(&self, problem: &Remediation) -> OpResult<Versioned<Remediation>> {
        let command = RunRemediationAction {
            workspace_id: self.workspace_id(),
            remediation_id: problem.id,
            action: RemediationAction::Reconcile,
            args: ActionArgs::default(),
            expected_version: None,
        };
        self.operations().run_remediation_action(&self.trader, command).await
    }
}

fn found() -> LookupResult {
    LookupResult::OrderFound(Order { id: text("order-1"), executed_price: cents(1_190), fee: cents(30) })
}

#[tokio::test]
async fn an_order_that_was_placed_is_found_and_one_that_fails_is_owed_and_refunded() {
    let (desk, lookup) = Desk::connected().await;
    let purchase_id = desk.lost(1).await;
    let unchanged = desk.reconcile(purchase_id).await.unwrap();
    assert_eq!((unchanged.value.status, unchanged.version), (PurchaseStatus::Uncertain, 3));
    for (answer, status) in [
        (found(), PurchaseStatus::Paid),
        (LookupResult::Failed(FailureCode::SellerLate), PurchaseStatus::RefundPending),
        // The same answer again is nothing new.
        (LookupResult::Failed(FailureCode::SellerLate), PurchaseStatus::RefundPending),
        (LookupResult::Refunded(cents(1_220)), PurchaseStatus::Refunded),
    ] {
        lookup.say(Ok(answer));
        assert_eq!(desk.reconcile(purchase_id).await.unwrap().value.status, status);
    }
    desk.forbidden(desk.reconcile(purchase_id), "ILLEGAL_STEP").await;
}

#[tokio::test]
async fn an_unreachable_or_silent_marketplace_changes_nothing() {
    let desk = Desk::open().await;
    let purchase_id = desk.lost(1).await;
    desk.forbidden(desk.reconcile(purchase_id), "PROVIDER_NOT_CONNECTED").await;
    let lookup = Arc::new(FakeLookup::of("csfloat"));
    desk.operations().offer_lookup(Arc::new(FakeLookup::of("elsewhere")));
    desk.forbidden(desk.reconcile(purchase_id), "PROVIDER_NOT_CONNECTED").await;
    desk.operations().offer_lookup(lookup.clone());
    lookup.say(Err(LookupFailed("timed out".to_owned())));
    desk.refused(desk.reconcile(purchase_id), Code::Internal, "PROVIDER_UNAVAILABLE").await;
}

#[tokio::test]
async fn reconciling_resolves_what_it_settles_and_waits_where_nothing_new_is_heard() {
    let (desk, lookup) = Desk::connected().await;
    let purchase_id = desk.lost(1).await;
    let kind = RemediationKind::OutcomeUnknown;
    let problem = desk.open_problem(kind, Subject::Purchase(purchase_id)).await;
    let waiting = desk.reconcile_problem(&problem).await.unwrap().value;
    assert_eq!(waiting.status, RemediationStatus::Waiting);
    lookup.say(Ok(found()));
    let resolved = desk.reconcile_problem(&problem).await.unwrap().value;
    assert_eq!(resolved.status, RemediationStatus::Resolved);
    assert_eq!(desk.purchase(purchase_id).await.value.status, PurchaseStatus::Paid);
    desk.forbidden(desk.reconcile_problem(&problem), "ILLEGAL_STEP").await;
}

#[tokio::test]
async fn an_answer_about_a_purchase_that_moved_on_is_discarded() {
    let (desk, lookup) = Desk::connected().await;
    let purchase_id = desk.pay(1).await;
    lookup.say(Ok(found()));
    assert_eq!(desk.reconcile(purchase_id).await.unwrap().value.status, PurchaseStatus::Paid);
    desk.advance(purchase_id, PurchaseEvent::DeliveryFailed(FailureCode::SellerLate)).await.unwrap();
    lookup.say(Ok(LookupResult::Nothing));
    assert_eq!(desk.reconcile(purchase_id).await.unwrap().value.status, PurchaseStatus::RefundPending);
}

#[tokio::test]
async fn a_failed_purchase_whose_order_is_found_is_paid_and_delivered() {
    let (desk, lookup) = Desk::connected().await;
    let purchase_id = desk.buy(1).await;
    desk.advance(purchase_id, submitted()).await.unwrap();
    desk.advance(purchase_id, PurchaseEvent::Refused(FailureCode::Other)).await.unwrap();
    let unchanged = desk.reconcile(purchase_id).await.unwrap();
    assert_eq!((unchanged.value.status, unchanged.version), (PurchaseStatus::Failed, 3), "nothing new is shown");
    let problem = desk.open_problem(RemediationKind::LateDelivery, Subject::Purchase(purchase_id)).await;
    lookup.say(Ok(found()));
    let resolved = desk.reconcile_problem(&problem).await.unwrap().value;
    assert_eq!(resolved.status, RemediationStatus::Resolved);
    let purchase = desk.purchase(purchase_id).await.value;
    assert_eq!((purchase.status, purchase.cost()), (PurchaseStatus::Paid, cents(1_220)));
    let counters = desk.counters().await;
    assert_eq!((counters.spent, counters.open_quantity), (cents(1_220), 1));
    let log = desk.log(Subject::Purchase(purchase_id)).await;
    assert_eq!(
        log.last().map(|last| (last.trigger, last.evidence.clone())),
        Some(("order_found", Some(text("order-1"))))
    );
}

#[tokio::test]
async fn a_failed_purchase_that_is_paid_after_all_resolves_its_late_delivery() {
    let (desk, lookup) = Desk::connected().await;
    let purchase_id = desk.buy(1).await;
    desk.advance(purchase_id, submitted()).await.unwrap();
    desk.advance(purchase_id, PurchaseEvent::Refused(FailureCode::Other)).await.unwrap();
    desk.open_problem(RemediationKind::LateDelivery, Subject::Purchase(purchase_id)).await;
    lookup.say(Ok(found()));
    assert_eq!(desk.reconcile(purchase_id).await.unwrap().value.status, PurchaseStatus::Paid);
    assert_eq!(desk.problem_states().await, [("LATE_DELIVERY", "RESOLVED")]);
}

#[tokio::test]
async fn a_failed_purchase_is_not_paid_by_the_order_of_another() {
    let (desk, lookup) = Desk::connected().await;
    let failed = desk.buy(1).await;
    desk.advance(failed, submitted()).await.unwrap();
    desk.advance(failed, PurchaseEvent::Refused(FailureCode::Other)).await.unwrap();
    let other = desk.lost(2).await;
    lookup.say(Ok(found()));
    desk.reconcile(other).await.unwrap();
    desk.forbidden(desk.reconcile(failed), "ORDER_OWNED").await;
}
