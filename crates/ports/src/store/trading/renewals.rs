//! Reads of renewals.

use async_trait::async_trait;
use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::id::{AccountId, OfRenewal, RenewalId};
use tradepost_domain::time::Timestamp;
use tradepost_domain::trading::renewal::{Renewal, RenewalKind, RenewalStatus};

use crate::changes::Seen;
use crate::store::{Page, PageRequest, StoreResult};

/// The renewals to list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct RenewalFilter {
    /// Only of this account.
    pub account_id: Option<AccountId>,
    /// Only of this kind.
    pub kind: Option<RenewalKind>,
    /// Only in this status.
    pub status: Option<RenewalStatus>,
    /// Only those that are not over and are due before this time.
    pub due_before: Option<Timestamp>,
}

/// Renewals of tokens. An account has at most one of a kind that is not over.
#[async_trait]
pub trait Renewals: Send + Sync {
    /// Returns several renewals, in no order; missing ones are left out.
    async fn find_renewals(&self, scope: WorkspaceScope, ids: &[RenewalId]) -> StoreResult<Vec<Seen<Renewal>>>;
    /// Returns renewals of the workspace.
    async fn list_renewals(
        &self,
        scope: WorkspaceScope,
        filter: RenewalFilter,
        page: PageRequest<OfRenewal>,
    ) -> StoreResult<Page<OfRenewal>>;
    /// Returns the renewals of an account that are not over, one of a kind.
    async fn list_open_renewals_of(&self, scope: WorkspaceScope, account: AccountId)
    -> StoreResult<Vec<Seen<Renewal>>>;
    /// Returns renewals that are not over and are due at a time, the earliest first.
    async fn list_due_renewals(
        &self,
        scope: WorkspaceScope,
        at: Timestamp,
        most: u32,
    ) -> StoreResult<Vec<Seen<Renewal>>>;
    /// Returns renewals of a kind that are not over and whose token ends before a time, the earliest first.
    async fn list_ending_renewals(
        &self,
        scope: WorkspaceScope,
        kind: RenewalKind,
        before: Timestamp,
        most: u32,
    ) -> StoreResult<Vec<Seen<Renewal>>>;
}
