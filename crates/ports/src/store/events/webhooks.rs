//! Reads of webhook endpoints, of their progress, and of deliveries.

use async_trait::async_trait;
use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::events::event_type::EventType;
use tradepost_domain::events::webhook_delivery::{DeliveryState, WebhookDelivery};
use tradepost_domain::events::webhook_endpoint::{EndpointStatus, WebhookEndpoint};
use tradepost_domain::events::webhook_progress::WebhookProgress;
use tradepost_domain::id::{OfWebhookDelivery, OfWebhookEndpoint, RecordKey, WebhookDeliveryId, WebhookEndpointId};
use tradepost_domain::time::Timestamp;

use crate::changes::Seen;
use crate::store::{Page, PageRequest, StoreResult};

/// The deliveries to list, all of one endpoint.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DeliveryFilter {
    /// The endpoint.
    pub endpoint_id: WebhookEndpointId,
    /// Only in this state.
    pub state: Option<DeliveryState>,
    /// Only of this type.
    pub event_type: Option<EventType>,
    /// Only created at this time or later, to the millisecond.
    pub from: Option<Timestamp>,
    /// Only created before this time, to the millisecond.
    pub to: Option<Timestamp>,
}

/// Webhook endpoints, their progress and their deliveries.
///
/// The three reads without a scope are of the process that delivers, over all workspaces that are not deleted.
#[async_trait]
pub trait Webhooks: Send + Sync {
    /// Returns an endpoint.
    async fn find_endpoint(
        &self,
        scope: WorkspaceScope,
        id: WebhookEndpointId,
    ) -> StoreResult<Option<Seen<WebhookEndpoint>>>;
    /// Returns several endpoints, in no order; missing ones are left out.
    async fn find_endpoints(
        &self,
        scope: WorkspaceScope,
        ids: &[WebhookEndpointId],
    ) -> StoreResult<Vec<Seen<WebhookEndpoint>>>;
    /// Returns every endpoint of the workspace, the oldest first.
    async fn find_all_endpoints(&self, scope: WorkspaceScope) -> StoreResult<Vec<Seen<WebhookEndpoint>>>;
    /// Returns endpoints of the workspace, of one status or of all.
    async fn list_endpoints(
        &self,
        scope: WorkspaceScope,
        status: Option<EndpointStatus>,
        page: PageRequest<OfWebhookEndpoint>,
    ) -> StoreResult<Page<OfWebhookEndpoint>>;
    /// Returns the progress of endpoints, in no order; missing ones are left out.
    async fn find_progress(
        &self,
        scope: WorkspaceScope,
        ids: &[WebhookEndpointId],
    ) -> StoreResult<Vec<Seen<WebhookProgress>>>;
    /// Returns several deliveries, in no order; missing ones are left out.
    async fn find_deliveries(
        &self,
        scope: WorkspaceScope,
        ids: &[WebhookDeliveryId],
    ) -> StoreResult<Vec<Seen<WebhookDelivery>>>;
    /// Returns deliveries of an endpoint, the newest first.
    async fn list_deliveries(
        &self,
        scope: WorkspaceScope,
        filter: DeliveryFilter,
        page: PageRequest<OfWebhookDelivery>,
    ) -> StoreResult<Page<OfWebhookDelivery>>;
    /// Returns active endpoints behind one, in the order of their keys.
    async fn list_active_endpoints(
        &self,
        after: Option<RecordKey<WebhookEndpointId>>,
        limit: u32,
    ) -> StoreResult<Vec<RecordKey<WebhookEndpointId>>>;
    /// Returns endpoints that have a delivery that is due, in no order. An endpoint that is disabled has none; one that was deleted may.
    async fn list_due_endpoints(&self, at: Timestamp, limit: u32) -> StoreResult<Vec<RecordKey<WebhookEndpointId>>>;
    /// Returns deliveries of an endpoint that are due, those that have waited longest first.
    async fn list_due_deliveries(
        &self,
        endpoint: RecordKey<WebhookEndpointId>,
        at: Timestamp,
        limit: u32,
    ) -> StoreResult<Vec<Seen<WebhookDelivery>>>;
}
