//! Webhooks: the log of status changes followed for endpoints, and deliveries made, repeated and abandoned.

mod delivering;
mod endpoints;
mod rights;

use std::sync::Arc;

use tradepost_domain::accounts::policy::PolicySet;
use tradepost_domain::events::webhook_delivery::{DeliveryState, WebhookDelivery};
use tradepost_domain::id::WebhookEndpointId;
use tradepost_operations::contracts::{CreatePool, LimitsOfPool};
use tradepost_operations::events::{
    CreateWebhookEndpoint, GetWebhookDeliveries, GetWebhookEndpoint, ListWebhookDeliveries, ShownWebhookEndpoint,
};
use tradepost_operations::{Caller, Operations};
use tradepost_testkit::fakes::FakeReceiver;

use crate::harness::World;

/// A world with a receiver of webhooks.
struct Office {
    world: World,
    receiver: Arc<FakeReceiver>,
    keeper: Caller,
}

impl Office {
    async fn open() -> Self {
        let receiver = Arc::new(FakeReceiver::default());
        let world = World::with(|ports| ports.webhooks = receiver.clone()).await;
        let keeper = world.key(PolicySet::EVERY).await;
        Self { world, receiver, keeper }
    }

    fn operations(&self) -> &Operations {
        &self.world.operations
    }

    fn wanted(&self, types: &[&str]) -> CreateWebhookEndpoint {
        CreateWebhookEndpoint {
            workspace_id: self.world.workspace_id,
            url: "https://example.com/hook".to_owned(),
            description: String::new(),
            types: types.iter().map(|text| (*text).to_owned()).collect(),
            disabled: false,
        }
    }

    async fn endpoint(&self, types: &[&str]) -> WebhookEndpointId {
        let created = self.operations().create_webhook_endpoint(&Caller::system(), self.wanted(types)).await.unwrap();
        created.endpoint.endpoint.value.id
    }

    async fn shown(&self, endpoint_id: WebhookEndpointId) -> ShownWebhookEndpoint {
        let command = GetWebhookEndpoint { workspace_id: self.world.workspace_id, endpoint_id };
        self.operations().get_webhook_endpoint(&self.keeper, command).await.unwrap()
    }

    /// Something that is recorded as a change of status.
    async fn pool(&self, name: &str) {
        let command = CreatePool {
            workspace_id: self.world.workspace_id,
            name: name.to_owned(),
            currency: "USD".to_owned(),
            limits: LimitsOfPool {
                budget_cents: 10_000,
                max_per_purchase_cents: None,
                max_exposure_per_item_cents: None,
                daily_limit_cents: None,
            },
        };
        self.operations().create_pool(&Caller::system(), command).await.unwrap();
    }

    /// Lets the endpoints follow the log, and makes every delivery that is due.
    async fn work(&self) {
        while self.operations().follow_events().await.unwrap() {}
        self.deliver().await;
    }

    async fn deliver(&self) {
        for endpoint in self.operations().list_due_endpoints().await.unwrap() {
            while self.operations().deliver_due(endpoint).await.unwrap() {}
        }
    }

    /// The deliveries of an endpoint, the oldest first.
    async fn deliveries(&self, endpoint_id: WebhookEndpointId) -> Vec<WebhookDelivery> {
        let list = ListWebhookDeliveries {
            workspace_id: self.world.workspace_id,
            endpoint_id,
            limit: 200,
            cursor: String::new(),
            state: None,
            event_type: String::new(),
            from: None,
            to: None,
        };
        let mut delivery_ids = self.operations().list_webhook_deliveries(&self.keeper, list).await.unwrap().entries;
        delivery_ids.reverse();
        if delivery_ids.is_empty() {
            return Vec::new();
        }
        let wanted = GetWebhookDeliveries { workspace_id: self.world.workspace_id, delivery_ids };
        let found = self.operations().get_webhook_deliveries(&self.keeper, wanted).await.unwrap().found;
        found.into_iter().map(|found| found.value).collect()
    }

    async fn states(&self, endpoint_id: WebhookEndpointId) -> Vec<DeliveryState> {
        self.deliveries(endpoint_id).await.iter().map(|delivery| delivery.state).collect()
    }

    /// The ids of the events that the receiver got, in their order.
    fn received(&self) -> Vec<String> {
        self.receiver.received().into_iter().map(|received| received.id).collect()
    }
}
