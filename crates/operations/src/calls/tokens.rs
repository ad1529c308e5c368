//! Finding records by a presented token. It must not know what a token opens.
//!
//! While a former root secret is configured, a token that is unknown by its digest under the newest pepper is looked up by the one
//! under the former.

use std::future::Future;

use tradepost_domain::accounts::api_key::{ApiKey, TokenDigest};
use tradepost_ports::secrets::TokenKind;
use tradepost_ports::store::{StoreError, StoreResult};

use crate::{OpResult, Operations};

/// Returns what `find` finds by a digest of the token; `None` also for what cannot be a token of this kind.
pub(crate) async fn find_by_token<T, F>(
    operations: &Operations,
    kind: TokenKind,
    token: &str,
    find: impl Fn(TokenDigest) -> F + Send + Sync,
) -> OpResult<Option<T>>
where
    T: Send,
    F: Future<Output = StoreResult<Option<T>>> + Send,
{
    let Ok(digest) = operations.ports.secrets.digest(kind, token) else { return Ok(None) };
    if let Some(found) = find(digest).await? {
        return Ok(Some(found));
    }
    match operations.ports.secrets.former_digest(kind, token) {
        Some(former) => Ok(find(former).await?),
        None => Ok(None),
    }
}

/// Stores the digest of a key that was found under the former pepper under the newest, so that the former can be removed
/// once every key was used. The call continues even if this fails: the next use tries again.
pub(crate) async fn redigest(operations: &Operations, key: &ApiKey, digest: TokenDigest) {
    match operations.ports.store.api_keys().replace_digest(key, digest, operations.ports.secrets.pepper()).await {
        Ok(()) | Err(StoreError::Conflict) => {}
        Err(error) => tracing::warn!(key = %key.id, ?error, "a key is still digested under the former pepper"),
    }
}
