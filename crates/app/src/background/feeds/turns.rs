//! The right to read, which all feeds of a process share: one process of those on a database reads at a time, and the one that has the duty
//! asks for it.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use tokio::sync::Mutex;
use tokio::time::Instant;
use tradepost_domain::markets::provider::ProviderKind;
use tradepost_domain::text::Marketplace;
use tradepost_operations::{OpResult, Operations};
use tradepost_ports::store::ReadingTurn;

use crate::background::Duty;

/// How often a process asks whether it is its turn to read.
const ASKING: Duration = Duration::from_secs(15);
/// How long a turn is held. One whose connection to the database is lost would read alongside another process for as long.
const TURN: Duration = Duration::from_mins(10);

/// The right to read, and what needs it.
pub(crate) struct Turns {
    operations: Arc<Operations>,
    duty: Duty,
    state: Mutex<State>,
    reading: Arc<AtomicUsize>,
}

#[derive(Default)]
struct State {
    /// The right, and since when this process has it.
    held: Option<(ReadingTurn, Instant)>,
    asked_at: Option<Instant>,
    needed_by: BTreeSet<FeedKey>,
}

/// What distinguishes a feed from others: a price source and a marketplace may have one name.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct FeedKey {
    kind: ProviderKind,
    name: Marketplace,
}

impl FeedKey {
    pub(super) fn new(kind: ProviderKind, name: &Marketplace) -> Self {
        Self { kind, name: name.clone() }
    }
}

/// A read that goes on. The right is not renewed before all have ended, because another process could begin to read in between.
pub(super) struct Reading(Arc<AtomicUsize>);

impl Drop for Reading {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::SeqCst);
    }
}

impl Turns {
    pub(crate) fn new(operations: Arc<Operations>, duty: Duty) -> Self {
        Self { operations, duty, state: Mutex::default(), reading: Arc::default() }
    }

    /// Whether this process reads, or is the one to ask for the right.
    pub(super) async fn may_read(&self) -> bool {
        self.duty.is_ours() || self.state.lock().await.held.is_some()
    }

    /// Begins a read of a feed; `None` while another process reads. It asks seldom, because each question takes a connection to the
    /// database.
    pub(super) async fn begin(&self, feed: &FeedKey) -> OpResult<Option<Reading>> {
        let mut state = self.state.lock().await;
        let now = Instant::now();
        if !state.needed_by.contains(feed) {
            state.needed_by.insert(feed.clone());
        }
        let is_busy = self.reading.load(Ordering::SeqCst) > 0;
        if state.held.as_ref().is_some_and(|(_, since)| is_busy || now.duration_since(*since) < TURN) {
            return Ok(Some(self.reading()));
        }
        let is_early = state.asked_at.is_some_and(|asked_at| now.duration_since(asked_at) < ASKING);
        if (state.held.take().is_none() && is_early) || !self.duty.is_ours() {
            return Ok(None);
        }
        state.asked_at = Some(now);
        state.held = self.operations.begin_reading_prices().await?.map(|turn| (turn, now));
        Ok(state.held.as_ref().map(|_| self.reading()))
    }

    /// A feed has nothing to read. Another process may read once this is so of every feed.
    pub(super) async fn release(&self, feed: &FeedKey) {
        let mut state = self.state.lock().await;
        state.needed_by.remove(feed);
        if state.needed_by.is_empty() {
            state.held = None;
        }
    }

    fn reading(&self) -> Reading {
        self.reading.fetch_add(1, Ordering::SeqCst);
        Reading(Arc::clone(&self.reading))
    }
}
