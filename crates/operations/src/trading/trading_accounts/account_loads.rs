//! [`AccountLoads`]: what trading accounts have in hand. No operation of the interface.

use std::collections::BTreeMap;

use tradepost_domain::id::WorkspaceId;
use tradepost_domain::text::AccountName;
use tradepost_domain::trading::trading_account::Load;
use tradepost_ports::changes::Caller;

use crate::rules::READ_TRADING;
use crate::{OpResult, Operations};

/// A request for the open work of trading accounts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AccountLoads {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The accounts, by their names on purchases and items; they need not be on record.
    pub names: Vec<AccountName>,
}

impl Operations {
    /// Counts the open purchases and the items of accounts, in one statement: those with none are left out.
    ///
    /// # Errors
    /// `permission_denied`.
    pub async fn account_loads(&self, caller: &Caller, ask: AccountLoads) -> OpResult<BTreeMap<AccountName, Load>> {
        let scope = caller.principal.enter(ask.workspace_id, READ_TRADING)?;
        Ok(self.ports.store.trading_accounts().find_loads(scope, &ask.names).await?.into_iter().collect())
    }
}
