//! Opened data keys. They are cached for 5 min, so that a service that holds the key-encryption key is not called for each secret.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use moka::sync::Cache;
use tradepost_domain::id::WorkspaceKeyId;
use tradepost_ports::envelope::DataKey;

/// The time for which an opened key is cached.
const REMEMBERED_FOR: Duration = Duration::from_mins(5);
/// Most opened keys that are remembered.
const MOST_REMEMBERED: u64 = 10_000;

/// Keys that were opened recently. They are wiped when they are forgotten.
#[derive(Clone)]
pub(crate) struct OpenedKeys(Cache<WorkspaceKeyId, Arc<DataKey>>);

impl Default for OpenedKeys {
    fn default() -> Self {
        Self(Cache::builder().max_capacity(MOST_REMEMBERED).time_to_live(REMEMBERED_FOR).build())
    }
}

impl OpenedKeys {
    pub(crate) fn recall(&self, key: WorkspaceKeyId) -> Option<Arc<DataKey>> {
        self.0.get(&key)
    }

    pub(crate) fn remember(&self, key: WorkspaceKeyId, opened: Arc<DataKey>) {
        self.0.insert(key, opened);
    }

    pub(crate) fn forget(&self, key: WorkspaceKeyId) {
        self.0.invalidate(&key);
    }
}

impl fmt::Debug for OpenedKeys {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("OpenedKeys(..)")
    }
}
