//! The session by which an account works.

use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::id::AccountId;
use tradepost_domain::trading::account_session::AccountSession;
use tradepost_ports::changes::Seen;

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
