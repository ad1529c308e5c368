//! Releasing the money of a purchase that an operator states was never made: what is read must not contradict it.

use std::sync::Arc;

use time::Duration;
use tradepost_domain::contracts::purchase::{Absence, BalancesRead, ListingOutcome, PurchaseStatus};
use tradepost_domain::contracts::remediation::{Remediation, RemediationAction, RemediationKind};
use tradepost_domain::id::{PurchaseId, RemediationId};
use tradepost_domain::text::ExternalId;
use tradepost_domain::transition::Subject;
use tradepost_operations::contracts::ActionArgs;
use tradepost_operations::{OpResult, Versioned};
use tradepost_ports::clock::Clock as _;
use tradepost_ports::purchase_lookup::{AbsenceReading, LookupFailed, ShownOrder};
use tradepost_testkit::fakes::FakeLookup;
use tradepost_testkit::samples::text;

use super::Desk;

/// An uncertain purchase, and a marketplace that can be read.
struct Case {
    desk: Desk,
    lookup: Arc<FakeLookup>,
    purchase_id: PurchaseId,
    remediation_id: RemediationId,
}

impl Case {
    async fn open() -> Self {
        let (desk, lookup) = (Desk::open().await, Arc::new(FakeLookup::of("csfloat")));
        desk.operations().offer_lookup(lookup.clone());
        desk.world.step_up(&desk.trader).await;
        let purchase_id = desk.lost(1).await;
        let kind = RemediationKind::OutcomeUnknown;
        let remediation_id = desk.open_problem(kind, Subject::Purchase(purchase_id)).await.id;
        Self { desk, lookup, purchase_id, remediation_id }
    }

    /// What an operator states who looked from so many seconds after the call.
    fn stated(&self, seconds: i64) -> ActionArgs {
        let first_lookup_at = self.desk.world.clock.now().plus(Duration::seconds(seconds));
        let last_lookup_at = first_lookup_at.plus(Duration::seconds(60));
        let listing = ListingOutcome::Stated;
        let absence = Absence { first_lookup_at, last_lookup_at, listing, charge_excluded: true, balances: None };
        ActionArgs { absence: Some(absence), evidence: "case-7".to_owned(), ..ActionArgs::default() }
    }

    async fn release(&self, args: ActionArgs) -> OpResult<Versioned<Remediation>> {
        self.desk.run(self.remediation_id, RemediationAction::ReleaseReservation, args).await
    }

    async fn status(&self) -> PurchaseStatus {
        self.desk.purchase(self.purchase_id).await.value.status
    }

    /// The reason of the last step of the purchase.
    async fn reason(&self) -> String {
        let log = self.desk.log(Subject::Purchase(self.purchase_id)).await;
        log.last().unwrap().reason.as_ref().unwrap().to_string()
    }
}

/// A marketplace that read all orders and found none, where another customer has bought the listing.
fn absent() -> AbsenceReading {
    AbsenceReading {
        orders: Vec::new(),
        is_complete: true,
        listing: ListingOutcome::SoldToAnother,
        balances: Some(BalancesRead { before: Some(100_000), last: 100_000 }),
    }
}

fn shows(key: Option<ExternalId>) -> AbsenceReading {
    let orders = vec![ShownOrder { id: text("order-9"), key }];
    AbsenceReading { orders, is_complete: false, listing: ListingOutcome::Unexplained, ..absent() }
}

#[tokio::test]
async fn a_release_records_what_was_stated_and_what_was_read() {
    let case = Case::open().await;
    case.lookup.show(Ok(absent()));
    case.release(case.stated(0)).await.unwrap();
    assert_eq!(case.status().await, PurchaseStatus::Failed);
    let reason = case.reason().await;
    assert!(reason.starts_with("stated: no order at "), "{reason}");
    let read = "; read: no order of this purchase; listing sold to another customer; \
                balance 100.000 before the call, 100.000 after the last look-up";
    assert!(reason.ends_with(read), "{reason}");
}

#[tokio::test]
async fn no_money_is_released_while_the_marketplace_shows_the_order() {
    let case = Case::open().await;
    let own = case.desk.purchase(case.purchase_id).await.value.terms.order_key();
    for key in [None, Some(own)] {
        case.lookup.show(Ok(shows(key)));
        let refused = case.release(case.stated(0)).await.unwrap_err();
        assert!(refused.message.contains("order order-9 of this purchase; run RECONCILE"), "{}", refused.message);
        case.desk.forbidden(case.release(case.stated(0)), "ABSENCE_NOT_PROVEN").await;
    }
    assert_eq!(case.status().await, PurchaseStatus::Uncertain);
}

#[tokio::test]
async fn the_order_of_another_request_contradicts_nothing() {
    let case = Case::open().await;
    case.lookup.show(Ok(shows(Some(text("another-key")))));
    case.release(case.stated(0)).await.unwrap();
    let reason = case.reason().await;
    assert!(reason.contains("listing sold to us by order order-9 of another purchase"), "{reason}");
}

#[tokio::test]
async fn no_money_is_released_on_a_lower_balance_unless_something_else_lowered_it() {
    let case = Case::open().await;
    case.lookup
        .show(Ok(AbsenceReading { balances: Some(BalancesRead { before: Some(100_000), last: 99_999 }), ..absent() }));
    case.desk.forbidden(case.release(case.stated(0)), "ABSENCE_NOT_PROVEN").await;
    let explained = ActionArgs { balance_lowered_by: "withdrawal-3".to_owned(), ..case.stated(0) };
    case.release(explained).await.unwrap();
    let reason = case.reason().await;
    assert!(reason.contains("balance lowered by withdrawal-3; read: no order"), "{reason}");
}

#[tokio::test]
async fn what_the_marketplace_does_not_show_is_left_to_the_operator() {
    let unclear =
        AbsenceReading { is_complete: false, listing: ListingOutcome::Unexplained, balances: None, ..absent() };
    let cases = [
        (Ok(unclear), "; read: order not shown; buyer of the listing unknown; balance not shown"),
        (Err(LookupFailed("timed out".to_owned())), "; not read: no answer from the marketplace"),
    ];
    for (reading, words) in cases {
        let case = Case::open().await;
        case.lookup.show(reading);
        case.release(case.stated(0)).await.unwrap();
        let reason = case.reason().await;
        assert!(reason.ends_with(words), "{reason}");
    }
}

#[tokio::test]
async fn a_look_up_before_the_purchase_was_made_shows_nothing() {
    let case = Case::open().await;
    case.lookup.show(Ok(absent()));
    case.desk.forbidden(case.release(case.stated(-1)), "ABSENCE_NOT_PROVEN").await;
}

#[tokio::test]
async fn a_reason_of_any_length_fits_into_the_log() {
    let case = Case::open().await;
    let long: ExternalId = text(&"9".repeat(128));
    let orders = vec![ShownOrder { id: long.clone(), key: Some(text("another-key")) }];
    case.lookup.show(Ok(AbsenceReading { orders, listing: ListingOutcome::Unexplained, ..absent() }));
    let lowered = ActionArgs { balance_lowered_by: long.to_string(), ..case.stated(0) };
    case.release(lowered).await.unwrap();
    assert_eq!(case.status().await, PurchaseStatus::Failed);
}
