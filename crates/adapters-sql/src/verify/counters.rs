//! The check of the counters of records: that they say what is there, a workspace and a kind at a time.

use std::fmt;

use sea_orm::QueryResult;
use tradepost_domain::id::{ContractId, WorkspaceId};
use tradepost_ports::record::Kind;
use tradepost_ports::store::{StoreError, StoreResult};
use uuid::Uuid;

use super::limits::MAX_REPORTED;
use crate::rows::{cell, id};
use crate::store::SqlStore;

/// A counter that does not say what is there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CounterDrift {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// What is counted: memberships, filter sets, pools, contracts, intents, purchases, items, trade offers, snapshots,
    /// inventory changes, imports, friends, conversations, confirmations, sessions of accounts, renewals or remediations.
    pub kind: Kind,
    /// The contract; `None` for the counter of the workspace.
    pub contract_id: Option<ContractId>,
    /// The status' stored number.
    pub status: i16,
    /// How many more records there are than the counter says; negative when there are fewer.
    pub missing: i64,
}

/// A table whose records are counted.
#[derive(Clone, Copy)]
struct Counted {
    table: &'static str,
    kind: Kind,
    /// The column of the status, or the constant for records without one.
    status: &'static str,
    /// Whether they are counted by contract as well.
    by_contract: bool,
}

impl Counted {
    const fn by_workspace(table: &'static str, kind: Kind, status: &'static str) -> Self {
        Self { table, kind, status, by_contract: false }
    }

    const fn by_contract(table: &'static str, kind: Kind) -> Self {
        Self { table, kind, status: "status", by_contract: true }
    }
}

/// What is counted.
const COUNTED: [Counted; 18] = [
    Counted::by_workspace("friends", Kind::Friend, "relation"),
    Counted::by_workspace("confirmations", Kind::Confirmation, "status"),
    Counted::by_workspace("account_sessions", Kind::AccountSession, "status"),
    Counted::by_workspace("renewals", Kind::Renewal, "status"),
    Counted::by_workspace("conversations", Kind::Conversation, "reading"),
    Counted::by_workspace("memberships", Kind::Membership, "status"),
    Counted::by_workspace("filter_sets", Kind::FilterSet, "0"),
    Counted::by_workspace("trading_accounts", Kind::TradingAccount, "status"),
    Counted::by_workspace("pools", Kind::Pool, "status"),
    Counted::by_workspace("contracts", Kind::Contract, "status"),
    Counted::by_contract("intents", Kind::Intent),
    Counted::by_contract("purchases", Kind::Purchase),
    Counted::by_contract("inventory_items", Kind::InventoryItem),
    Counted::by_workspace("trade_offers", Kind::TradeOffer, "status"),
    Counted::by_workspace("snapshots", Kind::Snapshot, "status"),
    Counted::by_workspace("inventory_changes", Kind::InventoryChange, "status"),
    Counted::by_workspace("imports", Kind::Import, "status"),
    Counted::by_workspace("remediations", Kind::Remediation, "status"),
];

impl SqlStore {
    /// Counts everything that has counters, and gives the counters that say otherwise, at most 100.
    ///
    /// # Errors
    /// [`StoreError`] when the database fails.
    pub async fn check_counters(&self) -> StoreResult<Vec<CounterDrift>> {
        let no_contract = self.pick("zeroblob(16)", "'00000000-0000-0000-0000-000000000000'::uuid");
        let tables: Vec<&str> = COUNTED.iter().map(|counted| counted.table).chain(["record_counts"]).collect();
        let (mut drifts, mut after) = (Vec::new(), Uuid::nil());
        while let Some(workspace) = self.next_home(&tables, "workspace_id", after).await? {
            for counted in COUNTED {
                for row in self.patiently(&recount(counted, no_contract), vec![workspace.into()]).await? {
                    drifts.push(drift(&row, workspace, counted.kind)?);
                }
            }
            if drifts.len() >= MAX_REPORTED {
                break;
            }
            after = workspace;
        }
        drifts.truncate(MAX_REPORTED);
        Ok(drifts)
    }
}

/// What is there of a kind in a workspace, less what the counters say, where that is not nothing. Records that are counted by contract
/// are counted so first, so that they are read once.
fn recount(counted: Counted, no_contract: &str) -> String {
    let Counted { table, kind, status, by_contract } = counted;
    let (contract, grouped) = match (by_contract, status) {
        (true, _) => ("contract_id", " GROUP BY contract_id, status".to_owned()),
        (false, "0") => (no_contract, " HAVING count(*) > 0".to_owned()),
        (false, column) => (no_contract, format!(" GROUP BY {column}")),
    };
    // What has no contract has NULL there, or nil.
    let of_contracts = if by_contract {
        format!(" UNION ALL SELECT contract_id, status, n FROM counted WHERE contract_id <> {no_contract}")
    } else {
        String::new()
    };
    let kind = kind.code();
    format!(
        "WITH counted AS (SELECT {contract} AS contract_id, {status} AS status, count(*) AS n FROM {table} \
         WHERE workspace_id = $1{grouped}) \
         SELECT contract_id, CAST(status AS bigint), CAST(sum(n) AS bigint) FROM (\
         SELECT {no_contract} AS contract_id, status, n FROM counted{of_contracts} UNION ALL \
         SELECT contract_id, status, -n FROM record_counts WHERE workspace_id = $1 AND kind = {kind}) compared \
         GROUP BY contract_id, status HAVING sum(n) <> 0 LIMIT {MAX_REPORTED}"
    )
}

fn drift(row: &QueryResult, workspace: Uuid, kind: Kind) -> StoreResult<CounterDrift> {
    let (contract, status): (Uuid, i64) = (cell(row, 0)?, cell(row, 1)?);
    let out_of_range = |_| StoreError::Corrupt(format!("record_counts.status: {status}"));
    Ok(CounterDrift {
        workspace_id: id(workspace),
        kind,
        contract_id: (!contract.is_nil()).then_some(id(contract)),
        status: i16::try_from(status).map_err(out_of_range)?,
        missing: cell(row, 2)?,
    })
}

impl fmt::Display for CounterDrift {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { workspace_id, kind, contract_id, status, missing } = self;
        write!(f, "{kind:?} in status {status} of workspace {workspace_id}")?;
        if let Some(contract) = contract_id {
            write!(f, ", contract {contract}")?;
        }
        write!(f, ": there are {missing} more than are counted")
    }
}
