//! Reads of renewals.

use tradepost_domain::id::{AccountId, OfRenewal, RenewalId, WorkspaceId};
use tradepost_domain::time::Timestamp;
use tradepost_domain::trading::renewal::{Renewal, RenewalKind, RenewalStatus};
use tradepost_ports::changes::Caller;
use tradepost_ports::record::Kind;
use tradepost_ports::store::RenewalFilter;

use super::renewal_moves::renewal_as_seen;
use crate::paging::ListKey;
use crate::results::every_status;
use crate::rules;
use crate::trading::trading_accounts::account_moves::account_as_seen;
use crate::{Batch, OpResult, Operations, PageOf, StatusCount, Versioned, fields};

/// A request for one renewal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GetRenewal {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The renewal.
    pub renewal_id: RenewalId,
}

/// A request for several renewals.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GetRenewals {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The renewals, 1 to 200.
    pub renewal_ids: Vec<RenewalId>,
}

/// A request for a page of renewals.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListRenewals {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The maximum of ids on the page: 0 is 50, above 200 is 200, negative is rejected.
    pub limit: i32,
    /// The `next_cursor` of the page before; empty for the first page.
    pub cursor: String,
    /// Only of this account.
    pub account_id: Option<AccountId>,
    /// Only of this kind.
    pub kind: Option<RenewalKind>,
    /// Only in this status.
    pub status: Option<RenewalStatus>,
    /// Only those that are not over and are due before this time.
    pub due_before: Option<Timestamp>,
}

/// A request for the number of renewals.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CountRenewals {
    /// The workspace.
    pub workspace_id: WorkspaceId,
}

impl Operations {
    /// Returns one renewal.
    ///
    /// # Errors
    /// `permission_denied`, `not_found`.
    pub async fn get_renewal(&self, caller: &Caller, command: GetRenewal) -> OpResult<Versioned<Renewal>> {
        let scope = rules::GET_RENEWAL.enter(&caller.principal, command.workspace_id)?;
        Ok(renewal_as_seen(self, scope, command.renewal_id, None).await?.into())
    }

    /// Returns several renewals in the order asked for, each once, and the ids that name none.
    ///
    /// # Errors
    /// `permission_denied`, `invalid_argument` for no ids or too many.
    pub async fn get_renewals(&self, caller: &Caller, command: GetRenewals) -> OpResult<Batch<Renewal, OfRenewal>> {
        let scope = rules::GET_RENEWALS.enter(&caller.principal, command.workspace_id)?;
        let ids = fields::batch("renewalIds", &command.renewal_ids)?;
        let found = self.ports.store.renewals().find_renewals(scope, &ids).await?;
        Ok(Batch::in_order(ids, found, |record| record.id))
    }

    /// Returns a page of renewals, the newest first.
    ///
    /// # Errors
    /// `permission_denied`, `not_found` for an unknown account, `invalid_argument` for a negative limit or a cursor that this list did not
    /// give out.
    pub async fn list_renewals(&self, caller: &Caller, command: ListRenewals) -> OpResult<PageOf<RenewalId>> {
        let scope = rules::LIST_RENEWALS.enter(&caller.principal, command.workspace_id)?;
        let key = ListKey::of("renewals", scope)
            .and_id(command.account_id)
            .and_code(command.kind.map(RenewalKind::code))
            .and_code(command.status.map(RenewalStatus::code))
            .and_time(command.due_before);
        let request = self.page_request::<OfRenewal>(&key, command.limit, &command.cursor)?;
        if let Some(id) = command.account_id {
            drop(account_as_seen(self, scope, id, None).await?);
        }
        let ListRenewals { account_id, kind, status, due_before, .. } = command;
        let filter = RenewalFilter { account_id, kind, status, due_before };
        let page = self.to_show(caller, scope).renewals().list_renewals(scope, filter, request).await?;
        Ok(self.page(&key, page))
    }

    /// Counts renewals: one entry for every status in the order of the list, zeros included.
    ///
    /// # Errors
    /// `permission_denied`.
    pub async fn count_renewals(
        &self,
        caller: &Caller,
        command: CountRenewals,
    ) -> OpResult<Vec<StatusCount<RenewalStatus>>> {
        let scope = rules::COUNT_RENEWALS.enter(&caller.principal, command.workspace_id)?;
        let counted = self.to_show(caller, scope).counters().by_status(scope, Kind::Renewal, None).await?;
        Ok(every_status(RenewalStatus::ALL, RenewalStatus::code, &counted))
    }
}
