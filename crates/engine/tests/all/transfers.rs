//! Moving items between accounts of the desk: whatever is lost on the way, an item is with one of them and its chain says how it got there.

use std::sync::Arc;

use time::Duration;
use tradepost_adapters_simulator::{Call, Fault, Side};
use tradepost_domain::asset::{AppId, AssetId, ContextId};
use tradepost_domain::contracts::chain::Source;
use tradepost_domain::contracts::intent::{Intent, IntentKind, IntentStatus};
use tradepost_domain::contracts::inventory_item::{InventoryItem, ItemStatus};
use tradepost_domain::contracts::purchase::PurchaseStatus;
use tradepost_domain::contracts::remediation::RemediationKind;
use tradepost_domain::id::AccountId;
use tradepost_domain::trading::trade::TradeAddress;
use tradepost_engine::{Engine, TradingAccount};
use tradepost_operations::Caller;
use tradepost_operations::contracts::{DelistItem, ListItemForSale, TransferItem};
use tradepost_operations::trading::{
    AccountSecrets, AcknowledgeTradeProtection, CancelTradeOffer, CreateAccount, LimitsOfAccount,
};
use tradepost_ports::game_platform::{ConfirmationAnswer, GamePlatform as _, NewOffer};
use tradepost_testkit::samples::text;

use crate::desk::{CUSTOMER, Desk, MARKET, all_items, all_purchases};

/// A desk of two accounts, of which the first one holds an item that is free to be traded.
struct Accounts {
    desk: Desk,
    second: TradeAddress,
    second_id: AccountId,
}

impl Accounts {
    async fn meet(seed: u64) -> Self {
        let mut desk = Desk::slow(seed).await;
        desk.on_record().await;
        let second = desk.simulator.world(|world| world.open_account("second"));
        let second_id = register(&desk, &second).await;
        desk.buying(1).await;
        desk.live_until(&mut desk.engine(), all_purchases(1, PurchaseStatus::Settled)).await;
        desk.step = Duration::seconds(20);
        let accounts = Self { desk, second, second_id };
        // The second account is signed in.
        accounts.live(&mut accounts.engine(), 2).await;
        accounts
    }

    fn engine(&self) -> Engine {
        let engaged = self.desk.engaged("node-1", Arc::new(self.desk.simulator.marketplace(CUSTOMER)));
        let second = TradingAccount { name: text("bot-2"), address: self.second.clone() };
        let accounts = engaged.accounts.iter().cloned().chain([second]).collect();
        self.desk.engine_for(tradepost_engine::Desk { accounts, ..engaged })
    }

    async fn item(&self) -> InventoryItem {
        self.desk.items().await.remove(0)
    }

    async fn ask(&self) {
        self.ask_to_move(false).await;
    }

    async fn ask_to_move(&self, accept_hold: bool) {
        let (workspace_id, inventory_item_id) = (self.desk.workspace_id, self.item().await.id);
        let command = TransferItem { workspace_id, inventory_item_id, account_id: self.second_id, accept_hold };
        self.desk.operations.transfer_item(&Caller::system(), command).await.unwrap();
    }

    async fn live(&self, engine: &mut Engine, minutes: i64) {
        self.desk.live(engine, Duration::minutes(minutes)).await;
    }

    async fn transfer(&self) -> Intent {
        self.desk.intents(IntentKind::Transfer).await.remove(0).value
    }

    fn strike(&self, fault: Fault) {
        self.desk.simulator.world(|world| world.inject(fault));
    }

    /// The asset ids that the platform shows an account to have.
    async fn assets_of(&self, account: &TradeAddress) -> Vec<AssetId> {
        let mut all = Vec::new();
        for context in [ContextId::PROTECTED, ContextId::ORDINARY] {
            let shown = self.desk.simulator.platform().inventory(account.user, AppId::CS2, context).await.unwrap();
            all.extend(shown.assets.into_iter().map(|asset| asset.asset_id));
        }
        all
    }

    /// Asserts that the record says where the item is, and that it is there once.
    async fn assert_known(&self, what: &str) {
        let item = self.item().await;
        let [first, second] = [self.assets_of(&self.desk.account).await, self.assets_of(&self.second).await];
        let (has, lacks) = if item.account_name.as_str() == "bot-2" { (second, first) } else { (first, second) };
        assert_eq!((has, lacks), (vec![item.current_asset_id().clone()], Vec::new()), "{what}");
        self.desk.assert_sound().await;
    }
}

async fn register(desk: &Desk, address: &TradeAddress) -> AccountId {
    let (workspace_id, system) = (desk.workspace_id, Caller::system());
    let command = CreateAccount {
        workspace_id,
        name: "bot-2".to_owned(),
        platform: "steam".to_owned(),
        platform_user_id: address.user.to_string(),
        trade_token: Some(address.token.to_string()),
        capabilities: Vec::new(),
        limits: LimitsOfAccount::default(),
        giving_limits: None,
        secrets: AccountSecrets::default(),
    };
    let account_id = desk.operations.create_account(&system, command).await.unwrap().value.id;
    let accept = AcknowledgeTradeProtection { workspace_id, account_ids: vec![account_id] };
    desk.operations.acknowledge_trade_protection(&system, accept).await.unwrap();
    account_id
}

#[tokio::test]
async fn an_item_moves_to_the_other_account_under_a_new_asset_id_and_costs_nothing() {
    let accounts = Accounts::meet(1_101).await;
    let (before, mut engine) = (accounts.item().await, accounts.engine());
    accounts.ask().await;
    accounts.live(&mut engine, 10).await;
    let item = accounts.item().await;
    assert_eq!((accounts.transfer().await.status, item.account_name.as_str()), (IntentStatus::Succeeded, "bot-2"));
    assert_ne!(item.current_asset_id(), before.current_asset_id());
    assert_eq!((item.status, item.buy_price), (ItemStatus::InInventory, before.buy_price));
    let links = accounts.desk.chain(item.id).await;
    assert_eq!(links.last().map(|link| link.source), Some(Source::Transfer));
    let now = accounts.desk.simulator.world(|world| world.now());
    assert!(item.check_unlocked(now).is_err(), "the platform protects what was traded");
    accounts.assert_known("moved").await;
}

#[tokio::test]
async fn whatever_is_lost_on_the_way_the_item_arrives_once() {
    let calls = [Call::Send, Call::Answer, Call::Accept];
    let lost = calls
        .iter()
        .flat_map(|call| [Fault::TimeoutBeforeCommit { call: *call }, Fault::TimeoutAfterCommit { call: *call }]);
    let quiet = [
        Fault::RateLimitStorm { side: Side::Platform, seconds: 120 },
        Fault::SessionLost { side: Side::Platform, seconds: 120 },
    ];
    for fault in lost.chain(quiet) {
        let accounts = Accounts::meet(1_102).await;
        let mut engine = accounts.engine();
        accounts.strike(fault.clone());
        accounts.ask().await;
        // A call without an answer is looked up, and then a person asks again.
        for _ in 0..3 {
            accounts.live(&mut engine, 20).await;
            if accounts.transfer().await.status == IntentStatus::Failed {
                accounts.ask().await;
            }
        }
        assert_eq!(accounts.transfer().await.status, IntentStatus::Succeeded, "{fault:?}");
        let waiting = accounts.desk.simulator.world(|world| world.armed().to_vec());
        assert!(waiting.is_empty(), "never struck: {waiting:?}");
        accounts.assert_known(&format!("{fault:?}")).await;
        assert_eq!(accounts.desk.remediations(RemediationKind::MissingItem).await, [], "{fault:?}");
        assert_eq!(accounts.desk.remediations(RemediationKind::OrphanItem).await, [], "{fault:?}");
    }
}

#[tokio::test]
async fn another_engine_continues_after_each_step() {
    let accounts = Accounts::meet(1_103).await;
    accounts.ask().await;
    for _ in 0..60 {
        accounts.engine().pass().await;
        accounts.desk.simulator.advance(accounts.desk.step);
    }
    assert_eq!(accounts.transfer().await.status, IntentStatus::Succeeded);
    accounts.assert_known("by many engines").await;
}

#[tokio::test]
async fn an_item_that_was_on_sale_before_is_moved_and_its_chain_is_whole() {
    let accounts = Accounts::meet(1_106).await;
    let (mut engine, system) = (accounts.engine(), Caller::system());
    let (workspace_id, inventory_item_id) = (accounts.desk.workspace_id, accounts.item().await.id);
    let (marketplace, price_cents) = (MARKET.to_owned(), Some(9_000_000));
    let list = ListItemForSale { workspace_id, inventory_item_id, marketplace, price_cents };
    accounts.desk.operations.list_item_for_sale(&system, list).await.unwrap();
    accounts.desk.live_until(&mut engine, all_items(1, ItemStatus::Listed)).await;
    accounts.desk.operations.delist_item(&system, DelistItem { workspace_id, inventory_item_id }).await.unwrap();
    accounts.desk.live_until(&mut engine, all_items(1, ItemStatus::InInventory)).await;
    accounts.live(&mut engine, 1).await;
    accounts.ask().await;
    accounts.live(&mut engine, 10).await;
    assert_eq!(accounts.transfer().await.status, IntentStatus::Succeeded);
    let sources: Vec<Source> = accounts.desk.chain(inventory_item_id).await.iter().map(|link| link.source).collect();
    assert_eq!(sources[2..], [Source::SaleListing, Source::Inventory, Source::Transfer]);
    accounts.assert_known("listed before").await;
}

#[tokio::test]
async fn an_item_whose_trade_is_held_is_not_missing_and_arrives_or_is_back() {
    for (rolled_back, status, holder) in
        [(false, IntentStatus::Succeeded, "bot-2"), (true, IntentStatus::Failed, "bot-1")]
    {
        let mut accounts = Accounts::meet(1_107).await;
        accounts.desk.step = Duration::minutes(10);
        let mut engine = accounts.engine();
        accounts.strike(Fault::Escrow { hours: 12, rolled_back });
        accounts.ask_to_move(true).await;
        accounts.live(&mut engine, 6 * 60).await;
        assert_eq!(accounts.transfer().await.status, IntentStatus::Executing);
        assert_eq!(accounts.desk.item_statuses().await, [ItemStatus::InInventory]);
        accounts.live(&mut engine, 12 * 60).await;
        assert_eq!(accounts.transfer().await.status, status, "rolled back: {rolled_back}");
        assert_eq!(accounts.item().await.account_name.as_str(), holder);
        assert_eq!(accounts.desk.remediations(RemediationKind::MissingItem).await, []);
        accounts.assert_known("held").await;
    }
}

#[tokio::test]
async fn an_item_that_would_be_held_is_not_moved_unless_that_was_accepted() {
    let accounts = Accounts::meet(1_114).await;
    let mut engine = accounts.engine();
    accounts.strike(Fault::Escrow { hours: 12, rolled_back: false });
    accounts.ask().await;
    accounts.live(&mut engine, 5).await;
    let transfer = accounts.transfer().await;
    assert_eq!(transfer.status, IntentStatus::Failed);
    assert_eq!(transfer.failed_check.as_ref().map(ToString::to_string).as_deref(), Some("OFFER_CANCELLED"));
    accounts.assert_known("not moved").await;
}

#[tokio::test]
async fn an_item_whose_trade_fails_stays_under_the_id_that_it_came_back_with() {
    for fault in [Fault::FailedTrade, Fault::FailedInPlace] {
        let accounts = Accounts::meet(1_108).await;
        let mut engine = accounts.engine();
        accounts.strike(fault.clone());
        accounts.ask().await;
        accounts.live(&mut engine, 40).await;
        assert_eq!(accounts.transfer().await.status, IntentStatus::Failed, "{fault:?}");
        accounts.assert_known(&format!("{fault:?}")).await;
        accounts.ask().await;
        accounts.live(&mut engine, 10).await;
        assert_eq!(accounts.transfer().await.status, IntentStatus::Succeeded, "{fault:?}");
        accounts.assert_known(&format!("after {fault:?}")).await;
    }
}

#[tokio::test]
async fn a_cancelled_offer_ends_the_transfer_and_the_item_stays() {
    let accounts = Accounts::meet(1_104).await;
    let mut engine = accounts.engine();
    accounts.ask().await;
    let trade_offer_id = accounts.transfer().await.trade_offer_id().unwrap();
    let cancel = CancelTradeOffer { workspace_id: accounts.desk.workspace_id, trade_offer_id, expected_version: None };
    accounts.desk.operations.cancel_trade_offer(&Caller::system(), cancel).await.unwrap();
    accounts.live(&mut engine, 2).await;
    let transfer = accounts.transfer().await;
    assert_eq!(transfer.status, IntentStatus::Failed);
    assert_eq!(transfer.failed_check.as_ref().map(ToString::to_string).as_deref(), Some("OFFER_CANCELLED"));
    assert_eq!(accounts.item().await.account_name.as_str(), "bot-1");
    accounts.assert_known("stayed").await;
}

#[tokio::test]
async fn an_item_that_a_person_moved_in_the_platforms_app_is_not_missing_but_with_the_other_account() {
    let accounts = Accounts::meet(1_105).await;
    let (platform, first) = (accounts.desk.simulator.platform(), accounts.desk.account.user);
    let give = vec![accounts.item().await.current_asset_id().clone()];
    let offer = NewOffer { to: accounts.second.clone(), give, receive: Vec::new(), message: None };
    let sent = platform.send(first, &offer).await.unwrap();
    accounts.desk.simulator.advance(Duration::minutes(2));
    for waiting in platform.confirmations(first).await.unwrap() {
        platform.answer(first, &waiting, ConfirmationAnswer::Allow).await.unwrap();
    }
    platform.accept(accounts.second.user, &sent.id).await.unwrap();
    accounts.live(&mut accounts.engine(), 90).await;
    assert_eq!(accounts.item().await.account_name.as_str(), "bot-2");
    assert_eq!(accounts.desk.remediations(RemediationKind::MissingItem).await, []);
    accounts.assert_known("moved by hand").await;
}

#[tokio::test]
async fn an_item_whose_transfer_is_reversed_is_with_its_former_account_again_and_can_be_moved_once_more() {
    // Under its old id or a new one: the platform does either.
    for seed in 1_109..1_113 {
        let mut accounts = Accounts::meet(seed).await;
        let (mut engine, before) = (accounts.engine(), accounts.item().await);
        accounts.ask().await;
        accounts.live(&mut engine, 10).await;
        assert_eq!(accounts.item().await.account_name.as_str(), "bot-2");
        accounts.desk.simulator.world(|world| world.reverse_trades_of(accounts.second.user));
        accounts.desk.step = Duration::minutes(10);
        accounts.live(&mut engine, 24 * 60).await;
        let item = accounts.item().await;
        assert_eq!((item.id, item.account_name.as_str()), (before.id, "bot-1"));
        assert_eq!((item.status, item.buy_price), (ItemStatus::InInventory, before.buy_price));
        assert_eq!(accounts.desk.remediations(RemediationKind::MissingItem).await, []);
        assert_eq!(accounts.desk.remediations(RemediationKind::OrphanItem).await, []);
        accounts.assert_known("reversed").await;
        accounts.desk.step = Duration::seconds(20);
        accounts.ask().await;
        accounts.live(&mut engine, 10).await;
        assert_eq!(accounts.item().await.account_name.as_str(), "bot-2");
        accounts.assert_known("moved once more").await;
    }
}
