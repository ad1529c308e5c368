//! [`GetMarketObservations`]: up to 200 observations of a workspace at once.

use tradepost_domain::id::{ObservationId, WorkspaceId};
use tradepost_domain::markets::observation::MarketObservation;
use tradepost_ports::changes::Caller;

use crate::answers::in_order;
use crate::rules::READ_MARKETS;
use crate::{OpResult, Operations, fields};

/// Asks for several observations.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GetMarketObservations {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The observations, 1 to 200.
    pub observation_ids: Vec<ObservationId>,
}

/// What [`Operations::get_market_observations`] gives.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FoundObservations {
    /// Those found, in the order asked for.
    pub found: Vec<MarketObservation>,
    /// The ids that name none, in the order asked for.
    pub missing: Vec<ObservationId>,
}

impl Operations {
    /// Gives several observations in the order asked for, each once, and the ids that name none.
    ///
    /// # Errors
    /// `permission_denied`, `invalid_argument` for no ids or too many.
    pub async fn get_market_observations(
        &self,
        caller: &Caller,
        command: GetMarketObservations,
    ) -> OpResult<FoundObservations> {
        let scope = caller.principal.enter(command.workspace_id, READ_MARKETS)?;
        let ids = fields::batch("observationIds", &command.observation_ids)?;
        let found = self.ports.store.find_observations(scope, &ids).await?;
        let (found, missing) = in_order(ids, found, |observation| observation.id);
        Ok(FoundObservations { found, missing })
    }
}
