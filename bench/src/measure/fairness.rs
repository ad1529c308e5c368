//! Whether the engine and the interface share the one writer fairly: how long purchases and other writes take while observations
//! flood in.

use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::time::{Duration, Instant};

use futures::future;
use tokio::time::{MissedTickBehavior, interval};
use tradepost::domain::id::{ContractId, Id, InventoryItemId};
use tradepost::operations::Caller;
use tradepost::operations::contracts::{AppendAssetIDLink, BuyingLimits};

use crate::data::{self, Of};
use crate::load::Database;
use crate::measure::Run;
use crate::measure::latency::at;
use crate::observe::{AT_ONCE, sightings};
use crate::office::Office;
use crate::report::{Figure, Report, Target, Unit};

/// Who record observations at once, and who write otherwise, each a write every so often.
const FLOODERS: u32 = 4;
const EVERY: Duration = Duration::from_millis(10);
const PRICE: i64 = 1_000;
/// Above every asset id that is loaded.
const FIRST_ASSET: u64 = 95_000_000_000;

/// How long writes took.
#[derive(Default)]
struct Taken {
    purchases: Vec<Duration>,
    links: Vec<Duration>,
    observations: u32,
}

pub(super) async fn measure(run: &Run, database: &Database, report: &mut Report) -> anyhow::Result<()> {
    let office = Office::open(database).await?;
    let time = run.time * run.rounds;
    let numbers = Numbers::default();
    let quiet = write(&office, time, 0, &numbers).await?;
    let flooded = write(&office, time, FLOODERS, &numbers).await?;
    office.close().await?;
    let rate = f64::from(flooded.observations) / time.as_secs_f64();
    let both = [("purchases", &quiet.purchases, &flooded.purchases), ("links", &quiet.links, &flooded.links)];
    for (what, quiet, flooded) in both {
        let usual = at(quiet, 0.5);
        report.add(Figure {
            what: format!("{}: how much longer {what} take at most in a flood of observations", database.backend.name()),
            target: Target::AtMost(50.0),
            value: millis(at(flooded, 1.0).saturating_sub(usual)),
            unit: Unit::Milliseconds,
            details: format!(
                "of {}: median {:.1} ms, p99 {:.1} ms at {rate:.0} observations/s; without any {:.1} ms, {:.1} ms, slowest {:.1} ms",
                flooded.len(),
                millis(at(flooded, 0.5)),
                millis(at(flooded, 0.99)),
                millis(usual),
                millis(at(quiet, 0.99)),
                millis(at(quiet, 1.0)),
            ),
        });
    }
    Ok(())
}

fn millis(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

/// Numbers that are not in use yet.
#[derive(Default)]
struct Numbers {
    bought: AtomicU32,
    linked: AtomicU32,
    seen: AtomicU32,
}

async fn write(office: &Office, time: Duration, flooders: u32, numbers: &Numbers) -> anyhow::Result<Taken> {
    let limits = BuyingLimits {
        target_quantity: Some(1_000_000),
        max_buy_price_cents: Some(PRICE),
        budget_cents: Some(1_000_000_000_000),
        ..BuyingLimits::default()
    };
    let contract_id = office.contract(limits, None).await?;
    let over = AtomicBool::new(false);
    let flooding = future::try_join_all((0..flooders).map(|_| flood(office, &over, numbers)));
    let writing = async {
        let both = future::try_join(
            every_so_often(time, async || buy(office, contract_id, numbers).await),
            every_so_often(time, async || append(office, numbers).await),
        );
        let written = both.await;
        over.store(true, Ordering::Relaxed);
        written
    };
    let (observed, (purchases, links)) = future::try_join(flooding, writing).await?;
    Ok(Taken { purchases, links, observations: observed.into_iter().sum() })
}

async fn flood(office: &Office, over: &AtomicBool, numbers: &Numbers) -> anyhow::Result<u32> {
    let (batch, mut recorded) = (u32::try_from(AT_ONCE)?, 0);
    while !over.load(Ordering::Relaxed) {
        let sightings = sightings(numbers.seen.fetch_add(batch, Ordering::Relaxed), batch)?;
        office.operations().record_listings(&Caller::system(), office.workspace_id, sightings).await?;
        recorded += batch;
    }
    Ok(recorded)
}

async fn every_so_often(time: Duration, write: impl AsyncFn() -> anyhow::Result<()>) -> anyhow::Result<Vec<Duration>> {
    let (begun, mut taken, mut ticks) = (Instant::now(), Vec::new(), interval(EVERY));
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    while begun.elapsed() < time {
        ticks.tick().await;
        let write_begun = Instant::now();
        write().await?;
        taken.push(write_begun.elapsed());
    }
    Ok(taken)
}

async fn buy(office: &Office, contract_id: ContractId, numbers: &Numbers) -> anyhow::Result<()> {
    // Those of other measurements on the same database have lower numbers.
    let number = 50_000_000 + numbers.bought.fetch_add(1, Ordering::Relaxed);
    office.operations().buy_now(&Caller::system(), office.buying(contract_id, number, PRICE)?).await?;
    Ok(())
}

async fn append(office: &Office, numbers: &Numbers) -> anyhow::Result<()> {
    let number = numbers.linked.fetch_add(1, Ordering::Relaxed);
    let item: InventoryItemId = Id::from_bytes(data::id(Of::Item, number).into_bytes());
    let link = AppendAssetIDLink {
        workspace_id: office.workspace_id,
        inventory_item_id: item,
        expected_step: None,
        asset_id: (FIRST_ASSET + u64::from(number)).to_string(),
        source: "inventory".to_owned(),
        source_id: format!("flooded-{number}"),
    };
    office.operations().append_asset_id_link(&Caller::system(), link).await?;
    Ok(())
}
