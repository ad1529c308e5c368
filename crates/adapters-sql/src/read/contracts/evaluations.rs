//! Reads of evaluations.

use async_trait::async_trait;
use sea_orm::{FromQueryResult as _, QueryResult, Value};
use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::contracts::evaluation::{Decision, EvaluationRecord};
use tradepost_domain::id::{EvaluationId, OfEvaluation};
use tradepost_domain::time::Timestamp;
use tradepost_ports::store::{EvaluationFilter, Evaluations, Page, PageRequest, StoreResult, Worlds};

use crate::classify::{DbOperation, classify};
use crate::rows::contracts::evaluation;
use crate::rows::uuid;
use crate::sql_text::{in_worlds, listed, listed_postgres, listed_sqlite};
use crate::store::SqlStore;
use crate::table::select_list;

const FORGET: &str = "DELETE FROM evaluations WHERE (workspace_id, id) IN (SELECT workspace_id, id FROM evaluations{by} \
    WHERE decision = $1 AND at < $2{worlds} ORDER BY at LIMIT $3)";

fn record(row: &QueryResult) -> StoreResult<EvaluationRecord> {
    let row = evaluation::Model::from_query_result(row, "");
    evaluation::to_domain(&row.map_err(|error| classify(&error, DbOperation::Statement))?)
}

#[async_trait]
impl Evaluations for SqlStore {
    async fn find_many(&self, scope: WorkspaceScope, ids: &[EvaluationId]) -> StoreResult<Vec<EvaluationRecord>> {
        let wanted = if self.is_sqlite() { listed_sqlite(2) } else { listed_postgres(2) };
        let columns = select_list::<evaluation::Entity>("", "");
        let text = format!("SELECT {columns} FROM evaluations WHERE workspace_id = $1 AND id IN ({wanted})");
        let values = vec![uuid(scope.workspace_id()).into(), listed(ids.iter().copied())];
        self.readable_rows(&text, values, record).await
    }
    async fn list(
        &self,
        scope: WorkspaceScope,
        filter: EvaluationFilter<'_>,
        page: PageRequest<OfEvaluation>,
    ) -> StoreResult<Page<OfEvaluation>> {
        let mut equal: Vec<(&str, Value)> = vec![("workspace_id", uuid(scope.workspace_id()).into())];
        equal.extend(filter.contract_id.map(|wanted| ("contract_id", uuid(wanted).into())));
        equal.extend(filter.decision.map(|wanted| ("decision", wanted.code().into())));
        equal.extend(filter.listing_id.map(|wanted| ("listing_id", wanted.as_str().into())));
        self.page("evaluations", equal, page).await
    }
    async fn forget(&self, worlds: Worlds, decision: Decision, before: Timestamp, most: u32) -> StoreResult<u64> {
        let mut values: Vec<Value> = vec![decision.code().into(), before.as_micros().into(), i64::from(most).into()];
        let worlds = in_worlds("workspace_id", worlds, &mut values);
        let text = self.by_index(&FORGET.replace("{worlds}", &worlds), "evaluations_age");
        self.write(&text, values).await
    }
}
