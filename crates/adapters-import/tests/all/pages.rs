//! The tables in the pages about imports, read as the files of their readers are.

use tradepost_ports::imports::{ImportFormat, UnreadableImport};

use crate::{fault, holdings, read};

const ACCOUNTS: &str = include_str!("../../../../docs/how-to/import-accounts.md");
const HOLDINGS: &str = include_str!("../../../../docs/how-to/import-holdings.md");
const TRADES: &str = include_str!("../../../../docs/how-to/import-trades.md");

/// The blocks of a page that are tables.
fn tables(page: &str) -> Vec<(ImportFormat, &str)> {
    let blocks = page.split("```").skip(1).step_by(2);
    let tables = blocks.filter_map(|block| match block.split_once('\n')? {
        ("csv", table) => Some((ImportFormat::Csv, table)),
        ("json", table) => Some((ImportFormat::Json, table)),
        _ => None,
    });
    tables.collect()
}

#[test]
fn the_tables_of_the_page_about_accounts_are_read_without_a_fault() -> Result<(), UnreadableImport> {
    let tables = tables(ACCOUNTS);
    assert!(!tables.is_empty());
    for (format, table) in tables {
        let faults: Vec<_> = read(format, table)?.iter().filter_map(fault).collect();
        assert!(faults.is_empty(), "{faults:?} in {table}");
    }
    Ok(())
}

#[test]
fn the_tables_of_the_pages_about_holdings_and_trades_are_read_without_a_fault() -> Result<(), UnreadableImport> {
    let tables: Vec<_> = [HOLDINGS, TRADES].into_iter().flat_map(tables).collect();
    assert!(tables.len() >= 4, "{tables:?}");
    for (format, table) in tables {
        let rows = holdings::read(format, table)?;
        let faults: Vec<_> = rows.iter().filter_map(|row| row.fault.as_ref()).collect();
        assert!(faults.is_empty(), "{faults:?} in {table}");
    }
    Ok(())
}
