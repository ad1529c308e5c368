//! Reads of sessions of trading accounts.

use async_trait::async_trait;
use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::id::{AccountId, AccountSessionId, OfAccountSession};
use tradepost_domain::trading::account_session::{AccountSession, SessionStatus};

use crate::changes::Seen;
use crate::store::{Page, PageRequest, RecordBatch, StoreResult};

/// The sessions to list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct AccountSessionFilter {
    /// Only of this account.
    pub account_id: Option<AccountId>,
    /// Only in this status.
    pub status: Option<SessionStatus>,
}

/// Sessions of trading accounts. An account has at most one that is not over.
#[async_trait]
pub trait AccountSessions: Send + Sync {
    /// Returns several sessions, in no order; missing ones are left out.
    async fn find_account_sessions(
        &self,
        scope: WorkspaceScope,
        ids: &[AccountSessionId],
    ) -> StoreResult<Vec<Seen<AccountSession>>>;
    /// Returns sessions of the workspace.
    async fn list_account_sessions(
        &self,
        scope: WorkspaceScope,
        filter: AccountSessionFilter,
        page: PageRequest<OfAccountSession>,
    ) -> StoreResult<Page<OfAccountSession>>;
    /// Returns a slice of the sessions that are not over.
    async fn list_live_account_sessions(
        &self,
        scope: WorkspaceScope,
        slice: RecordBatch<OfAccountSession>,
    ) -> StoreResult<Vec<Seen<AccountSession>>>;
    /// Returns the session of an account that is not over.
    async fn find_live_account_session(
        &self,
        scope: WorkspaceScope,
        account: AccountId,
    ) -> StoreResult<Option<Seen<AccountSession>>>;
}
