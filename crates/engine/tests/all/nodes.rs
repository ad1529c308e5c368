//! Several nodes that trade for one workspace: they share the work, and never double it.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use tradepost_domain::contracts::inventory_item::ItemStatus;
use tradepost_domain::contracts::purchase::{FailureCode, PurchaseStatus};
use tradepost_domain::trading::lease::Work;
use tradepost_engine::Engine;
use tradepost_operations::Caller;
use tradepost_operations::contracts::HoldLeases;
use tradepost_ports::marketplace::OrderStatus;
use tradepost_testkit::samples::text;

use crate::desk::{Desk, MARKET, all_items};
use crate::scripted_adapters::{Stub, with_purchases};

/// Longer than a lease lasts without renewal.
const LONG: Duration = Duration::from_secs(30);
/// Long enough for leases to be renewed.
const SHORT: Duration = Duration::from_secs(4);

/// The holder of each lease.
pub(crate) async fn holders(desk: &Desk) -> BTreeMap<Work, String> {
    let leases = desk.operations.leases(&Caller::system(), desk.workspace_id).await.unwrap();
    let held = leases.into_iter().filter_map(|lease| Some((lease.value.work, lease.value.holder?.to_string())));
    held.filter(|(work, _)| !matches!(work, Work::Presence(_))).collect()
}

async fn take_passes(engines: &mut [&mut Engine], number: usize) {
    for _ in 0..number {
        for engine in &mut *engines {
            engine.pass().await;
        }
        tokio::time::advance(SHORT).await;
    }
}

#[tokio::test(start_paused = true)]
async fn two_nodes_share_the_work_and_buy_and_sell_each_thing_once() {
    let desk = Desk::slow(51).await;
    desk.buying(4).await;
    desk.selling().await;
    let (mut one, mut other) = (desk.engine_of("node-1"), desk.engine_of("node-2"));
    let is_settled = all_items(4, ItemStatus::Settled);
    loop {
        take_passes(&mut [&mut one, &mut other], 1).await;
        let (purchases, items) = (desk.purchases().await, desk.items().await);
        if is_settled(&purchases, &items) {
            break;
        }
        desk.simulator.advance(desk.step_after(&purchases, &items));
    }
    let mut nodes: Vec<String> = holders(&desk).await.into_values().collect();
    nodes.sort_unstable();
    assert_eq!(nodes, ["node-1", "node-2"]);
    desk.assert_sound().await;
}

#[tokio::test(start_paused = true)]
async fn another_node_takes_over_work_after_the_leases_expire() {
    let desk = Desk::lively(52).await;
    desk.buying(1).await;
    let (mut one, mut other) = (desk.engine_of("node-1"), desk.engine_of("node-2"));
    take_passes(&mut [&mut one, &mut other], 4).await;
    drop(one);
    take_passes(&mut [&mut other], 2).await;
    assert_eq!(holders(&desk).await.into_values().filter(|holder| holder == "node-2").count(), 1);
    tokio::time::advance(LONG).await;
    take_passes(&mut [&mut other], 2).await;
    assert!(holders(&desk).await.into_values().all(|holder| holder == "node-2"));
}

/// What another node does to take the marketplace over.
#[tokio::test(start_paused = true)]
async fn another_node_takes_over_work_at_once_when_an_engine_ends() {
    let desk = Desk::lively(52).await;
    let (mut one, mut other) = (desk.engine_of("node-1"), desk.engine_of("node-2"));
    take_passes(&mut [&mut one, &mut other], 4).await;
    one.end().await.unwrap();
    take_passes(&mut [&mut other], 1).await;
    assert!(holders(&desk).await.into_values().all(|holder| holder == "node-2"));
}

async fn taking_the_market(desk: &Desk) -> HoldLeases {
    let leases = desk.operations.leases(&Caller::system(), desk.workspace_id).await.unwrap();
    let work = Work::Marketplace(text(MARKET));
    let seen_at = leases.iter().find(|lease| lease.value.work == work).map(|lease| lease.version);
    let (workspace_id, node) = (desk.workspace_id, text("node-2"));
    HoldLeases { workspace_id, node, take: vec![(work, seen_at)], give_up: Vec::new() }
}

#[tokio::test(start_paused = true)]
async fn a_node_that_could_not_renew_its_leases_within_a_pass_writes_nothing_more_in_it() {
    let desk = Desk::lively(55).await;
    with_purchases(&desk, 1, PurchaseStatus::Paid).await;
    let stub = Arc::new(Stub::default());
    let mut engine = desk.engine_at(stub.clone());
    engine.pass().await;
    *stub.order_status.lock().unwrap() = Some(OrderStatus::Failed(FailureCode::SellerLate));
    // While the pass waits for a page, another node takes over, and the database goes away.
    let (operations, store, take) = (desk.operations.clone(), desk.store.clone(), taking_the_market(&desk).await);
    *stub.befalls.lock().unwrap() = Some(Box::pin(async move {
        operations.hold_leases(&Caller::system(), take).await.unwrap();
        store.hide_leases(true);
        tokio::time::advance(SHORT).await;
    }));
    engine.pass().await;
    assert_eq!(desk.purchase_statuses().await, [PurchaseStatus::Paid]);
    desk.store.hide_leases(false);
    engine.pass().await;
    assert_eq!(desk.purchase_statuses().await, [PurchaseStatus::Paid], "it is the other node's by now");
}

#[tokio::test(start_paused = true)]
async fn a_node_that_lost_its_lease_cannot_write() {
    let desk = Desk::lively(53).await;
    let mut one = desk.engine_of("node-1");
    one.pass().await;
    let take = taking_the_market(&desk).await;
    desk.operations.hold_leases(&Caller::system(), take).await.unwrap();
    desk.buying(1).await;
    desk.simulator.advance(desk.step);
    let pass = one.pass().await;
    let errors = pass.errors.iter().map(ToString::to_string).collect::<String>();
    assert!(errors.contains("another node does this part"), "{errors}");
    assert!(desk.purchases().await.is_empty());
}

#[tokio::test(start_paused = true)]
async fn a_node_that_starts_again_under_its_name_goes_on_at_once() {
    let desk = Desk::lively(54).await;
    desk.buying(1).await;
    desk.engine_of("node-1").pass().await;
    desk.live_until(&mut desk.engine_of("node-1"), |_, items| items.len() == 1).await;
    desk.assert_sound().await;
}
