//! What is seen to once a minute, beside the passes' own work.

use time::Duration;

use crate::Engine;
use crate::mark::Mark;
use crate::pass::Pass;
use crate::trouble::Tried;

/// How often.
const EVERY: Duration = Duration::minutes(1);

/// When the chores were last done.
#[derive(Debug, Default)]
pub(crate) struct Chores {
    done_at: Option<Mark>,
}

impl Engine {
    /// Follows the trading accounts, what halts of trading have led to, and the problems that were told of.
    pub(crate) async fn do_chores(&mut self, pass: &mut Pass) -> Tried {
        let now = self.mark();
        if self.chores.done_at.is_some_and(|done_at| now.since(done_at) < EVERY) {
            return Ok(());
        }
        self.look_after_accounts(pass).await?;
        if self.works_on_inventory() {
            self.operations.follow_halts(&self.caller, self.desk.workspace_id).await?;
        }
        self.follow_problems().await?;
        self.chores.done_at = Some(now);
        Ok(())
    }
}
