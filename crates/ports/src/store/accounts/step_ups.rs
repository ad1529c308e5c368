//! Reads of re-authentication (step-up).

use async_trait::async_trait;
use tradepost_domain::accounts::access::Prover;
use tradepost_domain::accounts::step_up::{Challenge, Grant};
use tradepost_domain::id::{ChallengeId, UserId};

use crate::changes::Seen;
use crate::store::StoreResult;

/// Re-authentication (step-up) of a user.
#[async_trait]
pub trait StepUps: Send + Sync {
    /// Returns a challenge of the user.
    async fn find_challenge(&self, user: UserId, id: ChallengeId) -> StoreResult<Option<Seen<Challenge>>>;
    /// Returns the challenges issued to a user for a key or session, expired ones included, the oldest first.
    async fn list_challenges(&self, prover: Prover) -> StoreResult<Vec<Seen<Challenge>>>;
    /// Returns the proof given for a key or session.
    async fn find_grant(&self, prover: Prover) -> StoreResult<Option<Seen<Grant>>>;
}
