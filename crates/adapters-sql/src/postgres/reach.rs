//! What is known of the server's connections: which of them may be broken, and which lead to a server that is not used any longer.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use sqlx::pool::PoolConnectionMetadata;
use sqlx::postgres::{PgConnection, PgPoolOptions};
use sqlx::{Connection as _, Error};
use tokio::time::timeout;

use super::session::Session;
use super::target::Target;

/// A connection that is older is closed when it is returned. Without this, what a server keeps for it grows without a bound.
const OLDEST: Duration = Duration::from_mins(30);
/// A connection that was idle for so long is tried before it is used.
const TRIED_AFTER: Duration = Duration::from_secs(10);
/// How long a connection that may be broken has to answer.
const ANSWER: Duration = Duration::from_secs(1);
/// The least time between two replacements of read-only connections: a server that stays read-only would cost one a write.
const BETWEEN_REPLACEMENTS: Duration = Duration::from_secs(1);

/// What is known of the connections.
#[derive(Debug)]
pub(crate) struct Reach {
    target: Target,
    session: Session,
    start: Instant,
    /// When a connection was last found broken, in microseconds since the start: each used before is tried before it is used again.
    broken: AtomicU64,
    /// When the server was last replaced or read-only, or failed as a standby: each connection that was opened before is closed.
    replaced: AtomicU64,
}

impl Reach {
    pub(crate) fn new(target: Target, session: Session) -> Arc<Self> {
        let (broken, replaced) = (AtomicU64::new(0), AtomicU64::new(0));
        Arc::new(Self { target, session, start: Instant::now(), broken, replaced })
    }

    /// Has every connection tried before it is used again.
    pub(super) fn doubt_all(&self) {
        self.broken.store(self.now(), Ordering::SeqCst);
    }

    /// Has every connection closed instead of being used again.
    pub(super) fn replace_all(&self) {
        self.replaced.store(self.now(), Ordering::SeqCst);
    }

    /// The same for a server that is read-only: not for each write that it refuses.
    pub(super) fn replace_read_only(&self) {
        let (now, last) = (self.now(), self.replaced.load(Ordering::SeqCst));
        if last == 0 || now.saturating_sub(last) >= micros(BETWEEN_REPLACEMENTS) {
            self.replaced.store(now, Ordering::SeqCst);
        }
    }

    /// The pool with what is done before and after its connections are used.
    pub(super) fn guard(self: &Arc<Self>, pool: PgPoolOptions) -> PgPoolOptions {
        let (opening, taking, returning) = (Arc::clone(self), Arc::clone(self), Arc::clone(self));
        pool.test_before_acquire(false)
            .after_connect(move |connection, _| {
                let reach = Arc::clone(&opening);
                Box::pin(async move { reach.accept(connection).await })
            })
            .before_acquire(move |connection, about| {
                let reach = Arc::clone(&taking);
                Box::pin(async move { Ok(reach.may_be_taken(connection, &about).await) })
            })
            .after_release(move |connection, about| {
                let reach = Arc::clone(&returning);
                Box::pin(async move { Ok(reach.may_be_kept(connection, &about).await) })
            })
    }

    /// Sets a new connection up; an error where it leads to a server that is not to be used.
    async fn accept(&self, connection: &mut PgConnection) -> Result<(), Error> {
        if self.target != Target::Any && !self.target.is_met(connection).await? {
            return Err(Error::Protocol("the server accepts no writes".to_owned()));
        }
        self.session.begin(connection).await
    }

    async fn may_be_taken(&self, connection: &mut PgConnection, about: &PoolConnectionMetadata) -> bool {
        if self.was_before(about.age, &self.replaced) {
            return false;
        }
        if self.was_before(about.idle_for, &self.broken) {
            return self.leads_there(connection).await;
        }
        about.idle_for < TRIED_AFTER || answers(connection).await
    }

    async fn may_be_kept(&self, connection: &mut PgConnection, about: &PoolConnectionMetadata) -> bool {
        if about.age >= OLDEST || self.was_before(about.age, &self.replaced) {
            return false;
        }
        // The driver tries it as well, and without an end where the server is cut off.
        !self.was_before(about.age, &self.broken) || self.leads_there(connection).await
    }

    /// Whether a connection leads to a server that is to be used, and that answers in time.
    async fn leads_there(&self, connection: &mut PgConnection) -> bool {
        matches!(self.target.is_met(connection).await, Ok(true))
    }

    /// Whether so long ago was before a moment.
    fn was_before(&self, ago: Duration, moment: &AtomicU64) -> bool {
        let moment = moment.load(Ordering::SeqCst);
        moment > 0 && self.now().saturating_sub(micros(ago)) <= moment
    }

    fn now(&self) -> u64 {
        micros(self.start.elapsed())
    }
}

fn micros(duration: Duration) -> u64 {
    u64::try_from(duration.as_micros()).unwrap_or(u64::MAX)
}

/// Whether the server answers on a connection, and in time.
async fn answers(connection: &mut PgConnection) -> bool {
    matches!(timeout(ANSWER, connection.ping()).await, Ok(Ok(())))
}
