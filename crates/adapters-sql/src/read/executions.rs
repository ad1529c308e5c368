//! Calls that were carried out under an idempotency key: looking one up, and forgetting what is not kept any longer. These
//! are of no workspace; an id identifies its caller.

use async_trait::async_trait;
use tradepost_domain::id::ExecutionId;
use tradepost_domain::idempotency::{Execution, LIFE};
use tradepost_domain::time::Timestamp;
use tradepost_ports::changes::Seen;
use tradepost_ports::store::{Executions, StoreResult};

use crate::clearing::{ANSWERS, EXECUTIONS};
use crate::rows::uuid;
use crate::store::SqlStore;

#[async_trait]
impl Executions for SqlStore {
    async fn find(&self, id: ExecutionId) -> StoreResult<Option<Seen<Execution>>> {
        self.find(vec![uuid(id).into()]).await
    }
    async fn forget(&self, at: Timestamp, most: u32) -> StoreResult<u64> {
        self.delete_due(EXECUTIONS, at.plus(-LIFE).as_micros(), most).await
    }
    async fn forget_answers(&self, at: Timestamp, most: u32) -> StoreResult<u64> {
        self.update_due(ANSWERS, "sealed = NULL, version = version + 1", at.as_micros(), most).await
    }
}
