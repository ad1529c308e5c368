//! Types of events and webhook endpoints on the wire.

use buffa::EnumValue;
use tradepost_domain::events::event_type::EventType;
use tradepost_operations::events::ShownWebhookEndpoint;

use crate::convert::enums::WireEnum;
use crate::convert::{wire_id, wire_number, wire_time};
use tradepost_proto::contracts::v1::TransitionSubjectType;
use tradepost_proto::events::v1 as wire;

pub(crate) fn event_type(event: EventType) -> wire::EventType {
    let unspecified = EnumValue::Known(TransitionSubjectType::TRANSITION_SUBJECT_TYPE_UNSPECIFIED);
    wire::EventType {
        r#type: Some(event.to_string()),
        description: Some(event.description()),
        subject_type: Some(event.subject_kind().map_or(unspecified, WireEnum::to_wire)),
    }
}

pub(crate) fn endpoint(shown: &ShownWebhookEndpoint) -> wire::WebhookEndpoint {
    let (value, health) = (&shown.endpoint.value, &shown.progress.health);
    let unspecified = EnumValue::Known(wire::WebhookDisabledReason::WEBHOOK_DISABLED_REASON_UNSPECIFIED);
    wire::WebhookEndpoint {
        id: Some(wire_id(value.id)),
        workspace_id: Some(wire_id(value.workspace_id)),
        url: Some(value.url.to_string()),
        description: Some(value.description.as_ref().map(ToString::to_string).unwrap_or_default()),
        types: value.types.iter().collect(),
        status: Some(value.status.to_wire()),
        disabled_reason: Some(value.disabled_reason.map_or(unspecified, WireEnum::to_wire)),
        secret_hint: Some(value.secret_hint.to_string()),
        consecutive_failures: Some(wire_number(health.consecutive_failures)),
        last_success_at: health.last_success_at.map(wire_time).into(),
        last_failure_at: health.last_failure_at.map(wire_time).into(),
        position_lag: Some(wire_number(shown.behind)),
        created_at: wire_time(value.created_at).into(),
        updated_at: wire_time(value.updated_at).into(),
        version: Some(shown.endpoint.version),
    }
}
