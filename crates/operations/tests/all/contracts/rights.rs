//! Who may call what, asked of every operation in one table.

mod deciding;
mod problems;
mod staffing;

use std::collections::{BTreeMap, BTreeSet};

use tradepost_domain::accounts::policy::{Policy, PolicySet};
use tradepost_domain::contracts::inventory_item::ItemEvent;
use tradepost_domain::contracts::ledger::report::{Grouping, Span, midnight_of};
use tradepost_domain::id::{Id, WorkspaceId};
use tradepost_operations::contracts::{
    ActivateContract, AdjustPoolFunds, AdvanceItem, AdvancePurchase, AppendAssetIDLink, ApplyPriceStaleness,
    ArchivePool, CancelContract, CloneContract, CountContracts, CountFilterSets, CountInventoryItems, CountPools,
    CountPurchases, CountTransitions, CreateFilterSet, CreatePool, DeleteContract, DeleteFilterSet,
    ExportProfitAndLoss, FilterRules, GetCapital, GetContract, GetContractVersions, GetContracts, GetEquitySeries,
    GetFilterSet, GetFilterSets, GetInventoryItem, GetInventoryItems, GetItemProfitAndLoss, GetLedgerEntries, GetPool,
    GetPoolBalance, GetPools, GetProfitAndLoss, GetProfitAndLossSeries, GetPurchase, GetPurchases, GetTransition,
    GetTransitions, ListAssetIDLinks, ListContractVersions, ListContracts, ListFilterSets, ListInventoryItems,
    ListPools, ListPurchases, ListTransitions, PauseContract, PausePool, RecordPayout, ReportOf, ResumeContract,
    ResumePool, SampleListing, Search, TestFilterSet, UpdateContract, UpdateFilterSet, UpdatePool, VerifyAssetIDChain,
    WantedItems, WantedPurchases, WatchTransitions,
};
use tradepost_operations::rules::{RULES, Rule};
use tradepost_operations::{AtWork, Caller, Code, OpError, OpResult};
use tradepost_ports::limiter::RateClass;

use super::{Desk, buying, draft, renamed, submitted};

/// Changes of a program in process, such as an engine: no rule of the interface names them.
const WRITES_IN_PROCESS: [&str; 16] = [
    "AdvanceItem",
    "AdvancePurchase",
    "AdvanceRemediation",
    "BuyApproved",
    "BuyNow",
    "ClaimIntent",
    "FinishIntent",
    "FollowHalts",
    "ApplyPriceStaleness",
    "KeepEvaluations",
    "OpenRemediation",
    "ProposeIntent",
    "ReceiveItem",
    "RecordPayout",
    "RecordPurchase",
    "ResolveRemediation",
];

/// Whether a key with this policy alone may call an operation, by the table of rules.
fn is_open_to(policy: Policy, method: &str) -> bool {
    let policies = match Rule::of(method) {
        Some(rule) => rule.policies(),
        None if WRITES_IN_PROCESS.contains(&method) => PolicySet::of(&[Policy::Trading]),
        None => PolicySet::of(&[Policy::Analytics, Policy::Trading]),
    };
    policies.has(policy)
}

/// The operations that name no single record.
const OF_MANY: [&str; 49] = [
    "CountContracts",
    "CountFilterSets",
    "CountIntents",
    "CountInventoryItems",
    "CountPools",
    "CountPurchases",
    "CountRemediations",
    "CountTransitions",
    "CreateContract",
    "CreateFilterSet",
    "CreatePool",
    "GetAssignments",
    "GetCapital",
    "GetEquitySeries",
    "ExportProfitAndLoss",
    "FollowHalts",
    "ApplyPriceStaleness",
    "GetContractVersions",
    "GetContracts",
    "GetEvaluations",
    "GetFilterSets",
    "GetIntents",
    "GetInventoryItems",
    "GetLedgerEntries",
    "GetPools",
    "GetProfitAndLoss",
    "GetProfitAndLossSeries",
    "GetPurchases",
    "GetRemediations",
    "GetTransitions",
    "GetWouldBuyReport",
    "IntentsToDo",
    "KeepEvaluations",
    "ListAssignments",
    "ListContracts",
    "ListEvaluations",
    "ListFilterSets",
    "ListIntents",
    "ListInventoryItems",
    "ListLedgerEntries",
    "ListPools",
    "ListPurchases",
    "ListRemediations",
    "ListTransitions",
    "ListWouldBuys",
    "ResolveRemediation",
    "Search",
    "TestFilterSet",
    "WatchTransitions",
];

/// How each operation refuses this caller in this workspace, where no record has the ids that are given.
async fn refusals(desk: &Desk, caller: &Caller, workspace_id: WorkspaceId) -> Vec<(&'static str, Option<OpError>)> {
    let mut refusals = reads(desk, caller, workspace_id).await;
    refusals.extend(writes(desk, caller, workspace_id).await);
    refusals.extend(of_filter_sets(desk, caller, workspace_id).await);
    refusals.extend(of_lives(desk, caller, workspace_id).await);
    refusals.extend(of_pools(desk, caller, workspace_id).await);
    refusals.extend(staffing::of_assignments(desk, caller, workspace_id).await);
    refusals.extend(of_reports(desk, caller, workspace_id).await);
    refusals.extend(of_transitions(desk, caller, workspace_id).await);
    refusals.extend(deciding::of_intents(desk, caller, workspace_id).await);
    refusals.extend(deciding::of_executions(desk, caller, workspace_id).await);
    refusals.extend(deciding::of_endings(desk, caller, workspace_id).await);
    refusals.extend(deciding::of_evaluations(desk, caller, workspace_id).await);
    refusals.extend(problems::of_remediations(desk, caller, workspace_id).await);
    refusals
}

fn refusal_of<T>(method: &'static str, answer: OpResult<T>) -> (&'static str, Option<OpError>) {
    (method, answer.err())
}

async fn reads(desk: &Desk, caller: &Caller, workspace_id: WorkspaceId) -> Vec<(&'static str, Option<OpError>)> {
    let on = desk.operations();
    let (contract_id, purchase_id) = (Id::from_bytes([9; 16]), Id::from_bytes([9; 16]));
    let inventory_item_id = Id::from_bytes([9; 16]);
    let (limit, cursor) = (0, String::new());
    let contracts = ListContracts { workspace_id, limit, cursor: cursor.clone(), contract_type: None, status: None };
    let purchases = ListPurchases {
        workspace_id,
        limit,
        cursor: cursor.clone(),
        contract_id: None,
        status: None,
        wanted: WantedPurchases::default(),
    };
    let items = ListInventoryItems {
        workspace_id,
        limit,
        cursor: cursor.clone(),
        contract_id: None,
        status: None,
        market_hash_name: String::new(),
        account_name: String::new(),
        wanted: WantedItems::default(),
    };
    let links = ListAssetIDLinks { workspace_id, inventory_item_id, limit, cursor };
    let versions = ListContractVersions { workspace_id, contract_id, limit, cursor: String::new() };
    let several_versions = GetContractVersions { workspace_id, contract_version_ids: vec![Id::from_bytes([9; 16])] };
    let several_contracts = GetContracts { workspace_id, contract_ids: vec![contract_id] };
    let several_purchases = GetPurchases { workspace_id, purchase_ids: vec![purchase_id] };
    let several_items = GetInventoryItems { workspace_id, inventory_item_ids: vec![inventory_item_id] };
    let contract_id_filter = None;
    let purchase_counts =
        CountPurchases { workspace_id, contract_id: contract_id_filter, wanted: WantedPurchases::default() };
    let item_counts = CountInventoryItems::of(workspace_id, contract_id_filter);
    let item = GetInventoryItem { workspace_id, inventory_item_id };
    let check = VerifyAssetIDChain { workspace_id, inventory_item_id };
    vec![
        refusal_of("ListContracts", on.list_contracts(caller, contracts).await),
        refusal_of("GetContract", on.get_contract(caller, GetContract { workspace_id, contract_id }).await),
        refusal_of("GetContracts", on.get_contracts(caller, several_contracts).await),
        refusal_of("ListContractVersions", on.list_contract_versions(caller, versions).await),
        refusal_of("GetContractVersions", on.get_contract_versions(caller, several_versions).await),
        refusal_of("ListPurchases", on.list_purchases(caller, purchases).await),
        refusal_of("GetPurchase", on.get_purchase(caller, GetPurchase { workspace_id, purchase_id }).await),
        refusal_of("GetPurchases", on.get_purchases(caller, several_purchases).await),
        refusal_of("CountPurchases", on.count_purchases(caller, purchase_counts).await),
        refusal_of("ListInventoryItems", on.list_inventory_items(caller, items).await),
        refusal_of("GetInventoryItem", on.get_inventory_item(caller, item).await),
        refusal_of("GetInventoryItems", on.get_inventory_items(caller, several_items).await),
        refusal_of("CountInventoryItems", on.count_inventory_items(caller, item_counts).await),
        refusal_of("ListAssetIDLinks", on.list_asset_id_links(caller, links).await),
        refusal_of("VerifyAssetIDChain", on.verify_asset_id_chain(caller, check).await),
    ]
}

async fn writes(desk: &Desk, caller: &Caller, workspace_id: WorkspaceId) -> Vec<(&'static str, Option<OpError>)> {
    let on = desk.operations();
    let (contract_id, purchase_id) = (Id::from_bytes([9; 16]), Id::from_bytes([9; 16]));
    let inventory_item_id = Id::from_bytes([9; 16]);
    let expected_version = None;
    let activate = ActivateContract { workspace_id, contract_id, expected_version };
    let record = tradepost_operations::contracts::RecordPurchase { workspace_id, contract_id, ..desk.listing(1) };
    let sent = AdvancePurchase { workspace_id, purchase_id, event: submitted(), expected_version };
    let arrival = tradepost_operations::contracts::ReceiveItem { workspace_id, ..desk.arrival(purchase_id, 1) };
    let write_off = AdvanceItem { workspace_id, inventory_item_id, event: ItemEvent::GivenUp, expected_version };
    let append = AppendAssetIDLink {
        workspace_id,
        inventory_item_id,
        expected_step: None,
        asset_id: "7".to_owned(),
        source: "inventory".to_owned(),
        source_id: "snapshot-1".to_owned(),
    };
    vec![
        refusal_of("CreateContract", on.create_contract(caller, draft(workspace_id, buying())).await),
        refusal_of("ActivateContract", on.activate_contract(caller, activate).await),
        refusal_of("AppendAssetIDLink", on.append_asset_id_link(caller, append).await),
        refusal_of("RecordPurchase", on.record_purchase(caller, record).await),
        refusal_of("AdvancePurchase", on.advance_purchase(caller, sent).await),
        refusal_of("ReceiveItem", on.receive_item(caller, arrival).await),
        refusal_of("AdvanceItem", on.advance_item(caller, write_off).await),
    ]
}

async fn of_filter_sets(
    desk: &Desk,
    caller: &Caller,
    workspace_id: WorkspaceId,
) -> Vec<(&'static str, Option<OpError>)> {
    let (on, filter_set_id) = (desk.operations(), Id::from_bytes([9; 16]));
    let name = "Unlocked".to_owned();
    let rules = FilterRules { trade_lock_max_days: Some(0), ..FilterRules::default() };
    let sample = vec![SampleListing {
        market_hash_name: "Operation Bravo Case".to_owned(),
        price_cents: Some(1),
        ..SampleListing::default()
    }];
    let list = ListFilterSets { workspace_id, limit: 0, cursor: String::new() };
    let get = GetFilterSet { workspace_id, filter_set_id, version: None };
    let several = GetFilterSets { workspace_id, filter_set_ids: vec![filter_set_id] };
    let test = TestFilterSet { workspace_id, rules: rules.clone(), sample, observation_ids: Vec::new() };
    let create = CreateFilterSet { workspace_id, name, rules: rules.clone() };
    let update =
        UpdateFilterSet { workspace_id, filter_set_id, name: None, rules: Some(rules), expected_version: None };
    let delete = DeleteFilterSet { workspace_id, filter_set_id };
    vec![
        refusal_of("ListFilterSets", on.list_filter_sets(caller, list).await),
        refusal_of("GetFilterSet", on.get_filter_set(caller, get).await),
        refusal_of("GetFilterSets", on.get_filter_sets(caller, several).await),
        refusal_of("CountFilterSets", on.count_filter_sets(caller, CountFilterSets { workspace_id }).await),
        refusal_of("TestFilterSet", on.test_filter_set(caller, test).await),
        refusal_of("CreateFilterSet", on.create_filter_set(caller, create).await),
        refusal_of("UpdateFilterSet", on.update_filter_set(caller, update).await),
        refusal_of("DeleteFilterSet", on.delete_filter_set(caller, delete).await),
    ]
}

async fn of_lives(desk: &Desk, caller: &Caller, workspace_id: WorkspaceId) -> Vec<(&'static str, Option<OpError>)> {
    let (on, contract_id, expected_version) = (desk.operations(), Id::from_bytes([9; 16]), None);
    let copy = CloneContract { workspace_id, contract_id, name: "Another".to_owned() };
    let pause = PauseContract { workspace_id, contract_id, reason: None, expected_version };
    let resume = ResumeContract { workspace_id, contract_id, expected_version };
    let cancel = CancelContract { workspace_id, contract_id, expected_version };
    let delete = DeleteContract { workspace_id, contract_id, expected_version };
    let count = CountContracts { workspace_id, contract_type: None };
    let prices = ApplyPriceStaleness { workspace_id, said: BTreeMap::new() };
    vec![
        refusal_of("UpdateContract", on.update_contract(caller, renamed(workspace_id, contract_id)).await),
        refusal_of("PauseContract", on.pause_contract(caller, pause).await),
        refusal_of("ResumeContract", on.resume_contract(caller, resume).await),
        refusal_of("CancelContract", on.cancel_contract(caller, cancel).await),
        refusal_of("CloneContract", on.clone_contract(caller, copy).await),
        refusal_of("DeleteContract", on.delete_contract(caller, delete).await),
        refusal_of("CountContracts", on.count_contracts(caller, count).await),
        refusal_of("FollowHalts", on.apply_halts(caller, workspace_id).await),
        refusal_of("ApplyPriceStaleness", on.apply_price_staleness(caller, prices).await),
    ]
}

async fn of_pools(desk: &Desk, caller: &Caller, workspace_id: WorkspaceId) -> Vec<(&'static str, Option<OpError>)> {
    let (on, pool_id, expected_version) = (desk.operations(), Id::from_bytes([9; 16]), None);
    let (name, currency, limits) = ("Main".to_owned(), "USD".to_owned(), super::pools::NO_LIMITS);
    let create = CreatePool { workspace_id, name: name.clone(), currency, limits };
    let update = UpdatePool { workspace_id, pool_id, name: Some(name), limits: None, expected_version };
    let pause = PausePool { workspace_id, pool_id, reason: None, expected_version };
    let resume = ResumePool { workspace_id, pool_id, expected_version };
    let archive = ArchivePool { workspace_id, pool_id, expected_version };
    let list = ListPools { workspace_id, limit: 0, cursor: String::new(), status: None };
    let adjust = AdjustPoolFunds { workspace_id, ..desk.adjustment(pool_id, 1) };
    let payout = RecordPayout { workspace_id, pool_id, amount_cents: 1, payout: "payout-1".to_owned() };
    let several = GetPools { workspace_id, pool_ids: vec![pool_id] };
    let entries = GetLedgerEntries { workspace_id, ledger_entry_ids: vec![Id::from_bytes([9; 16])] };
    vec![
        refusal_of("ListPools", on.list_pools(caller, list).await),
        refusal_of("GetPool", on.get_pool(caller, GetPool { workspace_id, pool_id }).await),
        refusal_of("GetPools", on.get_pools(caller, several).await),
        refusal_of("CountPools", on.count_pools(caller, CountPools { workspace_id }).await),
        refusal_of("GetPoolBalance", on.get_pool_balance(caller, GetPoolBalance { workspace_id, pool_id }).await),
        refusal_of("GetCapital", on.get_capital(caller, GetCapital { workspace_id }).await),
        refusal_of("CreatePool", on.create_pool(caller, create).await),
        refusal_of("UpdatePool", on.update_pool(caller, update).await),
        refusal_of("AdjustPoolFunds", on.adjust_pool_funds(caller, adjust).await),
        refusal_of("PausePool", on.pause_pool(caller, pause).await),
        refusal_of("ResumePool", on.resume_pool(caller, resume).await),
        refusal_of("ArchivePool", on.archive_pool(caller, archive).await),
        refusal_of("RecordPayout", on.record_payout(caller, payout).await),
        refusal_of("ListLedgerEntries", on.list_ledger_entries(caller, Desk::entries_of(workspace_id)).await),
        refusal_of("GetLedgerEntries", on.get_ledger_entries(caller, entries).await),
    ]
}

async fn of_reports(desk: &Desk, caller: &Caller, workspace_id: WorkspaceId) -> Vec<(&'static str, Option<OpError>)> {
    let (on, of) = (desk.operations(), ReportOf::default());
    let (from, to) = (Some(midnight_of(0)), Some(midnight_of(1)));
    let report = GetProfitAndLoss { workspace_id, from, to, group_by: Grouping::Contract, of: of.clone() };
    let export = ExportProfitAndLoss { report: report.clone() };
    let series = GetProfitAndLossSeries { workspace_id, from, to, span: Span::Day, of };
    let equity = GetEquitySeries { workspace_id, from, to };
    let of_item = GetItemProfitAndLoss { workspace_id, inventory_item_id: Id::from_bytes([9; 16]) };
    let search = Search { workspace_id, text: "redline".to_owned(), limit: 0 };
    vec![
        refusal_of("Search", on.search(caller, search).await),
        refusal_of("GetProfitAndLoss", on.get_profit_and_loss(caller, report).await),
        refusal_of("ExportProfitAndLoss", on.export_profit_and_loss(caller, export).await),
        refusal_of("GetProfitAndLossSeries", on.get_profit_and_loss_series(caller, series).await),
        refusal_of("GetEquitySeries", on.get_equity_series(caller, equity).await),
        refusal_of("GetItemProfitAndLoss", on.get_item_profit_and_loss(caller, of_item).await),
    ]
}

async fn of_transitions(
    desk: &Desk,
    caller: &Caller,
    workspace_id: WorkspaceId,
) -> Vec<(&'static str, Option<OpError>)> {
    let (on, transition_id) = (desk.operations(), Id::from_bytes([9; 16]));
    let several = GetTransitions { workspace_id, transition_ids: vec![transition_id] };
    let list = ListTransitions {
        workspace_id,
        limit: 0,
        cursor: String::new(),
        subject_kind: None,
        subject_id: None,
        from: None,
        to: None,
        subject_kinds: Vec::new(),
    };
    let count = CountTransitions { workspace_id, subject_kinds: vec![], subject_id: None, from: None, to: None };
    let watch = WatchTransitions { workspace_id, after: None, from_end: true, limit: 0, wait_seconds: 0 };
    vec![
        refusal_of("CountTransitions", on.count_transitions(caller, count).await),
        refusal_of("GetTransition", on.get_transition(caller, GetTransition { workspace_id, transition_id }).await),
        refusal_of("GetTransitions", on.get_transitions(caller, several).await),
        refusal_of("ListTransitions", on.list_transitions(caller, list).await),
        refusal_of("WatchTransitions", on.watch_transitions(caller, watch, AtWork::default()).await),
    ]
}

fn code(refusal: Option<&OpError>) -> Option<Code> {
    refusal.map(|error| error.code)
}

#[tokio::test]
async fn every_operation_of_the_interface_is_in_this_table() {
    let desk = Desk::open().await;
    let here: BTreeSet<_> =
        refusals(&desk, &desk.trader, desk.workspace_id()).await.into_iter().map(|(method, _)| method).collect();
    for rule in RULES.iter().filter(|rule| rule.service == "contracts.v1.Contracts") {
        assert!(here.contains(rule.method), "{}", rule.method);
    }
}

#[tokio::test]
async fn another_workspace_is_denied_whether_it_exists_or_not() {
    let desk = Desk::open().await;
    let (existing, _, _) = desk.world.other_workspace().await;
    let before = format!("{:?}", desk.world.store);
    let elsewhere = refusals(&desk, &desk.trader, existing).await;
    let nowhere = refusals(&desk, &desk.trader, Id::from_bytes([9; 16])).await;
    for ((method, there), (_, unknown)) in elsewhere.into_iter().zip(nowhere) {
        let (there, unknown) = (there.unwrap(), unknown.unwrap());
        assert_eq!(there.code, Code::PermissionDenied, "{method}");
        assert_eq!((there.code, there.reason, there.message), (unknown.code, unknown.reason, unknown.message));
    }
    assert_eq!(format!("{:?}", desk.world.store), before);
}

#[tokio::test]
async fn a_policy_opens_the_operations_whose_rule_names_it() {
    let desk = Desk::open().await;
    for policy in Policy::ALL {
        let caller = desk.world.key(PolicySet::of(&[policy])).await;
        for (method, refusal) in refusals(&desk, &caller, desk.workspace_id()).await {
            let is_denied = code(refusal.as_ref()) == Some(Code::PermissionDenied);
            assert_eq!(is_denied, !is_open_to(policy, method), "{method} for {}", policy.name());
        }
    }
}

#[test]
fn analytics_opens_reads_and_no_trade() {
    for rule in RULES.iter().filter(|rule| rule.service == "contracts.v1.Contracts") {
        assert_eq!(is_open_to(Policy::Analytics, rule.method), rule.class != RateClass::Trade, "{}", rule.method);
    }
}

#[tokio::test]
async fn trading_reads_and_writes() {
    let desk = Desk::open().await;
    let trader = desk.world.key(PolicySet::of(&[Policy::Trading])).await;
    for (method, refusal) in refusals(&desk, &trader, desk.workspace_id()).await {
        assert_ne!(code(refusal.as_ref()), Some(Code::PermissionDenied), "{method}");
    }
}

#[tokio::test]
async fn other_policies_open_nothing_here() {
    let desk = Desk::open().await;
    let manager = desk.world.key(PolicySet::of(&[Policy::Identity])).await;
    for (method, refusal) in refusals(&desk, &manager, desk.workspace_id()).await {
        assert_eq!(code(refusal.as_ref()), Some(Code::PermissionDenied), "{method}");
    }
}

#[tokio::test]
async fn managers_of_members_keys_accounts_or_markets_read_the_log_of_these_only() {
    let desk = Desk::open().await;
    for policy in [Policy::Workspace, Policy::Accounts, Policy::Markets] {
        let manager = desk.world.key(PolicySet::of(&[policy])).await;
        for (method, refusal) in refusals(&desk, &manager, desk.workspace_id()).await {
            let is_denied = code(refusal.as_ref()) == Some(Code::PermissionDenied);
            assert_eq!(is_denied, !method.contains("Transition") && method != "Search", "{method}");
        }
    }
}

#[tokio::test]
async fn an_unknown_record_is_not_found() {
    let desk = Desk::open().await;
    desk.world.step_up(&desk.trader).await;
    for (method, refusal) in refusals(&desk, &desk.trader, desk.workspace_id()).await {
        let expected = if OF_MANY.contains(&method) { None } else { Some(Code::NotFound) };
        assert_eq!(code(refusal.as_ref()), expected, "{method}");
    }
}

#[tokio::test]
async fn rights_are_looked_at_before_the_request() {
    let desk = Desk::open().await;
    let analyst = desk.world.key(PolicySet::of(&[Policy::Analytics])).await;
    let nameless =
        tradepost_operations::contracts::CreateContract { name: String::new(), ..draft(desk.workspace_id(), buying()) };
    desk.refused(desk.operations().create_contract(&analyst, nameless), Code::PermissionDenied, "PERMISSION_DENIED")
        .await;
}

/// An operation that moves a record reads the version that is expected before it looks for the record.
#[tokio::test]
async fn an_expected_version_that_no_record_has_is_refused_by_every_operation() {
    let desk = Desk::open().await;
    let (on, workspace_id, expected_version) = (desk.operations(), desk.workspace_id(), Some(0));
    let (contract_id, purchase_id) = (Id::from_bytes([9; 16]), Id::from_bytes([9; 16]));
    let inventory_item_id = Id::from_bytes([9; 16]);
    let activate = ActivateContract { workspace_id, contract_id, expected_version };
    let sent = AdvancePurchase { workspace_id, purchase_id, event: submitted(), expected_version };
    let write_off = AdvanceItem { workspace_id, inventory_item_id, event: ItemEvent::GivenUp, expected_version };
    let arrival = tradepost_operations::contracts::ReceiveItem { expected_version, ..desk.arrival(purchase_id, 1) };
    let filter = UpdateFilterSet {
        workspace_id,
        filter_set_id: Id::from_bytes([9; 16]),
        name: Some("Others".to_owned()),
        rules: None,
        expected_version,
    };
    let update = UpdateContract { expected_version, ..renamed(workspace_id, contract_id) };
    let pause = PauseContract { workspace_id, contract_id, reason: None, expected_version };
    let resume = ResumeContract { workspace_id, contract_id, expected_version };
    let cancel = CancelContract { workspace_id, contract_id, expected_version };
    let delete = DeleteContract { workspace_id, contract_id, expected_version };
    let refusals = [
        refusal_of("UpdateContract", on.update_contract(&desk.trader, update).await),
        refusal_of("PauseContract", on.pause_contract(&desk.trader, pause).await),
        refusal_of("ResumeContract", on.resume_contract(&desk.trader, resume).await),
        refusal_of("CancelContract", on.cancel_contract(&desk.trader, cancel).await),
        refusal_of("DeleteContract", on.delete_contract(&desk.trader, delete).await),
        refusal_of("UpdateFilterSet", on.update_filter_set(&desk.trader, filter).await),
        refusal_of("ActivateContract", on.activate_contract(&desk.trader, activate).await),
        refusal_of("AdvancePurchase", on.advance_purchase(&desk.trader, sent).await),
        refusal_of("AdvanceItem", on.advance_item(&desk.trader, write_off).await),
        refusal_of("ReceiveItem", on.receive_item(&desk.trader, arrival).await),
    ];
    for (method, refusal) in refusals {
        assert_eq!(refusal.unwrap().message, "expectedVersion must be at least 1", "{method}");
    }
}
