//! `contracts.v1.Contracts`.

mod assignments;
mod contracts;
mod evaluations;
mod filter_sets;
mod intents;
mod items;
mod ledger;
mod pools;
mod profit_and_loss;
mod purchases;
mod remediations;
mod transitions;

use std::sync::Arc;

use connectrpc::{RequestContext, ServiceRequest, ServiceResult};
use tradepost_operations::Operations;

use tradepost_proto::contracts::v1 as wire;

/// The service.
pub(crate) struct ContractsHandlers(pub(crate) Arc<Operations>);

impl wire::Contracts for ContractsHandlers {
    handled! {
        assignments:
            list_assignments(ListAssignmentsRequest) -> ListAssignmentsResponse,
            get_assignment(GetAssignmentRequest) -> GetAssignmentResponse,
            get_assignments(GetAssignmentsRequest) -> GetAssignmentsResponse,
            create_assignment(CreateAssignmentRequest) -> CreateAssignmentResponse,
            update_assignment(UpdateAssignmentRequest) -> UpdateAssignmentResponse,
            delete_assignment(DeleteAssignmentRequest) -> DeleteAssignmentResponse,
            resolve_assignment(ResolveAssignmentRequest) -> ResolveAssignmentResponse;
        contracts:
            list_contracts(ListContractsRequest) -> ListContractsResponse,
            get_contract(GetContractRequest) -> GetContractResponse,
            get_contracts(GetContractsRequest) -> GetContractsResponse,
            create_contract(CreateContractRequest) -> CreateContractResponse,
            activate_contract(ActivateContractRequest) -> ActivateContractResponse,
            update_contract(UpdateContractRequest) -> UpdateContractResponse,
            pause_contract(PauseContractRequest) -> PauseContractResponse,
            resume_contract(ResumeContractRequest) -> ResumeContractResponse,
            cancel_contract(CancelContractRequest) -> CancelContractResponse,
            clone_contract(CloneContractRequest) -> CloneContractResponse,
            delete_contract(DeleteContractRequest) -> DeleteContractResponse,
            count_contracts(CountContractsRequest) -> CountContractsResponse;
        evaluations:
            evaluate_contract(EvaluateContractRequest) -> EvaluateContractResponse,
            simulate_contract(SimulateContractRequest) -> SimulateContractResponse,
            list_evaluations(ListEvaluationsRequest) -> ListEvaluationsResponse,
            get_evaluation(GetEvaluationRequest) -> GetEvaluationResponse,
            get_evaluations(GetEvaluationsRequest) -> GetEvaluationsResponse;
        filter_sets:
            list_filter_sets(ListFilterSetsRequest) -> ListFilterSetsResponse,
            get_filter_set(GetFilterSetRequest) -> GetFilterSetResponse,
            get_filter_sets(GetFilterSetsRequest) -> GetFilterSetsResponse,
            count_filter_sets(CountFilterSetsRequest) -> CountFilterSetsResponse,
            create_filter_set(CreateFilterSetRequest) -> CreateFilterSetResponse,
            update_filter_set(UpdateFilterSetRequest) -> UpdateFilterSetResponse,
            delete_filter_set(DeleteFilterSetRequest) -> DeleteFilterSetResponse,
            test_filter_set(TestFilterSetRequest) -> TestFilterSetResponse;
        intents:
            list_intents(ListIntentsRequest) -> ListIntentsResponse,
            get_intent(GetIntentRequest) -> GetIntentResponse,
            get_intents(GetIntentsRequest) -> GetIntentsResponse,
            count_intents(CountIntentsRequest) -> CountIntentsResponse,
            create_intent(CreateIntentRequest) -> CreateIntentResponse,
            approve_intent(ApproveIntentRequest) -> ApproveIntentResponse,
            reject_intent(RejectIntentRequest) -> RejectIntentResponse,
            cancel_intent(CancelIntentRequest) -> CancelIntentResponse,
            list_item_for_sale(ListItemForSaleRequest) -> ListItemForSaleResponse,
            reprice_item(RepriceItemRequest) -> RepriceItemResponse,
            delist_item(DelistItemRequest) -> DelistItemResponse;
        items:
            list_inventory_items(ListInventoryItemsRequest) -> ListInventoryItemsResponse,
            get_inventory_item(GetInventoryItemRequest) -> GetInventoryItemResponse,
            get_inventory_items(GetInventoryItemsRequest) -> GetInventoryItemsResponse,
            count_inventory_items(CountInventoryItemsRequest) -> CountInventoryItemsResponse,
            list_asset_id_links(ListAssetIDLinksRequest) -> ListAssetIDLinksResponse,
            append_asset_id_link(AppendAssetIDLinkRequest) -> AppendAssetIDLinkResponse,
            verify_asset_id_chain(VerifyAssetIDChainRequest) -> VerifyAssetIDChainResponse,
            find_inventory_item_by_asset_id(FindInventoryItemByAssetIDRequest) -> FindInventoryItemByAssetIDResponse,
            write_off_item(WriteOffItemRequest) -> WriteOffItemResponse;
        ledger:
            list_ledger_entries(ListLedgerEntriesRequest) -> ListLedgerEntriesResponse,
            get_ledger_entries(GetLedgerEntriesRequest) -> GetLedgerEntriesResponse;
        pools:
            list_pools(ListPoolsRequest) -> ListPoolsResponse,
            get_pool(GetPoolRequest) -> GetPoolResponse,
            get_pools(GetPoolsRequest) -> GetPoolsResponse,
            count_pools(CountPoolsRequest) -> CountPoolsResponse,
            create_pool(CreatePoolRequest) -> CreatePoolResponse,
            update_pool(UpdatePoolRequest) -> UpdatePoolResponse,
            adjust_pool_funds(AdjustPoolFundsRequest) -> AdjustPoolFundsResponse,
            pause_pool(PausePoolRequest) -> PausePoolResponse,
            resume_pool(ResumePoolRequest) -> ResumePoolResponse,
            archive_pool(ArchivePoolRequest) -> ArchivePoolResponse,
            get_pool_balance(GetPoolBalanceRequest) -> GetPoolBalanceResponse;
        profit_and_loss:
            get_profit_and_loss(GetProfitAndLossRequest) -> GetProfitAndLossResponse,
            get_profit_and_loss_series(GetProfitAndLossSeriesRequest) -> GetProfitAndLossSeriesResponse,
            get_item_profit_and_loss(GetItemProfitAndLossRequest) -> GetItemProfitAndLossResponse,
            export_profit_and_loss(ExportProfitAndLossRequest) -> ExportProfitAndLossResponse;
        purchases:
            list_purchases(ListPurchasesRequest) -> ListPurchasesResponse,
            get_purchase(GetPurchaseRequest) -> GetPurchaseResponse,
            get_purchases(GetPurchasesRequest) -> GetPurchasesResponse,
            count_purchases(CountPurchasesRequest) -> CountPurchasesResponse,
            cancel_purchase(CancelPurchaseRequest) -> CancelPurchaseResponse,
            reconcile_purchase(ReconcilePurchaseRequest) -> ReconcilePurchaseResponse,
            record_purchase_outcome(RecordPurchaseOutcomeRequest) -> RecordPurchaseOutcomeResponse;
        remediations:
            list_remediations(ListRemediationsRequest) -> ListRemediationsResponse,
            get_remediation(GetRemediationRequest) -> GetRemediationResponse,
            get_remediations(GetRemediationsRequest) -> GetRemediationsResponse,
            count_remediations(CountRemediationsRequest) -> CountRemediationsResponse,
            assign_remediation(AssignRemediationRequest) -> AssignRemediationResponse,
            dismiss_remediation(DismissRemediationRequest) -> DismissRemediationResponse,
            run_remediation_action(RunRemediationActionRequest) -> RunRemediationActionResponse;
        transitions:
            list_transitions(ListTransitionsRequest) -> ListTransitionsResponse,
            get_transition(GetTransitionRequest) -> GetTransitionResponse,
            get_transitions(GetTransitionsRequest) -> GetTransitionsResponse,
            watch_transitions(WatchTransitionsRequest) -> WatchTransitionsResponse;
    }
}
