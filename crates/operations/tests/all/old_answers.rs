//! Which calls may be answered by records that are a few seconds old: lists and counts of callers, and none of the process itself.

use std::sync::Arc;

use async_trait::async_trait;
use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_operations::Caller;
use tradepost_operations::contracts::{
    CountFilterSets, CreateFilterSet, FilterFeatures, FilterRules, GetFilterSet, ListFilterSets,
};
use tradepost_ports::changes::{Changes, Committed};
use tradepost_ports::store::{NotReady, Records, Store, StoreResult};
use tradepost_testkit::memory::MemoryStore;

use crate::harness::World;

/// A store that shows what there was before its first record.
struct WithOldAnswers {
    newest: Arc<dyn Store>,
    oldest: MemoryStore,
}

#[async_trait]
impl Store for WithOldAnswers {
    fn records(&self) -> &(dyn Records + 'static) {
        self.newest.records()
    }

    fn records_to_show(&self, _scope: WorkspaceScope) -> &(dyn Records + 'static) {
        &self.oldest
    }

    async fn commit(&self, changes: Changes) -> StoreResult<Committed> {
        self.newest.commit(changes).await
    }

    async fn check_ready(&self) -> Result<(), NotReady> {
        self.newest.check_ready().await
    }
}

#[tokio::test]
async fn lists_and_counts_of_callers_may_be_old_and_what_the_process_itself_reads_is_the_newest() {
    let world = World::with(|ports| {
        ports.store = Arc::new(WithOldAnswers { newest: ports.store.clone(), oldest: MemoryStore::default() });
    });
    let world = world.await;
    let (on, key, system) = (&world.operations, world.full_key().await, Caller::system());
    let workspace_id = world.workspace_id;
    let features = FilterFeatures { weapons: vec!["AK-47".to_owned()], ..FilterFeatures::default() };
    let rules = FilterRules { features, ..FilterRules::default() };
    let creation = CreateFilterSet { workspace_id, name: "Rifles".to_owned(), rules };
    let set = on.create_filter_set(&key, creation).await.unwrap();

    let list = || ListFilterSets { workspace_id, limit: 0, cursor: String::new() };
    assert_eq!(on.list_filter_sets(&key, list()).await.unwrap().entries, []);
    assert_eq!(on.count_filter_sets(&key, CountFilterSets { workspace_id }).await.unwrap(), 0);
    let get = GetFilterSet { workspace_id, filter_set_id: set.id, version: None };
    assert_eq!(on.get_filter_set(&key, get).await.unwrap().id, set.id);
    assert_eq!(on.list_filter_sets(&system, list()).await.unwrap().entries, [set.id]);
    assert_eq!(on.count_filter_sets(&system, CountFilterSets { workspace_id }).await.unwrap(), 1);
}
