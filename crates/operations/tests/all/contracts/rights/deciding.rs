//! How the operations on intents and evaluations, and those by which purchases and items end, refuse a caller.

use tradepost_domain::contracts::intent::{DecisionBasis, IntentKind, IntentStatus, Target};
use tradepost_domain::id::{Id, WorkspaceId};
use tradepost_domain::text::AccountName;
use tradepost_domain::time::Timestamp;
use tradepost_operations::contracts::{
    ActOn, ApproveIntent, BuyApproved, BuyNow, CancelIntent, CancelPurchase, ClaimIntent, CountIntents, CreateIntent,
    DelistItem, EvaluateContract, FindInventoryItemByAssetID, FinishIntent, GetEvaluation, GetEvaluations, GetIntent,
    GetIntents, GetWouldBuyReport, IntentOutcome, IntentsToDo, KeepEvaluations, ListEvaluations, ListIntents,
    ListItemForSale, ListWouldBuys, MarketView, ProposeIntent, PurchaseOutcome, RecordPurchaseOutcome, RejectIntent,
    RepriceItem, SampleListing, SimulateContract, Simulated, ToEvaluate, TransferItem, WantedSale, WriteOffItem,
};
use tradepost_operations::{Caller, OpError};
use tradepost_testkit::samples::{Samples, text};

use super::super::Desk;
use super::refusal_of;

pub(super) async fn of_intents(
    desk: &Desk,
    caller: &Caller,
    workspace_id: WorkspaceId,
) -> Vec<(&'static str, Option<OpError>)> {
    let (on, intent_id, expected_version) = (desk.operations(), Id::from_bytes([9; 16]), None);
    let contract_id = Id::from_bytes([9; 16]);
    let inventory_item_id = Id::from_bytes([9; 16]);
    let (limit, cursor) = (0, String::new());
    let list = ListIntents { workspace_id, limit, cursor, contract_id: None, kind: None, status: None };
    let several = GetIntents { workspace_id, intent_ids: vec![intent_id] };
    let sale = WantedSale { inventory_item_id, marketplace: "csfloat".to_owned(), price_cents: Some(1) };
    let create = CreateIntent { workspace_id, contract_id, kind: IntentKind::List, act_on: ActOn::Item(sale) };
    let approve = ApproveIntent { workspace_id, intent_id, expected_version };
    let reject = RejectIntent { workspace_id, intent_id, expected_version, reason: None };
    let cancel = CancelIntent { workspace_id, intent_id, expected_version, reason: None };
    let marketplace = "csfloat".to_owned();
    let sell = ListItemForSale { workspace_id, inventory_item_id, marketplace, price_cents: Some(1) };
    let account_id = Id::from_bytes([9; 16]);
    let transfer = TransferItem { workspace_id, inventory_item_id, account_id, accept_hold: false };
    let reprice = RepriceItem { workspace_id, inventory_item_id, price_cents: Some(1) };
    let count = CountIntents { workspace_id, contract_id: None };
    let would_buys = ListWouldBuys { workspace_id, limit: 0, cursor: String::new(), contract_id: None };
    let report = GetWouldBuyReport { workspace_id, contract_id: None, from: None, to: None };
    vec![
        refusal_of("ListIntents", on.list_intents(caller, list).await),
        refusal_of("GetIntent", on.get_intent(caller, GetIntent { workspace_id, intent_id }).await),
        refusal_of("GetIntents", on.get_intents(caller, several).await),
        refusal_of("CountIntents", on.count_intents(caller, count).await),
        refusal_of("ListWouldBuys", on.list_would_buys(caller, would_buys).await),
        refusal_of("GetWouldBuyReport", on.get_would_buy_report(caller, report).await),
        refusal_of("CreateIntent", on.create_intent(caller, create).await),
        refusal_of("ApproveIntent", on.approve_intent(caller, approve).await),
        refusal_of("RejectIntent", on.reject_intent(caller, reject).await),
        refusal_of("CancelIntent", on.cancel_intent(caller, cancel).await),
        refusal_of("ListItemForSale", on.list_item_for_sale(caller, sell).await),
        refusal_of("TransferItem", on.transfer_item(caller, transfer).await),
        refusal_of("RepriceItem", on.reprice_item(caller, reprice).await),
        refusal_of("DelistItem", on.delist_item(caller, DelistItem { workspace_id, inventory_item_id }).await),
    ]
}

pub(super) async fn of_executions(
    desk: &Desk,
    caller: &Caller,
    workspace_id: WorkspaceId,
) -> Vec<(&'static str, Option<OpError>)> {
    let (on, intent_id, expected_version) = (desk.operations(), Id::from_bytes([9; 16]), 1);
    let contract_id = Id::from_bytes([9; 16]);
    let claim = ClaimIntent { workspace_id, intent_id, expected_version, fees: None };
    let outcome = IntentOutcome::Succeeded(None);
    let finish = FinishIntent { workspace_id, intent_id, expected_version, outcome };
    let account_name: AccountName = text("trader-1");
    let basis = DecisionBasis::default();
    let listing = Samples::default().listing_target();
    let target = Target::Listing(listing.clone());
    let propose = ProposeIntent {
        workspace_id,
        contract_id: Some(contract_id),
        kind: IntentKind::Buy,
        target,
        basis,
        is_read_only: false,
    };
    let buy = BuyNow {
        workspace_id,
        contract_id,
        listing,
        account_name: account_name.clone(),
        exchange_rate: None,
        basis,
        evaluation: None,
    };
    let approved = BuyApproved { workspace_id, intent_id, expected_version, account_name, exchange_rate: None };
    let to_do = IntentsToDo { workspace_id, status: IntentStatus::Approved, after: None, most: 1 };
    vec![
        refusal_of("ClaimIntent", on.claim_intent(caller, claim).await),
        refusal_of("FinishIntent", on.finish_intent(caller, finish).await),
        refusal_of("ProposeIntent", on.propose_intent(caller, propose).await),
        refusal_of("BuyNow", on.buy_now(caller, buy).await),
        refusal_of("BuyApproved", on.buy_approved(caller, approved).await),
        refusal_of("IntentsToDo", on.intents_to_do(caller, to_do).await),
    ]
}

pub(super) async fn of_evaluations(
    desk: &Desk,
    caller: &Caller,
    workspace_id: WorkspaceId,
) -> Vec<(&'static str, Option<OpError>)> {
    let (on, contract_id, evaluation_id) = (desk.operations(), Id::from_bytes([9; 16]), Id::from_bytes([9; 16]));
    let (marketplace, market) = ("csfloat".to_owned(), MarketView::default());
    let listing = SampleListing { market_hash_name: "x".to_owned(), price_cents: Some(1), ..SampleListing::default() };
    let simulate = SimulateContract {
        workspace_id,
        contract: Simulated::Stored(contract_id),
        from: Timestamp::MIN,
        to: None,
        limit: 0,
        fees: Vec::new(),
    };
    let about = ToEvaluate::Listing(Box::new(listing));
    let evaluate = EvaluateContract { workspace_id, contract_id, marketplace, about, market };
    let (limit, cursor) = (0, String::new());
    let list =
        ListEvaluations { workspace_id, limit, cursor, contract_id: None, decision: None, listing_id: String::new() };
    let get = GetEvaluation { workspace_id, evaluation_id };
    let several = GetEvaluations { workspace_id, evaluation_ids: vec![evaluation_id] };
    let keep = KeepEvaluations { workspace_id, evaluations: Vec::new() };
    vec![
        refusal_of("EvaluateContract", on.evaluate_contract(caller, evaluate).await),
        refusal_of("SimulateContract", on.simulate_contract(caller, simulate).await),
        refusal_of("ListEvaluations", on.list_evaluations(caller, list).await),
        refusal_of("GetEvaluation", on.get_evaluation(caller, get).await),
        refusal_of("GetEvaluations", on.get_evaluations(caller, several).await),
        refusal_of("KeepEvaluations", on.keep_evaluations(caller, keep).await),
    ]
}

pub(super) async fn of_endings(
    desk: &Desk,
    caller: &Caller,
    workspace_id: WorkspaceId,
) -> Vec<(&'static str, Option<OpError>)> {
    let (on, purchase_id, expected_version) = (desk.operations(), Id::from_bytes([9; 16]), None);
    let inventory_item_id = Id::from_bytes([9; 16]);
    let withdraw = CancelPurchase { workspace_id, purchase_id, expected_version, reason: None };
    let outcome = RecordPurchaseOutcome {
        workspace_id,
        purchase_id,
        outcome: PurchaseOutcome::WrittenOff,
        evidence: "case-1".to_owned(),
        amount_cents: None,
        asset_id: String::new(),
        expected_version,
    };
    let write_off = WriteOffItem { workspace_id, inventory_item_id, reason: "lost".to_owned(), expected_version };
    let find = FindInventoryItemByAssetID { workspace_id, asset_id: "7".to_owned() };
    vec![
        refusal_of("CancelPurchase", on.cancel_purchase(caller, withdraw).await),
        refusal_of("RecordPurchaseOutcome", on.record_purchase_outcome(caller, outcome).await),
        refusal_of("WriteOffItem", on.write_off_item(caller, write_off).await),
        refusal_of("FindInventoryItemByAssetID", on.find_inventory_item_by_asset_id(caller, find).await),
    ]
}
