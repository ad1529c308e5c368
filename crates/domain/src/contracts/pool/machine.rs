//! The life of a pool: one table of legal steps and the guards that its own record can answer.

use super::{Pool, PoolParts, PoolStatus};
use crate::contracts::ledger::Account;
use crate::money::SignedCents;
use crate::time::Timestamp;

/// Something that happens to a pool.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PoolEvent {
    /// A person pauses it.
    Paused,
    /// A person sets it to work again.
    Resumed,
    /// A person puts it away.
    Archived {
        /// How many contracts that have not ended name it.
        contracts: u32,
    },
}

/// Why an event was refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum PoolError {
    /// The pool is not in a state in which this can happen.
    #[error("a pool that is {from} cannot be {event}")]
    IllegalStep {
        /// The state it is in.
        from: PoolStatus,
        /// The name of the event.
        event: &'static str,
    },
    /// Money is bound in it.
    #[error("{} of the pool is in {account}", .cents.decimal())]
    HoldsMoney {
        /// The account.
        account: Account,
        /// How much.
        cents: SignedCents,
    },
    /// Contracts that have not ended name it.
    #[error("contracts that have not ended and name this pool: {contracts}")]
    InUse {
        /// How many.
        contracts: u32,
    },
}

impl PoolEvent {
    /// The name of the event, as the trigger of a transition.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Paused => "paused",
            Self::Resumed => "resumed",
            Self::Archived { .. } => "archived",
        }
    }
}

/// The whole table: the state that `event` leads to, `None` where it cannot happen.
fn step(from: PoolStatus, event: PoolEvent) -> Option<PoolStatus> {
    use PoolEvent as On;
    use PoolStatus as Is;
    Some(match (from, event) {
        (Is::Active, On::Paused) => Is::Paused,
        (Is::Paused, On::Resumed) => Is::Active,
        (Is::Active | Is::Paused, On::Archived { .. }) => Is::Archived,
        _ => return None,
    })
}

impl Pool {
    /// Takes the step that `event` leads to.
    ///
    /// # Errors
    /// [`PoolError::IllegalStep`] when the event cannot happen in this state, another [`PoolError`] when its guard does not
    /// hold.
    pub fn apply(self, event: PoolEvent, at: Timestamp) -> Result<Self, PoolError> {
        let from = self.0.status;
        let status = step(from, event).ok_or(PoolError::IllegalStep { from, event: event.name() })?;
        if let PoolEvent::Archived { contracts } = event {
            if let Some((account, cents)) = self.0.bound() {
                return Err(PoolError::HoldsMoney { account, cents });
            }
            if contracts > 0 {
                return Err(PoolError::InUse { contracts });
            }
        }
        Ok(Self(PoolParts { status, updated_at: at.max(self.0.updated_at), ..self.0 }))
    }
}
