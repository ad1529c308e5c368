//! Work that is done once a minute, in addition to the steps of each pass.

use crate::context::Context;
use crate::error::EngineResult;
use crate::mark::Mark;
use crate::market::state::MarketState;
use crate::sales::Sales;

/// When the chores were last done.
#[derive(Debug, Default)]
pub(crate) struct Maintenance {
    done_at: Option<Mark>,
}

impl Maintenance {
    /// Reads the records of trading accounts, applies trading halts, and refreshes open problems.
    pub(crate) async fn step(
        &mut self,
        context: &mut Context,
        market_state: &MarketState,
        sales: &Sales,
    ) -> EngineResult {
        let now = context.mark();
        if self.done_at.is_some_and(|done_at| now.since(done_at) < context.timings().maintenance_interval) {
            return Ok(());
        }
        context.refresh_account_records().await?;
        if context.holds_inventory() {
            context.operations().apply_halts(context.caller(), context.desk().workspace_id).await?;
        }
        context.refresh_problems(market_state, sales).await?;
        self.done_at = Some(now);
        Ok(())
    }
}
