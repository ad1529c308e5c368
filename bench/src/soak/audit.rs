//! What must hold at the end, asked of the database and of the world. Nothing here trusts the engine.

use std::collections::HashSet;
use std::num::NonZeroU64;

use anyhow::Context as _;
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
use tradepost::ports::marketplace::{
    MarketOrder, Marketplace as _, OrderIdentity, OrderStatus, Sale, Sought, SoughtOrder,
};
use tradepost::sql::SqlStore;
use tradepost_adapters_simulator::{Answer, Request, WorldCommand, WorldTransport as _};

use super::Harm;
use super::records::{Records, text};
use super::site::Site;
use super::workspace::Desk;
use super::world::{CUSTOMER, PAID_IN, Served};

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
    pub(super) site: &'a Site,
    pub(super) desk: Desk,
    pub(super) world: &'a Served,
    pub(super) harm: &'a Harm,
}

/// What was looked at, and the first things that are wrong with it.
struct Finding {
    what: String,
    wrong: Vec<String>,
}

/// A purchase as its row has it.
struct Bought {
    id: PurchaseId,
    status: PurchaseStatus,
    listing_id: String,
    order_id: Option<String>,
    cents: Option<i64>,
    refunded: i64,
}

impl Audit<'_> {
    /// Prints what was found; whether nothing is wrong.
    pub(super) async fn run(&self, wanted: u32) -> anyhow::Result<bool> {
        let records = Records::open(self.site).await?;
        for table in ["purchases", "inventory_items", "intents"] {
            println!("{table} by status: {}", by_status(&records, table).await?);
        }
        let purchases = purchases(&records).await?;
        let mut findings = vec![
            enough(&purchases, wanted),
            every_entry_balances(&records).await?,
            nothing_bought_twice(&records).await?,
            nothing_stuck(&records).await?,
            self.money_agrees(&records).await?,
            self.mismatches_are_true(&records).await?,
            self.missing_were_missing(&records).await?,
            self.kept_by_buyers(&records).await?,
            self.orders_agree(&purchases).await?,
            self.world_holds().await?,
        ];
        drop(records);
        findings.extend(self.store_holds().await?);
        for Finding { what, wrong } in &findings {
            let verdict = if wrong.is_empty() { "holds" } else { "BROKEN" };
            println!("{verdict:7} {what}");
            wrong.iter().take(10).for_each(|wrong| println!("        {wrong}"));
        }
        Ok(findings.iter().all(|finding| finding.wrong.is_empty()))
    }

    /// The ledger and the marketplace name the same sum: what is available and what is owed for sales that are final.
    async fn money_agrees(&self, records: &Records) -> anyhow::Result<Finding> {
        let sums =
            format!("SELECT {} FROM ledger_entries", ACCOUNTS.map(|account| format!("sum({account})")).join(", "));
        let sums = records.numbers(&sums).await?;
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

    /// Where a difference of the balance was reported, faults that followed one another made it.
    async fn mismatches_are_true(&self, records: &Records) -> anyhow::Result<Finding> {
        let balance = RemediationKind::BalanceMismatch.code();
        let statement =
            format!("SELECT CAST(found AS bigint) - CAST(expected AS bigint) FROM remediations WHERE kind = {balance}");
        let reported = records.texts(&statement).await?;
        let reported = reported.iter().map(|cents| Ok(cents.parse()?)).collect::<anyhow::Result<Vec<i64>>>()?;
        let starts = (0..self.harm.drifts.len()).filter_map(|start| self.harm.drifts.get(start..));
        let made: Vec<i64> = starts
            .flat_map(|rest| {
                rest.iter().scan(0, |sum, drift| {
                    *sum += drift;
                    Some(*sum)
                })
            })
            .collect();
        let unmade = reported.iter().filter(|difference| !made.contains(difference));
        let wrong = unmade.map(|difference| format!("{difference} cents that no fault made")).collect();
        let what = format!(
            "{} differences of the balance were reported, of {} that faults made",
            reported.len(),
            self.harm.drifts.len()
        );
        Ok(Finding { what, wrong })
    }

    /// At most so many items were reported missing as faults hid or lost, and at most the lost ones were written off.
    async fn missing_were_missing(&self, records: &Records) -> anyhow::Result<Finding> {
        let lost = self.harm.of(&["rollback_failed", "late_buyer"]);
        let hidden = lost + self.harm.of(&["item_withheld"]);
        let (kind, status) = (RemediationKind::MissingItem.code(), ItemStatus::WrittenOff.code());
        let missing = format!("SELECT count(*) FROM remediations WHERE kind = {kind}");
        let written_off = format!("SELECT count(*) FROM inventory_items WHERE status = {status}");
        let counts = records.numbers(&format!("SELECT ({missing}), ({written_off})")).await?;
        let [missing, written_off] = counts.try_into().map_err(|counts| anyhow::anyhow!("{counts:?}"))?;
        let mut wrong = Vec::new();
        wrong.extend(
            (missing > hidden.into()).then(|| format!("{missing} were reported, and at most {hidden} were missing")),
        );
        wrong.extend(
            (written_off > lost.into())
                .then(|| format!("{written_off} were written off, and at most {lost} were lost")),
        );
        Ok(Finding { what: format!("{missing} items were missing, {written_off} of them permanently"), wrong })
    }

    /// An item that was delivered to a buyer and written off is with a buyer who has the money back.
    async fn kept_by_buyers(&self, records: &Records) -> anyhow::Result<Finding> {
        let (written_off, to_buyer) = (ItemStatus::WrittenOff.code(), Source::SaleTrade.code());
        // A sale names the asset as it was listed. A trade that failed may have changed its id before another gave it.
        let listed = format!(
            "SELECT asset_id FROM asset_id_links l WHERE l.inventory_item_id = i.id AND l.source = {} ORDER BY l.step DESC LIMIT 1",
            Source::SaleListing.code()
        );
        let kept = format!(
            "SELECT ({listed}) FROM inventory_items i WHERE i.status = {written_off} AND i.last_source = {to_buyer}"
        );
        let kept = records.texts(&kept).await?;
        let sales = self.world.line.marketplace(CUSTOMER).sales(Timestamp::MIN).await?;
        let is_over = |sale: &&Sale| {
            matches!(sale.status, OrderStatus::Failed(_) | OrderStatus::Reverted | OrderStatus::Refunded)
        };
        let assets = |wanted: bool| -> HashSet<String> {
            sales.iter().filter(|sale| is_over(sale) == wanted).map(|sale| sale.asset_id.to_string()).collect()
        };
        let (over, valid) = (assets(true), assets(false));
        let is_kept = |asset_id: &&String| over.contains(*asset_id) && !valid.contains(*asset_id);
        let wrong = kept.iter().filter(|asset_id| !is_kept(asset_id));
        let wrong =
            wrong.map(|asset_id| format!("the asset {asset_id} was written off, and its sale is valid")).collect();
        Ok(Finding { what: format!("{} written off are with buyers who have the money back", kept.len()), wrong })
    }

    /// What was paid for is an order there, at the same price and with the same result; a purchase without payment has none.
    async fn orders_agree(&self, purchases: &[Bought]) -> anyhow::Result<Finding> {
        let (market, mut wrong) = (self.world.line.marketplace(CUSTOMER), Vec::new());
        let is_by_listing = market.traits().orders == OrderIdentity::ByListing;
        let known: HashSet<&str> = purchases.iter().filter_map(|purchase| purchase.order_id.as_deref()).collect();
        for purchase in purchases {
            let order = match market.find_order(&purchase.sought()?).await? {
                Sought::Found(order) => Some(order),
                Sought::NotShown | Sought::Absent => None,
            };
            // By its listing, an earlier purchase that failed finds the order of a later one.
            let is_of_another =
                |order: &MarketOrder| is_by_listing && purchase.order_id.is_none() && known.contains(order.id.as_str());
            let order = order.filter(|order| !is_of_another(order));
            wrong
                .extend(purchase.difference(order.as_ref()).map(|difference| format!("{}: {difference}", purchase.id)));
        }
        Ok(Finding { what: format!("{} purchases and the marketplace's orders agree", purchases.len()), wrong })
    }

    async fn world_holds(&self) -> anyhow::Result<Finding> {
        let answer = self.world.line.ask(Request::World(WorldCommand::CheckBooks)).await?;
        let wrong = if answer == Answer::Done { Vec::new() } else { vec![format!("{answer:?}")] };
        Ok(Finding { what: "the world's own accounts add up".to_owned(), wrong })
    }

    async fn store_holds(&self) -> anyhow::Result<Vec<Finding>> {
        let store = SqlStore::open(self.site.settings()).await?;
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
                what: format!("the database of workspace {} is sound", self.desk.workspace_id),
                wrong: sound.err().map(|error| error.to_string()).into_iter().collect(),
            },
        ])
    }
}

impl Bought {
    /// What the simulated marketplace finds the order by: its key, or its listing.
    fn sought(&self) -> anyhow::Result<SoughtOrder> {
        Ok(SoughtOrder {
            key: ExternalId::from(self.id.to_bytes()),
            listing_id: ExternalId::new(&self.listing_id)?,
            asset_id: AssetId::new("1")?,
            market_hash_name: MarketHashName::new("any")?,
            max_price: VenueCents::ZERO,
            deliver_to: TradeAddress { user: PlatformUserId::new(NonZeroU64::MIN), token: ExternalId::new("any")? },
            sent_since: Timestamp::MIN,
        })
    }

    /// In what a purchase and its order differ.
    fn difference(&self, order: Option<&MarketOrder>) -> Option<String> {
        let Some(order) = order else {
            return self.order_id.as_ref().map(|id| format!("{} by the order {id}, which does not exist", self.status));
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

async fn by_status(records: &Records, table: &str) -> anyhow::Result<String> {
    let name = |code: i16| match table {
        "purchases" => PurchaseStatus::from_code(code).map(PurchaseStatus::as_str),
        "inventory_items" => ItemStatus::from_code(code).map(ItemStatus::as_str),
        _ => tradepost::domain::contracts::intent::IntentStatus::from_code(code).map(|one| one.as_str()),
    };
    let statement = format!("SELECT status, count(*) FROM {table} GROUP BY status ORDER BY status");
    let mut counts = Vec::new();
    for row in records.rows(&statement).await? {
        counts.push(format!("{} {}", name(text(&row, 0)?.parse()?).unwrap_or("?"), text(&row, 1)?));
    }
    Ok(counts.join(", "))
}

async fn purchases(records: &Records) -> anyhow::Result<Vec<Bought>> {
    let statement = format!(
        "SELECT {}, status, listing_id, refunded_cents, order_id, executed_price_cents + executed_fee_cents FROM purchases",
        records.hex("id")
    );
    let bought = |row: Vec<Option<String>>| {
        let id = u128::from_str_radix(&text(&row, 0)?, 16)?;
        Ok(Bought {
            id: Id::from_bytes(id.to_be_bytes()),
            status: PurchaseStatus::from_code(text(&row, 1)?.parse()?).context("an unknown status")?,
            listing_id: text(&row, 2)?,
            refunded: text(&row, 3)?.parse()?,
            order_id: row.get(4).cloned().flatten(),
            cents: row.get(5).and_then(Option::as_deref).map(str::parse).transpose()?,
        })
    };
    records.rows(&statement).await?.into_iter().map(bought).collect()
}

fn enough(purchases: &[Bought], wanted: u32) -> Finding {
    let made = purchases.len();
    let wrong = if made < wanted as usize { vec![format!("only {made}")] } else { Vec::new() };
    Finding { what: format!("{made} purchases were made"), wrong }
}

async fn every_entry_balances(records: &Records) -> anyhow::Result<Finding> {
    let entries = records.texts("SELECT count(*) FROM ledger_entries").await?.join("");
    let unbalanced = format!("SELECT {} FROM ledger_entries WHERE {} <> 0", records.hex("id"), ACCOUNTS.join(" + "));
    let wrong = records.texts(&unbalanced).await?;
    Ok(Finding { what: format!("{entries} entries of the ledger sum to zero each"), wrong })
}

async fn nothing_bought_twice(records: &Records) -> anyhow::Result<Finding> {
    let twice = "SELECT listing_id || ' ' || count(*) || ' times' FROM purchases WHERE order_id IS NOT NULL \
        GROUP BY marketplace, listing_id HAVING count(*) > 1";
    Ok(Finding { what: "no listing was bought twice".to_owned(), wrong: records.texts(twice).await? })
}

/// Purchases, items and intents that are not complete.
async fn nothing_stuck(records: &Records) -> anyhow::Result<Finding> {
    let mut wrong = Vec::new();
    // Settled, failed, cancelled, refunded, written off; settled, reverted, written off; proposed, approved, executing.
    for (table, stuck) in [
        ("purchases", "status NOT IN (8, 9, 10, 12, 14)"),
        ("inventory_items", "status NOT IN (8, 10, 11)"),
        ("intents", "status IN (1, 2, 3)"),
    ] {
        let id = records.hex("id");
        let open = format!("SELECT '{table} ' || {id} || ' has the status ' || status FROM {table} WHERE {stuck}");
        wrong.extend(records.texts(&open).await?);
    }
    Ok(Finding { what: "nothing is stuck".to_owned(), wrong })
}
