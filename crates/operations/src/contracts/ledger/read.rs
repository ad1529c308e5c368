//! Reads of ledger.

use tradepost_domain::contracts::ledger::{Account, LedgerEntry};
use tradepost_domain::id::{ContractId, LedgerEntryId, OfLedgerEntry, PoolId, WorkspaceId};
use tradepost_domain::time::Timestamp;
use tradepost_ports::changes::Caller;
use tradepost_ports::store::LedgerFilter;

use crate::paging::ListKey;
use crate::results::in_order;
use crate::rules;
use crate::{OpResult, Operations, PageOf, fields};

/// A request for several entries.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GetLedgerEntries {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The entries, 1 to 200.
    pub ledger_entry_ids: Vec<LedgerEntryId>,
}

/// The response of [`Operations::get_ledger_entries`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FoundLedgerEntries {
    /// The found entries, in the requested order, each once.
    pub entries: Vec<LedgerEntry>,
    /// The ids of which there is none in this workspace, in the order asked for.
    pub missing: Vec<LedgerEntryId>,
}

/// A request for a page of entries.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListLedgerEntries {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The maximum of ids on the page: 0 is 50, above 200 is 200, negative is rejected.
    pub limit: i32,
    /// The `next_cursor` of the page before; empty for the first page.
    pub cursor: String,
    /// Only those that move money of this account.
    pub account: Option<Account>,
    /// Only those of this pool.
    pub pool_id: Option<PoolId>,
    /// Only those for purchases of this contract.
    pub contract_id: Option<ContractId>,
    /// Only at this time or later, to the millisecond.
    pub from: Option<Timestamp>,
    /// Only before this time, to the millisecond.
    pub to: Option<Timestamp>,
}

impl Operations {
    /// Returns several entries in the order asked for, each once, and the ids that name none.
    ///
    /// # Errors
    /// `permission_denied`, `invalid_argument` for no ids or too many.
    pub async fn get_ledger_entries(&self, caller: &Caller, command: GetLedgerEntries) -> OpResult<FoundLedgerEntries> {
        let scope = rules::GET_LEDGER_ENTRIES.enter(&caller.principal, command.workspace_id)?;
        let ids = fields::batch("ledgerEntryIds", &command.ledger_entry_ids)?;
        let found = self.ports.store.ledger().find_many(scope, &ids).await?;
        let (entries, missing) = in_order(ids, found, |entry| entry.id);
        Ok(FoundLedgerEntries { entries, missing })
    }

    /// Returns a page of entries, the newest first.
    ///
    /// # Errors
    /// `permission_denied`; `invalid_argument` for a time that does not come before the other, a negative limit or a cursor that
    /// this list did not give out.
    pub async fn list_ledger_entries(
        &self,
        caller: &Caller,
        command: ListLedgerEntries,
    ) -> OpResult<PageOf<LedgerEntryId>> {
        let scope = rules::LIST_LEDGER_ENTRIES.enter(&caller.principal, command.workspace_id)?;
        let ListLedgerEntries { account, pool_id, contract_id, from, to, .. } = command;
        fields::span(from, to)?;
        let key = ListKey::of("ledger entries", scope)
            .and_code(account.map(Account::code))
            .and_id(pool_id)
            .and_id(contract_id)
            .and_time(from)
            .and_time(to);
        let request = self.page_request::<OfLedgerEntry>(&key, command.limit, &command.cursor)?;
        let filter = LedgerFilter { account, pool_id, contract_id, from, to };
        let page = self.to_show(caller, scope).ledger().list(scope, filter, request).await?;
        Ok(self.page(&key, page))
    }
}
