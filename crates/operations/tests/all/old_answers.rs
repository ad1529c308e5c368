//! Which calls may be answered by records that are a few seconds old: lists and counts of callers, and none of the process itself.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use async_trait::async_trait;
use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_operations::contracts::{
    CountFilterSets, CreateFilterSet, CreatePool, FilterFeatures, FilterRules, GetFilterSet, LimitsOfPool,
    ListFilterSets, ListTransitions, WatchTransitions,
};
use tradepost_operations::{AtWork, Caller};
use tradepost_ports::changes::{Changes, Committed};
use tradepost_ports::store::{NotReady, Records, Store, StoreResult};
use tradepost_testkit::memory::MemoryStore;

use crate::harness::World;

/// A store that shows what there was before its first record, until a caller gets something newer.
pub(crate) struct WithOldAnswers {
    newest: Arc<dyn Store>,
    oldest: MemoryStore,
    is_newest_shown: AtomicBool,
}

impl WithOldAnswers {
    pub(crate) fn over(newest: Arc<dyn Store>) -> Self {
        Self { newest, oldest: MemoryStore::default(), is_newest_shown: AtomicBool::new(false) }
    }
}

#[async_trait]
impl Store for WithOldAnswers {
    fn records(&self) -> &(dyn Records + 'static) {
        self.newest.records()
    }

    fn records_to_show(&self, _scope: WorkspaceScope) -> &(dyn Records + 'static) {
        if self.is_newest_shown.load(Ordering::SeqCst) { self.newest.records() } else { &self.oldest }
    }

    fn note_shown(&self, _scope: WorkspaceScope) {
        self.is_newest_shown.store(true, Ordering::SeqCst);
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
        ports.store = Arc::new(WithOldAnswers::over(ports.store.clone()));
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

#[tokio::test]
async fn what_is_listed_after_a_watch_is_as_new_as_what_the_watch_has_shown() {
    for from_end in [true, false] {
        let world = World::with(|ports| ports.store = Arc::new(WithOldAnswers::over(ports.store.clone()))).await;
        let (on, key, workspace_id) = (&world.operations, world.full_key().await, world.workspace_id);
        let limits = LimitsOfPool {
            budget_cents: 10_000,
            max_per_purchase_cents: None,
            max_exposure_per_item_cents: None,
            daily_limit_cents: None,
        };
        let creation = CreatePool { workspace_id, name: "Main".to_owned(), currency: String::new(), limits };
        on.create_pool(&key, creation).await.unwrap();
        let list = ListTransitions {
            workspace_id,
            limit: 200,
            cursor: String::new(),
            subject_kind: None,
            subject_kinds: Vec::new(),
            subject_id: None,
            from: None,
            to: None,
        };
        assert_eq!(on.list_transitions(&key, list.clone()).await.unwrap().entries, []);
        let watch = WatchTransitions { workspace_id, after: None, from_end, limit: 200, wait_seconds: 0 };
        let system = on.watch_transitions(&Caller::system(), watch.clone(), AtWork::default()).await.unwrap();
        assert_eq!(on.list_transitions(&key, list.clone()).await.unwrap().entries, []);
        let seen = on.watch_transitions(&key, watch, AtWork::default()).await.unwrap();
        assert!(seen.last.is_some() && seen.last == system.last, "{seen:?}");
        let listed = on.list_transitions(&key, list).await.unwrap().entries;
        assert!(seen.last.is_some_and(|last| listed.contains(&last)), "{listed:?}");
    }
}
