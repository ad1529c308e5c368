//! Lists: pages, filters and cursors.

use time::Duration;
use tradepost_domain::contracts::contract::{ContractStatus, ContractType};
use tradepost_domain::contracts::inventory_item::ItemStatus;
use tradepost_domain::contracts::purchase::PurchaseStatus;
use tradepost_domain::id::Id;
use tradepost_operations::contracts::{
    ContractTerms, CountInventoryItems, CountPurchases, ListAssetIDLinks, ListContracts, ListInventoryItems,
    ListPurchases, ReceiveItem, SellingLimits, WantedItems, WantedPurchases,
};
use tradepost_operations::{Caller, Code, OpResult, PageOf};
use tradepost_ports::clock::Clock as _;

use super::{Desk, buying, contract, draft, submitted};
use crate::harness::refusal;

const REFUSED: (Code, &str) = (Code::InvalidArgument, "INVALID_CURSOR");

fn purchases(desk: &Desk, limit: i32, cursor: &str) -> ListPurchases {
    let (workspace_id, cursor) = (desk.workspace_id(), cursor.to_owned());
    ListPurchases { workspace_id, limit, cursor, contract_id: None, status: None, wanted: WantedPurchases::default() }
}

fn items(desk: &Desk, limit: i32, cursor: &str) -> ListInventoryItems {
    let (workspace_id, cursor) = (desk.workspace_id(), cursor.to_owned());
    ListInventoryItems {
        workspace_id,
        limit,
        cursor,
        contract_id: None,
        status: None,
        market_hash_name: String::new(),
        account_name: String::new(),
        wanted: WantedItems::default(),
    }
}

fn contracts(desk: &Desk, limit: i32, cursor: &str) -> ListContracts {
    let (workspace_id, cursor) = (desk.workspace_id(), cursor.to_owned());
    ListContracts { workspace_id, limit, cursor, contract_type: None, status: None }
}

/// Follows the cursors of a list to its end, checking that no page is longer than the limit of 2.
async fn walk<T, F>(page: impl Fn(String) -> F) -> Vec<T>
where
    F: Future<Output = OpResult<PageOf<T>>>,
{
    let (mut all, mut cursor) = (Vec::new(), String::new());
    loop {
        let PageOf { entries, next_cursor } = page(cursor).await.unwrap();
        assert!(entries.len() <= 2);
        all.extend(entries);
        cursor = next_cursor;
        if cursor.is_empty() {
            return all;
        }
    }
}

async fn five<K, F: Future<Output = Id<K>>>(make: impl Fn(u32) -> F) -> Vec<Id<K>> {
    let mut newest_first = Vec::new();
    for number in 1..=5 {
        newest_first.insert(0, make(number).await);
    }
    newest_first
}

#[tokio::test]
async fn every_purchase_is_on_one_page_newest_first() {
    let desk = Desk::open().await;
    let made = five(|number| desk.buy(number)).await;
    let listed =
        walk(async |cursor| desk.operations().list_purchases(&desk.trader, purchases(&desk, 2, &cursor)).await).await;
    assert_eq!(listed, made);
}

#[tokio::test]
async fn every_item_is_on_one_page_newest_first() {
    let desk = Desk::open().await;
    let made = five(|number| desk.item(number)).await;
    let listed =
        walk(async |cursor| desk.operations().list_inventory_items(&desk.trader, items(&desk, 2, &cursor)).await).await;
    assert_eq!(listed, made);
}

#[tokio::test]
async fn every_contract_is_on_one_page_newest_first() {
    let desk = Desk::open().await;
    let mut made = five(|_| contract(&desk.world, &desk.trader, buying())).await;
    made.push(desk.contract_id);
    let listed =
        walk(async |cursor| desk.operations().list_contracts(&desk.trader, contracts(&desk, 2, &cursor)).await).await;
    assert_eq!(listed, made);
}

#[tokio::test]
async fn a_page_that_ends_with_the_last_record_has_no_next_cursor() {
    let desk = Desk::open().await;
    desk.buy(1).await;
    desk.buy(2).await;
    let page = desk.operations().list_purchases(&desk.trader, purchases(&desk, 2, "")).await.unwrap();
    assert_eq!((page.entries.len(), page.next_cursor.as_str()), (2, ""));
}

#[tokio::test]
async fn records_made_between_two_pages_neither_shift_nor_repeat_the_second() {
    let desk = Desk::open().await;
    let (first, second) = (desk.buy(1).await, desk.buy(2).await);
    let page = desk.operations().list_purchases(&desk.trader, purchases(&desk, 1, "")).await.unwrap();
    assert_eq!(page.entries, [second]);
    desk.buy(3).await;
    let next = desk.operations().list_purchases(&desk.trader, purchases(&desk, 1, &page.next_cursor)).await.unwrap();
    assert_eq!(next.entries, [first]);
}

#[tokio::test]
async fn a_page_has_50_entries_by_default_and_200_at_most() {
    let desk = Desk::open().await;
    for _ in 0..200 {
        desk.operations().create_contract(&desk.trader, draft(desk.workspace_id(), buying())).await.unwrap();
    }
    let length = async |limit| {
        desk.operations().list_contracts(&desk.trader, contracts(&desk, limit, "")).await.unwrap().entries.len()
    };
    assert_eq!((length(0).await, length(201).await, length(i32::MAX).await), (50, 200, 200));
}

#[tokio::test]
async fn a_negative_limit_is_refused() {
    let desk = Desk::open().await;
    let answer = desk.operations().list_purchases(&desk.trader, purchases(&desk, -1, "")).await;
    assert_eq!(refusal(answer), (Code::InvalidArgument, "INVALID_FIELD"));
    let (workspace_id, inventory_item_id) = (desk.workspace_id(), desk.item(1).await);
    let links = ListAssetIDLinks { workspace_id, inventory_item_id, limit: -1, cursor: String::new() };
    assert_eq!(
        refusal(desk.operations().list_asset_id_links(&desk.trader, links).await),
        (Code::InvalidArgument, "INVALID_FIELD")
    );
}

#[tokio::test]
async fn purchases_are_filtered_by_contract_and_status() {
    let mut desk = Desk::open().await;
    let (pending, sent) = (desk.buy(1).await, desk.buy(2).await);
    desk.advance(sent, submitted()).await.unwrap();
    let first_contract = desk.contract_id;
    desk.contract_id = contract(&desk.world, &desk.trader, buying()).await;
    let elsewhere = desk.buy(3).await;
    let list = async |contract_id, status| {
        let command = ListPurchases { contract_id, status, ..purchases(&desk, 0, "") };
        desk.operations().list_purchases(&desk.trader, command).await.unwrap().entries
    };
    assert_eq!(list(None, Some(PurchaseStatus::Pending)).await, [elsewhere, pending]);
    assert_eq!(list(Some(first_contract), None).await, [sent, pending]);
    assert_eq!(list(Some(first_contract), Some(PurchaseStatus::Submitted)).await, [sent]);
    assert_eq!(list(Some(Id::from_bytes([9; 16])), None).await, []);
}

#[tokio::test]
async fn items_are_filtered_by_contract_and_status() {
    let desk = Desk::open().await;
    let item = desk.item(1).await;
    let list = async |contract_id, status| {
        let command = ListInventoryItems { contract_id, status, ..items(&desk, 0, "") };
        desk.operations().list_inventory_items(&desk.trader, command).await.unwrap().entries
    };
    assert_eq!(list(Some(desk.contract_id), Some(ItemStatus::InInventory)).await, [item]);
    assert_eq!(list(None, Some(ItemStatus::Sold)).await, []);
    assert_eq!(list(Some(Id::from_bytes([9; 16])), None).await, []);
}

#[tokio::test]
async fn items_are_filtered_by_name_and_account() {
    let desk = Desk::open().await;
    let (second, first) = (desk.item(1).await, desk.item(2).await);
    let list = async |name: &str, account: &str, cursor: &str| {
        let texts = (name.to_owned(), account.to_owned());
        let command =
            ListInventoryItems { market_hash_name: texts.0, account_name: texts.1, ..items(&desk, 1, cursor) };
        desk.operations().list_inventory_items(&desk.trader, command).await
    };
    let name = "AK-47 | Redline (Field-Tested)";
    let page = list(name, "trader-1", "").await.unwrap();
    assert_eq!(page.entries, [first]);
    assert_eq!(list(name, "trader-1", &page.next_cursor).await.unwrap().entries, [second]);
    assert_eq!(refusal(list(name, "", &page.next_cursor).await), REFUSED);
    assert_eq!(list("AK-47 | Redline", "", "").await.unwrap().entries, []);
    assert_eq!(list("", "trader-2", "").await.unwrap().entries, []);
    assert_eq!(refusal(list("", "with\nbreak", "").await).1, "INVALID_FIELD");
}

#[tokio::test]
async fn purchases_are_filtered_by_statuses_name_place_account_and_time() {
    let desk = Desk::open().await;
    let (first, second) = (desk.buy(1).await, desk.buy(2).await);
    desk.advance(second, submitted()).await.unwrap();
    let list = async |wanted: WantedPurchases| {
        let listed = ListPurchases { wanted: wanted.clone(), ..purchases(&desk, 0, "") };
        let listed = desk.operations().list_purchases(&desk.trader, listed).await?.entries;
        let count = CountPurchases { workspace_id: desk.workspace_id(), contract_id: None, wanted };
        let counted = desk.operations().count_purchases(&desk.trader, count).await?;
        assert!(!counted.truncated);
        assert_eq!(counted.iter().map(|count| count.count).sum::<i64>(), i64::try_from(listed.len()).unwrap());
        OpResult::Ok(listed)
    };
    let none = WantedPurchases::default;
    let statuses = vec![PurchaseStatus::Submitted, PurchaseStatus::Pending, PurchaseStatus::Submitted];
    assert_eq!(list(WantedPurchases { statuses, ..none() }).await.unwrap(), [second, first]);
    let statuses = vec![PurchaseStatus::Submitted];
    let submitted = WantedPurchases { statuses, name_contains: "REDLINE ak".to_owned(), ..none() };
    assert_eq!(list(submitted).await.unwrap(), [second]);
    let name = "AK-47 | Redline (Field-Tested)".to_owned();
    let named = WantedPurchases { market_hash_name: name.clone(), ..none() };
    assert_eq!(list(named).await.unwrap(), [second, first]);
    let contradiction = WantedPurchases { market_hash_name: name, name_contains: "case".to_owned(), ..none() };
    assert_eq!(list(contradiction).await.unwrap(), []);
    assert_eq!(list(WantedPurchases { marketplace: "elsewhere".to_owned(), ..none() }).await.unwrap(), []);
    assert_eq!(list(WantedPurchases { account_name: "trader-9".to_owned(), ..none() }).await.unwrap(), []);
    let at = desk.world.clock.now();
    assert_eq!(list(WantedPurchases { to: Some(at.plus(Duration::DAY)), ..none() }).await.unwrap(), [second, first]);
    assert_eq!(list(WantedPurchases { from: Some(at.plus(Duration::DAY)), ..none() }).await.unwrap(), []);
    for bad in [
        WantedPurchases { from: Some(at), to: Some(at), ..none() },
        WantedPurchases { name_contains: "1 2 3 4 5 6 7 8 9".to_owned(), ..none() },
        WantedPurchases { marketplace: "with\nbreak".to_owned(), ..none() },
    ] {
        assert_eq!(refusal(list(bad).await), (Code::InvalidArgument, "INVALID_FIELD"));
    }
}

#[tokio::test]
async fn items_are_filtered_by_statuses_part_of_a_name_place_and_lock() {
    let desk = Desk::open().await;
    let item = desk.item(1).await;
    let list = async |wanted: WantedItems| {
        let listed = ListInventoryItems { wanted: wanted.clone(), ..items(&desk, 0, "") };
        let listed = desk.operations().list_inventory_items(&desk.trader, listed).await.unwrap().entries;
        let count = CountInventoryItems { wanted, ..CountInventoryItems::of(desk.workspace_id(), None) };
        let counted = desk.operations().count_inventory_items(&desk.trader, count).await.unwrap();
        assert_eq!(counted.iter().map(|count| count.count).sum::<i64>(), i64::try_from(listed.len()).unwrap());
        listed
    };
    let none = WantedItems::default;
    let statuses = vec![ItemStatus::Listed, ItemStatus::InInventory];
    assert_eq!(list(WantedItems { statuses, ..none() }).await, [item]);
    assert_eq!(list(WantedItems { statuses: vec![ItemStatus::Sold], ..none() }).await, []);
    assert_eq!(list(WantedItems { name_contains: "redline".to_owned(), ..none() }).await, [item]);
    assert_eq!(list(WantedItems { name_contains: "redline case".to_owned(), ..none() }).await, []);
    assert_eq!(list(WantedItems { sale_marketplace: "skinport".to_owned(), ..none() }).await, []);
    let protected_until = desk.world.clock.now().plus(Duration::days(7));
    let arrival = ReceiveItem { protected_until, ..desk.arrival(desk.pay(2).await, 2) };
    let locked = desk.operations().receive_item(&desk.trader, arrival).await.unwrap().item.value.id;
    assert_eq!(list(WantedItems { locked: Some(true), ..none() }).await, [locked]);
    assert_eq!(list(WantedItems { locked: Some(false), ..none() }).await, [item]);
}

#[tokio::test]
async fn contracts_are_filtered_by_type_and_status() {
    let desk = Desk::open().await;
    let selling = ContractTerms::Selling(SellingLimits { floor_price_cents: Some(900), ..SellingLimits::default() });
    let selling = contract(&desk.world, &desk.trader, selling).await;
    let drafted = desk.operations().create_contract(&desk.trader, draft(desk.workspace_id(), buying())).await.unwrap();
    let list = async |contract_type, status| {
        let command = ListContracts { contract_type, status, ..contracts(&desk, 0, "") };
        desk.operations().list_contracts(&desk.trader, command).await.unwrap().entries
    };
    assert_eq!(list(Some(ContractType::Selling), None).await, [selling]);
    assert_eq!(list(None, Some(ContractStatus::Draft)).await, [drafted.value.id]);
    assert_eq!(list(Some(ContractType::Buying), Some(ContractStatus::Active)).await, [desk.contract_id]);
}

/// A desk with two purchases, and the cursor after the first of them.
async fn with_cursor() -> (Desk, String) {
    let desk = Desk::open().await;
    desk.buy(1).await;
    desk.buy(2).await;
    let page = desk.operations().list_purchases(&desk.trader, purchases(&desk, 1, "")).await.unwrap();
    (desk, page.next_cursor)
}

#[tokio::test]
async fn a_cursor_of_other_filters_is_refused() {
    let (desk, cursor) = with_cursor().await;
    let command = ListPurchases { status: Some(PurchaseStatus::Pending), ..purchases(&desk, 1, &cursor) };
    assert_eq!(refusal(desk.operations().list_purchases(&desk.trader, command).await), REFUSED);
    let command = ListPurchases { contract_id: Some(desk.contract_id), ..purchases(&desk, 1, &cursor) };
    assert_eq!(refusal(desk.operations().list_purchases(&desk.trader, command).await), REFUSED);
}

#[tokio::test]
async fn a_cursor_of_another_list_is_refused() {
    let (desk, cursor) = with_cursor().await;
    assert_eq!(refusal(desk.operations().list_inventory_items(&desk.trader, items(&desk, 1, &cursor)).await), REFUSED);
    assert_eq!(refusal(desk.operations().list_contracts(&desk.trader, contracts(&desk, 1, &cursor)).await), REFUSED);
}

#[tokio::test]
async fn a_cursor_of_another_workspace_is_refused() {
    let (desk, cursor) = with_cursor().await;
    let (workspace_id, _, _) = desk.world.other_workspace().await;
    let command = ListPurchases { workspace_id, ..purchases(&desk, 1, &cursor) };
    assert_eq!(refusal(desk.operations().list_purchases(&Caller::system(), command).await), REFUSED);
}

#[tokio::test]
async fn a_cursor_that_was_tampered_with_is_refused() {
    let (desk, cursor) = with_cursor().await;
    let mut tampered = cursor.clone().into_bytes();
    for at in 0..tampered.len() {
        let was = tampered[at];
        tampered[at] = if was == b'A' { b'B' } else { b'A' };
        let text = String::from_utf8(tampered.clone()).unwrap();
        assert_eq!(
            refusal(desk.operations().list_purchases(&desk.trader, purchases(&desk, 1, &text)).await),
            REFUSED,
            "{text}"
        );
        tampered[at] = was;
    }
}

#[tokio::test]
async fn an_invalid_cursor_is_refused() {
    let (desk, cursor) = with_cursor().await;
    for text in ["x", "not base64 !", "AAAA", &cursor[1..], &format!("{cursor}AAAA")] {
        let answer = desk.operations().list_purchases(&desk.trader, purchases(&desk, 1, text)).await;
        assert_eq!(refusal(answer), REFUSED, "{text}");
    }
}
