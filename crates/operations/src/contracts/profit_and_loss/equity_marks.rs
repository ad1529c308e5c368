//! Taking the daily marks of equity: of the day that ended last, once for each workspace that has money.

use tradepost_domain::accounts::access::Principal;
use tradepost_domain::accounts::policy::PolicySet;
use tradepost_domain::contracts::equity::{EquityMark, last_ended};
use tradepost_domain::id::WorkspaceId;
use tradepost_domain::time::Timestamp;
use tradepost_ports::changes::{Caller, Changes};
use tradepost_ports::store::{StoreError, Unique, UnmarkedQuery, Worlds};

use super::worth::worth_of;
use crate::{OpError, OpResult, Operations};

/// Most workspaces that are listed at a time.
const MOST: u32 = 100;

impl Operations {
    /// Takes the marks of the day of UTC that ended last, in every workspace that has none of it; returns their number. A mark that was
    /// missed is taken late, and one of an earlier day never. Of several processes one takes each mark.
    ///
    /// # Errors
    /// The first error of a workspace, after all others had their turn. What was taken stays taken.
    pub async fn take_equity_marks(&self) -> OpResult<usize> {
        let (mut taken, mut failed) = (0_usize, None);
        for (worlds, now) in self.worlds() {
            let day = last_ended(now);
            if worlds == Worlds::Real && self.marked_day.is(day) {
                continue;
            }
            match self.take_marks_in(worlds, now).await {
                Ok(marks) => {
                    taken = taken.saturating_add(marks);
                    if worlds == Worlds::Real {
                        self.marked_day.set(day);
                    }
                }
                Err(error) => failed = failed.or(Some(error)),
            }
        }
        failed.map_or(Ok(taken), Err)
    }

    async fn take_marks_in(&self, worlds: Worlds, now: Timestamp) -> OpResult<usize> {
        let (mut taken, mut failed) = (0_usize, None);
        let mut query = UnmarkedQuery { worlds, day: last_ended(now), after: None, most: MOST };
        loop {
            let unmarked = self.ports.store.equity_marks().list_unmarked(query).await?;
            for workspace in &unmarked {
                match self.take_mark(workspace.peek().id, query.day).await {
                    Ok(is_taken) => taken = taken.saturating_add(usize::from(is_taken)),
                    // The other workspaces have their marks all the same.
                    Err(error) => failed = failed.or(Some(error)),
                }
            }
            query.after = unmarked.last().map(|last| last.peek().id);
            if unmarked.len() < MOST as usize {
                return failed.map_or(Ok(taken), Err);
            }
        }
    }

    /// Takes the mark of a day; returns whether no other process was faster.
    async fn take_mark(&self, workspace_id: WorkspaceId, day: i64) -> OpResult<bool> {
        let caller = Caller::system();
        let scope = Principal::System.enter(workspace_id, PolicySet::NONE)?;
        let worth = worth_of(self, self.ports.store.records(), scope).await?;
        let mark = EquityMark::new(workspace_id, day, self.market_now(workspace_id), worth);
        let mark = mark.map_err(|error| OpError::internal(error.to_string()))?;
        let mut changes = Changes::by(&caller);
        changes.insert(mark);
        match self.commit(&caller, changes).await {
            Ok(_) => Ok(true),
            Err(error) if error.source == Some(StoreError::Duplicate(Unique::Address)) => Ok(false),
            Err(error) => Err(error),
        }
    }
}
