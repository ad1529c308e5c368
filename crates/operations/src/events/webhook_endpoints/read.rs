//! Reads of webhook endpoints.

use tradepost_domain::events::webhook_endpoint::EndpointStatus;
use tradepost_domain::id::{OfWebhookEndpoint, WebhookEndpointId, WorkspaceId};
use tradepost_ports::changes::Caller;

use super::endpoints::{ShownWebhookEndpoint, endpoint_as_seen, shown, shown_one};
use crate::paging::ListKey;
use crate::results::in_order;
use crate::rules;
use crate::{OpResult, Operations, PageOf, StatusCount, Versioned, fields};

/// A request for one endpoint.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GetWebhookEndpoint {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The endpoint.
    pub endpoint_id: WebhookEndpointId,
}

/// A request for several endpoints.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GetWebhookEndpoints {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The endpoints, 1 to 200.
    pub endpoint_ids: Vec<WebhookEndpointId>,
}

/// The response of [`Operations::get_webhook_endpoints`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FoundWebhookEndpoints {
    /// The found endpoints, in the requested order.
    pub found: Vec<ShownWebhookEndpoint>,
    /// The ids that name none, in the order asked for.
    pub missing: Vec<WebhookEndpointId>,
}

/// A request for a page of endpoints.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListWebhookEndpoints {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The maximum of ids on the page: 0 is 50, above 200 is 200, negative is rejected.
    pub limit: i32,
    /// The `next_cursor` of the page before; empty for the first page.
    pub cursor: String,
    /// Only of this status.
    pub status: Option<EndpointStatus>,
}

/// A request for the numbers of endpoints by status.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CountWebhookEndpoints {
    /// The workspace.
    pub workspace_id: WorkspaceId,
}

impl Operations {
    /// Returns one endpoint.
    ///
    /// # Errors
    /// `permission_denied`, `not_found`.
    pub async fn get_webhook_endpoint(
        &self,
        caller: &Caller,
        command: GetWebhookEndpoint,
    ) -> OpResult<ShownWebhookEndpoint> {
        let scope = rules::GET_WEBHOOK_ENDPOINT.enter(&caller.principal, command.workspace_id)?;
        let endpoint = endpoint_as_seen(self, scope, command.endpoint_id, None).await?;
        shown_one(self, scope, endpoint.into()).await
    }

    /// Returns several endpoints in the order asked for, each once, and the ids that name none.
    ///
    /// # Errors
    /// `permission_denied`, `invalid_argument` for no ids or too many.
    pub async fn get_webhook_endpoints(
        &self,
        caller: &Caller,
        command: GetWebhookEndpoints,
    ) -> OpResult<FoundWebhookEndpoints> {
        let scope = rules::GET_WEBHOOK_ENDPOINTS.enter(&caller.principal, command.workspace_id)?;
        let ids = fields::batch("endpointIds", &command.endpoint_ids)?;
        let found = self.ports.store.webhooks().find_endpoints(scope, &ids).await?;
        let (found, missing) = in_order(ids, found, |seen| seen.peek().id);
        let found = found.into_iter().map(Versioned::from).collect();
        Ok(FoundWebhookEndpoints { found: shown(self, scope, found).await?, missing })
    }

    /// Returns a page of endpoints, the newest first.
    ///
    /// # Errors
    /// `permission_denied`, `invalid_argument` for a negative limit or a cursor that this list did not give out.
    pub async fn list_webhook_endpoints(
        &self,
        caller: &Caller,
        command: ListWebhookEndpoints,
    ) -> OpResult<PageOf<WebhookEndpointId>> {
        let scope = rules::LIST_WEBHOOK_ENDPOINTS.enter(&caller.principal, command.workspace_id)?;
        let key = ListKey::of("webhook endpoints", scope).and_code(command.status.map(EndpointStatus::code));
        let request = self.page_request::<OfWebhookEndpoint>(&key, command.limit, &command.cursor)?;
        let page = self.to_show(caller, scope).webhooks().list_endpoints(scope, command.status, request).await?;
        Ok(self.page(&key, page))
    }

    /// Counts endpoints: one entry for every status, zeros included.
    ///
    /// # Errors
    /// `permission_denied`.
    pub async fn count_webhook_endpoints(
        &self,
        caller: &Caller,
        command: CountWebhookEndpoints,
    ) -> OpResult<Vec<StatusCount<EndpointStatus>>> {
        let scope = rules::COUNT_WEBHOOK_ENDPOINTS.enter(&caller.principal, command.workspace_id)?;
        // At most 20: they are counted as they are.
        let all = self.to_show(caller, scope).webhooks().find_all_endpoints(scope).await?;
        let count = |status| all.iter().filter(|endpoint| endpoint.peek().status == status).count();
        let counted = EndpointStatus::ALL.iter().map(|status| (*status, count(*status)));
        Ok(counted
            .map(|(status, count)| StatusCount { status, count: i64::try_from(count).unwrap_or(i64::MAX) })
            .collect())
    }
}
