//! Reads of renewals.

use std::sync::LazyLock;

use async_trait::async_trait;
use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::id::{AccountId, OfRenewal, RenewalId};
use tradepost_domain::time::Timestamp;
use tradepost_domain::trading::renewal::{Renewal, RenewalKind};
use tradepost_ports::changes::Seen;
use tradepost_ports::store::{Page, PageRequest, RenewalFilter, Renewals, StoreResult};

use crate::read::filtered::{Filtered, Order};
use crate::rows::trading::renewal;
use crate::rows::uuid;
use crate::store::SqlStore;
use crate::table::select_list;

/// SCHEDULED, RUNNING, RETRYING and UNCERTAIN, in the words of the indexes, so that the database knows that they hold the rows.
const IS_OPEN: &str = "status IN (1, 2, 4, 5)";
static OPEN: LazyLock<String> = LazyLock::new(|| {
    let columns = select_list::<renewal::Entity>("", "");
    format!("SELECT {columns} FROM renewals{{by}} WHERE workspace_id = $1 AND {IS_OPEN}")
});
static DUE: LazyLock<String> = LazyLock::new(|| format!("{} AND due_at <= $2 ORDER BY due_at, id LIMIT $3", *OPEN));
static ENDING: LazyLock<String> =
    LazyLock::new(|| format!("{} AND kind = $2 AND expires_at < $3 ORDER BY expires_at, id LIMIT $4", *OPEN));

#[async_trait]
impl Renewals for SqlStore {
    async fn find_renewals(&self, scope: WorkspaceScope, ids: &[RenewalId]) -> StoreResult<Vec<Seen<Renewal>>> {
        self.find_several(uuid(scope.workspace_id()), ids).await
    }
    async fn list_renewals(
        &self,
        scope: WorkspaceScope,
        filter: RenewalFilter,
        page: PageRequest<OfRenewal>,
    ) -> StoreResult<Page<OfRenewal>> {
        if let Some(before) = filter.due_before {
            return self.filtered_page(due(scope, filter, before, self.is_sqlite()), page).await;
        }
        let mut equal = vec![("workspace_id", uuid(scope.workspace_id()).into())];
        equal.extend(filter.account_id.map(|wanted| ("account_id", uuid(wanted).into())));
        equal.extend(filter.kind.map(|wanted| ("kind", wanted.code().into())));
        equal.extend(filter.status.map(|wanted| ("status", wanted.code().into())));
        self.page("renewals", equal, page).await
    }
    async fn list_open_renewals_of(
        &self,
        scope: WorkspaceScope,
        account: AccountId,
    ) -> StoreResult<Vec<Seen<Renewal>>> {
        let text = self.by_index(&format!("{} AND account_id = $2 ORDER BY kind", *OPEN), "renewals_open");
        self.readable(&text, vec![uuid(scope.workspace_id()).into(), uuid(account).into()]).await
    }
    async fn list_due_renewals(
        &self,
        scope: WorkspaceScope,
        at: Timestamp,
        most: u32,
    ) -> StoreResult<Vec<Seen<Renewal>>> {
        let text = self.by_index(&DUE, "renewals_due");
        let workspace = uuid(scope.workspace_id());
        self.readable(&text, vec![workspace.into(), at.as_micros().into(), i64::from(most).into()]).await
    }
    async fn list_ending_renewals(
        &self,
        scope: WorkspaceScope,
        kind: RenewalKind,
        before: Timestamp,
        most: u32,
    ) -> StoreResult<Vec<Seen<Renewal>>> {
        let text = self.by_index(&ENDING, "renewals_ending");
        let (workspace, before) = (uuid(scope.workspace_id()), before.as_micros());
        self.readable(&text, vec![workspace.into(), kind.code().into(), before.into(), i64::from(most).into()]).await
    }
}

/// The list of the renewals that are not over and due before a time. An account has two of them at most, so that they are looked through.
fn due(scope: WorkspaceScope, filter: RenewalFilter, before: Timestamp, is_sqlite: bool) -> Filtered {
    let mut list = Filtered::new("renewals", Order::Id, scope, is_sqlite);
    list.by_index("renewals_open_id");
    list.held_by_index(IS_OPEN);
    list.earlier("due_at", before);
    if let Some(wanted) = filter.account_id {
        list.equal(false, "account_id", uuid(wanted).into());
    }
    if let Some(wanted) = filter.kind {
        list.equal(false, "kind", wanted.code().into());
    }
    if let Some(wanted) = filter.status {
        list.equal(false, "status", wanted.code().into());
    }
    list
}
