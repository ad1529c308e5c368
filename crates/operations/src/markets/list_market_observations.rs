//! [`ListMarketObservations`]: identifiers of what was seen, the newest first.

use tradepost_domain::id::{ObservationId, OfObservation, WorkspaceId};
use tradepost_domain::text::{MarketHashName, Marketplace};
use tradepost_domain::time::Timestamp;
use tradepost_ports::changes::Caller;
use tradepost_ports::store::ObservationFilter;

use crate::paging::ListKey;
use crate::rules::READ_MARKETS;
use crate::{OpResult, Operations, PageOf, fields};

/// Asks for a page of observations.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListMarketObservations {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// Most ids on the page: 0 is 50, above 200 is 200, negative is refused.
    pub limit: i32,
    /// The `next_cursor` of the page before; empty for the first page.
    pub cursor: String,
    /// Only on this marketplace; empty for all.
    pub marketplace: String,
    /// Only of this market name; empty for all.
    pub market_hash_name: String,
    /// Only recorded at this time or later, to the millisecond.
    pub since: Option<Timestamp>,
}

impl Operations {
    /// Gives a page of observations, the newest first.
    ///
    /// # Errors
    /// `permission_denied`, `invalid_argument` for a bad filter or limit or a cursor that this list did not give out.
    pub async fn list_market_observations(
        &self,
        caller: &Caller,
        command: ListMarketObservations,
    ) -> OpResult<PageOf<ObservationId>> {
        let scope = caller.principal.enter(command.workspace_id, READ_MARKETS)?;
        let given = |text: &'_ str| Some(text.to_owned()).filter(|text| !text.is_empty());
        let (marketplace, name) = (given(&command.marketplace), given(&command.market_hash_name));
        let marketplace: Option<Marketplace> = fields::optional(marketplace.as_deref(), fields::text, "marketplace")?;
        let name: Option<MarketHashName> = fields::optional(name.as_deref(), fields::text, "marketHashName")?;
        let key = ListKey::of("market observations", scope)
            .and(marketplace.as_ref().map(|text| text.as_str().as_bytes()))
            .and(name.as_ref().map(|text| text.as_str().as_bytes()))
            .and_time(command.since);
        let request = self.page_request::<OfObservation>(&key, command.limit, &command.cursor)?;
        let filter = ObservationFilter {
            marketplace: marketplace.as_ref(),
            market_hash_name: name.as_ref(),
            since: command.since,
        };
        let page = self.ports.store.list_observations(scope, filter, request).await?;
        Ok(self.page(&key, page))
    }
}
