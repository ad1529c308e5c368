//! Waking callers that wait for new entries in the log of status changes. No waiting caller holds a database connection: each one reads for
//! itself after it wakes.

use std::sync::atomic::{AtomicI64, Ordering};

use tokio::sync::{Notify, Semaphore, watch};
use tradepost_domain::time::Timestamp;
use tradepost_domain::transition::{PLACE_MARGIN, WATCHED_FOR};

use crate::{OpResult, Operations};

/// Most calls that were woken and read the log at one moment: thousands may be woken together.
const MOST_READING: usize = 16;

/// The known state of the log.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum News {
    /// The last position that was given.
    UpTo(i64),
    /// This process no longer looks for new ones.
    Over,
}

/// The place where new status changes are announced.
pub(crate) struct TransitionWatch {
    written: Notify,
    news: watch::Sender<News>,
    /// The turns in which the woken watchers read the log.
    pub(crate) reading: Semaphore,
    /// The position up to which this process has forgotten old ones.
    forgotten: AtomicI64,
}

/// A caller that waits.
pub(crate) struct Watcher(watch::Receiver<News>);

impl Default for TransitionWatch {
    fn default() -> Self {
        Self {
            written: Notify::new(),
            news: watch::Sender::new(News::UpTo(0)),
            reading: Semaphore::new(MOST_READING),
            forgotten: AtomicI64::new(0),
        }
    }
}

impl TransitionWatch {
    /// Announces that status changes were committed here.
    pub(crate) fn written(&self) {
        self.written.notify_one();
    }

    /// The position up to which this process has forgotten old ones.
    pub(crate) fn forgotten_up_to(&self) -> i64 {
        self.forgotten.load(Ordering::Relaxed)
    }

    pub(crate) fn forget_up_to(&self, position: i64) {
        self.forgotten.store(position, Ordering::Relaxed);
    }

    /// Begins to wait: any later announcement ends [`Watcher::woken`].
    pub(crate) fn watch(&self) -> Watcher {
        Watcher(self.news.subscribe())
    }
}

impl Watcher {
    /// Waits until there may be something new; returns `false` when no further news will follow.
    pub(crate) async fn woken(&mut self) -> bool {
        let is_over = *self.0.borrow() == News::Over;
        !is_over && self.0.changed().await.is_ok()
    }
}

impl Operations {
    /// Waits until this process has committed a change of status that may have no position yet.
    pub async fn transition_written(&self) {
        self.watching.written.notified().await;
    }

    /// Assigns positions to the status changes that were committed since the last call, and wakes the watchers. Returns whether there were
    /// any, from this process or from another.
    ///
    /// # Errors
    /// `internal` when storage fails.
    pub async fn place_transitions(&self) -> OpResult<bool> {
        let last = News::UpTo(self.ports.store.transitions().place().await?);
        Ok(self.watching.news.send_if_modified(|news| std::mem::replace(news, last) != last))
    }

    /// Whether a call of this process waits for new entries.
    pub fn has_waiting_calls(&self) -> bool {
        self.in_flight.has_waiting()
    }

    /// Ends every watch, since nothing new will be looked for.
    pub fn end_watching(&self) {
        self.watching.news.send_replace(News::Over);
    }
}

/// Returns the earliest time of an unseen change with which a watch may resume; an older one is rejected.
pub(crate) fn watched_since(operations: &Operations) -> Timestamp {
    operations.now().plus(-WATCHED_FOR)
}

/// Returns the time of the first changes that a new watch receives. It is later than [`Operations::watched_since`], so that the watcher
/// has time to resume from them.
pub(crate) fn watched_from(operations: &Operations) -> Timestamp {
    watched_since(operations).plus(PLACE_MARGIN)
}
