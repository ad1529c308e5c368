//! Intents that end by themselves: those whose time is over, and those whose contract takes on nothing new.

use crate::contracts::intents::intent_steps::moment;
use crate::contracts::intents::intent_steps::move_intent;
use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::contracts::intent::{Intent, IntentEvent, WithdrawalCause};
use tradepost_domain::id::ContractId;
use tradepost_ports::changes::{Caller, Changes, Seen};

use crate::commit::By;
use crate::commit::turns::Turns;
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
    /// `internal` when storage is out; the first error of an intent, after all others had their turn. What ended by then stays ended.
    pub async fn expire_intents(&self) -> OpResult<usize> {
        self.end_overdue_intents().await?.end()
    }

    /// The same, with what came of the intents.
    pub(crate) async fn end_overdue_intents(&self) -> OpResult<Turns> {
        let (store, mut turns) = (&self.ports.store, Turns::default());
        for (worlds, now) in self.worlds() {
            for intent in store.intents().list_overdue(worlds, moment(self, now), MOST).await? {
                turns.take(self.end_intent(intent, IntentEvent::Expired).await)?;
            }
        }
        for intent in store.intents().list_stranded(MOST).await? {
            turns.take(self.end_intent(intent, stopped()).await)?;
        }
        Ok(turns)
    }

    async fn end_intent(&self, intent: Seen<Intent>, event: IntentEvent) -> OpResult<()> {
        let caller = Caller::system();
        let (mut changes, at) = (Changes::by(&caller), self.market_now(intent.peek().terms.workspace_id));
        move_intent(self, &mut changes, By { caller: &caller, at }, intent, event)?;
        self.commit(&caller, changes).await.map(drop)
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
