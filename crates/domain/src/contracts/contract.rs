//! A contract: a standing order to buy or to sell, with its limits and how far it has come.
//!
//! A [`Contract`] can be read freely but only made by [`Contract::draft`], changed by [`Contract::apply`],
//! [`Contract::change`], [`Contract::count`] and [`Contract::count_sale`], and read back from a store by [`Contract::restore`]. Filter sets, pools and prices are checked by those
//! who hold them; its revision counter belongs to the store.

mod activity;
mod breaker;
mod buying;
mod change;
mod machine;
mod proposing;
mod selling;
mod suspension;
mod terms;
mod version;

use std::collections::BTreeSet;
use std::ops::Deref;

use crate::id::{ContractId, FilterSetId, PoolId, WorkspaceId};
use crate::money::Cents;
use crate::names::names;
use crate::text::{Description, Marketplace, Name};
use crate::time::Timestamp;

pub use activity::{Activity, Proposed};
pub use breaker::{FAILURES_IN_A_ROW, LOOKED_BACK, fails, is_failing, stops_by_loss};
pub use buying::{AdmissionError, CounterMismatch};
pub use change::{ChangeError, ContractChange, Replaced};
pub use machine::{ContractError, ContractEvent};
pub use suspension::SuspensionCause;
pub use terms::{
    ApprovalMode, BasisPoints, BuyingTerms, ContractType, InvalidBasisPoints, LimitError, PriceReference,
    PriceStatistic, SellingTerms, Terms, Undercut,
};
pub use version::ContractVersion;

/// The status of a contract.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ContractStatus {
    /// Being written; does nothing.
    Draft = 1,
    /// Active: it trades.
    Active = 2,
    /// Stopped by a person.
    Paused = 3,
    /// Stopped by the service until a cause is resolved.
    Suspended = 4,
    /// Takes on nothing new, what is open runs out.
    Closing = 5,
    /// Final: quantity or budget was reached.
    Completed = 6,
    /// Final: cancelled.
    Cancelled = 7,
    /// Final: its time was over.
    Expired = 8,
}

names! { ContractStatus, "contract status":
    Draft => "DRAFT",
    Active => "ACTIVE",
    Paused => "PAUSED",
    Suspended => "SUSPENDED",
    Closing => "CLOSING",
    Completed => "COMPLETED",
    Cancelled => "CANCELLED",
    Expired => "EXPIRED",
}

impl ContractStatus {
    /// Whether the contract has ended and never works again.
    pub const fn is_terminal(self) -> bool {
        matches!(self, Self::Completed | Self::Cancelled | Self::Expired)
    }

    /// Whether the contract closes when its end passes.
    pub const fn can_be_closed(self) -> bool {
        matches!(self, Self::Active | Self::Paused | Self::Suspended)
    }
}

/// Why a contract closed; decides how it ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ClosingReason {
    /// Everything is bought or in transit.
    QuantityReached = 1,
    /// The budget is spent or reserved.
    BudgetUsed = 2,
    /// A person cancelled it.
    Cancelled = 3,
    /// Its time is over.
    Ended = 4,
}

names! { ClosingReason, "reason for closing":
    QuantityReached => "QUANTITY_REACHED",
    BudgetUsed => "BUDGET_USED",
    Cancelled => "CANCELLED",
    Ended => "ENDED",
}

impl ClosingReason {
    /// The state in which the contract ends.
    pub const fn outcome(self) -> ContractStatus {
        match self {
            Self::QuantityReached | Self::BudgetUsed => ContractStatus::Completed,
            Self::Cancelled => ContractStatus::Cancelled,
            Self::Ended => ContractStatus::Expired,
        }
    }

    /// Whether it closed for being full, so that a failed purchase makes room again.
    pub const fn is_full(self) -> bool {
        matches!(self, Self::QuantityReached | Self::BudgetUsed)
    }
}

/// How far a contract has come: the sum over its purchases, or its listings.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Counters {
    /// Items bought or sold.
    pub filled_quantity: u32,
    /// Purchases or listings that are open.
    pub open_quantity: u32,
    /// Money spent and not returned.
    pub spent: Cents,
    /// Money reserved.
    pub reserved: Cents,
}

/// What a contract is made from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ContractDraft {
    /// The id of the contract to be made.
    pub id: ContractId,
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// Its name.
    pub name: Name,
    /// Its limits.
    pub terms: Terms,
    /// The items it is for; all if `None`.
    pub filter_set_id: Option<FilterSetId>,
    /// The pool its money comes from.
    pub pool_id: Option<PoolId>,
    /// The approval mode of its proposals.
    pub approval_mode: ApprovalMode,
    /// The marketplaces it works on; empty means all of them.
    pub marketplaces: Vec<Marketplace>,
    /// Where it takes an item's value from.
    pub price_reference: Option<PriceReference>,
    /// When it begins to work.
    pub starts_at: Option<Timestamp>,
    /// When its time is over.
    pub ends_at: Option<Timestamp>,
}

/// Why a draft was refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum DraftError {
    /// It ends before it starts.
    #[error("a contract must end after it starts")]
    EndsBeforeStart,
    /// A marketplace is named twice.
    #[error("marketplace {0} is named twice")]
    MarketplaceTwice(
        /// The marketplace.
        Marketplace,
    ),
    /// More marketplaces than a contract takes.
    #[error("a contract names at most {} marketplaces", Contract::MAX_MARKETPLACES)]
    TooManyMarketplaces,
    /// A price source is named twice.
    #[error("price source {0} is named twice")]
    SourceTwice(
        /// The price source.
        Marketplace,
    ),
    /// More price sources than a contract takes.
    #[error("a contract names at most {} price sources", Contract::MAX_PRICE_SOURCES)]
    TooManySources,
}

/// Only a draft is deleted: what was done under a contract needs it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a contract that is {0} is not deleted; cancel it instead")]
pub struct NotADraft(
    /// The current status.
    pub ContractStatus,
);

/// All fields of a contract, as a store keeps them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ContractParts {
    /// Its own id.
    pub id: ContractId,
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// Its name.
    pub name: Name,
    /// Its limits.
    pub terms: Terms,
    /// The current status.
    pub status: ContractStatus,
    /// Why it is paused or suspended.
    pub status_reason: Option<Description>,
    /// Why it closed, from CLOSING on.
    pub closing_reason: Option<ClosingReason>,
    /// The items it is for; all if `None`.
    pub filter_set_id: Option<FilterSetId>,
    /// The pool its money comes from.
    pub pool_id: Option<PoolId>,
    /// The approval mode of its proposals.
    pub approval_mode: ApprovalMode,
    /// The marketplaces it works on; empty means all of them.
    pub marketplaces: Vec<Marketplace>,
    /// Where it takes an item's value from.
    pub price_reference: Option<PriceReference>,
    /// When it begins to work.
    pub starts_at: Option<Timestamp>,
    /// When its time is over.
    pub ends_at: Option<Timestamp>,
    /// How far it has come.
    pub counters: Counters,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it last changed.
    pub updated_at: Timestamp,
}

/// A contract that keeps every rule. Its parts are read through [`Deref`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Contract(ContractParts);

/// A stored contract breaks a rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a contract that is {status} breaks a rule: {rule}")]
pub struct CorruptContract {
    /// The stored status.
    pub status: ContractStatus,
    /// The rule.
    pub rule: &'static str,
}

impl Contract {
    /// The most marketplaces that a contract names.
    pub const MAX_MARKETPLACES: usize = 32;

    /// The most price sources that a contract names.
    pub const MAX_PRICE_SOURCES: usize = 16;

    /// Makes a draft. Its limits are checked when it is activated, so that it can be written in steps.
    ///
    /// # Errors
    /// [`DraftError`] when the draft contradicts itself.
    pub fn draft(draft: ContractDraft, at: Timestamp) -> Result<Self, DraftError> {
        let parts = ContractParts {
            id: draft.id,
            workspace_id: draft.workspace_id,
            name: draft.name,
            terms: draft.terms,
            status: ContractStatus::Draft,
            status_reason: None,
            closing_reason: None,
            filter_set_id: draft.filter_set_id,
            pool_id: draft.pool_id,
            approval_mode: draft.approval_mode,
            marketplaces: draft.marketplaces,
            price_reference: draft.price_reference,
            starts_at: draft.starts_at,
            ends_at: draft.ends_at,
            counters: Counters::default(),
            created_at: at,
            updated_at: at,
        };
        parts.check_fields()?;
        Ok(Self(parts))
    }

    /// A draft that has everything of this contract but its name and what was done under it.
    #[must_use]
    pub fn copied(&self, id: ContractId, name: Name, at: Timestamp) -> Self {
        Self(ContractParts {
            id,
            name,
            status: ContractStatus::Draft,
            status_reason: None,
            closing_reason: None,
            counters: Counters::default(),
            created_at: at,
            updated_at: at,
            ..self.0.clone()
        })
    }

    /// Checks that the contract may be deleted: nothing was ever done under it.
    ///
    /// # Errors
    /// [`NotADraft`] once it was activated.
    pub fn check_deletable(&self) -> Result<(), NotADraft> {
        if self.0.status == ContractStatus::Draft { Ok(()) } else { Err(NotADraft(self.0.status)) }
    }

    /// Takes a contract back from a store.
    ///
    /// # Errors
    /// [`CorruptContract`] when the parts contradict each other.
    pub fn restore(parts: ContractParts) -> Result<Self, CorruptContract> {
        match parts.broken_rule() {
            Some(rule) => Err(CorruptContract { status: parts.status, rule }),
            None => Ok(Self(parts)),
        }
    }

    /// The parts, for a store.
    pub fn into_parts(self) -> ContractParts {
        self.0
    }

    /// Whether it buys or sells.
    pub fn contract_type(&self) -> ContractType {
        self.0.terms.contract_type()
    }
}

fn named_twice(names: &[Marketplace]) -> Option<Marketplace> {
    let mut seen = BTreeSet::new();
    names.iter().find(|name| !seen.insert(*name)).cloned()
}

impl Deref for Contract {
    type Target = ContractParts;

    fn deref(&self) -> &ContractParts {
        &self.0
    }
}

impl ContractParts {
    /// The rules that hold for the fields of every contract, whatever state it is in.
    fn check_fields(&self) -> Result<(), DraftError> {
        if let (Some(starts_at), Some(ends_at)) = (self.starts_at, self.ends_at)
            && ends_at <= starts_at
        {
            return Err(DraftError::EndsBeforeStart);
        }
        if self.marketplaces.len() > Contract::MAX_MARKETPLACES {
            return Err(DraftError::TooManyMarketplaces);
        }
        if let Some(twice) = named_twice(&self.marketplaces) {
            return Err(DraftError::MarketplaceTwice(twice));
        }
        let sources = self.price_reference.as_ref().map_or(&[][..], |reference| &reference.sources);
        if sources.len() > Contract::MAX_PRICE_SOURCES {
            return Err(DraftError::TooManySources);
        }
        match named_twice(sources) {
            Some(twice) => Err(DraftError::SourceTwice(twice)),
            None => Ok(()),
        }
    }

    /// The first rule that the parts break. Every record that the machine makes breaks none.
    fn broken_rule(&self) -> Option<&'static str> {
        use ContractStatus as Is;
        let status = self.status;
        let closed = status == Is::Closing || status.is_terminal();
        let ordered = self.starts_at.zip(self.ends_at).is_none_or(|(starts_at, ends_at)| starts_at < ends_at);
        let rules = [
            (self.closing_reason.is_some() == closed, "a closed contract says why it closed, no other does"),
            (
                !status.is_terminal() || self.closing_reason.is_some_and(|reason| reason.outcome() == status),
                "a contract ends as the reason for closing says",
            ),
            (self.status_reason.is_some() || status != Is::Suspended, "a suspended contract says why"),
            (
                self.status_reason.is_none() || matches!(status, Is::Paused | Is::Suspended),
                "only a stopped contract says why it stopped",
            ),
            (status == Is::Draft || self.terms.check().is_ok(), "an active contract has consistent limits"),
            (status != Is::Draft || self.counters == Counters::default(), "a draft has done nothing"),
            (ordered, "a contract ends after it starts"),
            (self.created_at <= self.updated_at, "it is not changed before it is made"),
        ];
        rules.into_iter().find(|(kept, _)| !kept).map(|(_, rule)| rule)
    }
}
