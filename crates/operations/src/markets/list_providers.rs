//! [`ListProviders`]: identifiers of providers, the newest first, and [`ListProviderDrivers`]: what can talk to them.

use tradepost_domain::id::{OfProvider, ProviderId, WorkspaceId};
use tradepost_domain::markets::provider::{Driver, ProviderKind};
use tradepost_ports::changes::Caller;

use crate::paging::ListKey;
use crate::rules::READ_MARKETS;
use crate::{OpResult, Operations, PageOf};

/// Asks for a page of providers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListProviders {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// Most ids on the page: 0 is 50, above 200 is 200, negative is refused.
    pub limit: i32,
    /// The `next_cursor` of the page before; empty for the first page.
    pub cursor: String,
    /// Only of this kind.
    pub kind: Option<ProviderKind>,
}

/// Asks for the drivers of this server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ListProviderDrivers {
    /// The workspace.
    pub workspace_id: WorkspaceId,
}

impl Operations {
    /// Gives a page of providers, the newest first.
    ///
    /// # Errors
    /// `permission_denied`, `invalid_argument` for a negative limit or a cursor that this list did not give out.
    pub async fn list_providers(&self, caller: &Caller, command: ListProviders) -> OpResult<PageOf<ProviderId>> {
        let scope = caller.principal.enter(command.workspace_id, READ_MARKETS)?;
        let key = ListKey::of("providers", scope).and_code(command.kind.map(ProviderKind::code));
        let request = self.page_request::<OfProvider>(&key, command.limit, &command.cursor)?;
        let page = self.ports.store.list_providers(scope, command.kind, request).await?;
        Ok(self.page(&key, page))
    }

    /// Gives the drivers of this server, by name.
    ///
    /// # Errors
    /// `permission_denied`.
    pub fn list_provider_drivers(&self, caller: &Caller, command: ListProviderDrivers) -> OpResult<Vec<Driver>> {
        caller.principal.enter(command.workspace_id, READ_MARKETS)?;
        Ok(self.drivers())
    }
}
