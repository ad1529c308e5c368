//! A halt of trading stops what is not sent yet, and nothing else.

use std::time::Duration;

use tradepost_domain::contracts::contract::{Contract, ContractStatus, SuspensionCause};
use tradepost_domain::contracts::purchase::PurchaseStatus;
use tradepost_domain::text::Text;
use tradepost_domain::transition::Subject;
use tradepost_operations::accounts::SetTradingHalt;
use tradepost_operations::contracts::{
    ActivateContract, BuyingLimits, CancelContract, ContractTerms, PauseContract, ResumeContract, SellingLimits,
};
use tradepost_operations::{Caller, Code, OpResult, Versioned};

use super::{Desk, accepted, buying, buying_limits, contract, draft, submitted};
use crate::harness::Fate;

/// How many buy at the same time, and how often each tries.
const CALLERS: u32 = 8;
const BUYS: u32 = 100;
/// How often a busy contract is paused.
const PAUSES: u32 = 5;
/// Longer than anything takes on a busy machine.
const PATIENCE: Duration = Duration::from_mins(1);

impl Desk {
    /// Waits until the contract has bought something.
    async fn until_it_buys(&self) {
        let buys = async {
            while self.counters().await.open_quantity == 0 {
                tokio::task::yield_now().await;
            }
        };
        tokio::time::timeout(PATIENCE, buys).await.unwrap();
    }

    async fn set_halt(&self, halted: bool, reason: &str) -> OpResult<tradepost_domain::accounts::workspace::Workspace> {
        let command = SetTradingHalt { workspace_id: self.workspace_id(), halted, reason: reason.to_owned() };
        self.operations().set_trading_halt(&self.trader, command).await
    }

    async fn resume_contract(&self) -> OpResult<Versioned<Contract>> {
        let (workspace_id, contract_id) = (self.workspace_id(), self.contract_id);
        let command = ResumeContract { workspace_id, contract_id, expected_version: None };
        self.operations().resume_contract(&self.trader, command).await
    }

    async fn pause_contract(&self) -> OpResult<Versioned<Contract>> {
        let (workspace_id, contract_id) = (self.workspace_id(), self.contract_id);
        let command = PauseContract { workspace_id, contract_id, reason: None, expected_version: None };
        self.operations().pause_contract(&self.trader, command).await
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_contract_that_is_busy_is_paused_resumed_and_cancelled_all_the_same() {
    let desk = Desk::open().await;
    let limits = BuyingLimits { target_quantity: Some(1_000), budget_cents: Some(10_000_000), ..buying_limits() };
    let contract_id = contract(&desk.world, &desk.trader, ContractTerms::Buying(limits)).await;
    let desk = Desk { contract_id, ..desk };
    let mut busy = tokio::task::JoinSet::new();
    for caller in 0..CALLERS {
        let (operations, trader) = (desk.world.operations.clone(), desk.trader.clone());
        let listings: Vec<_> = (0..BUYS).map(|number| desk.listing(caller * BUYS + number)).collect();
        busy.spawn(async move {
            let mut refused = Vec::new();
            for listing in listings {
                let recorded = operations.record_purchase(&trader, listing).await;
                refused.extend(recorded.err().map(|error| error.reason.as_str()));
            }
            refused
        });
    }
    desk.until_it_buys().await;
    let mut in_between = 0;
    for _ in 0..PAUSES {
        let before = desk.contract().await.version;
        in_between += desk.pause_contract().await.unwrap().version - before - 1;
        desk.resume_contract().await.unwrap();
    }
    let command = CancelContract { workspace_id: desk.workspace_id(), contract_id, expected_version: None };
    desk.operations().cancel_contract(&desk.trader, command).await.unwrap();
    assert!(in_between > 0, "the contract bought nothing while it was to be paused");
    let refused: Vec<_> = busy.join_all().await.into_iter().flatten().collect();
    assert!(!refused.is_empty(), "the contract was no longer busy when it was cancelled");
    assert!(refused.into_iter().all(|reason| reason == "CONTRACT_NOT_ACTIVE"));
}

#[tokio::test]
async fn nothing_is_recorded_while_trading_is_halted() {
    let desk = Desk::open().await;
    let halted = desk.set_halt(true, "prices look wrong").await.unwrap();
    assert_eq!(halted.trading_halt.unwrap().reason.as_str(), "prices look wrong");
    desk.forbidden(desk.operations().record_purchase(&desk.trader, desk.listing(1)), "TRADING_HALTED").await;
    desk.refused(desk.set_halt(true, ""), Code::InvalidArgument, "INVALID_FIELD").await;
    assert_eq!(desk.set_halt(false, "").await.unwrap().trading_halt, None, "that it ends needs no reason");
    desk.buy(1).await;
}

#[tokio::test]
async fn what_was_recorded_is_not_sent_and_what_was_sent_goes_on() {
    let desk = Desk::open().await;
    let (recorded, sent) = (desk.buy(1).await, desk.buy(2).await);
    desk.advance(sent, submitted()).await.unwrap();
    desk.set_halt(true, "prices look wrong").await.unwrap();
    desk.forbidden(desk.advance(recorded, submitted()), "TRADING_HALTED").await;
    let paid = desk.advance(sent, accepted(2)).await.unwrap();
    assert_eq!(paid.value.status, PurchaseStatus::Paid);
    desk.operations().receive_item(&desk.trader, desk.arrival(sent, 2)).await.unwrap();
}

#[tokio::test]
async fn asking_for_what_is_so_already_changes_nothing_and_another_reason_is_kept() {
    let desk = Desk::open().await;
    let first = desk.set_halt(true, "prices look wrong").await.unwrap();
    let before = format!("{:?}", desk.world.store);
    assert_eq!(desk.set_halt(true, "prices look wrong").await.unwrap(), first);
    assert_eq!(format!("{:?}", desk.world.store), before);
    let second = desk.set_halt(true, "still wrong").await.unwrap().trading_halt.unwrap();
    assert_eq!((second.reason.as_str(), second.since), ("still wrong", first.trading_halt.unwrap().since));
}

#[tokio::test]
async fn a_halt_has_a_reason() {
    let desk = Desk::open().await;
    for reason in ["", " ", &"x".repeat(201)] {
        desk.refused(desk.set_halt(true, reason), Code::InvalidArgument, "INVALID_FIELD").await;
    }
}

#[tokio::test]
async fn a_halt_suspends_the_contracts_that_buy_and_its_end_sets_them_to_work_again() {
    let desk = Desk::open().await;
    let selling = ContractTerms::Selling(SellingLimits { floor_price_cents: Some(1), ..SellingLimits::default() });
    let seller = contract(&desk.world, &desk.trader, selling).await;
    desk.set_halt(true, "prices look wrong").await.unwrap();
    let stopped = desk.contract().await.value;
    assert_eq!(stopped.suspended_for(), Some(SuspensionCause::TradingHalted));
    let log = desk.log(Subject::Contract(desk.contract_id)).await;
    let last = log.last().unwrap();
    assert_eq!((last.trigger, last.from, last.to), ("suspended", Some("ACTIVE"), "SUSPENDED"));
    assert_eq!(last.reason.as_ref().map(Text::as_str), Some("TRADING_HALTED"));
    assert_eq!(desk.log(Subject::Contract(seller)).await.last().unwrap().to, "ACTIVE");
    desk.forbidden(desk.resume_contract(), "TRADING_HALTED").await;
    desk.set_halt(false, "they were right").await.unwrap();
    assert_eq!(desk.contract().await.value.status, ContractStatus::Active);
    assert_eq!(desk.log(Subject::Contract(desk.contract_id)).await.last().unwrap().trigger, "resumed");
}

#[tokio::test]
async fn what_a_person_has_paused_stays_so_when_the_halt_is_over() {
    let desk = Desk::open().await;
    desk.set_halt(true, "prices look wrong").await.unwrap();
    assert_eq!(desk.pause_contract().await.unwrap().value.status, ContractStatus::Paused);
    desk.forbidden(desk.resume_contract(), "TRADING_HALTED").await;
    desk.set_halt(false, "they were right").await.unwrap();
    assert_eq!(desk.contract().await.value.status, ContractStatus::Paused);
    assert_eq!(desk.resume_contract().await.unwrap().value.status, ContractStatus::Active);
}

#[tokio::test]
async fn a_contract_activated_during_a_halt_is_suspended_in_the_same_commit() {
    let desk = Desk::open().await;
    desk.set_halt(true, "prices look wrong").await.unwrap();
    let workspace_id = desk.workspace_id();
    let drafted = desk.operations().create_contract(&desk.trader, draft(workspace_id, buying())).await.unwrap();
    let (contract_id, expected_version) = (drafted.value.id, None);
    let activate = ActivateContract { workspace_id, contract_id, expected_version };
    let activated = desk.operations().activate_contract(&desk.trader, activate).await.unwrap();
    assert_eq!((activated.version, activated.value.status), (2, ContractStatus::Suspended));
    let steps: Vec<_> = desk.log(Subject::Contract(contract_id)).await.iter().map(|step| step.to).collect();
    assert_eq!(steps, ["DRAFT", "ACTIVE", "SUSPENDED"]);
    assert_eq!(desk.operations().apply_halts(&Caller::system(), workspace_id).await.unwrap(), 0);
}

#[tokio::test]
async fn a_contract_that_cannot_be_suspended_keeps_no_other_from_it() {
    let desk = Desk::open().await;
    contract(&desk.world, &desk.trader, buying()).await;
    let (desk, _) = desk.scripted([Fate::Made, Fate::broken()]);
    desk.set_halt(true, "prices look wrong").await.unwrap();
    let left = desk.operations().apply_halts(&desk.trader, desk.workspace_id()).await.unwrap();
    assert_eq!((left, desk.contract().await.value.status), (1, ContractStatus::Suspended));
}
