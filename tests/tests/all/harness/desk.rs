//! What a workspace of a world trades: contracts, purchases and items, made by the operations.

use time::Duration;
use tradepost_domain::asset::{AppId, AssetId, ContextId};
use tradepost_domain::contracts::contract::ApprovalMode;
use tradepost_domain::contracts::evaluation::EvaluationRecord;
use tradepost_domain::contracts::intent::{DecisionBasis, IntentKind, ListingTarget, Target};
use tradepost_domain::contracts::inventory_item::{ItemEvent, Traits};
use tradepost_domain::contracts::ledger::Account;
use tradepost_domain::contracts::purchase::{Order, PurchaseEvent};
use tradepost_domain::contracts::remediation::{Evidence, RemediationKind};
use tradepost_domain::id::{
    ContractId, ContractVersionId, EvaluationId, FilterSetId, Id, IntentId, InventoryItemId, LedgerEntryId, PoolId,
    PurchaseId, RemediationId, TransitionId, WorkspaceId,
};
use tradepost_domain::money::Cents;
use tradepost_domain::text::ExternalId;
use tradepost_domain::transition::Subject;
use tradepost_operations::contracts::{
    ActivateContract, AdjustPoolFunds, AdvanceItem, AdvancePurchase, AppendAssetIDLink, ArchivePool, BuyingLimits,
    CancelIntent, ContractTerms, CreateContract, CreateFilterSet, CreatePool, DismissRemediation, EvaluateContract,
    FilterFeatures, FilterRules, KeepEvaluations, LimitsOfPool, ListContractVersions, ListLedgerEntries,
    ListTransitions, MarketView, OpenRemediation, PausePool, ProposeIntent, ReceiveItem, RecordPurchase, SampleListing,
    SellingLimits, ToEvaluate, UndercutBy, UpdateFilterSet,
};
use tradepost_operations::{Caller, Operations};
use tradepost_ports::clock::Clock as _;
use tradepost_testkit::fakes::FixedClock;
use tradepost_testkit::samples::text;

use super::providers::on_record;

/// The records of a workspace.
#[derive(Debug, Clone)]
pub(crate) struct Desk {
    pub(crate) workspace_id: WorkspaceId,
    /// An active contract that buys.
    pub(crate) contract: ContractId,
    /// The version of its terms.
    pub(crate) contract_version: ContractVersionId,
    /// A draft of one.
    pub(crate) draft: ContractId,
    /// A draft of one that sells.
    pub(crate) selling: ContractId,
    /// A purchase that was recorded and not sent.
    pub(crate) pending: PurchaseId,
    /// A purchase whose item has arrived.
    pub(crate) purchase: PurchaseId,
    /// That item; its chain has three links.
    pub(crate) item: InventoryItemId,
    /// An item that went back to its seller.
    pub(crate) closed_item: InventoryItemId,
    /// A filter set that a contract names, in its second version.
    pub(crate) filter_set: FilterSetId,
    /// A filter set that no contract names.
    pub(crate) unused_filter_set: FilterSetId,
    /// An active pool with money in it, which a draft names.
    pub(crate) pool: PoolId,
    /// A pool from which a contract has bought.
    pub(crate) buying_pool: PoolId,
    /// A paused pool that no contract names.
    pub(crate) paused_pool: PoolId,
    /// A pool that was put away.
    pub(crate) archived_pool: PoolId,
    /// The entry of the ledger that records a deposit.
    pub(crate) ledger_entry: LedgerEntryId,
    /// The last entry of the ledger.
    pub(crate) booked: LedgerEntryId,
    /// The last change of a status of all these.
    pub(crate) transition: TransitionId,
    /// An active contract that buys what a person approves.
    pub(crate) by_hand: ContractId,
    /// An intent that waits for approval.
    pub(crate) intent: IntentId,
    /// An intent that was withdrawn.
    pub(crate) ended_intent: IntentId,
    /// An evaluation of a listing that was skipped.
    pub(crate) evaluation: EvaluationId,
    /// Another one.
    pub(crate) other_evaluation: EvaluationId,
    /// A remediation of the purchase that was reversed.
    pub(crate) remediation: RemediationId,
    /// A remediation that was dismissed.
    pub(crate) ended_remediation: RemediationId,
}

/// The workspace that trades, and the time.
pub(crate) struct Trading<'a> {
    pub(crate) operations: &'a Operations,
    pub(crate) clock: &'a FixedClock,
    pub(crate) workspace_id: WorkspaceId,
}

impl Trading<'_> {
    /// Makes the records of a workspace.
    pub(crate) async fn open(&self) -> Desk {
        on_record(self.operations, self.workspace_id, "simulator").await;
        let (filter_set, unused_filter_set) = (self.filter_set("Rifles").await, self.filter_set("Unused").await);
        let named = CreateContract { filter_set_id: Some(filter_set), ..self.drafted("Redlines", buying()) };
        let contract = self.draft(named).await;
        let command =
            ActivateContract { workspace_id: self.workspace_id, contract_id: contract, expected_version: None };
        self.operations.activate_contract(&Caller::system(), command).await.unwrap();
        let contract_version = self.version_of(contract).await;
        let (pool, buying_pool) = (self.pool("Rifles").await, self.pool("Cases").await);
        let (paused_pool, archived_pool) = (self.pool("Paused").await, self.pool("Archived").await);
        self.put_away(paused_pool, archived_pool).await;
        let pooled = CreateContract { pool_id: Some(pool), ..self.drafted("Not yet", buying_up_to(1_000_000)) };
        let draft = self.draft(pooled).await;
        let selling = self.draft(self.drafted("Sell rifles", selling())).await;
        let pending = self.record(contract, 1).await;
        let (purchase, item) = self.receive(contract, 2).await;
        self.append(item, 3).await;
        let (reversed, closed_item) = self.receive(contract, 4).await;
        self.advance(reversed, PurchaseEvent::TradeReversed { rollback_trade_id: external("rollback", 4) }).await;
        self.change(filter_set).await;
        let transition = self.last_change().await;
        let by_hand = self.active("Redlines by hand", ApprovalMode::Manual).await;
        let intent = self.propose(by_hand, 90).await;
        let ended_intent = self.propose(by_hand, 91).await;
        self.withdraw(ended_intent).await;
        self.buy_from(buying_pool).await;
        Desk {
            workspace_id: self.workspace_id,
            contract,
            contract_version,
            draft,
            selling,
            pending,
            purchase,
            item,
            closed_item,
            filter_set,
            unused_filter_set,
            transition,
            by_hand,
            intent,
            ended_intent,
            evaluation: self.evaluate(contract, 1).await,
            other_evaluation: self.evaluate(contract, 2).await,
            remediation: self.remediation_of(RemediationKind::TradeReversed, Subject::Purchase(reversed)).await,
            ended_remediation: self.dismissed(item).await,
            pool,
            buying_pool,
            paused_pool,
            archived_pool,
            ledger_entry: self.last_entry(Some(Account::Capital)).await,
            booked: self.last_entry(None).await,
        }
    }

    /// An active contract that buys by these terms.
    pub(crate) async fn active(&self, name: &str, approval_mode: ApprovalMode) -> ContractId {
        let contract_id = self.draft(CreateContract { approval_mode, ..self.drafted(name, buying()) }).await;
        let command = ActivateContract { workspace_id: self.workspace_id, contract_id, expected_version: None };
        self.operations.activate_contract(&Caller::system(), command).await.unwrap();
        contract_id
    }

    /// Proposes to buy a listing.
    pub(crate) async fn propose(&self, contract_id: ContractId, number: u32) -> IntentId {
        self.clock.advance(Duration::seconds(1));
        let listing = ListingTarget {
            marketplace: text("simulator"),
            listing_id: external("listing", number),
            listing_asset_id: AssetId::new(&format!("1{number:06}")).unwrap(),
            app_id: AppId::CS2,
            market_hash_name: text("AK-47 | Redline (Field-Tested)"),
            phase: None,
            traits: Box::default(),
            price: cents(1_200),
            platform_fee: cents(30),
            max_buy_price: cents(1_500),
        };
        let command = ProposeIntent {
            workspace_id: self.workspace_id,
            contract_id: Some(contract_id),
            kind: IntentKind::Buy,
            target: Target::Listing(listing),
            basis: DecisionBasis { filter_set_version: Some(2), fair_value: Some(cents(1_640)), evaluation_id: None },
            is_read_only: false,
        };
        self.operations.propose_intent(&Caller::system(), command).await.unwrap().value.terms.id
    }

    /// Keeps an evaluation; the number is in its id.
    async fn evaluate(&self, contract_id: ContractId, number: u8) -> EvaluationId {
        self.clock.advance(Duration::seconds(1));
        let command = EvaluateContract {
            workspace_id: self.workspace_id,
            contract_id,
            marketplace: "simulator".to_owned(),
            about: ToEvaluate::Listing(Box::new(SampleListing {
                market_hash_name: "AK-47 | Redline (Field-Tested)".to_owned(),
                price_cents: Some(1_600),
                ..SampleListing::default()
            })),
            market: MarketView::default(),
        };
        let evaluation = self.operations.evaluate_contract(&Caller::system(), command).await.unwrap();
        let [mut id, home] = [evaluation.id.to_bytes(), self.workspace_id.to_bytes()];
        // The end of the id decides whether it is kept, its middle keeps those of two workspaces apart.
        (id[13], id[14], id[15]) = (home[15], number, 0);
        let evaluations = vec![EvaluationRecord { id: Id::from_bytes(id), ..evaluation }];
        let command = KeepEvaluations { workspace_id: self.workspace_id, evaluations };
        assert_eq!(self.operations.keep_evaluations(&Caller::system(), command).await.unwrap(), 1);
        Id::from_bytes(id)
    }

    async fn withdraw(&self, intent_id: IntentId) {
        self.clock.advance(Duration::seconds(1));
        let (workspace_id, reason) = (self.workspace_id, Some("not needed".to_owned()));
        let command = CancelIntent { workspace_id, intent_id, expected_version: None, reason };
        self.operations.cancel_intent(&Caller::system(), command).await.unwrap();
    }

    /// Records what happened to an item.
    pub(crate) async fn move_item(&self, inventory_item_id: InventoryItemId, event: ItemEvent) {
        let workspace_id = self.workspace_id;
        let command = AdvanceItem { workspace_id, inventory_item_id, event, expected_version: None };
        self.operations.advance_item(&Caller::system(), command).await.unwrap();
    }

    /// A pool with money in it.
    async fn pool(&self, name: &str) -> PoolId {
        self.clock.advance(Duration::seconds(1));
        let limits = LimitsOfPool {
            budget_cents: 1_000_000,
            max_per_purchase_cents: None,
            max_exposure_per_item_cents: None,
            daily_limit_cents: Some(500_000),
        };
        let (workspace_id, name, currency) = (self.workspace_id, name.to_owned(), "USD".to_owned());
        let command = CreatePool { workspace_id, name, currency, limits };
        let pool_id = self.operations.create_pool(&Caller::system(), command).await.unwrap().value.id;
        let reason = "to begin with".to_owned();
        let command = AdjustPoolFunds { workspace_id, pool_id, delta_cents: 100_000, reason, expected_version: None };
        self.operations.adjust_pool_funds(&Caller::system(), command).await.unwrap();
        pool_id
    }

    async fn put_away(&self, paused: PoolId, archived: PoolId) {
        let (workspace_id, expected_version) = (self.workspace_id, None);
        let pause = PausePool { workspace_id, pool_id: paused, reason: None, expected_version };
        self.operations.pause_pool(&Caller::system(), pause).await.unwrap();
        let archive = ArchivePool { workspace_id, pool_id: archived, expected_version };
        self.operations.archive_pool(&Caller::system(), archive).await.unwrap();
    }

    /// Records a purchase under a contract that names a pool.
    async fn buy_from(&self, pool_id: PoolId) {
        let pooled = CreateContract { pool_id: Some(pool_id), ..self.drafted("Cases", buying_up_to(1_000_000)) };
        let contract_id = self.draft(pooled).await;
        let command = ActivateContract { workspace_id: self.workspace_id, contract_id, expected_version: None };
        self.operations.activate_contract(&Caller::system(), command).await.unwrap();
        self.record(contract_id, 5).await;
    }

    /// Records a purchase at the one marketplace that this server can ask.
    pub(crate) async fn buy_elsewhere(&self) -> PurchaseId {
        let marketplaces = vec!["elsewhere".to_owned()];
        on_record(self.operations, self.workspace_id, "elsewhere").await;
        let contract_id = self.draft(CreateContract { marketplaces, ..self.drafted("Elsewhere", buying()) }).await;
        let command = ActivateContract { workspace_id: self.workspace_id, contract_id, expected_version: None };
        self.operations.activate_contract(&Caller::system(), command).await.unwrap();
        let command = RecordPurchase { marketplace: "elsewhere".to_owned(), ..self.listing(contract_id, 6) };
        self.operations.record_purchase(&Caller::system(), command).await.unwrap().value.terms.id
    }

    /// The remediation of a record's problem, opened if it is not yet.
    pub(crate) async fn remediation_of(&self, kind: RemediationKind, subject: Subject) -> RemediationId {
        let command = OpenRemediation { workspace_id: self.workspace_id, kind, subject, evidence: Evidence::default() };
        self.operations.open_remediation(&Caller::system(), command).await.unwrap().value.id
    }

    async fn dismissed(&self, item: InventoryItemId) -> RemediationId {
        let subject = Subject::InventoryItem(item);
        let remediation_id = self.remediation_of(RemediationKind::ListingMismatch, subject).await;
        let (workspace_id, reason) = (self.workspace_id, "sold by hand".to_owned());
        let command = DismissRemediation { workspace_id, remediation_id, reason, expected_version: None };
        self.operations.dismiss_remediation(&Caller::system(), command).await.unwrap();
        remediation_id
    }

    async fn last_entry(&self, account: Option<Account>) -> LedgerEntryId {
        let (workspace_id, cursor, pool_id, contract_id) = (self.workspace_id, String::new(), None, None);
        let command =
            ListLedgerEntries { workspace_id, limit: 1, cursor, account, pool_id, contract_id, from: None, to: None };
        self.operations.list_ledger_entries(&Caller::system(), command).await.unwrap().entries[0]
    }

    async fn version_of(&self, contract_id: ContractId) -> ContractVersionId {
        let (limit, cursor) = (1, String::new());
        let list = ListContractVersions { workspace_id: self.workspace_id, contract_id, limit, cursor };
        self.operations.list_contract_versions(&Caller::system(), list).await.unwrap().entries[0]
    }

    async fn last_change(&self) -> TransitionId {
        let command = ListTransitions {
            workspace_id: self.workspace_id,
            limit: 1,
            cursor: String::new(),
            subject_kind: None,
            subject_id: None,
            from: None,
            to: None,
            subject_kinds: Vec::new(),
        };
        self.operations.list_transitions(&Caller::system(), command).await.unwrap().entries[0]
    }

    async fn filter_set(&self, name: &str) -> FilterSetId {
        self.clock.advance(Duration::seconds(1));
        let (workspace_id, name) = (self.workspace_id, name.to_owned());
        let command = CreateFilterSet { workspace_id, name, rules: weapons(&["AK-47", "M4A4"]) };
        self.operations.create_filter_set(&Caller::system(), command).await.unwrap().id
    }

    /// Gives a filter set its next version.
    async fn change(&self, filter_set_id: FilterSetId) {
        self.clock.advance(Duration::seconds(1));
        let command = UpdateFilterSet {
            workspace_id: self.workspace_id,
            filter_set_id,
            name: None,
            rules: Some(weapons(&["AK-47"])),
            expected_version: None,
        };
        self.operations.update_filter_set(&Caller::system(), command).await.unwrap();
    }

    fn drafted(&self, name: &str, terms: ContractTerms) -> CreateContract {
        CreateContract {
            workspace_id: self.workspace_id,
            name: name.to_owned(),
            terms,
            filter_set_id: None,
            pool_id: None,
            approval_mode: ApprovalMode::Automatic,
            marketplaces: vec!["simulator".to_owned()],
            price_reference: None,
            starts_at: None,
            ends_at: None,
        }
    }

    async fn draft(&self, command: CreateContract) -> ContractId {
        self.clock.advance(Duration::seconds(1));
        self.operations.create_contract(&Caller::system(), command).await.unwrap().value.id
    }

    /// Records the purchase of a listing.
    pub(crate) async fn record(&self, contract_id: ContractId, number: u32) -> PurchaseId {
        self.clock.advance(Duration::seconds(1));
        let command = self.listing(contract_id, number);
        self.operations.record_purchase(&Caller::system(), command).await.unwrap().value.terms.id
    }

    /// The purchase of a listing, to be recorded.
    pub(crate) fn listing(&self, contract_id: ContractId, number: u32) -> RecordPurchase {
        RecordPurchase {
            workspace_id: self.workspace_id,
            contract_id,
            intent_id: None,
            app_id: AppId::CS2,
            market_hash_name: "AK-47 | Redline (Field-Tested)".to_owned(),
            traits: Traits::default(),
            listing_price_cents: 1_200,
            max_buy_price_cents: 1_500,
            platform_fee_cents: 30,
            listing_id: format!("listing-{number}"),
            listing_asset_id: format!("1{number:06}"),
            marketplace: "simulator".to_owned(),
            account_name: "trader-1".to_owned(),
        }
    }

    /// Records what happened to a purchase.
    pub(crate) async fn advance(&self, purchase_id: PurchaseId, event: PurchaseEvent) {
        self.clock.advance(Duration::seconds(1));
        let command = AdvancePurchase { workspace_id: self.workspace_id, purchase_id, event, expected_version: None };
        self.operations.advance_purchase(&Caller::system(), command).await.unwrap();
    }

    /// Buys a listing up to the arrival of its item, whose trade can be reversed for a week.
    pub(crate) async fn receive(&self, contract_id: ContractId, number: u32) -> (PurchaseId, InventoryItemId) {
        self.receive_protected(contract_id, number, Duration::days(7)).await
    }

    /// The same, with a trade that can be reversed for so long.
    pub(crate) async fn receive_protected(
        &self,
        contract_id: ContractId,
        number: u32,
        protection: Duration,
    ) -> (PurchaseId, InventoryItemId) {
        let purchase_id = self.record(contract_id, number).await;
        self.advance(purchase_id, PurchaseEvent::Submitted { listing_price: cents(1_200) }).await;
        let order = Order { id: external("order", number), executed_price: cents(1_190), fee: cents(30) };
        self.advance(purchase_id, PurchaseEvent::Accepted(order)).await;
        let command = ReceiveItem {
            workspace_id: self.workspace_id,
            purchase_id,
            trade_id: format!("trade-{number}"),
            asset_id: format!("2{number:06}"),
            protected_until: self.clock.now().plus(protection),
            app_id: AppId::CS2,
            context_id: ContextId::ORDINARY,
            traits: Traits::default(),
            expected_version: None,
        };
        let received = self.operations.receive_item(&Caller::system(), command).await.unwrap();
        (purchase_id, received.item.value.id)
    }

    /// Appends the link of another asset id.
    async fn append(&self, inventory_item_id: InventoryItemId, number: u32) {
        self.clock.advance(Duration::seconds(1));
        let command = AppendAssetIDLink {
            workspace_id: self.workspace_id,
            inventory_item_id,
            expected_step: None,
            asset_id: format!("3{number:06}"),
            source: "inventory".to_owned(),
            source_id: format!("snapshot-{number}"),
        };
        self.operations.append_asset_id_link(&Caller::system(), command).await.unwrap();
    }
}

fn weapons(weapons: &[&str]) -> FilterRules {
    let weapons = weapons.iter().map(|weapon| (*weapon).to_owned()).collect();
    FilterRules { features: FilterFeatures { weapons, ..FilterFeatures::default() }, ..FilterRules::default() }
}

fn buying() -> ContractTerms {
    buying_up_to(150_000_000)
}

fn buying_up_to(budget_cents: i64) -> ContractTerms {
    ContractTerms::Buying(BuyingLimits {
        target_quantity: Some(100_000),
        max_buy_price_cents: Some(1_500),
        budget_cents: Some(budget_cents),
        ..BuyingLimits::default()
    })
}

fn selling() -> ContractTerms {
    ContractTerms::Selling(SellingLimits {
        floor_price_cents: Some(1_300),
        undercut: Some(UndercutBy::Cents(1)),
        ..SellingLimits::default()
    })
}

fn cents(amount: i64) -> Cents {
    Cents::new(amount).unwrap()
}

fn external(what: &str, number: u32) -> ExternalId {
    ExternalId::new(&format!("{what}-{number}")).unwrap()
}
