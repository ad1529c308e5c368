//! What is cheap to look at of the records, however many there are.

use tradepost::sql::SqlStore;

use super::walk::RECORDS;
use super::{Check, DEEPER};
use crate::assembly::RESTORE;

/// The last records of each kind against their rules.
pub(super) async fn records(store: &SqlStore) -> Check {
    match store.check_latest_records().await {
        Ok(report) => match report.findings.first() {
            None => Check::ok(RECORDS, format!("the last {} keep their rules; {DEEPER}", report.records)),
            Some(first) => Check::fail(RECORDS, format!("{} break a rule; {first}", report.broken), RESTORE),
        },
        Err(error) => Check::unreadable(RECORDS, &error),
    }
}
