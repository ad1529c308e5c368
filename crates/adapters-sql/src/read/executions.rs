//! Calls that were carried out under an idempotency key: looking one up, and forgetting what is not kept any longer. These
//! are of no workspace; an id stands for its caller.

use async_trait::async_trait;
use sea_orm::{ConnectionTrait as _, Statement};
use tradepost_domain::id::ExecutionId;
use tradepost_domain::idempotency::{Execution, LIFE};
use tradepost_domain::time::Timestamp;
use tradepost_ports::changes::Seen;
use tradepost_ports::store::{Executions, StoreResult};

use crate::classify::{During, classify};
use crate::rows::uuid;
use crate::store::SqlStore;

const FORGET: &str = "DELETE FROM executions WHERE created_at <= $1";
const FORGET_ANSWERS: &str =
    "UPDATE executions SET sealed = NULL, version = version + 1 WHERE kept_until <= $1 AND sealed IS NOT NULL";

#[async_trait]
impl Executions for SqlStore {
    async fn find_execution(&self, id: ExecutionId) -> StoreResult<Option<Seen<Execution>>> {
        self.find(vec![uuid(id).into()]).await
    }

    async fn forget_executions(&self, at: Timestamp) -> StoreResult<()> {
        let db = self.writes();
        for (sql, at) in [(FORGET, at.plus(-LIFE)), (FORGET_ANSWERS, at)] {
            let statement = Statement::from_sql_and_values(db.get_database_backend(), sql, [at.as_micros().into()]);
            db.execute_raw(statement).await.map_err(|error| classify(&error, During::Statement))?;
        }
        Ok(())
    }
}
