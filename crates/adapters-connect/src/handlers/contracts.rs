//! `contracts.v1.Contracts`.

mod assignments;
mod endings;
mod evaluations;
mod filter_sets;
mod intents;
mod ledger;
mod of_contracts;
mod pools;
mod profit_and_loss;
mod remediations;
mod transitions;

use std::sync::Arc;

use connectrpc::{RequestContext, Response, ServiceRequest, ServiceResult};
use tradepost_operations::Operations;
use tradepost_operations::contracts as operation;

use super::enter;
use crate::convert::contracts as record;
use crate::convert::enums::{WireEnum as _, optional_enum};
use crate::convert::{id, ids, optional_id, wire_count, wire_ids};
use crate::error::to_wire;
use tradepost_proto::contracts::v1 as wire;

/// The service.
pub(crate) struct ContractsHandlers(pub(crate) Arc<Operations>);

impl wire::Contracts for ContractsHandlers {
    async fn list_purchases(
        &self,
        context: RequestContext,
        request: ServiceRequest<'_, wire::ListPurchasesRequest>,
    ) -> ServiceResult<wire::ListPurchasesResponse> {
        let (caller, workspace_id) = enter(&context, request.workspace_id)?;
        let command = operation::ListPurchases {
            workspace_id,
            limit: request.limit,
            cursor: request.cursor.to_owned(),
            contract_id: optional_id("contractId", request.contract_id)?,
            status: optional_enum("status", request.status)?,
        };
        let page = self.0.list_purchases(caller, command).await.map_err(to_wire)?;
        Response::ok(wire::ListPurchasesResponse {
            purchase_ids: wire_ids(page.entries),
            next_cursor: Some(page.next_cursor),
            ..Default::default()
        })
    }

    async fn get_purchase(
        &self,
        context: RequestContext,
        request: ServiceRequest<'_, wire::GetPurchaseRequest>,
    ) -> ServiceResult<wire::GetPurchaseResponse> {
        let (caller, workspace_id) = enter(&context, request.workspace_id)?;
        let command = operation::GetPurchase { workspace_id, purchase_id: id("purchaseId", request.purchase_id)? };
        let purchase = self.0.get_purchase(caller, command).await.map_err(to_wire)?;
        Response::ok(wire::GetPurchaseResponse { purchase: record::purchase(&purchase).into(), ..Default::default() })
    }

    async fn get_purchases(
        &self,
        context: RequestContext,
        request: ServiceRequest<'_, wire::GetPurchasesRequest>,
    ) -> ServiceResult<wire::GetPurchasesResponse> {
        let (caller, workspace_id) = enter(&context, request.workspace_id)?;
        let command =
            operation::GetPurchases { workspace_id, purchase_ids: ids("purchaseIds", &request.purchase_ids)? };
        let batch = self.0.get_purchases(caller, command).await.map_err(to_wire)?;
        Response::ok(wire::GetPurchasesResponse {
            purchases: batch.found.iter().map(record::purchase).collect(),
            missing_ids: wire_ids(batch.missing),
            ..Default::default()
        })
    }

    async fn count_purchases(
        &self,
        context: RequestContext,
        request: ServiceRequest<'_, wire::CountPurchasesRequest>,
    ) -> ServiceResult<wire::CountPurchasesResponse> {
        let (caller, workspace_id) = enter(&context, request.workspace_id)?;
        let command =
            operation::CountPurchases { workspace_id, contract_id: optional_id("contractId", request.contract_id)? };
        let counted = self.0.count_purchases(caller, command).await.map_err(to_wire)?;
        let counts = counted.into_iter().map(|counted| wire::PurchaseCount {
            status: Some(counted.status.to_wire()),
            count: Some(wire_count(counted.count)),
            ..Default::default()
        });
        Response::ok(wire::CountPurchasesResponse { counts: counts.collect(), ..Default::default() })
    }

    async fn list_inventory_items(
        &self,
        context: RequestContext,
        request: ServiceRequest<'_, wire::ListInventoryItemsRequest>,
    ) -> ServiceResult<wire::ListInventoryItemsResponse> {
        let (caller, workspace_id) = enter(&context, request.workspace_id)?;
        let command = operation::ListInventoryItems {
            workspace_id,
            limit: request.limit,
            cursor: request.cursor.to_owned(),
            contract_id: optional_id("contractId", request.contract_id)?,
            status: optional_enum("status", request.status)?,
            market_hash_name: request.market_hash_name.to_owned(),
            account_name: request.account_name.to_owned(),
        };
        let page = self.0.list_inventory_items(caller, command).await.map_err(to_wire)?;
        Response::ok(wire::ListInventoryItemsResponse {
            inventory_item_ids: wire_ids(page.entries),
            next_cursor: Some(page.next_cursor),
            ..Default::default()
        })
    }

    async fn get_inventory_item(
        &self,
        context: RequestContext,
        request: ServiceRequest<'_, wire::GetInventoryItemRequest>,
    ) -> ServiceResult<wire::GetInventoryItemResponse> {
        let (caller, workspace_id) = enter(&context, request.workspace_id)?;
        let command = operation::GetInventoryItem {
            workspace_id,
            inventory_item_id: id("inventoryItemId", request.inventory_item_id)?,
        };
        let item = self.0.get_inventory_item(caller, command).await.map_err(to_wire)?;
        Response::ok(wire::GetInventoryItemResponse {
            inventory_item: record::inventory_item(&item).into(),
            ..Default::default()
        })
    }

    async fn get_inventory_items(
        &self,
        context: RequestContext,
        request: ServiceRequest<'_, wire::GetInventoryItemsRequest>,
    ) -> ServiceResult<wire::GetInventoryItemsResponse> {
        let (caller, workspace_id) = enter(&context, request.workspace_id)?;
        let command = operation::GetInventoryItems {
            workspace_id,
            inventory_item_ids: ids("inventoryItemIds", &request.inventory_item_ids)?,
        };
        let batch = self.0.get_inventory_items(caller, command).await.map_err(to_wire)?;
        Response::ok(wire::GetInventoryItemsResponse {
            inventory_items: batch.found.iter().map(record::inventory_item).collect(),
            missing_ids: wire_ids(batch.missing),
            ..Default::default()
        })
    }

    async fn count_inventory_items(
        &self,
        context: RequestContext,
        request: ServiceRequest<'_, wire::CountInventoryItemsRequest>,
    ) -> ServiceResult<wire::CountInventoryItemsResponse> {
        let (caller, workspace_id) = enter(&context, request.workspace_id)?;
        let command = operation::CountInventoryItems {
            workspace_id,
            contract_id: optional_id("contractId", request.contract_id)?,
        };
        let counted = self.0.count_inventory_items(caller, command).await.map_err(to_wire)?;
        let counts = counted.into_iter().map(|counted| wire::InventoryItemCount {
            status: Some(counted.status.to_wire()),
            count: Some(wire_count(counted.count)),
            ..Default::default()
        });
        Response::ok(wire::CountInventoryItemsResponse { counts: counts.collect(), ..Default::default() })
    }

    async fn list_asset_id_links(
        &self,
        context: RequestContext,
        request: ServiceRequest<'_, wire::ListAssetIDLinksRequest>,
    ) -> ServiceResult<wire::ListAssetIDLinksResponse> {
        let (caller, workspace_id) = enter(&context, request.workspace_id)?;
        let command = operation::ListAssetIDLinks {
            workspace_id,
            inventory_item_id: id("inventoryItemId", request.inventory_item_id)?,
            limit: request.limit,
            cursor: request.cursor.to_owned(),
        };
        let page = self.0.list_asset_id_links(caller, command).await.map_err(to_wire)?;
        Response::ok(wire::ListAssetIDLinksResponse {
            asset_id_links: page.entries.iter().map(record::asset_id_link).collect(),
            next_cursor: Some(page.next_cursor),
            ..Default::default()
        })
    }

    async fn append_asset_id_link(
        &self,
        context: RequestContext,
        request: ServiceRequest<'_, wire::AppendAssetIDLinkRequest>,
    ) -> ServiceResult<wire::AppendAssetIDLinkResponse> {
        let (caller, workspace_id) = enter(&context, request.workspace_id)?;
        let command = operation::AppendAssetIDLink {
            workspace_id,
            inventory_item_id: id("inventoryItemId", request.inventory_item_id)?,
            expected_step: request.expected_step.map(Into::into),
            asset_id: request.asset_id.to_owned(),
            source: request.source.to_owned(),
            source_id: request.source_id.to_owned(),
        };
        let link = self.0.append_asset_id_link(caller, command).await.map_err(to_wire)?;
        Response::ok(wire::AppendAssetIDLinkResponse {
            asset_id_link: record::asset_id_link(&link).into(),
            ..Default::default()
        })
    }

    async fn verify_asset_id_chain(
        &self,
        context: RequestContext,
        request: ServiceRequest<'_, wire::VerifyAssetIDChainRequest>,
    ) -> ServiceResult<wire::VerifyAssetIDChainResponse> {
        let (caller, workspace_id) = enter(&context, request.workspace_id)?;
        let command = operation::VerifyAssetIDChain {
            workspace_id,
            inventory_item_id: id("inventoryItemId", request.inventory_item_id)?,
        };
        let problems = self.0.verify_asset_id_chain(caller, command).await.map_err(to_wire)?;
        Response::ok(wire::VerifyAssetIDChainResponse {
            valid: Some(problems.is_empty()),
            problems: problems.iter().map(record::chain_problem).collect(),
            ..Default::default()
        })
    }

    handled! {
        of_contracts:
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
        filter_sets:
            list_filter_sets(ListFilterSetsRequest) -> ListFilterSetsResponse,
            get_filter_set(GetFilterSetRequest) -> GetFilterSetResponse,
            get_filter_sets(GetFilterSetsRequest) -> GetFilterSetsResponse,
            count_filter_sets(CountFilterSetsRequest) -> CountFilterSetsResponse,
            create_filter_set(CreateFilterSetRequest) -> CreateFilterSetResponse,
            update_filter_set(UpdateFilterSetRequest) -> UpdateFilterSetResponse,
            delete_filter_set(DeleteFilterSetRequest) -> DeleteFilterSetResponse,
            test_filter_set(TestFilterSetRequest) -> TestFilterSetResponse;
        evaluations:
            evaluate_contract(EvaluateContractRequest) -> EvaluateContractResponse,
            simulate_contract(SimulateContractRequest) -> SimulateContractResponse,
            list_evaluations(ListEvaluationsRequest) -> ListEvaluationsResponse,
            get_evaluation(GetEvaluationRequest) -> GetEvaluationResponse,
            get_evaluations(GetEvaluationsRequest) -> GetEvaluationsResponse;
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
        remediations:
            list_remediations(ListRemediationsRequest) -> ListRemediationsResponse,
            get_remediation(GetRemediationRequest) -> GetRemediationResponse,
            get_remediations(GetRemediationsRequest) -> GetRemediationsResponse,
            count_remediations(CountRemediationsRequest) -> CountRemediationsResponse,
            assign_remediation(AssignRemediationRequest) -> AssignRemediationResponse,
            dismiss_remediation(DismissRemediationRequest) -> DismissRemediationResponse,
            run_remediation_action(RunRemediationActionRequest) -> RunRemediationActionResponse;
        endings:
            cancel_purchase(CancelPurchaseRequest) -> CancelPurchaseResponse,
            reconcile_purchase(ReconcilePurchaseRequest) -> ReconcilePurchaseResponse,
            record_purchase_outcome(RecordPurchaseOutcomeRequest) -> RecordPurchaseOutcomeResponse,
            find_inventory_item_by_asset_id(FindInventoryItemByAssetIDRequest) -> FindInventoryItemByAssetIDResponse,
            write_off_item(WriteOffItemRequest) -> WriteOffItemResponse;
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
        assignments:
            list_assignments(ListAssignmentsRequest) -> ListAssignmentsResponse,
            get_assignment(GetAssignmentRequest) -> GetAssignmentResponse,
            get_assignments(GetAssignmentsRequest) -> GetAssignmentsResponse,
            create_assignment(CreateAssignmentRequest) -> CreateAssignmentResponse,
            update_assignment(UpdateAssignmentRequest) -> UpdateAssignmentResponse,
            delete_assignment(DeleteAssignmentRequest) -> DeleteAssignmentResponse,
            resolve_assignment(ResolveAssignmentRequest) -> ResolveAssignmentResponse;
        ledger:
            list_ledger_entries(ListLedgerEntriesRequest) -> ListLedgerEntriesResponse,
            get_ledger_entries(GetLedgerEntriesRequest) -> GetLedgerEntriesResponse;
        profit_and_loss:
            get_profit_and_loss(GetProfitAndLossRequest) -> GetProfitAndLossResponse,
            get_profit_and_loss_series(GetProfitAndLossSeriesRequest) -> GetProfitAndLossSeriesResponse,
            get_item_profit_and_loss(GetItemProfitAndLossRequest) -> GetItemProfitAndLossResponse,
            export_profit_and_loss(ExportProfitAndLossRequest) -> ExportProfitAndLossResponse;
        transitions:
            list_transitions(ListTransitionsRequest) -> ListTransitionsResponse,
            get_transition(GetTransitionRequest) -> GetTransitionResponse,
            get_transitions(GetTransitionsRequest) -> GetTransitionsResponse,
            watch_transitions(WatchTransitionsRequest) -> WatchTransitionsResponse;
    }
}
