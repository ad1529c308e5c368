//! Several nodes that trade for one workspace: they share the work, and never double it.

use std::collections::BTreeMap;
use std::time::Duration;

use tradepost_domain::inventory_item::ItemStatus;
use tradepost_domain::lease::Work;
use tradepost_engine::Engine;
use tradepost_operations::Caller;
use tradepost_operations::contracts::HoldLeases;
use tradepost_ports::testing::samples::text;

use crate::desk::{Desk, MARKET, all_items};

/// Longer than a lease lasts that nobody renews.
const LONG: Duration = Duration::from_secs(30);
/// Long enough for leases to be renewed.
const SHORT: Duration = Duration::from_secs(4);

/// Who holds what.
async fn holders(desk: &Desk) -> BTreeMap<Work, String> {
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
    while !is_settled(&[], &desk.items().await) {
        take_passes(&mut [&mut one, &mut other], 1).await;
        desk.simulator.advance(desk.step);
    }
    let mut nodes: Vec<String> = holders(&desk).await.into_values().collect();
    nodes.sort_unstable();
    assert_eq!(nodes, ["node-1", "node-2"]);
    desk.assert_sound().await;
}

#[tokio::test(start_paused = true)]
async fn the_work_of_a_node_that_is_gone_is_taken_over_once_its_leases_have_lapsed() {
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

#[tokio::test(start_paused = true)]
async fn a_node_whose_lease_was_taken_writes_nothing_more() {
    let desk = Desk::lively(53).await;
    let mut one = desk.engine_of("node-1");
    one.pass().await;
    let leases = desk.operations.leases(&Caller::system(), desk.workspace_id).await.unwrap();
    let work = Work::Marketplace(text(MARKET));
    let seen_at = leases.iter().find(|lease| lease.value.work == work).map(|lease| lease.version);
    let take = HoldLeases {
        workspace_id: desk.workspace_id,
        node: text("node-2"),
        take: vec![(work, seen_at)],
        give_up: Vec::new(),
    };
    desk.operations.hold_leases(&Caller::system(), take).await.unwrap();
    desk.buying(1).await;
    desk.simulator.advance(desk.step);
    let pass = one.pass().await;
    let told = pass.troubles.iter().map(ToString::to_string).collect::<String>();
    assert!(told.contains("another node does this part"), "{told}");
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
