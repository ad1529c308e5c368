//! Profit and loss of a month by contract, with a year of sold items in the ledger.

use std::collections::BTreeMap;
use std::time::Instant;

use anyhow::Context as _;
use tradepost_domain::contracts::ledger::report::Span;
use uuid::Uuid;

use crate::data::{self, CONTRACTS, Cell, Of, Sizes, Table, mix};
use crate::http::{self, Client};
use crate::load::{self, Backend, Database};
use crate::measure::Run;
use crate::report::{Figure, Report, Target, Unit, median};
use crate::server::Server;

/// What is open, in addition to what was sold.
const OPEN: Sizes = Sizes { purchases: 50_000, strangers: 100 };
/// 2025-01-01 in days since 1970, and how long the year is.
const FIRST_DAY: u32 = 20_089;
const DAYS: u32 = 365;
const MICROS_OF_A_DAY: i64 = 86_400_000_000;
/// A sale can be reversed for so long after the item was given away.
const SETTLED_AFTER: u32 = 8;
/// The day under which the sum of all days is kept.
const ALL_DAYS: u32 = 1_000_000_000;
const ACCOUNTS: u32 = 50;
const MARKETPLACES: u32 = 3;
const SELLING: u32 = 4;
const NAMES: u32 = 1_000;
/// The kinds of entries that are loaded.
const DELIVERED: i64 = 9;
const SALE_SETTLED: i64 = 11;
const CALLS: u32 = 20;

const ENTRIES: Table = Table {
    name: "ledger_entries",
    columns: &[
        "workspace_id",
        "id",
        "posting",
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
        "pending_cents",
        "contract_id",
        "purchase_id",
        "inventory_item_id",
        "market_hash_name",
        "account_name",
        "marketplace",
        "sale_marketplace",
        "selling_contract_id",
        "buy_fee_cents",
        "at",
    ],
};
/// A table of sums, by the column of the day or month.
macro_rules! sums {
    ($table:literal, $first_day:literal) => {
        Table {
            name: $table,
            columns: &[
                "workspace_id",
                "telling",
                $first_day,
                "contract_id",
                "selling_contract_id",
                "pool_id",
                "account_name",
                "buy_marketplace",
                "sell_marketplace",
                "market_hash_name",
                "realised_cents",
                "pending_cents",
                "buy_fees_cents",
                "sale_fees_cents",
                "write_offs_cents",
                "cost_sold_cents",
                "proceeds_cents",
                "sold",
            ],
        }
    };
}
const LEDGER_DAYS: Table = sums!("ledger_days", "day");
const LEDGER_MONTHS: Table = sums!("ledger_months", "month");
/// The tellings of the sums.
const TRADES: i64 = 1;
const NAMES_OF_ITEMS: i64 = 2;
const PLACES: i64 = 3;

pub(super) async fn measure(run: &Run, backend: Backend, report: &mut Report) -> anyhow::Result<()> {
    let database = Database::prepared(&run.places, backend, OPEN).await?.copied(&run.places).await?;
    let (days, months) = fill(&database, run.sold).await?;
    let server = Server::tradepost(&run.places, &database).start()?;
    let mut client = Client::connect(server.address)?;
    for (month, from, to, first_day, long) in [
        ("the last month of the year", "2025-12-01", "2026-01-01", FIRST_DAY + DAYS - 31, 31),
        ("the first month of the year", "2025-01-01", "2025-02-01", FIRST_DAY, 31),
    ] {
        let workspace = http::wire(database.workspace);
        let body = format!(
            r#"{{"workspaceId":"{workspace}","from":"{from}T00:00:00Z","to":"{to}T00:00:00Z","groupBy":"PROFIT_AND_LOSS_GROUPING_CONTRACT"}}"#
        );
        let request = http::request("contracts.v1.Contracts/GetProfitAndLoss", &body);
        check(&mut client, &request, sold_in(run.sold, first_day, long))?;
        let mut took = Vec::new();
        for _ in 0..run.rounds * CALLS {
            let begun = Instant::now();
            client.call(&request)?;
            took.push(begun.elapsed().as_secs_f64() * 1e3);
        }
        let slowest = took.iter().copied().fold(0.0, f64::max);
        report.add(Figure {
            what: format!("{}: profit and loss of {month} by contract", backend.name()),
            target: Target::AtMost(300.0),
            value: median(took),
            unit: Unit::Milliseconds,
            details: format!(
                "{} items sold in a year and {} open, {days} rows of days and {months} of months; slowest {slowest:.0} ms",
                run.sold,
                database.sizes.items()
            ),
        });
    }
    server.stop()
}

/// The answer has a row for each contract, and together they have sold what was loaded.
fn check(client: &mut Client, request: &[u8], sold: u32) -> anyhow::Result<()> {
    let answer = client.json(request)?;
    let rows = answer["rows"].as_array().context("no rows")?;
    let counted = rows.iter().filter_map(|row| row["soldCount"].as_str()?.parse::<u32>().ok()).sum::<u32>();
    anyhow::ensure!(
        rows.len() == CONTRACTS as usize && counted == sold,
        "{} rows, {counted} of {sold} sold",
        rows.len()
    );
    Ok(())
}

/// Gives the number of rows of days, and of months.
async fn fill(database: &Database, sold: u32) -> anyhow::Result<(usize, usize)> {
    let workspace = database.workspace;
    let mut sums = Sums::default();
    for sale in (0..sold).map(|number| Sale::of(number, sold)) {
        sale.add_to(&mut sums);
    }
    let counts = (sums.days.len(), sums.months.len());
    let entries = (0..sold).flat_map(|number| Sale::of(number, sold).entries(workspace));
    let rows = |sums: BTreeMap<Key, [i64; 8]>| sums.into_iter().map(move |(key, figures)| key.row(workspace, figures));
    match database.backend {
        Backend::Sqlite => {
            let mut connection = rusqlite::Connection::open(database.file())?;
            connection.pragma_update(None, "synchronous", "off")?;
            connection.pragma_update(None, "cache_size", -524_288)?;
            let transaction = connection.transaction()?;
            load::insert(&transaction, &ENTRIES, entries)?;
            load::insert(&transaction, &LEDGER_DAYS, rows(sums.days))?;
            load::insert(&transaction, &LEDGER_MONTHS, rows(sums.months))?;
            transaction.commit()?;
            connection.pragma_update(None, "wal_checkpoint", "truncate")?;
        }
        Backend::Postgres => {
            let client = load::connect(&database.url).await?;
            load::copy(&client, &ENTRIES, entries).await?;
            load::copy(&client, &LEDGER_DAYS, rows(sums.days)).await?;
            load::copy(&client, &LEDGER_MONTHS, rows(sums.months)).await?;
            client.batch_execute("VACUUM (ANALYZE) ledger_days, ledger_months").await?;
        }
    }
    Ok(counts)
}

fn sold_in(sold: u32, first_day: u32, days: u32) -> u32 {
    let is_within = |number: &u32| (first_day..first_day + days).contains(&Sale::of(*number, sold).settled_on);
    (0..sold).filter(is_within).count() as u32
}

/// An item that was sold.
struct Sale {
    number: u32,
    /// In days since 1970.
    settled_on: u32,
    contract: u32,
    selling_contract: u32,
    account: u32,
    bought_on: u32,
    sold_on: u32,
    name: u32,
    price: i64,
    sale_price: i64,
}

const BUY_FEE: i64 = 30;

impl Sale {
    /// One of so many, spread over the year in their order.
    fn of(number: u32, sold: u32) -> Self {
        let mut left = mix(u64::from(number));
        let mut below = |most: u32| {
            let drawn = left % u64::from(most);
            left /= u64::from(most);
            drawn as u32
        };
        let settled_on = FIRST_DAY + (u64::from(number) * u64::from(DAYS) / u64::from(sold)) as u32;
        let (contract, selling_contract) = (below(CONTRACTS), CONTRACTS + below(SELLING));
        let (account, bought_on, sold_on) = (below(ACCOUNTS), below(MARKETPLACES), below(MARKETPLACES));
        let (name, price) = (below(NAMES), 1_000 + i64::from(below(5_000)));
        let sale_price = price * (95 + i64::from(below(20))) / 100;
        Self { number, settled_on, contract, selling_contract, account, bought_on, sold_on, name, price, sale_price }
    }

    const fn sale_fee(&self) -> i64 {
        self.sale_price / 50
    }

    const fn gain(&self) -> i64 {
        self.sale_price - self.price - BUY_FEE - self.sale_fee()
    }

    /// That the item was given to its buyer, and that the sale became final.
    fn entries(&self, workspace: Uuid) -> [Vec<Cell>; 2] {
        let cost = self.price + BUY_FEE;
        let delivered = Amounts { inventory: -cost, delivered: cost, pending: self.gain(), ..Amounts::default() };
        let settled = Amounts {
            available: self.sale_price - self.sale_fee(),
            delivered: -cost,
            fees: BUY_FEE + self.sale_fee(),
            realised: self.price - self.sale_price,
            pending: -self.gain(),
            ..Amounts::default()
        };
        [
            self.entry(workspace, DELIVERED, self.settled_on - SETTLED_AFTER, delivered),
            self.entry(workspace, SALE_SETTLED, self.settled_on, settled),
        ]
    }

    fn entry(&self, workspace: Uuid, posting: i64, day: u32, amounts: Amounts) -> Vec<Cell> {
        let at = i64::from(day) * MICROS_OF_A_DAY + i64::from(self.number);
        let mut random = [0; 10];
        random[..4].copy_from_slice(&self.number.to_be_bytes());
        random[9] = posting as u8;
        let id = uuid::Builder::from_unix_timestamp_millis((at / 1_000) as u64, &random).into_uuid();
        vec![
            workspace.into(),
            id.into(),
            posting.into(),
            amounts.available.into(),
            0_i64.into(),
            0_i64.into(),
            0_i64.into(),
            amounts.inventory.into(),
            amounts.delivered.into(),
            0_i64.into(),
            amounts.fees.into(),
            amounts.realised.into(),
            0_i64.into(),
            0_i64.into(),
            amounts.pending.into(),
            data::id(Of::Contract, self.contract).into(),
            data::id(Of::Purchase, self.number).into(),
            data::id(Of::Item, self.number).into(),
            item_name(self.name).into(),
            account(self.account).into(),
            marketplace(self.bought_on).into(),
            marketplace(self.sold_on).into(),
            data::id(Of::Contract, self.selling_contract).into(),
            BUY_FEE.into(),
            at.into(),
        ]
    }

    /// Adds both entries to the days and months, in each presentation.
    fn add_to(&self, sums: &mut Sums) {
        let delivered = [0, self.gain(), 0, 0, 0, 0, 0, 0];
        let settled = [self.gain(), -self.gain(), BUY_FEE, self.sale_fee(), 0, self.price, self.sale_price, 1];
        let keys = |day| {
            let trade = |account| Some((self.selling_contract, account, self.bought_on, self.sold_on));
            let key = |telling, trade, name| Key { telling, day, contract: self.contract, trade, name };
            [
                key(TRADES, trade(Some(self.account)), None),
                key(NAMES_OF_ITEMS, None, Some(self.name)),
                key(PLACES, trade(None), None),
            ]
        };
        for (on, figures) in [(self.settled_on - SETTLED_AFTER, delivered), (self.settled_on, settled)] {
            let month = Span::Month.first_day(i64::from(on)) as u32;
            add(&mut sums.days, keys(on), figures);
            add(&mut sums.days, keys(ALL_DAYS), figures);
            add(&mut sums.months, keys(month), figures);
        }
    }
}

fn add(rows: &mut BTreeMap<Key, [i64; 8]>, keys: [Key; 3], figures: [i64; 8]) {
    for key in keys {
        let sums = rows.entry(key).or_default();
        sums.iter_mut().zip(figures).for_each(|(sum, more)| *sum += more);
    }
}

/// What the entries come to.
#[derive(Default)]
struct Sums {
    days: BTreeMap<Key, [i64; 8]>,
    months: BTreeMap<Key, [i64; 8]>,
}

/// What an entry moves.
#[derive(Default)]
struct Amounts {
    available: i64,
    inventory: i64,
    delivered: i64,
    fees: i64,
    realised: i64,
    pending: i64,
}

/// What a row of sums is of.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Key {
    telling: i64,
    /// The day, or the first of the month.
    day: u32,
    contract: u32,
    /// The selling contract, the account where it is reported, and the marketplaces of both trades.
    trade: Option<(u32, Option<u32>, u32, u32)>,
    name: Option<u32>,
}

impl Key {
    fn row(self, workspace: Uuid, figures: [i64; 8]) -> Vec<Cell> {
        let (selling, of_account, bought_on, sold_on) = match self.trade {
            Some((selling, of_account, bought_on, sold_on)) => {
                let selling = data::id(Of::Contract, selling);
                (selling, of_account.map(account).unwrap_or_default(), marketplace(bought_on), marketplace(sold_on))
            }
            None => (Uuid::nil(), String::new(), String::new(), String::new()),
        };
        let mut row: Vec<Cell> = vec![
            workspace.into(),
            self.telling.into(),
            i64::from(self.day).into(),
            data::id(Of::Contract, self.contract).into(),
            selling.into(),
            Uuid::nil().into(),
            of_account.into(),
            bought_on.into(),
            sold_on.into(),
            self.name.map(item_name).unwrap_or_default().into(),
        ];
        row.extend(figures.map(Cell::from));
        row
    }
}

fn item_name(number: u32) -> String {
    format!("AK-47 | Redline {number} (Field-Tested)")
}

fn account(number: u32) -> String {
    format!("trader-{number}")
}

fn marketplace(number: u32) -> String {
    format!("market-{number}")
}
