//! The limiter of an installation of several processes: classes that guard secrets are counted where all of them see it, the
//! others each in its own memory. It must not know where that is.

use std::sync::Arc;

use async_trait::async_trait;
use tradepost_ports::limiter::{Limiter, Quota, RateClass, SharedCounts, Verdict};
use tradepost_ports::store::StoreResult;

use crate::governor_limiter::GovernorLimiter;

/// Counts calls in this process, and exactly where all processes do.
pub struct SharedLimiter {
    local: Arc<GovernorLimiter>,
    counts: Arc<dyn SharedCounts>,
}

impl SharedLimiter {
    /// A limiter that gives out the quotas of `local`.
    pub fn new(local: Arc<GovernorLimiter>, counts: Arc<dyn SharedCounts>) -> Self {
        Self { local, counts }
    }
}

#[async_trait]
impl Limiter for SharedLimiter {
    async fn charge_several(&self, class: RateClass, partition: &[u8], calls: u32) -> Verdict {
        self.local.charge_several(class, partition, calls).await
    }

    async fn refund(&self, class: RateClass, partition: &[u8]) {
        self.local.refund(class, partition).await;
    }

    fn quota(&self, class: RateClass) -> Quota {
        self.local.quotas().of(class)
    }

    async fn charge_exactly(&self, class: RateClass, partition: &[u8]) -> StoreResult<Verdict> {
        self.counts.charge(class, partition, self.local.quotas().of(class)).await
    }

    async fn refund_exactly(&self, class: RateClass, partition: &[u8]) -> StoreResult<()> {
        self.counts.refund(class, partition, self.local.quotas().of(class)).await
    }
}
