//! Proposals, counted against the limits of their contracts.

use super::*;

#[tokio::test]
async fn what_is_proposed_counts_against_quantity_open_limits_and_budgets() {
    let two = |limits| BuyingLimits { target_quantity: Some(2), ..limits };
    let limited = [
        (two(buying_limits()), "QUANTITY_REACHED"),
        (BuyingLimits { max_open_purchases: Some(2), ..buying_limits() }, "TOO_MANY_OPEN"),
        (BuyingLimits { budget_cents: Some(4_000), ..buying_limits() }, "BUDGET_TOO_LOW"),
        (BuyingLimits { daily_budget_cents: Some(4_000), ..buying_limits() }, "DAILY_BUDGET_TOO_LOW"),
        (BuyingLimits { max_per_item_name: Some(2), ..buying_limits() }, "ITEM_NAME_LIMIT"),
    ];
    for mode in [ApprovalMode::Manual, ApprovalMode::DryRun] {
        for (limits, reason) in limited.clone() {
            let desk = Desk::open().await;
            let contract_id = contract(&desk.world, &desk.trader, ContractTerms::Buying(limits)).await;
            let desk = Desk { contract_id, ..desk };
            let command =
                UpdateContract { approval_mode: Some(mode), ..renamed(desk.workspace_id(), desk.contract_id) };
            desk.operations().update_contract(&desk.trader, command).await.unwrap();
            let first = desk.propose(1).await;
            desk.propose(2).await;
            desk.forbidden(desk.operations().propose_intent(&desk.trader, desk.wanted(3)), reason).await;
            if mode == ApprovalMode::Manual {
                // What was rejected leaves room again, and what was proposed does not keep what was approved from being bought.
                let (workspace_id, intent_id) = (desk.workspace_id(), first.value.terms.id);
                let reject = RejectIntent { workspace_id, intent_id, expected_version: None, reason: None };
                desk.operations().reject_intent(&desk.trader, reject).await.unwrap();
                let third = desk.propose(3).await;
                let approved = desk.approve(&third).await.unwrap();
                desk.buy_approved(&approved).await.unwrap();
            }
        }
    }
}

#[tokio::test]
async fn of_many_who_propose_at_once_as_many_succeed_as_the_quantity_allows() {
    let desk = Desk::open().await;
    let limits = BuyingLimits { target_quantity: Some(2), ..buying_limits() };
    let contract_id = contract(&desk.world, &desk.trader, ContractTerms::Buying(limits)).await;
    let desk = Desk { contract_id, ..desk };
    let mode = Some(ApprovalMode::Manual);
    let command = UpdateContract { approval_mode: mode, ..renamed(desk.workspace_id(), desk.contract_id) };
    desk.operations().update_contract(&desk.trader, command).await.unwrap();
    let proposals = (1..=6).map(|number| desk.operations().propose_intent(&desk.trader, desk.wanted(number)));
    let proposed = futures::future::join_all(proposals).await;
    let succeeded = proposed.iter().filter(|proposed| proposed.is_ok()).count();
    assert!((1..=2).contains(&succeeded), "{proposed:?}");
    let refused = proposed.iter().filter_map(|proposed| proposed.as_ref().err());
    assert!(
        refused.clone().all(|refused| ["QUANTITY_REACHED", "CONFLICT"].contains(&refused.reason.as_str())),
        "{proposed:?}"
    );
}
