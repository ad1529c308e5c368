//! Decisions by a contract alone, by an operator, or in a dry run, and the records of them.

use time::Duration;
use tradepost_domain::contracts::contract::ApprovalMode;
use tradepost_domain::contracts::evaluation::Decision;
use tradepost_domain::contracts::intent::{Intent, IntentKind, IntentStatus};
use tradepost_domain::contracts::inventory_item::{InventoryItem, ItemStatus};
use tradepost_operations::contracts::{
    ActOn, ContractTerms, CreateIntent, DelistItem, GetEvaluation, ListItemForSale, PauseContract, RepriceItem,
    ResumeContract, SellingLimits, WantedListing,
};
use tradepost_operations::{Caller, Versioned};

use crate::desk::{Desk, MARKET, all_items, cents};

impl Desk {
    /// An active contract that sells nothing below this price.
    async fn selling_above(&self, floor: i64) {
        let limits = SellingLimits { floor_price_cents: Some(floor), ..SellingLimits::default() };
        self.contract("Sells what is expensive", ContractTerms::Selling(limits), ApprovalMode::Automatic).await;
    }
}

/// Whether the one item that was bought can be put on sale.
fn can_be_sold(desk: &Desk, items: &[InventoryItem]) -> bool {
    let now = desk.simulator.world(|world| world.now());
    items.len() == 1 && items[0].lock.is_none_or(|lock| lock.until <= now)
}

#[tokio::test]
async fn every_purchase_has_its_intent_and_the_evaluation_that_says_why() {
    let desk = Desk::lively(31).await;
    desk.buying(2).await;
    desk.live_until(&mut desk.engine(), |_, items| items.len() == 2).await;
    let intents = desk.intents(IntentKind::Buy).await;
    assert_eq!(intents.len(), 2);
    for intent in intents {
        assert_eq!(intent.value.status, IntentStatus::Succeeded);
        let evaluation_id = intent.value.terms.basis.evaluation_id.unwrap();
        let get = GetEvaluation { workspace_id: desk.workspace_id, evaluation_id };
        let evaluation = desk.operations.get_evaluation(&Caller::system(), get).await.unwrap();
        assert_eq!(evaluation.decision, Decision::Buy);
        assert!(evaluation.reasons.iter().all(|reason| reason.passed));
    }
}

#[tokio::test]
async fn a_contract_that_asks_first_proposes_each_listing_once_and_buys_what_a_person_approves() {
    let mut desk = Desk::lively(32).await;
    desk.step = Duration::seconds(5);
    desk.buying_when(ApprovalMode::Manual, 3).await;
    let mut engine = desk.engine();
    desk.live(&mut engine, Duration::minutes(1)).await;
    let proposed = desk.intents(IntentKind::Buy).await;
    assert!(!proposed.is_empty() && desk.purchases().await.is_empty());
    desk.live(&mut engine, Duration::seconds(10)).await;
    let again = desk.intents(IntentKind::Buy).await;
    let mut listings: Vec<_> = again.iter().map(|intent| format!("{:?}", intent.value.terms.target)).collect();
    listings.sort_unstable();
    listings.dedup();
    assert_eq!(listings.len(), again.len(), "a listing was proposed twice");

    desk.approve(&again[0]).await;
    desk.live(&mut engine, Duration::seconds(10)).await;
    let purchases = desk.purchases().await;
    assert_eq!(purchases.len(), 1);
    assert_eq!(purchases[0].terms.intent_id, Some(again[0].value.terms.id));
}

#[tokio::test]
async fn an_intent_withdrawn_by_a_pause_is_proposed_again_once_the_contract_resumes() {
    let mut desk = Desk::lively(36).await;
    desk.step = Duration::seconds(5);
    let contract_id = desk.buying_when(ApprovalMode::Manual, 3).await;
    let mut engine = desk.engine();
    desk.live(&mut engine, Duration::seconds(5)).await;
    let before = desk.intents(IntentKind::Buy).await;
    assert!(!before.is_empty());
    let (workspace_id, expected_version) = (desk.workspace_id, None);
    let pause = PauseContract { workspace_id, contract_id, reason: None, expected_version };
    desk.operations.pause_contract(&Caller::system(), pause).await.unwrap();
    desk.live(&mut engine, Duration::seconds(5)).await;
    assert!(desk.intents(IntentKind::Buy).await.iter().all(|one| one.value.status == IntentStatus::Cancelled));
    let resume = ResumeContract { workspace_id, contract_id, expected_version };
    desk.operations.resume_contract(&Caller::system(), resume).await.unwrap();
    desk.live(&mut engine, Duration::seconds(5)).await;
    let listing = |intent: &Versioned<Intent>| format!("{:?}", intent.value.terms.target);
    let proposed: Vec<_> = desk.intents(IntentKind::Buy).await;
    let waiting: Vec<_> =
        proposed.iter().filter(|one| one.value.status == IntentStatus::Proposed).map(listing).collect();
    assert!(before.iter().any(|intent| waiting.contains(&listing(intent))), "{waiting:?}");
}

#[tokio::test]
async fn an_approved_intent_is_executed_by_passes_half_an_hour_apart() {
    let mut desk = Desk::slow(38).await;
    desk.step = Duration::minutes(30);
    desk.buying(1).await;
    let mut engine = desk.engine();
    desk.live_until(&mut engine, |_, items| can_be_sold(&desk, items)).await;
    let (workspace_id, inventory_item_id) = (desk.workspace_id, desk.items().await[0].id);
    let (marketplace, price_cents) = (MARKET.to_owned(), Some(9_000_000));
    let list = ListItemForSale { workspace_id, inventory_item_id, marketplace, price_cents };
    desk.operations.list_item_for_sale(&Caller::system(), list).await.unwrap();
    desk.simulator.advance(desk.step);
    desk.operations.expire_intents().await.unwrap();
    engine.pass().await;
    assert_eq!(desk.intents(IntentKind::List).await[0].value.status, IntentStatus::Succeeded);
}

#[tokio::test]
async fn an_approved_intent_that_no_engine_executes_expires_with_its_reason() {
    let desk = Desk::slow(39).await;
    let contract_id = desk.buying_when(ApprovalMode::Manual, 1).await;
    let listing = WantedListing {
        marketplace: "elsewhere".to_owned(),
        listing_id: "listing-1".to_owned(),
        listing_asset_id: "1001".to_owned(),
        market_hash_name: "AK-47 | Redline (Field-Tested)".to_owned(),
        phase: String::new(),
        price_cents: Some(1_200),
        platform_fee_cents: None,
        max_buy_price_cents: None,
    };
    let (workspace_id, act_on) = (desk.workspace_id, ActOn::Listing(listing));
    let command = CreateIntent { workspace_id, contract_id, kind: IntentKind::Buy, act_on };
    let proposed = desk.operations.create_intent(&Caller::system(), command).await.unwrap();
    desk.approve(&proposed).await;
    let wanted = proposed.value.terms.id;
    desk.live(&mut desk.engine(), Duration::minutes(30)).await;
    let intents = desk.intents(IntentKind::Buy).await;
    let intent = intents.into_iter().find(|intent| intent.value.terms.id == wanted).unwrap().value.clone();
    assert_eq!(intent.status, IntentStatus::Expired);
    assert_eq!(intent.failed_check.as_ref().unwrap().as_str(), "NOT_SERVED");
}

#[tokio::test]
async fn a_dry_run_contract_records_decisions_and_buys_nothing() {
    let desk = Desk::lively(33).await;
    desk.buying_when(ApprovalMode::DryRun, 3).await;
    desk.live(&mut desk.engine(), Duration::hours(12)).await;
    let intents = desk.intents(IntentKind::Buy).await;
    assert_eq!(intents.len(), 3, "as many as it would have bought");
    assert!(intents.iter().all(|intent| intent.value.status == IntentStatus::Cancelled));
    assert!(desk.purchases().await.is_empty());
}

#[tokio::test]
async fn an_engine_lists_reprices_and_delists_an_item_as_an_operator_requests() {
    let desk = Desk::slow(34).await;
    desk.buying(1).await;
    let mut engine = desk.engine();
    desk.live_until(&mut engine, |_, items| can_be_sold(&desk, items)).await;
    let (workspace_id, inventory_item_id) = (desk.workspace_id, desk.items().await[0].id);
    let caller = Caller::system();

    let (marketplace, price_cents) = (MARKET.to_owned(), Some(9_000_000));
    let list = ListItemForSale { workspace_id, inventory_item_id, marketplace, price_cents };
    desk.operations.list_item_for_sale(&caller, list).await.unwrap();
    desk.live_until(&mut engine, all_items(1, ItemStatus::Listed)).await;

    let reprice = RepriceItem { workspace_id, inventory_item_id, price_cents: Some(8_000_000) };
    desk.operations.reprice_item(&caller, reprice).await.unwrap();
    desk.live_until(&mut engine, |_, items| items[0].list_price == Some(cents(8_000_000))).await;

    desk.operations.delist_item(&caller, DelistItem { workspace_id, inventory_item_id }).await.unwrap();
    desk.live_until(&mut engine, all_items(1, ItemStatus::InInventory)).await;
    for kind in [IntentKind::List, IntentKind::Reprice, IntentKind::Delist] {
        assert_eq!(desk.intents(kind).await[0].value.status, IntentStatus::Succeeded, "{kind}");
    }
    desk.assert_sound().await;
}

#[tokio::test]
async fn a_selling_contract_that_asks_first_lists_what_a_person_approves() {
    let desk = Desk::slow(35).await;
    desk.buying(1).await;
    desk.selling_when(ApprovalMode::Manual).await;
    let mut engine = desk.engine();
    desk.live_until(&mut engine, |_, items| can_be_sold(&desk, items)).await;
    let proposed = loop {
        desk.live(&mut engine, Duration::minutes(10)).await;
        if let Some(proposed) = desk.intents(IntentKind::List).await.into_iter().next() {
            break proposed;
        }
    };
    assert_eq!(desk.item_statuses().await, [ItemStatus::InInventory]);
    desk.approve(&proposed).await;
    desk.live_until(&mut engine, all_items(1, ItemStatus::Listed)).await;
}

#[tokio::test]
async fn no_contract_reprices_an_item_that_an_operator_has_listed() {
    let desk = Desk::slow(37).await;
    desk.buying(1).await;
    let mut engine = desk.engine();
    desk.live_until(&mut engine, |_, items| can_be_sold(&desk, items)).await;
    let (workspace_id, inventory_item_id) = (desk.workspace_id, desk.items().await[0].id);
    let (marketplace, price_cents) = (MARKET.to_owned(), Some(9_000_000));
    let list = ListItemForSale { workspace_id, inventory_item_id, marketplace, price_cents };
    desk.operations.list_item_for_sale(&Caller::system(), list).await.unwrap();
    desk.live_until(&mut engine, all_items(1, ItemStatus::Listed)).await;
    desk.selling().await;
    desk.live(&mut engine, Duration::hours(2)).await;
    assert_eq!(desk.intents(IntentKind::Reprice).await, []);
    assert_eq!(desk.items().await[0].list_price, Some(cents(9_000_000)));
}

#[tokio::test]
async fn an_item_that_stays_in_the_inventory_is_judged_again_only_when_something_has_changed() {
    let (desk, mut engine) = Desk::stocked_with(36, 3).await;
    desk.selling_above(1_000_000).await;
    assert_eq!([engine.pass().await.judged, engine.pass().await.judged], [3, 0]);
    desk.selling_above(2_000_000).await;
    assert_eq!([engine.pass().await.judged, engine.pass().await.judged], [3, 0], "there is another contract");
    desk.simulator.advance(Duration::minutes(10));
    assert_eq!(engine.pass().await.judged, 3, "time has passed");
}
