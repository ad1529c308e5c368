//! Decisions about intents while their contract makes others.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use tradepost_domain::contracts::contract::ApprovalMode;
use tradepost_operations::OpError;
use tradepost_operations::contracts::{
    ApproveIntent, BuyingLimits, CancelIntent, ContractTerms, RejectIntent, UpdateContract,
};

use crate::contracts::{Desk, buying_limits, contract, renamed};

/// How many propose at the same time.
const CALLERS: usize = 8;

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
    let (made, is_over) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicBool::new(false)));
    let mut busy = tokio::task::JoinSet::new();
    for first in (60..960).take(CALLERS) {
        let (operations, trader) = (desk.world.operations.clone(), desk.trader.clone());
        let (made, is_over) = (Arc::clone(&made), Arc::clone(&is_over));
        let proposals: Vec<_> = (first..960).step_by(CALLERS).map(|number| desk.wanted(number)).collect();
        busy.spawn(async move {
            for proposal in proposals {
                if is_over.load(Ordering::SeqCst) {
                    break;
                }
                operations.propose_intent(&trader, proposal).await?;
                made.fetch_add(1, Ordering::SeqCst);
            }
            Ok::<_, OpError>(())
        });
    }
    let (workspace_id, expected_version) = (desk.workspace_id(), None);
    let (many, mut decided_while_busy) = (waiting.len(), 0);
    for (number, intent_id) in waiting.into_iter().enumerate() {
        let (on, trader, before) = (desk.operations(), &desk.trader, made.load(Ordering::SeqCst));
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
        decided_while_busy += usize::from(made.load(Ordering::SeqCst) > before);
    }
    is_over.store(true, Ordering::SeqCst);
    assert!(decided_while_busy > many / 2, "no proposal was made during {} of {many}", many - decided_while_busy);
    assert!(busy.join_all().await.into_iter().all(|proposed| proposed.is_ok()));
}
