//! A provider that is out of work stops what would be begun there, and nothing else.

use time::Duration;
use tradepost_domain::contracts::inventory_item::ItemEvent;
use tradepost_domain::contracts::purchase::PurchaseStatus;
use tradepost_domain::id::{ConfirmationId, ProviderId};
use tradepost_domain::markets::provider::{BreakerState, ProviderKind, ProviderReport};
use tradepost_domain::trading::confirmation::CheckCode;
use tradepost_domain::trading::trade::OfferStatus;
use tradepost_domain::trading::trade_offer::OfferOwner;
use tradepost_operations::Caller;
use tradepost_operations::contracts::ListItemForSale;
use tradepost_operations::markets::{DeleteProvider, DisableProvider, EnableProvider, RecordProviderHealth};
use tradepost_operations::trading::{ExamineConfirmation, RecordConfirmations};
use tradepost_ports::clock::Clock as _;
use tradepost_ports::game_platform::{CONFIRMS_OFFER, Confirmation, ConfirmationHandle};
use tradepost_testkit::samples::{Samples, text};

use super::offers::ours;
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

    /// The confirmation of an offer that delivers a sold item.
    async fn confirmation_of_a_sale(&self) -> ConfirmationId {
        let (item, offer) = (self.to_be_sent().await, ours(OfferStatus::NeedsConfirmation));
        self.see(offer.clone(), OfferOwner::Item(item)).await;
        let shown = Confirmation {
            id: text("1"),
            handle: ConfirmationHandle::default(),
            kind: CONFIRMS_OFFER,
            kind_name: "Trade Offer".to_owned(),
            creator: offer.offer_id,
            headline: "Partner".to_owned(),
            summary: Vec::new(),
            created_at: self.world.clock.now(),
        };
        let (workspace_id, account_name) = (self.workspace_id(), text("trader-1"));
        let list = RecordConfirmations { workspace_id, account_name, shown: vec![shown] };
        self.operations().record_confirmations(&Caller::system(), &list).await.unwrap().remove(0).value.id
    }

    /// Whether a confirmation is held back because something is halted.
    async fn is_halted(&self, confirmation_id: ConfirmationId) -> bool {
        let examine = ExamineConfirmation {
            workspace_id: self.workspace_id(),
            confirmation_id,
            report: Some(ours(OfferStatus::NeedsConfirmation)),
            holds_lease: true,
            list_age: Duration::ZERO,
            offer_age: Duration::ZERO,
            sale: None,
        };
        let examined = self.operations().examine_confirmation(&Caller::system(), &examine).await.unwrap();
        let checks = &examined.confirmation.value.checks;
        checks.iter().any(|check| check.code == CheckCode::Halt && !check.holds)
    }

    /// Records what a look at the marketplace of the desk found.
    async fn record_look(&self, breaker: BreakerState) {
        let (workspace_id, kind, now) = (self.workspace_id(), ProviderKind::Marketplace, self.world.clock.now());
        let last_success_at = (breaker == BreakerState::Closed).then_some(now);
        let report = ProviderReport { breaker, last_success_at, ..Samples::seeded(9).good_report(now) };
        let command = RecordProviderHealth { workspace_id, kind, name: text("csfloat"), report };
        self.operations().record_provider_health(&Caller::system(), command).await.unwrap();
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
async fn what_was_sold_at_a_disabled_marketplace_is_given_to_its_buyer() {
    let desk = Desk::open().await;
    let provider_id = desk.provider("csfloat").await;
    let confirmation_id = desk.confirmation_of_a_sale().await;
    desk.disable(provider_id).await;
    assert!(!desk.is_halted(confirmation_id).await);
}

#[tokio::test]
async fn nothing_is_given_for_a_marketplace_that_has_answered_nothing_for_five_minutes() {
    let desk = Desk::open().await;
    let confirmation_id = desk.confirmation_of_a_sale().await;
    desk.record_look(BreakerState::Closed).await;
    assert!(!desk.is_halted(confirmation_id).await);
    desk.advance_clock(Duration::minutes(4));
    desk.record_look(BreakerState::Open).await;
    assert!(!desk.is_halted(confirmation_id).await, "it answered 4 min ago");
    desk.advance_clock(Duration::minutes(1));
    assert!(desk.is_halted(confirmation_id).await);
    desk.record_look(BreakerState::Closed).await;
    assert!(!desk.is_halted(confirmation_id).await);
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
