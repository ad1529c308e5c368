//! The life of a trading account: one table of legal steps and their guards.

use super::{AccountLock, AccountParts, AccountStatus, TradingAccount};
use crate::text::Description;
use crate::time::Timestamp;

/// What still hangs on an account.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct OpenAccountWork {
    /// Purchases that are not over.
    pub purchases: u32,
    /// Items that are ours and with it.
    pub items: u32,
    /// Trade offers that are not over.
    pub offers: u32,
    /// Assignments that name it.
    pub assignments: u32,
}

/// Something that happens to a trading account.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AccountEvent {
    /// It is being signed in.
    SigningIn,
    /// It is signed in, and works.
    SignedIn,
    /// Limits, maintenance or a clock that is off disturb it.
    Disturbed,
    /// What disturbed it is over.
    Recovered,
    /// The platform no longer accepts its session.
    SessionLost,
    /// The platform restricts it.
    Restricted(
        /// Why, and until when.
        AccountLock,
    ),
    /// Its restriction is over.
    RestrictionEnded,
    /// A person takes it out of work.
    Disabled,
    /// A person lets it work again.
    Enabled,
    /// The platform bans it permanently.
    Banned,
    /// A person takes it off the list.
    Removed(
        /// What hangs on it.
        OpenAccountWork,
    ),
}

/// Why an event was refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum AccountError {
    /// The account is not in a state in which this can happen.
    #[error("a trading account that is {from} cannot be {event}")]
    IllegalStep {
        /// The state it is in.
        from: AccountStatus,
        /// The name of the event.
        event: &'static str,
    },
    /// The restriction is still in force.
    #[error("the restriction lasts longer")]
    TooEarly {
        /// Until when.
        until: Timestamp,
    },
    /// Something that it began is not over.
    #[error("purchases that are not over: {}, items with the account: {}, trade offers that are not over: {}", .0.purchases, .0.items, .0.offers)]
    HasOpenWork(
        /// What.
        OpenAccountWork,
    ),
    /// Assignments name it.
    #[error("assignments that name this account: {assignments}")]
    Assigned {
        /// How many.
        assignments: u32,
    },
}

impl AccountEvent {
    /// The name of the event, as the trigger of a transition.
    pub const fn name(self) -> &'static str {
        match self {
            Self::SigningIn => "signing_in",
            Self::SignedIn => "signed_in",
            Self::Disturbed => "disturbed",
            Self::Recovered => "recovered",
            Self::SessionLost => "session_lost",
            Self::Restricted(_) => "restricted",
            Self::RestrictionEnded => "restriction_ended",
            Self::Disabled => "disabled",
            Self::Enabled => "enabled",
            Self::Banned => "banned",
            Self::Removed(_) => "removed",
        }
    }
}

impl AccountStatus {
    /// The whole table: the state that `event` leads to, `None` where it cannot happen.
    pub const fn after(self, event: AccountEvent) -> Option<Self> {
        use AccountEvent as On;
        Some(match (self, event) {
            (Self::New | Self::NeedsLogin, On::SigningIn)
            | (Self::Restricted, On::RestrictionEnded)
            | (Self::Disabled, On::Enabled) => Self::Validating,
            (Self::Validating, On::SignedIn) | (Self::Degraded, On::Recovered) => Self::Ready,
            (Self::Ready, On::Disturbed) => Self::Degraded,
            (Self::Validating | Self::Ready | Self::Degraded, On::SessionLost) => Self::NeedsLogin,
            (
                Self::Validating | Self::Ready | Self::Degraded | Self::NeedsLogin | Self::Restricted,
                On::Restricted(_),
            ) => Self::Restricted,
            (
                Self::New | Self::Validating | Self::Ready | Self::Degraded | Self::NeedsLogin | Self::Restricted,
                On::Disabled,
            ) => Self::Disabled,
            (Self::Banned | Self::Removed, On::Banned) | (Self::Removed, On::Removed(_)) => return None,
            (_, On::Banned) => Self::Banned,
            (_, On::Removed(_)) => Self::Removed,
            _ => return None,
        })
    }
}

impl TradingAccount {
    /// Whether an event outside has already led the account to its status, so that no step is left.
    pub fn has_reached(&self, event: AccountEvent) -> bool {
        let led_to = match event {
            AccountEvent::SigningIn => AccountStatus::Validating,
            AccountEvent::SignedIn | AccountEvent::Recovered => AccountStatus::Ready,
            AccountEvent::Disturbed => AccountStatus::Degraded,
            AccountEvent::SessionLost => AccountStatus::NeedsLogin,
            AccountEvent::Banned => AccountStatus::Banned,
            AccountEvent::Restricted(lock) => {
                return self.0.status == AccountStatus::Restricted && self.0.lock == Some(lock);
            }
            AccountEvent::RestrictionEnded
            | AccountEvent::Disabled
            | AccountEvent::Enabled
            | AccountEvent::Removed(_) => return false,
        };
        self.0.status == led_to
    }

    /// Takes the step of `event`, with its reason. An account that is enabled while the platform still restricts it becomes
    /// restricted again.
    ///
    /// # Errors
    /// [`AccountError::IllegalStep`] when the event cannot happen in this state, another [`AccountError`] when its guard does
    /// not hold.
    pub fn apply(self, event: AccountEvent, said: Option<Description>, at: Timestamp) -> Result<Self, AccountError> {
        let from = self.0.status;
        let next = from.after(event).ok_or(AccountError::IllegalStep { from, event: event.name() })?;
        let in_force = self.0.lock_at(at);
        let (status, lock) = match event {
            AccountEvent::RestrictionEnded => match in_force {
                Some(lock) => return Err(AccountError::TooEarly { until: lock.until }),
                None => (next, None),
            },
            AccountEvent::Enabled if in_force.is_some() => (AccountStatus::Restricted, in_force),
            AccountEvent::Restricted(lock) => (next, Some(lock)),
            AccountEvent::Removed(left) => {
                left.check()?;
                (next, self.0.lock)
            }
            AccountEvent::SigningIn
            | AccountEvent::SignedIn
            | AccountEvent::Disturbed
            | AccountEvent::Recovered
            | AccountEvent::SessionLost
            | AccountEvent::Disabled
            | AccountEvent::Enabled
            | AccountEvent::Banned => (next, self.0.lock),
        };
        Ok(Self(AccountParts {
            status,
            lock,
            status_reason: said,
            has_secrets: self.0.has_secrets && !status.is_terminal(),
            refresh: self.0.refresh.filter(|_| !status.is_terminal()),
            updated_at: at.max(self.0.updated_at),
            ..self.0
        }))
    }
}

impl OpenAccountWork {
    const fn check(self) -> Result<(), AccountError> {
        if self.purchases > 0 || self.items > 0 || self.offers > 0 {
            return Err(AccountError::HasOpenWork(self));
        }
        match self.assignments {
            0 => Ok(()),
            assignments => Err(AccountError::Assigned { assignments }),
        }
    }
}
