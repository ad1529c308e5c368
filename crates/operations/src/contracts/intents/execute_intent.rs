//! Carrying intents out: [`ClaimIntent`], [`FinishIntent`], [`PostponeIntent`], and what there is to do. No operations of the
//! interface.

use crate::contracts::intents::buy_now::deny;
use crate::contracts::intents::intent_steps::intent_as_seen;
use crate::contracts::intents::intent_steps::move_intent;
use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::contracts::contract::AdmissionError;
use tradepost_domain::contracts::evaluation::{Holding, margin_of_sale};
use tradepost_domain::contracts::intent::{Intent, IntentEvent, IntentKind, IntentResult, IntentStatus, Target};
use tradepost_domain::id::{IntentId, WorkspaceId};
use tradepost_domain::markets::fees::Charges;
use tradepost_domain::text::Name;
use tradepost_domain::time::Timestamp;
use tradepost_ports::changes::{Caller, Changes};

use crate::commit::By;
use crate::in_workspace::InWorkspace;
use crate::rules::{READ_TRADING, WRITE_TRADING};
use crate::{Code, OpError, OpResult, Operations, Versioned};

/// Begins to carry an intent out, or continues after another caller did not end it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClaimIntent {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The intent.
    pub intent_id: IntentId,
    /// The version that was seen: a claim of an intent makes every earlier version useless to end it with.
    pub expected_version: i64,
    /// The current fees of the marketplace, where an item is about to be listed there. Unknown fees earn nothing.
    pub fees: Option<Charges>,
}

/// Says why an engine that looked at an approved intent has left it for later.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PostponeIntent {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The intent.
    pub intent_id: IntentId,
    /// The version that was looked at.
    pub expected_version: i64,
    /// The check that it waits for.
    pub check: Name,
}

/// Says what came of an intent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FinishIntent {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The intent.
    pub intent_id: IntentId,
    /// The version that claiming it gave.
    pub expected_version: i64,
    /// The outcome.
    pub outcome: IntentOutcome,
}

/// The outcome of an intent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum IntentOutcome {
    /// It was carried out.
    Succeeded(
        /// The result, where it is more than was known.
        Option<IntentResult>,
    ),
    /// It could not be carried out.
    Failed(
        /// Why.
        Name,
    ),
    /// A check rejects it; also before it was claimed.
    Denied(
        /// The check.
        Name,
    ),
}

/// A request for intents in a status, the oldest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct IntentsToDo {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// APPROVED for waiting intents, EXECUTING for started ones.
    pub status: IntentStatus,
    /// Only those made after this one.
    pub after: Option<IntentId>,
    /// The maximum number.
    pub most: u32,
}

/// An intent that is about to ask a price for an item, with the fees of the marketplace where they are known.
#[derive(Clone, Copy)]
struct Asking<'a> {
    intent: &'a Intent,
    fees: Option<&'a Charges>,
    at: Timestamp,
}

impl Operations {
    /// Begins to carry an intent out: APPROVED becomes EXECUTING. One that is EXECUTING is taken over from its last
    /// claimant. A price that is about to be asked for an item is checked against its contract once more; an intent that the
    /// contract no longer allows becomes DENIED, and is answered so.
    ///
    /// # Errors
    /// `permission_denied`, `not_found`, `failed_precondition`: `VERSION_MISMATCH` when another caller was faster,
    /// `ILLEGAL_STEP`, `INTENT_EXPIRED`.
    pub async fn claim_intent(&self, caller: &Caller, command: ClaimIntent) -> OpResult<Versioned<Intent>> {
        let scope = caller.principal.enter(command.workspace_id, WRITE_TRADING)?;
        let at = self.market_now(command.workspace_id);
        self.retrying(|| async {
            let seen = intent_as_seen(self, scope, command.intent_id, Some(command.expected_version)).await?;
            let mut changes = Changes::by(caller);
            let event = IntentEvent::Claimed { result: None };
            let claimed = move_intent(self, &mut changes, By { caller, at }, seen.clone(), event)?;
            let asking = Asking { intent: &claimed.value, fees: command.fees.as_ref(), at };
            match self.check_asking(&mut changes, scope, asking).await {
                Ok(()) => {}
                Err(refused) if refused.code == Code::FailedPrecondition => {
                    return Ok(deny(self, By { caller, at }, Changes::by(caller), seen, &refused).await?.into());
                }
                Err(error) => return Err(error),
            }
            self.commit(caller, changes).await?;
            Ok(claimed.into())
        })
        .await
    }

    /// Checks a price that is about to be asked for an item: by the contract that decided it, which must be the one that the item is on
    /// sale for, if it is; by the floor of that alone, where a person asks for it. Where the item has left the status
    /// that the intent is for, there is nothing to check.
    async fn check_asking(&self, changes: &mut Changes, scope: WorkspaceScope, asking: Asking<'_>) -> OpResult<()> {
        let Asking { intent, fees, at } = asking;
        let terms = &intent.terms;
        let Target::Item(target) = &terms.target else { return Ok(()) };
        let Some(price) = target.price else { return Ok(()) };
        let found = self.ports.store.items().find(scope, target.inventory_item_id).await?;
        let item = found.ok_or_else(|| OpError::not_found("inventory item"))?;
        if terms.kind.item_status() != Some(item.peek().status) {
            return Ok(());
        }
        let item = changes.rely_on(item);
        let on_sale_for = item.sale_place.as_ref().and_then(|place| place.contract_id);
        if terms.kind == IntentKind::Reprice && terms.contract_id.is_some() && terms.contract_id != on_sale_for {
            return Err(AdmissionError::OtherContract.into());
        }
        let Some(contract_id) = terms.contract_id.or(on_sale_for) else { return Ok(()) };
        let found = self.ports.store.contracts().find(scope, contract_id).await?;
        let contract = changes.rely_on(found.ok_or_else(|| OpError::not_found("contract"))?);
        if terms.contract_id.is_none() {
            return Ok(contract.check_asking_price(price)?);
        }
        contract.check_proposal(terms.kind, &terms.target, at)?;
        let purchase = self.ports.store.purchases().find(scope, item.purchase_id).await?;
        let cost = purchase.and_then(|purchase| purchase.peek().known_cost());
        let holding = Holding { item: &item, cost, competing_price: None };
        let margin = fees.and_then(|fees| margin_of_sale(&holding, price, fees, at));
        Ok(contract.check_margin(margin)?)
    }

    /// Ends an intent with what came of it. One that was bought by ends by itself, with its purchase.
    ///
    /// # Errors
    /// `permission_denied`, `not_found`, `failed_precondition`: `VERSION_MISMATCH` when another caller took it over,
    /// `ILLEGAL_STEP`.
    pub async fn finish_intent(&self, caller: &Caller, command: FinishIntent) -> OpResult<Versioned<Intent>> {
        let FinishIntent { workspace_id, intent_id, expected_version, outcome } = command;
        let scope = caller.principal.enter(workspace_id, WRITE_TRADING)?;
        let event = match outcome {
            IntentOutcome::Succeeded(result) => IntentEvent::Succeeded { result },
            IntentOutcome::Failed(check) => IntentEvent::Failed { check },
            IntentOutcome::Denied(check) => IntentEvent::Denied { check },
        };
        self.step_intent(caller, InWorkspace { scope, id: intent_id }, expected_version, event).await
    }

    /// Postpones an approved intent, and counts the check. It stays APPROVED, and `failed_check` names what it waits for.
    ///
    /// # Errors
    /// `permission_denied`, `not_found`, `failed_precondition`: `VERSION_MISMATCH` when another node was faster, `ILLEGAL_STEP`
    /// unless it is APPROVED.
    pub async fn postpone_intent(&self, caller: &Caller, command: PostponeIntent) -> OpResult<Versioned<Intent>> {
        let PostponeIntent { workspace_id, intent_id, expected_version, check } = command;
        let scope = caller.principal.enter(workspace_id, WRITE_TRADING)?;
        let event = IntentEvent::Postponed { check };
        self.step_intent(caller, InWorkspace { scope, id: intent_id }, expected_version, event).await
    }

    async fn step_intent(
        &self,
        caller: &Caller,
        intent: InWorkspace<IntentId>,
        expected_version: i64,
        event: IntentEvent,
    ) -> OpResult<Versioned<Intent>> {
        let InWorkspace { scope, id } = intent;
        let at = self.market_now(scope.workspace_id());
        self.retrying(|| async {
            let seen = intent_as_seen(self, scope, id, Some(expected_version)).await?;
            let mut changes = Changes::by(caller);
            let moved = move_intent(self, &mut changes, By { caller, at }, seen, event.clone())?;
            self.commit(caller, changes).await?;
            Ok(moved.into())
        })
        .await
    }

    /// Returns a bounded number of intents in a status, the oldest first.
    ///
    /// # Errors
    /// `permission_denied`.
    pub async fn intents_to_do(&self, caller: &Caller, command: IntentsToDo) -> OpResult<Vec<Versioned<Intent>>> {
        let IntentsToDo { workspace_id, status, after, most } = command;
        let scope = caller.principal.enter(workspace_id, READ_TRADING)?;
        let found = self.ports.store.intents().list_in(scope, status, after, most).await?;
        Ok(found.into_iter().map(Versioned::from).collect())
    }
}
