//! A pool: capital with limits, from which contracts buy.
//!
//! What its money does is the ledger's to say ([`crate::contracts::ledger`]); the pool keeps the balances that the entries come to, so that
//! a purchase is decided on them. A [`Pool`] can be read freely but only made by [`Pool::open`] and changed by its own methods,
//! and read back from a store by [`Pool::restore`]. Its revision counter belongs to the store.

mod machine;
mod money;

use std::ops::Deref;

use crate::contracts::contract::LimitError;
use crate::contracts::ledger::report::day_of;
use crate::contracts::ledger::{Account, Balanced};
use crate::contracts::purchase::Purchase;
use crate::id::{PoolId, RecordKey, WorkspaceId};
use crate::money::{Cents, Currency, SignedCents};
use crate::names::names;
use crate::text::Name;
use crate::time::Timestamp;

pub use machine::{PoolError, PoolEvent};
pub use money::{FundsError, PoolChangeError, PoolLimitExceeded, PoolRefusal};

/// The status of a pool.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum PoolStatus {
    /// Active: it funds purchases.
    Active = 1,
    /// Nothing new is bought from it.
    Paused = 2,
    /// Final: nothing was bound in it when it was put away, and no contract works with it. It takes late bookings: a marketplace may
    /// pay a refund, or the platform reverse a trade, whenever they like.
    Archived = 3,
}

names! { PoolStatus, "pool status":
    Active => "ACTIVE",
    Paused => "PAUSED",
    Archived => "ARCHIVED",
}

impl PoolStatus {
    /// Whether the pool has ended.
    pub const fn is_terminal(self) -> bool {
        matches!(self, Self::Archived)
    }
}

/// How far a pool may go. A limit that is `None` does not apply.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PoolLimits {
    /// The most capital that may be put in.
    pub budget: Cents,
    /// The most that one purchase may cost.
    pub max_per_purchase: Option<Cents>,
    /// The most that may be at stake in items of one market name.
    pub max_exposure_per_item: Option<Cents>,
    /// The most that purchases of one day may cost together.
    pub daily_limit: Option<Cents>,
}

/// What purchases that were recorded on one day, of UTC, cost or may come to cost.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct DayUse {
    /// The day, counted from 1970-01-01.
    pub day: i64,
    /// How much.
    pub used: Cents,
}

/// What is to change of a pool; what is absent stays.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct PoolChange {
    /// The name from now on.
    pub name: Option<Name>,
    /// The limits from now on, all of them.
    pub limits: Option<PoolLimits>,
}

/// All fields of a pool, as a store keeps them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PoolParts {
    /// Its own id.
    pub id: PoolId,
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// Its name.
    pub name: Name,
    /// The currency of its money.
    pub currency: Currency,
    /// The current status.
    pub status: PoolStatus,
    /// How far it may go.
    pub limits: PoolLimits,
    /// What its entries of the ledger come to.
    pub balances: Balanced,
    /// What the latest day on which it bought comes to.
    pub day_use: DayUse,
    /// When money was last booked into it after it was archived.
    pub late_booked_at: Option<Timestamp>,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it last changed.
    pub updated_at: Timestamp,
}

/// A pool that keeps every rule. Its parts are read through [`Deref`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pool(PoolParts);

/// A stored pool breaks a rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a pool that is {status} breaks a rule: {rule}")]
pub struct CorruptPool {
    /// The stored status.
    pub status: PoolStatus,
    /// The rule.
    pub rule: &'static str,
}

impl PoolLimits {
    /// Checks that the limits make sense together.
    ///
    /// # Errors
    /// The first [`LimitError`] found.
    pub fn check(&self) -> Result<(), LimitError> {
        let budget = "budget";
        if self.budget == Cents::ZERO {
            return Err(LimitError::Zero(budget));
        }
        let others = [
            ("maximum per purchase", self.max_per_purchase),
            ("maximum exposure per item", self.max_exposure_per_item),
            ("daily limit", self.daily_limit),
        ];
        for (name, limit) in others {
            match limit {
                Some(Cents::ZERO) => return Err(LimitError::Zero(name)),
                Some(limit) if limit > self.budget && name == "maximum per purchase" => {
                    return Err(LimitError::Above { smaller: name, larger: budget });
                }
                Some(_) | None => {}
            }
        }
        Ok(())
    }
}

impl DayUse {
    /// The day that a point in time lies in, without use.
    pub const fn of(at: Timestamp) -> Self {
        Self { day: day_of(at), used: Cents::ZERO }
    }

    /// The same after a purchase went from `before` (`None` when it was recorded) to `after`. One of another day changes nothing.
    fn followed(self, before: Option<&Purchase>, after: &Purchase) -> Self {
        let use_of = |purchase: &Purchase| {
            let delta = purchase.counter_delta();
            delta.spent.plus(delta.reserved).unwrap_or(Cents::MAX)
        };
        let day = Self::of(after.created_at).day;
        let rest = match before {
            None if day > self.day => return Self { day, used: use_of(after) },
            // A clock that runs behind another node's spends of the later day.
            None => self.used,
            Some(before) if day == self.day => self.used.minus(use_of(before)).unwrap_or(Cents::ZERO),
            Some(_) => return self,
        };
        Self { used: rest.plus(use_of(after)).unwrap_or(Cents::MAX), ..self }
    }
}

impl Pool {
    /// Makes a pool that has no money yet.
    ///
    /// # Errors
    /// [`LimitError`] when its limits make no sense together.
    pub fn open(
        RecordKey { workspace_id, id }: RecordKey<PoolId>,
        name: Name,
        currency: Currency,
        limits: PoolLimits,
        at: Timestamp,
    ) -> Result<Self, LimitError> {
        limits.check()?;
        Ok(Self(PoolParts {
            id,
            workspace_id,
            name,
            currency,
            status: PoolStatus::Active,
            limits,
            balances: Balanced::default(),
            day_use: DayUse::of(at),
            late_booked_at: None,
            created_at: at,
            updated_at: at,
        }))
    }

    /// Takes a pool back from a store.
    ///
    /// # Errors
    /// [`CorruptPool`] when the parts contradict each other.
    pub fn restore(parts: PoolParts) -> Result<Self, CorruptPool> {
        match parts.broken_rule() {
            Some(rule) => Err(CorruptPool { status: parts.status, rule }),
            None => Ok(Self(parts)),
        }
    }

    /// The parts, for a store.
    pub fn into_parts(self) -> PoolParts {
        self.0
    }

    /// Returns the same pool, which a contract names since `at`: earlier decisions about it must be made again.
    #[must_use]
    pub fn named(self, at: Timestamp) -> Self {
        Self(PoolParts { updated_at: at.max(self.0.updated_at), ..self.0 })
    }
}

impl Deref for Pool {
    type Target = PoolParts;

    fn deref(&self) -> &PoolParts {
        &self.0
    }
}

impl PoolParts {
    /// What people put in; less than nothing once they have taken out more.
    pub fn capital(&self) -> SignedCents {
        self.balances.of(Account::Capital).negated()
    }

    /// The first account that binds money, with how much.
    pub fn bound(&self) -> Option<(Account, SignedCents)> {
        let held = Account::BOUND.map(|account| (account, self.balances.of(account)));
        held.into_iter().find(|(_, amount)| *amount != SignedCents::ZERO)
    }

    /// The first rule that the parts break. Every record that the pool's own methods make breaks none.
    fn broken_rule(&self) -> Option<&'static str> {
        let rules = [
            (self.limits.check().is_ok(), "its limits make sense together"),
            (self.balances.of(Account::Available) >= SignedCents::ZERO, "the available money is never negative"),
            (self.capital() <= self.limits.budget.into(), "the capital is within the budget"),
            (self.late_booked_at.is_none() || self.status.is_terminal(), "no booking is late before it is archived"),
            (self.created_at <= self.updated_at, "it is not changed before it is made"),
        ];
        rules.into_iter().find(|(kept, _)| !kept).map(|(_, rule)| rule)
    }
}
