//! Reads of sessions of trading accounts.

use std::sync::LazyLock;

use async_trait::async_trait;
use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::id::{AccountId, AccountSessionId, OfAccountSession};
use tradepost_domain::trading::account_session::AccountSession;
use tradepost_ports::changes::Seen;
use tradepost_ports::store::{AccountSessionFilter, AccountSessions, Page, PageRequest, RecordBatch, StoreResult};
use uuid::Uuid;

use crate::rows::trading::account_session;
use crate::rows::uuid;
use crate::store::SqlStore;
use crate::table::select_list;

/// Neither FAILED nor REVOKED nor CLOSED, in the words of the indexes, so that the database knows that they hold the rows.
static LIVE: LazyLock<String> = LazyLock::new(|| {
    let columns = select_list::<account_session::Entity>("", "");
    format!("SELECT {columns} FROM account_sessions{{by}} WHERE workspace_id = $1 AND status < 7")
});

#[async_trait]
impl AccountSessions for SqlStore {
    async fn find_account_sessions(
        &self,
        scope: WorkspaceScope,
        ids: &[AccountSessionId],
    ) -> StoreResult<Vec<Seen<AccountSession>>> {
        self.find_several(uuid(scope.workspace_id()), ids).await
    }
    async fn list_account_sessions(
        &self,
        scope: WorkspaceScope,
        filter: AccountSessionFilter,
        page: PageRequest<OfAccountSession>,
    ) -> StoreResult<Page<OfAccountSession>> {
        let mut equal = vec![("workspace_id", uuid(scope.workspace_id()).into())];
        equal.extend(filter.account_id.map(|wanted| ("account_id", uuid(wanted).into())));
        equal.extend(filter.status.map(|wanted| ("status", wanted.code().into())));
        self.page("account_sessions", equal, page).await
    }
    async fn list_live_account_sessions(
        &self,
        scope: WorkspaceScope,
        slice: RecordBatch<OfAccountSession>,
    ) -> StoreResult<Vec<Seen<AccountSession>>> {
        let text = self.by_index(&format!("{} AND id > $2 ORDER BY id LIMIT $3", *LIVE), "account_sessions_live_id");
        let (workspace, after) = (uuid(scope.workspace_id()), slice.after.map_or(Uuid::nil(), uuid));
        self.readable(&text, vec![workspace.into(), after.into(), i64::from(slice.most).into()]).await
    }
    async fn find_live_account_session(
        &self,
        scope: WorkspaceScope,
        account: AccountId,
    ) -> StoreResult<Option<Seen<AccountSession>>> {
        let text = self.by_index(&format!("{} AND account_id = $2", *LIVE), "account_sessions_live");
        self.one(&text, vec![uuid(scope.workspace_id()).into(), uuid(account).into()]).await
    }
}
