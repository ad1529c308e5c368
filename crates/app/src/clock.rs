//! The computer's clock: the one place that asks it.

use time::OffsetDateTime;
use tradepost_domain::time::Timestamp;
use tradepost_ports::clock::Clock;

/// Returns the time of the computer's clock, in UTC.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    #[expect(clippy::disallowed_methods, reason = "this is the clock that everything else is given")]
    fn now(&self) -> Timestamp {
        OffsetDateTime::now_utc().into()
    }
}
