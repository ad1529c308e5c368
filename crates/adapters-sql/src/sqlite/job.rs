//! Jobs of the writer, and the count of callers that wait for a commit.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use tokio::sync::oneshot;
use tradepost_ports::changes::{ChangeSet, Committed};
use tradepost_ports::store::StoreResult;

use crate::last_used::{LastUse, LastUseOf};

/// How many callers wait for a commit.
#[derive(Debug, Clone, Default)]
pub(super) struct Awaited(Arc<AtomicUsize>);

impl Awaited {
    /// Returns whether a caller waits.
    pub(super) fn any(&self) -> bool {
        self.0.load(Ordering::Relaxed) > 0
    }

    /// Counts one more, until the result is dropped.
    pub(super) fn one_more(&self) -> Waiting<'_> {
        self.0.fetch_add(1, Ordering::Relaxed);
        Waiting(&self.0)
    }
}

/// A caller that waits, until it is dropped.
pub(super) struct Waiting<'a>(&'a AtomicUsize);

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

/// Something to write, and where its outcome is sent.
#[derive(Debug)]
pub(super) struct Job {
    pub(super) work: Work,
    pub(super) done: oneshot::Sender<StoreResult<Committed>>,
}

/// Something to write.
#[derive(Debug)]
pub(super) enum Work {
    /// All of a set, or none.
    Commit(ChangeSet),
    /// When keys or sessions were last used.
    LastUse(LastUseOf, Vec<LastUse>),
}

impl Work {
    /// Returns the uses of one kind that this job notes.
    pub(super) fn notes(&self, of: LastUseOf) -> &[LastUse] {
        match self {
            Self::LastUse(noted, uses) if *noted == of => uses,
            Self::LastUse(..) | Self::Commit(_) => &[],
        }
    }
}
