//! Webhook endpoints and deliveries of a world.

use tradepost_domain::id::{WebhookDeliveryId, WebhookEndpointId, WorkspaceId};
use tradepost_operations::Caller;
use tradepost_operations::events::{
    CreateWebhookEndpoint, ListWebhookDeliveries, ListWebhookEndpoints, ReplayWebhookEvents, SendTestEvent,
};
use tradepost_ports::clock::Clock as _;

use super::World;

impl World {
    /// The endpoint that is disabled, made by the first who asks for it: nothing happens to it by itself.
    pub(crate) async fn webhook_endpoint(&self) -> WebhookEndpointId {
        let (operations, workspace_id, system) = (self.app.operations(), self.desk.workspace_id, Caller::system());
        let list = ListWebhookEndpoints { workspace_id, limit: 1, cursor: String::new(), status: None };
        let known = operations.list_webhook_endpoints(&system, list).await.unwrap().entries;
        match known.first() {
            Some(known) => *known,
            None => self.new_webhook_endpoint(true).await,
        }
    }

    /// Makes an endpoint. An active one asks for nothing that happens.
    pub(crate) async fn new_webhook_endpoint(&self, disabled: bool) -> WebhookEndpointId {
        self.webhook_endpoint_of(self.desk.workspace_id, disabled).await
    }

    /// Makes an endpoint of a workspace.
    pub(crate) async fn webhook_endpoint_of(&self, workspace_id: WorkspaceId, disabled: bool) -> WebhookEndpointId {
        let command = CreateWebhookEndpoint {
            workspace_id,
            url: "https://hook.example.com/tradepost".to_owned(),
            description: "the desk's receiver".to_owned(),
            types: vec![if disabled { "contract.*" } else { "endpoint.disabled" }.to_owned()],
            disabled,
        };
        let created = self.app.operations().create_webhook_endpoint(&Caller::system(), command).await.unwrap();
        created.endpoint.endpoint.value.id
    }

    /// The delivery of a test to an endpoint of a workspace.
    pub(crate) async fn tested_delivery_of(
        &self,
        workspace_id: WorkspaceId,
        endpoint_id: WebhookEndpointId,
    ) -> WebhookDeliveryId {
        let test = SendTestEvent { workspace_id, endpoint_id };
        self.app.operations().send_test_event(&Caller::system(), test).await.unwrap().value.id
    }

    /// A delivery of the endpoint that is disabled.
    pub(crate) async fn webhook_delivery(&self) -> WebhookDeliveryId {
        let (operations, workspace_id, system) = (self.app.operations(), self.desk.workspace_id, Caller::system());
        let endpoint_id = self.webhook_endpoint().await;
        let list = ListWebhookDeliveries {
            workspace_id,
            endpoint_id,
            limit: 1,
            cursor: String::new(),
            state: None,
            event_type: String::new(),
            from: None,
            to: None,
        };
        let known = operations.list_webhook_deliveries(&system, list.clone()).await.unwrap().entries;
        if let Some(known) = known.first() {
            return *known;
        }
        let from = Some(self.clock.now().plus(-time::Duration::DAY));
        let replay = ReplayWebhookEvents { workspace_id, endpoint_id, from, to: None, types: Vec::new() };
        assert!(operations.replay_webhook_events(&system, replay).await.unwrap() > 0);
        operations.list_webhook_deliveries(&system, list).await.unwrap().entries[0]
    }
}
