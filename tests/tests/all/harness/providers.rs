//! Providers of a world: made by the first who asks for them, so that reads can share a world.

use tradepost_domain::id::{ProviderId, WorkspaceId};
use tradepost_domain::provider::ProviderKind;
use tradepost_domain::text::Text;
use tradepost_operations::markets::{
    CreateProvider, GetProviders, ListProviders, ProviderCredentials, RecordProviderHealth,
};
use tradepost_operations::{Caller, Operations};
use tradepost_ports::clock::Clock as _;
use tradepost_ports::testing::fakes::example_driver;
use tradepost_ports::testing::samples::Samples;

use super::World;

/// The marketplace that answers when it is tested.
pub(crate) const TESTED: &str = "tested";

/// The marketplace of this name in a workspace, made by the first who asks for it.
pub(crate) async fn provider(operations: &Operations, workspace_id: WorkspaceId, name: &str) -> ProviderId {
    let system = Caller::system();
    let list = ListProviders { workspace_id, limit: 200, cursor: String::new(), kind: Some(ProviderKind::Marketplace) };
    let provider_ids = operations.list_providers(&system, list).await.unwrap().entries;
    if !provider_ids.is_empty() {
        let found = operations.get_providers(&system, GetProviders { workspace_id, provider_ids }).await.unwrap().found;
        if let Some(known) = found.into_iter().find(|known| known.provider.value.name.as_str() == name) {
            return known.provider.value.id;
        }
    }
    operations.offer_driver(example_driver());
    let command = CreateProvider {
        workspace_id,
        kind: ProviderKind::Marketplace,
        driver: "example".to_owned(),
        name: name.to_owned(),
        currency: "USD".to_owned(),
        settings: vec![("customer".to_owned(), "desk".to_owned())],
        credentials: ProviderCredentials(vec![("apiKey".to_owned(), "the key of a provider".into())]),
    };
    operations.create_provider(&system, command).await.unwrap().provider.value.id
}

impl World {
    /// The marketplace of this name in a workspace.
    pub(crate) async fn provider_of(&self, workspace_id: WorkspaceId, name: &str) -> ProviderId {
        provider(self.app.operations(), workspace_id, name).await
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
            sight: Samples::seeded(9).good_sight(self.clock.now()),
        };
        self.app.operations().record_provider_health(&Caller::system(), command).await.unwrap();
        id
    }
}
