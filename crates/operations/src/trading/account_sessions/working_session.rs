//! The session by which an account works, and the latest one.

use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::id::AccountId;
use tradepost_domain::trading::account_session::AccountSession;
use tradepost_ports::changes::Seen;
use tradepost_ports::store::{AccountSessionFilter, PageRequest};

use crate::{OpResult, Operations};

/// Returns the session of an account that works.
pub(crate) async fn working_session(
    operations: &Operations,
    scope: WorkspaceScope,
    account_id: AccountId,
) -> OpResult<Option<Seen<AccountSession>>> {
    let live = operations.ports.store.account_sessions().find_live_account_session(scope, account_id).await?;
    Ok(live.filter(|session| session.peek().status.works()))
}

/// Returns the latest session of an account, whether it works or not; not for a decision.
pub(crate) async fn latest_session(
    operations: &Operations,
    scope: WorkspaceScope,
    account_id: AccountId,
) -> OpResult<Option<AccountSession>> {
    let sessions = operations.ports.store.account_sessions();
    let filter = AccountSessionFilter { account_id: Some(account_id), status: None };
    let ids = sessions.list_account_sessions(scope, filter, PageRequest { before: None, limit: 1 }).await?.ids;
    let found = if ids.is_empty() { Vec::new() } else { sessions.find_account_sessions(scope, &ids).await? };
    Ok(found.into_iter().next().map(|seen| seen.into_display().0))
}
