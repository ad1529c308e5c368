//! Many who race for one budget: how many reservations a second, and never a cent too much.

use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Instant;

use futures::future;
use tradepost::domain::id::{ContractId, PoolId};
use tradepost::operations::Caller;
use tradepost::operations::contracts::{BuyingLimits, GetPoolBalance};

use crate::load::Database;
use crate::measure::Run;
use crate::office::Office;
use crate::report::{Figure, Report, Target, Unit, median};

const WORKERS: u32 = 64;
const PRICE: i64 = 1_234;
/// What refuses a purchase that the money does not cover.
const REFUSALS: [&str; 2] = ["BUDGET_TOO_LOW", "POOL_FUNDS_TOO_LOW"];

/// Whose money is too little.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Budget {
    Contract,
    Pool,
}

pub(super) async fn measure(run: &Run, database: &Database, report: &mut Report) -> anyhow::Result<()> {
    let office = Office::open(database).await?;
    let numbers = AtomicU32::new(0);
    for (budget, of_what) in [(Budget::Contract, "a contract's budget"), (Budget::Pool, "a pool's money")] {
        let mut rates = Vec::new();
        for _ in 0..run.rounds {
            rates.push(race(&office, budget, run.reservations, &numbers).await?);
        }
        report.add(Figure {
            what: format!("{}: reservations/s of {WORKERS} who race for {of_what}", database.backend.name()),
            target: Target::AtLeast(300.0),
            value: median(rates),
            unit: Unit::PerSecond,
            details: format!("{} of them fit, the rest was refused, and not a cent was too much", run.reservations),
        });
    }
    office.close().await
}

/// Lets them race for money that covers so many purchases and all but a cent of another. Gives the rate.
async fn race(office: &Office, budget: Budget, fitting: u32, numbers: &AtomicU32) -> anyhow::Result<f64> {
    let covered = PRICE * i64::from(fitting + 1) - 1;
    let pool_id = if budget == Budget::Pool { Some(office.pool(covered).await?) } else { None };
    let limits = BuyingLimits {
        target_quantity: Some(1_000_000),
        max_buy_price_cents: Some(PRICE),
        budget_cents: Some(if budget == Budget::Pool { covered * 2 } else { covered }),
        ..BuyingLimits::default()
    };
    let contract_id = office.contract(limits, pool_id).await?;
    let begun = Instant::now();
    let workers = (0..WORKERS).map(|_| reserve_until_refused(office, contract_id, numbers));
    let reserved: u32 = future::try_join_all(workers).await?.into_iter().sum();
    let elapsed = begun.elapsed().as_secs_f64();
    anyhow::ensure!(reserved == fitting, "{reserved} reservations were made of {fitting} that fit");
    check(office, contract_id, pool_id, fitting, covered).await?;
    Ok(f64::from(reserved) / elapsed)
}

async fn reserve_until_refused(office: &Office, contract_id: ContractId, numbers: &AtomicU32) -> anyhow::Result<u32> {
    let mut reserved = 0;
    loop {
        let command = office.buying(contract_id, numbers.fetch_add(1, Ordering::Relaxed), PRICE)?;
        match office.operations().buy_now(&Caller::system(), command).await {
            Ok(_) => reserved += 1,
            Err(refused) if REFUSALS.contains(&refused.reason.as_str()) => return Ok(reserved),
            Err(other) => return Err(other.into()),
        }
    }
}

/// Purchases, counters and the pool agree on what is reserved, and it is at most what there was.
async fn check(
    office: &Office,
    contract_id: ContractId,
    pool_id: Option<PoolId>,
    fitting: u32,
    covered: i64,
) -> anyhow::Result<()> {
    let expected = PRICE * i64::from(fitting);
    let counted = office.counters(contract_id).await?.reserved.get();
    let purchases = office.purchases(contract_id).await?;
    let held: i64 = purchases.iter().map(|purchase| purchase.counter_delta().reserved.get()).sum();
    anyhow::ensure!(counted == expected, "the contract counts {counted} cents as reserved, not {expected}");
    anyhow::ensure!(held == expected, "purchases hold {held} cents, not {expected}");
    anyhow::ensure!(held <= covered, "{held} cents are reserved of {covered}");
    if let Some(pool_id) = pool_id {
        use tradepost::domain::contracts::ledger::Account;
        let balances = GetPoolBalance { workspace_id: office.workspace_id, pool_id };
        let balances = office.operations().get_pool_balance(&Caller::system(), balances).await?.value;
        let (available, reserved) = (balances.of(Account::Available).get(), balances.of(Account::Reserved).get());
        anyhow::ensure!(
            (available, reserved) == (covered - expected, expected),
            "the pool has {available}, {reserved}"
        );
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(flavor = "multi_thread")]
    async fn as_many_as_the_money_covers_win_and_what_is_reserved_adds_up() {
        let folder = tempfile::tempdir().unwrap();
        let office = Office::found(folder.path()).await.unwrap();
        for budget in [Budget::Contract, Budget::Pool] {
            race(&office, budget, 50, &AtomicU32::new(budget as u32 * 1_000)).await.unwrap();
        }
        office.close().await.unwrap();
    }
}
