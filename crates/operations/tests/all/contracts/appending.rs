//! Appending links to a chain.

use std::sync::Arc;

use time::Duration;
use tradepost_domain::asset::AssetId;
use tradepost_domain::contracts::chain::{AssetIdLink, Source};
use tradepost_domain::contracts::inventory_item::{InventoryItem, ItemEvent, ItemStatus};
use tradepost_domain::id::InventoryItemId;
use tradepost_domain::transition::Subject;
use tradepost_operations::contracts::AppendAssetIDLink;
use tradepost_operations::{Code, OpResult};
use tradepost_ports::changes::{AppendedRow, Caller, Changes};
use tradepost_ports::clock::Clock as _;
use tradepost_ports::store::Store as _;
use tradepost_testkit::samples::Samples;

use super::Desk;
use crate::harness::refusal;

fn fact(desk: &Desk, item: InventoryItemId, source: &str, asset_id: &str, source_id: &str) -> AppendAssetIDLink {
    AppendAssetIDLink {
        workspace_id: desk.workspace_id(),
        inventory_item_id: item,
        expected_step: None,
        asset_id: asset_id.to_owned(),
        source: source.to_owned(),
        source_id: source_id.to_owned(),
    }
}

async fn append(desk: &Desk, command: AppendAssetIDLink) -> OpResult<AssetIdLink> {
    desk.operations().append_asset_id_link(&desk.trader, command).await
}

#[tokio::test]
async fn a_link_follows_the_last_one_and_becomes_the_items_asset_id() {
    let desk = Desk::open().await;
    let item = desk.item(1).await;
    let link = append(&desk, fact(&desk, item, "inventory", "40001", "snapshot-1")).await.unwrap();
    assert_eq!((link.step, link.asset_id.as_str()), (2, "40001"));
    assert_eq!(link.previous.as_ref().map(AssetId::as_str), Some("20001"));
    let owned = desk.owned(item).await;
    assert_eq!((owned.value.current_asset_id().as_str(), owned.version), ("40001", 2));
    assert_eq!(owned.value.status, ItemStatus::InInventory);
}

#[tokio::test]
async fn the_same_fact_given_again_is_the_same_link() {
    let desk = Desk::open().await;
    let item = desk.item(1).await;
    let first = append(&desk, fact(&desk, item, "inventory", "40001", "snapshot-1")).await.unwrap();
    append(&desk, fact(&desk, item, "transfer", "40002", "trade-5")).await.unwrap();
    let before = desk.owned(item).await;
    let again = AppendAssetIDLink { expected_step: Some(2), ..fact(&desk, item, "inventory", "40001", "snapshot-1") };
    assert_eq!(append(&desk, again).await.unwrap(), first);
    assert_eq!(desk.owned(item).await, before);
}

#[tokio::test]
async fn the_same_fact_of_a_source_that_moves_the_item_is_the_same_link() {
    let desk = Desk::open().await;
    let item = desk.item(1).await;
    let sale = || fact(&desk, item, "sale_trade", "50001", "trade-9");
    let link = append(&desk, sale()).await.unwrap();
    assert_eq!(append(&desk, sale()).await.unwrap(), link);
    assert_eq!(desk.owned(item).await.version, 2);
}

#[tokio::test]
async fn the_same_fact_with_another_asset_id_is_refused() {
    let desk = Desk::open().await;
    let item = desk.item(1).await;
    append(&desk, fact(&desk, item, "inventory", "40001", "snapshot-1")).await.unwrap();
    let other = fact(&desk, item, "inventory", "40002", "snapshot-1");
    assert_eq!(refusal(append(&desk, other).await), (Code::FailedPrecondition, "ASSET_ID_MISMATCH"));
    let other = fact(&desk, item, "purchase_trade", "40002", "trade-1");
    assert_eq!(refusal(append(&desk, other).await), (Code::FailedPrecondition, "ASSET_ID_MISMATCH"));
}

#[tokio::test]
async fn a_link_gets_the_expected_step_or_none() {
    let desk = Desk::open().await;
    let item = desk.item(1).await;
    for stale in [0, 1, 3] {
        let command =
            AppendAssetIDLink { expected_step: Some(stale), ..fact(&desk, item, "inventory", "40001", "snapshot-1") };
        desk.forbidden(append(&desk, command), "STALE_STEP").await;
    }
    let command = AppendAssetIDLink { expected_step: Some(2), ..fact(&desk, item, "inventory", "40001", "snapshot-1") };
    assert_eq!(append(&desk, command).await.unwrap().step, 2);
}

#[tokio::test]
async fn a_source_that_may_not_follow_is_refused() {
    let desk = Desk::open().await;
    let item = desk.item(1).await;
    for source in ["listing", "import", "purchase_trade", "sale_return"] {
        desk.forbidden(append(&desk, fact(&desk, item, source, "40001", "other-1")), "ILLEGAL_SUCCESSOR").await;
    }
}

#[tokio::test]
async fn a_trade_that_keeps_the_asset_id_is_refused() {
    let desk = Desk::open().await;
    let item = desk.item(1).await;
    for source in ["transfer", "sale_trade"] {
        desk.forbidden(append(&desk, fact(&desk, item, source, "20001", "trade-7")), "ASSET_ID_UNCHANGED").await;
    }
}

#[tokio::test]
async fn an_asset_id_of_another_live_item_is_refused() {
    let desk = Desk::open().await;
    let item = desk.item(1).await;
    desk.item(2).await;
    desk.forbidden(append(&desk, fact(&desk, item, "inventory", "20002", "snapshot-1")), "ASSET_ID_OWNED").await;
    desk.forbidden(append(&desk, fact(&desk, item, "sale_trade", "20002", "trade-9")), "ASSET_ID_OWNED").await;
}

#[tokio::test]
async fn a_closed_item_takes_no_link() {
    let desk = Desk::open().await;
    let item = desk.item(1).await;
    let now = desk.world.clock.now();
    let missing = ItemEvent::WentMissing { first_absent_at: now, last_absent_at: now.plus(Duration::minutes(10)) };
    desk.advance_item(item, missing).await.unwrap();
    desk.advance_item(item, ItemEvent::GivenUp).await.unwrap();
    for source in ["inventory", "sale_trade"] {
        desk.forbidden(append(&desk, fact(&desk, item, source, "40001", "late-1")), "ITEM_CLOSED").await;
    }
}

#[tokio::test]
async fn a_closed_item_says_so_before_anything_else_is_wrong() {
    let desk = Desk::open().await;
    let item = desk.item(1).await;
    append(&desk, fact(&desk, item, "purchase_reversal", "20001", "rollback-1")).await.unwrap();
    for source in ["inventory", "sale_listing", "listing"] {
        let command = AppendAssetIDLink { expected_step: Some(9), ..fact(&desk, item, source, "40001", "late-1") };
        desk.forbidden(append(&desk, command), "ITEM_CLOSED").await;
    }
}

#[tokio::test]
async fn a_link_that_contradicts_the_items_state_is_refused() {
    let desk = Desk::open().await;
    let item = desk.item(1).await;
    let listing = ItemEvent::ListingStarted {
        place: super::on_sale_at(None),
        price: super::cents(1_800),
        takes_locked: false,
        exchange_rate: None,
    };
    desk.advance_item(item, listing).await.unwrap();
    desk.forbidden(append(&desk, fact(&desk, item, "transfer", "40001", "trade-7")), "ILLEGAL_LINK").await;
}

#[tokio::test]
async fn an_item_that_was_not_bought_has_no_purchase_to_reverse() {
    let desk = Desk::open().await;
    let item = imported(&desk).await;
    desk.forbidden(append(&desk, fact(&desk, item, "purchase_reversal", "9", "rollback-1")), "NOT_BOUGHT").await;
}

/// An item whose chain starts with an import.
async fn imported(desk: &Desk) -> InventoryItemId {
    let samples = Samples::seeded(7);
    let purchase = samples.purchase(
        desk.workspace_id(),
        desk.contract_id,
        tradepost_domain::contracts::purchase::PurchaseStatus::Traded,
    );
    let (item, mut links) = samples.item(&purchase);
    links.truncate(1);
    links[0].source = Source::Import;
    let mut parts = item.into_parts();
    parts.head.step = 0;
    parts.head.asset_id = links[0].asset_id.clone();
    (parts.head.source, parts.head.origin) = (Source::Import, Source::Import);
    let item = InventoryItem::restore(parts).unwrap();
    let id = item.id;
    let mut changes = Changes::by(&Caller::system());
    changes.insert(item).append(AppendedRow::Link(links.remove(0)));
    desk.world.store.commit(changes).await.unwrap();
    id
}

#[tokio::test]
async fn a_sale_reported_as_a_link_sells_the_item() {
    let desk = Desk::open().await;
    let item = desk.item(1).await;
    let link = append(&desk, fact(&desk, item, "sale_trade", "50001", "trade-9")).await.unwrap();
    assert_eq!(link.step, 2);
    let sold = desk.owned(item).await;
    assert_eq!((sold.value.status, sold.version), (ItemStatus::Sold, 2));
    let log = desk.log(Subject::InventoryItem(item)).await;
    assert_eq!(log.last().map(|step| (step.trigger, step.to)), Some(("sale_trade", "SOLD")));
    let back = append(&desk, fact(&desk, item, "sale_return", "20001", "rollback-9")).await.unwrap();
    assert_eq!((back.step, desk.owned(item).await.value.status), (3, ItemStatus::InInventory));
}

#[tokio::test]
async fn a_missing_item_that_is_seen_is_back_where_it_was() {
    let desk = Desk::open().await;
    let item = desk.item(1).await;
    let now = desk.world.clock.now();
    let missing = ItemEvent::WentMissing { first_absent_at: now, last_absent_at: now.plus(Duration::minutes(10)) };
    desk.advance_item(item, missing).await.unwrap();
    append(&desk, fact(&desk, item, "inventory", "40001", "snapshot-1")).await.unwrap();
    let found = desk.owned(item).await;
    assert_eq!((found.value.status, found.version), (ItemStatus::InInventory, 3));
}

#[tokio::test]
async fn a_field_that_breaks_a_rule_is_named() {
    let desk = Desk::open().await;
    let item = desk.item(1).await;
    let plain = || fact(&desk, item, "inventory", "40001", "snapshot-1");
    let cases = [
        ("expectedStep must be from 0 to 2147483647", AppendAssetIDLink { expected_step: Some(-1), ..plain() }),
        ("expectedStep", AppendAssetIDLink { expected_step: Some(2_147_483_648), ..plain() }),
        ("assetId", fact(&desk, item, "inventory", "", "snapshot-1")),
        ("assetId", fact(&desk, item, "inventory", "007", "snapshot-1")),
        ("source", fact(&desk, item, "INVENTORY", "40001", "snapshot-1")),
        ("sourceId", fact(&desk, item, "inventory", "40001", "")),
    ];
    for (field, command) in cases {
        let error = append(&desk, command).await.unwrap_err();
        assert_eq!((error.code, error.reason.as_str()), (Code::InvalidArgument, "INVALID_FIELD"), "{field}");
        assert!(error.message.starts_with(field), "{field}: {}", error.message);
    }
    assert_eq!(desk.owned(item).await.version, 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn appends_at_the_same_time_get_steps_without_a_gap() {
    let desk = Arc::new(Desk::open().await);
    let item = desk.item(1).await;
    let appenders: Vec<_> = (0..32)
        .map(|number| {
            let desk = desk.clone();
            let command = fact(&desk, item, "inventory", &format!("9{number:03}"), &format!("snapshot-{number}"));
            tokio::spawn(async move { append(&desk, command).await.unwrap().step })
        })
        .collect();
    let mut steps = Vec::new();
    for appender in appenders {
        steps.push(appender.await.unwrap());
    }
    steps.sort_unstable();
    assert_eq!(steps, (2..34).collect::<Vec<_>>());
    let chain = desk.chain(item).await;
    assert!(chain.windows(2).all(|pair| pair[1].previous.as_ref() == Some(&pair[0].asset_id)));
    assert_eq!(desk.owned(item).await.version, 33);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn one_of_those_who_expect_the_same_step_gets_it() {
    let desk = Arc::new(Desk::open().await);
    let item = desk.item(1).await;
    let appenders: Vec<_> = (0..8)
        .map(|number| {
            let desk = desk.clone();
            let plain = fact(&desk, item, "inventory", &format!("9{number:03}"), &format!("snapshot-{number}"));
            let command = AppendAssetIDLink { expected_step: Some(2), ..plain };
            tokio::spawn(async move { append(&desk, command).await })
        })
        .collect();
    let mut won = 0;
    for appender in appenders {
        match appender.await.unwrap() {
            Ok(link) => won += link.step - 1,
            Err(error) => assert_eq!(error.reason.as_str(), "STALE_STEP"),
        }
    }
    assert_eq!((won, desk.chain(item).await.len()), (1, 3));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn the_same_fact_from_many_is_recorded_once() {
    let desk = Arc::new(Desk::open().await);
    let item = desk.item(1).await;
    let appenders: Vec<_> = (0..8)
        .map(|_| {
            let desk = desk.clone();
            let command = fact(&desk, item, "sale_trade", "50001", "trade-9");
            tokio::spawn(async move { append(&desk, command).await.unwrap().id })
        })
        .collect();
    let mut ids = std::collections::BTreeSet::new();
    for appender in appenders {
        ids.insert(appender.await.unwrap());
    }
    assert_eq!((ids.len(), desk.chain(item).await.len()), (1, 3));
}
