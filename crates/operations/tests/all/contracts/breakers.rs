//! Contracts that are stopped because their purchases fail, or because no source reports what items are worth.

use time::Duration;
use tradepost_domain::contracts::contract::{ContractStatus, FAILURES_IN_A_ROW, SuspensionCause};
use tradepost_domain::contracts::purchase::{FailureCode, PurchaseEvent};
use tradepost_domain::contracts::remediation::{Remediation, RemediationKind, RemediationStatus};
use tradepost_domain::transition::Subject;
use tradepost_operations::Caller;
use tradepost_operations::contracts::{
    ApplyPriceStaleness, BuyingLimits, CancelContract, ContractTerms, PauseContract, ReceiveItem, ResumeContract,
};
use tradepost_ports::clock::Clock as _;
use tradepost_ports::store::Records;
use tradepost_testkit::samples::text;

use super::two_clocks::{HOUR, YEAR};
use super::{Desk, buying_limits, contract, submitted};

impl Desk {
    /// Buys a listing, and is refused so.
    async fn fail(&self, number: u32, code: FailureCode) {
        let purchase_id = self.buy(number).await;
        self.advance(purchase_id, submitted()).await.unwrap();
        self.advance(purchase_id, PurchaseEvent::Refused(code)).await.unwrap();
    }

    async fn fail_often(&self) {
        for number in 0..FAILURES_IN_A_ROW {
            self.fail(u32::try_from(number).unwrap(), FailureCode::AccountBlocked).await;
        }
    }

    pub(super) async fn set_to_work(&self) {
        let (workspace_id, contract_id) = (self.workspace_id(), self.contract_id);
        let command = ResumeContract { workspace_id, contract_id, expected_version: None };
        self.operations().resume_contract(&self.trader, command).await.unwrap();
    }

    pub(super) async fn status_and_cause(&self) -> (ContractStatus, Option<SuspensionCause>) {
        let contract = self.contract().await.value;
        (contract.status, contract.suspended_for())
    }

    /// The live remediations of the contract.
    pub(super) async fn live_problems(&self) -> Vec<Remediation> {
        let live =
            self.world.store.remediations().list_live_of(self.scope(), Subject::Contract(self.contract_id)).await;
        live.unwrap().into_iter().map(|seen| seen.into_display().0).collect()
    }
}

pub(super) const STOPPED: (ContractStatus, Option<SuspensionCause>) =
    (ContractStatus::Suspended, Some(SuspensionCause::BreakerOpen));
pub(super) const ACTIVE: (ContractStatus, Option<SuspensionCause>) = (ContractStatus::Active, None);

#[tokio::test]
async fn a_contract_whose_purchases_fail_one_after_the_other_is_stopped_in_the_commit_of_the_last() {
    let desk = Desk::open().await;
    for number in 1..FAILURES_IN_A_ROW {
        desk.fail(u32::try_from(number).unwrap(), FailureCode::AccountBlocked).await;
        desk.fail(100, FailureCode::SoldAlready).await;
    }
    assert_eq!((desk.status_and_cause().await, desk.live_problems().await.len()), (ACTIVE, 0));
    desk.fail(101, FailureCode::Other).await;
    assert_eq!(desk.status_and_cause().await, STOPPED);
    let [problem] = desk.live_problems().await.try_into().unwrap();
    assert_eq!((problem.kind, problem.status), (RemediationKind::BreakerOpen, RemediationStatus::NeedsOperator));
    assert_eq!(problem.evidence.shown_by, Some(text("listing-101")));
    assert_eq!(problem.evidence.found, Some(text("OTHER")));
    let log = desk.log(Subject::Contract(desk.contract_id)).await;
    let last = log.last().unwrap();
    assert_eq!(
        (last.trigger, last.to, last.reason.as_ref().unwrap().as_str()),
        ("suspended", "SUSPENDED", "BREAKER_OPEN")
    );
    desk.forbidden(desk.operations().record_purchase(&desk.trader, desk.listing(7)), "CONTRACT_NOT_ACTIVE").await;
}

#[tokio::test]
async fn a_delivery_in_between_restarts_the_count_of_failures() {
    let desk = Desk::open().await;
    for number in 1..FAILURES_IN_A_ROW {
        desk.fail(u32::try_from(number).unwrap(), FailureCode::AccountBlocked).await;
    }
    desk.receive(50).await;
    desk.fail(51, FailureCode::AccountBlocked).await;
    assert_eq!(desk.status_and_cause().await, ACTIVE);
}

#[tokio::test]
async fn a_breaker_counts_the_latest_purchases_whatever_the_clock_of_the_market_shows() {
    for apart in [-YEAR, Duration::ZERO, YEAR] {
        let desk = Desk::open().await;
        desk.receive(50).await;
        let market = desk.trade_apart(apart).await;
        let purchase_id = desk.pay(52).await;
        let arrival = ReceiveItem { protected_until: market.now(), ..desk.arrival(purchase_id, 52) };
        desk.operations().receive_item(&desk.trader, arrival).await.unwrap();
        // What was delivered has the later time, and the earlier id.
        market.advance(-HOUR);
        for number in 1..FAILURES_IN_A_ROW {
            desk.fail(u32::try_from(number).unwrap(), FailureCode::AccountBlocked).await;
        }
        assert_eq!(desk.status_and_cause().await, ACTIVE, "{apart}");
        desk.fail(51, FailureCode::AccountBlocked).await;
        assert_eq!(desk.status_and_cause().await, STOPPED, "{apart}");
    }
}

#[tokio::test]
async fn a_stopped_contract_works_again_when_a_person_says_so_and_is_on_trial_then() {
    let desk = Desk::open().await;
    desk.fail_often().await;
    let workspace_id = desk.workspace_id();
    assert_eq!(desk.operations().apply_halts(&Caller::system(), workspace_id).await.unwrap(), 0);
    assert_eq!(desk.status_and_cause().await, STOPPED, "no end of a halt sets it to work");
    desk.set_to_work().await;
    assert_eq!((desk.status_and_cause().await, desk.live_problems().await), (ACTIVE, Vec::new()));
    desk.fail(60, FailureCode::Other).await;
    assert_eq!((desk.status_and_cause().await, desk.live_problems().await.len()), (STOPPED, 1));
    desk.set_to_work().await;
    desk.receive(61).await;
    desk.fail(62, FailureCode::Other).await;
    assert_eq!(desk.status_and_cause().await, ACTIVE, "what was delivered has ended the trial");
}

#[tokio::test]
async fn who_pauses_or_cancels_a_stopped_contract_has_taken_it_in_hand() {
    for pause in [true, false] {
        let desk = Desk::open().await;
        desk.fail_often().await;
        let (workspace_id, contract_id, expected_version) = (desk.workspace_id(), desk.contract_id, None);
        if pause {
            let command = PauseContract { workspace_id, contract_id, reason: None, expected_version };
            desk.operations().pause_contract(&desk.trader, command).await.unwrap();
        } else {
            let command = CancelContract { workspace_id, contract_id, expected_version };
            desk.operations().cancel_contract(&desk.trader, command).await.unwrap();
        }
        assert_eq!(desk.live_problems().await, []);
    }
}

#[tokio::test]
async fn a_contract_that_seems_to_have_bought_something_twice_is_stopped_until_a_person_says_so() {
    let desk = Desk::open().await;
    desk.open_problem(RemediationKind::DuplicateSuspect, Subject::Contract(desk.contract_id)).await;
    let stopped = (ContractStatus::Suspended, Some(SuspensionCause::DuplicateSuspect));
    assert_eq!((desk.status_and_cause().await, desk.live_problems().await.len()), (stopped, 1));
    desk.set_to_work().await;
    assert_eq!((desk.status_and_cause().await, desk.live_problems().await), (ACTIVE, Vec::new()));
}

#[tokio::test]
async fn contracts_are_suspended_while_no_source_reports_values() {
    let mut desk = Desk::open().await;
    let limits = BuyingLimits { min_discount_bps: Some(100), ..buying_limits() };
    desk.contract_id = contract(&desk.world, &desk.trader, ContractTerms::Buying(limits)).await;
    let begun = desk.world.clock.now();
    let follow = async |index| {
        let said = [(text("index"), index), (text("csfloat"), desk.world.clock.now())].into();
        let command = ApplyPriceStaleness { workspace_id: desk.workspace_id(), said };
        desk.operations().apply_price_staleness(&Caller::system(), command).await.unwrap()
    };
    desk.advance_clock(Duration::minutes(30));
    assert_eq!((follow(begun).await, desk.status_and_cause().await), (0, ACTIVE));
    desk.advance_clock(Duration::minutes(1));
    assert_eq!(follow(begun).await, 1, "the one that uses values");
    assert_eq!(desk.status_and_cause().await, (ContractStatus::Suspended, Some(SuspensionCause::PriceSourceStale)));
    assert_eq!(follow(begun).await, 0);
    let [problem] = desk.live_problems().await.try_into().unwrap();
    assert_eq!((problem.kind, problem.status), (RemediationKind::PriceSourceStale, RemediationStatus::Open));
    assert_eq!(follow(desk.world.clock.now()).await, 1);
    assert_eq!((desk.status_and_cause().await, desk.live_problems().await), (ACTIVE, Vec::new()));
}
