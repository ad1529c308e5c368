//! What the service stops a contract for by itself, and when it lets it work again.

use super::{Contract, ContractEvent, ContractParts, ContractStatus, Terms};
use crate::contracts::remediation::RemediationKind;
use crate::names::names;
use crate::text::Description;

/// The reason for which the service suspends buying contracts. Its name is the contract's `status_reason` during the suspension.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SuspensionCause {
    /// Trading is halted in the workspace.
    TradingHalted = 1,
    /// The contract's pool is paused.
    PoolPaused = 2,
    /// Its purchases have failed one after the other, or it has lost on a day what it may lose.
    BreakerOpen = 3,
    /// Too few of its price sources are up to date.
    PriceSourceStale = 4,
    /// It seems to have bought the same thing twice.
    DuplicateSuspect = 5,
}

names! { SuspensionCause, "cause of a suspension":
    TradingHalted => "TRADING_HALTED",
    PoolPaused => "POOL_PAUSED",
    BreakerOpen => "BREAKER_OPEN",
    PriceSourceStale => "PRICE_SOURCE_STALE",
    DuplicateSuspect => "DUPLICATE_SUSPECT",
}

impl SuspensionCause {
    /// Whether it is over when neither a halt nor a paused pool stops the contract.
    const fn is_halt(self) -> bool {
        match self {
            Self::TradingHalted | Self::PoolPaused => true,
            Self::BreakerOpen | Self::PriceSourceStale | Self::DuplicateSuspect => false,
        }
    }

    /// Returns the problem that is reported while a contract is suspended for this cause. A halt or a paused pool reports none, because
    /// a user caused it.
    pub const fn problem(self) -> Option<RemediationKind> {
        match self {
            Self::TradingHalted | Self::PoolPaused => None,
            Self::BreakerOpen => Some(RemediationKind::BreakerOpen),
            Self::PriceSourceStale => Some(RemediationKind::PriceSourceStale),
            Self::DuplicateSuspect => Some(RemediationKind::DuplicateSuspect),
        }
    }
}

impl ContractParts {
    /// What it is suspended for; `None` unless it is, and for a cause that only a person can judge.
    pub fn suspended_for(&self) -> Option<SuspensionCause> {
        let reason = self.status_reason.as_ref().filter(|_| self.status == ContractStatus::Suspended)?;
        reason.as_str().parse().ok()
    }
}

impl Contract {
    /// Returns the step for a cause, or for its end. An active contract that buys is suspended. A contract that was suspended for a halt
    /// or its pool resumes once there is neither. Other suspensions end when a user resumes the contract or when
    /// [prices](Contract::due_for_prices) are available. Selling needs no money and continues.
    pub fn due_for(&self, cause: Option<SuspensionCause>) -> Option<ContractEvent> {
        match (self.status, cause) {
            (ContractStatus::Active, Some(cause)) if matches!(self.terms, Terms::Buying(_)) => {
                let cause = Description::new(cause.as_str()).ok()?;
                Some(ContractEvent::Suspended { cause })
            }
            (ContractStatus::Suspended, None) => {
                self.suspended_for().filter(|cause| cause.is_halt()).map(|_| ContractEvent::Resumed)
            }
            _ => None,
        }
    }
}
