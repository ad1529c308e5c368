//! What an engine takes to begin again with many open purchases: from opening the file to the end of its first pass, less what
//! the outside took.

use std::time::{Duration, Instant};

use anyhow::Context as _;
use futures::{StreamExt as _, TryStreamExt as _};
use tradepost::domain::asset::{AppId, AssetId};
use tradepost::domain::contracts::contract::{
    ApprovalMode, BuyingTerms, Contract, ContractParts, ContractStatus, Counters, Terms,
};
use tradepost::domain::contracts::purchase::{Order, Progress, Purchase, PurchaseParts, PurchaseStatus, PurchaseTerms};
use tradepost::domain::id::{ContractId, Id, WorkspaceId};
use tradepost::domain::money::Cents;
use tradepost::engine::Engine;
use tradepost::operations::Caller;
use tradepost::operations::contracts::{CountPurchases, WantedPurchases};
use tradepost::ports::changes::Changes;
use tradepost::ports::clock::{Clock as _, Ids as _, RandomIds};

use crate::measure::Run;
use crate::office::{ACCOUNT, MARKETPLACE, Office, text};
use crate::outside::Outside;
use crate::report::{Figure, Report, Target, Unit};

const PRICE: i64 = 1_000;
/// Written in one commit, and so many commits at a time.
const IN_A_COMMIT: usize = 100;
const AT_ONCE: usize = 8;

pub(super) async fn measure(run: &Run, report: &mut Report) -> anyhow::Result<()> {
    let folder = run.places.cache.join("run").join(format!("recovery-{}", run.open_purchases));
    if folder.exists() {
        std::fs::remove_dir_all(&folder)?;
    }
    std::fs::create_dir_all(&folder)?;
    let office = Office::found(&folder).await?;
    fill(&office, run.open_purchases).await?;
    let workspace_id = office.workspace_id;
    office.close().await?;
    let begun = Instant::now();
    let office = Office::again(&folder, workspace_id).await?;
    let mut desk = Beginning::at(&office).await?;
    let own = desk.first_pass(begun).await?;
    let outside = desk.outside.own_time();
    check(&office, run.open_purchases).await?;
    let Round { passes, took, longest } = desk.rest_of_round(run.open_purchases).await?;
    office.close().await?;
    report.add(Figure {
        what: format!("SQLite: to begin again with {} open purchases", run.open_purchases),
        target: Target::AtMost(10_000.0),
        value: own.as_secs_f64() * 1e3,
        unit: Unit::Milliseconds,
        details: format!(
            "apart from the outside, which took {:.0} ms; one in a hundred had been sent, was in doubt, and was to be sent. Every \
             purchase was followed {passes} passes later, after {:.1} s; the longest of them took {:.0} ms",
            outside.as_secs_f64() * 1e3,
            took.as_secs_f64(),
            longest.as_secs_f64() * 1e3
        ),
    });
    Ok(())
}

/// An engine that begins again, and what it asks.
struct Beginning {
    engine: Engine,
    outside: Outside,
}

/// The passes after the first one, until every purchase was followed.
struct Round {
    passes: u32,
    took: Duration,
    longest: Duration,
}

impl Beginning {
    async fn at(office: &Office) -> anyhow::Result<Self> {
        let outside = Outside::default();
        let engine = office.app.engine(outside.desk(office.workspace_id)?).await?;
        Ok(Self { engine, outside })
    }

    /// How long it was from the beginning to the end of the first pass, without the outside.
    async fn first_pass(&mut self, begun: Instant) -> anyhow::Result<Duration> {
        let pass = self.engine.pass().await;
        let elapsed = begun.elapsed();
        anyhow::ensure!(pass.errors.is_empty(), "there was trouble: {:?}", pass.errors.first());
        Ok(elapsed.saturating_sub(self.outside.own_time()))
    }

    async fn rest_of_round(&mut self, many: u32) -> anyhow::Result<Round> {
        let (begun, mut passes, mut longest) = (Instant::now(), 0, Duration::ZERO);
        let to_follow = (0..many).filter(|number| status(*number) != PurchaseStatus::Pending).count();
        while self.outside.followed() < to_follow {
            anyhow::ensure!(passes < many, "{} of {to_follow} purchases are never followed", self.outside.followed());
            let pass_begun = Instant::now();
            self.engine.pass().await;
            longest = longest.max(pass_begun.elapsed());
            passes += 1;
        }
        Ok(Round { passes, took: begun.elapsed(), longest })
    }
}

/// Of every hundred one that was being sent, one uncertain, and one that was to be sent; of the rest two thirds wait for an offer
/// and one third has seen it.
const fn status(number: u32) -> PurchaseStatus {
    match number % 100 {
        0 => PurchaseStatus::Submitted,
        1 => PurchaseStatus::Uncertain,
        2 => PurchaseStatus::Pending,
        other if other % 3 == 0 => PurchaseStatus::Offered,
        _ => PurchaseStatus::Paid,
    }
}

async fn fill(office: &Office, many: u32) -> anyhow::Result<()> {
    let contract_id = new_id();
    let purchases: Vec<Purchase> =
        (0..many).map(|number| purchase(office.workspace_id, contract_id, number)).collect::<anyhow::Result<_>>()?;
    let mut founding = Changes::by(&Caller::system());
    founding.insert(contract(office.workspace_id, contract_id, &purchases)?);
    office.app.store().commit(founding).await?;
    let commits = purchases.chunks(IN_A_COMMIT).map(|some| {
        let mut changes = Changes::by(&Caller::system());
        for purchase in some {
            changes.insert(purchase.clone());
        }
        office.app.store().commit(changes)
    });
    futures::stream::iter(commits).buffer_unordered(AT_ONCE).try_for_each(|_| async { Ok(()) }).await?;
    Ok(())
}

fn new_id<K>() -> Id<K> {
    Id::from_bytes(RandomIds::default().next(tradepost::SystemClock.now()))
}

fn contract(workspace_id: WorkspaceId, id: ContractId, purchases: &[Purchase]) -> anyhow::Result<Contract> {
    let at = tradepost::SystemClock.now();
    let sum = |of: fn(&Purchase) -> i64| Cents::new(purchases.iter().map(of).sum());
    Ok(Contract::restore(ContractParts {
        id,
        workspace_id,
        name: text("Begun")?,
        terms: Terms::Buying(BuyingTerms {
            target_quantity: 10_000_000,
            max_buy_price: Cents::new(PRICE)?,
            budget: Cents::new(1_000_000_000_000)?,
            daily_budget: None,
            max_daily_loss: None,
            min_discount: None,
            min_expected_margin: None,
            max_per_item_name: None,
            max_open_purchases: None,
            cooldown_seconds: None,
            max_trade_lock_days: None,
            min_liquidity_score: None,
            min_seller_success: None,
        }),
        status: ContractStatus::Active,
        status_reason: None,
        closing_reason: None,
        filter_set_id: None,
        pool_id: None,
        approval_mode: ApprovalMode::Automatic,
        marketplaces: vec![text(MARKETPLACE)?],
        price_reference: None,
        starts_at: None,
        ends_at: None,
        counters: Counters {
            filled_quantity: 0,
            open_quantity: u32::try_from(purchases.len())?,
            spent: sum(|purchase| purchase.counter_delta().spent.get())?,
            reserved: sum(|purchase| purchase.counter_delta().reserved.get())?,
        },
        created_at: at,
        updated_at: at,
    })?)
}

fn purchase(workspace_id: WorkspaceId, contract_id: ContractId, number: u32) -> anyhow::Result<Purchase> {
    let (at, status) = (tradepost::SystemClock.now(), status(number));
    let was_paid = matches!(status, PurchaseStatus::Paid | PurchaseStatus::Offered);
    let order = Order { id: text(&format!("order-{number}"))?, executed_price: Cents::new(PRICE)?, fee: Cents::ZERO };
    let offer = format!("offer-{number}");
    Ok(Purchase::restore(PurchaseParts {
        terms: PurchaseTerms {
            id: new_id(),
            workspace_id,
            contract_id: Some(contract_id),
            intent_id: None,
            app_id: AppId::CS2,
            market_hash_name: text("AK-47 | Redline (Field-Tested)")?,
            traits: Box::default(),
            listing_price: Cents::new(PRICE)?,
            max_buy_price: Cents::new(PRICE)?,
            platform_fee: Cents::ZERO,
            listing_id: text(&format!("listing-{number}"))?,
            listing_asset_id: AssetId::new(&(50_000_000_000 + u64::from(number)).to_string())?,
            marketplace: text(MARKETPLACE)?,
            account_name: text(ACCOUNT)?,
            exchange_rate: None,
        },
        status,
        progress: Progress {
            order: was_paid.then_some(order),
            trade_offer_id: if status == PurchaseStatus::Offered { Some(text(&offer)?) } else { None },
            ..Progress::default()
        },
        created_at: at,
        updated_at: at,
    })?)
}

/// Every purchase is stored, and none is uncertain.
async fn check(office: &Office, many: u32) -> anyhow::Result<()> {
    let count =
        CountPurchases { workspace_id: office.workspace_id, contract_id: None, wanted: WantedPurchases::default() };
    let counted = office.operations().count_purchases(&Caller::system(), count).await?;
    let of =
        |status: PurchaseStatus| counted.iter().filter(|one| one.status == status).map(|one| one.count).sum::<i64>();
    let all: i64 = counted.iter().map(|one| one.count).sum();
    anyhow::ensure!(all == i64::from(many), "{all} purchases are left of {many}");
    let in_doubt = of(PurchaseStatus::Submitted) + of(PurchaseStatus::Uncertain);
    anyhow::ensure!(in_doubt == 0, "{in_doubt} purchases are in doubt still");
    let database = office.app.database().context("the store is not a database")?;
    let drifts = database.check_counters().await.context("the counters cannot be checked")?;
    anyhow::ensure!(drifts.is_empty(), "counters are wrong: {drifts:?}");
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(flavor = "multi_thread")]
    async fn an_engine_that_begins_again_finds_out_about_every_purchase_in_doubt() {
        let folder = tempfile::tempdir().unwrap();
        let office = Office::found(folder.path()).await.unwrap();
        fill(&office, 500).await.unwrap();
        let mut desk = Beginning::at(&office).await.unwrap();
        desk.first_pass(Instant::now()).await.unwrap();
        check(&office, 500).await.unwrap();
        desk.rest_of_round(500).await.unwrap();
        office.close().await.unwrap();
    }
}
