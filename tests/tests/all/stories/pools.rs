//! Active pools: many callers want the last money at once, and the ledger adds up behind them.

use std::collections::BTreeMap;

use futures::future::join_all;
use serde_json::{Value, json};
use tradepost_domain::id::ContractId;
use tradepost_operations::Caller;
use tradepost_operations::contracts::RecordPurchase;

use crate::harness::{Key, Trading, World, on_both_databases};

pub(super) fn trading(world: &World) -> Trading<'_> {
    Trading { operations: world.app.operations(), clock: &world.clock, workspace_id: world.desk.workspace_id }
}

pub(super) fn in_workspace(world: &World, mut fields: Value) -> Value {
    fields["workspaceId"] = json!(world.desk.workspace_id.to_string());
    fields
}

/// A pool with so much money in it and an active contract that buys from it.
pub(super) async fn buying_from_a_pool(world: &World, cents: u32) -> (Value, Value) {
    let limits = json!({ "budgetCents": "1000000" });
    let pool = in_workspace(world, json!({ "name": "Race", "currency": "USD", "limits": limits }));
    let pool = world.call(Key::Full, "CreatePool", &pool).await.ok()["pool"]["id"].clone();
    let funds = json!({ "poolId": pool, "deltaCents": cents.to_string(), "reason": "for the race" });
    world.call(Key::Full, "AdjustPoolFunds", &in_workspace(world, funds)).await.ok();
    let draft = json!({
        "name": "Race",
        "poolId": pool,
        "approvalMode": "APPROVAL_MODE_AUTOMATIC",
        "buying": { "targetQuantity": 1000, "maxBuyPriceCents": "1500", "budgetCents": "1000000" },
    });
    let contract =
        world.call(Key::Full, "CreateContract", &in_workspace(world, draft)).await.ok()["contract"]["id"].clone();
    let activation = in_workspace(world, json!({ "contractId": contract }));
    world.call(Key::Full, "ActivateContract", &activation).await.ok();
    (pool, contract)
}

async fn balance(world: &World, pool: &Value) -> Value {
    let request = in_workspace(world, json!({ "poolId": pool }));
    world.call(Key::Reader, "GetPoolBalance", &request).await.ok()["balance"].clone()
}

/// What the entries of a pool come to by account.
async fn ledger(world: &World, pool: &Value) -> BTreeMap<String, i64> {
    let request = in_workspace(world, json!({ "poolId": pool, "limit": 200 }));
    let ids = world.call(Key::Reader, "ListLedgerEntries", &request).await.ok()["ledgerEntryIds"].clone();
    let request = in_workspace(world, json!({ "ledgerEntryIds": ids }));
    let entries = world.call(Key::Reader, "GetLedgerEntries", &request).await.ok()["ledgerEntries"].clone();
    let mut sums = BTreeMap::new();
    for leg in entries.as_array().unwrap().iter().flat_map(|entry| entry["legs"].as_array().unwrap()) {
        let cents: i64 = leg["amountCents"].as_str().unwrap().parse().unwrap();
        *sums.entry(leg["account"].as_str().unwrap().to_owned()).or_default() += cents;
    }
    sums
}

/// Active copies of a contract, which buy from the same pool.
async fn copies(world: &World, contract: &Value, number: usize) -> Vec<ContractId> {
    let mut copies = Vec::new();
    for _ in 0..number {
        let clone = in_workspace(world, json!({ "contractId": contract, "name": "Race" }));
        let copy = world.call(Key::Full, "CloneContract", &clone).await.ok()["contract"]["id"].clone();
        world.call(Key::Full, "ActivateContract", &in_workspace(world, json!({ "contractId": copy }))).await.ok();
        copies.push(copy.as_str().unwrap().parse().unwrap());
    }
    copies
}

/// Has 64 purchases of 15.00 recorded at once by contracts in turn, of which a pool with 500.00 covers 33.
async fn race(world: &World, pool: &Value, contracts: &[ContractId]) {
    let buyers = contracts.iter().cycle().zip(1_000..1_064);
    let listings: Vec<RecordPurchase> =
        buyers.map(|(contract_id, number)| trading(world).listing(*contract_id, number)).collect();
    let system = Caller::system();
    let recorded =
        join_all(listings.into_iter().map(|listing| world.app.operations().record_purchase(&system, listing))).await;
    let refused: Vec<_> = recorded.iter().filter_map(|outcome| outcome.as_ref().err()).collect();
    assert_eq!(refused.len(), 64 - 33, "{refused:?}");
    assert!(refused.iter().all(|error| error.reason.as_str() == "POOL_FUNDS_TOO_LOW"), "{refused:?}");
    let held = balance(world, pool).await;
    assert_eq!((&held["reservedCents"], &held["availableCents"]), (&json!("49500"), &json!("500")));
    let sums = ledger(world, pool).await;
    let expected =
        [("LEDGER_ACCOUNT_AVAILABLE", 500), ("LEDGER_ACCOUNT_CAPITAL", -50_000), ("LEDGER_ACCOUNT_RESERVED", 49_500)];
    assert_eq!(sums, expected.map(|(account, cents)| (account.to_owned(), cents)).into());
}

on_both_databases! {
    async fn sixty_four_concurrent_purchases_use_exactly_one_budget(database) {
        let world = World::new(database).await;
        let (pool, contract) = buying_from_a_pool(&world, 50_000).await;
        race(&world, &pool, &[contract.as_str().unwrap().parse().unwrap()]).await;
    }

    async fn contracts_of_one_pool_that_buy_at_once_use_exactly_its_money(database) {
        let world = World::new(database).await;
        let (pool, contract) = buying_from_a_pool(&world, 50_000).await;
        race(&world, &pool, &copies(&world, &contract, 16).await).await;
    }

    async fn what_is_bought_from_a_pool_is_in_its_books_at_every_step(database) {
        let world = World::new(database).await;
        let (pool, contract) = buying_from_a_pool(&world, 5_000).await;
        let contract_id = contract.as_str().unwrap().parse().unwrap();
        trading(&world).receive(contract_id, 2_000).await;
        let held = balance(&world, &pool).await;
        assert_eq!((&held["inventoryAtCostCents"], &held["availableCents"]), (&json!("1220"), &json!("3780")));
        assert_eq!((&held["capitalCents"], &held["realisedCents"]), (&json!("5000"), &json!("0")));
        let archive = in_workspace(&world, json!({ "poolId": pool }));
        world.call(Key::Trader, "ArchivePool", &archive).await.assert_refused("failed_precondition", "POOL_HOLDS_MONEY");
        let pause = in_workspace(&world, json!({ "poolId": pool, "reason": "enough" }));
        world.call(Key::Trader, "PausePool", &pause).await.ok();
        let listing = trading(&world).listing(contract_id, 2_001);
        let refused = world.app.operations().record_purchase(&Caller::system(), listing).await.unwrap_err();
        assert_eq!(refused.reason.as_str(), "POOL_NOT_ACTIVE");
    }
}
