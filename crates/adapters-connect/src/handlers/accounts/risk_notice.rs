//! `accounts.v1.Accounts`: the risk notice.

use connectrpc::{RequestContext, Response, ServiceRequest, ServiceResult};
use tradepost_domain::accounts::workspace::{RISK_NOTICE, RiskAcknowledgement, RiskPoint};
use tradepost_operations::Operations;
use tradepost_operations::accounts as operation;

use crate::convert::{wire_id, wire_time};
use crate::error::to_wire;
use crate::handlers::request::enter;
use tradepost_proto::accounts::v1 as wire;

pub(super) async fn get_risk_notice(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::GetRiskNoticeRequest>,
) -> ServiceResult<wire::GetRiskNoticeResponse> {
    let (caller, workspace_id) = enter(context, request.workspace_id)?;
    let command = operation::GetRiskAcknowledgement { workspace_id };
    let found = operations.get_risk_acknowledgement(caller, command).await.map_err(to_wire)?;
    Response::ok(wire::GetRiskNoticeResponse {
        notice: wire::RiskNotice {
            version: Some(RISK_NOTICE.version.to_owned()),
            points: RISK_NOTICE.points.iter().map(point).collect(),
        }
        .into(),
        acknowledged: Some(found.as_ref().is_some_and(RiskAcknowledgement::is_current)),
        acknowledgement: found.as_ref().map(acknowledgement).into(),
    })
}

pub(super) async fn acknowledge_risk_notice(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::AcknowledgeRiskNoticeRequest>,
) -> ServiceResult<wire::AcknowledgeRiskNoticeResponse> {
    let (caller, workspace_id) = enter(context, request.workspace_id)?;
    let command = operation::AcknowledgeRiskNotice { workspace_id, version: request.version.to_owned() };
    let read = operations.acknowledge_risk_notice(caller, command).await.map_err(to_wire)?;
    Response::ok(wire::AcknowledgeRiskNoticeResponse { acknowledgement: acknowledgement(&read).into() })
}

fn point(of: &RiskPoint) -> wire::RiskPoint {
    wire::RiskPoint { title: Some(of.title.to_owned()), text: Some(of.text.to_owned()) }
}

fn acknowledgement(of: &RiskAcknowledgement) -> wire::RiskAcknowledgement {
    wire::RiskAcknowledgement {
        version: Some(of.version.to_string()),
        user_id: of.by.map(wire_id),
        acknowledged_at: wire_time(of.at).into(),
    }
}
