//! Renewals of the tokens of trading accounts.

use connectrpc::{RequestContext, Response, ServiceRequest, ServiceResult};
use tradepost_operations::Operations;
use tradepost_operations::trading as operation;

use crate::convert::enums::{WireEnum as _, optional_enum, required_enum};
use crate::convert::trading::renewals as record;
use crate::convert::{id, ids, optional_id, timestamp, wire_count, wire_ids};
use crate::error::to_wire;
use crate::handlers::request::enter;
use tradepost_proto::trading::v1 as wire;

pub(super) async fn list_renewals(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::ListRenewalsRequest>,
) -> ServiceResult<wire::ListRenewalsResponse> {
    let (caller, workspace_id) = enter(context, request.workspace_id)?;
    let command = operation::ListRenewals {
        workspace_id,
        limit: request.limit,
        cursor: request.cursor.to_owned(),
        account_id: optional_id("accountId", request.account_id)?,
        kind: optional_enum("kind", request.kind)?,
        status: optional_enum("status", request.status)?,
        due_before: timestamp("dueBefore", &request.due_before)?,
    };
    let page = operations.list_renewals(caller, command).await.map_err(to_wire)?;
    Response::ok(wire::ListRenewalsResponse {
        renewal_ids: wire_ids(page.entries),
        next_cursor: Some(page.next_cursor),
    })
}

pub(super) async fn get_renewal(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::GetRenewalRequest>,
) -> ServiceResult<wire::GetRenewalResponse> {
    let (caller, workspace_id) = enter(context, request.workspace_id)?;
    let command = operation::GetRenewal { workspace_id, renewal_id: id("renewalId", request.renewal_id)? };
    let renewal = operations.get_renewal(caller, command).await.map_err(to_wire)?;
    Response::ok(wire::GetRenewalResponse { renewal: record::renewal(&renewal).into() })
}

pub(super) async fn get_renewals(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::GetRenewalsRequest>,
) -> ServiceResult<wire::GetRenewalsResponse> {
    let (caller, workspace_id) = enter(context, request.workspace_id)?;
    let command = operation::GetRenewals { workspace_id, renewal_ids: ids("renewalIds", &request.renewal_ids)? };
    let batch = operations.get_renewals(caller, command).await.map_err(to_wire)?;
    Response::ok(wire::GetRenewalsResponse {
        renewals: batch.found.iter().map(record::renewal).collect(),
        missing_ids: wire_ids(batch.missing),
    })
}

pub(super) async fn count_renewals(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::CountRenewalsRequest>,
) -> ServiceResult<wire::CountRenewalsResponse> {
    let (caller, workspace_id) = enter(context, request.workspace_id)?;
    let command = operation::CountRenewals { workspace_id };
    let counted = operations.count_renewals(caller, command).await.map_err(to_wire)?;
    let counts = counted.into_iter().map(|counted| wire::RenewalCount {
        status: Some(counted.status.to_wire()),
        count: Some(wire_count(counted.count)),
    });
    Response::ok(wire::CountRenewalsResponse { counts: counts.collect() })
}

pub(super) async fn request_renewal(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::RequestRenewalRequest>,
) -> ServiceResult<wire::RequestRenewalResponse> {
    let (caller, workspace_id) = enter(context, request.workspace_id)?;
    let command = operation::RequestRenewal {
        workspace_id,
        account_id: id("accountId", request.account_id)?,
        kind: required_enum("kind", request.kind)?,
    };
    let renewal = operations.request_renewal(caller, command).await.map_err(to_wire)?;
    Response::ok(wire::RequestRenewalResponse { renewal: record::renewal(&renewal).into() })
}

pub(super) async fn cancel_renewal(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::CancelRenewalRequest>,
) -> ServiceResult<wire::CancelRenewalResponse> {
    let (caller, workspace_id) = enter(context, request.workspace_id)?;
    let (renewal_id, expected_version) = (id("renewalId", request.renewal_id)?, request.expected_version);
    let command = operation::CancelRenewal { workspace_id, renewal_id, expected_version };
    let renewal = operations.cancel_renewal(caller, command).await.map_err(to_wire)?;
    Response::ok(wire::CancelRenewalResponse { renewal: record::renewal(&renewal).into() })
}
