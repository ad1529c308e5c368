//! [`CountMarketObservations`]: how much was seen on each marketplace.

use tradepost_domain::id::WorkspaceId;
use tradepost_domain::markets::observation::KEPT_FOR;
use tradepost_domain::markets::price_history::hour_of;
use tradepost_domain::text::Marketplace;
use tradepost_domain::time::Timestamp;
use tradepost_ports::changes::Caller;

use crate::rules::READ_MARKETS;
use crate::{OpResult, Operations};

/// Asks how much was seen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CountMarketObservations {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// Only recorded in the hour of this time or later; `None` for all that is kept.
    pub since: Option<Timestamp>,
}

impl Operations {
    /// Counts observations by marketplace, in the order of their names.
    ///
    /// # Errors
    /// `permission_denied`.
    pub async fn count_market_observations(
        &self,
        caller: &Caller,
        command: CountMarketObservations,
    ) -> OpResult<Vec<(Marketplace, i64)>> {
        let scope = caller.principal.enter(command.workspace_id, READ_MARKETS)?;
        let kept = self.market_now(command.workspace_id).plus(-KEPT_FOR);
        let from = command.since.map_or(kept, |since| since.max(kept));
        Ok(self.ports.store.count_observations(scope, hour_of(from)).await?)
    }
}
