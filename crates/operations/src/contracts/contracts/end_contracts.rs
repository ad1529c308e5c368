//! Contracts that close because their end has passed.

use crate::contracts::contracts::contract_lifecycle::end_breaker;
use crate::contracts::contracts::contract_lifecycle::move_contract;
use crate::contracts::intents::withdraw_intents::withdraw_intents_of;
use tradepost_domain::contracts::contract::{ClosingReason, Contract, ContractEvent};
use tradepost_ports::changes::{Caller, Changes, Seen};

use crate::commit::By;
use crate::rules::WRITE_TRADING;
use crate::{OpResult, Operations};

/// Most contracts that close in one go.
const MOST: u32 = 100;

impl Operations {
    /// Closes a bounded part of the contracts, of every workspace, whose end has passed; returns how many. What is open runs out. It
    /// leaves one that another caller changes in the meantime to that caller.
    ///
    /// # Errors
    /// `internal` when storage is out. What closed by then stays closed.
    pub async fn end_contracts(&self) -> OpResult<usize> {
        let (caller, mut ended) = (Caller::system(), 0_usize);
        for (worlds, now) in self.worlds() {
            for contract in self.ports.store.contracts().list_overdue(worlds, now, MOST).await? {
                match self.end_contract(&caller, contract).await {
                    Ok(()) => ended = ended.saturating_add(1),
                    Err(error) if error.is_conflict() => {}
                    Err(error) => return Err(error),
                }
            }
        }
        Ok(ended)
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
