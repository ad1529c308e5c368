//! Samples of webhook endpoints and of deliveries.

use tradepost_domain::events::event_type::EventType;
use tradepost_domain::events::webhook_delivery::WebhookDelivery;
use tradepost_domain::events::webhook_endpoint::{EndpointStatus, EventPatterns, WebhookEndpoint};
use tradepost_domain::id::{RecordKey, WebhookEndpointId, WorkspaceId};
use tradepost_domain::transition::SubjectKind;

use super::{Samples, start, text};

impl Samples {
    /// Returns an active endpoint that receives everything.
    ///
    /// # Panics
    /// Never: the pattern is valid.
    pub fn webhook_endpoint(&self, workspace_id: WorkspaceId) -> WebhookEndpoint {
        WebhookEndpoint {
            id: self.id(),
            workspace_id,
            url: text("https://example.com/hook"),
            description: None,
            types: EventPatterns::parse(&["*"]).unwrap(),
            status: EndpointStatus::Active,
            disabled_reason: None,
            secret_hint: text("wXyZ"),
            created_at: start(),
            updated_at: start(),
        }
    }

    /// Returns a delivery of a settled purchase that is due.
    pub fn webhook_delivery(&self, workspace_id: WorkspaceId, endpoint_id: WebhookEndpointId) -> WebhookDelivery {
        let event_type = EventType::Status(SubjectKind::Purchase, "SETTLED");
        let event_id = self.id::<()>().to_bytes();
        let endpoint = RecordKey { workspace_id, id: endpoint_id };
        WebhookDelivery { event_type, event_id, ..WebhookDelivery::test(self.id(), endpoint, start()) }
    }
}
