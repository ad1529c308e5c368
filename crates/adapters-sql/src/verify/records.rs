//! The check of every record of trading against the rules of the domain: what batches and lists leave out is named here.

use sea_orm::QueryResult;
use tradepost_domain::contracts::assignment::Assignment;
use tradepost_domain::contracts::contract::{Contract, ContractVersion};
use tradepost_domain::contracts::equity::EquityMark;
use tradepost_domain::contracts::filter_set::FilterSet;
use tradepost_domain::contracts::intent::Intent;
use tradepost_domain::contracts::inventory_item::InventoryItem;
use tradepost_domain::contracts::pool::Pool;
use tradepost_domain::contracts::purchase::Purchase;
use tradepost_domain::contracts::remediation::Remediation;
use tradepost_domain::markets::provider::Provider;
use tradepost_domain::trading::account_session::AccountSession;
use tradepost_domain::trading::chat::{ChatMessage, Conversation};
use tradepost_domain::trading::confirmation::Confirmation;
use tradepost_domain::trading::friend::Friend;
use tradepost_domain::trading::inventory_change::InventoryChange;
use tradepost_domain::trading::offer_reading::OfferReading;
use tradepost_domain::trading::renewal::Renewal;
use tradepost_domain::trading::snapshot::{Snapshot, SnapshotItem};
use tradepost_domain::trading::trade_offer::TradeOffer;
use tradepost_domain::trading::trading_account::{AccountGroup, TradingAccount};
use tradepost_ports::record::Kind;
use tradepost_ports::store::{StoreError, StoreResult};
use uuid::Uuid;

use super::limits::MAX_REPORTED;
use crate::rows::{Stored, cell, decode};
use crate::store::SqlStore;
use crate::table::table;

/// Records that are read by one statement.
const RECORDS_AT_ONCE: i64 = 1_000;

type LastUse = fn(&mut RecordReport, &QueryResult) -> StoreResult<()>;

/// What is checked, and how.
const KINDS: [(Kind, LastUse); 24] = [
    (Kind::Pool, RecordReport::note::<Pool>),
    (Kind::Contract, RecordReport::note::<Contract>),
    (Kind::ContractVersion, RecordReport::note::<ContractVersion>),
    (Kind::Intent, RecordReport::note::<Intent>),
    (Kind::Purchase, RecordReport::note::<Purchase>),
    (Kind::InventoryItem, RecordReport::note::<InventoryItem>),
    (Kind::EquityMark, RecordReport::note::<EquityMark>),
    (Kind::TradeOffer, RecordReport::note::<TradeOffer>),
    (Kind::OfferReading, RecordReport::note::<OfferReading>),
    (Kind::Snapshot, RecordReport::note::<Snapshot>),
    (Kind::SnapshotItem, RecordReport::note::<SnapshotItem>),
    (Kind::InventoryChange, RecordReport::note::<InventoryChange>),
    (Kind::Confirmation, RecordReport::note::<Confirmation>),
    (Kind::AccountSession, RecordReport::note::<AccountSession>),
    (Kind::Renewal, RecordReport::note::<Renewal>),
    (Kind::Friend, RecordReport::note::<Friend>),
    (Kind::Conversation, RecordReport::note::<Conversation>),
    (Kind::ChatMessage, RecordReport::note::<ChatMessage>),
    (Kind::Remediation, RecordReport::note::<Remediation>),
    (Kind::FilterSet, RecordReport::note::<FilterSet>),
    (Kind::TradingAccount, RecordReport::note::<TradingAccount>),
    (Kind::AccountGroup, RecordReport::note::<AccountGroup>),
    (Kind::Assignment, RecordReport::note::<Assignment>),
    (Kind::Provider, RecordReport::note::<Provider>),
];

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
    /// Reads every record of trading and checks it against its rules. `progress` is called with the number of read records.
    ///
    /// # Errors
    /// [`StoreError`] when the database fails; what is wrong with the data is in the report.
    pub async fn check_records(&self, mut progress: impl FnMut(u64) + Send) -> StoreResult<RecordReport> {
        let mut report = RecordReport::default();
        for (kind, note) in KINDS {
            let text = &table(kind).page;
            let mut after = (Uuid::nil(), Uuid::nil());
            loop {
                let rows = self.patiently(text, vec![after.0.into(), after.1.into(), RECORDS_AT_ONCE.into()]).await?;
                let Some(last) = rows.last() else { break };
                after = (cell(last, 0)?, cell(last, 1)?);
                rows.iter().try_for_each(|row| note(&mut report, row))?;
                progress(report.records);
            }
        }
        Ok(report)
    }

    /// The same of the last thousand records of each kind, as they are kept: it answers at once, however many there are.
    ///
    /// # Errors
    /// [`StoreError`] when the database fails; what is wrong with the data is in the report.
    pub async fn check_latest_records(&self) -> StoreResult<RecordReport> {
        let mut report = RecordReport::default();
        for (kind, note) in KINDS {
            let rows = self.patiently(&table(kind).latest, vec![RECORDS_AT_ONCE.into()]).await?;
            rows.iter().try_for_each(|row| note(&mut report, row))?;
        }
        Ok(report)
    }
}

impl RecordReport {
    fn note<R: Stored>(&mut self, row: &QueryResult) -> StoreResult<()> {
        self.records += 1;
        match decode::<R>(row, "") {
            Ok(_) => {}
            Err(StoreError::Corrupt(found)) => {
                self.broken += 1;
                if self.findings.len() < MAX_REPORTED {
                    self.findings.push(found);
                }
            }
            Err(failed) => return Err(failed),
        }
        Ok(())
    }
}
