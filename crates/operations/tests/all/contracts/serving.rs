//! Active contracts that no engine serves.

use tradepost_domain::contracts::contract::ContractStatus;
use tradepost_domain::text::Name;
use tradepost_domain::trading::lease::Work;
use tradepost_operations::Caller;
use tradepost_operations::contracts::{HoldLeases, PauseContract, ResumeContract};
use tradepost_testkit::samples::text;

use super::Desk;

impl Desk {
    /// A node takes the work at a marketplace, or renews it.
    async fn serve(&self, marketplace: &str) {
        let workspace_id = self.workspace_id();
        let (work, node): (Work, Name) = (Work::Marketplace(text(marketplace)), text("node-1"));
        let leases = self.operations().leases(&Caller::system(), workspace_id).await.unwrap();
        let seen_at = leases.iter().find(|lease| lease.value.work == work).map(|lease| lease.version);
        let command = HoldLeases { workspace_id, node, take: vec![(work, seen_at)], give_up: Vec::new() };
        self.operations().hold_leases(&Caller::system(), command).await.unwrap();
    }

    /// Whether the contract is reported as unserved after so many looks.
    async fn is_unserved_after(&self, looks: u32) -> bool {
        for _ in 0..looks {
            self.operations().look_for_unserved_contracts().await.unwrap();
        }
        self.operations().is_unserved(self.contract_id)
    }
}

#[tokio::test]
async fn a_contract_that_no_engine_serves_is_reported_at_the_second_look() {
    let desk = Desk::open().await;
    assert!(!desk.is_unserved_after(1).await);
    assert_eq!(desk.problem_states().await, []);
    assert!(desk.is_unserved_after(1).await);
    assert_eq!(desk.problem_states().await, [("NOT_SERVED", "NEEDS_OPERATOR")]);
    assert_eq!(desk.contract().await.value.status, ContractStatus::Active);
}

#[tokio::test]
async fn it_is_over_once_an_engine_works_at_one_of_its_marketplaces_and_comes_back_when_that_stops() {
    let desk = Desk::open().await;
    desk.serve("skinport").await;
    assert!(desk.is_unserved_after(2).await);
    desk.serve("csfloat").await;
    assert!(!desk.is_unserved_after(1).await);
    assert_eq!(desk.problem_states().await, [("NOT_SERVED", "RESOLVED")]);
    desk.serve("csfloat").await;
    assert!(!desk.is_unserved_after(2).await);
    assert!(desk.is_unserved_after(1).await);
}

#[tokio::test]
async fn an_engine_that_renews_its_work_between_looks_is_enough() {
    let desk = Desk::open().await;
    for _ in 0..4 {
        desk.serve("csfloat").await;
        assert!(!desk.is_unserved_after(1).await);
    }
    assert_eq!(desk.problem_states().await, []);
}

#[tokio::test]
async fn a_contract_that_is_paused_waits_for_no_engine() {
    let desk = Desk::open().await;
    assert!(desk.is_unserved_after(2).await);
    let (workspace_id, contract_id) = (desk.workspace_id(), desk.contract_id);
    let pause = PauseContract { workspace_id, contract_id, reason: None, expected_version: None };
    desk.operations().pause_contract(&desk.trader, pause).await.unwrap();
    assert_eq!(desk.problem_states().await, [("NOT_SERVED", "RESOLVED")]);
    assert!(!desk.is_unserved_after(2).await);
    let resume = ResumeContract { workspace_id, contract_id, expected_version: None };
    desk.operations().resume_contract(&desk.trader, resume).await.unwrap();
    assert!(desk.is_unserved_after(2).await);
}
