//! Matching and evaluating listings in memory, on one core: how many a second against many contracts, and what more contracts
//! cost a listing that as many want as before.

use std::hint::black_box;
use std::time::{Duration, Instant};

use tradepost_domain::contracts::evaluation::Decision;
use tradepost_domain::markets::listing::Listing;

use crate::market::{Market, WANTED, WANTING, any_listing, wanted_listing};
use crate::measure::Run;
use crate::report::{Figure, Report, Target, Unit, median};

const CONTRACTS: u32 = 5_000;
const LISTINGS: u32 = 10_000;

pub(super) fn measure(run: &Run, report: &mut Report) -> anyhow::Result<()> {
    let any: Vec<Listing> = (0..LISTINGS).map(any_listing).collect::<anyhow::Result<_>>()?;
    let wanted = wanted_listings()?;
    let market = Market::of(CONTRACTS, &any)?;
    let (few, many) = (Market::of(WANTING, &wanted)?, Market::of(CONTRACTS, &wanted)?);
    let (mut rates, mut costs, mut costs_among_few) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..run.rounds {
        rates.push(1e6 / micros_per_listing(&market, &any, run.time));
        costs_among_few.push(micros_per_listing(&few, &wanted, run.time));
        costs.push(micros_per_listing(&many, &wanted, run.time));
    }
    let decisions: Vec<Decision> =
        any.iter().flat_map(|listing| market.decide(listing)).map(|one| one.decision).collect();
    let bought = decisions.iter().filter(|decision| **decision == Decision::Buy).count();
    report.add(Figure {
        what: format!("listings matched and evaluated against {CONTRACTS} contracts, on one core"),
        target: Target::AtLeast(100_000.0),
        value: median(rates),
        unit: Unit::PerSecond,
        details: format!(
            "{:.1} contracts want a listing on average; {bought} of {} evaluations end in BUY",
            decisions.len() as f64 / f64::from(LISTINGS),
            decisions.len()
        ),
    });
    let (cost, among_few) = (median(costs), median(costs_among_few));
    report.add(Figure {
        what: format!("cost of a listing that two want, of {CONTRACTS} contracts against {WANTING}"),
        target: Target::AtMost(2.0),
        value: cost / among_few,
        unit: Unit::Ratio,
        details: format!("{cost:.2} µs; of {WANTING} contracts {among_few:.2} µs"),
    });
    Ok(())
}

fn wanted_listings() -> anyhow::Result<Vec<Listing>> {
    (0..WANTED).map(wanted_listing).collect()
}

/// After a tenth of the time to warm up.
fn micros_per_listing(market: &Market, listings: &[Listing], time: Duration) -> f64 {
    let pass = || listings.iter().for_each(|listing| market.decide(listing).for_each(|one| drop(black_box(one))));
    let passes_within = |time: Duration| {
        let begun = Instant::now();
        let mut passes = 0_u32;
        while begun.elapsed() < time {
            pass();
            passes += 1;
        }
        (passes, begun.elapsed())
    };
    passes_within(time / 10);
    let (passes, elapsed) = passes_within(time);
    elapsed.as_secs_f64() * 1e6 / (f64::from(passes) * listings.len() as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_wanted_listing_is_wanted_twice_by_few_and_by_many() {
        let wanted = wanted_listings().expect("they can be made");
        for contracts in [WANTING, CONTRACTS] {
            let market = Market::of(contracts, &wanted).expect("it can be made");
            assert!(wanted.iter().all(|listing| market.decide(listing).count() == 2), "of {contracts}");
        }
    }
}
