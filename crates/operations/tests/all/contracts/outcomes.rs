//! How purchases and items end by a person's word.

use tradepost_domain::contracts::inventory_item::{InventoryItem, ItemEvent, ItemStatus};
use tradepost_domain::contracts::purchase::{FailureCode, Purchase, PurchaseEvent, PurchaseStatus};
use tradepost_domain::contracts::remediation::{Evidence, RemediationKind, RemediationStatus, UNDECIDED_AFTER};
use tradepost_domain::id::{InventoryItemId, PurchaseId};
use tradepost_domain::trading::trading_account::{AccountEvent, AccountRole};
use tradepost_domain::transition::Subject;
use tradepost_operations::contracts::{
    CancelPurchase, FindInventoryItemByAssetID, GetRemediation, OpenRemediation, PurchaseOutcome,
    RecordPurchaseOutcome, WriteOffItem,
};
use tradepost_operations::trading::AdvanceAccount;
use tradepost_operations::{Caller, Code, OpResult, Versioned};
use tradepost_ports::clock::Clock as _;
use tradepost_testkit::samples::text;

use super::{Desk, accepted, cents, submitted};
use crate::harness::Fate;

impl Desk {
    /// A desk whose trader has proved a second factor.
    async fn proven() -> Self {
        let desk = Self::open().await;
        desk.world.step_up(&desk.trader).await;
        desk
    }

    /// A purchase that was paid and is not going to be delivered.
    pub(super) async fn owed(&self, number: u32) -> PurchaseId {
        let purchase_id = self.pay(number).await;
        self.advance(purchase_id, PurchaseEvent::DeliveryFailed(FailureCode::SellerLate)).await.unwrap();
        purchase_id
    }

    pub(super) fn outcome(&self, purchase_id: PurchaseId, outcome: PurchaseOutcome) -> RecordPurchaseOutcome {
        RecordPurchaseOutcome {
            workspace_id: self.workspace_id(),
            purchase_id,
            outcome,
            evidence: "case-7".to_owned(),
            amount_cents: None,
            asset_id: String::new(),
            expected_version: None,
        }
    }

    pub(super) async fn record(&self, command: RecordPurchaseOutcome) -> OpResult<Versioned<Purchase>> {
        self.operations().record_purchase_outcome(&self.trader, command).await
    }

    pub(super) async fn missing(&self, number: u32) -> InventoryItemId {
        let item = self.item(number).await;
        let first_absent_at = self.world.clock.now();
        self.advance_clock(time::Duration::minutes(10));
        let event = ItemEvent::WentMissing { first_absent_at, last_absent_at: self.world.clock.now() };
        self.advance_item(item, event).await.unwrap();
        item
    }

    pub(super) async fn write_off(&self, inventory_item_id: InventoryItemId) -> OpResult<Versioned<InventoryItem>> {
        let command = WriteOffItem {
            workspace_id: self.workspace_id(),
            inventory_item_id,
            reason: "not found for a month".to_owned(),
            expected_version: None,
        };
        self.operations().write_off_item(&self.trader, command).await
    }
}

#[tokio::test]
async fn a_purchase_is_withdrawn_before_it_is_sent_and_not_after() {
    let desk = Desk::open().await;
    let (purchase_id, workspace_id) = (desk.buy(1).await, desk.workspace_id());
    let reason = Some("changed my mind".to_owned());
    let command = CancelPurchase { workspace_id, purchase_id, expected_version: Some(1), reason };
    let cancelled = desk.operations().cancel_purchase(&desk.trader, command.clone()).await.unwrap();
    assert_eq!((cancelled.value.status, cancelled.version), (PurchaseStatus::Cancelled, 2));
    assert_eq!(desk.counters().await.reserved, cents(0));
    let log = desk.log(Subject::Purchase(purchase_id)).await;
    assert_eq!(log.last().unwrap().reason.as_ref().unwrap().as_str(), "changed my mind");
    desk.forbidden(desk.operations().cancel_purchase(&desk.trader, command.clone()), "VERSION_MISMATCH").await;
    let sent = desk.buy(2).await;
    desk.advance(sent, submitted()).await.unwrap();
    let command = CancelPurchase { purchase_id: sent, expected_version: None, ..command };
    desk.forbidden(desk.operations().cancel_purchase(&desk.trader, command), "ILLEGAL_STEP").await;
}

#[tokio::test]
async fn a_refund_is_what_was_paid_unless_it_is_said_how_much() {
    let desk = Desk::proven().await;
    let (whole, part) = (desk.owed(1).await, desk.owed(2).await);
    let refunded = desk.record(desk.outcome(whole, PurchaseOutcome::Refunded)).await.unwrap().value;
    assert_eq!((refunded.status, refunded.progress.refunded), (PurchaseStatus::Refunded, cents(1_220)));
    let command = RecordPurchaseOutcome { amount_cents: Some(700), ..desk.outcome(part, PurchaseOutcome::Refunded) };
    let refunded = desk.record(command.clone()).await.unwrap().value;
    assert_eq!((refunded.status, refunded.progress.refunded), (PurchaseStatus::Refunded, cents(700)));
    assert_eq!(desk.counters().await.spent, cents(520));
    let log = desk.log(Subject::Purchase(part)).await;
    assert_eq!(log.last().unwrap().evidence.as_ref().unwrap().as_str(), "case-7");
    desk.forbidden(desk.record(command.clone()), "ILLEGAL_STEP").await;
    let nothing = RecordPurchaseOutcome { amount_cents: Some(0), ..command };
    desk.refused(desk.record(nothing), Code::InvalidArgument, "INVALID_FIELD").await;
}

#[tokio::test]
async fn a_further_part_of_a_refund_is_booked_with_evidence_of_its_own() {
    let desk = Desk::proven().await;
    let purchase_id = desk.owed(1).await;
    let part = |amount, evidence: &str| RecordPurchaseOutcome {
        amount_cents: Some(amount),
        evidence: evidence.to_owned(),
        ..desk.outcome(purchase_id, PurchaseOutcome::Refunded)
    };
    desk.record(part(500, "case-7")).await.unwrap();
    let whole = desk.record(part(720, "case-8")).await.unwrap().value;
    assert_eq!((whole.status, whole.progress.refunded), (PurchaseStatus::Refunded, cents(1_220)));
    assert_eq!(desk.counters().await.spent, cents(0));
    for recorded_case in ["case-7", "case-8"] {
        desk.forbidden(desk.record(part(1, recorded_case)), "ILLEGAL_STEP").await;
    }
    let log = desk.log(Subject::Purchase(purchase_id)).await;
    assert_eq!(log.last().unwrap().trigger, "refund_added");
    let totalled = PurchaseEvent::RefundAdded { total: cents(1_220) };
    assert_eq!(
        desk.advance(purchase_id, totalled).await.unwrap().value,
        whole,
        "a part that is booked changes nothing"
    );
}

#[tokio::test]
async fn an_order_that_another_purchase_has_is_not_taken() {
    let desk = Desk::open().await;
    desk.pay(1).await;
    let second = desk.buy(2).await;
    desk.advance(second, submitted()).await.unwrap();
    desk.forbidden(desk.advance(second, accepted(1)), "ORDER_OWNED").await;
    desk.advance(second, accepted(2)).await.unwrap();
}

#[tokio::test]
async fn an_owed_refund_is_written_off_with_a_second_factor() {
    let desk = Desk::open().await;
    let purchase_id = desk.owed(1).await;
    let command = desk.outcome(purchase_id, PurchaseOutcome::WrittenOff);
    desk.forbidden(desk.record(command.clone()), "STEP_UP_REQUIRED").await;
    desk.world.step_up(&desk.trader).await;
    let stale = RecordPurchaseOutcome { expected_version: Some(1), ..command.clone() };
    desk.forbidden(desk.record(stale), "VERSION_MISMATCH").await;
    assert_eq!(desk.record(command).await.unwrap().value.status, PurchaseStatus::WrittenOff);
}

#[tokio::test]
async fn a_person_records_the_outcome_of_a_paid_purchase_without_news() {
    let desk = Desk::proven().await;
    let (held, paid) = (desk.pay(1).await, desk.pay(2).await);
    let kept_back = PurchaseEvent::TradeHeld { trade_id: text("trade-1"), held_until: desk.world.clock.now() };
    desk.advance(held, kept_back).await.unwrap();
    let refunded = desk.record(desk.outcome(held, PurchaseOutcome::Refunded)).await.unwrap().value;
    assert_eq!((refunded.status, refunded.progress.refunded), (PurchaseStatus::Refunded, cents(1_220)));
    let written_off = desk.record(desk.outcome(paid, PurchaseOutcome::WrittenOff)).await.unwrap().value;
    assert_eq!(written_off.status, PurchaseStatus::WrittenOff);
    let counters = desk.counters().await;
    assert_eq!((counters.open_quantity, counters.spent), (0, cents(1_220)));
}

#[tokio::test]
async fn what_arrived_unseen_becomes_an_item() {
    let desk = Desk::proven().await;
    let purchase_id = desk.pay(1).await;
    let nameless = desk.outcome(purchase_id, PurchaseOutcome::Delivered);
    desk.refused(desk.record(nameless.clone()), Code::InvalidArgument, "INVALID_FIELD").await;
    let command = RecordPurchaseOutcome { asset_id: "20001".to_owned(), ..nameless };
    let traded = desk.record(command.clone()).await.unwrap().value;
    assert_eq!(
        (traded.status, traded.progress.trade_id.as_ref().unwrap().as_str()),
        (PurchaseStatus::Traded, "case-7")
    );
    let find = |asset_id: &str| FindInventoryItemByAssetID {
        workspace_id: desk.workspace_id(),
        asset_id: asset_id.to_owned(),
    };
    let (item, step) = desk.operations().find_inventory_item_by_asset_id(&desk.trader, find("20001")).await.unwrap();
    assert_eq!(step, 1);
    assert_eq!(desk.owned(item).await.value.purchase_id, purchase_id);
    let listed = desk.operations().find_inventory_item_by_asset_id(&desk.trader, find("10001")).await.unwrap();
    assert_eq!(listed, (item, 0));
    let unknown = desk.operations().find_inventory_item_by_asset_id(&desk.trader, find("9"));
    desk.refused(unknown, Code::NotFound, "NOT_FOUND").await;
    assert_eq!(desk.record(command).await.unwrap().value, traded, "the same trade reported again");
}

#[tokio::test]
async fn only_of_a_refund_it_is_said_how_much_and_only_of_a_delivery_which_asset() {
    let desk = Desk::proven().await;
    let purchase_id = desk.owed(1).await;
    for outcome in [PurchaseOutcome::Delivered, PurchaseOutcome::WrittenOff] {
        let command = RecordPurchaseOutcome { amount_cents: Some(1), ..desk.outcome(purchase_id, outcome) };
        desk.refused(desk.record(command), Code::InvalidArgument, "INVALID_FIELD").await;
    }
    for outcome in [PurchaseOutcome::Refunded, PurchaseOutcome::WrittenOff] {
        let command = RecordPurchaseOutcome { asset_id: "20001".to_owned(), ..desk.outcome(purchase_id, outcome) };
        desk.refused(desk.record(command), Code::InvalidArgument, "INVALID_FIELD").await;
    }
}

#[tokio::test]
async fn a_missing_item_is_written_off_with_a_second_factor() {
    let desk = Desk::open().await;
    let item = desk.missing(1).await;
    desk.forbidden(desk.write_off(item), "STEP_UP_REQUIRED").await;
    desk.world.step_up(&desk.trader).await;
    let here = desk.item(2).await;
    desk.forbidden(desk.write_off(here), "ILLEGAL_STEP").await;
    assert_eq!(desk.write_off(item).await.unwrap().value.status, ItemStatus::WrittenOff);
    let log = desk.log(Subject::InventoryItem(item)).await;
    assert_eq!(log.last().unwrap().reason.as_ref().unwrap().as_str(), "not found for a month");
    desk.forbidden(desk.write_off(item), "ITEM_CLOSED").await;
}

#[tokio::test]
async fn a_sold_item_is_written_off_once_its_buyer_kept_item_and_money() {
    let desk = Desk::proven().await;
    let item = desk.item(1).await;
    desk.deliver(item, 1, None).await;
    desk.forbidden(desk.write_off(item), "ILLEGAL_STEP").await;
    let evidence = Evidence { shown_by: Some(text("sale-1")), expected: None, found: None };
    let open = OpenRemediation {
        workspace_id: desk.workspace_id(),
        kind: RemediationKind::MissingItem,
        subject: Subject::InventoryItem(item),
        evidence,
    };
    let problem = desk.operations().open_remediation(&desk.trader, open).await.unwrap().value.id;
    assert_eq!(desk.write_off(item).await.unwrap().value.status, ItemStatus::WrittenOff);
    let get = GetRemediation { workspace_id: desk.workspace_id(), remediation_id: problem };
    let ended = desk.operations().get_remediation(&desk.trader, get).await.unwrap().value;
    assert_eq!(ended.status, RemediationStatus::Resolved);
}

#[tokio::test]
async fn an_item_in_an_inventory_is_written_off_only_with_its_account() {
    let desk = Desk::proven().await;
    let item = desk.item(1).await;
    let (workspace_id, account_id) = (desk.workspace_id(), desk.registered(1, AccountRole::Buy).await);
    desk.forbidden(desk.write_off(item), "ILLEGAL_STEP").await;
    desk.forbidden(desk.advance_item(item, ItemEvent::GivenUp), "ILLEGAL_STEP").await;
    let shut_out = AdvanceAccount { workspace_id, account_id, event: AccountEvent::Banned, reason: None };
    desk.operations().advance_account(&Caller::system(), shut_out).await.unwrap();
    assert_eq!(desk.write_off(item).await.unwrap().value.status, ItemStatus::WrittenOff);
}

#[tokio::test]
async fn an_unknown_outcome_that_cannot_be_reported_keeps_no_other_from_it() {
    let desk = Desk::open().await;
    desk.lost(1).await;
    desk.lost(2).await;
    desk.advance_clock(UNDECIDED_AFTER);
    let (desk, _) = desk.scripted([Fate::broken()]);
    desk.operations().report_unknown_outcomes().await.unwrap_err();
    assert_eq!(desk.operations().report_unknown_outcomes().await.unwrap(), 1);
}
