//! The settings and credentials of a provider, checked against those that its driver declares.

use crate::accounts::workspaces::risk_notice::rely_on_acknowledged_risks;
use crate::secrets::workspace_secrets::{drop_secret, seal_secret};
use std::collections::BTreeMap;

use secrecy::{ExposeSecret as _, SecretSlice, SecretString};
use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::accounts::workspace_key::SecretPlace;
use tradepost_domain::id::{ProviderId, WorkspaceId};
use tradepost_domain::markets::provider::DriverField;
use tradepost_domain::text::{Description, Name};
use tradepost_ports::changes::{Caller, Changes};
use tradepost_ports::store::StoreError;

use crate::secrets::workspace_secrets::FindWorkspaceSecret;
use crate::{OpError, OpResult, Operations, fields};

/// The secrets with which a provider's driver authenticates, by the names that the driver gives.
#[derive(Debug, Clone, Default)]
pub struct ProviderCredentials(pub Vec<(String, SecretString)>);

/// The provider whose credentials to read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReadProviderCredentials {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The provider.
    pub provider_id: ProviderId,
}

/// Most bytes of one secret.
const LONGEST: usize = 4_096;

/// Returns the settings that a driver takes.
pub(crate) fn settings(takes: &[DriverField], given: &[(String, String)]) -> OpResult<BTreeMap<Name, Description>> {
    agrees("settings", takes, given.iter().map(|(name, _)| name.as_str()))?;
    let read = |name: &str, value: &str| {
        let field = format!("settings.{name}");
        Ok((fields::text(&field, name)?, fields::text(&field, value)?))
    };
    given.iter().map(|(name, value)| read(name, value)).collect()
}

/// Checks that the given fields match the accepted ones: none is unknown or repeated, and every required one is given.
fn agrees<'a>(what: &str, takes: &[DriverField], given: impl Iterator<Item = &'a str>) -> OpResult<()> {
    let mut missing: Vec<&DriverField> = takes.iter().collect();
    for name in given {
        let Some(place) = missing.iter().position(|field| field.name.as_str() == name) else {
            let is_known = takes.iter().any(|field| field.name.as_str() == name);
            let rule = if is_known { "is named twice" } else { "is nothing that the driver takes" };
            return Err(OpError::invalid_field(&format!("{what}.{name}"), rule));
        };
        missing.remove(place);
    }
    match missing.into_iter().find(|field| field.is_required) {
        Some(field) => Err(OpError::invalid_field(&format!("{what}.{}", field.name), "is required by the driver")),
        None => Ok(()),
    }
}

impl ProviderCredentials {
    /// Returns whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(crate) fn check(&self, takes: &[DriverField]) -> OpResult<()> {
        agrees("credentials", takes, self.0.iter().map(|(name, _)| name.as_str()))?;
        for (name, secret) in &self.0 {
            let field = format!("credentials.{name}");
            fields::given(&field, secret)?;
            if secret.expose_secret().len() > LONGEST {
                return Err(OpError::invalid_field(&field, format_args!("must have at most {LONGEST} bytes")));
            }
        }
        Ok(())
    }

    /// Names and secrets one after the other, each with its length before it.
    fn packed(&self) -> SecretSlice<u8> {
        let mut packed = Vec::new();
        for text in self.0.iter().flat_map(|(name, secret)| [name.as_str(), secret.expose_secret()]) {
            packed.extend(u16::try_from(text.len()).unwrap_or_default().to_be_bytes());
            packed.extend(text.as_bytes());
        }
        packed.into()
    }

    fn unpacked(packed: &[u8]) -> Option<Self> {
        let (mut rest, mut found) = (packed, Vec::new());
        let next = |rest: &mut &[u8]| {
            let (length, behind) = rest.split_first_chunk::<2>()?;
            let (bytes, behind) = behind.split_at_checked(usize::from(u16::from_be_bytes(*length)))?;
            *rest = behind;
            std::str::from_utf8(bytes).ok().map(str::to_owned)
        };
        while !rest.is_empty() {
            let name = next(&mut rest)?;
            found.push((name, SecretString::from(next(&mut rest)?)));
        }
        Some(Self(found))
    }
}

impl Operations {
    /// Reads the credentials of a provider; `None` where nothing is kept.
    ///
    /// # Errors
    /// `permission_denied` unless the process itself calls; `internal` with `KEY_ENCRYPTION_UNAVAILABLE`, or `INTERNAL` for
    /// what does not open: it was changed or moved in the database.
    pub async fn read_provider_credentials(
        &self,
        caller: &Caller,
        command: ReadProviderCredentials,
    ) -> OpResult<Option<ProviderCredentials>> {
        let place = place(command.provider_id)?;
        let wanted = FindWorkspaceSecret { workspace_id: command.workspace_id, place };
        let Some(found) = self.read_workspace_secret(caller, &wanted).await? else { return Ok(None) };
        let credentials = ProviderCredentials::unpacked(found.expose_secret());
        credentials.map(Some).ok_or_else(|| StoreError::Corrupt("the credentials of a provider".to_owned()).into())
    }
}

/// Stores the credentials of a provider, in the changes that create or change it, in place of the previous ones. The risk notice must be
/// acknowledged.
pub(crate) async fn keep_provider_credentials(
    operations: &Operations,
    scope: WorkspaceScope,
    provider: ProviderId,
    credentials: &ProviderCredentials,
    changes: &mut Changes,
) -> OpResult<()> {
    rely_on_acknowledged_risks(operations, scope, changes).await?;
    seal_secret(operations, scope, &place(provider)?, credentials.packed().expose_secret(), changes).await
}

/// Removes the credentials of a provider, in the changes that delete it.
pub(crate) async fn drop_provider_credentials(
    operations: &Operations,
    scope: WorkspaceScope,
    provider: ProviderId,
    changes: &mut Changes,
) -> OpResult<()> {
    drop_secret(operations, scope, &place(provider)?, changes).await
}

fn place(provider: ProviderId) -> OpResult<SecretPlace> {
    let name = |name| Name::new(name).map_err(|error| OpError::internal(error.to_string()));
    Ok(SecretPlace { table: name("providers")?, column: name("credentials")?, row: provider.to_bytes() })
}
