//! Reads of re-authentication (step-up).

use std::sync::LazyLock;

use async_trait::async_trait;
use sea_orm::Value;
use tradepost_domain::accounts::access::Prover;
use tradepost_domain::accounts::step_up::{Challenge, Grant};
use tradepost_domain::id::{ChallengeId, UserId};
use tradepost_ports::changes::Seen;
use tradepost_ports::store::{StepUps, StoreResult};
use uuid::Uuid;

use crate::rows::accounts::two_factor::challenge;
use crate::rows::uuid;
use crate::store::SqlStore;
use crate::table::select_list;

static CHALLENGES: LazyLock<String> = LazyLock::new(|| {
    let columns = select_list::<challenge::Entity>("", "");
    format!("SELECT {columns} FROM challenges WHERE user_id = $1 AND principal = $2 ORDER BY id")
});

#[async_trait]
impl StepUps for SqlStore {
    async fn find_challenge(&self, user: UserId, id: ChallengeId) -> StoreResult<Option<Seen<Challenge>>> {
        self.find(vec![uuid(user).into(), uuid(id).into()]).await
    }
    async fn list_challenges(&self, prover: Prover) -> StoreResult<Vec<Seen<Challenge>>> {
        self.all(&CHALLENGES, key_of(prover)).await
    }
    async fn find_grant(&self, prover: Prover) -> StoreResult<Option<Seen<Grant>>> {
        self.find(key_of(prover)).await
    }
}

/// Ids are unique over keys and sessions, so what each is need not be asked.
fn key_of(prover: Prover) -> Vec<Value> {
    vec![uuid(prover.user_id).into(), Uuid::from_bytes(prover.id.to_bytes()).into()]
}
