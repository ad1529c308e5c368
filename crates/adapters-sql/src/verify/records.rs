//! The check of every record of trading against the rules of the domain: what batches and lists leave out is named here.

use sea_orm::QueryResult;
use tradepost_domain::assignment::Assignment;
use tradepost_domain::contract::Contract;
use tradepost_domain::filter_set::FilterSet;
use tradepost_domain::intent::Intent;
use tradepost_domain::inventory_item::InventoryItem;
use tradepost_domain::pool::Pool;
use tradepost_domain::provider::Provider;
use tradepost_domain::purchase::Purchase;
use tradepost_domain::remediation::Remediation;
use tradepost_domain::trade_offer::TradeOffer;
use tradepost_domain::trading_account::{AccountGroup, TradingAccount};
use tradepost_ports::store::{StoreError, StoreResult};
use uuid::Uuid;

use super::MOST_TOLD;
use crate::rows::Stored;
use crate::store::{SqlStore, cell, decode};
use crate::table::table;

/// Records that are read by one statement.
const RECORDS_AT_ONCE: i64 = 1_000;

/// What a look at every record found.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RecordReport {
    /// Records looked at.
    pub records: u64,
    /// How many break a rule.
    pub broken: u64,
    /// The first 100 of them: table, column, row and rule.
    pub findings: Vec<String>,
}

impl SqlStore {
    /// Reads every record of trading and checks it against its rules.
    ///
    /// # Errors
    /// [`StoreError`] when the database fails; what is wrong with the data is in the report.
    pub async fn check_records(&self) -> StoreResult<RecordReport> {
        let mut report = RecordReport::default();
        self.check_records_of::<Pool>(&mut report).await?;
        self.check_records_of::<Contract>(&mut report).await?;
        self.check_records_of::<Intent>(&mut report).await?;
        self.check_records_of::<Purchase>(&mut report).await?;
        self.check_records_of::<InventoryItem>(&mut report).await?;
        self.check_records_of::<TradeOffer>(&mut report).await?;
        self.check_records_of::<Remediation>(&mut report).await?;
        self.check_records_of::<FilterSet>(&mut report).await?;
        self.check_records_of::<TradingAccount>(&mut report).await?;
        self.check_records_of::<AccountGroup>(&mut report).await?;
        self.check_records_of::<Assignment>(&mut report).await?;
        self.check_records_of::<Provider>(&mut report).await?;
        Ok(report)
    }

    async fn check_records_of<R: Stored>(&self, report: &mut RecordReport) -> StoreResult<()> {
        let text = &table(R::KIND).page;
        let mut after = (Uuid::nil(), Uuid::nil());
        loop {
            let rows = self.patiently(text, vec![after.0.into(), after.1.into(), RECORDS_AT_ONCE.into()]).await?;
            let Some(last) = rows.last() else { return Ok(()) };
            after = (cell(last, 0)?, cell(last, 1)?);
            for row in &rows {
                report.note::<R>(row)?;
            }
        }
    }
}

impl RecordReport {
    fn note<R: Stored>(&mut self, row: &QueryResult) -> StoreResult<()> {
        self.records += 1;
        match decode::<R>(row, "") {
            Ok(_) => {}
            Err(StoreError::Corrupt(found)) => {
                self.broken += 1;
                if self.findings.len() < MOST_TOLD {
                    self.findings.push(found);
                }
            }
            Err(failed) => return Err(failed),
        }
        Ok(())
    }
}
