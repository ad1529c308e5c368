//! [`ApplyPriceStaleness`]: contracts that are suspended while no source says what items are worth, and resumed once one does. No
//! operation of the interface.

use crate::contracts::contracts::contract_lifecycle::contract_as_seen;
use crate::contracts::contracts::contract_lifecycle::end_breaker;
use crate::contracts::contracts::contract_lifecycle::move_contract;
use crate::contracts::intents::withdraw_intents::withdraw_intents_of;
use crate::contracts::remediations::remediation_steps::commit_problems;
use crate::contracts::remediations::remediation_steps::follow_problems;
use crate::contracts::trading_control::apply_halts::contracts_due;
use crate::contracts::trading_control::apply_halts::rely_on_causes;
use std::collections::BTreeMap;

use tradepost_domain::contracts::contract::{Contract, ContractEvent, ContractStatus};
use tradepost_domain::contracts::remediation::{Evidence, Finding, RemediationKind};
use tradepost_domain::id::{ContractId, WorkspaceId};
use tradepost_domain::text::Marketplace;
use tradepost_domain::time::Timestamp;
use tradepost_domain::transition::Subject;
use tradepost_ports::changes::{Caller, Changes, Seen};

use crate::commit::By;
use crate::commit::turns::Turns;
use crate::contracts::remediations::remediation_steps::Problems;
use crate::in_workspace::InWorkspace;
use crate::rules::WRITE_TRADING;
use crate::{OpResult, Operations, Reason};

/// A report of when sources of prices last said something.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ApplyPriceStaleness {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// Every source that the caller listens to, with the time of the latest that it said.
    pub said: BTreeMap<Marketplace, Timestamp>,
}

impl Operations {
    /// Suspends contracts that buy by values while too few of their sources say anything, and resumes those whose sources do: a
    /// bounded part at a time; returns how many. The suspension opens the problem, and the resumption ends it.
    ///
    /// # Errors
    /// `permission_denied`; `internal` when storage is out; the first error of a contract, after all others had their turn. What was moved
    /// stays so.
    pub async fn apply_price_staleness(&self, caller: &Caller, command: ApplyPriceStaleness) -> OpResult<usize> {
        let scope = caller.principal.enter(command.workspace_id, WRITE_TRADING)?;
        let (said, at, mut turns) = (&command.said, self.market_now(command.workspace_id), Turns::default());
        for status in [ContractStatus::Active, ContractStatus::Suspended] {
            let is_due = |contract: &Contract| contract.due_for_prices(said, at).is_some();
            for contract_id in contracts_due(self, scope, status, is_due).await? {
                let contract = InWorkspace { scope, id: contract_id };
                turns.take(self.follow_prices_of(By { caller, at }, contract, said).await)?;
            }
        }
        turns.end()
    }

    async fn follow_prices_of(
        &self,
        by: By<'_>,
        contract: InWorkspace<ContractId>,
        said: &BTreeMap<Marketplace, Timestamp>,
    ) -> OpResult<()> {
        let InWorkspace { scope, id: contract_id } = contract;
        self.in_turn(scope.workspace_id(), || async {
            let contract: Seen<Contract> = contract_as_seen(self, scope, contract_id, None).await?;
            let mut changes = Changes::by(by.caller);
            let Some(event) = contract.peek().due_for_prices(said, by.at) else { return Ok(()) };
            let is_stopped = matches!(event, ContractEvent::Suspended { .. });
            if is_stopped {
                let finding = Finding { kind: RemediationKind::PriceSourceStale, evidence: Evidence::default() };
                let problems =
                    Problems { scope, of: Subject::Contract(contract_id), found: vec![finding], resolved: None };
                follow_problems(self, &mut changes, by, None, problems).await?;
                withdraw_intents_of(self, &mut changes, by, scope, contract_id).await?;
            } else {
                // A halt in between suspends it in its own turn.
                if rely_on_causes(self, &mut changes, scope, contract.peek()).await?.is_some() {
                    return Ok(());
                }
                end_breaker(self, &mut changes, by, scope, contract.peek()).await?;
            }
            match move_contract(self, &mut changes, by, contract, event) {
                // Its time is over, and it is closed for that.
                Err(error) if error.reason == Reason::ContractEnded => return Ok(()),
                moved => drop(moved?),
            }
            commit_problems(self, by.caller, changes).await.map(drop)
        })
        .await
    }
}
