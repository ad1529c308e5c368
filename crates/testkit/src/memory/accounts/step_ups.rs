//! Reads of re-authentication (step-up).

use async_trait::async_trait;
use tradepost_domain::accounts::access::Prover;
use tradepost_domain::accounts::step_up::{Challenge, Grant};
use tradepost_domain::id::{ChallengeId, UserId};
use tradepost_ports::changes::Seen;
use tradepost_ports::store::{StepUps, StoreResult};

use crate::memory::MemoryStore;

#[async_trait]
impl StepUps for MemoryStore {
    async fn find_challenge(&self, user: UserId, id: ChallengeId) -> StoreResult<Option<Seen<Challenge>>> {
        Ok(self.state().find(user.to_bytes(), id.to_bytes()))
    }
    async fn list_challenges(&self, prover: Prover) -> StoreResult<Vec<Seen<Challenge>>> {
        Ok(self.state().all(|open: &Challenge| open.user_id == prover.user_id && open.principal == prover.id))
    }
    async fn find_grant(&self, prover: Prover) -> StoreResult<Option<Seen<Grant>>> {
        Ok(self.state().find(prover.user_id.to_bytes(), prover.id.to_bytes()))
    }
}
