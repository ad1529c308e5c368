//! Reads of webhook endpoints, of their progress, and of deliveries.

use std::fmt::Write as _;
use std::sync::LazyLock;

use async_trait::async_trait;
use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::events::webhook_delivery::WebhookDelivery;
use tradepost_domain::events::webhook_endpoint::{EndpointStatus, WebhookEndpoint};
use tradepost_domain::events::webhook_progress::WebhookProgress;
use tradepost_domain::id::{OfWebhookDelivery, OfWebhookEndpoint, RecordKey, WebhookDeliveryId, WebhookEndpointId};
use tradepost_domain::time::Timestamp;
use tradepost_ports::changes::Seen;
use tradepost_ports::store::{DeliveryFilter, Page, PageRequest, StoreResult, Webhooks};
use uuid::Uuid;

use crate::rows::events::{webhook_delivery, webhook_endpoint};
use crate::rows::{key, uuid};
use crate::sql_text::{between, one_more};
use crate::store::SqlStore;
use crate::table::select_list;

static ALL_ENDPOINTS: LazyLock<String> = LazyLock::new(|| {
    let columns = select_list::<webhook_endpoint::Entity>("", "");
    format!("SELECT {columns} FROM webhook_endpoints WHERE workspace_id = $1 ORDER BY id")
});
/// Status 1 is ACTIVE, state 1 PENDING; as literals, so that the indexes of these alone are used.
const ACTIVE: &str = "SELECT e.workspace_id, e.id FROM webhook_endpoints e JOIN workspaces w ON w.id = e.workspace_id \
    WHERE e.status = 1 AND w.deleted_at IS NULL AND (e.workspace_id, e.id) > ($1, $2) \
    ORDER BY e.workspace_id, e.id LIMIT $3";
const DUE_ENDPOINTS: &str = "SELECT DISTINCT d.workspace_id, d.endpoint_id FROM webhook_deliveries d \
    JOIN workspaces w ON w.id = d.workspace_id \
    LEFT JOIN webhook_endpoints e ON e.workspace_id = d.workspace_id AND e.id = d.endpoint_id \
    WHERE d.state = 1 AND d.due_at <= $1 AND w.deleted_at IS NULL AND (e.id IS NULL OR e.status = 1) LIMIT $2";
static DUE_DELIVERIES: LazyLock<String> = LazyLock::new(|| {
    let columns = select_list::<webhook_delivery::Entity>("", "");
    format!(
        "SELECT {columns} FROM webhook_deliveries{{by}} WHERE workspace_id = $1 AND endpoint_id = $2 AND state = 1 \
         AND due_at <= $3 ORDER BY due_at, id LIMIT $4"
    )
});

#[async_trait]
impl Webhooks for SqlStore {
    async fn find_endpoint(
        &self,
        scope: WorkspaceScope,
        id: WebhookEndpointId,
    ) -> StoreResult<Option<Seen<WebhookEndpoint>>> {
        self.find(vec![uuid(scope.workspace_id()).into(), uuid(id).into()]).await
    }
    async fn find_endpoints(
        &self,
        scope: WorkspaceScope,
        ids: &[WebhookEndpointId],
    ) -> StoreResult<Vec<Seen<WebhookEndpoint>>> {
        self.find_several(uuid(scope.workspace_id()), ids).await
    }
    async fn find_all_endpoints(&self, scope: WorkspaceScope) -> StoreResult<Vec<Seen<WebhookEndpoint>>> {
        self.readable(&ALL_ENDPOINTS, vec![uuid(scope.workspace_id()).into()]).await
    }
    async fn list_endpoints(
        &self,
        scope: WorkspaceScope,
        status: Option<EndpointStatus>,
        page: PageRequest<OfWebhookEndpoint>,
    ) -> StoreResult<Page<OfWebhookEndpoint>> {
        let mut equal = vec![("workspace_id", uuid(scope.workspace_id()).into())];
        equal.extend(status.map(|status| ("status", status.code().into())));
        self.page("webhook_endpoints", equal, page).await
    }
    async fn find_progress(
        &self,
        scope: WorkspaceScope,
        ids: &[WebhookEndpointId],
    ) -> StoreResult<Vec<Seen<WebhookProgress>>> {
        self.find_several(uuid(scope.workspace_id()), ids).await
    }
    async fn find_deliveries(
        &self,
        scope: WorkspaceScope,
        ids: &[WebhookDeliveryId],
    ) -> StoreResult<Vec<Seen<WebhookDelivery>>> {
        self.find_several(uuid(scope.workspace_id()), ids).await
    }
    async fn list_deliveries(
        &self,
        scope: WorkspaceScope,
        filter: DeliveryFilter,
        page: PageRequest<OfWebhookDelivery>,
    ) -> StoreResult<Page<OfWebhookDelivery>> {
        let before = page.before.map_or(Uuid::max(), uuid);
        let (workspace, endpoint) = (uuid(scope.workspace_id()), uuid(filter.endpoint_id));
        let mut values = vec![workspace.into(), endpoint.into(), before.into(), one_more(page.limit)];
        let mut narrowed = String::new();
        if let Some(state) = filter.state {
            values.push(state.code().into());
            let _ = write!(narrowed, " AND state = ${}", values.len());
        }
        if let Some(event) = filter.event_type {
            values.push(event.to_string().into());
            let _ = write!(narrowed, " AND event_type = ${}", values.len());
        }
        narrowed.push_str(&between("created_at", filter.from, filter.to, &mut values));
        let index = if filter.state.is_some() { "webhook_deliveries_state" } else { "webhook_deliveries_endpoint" };
        let text = format!(
            "SELECT id FROM webhook_deliveries{{by}} WHERE workspace_id = $1 AND endpoint_id = $2 AND id < $3{narrowed} \
             ORDER BY id DESC LIMIT $4"
        );
        self.page_of(&self.by_index(&text, index), values, page.limit).await
    }
    async fn list_active_endpoints(
        &self,
        after: Option<RecordKey<WebhookEndpointId>>,
        limit: u32,
    ) -> StoreResult<Vec<RecordKey<WebhookEndpointId>>> {
        let (workspace, endpoint) =
            after.map_or((Uuid::nil(), Uuid::nil()), |after| (uuid(after.workspace_id), uuid(after.id)));
        let rows = self.rows(ACTIVE, vec![workspace.into(), endpoint.into(), i64::from(limit).into()]).await?;
        rows.iter().map(key).collect()
    }
    async fn list_due_endpoints(&self, at: Timestamp, limit: u32) -> StoreResult<Vec<RecordKey<WebhookEndpointId>>> {
        let rows = self.rows(DUE_ENDPOINTS, vec![at.as_micros().into(), i64::from(limit).into()]).await?;
        rows.iter().map(key).collect()
    }
    async fn list_due_deliveries(
        &self,
        RecordKey { workspace_id, id }: RecordKey<WebhookEndpointId>,
        at: Timestamp,
        limit: u32,
    ) -> StoreResult<Vec<Seen<WebhookDelivery>>> {
        let text = self.by_index(&DUE_DELIVERIES, "webhook_deliveries_due_of");
        let (workspace, endpoint) = (uuid(workspace_id), uuid(id));
        let values = vec![workspace.into(), endpoint.into(), at.as_micros().into(), i64::from(limit).into()];
        self.readable(&text, values).await
    }
}
