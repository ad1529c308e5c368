//! What a pass does however much is open: uncertain purchases first, then buying, then a bounded part of the rest, in turns.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use time::Duration;
use tradepost_domain::contracts::contract::ApprovalMode;
use tradepost_domain::contracts::purchase::{Purchase, PurchaseStatus};
use tradepost_domain::text::ExternalId;
use tradepost_operations::Caller;
use tradepost_operations::contracts::PauseContract;
use tradepost_ports::external::{Effect, ExternalError};

use crate::desk::Desk;
use crate::scripted_adapters::{Asked, Stub, WANTED, on_sale, with_contracts, with_purchases};

/// How many purchases of a status a pass follows at most at a marketplace.
const SLICE: usize = 200;
/// How many pages a pass reads at most.
const PAGES: usize = 50;

fn order_ids<'a>(purchases: impl IntoIterator<Item = &'a Purchase>) -> BTreeSet<ExternalId> {
    purchases.into_iter().filter_map(|purchase| Some(purchase.progress.order.as_ref()?.id.clone())).collect()
}

#[tokio::test]
async fn a_pass_follows_a_bounded_part_of_what_is_open_and_every_purchase_has_its_turn() {
    let desk = Desk::lively(61).await;
    let made = with_purchases(&desk, 2 * SLICE + 50, PurchaseStatus::Paid).await;
    let stub = Arc::new(Stub::default());
    let mut engine = desk.engine_at(stub.clone());
    for round in 0..2 {
        let mut followed = BTreeSet::new();
        for most in [SLICE, SLICE, 50] {
            engine.pass().await;
            let asked = stub.orders();
            assert_eq!(asked.len(), most, "in round {round}");
            followed.extend(asked);
        }
        assert_eq!(followed, order_ids(&made));
    }
}

#[tokio::test]
async fn uncertain_purchases_are_reconciled_before_new_purchases() {
    let desk = Desk::lively(62).await;
    let made = with_purchases(&desk, SLICE + 1, PurchaseStatus::Submitted).await;
    let stub = Arc::new(Stub::default());
    stub.offer(vec![vec![on_sale("wanted", WANTED)]]);
    let pass = desk.engine_at(stub.clone()).pass().await;
    assert_eq!(pass.bought, 1, "{:?}", pass.errors);
    let asked = stub.take();
    let bought_at = asked.iter().position(|asked| *asked == Asked::Buy).unwrap();
    let looked_up = asked[..bought_at].iter().filter(|asked| **asked == Asked::FindOrder).count();
    assert_eq!(looked_up, made.len());
    let is_settled = |purchase: &Purchase| purchase.status == PurchaseStatus::Paid;
    assert!(desk.purchases().await.iter().all(is_settled));
}

#[tokio::test]
async fn no_listing_is_bought_where_an_uncertain_purchase_cannot_be_looked_up() {
    let desk = Desk::lively(63).await;
    with_purchases(&desk, 1, PurchaseStatus::Submitted).await;
    let stub = Arc::new(Stub { is_mute: AtomicBool::new(true), ..Stub::default() });
    stub.offer(vec![vec![on_sale("wanted", WANTED)]]);
    let mut engine = desk.engine_at(stub.clone());
    for _ in 0..2 {
        engine.pass().await;
        desk.simulator.advance(Duration::minutes(2));
    }
    assert!(!stub.take().contains(&Asked::Buy));
    stub.is_mute.store(false, Ordering::SeqCst);
    assert_eq!(engine.pass().await.bought, 1);
}

#[tokio::test]
async fn a_page_is_bought_from_before_the_next_one_is_read_once_all_were_seen() {
    let desk = Desk::lively(64).await;
    with_purchases(&desk, 0, PurchaseStatus::Paid).await;
    let stub = Arc::new(Stub::default());
    let mut engine = desk.engine_at(stub.clone());
    let order_of_calls = || stub.take().into_iter().filter(|asked| matches!(asked, Asked::Page | Asked::Buy));
    stub.offer(vec![vec![on_sale("first", WANTED)], vec![on_sale("second", WANTED)]]);
    engine.pass().await;
    let all_first: Vec<Asked> = order_of_calls().collect();
    assert_eq!(all_first, [Asked::Page, Asked::Page, Asked::Buy, Asked::Buy]);
    stub.offer(vec![vec![on_sale("third", WANTED)], vec![on_sale("fourth", WANTED)]]);
    engine.pass().await;
    let page_by_page: Vec<Asked> = order_of_calls().collect();
    assert_eq!(page_by_page, [Asked::Page, Asked::Buy, Asked::Page, Asked::Buy]);
}

#[tokio::test]
async fn an_item_that_another_node_lists_while_the_market_is_read_is_not_bought_from_ourselves() {
    let desk = Desk::lively(70).await;
    with_purchases(&desk, 0, PurchaseStatus::Paid).await;
    let stub = Arc::new(Stub::default());
    let [ours, of_another] = ["ours", "of another"].map(|id| on_sale(id, WANTED));
    stub.offer(vec![vec![ours.clone(), of_another]]);
    let listing = stub.clone();
    *stub.befalls.lock().unwrap() = Some(Box::pin(async move { listing.own.lock().unwrap().push(ours) }));
    let pass = desk.engine_at(stub.clone()).pass().await;
    assert_eq!(pass.bought, 1, "{:?}", pass.errors);
    let bought: Vec<_> = desk.purchases().await.into_iter().map(|purchase| purchase.terms.listing_id.clone()).collect();
    assert_eq!(bought, [ExternalId::new("of another").unwrap()]);
}

#[tokio::test]
async fn fees_and_balances_are_asked_for_once_in_a_while() {
    let desk = Desk::lively(65).await;
    let stub = Arc::new(Stub::default());
    let mut engine = desk.engine_at(stub.clone());
    for expected in [1, 0, 0] {
        engine.pass().await;
        let asked = stub.take();
        for what in [Asked::Fees, Asked::Balance] {
            assert_eq!(asked.iter().filter(|asked| **asked == what).count(), expected, "{what:?}");
        }
    }
    desk.simulator.advance(Duration::minutes(1));
    engine.pass().await;
    assert!(stub.take().contains(&Asked::Fees));
}

#[tokio::test]
async fn all_pages_have_their_turn_and_the_first_one_is_looked_at_in_every_pass() {
    let desk = Desk::lively(66).await;
    with_purchases(&desk, 0, PurchaseStatus::Paid).await;
    let stub = Arc::new(Stub::default());
    let too_dear = |page: usize| vec![on_sale(&format!("on-{page}"), 1_000 * WANTED)];
    let mut pages: Vec<_> = (0..PAGES + 10).map(too_dear).collect();
    pages[PAGES + 5].push(on_sale("far behind", WANTED));
    stub.offer(pages.clone());
    let mut engine = desk.engine_at(stub.clone());
    assert_eq!((engine.pass().await.bought, stub.count(&Asked::Page)), (0, PAGES));
    pages[0].push(on_sale("new", WANTED));
    stub.offer(pages);
    // The first page, and those that are left.
    assert_eq!((engine.pass().await.bought, stub.count(&Asked::Page)), (2, 1 + 10));
    assert_eq!((engine.pass().await.bought, stub.count(&Asked::Page)), (0, PAGES), "another round");
}

#[tokio::test]
async fn a_pass_buys_nothing_further_after_an_answer_was_lost() {
    let desk = Desk::lively(67).await;
    with_purchases(&desk, 0, PurchaseStatus::Paid).await;
    let stub = Arc::new(Stub { loses_answers: AtomicBool::new(true), ..Stub::default() });
    stub.offer(vec![vec![on_sale("first", WANTED), on_sale("second", WANTED)], vec![on_sale("third", WANTED)]]);
    desk.engine_at(stub.clone()).pass().await;
    assert_eq!(stub.count(&Asked::Buy), 1);
    assert_eq!(desk.purchase_statuses().await, [PurchaseStatus::Uncertain]);
}

#[tokio::test]
async fn a_listing_that_a_paused_contract_may_not_propose_is_bought_by_another() {
    let desk = Desk::lively(68).await;
    let [contract_id, _] = with_contracts(&desk, [ApprovalMode::Manual, ApprovalMode::Automatic]).await;
    let (operations, workspace_id) = (desk.operations.clone(), desk.workspace_id);
    let pause = PauseContract { workspace_id, contract_id, reason: None, expected_version: None };
    let stub = Arc::new(Stub::default());
    stub.offer(vec![vec![on_sale("first", WANTED), on_sale("second", WANTED)]]);
    // The engine has read by then that both are active.
    *stub.befalls.lock().unwrap() = Some(Box::pin(async move {
        operations.pause_contract(&Caller::system(), pause).await.unwrap();
    }));
    let pass = desk.engine_at(stub.clone()).pass().await;
    assert_eq!(pass.bought, 2, "{:?}", pass.errors);
}

#[tokio::test(start_paused = true)]
async fn a_stalled_node_does_not_submit_a_recorded_purchase() {
    let desk = Desk::lively(69).await;
    with_purchases(&desk, 0, PurchaseStatus::Paid).await;
    let stub = Arc::new(Stub { stalls: Some(desk.clock.clone()), ..Stub::default() });
    stub.offer(vec![vec![on_sale("first", WANTED), on_sale("second", WANTED)]]);
    let mut engine = desk.engine_at(stub.clone());
    engine.pass().await;
    assert_eq!(stub.count(&Asked::Buy), 0);
    assert_eq!(desk.purchase_statuses().await, [PurchaseStatus::Submitted]);
    stub.is_mute.store(true, Ordering::SeqCst);
    engine.pass().await;
    assert!(stub.take().contains(&Asked::FindOrder));
    assert_eq!(desk.purchase_statuses().await, [PurchaseStatus::Uncertain], "its money stays reserved");
}

#[tokio::test]
async fn a_rate_limited_marketplace_receives_only_order_lookups() {
    let expected = [(PurchaseStatus::Paid, vec![]), (PurchaseStatus::Submitted, vec![Asked::FindOrder])];
    for (status, asked) in expected {
        let desk = Desk::lively(70).await;
        with_purchases(&desk, 1, status).await;
        let retry_after = std::time::Duration::from_mins(1);
        let stub = Arc::new(Stub::default());
        stub.offer(vec![vec![on_sale("wanted", WANTED)]]);
        *stub.refuses.lock().unwrap() = Some(ExternalError::RateLimited { retry_after, effect: Effect::Nothing });
        let mut engine = desk.engine_at(stub.clone());
        engine.pass().await;
        assert_eq!(stub.take().len(), 1, "the first answer says so");
        *stub.refuses.lock().unwrap() = None;
        stub.is_mute.store(true, Ordering::SeqCst);
        desk.simulator.advance(Duration::seconds(59));
        engine.pass().await;
        assert_eq!(stub.take(), asked);
        stub.is_mute.store(false, Ordering::SeqCst);
        desk.simulator.advance(Duration::seconds(1));
        assert_eq!(engine.pass().await.bought, 1);
    }
}
