//! What must hold when all is over, asked of the database and of the world. Nothing here trusts the engine.

use std::collections::HashSet;
use std::num::NonZeroU64;
use std::path::Path;

use anyhow::Context as _;
use rusqlite::{Connection, OpenFlags};
use tradepost::domain::asset::AssetId;
use tradepost::domain::contracts::chain::Source;
use tradepost::domain::contracts::inventory_item::ItemStatus;
use tradepost::domain::contracts::purchase::PurchaseStatus;
use tradepost::domain::contracts::remediation::RemediationKind;
use tradepost::domain::id::{Id, PurchaseId};
use tradepost::domain::money::VenueCents;
use tradepost::domain::text::{ExternalId, MarketHashName};
use tradepost::domain::time::Timestamp;
use tradepost::domain::trading::trade::{PlatformUserId, TradeAddress};
use tradepost::ports::marketplace::{MarketOrder, Marketplace as _, OrderStatus, Sale, Sought, SoughtOrder};
use tradepost::sql::{DatabaseSettings, SqlStore, SqliteSettings};
use tradepost_adapters_simulator::{Answer, Request, WorldCommand, WorldTransport as _};

use super::world::{CUSTOMER, PAID_IN, Served};
use super::{Desk, Harm};

const FILE: &str = "tradepost.db";
const ACCOUNTS: [&str; 11] = [
    "available_cents",
    "reserved_cents",
    "paid_in_transit_cents",
    "refund_due_cents",
    "inventory_at_cost_cents",
    "delivered_at_cost_cents",
    "receivable_cents",
    "fees_cents",
    "realised_pnl_cents",
    "write_offs_cents",
    "capital_cents",
];

/// What is asked, and of whom.
pub(super) struct Audit<'a> {
    pub(super) folder: &'a Path,
    pub(super) desk: Desk,
    pub(super) world: &'a Served,
    pub(super) harm: &'a Harm,
}

/// What was looked at, and the first things that are wrong with it.
struct Finding {
    what: String,
    wrong: Vec<String>,
}

/// The order of a purchase. The simulated marketplace finds it by its key alone.
fn by_key(id: PurchaseId) -> anyhow::Result<SoughtOrder> {
    Ok(SoughtOrder {
        key: ExternalId::from(id.to_bytes()),
        listing_id: ExternalId::new("any")?,
        asset_id: AssetId::new("1")?,
        market_hash_name: MarketHashName::new("any")?,
        max_price: VenueCents::ZERO,
        deliver_to: TradeAddress { user: PlatformUserId::new(NonZeroU64::MIN), token: ExternalId::new("any")? },
        sent_since: Timestamp::MIN,
    })
}

/// A purchase as its row has it.
struct Bought {
    id: [u8; 16],
    status: PurchaseStatus,
    order_id: Option<String>,
    cents: Option<i64>,
    refunded: i64,
}

impl Audit<'_> {
    /// Prints what was found; whether nothing is wrong.
    pub(super) async fn run(&self, wanted: u32) -> anyhow::Result<bool> {
        let file = Connection::open_with_flags(self.folder.join(FILE), OpenFlags::SQLITE_OPEN_READ_ONLY)?;
        for table in ["purchases", "inventory_items", "intents"] {
            println!("{table} by status: {}", by_status(&file, table)?);
        }
        let purchases = purchases(&file)?;
        let mut findings = vec![
            enough(&purchases, wanted),
            every_entry_balances(&file)?,
            nothing_bought_twice(&file)?,
            nothing_stuck(&file)?,
            self.money_agrees(&file).await?,
            self.told_what_was_so(&file)?,
            self.missed_what_was_gone(&file)?,
            self.kept_by_buyers(&file).await?,
            self.orders_agree(&purchases).await?,
            self.world_holds().await?,
        ];
        drop(file);
        findings.extend(self.store_holds().await?);
        for Finding { what, wrong } in &findings {
            let verdict = if wrong.is_empty() { "holds" } else { "BROKEN" };
            println!("{verdict:7} {what}");
            wrong.iter().take(10).for_each(|wrong| println!("        {wrong}"));
        }
        Ok(findings.iter().all(|finding| finding.wrong.is_empty()))
    }

    /// The ledger and the marketplace name the same sum: what is available and what is owed for sales that are final.
    async fn money_agrees(&self, file: &Connection) -> anyhow::Result<Finding> {
        let sums =
            format!("SELECT {} FROM ledger_entries", ACCOUNTS.map(|account| format!("sum({account})")).join(", "));
        let sums: Vec<i64> =
            file.query_row(&sums, [], |row| (0..ACCOUNTS.len()).map(|place| row.get(place)).collect())?;
        let of = |account: &str| {
            ACCOUNTS.iter().zip(&sums).find(|(name, _)| **name == account).map_or(0, |(_, cents)| *cents)
        };
        let ours = of("available_cents") + of("receivable_cents") + of("reserved_cents");
        let theirs = self.world.line.marketplace(CUSTOMER).balance().await?.get();
        let (mut wrong, drift) = (Vec::new(), self.harm.drifts.iter().sum::<i64>());
        if ours + drift != theirs {
            wrong.push(format!("{ours} by the ledger and {drift} by faults, {theirs} by the marketplace"));
        }
        if of("capital_cents") != -PAID_IN {
            wrong.push(format!("a capital of {}", of("capital_cents")));
        }
        // The world pays its sellers as soon as a sale is final, so that it owes nothing.
        let bound = [
            "reserved_cents",
            "paid_in_transit_cents",
            "refund_due_cents",
            "delivered_at_cost_cents",
            "receivable_cents",
        ];
        wrong.extend(bound.into_iter().filter(|name| of(name) != 0).map(|name| format!("{name}: {}", of(name))));
        Ok(Finding { what: format!("the ledger and the marketplace agree on {theirs} cents"), wrong })
    }

    /// Where a balance was told to be another than the books say, the difference is what faults that followed one another made.
    fn told_what_was_so(&self, file: &Connection) -> anyhow::Result<Finding> {
        let balance = RemediationKind::BalanceMismatch.code();
        let told = format!("SELECT found - expected FROM remediations WHERE kind = {balance}");
        let mut statement = file.prepare(&told)?;
        let told: Vec<i64> = statement.query_map([], |row| row.get(0))?.collect::<Result<_, _>>()?;
        let starts = (0..self.harm.drifts.len()).filter_map(|start| self.harm.drifts.get(start..));
        let made: Vec<i64> = starts
            .flat_map(|rest| {
                rest.iter().scan(0, |sum, drift| {
                    *sum += drift;
                    Some(*sum)
                })
            })
            .collect();
        let unmade = told.iter().filter(|difference| !made.contains(difference));
        let wrong = unmade.map(|difference| format!("{difference} cents that no fault made")).collect();
        let what = format!(
            "{} differences of the balance were told, of {} that faults made",
            told.len(),
            self.harm.drifts.len()
        );
        Ok(Finding { what, wrong })
    }

    /// No more items were told to be missing than faults hid or lost, and no more were given up than were lost.
    fn missed_what_was_gone(&self, file: &Connection) -> anyhow::Result<Finding> {
        let lost = self.harm.of(&["rollback_failed", "late_buyer"]);
        let gone = lost + self.harm.of(&["item_withheld"]);
        let count = |text: String| file.query_row(&text, [], |row| row.get::<_, u32>(0));
        let kind = RemediationKind::MissingItem.code();
        let missed = count(format!("SELECT count(*) FROM remediations WHERE kind = {kind}"))?;
        let status = ItemStatus::WrittenOff.code();
        let given_up = count(format!("SELECT count(*) FROM inventory_items WHERE status = {status}"))?;
        let mut wrong = Vec::new();
        wrong.extend((missed > gone).then(|| format!("{missed} were missed, and at most {gone} were gone")));
        wrong.extend((given_up > lost).then(|| format!("{given_up} were given up, and at most {lost} were lost")));
        Ok(Finding { what: format!("{missed} items were missed, {given_up} of them for good"), wrong })
    }

    /// What was given up although it was given to a buyer is with one who has the money back.
    async fn kept_by_buyers(&self, file: &Connection) -> anyhow::Result<Finding> {
        let (given_up, to_buyer) = (ItemStatus::WrittenOff.code(), Source::SaleTrade.code());
        // A sale names the asset as it was listed. A trade that failed may have changed its id before another gave it.
        let listed = format!(
            "SELECT asset_id FROM asset_id_links l WHERE l.inventory_item_id = i.id AND l.source = {} ORDER BY l.step DESC LIMIT 1",
            Source::SaleListing.code()
        );
        let kept = format!(
            "SELECT ({listed}) FROM inventory_items i WHERE i.status = {given_up} AND i.last_source = {to_buyer}"
        );
        let kept = texts(file, &kept)?;
        let sales = self.world.line.marketplace(CUSTOMER).sales(Timestamp::MIN).await?;
        let is_over = |sale: &&Sale| {
            matches!(sale.status, OrderStatus::Failed(_) | OrderStatus::Reverted | OrderStatus::Refunded)
        };
        let assets = |wanted: bool| -> HashSet<String> {
            sales.iter().filter(|sale| is_over(sale) == wanted).map(|sale| sale.asset_id.to_string()).collect()
        };
        let (over, stand) = (assets(true), assets(false));
        let is_kept = |asset_id: &&String| over.contains(*asset_id) && !stand.contains(*asset_id);
        let wrong = kept.iter().filter(|asset_id| !is_kept(asset_id));
        let wrong = wrong.map(|asset_id| format!("the asset {asset_id} was given up, and its sale stands")).collect();
        Ok(Finding { what: format!("{} given up are with buyers who have the money back", kept.len()), wrong })
    }

    /// What was paid for is an order there, at the same price and at the same end; what was not paid for is none.
    async fn orders_agree(&self, purchases: &[Bought]) -> anyhow::Result<Finding> {
        let (market, mut wrong) = (self.world.line.marketplace(CUSTOMER), Vec::new());
        for purchase in purchases {
            let id: PurchaseId = Id::from_bytes(purchase.id);
            let order = match market.find_order(&by_key(id)?).await? {
                Sought::Found(order) => Some(order),
                Sought::NotShown | Sought::Absent => None,
            };
            wrong.extend(purchase.difference(order.as_ref()).map(|difference| format!("{id}: {difference}")));
        }
        Ok(Finding { what: format!("{} purchases and the marketplace's orders agree", purchases.len()), wrong })
    }

    async fn world_holds(&self) -> anyhow::Result<Finding> {
        let answer = self.world.line.ask(Request::World(WorldCommand::CheckBooks)).await?;
        let wrong = if answer == Answer::Done { Vec::new() } else { vec![format!("{answer:?}")] };
        Ok(Finding { what: "the world's own books hold".to_owned(), wrong })
    }

    async fn store_holds(&self) -> anyhow::Result<Vec<Finding>> {
        let store = SqlStore::open(DatabaseSettings::Sqlite(SqliteSettings::at(self.folder.join(FILE)))).await?;
        let chains = store.verify_chains(|_| {}).await?;
        let drifts = store.check_counters().await?;
        let sums = store.check_sums(|_| ()).await?;
        let sound = store.quick_check().await;
        store.close().await?;
        Ok(vec![
            Finding {
                what: format!("{} chains of {} links verify", chains.items, chains.links),
                wrong: chains.findings,
            },
            Finding {
                what: "the counters say what is there".to_owned(),
                wrong: drifts.iter().map(|drift| format!("{drift:?}")).collect(),
            },
            Finding {
                what: "profit and loss is what the ledger comes to".to_owned(),
                wrong: sums.iter().map(ToString::to_string).collect(),
            },
            Finding {
                what: format!("the file of workspace {} is sound", self.desk.workspace_id),
                wrong: sound.err().map(|error| error.to_string()).into_iter().collect(),
            },
        ])
    }
}

impl Bought {
    /// In what a purchase and its order differ.
    fn difference(&self, order: Option<&MarketOrder>) -> Option<String> {
        let Some(order) = order else {
            return self.order_id.as_ref().map(|id| format!("{} by the order {id}, which is none", self.status));
        };
        let cents = order.price.get() + order.fee.get();
        if self.order_id.as_deref() != Some(order.id.as_str()) || self.cents != Some(cents) {
            return Some(format!("{} at {:?}, the order {} at {cents}", self.status, self.cents, order.id));
        }
        let ends_alike = match order.status {
            OrderStatus::Settled => self.status == PurchaseStatus::Settled,
            OrderStatus::Refunded => self.status == PurchaseStatus::Refunded && self.refunded == order.refunded.get(),
            OrderStatus::AwaitingCommit
            | OrderStatus::AwaitingSeller
            | OrderStatus::InCustody { .. }
            | OrderStatus::Offered
            | OrderStatus::Delivered
            | OrderStatus::Failed(_)
            | OrderStatus::Reverted
            | OrderStatus::Other(_) => false,
        };
        (!ends_alike).then(|| format!("{} with {} back, the order is {:?}", self.status, self.refunded, order.status))
    }
}

fn by_status(file: &Connection, table: &str) -> anyhow::Result<String> {
    let name = |code: i16| match table {
        "purchases" => PurchaseStatus::from_code(code).map(PurchaseStatus::as_str),
        "inventory_items" => ItemStatus::from_code(code).map(ItemStatus::as_str),
        _ => tradepost::domain::contracts::intent::IntentStatus::from_code(code).map(|one| one.as_str()),
    };
    let text = format!("SELECT status, count(*) FROM {table} GROUP BY status ORDER BY status");
    let mut statement = file.prepare(&text)?;
    let rows = statement.query_map([], |row| Ok((row.get::<_, i16>(0)?, row.get::<_, i64>(1)?)))?;
    let told = rows.map(|row| row.map(|(code, many)| format!("{} {many}", name(code).unwrap_or("?"))));
    Ok(told.collect::<Result<Vec<_>, _>>()?.join(", "))
}

fn purchases(file: &Connection) -> anyhow::Result<Vec<Bought>> {
    let mut statement = file.prepare(
        "SELECT id, status, order_id, executed_price_cents + executed_fee_cents, refunded_cents FROM purchases",
    )?;
    let rows = statement
        .query_map([], |row| Ok((row.get(0)?, row.get::<_, i16>(1)?, row.get(2)?, row.get(3)?, row.get(4)?)))?;
    rows.map(|row| {
        let (id, code, order_id, cents, refunded) = row?;
        let status = PurchaseStatus::from_code(code).context("a status that nobody knows")?;
        Ok(Bought { id, status, order_id, cents, refunded })
    })
    .collect()
}

fn enough(purchases: &[Bought], wanted: u32) -> Finding {
    let made = purchases.len();
    let wrong = if made < wanted as usize { vec![format!("only {made}")] } else { Vec::new() };
    Finding { what: format!("{made} purchases were made"), wrong }
}

fn every_entry_balances(file: &Connection) -> anyhow::Result<Finding> {
    let entries: i64 = file.query_row("SELECT count(*) FROM ledger_entries", [], |row| row.get(0))?;
    let unbalanced = format!("SELECT hex(id) FROM ledger_entries WHERE {} <> 0", ACCOUNTS.join(" + "));
    Ok(Finding { what: format!("{entries} entries of the ledger sum to zero each"), wrong: texts(file, &unbalanced)? })
}

fn nothing_bought_twice(file: &Connection) -> anyhow::Result<Finding> {
    let twice = "SELECT listing_id || ' ' || count(*) || ' times' FROM purchases WHERE order_id IS NOT NULL \
        GROUP BY marketplace, listing_id HAVING count(*) > 1";
    Ok(Finding { what: "no listing was bought twice".to_owned(), wrong: texts(file, twice)? })
}

/// Purchases, items and intents that have not come to their end.
fn nothing_stuck(file: &Connection) -> anyhow::Result<Finding> {
    let mut wrong = Vec::new();
    // Settled, failed, cancelled, refunded, written off; settled, reverted, written off; proposed, approved, executing.
    for (table, stuck) in [
        ("purchases", "status NOT IN (8, 9, 10, 12, 14)"),
        ("inventory_items", "status NOT IN (8, 10, 11)"),
        ("intents", "status IN (1, 2, 3)"),
    ] {
        wrong.extend(texts(
            file,
            &format!("SELECT '{table} ' || hex(id) || ' has the status ' || status FROM {table} WHERE {stuck}"),
        )?);
    }
    Ok(Finding { what: "nothing is stuck".to_owned(), wrong })
}

fn texts(file: &Connection, text: &str) -> anyhow::Result<Vec<String>> {
    let mut statement = file.prepare(text)?;
    let rows = statement.query_map([], |row| row.get(0))?;
    Ok(rows.collect::<Result<_, _>>()?)
}
