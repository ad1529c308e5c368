//! The trading operations.

mod activating;
mod advancing;
mod alerting;
mod appending;
mod breakers;
mod chains;
mod counting;
mod disabled_providers;
mod drafting;
mod equity;
mod evaluating;
mod fees;
mod filter_sets;
mod halting;
mod intents;
mod inventory_changes;
mod items;
mod limits;
mod listing;
mod lives;
mod losses;
mod offers;
mod offers_by_hand;
mod outcomes;
mod places;
mod pools;
mod reading;
mod receiving;
mod reconciling;
mod recording;
mod releasing;
mod remediations;
mod reports;
mod repricing;
mod reversing;
mod rights;
mod searching;
mod selling;
mod serving;
mod simulating;
mod transfers;
mod transitions;
mod two_clocks;
mod versions;

use std::sync::Arc;

use time::Duration;
use tradepost_domain::accounts::access::{Principal, WorkspaceScope};
use tradepost_domain::accounts::policy::PolicySet;
use tradepost_domain::asset::{AppId, ContextId};
use tradepost_domain::contracts::chain::AssetIdLink;
use tradepost_domain::contracts::contract::{ApprovalMode, Contract, Counters, Replaced};
use tradepost_domain::contracts::inventory_item::{InventoryItem, ItemEvent, SalePlace, Traits};
use tradepost_domain::contracts::purchase::{Order, Purchase, PurchaseEvent};
use tradepost_domain::id::{ContractId, InventoryItemId, ProviderId, PurchaseId, WorkspaceId};
use tradepost_domain::markets::provider::ProviderKind;
use tradepost_domain::money::Amount;
use tradepost_domain::transition::{Subject, Transition};
use tradepost_operations::contracts::{
    ActivateContract, AdvanceItem, AdvancePurchase, BuyingLimits, ContractTerms, CreateContract, GetContract,
    GetInventoryItem, GetPurchase, ListAssetIDLinks, ReceiveItem, ReceivedItem, RecordPurchase, UpdateContract,
};
use tradepost_operations::markets::{CreateProvider, ProviderCredentials};
use tradepost_operations::{Caller, Code, OpResult, Operations, Versioned};
use tradepost_ports::clock::Clock as _;
use tradepost_ports::store::Records;
use tradepost_testkit::fakes::example_driver;
use tradepost_testkit::samples::text;

use crate::harness::{Fate, ScriptedStore, World, refusal};

/// A world with a key that trades and an active contract that buys up to 10 items for up to 15.00 each.
struct Desk {
    world: World,
    trader: Caller,
    contract_id: ContractId,
}

impl Desk {
    async fn open() -> Self {
        Self::in_world(World::new().await).await
    }

    async fn in_world(world: World) -> Self {
        let trader = world.full_key().await;
        let contract_id = contract(&world, &trader, buying()).await;
        Self { world, trader, contract_id }
    }

    /// The same desk in another process, to whose commits happens what the script says.
    fn scripted(&self, script: impl IntoIterator<Item = Fate>) -> (Self, Arc<ScriptedStore>) {
        let store = ScriptedStore::over(self.world.store.clone(), script);
        let world = self.world.restarted(|ports| ports.store = store.clone());
        (Self { world, trader: self.trader.clone(), contract_id: self.contract_id }, store)
    }

    fn operations(&self) -> &Operations {
        &self.world.operations
    }

    fn workspace_id(&self) -> WorkspaceId {
        self.world.workspace_id
    }

    /// A listing that costs 12.00 and 0.30 of fee.
    fn listing(&self, number: u32) -> RecordPurchase {
        RecordPurchase {
            workspace_id: self.workspace_id(),
            contract_id: self.contract_id,
            intent_id: None,
            app_id: AppId::CS2,
            market_hash_name: "AK-47 | Redline (Field-Tested)".to_owned(),
            traits: Traits::default(),
            listing_price_cents: 1_200,
            max_buy_price_cents: 1_500,
            platform_fee_cents: 30,
            listing_id: format!("listing-{number}"),
            listing_asset_id: format!("1{number:04}"),
            marketplace: "csfloat".to_owned(),
            account_name: "trader-1".to_owned(),
        }
    }

    /// Records a purchase of the listing with this number.
    async fn buy(&self, number: u32) -> PurchaseId {
        self.operations().record_purchase(&self.trader, self.listing(number)).await.unwrap().value.terms.id
    }

    async fn advance(&self, purchase_id: PurchaseId, event: PurchaseEvent) -> OpResult<Versioned<Purchase>> {
        let workspace_id = self.workspace_id();
        let command = AdvancePurchase { workspace_id, purchase_id, event, expected_version: None };
        self.operations().advance_purchase(&self.trader, command).await
    }

    /// Buys a listing up to its payment.
    async fn pay(&self, number: u32) -> PurchaseId {
        let purchase_id = self.buy(number).await;
        self.advance(purchase_id, submitted()).await.unwrap();
        self.advance(purchase_id, accepted(number)).await.unwrap();
        purchase_id
    }

    /// The arrival of an item under asset id 2…, unprotected, by the trade with this number.
    fn arrival(&self, purchase_id: PurchaseId, number: u32) -> ReceiveItem {
        ReceiveItem {
            workspace_id: self.workspace_id(),
            purchase_id,
            trade_id: format!("trade-{number}"),
            asset_id: format!("2{number:04}"),
            protected_until: self.world.clock.now(),
            app_id: AppId::CS2,
            context_id: ContextId::ORDINARY,
            traits: Traits::default(),
            expected_version: None,
        }
    }

    /// Buys a listing up to the item's arrival.
    async fn receive(&self, number: u32) -> ReceivedItem {
        let purchase_id = self.pay(number).await;
        self.operations().receive_item(&self.trader, self.arrival(purchase_id, number)).await.unwrap()
    }

    /// Buys a listing up to the item's arrival, and gives the item.
    async fn item(&self, number: u32) -> InventoryItemId {
        self.receive(number).await.item.value.id
    }

    async fn advance_item(
        &self,
        inventory_item_id: InventoryItemId,
        event: ItemEvent,
    ) -> OpResult<Versioned<InventoryItem>> {
        let workspace_id = self.workspace_id();
        let command = AdvanceItem { workspace_id, inventory_item_id, event, expected_version: None };
        self.operations().advance_item(&self.trader, command).await
    }

    async fn purchase(&self, purchase_id: PurchaseId) -> Versioned<Purchase> {
        let command = GetPurchase { workspace_id: self.workspace_id(), purchase_id };
        self.operations().get_purchase(&self.trader, command).await.unwrap()
    }

    async fn owned(&self, inventory_item_id: InventoryItemId) -> Versioned<InventoryItem> {
        let command = GetInventoryItem { workspace_id: self.workspace_id(), inventory_item_id };
        self.operations().get_inventory_item(&self.trader, command).await.unwrap()
    }

    async fn contract(&self) -> Versioned<Contract> {
        let command = GetContract { workspace_id: self.workspace_id(), contract_id: self.contract_id };
        self.operations().get_contract(&self.trader, command).await.unwrap()
    }

    async fn counters(&self) -> Counters {
        self.contract().await.value.counters
    }

    async fn chain(&self, inventory_item_id: InventoryItemId) -> Vec<AssetIdLink> {
        let (workspace_id, cursor) = (self.workspace_id(), String::new());
        let command = ListAssetIDLinks { workspace_id, inventory_item_id, limit: 200, cursor };
        self.operations().list_asset_id_links(&self.trader, command).await.unwrap().entries
    }

    /// The sources of an item's chain.
    async fn sources(&self, item: InventoryItemId) -> Vec<&'static str> {
        self.chain(item).await.iter().map(|link| link.source.as_str()).collect()
    }

    fn scope(&self) -> WorkspaceScope {
        self.trader.principal.enter(self.workspace_id(), PolicySet::EVERY).unwrap()
    }

    /// The triggers of what happened to a record, the oldest first.
    async fn log(&self, subject: Subject) -> Vec<Transition> {
        self.world.store.transitions().list_of(self.scope(), subject, 100).await.unwrap()
    }

    /// Expects a refusal that leaves everything as it is.
    async fn refused<T: std::fmt::Debug>(&self, call: impl Future<Output = OpResult<T>>, code: Code, reason: &str) {
        let before = format!("{:?}", self.world.store);
        assert_eq!(refusal(call.await), (code, reason));
        assert_eq!(format!("{:?}", self.world.store), before, "{reason} changed something");
    }

    /// Expects a `failed_precondition` that leaves everything as it is.
    async fn forbidden<T: std::fmt::Debug>(&self, call: impl Future<Output = OpResult<T>>, reason: &str) {
        self.refused(call, Code::FailedPrecondition, reason).await;
    }

    fn advance_clock(&self, by: Duration) {
        self.world.advance(by);
    }
}

/// Drafts and activates a contract.
/// The provider of a marketplace, put on record by the first who asks for it.
async fn on_record(world: &World, name: &str, currency: &str) -> ProviderId {
    let scope = Principal::System.enter_as_member(world.workspace_id).unwrap();
    let known = world.store.providers().find_named(scope, ProviderKind::Marketplace, &text(name)).await.unwrap();
    if let Some(known) = known {
        return known.peek().id;
    }
    world.operations.offer_driver(example_driver());
    world.acknowledge_risks().await;
    let command = CreateProvider {
        workspace_id: world.workspace_id,
        kind: ProviderKind::Marketplace,
        driver: "example".to_owned(),
        name: name.to_owned(),
        currency: currency.to_owned(),
        settings: vec![("customer".to_owned(), "desk".to_owned())],
        credentials: ProviderCredentials(vec![("apiKey".to_owned(), "secret".into())]),
    };
    world.operations.create_provider(&Caller::system(), command).await.unwrap().provider.value.id
}

async fn contract(world: &World, trader: &Caller, terms: ContractTerms) -> ContractId {
    let drafted = world.operations.create_contract(trader, draft(world.workspace_id, terms)).await.unwrap();
    let contract_id = drafted.value.id;
    on_record(world, "csfloat", "USD").await;
    let command = ActivateContract { workspace_id: world.workspace_id, contract_id, expected_version: None };
    world.operations.activate_contract(trader, command).await.unwrap();
    contract_id
}

fn draft(workspace_id: WorkspaceId, terms: ContractTerms) -> CreateContract {
    CreateContract {
        workspace_id,
        name: "Redlines".to_owned(),
        terms,
        filter_set_id: None,
        pool_id: None,
        approval_mode: ApprovalMode::Automatic,
        marketplaces: vec!["csfloat".to_owned()],
        price_reference: None,
        starts_at: None,
        ends_at: None,
    }
}

/// A change of nothing but the name.
fn renamed(workspace_id: WorkspaceId, contract_id: ContractId) -> UpdateContract {
    UpdateContract {
        workspace_id,
        contract_id,
        name: Some("Renamed".to_owned()),
        terms: None,
        filter_set_id: Replaced::Not,
        pool_id: Replaced::Not,
        approval_mode: None,
        marketplaces: None,
        price_reference: Replaced::Not,
        starts_at: Replaced::Not,
        ends_at: Replaced::Not,
        expected_version: None,
    }
}

fn buying_limits() -> BuyingLimits {
    BuyingLimits {
        target_quantity: Some(10),
        max_buy_price_cents: Some(1_500),
        budget_cents: Some(15_000),
        ..BuyingLimits::default()
    }
}

fn buying() -> ContractTerms {
    ContractTerms::Buying(buying_limits())
}

/// On sale on the marketplace where everything is bought, for a contract or without one.
fn on_sale_at(contract_id: Option<ContractId>) -> SalePlace {
    SalePlace { marketplace: text("csfloat"), contract_id }
}

fn cents<Of>(amount: i64) -> Amount<Of> {
    Amount::new(amount).unwrap()
}

fn submitted() -> PurchaseEvent {
    PurchaseEvent::Submitted { listing_price: cents(1_200) }
}

/// The marketplace sold for 11.90.
fn accepted(number: u32) -> PurchaseEvent {
    PurchaseEvent::Accepted(Order {
        id: text(&format!("order-{number}")),
        executed_price: cents(1_190),
        fee: cents(30),
    })
}
