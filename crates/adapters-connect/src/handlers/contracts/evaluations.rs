//! Evaluations.

use connectrpc::{ConnectError, RequestContext, Response, ServiceRequest, ServiceResult};
use tradepost_domain::id::{OfWorkspace, WorkspaceId};
use tradepost_operations::Operations;
use tradepost_operations::contracts as operation;

use crate::convert::contracts::draft as contract_draft;
use crate::convert::contracts::evaluations as record;
use crate::convert::contracts::filter_sets::sample_listing;
use crate::convert::enums::optional_enum;
use crate::convert::{id, ids, inside, invalid, optional_id, timestamp, wire_ids, wire_number, wire_time};
use crate::error::to_wire;
use crate::handlers::request::enter;
use tradepost_proto::contracts::v1 as wire;
use tradepost_proto::contracts::v1::__buffa::view;

pub(super) async fn evaluate_contract(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::EvaluateContractRequest>,
) -> ServiceResult<wire::EvaluateContractResponse> {
    let (caller, workspace_id) = enter(context, request.workspace_id)?;
    let contract_id = id("contractId", request.contract_id)?;
    let listing = request.listing.as_option().map(|given| sample_listing("listing", given)).transpose()?;
    let item = optional_id("inventoryItemId", request.inventory_item_id)?;
    let observation = optional_id("observationId", request.observation_id)?;
    let about = match (listing, item, observation) {
        (Some(listing), None, None) => operation::ToEvaluate::Listing(Box::new(listing)),
        (None, Some(item), None) => operation::ToEvaluate::Item(item),
        (None, None, Some(observation)) => operation::ToEvaluate::Observation(observation),
        (None, None, None) => return Err(invalid("listing", "or inventoryItemId or observationId is required")),
        (Some(_), Some(_), _) => return Err(invalid("listing", "and inventoryItemId exclude each other")),
        (Some(_), None, Some(_)) => return Err(invalid("listing", "and observationId exclude each other")),
        (None, Some(_), Some(_)) => return Err(invalid("inventoryItemId", "and observationId exclude each other")),
    };
    let command = operation::EvaluateContract {
        workspace_id,
        contract_id,
        marketplace: request.marketplace.to_owned(),
        about,
        market: record::market(request.market.as_option())?,
    };
    let evaluation = operations.evaluate_contract(caller, command).await.map_err(to_wire)?;
    Response::ok(wire::EvaluateContractResponse { evaluation: record::unkept(&evaluation).into() })
}

pub(super) async fn simulate_contract(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::SimulateContractRequest>,
) -> ServiceResult<wire::SimulateContractResponse> {
    let (caller, workspace_id) = enter(context, request.workspace_id)?;
    let draft = request.draft.as_option().map(|draft| drafted(workspace_id, draft)).transpose()?;
    let contract = match (optional_id("contractId", request.contract_id)?, draft) {
        (Some(id), None) => operation::Simulated::Stored(id),
        (None, Some(draft)) => operation::Simulated::Draft(Box::new(draft)),
        (None, None) => return Err(invalid("contractId", "or draft is required")),
        (Some(_), Some(_)) => return Err(invalid("contractId", "and draft exclude each other")),
    };
    let command = operation::SimulateContract {
        workspace_id,
        contract,
        from: timestamp("from", &request.from)?.ok_or_else(|| invalid("from", "is required"))?,
        to: timestamp("to", &request.to)?,
        limit: request.limit,
        fees: request.fees.iter().map(record::fees).collect(),
    };
    let found = operations.simulate_contract(caller, command).await.map_err(to_wire)?;
    Response::ok(wire::SimulateContractResponse {
        observed: Some(wire_number(found.observed)),
        matched: Some(wire_number(found.matched)),
        would_buy: Some(wire_number(found.would_buy)),
        spend_cents: Some(found.spend.get()),
        top_reasons: found.top_reasons.into_iter().map(|(rule, count)| record::rule_count(rule, count)).collect(),
        truncated: Some(found.truncated),
        until: found.until.map(wire_time).into(),
        would_have_bought: found.would_have_bought.iter().map(record::would_have_bought).collect(),
    })
}

fn drafted(
    workspace_id: WorkspaceId,
    draft: &view::CreateContractRequestView<'_>,
) -> Result<operation::CreateContract, ConnectError> {
    optional_id::<OfWorkspace>("workspaceId", draft.workspace_id)
        .and_then(|_| contract_draft(workspace_id, draft))
        .map_err(|error| inside("draft", error))
}

pub(super) async fn list_evaluations(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::ListEvaluationsRequest>,
) -> ServiceResult<wire::ListEvaluationsResponse> {
    let (caller, workspace_id) = enter(context, request.workspace_id)?;
    let command = operation::ListEvaluations {
        workspace_id,
        limit: request.limit,
        cursor: request.cursor.to_owned(),
        contract_id: optional_id("contractId", request.contract_id)?,
        decision: optional_enum("decision", request.decision)?,
        listing_id: request.listing_id.to_owned(),
    };
    let page = operations.list_evaluations(caller, command).await.map_err(to_wire)?;
    Response::ok(wire::ListEvaluationsResponse {
        evaluation_ids: wire_ids(page.entries),
        next_cursor: Some(page.next_cursor),
    })
}

pub(super) async fn get_evaluation(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::GetEvaluationRequest>,
) -> ServiceResult<wire::GetEvaluationResponse> {
    let (caller, workspace_id) = enter(context, request.workspace_id)?;
    let evaluation_id = id("evaluationId", request.evaluation_id)?;
    let command = operation::GetEvaluation { workspace_id, evaluation_id };
    let evaluation = operations.get_evaluation(caller, command).await.map_err(to_wire)?;
    Response::ok(wire::GetEvaluationResponse { evaluation: record::evaluation(&evaluation).into() })
}

pub(super) async fn get_evaluations(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::GetEvaluationsRequest>,
) -> ServiceResult<wire::GetEvaluationsResponse> {
    let (caller, workspace_id) = enter(context, request.workspace_id)?;
    let evaluation_ids = ids("evaluationIds", &request.evaluation_ids)?;
    let command = operation::GetEvaluations { workspace_id, evaluation_ids };
    let batch = operations.get_evaluations(caller, command).await.map_err(to_wire)?;
    Response::ok(wire::GetEvaluationsResponse {
        evaluations: batch.found.iter().map(record::evaluation).collect(),
        missing_ids: wire_ids(batch.missing),
    })
}
