//! Trades that are rejected because of the current state: each with its reason, and nothing is changed by it.

use serde_json::{Value, json};
use time::Duration;
use tradepost_domain::asset::AssetId;
use tradepost_domain::contracts::inventory_item::{ItemEvent, SalePlace};
use tradepost_domain::contracts::purchase::PurchaseEvent;
use tradepost_domain::contracts::remediation::RemediationKind;
use tradepost_domain::markets::provider::{ProviderKind, ProviderReport};
use tradepost_domain::money::Cents;
use tradepost_domain::transition::Subject;
use tradepost_operations::contracts::RecordPurchase;
use tradepost_operations::markets::RecordProviderHealth;
use tradepost_operations::{Caller, Code};
use tradepost_ports::clock::Clock as _;
use tradepost_testkit::samples::{Samples, text};

use super::pools::{buying_from_a_pool, in_workspace, trading};
use crate::cases::merged;
use crate::harness::{Key, World, on_both_databases};

const REDLINE: &str = "AK-47 | Redline (Field-Tested)";

/// A call that the state of things does not allow.
async fn refused(world: &World, method: &str, request: Value, reason: &str) {
    let before = world.contents().await;
    world.call(Key::Full, method, &in_workspace(world, request)).await.assert_refused("failed_precondition", reason);
    assert_eq!(world.contents().await, before, "{method} {reason}");
}

/// The same of a purchase, which has no call of its own.
async fn not_bought(world: &World, listing: RecordPurchase, reason: &str) {
    let before = world.contents().await;
    let refusal = world.app.operations().record_purchase(&Caller::system(), listing).await.unwrap_err();
    assert_eq!((refusal.code, refusal.reason.as_str()), (Code::FailedPrecondition, reason));
    assert_eq!(world.contents().await, before, "{reason}");
}

async fn done(world: &World, method: &str, request: Value) -> Value {
    world.call(Key::Full, method, &in_workspace(world, request)).await.ok()
}

fn cents(amount: i64) -> Cents {
    Cents::new(amount).unwrap()
}

/// A marketplace was observed, with its fees or without them.
async fn looked_at(world: &World, name: &str, has_told: bool) {
    world.clock.advance(Duration::seconds(1));
    let mut report: ProviderReport = Samples::seeded(9).good_report(world.clock.now());
    report.fees = report.fees.filter(|_| has_told);
    let (workspace_id, kind, name) = (world.desk.workspace_id, ProviderKind::Marketplace, text(name));
    let command = RecordProviderHealth { workspace_id, kind, name, report };
    world.app.operations().record_provider_health(&Caller::system(), command).await.unwrap();
}

/// What a contract makes of a listing at 15.00 by what two sources say: the decision, and the first rule that is not met with what was found.
async fn judged(world: &World, contract: &Value, quotes: [Value; 2]) -> (String, String) {
    let listing = json!({ "marketHashName": REDLINE, "priceCents": "1500" });
    let quotes = quotes.map(|quote| merged(json!({ "marketHashName": REDLINE }), &quote));
    let market = json!({ "buyFeeBps": 250, "quotes": quotes });
    let request = json!({ "contractId": contract, "marketplace": "simulator", "listing": listing, "market": market });
    let evaluation = done(world, "EvaluateContract", request).await["evaluation"].clone();
    let reasons = evaluation["reasons"].as_array().unwrap();
    let failed = reasons.iter().find(|reason| reason["passed"] != json!(true));
    let why =
        failed.map(|reason| format!("{} {}", reason["code"].as_str().unwrap(), reason["actual"].as_str().unwrap()));
    (evaluation["decision"].as_str().unwrap().to_owned(), why.unwrap_or_default())
}

on_both_databases! {
    async fn a_purchase_beyond_a_limit_of_its_pool_or_of_its_contracts_pace_is_not_recorded(database) {
        let world = World::new(database).await;
        let (pool, contract) = buying_from_a_pool(&world, 50_000).await;
        let contract_id = contract.as_str().unwrap().parse().unwrap();
        trading(&world).record(contract_id, 3_000).await;
        let listing = || trading(&world).listing(contract_id, 3_001);
        for (limit, most, reason) in [
            ("maxPerPurchaseCents", "1499", "POOL_PURCHASE_LIMIT"),
            ("maxExposurePerItemCents", "2999", "POOL_ITEM_EXPOSURE"),
            ("dailyLimitCents", "2999", "POOL_DAILY_LIMIT"),
        ] {
            let limits = merged(json!({ "budgetCents": "1000000" }), &json!({ limit: most }));
            done(&world, "UpdatePool", json!({ "poolId": pool, "limits": limits })).await;
            not_bought(&world, listing(), reason).await;
        }
        done(&world, "UpdatePool", json!({ "poolId": pool, "limits": { "budgetCents": "1000000" } })).await;
        let terms = |budget: &str| json!({
            "targetQuantity": 1000, "maxBuyPriceCents": "1500", "budgetCents": budget, "cooldownSeconds": 60,
        });
        let update = |budget: &str| json!({ "contractId": contract, "buying": terms(budget) });
        refused(&world, "UpdateContract", update("1000001"), "BEYOND_POOL").await;
        done(&world, "UpdateContract", update("1000000")).await;
        not_bought(&world, listing(), "COOLING_DOWN").await;
        world.clock.advance(Duration::seconds(60));
        trading(&world).record(contract_id, 3_001).await;
    }

    async fn a_contract_that_nobody_could_work_for_is_not_put_to_work(database) {
        let world = World::new(database).await;
        let draft = json!({ "contractId": world.desk.draft.to_string() });
        let activation = |reason: &'static str| refused(&world, "ActivateContract", draft.clone(), reason);
        let beyond = json!({ "targetQuantity": 5, "maxBuyPriceCents": "1500", "budgetCents": "1000001" });
        done(&world, "UpdateContract", merged(draft.clone(), &json!({ "buying": beyond }))).await;
        activation("BEYOND_POOL").await;
        let covered = json!({ "targetQuantity": 5, "maxBuyPriceCents": "1500", "budgetCents": "1000000" });
        done(&world, "UpdateContract", merged(draft.clone(), &json!({ "buying": covered }))).await;

        let provider = json!({ "providerId": world.provider("simulator").await.to_string() });
        refused(&world, "DeleteProvider", provider.clone(), "PROVIDER_IN_USE").await;
        looked_at(&world, "simulator", false).await;
        activation("FEES_UNKNOWN").await;
        looked_at(&world, "simulator", true).await;
        done(&world, "DisableProvider", provider.clone()).await;
        activation("PROVIDER_DISABLED").await;
        not_bought(&world, trading(&world).listing(world.desk.contract, 3_010), "PROVIDER_DISABLED").await;
        world.clock.advance(Duration::days(7));
        let sale = json!({
            "inventoryItemId": world.desk.item.to_string(), "marketplace": "simulator", "priceCents": "1900",
        });
        refused(&world, "ListItemForSale", sale, "PROVIDER_DISABLED").await;
        done(&world, "EnableProvider", provider).await;

        let account_id = world.account(1).await;
        world.assignment_of(world.desk.workspace_id, world.desk.pool, account_id).await;
        let account = json!({ "accountId": account_id.to_string() });
        done(&world, "DisableAccount", account.clone()).await;
        activation("NO_ELIGIBLE_ACCOUNT").await;
        done(&world, "EnableAccount", account).await;
        done(&world, "ActivateContract", draft.clone()).await;
    }

    async fn nothing_is_sold_below_a_floor(database) {
        let world = World::new(database).await;
        let (trading, selling) = (trading(&world), world.desk.selling);
        world.clock.advance(Duration::days(7));
        done(&world, "ActivateContract", json!({ "contractId": selling.to_string() })).await;
        let item = |price: &str| json!({
            "inventoryItemId": world.desk.item.to_string(), "marketplace": "simulator", "priceCents": price,
        });
        let listing = json!({ "contractId": selling.to_string(), "kind": "INTENT_KIND_LIST", "item": item("1299") });
        refused(&world, "CreateIntent", listing.clone(), "BELOW_FLOOR").await;
        done(&world, "CreateIntent", merged(listing, &json!({ "item": item("1300") }))).await;
        let (_, on_sale) = trading.receive(world.desk.contract, 3_020).await;
        let place = SalePlace { marketplace: text("simulator"), contract_id: Some(selling) };
        let started = ItemEvent::ListingStarted { place, price: cents(1_900), takes_locked: true, exchange_rate: None };
        trading.move_item(on_sale, started).await;
        let asset_id = AssetId::new("2003020").unwrap();
        trading.move_item(on_sale, ItemEvent::ListingAccepted { listing_id: text("sale-1"), asset_id }).await;
        let repriced = json!({ "inventoryItemId": on_sale.to_string(), "priceCents": "1299" });
        refused(&world, "RepriceItem", repriced, "BELOW_FLOOR").await;
    }

    async fn a_reservation_is_released_only_once_absence_is_proven(database) {
        let world = World::new(database).await;
        let trading = trading(&world);
        let purchase = trading.record(world.desk.contract, 3_021).await;
        trading.advance(purchase, PurchaseEvent::Submitted { listing_price: cents(1_200) }).await;
        trading.advance(purchase, PurchaseEvent::OutcomeLost).await;
        let lost = trading.remediation_of(RemediationKind::OutcomeUnknown, Subject::Purchase(purchase)).await;
        let looked_at = world.clock.now();
        let absence = json!({
            "firstLookupAt": looked_at.to_string(),
            "lastLookupAt": looked_at.plus(Duration::seconds(60)).to_string(),
            "listingExplained": true,
            "balanceUnchanged": false,
        });
        let release = json!({
            "remediationId": lost.to_string(),
            "action": "REMEDIATION_ACTION_RELEASE_RESERVATION",
            "args": { "evidence": "case-7", "absence": absence },
        });
        refused(&world, "RunRemediationAction", release, "ABSENCE_NOT_PROVEN").await;
    }

    async fn what_was_seen_at_another_time_counts_for_nothing(database) {
        let world = World::new(database).await;
        let now = world.clock.now();
        let seen = |listing: &str, price: &str, minutes: i64| json!({
            "marketplace": "simulator",
            "listingId": listing,
            "marketHashName": REDLINE,
            "priceCents": price,
            "observedAt": now.plus(Duration::minutes(minutes)).to_string(),
        });
        done(&world, "RecordMarketObservations", json!({ "observations": [seen("timely", "1200", 0)] })).await;
        let before = world.contents().await;
        let others = json!({ "observations": [seen("ahead", "1200", 6), seen("timely", "1100", -60)] });
        let answer = done(&world, "RecordMarketObservations", others).await;
        let reasons: Vec<_> = answer["results"].as_array().unwrap().iter().map(|one| one["reason"].clone()).collect();
        assert_eq!((answer["rejected"].clone(), reasons), (json!(2), vec![json!("IN_FUTURE"), json!("OUTDATED")]));
        assert_eq!(world.contents().await, before);

        let draft = json!({
            "name": "By value",
            "approvalMode": "APPROVAL_MODE_AUTOMATIC",
            "buying": { "targetQuantity": 5, "maxBuyPriceCents": "1600", "budgetCents": "8000", "minDiscountBps": 100 },
        });
        let contract = done(&world, "CreateContract", draft).await["contract"]["id"].clone();
        done(&world, "ActivateContract", json!({ "contractId": contract })).await;
        let quote = |source: &str, cents: &str, minutes: i64| json!({
            "source": source,
            "lowestAskCents": cents,
            "observedAt": now.plus(-Duration::minutes(minutes)).to_string(),
        });
        let quoted = |other: Value| [quote("skinport", "1700", 0), other];
        let verdict = |decision: &str, why: &str| (format!("EVALUATION_DECISION_{decision}"), why.to_owned());
        for (other, expected) in [
            (quote("buff", "1700", 0), verdict("BUY", "")),
            (quote("buff", "1700", 16), verdict("SKIP", "FAIR_VALUE STALE")),
            (quote("buff", "9000", 0), verdict("SKIP", "CONFIDENCE 2383")),
        ] {
            assert_eq!(judged(&world, &contract, quoted(other)).await, expected);
        }
    }
}
