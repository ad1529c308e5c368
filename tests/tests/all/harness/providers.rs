//! Providers of a world: made by the first who asks for them, so that reads can share a world.

use tradepost_domain::access::Principal;
use tradepost_domain::id::{ProviderId, WorkspaceId};
use tradepost_domain::provider::ProviderKind;
use tradepost_domain::text::Text;
use tradepost_operations::Caller;
use tradepost_operations::markets::{CreateProvider, ProviderCredentials, RecordProviderHealth};
use tradepost_ports::clock::Clock as _;
use tradepost_ports::store::Providers as _;
use tradepost_ports::testing::samples::Samples;

use super::World;

/// The marketplace that answers when it is tested.
pub(crate) const TESTED: &str = "tested";

impl World {
    /// The marketplace of this name in a workspace.
    pub(crate) async fn provider_of(&self, workspace_id: WorkspaceId, name: &str) -> ProviderId {
        let (scope, kind) = (Principal::System.enter_as_member(workspace_id).unwrap(), ProviderKind::Marketplace);
        let known = self.app.store().find_provider_named(scope, kind, &Text::new(name).unwrap()).await.unwrap();
        if let Some(known) = known {
            return known.peek().id;
        }
        let command = CreateProvider {
            workspace_id,
            kind,
            driver: "example".to_owned(),
            name: name.to_owned(),
            currency: "USD".to_owned(),
            settings: vec![("customer".to_owned(), "desk".to_owned())],
            credentials: ProviderCredentials(vec![("apiKey".to_owned(), "the key of a provider".into())]),
        };
        self.app.operations().create_provider(&Caller::system(), command).await.unwrap().provider.value.id
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
