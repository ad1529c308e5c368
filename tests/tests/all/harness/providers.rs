//! Providers of a world: made by the first who asks for them, so that reads can share a world.

use tradepost_domain::id::{ProviderId, WorkspaceId};
use tradepost_domain::markets::provider::{Driver, ProviderKind};
use tradepost_domain::text::Text;
use tradepost_operations::markets::{
    CreateProvider, GetProviders, ListProviders, ProviderCredentials, RecordProviderHealth,
};
use tradepost_operations::{Caller, Operations};
use tradepost_ports::clock::Clock as _;
use tradepost_testkit::fakes::example_driver;
use tradepost_testkit::samples::{Samples, text};

use super::World;
use super::accounts::acknowledge_risks;

/// The marketplace that answers when it is tested.
pub(crate) const TESTED: &str = "tested";

/// Values by their names.
type Named<'a> = &'a [(&'a str, &'a str)];

/// What a new provider is configured with.
#[derive(Clone, Copy)]
struct Given<'a> {
    driver: &'a str,
    settings: Named<'a>,
    credentials: Named<'a>,
}

/// A driver that needs no credentials.
pub(super) fn plain_driver() -> Driver {
    let example = example_driver();
    Driver { name: text("plain"), settings: Vec::new(), credentials: Vec::new(), ..example }
}

/// Puts a marketplace on record for which nothing is kept, unless one of this name is.
pub(crate) async fn on_record(operations: &Operations, workspace_id: WorkspaceId, name: &str) -> ProviderId {
    operations.offer_driver(plain_driver());
    provider(operations, workspace_id, name, Given { driver: "plain", settings: &[], credentials: &[] }).await
}

/// The marketplace of this name in a workspace, made by the first who asks for it: by this driver, with these settings and credentials.
async fn provider(operations: &Operations, workspace_id: WorkspaceId, name: &str, given: Given<'_>) -> ProviderId {
    let system = Caller::system();
    let list = ListProviders { workspace_id, limit: 200, cursor: String::new(), kind: Some(ProviderKind::Marketplace) };
    let provider_ids = operations.list_providers(&system, list).await.unwrap().entries;
    if !provider_ids.is_empty() {
        let found = operations.get_providers(&system, GetProviders { workspace_id, provider_ids }).await.unwrap().found;
        if let Some(known) = found.into_iter().find(|known| known.provider.value.name.as_str() == name) {
            return known.provider.value.id;
        }
    }
    let Given { driver, settings, credentials } = given;
    if !credentials.is_empty() {
        acknowledge_risks(operations, workspace_id).await;
    }
    let command = CreateProvider {
        workspace_id,
        kind: ProviderKind::Marketplace,
        driver: driver.to_owned(),
        name: name.to_owned(),
        currency: "USD".to_owned(),
        settings: settings.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect(),
        credentials: ProviderCredentials(
            credentials.iter().map(|(name, value)| ((*name).to_owned(), (*value).into())).collect(),
        ),
    };
    operations.create_provider(&system, command).await.unwrap().provider.value.id
}

impl World {
    /// The marketplace of this name in a workspace.
    pub(crate) async fn provider_of(&self, workspace_id: WorkspaceId, name: &str) -> ProviderId {
        let given = Given {
            driver: "example",
            settings: &[("customer", "desk")],
            credentials: &[("apiKey", "the key of a provider")],
        };
        provider(self.app.operations(), workspace_id, name, given).await
    }

    /// The same in the workspace that is not the other one.
    pub(crate) async fn provider(&self, name: &str) -> ProviderId {
        self.provider_of(self.desk.workspace_id, name).await
    }

    /// The same, of which something was seen.
    pub(crate) async fn seen_provider(&self, name: &str) -> ProviderId {
        let id = self.provider(name).await;
        let command = RecordProviderHealth {
            workspace_id: self.desk.workspace_id,
            kind: ProviderKind::Marketplace,
            name: Text::new(name).unwrap(),
            report: Samples::seeded(9).good_report(self.clock.now()),
        };
        self.app.operations().record_provider_health(&Caller::system(), command).await.unwrap();
        id
    }
}
