//! The search for records by what users type.

use tradepost_domain::accounts::policy::{Policy, PolicySet};
use tradepost_domain::contracts::purchase::PurchaseEvent;
use tradepost_domain::trading::trade::OfferStatus;
use tradepost_domain::trading::trade_offer::OfferOwner;
use tradepost_operations::contracts::{FindInventoryItemByAssetID, GetInventoryItem, Search, SearchKind};
use tradepost_operations::{Caller, Code, OpResult};
use tradepost_testkit::samples::text;

use super::offers::report;
use super::{Desk, contract};
use crate::harness::refusal;

impl Desk {
    async fn search(&self, caller: &Caller, text: &str) -> OpResult<Vec<(SearchKind, String, String)>> {
        let command = Search { workspace_id: self.workspace_id(), text: text.to_owned(), limit: 0 };
        let found = self.operations().search(caller, command).await?;
        Ok(found.into_iter().map(|found| (found.kind, found.title, found.subtitle)).collect())
    }

    async fn kinds(&self, caller: &Caller, text: &str) -> Vec<SearchKind> {
        self.search(caller, text).await.unwrap().into_iter().map(|(kind, ..)| kind).collect()
    }
}

const NAME: &str = "AK-47 | Redline (Field-Tested)";

#[tokio::test]
async fn identifiers_find_purchases_with_their_items() {
    let desk = Desk::open().await;
    let item = desk.item(1).await;
    desk.buy(2).await;
    let both = [
        (SearchKind::Purchase, NAME.to_owned(), "csfloat".to_owned()),
        (SearchKind::InventoryItem, NAME.to_owned(), "trader-1".to_owned()),
    ];
    assert_eq!(desk.search(&desk.trader, " listing-1 ").await.unwrap(), both);
    assert_eq!(desk.search(&desk.trader, "listing-2").await.unwrap(), both[..1]);
    assert_eq!(desk.search(&desk.trader, "listing-3").await.unwrap(), []);
    let get = GetInventoryItem { workspace_id: desk.workspace_id(), inventory_item_id: item };
    let asset = desk.operations().get_inventory_item(&desk.trader, get).await.unwrap().value.current_asset_id().clone();
    // Every asset id of the chain finds the item: the one that it has, and the one under which it was listed.
    for asset_id in [asset.as_str(), "10001"] {
        let find = FindInventoryItemByAssetID { workspace_id: desk.workspace_id(), asset_id: asset_id.to_owned() };
        desk.operations().find_inventory_item_by_asset_id(&desk.trader, find).await.unwrap();
        assert_eq!(desk.search(&desk.trader, asset_id).await.unwrap(), both[1..], "{asset_id}");
    }
}

#[tokio::test]
async fn an_order_and_a_trade_find_their_purchase_with_its_item() {
    let desk = Desk::open().await;
    desk.pay(2).await;
    let purchase = desk.pay(1).await;
    desk.see(report(OfferStatus::Active, "offer-1"), OfferOwner::Purchase(purchase)).await;
    let event = PurchaseEvent::OfferSeen { trade_offer_id: text("offer-1"), asks_for_ours: false };
    desk.advance(purchase, event).await.unwrap();
    desk.operations().receive_item(&desk.trader, desk.arrival(purchase, 1)).await.unwrap();
    let both = [SearchKind::Purchase, SearchKind::InventoryItem];
    for (identifier, expected) in [
        ("order-1", &both[..]),
        ("trade-1", &both[..]),
        // It was paid, and nothing has arrived.
        ("order-2", &both[..1]),
        ("trade-2", &both[..0]),
        ("order", &both[..0]),
        ("trade", &both[..0]),
    ] {
        assert_eq!(desk.kinds(&desk.trader, identifier).await, expected, "{identifier}");
    }
}

#[tokio::test]
async fn parts_of_a_name_find_contracts_and_market_names() {
    let desk = Desk::open().await;
    desk.item(1).await;
    contract(&desk.world, &desk.trader, super::buying()).await;
    let names: Vec<_> = desk.search(&desk.trader, "REDLINE").await.unwrap();
    assert!(names.contains(&(SearchKind::ItemName, NAME.to_owned(), String::new())), "{names:?}");
    assert!(names.iter().any(|(kind, ..)| *kind == SearchKind::Contract), "{names:?}");
    assert_eq!(refusal(desk.search(&desk.trader, " ").await), (Code::InvalidArgument, "INVALID_FIELD"));
    let negative = Search { workspace_id: desk.workspace_id(), text: "redline".to_owned(), limit: -1 };
    let refused = desk.operations().search(&desk.trader, negative).await;
    assert_eq!(refusal(refused), (Code::InvalidArgument, "INVALID_FIELD"));
    let one = Search { workspace_id: desk.workspace_id(), text: "redline".to_owned(), limit: 1 };
    assert_eq!(desk.operations().search(&desk.trader, one).await.unwrap().len(), 1);
}

#[tokio::test]
async fn parts_of_a_name_find_accounts_members_and_keys() {
    let desk = Desk::open().await;
    desk.operations().create_account(&Caller::system(), desk.account(7)).await.unwrap();
    let keys = desk.operations().list_api_keys(&desk.trader).await.unwrap();
    let prefix = keys[0].key.prefix.clone();
    for (text, kind, title, subtitle) in [
        ("KEEPER", SearchKind::Account, "keeper-7", "steam"),
        ("person", SearchKind::Membership, "A person", ""),
        ("key a", SearchKind::ApiKey, "a key", prefix.as_str()),
    ] {
        let found = desk.search(&desk.trader, text).await.unwrap();
        assert_eq!(found, [(kind, title.to_owned(), subtitle.to_owned())], "{text}");
    }
}

#[tokio::test]
async fn four_characters_of_a_keys_prefix_find_it_and_three_do_not() {
    let desk = Desk::open().await;
    let keys = desk.operations().list_api_keys(&desk.trader).await.unwrap();
    let prefix = keys[0].key.prefix.clone();
    for (characters, is_found) in [(4, true), (3, false)] {
        let part = &prefix[prefix.len() - characters..];
        let found = desk.search(&desk.trader, part).await.unwrap();
        let is_there = found.iter().any(|(kind, _, shown)| *kind == SearchKind::ApiKey && *shown == prefix);
        assert_eq!(is_there, is_found, "{part}");
    }
}

#[tokio::test]
async fn a_kind_that_the_caller_may_not_read_is_left_out() {
    let desk = Desk::open().await;
    desk.item(1).await;
    let keys = desk.operations().list_api_keys(&desk.trader).await.unwrap();
    let prefix = keys[0].key.prefix.clone();
    for (policy, sees_trades, sees_keys) in [
        (Policy::Analytics, true, true),
        (Policy::Trading, true, false),
        (Policy::Workspace, false, true),
        (Policy::Markets, false, false),
    ] {
        let caller = desk.world.key(PolicySet::of(&[policy])).await;
        assert_eq!(!desk.kinds(&caller, "listing-1").await.is_empty(), sees_trades, "{policy:?}");
        assert_eq!(desk.kinds(&caller, &prefix).await.contains(&SearchKind::ApiKey), sees_keys, "{policy:?}");
    }
    let (other, _, _) = desk.world.other_workspace().await;
    let elsewhere = Search { workspace_id: other, text: "listing-1".to_owned(), limit: 0 };
    assert_eq!(desk.operations().search(&Caller::system(), elsewhere.clone()).await.unwrap(), []);
    let denied = desk.operations().search(&desk.trader, elsewhere).await;
    assert_eq!(refusal(denied), (Code::PermissionDenied, "PERMISSION_DENIED"));
}
