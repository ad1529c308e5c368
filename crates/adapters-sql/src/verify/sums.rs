//! The check of the sums that reports are read from: that they are what the entries of the ledger come to.

use sea_orm::QueryResult;
use tradepost_domain::id::{ContractId, WorkspaceId};
use tradepost_domain::ledger::Posting;
use tradepost_domain::ledger::report::{Telling, midnight_of};
use tradepost_ports::store::StoreResult;
use uuid::Uuid;

use super::MOST_TOLD;
use crate::ledger_sums::{ALL_DAYS, FIGURES};
use crate::rows::id;
use crate::store::{SqlStore, cell};

/// Sums of a contract that are not what its entries come to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SumDrift {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The buying contract.
    pub contract_id: ContractId,
    /// Which telling of it, by the number that it is stored under.
    pub telling: i64,
    /// What was added up wrong.
    pub of: DriftOf,
}

/// Which sums of a contract are wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DriftOf {
    /// Those of the days of the month that begins with this day, counted from 1970.
    Days(i64),
    /// Those of that month.
    Month(i64),
    /// Those of all days.
    AllDays,
}

const DAYS: i64 = 0;
const MONTHS: i64 = 1;

impl SqlStore {
    /// Adds up the ledger, and gives the sums by contract and month that say otherwise, at most 100.
    ///
    /// # Errors
    /// [`StoreError`](tradepost_ports::store::StoreError) when the database fails.
    pub async fn check_sums(&self) -> StoreResult<Vec<SumDrift>> {
        let month = self.pick(
            "CAST(strftime('%s', day * 86400, 'unixepoch', 'start of month') AS INTEGER) / 86400",
            "date_trunc('month', (DATE '1970-01-01' + day::integer)::timestamp)::date - DATE '1970-01-01'",
        );
        self.patiently(&recount(month), Vec::new()).await?.iter().map(drift).collect()
    }
}

/// What entries come to, figure by figure: what the domain says of them.
fn figures_of_entries() -> [String; 8] {
    let settled = |cents: &str| format!("CASE WHEN posting = {} THEN {cents} ELSE 0 END", Posting::SaleSettled.code());
    [
        "-(realised_pnl_cents + fees_cents)".to_owned(),
        "pending_cents".to_owned(),
        settled("buy_fee_cents"),
        settled("fees_cents - buy_fee_cents"),
        "write_offs_cents".to_owned(),
        settled("-delivered_at_cost_cents - buy_fee_cents"),
        settled("-delivered_at_cost_cents - buy_fee_cents - realised_pnl_cents"),
        settled("1"),
    ]
}

/// What the entries come to, less what the sums say, where that is not nothing. Days are put together before they are compared by
/// month, so that their rows are read in the order in which they are kept.
fn recount(month: &str) -> String {
    let each = |form: &dyn Fn(&str) -> String| FIGURES.map(form).join(", ");
    let less = each(&|name| format!("-sum({name}) AS {name}"));
    let of_entries: Vec<String> =
        figures_of_entries().iter().zip(FIGURES).map(|(figure, name)| format!("sum({figure}) AS {name}")).collect();
    let of = "workspace_id, contract_id";
    let mut parts = vec![
        format!(
            "SELECT {of}, telling, {DAYS} AS kind, {month} AS month, {} FROM (SELECT {of}, telling, day, {less} FROM ledger_days \
             WHERE day < {ALL_DAYS} GROUP BY workspace_id, telling, day, contract_id) of_days",
            FIGURES.join(", ")
        ),
        format!(
            "SELECT {of}, telling, {DAYS}, {ALL_DAYS}, {less} FROM ledger_days WHERE day = {ALL_DAYS} \
             GROUP BY workspace_id, telling, contract_id"
        ),
        format!(
            "SELECT {of}, telling, {MONTHS}, month, {less} FROM ledger_months \
             GROUP BY workspace_id, telling, month, contract_id"
        ),
    ];
    for code in Telling::ALL.map(Telling::code) {
        let figures = FIGURES.join(", ");
        parts.push(format!("SELECT {of}, {code}, {DAYS}, {month}, {figures} FROM booked"));
        parts.push(format!("SELECT {of}, {code}, {DAYS}, {ALL_DAYS}, {figures} FROM booked"));
        parts.push(format!("SELECT {of}, {code}, {MONTHS}, {month}, {figures} FROM booked"));
    }
    let any = FIGURES.map(|name| format!("sum({name}) <> 0")).join(" OR ");
    format!(
        "WITH booked AS (SELECT {of}, at / 86400000000 AS day, {} FROM ledger_entries WHERE contract_id IS NOT NULL \
         GROUP BY {of}, at / 86400000000) \
         SELECT {of}, CAST(telling AS bigint), CAST(kind AS bigint), CAST(month AS bigint) FROM ({}) told \
         GROUP BY {of}, telling, kind, month HAVING {any} ORDER BY {of}, telling, kind, month LIMIT {MOST_TOLD}",
        of_entries.join(", "),
        parts.join(" UNION ALL ")
    )
}

fn drift(row: &QueryResult) -> StoreResult<SumDrift> {
    let (workspace, contract): (Uuid, Uuid) = (cell(row, 0)?, cell(row, 1)?);
    let (telling, kind, month): (i64, i64, i64) = (cell(row, 2)?, cell(row, 3)?, cell(row, 4)?);
    let of = match (kind, month) {
        (DAYS, ALL_DAYS) => DriftOf::AllDays,
        (DAYS, month) => DriftOf::Days(month),
        (_, month) => DriftOf::Month(month),
    };
    Ok(SumDrift { workspace_id: id(workspace), contract_id: id(contract), telling, of })
}

impl std::fmt::Display for SumDrift {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.of {
            DriftOf::Days(month) => write!(f, "the days of the month from {}", midnight_of(month)),
            DriftOf::Month(month) => write!(f, "the month from {}", midnight_of(month)),
            DriftOf::AllDays => f.write_str("all days together"),
        }?;
        write!(f, " of contract {} in workspace {}, telling {}", self.contract_id, self.workspace_id, self.telling)
    }
}
