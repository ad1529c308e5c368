//! For how long a recorded step has been waited for, however the clock that shows the time is set.

use time::Duration;
use tradepost_domain::id::Id;
use tradepost_domain::time::Timestamp;

use crate::context::Context;

/// A step that was recorded before the platform was called for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Step {
    record: [u8; 16],
    begun_at: Timestamp,
}

impl Step {
    pub(crate) const fn new<K>(record: Id<K>, begun_at: Timestamp) -> Self {
        Self { record: record.to_bytes(), begun_at }
    }
}

impl Context {
    /// For how long this engine has waited for the effect of a step: zero at the first look. Another engine, and one that was started again,
    /// waits from the beginning.
    pub(crate) fn waited_for(&self, step: Step) -> Duration {
        let now = self.mark();
        let since = self.state.platform.steps.get(&step).unwrap_or(now);
        self.state.platform.steps.insert(step, since);
        now.since(since)
    }
}
