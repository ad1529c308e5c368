//! Contracts that are stopped because of what they have lost on a day.

use std::sync::Arc;

use time::Duration;
use tradepost_domain::contracts::inventory_item::{ItemEvent, Proceeds};
use tradepost_domain::contracts::purchase::{FailureCode, PurchaseEvent};
use tradepost_domain::contracts::remediation::{Evidence, RemediationKind, RemediationStatus};
use tradepost_domain::id::InventoryItemId;
use tradepost_domain::trading::import::{HoldingField, ImportFormat, ImportKind};
use tradepost_operations::Caller;
use tradepost_operations::contracts::{BuyingLimits, ContractTerms};
use tradepost_operations::trading::{ApplyImport, CreateImport, DefaultsOfImport};
use tradepost_ports::clock::Clock as _;
use tradepost_ports::imports::ReadHolding;
use tradepost_testkit::fakes::FakeImportReader;
use tradepost_testkit::samples::text;

use super::breakers::{ACTIVE, STOPPED};
use super::items::asset;
use super::{Desk, buying_limits, cents, contract, on_sale_at};

impl Desk {
    /// A desk whose contract is stopped by such a loss on a day.
    async fn with_loss_limit(most: i64) -> Self {
        let desk = Self::open().await;
        let limits = BuyingLimits { max_daily_loss_cents: Some(most), ..buying_limits() };
        let contract_id = contract(&desk.world, &desk.trader, ContractTerms::Buying(limits)).await;
        Self { contract_id, ..desk }
    }

    /// Items that cost 12.20 each.
    async fn several(&self, count: u32) -> Vec<InventoryItemId> {
        let mut items = Vec::new();
        for number in 1..=count {
            items.push(self.item(number).await);
        }
        items
    }

    /// Gives an item up: 12.20 are lost.
    async fn give_item_up(&self, item: InventoryItemId) {
        let now = self.world.clock.now();
        let absent = ItemEvent::WentMissing { first_absent_at: now, last_absent_at: now.plus(Duration::minutes(10)) };
        self.advance_item(item, absent).await.unwrap();
        self.advance_item(item, ItemEvent::GivenUp).await.unwrap();
    }

    /// Sells an item so that this much is earned, once the sale is final.
    async fn earn(&self, item: InventoryItemId, earned: i64) {
        let proceeds = Proceeds::new(cents(1_230 + earned), cents(10)).unwrap();
        let asset_id = self.owned(item).await.value.current_asset_id().clone();
        let of_item = |what: &str| text(&format!("{what}-{}", asset_id.as_str()));
        for event in [
            ItemEvent::ListingStarted {
                place: on_sale_at(None),
                price: cents(1_500),
                takes_locked: true,
                exchange_rate: None,
            },
            ItemEvent::ListingAccepted { listing_id: of_item("sale"), asset_id: asset_id.clone() },
            ItemEvent::SaleNoticed { listing_id: of_item("sale"), proceeds },
            ItemEvent::DeliveryStarted { asset_id: asset_id.clone() },
            ItemEvent::Given {
                trade_id: text(&format!("given-{}", asset_id.as_str())),
                asset_id: asset(&format!("3{}", asset_id.as_str())),
            },
            ItemEvent::ProceedsBooked { proceeds, protected_until: self.world.clock.now(), paid_out: false },
        ] {
            self.advance_item(item, event).await.unwrap();
        }
    }

    /// Imports that an item was sold elsewhere for this at this moment.
    async fn import_sale(&self, reader: &FakeImportReader, item: InventoryItemId, price: &str) {
        let asset_id = self.owned(item).await.value.current_asset_id().as_str().to_owned();
        let fields = vec![
            (HoldingField::AssetId, asset_id),
            (HoldingField::Price, price.to_owned()),
            (HoldingField::Fee, "0".to_owned()),
            (HoldingField::SoldAt, self.world.clock.now().to_string()),
        ];
        reader.reads_holdings(vec![ReadHolding { fields, fault: None }]);
        let (system, workspace_id) = (Caller::system(), self.workspace_id());
        let create = CreateImport {
            workspace_id,
            kind: ImportKind::Sales,
            format: ImportFormat::Json,
            content: b"[]".to_vec().into(),
            passphrase: None,
            defaults: DefaultsOfImport::default(),
            name: None,
        };
        let import_id = self.operations().create_import(&system, create).await.unwrap().value.id;
        let apply = ApplyImport { workspace_id, import_id, expected_version: Some(1) };
        let applied = self.operations().apply_import(&system, apply).await.unwrap().value;
        assert_eq!((applied.tally.accepted, applied.tally.rejected), (1, 0));
    }

    /// What shows that the contract was stopped by losses: its limit, and what was lost.
    async fn recorded_losses(&self) -> (String, String) {
        let [problem] = self.live_problems().await.try_into().unwrap();
        assert_eq!((problem.kind, problem.status), (RemediationKind::BreakerOpen, RemediationStatus::NeedsOperator));
        let Evidence { shown_by, expected, found } = problem.evidence.clone();
        assert_eq!(shown_by, Some(text("losses of 2026-01-01")));
        (expected.unwrap().to_string(), found.unwrap().to_string())
    }
}

#[tokio::test]
async fn a_contract_is_stopped_in_the_commit_of_the_step_by_which_a_day_has_lost_its_limit() {
    let desk = Desk::with_loss_limit(2_000).await;
    let items = desk.several(8).await;
    desk.earn(items[0], 205).await;
    let before = desk.contract().await.version;
    desk.give_item_up(items[1]).await;
    desk.earn(items[2], -984).await;
    assert_eq!(desk.contract().await.version, before + 2, "of two losses at once one is decided again");
    assert_eq!((desk.status_and_cause().await, desk.live_problems().await.len()), (ACTIVE, 0), "a cent less was lost");
    desk.earn(items[3], -1).await;
    assert_eq!(desk.status_and_cause().await, STOPPED);
    assert_eq!(desk.recorded_losses().await, ("2000".to_owned(), "2000".to_owned()));
    desk.forbidden(desk.operations().record_purchase(&desk.trader, desk.listing(99)), "CONTRACT_NOT_ACTIVE").await;

    desk.set_to_work().await;
    assert_eq!((desk.status_and_cause().await, desk.live_problems().await), (ACTIVE, Vec::new()));
    desk.buy(99).await;
    desk.earn(items[4], -1).await;
    assert_eq!(desk.status_and_cause().await, STOPPED, "who loses more of the day is stopped again");
    assert_eq!(desk.recorded_losses().await, ("2000".to_owned(), "2001".to_owned()));

    desk.set_to_work().await;
    desk.earn(items[5], 205).await;
    desk.earn(items[6], -1).await;
    assert_eq!(desk.status_and_cause().await, ACTIVE, "the day has earned some of it back");
    desk.advance_clock(Duration::days(1));
    desk.give_item_up(items[7]).await;
    assert_eq!(desk.status_and_cause().await, ACTIVE, "another day begins with nothing lost");
}

#[tokio::test]
async fn money_that_is_written_off_or_partly_refunded_is_lost() {
    let desk = Desk::with_loss_limit(1_900).await;
    let refused = PurchaseEvent::DeliveryFailed(FailureCode::SellerLate);
    let (first, second) = (desk.pay(1).await, desk.pay(2).await);
    desk.advance(first, refused.clone()).await.unwrap();
    desk.advance(first, PurchaseEvent::WrittenOff).await.unwrap();
    assert_eq!(desk.status_and_cause().await, ACTIVE);
    desk.advance(second, refused).await.unwrap();
    desk.advance(second, PurchaseEvent::RefundBooked { amount: cents(500) }).await.unwrap();
    assert_eq!(desk.status_and_cause().await, STOPPED);
    assert_eq!(desk.recorded_losses().await, ("1900".to_owned(), "1940".to_owned()));
}

#[tokio::test]
async fn losses_leave_a_contract_without_the_limit_alone() {
    let desk = Desk::open().await;
    let item = desk.item(1).await;
    let before = desk.contract().await;
    desk.give_item_up(item).await;
    assert_eq!(desk.contract().await, before);
}

#[tokio::test]
async fn a_sale_that_was_imported_counts_for_no_limit_whether_it_lost_or_earned() {
    for price in ["1.00", "100.00"] {
        let reader = Arc::new(FakeImportReader::default());
        let mut desk = Desk::with_loss_limit(1_000).await;
        desk.world = desk.world.restarted(|ports| ports.imports = reader.clone());
        let items = desk.several(4).await;
        let before = desk.contract().await;
        desk.import_sale(&reader, items[0], price).await;
        assert_eq!(desk.contract().await, before, "{price}");
        desk.earn(items[1], -1).await;
        desk.earn(items[2], -998).await;
        assert_eq!((desk.status_and_cause().await, desk.live_problems().await.len()), (ACTIVE, 0), "{price}");
        desk.earn(items[3], -1).await;
        assert_eq!(desk.status_and_cause().await, STOPPED, "{price}");
        assert_eq!(desk.recorded_losses().await, ("1000".to_owned(), "1000".to_owned()), "{price}");
    }
}
