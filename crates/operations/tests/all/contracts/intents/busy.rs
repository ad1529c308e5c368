//! Decisions about intents while their contract makes others.

use tradepost_domain::contracts::contract::ApprovalMode;
use tradepost_operations::contracts::{
    ApproveIntent, BuyingLimits, CancelIntent, ContractTerms, RejectIntent, UpdateContract,
};

use crate::contracts::{Desk, buying_limits, contract, renamed};

impl Desk {
    /// A contract that asks first, with room for so many purchases.
    async fn asking_with_room_for(quantity: i64) -> Self {
        let desk = Self::open().await;
        let limits =
            BuyingLimits { target_quantity: Some(quantity), budget_cents: Some(10_000_000), ..buying_limits() };
        let contract_id = contract(&desk.world, &desk.trader, ContractTerms::Buying(limits)).await;
        let change =
            UpdateContract { approval_mode: Some(ApprovalMode::Manual), ..renamed(desk.workspace_id(), contract_id) };
        desk.operations().update_contract(&desk.trader, change).await.unwrap();
        Self { contract_id, ..desk }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn intents_are_approved_rejected_and_cancelled_while_their_contract_makes_others() {
    let desk = Desk::asking_with_room_for(1_000).await;
    let mut waiting = Vec::new();
    for number in 0..60 {
        waiting.push(desk.propose(number).await.value.terms.id);
    }
    let mut busy = tokio::task::JoinSet::new();
    for number in 60..600 {
        let (operations, trader) = (desk.world.operations.clone(), desk.trader.clone());
        let proposal = desk.wanted(number);
        busy.spawn(async move { operations.propose_intent(&trader, proposal).await.map(drop) });
    }
    let (workspace_id, expected_version) = (desk.workspace_id(), None);
    for (number, intent_id) in waiting.into_iter().enumerate() {
        let (on, trader) = (desk.operations(), &desk.trader);
        let decided = match number % 3 {
            0 => on.approve_intent(trader, ApproveIntent { workspace_id, intent_id, expected_version }).await,
            1 => {
                let reject = RejectIntent { workspace_id, intent_id, expected_version, reason: None };
                on.reject_intent(trader, reject).await
            }
            _ => {
                let cancel = CancelIntent { workspace_id, intent_id, expected_version, reason: None };
                on.cancel_intent(trader, cancel).await
            }
        };
        decided.unwrap();
    }
    assert!(busy.join_all().await.into_iter().all(|proposed| proposed.is_ok()));
}
