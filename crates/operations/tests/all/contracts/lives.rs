//! The lives of contracts: changed, stopped, resumed, ended, copied, deleted, counted.

use time::Duration;
use tradepost_domain::contracts::contract::{ContractStatus, ContractType, Replaced, Terms};
use tradepost_domain::contracts::purchase::{CancelCause, FailureCode, PurchaseEvent};
use tradepost_domain::id::{ContractId, FilterSetId, Id};
use tradepost_domain::transition::Subject;
use tradepost_operations::contracts::{
    BuyingLimits, CancelContract, CloneContract, ContractTerms, CountContracts, CreateContract, CreateFilterSet,
    DeleteContract, DeleteFilterSet, FilterRules, GetContract, PauseContract, RecordPurchase, ResumeContract,
    SellingLimits, UpdateContract,
};
use tradepost_operations::{Code, OpResult};
use tradepost_ports::clock::Clock as _;

use super::{Desk, accepted, buying, buying_limits, contract, draft, renamed, submitted};
use crate::harness::Fate;

impl Desk {
    async fn pause(&self, reason: Option<&str>) -> OpResult<()> {
        let (workspace_id, contract_id) = (self.workspace_id(), self.contract_id);
        let reason = reason.map(str::to_owned);
        let command = PauseContract { workspace_id, contract_id, reason, expected_version: None };
        self.operations().pause_contract(&self.trader, command).await.map(drop)
    }

    async fn resume(&self) -> OpResult<()> {
        let command =
            ResumeContract { workspace_id: self.workspace_id(), contract_id: self.contract_id, expected_version: None };
        self.operations().resume_contract(&self.trader, command).await.map(drop)
    }

    async fn cancel(&self) -> OpResult<()> {
        let command =
            CancelContract { workspace_id: self.workspace_id(), contract_id: self.contract_id, expected_version: None };
        self.operations().cancel_contract(&self.trader, command).await.map(drop)
    }

    async fn update(&self, command: UpdateContract) -> OpResult<()> {
        self.operations().update_contract(&self.trader, command).await.map(drop)
    }

    async fn status(&self) -> ContractStatus {
        self.contract().await.value.status
    }

    /// What happened to the contract since its activation: the trigger, where it led, and what was said.
    async fn life(&self) -> Vec<(&'static str, &'static str, Option<String>)> {
        let log = self.log(Subject::Contract(self.contract_id)).await;
        let steps = log.into_iter().skip(2);
        steps.map(|step| (step.trigger, step.to, step.reason.map(|reason| reason.to_string()))).collect()
    }

    /// A desk whose contract buys so many items.
    async fn buying_up_to(target_quantity: i64) -> Self {
        let desk = Self::open().await;
        let limits = BuyingLimits { target_quantity: Some(target_quantity), ..buying_limits() };
        let contract_id = contract(&desk.world, &desk.trader, ContractTerms::Buying(limits)).await;
        Self { contract_id, ..desk }
    }
}

#[tokio::test]
async fn a_paused_contract_buys_nothing_until_it_is_resumed() {
    let desk = Desk::open().await;
    let sent = desk.pay(1).await;
    desk.pause(Some("prices look wrong")).await.unwrap();
    let paused = desk.contract().await.value;
    assert_eq!(
        (paused.status, paused.status_reason.as_ref().unwrap().as_str()),
        (ContractStatus::Paused, "prices look wrong")
    );
    desk.forbidden(desk.operations().record_purchase(&desk.trader, desk.listing(2)), "CONTRACT_NOT_ACTIVE").await;
    desk.forbidden(desk.pause(None), "ILLEGAL_STEP").await;
    desk.operations().receive_item(&desk.trader, desk.arrival(sent, 1)).await.unwrap();
    desk.resume().await.unwrap();
    desk.buy(2).await;
    let said = Some("prices look wrong".to_owned());
    assert_eq!(desk.life().await, [("paused", "PAUSED", said), ("resumed", "ACTIVE", None)]);
}

#[tokio::test]
async fn a_cancelled_contract_ends_once_nothing_is_open() {
    let desk = Desk::open().await;
    let purchase_id = desk.pay(1).await;
    desk.cancel().await.unwrap();
    assert_eq!(desk.status().await, ContractStatus::Closing);
    desk.forbidden(desk.operations().record_purchase(&desk.trader, desk.listing(2)), "CONTRACT_NOT_ACTIVE").await;
    desk.forbidden(desk.cancel(), "ILLEGAL_STEP").await;
    desk.operations().receive_item(&desk.trader, desk.arrival(purchase_id, 1)).await.unwrap();
    let said = Some("CANCELLED".to_owned());
    assert_eq!(desk.life().await, [("closed", "CLOSING", said), ("finished", "CANCELLED", None)]);
}

#[tokio::test]
async fn a_cancelled_contract_sends_nothing_that_was_recorded() {
    let desk = Desk::open().await;
    let purchase_id = desk.buy(1).await;
    desk.cancel().await.unwrap();
    desk.forbidden(desk.advance(purchase_id, submitted()), "CONTRACT_NOT_ACTIVE").await;
    desk.advance(purchase_id, PurchaseEvent::Cancelled(CancelCause::Withdrawn)).await.unwrap();
    assert_eq!(desk.status().await, ContractStatus::Cancelled);
}

#[tokio::test]
async fn a_contract_with_nothing_open_is_cancelled_at_once() {
    let desk = Desk::open().await;
    desk.cancel().await.unwrap();
    assert_eq!(desk.status().await, ContractStatus::Cancelled);
    desk.forbidden(desk.resume(), "ILLEGAL_STEP").await;
}

#[tokio::test]
async fn the_purchase_that_fills_a_contract_closes_it_and_its_item_completes_it() {
    let desk = Desk::buying_up_to(1).await;
    let purchase_id = desk.buy(1).await;
    assert_eq!(desk.status().await, ContractStatus::Closing);
    desk.forbidden(desk.operations().record_purchase(&desk.trader, desk.listing(2)), "QUANTITY_REACHED").await;
    desk.advance(purchase_id, submitted()).await.unwrap();
    desk.advance(purchase_id, accepted(1)).await.unwrap();
    desk.operations().receive_item(&desk.trader, desk.arrival(purchase_id, 1)).await.unwrap();
    let said = Some("QUANTITY_REACHED".to_owned());
    assert_eq!(desk.life().await, [("closed", "CLOSING", said), ("finished", "COMPLETED", None)]);
}

#[tokio::test]
async fn a_full_contract_works_again_when_a_purchase_fails() {
    let desk = Desk::buying_up_to(1).await;
    let purchase_id = desk.buy(1).await;
    desk.advance(purchase_id, submitted()).await.unwrap();
    desk.advance(purchase_id, PurchaseEvent::Refused(FailureCode::SoldAlready)).await.unwrap();
    assert_eq!(desk.status().await, ContractStatus::Active);
    desk.buy(2).await;
    assert_eq!(desk.status().await, ContractStatus::Closing);
}

#[tokio::test]
async fn a_contract_that_filled_up_while_it_was_paused_closes_when_it_is_resumed() {
    let desk = Desk::open().await;
    let purchase_id = desk.pay(1).await;
    desk.pause(None).await.unwrap();
    let limits = BuyingLimits { target_quantity: Some(1), ..buying_limits() };
    let terms = Some(ContractTerms::Buying(limits));
    desk.update(UpdateContract { terms, ..renamed(desk.workspace_id(), desk.contract_id) }).await.unwrap();
    assert_eq!(desk.status().await, ContractStatus::Paused);
    desk.resume().await.unwrap();
    assert_eq!(desk.status().await, ContractStatus::Closing);
    desk.operations().receive_item(&desk.trader, desk.arrival(purchase_id, 1)).await.unwrap();
    assert_eq!(desk.status().await, ContractStatus::Completed);
}

#[tokio::test]
async fn limits_do_not_fall_below_what_is_bought_or_in_transit() {
    let desk = Desk::open().await;
    desk.item(1).await;
    desk.buy(2).await;
    let update = |limits| {
        let terms = Some(ContractTerms::Buying(limits));
        desk.update(UpdateContract { terms, ..renamed(desk.workspace_id(), desk.contract_id) })
    };
    // 11.90 and 0.30 are spent, 15.00 are reserved.
    desk.forbidden(update(BuyingLimits { target_quantity: Some(1), ..buying_limits() }), "LIMIT_BELOW_USE").await;
    desk.forbidden(update(BuyingLimits { budget_cents: Some(2_719), ..buying_limits() }), "LIMIT_BELOW_USE").await;
    desk.forbidden(update(BuyingLimits { budget_cents: Some(1_499), ..buying_limits() }), "CONTRACT_LIMITS").await;
    update(BuyingLimits { budget_cents: Some(2_720), ..buying_limits() }).await.unwrap();
    assert_eq!(desk.status().await, ContractStatus::Closing);
}

#[tokio::test]
async fn an_active_or_paused_contract_closes_when_its_end_has_passed() {
    for paused in [false, true] {
        let desk = Desk::open().await;
        let ends_at = Replaced::By(desk.world.clock.now().plus(Duration::hours(1)));
        desk.update(UpdateContract { ends_at, ..renamed(desk.workspace_id(), desk.contract_id) }).await.unwrap();
        if paused {
            desk.pause(None).await.unwrap();
        }
        assert_eq!(desk.operations().end_contracts().await.unwrap(), 0);
        desk.advance_clock(Duration::hours(1));
        assert_eq!(desk.operations().sweep().await.unwrap().contracts, 1);
        assert_eq!(desk.status().await, ContractStatus::Expired);
        assert_eq!(desk.operations().end_contracts().await.unwrap(), 0);
    }
}

#[tokio::test]
async fn an_active_contract_keeps_its_type_its_pool_and_its_start() {
    let desk = Desk::open().await;
    let now = desk.world.clock.now();
    let plain = || renamed(desk.workspace_id(), desk.contract_id);
    let selling = ContractTerms::Selling(SellingLimits { floor_price_cents: Some(1), ..SellingLimits::default() });
    let sells = UpdateContract { terms: Some(selling), ..plain() };
    desk.refused(desk.update(sells), Code::InvalidArgument, "INVALID_FIELD").await;
    let pool = UpdateContract { pool_id: Replaced::By(Id::from_bytes([4; 16])), ..plain() };
    desk.forbidden(desk.update(pool), "FIXED_FIELD").await;
    desk.forbidden(desk.update(UpdateContract { starts_at: Replaced::By(now), ..plain() }), "FIXED_FIELD").await;
    desk.forbidden(desk.update(UpdateContract { ends_at: Replaced::By(now), ..plain() }), "CONTRACT_ENDED").await;
    let stale = UpdateContract { expected_version: Some(1), ..plain() };
    desk.forbidden(desk.update(stale), "VERSION_MISMATCH").await;
    let nothing = UpdateContract { name: None, ..plain() };
    desk.refused(desk.update(nothing), Code::InvalidArgument, "INVALID_FIELD").await;
}

#[tokio::test]
async fn a_contract_that_closes_is_not_changed() {
    let desk = Desk::buying_up_to(1).await;
    desk.buy(1).await;
    desk.forbidden(desk.update(renamed(desk.workspace_id(), desk.contract_id)), "ILLEGAL_STEP").await;
}

#[tokio::test]
async fn an_update_changes_what_it_names_and_nothing_else() {
    let desk = Desk::open().await;
    let before = desk.contract().await.value;
    let limits = BuyingLimits { budget_cents: Some(30_000), ..buying_limits() };
    let terms = Some(ContractTerms::Buying(limits));
    let command =
        UpdateContract { terms, marketplaces: Some(vec![]), ..renamed(desk.workspace_id(), desk.contract_id) };
    desk.update(command).await.unwrap();
    let after = desk.contract().await;
    let Terms::Buying(terms) = &after.value.terms else { panic!("it buys") };
    assert_eq!((terms.budget.get(), after.value.marketplaces.len(), after.version), (30_000, 0, 3));
    assert_eq!(after.value.name.as_str(), "Renamed");
    assert_eq!((after.value.approval_mode, after.value.status), (before.approval_mode, before.status));
}

/// A filter set that no contract names.
async fn filter_set(desk: &Desk) -> FilterSetId {
    let rules = FilterRules { trade_lock_max_days: Some(0), ..FilterRules::default() };
    let command = CreateFilterSet { workspace_id: desk.workspace_id(), name: "Unlocked".to_owned(), rules };
    desk.operations().create_filter_set(&desk.trader, command).await.unwrap().id
}

async fn forget(desk: &Desk, filter_set_id: FilterSetId) -> OpResult<()> {
    let command = DeleteFilterSet { workspace_id: desk.workspace_id(), filter_set_id };
    desk.operations().delete_filter_set(&desk.trader, command).await
}

async fn drafted(desk: &Desk, filter_set_id: Option<FilterSetId>) -> ContractId {
    let command = CreateContract { filter_set_id, ..draft(desk.workspace_id(), buying()) };
    desk.operations().create_contract(&desk.trader, command).await.unwrap().value.id
}

async fn delete(desk: &Desk, contract_id: ContractId) -> OpResult<()> {
    let command = DeleteContract { workspace_id: desk.workspace_id(), contract_id, expected_version: None };
    desk.operations().delete_contract(&desk.trader, command).await
}

#[tokio::test]
async fn a_filter_set_is_free_once_contracts_no_longer_name_it() {
    let desk = Desk::open().await;
    let (one, other) = (filter_set(&desk).await, filter_set(&desk).await);
    let contract_id = drafted(&desk, Some(one)).await;
    let filter = |filter_set_id| UpdateContract { filter_set_id, ..renamed(desk.workspace_id(), contract_id) };
    desk.update(filter(Replaced::By(other))).await.unwrap();
    forget(&desk, one).await.unwrap();
    desk.forbidden(forget(&desk, other), "FILTER_SET_IN_USE").await;
    desk.update(filter(Replaced::ByNothing)).await.unwrap();
    forget(&desk, other).await.unwrap();
}

#[tokio::test]
async fn a_draft_is_deleted_and_frees_its_filter_set() {
    let desk = Desk::open().await;
    let set = filter_set(&desk).await;
    let contract_id = drafted(&desk, Some(set)).await;
    delete(&desk, contract_id).await.unwrap();
    let get = GetContract { workspace_id: desk.workspace_id(), contract_id };
    desk.refused(desk.operations().get_contract(&desk.trader, get), Code::NotFound, "NOT_FOUND").await;
    forget(&desk, set).await.unwrap();
    desk.forbidden(delete(&desk, desk.contract_id), "ILLEGAL_STEP").await;
}

#[tokio::test]
async fn a_copy_is_a_draft_that_names_the_same_filter_set() {
    let desk = Desk::open().await;
    let set = filter_set(&desk).await;
    let filtered =
        UpdateContract { filter_set_id: Replaced::By(set), ..renamed(desk.workspace_id(), desk.contract_id) };
    desk.update(filtered).await.unwrap();
    desk.buy(1).await;
    let command = CloneContract {
        workspace_id: desk.workspace_id(),
        contract_id: desk.contract_id,
        name: "More of them".to_owned(),
    };
    let copy = desk.operations().clone_contract(&desk.trader, command).await.unwrap();
    let original = desk.contract().await.value;
    assert_eq!((copy.value.status, copy.version), (ContractStatus::Draft, 1));
    assert_eq!(copy.value.counters, tradepost_domain::contracts::contract::Counters::default());
    assert_eq!((&copy.value.terms, copy.value.filter_set_id), (&original.terms, Some(set)));
    delete(&desk, copy.value.id).await.unwrap();
    desk.forbidden(forget(&desk, set), "FILTER_SET_IN_USE").await;
}

#[tokio::test]
async fn contracts_are_counted_by_type_and_status() {
    let desk = Desk::open().await;
    drafted(&desk, None).await;
    let limits = SellingLimits { floor_price_cents: Some(900), ..SellingLimits::default() };
    let selling = draft(desk.workspace_id(), ContractTerms::Selling(limits));
    desk.operations().create_contract(&desk.trader, selling).await.unwrap();
    let counted = async |contract_type| {
        let command = CountContracts { workspace_id: desk.workspace_id(), contract_type };
        let counts = desk.operations().count_contracts(&desk.trader, command).await.unwrap();
        assert_eq!(counts.len(), ContractStatus::ALL.len());
        let (draft, active) = (counts[0].count, counts[1].count);
        (draft, active)
    };
    assert_eq!(counted(None).await, (2, 1));
    assert_eq!(counted(Some(ContractType::Buying)).await, (1, 1));
    assert_eq!(counted(Some(ContractType::Selling)).await, (1, 0));
}

#[tokio::test]
async fn a_contract_that_has_used_its_budget_says_so() {
    let desk = Desk::open().await;
    let limits = BuyingLimits { budget_cents: Some(1_500), ..buying_limits() };
    let contract_id = contract(&desk.world, &desk.trader, ContractTerms::Buying(limits)).await;
    let record = |number| RecordPurchase { contract_id, ..desk.listing(number) };
    desk.operations().record_purchase(&desk.trader, record(1)).await.unwrap();
    desk.forbidden(desk.operations().record_purchase(&desk.trader, record(2)), "BUDGET_TOO_LOW").await;
}

#[tokio::test]
async fn a_contract_that_cannot_be_closed_keeps_no_other_from_its_end() {
    let desk = Desk::open().await;
    let other = contract(&desk.world, &desk.trader, buying()).await;
    for contract_id in [desk.contract_id, other] {
        let ends_at = Replaced::By(desk.world.clock.now().plus(Duration::hours(1)));
        desk.update(UpdateContract { ends_at, ..renamed(desk.workspace_id(), contract_id) }).await.unwrap();
    }
    desk.advance_clock(Duration::hours(1));
    let (desk, _) = desk.scripted([Fate::broken()]);
    desk.operations().sweep().await.unwrap_err();
    assert_eq!(desk.operations().sweep().await.unwrap().contracts, 1);
    assert_eq!(desk.status().await, ContractStatus::Expired);
}
