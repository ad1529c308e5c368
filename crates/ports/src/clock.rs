//! Time and identifiers. Nothing else in the system reads a clock or makes an id.

use std::sync::LazyLock;
use std::time::{Duration, Instant};

use tradepost_domain::id::Id;
use tradepost_domain::time::Timestamp;
use uuid::{ContextV7, Uuid};

/// Tells the time.
#[cfg_attr(feature = "testing", mockall::automock)]
pub trait Clock: Send + Sync {
    /// The time now, in UTC.
    fn now(&self) -> Timestamp;

    /// How much time has passed since an arbitrary beginning. It never goes back, and does not move when the clock is set.
    ///
    /// It is that of the process, unless the clock's world has a time of its own.
    fn elapsed(&self) -> Duration {
        BEGAN.elapsed()
    }
}

/// When the process was first asked for the time that has passed.
static BEGAN: LazyLock<Instant> = LazyLock::new(Instant::now);

/// Makes identifiers.
#[cfg_attr(feature = "testing", mockall::automock)]
pub trait Ids: Send + Sync {
    /// A UUIDv7 (RFC 9562 §5.7) for something made at this time; later ones sort after earlier ones of this process.
    fn next(&self, at: Timestamp) -> [u8; 16];
}

impl dyn Ids {
    /// An identifier of the kind that is wanted.
    pub fn mint<K>(&self, at: Timestamp) -> Id<K> {
        Id::from_bytes(self.next(at))
    }
}

/// UUIDv7 from the operating system's randomness, monotonic within the process.
#[derive(Debug, Default)]
pub struct RandomIds {
    context: std::sync::Mutex<ContextV7>,
}

impl Ids for RandomIds {
    fn next(&self, at: Timestamp) -> [u8; 16] {
        let since_epoch = Duration::from_micros(u64::try_from(at.as_micros()).unwrap_or(0));
        let context = self.context.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let timestamp = uuid::Timestamp::from_unix(&*context, since_epoch.as_secs(), since_epoch.subsec_nanos());
        Uuid::new_v7(timestamp).into_bytes()
    }
}
