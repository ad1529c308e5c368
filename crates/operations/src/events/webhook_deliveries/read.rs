//! Reads of webhook deliveries.

use tradepost_domain::events::event_type::EventType;
use tradepost_domain::events::webhook_delivery::{DeliveryState, WebhookDelivery};
use tradepost_domain::id::{OfWebhookDelivery, WebhookDeliveryId, WebhookEndpointId, WorkspaceId};
use tradepost_domain::time::Timestamp;
use tradepost_ports::changes::Caller;
use tradepost_ports::store::DeliveryFilter;

use crate::events::webhook_endpoints::endpoints::endpoint_as_seen;
use crate::paging::ListKey;
use crate::rules;
use crate::{Batch, OpError, OpResult, Operations, PageOf, fields};

/// A request for several deliveries.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GetWebhookDeliveries {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The deliveries, 1 to 200.
    pub delivery_ids: Vec<WebhookDeliveryId>,
}

/// A request for a page of the deliveries of an endpoint.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListWebhookDeliveries {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The endpoint.
    pub endpoint_id: WebhookEndpointId,
    /// The maximum of ids on the page: 0 is 50, above 200 is 200, negative is rejected.
    pub limit: i32,
    /// The `next_cursor` of the page before; empty for the first page.
    pub cursor: String,
    /// Only in this state.
    pub state: Option<DeliveryState>,
    /// Only of this type; empty for all.
    pub event_type: String,
    /// Only created at this time or later, to the millisecond.
    pub from: Option<Timestamp>,
    /// Only created before this time, to the millisecond.
    pub to: Option<Timestamp>,
}

impl Operations {
    /// Returns several deliveries in the order asked for, each once, and the ids that name none.
    ///
    /// # Errors
    /// `permission_denied`, `invalid_argument` for no ids or too many.
    pub async fn get_webhook_deliveries(
        &self,
        caller: &Caller,
        command: GetWebhookDeliveries,
    ) -> OpResult<Batch<WebhookDelivery, OfWebhookDelivery>> {
        let scope = rules::GET_WEBHOOK_DELIVERIES.enter(&caller.principal, command.workspace_id)?;
        let ids = fields::batch("deliveryIds", &command.delivery_ids)?;
        let found = self.ports.store.webhooks().find_deliveries(scope, &ids).await?;
        Ok(Batch::in_order(ids, found, |delivery| delivery.id))
    }

    /// Returns a page of the deliveries of an endpoint, the newest first.
    ///
    /// # Errors
    /// `permission_denied`, `not_found` without such an endpoint, `invalid_argument` for an unknown type, a time that does not come
    /// before the other, a negative limit or a cursor that this list did not give out.
    pub async fn list_webhook_deliveries(
        &self,
        caller: &Caller,
        command: ListWebhookDeliveries,
    ) -> OpResult<PageOf<WebhookDeliveryId>> {
        let scope = rules::LIST_WEBHOOK_DELIVERIES.enter(&caller.principal, command.workspace_id)?;
        fields::span(command.from, command.to)?;
        let event_type = match command.event_type.as_str() {
            "" => None,
            text => Some(text.parse::<EventType>().map_err(|_| unknown_type("type", text))?),
        };
        let key = ListKey::of("webhook deliveries", scope)
            .and_id(Some(command.endpoint_id))
            .and_code(command.state.map(DeliveryState::code))
            .and(event_type.map(|event| event.to_string()).as_deref().map(str::as_bytes))
            .and_time(command.from)
            .and_time(command.to);
        let request = self.page_request::<OfWebhookDelivery>(&key, command.limit, &command.cursor)?;
        let endpoint_id = command.endpoint_id;
        endpoint_as_seen(self, scope, endpoint_id, None).await?.into_display();
        let filter =
            DeliveryFilter { endpoint_id, state: command.state, event_type, from: command.from, to: command.to };
        let page = self.to_show(caller, scope).webhooks().list_deliveries(scope, filter, request).await?;
        Ok(self.page(&key, page))
    }
}

pub(super) fn unknown_type(field: &str, text: &str) -> OpError {
    OpError::invalid_field(field, format_args!("has {text:?}, which ListEventTypes does not return"))
}
