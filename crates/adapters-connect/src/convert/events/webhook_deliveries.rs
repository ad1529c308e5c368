//! Webhook deliveries on the wire.

use tradepost_domain::events::webhook_delivery::{DeliveryState, WebhookDelivery};
use tradepost_domain::text::Text;

use crate::convert::enums::WireEnum as _;
use crate::convert::{wire_id, wire_number, wire_time};
use tradepost_proto::events::v1 as wire;

pub(crate) fn delivery(value: &WebhookDelivery) -> wire::WebhookDelivery {
    let last = value.last.as_ref();
    let is_pending = value.state == DeliveryState::Pending;
    wire::WebhookDelivery {
        id: Some(wire_id(value.id)),
        endpoint_id: Some(wire_id(value.endpoint_id)),
        transition_id: Some(value.transition_id().map(wire_id).unwrap_or_default()),
        r#type: Some(value.event_type.to_string()),
        state: Some(value.state.to_wire()),
        tries: Some(value.tries.into()),
        next_try_at: is_pending.then(|| wire_time(value.due_at)).into(),
        http_status: Some(last.and_then(|last| last.http_status).unwrap_or_default().into()),
        error: Some(shown(last.and_then(|last| last.error.as_ref()))),
        response_excerpt: Some(shown(last.and_then(|last| last.excerpt.as_ref()))),
        duration_ms: Some(last.map(|last| wire_number(last.duration_ms)).unwrap_or_default()),
        created_at: wire_time(value.created_at).into(),
        done_at: value.done_at.map(wire_time).into(),
        webhook_id: Some(value.message_id()),
    }
}

fn shown<const MOST: usize>(text: Option<&Text<MOST>>) -> String {
    text.map(ToString::to_string).unwrap_or_default()
}
