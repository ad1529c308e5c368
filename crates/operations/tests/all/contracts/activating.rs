//! What keeps a contract from being put to work: limits that its pool would never pay for, and marketplaces that are out of work.

use tradepost_operations::contracts::{
    BuyingLimits, ContractTerms, CreateContract, LimitsOfPool, SellingLimits, UpdateContract,
};

use super::pools::NO_LIMITS;
use super::{Desk, buying, buying_limits, draft, renamed};

#[tokio::test]
async fn a_contract_that_may_spend_more_than_its_pool_is_not_put_to_work() {
    let day = LimitsOfPool { daily_limit_cents: Some(1_999), ..NO_LIMITS };
    let cases = [
        (LimitsOfPool { budget_cents: 9_999, ..NO_LIMITS }, buying_limits()),
        (day, BuyingLimits { daily_budget_cents: Some(2_000), ..buying_limits() }),
        (LimitsOfPool { max_per_purchase_cents: Some(1_499), ..NO_LIMITS }, buying_limits()),
    ];
    for (limits, wanted) in cases {
        let desk = Desk::open().await;
        let pool_id = desk.pool(limits).await;
        let desk = desk.buying_from(pool_id, wanted).await;
        desk.forbidden(desk.activate(), "BEYOND_POOL").await;
        desk.limit(pool_id, NO_LIMITS).await.unwrap();
        desk.activate().await.unwrap();
    }
}

#[tokio::test]
async fn a_contract_at_work_gets_no_limits_beyond_its_pool_and_a_draft_is_written_in_steps() {
    let desk = Desk::open().await;
    let pool_id = desk.pool(NO_LIMITS).await;
    let desk = desk.buying_from(pool_id, buying_limits()).await;
    let budget = |cents| {
        let terms = ContractTerms::Buying(BuyingLimits { budget_cents: Some(cents), ..buying_limits() });
        UpdateContract { terms: Some(terms), ..renamed(desk.workspace_id(), desk.contract_id) }
    };
    let update = async |cents| desk.operations().update_contract(&desk.trader, budget(cents)).await;
    update(10_001).await.unwrap();
    desk.forbidden(desk.activate(), "BEYOND_POOL").await;
    update(9_000).await.unwrap();
    desk.activate().await.unwrap();
    desk.forbidden(update(10_001), "BEYOND_POOL").await;
    update(10_000).await.unwrap();
}

#[tokio::test]
async fn a_contract_needs_one_marketplace_that_works_and_those_without_a_record_do() {
    let desk = Desk::open().await;
    let (one, other) = (desk.provider("csfloat").await, desk.provider("skinport").await);
    desk.disable(one).await;
    desk.disable(other).await;
    let selling = ContractTerms::Selling(SellingLimits { floor_price_cents: Some(900), ..SellingLimits::default() });
    for (terms, marketplaces, works) in [
        (buying(), vec!["csfloat", "skinport"], false),
        (selling, vec!["csfloat"], false),
        (buying(), vec!["csfloat", "skinport", "dmarket"], true),
        (buying(), vec![], true),
    ] {
        let marketplaces = marketplaces.into_iter().map(ToOwned::to_owned).collect();
        let command = CreateContract { marketplaces, ..draft(desk.workspace_id(), terms) };
        let contract_id = desk.operations().create_contract(&desk.trader, command).await.unwrap().value.id;
        let workspace_id = desk.workspace_id();
        let activate =
            tradepost_operations::contracts::ActivateContract { workspace_id, contract_id, expected_version: None };
        let activated = desk.operations().activate_contract(&desk.trader, activate);
        if works {
            activated.await.unwrap();
        } else {
            desk.forbidden(activated, "PROVIDER_DISABLED").await;
        }
    }
}
