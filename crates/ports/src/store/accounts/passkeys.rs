//! Reads of passkeys.

use async_trait::async_trait;
use tradepost_domain::accounts::passkey::{Passkey, PasskeyRegistration};
use tradepost_domain::id::{PasskeyId, UserId};

use crate::changes::Seen;
use crate::store::StoreResult;

/// Passkeys of a user.
#[async_trait]
pub trait Passkeys: Send + Sync {
    /// Returns a passkey of the user.
    async fn find(&self, user: UserId, id: PasskeyId) -> StoreResult<Option<Seen<Passkey>>>;
    /// Returns all passkeys, disabled ones included, the oldest first.
    async fn list(&self, user: UserId) -> StoreResult<Vec<Seen<Passkey>>>;
    /// Returns the registration that was begun.
    async fn find_registration(&self, user: UserId) -> StoreResult<Option<Seen<PasskeyRegistration>>>;
}
