//! Work that is done once a minute, in addition to the steps of each pass.

use tradepost_operations::trading::SettleGivingLimits;

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
    /// Reads the records of trading accounts, applies trading halts, ends problems of limits for which nothing waits, and refreshes open
    /// problems.
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
            let workspace_id = context.desk().workspace_id;
            context.operations().apply_halts(context.caller(), workspace_id).await?;
            let settle = SettleGivingLimits { workspace_id };
            context.operations().settle_giving_limits(context.caller(), settle).await?;
        }
        context.refresh_problems(market_state, sales).await?;
        self.done_at = Some(now);
        Ok(())
    }
}
