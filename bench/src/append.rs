//! Chain appends in process: who appends, and how the rate is measured. Each task appends to items of its own, one link after
//! the other, and waits for each to be committed.

pub(crate) mod floor_postgres;
pub(crate) mod floor_sqlite;
pub(crate) mod ours;

use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use futures::future;

use crate::data::{self, Of, Sizes};

/// Links to append, and what their predecessors are.
pub(crate) struct Links {
    items: u32,
    /// The asset id at the tip of each item's chain.
    tips: Vec<AtomicU64>,
    next: AtomicU32,
}

/// A link to append.
#[derive(Debug, Clone)]
pub(crate) struct NewLink {
    pub(crate) number: u32,
    pub(crate) item: u32,
    pub(crate) asset_id: String,
    pub(crate) previous: String,
    pub(crate) source_id: String,
    /// Microseconds since 1970.
    pub(crate) at: i64,
}

/// Above every asset id that is loaded.
const FIRST_ASSET: u64 = 90_000_000_000;

impl Links {
    /// The links that can follow those that were loaded.
    pub(crate) fn after(sizes: Sizes) -> Self {
        Self::numbered_from(sizes.links(), sizes)
    }

    /// The same, for a process that follows others.
    pub(crate) fn numbered_from(first: u32, sizes: Sizes) -> Self {
        let tip = |item| AtomicU64::new(data::asset_at(item, data::LINKS_PER_ITEM - 1));
        Self { items: sizes.items(), tips: (0..sizes.items()).map(tip).collect(), next: AtomicU32::new(first) }
    }

    /// A link that is not appended yet, for the `turn`th item of one of `tasks` tasks.
    pub(crate) fn take(&self, task: u32, tasks: u32, turn: u32) -> NewLink {
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        let mine = self.items / tasks;
        let item = task * mine + turn % mine;
        let asset_id = FIRST_ASSET + u64::from(number);
        let previous = self.tips.get(item as usize).map_or(0, |tip| tip.swap(asset_id, Ordering::Relaxed));
        NewLink {
            number,
            item,
            asset_id: asset_id.to_string(),
            previous: previous.to_string(),
            source_id: format!("seen-again-{number}"),
            at: data::made_at(number) + 86_400_000_000,
        }
    }
}

impl NewLink {
    pub(crate) fn id(&self) -> uuid::Uuid {
        data::id(Of::Link, self.number)
    }

    pub(crate) fn item_id(&self) -> uuid::Uuid {
        data::id(Of::Item, self.item)
    }
}

/// An implementation that can append.
pub(crate) trait Appender: Sync {
    /// Appends one link and returns once it is committed.
    fn append(&self, link: NewLink) -> impl Future<Output = anyhow::Result<()>> + Send;
}

/// How many links a second `tasks` tasks append, after a quarter of the time to warm up.
pub(crate) async fn rate<A: Appender>(appender: &A, links: &Links, tasks: u32, time: Duration) -> anyhow::Result<f64> {
    run(appender, links, tasks, time / 4).await?;
    run(appender, links, tasks, time).await
}

async fn run<A: Appender>(appender: &A, links: &Links, tasks: u32, time: Duration) -> anyhow::Result<f64> {
    let begun = Instant::now();
    let until = begun + time;
    let work = (0..tasks).map(|task| async move {
        let mut appended = 0;
        while Instant::now() < until {
            appender.append(links.take(task, tasks, appended)).await?;
            appended += 1;
        }
        anyhow::Ok(appended)
    });
    let appended: u32 = future::try_join_all(work).await?.into_iter().sum();
    Ok(f64::from(appended) / begun.elapsed().as_secs_f64())
}
