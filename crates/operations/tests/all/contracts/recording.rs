//! Recording purchases.

use std::sync::Arc;

use time::Duration;
use tradepost_domain::contracts::contract::{ApprovalMode, Counters};
use tradepost_domain::contracts::purchase::{CancelCause, PurchaseEvent, PurchaseStatus};
use tradepost_domain::id::ContractId;
use tradepost_domain::transition::Subject;
use tradepost_operations::Code;
use tradepost_operations::contracts::{
    ActivateContract, BuyingLimits, ContractTerms, CreateContract, RecordPurchase, SellingLimits,
};
use tradepost_ports::clock::Clock as _;

use super::{Desk, buying, buying_limits, cents, contract, draft};

#[tokio::test]
async fn a_purchase_reserves_its_worst_case_under_its_contract() {
    let desk = Desk::open().await;
    let recorded = desk.operations().record_purchase(&desk.trader, desk.listing(1)).await.unwrap();
    assert_eq!((recorded.value.status, recorded.version), (PurchaseStatus::Pending, 1));
    let reserved = Counters { open_quantity: 1, reserved: cents(1_500), ..Counters::default() };
    assert_eq!(desk.counters().await, reserved);
    let log = desk.log(Subject::Purchase(recorded.value.terms.id)).await;
    assert_eq!(log.iter().map(|step| (step.from, step.to)).collect::<Vec<_>>(), [(None, "PENDING")]);
}

#[tokio::test]
async fn a_listing_is_bought_once_at_a_time() {
    let desk = Desk::open().await;
    let first = desk.buy(1).await;
    let again = desk.operations().record_purchase(&desk.trader, desk.listing(1));
    desk.refused(again, Code::AlreadyExists, "LISTING_TAKEN").await;
    desk.advance(first, PurchaseEvent::Cancelled(CancelCause::Withdrawn)).await.unwrap();
    assert_ne!(desk.buy(1).await, first);
}

#[tokio::test]
async fn a_field_that_breaks_a_rule_is_named() {
    let desk = Desk::open().await;
    let cases = [
        ("marketHashName", RecordPurchase { market_hash_name: String::new(), ..desk.listing(1) }),
        ("listingPriceCents", RecordPurchase { listing_price_cents: -1, ..desk.listing(1) }),
        ("listingPriceCents", RecordPurchase { listing_price_cents: 0, ..desk.listing(1) }),
        ("maxBuyPriceCents", RecordPurchase { max_buy_price_cents: 1_229, ..desk.listing(1) }),
        ("platformFeeCents", RecordPurchase { platform_fee_cents: i64::MAX, ..desk.listing(1) }),
        ("listingId", RecordPurchase { listing_id: "x".repeat(129), ..desk.listing(1) }),
        ("listingAssetId", RecordPurchase { listing_asset_id: "012".to_owned(), ..desk.listing(1) }),
        ("marketplace", RecordPurchase { marketplace: "\u{202E}".to_owned(), ..desk.listing(1) }),
        ("accountName", RecordPurchase { account_name: " ".to_owned(), ..desk.listing(1) }),
    ];
    for (field, command) in cases {
        let error = desk.operations().record_purchase(&desk.trader, command).await.unwrap_err();
        assert_eq!((error.code, error.reason.as_str()), (Code::InvalidArgument, "INVALID_FIELD"), "{field}");
        assert!(error.message.starts_with(field), "{field}: {}", error.message);
    }
    assert_eq!(desk.counters().await, Counters::default());
}

/// Expects that the contract refuses a purchase of the first listing.
pub(super) async fn refuses(desk: &Desk, contract_id: ContractId, reason: &str) {
    let command = RecordPurchase { contract_id, ..desk.listing(1) };
    desk.forbidden(desk.operations().record_purchase(&desk.trader, command), reason).await;
}

async fn activated(desk: &Desk, command: CreateContract) -> ContractId {
    let contract_id = desk.operations().create_contract(&desk.trader, command).await.unwrap().value.id;
    let command = ActivateContract { workspace_id: desk.workspace_id(), contract_id, expected_version: None };
    desk.operations().activate_contract(&desk.trader, command).await.unwrap();
    contract_id
}

#[tokio::test]
async fn an_inactive_contract_buys_nothing() {
    let desk = Desk::open().await;
    let drafted = desk.operations().create_contract(&desk.trader, draft(desk.workspace_id(), buying())).await.unwrap();
    refuses(&desk, drafted.value.id, "CONTRACT_NOT_ACTIVE").await;
}

#[tokio::test]
async fn a_contract_that_sells_and_a_dry_run_buy_nothing() {
    let desk = Desk::open().await;
    let selling = ContractTerms::Selling(SellingLimits { floor_price_cents: Some(900), ..SellingLimits::default() });
    refuses(&desk, contract(&desk.world, &desk.trader, selling).await, "CONTRACT_NEVER_BUYS").await;
    let dry_run = CreateContract { approval_mode: ApprovalMode::DryRun, ..draft(desk.workspace_id(), buying()) };
    refuses(&desk, activated(&desk, dry_run).await, "CONTRACT_NEVER_BUYS").await;
}

#[tokio::test]
async fn a_contract_buys_on_its_marketplaces_alone() {
    let desk = Desk::open().await;
    desk.provider("dmarket").await;
    let elsewhere = CreateContract { marketplaces: vec!["dmarket".to_owned()], ..draft(desk.workspace_id(), buying()) };
    refuses(&desk, activated(&desk, elsewhere).await, "OTHER_MARKETPLACE").await;
}

#[tokio::test]
async fn a_contract_buys_within_its_time_alone() {
    let desk = Desk::open().await;
    let starts_at = Some(desk.world.clock.now().plus(Duration::hours(1)));
    let later = CreateContract { starts_at, ..draft(desk.workspace_id(), buying()) };
    let contract_id = activated(&desk, later).await;
    refuses(&desk, contract_id, "CONTRACT_OUT_OF_TIME").await;
    desk.advance_clock(Duration::hours(1));
    let command = RecordPurchase { contract_id, ..desk.listing(1) };
    assert!(desk.operations().record_purchase(&desk.trader, command).await.is_ok());
}

#[tokio::test]
async fn a_purchase_costs_at_most_what_its_contract_allows() {
    let desk = Desk::open().await;
    let command = RecordPurchase { max_buy_price_cents: 1_501, ..desk.listing(1) };
    desk.forbidden(desk.operations().record_purchase(&desk.trader, command), "TOO_EXPENSIVE").await;
}

#[tokio::test]
async fn a_contract_keeps_its_limits_of_quantity_open_purchases_and_money() {
    let cases = [
        (BuyingLimits { target_quantity: Some(1), ..buying_limits() }, "QUANTITY_REACHED"),
        (BuyingLimits { max_open_purchases: Some(1), ..buying_limits() }, "TOO_MANY_OPEN"),
        (BuyingLimits { budget_cents: Some(2_999), ..buying_limits() }, "BUDGET_TOO_LOW"),
    ];
    for (limits, reason) in cases {
        let mut desk = Desk::open().await;
        desk.contract_id = contract(&desk.world, &desk.trader, ContractTerms::Buying(limits)).await;
        desk.buy(2).await;
        refuses(&desk, desk.contract_id, reason).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_race_for_the_last_places_never_overbooks() {
    let mut desk = Desk::open().await;
    let limits = BuyingLimits { target_quantity: Some(3), ..buying_limits() };
    desk.contract_id = contract(&desk.world, &desk.trader, ContractTerms::Buying(limits)).await;
    let desk = Arc::new(desk);
    let racers: Vec<_> = (0..16)
        .map(|number| {
            let desk = desk.clone();
            tokio::spawn(async move { desk.operations().record_purchase(&desk.trader, desk.listing(number)).await })
        })
        .collect();
    let mut won = 0;
    for racer in racers {
        match racer.await.unwrap() {
            Ok(_) => won += 1,
            Err(error) => assert!(["QUANTITY_REACHED", "CONFLICT"].contains(&error.reason.as_str()), "{error:?}"),
        }
    }
    assert!((1..=3).contains(&won));
    assert_eq!(desk.counters().await.open_quantity, won);
}
