//! Reads of webhook endpoints, of their progress, and of deliveries.

use std::collections::BTreeSet;

use async_trait::async_trait;
use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::events::webhook_delivery::{DeliveryState, WebhookDelivery};
use tradepost_domain::events::webhook_endpoint::{EndpointStatus, WebhookEndpoint};
use tradepost_domain::events::webhook_progress::WebhookProgress;
use tradepost_domain::id::{OfWebhookDelivery, OfWebhookEndpoint, RecordKey, WebhookDeliveryId, WebhookEndpointId};
use tradepost_domain::time::Timestamp;
use tradepost_ports::changes::Seen;
use tradepost_ports::store::{DeliveryFilter, Page, PageRequest, StoreResult, Webhooks};

use crate::memory::MemoryStore;
use crate::memory::state::keys_after;

fn millis(at: Timestamp) -> i64 {
    at.as_micros().div_euclid(1_000)
}

fn is_due(delivery: &WebhookDelivery, at: Timestamp) -> bool {
    delivery.state == DeliveryState::Pending && delivery.due_at <= at
}

#[async_trait]
impl Webhooks for MemoryStore {
    async fn find_endpoint(
        &self,
        scope: WorkspaceScope,
        id: WebhookEndpointId,
    ) -> StoreResult<Option<Seen<WebhookEndpoint>>> {
        Ok(self.state().find(scope.workspace_id().to_bytes(), id.to_bytes()))
    }
    async fn find_endpoints(
        &self,
        scope: WorkspaceScope,
        ids: &[WebhookEndpointId],
    ) -> StoreResult<Vec<Seen<WebhookEndpoint>>> {
        Ok(self.state().several(scope.workspace_id(), |endpoint: &WebhookEndpoint| ids.contains(&endpoint.id)))
    }
    async fn find_all_endpoints(&self, scope: WorkspaceScope) -> StoreResult<Vec<Seen<WebhookEndpoint>>> {
        Ok(self.state().several(scope.workspace_id(), |_: &WebhookEndpoint| true))
    }
    async fn list_endpoints(
        &self,
        scope: WorkspaceScope,
        status: Option<EndpointStatus>,
        page: PageRequest<OfWebhookEndpoint>,
    ) -> StoreResult<Page<OfWebhookEndpoint>> {
        let is_wanted = |endpoint: &WebhookEndpoint| status.is_none_or(|wanted| endpoint.status == wanted);
        Ok(self.state().page(scope.workspace_id(), &page, is_wanted))
    }
    async fn find_progress(
        &self,
        scope: WorkspaceScope,
        ids: &[WebhookEndpointId],
    ) -> StoreResult<Vec<Seen<WebhookProgress>>> {
        let is_wanted = |progress: &WebhookProgress| ids.contains(&progress.endpoint_id);
        Ok(self.state().several(scope.workspace_id(), is_wanted))
    }
    async fn find_deliveries(
        &self,
        scope: WorkspaceScope,
        ids: &[WebhookDeliveryId],
    ) -> StoreResult<Vec<Seen<WebhookDelivery>>> {
        Ok(self.state().several(scope.workspace_id(), |delivery: &WebhookDelivery| ids.contains(&delivery.id)))
    }
    async fn list_deliveries(
        &self,
        scope: WorkspaceScope,
        filter: DeliveryFilter,
        page: PageRequest<OfWebhookDelivery>,
    ) -> StoreResult<Page<OfWebhookDelivery>> {
        let is_wanted = |delivery: &WebhookDelivery| {
            delivery.endpoint_id == filter.endpoint_id
                && filter.state.is_none_or(|wanted| delivery.state == wanted)
                && filter.event_type.is_none_or(|wanted| delivery.event_type == wanted)
                && filter.from.is_none_or(|from| millis(from) <= millis(delivery.created_at))
                && filter.to.is_none_or(|to| millis(delivery.created_at) < millis(to))
        };
        Ok(self.state().page(scope.workspace_id(), &page, is_wanted))
    }
    async fn list_active_endpoints(
        &self,
        after: Option<RecordKey<WebhookEndpointId>>,
        limit: u32,
    ) -> StoreResult<Vec<RecordKey<WebhookEndpointId>>> {
        let state = self.state();
        let active =
            state.all(|endpoint: &WebhookEndpoint| endpoint.is_active() && state.is_kept(endpoint.workspace_id));
        let keys = active.iter().map(|seen| (seen.peek().workspace_id, seen.peek().id));
        Ok(keys_after(keys, after, limit))
    }
    async fn list_due_endpoints(&self, at: Timestamp, limit: u32) -> StoreResult<Vec<RecordKey<WebhookEndpointId>>> {
        let state = self.state();
        let is_served = |delivery: &WebhookDelivery| {
            let (home, id) = (delivery.workspace_id.to_bytes(), delivery.endpoint_id.to_bytes());
            let endpoint = state.find::<WebhookEndpoint>(home, id);
            state.is_kept(delivery.workspace_id) && endpoint.is_none_or(|endpoint| endpoint.peek().is_active())
        };
        let due = state.all(|delivery: &WebhookDelivery| is_due(delivery, at) && is_served(delivery));
        let keys: BTreeSet<_> = due.iter().map(|seen| (seen.peek().workspace_id, seen.peek().endpoint_id)).collect();
        Ok(keys_after(keys.into_iter(), None, limit))
    }
    async fn list_due_deliveries(
        &self,
        RecordKey { workspace_id, id }: RecordKey<WebhookEndpointId>,
        at: Timestamp,
        limit: u32,
    ) -> StoreResult<Vec<Seen<WebhookDelivery>>> {
        let is_wanted = |delivery: &WebhookDelivery| delivery.endpoint_id == id && is_due(delivery, at);
        let mut due = self.state().several(workspace_id, is_wanted);
        due.sort_by_key(|delivery| (delivery.peek().due_at, delivery.peek().id));
        due.truncate(limit as usize);
        Ok(due)
    }
}
