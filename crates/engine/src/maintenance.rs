//! Work that is done once a minute, in addition to the steps of each pass.

use tradepost_operations::trading::SettleGivingLimits;

use crate::context::Context;
use crate::error::{EngineError, EngineResult};
use crate::mark::Mark;
use crate::market::state::MarketState;
use crate::sales::Sales;

/// When the chores were last done.
#[derive(Debug, Default)]
pub(crate) struct Maintenance {
    done_at: Option<Mark>,
}

impl Maintenance {
    /// Reads the records of trading accounts, applies trading halts, ends problems of limits for which nothing waits and requests for lists of
    /// accounts that are not of the desk, and refreshes open problems. Each has its turn, also where another one fails; all are done again in
    /// the next pass then.
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
        let mut done: EngineResult = Ok(());
        if context.holds_inventory() {
            let workspace_id = context.desk().workspace_id;
            let halts = context.operations().apply_halts(context.caller(), workspace_id).await;
            let settle = SettleGivingLimits { workspace_id };
            let settled = context.operations().settle_giving_limits(context.caller(), settle).await;
            let ended = context.end_list_requests().await;
            done = halts.and(settled).map(drop).map_err(EngineError::from).and(ended);
        }
        done.and(context.refresh_problems(market_state, sales).await)?;
        self.done_at = Some(now);
        Ok(())
    }
}
