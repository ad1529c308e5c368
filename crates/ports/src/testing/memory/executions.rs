//! Calls that were carried out under an idempotency key.

use async_trait::async_trait;
use tradepost_domain::id::ExecutionId;
use tradepost_domain::idempotency::{Execution, LIFE};
use tradepost_domain::time::Timestamp;

use super::MemoryStore;
use crate::changes::Seen;
use crate::record::Record as _;
use crate::store::{Executions, StoreResult};

#[async_trait]
impl Executions for MemoryStore {
    async fn find_execution(&self, id: ExecutionId) -> StoreResult<Option<Seen<Execution>>> {
        Ok(self.state().find(id.to_bytes(), id.to_bytes()))
    }

    async fn forget_executions(&self, at: Timestamp) -> StoreResult<()> {
        let mut state = self.state();
        for seen in state.all(|_: &Execution| true) {
            let (execution, version) = seen.only_to_show();
            if execution.created_at <= at.plus(-LIFE) {
                state.clear(execution.address());
            } else if execution.kept_until <= at && execution.sealed.is_some() {
                state.set(Execution { sealed: None, ..execution }.into(), version + 1)?;
            }
        }
        Ok(())
    }
}
