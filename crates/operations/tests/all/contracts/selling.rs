//! Items that are on sale under a selling contract, and how many may be.

use futures::future::join_all;
use time::Duration;
use tradepost_domain::contracts::contract::{ContractStatus, Counters};
use tradepost_domain::contracts::inventory_item::{AssetEvidence, InventoryItem, ItemEvent, Proceeds, SalePlace};
use tradepost_domain::id::{ContractId, Id, InventoryItemId};
use tradepost_operations::contracts::{
    CancelContract, ContractTerms, GetContract, PauseContract, ResumeContract, SellingLimits,
};
use tradepost_operations::{Code, OpResult, Versioned};
use tradepost_ports::clock::Clock as _;
use tradepost_testkit::samples::text;

use super::{Desk, cents, contract, on_sale_at};

impl Desk {
    /// A contract that sells for 13.00 and more, with this many items on sale at a time.
    pub(super) async fn seller(&self, max_listings: Option<i64>) -> ContractId {
        let limits = SellingLimits { floor_price_cents: Some(1_300), max_listings, ..SellingLimits::default() };
        contract(&self.world, &self.trader, ContractTerms::Selling(limits)).await
    }

    async fn list_under(&self, item: InventoryItemId, seller: ContractId) -> OpResult<Versioned<InventoryItem>> {
        self.advance_item(item, started(on_sale_at(Some(seller)), 1_500)).await
    }

    async fn counted(&self, contract_id: ContractId) -> (ContractStatus, u32, u32) {
        let command = GetContract { workspace_id: self.workspace_id(), contract_id };
        let contract = self.operations().get_contract(&self.trader, command).await.unwrap().value;
        let Counters { open_quantity, filled_quantity, .. } = contract.counters;
        (contract.status, open_quantity, filled_quantity)
    }
}

fn started(place: SalePlace, price: i64) -> ItemEvent {
    ItemEvent::ListingStarted { place, price: cents(price), takes_locked: true, exchange_rate: None }
}

/// From LISTING to SOLD.
fn way_to_a_buyer(item: &InventoryItem) -> [ItemEvent; 4] {
    let proceeds = Proceeds::new(cents(1_500), cents(75)).unwrap();
    let asset_id = item.current_asset_id().clone();
    [
        ItemEvent::ListingAccepted { listing_id: text("sale-1"), asset_id: asset_id.clone() },
        ItemEvent::SaleNoticed { listing_id: text("sale-1"), proceeds },
        ItemEvent::DeliveryStarted { asset_id: asset_id.clone() },
        ItemEvent::Given { trade_id: text("trade-out"), asset_id: super::items::asset("39999") },
    ]
}

#[tokio::test]
async fn a_selling_contract_counts_what_is_on_sale_and_what_is_sold() {
    let desk = Desk::open().await;
    let (seller, item) = (desk.seller(None).await, desk.item(1).await);
    let listed = desk.list_under(item, seller).await.unwrap().value;
    assert_eq!(listed.sale_place, Some(on_sale_at(Some(seller))));
    for event in way_to_a_buyer(&listed) {
        assert_eq!(desk.counted(seller).await, (ContractStatus::Active, 1, 0), "{event:?}");
        desk.advance_item(item, event).await.unwrap();
    }
    assert_eq!(desk.counted(seller).await, (ContractStatus::Active, 0, 1));
    let sold = desk.owned(item).await.value;
    assert_eq!(sold.sale_place, Some(on_sale_at(Some(seller))), "what is sold says where");
    let back = ItemEvent::SaleReversed { rollback_trade_id: text("rollback"), asset_id: super::items::asset("39998") };
    desk.advance_item(item, back).await.unwrap();
    assert_eq!(
        (desk.counted(seller).await, desk.owned(item).await.value.sale_place.clone()),
        ((ContractStatus::Active, 0, 0), None)
    );
}

#[tokio::test]
async fn an_item_that_comes_back_from_sale_is_on_sale_nowhere() {
    let desk = Desk::open().await;
    let (seller, item) = (desk.seller(Some(1)).await, desk.item(1).await);
    desk.list_under(item, seller).await.unwrap();
    desk.advance_item(item, ItemEvent::ListingRefused).await.unwrap();
    assert_eq!((desk.counted(seller).await.1, desk.owned(item).await.value.sale_place.clone()), (0, None));
    let listed = desk.list_under(item, seller).await.unwrap().value;
    let [accepted, ..] = way_to_a_buyer(&listed);
    desk.advance_item(item, accepted).await.unwrap();
    let now = desk.world.clock.now();
    let absent = ItemEvent::WentMissing { first_absent_at: now, last_absent_at: now.plus(Duration::minutes(10)) };
    desk.advance_item(item, absent).await.unwrap();
    assert_eq!(desk.counted(seller).await.1, 1, "what is missing is still on sale");
    desk.advance_item(item, ItemEvent::GivenUp).await.unwrap();
    assert_eq!((desk.counted(seller).await.1, desk.owned(item).await.value.sale_place.clone()), (0, None));
}

#[tokio::test]
async fn items_on_sale_stay_within_the_limit_of_the_contract() {
    let desk = Desk::open().await;
    let seller = desk.seller(Some(2)).await;
    let mut items = Vec::new();
    for number in 1..=6 {
        items.push(desk.item(number).await);
    }
    let asked = join_all(items.iter().map(|item| desk.list_under(*item, seller))).await;
    assert_eq!(asked.iter().filter(|answer| answer.is_ok()).count(), 2);
    assert_eq!(desk.counted(seller).await, (ContractStatus::Active, 2, 0));
    let (mut on_sale, mut left) = (Vec::new(), Vec::new());
    for (item, answer) in items.into_iter().zip(asked) {
        if answer.is_ok() { on_sale.push(item) } else { left.push(item) }
    }
    desk.forbidden(desk.list_under(left[0], seller), "TOO_MANY_LISTED").await;
    let listed = desk.owned(on_sale[0]).await.value;
    let [accepted, ..] = way_to_a_buyer(&listed);
    desk.advance_item(on_sale[0], accepted).await.unwrap();
    let seen = AssetEvidence { asset_id: listed.current_asset_id().clone(), source_id: text("snapshot") };
    desk.advance_item(on_sale[0], ItemEvent::ListingEnded { seen }).await.unwrap();
    desk.list_under(left[0], seller).await.unwrap();
    desk.forbidden(desk.list_under(left[1], seller), "TOO_MANY_LISTED").await;
}

#[tokio::test]
async fn an_item_is_put_on_sale_as_its_contract_allows() {
    let desk = Desk::open().await;
    let (seller, item) = (desk.seller(None).await, desk.item(1).await);
    desk.forbidden(desk.list_under(item, desk.contract_id), "CONTRACT_NEVER_SELLS").await;
    desk.refused(desk.list_under(item, Id::from_bytes([9; 16])), Code::NotFound, "NOT_FOUND").await;
    desk.forbidden(desk.advance_item(item, started(on_sale_at(Some(seller)), 1_299)), "BELOW_FLOOR").await;
    let elsewhere = SalePlace { marketplace: text("skinport"), contract_id: Some(seller) };
    desk.forbidden(desk.advance_item(item, started(elsewhere, 1_500)), "OTHER_MARKETPLACE").await;
    let (workspace_id, expected_version) = (desk.workspace_id(), None);
    let pause = PauseContract { workspace_id, contract_id: seller, reason: None, expected_version };
    desk.operations().pause_contract(&desk.trader, pause).await.unwrap();
    desk.forbidden(desk.list_under(item, seller), "CONTRACT_NOT_ACTIVE").await;
    let resume = ResumeContract { workspace_id, contract_id: seller, expected_version };
    desk.operations().resume_contract(&desk.trader, resume).await.unwrap();
    desk.list_under(item, seller).await.unwrap();
}

#[tokio::test]
async fn a_selling_contract_that_is_cancelled_ends_once_nothing_is_on_sale() {
    let desk = Desk::open().await;
    let (seller, item) = (desk.seller(None).await, desk.item(1).await);
    let listed = desk.list_under(item, seller).await.unwrap().value;
    let cancel = CancelContract { workspace_id: desk.workspace_id(), contract_id: seller, expected_version: None };
    desk.operations().cancel_contract(&desk.trader, cancel).await.unwrap();
    assert_eq!(desk.counted(seller).await, (ContractStatus::Closing, 1, 0));
    for event in way_to_a_buyer(&listed) {
        desk.advance_item(item, event).await.unwrap();
    }
    assert_eq!(desk.counted(seller).await, (ContractStatus::Cancelled, 0, 1));
}
