//! [`CreateProvider`]: creates a provider, with the credentials of its driver.

use crate::markets::providers::provider_fields::keep_provider_credentials;
use crate::markets::providers::providers::log_provider;
use tradepost_domain::accounts::audit::AuditKind;
use tradepost_domain::id::{ProviderId, WorkspaceId};
use tradepost_domain::markets::provider::{Provider, ProviderKind, ProviderStatus};
use tradepost_domain::money::Currency;
use tradepost_domain::time::Timestamp;
use tradepost_ports::changes::{Caller, Changes, Revised};
use tradepost_ports::store::{StoreError, Unique};

use super::provider_fields::{ProviderCredentials, settings};
use super::providers::ShownProvider;
use crate::commit::By;
use crate::rules;
use crate::secrets::data_keys::lost_race;
use crate::{OpError, OpResult, Operations, Reason, Versioned, fields};

/// Makes a provider.
#[derive(Debug, Clone)]
pub struct CreateProvider {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The kind of provider.
    pub kind: ProviderKind,
    /// The driver (connector) that talks to it: the name of a driver of this server.
    pub driver: String,
    /// Its name on contracts and purchases, 1 to 64 characters.
    pub name: String,
    /// The currency of its prices: three capital letters.
    pub currency: String,
    /// The driver's settings, by the names that the driver declares.
    pub settings: Vec<(String, String)>,
    /// The credentials with which the driver authenticates.
    pub credentials: ProviderCredentials,
}

impl Operations {
    /// Makes a provider, which is worked with from then on. Its credentials are sealed.
    ///
    /// # Errors
    /// `permission_denied`; `failed_precondition` with `UNKNOWN_DRIVER`; `invalid_argument` naming the field;
    /// `failed_precondition` with `STEP_UP_REQUIRED` or `RISKS_NOT_ACKNOWLEDGED`; `already_exists` with `PROVIDER_EXISTS` when another provider of its kind has
    /// the name; `internal` with `KEY_ENCRYPTION_UNAVAILABLE`.
    pub async fn create_provider(&self, caller: &Caller, command: CreateProvider) -> OpResult<ShownProvider> {
        let scope = rules::CREATE_PROVIDER.enter(&caller.principal, command.workspace_id)?;
        let at = self.market_now(command.workspace_id);
        let provider = self.new_provider(&command, self.mint(), at)?;
        self.retrying(|| async {
            let mut changes = Changes::by(caller);
            self.require_step_up_in(caller, scope, rules::CREATE_PROVIDER, &mut changes).await?;
            if provider.has_credentials {
                keep_provider_credentials(self, scope, provider.id, &command.credentials, &mut changes).await?;
            }
            changes.insert(provider.clone());
            let made = Revised { value: provider.clone(), version: 1 };
            log_provider(self, &mut changes, By { caller, at }, None, &made);
            changes.audit(AuditKind::ProviderCreated, &provider);
            match self.commit(caller, changes).await {
                Err(OpError { source: Some(StoreError::Duplicate(Unique::ProviderName)), .. }) => {
                    let message = "another provider of this kind has this name in the workspace";
                    Err(OpError::already_exists(Reason::ProviderExists, message))
                }
                Err(error) => Err(lost_race(error)),
                Ok(_) => Ok(()),
            }
        })
        .await?;
        let driver = self.driver(&provider.driver);
        Ok(ShownProvider { provider: Versioned::new(provider), report: None, baseline: None, driver })
    }

    fn new_provider(&self, command: &CreateProvider, id: ProviderId, at: Timestamp) -> OpResult<Provider> {
        let (name, currency) = (fields::text("name", &command.name)?, Currency::new(&command.currency));
        let currency = currency.map_err(|error| OpError::invalid_field("currency", error))?;
        let driver = self.offered_driver(&fields::text("driver", &command.driver)?)?;
        if driver.capabilities(command.kind).is_none() {
            let rule = format_args!("is {}, to which the driver {} does not talk", command.kind, driver.name);
            return Err(OpError::invalid_field("kind", rule));
        }
        command.credentials.check(&driver.credentials)?;
        Ok(Provider {
            id,
            workspace_id: command.workspace_id,
            kind: command.kind,
            settings: settings(&driver.settings, &command.settings)?,
            driver: driver.name,
            name,
            currency,
            has_credentials: !command.credentials.is_empty(),
            status: ProviderStatus::Enabled,
            status_reason: None,
            created_at: at,
            updated_at: at,
        })
    }
}
