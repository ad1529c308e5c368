//! Listing and verifying chains.

use tradepost_domain::contracts::chain::ChainLaw;
use tradepost_domain::contracts::purchase::PurchaseStatus;
use tradepost_domain::id::InventoryItemId;
use tradepost_operations::contracts::{AppendAssetIDLink, ListAssetIDLinks, VerifyAssetIDChain};
use tradepost_operations::{Code, PageOf};
use tradepost_ports::changes::{AppendedRow, Caller, Changes};
use tradepost_ports::store::Store as _;
use tradepost_testkit::samples::Samples;

use super::Desk;
use crate::harness::refusal;

/// An item whose chain has so many links.
async fn with_links(desk: &Desk, count: u32) -> InventoryItemId {
    let inventory_item_id = desk.item(count).await;
    for number in 2..count {
        let command = AppendAssetIDLink {
            workspace_id: desk.workspace_id(),
            inventory_item_id,
            expected_step: Some(i64::from(number)),
            asset_id: format!("{count}000{number}"),
            source: "inventory".to_owned(),
            source_id: format!("snapshot-{number}"),
        };
        desk.operations().append_asset_id_link(&desk.trader, command).await.unwrap();
    }
    inventory_item_id
}

fn page(desk: &Desk, inventory_item_id: InventoryItemId, limit: i32, cursor: &str) -> ListAssetIDLinks {
    ListAssetIDLinks { workspace_id: desk.workspace_id(), inventory_item_id, limit, cursor: cursor.to_owned() }
}

#[tokio::test]
async fn a_chain_is_listed_by_step_over_all_pages() {
    let desk = Desk::open().await;
    let item = with_links(&desk, 5).await;
    let (mut steps, mut cursor, mut pages) = (Vec::new(), String::new(), 0);
    loop {
        let command = page(&desk, item, 2, &cursor);
        let PageOf { entries, next_cursor } =
            desk.operations().list_asset_id_links(&desk.trader, command).await.unwrap();
        steps.extend(entries.iter().map(|link| link.step));
        pages += 1;
        if next_cursor.is_empty() {
            break;
        }
        cursor = next_cursor;
    }
    assert_eq!((steps, pages), (vec![0, 1, 2, 3, 4], 3));
}

#[tokio::test]
async fn a_cursor_of_another_chain_is_refused() {
    let desk = Desk::open().await;
    let (long, other) = (with_links(&desk, 4).await, with_links(&desk, 3).await);
    let first = desk.operations().list_asset_id_links(&desk.trader, page(&desk, long, 1, "")).await.unwrap();
    let elsewhere = page(&desk, other, 1, &first.next_cursor);
    assert_eq!(
        refusal(desk.operations().list_asset_id_links(&desk.trader, elsewhere).await),
        (Code::InvalidArgument, "INVALID_CURSOR")
    );
}

#[tokio::test]
async fn a_chain_that_operations_made_is_valid() {
    let desk = Desk::open().await;
    let inventory_item_id = with_links(&desk, 5).await;
    let command = VerifyAssetIDChain { workspace_id: desk.workspace_id(), inventory_item_id };
    assert_eq!(desk.operations().verify_asset_id_chain(&desk.trader, command).await.unwrap(), []);
}

#[tokio::test]
async fn a_broken_chain_says_what_is_wrong_at_which_step() {
    let desk = Desk::open().await;
    let samples = Samples::seeded(7);
    let purchase = samples.purchase(desk.workspace_id(), desk.contract_id, PurchaseStatus::Traded);
    let (item, mut links) = samples.item(&purchase);
    let inventory_item_id = item.id;
    links[1].previous = Some(samples.asset_id());
    let mut changes = Changes::by(&Caller::system());
    changes.insert(item);
    for link in links {
        changes.append(AppendedRow::Link(link));
    }
    desk.world.store.commit(changes).await.unwrap();
    let command = VerifyAssetIDChain { workspace_id: desk.workspace_id(), inventory_item_id };
    let problems = desk.operations().verify_asset_id_chain(&desk.trader, command).await.unwrap();
    assert!(matches!(problems.as_slice(), [problem] if problem.step == 1));
    assert!(matches!(problems[0].law, ChainLaw::WrongPrevious { .. }));
    assert!(problems[0].to_string().starts_with("step 1: the previous asset id is"), "{}", problems[0]);
}
