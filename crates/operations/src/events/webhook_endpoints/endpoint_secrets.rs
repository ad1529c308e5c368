//! The secrets that sign the deliveries of an endpoint: the current one, and the former one for a while after a rotation.

use secrecy::{ExposeSecret as _, SecretString};
use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::id::WebhookEndpointId;
use tradepost_domain::time::Timestamp;
use tradepost_ports::changes::Changes;
use tradepost_ports::store::StoreError;

use crate::secrets::record_secrets::RecordSecret;
use crate::{OpResult, Operations};

/// The secrets as they are stored.
pub(super) struct EndpointSecrets {
    /// The current one.
    pub(super) current: SecretString,
    /// The former one, and when it ends.
    pub(super) former: Option<(SecretString, Timestamp)>,
}

impl EndpointSecrets {
    /// Secrets have no blanks, so that these separate them.
    fn packed(&self) -> String {
        let current = self.current.expose_secret();
        match &self.former {
            None => current.to_owned(),
            Some((former, until)) => format!("{current} {} {}", former.expose_secret(), until.as_micros()),
        }
    }

    fn unpacked(packed: &[u8]) -> Option<Self> {
        let mut parts = std::str::from_utf8(packed).ok()?.split(' ');
        let current = SecretString::from(parts.next()?);
        let former = match (parts.next(), parts.next()) {
            (None, None) => None,
            (Some(former), Some(until)) => {
                Some((SecretString::from(former), Timestamp::from_micros(until.parse().ok()?).ok()?))
            }
            (Some(_), None) | (None, Some(_)) => return None,
        };
        Some(Self { current, former })
    }
}

/// Stores the secrets of an endpoint, in the changes that create or change it.
pub(super) async fn keep_secrets(
    operations: &Operations,
    scope: WorkspaceScope,
    endpoint: WebhookEndpointId,
    secrets: &EndpointSecrets,
    changes: &mut Changes,
) -> OpResult<()> {
    place(endpoint).keep(operations, scope, secrets.packed().as_bytes(), changes).await
}

/// Removes the secrets of an endpoint, in the changes that delete it.
pub(super) async fn drop_secrets(
    operations: &Operations,
    scope: WorkspaceScope,
    endpoint: WebhookEndpointId,
    changes: &mut Changes,
) -> OpResult<()> {
    place(endpoint).remove(operations, scope, changes).await
}

/// Returns the secrets of an endpoint.
pub(super) async fn read_secrets(
    operations: &Operations,
    scope: WorkspaceScope,
    endpoint: WebhookEndpointId,
) -> OpResult<EndpointSecrets> {
    let found = place(endpoint).read(operations, scope).await?;
    let secrets = found.and_then(|packed| EndpointSecrets::unpacked(packed.expose_secret()));
    secrets.ok_or_else(|| StoreError::Corrupt("the secrets of a webhook endpoint".to_owned()).into())
}

/// Returns the secrets that sign a delivery now, the newest first.
pub(crate) async fn signing_secrets(
    operations: &Operations,
    scope: WorkspaceScope,
    endpoint: WebhookEndpointId,
) -> OpResult<Vec<SecretString>> {
    let EndpointSecrets { current, former } = read_secrets(operations, scope, endpoint).await?;
    let former = former.filter(|(_, until)| operations.now() < *until).map(|(former, _)| former);
    Ok([current].into_iter().chain(former).collect())
}

const fn place(endpoint: WebhookEndpointId) -> RecordSecret {
    RecordSecret::of("webhook_endpoints", "secrets", endpoint)
}
