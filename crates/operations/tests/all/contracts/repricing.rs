//! Another price for what is on sale: only the contract that sells it asks for it, and the price is checked against that contract then.

use tradepost_domain::contracts::contract::BasisPoints;
use tradepost_domain::contracts::intent::{DecisionBasis, Intent, IntentKind, IntentStatus, ItemTarget, Target};
use tradepost_domain::contracts::inventory_item::ItemEvent;
use tradepost_domain::id::{ContractId, InventoryItemId};
use tradepost_domain::markets::fees::{Charges, FeeRate, FeeSchedule, Rounding};
use tradepost_domain::money::VenueCents;
use tradepost_domain::text::Name;
use tradepost_operations::contracts::{
    ClaimIntent, ContractTerms, PauseContract, ProposeIntent, ResumeContract, SellingLimits, UpdateContract,
};
use tradepost_operations::{OpResult, Versioned};
use tradepost_testkit::samples::text;

use super::items::asset;
use super::{Desk, cents, on_sale_at, renamed};

impl Desk {
    /// An item that has cost 12.20, and is on sale for 15.00.
    async fn on_sale_under(&self, seller: Option<ContractId>) -> InventoryItemId {
        let (item, price) = (self.item(1).await, cents(1_500));
        let place = on_sale_at(seller);
        let started = ItemEvent::ListingStarted { place, price, takes_locked: true, exchange_rate: None };
        self.advance_item(item, started).await.unwrap();
        let accepted = ItemEvent::ListingAccepted { listing_id: text("sale-1"), asset_id: asset("20001") };
        self.advance_item(item, accepted).await.unwrap();
        item
    }

    async fn reprice(
        &self,
        contract_id: Option<ContractId>,
        inventory_item_id: InventoryItemId,
        price: i64,
    ) -> OpResult<Versioned<Intent>> {
        let target = Target::Item(ItemTarget {
            inventory_item_id,
            marketplace: None,
            price: Some(cents(price)),
            to_account: None,
        });
        let (workspace_id, kind, basis) = (self.workspace_id(), IntentKind::Reprice, DecisionBasis::default());
        let wanted = ProposeIntent { workspace_id, contract_id, kind, target, basis, is_read_only: false };
        self.operations().propose_intent(&self.trader, wanted).await
    }

    /// Claims an intent where the marketplace takes this share of sellers.
    async fn begin(&self, intent: &Versioned<Intent>, share: u16) -> Versioned<Intent> {
        let command = ClaimIntent {
            workspace_id: self.workspace_id(),
            intent_id: intent.value.terms.id,
            expected_version: intent.version,
            fees: Some(fees(share)),
        };
        self.operations().claim_intent(&self.trader, command).await.unwrap()
    }

    async fn set_terms(&self, contract_id: ContractId, limits: SellingLimits) {
        let terms = Some(ContractTerms::Selling(limits));
        let command = UpdateContract { terms, ..renamed(self.workspace_id(), contract_id) };
        self.operations().update_contract(&self.trader, command).await.unwrap();
    }
}

fn fees(share: u16) -> Charges {
    let rate = |points| FeeRate {
        share: BasisPoints::new(points).unwrap(),
        minimum: VenueCents::ZERO,
        rounding: Rounding::Ceil,
    };
    FeeSchedule { buying: rate(0), selling: rate(share), overrides: Vec::new() }.into()
}

fn denied_by(intent: &Versioned<Intent>) -> (IntentStatus, &str) {
    (intent.value.status, intent.value.failed_check.as_ref().map_or("", Name::as_str))
}

#[tokio::test]
async fn only_the_contract_that_sells_an_item_asks_another_price_for_it() {
    let desk = Desk::open().await;
    let (seller, other) = (desk.seller(None).await, desk.seller(None).await);
    let item = desk.on_sale_under(Some(seller)).await;
    desk.forbidden(desk.reprice(Some(other), item, 1_400), "OTHER_CONTRACT").await;
    desk.reprice(Some(seller), item, 1_400).await.unwrap();
    let desk = Desk::open().await;
    let seller = desk.seller(None).await;
    let item = desk.on_sale_under(None).await;
    desk.forbidden(desk.reprice(Some(seller), item, 1_400), "OTHER_CONTRACT").await;
    desk.reprice(None, item, 1_400).await.unwrap();
}

#[tokio::test]
async fn a_price_is_checked_against_its_contract_before_each_request() {
    let desk = Desk::open().await;
    let (seller, workspace_id) = (desk.seller(None).await, desk.workspace_id());
    let limits = SellingLimits { floor_price_cents: Some(1_000), ..SellingLimits::default() };
    desk.set_terms(seller, SellingLimits { min_margin_bps: Some(500), ..limits.clone() }).await;
    let item = desk.on_sale_under(Some(seller)).await;
    let cheap = desk.reprice(Some(seller), item, 1_290).await.unwrap();
    let begun = desk.begin(&cheap, 0).await;
    assert_eq!(denied_by(&begun), (IntentStatus::Executing, ""));
    assert_eq!(denied_by(&desk.begin(&begun, 200).await), (IntentStatus::Denied, "MARGIN_TOO_LOW"));

    let begun = desk.begin(&desk.reprice(Some(seller), item, 1_400).await.unwrap(), 200).await;
    let pause = PauseContract { workspace_id, contract_id: seller, reason: None, expected_version: None };
    desk.operations().pause_contract(&desk.trader, pause).await.unwrap();
    assert_eq!(denied_by(&desk.begin(&begun, 200).await), (IntentStatus::Denied, "CONTRACT_NOT_ACTIVE"));
    let resume = ResumeContract { workspace_id, contract_id: seller, expected_version: None };
    desk.operations().resume_contract(&desk.trader, resume).await.unwrap();

    // Also what a person asks for, who need not care for the margin.
    for (by, price) in [(Some(seller), 1_400), (None, 1_400)] {
        desk.set_terms(seller, limits.clone()).await;
        let approved = desk.reprice(by, item, price).await.unwrap();
        desk.set_terms(seller, SellingLimits { floor_price_cents: Some(price + 1), ..limits.clone() }).await;
        assert_eq!(denied_by(&desk.begin(&approved, 200).await), (IntentStatus::Denied, "BELOW_FLOOR"), "{by:?}");
    }
}
