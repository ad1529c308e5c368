//! [`GetLedgerEntries`]: up to 200 entries of the ledger at once.

use tradepost_domain::contracts::ledger::LedgerEntry;
use tradepost_domain::id::{LedgerEntryId, WorkspaceId};
use tradepost_ports::changes::Caller;

use crate::answers::in_order;
use crate::rules::READ_TRADING;
use crate::{OpResult, Operations, fields};

/// Asks for several entries.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GetLedgerEntries {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The entries, 1 to 200.
    pub ledger_entry_ids: Vec<LedgerEntryId>,
}

/// What [`Operations::get_ledger_entries`] gives.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FoundLedgerEntries {
    /// Those found, in the order asked for, each once.
    pub entries: Vec<LedgerEntry>,
    /// The ids of which there is none in this workspace, in the order asked for.
    pub missing: Vec<LedgerEntryId>,
}

impl Operations {
    /// Gives several entries in the order asked for, each once, and the ids that name none.
    ///
    /// # Errors
    /// `permission_denied`, `invalid_argument` for no ids or too many.
    pub async fn get_ledger_entries(&self, caller: &Caller, command: GetLedgerEntries) -> OpResult<FoundLedgerEntries> {
        let scope = caller.principal.enter(command.workspace_id, READ_TRADING)?;
        let ids = fields::batch("ledgerEntryIds", &command.ledger_entry_ids)?;
        let found = self.ports.store.find_ledger_entries(scope, &ids).await?;
        let (entries, missing) = in_order(ids, found, |entry| entry.id);
        Ok(FoundLedgerEntries { entries, missing })
    }
}
