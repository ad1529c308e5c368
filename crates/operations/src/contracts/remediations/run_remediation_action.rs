//! [`RunRemediationAction`]: has something done about a problem, by the rules that apply to it anywhere else.

use crate::contracts::intents::propose_intent::proposal;
use crate::contracts::items::item_moves::take_item_step;
use crate::contracts::purchases::reconcile_purchase::learn_of;
use crate::contracts::remediations::release_reservation::StatedAbsence;
use crate::contracts::remediations::remediation_steps::remediation_as_seen;
use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::accounts::audit::{About, AuditKind, Fact};
use tradepost_domain::contracts::chain::Evidence;
use tradepost_domain::contracts::intent::{DecisionBasis, IntentKind, ItemTarget, Target};
use tradepost_domain::contracts::inventory_item::{InventoryItem, ItemEvent, ItemStatus};
use tradepost_domain::contracts::purchase::{Absence, Purchase, PurchaseEvent};
use tradepost_domain::contracts::remediation::{
    Remediation, RemediationAction, RemediationError, RemediationEvent, RemediationKind, findings,
};
use tradepost_domain::id::{InventoryItemId, PurchaseId, RemediationId, WorkspaceId};
use tradepost_domain::money::Cents;
use tradepost_domain::text::{ExternalId, Marketplace};
use tradepost_domain::time::Timestamp;
use tradepost_domain::transition::Subject;
use tradepost_ports::changes::Caller;

use crate::contracts::intents::propose_intent::{Proposal, ProposeIntent};
use crate::contracts::items::append_asset_id_link::source_of;
use crate::contracts::items::item_moves::{Cause, ItemMove};
use crate::contracts::purchases::lifecycle_update::LifecycleUpdate;
use crate::contracts::purchases::reconcile_purchase::ReconcileResult;
use crate::in_workspace::InWorkspace;
use crate::lookup_registry::ReadingAttempt;
use crate::rules;
use crate::{OpError, OpResult, Operations, Versioned, fields};

/// Has something done about a problem.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunRemediationAction {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The remediation.
    pub remediation_id: RemediationId,
    /// The action, one of the remediation's allowed actions.
    pub action: RemediationAction,
    /// The arguments of the action.
    pub args: ActionArgs,
    /// The version that the caller saw, from 1; rejected when the remediation has another one.
    pub expected_version: Option<i64>,
}

/// The arguments of an action. Superfluous ones are rejected.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ActionArgs {
    /// The evidence, 1 to 128 characters: the marketplace's statement or case, the snapshot, the trade. Of all but `RECONCILE` and
    /// `RELIST`.
    pub evidence: String,
    /// The refunded amount in cents, more than 0; the amount paid if absent. Of `RECORD_REFUND`.
    pub amount_cents: Option<i64>,
    /// The asset id that the item has now, 1 to 20 decimal digits. Of `APPEND_LINK`.
    pub asset_id: String,
    /// The source of the item's asset id, such as `inventory`. Of `APPEND_LINK`.
    pub source: String,
    /// The marketplace, 1 to 64 characters. Of `RELIST`.
    pub marketplace: String,
    /// The price to ask, in cents, more than 0. Of `RELIST`.
    pub price_cents: Option<i64>,
    /// The proof that no order was placed. Of `RELEASE_RESERVATION`.
    pub absence: Option<Absence>,
    /// What else lowered the balance since the call, up to 128 characters; empty if nothing did. Of `RELEASE_RESERVATION`.
    pub balance_lowered_by: String,
}

/// An action that was checked.
enum Deed {
    Reconcile,
    Release(StatedAbsence),
    Refund(Option<Cents>),
    GiveUp,
    Append(Evidence),
    Relist(Marketplace, Cents),
}

/// The data that every try shares.
struct Run {
    action: RemediationAction,
    deed: Deed,
    /// The response of the marketplace, for a purchase that is looked up.
    learned: Option<ReconcileResult>,
    /// What was read, for a purchase whose money is released.
    read: Option<ReadingAttempt>,
    evidence: Option<ExternalId>,
    at: Timestamp,
}

impl Operations {
    /// Has something done about a problem, in one commit with the remediation's own step: RESOLVED once that removes the problem,
    /// WAITING where it is only set going, or where a marketplace that is asked says nothing new. What the state of the record does
    /// not allow is rejected as it is elsewhere. Before the money of a purchase is released, the orders, the listing and the balance are
    /// read, as far as the marketplace answers; the reason of the step has what was stated and what was read.
    ///
    /// # Errors
    /// `permission_denied`, `invalid_argument` naming the field, `not_found`, `failed_precondition`: `STEP_UP_REQUIRED` for what
    /// moves money or sets it free, `VERSION_MISMATCH`, `ACTION_NOT_ALLOWED`, `ILLEGAL_STEP` once it has ended or where the record
    /// does not wait for this, `ABSENCE_NOT_PROVEN`, also where what is read contradicts it, `ITEM_CLOSED`, and what else rejects a link or
    /// an intent to sell; `already_exists` with `INTENT_EXISTS`; and the errors of [`Operations::reconcile_purchase`].
    pub async fn run_remediation_action(
        &self,
        caller: &Caller,
        command: RunRemediationAction,
    ) -> OpResult<Versioned<Remediation>> {
        let scope = rules::RUN_REMEDIATION_ACTION.enter(&caller.principal, command.workspace_id)?;
        fields::expected_version(command.expected_version)?;
        let (deed, evidence) = command.deed()?;
        let (mut learned, mut read) = (None, None);
        // Before its turn, because a call that waits for a marketplace must not keep others waiting.
        match deed {
            Deed::Reconcile => learned = Some(learn_of(self, scope, self.purchase_of(scope, &command).await?).await?),
            Deed::Release(_) => {
                read = self.read_for_release(scope, self.purchase_of(scope, &command).await?).await?;
            }
            Deed::Refund(_) | Deed::GiveUp | Deed::Append(_) | Deed::Relist(..) => {}
        }
        let at = self.market_now(command.workspace_id);
        let run = Run { action: command.action, deed, learned, read, evidence, at };
        self.in_turn(command.workspace_id, || self.act_once(caller, scope, &command, &run)).await
    }

    async fn act_once(
        &self,
        caller: &Caller,
        scope: WorkspaceScope,
        command: &RunRemediationAction,
        run: &Run,
    ) -> OpResult<Versioned<Remediation>> {
        let mut steps = LifecycleUpdate::new(self, caller, run.at).acting_on(command.remediation_id);
        if let Some(evidence) = &run.evidence {
            steps = steps.shown_by(evidence.clone());
        }
        if run.action.moves_money() {
            steps.require_step_up(scope, rules::RUN_REMEDIATION_ACTION).await?;
        }
        let seen = remediation_as_seen(self, scope, command.remediation_id, command.expected_version).await?;
        // First of all, because a rejection by the remediation is reported before one by its record.
        let acted = RemediationEvent::Acted { action: run.action };
        seen.peek().clone().apply(acted.clone(), run.at)?;
        let is_resolved = self.act(&mut steps, scope, seen.peek(), run).await?;
        let moved = steps.remediation(seen, if is_resolved { RemediationEvent::Cleared } else { acted })?;
        let about = run.with_evidence(About::from(&moved.value)).with(Fact::Action, run.action.as_str());
        steps.audit(AuditKind::RemediationActed, about);
        steps.commit().await?;
        Ok(moved.into())
    }

    /// Returns the purchase that a remediation is about, if the action can be taken.
    async fn purchase_of(&self, scope: WorkspaceScope, command: &RunRemediationAction) -> OpResult<PurchaseId> {
        let seen = remediation_as_seen(self, scope, command.remediation_id, command.expected_version).await?;
        let acted = seen
            .peek()
            .clone()
            .apply(RemediationEvent::Acted { action: command.action }, self.market_now(scope.workspace_id()))?;
        let Subject::Purchase(id) = acted.subject else { return Err(other_action(&acted, command.action)) };
        Ok(id)
    }

    /// Does it; returns whether that removed the problem, beyond what the action itself says.
    async fn act(
        &self,
        steps: &mut LifecycleUpdate<'_>,
        scope: WorkspaceScope,
        remediation: &Remediation,
        run: &Run,
    ) -> OpResult<bool> {
        let about = match (remediation.subject, &run.deed) {
            (Subject::Purchase(id), Deed::Reconcile) => {
                return self.apply_reconcile_result(steps, InWorkspace { scope, id }, remediation.kind, run).await;
            }
            (Subject::Purchase(id), Deed::Release(stated)) => {
                return self.release_purchase(steps, InWorkspace { scope, id }, run, stated).await;
            }
            (Subject::Purchase(id), Deed::Refund(amount)) => {
                let booked = |purchase: &Purchase| amount.unwrap_or_else(|| purchase.cost());
                let event = |purchase: &Purchase| PurchaseEvent::RefundBooked { amount: booked(purchase) };
                return self.act_on_purchase(steps, InWorkspace { scope, id }, run, event).await;
            }
            (Subject::Purchase(id), Deed::GiveUp) => {
                return self
                    .act_on_purchase(steps, InWorkspace { scope, id }, run, |_| PurchaseEvent::WrittenOff)
                    .await;
            }
            (Subject::InventoryItem(id), Deed::GiveUp) => {
                let item = self.act_on_item(steps, scope, id, Cause::Event(ItemEvent::GivenUp)).await?;
                Some(run.with_evidence(About::from(&item)))
            }
            (Subject::InventoryItem(id), Deed::Append(evidence)) => {
                let cause = Cause::Fact { evidence: evidence.clone(), expected_step: None };
                self.act_on_item(steps, scope, id, cause).await?;
                None
            }
            (Subject::InventoryItem(id), Deed::Relist(marketplace, price)) => {
                let proposal = self.relisting(scope, id, marketplace, *price).await?;
                steps.propose(scope, &proposal).await?;
                None
            }
            _ => return Err(other_action(remediation, run.action)),
        };
        if let Some(about) = about {
            steps.audit(AuditKind::PurchaseItemWrittenOff, about);
        }
        Ok(false)
    }

    async fn apply_reconcile_result(
        &self,
        steps: &mut LifecycleUpdate<'_>,
        purchase: InWorkspace<PurchaseId>,
        kind: RemediationKind,
        run: &Run,
    ) -> OpResult<bool> {
        let InWorkspace { scope, id } = purchase;
        let found = self.ports.store.purchases().find(scope, id).await?;
        let seen = found.ok_or_else(|| OpError::not_found("purchase"))?;
        steps.audit(AuditKind::PurchaseReconciled, About::from(seen.peek()));
        let Some(event) = run.learned.as_ref().and_then(|learned| learned.of(seen.peek())) else { return Ok(false) };
        let from = seen.peek().status;
        let to = steps.purchase(scope, seen, event).await?.value.status;
        Ok(from != to && findings::resolved_with_purchase(from) == Some(kind))
    }

    async fn act_on_purchase(
        &self,
        steps: &mut LifecycleUpdate<'_>,
        purchase: InWorkspace<PurchaseId>,
        run: &Run,
        event: impl FnOnce(&Purchase) -> PurchaseEvent + Send,
    ) -> OpResult<bool> {
        let InWorkspace { scope, id } = purchase;
        let found = self.ports.store.purchases().find(scope, id).await?;
        let seen = found.ok_or_else(|| OpError::not_found("purchase"))?;
        steps.audit(AuditKind::PurchaseOutcomeRecorded, run.with_evidence(About::from(seen.peek())));
        let event = event(seen.peek());
        steps.purchase(scope, seen, event).await?;
        Ok(false)
    }

    async fn release_purchase(
        &self,
        steps: &mut LifecycleUpdate<'_>,
        purchase: InWorkspace<PurchaseId>,
        run: &Run,
        stated: &StatedAbsence,
    ) -> OpResult<bool> {
        let InWorkspace { scope, id } = purchase;
        let found = self.ports.store.purchases().find(scope, id).await?;
        let seen = found.ok_or_else(|| OpError::not_found("purchase"))?;
        steps.audit(AuditKind::PurchaseOutcomeRecorded, run.with_evidence(About::from(seen.peek())));
        let event = self.release(steps, InWorkspace { scope, id: seen.peek() }, stated, run.read.as_ref()).await?;
        steps.purchase(scope, seen, event).await?;
        Ok(false)
    }

    async fn act_on_item(
        &self,
        steps: &mut LifecycleUpdate<'_>,
        scope: WorkspaceScope,
        item_id: InventoryItemId,
        cause: Cause,
    ) -> OpResult<InventoryItem> {
        let found = self.ports.store.items().find(scope, item_id).await?;
        let seen = found.ok_or_else(|| OpError::not_found("inventory item"))?;
        let wanted = ItemMove { item_id, expected_version: None, cause };
        Ok(take_item_step(self, steps, scope, seen, wanted).await?.item.value)
    }

    /// Returns what puts an item on sale as it should be: the price is asked for once more where the item is on sale already.
    async fn relisting(
        &self,
        scope: WorkspaceScope,
        inventory_item_id: InventoryItemId,
        marketplace: &Marketplace,
        price: Cents,
    ) -> OpResult<Proposal> {
        let found = self.ports.store.items().find(scope, inventory_item_id).await?;
        let item = found.ok_or_else(|| OpError::not_found("inventory item"))?;
        let is_there = item.peek().sale_place.as_ref().is_some_and(|place| place.marketplace == *marketplace);
        let is_on_sale = is_there && item.peek().status == ItemStatus::Listed;
        let kind = if is_on_sale { IntentKind::Reprice } else { IntentKind::List };
        let target = Target::Item(ItemTarget {
            inventory_item_id,
            marketplace: Some(marketplace.clone()),
            price: Some(price),
            to_account: None,
        });
        target.check(kind).map_err(|refused| OpError::from(refused).within("args"))?;
        let (workspace_id, basis) = (scope.workspace_id(), DecisionBasis::default());
        Ok(proposal(
            self,
            ProposeIntent { workspace_id, contract_id: None, kind, target, basis, is_read_only: false },
            true,
        ))
    }
}

/// Returns the error for an action that does not apply to the problem.
fn other_action(remediation: &Remediation, action: RemediationAction) -> OpError {
    RemediationError::OtherAction { kind: remediation.kind, action }.into()
}

impl Run {
    /// Returns what the audit log records, with what shows it.
    fn with_evidence(&self, about: About) -> About {
        self.evidence.iter().fold(about, |about, evidence| about.with(Fact::Cause, evidence))
    }
}

impl RunRemediationAction {
    /// Returns the statement that a purchase was never made. A lower balance is as good as the same one if something else lowered it.
    fn stated_absence(&self) -> OpResult<StatedAbsence> {
        let stated = self.args.absence.clone().ok_or_else(|| OpError::invalid_field("args.absence", "is required"))?;
        let lowered_by = match self.args.balance_lowered_by.as_str() {
            "" => None,
            by => Some(fields::text("args.absence.balanceLoweredBy", by)?),
        };
        let charge_excluded = stated.charge_excluded || lowered_by.is_some();
        Ok(StatedAbsence { absence: Absence { charge_excluded, ..stated }, lowered_by })
    }

    fn deed(&self) -> OpResult<(Deed, Option<ExternalId>)> {
        use RemediationAction as Do;
        let args = &self.args;
        let given = [
            ("args.amountCents", args.amount_cents.is_some(), Do::RecordRefund),
            ("args.assetId", !args.asset_id.is_empty(), Do::AppendLink),
            ("args.source", !args.source.is_empty(), Do::AppendLink),
            ("args.marketplace", !args.marketplace.is_empty(), Do::Relist),
            ("args.priceCents", args.price_cents.is_some(), Do::Relist),
            ("args.absence", args.absence.is_some(), Do::ReleaseReservation),
            ("args.absence.balanceLoweredBy", !args.balance_lowered_by.is_empty(), Do::ReleaseReservation),
        ];
        if let Some((field, _, of)) = given.iter().find(|(_, given, of)| *given && *of != self.action) {
            return Err(OpError::invalid_field(field, format_args!("is only said of {of}")));
        }
        if matches!(self.action, Do::Reconcile | Do::Relist) && !args.evidence.is_empty() {
            return Err(OpError::invalid_field("args.evidence", format_args!("is not said of {}", self.action)));
        }
        if self.action == Do::Reconcile {
            return Ok((Deed::Reconcile, None));
        }
        if self.action == Do::Relist {
            let price = fields::required(args.price_cents, fields::cents, "args.priceCents")?;
            return Ok((Deed::Relist(fields::text("args.marketplace", &args.marketplace)?, price), None));
        }
        let evidence: ExternalId = fields::text("args.evidence", &args.evidence)?;
        let deed = match self.action {
            Do::ReleaseReservation => Deed::Release(self.stated_absence()?),
            Do::RecordRefund => match fields::optional(args.amount_cents, fields::cents, "args.amountCents")? {
                Some(Cents::ZERO) => return Err(OpError::invalid_field("args.amountCents", "must be more than 0")),
                amount => Deed::Refund(amount),
            },
            Do::AppendLink => Deed::Append(Evidence {
                asset_id: fields::asset_id("args.assetId", &args.asset_id)?,
                source: source_of("args.source", &args.source)?,
                source_id: evidence.clone(),
            }),
            Do::WriteOff | Do::Reconcile | Do::Relist => Deed::GiveUp,
        };
        Ok((deed, Some(evidence)))
    }
}
