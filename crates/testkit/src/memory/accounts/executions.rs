//! Calls that were executed under an idempotency key.

use async_trait::async_trait;
use tradepost_domain::id::ExecutionId;
use tradepost_domain::idempotency::{Execution, LIFE};
use tradepost_domain::time::Timestamp;
use tradepost_ports::changes::Seen;
use tradepost_ports::record::Record as _;
use tradepost_ports::store::{Executions, StoreResult};

use crate::memory::MemoryStore;

#[async_trait]
impl Executions for MemoryStore {
    async fn find(&self, id: ExecutionId) -> StoreResult<Option<Seen<Execution>>> {
        Ok(self.state().find(id.to_bytes(), id.to_bytes()))
    }
    async fn forget(&self, at: Timestamp, most: u32) -> StoreResult<u64> {
        let mut state = self.state();
        let mut due = state.all(|execution: &Execution| execution.created_at <= at.plus(-LIFE));
        due.sort_by_key(|seen| seen.peek().created_at);
        due.truncate(most as usize);
        for seen in &due {
            state.clear(seen.peek().address());
        }
        Ok(due.len() as u64)
    }
    async fn forget_answers(&self, at: Timestamp, most: u32) -> StoreResult<u64> {
        let mut state = self.state();
        let mut due = state.all(|execution: &Execution| execution.sealed.is_some() && execution.kept_until <= at);
        due.sort_by_key(|seen| seen.peek().kept_until);
        due.truncate(most as usize);
        let many = due.len() as u64;
        for seen in due {
            let (execution, version) = seen.into_display();
            state.set(Execution { sealed: None, ..execution }.into(), version + 1)?;
        }
        Ok(many)
    }
}
