//! Profit and loss: the figures of a day, and the dimensions by which they are grouped.
//!
//! A store adds the figures up as it writes entries, so that a report sums days and not entries. The expected result of open items is
//! calculated from their values, in [`Open`].

mod days;

use std::fmt;

use super::{Account, LedgerEntry, Posting};
use crate::contracts::contract::BasisPoints;
use crate::id::{ContractId, PoolId};
use crate::markets::fees::Rounding;
use crate::markets::pricing::Mark;
use crate::names::names;
use crate::text::{AccountName, MarketHashName, Marketplace};
use crate::time::Timestamp;

pub use days::{DayStart, ZoneDays, day_between};

/// The dimension that groups the rows of a report.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Grouping {
    /// By nothing: all in one.
    Nothing = 1,
    /// By the buying contract.
    Contract = 2,
    /// By the contract that sells.
    SellingContract = 3,
    /// By the pool.
    Pool = 4,
    /// By the trading account that bought, or that holds the item.
    Account = 5,
    /// By the marketplace that was bought on.
    BuyMarketplace = 6,
    /// By the marketplace that was sold on.
    SellMarketplace = 7,
    /// By the game market's name of the item.
    ItemName = 8,
}

names! { Grouping, "grouping of profit and loss":
    Nothing => "NONE",
    Contract => "CONTRACT",
    SellingContract => "SELLING_CONTRACT",
    Pool => "POOL",
    Account => "ACCOUNT",
    BuyMarketplace => "BUY_MARKETPLACE",
    SellMarketplace => "SELL_MARKETPLACE",
    ItemName => "ITEM_NAME",
}

/// What a row of a report is of.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum GroupKey {
    /// Everything, or what has nothing of the kind: no pool, no sale yet.
    None,
    /// A contract.
    Contract(ContractId),
    /// A pool.
    Pool(PoolId),
    /// An account, a marketplace or an item.
    Name(String),
}

impl fmt::Display for GroupKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::None => Ok(()),
            Self::Contract(id) => id.fmt(f),
            Self::Pool(id) => id.fmt(f),
            Self::Name(name) => f.write_str(name),
        }
    }
}

/// What profit and loss belong to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Attribution {
    /// The buying contract; `None` of an imported item.
    pub contract_id: Option<ContractId>,
    /// The contract that sells.
    pub selling_contract_id: Option<ContractId>,
    /// The pool.
    pub pool_id: Option<PoolId>,
    /// The trading account.
    pub account_name: AccountName,
    /// Where it was bought.
    pub buy_marketplace: Marketplace,
    /// Where it is or was sold.
    pub sell_marketplace: Option<Marketplace>,
    /// The item.
    pub market_hash_name: MarketHashName,
}

impl Attribution {
    /// That of an entry; `None` where money moves for no purchase.
    pub fn of(entry: &LedgerEntry) -> Option<Self> {
        let trade = entry.trade.as_ref()?;
        let sale = trade.sale.as_ref();
        Some(Self {
            contract_id: trade.contract_id,
            selling_contract_id: sale.and_then(|place| place.contract_id),
            pool_id: entry.pool_id,
            account_name: trade.account_name.clone(),
            buy_marketplace: trade.marketplace.clone(),
            sell_marketplace: sale.map(|place| place.marketplace.clone()),
            market_hash_name: trade.market_hash_name.clone(),
        })
    }

    /// The row that it counts under.
    pub fn key(&self, grouping: Grouping) -> GroupKey {
        let contract = |id: Option<ContractId>| id.map_or(GroupKey::None, GroupKey::Contract);
        match grouping {
            Grouping::Nothing => GroupKey::None,
            Grouping::Contract => contract(self.contract_id),
            Grouping::SellingContract => contract(self.selling_contract_id),
            Grouping::Pool => self.pool_id.map_or(GroupKey::None, GroupKey::Pool),
            Grouping::Account => GroupKey::Name(self.account_name.to_string()),
            Grouping::BuyMarketplace => GroupKey::Name(self.buy_marketplace.to_string()),
            Grouping::SellMarketplace => {
                self.sell_marketplace.as_ref().map_or(GroupKey::None, |name| GroupKey::Name(name.to_string()))
            }
            Grouping::ItemName => GroupKey::Name(self.market_hash_name.to_string()),
        }
    }
}

/// What a report is narrowed to.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ReportFilter {
    /// Only what this contract bought.
    pub contract_id: Option<ContractId>,
    /// Only what this contract sells.
    pub selling_contract_id: Option<ContractId>,
    /// Only money of this pool.
    pub pool_id: Option<PoolId>,
    /// Only of this trading account.
    pub account_name: Option<AccountName>,
    /// Only what was bought there.
    pub buy_marketplace: Option<Marketplace>,
    /// Only what is or was sold there.
    pub sell_marketplace: Option<Marketplace>,
    /// Only these items.
    pub market_hash_name: Option<MarketHashName>,
}

/// The sums are kept in several tellings, so that none has as many rows as there are items, and most reports have few to read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Breakdown {
    /// By contracts, pool, account and marketplaces.
    Trades = 1,
    /// By buying contract and name of the item.
    Names = 2,
    /// By contracts, pool and marketplaces.
    Places = 3,
}

impl Breakdown {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Trades, Self::Names, Self::Places];

    /// The number under which it is stored.
    pub const fn code(self) -> i16 {
        self as i16
    }
}

/// Figures by item name are kept by contract only.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("can be combined with the contract only: figures by item name are kept by contract")]
pub struct UnsupportedBreakdown;

impl ReportFilter {
    /// Returns the sums that a report is read from: of the sufficient ones those with the fewest rows.
    ///
    /// # Errors
    /// [`UnsupportedBreakdown`] when item names are grouped or filtered in combination with anything but the contract.
    pub fn breakdown(&self, grouping: Grouping) -> Result<Breakdown, UnsupportedBreakdown> {
        if self.market_hash_name.is_none() && grouping != Grouping::ItemName {
            let by_account = self.account_name.is_some() || grouping == Grouping::Account;
            return Ok(if by_account { Breakdown::Trades } else { Breakdown::Places });
        }
        let is_plain = self.selling_contract_id.is_none()
            && self.pool_id.is_none()
            && self.account_name.is_none()
            && self.buy_marketplace.is_none()
            && self.sell_marketplace.is_none();
        let is_kept = matches!(grouping, Grouping::Nothing | Grouping::Contract | Grouping::ItemName);
        if is_plain && is_kept { Ok(Breakdown::Names) } else { Err(UnsupportedBreakdown) }
    }

    /// Whether it leaves this in.
    pub fn takes(&self, of: &Attribution) -> bool {
        fn is<T: PartialEq>(wanted: Option<&T>, found: Option<&T>) -> bool {
            wanted.is_none_or(|wanted| found == Some(wanted))
        }
        is(self.contract_id.as_ref(), of.contract_id.as_ref())
            && is(self.selling_contract_id.as_ref(), of.selling_contract_id.as_ref())
            && is(self.pool_id.as_ref(), of.pool_id.as_ref())
            && is(self.account_name.as_ref(), Some(&of.account_name))
            && is(self.buy_marketplace.as_ref(), Some(&of.buy_marketplace))
            && is(self.sell_marketplace.as_ref(), of.sell_marketplace.as_ref())
            && is(self.market_hash_name.as_ref(), Some(&of.market_hash_name))
    }
}

/// What entries come to. Amounts are cents.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Figures {
    /// Final profit after all fees; negative for a loss.
    pub realised: i64,
    /// Profit of sales that can still be reversed.
    pub pending: i64,
    /// Fees of buying, of items whose sale is final.
    pub buy_fees: i64,
    /// Fees of selling, of the same.
    pub sale_fees: i64,
    /// Written off.
    pub write_offs: i64,
    /// Prices paid for the items whose sale is final.
    pub cost_sold: i64,
    /// Prices that their buyers paid.
    pub proceeds: i64,
    /// How many sales became final.
    pub sold: i64,
}

impl Figures {
    /// What an entry comes to.
    pub fn of(entry: &LedgerEntry) -> Self {
        let amount = |account| entry.amounts.of(account).get();
        let figures = Self {
            realised: entry.amounts.realised(),
            pending: entry.pending.get(),
            write_offs: amount(Account::WriteOffs),
            ..Self::default()
        };
        let (Posting::SaleSettled, Some(trade)) = (entry.posting, &entry.trade) else { return figures };
        let buy_fees = trade.buy_fee.get();
        let cost_sold = amount(Account::DeliveredAtCost).saturating_neg().saturating_sub(buy_fees);
        Self {
            buy_fees,
            cost_sold,
            sale_fees: amount(Account::Fees).saturating_sub(buy_fees),
            proceeds: cost_sold.saturating_sub(amount(Account::RealisedPnl)),
            sold: 1,
            ..figures
        }
    }

    /// Both together.
    #[must_use]
    pub const fn plus(self, other: Self) -> Self {
        Self {
            realised: self.realised.saturating_add(other.realised),
            pending: self.pending.saturating_add(other.pending),
            buy_fees: self.buy_fees.saturating_add(other.buy_fees),
            sale_fees: self.sale_fees.saturating_add(other.sale_fees),
            write_offs: self.write_offs.saturating_add(other.write_offs),
            cost_sold: self.cost_sold.saturating_add(other.cost_sold),
            proceeds: self.proceeds.saturating_add(other.proceeds),
            sold: self.sold.saturating_add(other.sold),
        }
    }

    /// Returns so many times the same, with -1 what undoes it.
    #[must_use]
    pub const fn times(self, times: i64) -> Self {
        Self {
            realised: self.realised.saturating_mul(times),
            pending: self.pending.saturating_mul(times),
            buy_fees: self.buy_fees.saturating_mul(times),
            sale_fees: self.sale_fees.saturating_mul(times),
            write_offs: self.write_offs.saturating_mul(times),
            cost_sold: self.cost_sold.saturating_mul(times),
            proceeds: self.proceeds.saturating_mul(times),
            sold: self.sold.saturating_mul(times),
        }
    }

    /// Returns the realised result, as [`Balanced::earned`](super::Balanced::earned) does for an entry.
    pub const fn earned(&self) -> i64 {
        self.realised.saturating_sub(self.write_offs)
    }

    /// The share of the proceeds that selling cost, rounded up; `None` where nothing was sold.
    pub fn sale_fee_share(&self) -> Option<BasisPoints> {
        let whole = i128::from(BasisPoints::MAX.get());
        let proceeds = i128::from(self.proceeds);
        if self.sold == 0 || proceeds <= 0 {
            return None;
        }
        let share = (i128::from(self.sale_fees.max(0)) * whole + proceeds - 1) / proceeds;
        u16::try_from(share.min(whole)).ok().and_then(|points| BasisPoints::new(points).ok())
    }
}

/// Items that are ours and not given to a buyer, at this moment, and what selling them would bring.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Open {
    /// What they would bring above their cost, in cents; those without a value count at their cost.
    pub unrealised: i64,
    /// How many there are.
    pub items: i64,
    /// How many of them count at their cost, since no value of them is known, or at nothing, since their cost is unknown.
    pub unpriced: i64,
    /// How many of them count at a value that is older than prices may be.
    pub stale: i64,
    /// Since when the oldest value is known that they count at.
    pub oldest_value_at: Option<Timestamp>,
}

impl Open {
    /// So many items of one variant that cost this much together, each at its last known value less the fee of a sale.
    pub fn of(items: i64, cost: i64, mark: Option<Mark>, fee: BasisPoints) -> Self {
        let Some(Mark { value, as_of, is_fresh }) = mark else {
            return Self { items, unpriced: items, ..Self::default() };
        };
        let net = value.get().saturating_sub(Rounding::Ceil.share(value, fee).get());
        Self {
            unrealised: net.saturating_mul(items).saturating_sub(cost),
            items,
            unpriced: 0,
            stale: if is_fresh { 0 } else { items },
            oldest_value_at: Some(as_of),
        }
    }

    /// So many items whose cost is unknown: they have nothing to gain and nothing to lose.
    pub fn of_unknown_cost(items: i64) -> Self {
        Self { items, unpriced: items, ..Self::default() }
    }

    /// Both together.
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        Self {
            unrealised: self.unrealised.saturating_add(other.unrealised),
            items: self.items.saturating_add(other.items),
            unpriced: self.unpriced.saturating_add(other.unpriced),
            stale: self.stale.saturating_add(other.stale),
            oldest_value_at: self.oldest_value_at.into_iter().chain(other.oldest_value_at).min(),
        }
    }
}

const MICROS_A_DAY: i64 = 86_400_000_000;

/// The day of UTC that a point in time lies in, counted from 1970-01-01.
pub const fn day_of(at: Timestamp) -> i64 {
    at.as_micros().div_euclid(MICROS_A_DAY)
}

/// The midnight that a day begins with; the first or last moment there is for days beyond them.
pub fn midnight_of(day: i64) -> Timestamp {
    let micros = day.saturating_mul(MICROS_A_DAY);
    let within = micros.clamp(Timestamp::MIN.as_micros(), Timestamp::MAX.as_micros());
    Timestamp::from_micros(within).unwrap_or(Timestamp::MIN)
}

/// How much time one point of a series covers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Span {
    /// A day.
    Day = 1,
    /// A week, from Monday on.
    Week = 2,
    /// A month of the calendar.
    Month = 3,
}

names! { Span, "span of a series":
    Day => "DAY",
    Week => "WEEK",
    Month => "MONTH",
}

/// In which form a report is written down.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ReportFormat {
    /// A table of values parted by commas.
    Csv = 1,
    /// A list of objects.
    Json = 2,
}

names! { ReportFormat, "format of a report":
    Csv => "CSV",
    Json => "JSON",
}

impl Span {
    /// The first day of the span that a day lies in.
    pub fn first_day(self, day: i64) -> i64 {
        // The first of January 1970 was a Thursday.
        const MONDAY: i64 = 3;
        match self {
            Self::Day => day,
            Self::Week => day.saturating_sub(day.saturating_add(MONDAY).rem_euclid(7)),
            Self::Month => {
                let since_epoch = ::time::Duration::days(day.clamp(-719_162, 2_932_896));
                let date = ::time::OffsetDateTime::UNIX_EPOCH.saturating_add(since_epoch).date();
                day.saturating_sub(i64::from(date.day()).saturating_sub(1))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::money::Cents;

    #[test]
    fn weeks_begin_on_mondays_and_months_on_their_first() {
        // 2026-11-22 is a Sunday.
        let sunday = 20_779;
        assert_eq!(Span::Day.first_day(sunday), sunday);
        assert_eq!(Span::Week.first_day(sunday), sunday - 6);
        assert_eq!(Span::Week.first_day(sunday + 1), sunday + 1);
        assert_eq!(Span::Month.first_day(sunday), sunday - 21);
        assert_eq!(Span::Month.first_day(sunday + 8), sunday - 21);
        assert_eq!(Span::Month.first_day(sunday + 9), sunday + 9);
        assert_eq!(Span::Week.first_day(-1), -3, "the last Monday of 1969 was the 29th of December");
    }

    #[test]
    fn open_items_bring_their_value_less_the_fee_above_their_cost() {
        let fee = BasisPoints::new(500).unwrap();
        let mark = |is_fresh| Mark { value: Cents::new(1_001).unwrap(), as_of: Timestamp::MIN, is_fresh };
        let valued = Open { unrealised: 150, items: 3, oldest_value_at: Some(Timestamp::MIN), ..Open::default() };
        assert_eq!(Open::of(3, 2_700, Some(mark(true)), fee), valued);
        assert_eq!(Open::of(3, 2_700, Some(mark(false)), fee), Open { stale: 3, ..valued });
        let at_cost = Open::of(3, 2_700, None, fee);
        assert_eq!(at_cost, Open { items: 3, unpriced: 3, ..Open::default() });
        let later = Open { oldest_value_at: Some(Timestamp::MAX), ..valued };
        assert_eq!(later.plus(valued).plus(at_cost).oldest_value_at, Some(Timestamp::MIN));
        assert_eq!(Open::of_unknown_cost(2), Open { items: 2, unpriced: 2, ..Open::default() });
    }

    #[test]
    fn the_share_of_fees_is_rounded_up_and_needs_a_sale() {
        let sold = Figures { proceeds: 1_500, sale_fees: 74, sold: 1, ..Figures::default() };
        assert_eq!(sold.sale_fee_share().map(BasisPoints::get), Some(494));
        assert_eq!(Figures::default().sale_fee_share(), None);
    }

    #[test]
    fn item_names_are_combined_with_their_contract_only() {
        let plain = ReportFilter::default();
        assert_eq!(plain.breakdown(Grouping::Contract), Ok(Breakdown::Places));
        assert_eq!(plain.breakdown(Grouping::Account), Ok(Breakdown::Trades));
        assert_eq!(plain.breakdown(Grouping::ItemName), Ok(Breakdown::Names));
        let name = ReportFilter { market_hash_name: MarketHashName::new("AK").ok(), ..ReportFilter::default() };
        assert_eq!(name.breakdown(Grouping::Contract), Ok(Breakdown::Names));
        assert_eq!(name.breakdown(Grouping::Account), Err(UnsupportedBreakdown));
        let account = ReportFilter { account_name: AccountName::new("trader-1").ok(), ..ReportFilter::default() };
        assert_eq!(account.breakdown(Grouping::Contract), Ok(Breakdown::Trades));
        assert_eq!(account.breakdown(Grouping::ItemName), Err(UnsupportedBreakdown));
    }
}
