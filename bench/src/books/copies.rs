//! Copies of purchases that the domain made, with everything that belongs to them, by statements of the database: each copy has ids,
//! listings, orders and asset ids of its own. What counts and adds up is multiplied, so that it fits as it did.

use std::fmt::Write as _;

use anyhow::Context as _;

use crate::load::connect;

/// The last two bytes of the ids that are copied: the seed of who made them. Those of copies count on from there.
const SEED: u32 = 29;
/// What is put into each pool at first, and is not multiplied.
const CAPITAL: i64 = tradepost_testkit::books::CAPITAL;

/// The tables that are copied, with the columns that differ in a copy.
const TABLES: [(&str, &[(&str, Kept)]); 5] = [
    (
        "purchases",
        &[
            ("id", Kept::Id),
            ("listing_id", Kept::Text),
            ("listing_asset_id", Kept::Asset),
            ("order_id", Kept::Text),
            ("trade_offer_id", Kept::Text),
            ("trade_id", Kept::Text),
        ],
    ),
    (
        "inventory_items",
        &[
            ("id", Kept::Id),
            ("purchase_id", Kept::Id),
            ("current_asset_id", Kept::Asset),
            ("sale_listing_id", Kept::Text),
        ],
    ),
    (
        "asset_id_links",
        &[
            ("id", Kept::Id),
            ("inventory_item_id", Kept::Id),
            ("purchase_id", Kept::Id),
            ("asset_id", Kept::Asset),
            ("previous_asset_id", Kept::Asset),
            ("source_id", Kept::Text),
        ],
    ),
    ("ledger_entries", &[("id", Kept::Id), ("purchase_id", Kept::Id), ("inventory_item_id", Kept::Id)]),
    ("transitions", &[("id", Kept::Id), ("subject_id", Kept::Id)]),
];
/// What is multiplied.
const MULTIPLIED: [(&str, &str, &str); 6] = [
    ("record_counts", "n", "kind IN (15, 16)"),
    ("contracts", "filled_quantity open_quantity spent_cents reserved_cents", "true"),
    ("pool_exposures", "exposed_cents", "true"),
    ("ledger_days", FIGURES, "true"),
    ("ledger_months", FIGURES, "true"),
    (
        "pools",
        "reserved_cents paid_in_transit_cents refund_due_cents inventory_at_cost_cents delivered_at_cost_cents receivable_cents \
         fees_cents realised_pnl_cents write_offs_cents used_cents",
        "true",
    ),
];
const FIGURES: &str =
    "realised_cents pending_cents buy_fees_cents sale_fees_cents write_offs_cents cost_sold_cents proceeds_cents sold";

/// How a column of a copy is kept from being that of another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kept {
    Id,
    Text,
    Asset,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Dialect {
    Sqlite,
    Postgres,
}

/// Adds so many copies.
pub(super) async fn add(url: &str, copies: u32) -> anyhow::Result<()> {
    match url.strip_prefix("sqlite://") {
        Some(file) => add_to_file(file, copies),
        None => {
            let client = connect(url).await?;
            for (table, kept) in TABLES {
                let rows = client
                    .query("SELECT attname::text FROM pg_attribute WHERE attrelid = $1::text::regclass AND attnum > 0 AND NOT attisdropped ORDER BY attnum", &[&table])
                    .await?;
                let columns: Vec<String> = rows.iter().map(|row| row.get(0)).collect();
                client.batch_execute(&copy(Dialect::Postgres, table, kept, &columns, copies)).await.context(table)?;
                eprintln!("{table} copied");
            }
            client.batch_execute(&multiply(copies)).await?;
            client.batch_execute("VACUUM (ANALYZE)").await?;
            Ok(client.batch_execute("CHECKPOINT").await?)
        }
    }
}

fn add_to_file(file: &str, copies: u32) -> anyhow::Result<()> {
    let db = rusqlite::Connection::open(file)?;
    db.execute_batch("PRAGMA cache_size = -2000000; PRAGMA temp_store = memory; PRAGMA synchronous = normal; BEGIN")?;
    for (table, kept) in TABLES {
        let mut asked = db.prepare("SELECT name FROM pragma_table_info(?1)")?;
        let columns = asked.query_map([table], |row| row.get(0))?.collect::<Result<Vec<String>, _>>()?;
        db.execute_batch(&copy(Dialect::Sqlite, table, kept, &columns, copies)).context(table)?;
        eprintln!("{table} copied");
    }
    db.execute_batch(&multiply(copies))?;
    Ok(db.execute_batch("COMMIT; PRAGMA wal_checkpoint(TRUNCATE)")?)
}

/// Copies the rows of a table that are of purchases, in the order of their ids.
fn copy(dialect: Dialect, table: &str, kept: &[(&str, Kept)], columns: &[String], copies: u32) -> String {
    let value = |column: &String| {
        let kept = kept.iter().find(|(name, _)| name == column).map(|(_, kept)| *kept);
        kept.map_or_else(|| column.clone(), |kept| kept.value(dialect, column))
    };
    let values: Vec<String> = columns.iter().map(value).collect();
    let (columns, values) = (columns.join(", "), values.join(", "));
    let of_purchases = match table {
        "ledger_entries" => "purchase_id IS NOT NULL",
        "transitions" => "subject_kind IN (4, 5)",
        _ => "true",
    };
    let numbers = match dialect {
        Dialect::Sqlite => format!(
            "WITH RECURSIVE numbers(c) AS (SELECT 1 UNION ALL SELECT c + 1 FROM numbers WHERE c < {copies}) SELECT c FROM numbers"
        ),
        Dialect::Postgres => format!("SELECT generate_series(1, {copies}) AS c"),
    };
    format!(
        "CREATE TEMPORARY TABLE made AS SELECT * FROM {table} WHERE {of_purchases}; \
         CREATE TEMPORARY TABLE copies AS {numbers}; \
         INSERT INTO {table} ({columns}) SELECT {values} FROM made CROSS JOIN copies; \
         DROP TABLE made; DROP TABLE copies;"
    )
}

/// Multiplies what counts and adds up, for the records that were there and so many copies.
fn multiply(copies: u32) -> String {
    let times = copies + 1;
    let mut text = String::new();
    for (table, columns, of) in MULTIPLIED {
        let mut set: Vec<String> = columns.split(' ').map(|column| format!("{column} = {column} * {times}")).collect();
        if table == "pools" {
            set.push(format!("available_cents = {CAPITAL} + (available_cents - {CAPITAL}) * {times}"));
        }
        let _ = write!(text, "UPDATE {table} SET {} WHERE {of};", set.join(", "));
    }
    text
}

impl Kept {
    fn value(self, dialect: Dialect, column: &str) -> String {
        match (self, dialect) {
            (Self::Id, Dialect::Sqlite) => {
                format!(
                    "CASE WHEN {column} IS NOT NULL THEN unhex(substr(hex({column}), 1, 28) || printf('%04x', {SEED} + c)) END"
                )
            }
            (Self::Id, Dialect::Postgres) => {
                format!("(left({column}::text, 32) || lpad(to_hex({SEED} + c), 4, '0'))::uuid")
            }
            (Self::Text, _) => format!("{column} || '-' || c"),
            (Self::Asset, _) => format!("CAST(CAST({column} AS bigint) + 1000000000000 * c AS text)"),
        }
    }
}
