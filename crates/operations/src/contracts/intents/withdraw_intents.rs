//! Intents that end by themselves: those whose time is over, and those whose contract takes on nothing new.

use crate::contracts::intents::intent_steps::moment;
use crate::contracts::intents::intent_steps::move_intent;
use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::contracts::intent::{Intent, IntentEvent, WithdrawalCause};
use tradepost_domain::id::ContractId;
use tradepost_ports::changes::{Caller, Changes, Seen};

use crate::commit::By;
use crate::{OpResult, Operations};

/// Most intents that end in one go.
const MOST: u32 = 100;

const fn stopped() -> IntentEvent {
    IntentEvent::Withdrawn { cause: WithdrawalCause::ContractStopped, reason: None }
}

impl Operations {
    /// Ends a bounded part of the intents, of every workspace, for which nothing was done until their end, or whose contract
    /// takes on nothing new; returns how many. It leaves one that another caller changes in the meantime to that caller.
    ///
    /// # Errors
    /// `internal` when storage is out. What ended by then stays ended.
    pub async fn expire_intents(&self) -> OpResult<usize> {
        let (store, mut ended) = (&self.ports.store, 0_usize);
        for (worlds, now) in self.worlds() {
            let overdue = store.intents().list_overdue(worlds, moment(self, now), MOST).await?;
            ended = ended.saturating_add(self.end_each(overdue, &IntentEvent::Expired).await?);
        }
        let stranded = self.end_each(store.intents().list_stranded(MOST).await?, &stopped()).await?;
        Ok(ended.saturating_add(stranded))
    }

    async fn end_each(&self, intents: Vec<Seen<Intent>>, event: &IntentEvent) -> OpResult<usize> {
        let caller = Caller::system();
        let mut ended = 0_usize;
        for intent in intents {
            let (mut changes, at) = (Changes::by(&caller), self.market_now(intent.peek().terms.workspace_id));
            move_intent(self, &mut changes, By { caller: &caller, at }, intent, event.clone())?;
            match self.commit(&caller, changes).await {
                Ok(_) => ended = ended.saturating_add(1),
                Err(error) if error.is_conflict() => {}
                Err(error) => return Err(error),
            }
        }
        Ok(ended)
    }
}

/// Withdraws intents of a contract that stops, in the commit that stops it, up to the size of one commit. What is left
/// is ended by [`Operations::expire_intents`], and rejected if its execution starts before.
pub(crate) async fn withdraw_intents_of(
    operations: &Operations,
    changes: &mut Changes,
    by: By<'_>,
    scope: WorkspaceScope,
    contract: ContractId,
) -> OpResult<()> {
    for intent in operations.ports.store.intents().list_waiting_of(scope, contract, MOST).await? {
        move_intent(operations, changes, by, intent, stopped())?;
    }
    Ok(())
}
