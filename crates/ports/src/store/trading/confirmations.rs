//! Reads of confirmations of trading accounts, and of when they were read.

use async_trait::async_trait;
use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::id::{AccountId, ConfirmationId, OfConfirmation};
use tradepost_domain::text::{AccountName, ExternalId};
use tradepost_domain::trading::confirmation::{Confirmation, ConfirmationKind, ConfirmationStatus};
use tradepost_domain::trading::confirmation_list::ConfirmationList;

use crate::changes::Seen;
use crate::store::{Page, PageRequest, StoreResult};

/// The confirmations to list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ConfirmationFilter<'a> {
    /// Only of this account.
    pub account_name: Option<&'a AccountName>,
    /// Only in this status.
    pub status: Option<ConfirmationStatus>,
    /// Only of this kind.
    pub kind: Option<ConfirmationKind>,
}

/// Confirmations of trading accounts.
#[async_trait]
pub trait Confirmations: Send + Sync {
    /// Returns a confirmation.
    async fn find(&self, scope: WorkspaceScope, id: ConfirmationId) -> StoreResult<Option<Seen<Confirmation>>>;
    /// Returns several confirmations, in no order; missing ones are left out.
    async fn find_many(&self, scope: WorkspaceScope, ids: &[ConfirmationId]) -> StoreResult<Vec<Seen<Confirmation>>>;
    /// Returns the confirmation that an account has under this id of the platform.
    async fn find_seen(
        &self,
        scope: WorkspaceScope,
        account_name: &AccountName,
        platform_id: &ExternalId,
    ) -> StoreResult<Option<Seen<Confirmation>>>;
    /// Returns confirmations of the workspace.
    async fn list(
        &self,
        scope: WorkspaceScope,
        filter: ConfirmationFilter<'_>,
        page: PageRequest<OfConfirmation>,
    ) -> StoreResult<Page<OfConfirmation>>;
    /// Returns the confirmations of an account of which something can still come, oldest first.
    async fn list_open_of(
        &self,
        scope: WorkspaceScope,
        account_name: &AccountName,
    ) -> StoreResult<Vec<Seen<Confirmation>>>;
    /// Returns confirmations of which something can still come, oldest first.
    async fn list_open(&self, scope: WorkspaceScope, most: u32) -> StoreResult<Vec<Seen<Confirmation>>>;
    /// Returns when the confirmations of these accounts were read, in no order; accounts without a record are left out.
    async fn find_lists(
        &self,
        scope: WorkspaceScope,
        accounts: &[AccountId],
    ) -> StoreResult<Vec<Seen<ConfirmationList>>>;
}
