//! The prices of the sample data: what the items of the demo were offered at, once a day, and more often in the last week. They are
//! recorded day by day, as the clock passes them, so that the items of a day have the values of that day.

use time::Duration;
use tradepost::domain::asset::AppId;
use tradepost::domain::id::WorkspaceId;
use tradepost::domain::markets::listing::Listing;
use tradepost::domain::markets::observation::{ListingSnapshot, Outcome as Recorded};
use tradepost::domain::markets::variant::Variant;
use tradepost::domain::money::Cents;
use tradepost::domain::text::{ExternalId, MarketHashName, Marketplace, Name};
use tradepost::domain::time::Timestamp;
use tradepost::operations::{Caller, Operations};

use super::catalogue::VARIANTS;
use super::rng::SeededRng;
use super::trading::Period;
use super::venues::MARKETPLACES;
use super::{live, refused, sure};
use crate::failure::{Exit, Failure, Outcome};
use crate::simulated::MARKET;

/// How often a price is seen.
const SEEN_EVERY: Duration = Duration::days(1);
/// How often it is seen lately.
const LATELY_SEEN_EVERY: Duration = Duration::hours(4);
const LATELY: Duration = Duration::days(7);
/// The most by which a price moves from one sight to the next, in basis points.
const STEP: i64 = 250;
/// The seed of prices is another one than that of trades, so that neither changes the other.
const PRICES: u64 = 0x7072_6963_6573;

/// What is seen of the price of an item.
struct Line {
    variant: Variant,
    marketplace: Marketplace,
    /// From the first sight to the last, in cents.
    prices: Vec<i64>,
}

/// The prices of all items from the beginning of the sample data to its end.
pub(super) struct PriceHistory {
    lines: Vec<Line>,
    /// When the prices of all lines were seen.
    sights: Vec<Timestamp>,
    /// How many of these sights are recorded.
    recorded: usize,
}

impl PriceHistory {
    /// Draws the prices of this time.
    pub(super) fn of(seed: u64, period: Period) -> Outcome<Self> {
        let (mut dice, sights) = (SeededRng::of(seed ^ PRICES), sights(period));
        let own = VARIANTS.into_iter().zip(MARKETPLACES.into_iter().cycle());
        let mut lines = Vec::new();
        for (item, place) in own {
            let last = item.usual_price;
            lines.push(Line {
                variant: variant(item.name, None)?,
                marketplace: sure(Marketplace::new(place))?,
                prices: draw(&mut dice, last, sights.len()),
            });
        }
        for kind in live::kinds() {
            let variant = variant(kind.market_hash_name.as_str(), kind.phase)?;
            lines.push(Line {
                variant,
                marketplace: sure(Marketplace::new(MARKET))?,
                prices: draw(&mut dice, kind.price.get(), sights.len()),
            });
        }
        Ok(Self { lines, sights, recorded: 0 })
    }

    /// Records what was seen until `now`, and not yet recorded.
    pub(super) async fn record(
        &mut self,
        operations: &Operations,
        workspace_id: WorkspaceId,
        now: Timestamp,
    ) -> Outcome {
        let mut sightings = Vec::new();
        while let Some(at) = self.sights.get(self.recorded).copied().filter(|at| *at <= now) {
            for (number, line) in self.lines.iter().enumerate() {
                sightings.extend(line.seen(number, self.recorded, at)?);
            }
            self.recorded += 1;
        }
        let recorded = operations.record_listings(&Caller::system(), workspace_id, sightings).await.map_err(refused)?;
        if recorded.iter().any(|one| one.outcome != Recorded::Accepted) {
            return Err(Failure::new(Exit::Failed, "a price of the sample data was not recorded"));
        }
        Ok(())
    }
}

impl Line {
    /// The listing that was seen.
    fn seen(&self, number: usize, sight: usize, at: Timestamp) -> Outcome<Option<ListingSnapshot>> {
        let Some(price) = self.prices.get(sight) else { return Ok(None) };
        let listing = Listing {
            variant: self.variant.clone(),
            rarity: None,
            float_value: None,
            paint_seed: None,
            paint_index: None,
            stickers: Vec::new(),
            charms: Vec::new(),
            price: sure(Cents::new(*price))?,
            trade_lock_days: 0,
            seller_success: None,
        };
        Ok(Some(ListingSnapshot {
            marketplace: self.marketplace.clone(),
            listing_id: sure(ExternalId::new(&format!("seen-{number:02}-{sight:04}")))?,
            asset_id: None,
            listing,
            observed_at: at,
        }))
    }
}

fn sights(Period { began, now }: Period) -> Vec<Timestamp> {
    let (mut sights, mut at) = (Vec::new(), began);
    while at < now {
        let wait = if now.since(at) > LATELY { SEEN_EVERY } else { LATELY_SEEN_EVERY };
        at = at.plus(wait).min(now);
        sights.push(at);
    }
    sights
}

fn variant(name: &str, phase: Option<Name>) -> Outcome<Variant> {
    Ok(Variant { app_id: AppId::CS2, market_hash_name: sure(MarketHashName::new(name))?, phase })
}

/// Draws prices backwards from the last one, which is what the item costs now. What has wandered far is drawn back.
fn draw(dice: &mut SeededRng, last: i64, sights: usize) -> Vec<i64> {
    let (mut prices, mut price) = (Vec::with_capacity(sights), last);
    for _ in 0..sights {
        prices.push(price.max(1));
        let step = i64::try_from(dice.below(2 * STEP.unsigned_abs() + 1)).unwrap_or(0) - STEP;
        price += price * step / 10_000 + (last - price) / 40;
    }
    prices.reverse();
    prices
}

#[cfg(test)]
mod tests {
    use super::*;

    fn history(seed: u64) -> PriceHistory {
        let began = Timestamp::MIN;
        PriceHistory::of(seed, Period { began, now: began.plus(Duration::days(90)) }).unwrap()
    }

    #[test]
    fn a_price_is_seen_once_a_day_and_six_times_a_day_in_the_last_week() {
        let PriceHistory { sights, lines, .. } = history(42);
        assert_eq!(sights.len(), 83 + 7 * 6);
        assert_eq!(sights.last(), Some(&Timestamp::MIN.plus(Duration::days(90))));
        assert!(lines.iter().all(|line| line.prices.len() == sights.len()));
    }

    #[test]
    fn prices_end_where_they_are_now_and_stay_near_it() {
        for (line, variant) in history(42).lines.iter().zip(VARIANTS) {
            assert_eq!(line.prices.last(), Some(&variant.usual_price));
            let near = |price: &i64| (variant.usual_price / 2..=variant.usual_price * 2).contains(price);
            assert!(line.prices.iter().all(near), "{}: {:?}", variant.name, line.prices);
        }
    }

    #[test]
    fn a_seed_gives_the_same_prices() {
        let prices = |seed| history(seed).lines.into_iter().map(|line| line.prices).collect::<Vec<_>>();
        assert_eq!(prices(7), prices(7));
        assert_ne!(prices(7), prices(8));
    }
}
