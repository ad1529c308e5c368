//! Drafting and activating contracts.

use time::Duration;
use tradepost_domain::contracts::contract::{ApprovalMode, ContractStatus, PriceStatistic, Terms, Undercut};
use tradepost_domain::transition::Subject;
use tradepost_operations::Code;
use tradepost_operations::contracts::{
    ActivateContract, BuyingLimits, ContractTerms, CreateContract, PriceSource, SellingLimits, UndercutBy,
};
use tradepost_ports::clock::Clock as _;

use super::{Desk, buying, buying_limits, cents, draft};

fn activation(desk: &Desk, contract_id: tradepost_domain::id::ContractId) -> ActivateContract {
    ActivateContract { workspace_id: desk.workspace_id(), contract_id, expected_version: None }
}

fn sources(names: &[&str]) -> PriceSource {
    PriceSource {
        sources: names.iter().map(|name| (*name).to_owned()).collect(),
        statistic: PriceStatistic::Median,
        max_age_seconds: Some(600),
        min_confidence_bps: Some(7_000),
    }
}

#[tokio::test]
async fn a_contract_is_drafted_with_everything_it_was_given() {
    let desk = Desk::open().await;
    let limits = BuyingLimits { daily_budget_cents: Some(3_000), min_liquidity_score: Some(100), ..buying_limits() };
    let pool_id = Some(desk.pool(super::pools::NO_LIMITS).await);
    let command = CreateContract {
        pool_id,
        approval_mode: ApprovalMode::Manual,
        price_reference: Some(sources(&["skinport", "dmarket"])),
        ..draft(desk.workspace_id(), ContractTerms::Buying(limits))
    };
    let drafted = desk.operations().create_contract(&desk.trader, command).await.unwrap();
    assert_eq!((drafted.value.status, drafted.version), (ContractStatus::Draft, 1));
    let Terms::Buying(terms) = &drafted.value.terms else { panic!("a buying contract was drafted") };
    assert_eq!((terms.target_quantity, terms.daily_budget), (10, Some(cents(3_000))));
    assert_eq!((drafted.value.approval_mode, drafted.value.pool_id), (ApprovalMode::Manual, pool_id));
    assert_eq!(drafted.value.price_reference.as_ref().map(|reference| reference.sources.len()), Some(2));
    let log = desk.log(Subject::Contract(drafted.value.id)).await;
    assert_eq!(log.iter().map(|step| (step.from, step.to)).collect::<Vec<_>>(), [(None, "DRAFT")]);
}

#[tokio::test]
async fn a_selling_contract_is_drafted_with_its_undercut() {
    let desk = Desk::open().await;
    let undercut = Some(UndercutBy::Cents(5));
    let limits = SellingLimits { floor_price_cents: Some(900), undercut, ..SellingLimits::default() };
    let command = draft(desk.workspace_id(), ContractTerms::Selling(limits));
    let drafted = desk.operations().create_contract(&desk.trader, command).await.unwrap();
    let Terms::Selling(terms) = &drafted.value.terms else { panic!("a selling contract was drafted") };
    assert_eq!((terms.floor_price, terms.undercut), (cents(900), Some(Undercut::Amount(cents(5)))));
}

#[tokio::test]
async fn a_field_that_breaks_a_rule_is_named() {
    let desk = Desk::open().await;
    let plain = || draft(desk.workspace_id(), buying());
    let limited = |limits| draft(desk.workspace_id(), ContractTerms::Buying(limits));
    let sell = |limits| draft(desk.workspace_id(), ContractTerms::Selling(limits));
    let now = desk.world.clock.now();
    let many = |count: usize| (0..count).map(|number| format!("market-{number}")).collect::<Vec<_>>();
    let cases = [
        ("name", CreateContract { name: " ".to_owned(), ..plain() }),
        ("name", CreateContract { name: "x".repeat(65), ..plain() }),
        ("marketplaces", CreateContract { marketplaces: vec![String::new()], ..plain() }),
        ("marketplaces", CreateContract { marketplaces: vec!["csfloat".to_owned(); 2], ..plain() }),
        ("marketplaces", CreateContract { marketplaces: many(33), ..plain() }),
        ("endsAt", CreateContract { starts_at: Some(now), ends_at: Some(now), ..plain() }),
        ("priceReference.sources", CreateContract { price_reference: Some(sources(&["a", "a"])), ..plain() }),
        ("buying.targetQuantity", limited(BuyingLimits { target_quantity: None, ..buying_limits() })),
        ("buying.targetQuantity", limited(BuyingLimits { target_quantity: Some(-1), ..buying_limits() })),
        ("buying.maxBuyPriceCents", limited(BuyingLimits { max_buy_price_cents: Some(-1), ..buying_limits() })),
        ("buying.maxDailyLossCents", limited(BuyingLimits { max_daily_loss_cents: Some(-1), ..buying_limits() })),
        ("buying.budgetCents", limited(BuyingLimits { budget_cents: Some(i64::MAX), ..buying_limits() })),
        ("buying.minDiscountBps", limited(BuyingLimits { min_discount_bps: Some(10_001), ..buying_limits() })),
        ("buying.minLiquidityScore", limited(BuyingLimits { min_liquidity_score: Some(101), ..buying_limits() })),
        ("selling.floorPriceCents", sell(SellingLimits::default())),
        (
            "selling.undercutBps",
            sell(SellingLimits {
                floor_price_cents: Some(900),
                undercut: Some(UndercutBy::Bps(-1)),
                ..SellingLimits::default()
            }),
        ),
    ];
    for (field, command) in cases {
        let before = format!("{:?}", desk.world.store);
        let error = desk.operations().create_contract(&desk.trader, command).await.unwrap_err();
        assert_eq!((error.code, error.reason.as_str()), (Code::InvalidArgument, "INVALID_FIELD"), "{field}");
        assert!(error.message.starts_with(field), "{field}: {}", error.message);
        assert_eq!(format!("{:?}", desk.world.store), before, "{field}");
    }
}

#[tokio::test]
async fn a_draft_is_activated() {
    let desk = Desk::open().await;
    let active = desk.contract().await;
    assert_eq!((active.value.status, active.version), (ContractStatus::Active, 2));
    let log = desk.log(Subject::Contract(desk.contract_id)).await;
    assert_eq!(log.iter().map(|step| (step.to, step.version)).collect::<Vec<_>>(), [("DRAFT", 1), ("ACTIVE", 2)]);
}

#[tokio::test]
async fn a_contract_is_activated_once() {
    let desk = Desk::open().await;
    let again = activation(&desk, desk.contract_id);
    desk.forbidden(desk.operations().activate_contract(&desk.trader, again), "ILLEGAL_STEP").await;
}

#[tokio::test]
async fn limits_that_contradict_each_other_keep_a_contract_from_working() {
    let desk = Desk::open().await;
    let contradictions = [
        BuyingLimits { target_quantity: Some(0), ..buying_limits() },
        BuyingLimits { max_buy_price_cents: Some(0), ..buying_limits() },
        BuyingLimits { max_buy_price_cents: Some(15_001), ..buying_limits() },
        BuyingLimits { daily_budget_cents: Some(1_499), ..buying_limits() },
        BuyingLimits { max_daily_loss_cents: Some(0), ..buying_limits() },
        BuyingLimits { max_open_purchases: Some(0), ..buying_limits() },
    ];
    for limits in contradictions {
        let command = draft(desk.workspace_id(), ContractTerms::Buying(limits));
        let drafted = desk.operations().create_contract(&desk.trader, command).await.unwrap();
        let activation = activation(&desk, drafted.value.id);
        desk.forbidden(desk.operations().activate_contract(&desk.trader, activation), "CONTRACT_LIMITS").await;
    }
}

#[tokio::test]
async fn a_contract_whose_time_is_over_is_not_activated() {
    let desk = Desk::open().await;
    let ends_at = Some(desk.world.clock.now().plus(Duration::hours(1)));
    let command = CreateContract { ends_at, ..draft(desk.workspace_id(), buying()) };
    let drafted = desk.operations().create_contract(&desk.trader, command).await.unwrap();
    desk.advance_clock(Duration::hours(1));
    let late = activation(&desk, drafted.value.id);
    desk.forbidden(desk.operations().activate_contract(&desk.trader, late), "CONTRACT_ENDED").await;
}

#[tokio::test]
async fn a_contract_that_changed_since_it_was_seen_is_not_activated() {
    let desk = Desk::open().await;
    let drafted = desk.operations().create_contract(&desk.trader, draft(desk.workspace_id(), buying())).await.unwrap();
    let stale = ActivateContract { expected_version: Some(2), ..activation(&desk, drafted.value.id) };
    desk.forbidden(desk.operations().activate_contract(&desk.trader, stale), "VERSION_MISMATCH").await;
    let error = desk.operations().activate_contract(&desk.trader, stale).await.unwrap_err();
    assert!(error.message.contains("expectedVersion is 2") && error.message.contains("version 1"), "{error}");
    let seen = ActivateContract { expected_version: Some(1), ..stale };
    assert_eq!(desk.operations().activate_contract(&desk.trader, seen).await.unwrap().version, 2);
}

#[tokio::test]
async fn a_draft_may_have_ended_and_is_then_not_activated() {
    let desk = Desk::open().await;
    let ends_at = Some(desk.world.clock.now().plus(Duration::days(-1)));
    let command = CreateContract { ends_at, ..draft(desk.workspace_id(), buying()) };
    let drafted = desk.operations().create_contract(&desk.trader, command).await.unwrap();
    let activation = activation(&desk, drafted.value.id);
    desk.forbidden(desk.operations().activate_contract(&desk.trader, activation), "CONTRACT_ENDED").await;
}
