//! A store whose commits fail as a test says.

use std::collections::VecDeque;
use std::convert::Infallible;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use tokio::sync::Notify;
use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::id::PoolId;
use tradepost_operations::Caller;
use tradepost_ports::changes::{Changes, Committed};
use tradepost_ports::store::{NotReady, Records, Store, StoreError, StoreResult};
use tradepost_testkit::memory::MemoryStore;

/// What happens to a commit.
#[derive(Clone)]
pub(crate) enum Fate {
    /// It is made.
    Made,
    /// It fails with this error, and nothing is written.
    Refused(StoreError),
    /// It is made, and its answer is lost.
    Unanswered,
    /// Another process writes a new version of this pool before it.
    Overtaken(WorkspaceScope, PoolId),
    /// It waits until the test opens the gate, and is made then.
    Held(Arc<Gate>),
}

impl Fate {
    /// It fails for a reason that concerns its record alone: a stored value breaks a rule.
    pub(crate) fn broken() -> Self {
        Self::Refused(StoreError::Corrupt("a test breaks the record".to_owned()))
    }
}

/// A place where a commit waits for the test.
#[derive(Default)]
pub(crate) struct Gate {
    reached: Notify,
    opened: Notify,
}

impl Gate {
    /// Waits until a commit waits here.
    pub(crate) async fn reached(&self) {
        self.reached.notified().await;
    }

    /// Ends the wait of the commit.
    pub(crate) fn open(&self) {
        self.opened.notify_one();
    }

    async fn pass(&self) {
        self.reached.notify_one();
        self.opened.notified().await;
    }
}

/// A store with a script of what happens to its commits. Those after the script are made.
pub(crate) struct ScriptedStore {
    store: Arc<MemoryStore>,
    script: Mutex<VecDeque<Fate>>,
    commits: AtomicUsize,
}

impl ScriptedStore {
    pub(crate) fn over(store: Arc<MemoryStore>, script: impl IntoIterator<Item = Fate>) -> Arc<Self> {
        let script = Mutex::new(script.into_iter().collect());
        Arc::new(Self { store, script, commits: AtomicUsize::new(0) })
    }

    /// How many commits were tried.
    pub(crate) fn commits(&self) -> usize {
        self.commits.load(Ordering::SeqCst)
    }

    fn next_fate(&self) -> Fate {
        self.commits.fetch_add(1, Ordering::SeqCst);
        self.script.lock().unwrap().pop_front().unwrap_or(Fate::Made)
    }

    async fn overtake(&self, scope: WorkspaceScope, pool_id: PoolId) -> StoreResult<()> {
        let pool = self.store.pools().find(scope, pool_id).await?.unwrap();
        let mut changes = Changes::by(&Caller::system());
        let Ok(_) = changes.revise(pool, |pool| {
            let at = pool.updated_at;
            Ok::<_, Infallible>(pool.named(at))
        });
        self.store.commit(changes).await.map(drop)
    }
}

#[async_trait]
impl Store for ScriptedStore {
    fn records(&self) -> &(dyn Records + 'static) {
        self.store.records()
    }

    async fn commit(&self, changes: Changes) -> StoreResult<Committed> {
        match self.next_fate() {
            Fate::Made => {}
            Fate::Refused(error) => return Err(error),
            Fate::Unanswered => {
                self.store.commit(changes).await?;
                return Err(StoreError::Unknown("a test loses the answer".to_owned()));
            }
            Fate::Overtaken(scope, pool_id) => self.overtake(scope, pool_id).await?,
            Fate::Held(gate) => gate.pass().await,
        }
        self.store.commit(changes).await
    }

    async fn check_ready(&self) -> Result<(), NotReady> {
        self.store.check_ready().await
    }
}
