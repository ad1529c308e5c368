//! Reads of observations.

use tradepost_domain::id::{ObservationId, OfObservation, WorkspaceId};
use tradepost_domain::markets::observation::{KEPT_FOR, MarketObservation};
use tradepost_domain::markets::price_history::hour_of;
use tradepost_domain::text::{MarketHashName, Marketplace};
use tradepost_domain::time::Timestamp;
use tradepost_ports::changes::Caller;
use tradepost_ports::store::ObservationFilter;

use crate::paging::ListKey;
use crate::results::in_order;
use crate::rules;
use crate::{OpError, OpResult, Operations, PageOf, fields};

/// A request for one observation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GetMarketObservation {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The observation.
    pub observation_id: ObservationId,
}

/// A request for several observations.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GetMarketObservations {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The observations, 1 to 200.
    pub observation_ids: Vec<ObservationId>,
}

/// The response of [`Operations::get_market_observations`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FoundObservations {
    /// The found observations, in the requested order.
    pub found: Vec<MarketObservation>,
    /// The ids that name none, in the order asked for.
    pub missing: Vec<ObservationId>,
}

/// A request for a page of observations.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListMarketObservations {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The maximum of ids on the page: 0 is 50, above 200 is 200, negative is rejected.
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

/// A request for the number of observations.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CountMarketObservations {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// Only recorded in the hour of this time or later; `None` for all that is kept.
    pub since: Option<Timestamp>,
}

impl Operations {
    /// Returns one observation.
    ///
    /// # Errors
    /// `permission_denied`, `not_found` also for one that is forgotten by now.
    pub async fn get_market_observation(
        &self,
        caller: &Caller,
        command: GetMarketObservation,
    ) -> OpResult<MarketObservation> {
        let scope = rules::GET_MARKET_OBSERVATION.enter(&caller.principal, command.workspace_id)?;
        let found = self.ports.store.observations().find_many(scope, &[command.observation_id]).await?;
        found.into_iter().next().ok_or_else(|| OpError::not_found("market observation"))
    }

    /// Returns several observations in the order asked for, each once, and the ids that name none.
    ///
    /// # Errors
    /// `permission_denied`, `invalid_argument` for no ids or too many.
    pub async fn get_market_observations(
        &self,
        caller: &Caller,
        command: GetMarketObservations,
    ) -> OpResult<FoundObservations> {
        let scope = rules::GET_MARKET_OBSERVATIONS.enter(&caller.principal, command.workspace_id)?;
        let ids = fields::batch("observationIds", &command.observation_ids)?;
        let found = self.ports.store.observations().find_many(scope, &ids).await?;
        let (found, missing) = in_order(ids, found, |observation| observation.id);
        Ok(FoundObservations { found, missing })
    }

    /// Returns a page of observations, the newest first.
    ///
    /// # Errors
    /// `permission_denied`, `invalid_argument` for a bad filter or limit or a cursor that this list did not give out.
    pub async fn list_market_observations(
        &self,
        caller: &Caller,
        command: ListMarketObservations,
    ) -> OpResult<PageOf<ObservationId>> {
        let scope = rules::LIST_MARKET_OBSERVATIONS.enter(&caller.principal, command.workspace_id)?;
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
        let page = self.to_show(caller, scope).observations().list(scope, filter, request).await?;
        Ok(self.page(&key, page))
    }

    /// Counts observations by marketplace, in the order of their names.
    ///
    /// # Errors
    /// `permission_denied`.
    pub async fn count_market_observations(
        &self,
        caller: &Caller,
        command: CountMarketObservations,
    ) -> OpResult<Vec<(Marketplace, i64)>> {
        let scope = rules::COUNT_MARKET_OBSERVATIONS.enter(&caller.principal, command.workspace_id)?;
        let kept = self.market_now(command.workspace_id).plus(-KEPT_FOR);
        let from = command.since.map_or(kept, |since| since.max(kept));
        Ok(self.to_show(caller, scope).observations().count(scope, hour_of(from)).await?)
    }
}
