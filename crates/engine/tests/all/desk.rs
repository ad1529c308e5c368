//! A workspace with one trading account in a simulated world, its contracts, and an engine.

mod chatting;
mod living;

use std::collections::BTreeMap;
use std::sync::Arc;

use time::Duration;
use tradepost_adapters_simulator::{Settings, Simulator, Spread, World};
use tradepost_domain::contracts::chain::AssetIdLink;
use tradepost_domain::contracts::contract::{ApprovalMode, PriceStatistic};
use tradepost_domain::contracts::intent::{Intent, IntentKind};
use tradepost_domain::contracts::inventory_item::{InventoryItem, ItemStatus};
use tradepost_domain::contracts::purchase::{Purchase, PurchaseStatus};
use tradepost_domain::contracts::remediation::{RemediationKind, RemediationStatus};
use tradepost_domain::id::{AccountId, ContractId, InventoryItemId, PoolId, WorkspaceId};
use tradepost_domain::money::{Amount, Cents, Currency};
use tradepost_domain::text::ExternalId;
use tradepost_domain::trading::trade::TradeAddress;
use tradepost_domain::trading::trade_offer::{OfferOwner, OfferTrade, TradeOffer};
use tradepost_domain::trading::trading_account::AccountRole;
use tradepost_engine::{Desk as Engaged, Engine, TradingAccount, Venue};
use tradepost_operations::accounts::{BootstrapWorkspace, RegisterUser};
use tradepost_operations::contracts::{
    ActivateContract, ApproveIntent, AssignmentLimits, BuyingLimits, ContractTerms, CreateAssignment, CreateContract,
    GetContract, GetIntents, GetInventoryItems, GetPurchases, GetRemediations, ListAssetIDLinks, ListIntents,
    ListInventoryItems, ListPurchases, ListRemediations, PriceSource, SellingLimits, VerifyAssetIDChain, WantedItems,
    WantedPurchases,
};
use tradepost_operations::trading::{
    AccountSecrets, CreateAccount, GetTrade, GetTradeOffers, LimitsOfAccount, ListTradeOffers,
};
use tradepost_operations::{Caller, Operations, Ports, Versioned};
use tradepost_ports::exchange_rates::ExchangeRates;
use tradepost_ports::game_platform::GamePlatform;
use tradepost_ports::marketplace::Marketplace as MarketplacePort;
use tradepost_ports::price_source::PriceSource as PricesPort;
use tradepost_testkit::fakes::FakePorts;
use tradepost_testkit::memory::MemoryStore;
use tradepost_testkit::samples::{email, text};

use crate::stalling::Stalling;

pub(crate) const CUSTOMER: &str = "desk";
pub(crate) const MARKET: &str = "simulated";
/// What is paid in at the marketplace.
pub(crate) const CAPITAL: i64 = 1_000_000;
/// How much time passes from one pass to the next, unless a test is about minutes. Deals are to be delivered within an hour.
const STEP: Duration = Duration::minutes(10);

pub(crate) fn cents<Of>(amount: i64) -> Amount<Of> {
    Amount::new(amount).unwrap()
}

pub(crate) struct Desk {
    pub(crate) operations: Arc<Operations>,
    pub(crate) simulator: Simulator,
    pub(crate) store: Arc<MemoryStore>,
    /// The clock of the operations.
    pub(crate) clock: Arc<Stalling>,
    pub(crate) workspace_id: WorkspaceId,
    pub(crate) account: TradeAddress,
    pub(crate) step: Duration,
    /// Where the money of contracts comes from.
    pub(crate) pool_id: Option<PoolId>,
    /// The currency of the world's prices, where it is not that of the workspace.
    currency: Option<Currency>,
}

impl Desk {
    /// A desk in a lively world, with 10 000 in the currency.
    pub(crate) async fn lively(seed: u64) -> Self {
        Self::over(World::new(seed, Settings::default())).await
    }

    /// The same where strangers take their time, so that many days pass quickly.
    pub(crate) async fn slow(seed: u64) -> Self {
        Self::slow_in(seed, Settings::default()).await
    }

    /// The same in a world of these settings.
    pub(crate) async fn slow_in(seed: u64, settings: Settings) -> Self {
        let (next_listing, buyer_interval) = (Spread::new(60, 7_200), 7_200);
        let settings = Settings { next_listing, buyer_interval, price_interval: 7_200, ..settings };
        Self::over(World::new(seed, settings)).await
    }

    async fn over(mut world: World) -> Self {
        world.pay_in(CUSTOMER, cents(CAPITAL));
        let account = world.open_account(CUSTOMER);
        let (simulator, fakes) = (Simulator::new(world), FakePorts::default());
        let clock = Arc::new(Stalling::of(&simulator));
        let ports = Ports { clock: clock.clone(), ..fakes.ports() };
        let operations = Arc::new(Operations::new(ports, "https://tradepost.example.com"));
        let workspace_id = found(&operations).await;
        let store = fakes.store;
        Self { operations, simulator, store, clock, workspace_id, account, step: STEP, pool_id: None, currency: None }
    }

    /// The same where the world's prices are in euros, and the workspace's in dollars.
    pub(crate) fn abroad(self) -> Self {
        Self { currency: Some(Currency::new("EUR").unwrap()), ..self }
    }

    /// The same whose contracts buy from a pool that has all the money.
    pub(crate) async fn pooled(self) -> Self {
        Self { pool_id: Some(self.pool(CAPITAL).await), ..self }
    }

    /// Registers the trading account of the desk, of which nothing is known yet, has the notice of its platform accepted, and assigns it to
    /// the pool.
    pub(crate) async fn on_record(&self) -> AccountId {
        let account_id = self.registered().await;
        self.acknowledge(account_id).await;
        account_id
    }

    /// Registers the trading account of the desk, for which no one has accepted the notice, and assigns it to the pool.
    pub(crate) async fn registered(&self) -> AccountId {
        let (workspace_id, system) = (self.workspace_id, Caller::system());
        let command = CreateAccount {
            workspace_id,
            name: "bot-1".to_owned(),
            platform: "steam".to_owned(),
            platform_user_id: self.account.user.to_string(),
            trade_token: Some(self.account.token.to_string()),
            capabilities: Vec::new(),
            limits: LimitsOfAccount::default(),
            giving_limits: None,
            secrets: AccountSecrets::default(),
        };
        let account_id = self.operations.create_account(&system, command).await.unwrap().value.id;
        if let Some(pool_id) = self.pool_id {
            let command = CreateAssignment {
                workspace_id,
                pool_id,
                account_id: Some(account_id),
                account_group_id: None,
                roles: vec![AccountRole::Buy],
                priority: 1,
                limits: AssignmentLimits { max_open_purchases: None, max_items: None },
            };
            self.operations.create_assignment(&system, command).await.unwrap();
        }
        account_id
    }

    /// The statuses of the remediations of a kind, the newest first.
    pub(crate) async fn remediations(&self, kind: RemediationKind) -> Vec<RemediationStatus> {
        let (workspace_id, cursor, kind) = (self.workspace_id, String::new(), Some(kind));
        let (status, severity, subject) = (None, None, None);
        let list = ListRemediations { workspace_id, limit: 200, cursor, status, kind, severity, subject };
        let remediation_ids = self.operations.list_remediations(&Caller::system(), list).await.unwrap().entries;
        if remediation_ids.is_empty() {
            return Vec::new();
        }
        let get = GetRemediations { workspace_id, remediation_ids };
        let found = self.operations.get_remediations(&Caller::system(), get).await.unwrap().found;
        found.into_iter().map(|found| found.value.status).collect()
    }

    /// An engine that has seen nothing yet.
    pub(crate) fn engine(&self) -> Engine {
        self.engine_at(Arc::new(self.simulator.marketplace(CUSTOMER)))
    }

    /// The same, as another node.
    pub(crate) fn engine_of(&self, node: &str) -> Engine {
        self.engine_for(self.engaged(node, Arc::new(self.simulator.marketplace(CUSTOMER))))
    }

    /// The same, which reaches the marketplace through something else.
    pub(crate) fn engine_at(&self, marketplace: Arc<dyn MarketplacePort>) -> Engine {
        self.engine_for(self.engaged("node-1", marketplace))
    }

    /// The same with another source of prices.
    pub(crate) fn engine_hearing(&self, source: Arc<dyn PricesPort>) -> Engine {
        let desk = self.engaged("node-1", Arc::new(self.simulator.marketplace(CUSTOMER)));
        self.engine_for(Engaged { price_sources: vec![source], ..desk })
    }

    /// The same with another source of exchange rates.
    pub(crate) fn engine_by(&self, rates: Arc<dyn ExchangeRates>) -> Engine {
        let desk = self.engaged("node-1", Arc::new(self.simulator.marketplace(CUSTOMER)));
        self.engine_for(Engaged { rates: Some(rates), ..desk })
    }

    /// The same, with what a test has made of its desk.
    pub(crate) fn engine_for(&self, desk: Engaged) -> Engine {
        Engine::new(self.operations.clone(), desk)
    }

    pub(crate) fn engaged(&self, node: &str, marketplace: Arc<dyn MarketplacePort>) -> Engaged {
        Engaged {
            workspace_id: self.workspace_id,
            clock: Arc::new(self.simulator.clone()),
            node: text(node),
            accounts: vec![TradingAccount { name: text("bot-1"), address: self.account.clone() }],
            venues: vec![Venue { name: text(MARKET), marketplace, currency: self.currency }],
            platform: Arc::new(self.simulator.platform()),
            social: Some(Arc::new(self.simulator.social())),
            sessions: None,
            price_sources: ["index", "guide"].map(|name| self.index(name)).to_vec(),
            rates: Some(Arc::new(self.simulator.rates())),
            drivers: BTreeMap::new(),
        }
    }

    /// An index of the world's prices.
    fn index(&self, name: &str) -> Arc<dyn PricesPort> {
        Arc::new(self.simulator.prices(text(name)).in_currency(self.currency))
    }

    /// An engine over another platform.
    pub(crate) fn engaged_over(
        &self,
        node: &str,
        (marketplace, platform): (Arc<dyn MarketplacePort>, Arc<dyn GamePlatform>),
    ) -> Engine {
        let desk = self.engaged(node, marketplace);
        self.engine_for(Engaged { platform, ..desk })
    }

    /// An active contract that buys everything up to a price that is worth it.
    pub(crate) async fn buying(&self, quantity: i64) -> ContractId {
        self.buying_when(ApprovalMode::Automatic, quantity).await
    }

    /// The same, where this is who decides.
    pub(crate) async fn buying_when(&self, mode: ApprovalMode, quantity: i64) -> ContractId {
        self.contract("Buys", ContractTerms::Buying(Self::limits(quantity)), mode).await
    }

    /// Limits to buy so many by.
    pub(crate) fn limits(quantity: i64) -> BuyingLimits {
        BuyingLimits {
            target_quantity: Some(quantity),
            max_buy_price_cents: Some(20_000),
            budget_cents: Some(500_000),
            min_discount_bps: Some(100),
            ..BuyingLimits::default()
        }
    }

    /// An active contract that sells everything at its value.
    pub(crate) async fn selling(&self) -> ContractId {
        self.selling_when(ApprovalMode::Automatic).await
    }

    /// The same, where this is who decides.
    pub(crate) async fn selling_when(&self, mode: ApprovalMode) -> ContractId {
        let limits = SellingLimits { floor_price_cents: Some(1), ..SellingLimits::default() };
        self.contract("Sells", ContractTerms::Selling(limits), mode).await
    }

    /// An active contract.
    pub(crate) async fn contract(&self, name: &str, terms: ContractTerms, approval_mode: ApprovalMode) -> ContractId {
        let contract_id = self.drafted(name, terms, approval_mode).await;
        let activate = ActivateContract { workspace_id: self.workspace_id, contract_id, expected_version: None };
        self.operations.activate_contract(&Caller::system(), activate).await.unwrap();
        contract_id
    }

    /// A contract that is not active yet.
    pub(crate) async fn draft(&self, name: &str, terms: ContractTerms) -> ContractId {
        self.drafted(name, terms, ApprovalMode::Automatic).await
    }

    async fn drafted(&self, name: &str, terms: ContractTerms, approval_mode: ApprovalMode) -> ContractId {
        let draft = CreateContract {
            workspace_id: self.workspace_id,
            name: name.to_owned(),
            terms,
            filter_set_id: None,
            pool_id: self.pool_id,
            approval_mode,
            marketplaces: Vec::new(),
            price_reference: Some(PriceSource {
                sources: Vec::new(),
                statistic: PriceStatistic::Median,
                max_age_seconds: Some(900),
                min_confidence_bps: Some(5_000),
            }),
            starts_at: None,
            ends_at: None,
        };
        self.operations.create_contract(&Caller::system(), draft).await.unwrap().value.id
    }

    /// The trade offers for a purchase or an item, the newest first.
    pub(crate) async fn offers_of(&self, owner: OfferOwner) -> Vec<TradeOffer> {
        let (purchase_id, inventory_item_id) = match owner {
            OfferOwner::Purchase(id) => (Some(id), None),
            OfferOwner::Item(id) => (None, Some(id)),
        };
        let list = ListTradeOffers {
            workspace_id: self.workspace_id,
            limit: 200,
            cursor: String::new(),
            account_id: None,
            direction: None,
            status: None,
            purchase_id,
            inventory_item_id,
        };
        let trade_offer_ids = self.operations.list_trade_offers(&Caller::system(), list).await.unwrap().entries;
        if trade_offer_ids.is_empty() {
            return Vec::new();
        }
        let get = GetTradeOffers { workspace_id: self.workspace_id, trade_offer_ids };
        let found = self.operations.get_trade_offers(&Caller::system(), get).await.unwrap().found;
        found.into_iter().map(|offer| offer.value).collect()
    }

    /// A trade, by what is on record of it.
    pub(crate) async fn trade(&self, trade_id: &ExternalId) -> OfferTrade {
        let get = GetTrade { workspace_id: self.workspace_id, trade_id: trade_id.to_string() };
        self.operations.get_trade(&Caller::system(), get).await.unwrap().value.trade.clone().unwrap()
    }

    /// The chain of an item.
    pub(crate) async fn chain(&self, inventory_item_id: InventoryItemId) -> Vec<AssetIdLink> {
        let (workspace_id, cursor) = (self.workspace_id, String::new());
        let list = ListAssetIDLinks { workspace_id, inventory_item_id, limit: 200, cursor };
        self.operations.list_asset_id_links(&Caller::system(), list).await.unwrap().entries
    }

    /// What is reserved and spent under a contract.
    pub(crate) async fn money(&self, contract_id: ContractId) -> (Cents, Cents) {
        let get = GetContract { workspace_id: self.workspace_id, contract_id };
        let counters = self.operations.get_contract(&Caller::system(), get).await.unwrap().value.counters;
        (counters.reserved, counters.spent)
    }

    /// Every purchase, the newest first.
    pub(crate) async fn purchases(&self) -> Vec<Purchase> {
        let (mut all, mut cursor) = (Vec::new(), String::new());
        loop {
            let workspace_id = self.workspace_id;
            let list = ListPurchases {
                workspace_id,
                limit: 200,
                cursor,
                contract_id: None,
                status: None,
                wanted: WantedPurchases::default(),
            };
            let page = self.operations.list_purchases(&Caller::system(), list).await.unwrap();
            if !page.entries.is_empty() {
                let get = GetPurchases { workspace_id, purchase_ids: page.entries };
                let found = self.operations.get_purchases(&Caller::system(), get).await.unwrap().found;
                all.extend(found.into_iter().map(|purchase| purchase.value));
            }
            if page.next_cursor.is_empty() {
                return all;
            }
            cursor = page.next_cursor;
        }
    }

    /// Every item, the newest first.
    pub(crate) async fn items(&self) -> Vec<InventoryItem> {
        let (mut all, mut cursor) = (Vec::new(), String::new());
        loop {
            let workspace_id = self.workspace_id;
            let list = ListInventoryItems {
                workspace_id,
                limit: 200,
                cursor,
                contract_id: None,
                status: None,
                market_hash_name: String::new(),
                account_name: String::new(),
                wanted: WantedItems::default(),
            };
            let page = self.operations.list_inventory_items(&Caller::system(), list).await.unwrap();
            if !page.entries.is_empty() {
                let get = GetInventoryItems { workspace_id, inventory_item_ids: page.entries };
                let found = self.operations.get_inventory_items(&Caller::system(), get).await.unwrap().found;
                all.extend(found.into_iter().map(|item| item.value));
            }
            if page.next_cursor.is_empty() {
                return all;
            }
            cursor = page.next_cursor;
        }
    }

    /// Every intent of a kind, the newest first.
    pub(crate) async fn intents(&self, kind: IntentKind) -> Vec<Versioned<Intent>> {
        let workspace_id = self.workspace_id;
        let (limit, cursor) = (200, String::new());
        let list = ListIntents { workspace_id, limit, cursor, contract_id: None, kind: Some(kind), status: None };
        let page = self.operations.list_intents(&Caller::system(), list).await.unwrap();
        assert!(page.next_cursor.is_empty(), "more than a page of intents");
        if page.entries.is_empty() {
            return Vec::new();
        }
        let get = GetIntents { workspace_id, intent_ids: page.entries };
        self.operations.get_intents(&Caller::system(), get).await.unwrap().found
    }

    /// Lets a person approve an intent.
    pub(crate) async fn approve(&self, intent: &Versioned<Intent>) {
        let (workspace_id, intent_id) = (self.workspace_id, intent.value.terms.id);
        let approve = ApproveIntent { workspace_id, intent_id, expected_version: None };
        self.operations.approve_intent(&Caller::system(), approve).await.unwrap();
    }

    /// The statuses of purchases, in the order in which they were made.
    pub(crate) async fn purchase_statuses(&self) -> Vec<PurchaseStatus> {
        self.purchases().await.iter().rev().map(|purchase| purchase.status).collect()
    }

    /// The statuses of items, in the order in which they came.
    pub(crate) async fn item_statuses(&self) -> Vec<ItemStatus> {
        self.items().await.iter().rev().map(|item| item.status).collect()
    }

    /// Asserts what holds whatever happened: the world's own books, every chain, no listing bought twice, and our ledger
    /// equal to what the marketplace says.
    pub(crate) async fn assert_sound(&self) {
        self.simulator.world(|world| world.check_books()).unwrap();
        let (purchases, items) = (self.purchases().await, self.items().await);
        let mut bought: Vec<_> = purchases.iter().filter(|purchase| purchase.progress.order.is_some()).collect();
        bought.sort_by(|one, other| one.terms.listing_id.cmp(&other.terms.listing_id));
        for pair in bought.windows(2) {
            assert_ne!(pair[0].terms.listing_id, pair[1].terms.listing_id, "a listing was bought twice");
        }
        for item in &items {
            let verify = VerifyAssetIDChain { workspace_id: self.workspace_id, inventory_item_id: item.id };
            let verified = self.operations.verify_asset_id_chain(&Caller::system(), verify).await.unwrap();
            assert!(verified.is_empty(), "{verified:?}");
        }
        self.assert_balance(&purchases, &items).await;
    }

    /// What was paid in, less what purchases have cost, plus what came back and what sales have brought, is what there is.
    async fn assert_balance(&self, purchases: &[Purchase], items: &[InventoryItem]) {
        let spent: i64 = purchases
            .iter()
            .filter(|purchase| purchase.progress.order.is_some())
            .map(|purchase| purchase.cost().get() - purchase.progress.refunded.get())
            .sum();
        let brought: i64 = items
            .iter()
            .filter(|item| item.status == ItemStatus::Settled)
            .filter_map(|item| item.proceeds)
            .map(|proceeds| proceeds.sell_price().get() - proceeds.sale_fee().get())
            .sum();
        let balance = self.simulator.marketplace(CUSTOMER).balance().await.unwrap();
        assert_eq!(balance.get(), CAPITAL - spent + brought, "our ledger and the marketplace's differ");
    }
}

async fn found(operations: &Operations) -> WorkspaceId {
    let register = RegisterUser {
        email: email("owner@example.com"),
        password: "copper lantern under seven bridges".into(),
        display_name: text("Owner"),
    };
    let owner_id = operations.register_user(&Caller::system(), register).await.unwrap().id;
    let found =
        BootstrapWorkspace { owner_id, name: text("A workspace"), description: None, base_currency: Currency::USD };
    operations.bootstrap_workspace(&Caller::system(), found).await.unwrap().workspace.id
}

/// So many purchases, all in this status.
pub(crate) fn all_purchases(number: usize, status: PurchaseStatus) -> impl Fn(&[Purchase], &[InventoryItem]) -> bool {
    move |purchases, _| purchases.len() == number && purchases.iter().all(|purchase| purchase.status == status)
}

/// So many items, all in this status.
pub(crate) fn all_items(number: usize, status: ItemStatus) -> impl Fn(&[Purchase], &[InventoryItem]) -> bool {
    move |_, items| items.len() == number && items.iter().all(|item| item.status == status)
}
