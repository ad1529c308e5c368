//! The secrets that sign the deliveries of an endpoint: the current one, and the former one for a while after a rotation.

use secrecy::{ExposeSecret as _, SecretString};
use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::accounts::workspace_key::SecretPlace;
use tradepost_domain::id::WebhookEndpointId;
use tradepost_domain::text::{Name, Text};
use tradepost_domain::time::Timestamp;
use tradepost_ports::changes::{Caller, Changes};
use tradepost_ports::store::StoreError;

use crate::secrets::workspace_secrets::{FindWorkspaceSecret, seal_secret};
use crate::{OpError, OpResult, Operations};

/// The characters of a secret that are shown.
const HINT: usize = 4;

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

/// Returns the last characters of a secret, which may be shown.
pub(super) fn hint(secret: &SecretString) -> OpResult<Text<HINT>> {
    let secret = secret.expose_secret();
    let from = secret.len().saturating_sub(HINT);
    let shown = Text::new(secret.get(from..).unwrap_or_default());
    shown.map_err(|error| OpError::internal(error.to_string()))
}

/// Stores the secrets of an endpoint, in the changes that create or change it.
pub(super) async fn keep_secrets(
    operations: &Operations,
    scope: WorkspaceScope,
    endpoint: WebhookEndpointId,
    secrets: &EndpointSecrets,
    changes: &mut Changes,
) -> OpResult<()> {
    seal_secret(operations, scope, &place(endpoint)?, secrets.packed().as_bytes(), changes).await
}

/// Removes the secrets of an endpoint, in the changes that delete it.
pub(super) async fn drop_secrets(
    operations: &Operations,
    scope: WorkspaceScope,
    endpoint: WebhookEndpointId,
    changes: &mut Changes,
) -> OpResult<()> {
    if let Some(found) = operations.ports.store.workspace_secrets().find(scope, &place(endpoint)?).await? {
        changes.remove(found.secret);
    }
    Ok(())
}

/// Returns the secrets of an endpoint.
pub(super) async fn read_secrets(
    operations: &Operations,
    scope: WorkspaceScope,
    endpoint: WebhookEndpointId,
) -> OpResult<EndpointSecrets> {
    let wanted = FindWorkspaceSecret { workspace_id: scope.workspace_id(), place: place(endpoint)? };
    let found = operations.read_workspace_secret(&Caller::system(), &wanted).await?;
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

fn place(endpoint: WebhookEndpointId) -> OpResult<SecretPlace> {
    let name = |name| Name::new(name).map_err(|error| OpError::internal(error.to_string()));
    Ok(SecretPlace { table: name("webhook_endpoints")?, column: name("secrets")?, row: endpoint.to_bytes() })
}
