//! Reads of links that were mailed.

use async_trait::async_trait;
use tradepost_domain::accounts::api_key::TokenDigest;
use tradepost_domain::accounts::email::EmailAddress;
use tradepost_domain::accounts::email_link::{EmailLink, PurposeKind};
use tradepost_domain::id::UserId;

use crate::changes::Seen;
use crate::store::StoreResult;

/// Links that were mailed. Not of any workspace.
#[async_trait]
pub trait EmailLinks: Send + Sync {
    /// Returns the link for this purpose that was mailed to a user.
    async fn find_own(&self, user: UserId, kind: PurposeKind) -> StoreResult<Option<Seen<EmailLink>>>;
    /// Returns a link of any user by the digest of its token.
    async fn find(&self, digest: &TokenDigest) -> StoreResult<Option<Seen<EmailLink>>>;
    /// Returns the latest link for this purpose that was mailed to an address, of any user.
    async fn find_to(&self, to: &EmailAddress, kind: PurposeKind) -> StoreResult<Option<Seen<EmailLink>>>;
}
