//! What may be bought from a pool, and how its balances follow the ledger.

use super::{DayUse, Pool, PoolChange, PoolParts, PoolStatus};
use crate::contracts::contract::{LimitError, Terms};
use crate::contracts::ledger::{Account, Balanced, LedgerError};
use crate::contracts::purchase::{Purchase, PurchaseTerms};
use crate::money::{Cents, Decimal, SignedCents};
use crate::time::Timestamp;

/// Why a pool does not give the money for a purchase.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum PoolRefusal {
    /// Only an active pool gives money.
    #[error("a pool that is {0} gives no money")]
    NotActive(
        /// The status of the pool.
        PoolStatus,
    ),
    /// The purchase may cost more than one may.
    #[error("the purchase may cost {}, the pool allows {} for one", .given.decimal(), .most.decimal())]
    TooExpensive {
        /// What the purchase may cost.
        given: Cents,
        /// What the pool allows.
        most: Cents,
    },
    /// Too much would be at stake in items of this name.
    #[error("{} would be at stake in items of this name, the pool allows {}", Decimal::of(*exposed), .most.decimal())]
    TooExposed {
        /// How much would be.
        exposed: i64,
        /// What the pool allows.
        most: Cents,
    },
    /// The day's limit does not cover it.
    #[error("{} of the day's limit is left, the purchase reserves {}", .left.decimal(), .needed.decimal())]
    DayUsedUp {
        /// What is left of the day.
        left: Cents,
        /// What the purchase reserves.
        needed: Cents,
    },
    /// There is not enough money in it.
    #[error("{} is available, the purchase reserves {}", .available.decimal(), .needed.decimal())]
    TooLow {
        /// What is available.
        available: SignedCents,
        /// What the purchase reserves.
        needed: Cents,
    },
}

/// A limit of a contract lies beyond the one of its pool.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the contract's {limit} of {} is beyond the pool's {pools} of {}", .given.decimal(), .most.decimal())]
pub struct PoolLimitExceeded {
    /// The limit of the contract.
    pub limit: &'static str,
    /// What it allows.
    pub given: Cents,
    /// The limit of the pool.
    pub pools: &'static str,
    /// What that one allows.
    pub most: Cents,
}

/// Why a pool is not changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum PoolChangeError {
    /// An archived pool stays as it is.
    #[error("the pool is archived")]
    Archived,
    /// Its limits would make no sense together.
    #[error(transparent)]
    Limits(#[from] LimitError),
    /// The budget would be less than the capital.
    #[error("the budget cannot be less than {}, which is deposited", .capital.decimal())]
    BelowCapital {
        /// The capital.
        capital: SignedCents,
    },
}

/// Why money is not put in, taken out or paid out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum FundsError {
    /// An archived pool accepts no capital.
    #[error("the pool is archived")]
    Archived,
    /// It would move nothing.
    #[error("the amount must not be zero")]
    Nothing,
    /// There would be more capital than the budget.
    #[error("the pool would have a capital of {}, more than its budget of {}", .capital.decimal(), .budget.decimal())]
    AboveBudget {
        /// The capital that it would have.
        capital: SignedCents,
        /// Its budget.
        budget: Cents,
    },
    /// The account does not hold as much.
    #[error("the pool has {} in {account}", .held.decimal())]
    TooLow {
        /// The account.
        account: Account,
        /// What it holds.
        held: SignedCents,
    },
    /// An amount outside its range.
    #[error(transparent)]
    Ledger(#[from] LedgerError),
}

impl Pool {
    /// The pool after a change.
    ///
    /// # Errors
    /// [`PoolChangeError`] for an archived pool, limits that make no sense together, and a budget below the capital.
    pub fn change(self, change: PoolChange, at: Timestamp) -> Result<Self, PoolChangeError> {
        if self.0.status.is_terminal() {
            return Err(PoolChangeError::Archived);
        }
        let limits = change.limits.unwrap_or(self.0.limits);
        limits.check()?;
        let capital = self.0.capital();
        if capital > limits.budget.into() {
            return Err(PoolChangeError::BelowCapital { capital });
        }
        let name = change.name.unwrap_or(self.0.name);
        Ok(Self(PoolParts { name, limits, updated_at: at.max(self.0.updated_at), ..self.0 }))
    }

    /// Checks that a contract that buys from the pool has no limits beyond the pool's own: what it would decide to buy by them, the
    /// pool would never pay.
    ///
    /// # Errors
    /// The first [`PoolLimitExceeded`] found.
    pub fn covers(&self, terms: &Terms) -> Result<(), PoolLimitExceeded> {
        let Terms::Buying(terms) = terms else { return Ok(()) };
        let limits = &self.0.limits;
        let pairs = [
            ("budget", Some(terms.budget), "budget", Some(limits.budget)),
            ("daily budget", terms.daily_budget, "daily limit", limits.daily_limit),
            ("maximum buy price", Some(terms.max_buy_price), "maximum per purchase", limits.max_per_purchase),
        ];
        for (limit, given, pools, most) in pairs {
            if let (Some(given), Some(most)) = (given, most)
                && given > most
            {
                return Err(PoolLimitExceeded { limit, given, pools, most });
            }
        }
        Ok(())
    }

    /// Checks that the pool gives the money for a new purchase, with `exposed` cents at stake in items of its name so far.
    ///
    /// # Errors
    /// The first [`PoolRefusal`] found.
    pub fn admit(&self, purchase: &PurchaseTerms, exposed: i64, at: Timestamp) -> Result<(), PoolRefusal> {
        let (limits, needed) = (&self.0.limits, purchase.max_buy_price);
        if self.0.status != PoolStatus::Active {
            return Err(PoolRefusal::NotActive(self.0.status));
        }
        if let Some(most) = limits.max_per_purchase.filter(|most| needed > *most) {
            return Err(PoolRefusal::TooExpensive { given: needed, most });
        }
        let exposed = exposed.saturating_add(needed.get());
        if let Some(most) = limits.max_exposure_per_item.filter(|most| exposed > most.get()) {
            return Err(PoolRefusal::TooExposed { exposed, most });
        }
        if let Some(limit) = limits.daily_limit {
            let is_same_day = DayUse::of(at).day <= self.0.day_use.day;
            let used = if is_same_day { self.0.day_use.used } else { Cents::ZERO };
            let left = limit.minus(used).unwrap_or(Cents::ZERO);
            if needed > left {
                return Err(PoolRefusal::DayUsedUp { left, needed });
            }
        }
        let available = self.0.balances.of(Account::Available);
        if available < needed.into() { Err(PoolRefusal::TooLow { available, needed }) } else { Ok(()) }
    }

    /// The balances after an entry, and the entry as it is written down.
    ///
    /// A marketplace may charge more than was reserved and than there is. What is missing is put in then, as it was put in: with
    /// the money of the workspace, and the budget grows to hold it. An archived pool keeps the time of what is booked late.
    ///
    /// # Errors
    /// [`LedgerError::Money`] when a balance would not fit.
    pub fn book(self, entry: &Balanced, at: Timestamp) -> Result<(Self, Balanced), LedgerError> {
        let (Self(mut parts), written) = self.move_money(entry, at)?;
        if parts.status.is_terminal() {
            parts.late_booked_at = Some(parts.updated_at);
        }
        Ok((Self(parts), written))
    }

    fn move_money(self, entry: &Balanced, at: Timestamp) -> Result<(Self, Balanced), LedgerError> {
        let mut parts = self.0;
        let balances = parts.balances.plus(entry)?;
        let missing = balances.of(Account::Available).negated().max(SignedCents::ZERO);
        let put_in = Balanced::moved(Account::Capital, Account::Available, missing)?;
        parts.balances = balances.plus(&put_in)?;
        let capital = parts.capital().unsigned().unwrap_or(Cents::ZERO);
        parts.limits.budget = parts.limits.budget.max(capital);
        parts.updated_at = at.max(parts.updated_at);
        Ok((Self(parts), entry.plus(&put_in)?))
    }

    /// The day's use after a purchase went from `before` (`None` when it was recorded) to `after`.
    #[must_use]
    pub fn used(self, before: Option<&Purchase>, after: &Purchase) -> Self {
        let day_use = self.0.day_use.followed(before, after);
        Self(PoolParts { day_use, ..self.0 })
    }

    /// Deposits capital or withdraws it, and returns its ledger entry. An archived pool only allows withdrawals.
    ///
    /// # Errors
    /// [`FundsError`] for nothing, for capital into an archived pool, above the budget, and for more than is available.
    pub fn adjust(self, delta: SignedCents, at: Timestamp) -> Result<(Self, Balanced), FundsError> {
        if delta == SignedCents::ZERO {
            return Err(FundsError::Nothing);
        }
        if delta > SignedCents::ZERO && self.0.status.is_terminal() {
            return Err(FundsError::Archived);
        }
        let entry = Balanced::moved(Account::Capital, Account::Available, delta)?;
        let available = self.0.balances.of(Account::Available);
        if available.plus(delta).map_err(LedgerError::Money)? < SignedCents::ZERO {
            return Err(FundsError::TooLow { account: Account::Available, held: available });
        }
        let (capital, budget) = (self.0.capital().plus(delta).map_err(LedgerError::Money)?, self.0.limits.budget);
        if delta > SignedCents::ZERO && capital > budget.into() {
            return Err(FundsError::AboveBudget { capital, budget });
        }
        Ok(self.move_money(&entry, at)?)
    }

    /// Books what marketplaces paid out of what they owed, and returns its ledger entry.
    ///
    /// # Errors
    /// [`FundsError`] for nothing, and for more than is owed.
    pub fn pay_out(self, amount: Cents, at: Timestamp) -> Result<(Self, Balanced), FundsError> {
        if amount == Cents::ZERO {
            return Err(FundsError::Nothing);
        }
        let held = self.0.balances.of(Account::Receivable);
        if held < amount.into() {
            return Err(FundsError::TooLow { account: Account::Receivable, held });
        }
        let entry = Balanced::moved(Account::Receivable, Account::Available, amount.into())?;
        Ok(self.move_money(&entry, at)?)
    }
}
