//! Reads of sign-ins that have begun.

use async_trait::async_trait;
use tradepost_domain::accounts::sign_in::{PasskeySignIn, PendingSignIn};
use tradepost_domain::id::{ChallengeId, UserId};
use tradepost_domain::time::Timestamp;

use crate::changes::Seen;
use crate::store::StoreResult;

/// Sign-ins that have begun.
#[async_trait]
pub trait SignIns: Send + Sync {
    /// Returns a sign-in that waits for a second factor.
    async fn find_pending(&self, id: ChallengeId) -> StoreResult<Option<Seen<PendingSignIn>>>;
    /// Returns the sign-ins of a user that wait for a second factor, expired ones included, the oldest first.
    async fn list_pending(&self, user: UserId) -> StoreResult<Vec<Seen<PendingSignIn>>>;
    /// Returns a question for a passkey, of any user.
    async fn find_by_passkey(&self, id: ChallengeId) -> StoreResult<Option<Seen<PasskeySignIn>>>;
    /// Returns questions for a passkey that were asked before a time, at most `most`, the oldest first.
    async fn list_by_passkey_before(&self, at: Timestamp, most: u16) -> StoreResult<Vec<Seen<PasskeySignIn>>>;
}
