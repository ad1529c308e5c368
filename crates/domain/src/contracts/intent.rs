//! An intent: a decision to act, written down before anything is done.
//!
//! What was decided, and on what grounds, never changes and sits in [`IntentTerms`]. An [`Intent`] can be read freely but only
//! made by [`Intent::propose`], changed by [`Intent::apply`] and read back from a store by [`Intent::restore`]. Whether its
//! contract allows it is asked of the contract; its revision counter belongs to the store.

mod follow_up;
mod machine;
mod moment;
mod status;
mod target;

use std::ops::Deref;

use crate::contracts::contract::ApprovalMode;
use crate::contracts::evaluation::EvaluationRecord;
use crate::contracts::purchase::{FailureCode, Purchase};
use crate::id::{ContractId, EvaluationId, IntentId, InventoryItemId, PurchaseId, TradeOfferId, WorkspaceId};
use crate::money::{Cents, MoneyError};
use crate::text::{ExternalId, Name, ReasonText};
use crate::time::Timestamp;

pub use follow_up::{FOLLOWED_AFTER, FOLLOWED_FOR, FollowUp, FollowUpError, FollowUpOutcome, SeenAgain};
pub use machine::{
    APPROVED_BUY_LIFETIME, DECISION_LIFETIME, HELD_FOR, IntentError, IntentEvent, LOOKS, UNSERVED_LIFETIME,
    WithdrawalCause,
};
pub use moment::Moment;
pub use status::{IntentKind, IntentStatus};
pub use target::{ItemTarget, ListingTarget, Target};

/// What is to be done, for whom and why: fixed when the intent is proposed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IntentTerms {
    /// The intent's id.
    pub id: IntentId,
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The contract that it is for; `None` for what a person asked for.
    pub contract_id: Option<ContractId>,
    /// What is to be done.
    pub kind: IntentKind,
    /// To what.
    pub target: Target,
    /// By what it was decided.
    pub basis: DecisionBasis,
    /// The approval mode.
    pub approval_mode: ApprovalMode,
}

/// By what an intent was decided.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct DecisionBasis {
    /// The evaluation that says so, if one was made.
    pub evaluation_id: Option<EvaluationId>,
    /// The version of the contract's filter set that chose the item.
    pub filter_set_version: Option<u32>,
    /// What the item was thought to be worth.
    pub fair_value: Option<Cents>,
}

impl From<&EvaluationRecord> for DecisionBasis {
    fn from(evaluation: &EvaluationRecord) -> Self {
        Self {
            evaluation_id: Some(evaluation.id),
            filter_set_version: evaluation.filter_set_version,
            fair_value: evaluation.sums.fair_value,
        }
    }
}

/// What came of an intent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum IntentResult {
    /// The purchase that was recorded for it.
    Purchase(PurchaseId),
    /// The marketplace's identifier of the listing that was made or changed.
    Listing(ExternalId),
    /// The trade offer that moves the item.
    Offer(TradeOfferId),
}

/// All fields of an intent, as a store keeps them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IntentParts {
    /// What was decided.
    pub terms: IntentTerms,
    /// The current status.
    pub status: IntentStatus,
    /// Until when it waits for its decision or execution, by the market's clock.
    pub expires_at: Timestamp,
    /// Until when it waits in any case, by the server's clock.
    pub held_until: Timestamp,
    /// How often an engine has looked at it since it was approved and left it for later; counted up to [`LOOKS`].
    pub looks: u8,
    /// The check that refused it, what made it fail or expire, or what an engine waits for.
    pub failed_check: Option<Name>,
    /// What the person who ended it said.
    pub reason: Option<ReasonText>,
    /// What came of it.
    pub result: Option<IntentResult>,
    /// The second look at the listing that would have been bought; `None` of every other intent.
    pub follow_up: Option<FollowUp>,
    /// When it was proposed.
    pub created_at: Timestamp,
    /// When it last changed.
    pub updated_at: Timestamp,
}

/// An intent that keeps every rule. Its parts are read through [`Deref`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Intent(IntentParts);

/// Why a proposal was refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum ProposalError {
    /// Only listings are bought, only items of ours sold.
    #[error("an intent to {0} is about something else")]
    OtherTarget(
        /// What was to be done.
        IntentKind,
    ),
    /// A purchase is made under a contract.
    #[error("a purchase needs a contract")]
    NoContract,
    /// A price of nothing.
    #[error("the price must be more than zero")]
    FreeOfCharge,
    /// No price where one is needed.
    #[error("an intent to {0} needs a price")]
    NoPrice(
        /// What was to be done.
        IntentKind,
    ),
    /// Nowhere to put it on sale.
    #[error("an intent to list an item names the marketplace")]
    NoMarketplace,
    /// No account that receives the item.
    #[error("an intent to transfer an item names the account that receives it")]
    NoRecipient,
    /// Price and fee exceed the maximum.
    #[error("price and fee come to {}, more than the maximum of {}", .all_in.decimal(), .max_buy_price.decimal())]
    AboveMaximum {
        /// Listing price and platform fee.
        all_in: Cents,
        /// The most that they may come to.
        max_buy_price: Cents,
    },
    /// Price and fee are more than an amount can be.
    #[error(transparent)]
    Money(#[from] MoneyError),
}

/// A stored intent breaks a rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("an intent that is {status} breaks a rule: {rule}")]
pub struct CorruptIntent {
    /// The stored status.
    pub status: IntentStatus,
    /// The rule.
    pub rule: &'static str,
}

impl IntentTerms {
    fn check(&self) -> Result<(), ProposalError> {
        if self.kind == IntentKind::Buy && self.contract_id.is_none() {
            return Err(ProposalError::NoContract);
        }
        self.target.check(self.kind)
    }
}

impl Intent {
    /// Writes a decision down; nothing is done by it yet.
    ///
    /// # Errors
    /// [`ProposalError`] when the intent contradicts itself.
    pub fn propose(terms: IntentTerms, at: Moment) -> Result<Self, ProposalError> {
        terms.check()?;
        Ok(Self(IntentParts {
            terms,
            status: IntentStatus::Proposed,
            expires_at: at.market.plus(DECISION_LIFETIME),
            held_until: at.server.plus(HELD_FOR),
            looks: 0,
            failed_check: None,
            reason: None,
            result: None,
            follow_up: None,
            created_at: at.market,
            updated_at: at.market,
        }))
    }

    /// Has the listing that would have been bought looked at again.
    ///
    /// # Errors
    /// [`FollowUpError::NotFollowed`] unless it is the dry run of a purchase.
    pub fn followed(mut self) -> Result<Self, FollowUpError> {
        if !self.0.is_dry_purchase() {
            return Err(FollowUpError::NotFollowed);
        }
        self.0.follow_up = Some(FollowUp::after(self.0.created_at));
        Ok(self)
    }

    /// Records the second look at the listing that would have been bought. A look an hour after the decision counts as none.
    ///
    /// # Errors
    /// [`FollowUpError`] when it is not due.
    pub fn see_again(mut self, seen: SeenAgain) -> Result<Self, FollowUpError> {
        self.0.check_due(seen.at)?;
        let seen = if self.0.is_late_to_follow(seen.at) { SeenAgain::not_shown(seen.at) } else { seen };
        self.0.follow_up = Some(FollowUp::Done(seen));
        self.0.updated_at = seen.at.max(self.0.updated_at);
        Ok(self)
    }

    /// Has the listing looked at later, because the marketplace does not show it now; an hour after the decision it counts as not shown.
    ///
    /// # Errors
    /// [`FollowUpError`] when it is not due.
    pub fn look_later(mut self, at: Timestamp) -> Result<Self, FollowUpError> {
        self.0.check_due(at)?;
        if self.0.is_late_to_follow(at) {
            return self.see_again(SeenAgain::not_shown(at));
        }
        self.0.follow_up = Some(FollowUp::after(at));
        self.0.updated_at = at.max(self.0.updated_at);
        Ok(self)
    }

    /// Takes an intent back from a store.
    ///
    /// # Errors
    /// [`CorruptIntent`] when the parts contradict each other.
    pub fn restore(parts: IntentParts) -> Result<Self, CorruptIntent> {
        match parts.broken_rule() {
            Some(rule) => Err(CorruptIntent { status: parts.status, rule }),
            None => Ok(Self(parts)),
        }
    }

    /// Whether it can still come to something. A listing has one live intent to buy it, an item one live intent to sell or transfer it.
    pub fn is_live(&self) -> bool {
        !self.0.status.is_terminal()
    }

    /// The item that it sells or transfers; such intents exclude each other.
    pub fn claimed_item(&self) -> Option<InventoryItemId> {
        match (&self.0.terms.target, self.0.terms.kind.claims_item()) {
            (Target::Item(item), true) => Some(item.inventory_item_id),
            (Target::Item(_) | Target::Listing(_) | Target::Offer(_), _) => None,
        }
    }

    /// Returns the outcome of the intent by the status of its purchase; `None` as long as the purchase may still be charged.
    pub fn outcome_of(purchase: &Purchase) -> Option<IntentEvent> {
        if purchase.holds_reservation() {
            return None;
        }
        if purchase.status.was_paid() {
            return Some(IntentEvent::Succeeded { result: None });
        }
        let why = purchase.progress.failure_code.map_or(purchase.status.as_str(), FailureCode::as_str);
        Name::new(why).ok().map(|check| IntentEvent::Failed { check })
    }

    /// The purchase that was recorded for it.
    pub fn purchase_id(&self) -> Option<PurchaseId> {
        match &self.0.result {
            Some(IntentResult::Purchase(id)) => Some(*id),
            Some(IntentResult::Listing(_) | IntentResult::Offer(_)) | None => None,
        }
    }

    /// The trade offer that moves its item.
    pub fn trade_offer_id(&self) -> Option<TradeOfferId> {
        match &self.0.result {
            Some(IntentResult::Offer(id)) => Some(*id),
            Some(IntentResult::Purchase(_) | IntentResult::Listing(_)) | None => None,
        }
    }
}

impl Deref for Intent {
    type Target = IntentParts;

    fn deref(&self) -> &IntentParts {
        &self.0
    }
}

impl IntentParts {
    /// Whether a second look at its listing comes too late: an hour after the decision.
    pub fn is_late_to_follow(&self, at: Timestamp) -> bool {
        self.created_at.plus(FOLLOWED_FOR) <= at
    }

    fn check_due(&self, at: Timestamp) -> Result<(), FollowUpError> {
        match self.follow_up {
            Some(FollowUp::Due(due)) if due <= at => Ok(()),
            Some(FollowUp::Due(due)) => Err(FollowUpError::Early(due)),
            Some(FollowUp::Done(_)) | None => Err(FollowUpError::NotFollowed),
        }
    }

    /// Whether it only shows that its contract would buy a listing.
    fn is_dry_purchase(&self) -> bool {
        self.terms.kind == IntentKind::Buy && self.terms.approval_mode == ApprovalMode::DryRun
    }

    /// The first rule that the parts break. Every record that the machine makes breaks none.
    fn broken_rule(&self) -> Option<&'static str> {
        use IntentStatus as Is;
        let status = self.status;
        let carried_out = matches!(status, Is::Executing | Is::Succeeded | Is::Failed | Is::Denied);
        let rules = [
            (self.terms.check().is_ok(), "it is about what its kind acts on, at a price that can be"),
            (
                self.failed_check.is_some() || !matches!(status, Is::Failed | Is::Denied),
                "the check that refused it is on record",
            ),
            (
                self.failed_check.is_none() || matches!(status, Is::Failed | Is::Denied | Is::Approved | Is::Expired),
                "a check is on record only of what one refuses or keeps waiting",
            ),
            (self.reason.is_none() || matches!(status, Is::Rejected | Is::Cancelled), "only who ended it says why"),
            (self.result.is_none() || carried_out, "something comes only of what is carried out"),
            (
                self.follow_up.is_none() || self.is_dry_purchase(),
                "only a listing that would be bought is looked at again",
            ),
            (self.created_at <= self.updated_at, "it is not changed before it is proposed"),
        ];
        rules.into_iter().find(|(kept, _)| !kept).map(|(_, rule)| rule)
    }
}
