//! An operator governs what a contract buys: stops it, changes it, ends it, and halts everything at once.

use serde_json::{Value, json};
use tradepost_domain::contracts::inventory_item::ItemEvent;
use tradepost_domain::contracts::purchase::{CancelCause, FailureCode, PurchaseEvent};
use tradepost_domain::id::InventoryItemId;
use tradepost_domain::money::Cents;
use tradepost_domain::text::Name;
use tradepost_operations::Caller;
use tradepost_operations::contracts::ApplyPriceStaleness;
use tradepost_ports::clock::Clock as _;

use crate::cases::merged;
use crate::harness::{Key, Trading, World, on_both_databases};

fn trading(world: &World) -> Trading<'_> {
    Trading { operations: world.app.operations(), clock: &world.clock, workspace_id: world.desk.workspace_id }
}

fn of(world: &World, contract: &str, more: &Value) -> Value {
    merged(json!({ "workspaceId": world.desk.workspace_id.to_string(), "contractId": contract }), more)
}

/// The statuses through which a contract went, as a reader of its history sees them.
async fn history(world: &World, contract: &str) -> Vec<String> {
    let list = json!({
        "workspaceId": world.desk.workspace_id.to_string(),
        "subjectType": "TRANSITION_SUBJECT_TYPE_CONTRACT",
        "subjectId": contract,
    });
    let ids = world.call(Key::Reader, "ListTransitions", &list).await.ok()["transitionIds"].clone();
    let get = json!({ "workspaceId": world.desk.workspace_id.to_string(), "transitionIds": ids });
    let steps = world.call(Key::Reader, "GetTransitions", &get).await.ok();
    let newest_first = steps["transitions"].as_array().unwrap().iter();
    newest_first.rev().map(|step| step["toStatus"].as_str().unwrap().to_owned()).collect()
}

/// Why a contract has its status.
async fn status_reason(world: &World, contract: &str) -> String {
    let shown = world.call(Key::Reader, "GetContract", &of(world, contract, &json!({}))).await.ok();
    shown["contract"]["statusReason"].as_str().unwrap().to_owned()
}

/// The problems of a kind.
async fn problems(world: &World, kind: &str) -> Vec<Value> {
    let workspace_id = world.desk.workspace_id.to_string();
    let list = json!({ "workspaceId": workspace_id, "kind": format!("REMEDIATION_KIND_{kind}") });
    let ids = world.call(Key::Reader, "ListRemediations", &list).await.ok()["remediationIds"].clone();
    let get = json!({ "workspaceId": workspace_id, "remediationIds": ids });
    let found = world.call(Key::Reader, "GetRemediations", &get).await.ok();
    found["remediations"].as_array().unwrap().clone()
}

/// The statuses of the problems of a kind.
async fn problem_statuses(world: &World, kind: &str) -> Vec<String> {
    let found = problems(world, kind).await;
    found.iter().map(|remediation| remediation["status"].as_str().unwrap().to_owned()).collect()
}

/// Writes an item off: the 12.20 that it cost are lost.
async fn write_off(world: &World, item: InventoryItemId) {
    let now = world.clock.now();
    let absent = ItemEvent::WentMissing { first_absent_at: now, last_absent_at: now.plus(time::Duration::minutes(10)) };
    for event in [absent, ItemEvent::GivenUp] {
        trading(world).move_item(item, event).await;
    }
}

async fn halt(world: &World, halted: bool) {
    let workspace_id = world.desk.workspace_id.to_string();
    let request = json!({ "workspaceId": workspace_id, "halted": halted, "reason": "prices look wrong" });
    world.call(Key::Trader, "SetTradingHalt", &request).await.ok();
}

on_both_databases! {
    async fn a_contract_is_copied_changed_filled_and_completed(database) {
        let world = World::new(database).await;
        let original = world.desk.contract.to_string();
        let copied = world.call(Key::Trader, "CloneContract", &of(&world, &original, &json!({ "name": "Two more" }))).await.ok();
        let id = copied["contract"]["id"].as_str().unwrap().to_owned();
        let two = json!({ "buying": { "targetQuantity": 2, "maxBuyPriceCents": "1500", "budgetCents": "3000" } });
        world.call(Key::Trader, "UpdateContract", &of(&world, &id, &two)).await.ok();
        world.call(Key::Trader, "ActivateContract", &of(&world, &id, &json!({}))).await.ok();
        world.call(Key::Trader, "PauseContract", &of(&world, &id, &json!({ "reason": "not yet" }))).await.ok();
        world.call(Key::Trader, "ResumeContract", &of(&world, &id, &json!({}))).await.ok();
        let contract = id.parse().unwrap();
        let withdrawn = trading(&world).record(contract, 101).await;
        trading(&world).receive(contract, 102).await;
        let closing = world.call(Key::Reader, "GetContract", &of(&world, &id, &json!({}))).await.ok();
        assert_eq!(closing["contract"]["statusReason"], "QUANTITY_REACHED");
        trading(&world).advance(withdrawn, PurchaseEvent::Cancelled(CancelCause::Withdrawn)).await;
        trading(&world).receive(contract, 103).await;
        assert_eq!(
            history(&world, &id).await,
            ["DRAFT", "ACTIVE", "PAUSED", "ACTIVE", "CLOSING", "ACTIVE", "CLOSING", "COMPLETED"]
        );
    }

    async fn of_many_who_race_as_many_buy_as_the_day_and_the_name_allow(database) {
        let world = World::new(database).await;
        let original = world.desk.contract.to_string();
        let copied = world.call(Key::Trader, "CloneContract", &of(&world, &original, &json!({ "name": "A few" }))).await.ok();
        let id = copied["contract"]["id"].as_str().unwrap().to_owned();
        let limits = json!({
            "targetQuantity": 100, "maxBuyPriceCents": "1500", "budgetCents": "150000",
            "dailyBudgetCents": "4500", "maxPerItemName": 5, "cooldownSeconds": 0,
        });
        world.call(Key::Trader, "UpdateContract", &of(&world, &id, &json!({ "buying": limits }))).await.ok();
        world.call(Key::Trader, "ActivateContract", &of(&world, &id, &json!({}))).await.ok();
        let contract = id.parse().unwrap();
        for (first, wins, reason) in [(200, 3, "DAILY_BUDGET_TOO_LOW"), (300, 2, "ITEM_NAME_LIMIT")] {
            let racing = (first..first + 12).map(|number| {
                let listing = trading(&world).listing(contract, number);
                let operations = world.app.operations();
                async move { operations.record_purchase(&Caller::system(), listing).await.map_err(|error| error.reason.as_str()) }
            });
            let outcomes = futures::future::join_all(racing).await;
            let refused: Vec<_> = outcomes.iter().filter_map(|outcome| outcome.as_ref().err()).collect();
            assert_eq!(outcomes.len() - refused.len(), wins, "{refused:?}");
            assert!(refused.iter().all(|refused| **refused == reason), "{refused:?}");
            world.clock.advance(time::Duration::days(1));
        }
        let shown = world.call(Key::Reader, "GetContract", &of(&world, &id, &json!({}))).await.ok();
        assert_eq!(shown["contract"]["progress"]["reservedCents"], "7500");
    }

    async fn a_contract_is_stopped_by_failures_until_it_is_resumed_and_by_old_prices_until_there_are_new_ones(database) {
        let world = World::new(database).await;
        let original = world.desk.contract.to_string();
        let copied = world.call(Key::Trader, "CloneContract", &of(&world, &original, &json!({ "name": "Fails" }))).await.ok();
        let id = copied["contract"]["id"].as_str().unwrap().to_owned();
        let limits = json!({ "targetQuantity": 100, "maxBuyPriceCents": "1500", "budgetCents": "150000", "minDiscountBps": 100 });
        world.call(Key::Trader, "UpdateContract", &of(&world, &id, &json!({ "buying": limits }))).await.ok();
        world.call(Key::Trader, "ActivateContract", &of(&world, &id, &json!({}))).await.ok();
        let contract = id.parse().unwrap();
        for number in 400..410 {
            let purchase = trading(&world).record(contract, number).await;
            trading(&world).advance(purchase, PurchaseEvent::Submitted { listing_price: Cents::new(1_200).unwrap() }).await;
            trading(&world).advance(purchase, PurchaseEvent::Refused(FailureCode::AccountBlocked)).await;
        }
        assert_eq!(status_reason(&world, &id).await, "BREAKER_OPEN");
        assert_eq!(problem_statuses(&world, "BREAKER_OPEN").await, ["REMEDIATION_STATUS_NEEDS_OPERATOR"]);
        world.call(Key::Trader, "ResumeContract", &of(&world, &id, &json!({}))).await.ok();
        assert_eq!(problem_statuses(&world, "BREAKER_OPEN").await, ["REMEDIATION_STATUS_RESOLVED"]);

        let now = world.clock.now();
        for (index, is_stopped) in [(now.plus(-time::Duration::hours(1)), true), (now, false)] {
            let said = [("index", index), ("simulator", now)].map(|(source, at)| (Name::new(source).unwrap(), at)).into();
            let follow = ApplyPriceStaleness { workspace_id: world.desk.workspace_id, said };
            assert_eq!(world.app.operations().apply_price_staleness(&Caller::system(), follow).await.unwrap(), 1);
            assert_eq!(status_reason(&world, &id).await, if is_stopped { "PRICE_SOURCE_STALE" } else { "" });
            let status = if is_stopped { "REMEDIATION_STATUS_OPEN" } else { "REMEDIATION_STATUS_RESOLVED" };
            assert_eq!(problem_statuses(&world, "PRICE_SOURCE_STALE").await, [status]);
        }
    }

    async fn a_contract_is_stopped_by_the_losses_of_a_day_until_it_is_resumed_and_by_the_next_one_again(database) {
        let world = World::new(database).await;
        world.clock.set(world.clock.now().start_of_day().plus(time::Duration::days(1)));
        let original = world.desk.contract.to_string();
        let copied = world.call(Key::Trader, "CloneContract", &of(&world, &original, &json!({ "name": "Loses" }))).await.ok();
        let id = copied["contract"]["id"].as_str().unwrap().to_owned();
        let limits = json!({
            "targetQuantity": 100, "maxBuyPriceCents": "1500", "budgetCents": "150000", "maxDailyLossCents": "2000",
        });
        let changed = world.call(Key::Trader, "UpdateContract", &of(&world, &id, &json!({ "buying": limits }))).await.ok();
        assert_eq!(changed["contract"]["buying"]["maxDailyLossCents"], "2000");
        world.call(Key::Trader, "ActivateContract", &of(&world, &id, &json!({}))).await.ok();
        let contract = id.parse().unwrap();
        let mut items = Vec::new();
        for number in 500..504 {
            items.push(trading(&world).receive(contract, number).await.1);
        }
        write_off(&world, items[0]).await;
        assert_eq!(status_reason(&world, &id).await, "");
        write_off(&world, items[1]).await;
        assert_eq!(status_reason(&world, &id).await, "BREAKER_OPEN");
        let problem = problems(&world, "BREAKER_OPEN").await.remove(0);
        let figures = ["status", "subjectId"].map(|field| problem[field].as_str().unwrap());
        assert_eq!(figures, ["REMEDIATION_STATUS_NEEDS_OPERATOR", id.as_str()]);
        assert_eq!([&problem["evidence"]["expected"], &problem["evidence"]["found"]], ["2000", "2440"]);
        let today = world.clock.now().start_of_day();
        let report = json!({
            "from": today.to_string(), "to": today.plus(time::Duration::days(1)).to_string(),
            "groupBy": "PROFIT_AND_LOSS_GROUPING_NONE",
        });
        let report = world.call(Key::Reader, "GetProfitAndLoss", &of(&world, &id, &report)).await.ok();
        assert_eq!(report["rows"][0]["writeOffsCents"], "2440", "what the report tells of the day");
        let listing = trading(&world).listing(contract, 510);
        let refused = world.app.operations().record_purchase(&Caller::system(), listing).await.unwrap_err();
        assert_eq!(refused.reason.as_str(), "CONTRACT_NOT_ACTIVE");

        world.call(Key::Trader, "ResumeContract", &of(&world, &id, &json!({}))).await.ok();
        assert_eq!(problem_statuses(&world, "BREAKER_OPEN").await, ["REMEDIATION_STATUS_RESOLVED"]);
        trading(&world).record(contract, 511).await;
        write_off(&world, items[2]).await;
        assert_eq!(status_reason(&world, &id).await, "BREAKER_OPEN");
        world.call(Key::Trader, "ResumeContract", &of(&world, &id, &json!({}))).await.ok();
        world.clock.advance(time::Duration::days(1));
        write_off(&world, items[3]).await;
        let expected = ["DRAFT", "ACTIVE", "SUSPENDED", "ACTIVE", "SUSPENDED", "ACTIVE"];
        assert_eq!(history(&world, &id).await, expected, "another day begins with nothing lost");
    }

    async fn a_halt_stops_every_purchase_at_once_and_is_shown(database) {
        let world = World::new(database).await;
        let buyers = (0..8).map(|buyer| {
            let world = &world;
            async move {
                // Until it is refused: with a halt there is an end to it.
                for number in 0.. {
                    let listing = trading(world).listing(world.desk.contract, 10_000 * (buyer + 1) + number);
                    match world.app.operations().record_purchase(&Caller::system(), listing).await {
                        Ok(_) => {}
                        Err(error) if error.reason.as_str() == "CONFLICT" => {}
                        Err(error) => return error.reason.as_str(),
                    }
                }
                unreachable!("somebody halts trading")
            }
        });
        let halting = async {
            halt(&world, true).await;
            let count = json!({ "workspaceId": world.desk.workspace_id.to_string() });
            world.call(Key::Reader, "CountPurchases", &count).await.ok()
        };
        let (reasons, at_the_halt) = tokio::join!(futures::future::join_all(buyers), halting);
        assert_eq!(reasons, ["TRADING_HALTED"; 8]);
        let count = json!({ "workspaceId": world.desk.workspace_id.to_string() });
        assert_eq!(world.call(Key::Reader, "CountPurchases", &count).await.ok(), at_the_halt);
        let shown = world.call(Key::Reader, "GetWorkspace", &count).await.ok();
        assert_eq!(shown["workspace"]["tradingHalt"]["reason"], "prices look wrong");
        let contract = world.desk.contract.to_string();
        let shown = world.call(Key::Reader, "GetContract", &of(&world, &contract, &json!({}))).await.ok();
        assert_eq!(shown["contract"]["status"], "CONTRACT_STATUS_SUSPENDED");
        assert_eq!(shown["contract"]["statusReason"], "TRADING_HALTED");
        let resume = world.call(Key::Trader, "ResumeContract", &of(&world, &contract, &json!({}))).await;
        resume.assert_refused("failed_precondition", "TRADING_HALTED");
        halt(&world, false).await;
        assert_eq!(history(&world, &contract).await.split_off(1), ["ACTIVE", "SUSPENDED", "ACTIVE"]);
        let shown = world.call(Key::Reader, "GetWorkspace", &count).await.ok();
        assert_eq!(shown["workspace"].get("tradingHalt"), None);
        trading(&world).record(world.desk.contract, 7).await;
    }
}
