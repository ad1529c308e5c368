//! [`GetMarketObservation`]: what was seen of one listing.

use tradepost_domain::id::{ObservationId, WorkspaceId};
use tradepost_domain::markets::observation::MarketObservation;
use tradepost_ports::changes::Caller;

use crate::rules::READ_MARKETS;
use crate::{OpError, OpResult, Operations};

/// Asks for one observation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GetMarketObservation {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The observation.
    pub observation_id: ObservationId,
}

impl Operations {
    /// Gives one observation.
    ///
    /// # Errors
    /// `permission_denied`, `not_found` also for one that is forgotten by now.
    pub async fn get_market_observation(
        &self,
        caller: &Caller,
        command: GetMarketObservation,
    ) -> OpResult<MarketObservation> {
        let scope = caller.principal.enter(command.workspace_id, READ_MARKETS)?;
        let found = self.ports.store.find_observations(scope, &[command.observation_id]).await?;
        found.into_iter().next().ok_or_else(|| OpError::not_found("market observation"))
    }
}
