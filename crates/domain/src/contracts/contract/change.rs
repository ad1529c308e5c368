//! Changing a contract: which of its fields may change in which state, and how far its limits may fall.

use super::{ApprovalMode, Contract, ContractParts, ContractStatus, DraftError, LimitError, PriceReference, Terms};
use crate::id::{FilterSetId, PoolId};
use crate::money::{Cents, Decimal};
use crate::text::{Marketplace, Name};
use crate::time::Timestamp;

/// The change of an optional field.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Replaced<T> {
    /// It stays.
    #[default]
    Not,
    /// Nothing takes its place.
    ByNothing,
    /// This takes its place.
    By(T),
}

/// What is to change of a contract; what is absent stays.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ContractChange {
    /// The name from now on.
    pub name: Option<Name>,
    /// The limits from now on, all of them; of the same type.
    pub terms: Option<Terms>,
    /// The items it is for from now on.
    pub filter_set_id: Replaced<FilterSetId>,
    /// The pool its money comes from; of a draft only.
    pub pool_id: Replaced<PoolId>,
    /// The approval mode from now on.
    pub approval_mode: Option<ApprovalMode>,
    /// The marketplaces it works on from now on; empty means all of them.
    pub marketplaces: Option<Vec<Marketplace>>,
    /// Where it takes an item's value from now on.
    pub price_reference: Replaced<PriceReference>,
    /// When it begins to work; of a draft only.
    pub starts_at: Replaced<Timestamp>,
    /// When its time is over.
    pub ends_at: Replaced<Timestamp>,
}

/// Why a change was refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ChangeError {
    /// It accepts no new work.
    #[error("a contract that is {0} can no longer be changed")]
    Closed(
        /// The current status.
        ContractStatus,
    ),
    /// It would sell instead of buying, or buy instead of selling.
    #[error("a contract keeps its type")]
    OtherType,
    /// The field is fixed once the contract was activated.
    #[error("the {0} of a contract can be changed only while it is a draft")]
    Fixed(
        /// The field.
        &'static str,
    ),
    /// It contradicts itself.
    #[error(transparent)]
    Draft(#[from] DraftError),
    /// Its limits make no sense.
    #[error(transparent)]
    Limits(#[from] LimitError),
    /// Its time would be over.
    #[error("the contract would have ended at {0}")]
    Ended(
        /// When.
        Timestamp,
    ),
    /// A limit would be less than what is used of it.
    #[error("the {limit} cannot be less than {}, which is bought or in transit", in_use(limit, *used))]
    BelowUse {
        /// The limit: `target quantity` or `budget`.
        limit: &'static str,
        /// What is used of it: items, or cents.
        used: i64,
    },
}

const BUDGET: &str = "budget";

/// What is used of a limit: the budget is an amount, and the target quantity a number of items.
fn in_use(limit: &str, used: i64) -> String {
    if limit == BUDGET { Decimal::of(used).to_string() } else { used.to_string() }
}

impl<T> Replaced<T> {
    /// What is there from now on.
    fn over(self, before: Option<T>) -> Option<T> {
        match self {
            Self::Not => before,
            Self::ByNothing => None,
            Self::By(value) => Some(value),
        }
    }
}

impl Contract {
    /// Returns the contract after a change. Every field of a draft can change. An active contract keeps its pool and its start; its
    /// limits stay consistent and cover what is bought or in transit.
    ///
    /// # Errors
    /// The first [`ChangeError`] found.
    pub fn change(self, change: ContractChange, at: Timestamp) -> Result<Self, ChangeError> {
        let before = self.0;
        let is_draft = before.status == ContractStatus::Draft;
        if before.closing_reason.is_some() {
            return Err(ChangeError::Closed(before.status));
        }
        if !is_draft && change.pool_id != Replaced::Not {
            return Err(ChangeError::Fixed("poolId"));
        }
        if !is_draft && change.starts_at != Replaced::Not {
            return Err(ChangeError::Fixed("startsAt"));
        }
        let parts = ContractParts {
            name: change.name.unwrap_or(before.name),
            terms: change.terms.unwrap_or_else(|| before.terms.clone()),
            filter_set_id: change.filter_set_id.over(before.filter_set_id),
            pool_id: change.pool_id.over(before.pool_id),
            approval_mode: change.approval_mode.unwrap_or(before.approval_mode),
            marketplaces: change.marketplaces.unwrap_or(before.marketplaces),
            price_reference: change.price_reference.over(before.price_reference),
            starts_at: change.starts_at.over(before.starts_at),
            ends_at: change.ends_at.over(before.ends_at),
            updated_at: at.max(before.updated_at),
            ..before
        };
        if parts.terms.contract_type() != before.terms.contract_type() {
            return Err(ChangeError::OtherType);
        }
        parts.check_fields()?;
        if !is_draft {
            parts.check_at_work(at)?;
        }
        Ok(Self(parts))
    }
}

impl ContractParts {
    fn check_at_work(&self, at: Timestamp) -> Result<(), ChangeError> {
        self.terms.check()?;
        if let Some(ends_at) = self.ends_at.filter(|ends_at| *ends_at <= at) {
            return Err(ChangeError::Ended(ends_at));
        }
        let Terms::Buying(terms) = &self.terms else { return Ok(()) };
        let items = self.counters.filled_quantity.saturating_add(self.counters.open_quantity);
        if terms.target_quantity < items {
            return Err(ChangeError::BelowUse { limit: "target quantity", used: items.into() });
        }
        let money = self.counters.spent.plus(self.counters.reserved).unwrap_or(Cents::MAX);
        if terms.budget < money {
            return Err(ChangeError::BelowUse { limit: BUDGET, used: money.get() });
        }
        Ok(())
    }
}
