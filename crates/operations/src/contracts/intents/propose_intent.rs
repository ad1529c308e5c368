//! [`ProposeIntent`]: a decision to act, written down before anything is done. No operation of the interface.

use crate::contracts::intents::intent_steps::begin_intent;
use crate::contracts::intents::intent_steps::commit_intent;
use crate::contracts::intents::intent_steps::moment;
use crate::contracts::intents::proposals::admit_proposal;
use crate::contracts::trading_control::halts::rely_on_trading;
use crate::markets::providers::providers::{check_trades, rely_on_marketplace};
use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::accounts::audit::AuditKind;
use tradepost_domain::contracts::contract::{AdmissionError, ApprovalMode};
use tradepost_domain::contracts::intent::{
    DecisionBasis, Intent, IntentEvent, IntentKind, IntentTerms, Target, WithdrawalCause,
};
use tradepost_domain::contracts::inventory_item::ItemError;
use tradepost_domain::id::{ContractId, IntentId, WorkspaceId};
use tradepost_domain::text::Marketplace;
use tradepost_domain::time::Timestamp;
use tradepost_ports::changes::{Caller, Changes, Revised};
use tradepost_ports::store::StoreError;

use super::proposals::ProposedIntent;
use crate::commit::By;
use crate::rules::WRITE_TRADING;
use crate::{OpError, OpResult, Operations, Versioned};

/// Proposes that something be done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProposeIntent {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The contract that it is for, which must be active; `None` for what a person asks for without one.
    pub contract_id: Option<ContractId>,
    /// The action.
    pub kind: IntentKind,
    /// The target.
    pub target: Target,
    /// The basis of the decision.
    pub basis: DecisionBasis,
    /// Whether it is a purchase at a marketplace that is only read: whatever the contract's approval mode, nothing is bought, and
    /// the listing is looked at again.
    pub is_read_only: bool,
}

/// A proposal with what every try to write it down shares.
pub(crate) struct Proposal {
    pub(crate) wanted: ProposeIntent,
    id: IntentId,
    at: Timestamp,
    /// Whether an operator proposes it, which the audit log records.
    by_person: bool,
}

impl Operations {
    /// Records an intent of a contract. It is APPROVED at once where it needs no approval, stays PROPOSED where the
    /// contract's approval mode is MANUAL, and ends CANCELLED under a dry-run contract. Without a
    /// contract the caller's request approves it.
    ///
    /// # Errors
    /// `permission_denied`, `invalid_argument` for what contradicts itself, `not_found` for an unknown contract or item,
    /// `already_exists` with `INTENT_EXISTS`, `failed_precondition` with `TRADING_HALTED` for a purchase, `PROVIDER_DISABLED` for what
    /// would be begun there, `MARKETPLACE_READ_ONLY` where that is only read, when the contract does not allow it:
    /// `CONTRACT_NOT_ACTIVE`, `CONTRACT_NEVER_BUYS`, `CONTRACT_NEVER_SELLS`, `OTHER_MARKETPLACE`, `CONTRACT_OUT_OF_TIME`, `TOO_EXPENSIVE`, `BELOW_FLOOR`, when it does not buy or sell by itself and what it has
    /// done and proposed leaves no room: `QUANTITY_REACHED`, `TOO_MANY_OPEN`, `BUDGET_TOO_LOW`, `DAILY_BUDGET_TOO_LOW`, `ITEM_NAME_LIMIT`,
    /// `COOLING_DOWN`, `TOO_MANY_LISTED`, and when the item does not: `ILLEGAL_STEP`, `ITEM_CLOSED`, and `OTHER_CONTRACT` for another price
    /// of what is not on sale for the contract.
    pub async fn propose_intent(&self, caller: &Caller, command: ProposeIntent) -> OpResult<Versioned<Intent>> {
        let scope = caller.principal.enter(command.workspace_id, WRITE_TRADING)?;
        propose(self, caller, scope, command, false).await
    }

    async fn propose_once(
        &self,
        caller: &Caller,
        scope: WorkspaceScope,
        proposal: &Proposal,
    ) -> OpResult<Revised<Intent>> {
        let mut changes = Changes::by(caller);
        let intent = add_proposal(self, &mut changes, caller, scope, proposal).await?;
        commit_intent(self, caller, changes).await?;
        Ok(intent)
    }

    /// Returns the target, with the marketplace on which an item is on sale; the item must have a status that allows this.
    async fn settled_target(
        &self,
        changes: &mut Changes,
        scope: WorkspaceScope,
        wanted: &ProposeIntent,
    ) -> OpResult<Target> {
        let Target::Item(target) = &wanted.target else { return Ok(wanted.target.clone()) };
        let found = self.ports.store.items().find(scope, target.inventory_item_id).await?;
        let item = changes.rely_on(found.ok_or_else(|| OpError::not_found("inventory item"))?);
        if wanted.kind.item_status().is_some_and(|needed| needed != item.status) {
            return Err(ItemError::IllegalStep { from: item.status, event: wanted.kind.done() }.into());
        }
        if wanted.kind == IntentKind::List {
            // The engine puts no locked item on sale: the intent would wait until it expires.
            item.check_unlocked(self.market_now(scope.workspace_id()))?;
        }
        let (mut target, place) = (target.clone(), item.sale_place.clone());
        let sold_for =
            place.as_ref().and_then(|place| place.contract_id).filter(|_| wanted.kind == IntentKind::Reprice);
        if wanted.kind == IntentKind::Reprice && wanted.contract_id.is_some() && wanted.contract_id != sold_for {
            return Err(AdmissionError::OtherContract.into());
        }
        if let Some((contract_id, price)) = sold_for.zip(target.price) {
            // Also for a caller without a contract: the item is on sale for this one.
            let found = self.ports.store.contracts().find(scope, contract_id).await?;
            let contract = found.ok_or_else(|| StoreError::Corrupt("an item is on sale for no contract".to_owned()))?;
            contract.peek().check_asking_price(price)?;
        }
        if target.marketplace.is_none() {
            target.marketplace = place.map(|place| place.marketplace);
        }
        Ok(Target::Item(target))
    }
}

/// Records a proposal, and in the audit log one that a person makes.
pub(crate) async fn propose(
    operations: &Operations,
    caller: &Caller,
    scope: WorkspaceScope,
    wanted: ProposeIntent,
    by_person: bool,
) -> OpResult<Versioned<Intent>> {
    let proposal = proposal(operations, wanted, by_person);
    // A contract that asks first counts its proposals, so that a burst of them would win every race against approvals.
    let propose_once = || operations.propose_once(caller, scope, &proposal);
    let intent = operations.in_turn(scope.workspace_id(), propose_once).await?;
    Ok(intent.into())
}

/// Returns a proposal that is about to be recorded.
pub(crate) fn proposal(operations: &Operations, wanted: ProposeIntent, by_person: bool) -> Proposal {
    let at = operations.market_now(wanted.workspace_id);
    Proposal { wanted, id: operations.mint(), at, by_person }
}

/// Adds the intent of a proposal to the changes.
pub(crate) async fn add_proposal(
    operations: &Operations,
    changes: &mut Changes,
    caller: &Caller,
    scope: WorkspaceScope,
    proposal: &Proposal,
) -> OpResult<Revised<Intent>> {
    let Proposal { wanted, id, at, by_person } = proposal;
    let target = operations.settled_target(changes, scope, wanted).await?;
    if wanted.kind == IntentKind::Buy {
        rely_on_trading(operations, changes, scope).await?;
    }
    let is_read_only = wanted.is_read_only;
    let mut approval_mode = ApprovalMode::Manual;
    if let Some(contract_id) = wanted.contract_id {
        let found = operations.ports.store.contracts().find(scope, contract_id).await?;
        let contract = found.ok_or_else(|| OpError::not_found("contract"))?;
        let proposed = ProposedIntent { kind: wanted.kind, target: &target, is_read_only, at: *at };
        let contract = admit_proposal(operations, changes, scope, contract, &proposed).await?;
        approval_mode = proposed.mode(&contract);
    }
    if let Some(marketplace) = begun_at(wanted.kind, &target) {
        let provider = rely_on_marketplace(operations, changes, scope, marketplace).await?;
        if let Some(provider) = provider.filter(|_| !is_read_only) {
            check_trades(operations, &provider)?;
        }
    }
    let terms = IntentTerms {
        id: *id,
        workspace_id: wanted.workspace_id,
        contract_id: wanted.contract_id,
        kind: wanted.kind,
        target,
        basis: wanted.basis,
        approval_mode,
    };
    let proposed = Intent::propose(terms, moment(operations, *at))?;
    let proposed = if is_read_only { proposed.followed()? } else { proposed };
    let first = first_step(wanted.contract_id.is_some(), approval_mode);
    let intent = begin_intent(operations, changes, By { caller, at: *at }, proposed, first)?;
    if *by_person {
        changes.audit(AuditKind::IntentCreated, &intent.value);
    }
    Ok(intent)
}

/// Returns the marketplace where the intent begins something new.
const fn begun_at(kind: IntentKind, target: &Target) -> Option<&Marketplace> {
    match (kind, target) {
        (IntentKind::Buy, Target::Listing(listing)) => Some(&listing.marketplace),
        (IntentKind::List, Target::Item(item)) => item.marketplace.as_ref(),
        _ => None,
    }
}

/// Returns the step that a proposal takes at once.
const fn first_step(for_contract: bool, mode: ApprovalMode) -> Option<IntentEvent> {
    match (for_contract, mode) {
        (false, _) | (true, ApprovalMode::Automatic) => Some(IntentEvent::Approved),
        (true, ApprovalMode::Manual) => None,
        (true, ApprovalMode::DryRun) => Some(IntentEvent::Withdrawn { cause: WithdrawalCause::DryRun, reason: None }),
    }
}
