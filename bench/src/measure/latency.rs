//! How long it takes from a listing that is seen to a purchase that is ready to be sent, with many purchases stored: by the
//! operations alone, and by passes of the engine.

use std::time::{Duration, Instant};

use tradepost::domain::contracts::contract::Contract;
use tradepost::domain::contracts::evaluation::{Activity, Circumstances, Decision, ListingContext, evaluate_listing};
use tradepost::domain::contracts::matching::ContractIndex;
use tradepost::domain::id::ContractId;
use tradepost::domain::markets::fees::Charges;
use tradepost::domain::markets::listing::Listing;
use tradepost::domain::markets::observation::{ListingSnapshot, Outcome};
use tradepost::domain::markets::pricing::Quotes;
use tradepost::operations::Caller;
use tradepost::operations::contracts::{BuyingLimits, GetContract};
use tradepost::ports::clock::Clock as _;

use crate::load::Database;
use crate::measure::Run;
use crate::office::{MARKETPLACE, Office, text};
use crate::outside::{Outside, no_fees, plain};
use crate::report::{Figure, Report, Target, Unit};

const WANTED: &str = "AK-47 | Redline (Field-Tested)";
const UNWANTED: &str = "AWP | Asiimov (Field-Tested)";
const PRICE: i64 = 1_000;
/// Listings of a pass, of which so many are wanted.
const SHOWN: u32 = 50;
const TO_BUY: u32 = 2;
/// Purchases that are enough for a p99.
const ENOUGH: usize = 2_000;

pub(super) async fn measure(run: &Run, database: &Database, report: &mut Report) -> anyhow::Result<()> {
    let time = run.time * run.rounds;
    let office = Office::open(database).await?;
    let waited = by_operations(&office, time).await?;
    let stored = run.sizes.purchases;
    report.add(figure(
        format!("{}: observed, evaluated and reserved by the operations, p99", database.backend.name()),
        50.0,
        &waited,
        format!("{stored} purchases stored"),
    ));
    let (waited, passes) = by_the_engine(&office, time).await?;
    report.add(figure(
        format!("{}: from a listing seen by the engine to its purchase being sent, p99", database.backend.name()),
        20.0,
        &waited,
        format!(
            "{} passes of {SHOWN} listings, {TO_BUY} of them wanted; a pass takes {} in the median; {stored} purchases stored",
            passes.len(),
            millis(at(&passes, 0.5))
        ),
    ));
    office.close().await
}

fn figure(what: String, most: f64, waited: &[Duration], details: String) -> Figure {
    Figure {
        what,
        target: Target::AtMost(most),
        value: at(waited, 0.99).as_secs_f64() * 1e3,
        unit: Unit::Milliseconds,
        details: format!(
            "of {}; median {}, slowest {}; {details}",
            waited.len(),
            millis(at(waited, 0.5)),
            millis(at(waited, 1.0))
        ),
    }
}

fn millis(time: Duration) -> String {
    format!("{:.1} ms", time.as_secs_f64() * 1e3)
}

/// The value below which such a share of them lies.
pub(super) fn at(values: &[Duration], share: f64) -> Duration {
    let mut sorted = values.to_vec();
    sorted.sort_unstable();
    let place = (sorted.len() as f64 * share).ceil() as usize;
    sorted.get(place.saturating_sub(1)).copied().unwrap_or_default()
}

async fn contract(office: &Office) -> anyhow::Result<ContractId> {
    let limits = BuyingLimits {
        target_quantity: Some(1_000_000),
        max_buy_price_cents: Some(PRICE),
        budget_cents: Some(1_000_000_000_000),
        daily_budget_cents: Some(1_000_000_000_000),
        max_per_item_name: Some(1_000_000),
        ..BuyingLimits::default()
    };
    office.contract(limits, None).await
}

/// How long a listing takes, apart from external calls: it is recorded, compared with the contracts, evaluated, and its
/// money reserved.
async fn by_operations(office: &Office, time: Duration) -> anyhow::Result<Vec<Duration>> {
    let contract_id = contract(office).await?;
    let get = GetContract { workspace_id: office.workspace_id, contract_id };
    let contract = office.operations().get_contract(&Caller::system(), get).await?.value;
    let (mut index, fees, begun) = (ContractIndex::default(), [no_fees()?.into()], Instant::now());
    index.follow(&contract, None);
    let mut waited = Vec::new();
    // Each measurement on the same database buys listings of its own.
    for number in 20_000_000.. {
        let listing = plain(WANTED, PRICE)?;
        let seen_at = Instant::now();
        record(office, number, listing.clone()).await?;
        let wants = index.matching(&listing).contains(&contract_id) && would_buy(&contract, &listing, &fees)?;
        anyhow::ensure!(wants, "the contract does not want the listing");
        let command = office.buying(contract_id, number, PRICE)?;
        office.operations().buy_now(&Caller::system(), command).await?;
        waited.push(seen_at.elapsed());
        if waited.len() >= ENOUGH || begun.elapsed() > time {
            break;
        }
    }
    Ok(waited)
}

async fn record(office: &Office, number: u32, listing: Listing) -> anyhow::Result<()> {
    let snapshot = ListingSnapshot {
        marketplace: text(MARKETPLACE)?,
        listing_id: text(&format!("wanted-{number}"))?,
        asset_id: None,
        listing,
        observed_at: tradepost::SystemClock.now(),
    };
    let outcomes = office.operations().record_listings(&Caller::system(), office.workspace_id, vec![snapshot]).await?;
    anyhow::ensure!(outcomes.iter().all(|one| one.outcome == Outcome::Accepted), "it was not recorded");
    Ok(())
}

fn would_buy(contract: &Contract, listing: &Listing, fees: &[Charges; 1]) -> anyhow::Result<bool> {
    let (marketplace, quotes, [own]) = (text(MARKETPLACE)?, Quotes::default(), fees);
    let known = Circumstances {
        marketplace: &marketplace,
        fees: Some(own),
        filter: None,
        quotes: &quotes,
        price_override: None,
        at: tradepost::SystemClock.now(),
    };
    let prospect = ListingContext { listing, exits: fees, activity: Activity::default() };
    Ok(evaluate_listing(contract, &prospect, &known).is_some_and(|one| one.decision == Decision::Buy))
}

/// From the answer that shows a listing to the call that buys it. With how long the passes took.
async fn by_the_engine(office: &Office, time: Duration) -> anyhow::Result<(Vec<Duration>, Vec<Duration>)> {
    // Those of the operations are not offered again.
    const FIRST: u32 = 30_000_000;
    contract(office).await?;
    let outside = Outside::default();
    let mut engine = office.app.engine(outside.desk(office.workspace_id)?).await?;
    // It finds out what there is.
    engine.pass().await;
    let (mut waited, mut passes, begun) = (Vec::new(), Vec::new(), Instant::now());
    for pass in 0.. {
        for number in (0..SHOWN).map(|number| FIRST + pass * SHOWN + number) {
            let (name, cents) = if number % SHOWN < TO_BUY { (WANTED, PRICE) } else { (UNWANTED, PRICE * 2) };
            outside.offer(number, name, cents)?;
        }
        let pass_begun = Instant::now();
        let done = engine.pass().await;
        passes.push(pass_begun.elapsed());
        let now_bought = outside.waited();
        anyhow::ensure!(now_bought.len() == TO_BUY as usize, "{} were bought: {:?}", now_bought.len(), done.errors);
        waited.extend(now_bought);
        if waited.len() >= ENOUGH || begun.elapsed() > time {
            break;
        }
    }
    Ok((waited, passes))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(flavor = "multi_thread")]
    async fn what_is_wanted_is_reserved_by_the_operations_and_sent_by_the_engine() {
        let folder = tempfile::tempdir().unwrap();
        let office = Office::found(folder.path()).await.unwrap();
        assert!(!by_operations(&office, Duration::from_millis(50)).await.unwrap().is_empty());
        assert!(!by_the_engine(&office, Duration::from_millis(50)).await.unwrap().0.is_empty());
        office.close().await.unwrap();
    }

    #[test]
    fn a_share_of_the_values_lies_below_its_percentile() {
        let values: Vec<_> = (1..=100).rev().map(Duration::from_millis).collect();
        assert_eq!(at(&values, 0.99), Duration::from_millis(99));
        assert_eq!(at(&values, 1.0), Duration::from_millis(100));
        assert_eq!(at(&[], 0.5), Duration::ZERO);
    }
}
