//! What a listing costs and what selling it on brings. Costs are rounded up, proceeds and ratios down.

use crate::contract::BasisPoints;
use crate::fees::Rounding;
use crate::listing::Listing;
use crate::money::Cents;

use super::Circumstances;

/// For how many days the game platform keeps an item from being traded on after the trade that brought it.
pub const PROTECTION_DAYS: u32 = 7;

/// What is taken off the value for each day in which the item cannot be sold, since prices fall too: 20 basis points, so
/// that the days of protection take 1.4 %.
pub const HAIRCUT_PER_DAY: u16 = 20;

/// The sums of an offer, as far as they can be found.
pub(super) struct Sums {
    pub(super) all_in_cost: Option<Cents>,
    pub(super) expected_net: Option<Cents>,
    /// In basis points of the cost.
    pub(super) expected_margin: Option<i64>,
    /// In basis points of the value.
    pub(super) discount: Option<i64>,
}

impl Sums {
    pub(super) fn of(listing: &Listing, known: &Circumstances<'_>, value: Option<Cents>) -> Self {
        let all_in_cost = all_in_cost(listing, known);
        let expected_net = value.and_then(|value| best_net(value, listing, known));
        let both = |one: Option<Cents>, other: Option<Cents>| one.zip(other);
        Self {
            all_in_cost,
            expected_net,
            expected_margin: both(expected_net, all_in_cost).and_then(|(net, cost)| gain(cost, net, cost)),
            discount: both(value, all_in_cost).and_then(|(value, cost)| gain(cost, value, value)),
        }
    }
}

/// Price and fee; none for what costs nothing, which no marketplace sells, or more than an amount can be.
fn all_in_cost(listing: &Listing, known: &Circumstances<'_>) -> Option<Cents> {
    let rate = known.fees.buying(&listing.variant.market_hash_name, known.at);
    let all_in = listing.price.plus(rate.estimate(listing.price)).ok();
    all_in.filter(|_| listing.price > Cents::ZERO)
}

/// What is left of the value in the end, where most of it is left; nothing where fees are more than that.
fn best_net(value: Cents, listing: &Listing, known: &Circumstances<'_>) -> Option<Cents> {
    let days = listing.trade_lock_days.saturating_add(PROTECTION_DAYS);
    let share = u16::try_from(days).ok().and_then(|days| days.checked_mul(HAIRCUT_PER_DAY));
    let share = share.and_then(|share| BasisPoints::new(share).ok()).unwrap_or(BasisPoints::MAX);
    let later = value.minus(Rounding::Ceil.share(value, share)).ok()?;
    let nets = known.exits.iter().map(|exit| {
        let rate = exit.selling(&listing.variant.market_hash_name, known.at);
        later.minus(rate.estimate(later)).unwrap_or(Cents::ZERO)
    });
    nets.max()
}

/// What lies between `paid` and `got`, in basis points of `whole`, rounded down.
fn gain(paid: Cents, got: Cents, whole: Cents) -> Option<i64> {
    let points = i128::from(got.get() - paid.get()) * i128::from(BasisPoints::MAX.get());
    i64::try_from(points.checked_div_euclid(i128::from(whole.get()))?).ok()
}
