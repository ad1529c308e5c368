//! Reads of confirmations of trading accounts.

use std::sync::LazyLock;

use async_trait::async_trait;
use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::id::{AccountId, ConfirmationId, OfConfirmation};
use tradepost_domain::text::{AccountName, ExternalId};
use tradepost_domain::trading::confirmation::Confirmation;
use tradepost_domain::trading::confirmation_list::ConfirmationList;
use tradepost_ports::changes::Seen;
use tradepost_ports::store::{ConfirmationFilter, Confirmations, Page, PageRequest, StoreResult};

use crate::rows::trading::confirmation;
use crate::rows::uuid;
use crate::store::SqlStore;
use crate::table::select_list;

static CONFIRMATIONS: LazyLock<String> = LazyLock::new(|| {
    let columns = select_list::<confirmation::Entity>("", "");
    format!("SELECT {columns} FROM confirmations{{by}} WHERE workspace_id = $1")
});
/// In the words of the indexes, so that the database knows that they hold the rows.
static OPEN: LazyLock<String> = LazyLock::new(|| format!("{} AND status IN (1, 2, 3, 5, 8, 9)", *CONFIRMATIONS));

#[async_trait]
impl Confirmations for SqlStore {
    async fn find(&self, scope: WorkspaceScope, id: ConfirmationId) -> StoreResult<Option<Seen<Confirmation>>> {
        self.find(vec![uuid(scope.workspace_id()).into(), uuid(id).into()]).await
    }
    async fn find_many(&self, scope: WorkspaceScope, ids: &[ConfirmationId]) -> StoreResult<Vec<Seen<Confirmation>>> {
        self.find_several(uuid(scope.workspace_id()), ids).await
    }
    async fn find_seen(
        &self,
        scope: WorkspaceScope,
        account_name: &AccountName,
        platform_id: &ExternalId,
    ) -> StoreResult<Option<Seen<Confirmation>>> {
        let text = format!("{} AND account_name = $2 AND platform_id = $3", *CONFIRMATIONS);
        let text = self.by_index(&text, "confirmations_seen");
        let workspace = uuid(scope.workspace_id()).into();
        self.one(&text, vec![workspace, account_name.as_str().into(), platform_id.as_str().into()]).await
    }
    async fn list(
        &self,
        scope: WorkspaceScope,
        filter: ConfirmationFilter<'_>,
        page: PageRequest<OfConfirmation>,
    ) -> StoreResult<Page<OfConfirmation>> {
        let mut equal = vec![("workspace_id", uuid(scope.workspace_id()).into())];
        equal.extend(filter.account_name.map(|wanted| ("account_name", wanted.as_str().into())));
        equal.extend(filter.status.map(|wanted| ("status", wanted.code().into())));
        equal.extend(filter.kind.map(|wanted| ("kind", wanted.code().into())));
        self.page("confirmations", equal, page).await
    }
    async fn list_open_of(
        &self,
        scope: WorkspaceScope,
        account_name: &AccountName,
    ) -> StoreResult<Vec<Seen<Confirmation>>> {
        let text = self.by_index(&format!("{} AND account_name = $2 ORDER BY id", *OPEN), "confirmations_account_open");
        self.readable(&text, vec![uuid(scope.workspace_id()).into(), account_name.as_str().into()]).await
    }
    async fn list_open(&self, scope: WorkspaceScope, most: u32) -> StoreResult<Vec<Seen<Confirmation>>> {
        let text = self.by_index(&format!("{} ORDER BY id LIMIT $2", *OPEN), "confirmations_open");
        self.readable(&text, vec![uuid(scope.workspace_id()).into(), i64::from(most).into()]).await
    }
    async fn find_lists(
        &self,
        scope: WorkspaceScope,
        accounts: &[AccountId],
    ) -> StoreResult<Vec<Seen<ConfirmationList>>> {
        self.find_several(uuid(scope.workspace_id()), accounts).await
    }
}
