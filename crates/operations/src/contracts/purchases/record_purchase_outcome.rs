//! [`RecordPurchaseOutcome`]: how a purchase ended that the service cannot bring to its end by itself.

use crate::contracts::items::receive_item::arrival_of;
use crate::contracts::items::receive_item::take_in;
use time::Duration;
use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::accounts::audit::{About, AuditKind, Fact};
use tradepost_domain::asset::{AppId, ContextId};
use tradepost_domain::contracts::inventory_item::Traits;
use tradepost_domain::contracts::purchase::{Purchase, PurchaseEvent, PurchaseStatus};
use tradepost_domain::id::{PurchaseId, WorkspaceId};
use tradepost_domain::money::Cents;
use tradepost_domain::text::ExternalId;
use tradepost_domain::time::Timestamp;
use tradepost_domain::transition::Subject;
use tradepost_ports::changes::Caller;

use super::lifecycle_update::LifecycleUpdate;
use crate::commit::By;
use crate::contracts::items::receive_item::{CheckedReceipt, ReceiveItem};
use crate::results::require_version;
use crate::rules;
use crate::{OpError, OpResult, Operations, Reason, Versioned, fields};

/// Writes down how a purchase ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecordPurchaseOutcome {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The purchase.
    pub purchase_id: PurchaseId,
    /// The outcome.
    pub outcome: PurchaseOutcome,
    /// The evidence, 1 to 128 characters: the trade that brought the item, else the marketplace's statement or case.
    pub evidence: String,
    /// The refunded amount in cents, more than 0; the amount paid if absent. Of a refund only. Of a purchase that was refunded
    /// before, a further part of it, which has evidence of its own.
    pub amount_cents: Option<i64>,
    /// The asset id that the trade gave the item, 1 to 20 decimal digits; empty unless it was delivered.
    pub asset_id: String,
    /// The version that the caller saw, from 1; rejected when the purchase has another one.
    pub expected_version: Option<i64>,
}

/// The outcome of a purchase.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum PurchaseOutcome {
    /// The item arrived.
    Delivered,
    /// The money came back.
    Refunded,
    /// The money is accepted as lost.
    WrittenOff,
}

/// An outcome that was checked.
enum Ending {
    Arrived(Box<CheckedReceipt>),
    /// The money that came back, if it was said how much.
    Refunded(Option<Cents>),
    GivenUp,
}

/// An outcome that was checked, and its evidence.
struct ShownOutcome {
    ending: Ending,
    evidence: ExternalId,
}

impl Operations {
    /// Writes down how a purchase ended. What was delivered becomes an item, as if the service had seen it arrive: as its listing
    /// showed it, and protected for as long as the platform protects a trade of its game.
    ///
    /// # Errors
    /// `permission_denied`, `invalid_argument` naming the field, `not_found`, `failed_precondition`: `STEP_UP_REQUIRED`,
    /// `VERSION_MISMATCH`, `ILLEGAL_STEP` unless the purchase waits for this, and of an item that arrived `OTHER_TRADE`,
    /// `ASSET_ID_UNCHANGED`, `ASSET_ID_OWNED`, `ASSET_ID_MISMATCH`.
    pub async fn record_purchase_outcome(
        &self,
        caller: &Caller,
        command: RecordPurchaseOutcome,
    ) -> OpResult<Versioned<Purchase>> {
        let scope = rules::RECORD_PURCHASE_OUTCOME.enter(&caller.principal, command.workspace_id)?;
        fields::expected_version(command.expected_version)?;
        let at = self.market_now(command.workspace_id);
        let evidence: ExternalId = fields::text("evidence", &command.evidence)?;
        // No step changes the game of a purchase; the command reports a missing purchase in its turn.
        let found = self.ports.store.purchases().find(scope, command.purchase_id).await?;
        let app_id = found.map(|seen| seen.peek().terms.app_id).unwrap_or_default();
        let outcome = ShownOutcome { ending: self.ending_of(&command, app_id, at)?, evidence };
        let by = By { caller, at };
        self.in_turn(command.workspace_id, || self.end_purchase(by, scope, &command, &outcome)).await
    }

    fn ending_of(&self, command: &RecordPurchaseOutcome, app_id: AppId, at: Timestamp) -> OpResult<Ending> {
        let (is_refund, is_delivery) =
            (command.outcome == PurchaseOutcome::Refunded, command.outcome == PurchaseOutcome::Delivered);
        if command.amount_cents.is_some() && !is_refund {
            return Err(OpError::invalid_field("amountCents", "is only said of a refund"));
        }
        if !command.asset_id.is_empty() && !is_delivery {
            return Err(OpError::invalid_field("assetId", "is only said of what was delivered"));
        }
        match command.outcome {
            PurchaseOutcome::Delivered => {
                let days = app_id.protection_days();
                let arrived = ReceiveItem {
                    workspace_id: command.workspace_id,
                    purchase_id: command.purchase_id,
                    trade_id: command.evidence.clone(),
                    asset_id: command.asset_id.clone(),
                    protected_until: at.plus(Duration::days(i64::from(days))),
                    app_id,
                    context_id: if days > 0 { ContextId::PROTECTED } else { ContextId::ORDINARY },
                    traits: Traits::default(),
                    expected_version: command.expected_version,
                };
                arrival_of(self, arrived).map(Box::new).map(Ending::Arrived)
            }
            PurchaseOutcome::Refunded => {
                let amount = fields::optional(command.amount_cents, fields::cents, "amountCents")?;
                match amount {
                    Some(Cents::ZERO) => Err(OpError::invalid_field("amountCents", "must be more than 0")),
                    amount => Ok(Ending::Refunded(amount)),
                }
            }
            PurchaseOutcome::WrittenOff => Ok(Ending::GivenUp),
        }
    }

    async fn end_purchase(
        &self,
        by: By<'_>,
        scope: WorkspaceScope,
        command: &RecordPurchaseOutcome,
        outcome: &ShownOutcome,
    ) -> OpResult<Versioned<Purchase>> {
        let ShownOutcome { ending, evidence } = outcome;
        let mut steps = LifecycleUpdate::new(self, by.caller, by.at).shown_by(evidence.clone());
        steps.require_step_up(scope, rules::RECORD_PURCHASE_OUTCOME).await?;
        let found = self.ports.store.purchases().find(scope, command.purchase_id).await?;
        let seen = found.ok_or_else(|| OpError::not_found("purchase"))?;
        let about = About::from(seen.peek()).with(Fact::Cause, evidence);
        steps.audit(AuditKind::PurchaseOutcomeRecorded, about);
        let event = match ending {
            Ending::Arrived(arrival) => return Ok(take_in(self, steps, scope, arrival).await?.purchase),
            Ending::Refunded(amount) => self.refund_of(scope, seen.peek(), *amount, evidence).await?,
            Ending::GivenUp => PurchaseEvent::WrittenOff,
        };
        require_version(&seen, command.expected_version)?;
        let purchase = steps.purchase(scope, seen, event).await?;
        steps.commit().await?;
        Ok(purchase.into())
    }

    /// Returns the refund of a purchase, or a further part of it: one that says how much, and is shown by something else than the parts
    /// before.
    async fn refund_of(
        &self,
        scope: WorkspaceScope,
        purchase: &Purchase,
        amount: Option<Cents>,
        evidence: &ExternalId,
    ) -> OpResult<PurchaseEvent> {
        const MOST_STEPS: u32 = 1_000;
        let Some(part) = amount.filter(|_| purchase.status == PurchaseStatus::Refunded) else {
            return Ok(PurchaseEvent::RefundBooked { amount: amount.unwrap_or_else(|| purchase.cost()) });
        };
        let subject = Subject::Purchase(purchase.terms.id);
        let steps = self.ports.store.transitions().list_of(scope, subject, MOST_STEPS).await?;
        if steps.iter().any(|step| step.evidence.as_ref() == Some(evidence)) {
            let message =
                format!("what {evidence} shows is booked already; name what shows another part of the refund");
            return Err(OpError::failed_precondition(Reason::IllegalStep, message));
        }
        let total = purchase.progress.refunded.plus(part);
        let total = total.map_err(|error| OpError::invalid_field("amountCents", error))?;
        Ok(PurchaseEvent::RefundAdded { total })
    }
}
