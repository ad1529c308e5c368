//! `contracts.v1.Contracts`: contracts.

use connectrpc::{ConnectError, RequestContext, Response, ServiceRequest, ServiceResult};
use tradepost_domain::contracts::contract::{Contract, ContractStatus, Replaced};
use tradepost_domain::contracts::remediation::RemediationKind;
use tradepost_domain::id::Id;
use tradepost_operations::contracts as operation;
use tradepost_operations::{Operations, Versioned};

use crate::convert::contracts as record;
use crate::convert::enums::{WireEnum as _, optional_enum};
use crate::convert::{id, ids, invalid, replaced, texts, timestamp, wire_count, wire_ids};
use crate::error::to_wire;
use crate::handlers::request::enter;
use tradepost_proto::contracts::v1 as wire;

pub(super) async fn list_contracts(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::ListContractsRequest>,
) -> ServiceResult<wire::ListContractsResponse> {
    let (caller, workspace_id) = enter(context, request.workspace_id)?;
    let command = operation::ListContracts {
        workspace_id,
        limit: request.limit,
        cursor: request.cursor.to_owned(),
        contract_type: optional_enum("type", request.r#type)?,
        status: optional_enum("status", request.status)?,
    };
    let page = operations.list_contracts(caller, command).await.map_err(to_wire)?;
    Response::ok(wire::ListContractsResponse {
        contract_ids: wire_ids(page.entries),
        next_cursor: Some(page.next_cursor),
    })
}

pub(super) async fn get_contract(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::GetContractRequest>,
) -> ServiceResult<wire::GetContractResponse> {
    let (caller, workspace_id) = enter(context, request.workspace_id)?;
    let command = operation::GetContract { workspace_id, contract_id: id("contractId", request.contract_id)? };
    let contract = operations.get_contract(caller, command).await.map_err(to_wire)?;
    Response::ok(wire::GetContractResponse { contract: shown(operations, &contract).into() })
}

/// Why nothing is bought for an active contract whose marketplaces are only read.
const READ_ONLY: &str = "READ_ONLY";

/// A contract as it is read: the status reason of an active one shows that nothing is bought for it.
fn shown(operations: &Operations, contract: &Versioned<Contract>) -> wire::Contract {
    let (mut shown, id) = (record::contract(contract), contract.value.id);
    if contract.value.status == ContractStatus::Active {
        if operations.is_unserved(id) {
            shown.status_reason = Some(RemediationKind::NotServed.to_string());
        } else if operations.is_only_read(id) {
            shown.status_reason = Some(READ_ONLY.to_owned());
        }
    }
    shown
}

pub(super) async fn get_contracts(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::GetContractsRequest>,
) -> ServiceResult<wire::GetContractsResponse> {
    let (caller, workspace_id) = enter(context, request.workspace_id)?;
    let command = operation::GetContracts { workspace_id, contract_ids: ids("contractIds", &request.contract_ids)? };
    let batch = operations.get_contracts(caller, command).await.map_err(to_wire)?;
    Response::ok(wire::GetContractsResponse {
        contracts: batch.found.iter().map(|contract| shown(operations, contract)).collect(),
        missing_ids: wire_ids(batch.missing),
    })
}

pub(super) async fn create_contract(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::CreateContractRequest>,
) -> ServiceResult<wire::CreateContractResponse> {
    let (caller, workspace_id) = enter(context, request.workspace_id)?;
    let command = record::draft(workspace_id, &request)?;
    let contract = operations.create_contract(caller, command).await.map_err(to_wire)?;
    Response::ok(wire::CreateContractResponse { contract: record::contract(&contract).into() })
}

pub(super) async fn activate_contract(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::ActivateContractRequest>,
) -> ServiceResult<wire::ActivateContractResponse> {
    let (caller, workspace_id) = enter(context, request.workspace_id)?;
    let command = operation::ActivateContract {
        workspace_id,
        contract_id: id("contractId", request.contract_id)?,
        expected_version: request.expected_version,
    };
    let contract = operations.activate_contract(caller, command).await.map_err(to_wire)?;
    Response::ok(wire::ActivateContractResponse { contract: record::contract(&contract).into() })
}

pub(super) async fn update_contract(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::UpdateContractRequest>,
) -> ServiceResult<wire::UpdateContractResponse> {
    let (caller, workspace_id) = enter(context, request.workspace_id)?;
    let price_reference = request.price_reference.as_option().map(record::price_source).transpose()?;
    let (starts_at, ends_at) = (timestamp("startsAt", &request.starts_at)?, timestamp("endsAt", &request.ends_at)?);
    let command = operation::UpdateContract {
        workspace_id,
        contract_id: id("contractId", request.contract_id)?,
        name: request.name.map(str::to_owned),
        terms: record::terms(request.buying.as_option(), request.selling.as_option())?,
        filter_set_id: other_id("filterSetId", request.filter_set_id)?,
        pool_id: other_id("poolId", request.pool_id)?,
        approval_mode: optional_enum("approvalMode", request.approval_mode)?,
        marketplaces: replaced(
            "marketplaces",
            texts(&request.marketplaces),
            "everyMarketplace",
            request.every_marketplace,
        )?,
        price_reference: other("priceReference", price_reference, "noPriceReference", request.no_price_reference)?,
        starts_at: other("startsAt", starts_at, "startsAtActivation", request.starts_at_activation)?,
        ends_at: other("endsAt", ends_at, "neverEnds", request.never_ends)?,
        expected_version: request.expected_version,
    };
    let contract = operations.update_contract(caller, command).await.map_err(to_wire)?;
    Response::ok(wire::UpdateContractResponse { contract: record::contract(&contract).into() })
}

/// An id that takes the place of the one before; an empty one takes it away.
fn other_id<K>(field: &str, given: Option<&[u8]>) -> Result<Replaced<Id<K>>, ConnectError> {
    match given {
        None => Ok(Replaced::Not),
        Some([]) => Ok(Replaced::ByNothing),
        Some(bytes) => id(field, bytes).map(Replaced::By),
    }
}

/// What takes the place of what was there before; what `cleared` names takes it away.
fn other<T>(field: &str, given: Option<T>, cleared: &str, clear: bool) -> Result<Replaced<T>, ConnectError> {
    match (given, clear) {
        (None, false) => Ok(Replaced::Not),
        (None, true) => Ok(Replaced::ByNothing),
        (Some(value), false) => Ok(Replaced::By(value)),
        (Some(_), true) => Err(invalid(cleared, format_args!("and {field} exclude each other"))),
    }
}

pub(super) async fn pause_contract(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::PauseContractRequest>,
) -> ServiceResult<wire::PauseContractResponse> {
    let (caller, workspace_id) = enter(context, request.workspace_id)?;
    let command = operation::PauseContract {
        workspace_id,
        contract_id: id("contractId", request.contract_id)?,
        reason: Some(request.reason.to_owned()).filter(|reason| !reason.is_empty()),
        expected_version: request.expected_version,
    };
    let contract = operations.pause_contract(caller, command).await.map_err(to_wire)?;
    Response::ok(wire::PauseContractResponse { contract: record::contract(&contract).into() })
}

pub(super) async fn resume_contract(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::ResumeContractRequest>,
) -> ServiceResult<wire::ResumeContractResponse> {
    let (caller, workspace_id) = enter(context, request.workspace_id)?;
    let contract_id = id("contractId", request.contract_id)?;
    let command = operation::ResumeContract { workspace_id, contract_id, expected_version: request.expected_version };
    let contract = operations.resume_contract(caller, command).await.map_err(to_wire)?;
    Response::ok(wire::ResumeContractResponse { contract: record::contract(&contract).into() })
}

pub(super) async fn cancel_contract(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::CancelContractRequest>,
) -> ServiceResult<wire::CancelContractResponse> {
    let (caller, workspace_id) = enter(context, request.workspace_id)?;
    let contract_id = id("contractId", request.contract_id)?;
    let command = operation::CancelContract { workspace_id, contract_id, expected_version: request.expected_version };
    let contract = operations.cancel_contract(caller, command).await.map_err(to_wire)?;
    Response::ok(wire::CancelContractResponse { contract: record::contract(&contract).into() })
}

pub(super) async fn clone_contract(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::CloneContractRequest>,
) -> ServiceResult<wire::CloneContractResponse> {
    let (caller, workspace_id) = enter(context, request.workspace_id)?;
    let contract_id = id("contractId", request.contract_id)?;
    let command = operation::CloneContract { workspace_id, contract_id, name: request.name.to_owned() };
    let draft = operations.clone_contract(caller, command).await.map_err(to_wire)?;
    Response::ok(wire::CloneContractResponse { contract: record::contract(&draft).into() })
}

pub(super) async fn delete_contract(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::DeleteContractRequest>,
) -> ServiceResult<wire::DeleteContractResponse> {
    let (caller, workspace_id) = enter(context, request.workspace_id)?;
    let contract_id = id("contractId", request.contract_id)?;
    let command = operation::DeleteContract { workspace_id, contract_id, expected_version: request.expected_version };
    operations.delete_contract(caller, command).await.map_err(to_wire)?;
    Response::ok(wire::DeleteContractResponse::default())
}

pub(super) async fn count_contracts(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::CountContractsRequest>,
) -> ServiceResult<wire::CountContractsResponse> {
    let (caller, workspace_id) = enter(context, request.workspace_id)?;
    let command = operation::CountContracts { workspace_id, contract_type: optional_enum("type", request.r#type)? };
    let counted = operations.count_contracts(caller, command).await.map_err(to_wire)?;
    let counts = counted.into_iter().map(|counted| wire::ContractCount {
        status: Some(counted.status.to_wire()),
        count: Some(wire_count(counted.count)),
    });
    Response::ok(wire::CountContractsResponse { counts: counts.collect() })
}
