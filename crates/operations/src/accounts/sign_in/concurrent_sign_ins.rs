//! Sign-ins that are in progress.

use tokio::sync::{Semaphore, SemaphorePermit};
use tradepost_ports::passwords::HasherBusy;

/// The maximum of concurrent sign-ins in a process.
///
/// It is the number that can wait for a password check. Later ones are rejected before a database read, which other calls need.
const MOST_SIGN_INS: usize = 32;

/// The places of sign-ins in a process.
pub(crate) struct ConcurrentSignIns(Semaphore);

impl Default for ConcurrentSignIns {
    fn default() -> Self {
        Self(Semaphore::new(MOST_SIGN_INS))
    }
}

impl ConcurrentSignIns {
    /// Acquires a place, which dropping the permit frees again.
    pub(crate) fn begin(&self) -> Result<SemaphorePermit<'_>, HasherBusy> {
        self.0.try_acquire().map_err(|_| HasherBusy)
    }
}
