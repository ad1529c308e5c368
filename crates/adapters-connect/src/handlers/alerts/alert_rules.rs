//! Alert rules.

use connectrpc::{RequestContext, Response, ServiceRequest, ServiceResult};
use tradepost_operations::Operations;
use tradepost_operations::alerts as operation;

use crate::convert::alerts as record;
use crate::convert::enums::{enums, optional_enum};
use crate::convert::{id, ids, wire_count, wire_ids};
use crate::error::to_wire;
use crate::handlers::request::enter;
use tradepost_proto::alerts::v1 as wire;

/// What a rule says: the same fields in both requests.
macro_rules! terms_of {
    ($request:ident) => {
        operation::AlertRuleTerms {
            topics: enums("topics", &$request.topics)?,
            urgent: enums("urgentTopics", &$request.urgent_topics)?,
            kinds: enums("problemKinds", &$request.problem_kinds)?,
            min_severity: optional_enum("minSeverity", $request.min_severity)?,
            silent_minutes: $request.silent_minutes,
            pace: optional_enum("pace", $request.pace)?,
            time_zone: $request.time_zone.to_owned(),
            quiet_from: $request.quiet_from.to_owned(),
            quiet_to: $request.quiet_to.to_owned(),
            daily_at: $request.daily_at.to_owned(),
        }
    };
}

pub(super) async fn create_alert_rule(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::CreateAlertRuleRequest>,
) -> ServiceResult<wire::CreateAlertRuleResponse> {
    let (caller, workspace_id) = enter(context, request.workspace_id)?;
    let channel_id = id("channelId", request.channel_id)?;
    let command = operation::CreateAlertRule { workspace_id, channel_id, terms: terms_of!(request) };
    let created = operations.create_alert_rule(caller, command).await.map_err(to_wire)?;
    Response::ok(wire::CreateAlertRuleResponse { rule: record::rule(&created).into() })
}

pub(super) async fn list_alert_rules(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::ListAlertRulesRequest>,
) -> ServiceResult<wire::ListAlertRulesResponse> {
    let (caller, workspace_id) = enter(context, request.workspace_id)?;
    let command = operation::ListAlertRules {
        workspace_id,
        channel_id: id("channelId", request.channel_id)?,
        limit: request.limit,
        cursor: request.cursor.to_owned(),
    };
    let page = operations.list_alert_rules(caller, command).await.map_err(to_wire)?;
    Response::ok(wire::ListAlertRulesResponse { rule_ids: wire_ids(page.entries), next_cursor: Some(page.next_cursor) })
}

pub(super) async fn get_alert_rule(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::GetAlertRuleRequest>,
) -> ServiceResult<wire::GetAlertRuleResponse> {
    let (caller, workspace_id) = enter(context, request.workspace_id)?;
    let command = operation::GetAlertRule { workspace_id, rule_id: id("ruleId", request.rule_id)? };
    let found = operations.get_alert_rule(caller, command).await.map_err(to_wire)?;
    Response::ok(wire::GetAlertRuleResponse { rule: record::rule(&found).into() })
}

pub(super) async fn get_alert_rules(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::GetAlertRulesRequest>,
) -> ServiceResult<wire::GetAlertRulesResponse> {
    let (caller, workspace_id) = enter(context, request.workspace_id)?;
    let rule_ids = ids("ruleIds", &request.rule_ids)?;
    let batch = operations.get_alert_rules(caller, operation::GetAlertRules { workspace_id, rule_ids }).await;
    let batch = batch.map_err(to_wire)?;
    Response::ok(wire::GetAlertRulesResponse {
        rules: batch.found.iter().map(record::rule).collect(),
        missing_ids: wire_ids(batch.missing),
    })
}

pub(super) async fn count_alert_rules(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::CountAlertRulesRequest>,
) -> ServiceResult<wire::CountAlertRulesResponse> {
    let (caller, workspace_id) = enter(context, request.workspace_id)?;
    let command = operation::CountAlertRules { workspace_id, channel_id: id("channelId", request.channel_id)? };
    let count = operations.count_alert_rules(caller, command).await.map_err(to_wire)?;
    Response::ok(wire::CountAlertRulesResponse { count: Some(wire_count(count)) })
}

pub(super) async fn update_alert_rule(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::UpdateAlertRuleRequest>,
) -> ServiceResult<wire::UpdateAlertRuleResponse> {
    let (caller, workspace_id) = enter(context, request.workspace_id)?;
    let (rule_id, expected_version) = (id("ruleId", request.rule_id)?, request.expected_version);
    let command = operation::UpdateAlertRule { workspace_id, rule_id, terms: terms_of!(request), expected_version };
    let changed = operations.update_alert_rule(caller, command).await.map_err(to_wire)?;
    Response::ok(wire::UpdateAlertRuleResponse { rule: record::rule(&changed).into() })
}

pub(super) async fn delete_alert_rule(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::DeleteAlertRuleRequest>,
) -> ServiceResult<wire::DeleteAlertRuleResponse> {
    let (caller, workspace_id) = enter(context, request.workspace_id)?;
    let (rule_id, expected_version) = (id("ruleId", request.rule_id)?, request.expected_version);
    let command = operation::DeleteAlertRule { workspace_id, rule_id, expected_version };
    operations.delete_alert_rule(caller, command).await.map_err(to_wire)?;
    Response::ok(wire::DeleteAlertRuleResponse::default())
}
