//! What a marketplace rejects costs nothing; what an operator states of a call without an answer is compared with what can be read. A lost
//! race does not withdraw a purchase.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicI64, AtomicUsize, Ordering};

use async_trait::async_trait;
use time::Duration;
use tradepost_domain::contracts::purchase::{Absence, ListingOutcome, PurchaseStatus};
use tradepost_domain::contracts::remediation::{Evidence, RemediationAction, RemediationKind};
use tradepost_domain::transition::Subject;
use tradepost_operations::contracts::{ActionArgs, OpenRemediation, RunRemediationAction};
use tradepost_operations::{Caller, OpResult, Operations, Ports};
use tradepost_ports::changes::{Changes, Committed, Write};
use tradepost_ports::record::AnyRecord;
use tradepost_ports::store::{NotReady, Records, Store, StoreError, StoreResult};
use tradepost_testkit::fakes::{FakePorts, SequentialIds};
use tradepost_testkit::memory::MemoryStore;

use crate::desk::Desk;
use crate::scripted_adapters::{Asked, Stub, WANTED, on_sale, with_purchases};

/// How often an operation that moves money is tried while it loses races.
const TRIES: usize = 20;

/// A store in which so many of the commits that record a purchase as submitted lose a race.
struct LostRaces {
    store: Arc<MemoryStore>,
    left: AtomicUsize,
}

#[async_trait]
impl Store for LostRaces {
    fn records(&self) -> &(dyn Records + 'static) {
        self.store.records()
    }

    async fn commit(&self, changes: Changes) -> StoreResult<Committed> {
        let submits = |write: &Write| {
            matches!(write, Write::Update { record: AnyRecord::Purchase(purchase), .. }
                if purchase.status == PurchaseStatus::Submitted)
        };
        let is_lost = changes.clone().into_set().writes.iter().any(submits)
            && self.left.fetch_update(Ordering::SeqCst, Ordering::SeqCst, |left| left.checked_sub(1)).is_ok();
        if is_lost {
            return Err(StoreError::Conflict);
        }
        self.store.commit(changes).await
    }

    async fn check_ready(&self) -> Result<(), NotReady> {
        self.store.check_ready().await
    }
}

/// The status of a purchase whose submission loses so many races, and how often the marketplace was called to make it.
async fn after_lost_races(races: usize) -> (Vec<PurchaseStatus>, usize) {
    let mut desk = Desk::lively(154).await;
    with_purchases(&desk, 0, PurchaseStatus::Paid).await;
    let store = Arc::new(LostRaces { store: desk.store.clone(), left: AtomicUsize::new(races) });
    let ids = Arc::new(SequentialIds::seeded(1));
    let ports = Ports { store, ids, clock: desk.clock.clone(), ..FakePorts::default().ports() };
    desk.operations = Arc::new(Operations::new(ports, "https://tradepost.example.com"));
    let stub = Arc::new(Stub::default());
    stub.offer(vec![vec![on_sale("wanted", WANTED)]]);
    desk.engine_at(stub.clone()).pass().await;
    (desk.purchase_statuses().await, stub.count(&Asked::Buy))
}

#[tokio::test(start_paused = true)]
async fn a_purchase_whose_submission_loses_races_is_tried_again_and_sent_once() {
    assert_eq!(after_lost_races(TRIES).await, (vec![PurchaseStatus::Paid], 1));
}

#[tokio::test(start_paused = true)]
async fn a_purchase_whose_submission_loses_every_race_is_neither_sent_nor_withdrawn() {
    assert_eq!(after_lost_races(10 * TRIES).await, (vec![PurchaseStatus::Pending], 0));
}

/// A balance of 15.00, which covers one purchase.
fn short_of_money() -> Stub {
    Stub { charged: AtomicI64::new(998_500), ..Stub::default() }
}

#[tokio::test]
async fn a_rejected_purchase_leaves_the_balance_to_the_next_one_in_the_same_pass() {
    let desk = Desk::lively(151).await;
    with_purchases(&desk, 0, PurchaseStatus::Paid).await;
    let stub = Arc::new(Stub { rejects_next: AtomicBool::new(true), ..short_of_money() });
    stub.offer(vec![vec![on_sale("rejected", WANTED), on_sale("bought", WANTED), on_sale("too-much", WANTED)]]);
    desk.engine_at(stub.clone()).pass().await;
    let mut made: Vec<_> =
        desk.purchases().await.iter().map(|one| (one.terms.listing_id.to_string(), one.status)).collect();
    made.sort();
    let expected = [("bought".to_owned(), PurchaseStatus::Paid), ("rejected".to_owned(), PurchaseStatus::Failed)];
    assert_eq!(made, expected, "the balance covers one of them, and a rejected one costs nothing");
}

/// Releases the money of the only purchase, as an operator who found its order nowhere.
async fn release(desk: &Desk, balance_lowered_by: &str) -> OpResult<()> {
    let purchase = desk.purchases().await.remove(0);
    let (workspace_id, subject) = (desk.workspace_id, Subject::Purchase(purchase.terms.id));
    let (kind, evidence) = (RemediationKind::OutcomeUnknown, Evidence::default());
    let open = OpenRemediation { workspace_id, kind, subject, evidence };
    let remediation_id = desk.operations.open_remediation(&Caller::system(), open).await?.value.id;
    let first_lookup_at = purchase.created_at;
    let last_lookup_at = first_lookup_at.plus(Duration::seconds(60));
    let listing = ListingOutcome::Stated;
    let absence = Absence { first_lookup_at, last_lookup_at, listing, charge_excluded: true, balances: None };
    let args = ActionArgs {
        evidence: "case-7".to_owned(),
        absence: Some(absence),
        balance_lowered_by: balance_lowered_by.to_owned(),
        ..ActionArgs::default()
    };
    let action = RemediationAction::ReleaseReservation;
    let run = RunRemediationAction { workspace_id, remediation_id, action, args, expected_version: None };
    desk.operations.run_remediation_action(&Caller::system(), run).await.map(drop)
}

#[tokio::test]
async fn no_money_is_released_while_the_balance_is_lower_than_before_the_call() {
    let desk = Desk::lively(152).await;
    with_purchases(&desk, 0, PurchaseStatus::Paid).await;
    let stub = Arc::new(Stub { loses_answers: AtomicBool::new(true), ..Stub::default() });
    stub.offer(vec![vec![on_sale("wanted", WANTED)]]);
    let mut engine = desk.engine_at(stub.clone());
    engine.pass().await;
    desk.operations.offer_lookup(engine.purchase_lookup());
    stub.hides_orders.store(true, Ordering::SeqCst);
    stub.charged.store(WANTED, Ordering::SeqCst);
    let refused = release(&desk, "").await.unwrap_err();
    assert_eq!(refused.reason.as_str(), "ABSENCE_NOT_PROVEN");
    let why = "balance 10000.000 before the call, 9990.009 after the last look-up; name what else lowered it";
    assert!(refused.message.contains(why), "{}", refused.message);
    assert_eq!(desk.purchase_statuses().await, [PurchaseStatus::Uncertain]);
    release(&desk, "withdrawal-3").await.unwrap();
    assert_eq!(desk.purchase_statuses().await, [PurchaseStatus::Failed]);
}

#[tokio::test]
async fn no_money_is_released_for_an_order_that_is_there() {
    let desk = Desk::lively(153).await;
    with_purchases(&desk, 0, PurchaseStatus::Paid).await;
    let stub = Arc::new(Stub { loses_answers: AtomicBool::new(true), ..Stub::default() });
    stub.offer(vec![vec![on_sale("wanted", WANTED)]]);
    let mut engine = desk.engine_at(stub.clone());
    engine.pass().await;
    desk.operations.offer_lookup(engine.purchase_lookup());
    let refused = release(&desk, "").await.unwrap_err();
    assert!(refused.message.ends_with("of this purchase; run RECONCILE"), "{}", refused.message);
    assert_eq!(desk.purchase_statuses().await, [PurchaseStatus::Uncertain]);
}
