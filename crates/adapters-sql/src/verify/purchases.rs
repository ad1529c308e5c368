//! The check of purchases against the ledger: that the entries of each come to what its status, and that of its item, say; and that
//! price and fee are what was paid, or put in with an imported item.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::LazyLock;

use sea_orm::{QueryResult, Value};
use tradepost_domain::contracts::inventory_item::InventoryItem;
use tradepost_domain::contracts::ledger::posting::standing;
use tradepost_domain::contracts::ledger::{Account, Posting};
use tradepost_domain::contracts::purchase::Purchase;
use tradepost_domain::id::{PurchaseId, WorkspaceId};
use tradepost_ports::store::{StoreError, StoreResult};
use uuid::Uuid;

use super::limits::MAX_REPORTED;
use super::slice::Slice;
use crate::read::contracts::ledger::column;
use crate::rows::contracts::{inventory_item, purchase};
use crate::rows::{Stored, cell, decode, id};
use crate::store::SqlStore;
use crate::table::select_list;

/// Purchases of one slice.
const PURCHASES_AT_ONCE: i64 = 1_000;
/// What purchase and item say exactly. What moved on to be available, and what was put in for a purchase, is the rest of a whole that
/// sums to zero.
const EXACT: [Account; 8] = [
    Account::Reserved,
    Account::PaidInTransit,
    Account::RefundDue,
    Account::InventoryAtCost,
    Account::DeliveredAtCost,
    Account::Fees,
    Account::RealisedPnl,
    Account::WriteOffs,
];

static PURCHASES: LazyLock<String> = LazyLock::new(|| {
    format!(
        "SELECT {} FROM purchases WHERE workspace_id = $1 AND id > $2 ORDER BY id LIMIT $3",
        select_list::<purchase::Entity>("", "")
    )
});
static ITEMS: LazyLock<String> = LazyLock::new(|| {
    format!(
        "SELECT {} FROM inventory_items WHERE workspace_id = $1 AND purchase_id > $2 AND purchase_id <= $3",
        select_list::<inventory_item::Entity>("", "")
    )
});
static BOOKED: LazyLock<String> = LazyLock::new(|| {
    let sums: Vec<String> = EXACT
        .iter()
        .chain([&Account::Receivable])
        .map(|account| format!("CAST(sum({}) AS bigint)", column(*account)))
        .collect();
    format!(
        "SELECT purchase_id, {}, CAST(sum(pending_cents) AS bigint), \
         CAST(sum(CASE posting WHEN {} THEN paid_in_transit_cents WHEN {} THEN inventory_at_cost_cents ELSE 0 END) \
         AS bigint) FROM ledger_entries \
         WHERE workspace_id = $1 AND purchase_id IS NOT NULL AND purchase_id > $2 AND purchase_id <= $3 GROUP BY purchase_id",
        sums.join(", "),
        Posting::Paid.code(),
        Posting::Imported.code()
    )
});

/// A purchase that is not what the ledger says of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PurchaseDrift {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The purchase.
    pub purchase_id: PurchaseId,
    /// What is wrong.
    pub of: PurchaseFault,
}

/// In what a purchase is not what the ledger says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PurchaseFault {
    /// By how many cents price and fee are more than the ledger paid; negative where they are less.
    Unpaid(i64),
    /// An account holds something else for it than its status and that of its item say.
    Money {
        /// The account.
        account: Account,
        /// What the entries come to.
        booked: i64,
        /// What purchase and item say.
        expected: i64,
    },
    /// The entries come to another profit that can still be reversed.
    Pending {
        /// What the entries come to.
        booked: i64,
        /// What the item says.
        expected: i64,
    },
    /// It has another number of items than it brought.
    Items(usize),
    /// There are entries of it, and no such purchase.
    Missing,
}

/// What a look at every purchase found.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PurchaseReport {
    /// Purchases looked at.
    pub purchases: u64,
    /// What is wrong, at most 100 of it.
    pub findings: Vec<PurchaseDrift>,
}

/// What the entries of a purchase come to.
#[derive(Default)]
struct Booked {
    exact: [i64; EXACT.len()],
    receivable: i64,
    pending: i64,
    paid: i64,
}

impl SqlStore {
    /// Compares every purchase with its entries. `progress` is called with the number of checked purchases. A purchase that cannot be read is none of
    /// this check's findings: [`SqlStore::check_records`] names it.
    ///
    /// # Errors
    /// [`StoreError`] when the database fails.
    pub async fn check_purchases(&self, mut progress: impl FnMut(u64) + Send) -> StoreResult<PurchaseReport> {
        let (mut report, mut home) = (PurchaseReport::default(), Uuid::nil());
        while let Some(workspace) = self.next_home(&["purchases", "ledger_entries"], "workspace_id", home).await? {
            let mut after = Some(Uuid::nil());
            while let Some(from) = after {
                let slice = self.slice().await?;
                after = report.look_at(&slice, workspace, from).await?;
                slice.end().await?;
                progress(report.purchases);
            }
            home = workspace;
        }
        Ok(report)
    }
}

impl PurchaseReport {
    /// Checks the next purchases. Returns the last of them; `None` at the end.
    async fn look_at(&mut self, slice: &Slice, workspace: Uuid, after: Uuid) -> StoreResult<Option<Uuid>> {
        let rows = slice.rows(&PURCHASES, vec![workspace.into(), after.into(), PURCHASES_AT_ONCE.into()]).await?;
        let is_last = i64::try_from(rows.len()).unwrap_or(i64::MAX) < PURCHASES_AT_ONCE;
        let last: Option<Uuid> =
            rows.last().map(|row| row.try_get("", "id")).transpose().map_err(|error| unreadable(&error))?;
        let end = if is_last { Uuid::max() } else { last.unwrap_or(Uuid::max()) };
        let within = || -> Vec<Value> { vec![workspace.into(), after.into(), end.into()] };
        let mut booked: BTreeMap<Uuid, Booked> = BTreeMap::new();
        for row in slice.rows(&BOOKED, within()).await? {
            booked.insert(cell(&row, 0)?, Booked::read(&row)?);
        }
        let mut items: BTreeMap<Uuid, Option<Vec<InventoryItem>>> = BTreeMap::new();
        for row in slice.rows(&ITEMS, within()).await? {
            let purchase: Uuid = row.try_get("", "purchase_id").map_err(|error| unreadable(&error))?;
            let of_purchase = items.entry(purchase).or_insert_with(|| Some(Vec::new()));
            match (read::<InventoryItem>(&row)?, of_purchase.as_mut()) {
                (Some(item), Some(items)) => items.push(item),
                _ => *of_purchase = None,
            }
        }
        for row in &rows {
            self.purchases = self.purchases.saturating_add(1);
            let key: Uuid = row.try_get("", "id").map_err(|error| unreadable(&error))?;
            let (booked, items) = (booked.remove(&key).unwrap_or_default(), items.remove(&key));
            let (Some(purchase), Some(items)) = (read::<Purchase>(row)?, items.unwrap_or_else(|| Some(Vec::new())))
            else {
                continue;
            };
            self.compare(&purchase, &items, &booked);
        }
        for purchase in booked.into_keys() {
            let (workspace_id, purchase_id) = (id(workspace), id(purchase));
            self.add(PurchaseDrift { workspace_id, purchase_id, of: PurchaseFault::Missing });
        }
        Ok(last.filter(|_| !is_last))
    }

    fn compare(&mut self, purchase: &Purchase, items: &[InventoryItem], booked: &Booked) {
        let (workspace_id, purchase_id) = (purchase.terms.workspace_id, purchase.terms.id);
        let drift = |of| PurchaseDrift { workspace_id, purchase_id, of };
        let unpaid = purchase.cost().get().saturating_sub(booked.paid);
        if unpaid != 0 {
            self.add(drift(PurchaseFault::Unpaid(unpaid)));
        }
        if items.len() != usize::from(purchase.was_traded()) {
            return self.add(drift(PurchaseFault::Items(items.len())));
        }
        // Amounts that do not fit were refused when they were booked.
        let Ok((money, pending)) = standing(purchase, items) else { return };
        let expected = |account| money.of(account).get();
        let of_exact =
            EXACT.into_iter().zip(booked.exact).map(|(account, booked)| (account, booked, expected(account)));
        let owed = expected(Account::Receivable);
        // What is owed is paid out as a whole.
        let is_paid_out = booked.receivable == 0;
        let receivable = (Account::Receivable, booked.receivable, if is_paid_out { 0 } else { owed });
        let wrong = of_exact.chain([receivable]).find(|(_, booked, expected)| booked != expected);
        if let Some((account, booked, expected)) = wrong {
            self.add(drift(PurchaseFault::Money { account, booked, expected }));
        }
        if booked.pending != pending.get() {
            self.add(drift(PurchaseFault::Pending { booked: booked.pending, expected: pending.get() }));
        }
    }

    fn add(&mut self, drift: PurchaseDrift) {
        if self.findings.len() < MAX_REPORTED {
            self.findings.push(drift);
        }
    }
}

impl Booked {
    fn read(row: &QueryResult) -> StoreResult<Self> {
        let mut booked = Self::default();
        for (position, amount) in booked.exact.iter_mut().enumerate() {
            *amount = cell(row, position + 1)?;
        }
        let next = EXACT.len() + 1;
        (booked.receivable, booked.pending, booked.paid) =
            (cell(row, next)?, cell(row, next + 1)?, cell(row, next + 2)?);
        Ok(booked)
    }
}

/// A record that keeps its rules.
fn read<R: Stored>(row: &QueryResult) -> StoreResult<Option<R>> {
    match decode::<R>(row, "") {
        Ok(seen) => Ok(Some(seen.into_display().0)),
        Err(StoreError::Corrupt(_)) => Ok(None),
        Err(failed) => Err(failed),
    }
}

fn unreadable(error: &sea_orm::DbErr) -> StoreError {
    crate::classify::classify(error, crate::classify::DbOperation::Statement)
}

impl fmt::Display for PurchaseDrift {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { workspace_id, purchase_id, of } = self;
        write!(f, "purchase {purchase_id} of workspace {workspace_id}: ")?;
        match of {
            PurchaseFault::Unpaid(cents) => {
                write!(f, "price and fee less what the ledger paid are {cents} cents")
            }
            PurchaseFault::Money { account, booked, expected } => {
                write!(f, "its entries come to {booked} cents in {account}, its status and its item say {expected}")
            }
            PurchaseFault::Pending { booked, expected } => {
                write!(f, "its entries come to {booked} cents of pending profit, its item says {expected}")
            }
            PurchaseFault::Items(count) => write!(f, "it has {count} items"),
            PurchaseFault::Missing => f.write_str("there are entries of it, and no such purchase"),
        }
    }
}
