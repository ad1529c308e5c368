//! What is seen to once a minute, beside the passes' own work.

use time::Duration;

use crate::Engine;
use crate::error::EngineResult;
use crate::mark::Mark;
use crate::pass::Pass;

/// How often.
const MAINTENANCE_INTERVAL: Duration = Duration::minutes(1);

/// When the chores were last done.
#[derive(Debug, Default)]
pub(crate) struct Maintenance {
    done_at: Option<Mark>,
}

impl Engine {
    /// Follows the trading accounts, what halts of trading have led to, and the problems that were told of.
    pub(crate) async fn run_maintenance(&mut self, pass: &mut Pass) -> EngineResult {
        let now = self.mark();
        if self.desk.maintenance.done_at.is_some_and(|done_at| now.since(done_at) < MAINTENANCE_INTERVAL) {
            return Ok(());
        }
        self.refresh_accounts(pass).await?;
        if self.holds_inventory() {
            self.context.operations.follow_halts(&self.context.caller, self.context.desk.workspace_id).await?;
        }
        self.refresh_problems().await?;
        self.desk.maintenance.done_at = Some(now);
        Ok(())
    }
}
