//! The life of a contract: one table of legal steps and the guards that its own record can answer.

use super::{ClosingReason, Contract, ContractParts, ContractStatus, Counters, LimitError, Terms};
use crate::money::Cents;
use crate::text::Description;
use crate::time::Timestamp;

/// Something that happens to a contract.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ContractEvent {
    /// It is activated.
    Activated,
    /// A person pauses it.
    Paused {
        /// What the person said about it.
        reason: Option<Description>,
    },
    /// A paused or suspended contract works again.
    Resumed,
    /// The service stops it: failures, losses, stale prices, a provider or pool that is down, a halt.
    Suspended {
        /// What has to be resolved.
        cause: Description,
    },
    /// It takes on nothing new.
    Closed(ClosingReason),
    /// Its last open purchase or listing has ended.
    Finished,
    /// An open purchase failed, and there is room for another one after all.
    Reopened,
}

/// Why an event was refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum ContractError {
    /// The contract is not in a state in which this can happen.
    #[error("a contract that is {from} cannot be {event}")]
    IllegalStep {
        /// The state it is in.
        from: ContractStatus,
        /// The name of the event.
        event: &'static str,
    },
    /// Its limits make no sense.
    #[error(transparent)]
    Limits(#[from] LimitError),
    /// Its time is over.
    #[error("the contract ended at {ends_at}")]
    Ended {
        /// When it ended.
        ends_at: Timestamp,
    },
    /// Its time is not over yet.
    #[error("the contract has not reached its end")]
    NotEnded,
    /// Purchases or listings are still open.
    #[error("{open_quantity} purchases or listings are still open")]
    StillOpen {
        /// How many.
        open_quantity: u32,
    },
    /// It has room left, so neither quantity nor budget closes it.
    #[error("the contract has not reached its {0}")]
    RoomLeft(
        /// The limit: `target quantity` or `budget`.
        &'static str,
    ),
    /// It has no room for another purchase.
    #[error("the contract has reached its {0}")]
    NoRoom(
        /// The limit: `target quantity` or `budget`.
        &'static str,
    ),
}

impl ContractEvent {
    /// The name of the event, as the trigger of a transition.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Activated => "activated",
            Self::Paused { .. } => "paused",
            Self::Resumed => "resumed",
            Self::Suspended { .. } => "suspended",
            Self::Closed(_) => "closed",
            Self::Finished => "finished",
            Self::Reopened => "reopened",
        }
    }
}

impl ContractStatus {
    /// The whole table: the state that `event` leads to, `None` where it cannot happen.
    ///
    /// `closing_reason` is why a closing contract closed.
    #[expect(clippy::match_same_arms, reason = "one row for each legal step, with its reason next to it")]
    pub fn after(self, event: &ContractEvent, closing_reason: Option<ClosingReason>) -> Option<Self> {
        use ContractEvent as On;
        use ContractStatus as Is;
        Some(match (self, event) {
            (Is::Draft, On::Activated) => Is::Active,
            // What the service stopped can be stopped by a person, too, and does not work again by itself then.
            (Is::Active | Is::Suspended, On::Paused { .. }) => Is::Paused,
            (Is::Active, On::Suspended { .. }) => Is::Suspended,
            (Is::Paused | Is::Suspended, On::Resumed) => Is::Active,
            (Is::Active | Is::Paused | Is::Suspended, On::Closed(_)) => Is::Closing,
            (Is::Closing, On::Finished) => closing_reason?.outcome(),
            // A closed contract works again only if it closed for being full: neither a cancellation nor its end is undone.
            (Is::Closing, On::Reopened) if closing_reason?.is_full() => Is::Active,
            _ => return None,
        })
    }
}

impl Contract {
    /// Puts a draft to work.
    ///
    /// # Errors
    /// [`ContractError::IllegalStep`] unless it is a draft, [`ContractError::Limits`] when its limits make no sense,
    /// [`ContractError::Ended`] when its time is over.
    pub fn activate(self, at: Timestamp) -> Result<Self, ContractError> {
        self.apply(ContractEvent::Activated, at)
    }

    /// Returns the step that follows from the counters of the contract. It closes once it is full, is active again once there is room,
    /// and ends once nothing is open. A stopped contract closes only when it would end at once, so that only a user or the removal of
    /// the cause resumes it.
    pub fn due(&self, at: Timestamp) -> Option<ContractEvent> {
        let contract = &self.0;
        let is_over = contract.counters.open_quantity == 0;
        let full = full(&contract.terms, &contract.counters);
        match contract.status {
            ContractStatus::Active => full.map(ContractEvent::Closed),
            ContractStatus::Paused | ContractStatus::Suspended => full.filter(|_| is_over).map(ContractEvent::Closed),
            ContractStatus::Closing => {
                let was_full = contract.closing_reason.is_some_and(ClosingReason::is_full);
                if was_full && full.is_none() && check_not_ended(contract, at).is_ok() {
                    Some(ContractEvent::Reopened)
                } else {
                    is_over.then_some(ContractEvent::Finished)
                }
            }
            ContractStatus::Draft | ContractStatus::Completed | ContractStatus::Cancelled | ContractStatus::Expired => {
                None
            }
        }
    }

    /// Takes the step that `event` leads to.
    ///
    /// # Errors
    /// [`ContractError::IllegalStep`] when the event cannot happen in this state, another [`ContractError`] when its guard
    /// does not hold.
    pub fn apply(self, event: ContractEvent, at: Timestamp) -> Result<Self, ContractError> {
        let from = self.0.status;
        let to = from
            .after(&event, self.0.closing_reason)
            .ok_or(ContractError::IllegalStep { from, event: event.name() })?;
        let mut parts = self.0;
        check(&parts, &event, at)?;
        match event {
            ContractEvent::Paused { reason } => parts.status_reason = reason,
            ContractEvent::Suspended { cause } => parts.status_reason = Some(cause),
            ContractEvent::Closed(reason) => {
                parts.status_reason = None;
                parts.closing_reason = Some(reason);
            }
            ContractEvent::Activated | ContractEvent::Resumed => parts.status_reason = None,
            ContractEvent::Reopened => parts.closing_reason = None,
            ContractEvent::Finished => {}
        }
        parts.status = to;
        // A clock that runs behind another node's must not make the record younger.
        parts.updated_at = at.max(parts.updated_at);
        Ok(Self(parts))
    }
}

/// The guards that can be decided from the record and the event.
fn check(contract: &ContractParts, event: &ContractEvent, at: Timestamp) -> Result<(), ContractError> {
    let counters = &contract.counters;
    match event {
        ContractEvent::Activated => {
            contract.terms.check()?;
            check_not_ended(contract, at)
        }
        ContractEvent::Resumed => check_not_ended(contract, at),
        ContractEvent::Closed(reason) => check_closing(contract, *reason, at),
        ContractEvent::Finished if counters.open_quantity > 0 => {
            Err(ContractError::StillOpen { open_quantity: counters.open_quantity })
        }
        ContractEvent::Reopened => {
            check_not_ended(contract, at)?;
            match full(&contract.terms, counters) {
                Some(reason) => Err(ContractError::NoRoom(limit(reason))),
                None => Ok(()),
            }
        }
        ContractEvent::Finished | ContractEvent::Paused { .. } | ContractEvent::Suspended { .. } => Ok(()),
    }
}

fn check_closing(contract: &ContractParts, reason: ClosingReason, at: Timestamp) -> Result<(), ContractError> {
    let room = |limit, reached| if reached { Ok(()) } else { Err(ContractError::RoomLeft(limit)) };
    match reason {
        ClosingReason::Ended if check_not_ended(contract, at).is_ok() => Err(ContractError::NotEnded),
        ClosingReason::Cancelled | ClosingReason::Ended => Ok(()),
        ClosingReason::QuantityReached => room(QUANTITY, quantity_reached(&contract.terms, &contract.counters)),
        ClosingReason::BudgetUsed => room(BUDGET, budget_used(&contract.terms, &contract.counters)),
    }
}

const QUANTITY: &str = "target quantity";
const BUDGET: &str = "budget";

/// Why there is no room for another purchase, if there is none.
fn full(terms: &Terms, counters: &Counters) -> Option<ClosingReason> {
    if quantity_reached(terms, counters) {
        Some(ClosingReason::QuantityReached)
    } else if budget_used(terms, counters) {
        Some(ClosingReason::BudgetUsed)
    } else {
        None
    }
}

/// The name of the limit that was reached.
const fn limit(reason: ClosingReason) -> &'static str {
    if matches!(reason, ClosingReason::QuantityReached) { QUANTITY } else { BUDGET }
}

fn quantity_reached(terms: &Terms, counters: &Counters) -> bool {
    match terms {
        Terms::Buying(buying) => {
            counters.filled_quantity.saturating_add(counters.open_quantity) >= buying.target_quantity
        }
        Terms::Selling(_) => false,
    }
}

fn budget_used(terms: &Terms, counters: &Counters) -> bool {
    match terms {
        Terms::Buying(buying) => counters.spent.plus(counters.reserved).unwrap_or(Cents::MAX) >= buying.budget,
        Terms::Selling(_) => false,
    }
}

fn check_not_ended(contract: &ContractParts, at: Timestamp) -> Result<(), ContractError> {
    match contract.ends_at {
        Some(ends_at) if ends_at <= at => Err(ContractError::Ended { ends_at }),
        Some(_) | None => Ok(()),
    }
}
