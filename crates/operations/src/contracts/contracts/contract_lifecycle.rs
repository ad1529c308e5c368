//! The steps of a contract's life in one commit: the one that a caller takes, and those that come of it by themselves.

use crate::contracts::remediations::remediation_steps::follow_problems;
use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::contracts::contract::{Contract, ContractError, ContractEvent, ContractStatus, SuspensionCause};
use tradepost_domain::contracts::remediation::{Finding, RemediationKind};
use tradepost_domain::id::ContractId;
use tradepost_domain::text::Description;
use tradepost_domain::time::Timestamp;
use tradepost_domain::transition::{Subject, Transition};
use tradepost_ports::changes::{AppendedRow, Caller, Changes, Revised, Seen};

use crate::commit::{By, Step};
use crate::contracts::remediations::remediation_steps::Problems;
use crate::results::require_version;
use crate::{OpError, OpResult, Operations};

/// The steps that a contract takes at once.
pub(crate) struct ContractLifecycle {
    at: Timestamp,
    steps: Vec<Taken>,
}

struct Taken {
    from: ContractStatus,
    to: ContractStatus,
    trigger: &'static str,
    said: Option<Description>,
}

impl ContractLifecycle {
    pub(crate) const fn at(at: Timestamp) -> Self {
        Self { at, steps: Vec::new() }
    }

    /// Takes a step.
    pub(crate) fn take(&mut self, contract: Contract, event: ContractEvent) -> Result<Contract, ContractError> {
        let (from, trigger) = (contract.status, event.name());
        let said = match &event {
            ContractEvent::Paused { reason } => reason.clone(),
            ContractEvent::Suspended { cause } => Some(cause.clone()),
            ContractEvent::Closed(reason) => Description::new(reason.as_str()).ok(),
            ContractEvent::Activated | ContractEvent::Resumed | ContractEvent::Finished | ContractEvent::Reopened => {
                None
            }
        };
        let contract = contract.apply(event, self.at)?;
        self.steps.push(Taken { from, to: contract.status, trigger, said });
        Ok(contract)
    }

    /// Stops the contract for what a breaker has found. Of a contract that is not active it drops the finding.
    pub(crate) fn stop(&mut self, contract: Contract, found: &mut Option<Finding>) -> Result<Contract, ContractError> {
        let Some(event) = contract.due_for(Some(SuspensionCause::BreakerOpen)).filter(|_| found.is_some()) else {
            *found = None;
            return Ok(contract);
        };
        self.take(contract, event)
    }

    /// Takes the steps that come by themselves.
    pub(crate) fn settle(&mut self, mut contract: Contract) -> Result<Contract, ContractError> {
        while let Some(event) = contract.due(self.at) {
            contract = self.take(contract, event)?;
        }
        Ok(contract)
    }
}

/// Returns a contract for a caller that changes it, at the version that the caller saw, if it names one.
pub(crate) async fn contract_as_seen(
    operations: &Operations,
    scope: WorkspaceScope,
    id: ContractId,
    expected_version: Option<i64>,
) -> OpResult<Seen<Contract>> {
    let found = operations.ports.store.contracts().find(scope, id).await?;
    let contract = found.ok_or_else(|| OpError::not_found("contract"))?;
    require_version(&contract, expected_version)?;
    Ok(contract)
}

/// Moves a contract by an event, and on by what comes of it.
pub(crate) fn move_contract(
    operations: &Operations,
    changes: &mut Changes,
    by: By<'_>,
    seen: Seen<Contract>,
    event: ContractEvent,
) -> OpResult<Revised<Contract>> {
    let mut life = ContractLifecycle::at(by.at);
    let moved = changes.revise(seen, |contract| {
        let contract = life.take(contract, event)?;
        life.settle(contract)
    })?;
    log_life(operations, changes, by.caller, &moved, life);
    Ok(moved)
}

/// Ends the problem that a contract is suspended for, or that no engine serves it while it is active: it works again, or a
/// person took it in hand.
pub(crate) async fn end_breaker(
    operations: &Operations,
    changes: &mut Changes,
    by: By<'_>,
    scope: WorkspaceScope,
    contract: &Contract,
) -> OpResult<()> {
    let resolved = match contract.status {
        ContractStatus::Active => Some(RemediationKind::NotServed),
        ContractStatus::Draft
        | ContractStatus::Paused
        | ContractStatus::Suspended
        | ContractStatus::Closing
        | ContractStatus::Completed
        | ContractStatus::Cancelled
        | ContractStatus::Expired => contract.suspended_for().and_then(SuspensionCause::problem),
    };
    let problems = Problems { scope, of: Subject::Contract(contract.id), found: Vec::new(), resolved };
    follow_problems(operations, changes, by, None, problems).await.map(drop)
}

/// Writes the steps that a contract took into the log of status changes.
pub(crate) fn log_life(
    operations: &Operations,
    changes: &mut Changes,
    caller: &Caller,
    moved: &Revised<Contract>,
    life: ContractLifecycle,
) {
    let contract = &moved.value;
    for Taken { from, to, trigger, said } in life.steps {
        let step = Step {
            subject: Subject::Contract(contract.id),
            from: Some(from.as_str()),
            to: to.as_str(),
            version: moved.version,
            trigger,
        };
        let logged = operations.transition(caller, contract.workspace_id, step, life.at);
        changes.append(AppendedRow::Transition(Transition { reason: said, ..logged }));
    }
}
