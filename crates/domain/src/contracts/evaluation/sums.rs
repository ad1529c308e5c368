//! What an item costs, what it brings and what is earned by it. Costs are rounded up, proceeds and ratios down.

use crate::contracts::contract::BasisPoints;
use crate::markets::fees::{Charges, Rounding};
use crate::money::Cents;
use crate::text::MarketHashName;
use crate::time::Timestamp;

use super::Circumstances;
use super::subject::{Holding, ListingContext};

/// The discount on the value for each day in which an item cannot be sold, since prices can fall: 20 basis points, so
/// that 7 days of trade protection take 1.4 %.
pub const HAIRCUT_PER_DAY: u16 = 20;

/// The sums, as far as they can be found.
pub(super) struct Sums {
    /// What it costs, with fees.
    pub(super) cost: Option<Cents>,
    /// What it brings, after fees.
    pub(super) net: Option<Cents>,
    /// What is earned, in basis points of the cost.
    pub(super) margin: Option<i64>,
    /// How far the cost is below the value, in basis points of the value.
    pub(super) discount: Option<i64>,
}

impl Sums {
    pub(super) fn of_buying(context: &ListingContext<'_>, known: &Circumstances<'_>, value: Option<Cents>) -> Self {
        let listing = context.listing;
        let name = &listing.variant.market_hash_name;
        // What costs nothing is sold by no marketplace.
        let fee = known.fees.and_then(|fees| fees.on_buying(name, known.at, listing.price).ok());
        let all_in = fee.and_then(|fee| listing.price.plus(fee).ok());
        let days = listing.trade_lock_days.saturating_add(listing.variant.app_id.protection_days());
        let best = |later: Cents| context.exits.iter().map(|exit| net(exit, name, known.at, later)).max();
        Self::new(
            all_in.filter(|_| listing.price > Cents::ZERO),
            value.and_then(|value| best(after_days(value, days))),
            value,
        )
    }

    pub(super) fn of_selling(holding: &Holding<'_>, known: &Circumstances<'_>, asking_price: Option<Cents>) -> Self {
        let name = &holding.item.market_hash_name;
        let sale = asking_price.zip(known.fees);
        Self::new(holding.cost, sale.map(|(price, fees)| net(fees, name, known.at, price)), None)
    }

    fn new(cost: Option<Cents>, net: Option<Cents>, value: Option<Cents>) -> Self {
        Self {
            cost,
            net,
            margin: net.zip(cost).and_then(|(net, cost)| gain(cost, net, cost)),
            discount: value.zip(cost).and_then(|(value, cost)| gain(cost, value, value)),
        }
    }
}

/// What is earned by selling an item at a price, in basis points of what it has cost; `None` where that is not known.
pub fn margin_of_sale(holding: &Holding<'_>, price: Cents, fees: &Charges, at: Timestamp) -> Option<i64> {
    let net = net(fees, &holding.item.market_hash_name, at, price);
    holding.cost.and_then(|cost| gain(cost, net, cost))
}

/// Returns the expected value after this many days.
fn after_days(value: Cents, days: u32) -> Cents {
    let share = u16::try_from(days).ok().and_then(|days| days.checked_mul(HAIRCUT_PER_DAY));
    let share = share.and_then(|share| BasisPoints::new(share).ok()).unwrap_or(BasisPoints::MAX);
    value.minus(Rounding::Ceil.share(value, share)).unwrap_or(Cents::ZERO)
}

/// What a seller is paid; nothing where the fee is more than the price.
fn net(fees: &Charges, name: &MarketHashName, at: Timestamp, price: Cents) -> Cents {
    fees.on_selling(name, at, price).and_then(|fee| price.minus(fee)).unwrap_or(Cents::ZERO)
}

/// What lies between `paid` and `got`, in basis points of `whole`, rounded down.
fn gain(paid: Cents, got: Cents, whole: Cents) -> Option<i64> {
    // 10^13 cents times 10^4 is far below what 64 bits hold.
    let points = (got.get() - paid.get()) * i64::from(BasisPoints::MAX.get());
    points.checked_div_euclid(whole.get())
}
