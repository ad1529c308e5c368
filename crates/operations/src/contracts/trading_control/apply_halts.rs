//! Contracts that are suspended while trading is halted or their pool is paused, and work again once that is over.

use crate::contracts::contracts::contract_lifecycle::contract_as_seen;
use crate::contracts::contracts::contract_lifecycle::move_contract;
use crate::contracts::intents::withdraw_intents::withdraw_intents_of;
use std::collections::BTreeSet;

use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::contracts::contract::{Contract, ContractEvent, ContractStatus, SuspensionCause};
use tradepost_domain::contracts::pool::{Pool, PoolStatus};
use tradepost_domain::id::{ContractId, OfContract, PoolId, WorkspaceId};
use tradepost_ports::changes::{Caller, Changes, Seen};
use tradepost_ports::store::{ContractFilter, PageRequest};

use crate::commit::By;
use crate::commit::turns::Turns;
use crate::rules::WRITE_TRADING;
use crate::{OpError, OpResult, Operations, Reason};

/// Contracts that are read at once.
const PAGE: u32 = 200;
/// Most contracts that are moved in one go.
const MOST: usize = 500;

/// The progress through the contracts of a status, and the findings among them.
struct Walk {
    status: ContractStatus,
    before: Option<ContractId>,
    is_over: bool,
    found: Vec<ContractId>,
}

impl Walk {
    const fn of(status: ContractStatus) -> Self {
        Self { status, before: None, is_over: false, found: Vec::new() }
    }

    fn keep(&mut self, contracts: &[Seen<Contract>], is_due: impl Fn(&Contract) -> bool) {
        let due = contracts.iter().map(Seen::peek).filter(|contract| is_due(contract));
        self.found.extend(due.map(|contract| contract.id));
        self.found.truncate(MOST);
    }
}

impl Operations {
    /// Suspends contracts that buy after a trading halt or the pause of a pool, and resumes them after the end of both: a bounded part at a
    /// time; returns their number. The operations that halt trading or pause pools do so at once, and engines complete the rest.
    ///
    /// # Errors
    /// `permission_denied`; `internal` when storage is out; the first error of a contract, after all others had their turn. What was moved
    /// stays so.
    pub async fn apply_halts(&self, caller: &Caller, workspace_id: WorkspaceId) -> OpResult<usize> {
        let scope = caller.principal.enter(workspace_id, WRITE_TRADING)?;
        let mut turns = Turns::default();
        for status in [ContractStatus::Active, ContractStatus::Suspended] {
            for contract_id in self.misplaced(scope, status).await? {
                turns.take(self.follow_halts_of(caller, scope, contract_id).await)?;
            }
        }
        turns.end()
    }

    /// Returns the contracts that seem to have the wrong status.
    async fn misplaced(&self, scope: WorkspaceScope, status: ContractStatus) -> OpResult<Vec<ContractId>> {
        let store = &self.ports.store;
        let workspace = store.workspaces().find(scope).await?.ok_or_else(|| OpError::not_found("workspace"))?;
        let is_halted = workspace.peek().trading_halt.is_some();
        let mut walk = Walk::of(status);
        while let Some(contracts) = self.next_contracts(scope, &mut walk).await? {
            let named: BTreeSet<PoolId> = contracts.iter().filter_map(|contract| contract.peek().pool_id).collect();
            let named: Vec<PoolId> = named.into_iter().collect();
            let pools = if named.is_empty() { Vec::new() } else { store.pools().find_many(scope, &named).await? };
            walk.keep(&contracts, |contract| {
                let pool = pools.iter().map(Seen::peek).find(|pool| Some(pool.id) == contract.pool_id);
                contract.due_for(cause_of(is_halted, pool)).is_some()
            });
        }
        Ok(walk.found)
    }

    /// Returns the next contracts of a walk, until its end or until enough was found.
    async fn next_contracts(&self, scope: WorkspaceScope, walk: &mut Walk) -> OpResult<Option<Vec<Seen<Contract>>>> {
        if walk.is_over || walk.found.len() >= MOST {
            return Ok(None);
        }
        let filter = ContractFilter { contract_type: None, status: Some(walk.status) };
        let request = PageRequest::<OfContract> { before: walk.before, limit: PAGE };
        let page = self.ports.store.contracts().list(scope, filter, request).await?;
        (walk.before, walk.is_over) = (page.ids.last().copied(), !page.more);
        if page.ids.is_empty() {
            return Ok(None);
        }
        Ok(Some(self.ports.store.contracts().find_many(scope, &page.ids).await?))
    }

    /// Moves one contract, relying on its current or former cause.
    pub(crate) async fn follow_halts_of(
        &self,
        caller: &Caller,
        scope: WorkspaceScope,
        contract_id: ContractId,
    ) -> OpResult<()> {
        let by = By { caller, at: self.market_now(scope.workspace_id()) };
        self.in_turn(scope.workspace_id(), || async {
            let contract = contract_as_seen(self, scope, contract_id, None).await?;
            // Separate from what the call is for: its own answer was committed before.
            let mut changes = Changes::detached(caller);
            let cause = rely_on_causes(self, &mut changes, scope, contract.peek()).await?;
            let Some(event) = contract.peek().due_for(cause) else { return Ok(()) };
            let is_stopped = matches!(event, ContractEvent::Suspended { .. });
            match move_contract(self, &mut changes, by, contract, event) {
                // Its time is over, and it is closed for that.
                Err(error) if error.reason == Reason::ContractEnded => return Ok(()),
                moved => drop(moved?),
            }
            if is_stopped {
                withdraw_intents_of(self, &mut changes, by, scope, contract_id).await?;
            }
            self.commit(caller, changes).await.map(drop)
        })
        .await
    }
}

/// Does the same after a step that is answered in any case: engines complete what is left.
pub(crate) async fn try_to_follow_halts(operations: &Operations, caller: &Caller, workspace_id: WorkspaceId) {
    if let Err(error) = operations.apply_halts(caller, workspace_id).await {
        tracing::warn!(%error, "contracts were not all suspended or resumed");
    }
}

/// Returns the contracts in a status for which a step is due.
pub(crate) async fn contracts_due(
    operations: &Operations,
    scope: WorkspaceScope,
    status: ContractStatus,
    is_due: impl Fn(&Contract) -> bool + Send,
) -> OpResult<Vec<ContractId>> {
    let mut walk = Walk::of(status);
    while let Some(contracts) = operations.next_contracts(scope, &mut walk).await? {
        walk.keep(&contracts, &is_due);
    }
    Ok(walk.found)
}

/// Returns the causes to suspend a contract, and makes the changes rely on them.
pub(crate) async fn rely_on_causes(
    operations: &Operations,
    changes: &mut Changes,
    scope: WorkspaceScope,
    contract: &Contract,
) -> OpResult<Option<SuspensionCause>> {
    let found = operations.ports.store.workspaces().find(scope).await?;
    let workspace = changes.rely_on(found.ok_or_else(|| OpError::not_found("workspace"))?);
    let pool = match contract.pool_id {
        // Contracts of old may name one that never was.
        Some(id) => operations.ports.store.pools().find(scope, id).await?.map(|pool| changes.rely_on(pool)),
        None => None,
    };
    Ok(cause_of(workspace.trading_halt.is_some(), pool.as_ref()))
}

fn cause_of(is_halted: bool, pool: Option<&Pool>) -> Option<SuspensionCause> {
    if is_halted {
        return Some(SuspensionCause::TradingHalted);
    }
    pool.filter(|pool| pool.status == PoolStatus::Paused).map(|_| SuspensionCause::PoolPaused)
}
