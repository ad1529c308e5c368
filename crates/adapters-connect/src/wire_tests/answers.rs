//! Whole bodies of answers, as a client reads them. Clock, ids and secrets are fakes, so every run gives the same.

use std::sync::Arc;

use tradepost_domain::accounts::policy::PolicySet;
use tradepost_domain::accounts::workspace::RISK_NOTICE;
use tradepost_domain::asset::{AppId, ContextId};
use tradepost_domain::contracts::inventory_item::Traits;
use tradepost_domain::contracts::purchase::{Order, PurchaseEvent};
use tradepost_domain::markets::provider::ProviderKind;
use tradepost_domain::money::Cents;
use tradepost_operations::accounts::AcknowledgeRiskNotice;
use tradepost_operations::contracts::{AdvancePurchase, ReceiveItem, RecordPurchase};
use tradepost_operations::markets::{CreateProvider, ProviderCredentials};
use tradepost_operations::{Caller, Operations};
use tradepost_testkit::fakes::example_driver;
use tradepost_testkit::samples::{minute, text};

use super::client::Answer;
use super::world::World;

/// A body with its fields in order.
fn body(answer: &Answer) -> String {
    assert_eq!(answer.status, 200, "{}", answer.show());
    format!("{:#}", answer.json())
}

/// Calls with a message that names the workspace of the world, unless the message is given whole.
async fn ask(world: &World, method: &str, fields: &str) -> Answer {
    if fields.starts_with('{') {
        return world.call(method, fields).await;
    }
    let fields = if fields.is_empty() { String::new() } else { format!(", {fields}") };
    let message = format!(r#"{{"workspaceId": "{}"{fields}}}"#, world.workspace_id);
    world.call(method, &message).await
}

/// The bodies of calls with the full key.
async fn bodies(world: &World, calls: &[(&str, &str)]) -> String {
    let mut shown = Vec::new();
    for (method, fields) in calls {
        shown.push(format!("{method}\n{}\n", body(&ask(world, method, fields).await)));
    }
    shown.join("\n")
}

/// A contract that is active, with a purchase under it whose item has arrived.
struct Traded {
    contract: String,
    purchase: String,
    item: String,
}

const BUYING: &str = r#""name": "Redlines", "approvalMode": "APPROVAL_MODE_MANUAL", "marketplaces": ["csfloat"],
    "endsAt": "2027-01-01T00:00:00Z",
    "priceReference": {"sources": ["csfloat"], "statistic": "PRICE_STATISTIC_MEDIAN", "maxAgeSeconds": 600},
    "buying": {"targetQuantity": 10, "maxBuyPriceCents": "1500", "budgetCents": "15000", "minDiscountBps": 250}"#;

/// Contracts are activated only for marketplaces that are on record.
async fn put_on_record(world: &World, marketplace: &str) {
    world.operations.offer_driver(example_driver());
    let command = CreateProvider {
        workspace_id: world.workspace_id,
        kind: ProviderKind::Marketplace,
        driver: "example".to_owned(),
        name: marketplace.to_owned(),
        currency: "USD".to_owned(),
        settings: vec![("customer".to_owned(), "desk".to_owned())],
        credentials: ProviderCredentials(vec![("apiKey".to_owned(), "the key of a marketplace".into())]),
    };
    let version = RISK_NOTICE.version.to_owned();
    let risks = AcknowledgeRiskNotice { workspace_id: world.workspace_id, version };
    world.operations.acknowledge_risk_notice(&Caller::system(), risks).await.unwrap();
    world.operations.create_provider(&Caller::system(), command).await.unwrap();
}

async fn trade(world: &World) -> Traded {
    put_on_record(world, "csfloat").await;
    let drafted = ask(world, "/contracts.v1.Contracts/CreateContract", BUYING).await.json();
    let contract = drafted["contract"]["id"].as_str().unwrap().to_owned();
    let activate = format!(r#""contractId": "{contract}", "expectedVersion": "1""#);
    body(&ask(world, "/contracts.v1.Contracts/ActivateContract", &activate).await);
    let trader = world.operations.authenticate(&world.key, None).await.unwrap();
    let (purchase, item) = buy(&world.operations, &trader, world, &contract).await;
    Traded { contract, purchase, item }
}

async fn buy(operations: &Arc<Operations>, trader: &Caller, world: &World, contract: &str) -> (String, String) {
    let workspace_id = world.workspace_id;
    let listing = RecordPurchase {
        workspace_id,
        contract_id: contract.parse().unwrap(),
        intent_id: None,
        app_id: AppId::CS2,
        market_hash_name: "AK-47 | Redline (Field-Tested)".to_owned(),
        traits: Traits::default(),
        listing_price_cents: 1_200,
        max_buy_price_cents: 1_500,
        platform_fee_cents: 30,
        listing_id: "listing-1".to_owned(),
        listing_asset_id: "10001".to_owned(),
        marketplace: "csfloat".to_owned(),
        account_name: "trader-1".to_owned(),
    };
    let purchase_id = operations.record_purchase(trader, listing).await.unwrap().value.terms.id;
    let price = |cents| Cents::new(cents).unwrap();
    let order = Order { id: text("order-1"), executed_price: price(1_190), fee: price(30) };
    for event in [PurchaseEvent::Submitted { listing_price: price(1_200) }, PurchaseEvent::Accepted(order)] {
        let step = AdvancePurchase { workspace_id, purchase_id, event, expected_version: None };
        operations.advance_purchase(trader, step).await.unwrap();
    }
    let arrival = ReceiveItem {
        workspace_id,
        purchase_id,
        trade_id: "trade-1".to_owned(),
        asset_id: "20001".to_owned(),
        protected_until: minute(0),
        app_id: AppId::CS2,
        context_id: ContextId::ORDINARY,
        traits: Traits::default(),
        expected_version: None,
    };
    let received = operations.receive_item(trader, arrival).await.unwrap();
    (purchase_id.to_string(), received.item.value.id.to_string())
}

#[tokio::test]
async fn trading_records() {
    let world = World::new().await;
    let Traded { contract, purchase, item } = trade(&world).await;
    let unknown = "AAECAwQFBgcICQoLDA0ODw==";
    let of_contract = format!(r#""contractId": "{contract}""#);
    let of_purchase = format!(r#""purchaseId": "{purchase}""#);
    let of_item = format!(r#""inventoryItemId": "{item}""#);
    let append = format!(
        r#""inventoryItemId": "{item}", "expectedStep": 2, "assetId": "20002", "source": "inventory", "sourceId": "seen-1""#
    );
    let calls = [
        ("/contracts.v1.Contracts/GetPurchase", of_purchase.as_str()),
        ("/contracts.v1.Contracts/GetPurchases", &format!(r#""purchaseIds": ["{unknown}", "{purchase}"]"#)),
        ("/contracts.v1.Contracts/ListPurchases", &of_contract),
        ("/contracts.v1.Contracts/CountPurchases", ""),
        ("/contracts.v1.Contracts/CountTransitions", r#""subjectTypes": ["TRANSITION_SUBJECT_TYPE_CONTRACT"]"#),
        ("/contracts.v1.Contracts/GetInventoryItem", &of_item),
        ("/contracts.v1.Contracts/GetInventoryItems", &format!(r#""inventoryItemIds": ["{item}"]"#)),
        ("/contracts.v1.Contracts/ListInventoryItems", r#""status": "INVENTORY_ITEM_STATUS_IN_INVENTORY""#),
        ("/contracts.v1.Contracts/CountInventoryItems", &of_contract),
        ("/contracts.v1.Contracts/AppendAssetIDLink", &append),
        ("/contracts.v1.Contracts/ListAssetIDLinks", &of_item),
        ("/contracts.v1.Contracts/VerifyAssetIDChain", &of_item),
        ("/contracts.v1.Contracts/GetContract", &of_contract),
        ("/contracts.v1.Contracts/GetContracts", &format!(r#""contractIds": ["{contract}"]"#)),
        ("/contracts.v1.Contracts/ListContracts", r#""type": "CONTRACT_TYPE_BUYING""#),
    ];
    insta::assert_snapshot!(bodies(&world, &calls).await);
}

#[tokio::test]
async fn a_contract_that_sells() {
    let world = World::new().await;
    let contract = r#""name": "Sales", "approvalMode": "APPROVAL_MODE_AUTOMATIC",
        "selling": {"floorPriceCents": "1000", "undercutBps": 100, "maxListings": 5}"#;
    insta::assert_snapshot!(bodies(&world, &[("/contracts.v1.Contracts/CreateContract", contract)]).await);
}

#[tokio::test]
async fn pages_are_walked_by_cursor() {
    let world = World::new().await;
    trade(&world).await;
    let chain = "/contracts.v1.Contracts/ListAssetIDLinks";
    let item =
        ask(&world, "/contracts.v1.Contracts/ListInventoryItems", "").await.json()["inventoryItemIds"][0].clone();
    let first = ask(&world, chain, &format!(r#""inventoryItemId": {item}, "limit": 1"#)).await.json();
    let cursor = &first["nextCursor"];
    let next =
        ask(&world, chain, &format!(r#""inventoryItemId": {item}, "limit": 1, "cursor": {cursor}"#)).await.json();
    assert_eq!((&first["assetIdLinks"][0]["step"], &next["assetIdLinks"][0]["step"]), (&0.into(), &1.into()));
    assert_eq!(next["nextCursor"], "");
}

#[tokio::test]
async fn accounts_records() {
    let world = World::new().await;
    let calls = [
        ("/accounts.v1.Accounts/GetWorkspace", ""),
        ("/accounts.v1.Accounts/GetCurrentUser", "{}"),
        ("/accounts.v1.Accounts/ListMemberships", ""),
        ("/accounts.v1.Accounts/CountMemberships", ""),
        ("/accounts.v1.Accounts/ListAPIKeys", "{}"),
        ("/accounts.v1.Accounts/CountAPIKeys", "{}"),
        ("/accounts.v1.Accounts/ListPolicies", "{}"),
        ("/accounts.v1.Accounts/GetEffectivePermissions", ""),
        ("/accounts.v1.Accounts/BeginPasskeyRegistration", r#"{"name": "My phone"}"#),
    ];
    insta::assert_snapshot!(bodies(&world, &calls).await);
}

/// Steps the full key up by the code that is mailed to its owner.
async fn step_up(world: &World) -> String {
    let asked = world.call("/accounts.v1.Accounts/BeginStepUp", "{}").await;
    while world.operations.hand_over_mails().await.unwrap() {}
    let mail = world.mailer.sent().pop().unwrap().text;
    let code = mail.split(|c: char| !c.is_ascii_digit()).find(|word| word.len() == 8).unwrap();
    let challenge = asked.json()["challengeId"].as_str().unwrap().to_owned();
    let answer = format!(r#"{{"challengeId": "{challenge}", "method": "TWO_FACTOR_METHOD_EMAIL", "code": "{code}"}}"#);
    let done = world.call("/accounts.v1.Accounts/CompleteStepUp", &answer).await;
    format!("BeginStepUp\n{}\n\nCompleteStepUp\n{}\n", body(&asked), body(&done))
}

#[tokio::test]
async fn a_step_up_and_what_it_opens() {
    let world = World::new().await;
    let key = r#"{"name": "Reporting", "policies": ["analytics"], "expiresAt": "2027-01-01T00:00:00Z"}"#;
    let refused = world.call("/accounts.v1.Accounts/CreateAPIKey", key).await.show();
    let stepped = step_up(&world).await;
    let created = world.call("/accounts.v1.Accounts/CreateAPIKey", key).await;
    assert_eq!(created.header("cache-control"), Some("no-store"));
    let invite = r#""email": "new@example.com", "role": "MEMBERSHIP_ROLE_MEMBER", "policies": ["trading"]"#;
    let calls = [("/accounts.v1.Accounts/InviteMember", invite), ("/accounts.v1.Accounts/BeginTOTPEnrollment", "{}")];
    let opened = bodies(&world, &calls).await;
    insta::assert_snapshot!(format!(
        "CreateAPIKey\n{refused}\n\n{stepped}\nCreateAPIKey\n{}\n\n{opened}",
        body(&created)
    ));
}

#[tokio::test]
async fn a_revoked_key_is_unauthenticated_at_once() {
    let world = World::new().await;
    let key = world.key_with(PolicySet::EVERY).await;
    let listed = world.call("/accounts.v1.Accounts/ListAPIKeys", "{}").await.json();
    let ask = super::client::Ask::json("/accounts.v1.Accounts/CountAPIKeys", "{}").with_key(&key);
    assert_eq!(world.wire.ask(super::client::CONNECT, &ask).await.status, 200);
    let revoke = format!(r#"{{"apiKeyId": {}}}"#, listed["apiKeys"][0]["id"]);
    assert_eq!(body(&world.call("/accounts.v1.Accounts/RevokeAPIKey", &revoke).await), "{}");
    assert_eq!(world.wire.ask(super::client::CONNECT, &ask).await.status, 401);
}
