//! `contracts.v1.Contracts`.

use std::sync::Arc;

use connectrpc::{RequestContext, Response, ServiceRequest, ServiceResult};
use tradepost_operations::Operations;
use tradepost_operations::contracts as operation;

use super::caller;
use crate::convert::contracts as record;
use crate::convert::enums::{WireEnum as _, optional_enum, required_enum};
use crate::convert::{id, ids, optional_id, texts, timestamp, wire_count, wire_ids};
use crate::error::to_wire;
use crate::proto::contracts::v1::*;

/// The service.
pub(crate) struct ContractsHandlers(pub(crate) Arc<Operations>);

impl Contracts for ContractsHandlers {
    async fn list_contracts(
        &self,
        context: RequestContext,
        request: ServiceRequest<'_, ListContractsRequest>,
    ) -> ServiceResult<ListContractsResponse> {
        let command = operation::ListContracts {
            workspace_id: id("workspaceId", request.workspace_id)?,
            limit: request.limit,
            cursor: request.cursor.to_owned(),
            contract_type: optional_enum("type", request.r#type)?,
            status: optional_enum("status", request.status)?,
        };
        let page = self.0.list_contracts(caller(&context)?, command).await.map_err(to_wire)?;
        Response::ok(ListContractsResponse {
            contract_ids: wire_ids(page.entries),
            next_cursor: Some(page.next_cursor),
            ..Default::default()
        })
    }

    async fn get_contract(
        &self,
        context: RequestContext,
        request: ServiceRequest<'_, GetContractRequest>,
    ) -> ServiceResult<GetContractResponse> {
        let command = operation::GetContract {
            workspace_id: id("workspaceId", request.workspace_id)?,
            contract_id: id("contractId", request.contract_id)?,
        };
        let contract = self.0.get_contract(caller(&context)?, command).await.map_err(to_wire)?;
        Response::ok(GetContractResponse { contract: record::contract(contract).into(), ..Default::default() })
    }

    async fn get_contracts(
        &self,
        context: RequestContext,
        request: ServiceRequest<'_, GetContractsRequest>,
    ) -> ServiceResult<GetContractsResponse> {
        let command = operation::GetContracts {
            workspace_id: id("workspaceId", request.workspace_id)?,
            contract_ids: ids("contractIds", &request.contract_ids)?,
        };
        let batch = self.0.get_contracts(caller(&context)?, command).await.map_err(to_wire)?;
        Response::ok(GetContractsResponse {
            contracts: batch.found.into_iter().map(record::contract).collect(),
            missing_ids: wire_ids(batch.missing),
            ..Default::default()
        })
    }

    async fn create_contract(
        &self,
        context: RequestContext,
        request: ServiceRequest<'_, CreateContractRequest>,
    ) -> ServiceResult<CreateContractResponse> {
        let command = operation::CreateContract {
            workspace_id: id("workspaceId", request.workspace_id)?,
            name: request.name.to_owned(),
            terms: record::terms(&request)?,
            filter_set_id: optional_id("filterSetId", request.filter_set_id)?,
            pool_id: optional_id("poolId", request.pool_id)?,
            approval_mode: required_enum("approvalMode", request.approval_mode)?,
            marketplaces: texts(&request.marketplaces),
            price_reference: record::price_source(&request)?,
            starts_at: timestamp("startsAt", &request.starts_at)?,
            ends_at: timestamp("endsAt", &request.ends_at)?,
        };
        let contract = self.0.create_contract(caller(&context)?, command).await.map_err(to_wire)?;
        Response::ok(CreateContractResponse { contract: record::contract(contract).into(), ..Default::default() })
    }

    async fn activate_contract(
        &self,
        context: RequestContext,
        request: ServiceRequest<'_, ActivateContractRequest>,
    ) -> ServiceResult<ActivateContractResponse> {
        let command = operation::ActivateContract {
            workspace_id: id("workspaceId", request.workspace_id)?,
            contract_id: id("contractId", request.contract_id)?,
            expected_version: request.expected_version,
        };
        let contract = self.0.activate_contract(caller(&context)?, command).await.map_err(to_wire)?;
        Response::ok(ActivateContractResponse { contract: record::contract(contract).into(), ..Default::default() })
    }

    async fn list_purchases(
        &self,
        context: RequestContext,
        request: ServiceRequest<'_, ListPurchasesRequest>,
    ) -> ServiceResult<ListPurchasesResponse> {
        let command = operation::ListPurchases {
            workspace_id: id("workspaceId", request.workspace_id)?,
            limit: request.limit,
            cursor: request.cursor.to_owned(),
            contract_id: optional_id("contractId", request.contract_id)?,
            status: optional_enum("status", request.status)?,
        };
        let page = self.0.list_purchases(caller(&context)?, command).await.map_err(to_wire)?;
        Response::ok(ListPurchasesResponse {
            purchase_ids: wire_ids(page.entries),
            next_cursor: Some(page.next_cursor),
            ..Default::default()
        })
    }

    async fn get_purchase(
        &self,
        context: RequestContext,
        request: ServiceRequest<'_, GetPurchaseRequest>,
    ) -> ServiceResult<GetPurchaseResponse> {
        let command = operation::GetPurchase {
            workspace_id: id("workspaceId", request.workspace_id)?,
            purchase_id: id("purchaseId", request.purchase_id)?,
        };
        let purchase = self.0.get_purchase(caller(&context)?, command).await.map_err(to_wire)?;
        Response::ok(GetPurchaseResponse { purchase: record::purchase(purchase).into(), ..Default::default() })
    }

    async fn get_purchases(
        &self,
        context: RequestContext,
        request: ServiceRequest<'_, GetPurchasesRequest>,
    ) -> ServiceResult<GetPurchasesResponse> {
        let command = operation::GetPurchases {
            workspace_id: id("workspaceId", request.workspace_id)?,
            purchase_ids: ids("purchaseIds", &request.purchase_ids)?,
        };
        let batch = self.0.get_purchases(caller(&context)?, command).await.map_err(to_wire)?;
        Response::ok(GetPurchasesResponse {
            purchases: batch.found.into_iter().map(record::purchase).collect(),
            missing_ids: wire_ids(batch.missing),
            ..Default::default()
        })
    }

    async fn count_purchases(
        &self,
        context: RequestContext,
        request: ServiceRequest<'_, CountPurchasesRequest>,
    ) -> ServiceResult<CountPurchasesResponse> {
        let command = operation::CountPurchases {
            workspace_id: id("workspaceId", request.workspace_id)?,
            contract_id: optional_id("contractId", request.contract_id)?,
        };
        let counted = self.0.count_purchases(caller(&context)?, command).await.map_err(to_wire)?;
        let counts = counted.into_iter().map(|counted| PurchaseCount {
            status: Some(counted.status.to_wire()),
            count: Some(wire_count(counted.count)),
            ..Default::default()
        });
        Response::ok(CountPurchasesResponse { counts: counts.collect(), ..Default::default() })
    }

    async fn list_inventory_items(
        &self,
        context: RequestContext,
        request: ServiceRequest<'_, ListInventoryItemsRequest>,
    ) -> ServiceResult<ListInventoryItemsResponse> {
        let command = operation::ListInventoryItems {
            workspace_id: id("workspaceId", request.workspace_id)?,
            limit: request.limit,
            cursor: request.cursor.to_owned(),
            contract_id: optional_id("contractId", request.contract_id)?,
            status: optional_enum("status", request.status)?,
        };
        let page = self.0.list_inventory_items(caller(&context)?, command).await.map_err(to_wire)?;
        Response::ok(ListInventoryItemsResponse {
            inventory_item_ids: wire_ids(page.entries),
            next_cursor: Some(page.next_cursor),
            ..Default::default()
        })
    }

    async fn get_inventory_item(
        &self,
        context: RequestContext,
        request: ServiceRequest<'_, GetInventoryItemRequest>,
    ) -> ServiceResult<GetInventoryItemResponse> {
        let command = operation::GetInventoryItem {
            workspace_id: id("workspaceId", request.workspace_id)?,
            inventory_item_id: id("inventoryItemId", request.inventory_item_id)?,
        };
        let item = self.0.get_inventory_item(caller(&context)?, command).await.map_err(to_wire)?;
        Response::ok(GetInventoryItemResponse {
            inventory_item: record::inventory_item(item).into(),
            ..Default::default()
        })
    }

    async fn get_inventory_items(
        &self,
        context: RequestContext,
        request: ServiceRequest<'_, GetInventoryItemsRequest>,
    ) -> ServiceResult<GetInventoryItemsResponse> {
        let command = operation::GetInventoryItems {
            workspace_id: id("workspaceId", request.workspace_id)?,
            inventory_item_ids: ids("inventoryItemIds", &request.inventory_item_ids)?,
        };
        let batch = self.0.get_inventory_items(caller(&context)?, command).await.map_err(to_wire)?;
        Response::ok(GetInventoryItemsResponse {
            inventory_items: batch.found.into_iter().map(record::inventory_item).collect(),
            missing_ids: wire_ids(batch.missing),
            ..Default::default()
        })
    }

    async fn count_inventory_items(
        &self,
        context: RequestContext,
        request: ServiceRequest<'_, CountInventoryItemsRequest>,
    ) -> ServiceResult<CountInventoryItemsResponse> {
        let command = operation::CountInventoryItems {
            workspace_id: id("workspaceId", request.workspace_id)?,
            contract_id: optional_id("contractId", request.contract_id)?,
        };
        let counted = self.0.count_inventory_items(caller(&context)?, command).await.map_err(to_wire)?;
        let counts = counted.into_iter().map(|counted| InventoryItemCount {
            status: Some(counted.status.to_wire()),
            count: Some(wire_count(counted.count)),
            ..Default::default()
        });
        Response::ok(CountInventoryItemsResponse { counts: counts.collect(), ..Default::default() })
    }

    async fn list_asset_id_links(
        &self,
        context: RequestContext,
        request: ServiceRequest<'_, ListAssetIDLinksRequest>,
    ) -> ServiceResult<ListAssetIDLinksResponse> {
        let command = operation::ListAssetIDLinks {
            workspace_id: id("workspaceId", request.workspace_id)?,
            inventory_item_id: id("inventoryItemId", request.inventory_item_id)?,
            limit: request.limit,
            cursor: request.cursor.to_owned(),
        };
        let page = self.0.list_asset_id_links(caller(&context)?, command).await.map_err(to_wire)?;
        Response::ok(ListAssetIDLinksResponse {
            asset_id_links: page.entries.into_iter().map(record::asset_id_link).collect(),
            next_cursor: Some(page.next_cursor),
            ..Default::default()
        })
    }

    async fn append_asset_id_link(
        &self,
        context: RequestContext,
        request: ServiceRequest<'_, AppendAssetIDLinkRequest>,
    ) -> ServiceResult<AppendAssetIDLinkResponse> {
        let command = operation::AppendAssetIDLink {
            workspace_id: id("workspaceId", request.workspace_id)?,
            inventory_item_id: id("inventoryItemId", request.inventory_item_id)?,
            expected_step: request.expected_step.map(Into::into),
            asset_id: request.asset_id.to_owned(),
            source: request.source.to_owned(),
            source_id: request.source_id.to_owned(),
        };
        let link = self.0.append_asset_id_link(caller(&context)?, command).await.map_err(to_wire)?;
        Response::ok(AppendAssetIDLinkResponse {
            asset_id_link: record::asset_id_link(link).into(),
            ..Default::default()
        })
    }

    async fn verify_asset_id_chain(
        &self,
        context: RequestContext,
        request: ServiceRequest<'_, VerifyAssetIDChainRequest>,
    ) -> ServiceResult<VerifyAssetIDChainResponse> {
        let command = operation::VerifyAssetIDChain {
            workspace_id: id("workspaceId", request.workspace_id)?,
            inventory_item_id: id("inventoryItemId", request.inventory_item_id)?,
        };
        let problems = self.0.verify_asset_id_chain(caller(&context)?, command).await.map_err(to_wire)?;
        Response::ok(VerifyAssetIDChainResponse {
            valid: Some(problems.is_empty()),
            problems: problems.into_iter().map(record::chain_problem).collect(),
            ..Default::default()
        })
    }
}
