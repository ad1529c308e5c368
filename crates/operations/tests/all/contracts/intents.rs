//! Intents: proposed, decided on, and carried out.

mod busy;
mod ends;
mod proposals;
mod would_buys;

use std::sync::Arc;

use time::Duration;
use tradepost_domain::asset::{AppId, AssetId};
use tradepost_domain::contracts::contract::ApprovalMode;
use tradepost_domain::contracts::intent::{
    APPROVED_BUY_LIFETIME, DECISION_LIFETIME, DecisionBasis, HELD_FOR, Intent, IntentKind, IntentResult, IntentStatus,
    ItemTarget, ListingTarget, Target, UNSERVED_LIFETIME,
};
use tradepost_domain::contracts::inventory_item::ItemEvent;
use tradepost_domain::contracts::purchase::{CancelCause, FailureCode, PurchaseEvent, PurchaseStatus};
use tradepost_domain::id::{ContractId, IntentId, InventoryItemId};
use tradepost_domain::transition::Subject;
use tradepost_operations::accounts::SetTradingHalt;
use tradepost_operations::contracts::{
    ApproveIntent, Bought, BuyApproved, BuyNow, BuyingLimits, CancelContract, CancelIntent, ClaimIntent, ContractTerms,
    CountIntents, FinishIntent, GetIntent, IntentOutcome, IntentsToDo, ListItemForSale, PauseContract, PostponeIntent,
    ProposeIntent, ReceiveItem, RejectIntent, RepriceItem, SellingLimits, UpdateContract,
};
use tradepost_operations::{Caller, Code, OpResult, Versioned};
use tradepost_ports::clock::Clock as _;
use tradepost_testkit::fakes::FixedClock;
use tradepost_testkit::samples::text;

use super::{Desk, accepted, buying_limits, cents, contract, renamed, submitted};

impl Desk {
    /// A desk whose contract decides so.
    async fn deciding(approval_mode: ApprovalMode) -> Self {
        let desk = Self::open().await;
        let command =
            UpdateContract { approval_mode: Some(approval_mode), ..renamed(desk.workspace_id(), desk.contract_id) };
        desk.operations().update_contract(&desk.trader, command).await.unwrap();
        desk
    }

    fn wanted(&self, number: u32) -> ProposeIntent {
        ProposeIntent {
            workspace_id: self.workspace_id(),
            contract_id: Some(self.contract_id),
            kind: IntentKind::Buy,
            target: Target::Listing(listing(number)),
            basis: DecisionBasis { filter_set_version: Some(2), ..DecisionBasis::default() },
            is_read_only: false,
        }
    }

    async fn propose(&self, number: u32) -> Versioned<Intent> {
        self.operations().propose_intent(&self.trader, self.wanted(number)).await.unwrap()
    }

    async fn approve(&self, intent: &Versioned<Intent>) -> OpResult<Versioned<Intent>> {
        let command = ApproveIntent {
            workspace_id: self.workspace_id(),
            intent_id: intent.value.terms.id,
            expected_version: Some(intent.version),
        };
        self.operations().approve_intent(&self.trader, command).await
    }

    async fn claim(&self, intent: &Versioned<Intent>) -> OpResult<Versioned<Intent>> {
        let command = ClaimIntent {
            workspace_id: self.workspace_id(),
            intent_id: intent.value.terms.id,
            expected_version: intent.version,
            fees: None,
        };
        self.operations().claim_intent(&self.trader, command).await
    }

    /// An engine looks at an approved intent and cannot carry it out yet.
    async fn postpone(&self, intent: &Versioned<Intent>) -> Versioned<Intent> {
        let command = PostponeIntent {
            workspace_id: self.workspace_id(),
            intent_id: intent.value.terms.id,
            expected_version: intent.version,
            check: text("NO_ACCOUNT_READY"),
        };
        self.operations().postpone_intent(&self.trader, command).await.unwrap()
    }

    async fn finish(&self, intent: &Versioned<Intent>, outcome: IntentOutcome) -> OpResult<Versioned<Intent>> {
        let command = FinishIntent {
            workspace_id: self.workspace_id(),
            intent_id: intent.value.terms.id,
            expected_version: intent.version,
            outcome,
        };
        self.operations().finish_intent(&self.trader, command).await
    }

    pub(super) fn now(&self, number: u32) -> BuyNow {
        BuyNow {
            workspace_id: self.workspace_id(),
            contract_id: self.contract_id,
            listing: listing(number),
            account_name: text("trader-1"),
            exchange_rate: None,
            basis: DecisionBasis::default(),
            evaluation: None,
        }
    }

    async fn buy_now(&self, number: u32) -> Bought {
        self.operations().buy_now(&self.trader, self.now(number)).await.unwrap()
    }

    pub(super) async fn buy_approved(&self, intent: &Versioned<Intent>) -> OpResult<Bought> {
        let command = BuyApproved {
            workspace_id: self.workspace_id(),
            intent_id: intent.value.terms.id,
            expected_version: intent.version,
            account_name: text("trader-1"),
            exchange_rate: None,
        };
        self.operations().buy_approved(&self.trader, command).await
    }

    pub(super) async fn intent(&self, intent_id: IntentId) -> Versioned<Intent> {
        let command = GetIntent { workspace_id: self.workspace_id(), intent_id };
        self.operations().get_intent(&self.trader, command).await.unwrap()
    }

    async fn sell(&self, inventory_item_id: InventoryItemId) -> OpResult<Versioned<Intent>> {
        let command = ListItemForSale {
            workspace_id: self.workspace_id(),
            inventory_item_id,
            marketplace: "csfloat".to_owned(),
            price_cents: Some(1_900),
        };
        self.operations().list_item_for_sale(&self.trader, command).await
    }

    /// The steps of an intent: the trigger and where it led.
    async fn steps_of(&self, intent: &Versioned<Intent>) -> Vec<(&'static str, &'static str)> {
        let log = self.log(Subject::Intent(intent.value.terms.id)).await;
        log.into_iter().map(|step| (step.trigger, step.to)).collect()
    }
}

fn listing(number: u32) -> ListingTarget {
    ListingTarget {
        marketplace: text("csfloat"),
        listing_id: text(&format!("listing-{number}")),
        listing_asset_id: asset(&format!("1{number:04}")),
        app_id: AppId::CS2,
        market_hash_name: text("AK-47 | Redline (Field-Tested)"),
        phase: None,
        traits: Box::default(),
        price: cents(1_200),
        platform_fee: cents(30),
        max_buy_price: cents(1_500),
    }
}

fn asset(digits: &str) -> AssetId {
    AssetId::new(digits).unwrap()
}

#[tokio::test]
async fn an_item_that_cannot_be_traded_yet_is_not_taken_for_sale() {
    let desk = Desk::open().await;
    let purchase_id = desk.pay(1).await;
    let protected_until = desk.world.clock.now().plus(Duration::days(7));
    let arrival = ReceiveItem { protected_until, ..desk.arrival(purchase_id, 1) };
    let item = desk.operations().receive_item(&desk.trader, arrival).await.unwrap().item.value.id;
    desk.forbidden(desk.sell(item), "ITEM_LOCKED").await;
    desk.advance_clock(Duration::days(7));
    desk.sell(item).await.unwrap();
}

#[tokio::test]
async fn an_automatic_contract_buys_in_one_commit() {
    let desk = Desk::open().await;
    let Bought { intent, purchase } = desk.buy_now(1).await;
    assert_eq!((intent.value.status, intent.version), (IntentStatus::Executing, 3));
    assert_eq!(intent.value.result, Some(IntentResult::Purchase(purchase.value.terms.id)));
    assert_eq!(purchase.value.terms.intent_id, Some(intent.value.terms.id));
    assert_eq!(desk.purchase(purchase.value.terms.id).await, purchase);
    assert_eq!(desk.intent(intent.value.terms.id).await, intent);
    assert_eq!(desk.counters().await.reserved, cents(1_500));
    let steps = [("proposed", "PROPOSED"), ("approved", "APPROVED"), ("claimed", "EXECUTING")];
    assert_eq!(desk.steps_of(&intent).await, steps);
    let log = desk.log(Subject::Intent(intent.value.terms.id)).await;
    assert_eq!(log.iter().map(|step| step.version).collect::<Vec<_>>(), [1, 2, 3], "each step is a version");
}

#[tokio::test]
async fn an_intent_ends_with_its_purchase() {
    let desk = Desk::open().await;
    let paid = desk.buy_now(1).await;
    desk.advance(paid.purchase.value.terms.id, submitted()).await.unwrap();
    assert_eq!(desk.intent(paid.intent.value.terms.id).await, paid.intent);
    desk.advance(paid.purchase.value.terms.id, accepted(1)).await.unwrap();
    let ended = desk.intent(paid.intent.value.terms.id).await;
    assert_eq!(
        (ended.value.status, ended.value.purchase_id()),
        (IntentStatus::Succeeded, paid.intent.value.purchase_id())
    );

    let refused = desk.buy_now(2).await;
    desk.advance(refused.purchase.value.terms.id, submitted()).await.unwrap();
    desk.advance(refused.purchase.value.terms.id, PurchaseEvent::OutcomeLost).await.unwrap();
    assert_eq!(desk.intent(refused.intent.value.terms.id).await.value.status, IntentStatus::Executing);

    let sold = desk.buy_now(3).await;
    desk.advance(sold.purchase.value.terms.id, submitted()).await.unwrap();
    desk.advance(sold.purchase.value.terms.id, PurchaseEvent::Refused(FailureCode::SoldAlready)).await.unwrap();
    let ended = desk.intent(sold.intent.value.terms.id).await.value;
    assert_eq!((ended.status, ended.failed_check.as_ref().unwrap().as_str()), (IntentStatus::Failed, "SOLD_ALREADY"));

    let withdrawn = desk.buy_now(4).await;
    let cancelled = PurchaseEvent::Cancelled(CancelCause::CheckFailed);
    desk.advance(withdrawn.purchase.value.terms.id, cancelled).await.unwrap();
    let ended = desk.intent(withdrawn.intent.value.terms.id).await.value;
    assert_eq!((ended.status, ended.failed_check.as_ref().unwrap().as_str()), (IntentStatus::Failed, "CANCELLED"));
}

#[tokio::test]
async fn nothing_is_bought_at_once_where_a_person_has_to_approve() {
    for mode in [ApprovalMode::Manual, ApprovalMode::DryRun] {
        let desk = Desk::deciding(mode).await;
        let reason = if mode == ApprovalMode::Manual { "APPROVAL_NEEDED" } else { "CONTRACT_NEVER_BUYS" };
        desk.forbidden(desk.operations().buy_now(&desk.trader, desk.now(1)), reason).await;
    }
}

#[tokio::test]
async fn a_listing_is_bought_by_one_intent_at_a_time() {
    let desk = Desk::open().await;
    let taken = Code::AlreadyExists;
    let first = desk.propose(1).await;
    desk.refused(desk.operations().propose_intent(&desk.trader, desk.wanted(1)), taken, "INTENT_EXISTS").await;
    desk.refused(desk.operations().buy_now(&desk.trader, desk.now(1)), taken, "INTENT_EXISTS").await;
    desk.buy_approved(&first).await.unwrap();
    desk.refused(desk.operations().record_purchase(&desk.trader, desk.listing(1)), taken, "LISTING_TAKEN").await;
    desk.propose(2).await;
}

#[tokio::test]
async fn an_approved_intent_ends_when_another_purchase_has_its_listing() {
    let desk = Desk::open().await;
    let approved = desk.propose(1).await;
    desk.operations().record_purchase(&desk.trader, desk.listing(1)).await.unwrap();
    let refused = desk.buy_approved(&approved).await.unwrap_err();
    assert_eq!((refused.code, refused.reason.as_str()), (Code::AlreadyExists, "LISTING_TAKEN"));
    let ended = desk.intent(approved.value.terms.id).await.value;
    assert_eq!((ended.status, ended.failed_check.as_ref().unwrap().as_str()), (IntentStatus::Denied, "LISTING_TAKEN"));
}

#[tokio::test]
async fn a_proposal_goes_as_its_contract_decides() {
    for (mode, status, trigger) in [
        (ApprovalMode::Automatic, IntentStatus::Approved, Some("approved")),
        (ApprovalMode::Manual, IntentStatus::Proposed, None),
        (ApprovalMode::DryRun, IntentStatus::Cancelled, Some("dry_run")),
    ] {
        let desk = Desk::deciding(mode).await;
        let proposed = desk.propose(1).await;
        let version = if trigger.is_some() { 2 } else { 1 };
        assert_eq!(
            (proposed.value.status, proposed.version, proposed.value.terms.approval_mode),
            (status, version, mode)
        );
        let steps: Vec<_> = desk.steps_of(&proposed).await.into_iter().map(|(trigger, _)| trigger).collect();
        assert_eq!(steps, std::iter::once("proposed").chain(trigger).collect::<Vec<_>>());
        assert_eq!(desk.counters().await.open_quantity, 0, "nothing is bought by a proposal");
    }
}

#[tokio::test]
async fn a_person_approves_and_the_purchase_is_recorded_with_the_claim() {
    let desk = Desk::deciding(ApprovalMode::Manual).await;
    let proposed = desk.propose(1).await;
    assert_eq!(proposed.value.expires_at, desk.world.clock.now().plus(DECISION_LIFETIME));
    desk.forbidden(desk.buy_approved(&proposed), "ILLEGAL_STEP").await;
    let approved = desk.approve(&proposed).await.unwrap();
    assert_eq!((approved.value.status, approved.version), (IntentStatus::Approved, 2));
    assert_eq!(approved.value.expires_at, desk.world.clock.now().plus(APPROVED_BUY_LIFETIME));
    desk.forbidden(desk.approve(&proposed), "VERSION_MISMATCH").await;
    desk.forbidden(desk.approve(&approved), "ILLEGAL_STEP").await;
    let bought = desk.buy_approved(&approved).await.unwrap();
    assert_eq!((bought.intent.value.status, bought.intent.version), (IntentStatus::Executing, 3));
    assert_eq!(bought.purchase.value.status, PurchaseStatus::Pending);
    desk.forbidden(desk.buy_approved(&bought.intent), "INTENT_HAS_PURCHASE").await;
}

#[tokio::test]
async fn a_person_rejects_or_withdraws_with_a_word() {
    let desk = Desk::deciding(ApprovalMode::Manual).await;
    let (one, other) = (desk.propose(1).await.value.terms.id, desk.propose(2).await.value.terms.id);
    let (workspace_id, expected_version) = (desk.workspace_id(), Some(1));
    let reason = Some("too expensive".to_owned());
    let reject = RejectIntent { workspace_id, intent_id: one, expected_version, reason: reason.clone() };
    let rejected = desk.operations().reject_intent(&desk.trader, reject.clone()).await.unwrap().value;
    assert_eq!(
        (rejected.status, rejected.reason.as_ref().unwrap().as_str()),
        (IntentStatus::Rejected, "too expensive")
    );
    let cancel = CancelIntent { workspace_id, intent_id: other, expected_version, reason };
    let cancelled = desk.operations().cancel_intent(&desk.trader, cancel.clone()).await.unwrap().value;
    assert_eq!(
        (cancelled.status, cancelled.reason.as_ref().unwrap().as_str()),
        (IntentStatus::Cancelled, "too expensive")
    );
    let log = desk.log(Subject::Intent(one)).await;
    assert_eq!(log.last().unwrap().reason.as_ref().unwrap().as_str(), "too expensive");
    let again = RejectIntent { expected_version: None, ..reject };
    desk.forbidden(desk.operations().reject_intent(&desk.trader, again), "ILLEGAL_STEP").await;
    let again = CancelIntent { expected_version: None, ..cancel };
    desk.forbidden(desk.operations().cancel_intent(&desk.trader, again), "ILLEGAL_STEP").await;
}

#[tokio::test]
async fn what_a_check_refuses_when_it_is_carried_out_is_denied() {
    let desk = Desk::open().await;
    let approved = desk.propose(1).await;
    let limits = BuyingLimits { budget_cents: Some(1_500), ..buying_limits() };
    let terms = Some(ContractTerms::Buying(limits));
    let command = UpdateContract { terms, ..renamed(desk.workspace_id(), desk.contract_id) };
    desk.buy_now(2).await;
    desk.operations().update_contract(&desk.trader, command).await.unwrap();
    let refused = desk.buy_approved(&approved).await.unwrap_err();
    assert_eq!(refused.reason.as_str(), "BUDGET_TOO_LOW");
    let denied = desk.intent(approved.value.terms.id).await.value;
    assert_eq!(
        (denied.status, denied.failed_check.as_ref().unwrap().as_str()),
        (IntentStatus::Denied, "BUDGET_TOO_LOW")
    );
    assert_eq!(desk.counters().await.reserved, cents(1_500), "nothing more is reserved");
}

#[tokio::test]
async fn a_new_claim_keeps_the_former_claim_from_ending_the_intent() {
    let desk = Desk::open().await;
    let item = desk.item(1).await;
    let approved = desk.sell(item).await.unwrap();
    let first = desk.claim(&approved).await.unwrap();
    desk.forbidden(desk.claim(&approved), "VERSION_MISMATCH").await;
    let second = desk.claim(&first).await.unwrap();
    let listed = || IntentOutcome::Succeeded(Some(IntentResult::Listing(text("sale-1"))));
    desk.forbidden(desk.finish(&first, listed()), "VERSION_MISMATCH").await;
    let done = desk.finish(&second, listed()).await.unwrap().value;
    assert_eq!(
        (done.status, done.result.clone()),
        (IntentStatus::Succeeded, Some(IntentResult::Listing(text("sale-1"))))
    );
}

#[tokio::test]
async fn an_intent_fails_or_is_denied_with_the_check_that_says_so() {
    let desk = Desk::open().await;
    let failed = desk.claim(&desk.propose(1).await).await.unwrap();
    let failed = desk.finish(&failed, IntentOutcome::Failed(text("LISTING_GONE"))).await.unwrap().value;
    assert_eq!((failed.status, failed.failed_check.clone()), (IntentStatus::Failed, Some(text("LISTING_GONE"))));
    let denied = desk.propose(2).await;
    let denied = desk.finish(&denied, IntentOutcome::Denied(text("ACCOUNT_NOT_READY"))).await.unwrap().value;
    assert_eq!((denied.status, denied.failed_check.clone()), (IntentStatus::Denied, Some(text("ACCOUNT_NOT_READY"))));
    desk.forbidden(desk.finish(&desk.propose(3).await, IntentOutcome::Succeeded(None)), "ILLEGAL_STEP").await;
}

#[tokio::test]
async fn what_a_contract_does_not_allow_is_not_proposed() {
    let desk = Desk::open().await;
    let on = desk.operations();
    let with = |target| ProposeIntent { target: Target::Listing(target), ..desk.wanted(1) };
    let elsewhere = ListingTarget { marketplace: text("dmarket"), ..listing(1) };
    desk.forbidden(on.propose_intent(&desk.trader, with(elsewhere)), "OTHER_MARKETPLACE").await;
    let expensive = ListingTarget { max_buy_price: cents(1_501), ..listing(1) };
    desk.forbidden(on.propose_intent(&desk.trader, with(expensive)), "TOO_EXPENSIVE").await;
    let free = ListingTarget { price: cents(0), ..listing(1) };
    desk.refused(on.propose_intent(&desk.trader, with(free)), Code::InvalidArgument, "INVALID_FIELD").await;
    let nobodys = ProposeIntent { contract_id: None, ..desk.wanted(1) };
    desk.refused(on.propose_intent(&desk.trader, nobodys), Code::InvalidArgument, "INVALID_FIELD").await;
    let selling = selling_contract(&desk).await;
    let bought_by_it = ProposeIntent { contract_id: Some(selling), ..desk.wanted(1) };
    desk.forbidden(on.propose_intent(&desk.trader, bought_by_it), "CONTRACT_NEVER_BUYS").await;
    let halt = SetTradingHalt { workspace_id: desk.workspace_id(), halted: true, reason: "checking".to_owned() };
    on.set_trading_halt(&desk.trader, halt).await.unwrap();
    desk.forbidden(on.propose_intent(&desk.trader, desk.wanted(1)), "TRADING_HALTED").await;
    desk.forbidden(on.buy_now(&desk.trader, desk.now(1)), "TRADING_HALTED").await;
}

#[tokio::test]
async fn an_item_is_sold_by_one_intent_at_once_and_only_as_it_is() {
    let desk = Desk::open().await;
    let item = desk.item(1).await;
    let reprice = RepriceItem { workspace_id: desk.workspace_id(), inventory_item_id: item, price_cents: Some(1_800) };
    desk.forbidden(desk.operations().reprice_item(&desk.trader, reprice), "ILLEGAL_STEP").await;
    let sold = desk.sell(item).await.unwrap();
    assert_eq!((sold.value.status, sold.value.terms.contract_id), (IntentStatus::Approved, None));
    desk.refused(desk.sell(item), Code::AlreadyExists, "INTENT_EXISTS").await;
    let claimed = desk.claim(&sold).await.unwrap();
    let price = cents(1_900);
    desk.advance_item(
        item,
        ItemEvent::ListingStarted { place: super::on_sale_at(None), price, takes_locked: true, exchange_rate: None },
    )
    .await
    .unwrap();
    let asset_id = asset("77777");
    desk.advance_item(item, ItemEvent::ListingAccepted { listing_id: text("sale-1"), asset_id }).await.unwrap();
    desk.finish(&claimed, IntentOutcome::Succeeded(None)).await.unwrap();
    desk.forbidden(desk.sell(item), "ILLEGAL_STEP").await;
    let repriced = desk.operations().reprice_item(&desk.trader, reprice).await.unwrap().value;
    let target = ItemTarget {
        inventory_item_id: item,
        marketplace: Some(text("csfloat")),
        price: Some(cents(1_800)),
        to_account: None,
    };
    assert_eq!(repriced.terms.target, Target::Item(target), "it is on sale where it was listed");
}

#[tokio::test]
async fn a_person_asks_no_less_for_an_item_than_the_contract_that_sells_it_may() {
    let desk = Desk::open().await;
    let (seller, item) = (desk.seller(None).await, desk.item(1).await);
    let (place, price) = (super::on_sale_at(Some(seller)), cents(1_500));
    desk.advance_item(item, ItemEvent::ListingStarted { place, price, takes_locked: true, exchange_rate: None })
        .await
        .unwrap();
    let accepted = ItemEvent::ListingAccepted { listing_id: text("sale-1"), asset_id: asset("20001") };
    desk.advance_item(item, accepted).await.unwrap();
    let reprice =
        |price| RepriceItem { workspace_id: desk.workspace_id(), inventory_item_id: item, price_cents: Some(price) };
    desk.forbidden(desk.operations().reprice_item(&desk.trader, reprice(1_299)), "BELOW_FLOOR").await;
    desk.operations().reprice_item(&desk.trader, reprice(1_300)).await.unwrap();
}

#[tokio::test]
async fn a_selling_contract_sells_for_no_less_than_its_floor() {
    let desk = Desk::open().await;
    let item = desk.item(1).await;
    let selling = selling_contract(&desk).await;
    let wanted = |contract_id, price| ProposeIntent {
        workspace_id: desk.workspace_id(),
        contract_id: Some(contract_id),
        kind: IntentKind::List,
        target: Target::Item(ItemTarget {
            inventory_item_id: item,
            marketplace: Some(text("csfloat")),
            price: Some(cents(price)),
            to_account: None,
        }),
        basis: DecisionBasis::default(),
        is_read_only: false,
    };
    let on = desk.operations();
    desk.forbidden(on.propose_intent(&desk.trader, wanted(selling, 1_299)), "BELOW_FLOOR").await;
    desk.forbidden(on.propose_intent(&desk.trader, wanted(desk.contract_id, 1_300)), "CONTRACT_NEVER_SELLS").await;
    let proposed = on.propose_intent(&desk.trader, wanted(selling, 1_300)).await.unwrap().value;
    assert_eq!(proposed.expires_at, desk.world.clock.now().plus(DECISION_LIFETIME));
}

#[tokio::test]
async fn what_is_to_do_is_read_oldest_first_some_at_a_time() {
    let desk = Desk::open().await;
    let (first, second) = (desk.propose(1).await, desk.propose(2).await);
    desk.claim(&desk.propose(3).await).await.unwrap();
    let to_do = async |status, after, most| {
        let command = IntentsToDo { workspace_id: desk.workspace_id(), status, after, most };
        desk.operations().intents_to_do(&desk.trader, command).await.unwrap()
    };
    assert_eq!(to_do(IntentStatus::Approved, None, 9).await, [first.clone(), second.clone()]);
    assert_eq!(to_do(IntentStatus::Approved, Some(first.value.terms.id), 9).await, [second]);
    assert_eq!(to_do(IntentStatus::Executing, None, 1).await.len(), 1);
    let command = CountIntents { workspace_id: desk.workspace_id(), contract_id: Some(desk.contract_id) };
    let counts = desk.operations().count_intents(&desk.trader, command).await.unwrap();
    let found: Vec<_> =
        counts.iter().filter(|count| count.count > 0).map(|count| (count.status, count.count)).collect();
    assert_eq!(found, [(IntentStatus::Approved, 2), (IntentStatus::Executing, 1)]);
}

#[tokio::test]
async fn of_two_who_buy_the_last_item_one_is_refused() {
    let desk = Desk::open().await;
    let limits = BuyingLimits { target_quantity: Some(1), ..buying_limits() };
    let contract_id = contract(&desk.world, &desk.trader, ContractTerms::Buying(limits)).await;
    let desk = Desk { contract_id, ..desk };
    let on = desk.operations();
    let (one, other) = tokio::join!(on.buy_now(&desk.trader, desk.now(1)), on.buy_now(&desk.trader, desk.now(2)));
    assert_eq!([one.is_ok(), other.is_ok()].iter().filter(|bought| **bought).count(), 1);
    desk.advance_clock(Duration::hours(1));
    assert_eq!(desk.counters().await.open_quantity, 1);
}

async fn selling_contract(desk: &Desk) -> ContractId {
    let limits = SellingLimits { floor_price_cents: Some(1_300), ..SellingLimits::default() };
    contract(&desk.world, &desk.trader, ContractTerms::Selling(limits)).await
}
