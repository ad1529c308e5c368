//! Contracts that close because their end has passed.

use crate::contracts::contracts::contract_lifecycle::end_breaker;
use crate::contracts::contracts::contract_lifecycle::move_contract;
use crate::contracts::intents::withdraw_intents::withdraw_intents_of;
use tradepost_domain::contracts::contract::{ClosingReason, Contract, ContractEvent};
use tradepost_ports::changes::{Caller, Changes, Seen};

use crate::commit::By;
use crate::commit::turns::Turns;
use crate::rules::WRITE_TRADING;
use crate::{OpResult, Operations};

/// Most contracts that close in one go.
const MOST: u32 = 100;

impl Operations {
    /// Closes a bounded part of the contracts, of every workspace, whose end has passed; returns how many. What is open runs out. It
    /// leaves one that another caller changes in the meantime to that caller.
    ///
    /// # Errors
    /// `internal` when storage is out; the first error of a contract, after all others had their turn. What closed by then stays closed.
    pub async fn end_contracts(&self) -> OpResult<usize> {
        self.end_overdue_contracts().await?.end()
    }

    /// The same, with what came of the contracts.
    pub(crate) async fn end_overdue_contracts(&self) -> OpResult<Turns> {
        let (caller, mut turns) = (Caller::system(), Turns::default());
        for (worlds, now) in self.worlds() {
            for contract in self.ports.store.contracts().list_overdue(worlds, now, MOST).await? {
                turns.take(self.end_contract(&caller, contract).await)?;
            }
        }
        Ok(turns)
    }

    async fn end_contract(&self, caller: &Caller, contract: Seen<Contract>) -> OpResult<()> {
        let (workspace_id, contract_id) = (contract.peek().workspace_id, contract.peek().id);
        let scope = caller.principal.enter(workspace_id, WRITE_TRADING)?;
        let (mut changes, at) = (Changes::by(caller), self.market_now(scope.workspace_id()));
        let by = By { caller, at };
        end_breaker(self, &mut changes, by, scope, contract.peek()).await?;
        let closed = ContractEvent::Closed(ClosingReason::Ended);
        move_contract(self, &mut changes, by, contract, closed)?;
        withdraw_intents_of(self, &mut changes, by, scope, contract_id).await?;
        self.commit(caller, changes).await.map(drop)
    }
}
