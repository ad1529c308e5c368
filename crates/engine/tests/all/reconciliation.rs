//! Purchases whose answer was lost: what shows that they were made, or that they were not.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use time::Duration;
use tradepost_adapters_simulator::{Call, Fault};
use tradepost_domain::contracts::contract::{ApprovalMode, SuspensionCause};
use tradepost_domain::contracts::intent::IntentKind;
use tradepost_domain::contracts::purchase::{FailureCode, Purchase, PurchaseStatus};
use tradepost_domain::contracts::remediation::{RemediationKind, RemediationStatus};
use tradepost_domain::id::Id;
use tradepost_domain::transition::SubjectKind;
use tradepost_engine::Engine;
use tradepost_operations::Caller;
use tradepost_operations::contracts::{GetContract, GetTransition, ListTransitions, ResumeContract};
use tradepost_ports::marketplace::{Buyer, MoneyUnit, OrderIdentity};

use crate::desk::{Desk, all_purchases};
use crate::scripted_adapters::{Asked, Stub, WANTED, on_sale, with_purchases};

/// A desk with a contract that wants one item, and an engine that has lost the answer to its first purchase in this way.
async fn lost(seed: u64, faults: Vec<Fault>) -> (Desk, Engine) {
    let desk = Desk::lively(seed).await;
    desk.buying(1).await;
    desk.simulator.world(|world| faults.into_iter().for_each(|fault| world.inject(fault)));
    let mut engine = desk.engine();
    desk.live_until(&mut engine, all_purchases(1, PurchaseStatus::Uncertain)).await;
    (desk, engine)
}

impl Desk {
    /// The reason of the last step by which a purchase has failed.
    async fn last_reason(&self) -> String {
        let (workspace_id, caller) = (self.workspace_id, Caller::system());
        let failed = self.purchases().await.into_iter().find(|purchase| purchase.status == PurchaseStatus::Failed);
        let list = ListTransitions {
            workspace_id,
            limit: 1,
            cursor: String::new(),
            subject_kind: Some(SubjectKind::Purchase),
            subject_id: failed.map(|failed| Id::from_bytes(failed.terms.id.to_bytes())),
            from: None,
            to: None,
            subject_kinds: Vec::new(),
        };
        let transition_id = self.operations.list_transitions(&caller, list).await.unwrap().entries[0];
        let get = GetTransition { workspace_id, transition_id };
        self.operations.get_transition(&caller, get).await.unwrap().reason.unwrap().to_string()
    }
}

/// The order was made, and cannot be looked up for a day.
fn hidden() -> Vec<Fault> {
    vec![Fault::LateLookup { seconds: 86_400 }, Fault::TimeoutAfterCommit { call: Call::Buy }]
}

#[tokio::test]
async fn a_charged_purchase_is_not_bought_again_while_its_order_is_invisible() {
    let (desk, mut engine) = lost(121, hidden()).await;
    desk.live_until(&mut engine, all_purchases(1, PurchaseStatus::Traded)).await;
    desk.assert_sound().await;
}

#[tokio::test]
async fn a_restarted_engine_does_not_rebuy_a_charged_purchase() {
    let (desk, _) = lost(122, hidden()).await;
    desk.live_until(&mut desk.engine(), all_purchases(1, PurchaseStatus::Traded)).await;
    desk.assert_sound().await;
}

#[tokio::test]
async fn a_purchase_of_a_listing_sold_to_another_buyer_fails_also_after_a_restart() {
    for is_next in [false, true] {
        let (desk, mut engine) = lost(123, vec![Fault::TimeoutBeforeCommit { call: Call::Buy }]).await;
        let listing_id = desk.purchases().await.remove(0).terms.listing_id.clone();
        assert!(desk.simulator.world(|world| world.sell_to_stranger(&listing_id)));
        if is_next {
            engine = desk.engine();
        }
        let was_not_made = |purchase: &Purchase| purchase.progress.failure_code == Some(FailureCode::NotPlaced);
        desk.live_until(&mut engine, |purchases, items| purchases.last().is_some_and(was_not_made) && items.len() == 1)
            .await;
        desk.assert_sound().await;
    }
}

#[tokio::test]
async fn a_lower_balance_blocks_the_proof_of_absence() {
    let desk = Desk::lively(124).await;
    with_purchases(&desk, 0, PurchaseStatus::Paid).await;
    let stub = Arc::new(Stub { loses_answers: AtomicBool::new(true), ..Stub::default() });
    stub.offer(vec![vec![on_sale("wanted", WANTED)]]);
    let mut engine = desk.engine_at(stub.clone());
    engine.pass().await;
    // It was charged before the first look-up, which shows no order, and the listing is missing.
    stub.charged.store(WANTED, Ordering::SeqCst);
    stub.hides_orders.store(true, Ordering::SeqCst);
    stub.offer(Vec::new());
    for _ in 0..4 {
        desk.simulator.advance(Duration::minutes(1));
        engine.pass().await;
    }
    assert_eq!(desk.purchase_statuses().await, [PurchaseStatus::Uncertain]);
    stub.charged.store(0, Ordering::SeqCst);
    desk.simulator.advance(Duration::minutes(1));
    engine.pass().await;
    assert_eq!(desk.purchase_statuses().await, [PurchaseStatus::Failed]);
}

#[tokio::test]
async fn a_lower_balance_blocks_the_proof_of_absence_of_an_approved_purchase() {
    let desk = Desk::lively(131).await;
    desk.buying_when(ApprovalMode::Manual, 1).await;
    let stub = Arc::new(Stub { loses_answers: AtomicBool::new(true), ..Stub::default() });
    stub.offer(vec![vec![on_sale("wanted", WANTED)]]);
    let mut engine = desk.engine_at(stub.clone());
    engine.pass().await;
    desk.approve(&desk.intents(IntentKind::Buy).await[0]).await;
    engine.pass().await;
    assert_eq!(desk.purchase_statuses().await, [PurchaseStatus::Uncertain]);
    stub.charged.store(WANTED, Ordering::SeqCst);
    stub.hides_orders.store(true, Ordering::SeqCst);
    stub.offer(Vec::new());
    for _ in 0..4 {
        desk.simulator.advance(Duration::minutes(1));
        engine.pass().await;
    }
    assert_eq!(desk.purchase_statuses().await, [PurchaseStatus::Uncertain]);
}

/// The status of a purchase whose marketplace hides its order and has sold its listing, after this many thousandths were charged and the
/// marketplace was asked for four minutes.
async fn charged(unit: MoneyUnit, mills: i64) -> Vec<PurchaseStatus> {
    let desk = Desk::lively(127).await;
    with_purchases(&desk, 0, PurchaseStatus::Paid).await;
    let stub = Arc::new(Stub { loses_answers: AtomicBool::new(true), unit, ..Stub::default() });
    stub.offer(vec![vec![on_sale("wanted", WANTED)]]);
    let mut engine = desk.engine_at(stub.clone());
    engine.pass().await;
    stub.charged_mills.store(mills, Ordering::SeqCst);
    stub.hides_orders.store(true, Ordering::SeqCst);
    stub.offer(Vec::new());
    for _ in 0..4 {
        desk.simulator.advance(Duration::minutes(1));
        engine.pass().await;
    }
    desk.purchase_statuses().await
}

#[tokio::test]
async fn a_charge_of_any_number_of_thousandths_keeps_a_purchase_from_being_taken_as_never_made() {
    for mills in [1, 4, 5, 9, 10, 14] {
        assert_eq!(charged(MoneyUnit::Mills, mills).await, [PurchaseStatus::Uncertain], "{mills} thousandths");
    }
    assert_eq!(charged(MoneyUnit::Mills, 0).await, [PurchaseStatus::Failed], "nothing was charged");
}

#[tokio::test]
async fn a_purchase_stays_uncertain_while_the_marketplace_does_not_say_whether_it_was_made_or_who_bought() {
    let desk = Desk::lively(126).await;
    with_purchases(&desk, 0, PurchaseStatus::Paid).await;
    let stub = Arc::new(Stub { loses_answers: AtomicBool::new(true), ..Stub::default() });
    stub.offer(vec![vec![on_sale("wanted", WANTED)]]);
    let mut engine = desk.engine_at(stub.clone());
    engine.pass().await;
    stub.offer(Vec::new());
    stub.hides_orders.store(true, Ordering::SeqCst);
    *stub.buyer.lock().unwrap() = Some(Buyer::Unknown);
    let mut statuses_after = async |minutes| {
        for _ in 0..minutes {
            desk.simulator.advance(Duration::minutes(1));
            engine.pass().await;
        }
        desk.purchase_statuses().await
    };
    assert_eq!(statuses_after(10).await, [PurchaseStatus::Uncertain], "the marketplace does not name the buyer");
    *stub.buyer.lock().unwrap() = None;
    stub.shows_late.store(true, Ordering::SeqCst);
    assert_eq!(statuses_after(10).await, [PurchaseStatus::Uncertain], "the order is not shown yet");
    stub.shows_late.store(false, Ordering::SeqCst);
    assert_eq!(statuses_after(3).await, [PurchaseStatus::Failed]);
}

/// The statuses after a purchase without an answer, where the marketplace keeps no keys and shows the order of another purchase instead: of
/// one in this status, for the same listing or another.
async fn with_order_of_another(status: PurchaseStatus, is_same_listing: bool) -> (Desk, Vec<PurchaseStatus>) {
    let desk = Desk::lively(128).await;
    let other = with_purchases(&desk, 1, status).await.remove(0);
    let order = other.progress.order.clone().unwrap().id;
    let orders = OrderIdentity::ByListing;
    let stub = Arc::new(Stub { loses_answers: AtomicBool::new(true), orders, ..Stub::default() });
    let listing = if is_same_listing { other.terms.listing_id.as_str() } else { "wanted" };
    stub.offer(vec![vec![on_sale(listing, WANTED)]]);
    let mut engine = desk.engine_at(stub.clone());
    engine.pass().await;
    *stub.finds.lock().unwrap() = Some(order.clone());
    *stub.buyer.lock().unwrap() = Some(Buyer::Us(stub.answer(&order, &order)));
    stub.offer(Vec::new());
    for _ in 0..4 {
        desk.simulator.advance(Duration::minutes(1));
        engine.pass().await;
    }
    let statuses = desk.purchase_statuses().await;
    (desk, statuses)
}

#[tokio::test]
async fn a_listing_that_another_purchase_took_is_explained_by_its_order() {
    let (desk, statuses) = with_order_of_another(PurchaseStatus::Settled, true).await;
    assert_eq!(statuses, [PurchaseStatus::Settled, PurchaseStatus::Failed]);
    let reason = desk.last_reason().await;
    assert!(reason.contains("; listing sold to us by order "), "{reason}");
}

#[tokio::test]
async fn an_order_that_another_purchase_has_leaves_the_listing_unexplained_if_that_did_not_take_it() {
    for (status, is_same_listing) in [(PurchaseStatus::Paid, false), (PurchaseStatus::Refunded, true)] {
        let (_, statuses) = with_order_of_another(status, is_same_listing).await;
        assert_eq!(statuses, [status, PurchaseStatus::Uncertain], "{status}");
    }
}

#[tokio::test]
async fn the_log_of_a_purchase_that_was_never_made_has_the_evidence() {
    let (desk, mut engine) = lost(132, vec![Fault::TimeoutBeforeCommit { call: Call::Buy }]).await;
    let is_failed = |purchases: &[Purchase]| purchases.iter().any(|one| one.status == PurchaseStatus::Failed);
    desk.live_until(&mut engine, |purchases, _| is_failed(purchases)).await;
    let reason = desk.last_reason().await;
    assert!(reason.starts_with("no order at "), "{reason}");
    let read = "; listing not sold; balance 10000.000 before the call, 10000.000 after the last look-up";
    assert!(reason.ends_with(read), "{reason}");
}

#[tokio::test]
async fn no_search_for_an_order_buys() {
    let desk = Desk::lively(127).await;
    with_purchases(&desk, 0, PurchaseStatus::Paid).await;
    let stub = Arc::new(Stub { loses_answers: AtomicBool::new(true), ..Stub::default() });
    stub.offer(vec![vec![on_sale("wanted", WANTED)]]);
    let mut engine = desk.engine_at(stub.clone());
    engine.pass().await;
    stub.offer(Vec::new());
    stub.hides_orders.store(true, Ordering::SeqCst);
    stub.take();
    for _ in 0..3 {
        desk.simulator.advance(Duration::minutes(1));
        engine.pass().await;
    }
    assert_eq!(desk.purchase_statuses().await, [PurchaseStatus::Failed]);
    let asked = stub.take();
    assert!(asked.contains(&Asked::WhoBought) && !asked.contains(&Asked::Buy), "{asked:?}");
}

#[tokio::test]
async fn an_order_that_turns_up_once_its_absence_was_proven_stops_the_contract_until_a_person_says_so() {
    let desk = Desk::lively(125).await;
    with_purchases(&desk, 0, PurchaseStatus::Paid).await;
    let stub = Arc::new(Stub { loses_answers: AtomicBool::new(true), ..Stub::default() });
    stub.offer(vec![vec![on_sale("wanted", WANTED)]]);
    let mut engine = desk.engine_at(stub.clone());
    engine.pass().await;
    stub.hides_orders.store(true, Ordering::SeqCst);
    stub.offer(Vec::new());
    for _ in 0..3 {
        desk.simulator.advance(Duration::minutes(1));
        engine.pass().await;
    }
    assert_eq!(desk.purchase_statuses().await, [PurchaseStatus::Failed]);
    let (workspace_id, contract_id) = (desk.workspace_id, desk.purchases().await[0].terms.contract_id.unwrap());
    let cause = async || {
        let get = GetContract { workspace_id, contract_id };
        desk.operations.get_contract(&Caller::system(), get).await.unwrap().value.suspended_for()
    };
    let suspected = async || desk.remediations(RemediationKind::DuplicateSuspect).await;
    stub.hides_orders.store(false, Ordering::SeqCst);
    desk.simulator.advance(Duration::minutes(10));
    engine.pass().await;
    assert_eq!(
        (cause().await, suspected().await),
        (Some(SuspensionCause::DuplicateSuspect), vec![RemediationStatus::NeedsOperator])
    );
    let resume = ResumeContract { workspace_id, contract_id, expected_version: None };
    desk.operations.resume_contract(&Caller::system(), resume).await.unwrap();
    // Another engine finds the order as well, and that a person knows of it.
    desk.engine_at(stub.clone()).pass().await;
    assert_eq!((cause().await, suspected().await), (None, vec![RemediationStatus::Resolved]));
}
