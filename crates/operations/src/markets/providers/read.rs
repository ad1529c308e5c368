//! Reads of providers.

use crate::markets::providers::providers::provider_as_seen;
use crate::markets::providers::providers::shown;
use crate::markets::providers::providers::shown_one;
use tradepost_domain::id::{OfProvider, ProviderId, WorkspaceId};
use tradepost_domain::markets::provider::{Driver, ProviderKind, ProviderReport};
use tradepost_ports::changes::Caller;

use super::providers::ShownProvider;
use crate::paging::ListKey;
use crate::results::in_order;
use crate::rules;
use crate::{OpResult, Operations, PageOf, Versioned, fields};

/// A request for one provider.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GetProvider {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The provider.
    pub provider_id: ProviderId,
}

/// A request for several providers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GetProviders {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The providers, 1 to 200.
    pub provider_ids: Vec<ProviderId>,
}

/// A request for the last report about a provider.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GetProviderHealth {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The provider.
    pub provider_id: ProviderId,
}

/// The response of [`Operations::get_providers`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FoundProviders {
    /// The found providers, in the requested order.
    pub found: Vec<ShownProvider>,
    /// The ids that name none, in the order asked for.
    pub missing: Vec<ProviderId>,
}

/// A request for a page of providers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListProviders {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The maximum of ids on the page: 0 is 50, above 200 is 200, negative is rejected.
    pub limit: i32,
    /// The `next_cursor` of the page before; empty for the first page.
    pub cursor: String,
    /// Only of this kind.
    pub kind: Option<ProviderKind>,
}

/// A request for the drivers of this server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ListProviderDrivers {
    /// The workspace.
    pub workspace_id: WorkspaceId,
}

impl Operations {
    /// Returns one provider.
    ///
    /// # Errors
    /// `permission_denied`, `not_found`.
    pub async fn get_provider(&self, caller: &Caller, command: GetProvider) -> OpResult<ShownProvider> {
        let scope = rules::GET_PROVIDER.enter(&caller.principal, command.workspace_id)?;
        let provider = provider_as_seen(self, scope, command.provider_id, None).await?;
        shown_one(self, scope, provider.into()).await
    }

    /// Returns several providers in the order asked for, each once, and the ids that name none.
    ///
    /// # Errors
    /// `permission_denied`, `invalid_argument` for no ids or too many.
    pub async fn get_providers(&self, caller: &Caller, command: GetProviders) -> OpResult<FoundProviders> {
        let scope = rules::GET_PROVIDERS.enter(&caller.principal, command.workspace_id)?;
        let ids = fields::batch("providerIds", &command.provider_ids)?;
        let found = self.ports.store.providers().find_many(scope, &ids).await?;
        let (found, missing) = in_order(ids, found, |seen| seen.peek().id);
        let found = found.into_iter().map(Versioned::from).collect();
        Ok(FoundProviders { found: shown(self, scope, found).await?, missing })
    }

    /// Returns the last report of a provider; `None` before the first one.
    ///
    /// # Errors
    /// `permission_denied`, `not_found`.
    pub async fn get_provider_health(
        &self,
        caller: &Caller,
        command: GetProviderHealth,
    ) -> OpResult<Option<ProviderReport>> {
        let GetProviderHealth { workspace_id, provider_id } = command;
        Ok(self.get_provider(caller, GetProvider { workspace_id, provider_id }).await?.report)
    }

    /// Returns a page of providers, the newest first.
    ///
    /// # Errors
    /// `permission_denied`, `invalid_argument` for a negative limit or a cursor that this list did not give out.
    pub async fn list_providers(&self, caller: &Caller, command: ListProviders) -> OpResult<PageOf<ProviderId>> {
        let scope = rules::LIST_PROVIDERS.enter(&caller.principal, command.workspace_id)?;
        let key = ListKey::of("providers", scope).and_code(command.kind.map(ProviderKind::code));
        let request = self.page_request::<OfProvider>(&key, command.limit, &command.cursor)?;
        let page = self.to_show(caller, scope).providers().list(scope, command.kind, request).await?;
        Ok(self.page(&key, page))
    }

    /// Returns the drivers of this server, by name.
    ///
    /// # Errors
    /// `permission_denied`.
    pub fn list_provider_drivers(&self, caller: &Caller, command: ListProviderDrivers) -> OpResult<Vec<Driver>> {
        rules::LIST_PROVIDER_DRIVERS.enter(&caller.principal, command.workspace_id)?;
        Ok(self.drivers())
    }
}
