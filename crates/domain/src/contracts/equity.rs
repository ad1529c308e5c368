//! What a workspace is worth, by its parts, and the marks that keep it day by day.
//!
//! Equity is the money of pools, what is in items, and profit that is not final: pending and unrealised. Less the capital, it is the
//! profit. A contract without a pool has no money of its own: what its items cost counts as put in, what came of them as taken out.

use super::ledger::report::{Figures, Open, day_of, midnight_of};
use super::ledger::{Account, Balanced};
use crate::id::WorkspaceId;
use crate::time::Timestamp;

/// A whole in basis points.
const WHOLE_BPS: u16 = 10_000;

/// What a workspace is worth at one moment. Amounts are cents.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Worth {
    /// Free to be spent.
    pub available: i64,
    /// Kept for purchases that may still be charged.
    pub reserved: i64,
    /// Paid, and the item not received yet.
    pub paid_in_transit: i64,
    /// Refunds that are owed.
    pub refund_due: i64,
    /// In items that are ours, at their cost; those that were bought without a pool as well.
    pub inventory_at_cost: i64,
    /// In items given to their buyers, as long as that can be reversed.
    pub delivered_at_cost: i64,
    /// What marketplaces owe for final sales.
    pub receivable: i64,
    /// Put in by people, less what they took out.
    pub capital: i64,
    /// Final profit after all fees; negative for a loss.
    pub realised: i64,
    /// Profit of sales that can still be reversed.
    pub pending: i64,
    /// What items would bring above their cost.
    pub unrealised: i64,
    /// Written off.
    pub write_offs: i64,
    /// The number of items that are ours.
    pub items: i64,
    /// How many of them count at their cost, since no value of them is known.
    pub unpriced: i64,
    /// How many of them count at a value that is older than prices may be.
    pub stale: i64,
}

/// Why parts are not those of one workspace at one moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum WorthError {
    /// Money is where no capital or profit explains it.
    #[error("the parts come to {held} cents, capital and final profit less write-offs to {explained}")]
    Unexplained {
        /// What the places of money come to.
        held: i128,
        /// What it came from.
        explained: i128,
    },
    /// More items are counted at their cost or at an old value than there are.
    #[error("{unpriced} unpriced and {stale} stale items of {items}")]
    Miscounted {
        /// The items.
        items: i64,
        /// Those at their cost.
        unpriced: i64,
        /// Those at an old value.
        stale: i64,
    },
}

impl Worth {
    /// Returns the worth of a workspace by the balances of its pools together, the figures of its whole ledger, and the items that are
    /// ours with their cost.
    pub fn of(pools: &Balanced, figures: Figures, open_cost: i64, open: Open) -> Self {
        let of = |account| pools.of(account).get();
        let worth = Self {
            available: of(Account::Available),
            reserved: of(Account::Reserved),
            paid_in_transit: of(Account::PaidInTransit),
            refund_due: of(Account::RefundDue),
            inventory_at_cost: open_cost,
            delivered_at_cost: of(Account::DeliveredAtCost),
            receivable: of(Account::Receivable),
            capital: 0,
            realised: figures.realised,
            pending: figures.pending,
            unrealised: open.unrealised,
            write_offs: figures.write_offs,
            items: open.items,
            unpriced: open.unpriced,
            stale: open.stale,
        };
        let capital = worth.held().saturating_sub(i128::from(figures.earned()));
        Self { capital: narrow(capital), ..worth }
    }

    /// Checks that what is held came from capital and final profit, and that the items are counted.
    ///
    /// # Errors
    /// [`WorthError`] with what differs.
    pub fn check(&self) -> Result<(), WorthError> {
        let Self { items, unpriced, stale, .. } = *self;
        let (held, earned) = (self.held(), i128::from(self.realised).saturating_sub(self.write_offs.into()));
        let explained = earned.saturating_add(self.capital.into());
        if held != explained {
            return Err(WorthError::Unexplained { held, explained });
        }
        if unpriced < 0 || stale < 0 || unpriced.saturating_add(stale) > items {
            return Err(WorthError::Miscounted { items, unpriced, stale });
        }
        Ok(())
    }

    /// Returns what everything is worth.
    pub fn equity(&self) -> i64 {
        narrow(self.held().saturating_add(self.pending.into()).saturating_add(self.unrealised.into()))
    }

    /// Returns the equity less the capital.
    pub const fn profit(&self) -> i64 {
        self.realised.saturating_add(self.pending).saturating_add(self.unrealised).saturating_sub(self.write_offs)
    }

    /// Returns what the items would bring.
    pub const fn inventory_at_value(&self) -> i64 {
        self.inventory_at_cost.saturating_add(self.unrealised)
    }

    /// The money and the items, these at their cost.
    fn held(&self) -> i128 {
        let places = [
            self.available,
            self.reserved,
            self.paid_in_transit,
            self.refund_due,
            self.inventory_at_cost,
            self.delivered_at_cost,
            self.receivable,
        ];
        places.into_iter().map(i128::from).sum()
    }
}

fn narrow(cents: i128) -> i64 {
    i64::try_from(cents).unwrap_or(if cents < 0 { i64::MIN } else { i64::MAX })
}

/// What a workspace was worth at the end of a day of UTC, as far as it was taken then.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EquityMark {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The day, counted from 1970-01-01.
    pub day: i64,
    /// When it was taken: at the end of the day, or later where no server was running then.
    pub taken_at: Timestamp,
    /// What the workspace was worth.
    pub worth: Worth,
}

/// Why something is not a mark.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum MarkError {
    /// It was taken before its day ended.
    #[error("taken at {taken_at}, before the day ended at {end}")]
    Early {
        /// When it was taken.
        taken_at: Timestamp,
        /// When the day ended.
        end: Timestamp,
    },
    /// Its parts do not add up.
    #[error(transparent)]
    Worth(#[from] WorthError),
}

impl EquityMark {
    /// Returns the mark of a day.
    ///
    /// # Errors
    /// [`MarkError`] for a day that has not ended, and for parts that do not add up.
    pub fn new(workspace_id: WorkspaceId, day: i64, taken_at: Timestamp, worth: Worth) -> Result<Self, MarkError> {
        let end = end_of(day);
        if taken_at < end {
            return Err(MarkError::Early { taken_at, end });
        }
        worth.check()?;
        Ok(Self { workspace_id, day, taken_at, worth })
    }

    /// Returns the key of the mark of a day within a workspace, in the order of days.
    pub fn key_of(day: i64) -> [u8; 16] {
        u128::from(day.cast_unsigned()).to_be_bytes()
    }

    /// Returns its key.
    pub fn key(&self) -> [u8; 16] {
        Self::key_of(self.day)
    }
}

/// Returns the midnight with which a day ends.
pub fn end_of(day: i64) -> Timestamp {
    midnight_of(day.saturating_add(1))
}

/// Returns the last day that has ended: the only one whose mark can still be taken.
pub fn last_ended(now: Timestamp) -> i64 {
    day_of(now).saturating_sub(1)
}

/// How far profit is below its highest value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Drawdown {
    /// In cents; 0 or more.
    pub cents: i64,
    /// As a share of the equity that there would be at the highest profit, in basis points: 0 to 10 000.
    pub bps: u16,
}

/// The highest profit so far. Money that is put in or taken out neither raises nor lowers it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct HighWater(Option<i64>);

impl HighWater {
    /// Takes the next moment in, and returns how far its profit is below the highest.
    pub fn next(&mut self, worth: &Worth) -> Drawdown {
        let profit = worth.profit();
        let highest = self.0.map_or(profit, |highest| highest.max(profit));
        self.0 = Some(highest);
        let cents = highest.saturating_sub(profit);
        Drawdown { cents, bps: share_bps(cents, worth.equity().saturating_add(cents)) }
    }
}

/// The share of a whole in basis points, a half to the even one. All of it where nothing would be there.
fn share_bps(part: i64, whole: i64) -> u16 {
    if part <= 0 {
        return 0;
    }
    if part >= whole {
        return WHOLE_BPS;
    }
    let (scaled, whole) = (i128::from(part) * i128::from(WHOLE_BPS), i128::from(whole));
    let (floor, twice_rest) = (scaled / whole, scaled % whole * 2);
    let rounds_up = twice_rest > whole || (twice_rest == whole && floor % 2 == 1);
    u16::try_from(floor + i128::from(rounds_up)).unwrap_or(WHOLE_BPS)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::money::SignedCents;

    fn pools(legs: &[(Account, i64)]) -> Balanced {
        Balanced::new(legs.iter().map(|(account, cents)| (*account, SignedCents::new(*cents).unwrap()))).unwrap()
    }

    /// A pool of 10 000 of which 3 000 are in items and 500 came as profit, and an item of 700 without a pool.
    fn worth() -> Worth {
        let legs = [
            (Account::Available, 7_500),
            (Account::InventoryAtCost, 3_000),
            (Account::RealisedPnl, -500),
            (Account::Capital, -10_000),
        ];
        let open = Open { unrealised: 250, items: 4, unpriced: 1, stale: 2, oldest_value_at: None };
        Worth::of(&pools(&legs), Figures { realised: 500, pending: 40, ..Figures::default() }, 3_700, open)
    }

    #[test]
    fn equity_is_capital_and_every_kind_of_profit() {
        let worth = worth();
        assert_eq!((worth.capital, worth.profit(), worth.equity()), (10_700, 790, 11_490));
        assert_eq!((worth.inventory_at_cost, worth.inventory_at_value()), (3_700, 3_950));
        assert_eq!(worth.check(), Ok(()));
    }

    #[test]
    fn what_came_of_items_without_a_pool_counts_as_taken_out() {
        let sold = Figures { realised: 120, write_offs: 30, ..Figures::default() };
        let worth = Worth::of(&Balanced::default(), sold, 0, Open::default());
        assert_eq!((worth.capital, worth.profit(), worth.equity()), (-90, 90, 0));
    }

    #[test]
    fn parts_that_do_not_add_up_are_no_mark() {
        let day = 20_000;
        let mark =
            |worth| EquityMark::new(WorkspaceId::from_bytes([1; 16]), day, end_of(day), worth).map(|mark| mark.day);
        assert_eq!(mark(worth()), Ok(day));
        let more = Worth { available: 7_501, ..worth() };
        assert_eq!(mark(more), Err(WorthError::Unexplained { held: 11_201, explained: 11_200 }.into()));
        let uncounted = Worth { items: 2, ..worth() };
        assert_eq!(mark(uncounted), Err(WorthError::Miscounted { items: 2, unpriced: 1, stale: 2 }.into()));
    }

    #[test]
    fn a_day_is_marked_once_it_has_ended() {
        let (day, end) = (20_000, end_of(20_000));
        let before = Timestamp::from_micros(end.as_micros() - 1).unwrap();
        let mark = |at| EquityMark::new(WorkspaceId::from_bytes([1; 16]), day, at, worth());
        assert_eq!(mark(before), Err(MarkError::Early { taken_at: before, end }));
        assert!(mark(end).is_ok());
        assert_eq!((last_ended(before), last_ended(end)), (day - 1, day));
        assert!(EquityMark::key_of(day) < EquityMark::key_of(day + 1));
    }

    #[test]
    fn a_drawdown_is_of_profit_and_not_of_capital() {
        let of = |capital, realised| Worth { available: capital + realised, capital, realised, ..Worth::default() };
        let mut high = HighWater::default();
        assert_eq!(high.next(&of(10_000, 0)), Drawdown::default());
        assert_eq!(high.next(&of(10_000, 2_000)), Drawdown::default());
        assert_eq!(high.next(&of(4_000, 1_400)), Drawdown { cents: 600, bps: 1_000 }, "6,000 would be there");
        assert_eq!(high.next(&of(0, 1_900)), Drawdown { cents: 100, bps: 500 });
        assert_eq!(high.next(&of(-2_500, 2_100)), Drawdown::default());
        assert_eq!(high.next(&of(-2_500, 0)), Drawdown { cents: 2_100, bps: 10_000 });
    }

    #[test]
    fn a_share_is_rounded_to_the_even_basis_point() {
        assert_eq!([1, 3, 5].map(|part| share_bps(part, 20_000)), [0, 2, 2]);
    }
}
