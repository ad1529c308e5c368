//! Reads of intents.

use std::sync::LazyLock;

use async_trait::async_trait;
use tradepost_domain::access::WorkspaceScope;
use tradepost_domain::contract::ContractStatus;
use tradepost_domain::id::{ContractId, IntentId, OfIntent};
use tradepost_domain::intent::{Intent, IntentStatus};
use tradepost_domain::time::Timestamp;
use tradepost_ports::changes::Seen;
use tradepost_ports::store::{IntentFilter, Intents, Page, PageRequest, StoreResult};
use uuid::Uuid;

use crate::rows::{intent, uuid};
use crate::store::SqlStore;
use crate::table::select_list;

/// PROPOSED and APPROVED, as the index has them.
const WAITING: &str = "status IN (1, 2)";

fn intents(which: &str) -> String {
    format!("SELECT {} FROM intents i{{by}} WHERE {which}", select_list::<intent::Entity>("i.", ""))
}

static IN_STATUS: LazyLock<String> =
    LazyLock::new(|| intents("workspace_id = $1 AND status = $2 AND id > $3 ORDER BY id LIMIT $4"));
static WAITING_OF: LazyLock<String> =
    LazyLock::new(|| intents(&format!("workspace_id = $1 AND contract_id = $2 AND {WAITING} ORDER BY id LIMIT $3")));
static OVERDUE: LazyLock<String> =
    LazyLock::new(|| intents(&format!("{WAITING} AND expires_at <= $1 ORDER BY expires_at LIMIT $2")));
static STRANDED: LazyLock<String> = LazyLock::new(|| {
    let active = ContractStatus::Active.code();
    intents(&format!(
        "{WAITING} AND contract_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM contracts c \
         WHERE c.workspace_id = i.workspace_id AND c.id = i.contract_id AND c.status = {active}) \
         ORDER BY expires_at LIMIT $1"
    ))
});

#[async_trait]
impl Intents for SqlStore {
    async fn find_intent(&self, scope: WorkspaceScope, id: IntentId) -> StoreResult<Option<Seen<Intent>>> {
        self.find(vec![uuid(scope.workspace_id()).into(), uuid(id).into()]).await
    }

    async fn find_intents(&self, scope: WorkspaceScope, ids: &[IntentId]) -> StoreResult<Vec<Seen<Intent>>> {
        self.find_several(uuid(scope.workspace_id()), ids).await
    }

    async fn list_intents(
        &self,
        scope: WorkspaceScope,
        filter: IntentFilter,
        page: PageRequest<OfIntent>,
    ) -> StoreResult<Page<OfIntent>> {
        let mut equal = vec![("workspace_id", uuid(scope.workspace_id()).into())];
        equal.extend(filter.contract_id.map(|wanted| ("contract_id", uuid(wanted).into())));
        equal.extend(filter.kind.map(|wanted| ("kind", wanted.code().into())));
        equal.extend(filter.status.map(|wanted| ("status", wanted.code().into())));
        self.page("intents", equal, page).await
    }

    async fn list_intents_in(
        &self,
        scope: WorkspaceScope,
        status: IntentStatus,
        after: Option<IntentId>,
        most: u32,
    ) -> StoreResult<Vec<Seen<Intent>>> {
        let after = after.map_or(Uuid::nil(), uuid);
        let values =
            vec![uuid(scope.workspace_id()).into(), status.code().into(), after.into(), i64::from(most).into()];
        self.all(&self.by_index(&IN_STATUS, "intents_status"), values).await
    }

    async fn list_waiting_intents_of(
        &self,
        scope: WorkspaceScope,
        contract: ContractId,
        most: u32,
    ) -> StoreResult<Vec<Seen<Intent>>> {
        let values = vec![uuid(scope.workspace_id()).into(), uuid(contract).into(), i64::from(most).into()];
        self.all(&self.by_index(&WAITING_OF, "intents_contract_status"), values).await
    }

    async fn list_overdue_intents(&self, until: Timestamp, most: u32) -> StoreResult<Vec<Seen<Intent>>> {
        let text = self.by_index(&OVERDUE, "intents_waiting");
        self.all(&text, vec![until.as_micros().into(), i64::from(most).into()]).await
    }

    async fn list_stranded_intents(&self, most: u32) -> StoreResult<Vec<Seen<Intent>>> {
        let text = self.by_index(&STRANDED, "intents_waiting");
        self.all(&text, vec![i64::from(most).into()]).await
    }
}
