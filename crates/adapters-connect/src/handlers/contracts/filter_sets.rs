//! Filter sets.

use connectrpc::{RequestContext, Response, ServiceRequest, ServiceResult};
use tradepost_operations::Operations;
use tradepost_operations::contracts as operation;

use crate::convert::contracts::filter_sets as record;
use crate::convert::{id, ids, wire_count, wire_ids};
use crate::error::to_wire;
use crate::handlers::request::enter;
use tradepost_proto::contracts::v1 as wire;

pub(super) async fn list_filter_sets(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::ListFilterSetsRequest>,
) -> ServiceResult<wire::ListFilterSetsResponse> {
    let (caller, workspace_id) = enter(context, request.workspace_id)?;
    let command = operation::ListFilterSets { workspace_id, limit: request.limit, cursor: request.cursor.to_owned() };
    let page = operations.list_filter_sets(caller, command).await.map_err(to_wire)?;
    Response::ok(wire::ListFilterSetsResponse {
        filter_set_ids: wire_ids(page.entries),
        next_cursor: Some(page.next_cursor),
    })
}

pub(super) async fn get_filter_set(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::GetFilterSetRequest>,
) -> ServiceResult<wire::GetFilterSetResponse> {
    let (caller, workspace_id) = enter(context, request.workspace_id)?;
    let filter_set_id = id("filterSetId", request.filter_set_id)?;
    let command = operation::GetFilterSet { workspace_id, filter_set_id, version: request.version };
    let set = operations.get_filter_set(caller, command).await.map_err(to_wire)?;
    Response::ok(wire::GetFilterSetResponse { filter_set: record::filter_set(&set).into() })
}

pub(super) async fn get_filter_sets(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::GetFilterSetsRequest>,
) -> ServiceResult<wire::GetFilterSetsResponse> {
    let (caller, workspace_id) = enter(context, request.workspace_id)?;
    let filter_set_ids = ids("filterSetIds", &request.filter_set_ids)?;
    let command = operation::GetFilterSets { workspace_id, filter_set_ids };
    let batch = operations.get_filter_sets(caller, command).await.map_err(to_wire)?;
    Response::ok(wire::GetFilterSetsResponse {
        filter_sets: batch.found.iter().map(|found| record::filter_set(&found.value)).collect(),
        missing_ids: wire_ids(batch.missing),
    })
}

pub(super) async fn count_filter_sets(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::CountFilterSetsRequest>,
) -> ServiceResult<wire::CountFilterSetsResponse> {
    let (caller, workspace_id) = enter(context, request.workspace_id)?;
    let command = operation::CountFilterSets { workspace_id };
    let count = operations.count_filter_sets(caller, command).await.map_err(to_wire)?;
    Response::ok(wire::CountFilterSetsResponse { count: Some(wire_count(count)) })
}

pub(super) async fn create_filter_set(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::CreateFilterSetRequest>,
) -> ServiceResult<wire::CreateFilterSetResponse> {
    let (caller, workspace_id) = enter(context, request.workspace_id)?;
    let command = operation::CreateFilterSet {
        workspace_id,
        name: request.name.to_owned(),
        rules: record::required_rules(request.rules.as_option())?,
    };
    let set = operations.create_filter_set(caller, command).await.map_err(to_wire)?;
    Response::ok(wire::CreateFilterSetResponse { filter_set: record::filter_set(&set).into() })
}

pub(super) async fn update_filter_set(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::UpdateFilterSetRequest>,
) -> ServiceResult<wire::UpdateFilterSetResponse> {
    let (caller, workspace_id) = enter(context, request.workspace_id)?;
    let command = operation::UpdateFilterSet {
        workspace_id,
        filter_set_id: id("filterSetId", request.filter_set_id)?,
        name: request.name.map(str::to_owned),
        rules: request.rules.as_option().map(record::filter_rules).transpose()?,
        expected_version: request.expected_version,
    };
    let set = operations.update_filter_set(caller, command).await.map_err(to_wire)?;
    Response::ok(wire::UpdateFilterSetResponse { filter_set: record::filter_set(&set).into() })
}

pub(super) async fn delete_filter_set(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::DeleteFilterSetRequest>,
) -> ServiceResult<wire::DeleteFilterSetResponse> {
    let (caller, workspace_id) = enter(context, request.workspace_id)?;
    let filter_set_id = id("filterSetId", request.filter_set_id)?;
    let command = operation::DeleteFilterSet { workspace_id, filter_set_id };
    operations.delete_filter_set(caller, command).await.map_err(to_wire)?;
    Response::ok(wire::DeleteFilterSetResponse::default())
}

pub(super) async fn test_filter_set(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::TestFilterSetRequest>,
) -> ServiceResult<wire::TestFilterSetResponse> {
    let (caller, workspace_id) = enter(context, request.workspace_id)?;
    let sample = request.sample.iter().enumerate();
    let sample = sample.map(|(index, given)| record::sample_listing(&format!("sample[{index}]"), given));
    let command = operation::TestFilterSet {
        workspace_id,
        rules: record::required_rules(request.rules.as_option())?,
        sample: sample.collect::<Result<_, _>>()?,
        observation_ids: ids("observationIds", &request.observation_ids)?,
    };
    let tried = operations.test_filter_set(caller, command).await.map_err(to_wire)?;
    Response::ok(wire::TestFilterSetResponse {
        matches: tried.verdicts.into_iter().map(record::filter_match).collect(),
        missing_ids: wire_ids(tried.missing),
    })
}
