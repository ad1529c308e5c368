//! A provider that is out of work stops what would be begun there, and nothing else.

use tradepost_domain::contracts::inventory_item::ItemEvent;
use tradepost_domain::contracts::purchase::PurchaseStatus;
use tradepost_domain::id::ProviderId;
use tradepost_operations::contracts::ListItemForSale;
use tradepost_operations::markets::{DeleteProvider, DisableProvider, EnableProvider};
use tradepost_testkit::samples::text;

use super::{Desk, accepted, cents, on_record, on_sale_at, submitted};

impl Desk {
    /// The provider of this name.
    pub(super) async fn provider(&self, name: &str) -> ProviderId {
        on_record(&self.world, name, "USD").await
    }

    pub(super) async fn disable(&self, provider_id: ProviderId) {
        let command =
            DisableProvider { workspace_id: self.workspace_id(), provider_id, reason: None, expected_version: None };
        self.operations().disable_provider(&self.trader, command).await.unwrap();
    }
}

#[tokio::test]
async fn nothing_is_recorded_at_a_disabled_marketplace_and_elsewhere_everything() {
    let desk = Desk::open().await;
    let (provider_id, elsewhere) = (desk.provider("csfloat").await, desk.provider("skinport").await);
    desk.disable(elsewhere).await;
    desk.buy(1).await;
    desk.disable(provider_id).await;
    desk.forbidden(desk.operations().record_purchase(&desk.trader, desk.listing(2)), "PROVIDER_DISABLED").await;
    let enable = EnableProvider { workspace_id: desk.workspace_id(), provider_id, expected_version: None };
    desk.operations().enable_provider(&desk.trader, enable).await.unwrap();
    desk.buy(2).await;
}

#[tokio::test]
async fn what_was_recorded_there_is_not_sent_and_what_was_sent_goes_on() {
    let desk = Desk::open().await;
    let provider_id = desk.provider("csfloat").await;
    let (recorded, sent) = (desk.buy(1).await, desk.buy(2).await);
    desk.advance(sent, submitted()).await.unwrap();
    desk.disable(provider_id).await;
    desk.forbidden(desk.advance(recorded, submitted()), "PROVIDER_DISABLED").await;
    let paid = desk.advance(sent, accepted(2)).await.unwrap();
    assert_eq!(paid.value.status, PurchaseStatus::Paid);
    desk.operations().receive_item(&desk.trader, desk.arrival(sent, 2)).await.unwrap();
}

#[tokio::test]
async fn nothing_is_put_on_sale_at_a_disabled_marketplace_and_what_is_on_sale_goes_on() {
    let desk = Desk::open().await;
    let provider_id = desk.provider("csfloat").await;
    let (free, on_sale) = (desk.item(1).await, desk.item(2).await);
    let started = || ItemEvent::ListingStarted {
        place: on_sale_at(None),
        price: cents(1_900),
        takes_locked: true,
        exchange_rate: None,
    };
    let listing = desk.advance_item(on_sale, started()).await.unwrap().value;
    desk.disable(provider_id).await;
    desk.forbidden(desk.advance_item(free, started()), "PROVIDER_DISABLED").await;
    let ask = ListItemForSale {
        workspace_id: desk.workspace_id(),
        inventory_item_id: free,
        marketplace: "csfloat".to_owned(),
        price_cents: Some(1_900),
    };
    desk.forbidden(desk.operations().list_item_for_sale(&desk.trader, ask), "PROVIDER_DISABLED").await;
    let asset_id = listing.current_asset_id().clone();
    let listed = ItemEvent::ListingAccepted { listing_id: text("sale-1"), asset_id };
    desk.advance_item(on_sale, listed).await.unwrap();
}

#[tokio::test]
async fn a_marketplace_that_a_contract_names_is_not_deleted() {
    let desk = Desk::open().await;
    let (named, free) = (desk.provider("csfloat").await, desk.provider("skinport").await);
    let delete = |provider_id| {
        let command = DeleteProvider { workspace_id: desk.workspace_id(), provider_id, expected_version: None };
        desk.operations().delete_provider(&desk.trader, command)
    };
    desk.forbidden(delete(named), "PROVIDER_IN_USE").await;
    delete(free).await.unwrap();
}
