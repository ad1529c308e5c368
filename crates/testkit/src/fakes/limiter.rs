//! Limiters without time: one that never rejects a call, one that rejects the calls that a test names.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use async_trait::async_trait;

use tradepost_ports::limiter::{Limiter, Quota, RateClass, Verdict};
use tradepost_ports::store::StoreResult;

const QUOTA: Quota = Quota { calls: 1_000, window: Duration::from_secs(1), burst: 1_000 };

/// Allows everything.
#[derive(Debug, Default)]
pub struct UnlimitedLimiter;

#[async_trait]
impl Limiter for UnlimitedLimiter {
    async fn charge_several(&self, _: RateClass, _: &[u8], _: u32) -> Verdict {
        Verdict { allowed: true, quota: QUOTA, remaining: QUOTA.burst, wait: Duration::ZERO }
    }

    async fn refund(&self, _: RateClass, _: &[u8]) {}

    fn quota(&self, _class: RateClass) -> Quota {
        QUOTA
    }

    async fn charge_exactly(&self, class: RateClass, partition: &[u8]) -> StoreResult<Verdict> {
        Ok(self.charge(class, partition).await)
    }

    async fn refund_exactly(&self, _: RateClass, _: &[u8]) -> StoreResult<()> {
        Ok(())
    }
}

/// Allows a class the number of calls that it was given, over all partitions, and other classes without limit. Records every charge.
#[derive(Debug, Default)]
pub struct ScriptedLimiter {
    inner: Mutex<Inner>,
}

#[derive(Debug, Default)]
struct Inner {
    left: BTreeMap<RateClass, u32>,
    charges: Vec<(RateClass, Vec<u8>)>,
    refunds: Vec<(RateClass, Vec<u8>)>,
}

impl ScriptedLimiter {
    /// Returns a limiter that allows this many calls of a class.
    pub fn allowing(class: RateClass, calls: u32) -> Self {
        Self { inner: Mutex::new(Inner { left: BTreeMap::from([(class, calls)]), ..Inner::default() }) }
    }

    /// Returns the charges and their partitions, in order, rejected calls included.
    pub fn charges(&self) -> Vec<(RateClass, Vec<u8>)> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner).charges.clone()
    }

    /// Returns the refunds and their partitions, in order.
    pub fn refunds(&self) -> Vec<(RateClass, Vec<u8>)> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner).refunds.clone()
    }
}

#[async_trait]
impl Limiter for ScriptedLimiter {
    async fn charge_several(&self, class: RateClass, partition: &[u8], calls: u32) -> Verdict {
        let mut inner = self.inner.lock().unwrap_or_else(PoisonError::into_inner);
        inner.charges.push((class, partition.to_vec()));
        let Some(left) = inner.left.get_mut(&class) else {
            return Verdict { allowed: true, quota: QUOTA, remaining: QUOTA.burst, wait: Duration::ZERO };
        };
        let allowed = *left >= calls;
        *left = left.saturating_sub(calls);
        let wait = if allowed { Duration::ZERO } else { Duration::from_secs(1) };
        Verdict { allowed, quota: QUOTA, remaining: *left, wait }
    }

    async fn refund(&self, class: RateClass, partition: &[u8]) {
        let mut inner = self.inner.lock().unwrap_or_else(PoisonError::into_inner);
        inner.refunds.push((class, partition.to_vec()));
        if let Some(left) = inner.left.get_mut(&class) {
            *left += 1;
        }
    }

    fn quota(&self, _class: RateClass) -> Quota {
        QUOTA
    }

    async fn charge_exactly(&self, class: RateClass, partition: &[u8]) -> StoreResult<Verdict> {
        Ok(self.charge(class, partition).await)
    }

    async fn refund_exactly(&self, class: RateClass, partition: &[u8]) -> StoreResult<()> {
        self.refund(class, partition).await;
        Ok(())
    }
}
