//! Waking those who wait for what is new in the log of status changes. Nobody waits with a connection to the database: who is
//! woken looks for themselves.

use tokio::sync::{Notify, watch};

use crate::{OpResult, Operations};

/// What is known of the log.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum News {
    /// The last position that was given.
    UpTo(i64),
    /// Nobody looks for new ones any more.
    Over,
}

/// Where it is told that there is something new.
pub(crate) struct Watching {
    written: Notify,
    news: watch::Sender<News>,
}

/// Somebody who waits.
pub(crate) struct Watcher(watch::Receiver<News>);

impl Default for Watching {
    fn default() -> Self {
        Self { written: Notify::new(), news: watch::Sender::new(News::UpTo(0)) }
    }
}

impl Watching {
    /// Tells that status changes were committed here.
    pub(crate) fn written(&self) {
        self.written.notify_one();
    }

    /// Begins to wait: whatever is told from now on ends [`Watcher::woken`].
    pub(crate) fn watch(&self) -> Watcher {
        Watcher(self.news.subscribe())
    }
}

impl Watcher {
    /// Waits until there may be something new; `false` when there will be no news any more.
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

    /// Gives status changes that were committed since their positions, and wakes whoever watches; whether there were any, given
    /// by this process or by another.
    ///
    /// # Errors
    /// `internal` when storage fails.
    pub async fn place_transitions(&self) -> OpResult<bool> {
        let last = News::UpTo(self.ports.store.place_transitions().await?);
        Ok(self.watching.news.send_if_modified(|news| std::mem::replace(news, last) != last))
    }

    /// Lets everybody who watches go, since nothing new will be looked for.
    pub fn end_watching(&self) {
        self.watching.news.send_replace(News::Over);
    }
}
