//! Reads of sessions of trading accounts.

use tradepost_domain::id::{AccountId, AccountSessionId, OfAccountSession, WorkspaceId};
use tradepost_domain::trading::account_session::{AccountSession, SessionStatus};
use tradepost_ports::changes::Caller;
use tradepost_ports::record::Kind;
use tradepost_ports::store::AccountSessionFilter;

use super::session_moves::session_as_seen;
use crate::paging::ListKey;
use crate::results::every_status;
use crate::rules;
use crate::trading::trading_accounts::account_moves::account_as_seen;
use crate::{Batch, OpResult, Operations, PageOf, StatusCount, Versioned, fields};

/// A request for one session.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GetAccountSession {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The session.
    pub account_session_id: AccountSessionId,
}

/// A request for several sessions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GetAccountSessions {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The sessions, 1 to 200.
    pub account_session_ids: Vec<AccountSessionId>,
}

/// A request for a page of sessions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListAccountSessions {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The maximum of ids on the page: 0 is 50, above 200 is 200, negative is rejected.
    pub limit: i32,
    /// The `next_cursor` of the page before; empty for the first page.
    pub cursor: String,
    /// Only of this account.
    pub account_id: Option<AccountId>,
    /// Only in this status.
    pub status: Option<SessionStatus>,
}

/// A request for the number of sessions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CountAccountSessions {
    /// The workspace.
    pub workspace_id: WorkspaceId,
}

impl Operations {
    /// Returns one session. Its tokens are in no answer.
    ///
    /// # Errors
    /// `permission_denied`, `not_found`.
    pub async fn get_account_session(
        &self,
        caller: &Caller,
        command: GetAccountSession,
    ) -> OpResult<Versioned<AccountSession>> {
        let scope = rules::GET_ACCOUNT_SESSION.enter(&caller.principal, command.workspace_id)?;
        Ok(session_as_seen(self, scope, command.account_session_id, None).await?.into())
    }

    /// Returns several sessions in the order asked for, each once, and the ids that name none.
    ///
    /// # Errors
    /// `permission_denied`, `invalid_argument` for no ids or too many.
    pub async fn get_account_sessions(
        &self,
        caller: &Caller,
        command: GetAccountSessions,
    ) -> OpResult<Batch<AccountSession, OfAccountSession>> {
        let scope = rules::GET_ACCOUNT_SESSIONS.enter(&caller.principal, command.workspace_id)?;
        let ids = fields::batch("accountSessionIds", &command.account_session_ids)?;
        let found = self.ports.store.account_sessions().find_account_sessions(scope, &ids).await?;
        Ok(Batch::in_order(ids, found, |record| record.id))
    }

    /// Returns a page of sessions, the newest first.
    ///
    /// # Errors
    /// `permission_denied`, `not_found` for an unknown account, `invalid_argument` for a negative limit or a cursor that this list did not
    /// give out.
    pub async fn list_account_sessions(
        &self,
        caller: &Caller,
        command: ListAccountSessions,
    ) -> OpResult<PageOf<AccountSessionId>> {
        let scope = rules::LIST_ACCOUNT_SESSIONS.enter(&caller.principal, command.workspace_id)?;
        let key = ListKey::of("account sessions", scope)
            .and_id(command.account_id)
            .and_code(command.status.map(SessionStatus::code));
        let request = self.page_request::<OfAccountSession>(&key, command.limit, &command.cursor)?;
        if let Some(id) = command.account_id {
            drop(account_as_seen(self, scope, id, None).await?);
        }
        let filter = AccountSessionFilter { account_id: command.account_id, status: command.status };
        let page = self.to_show(caller, scope).account_sessions().list_account_sessions(scope, filter, request).await?;
        Ok(self.page(&key, page))
    }

    /// Counts sessions: one entry for every status in the order of the list, zeros included.
    ///
    /// # Errors
    /// `permission_denied`.
    pub async fn count_account_sessions(
        &self,
        caller: &Caller,
        command: CountAccountSessions,
    ) -> OpResult<Vec<StatusCount<SessionStatus>>> {
        let scope = rules::COUNT_ACCOUNT_SESSIONS.enter(&caller.principal, command.workspace_id)?;
        let counted = self.to_show(caller, scope).counters().by_status(scope, Kind::AccountSession, None).await?;
        Ok(every_status(SessionStatus::ALL, SessionStatus::code, &counted))
    }
}
