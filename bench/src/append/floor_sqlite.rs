//! rusqlite by hand: one thread with a connection takes what has queued up, writes the same rows and commits at once. It
//! receives the predecessor of each link and reads nothing.

use std::path::Path;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use anyhow::Context as _;
use rusqlite::{Connection, Transaction, TransactionBehavior};
use tokio::sync::oneshot;
use tradepost_domain::contracts::chain::Source;
use uuid::Uuid;

use super::{Appender, NewLink};

const MOST_AT_ONCE: usize = 256;
const MOVE: &str = "UPDATE inventory_items SET current_asset_id = ?1, last_step = last_step + 1, last_source = ?2, \
    chained_at = ?3, updated_at = ?3, version = version + 1 \
    WHERE workspace_id = ?4 AND id = ?5 AND current_asset_id = ?6 AND status IN (1, 2, 3, 4, 5) \
    RETURNING last_step, purchase_id";
const APPEND: &str = "INSERT INTO asset_id_links (workspace_id, inventory_item_id, step, id, purchase_id, asset_id, \
    previous_asset_id, source, source_id, created_at) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)";

struct Job {
    link: NewLink,
    done: oneshot::Sender<()>,
}

/// The way to the thread.
pub(crate) struct Rusqlite {
    inbox: Sender<Job>,
    writer: JoinHandle<anyhow::Result<()>>,
}

impl Rusqlite {
    pub(crate) fn open(file: &Path, workspace: Uuid) -> anyhow::Result<Self> {
        let connection = Connection::open(file)?;
        connection.busy_timeout(Duration::from_secs(5))?;
        for (name, value) in [
            ("journal_mode", "wal"),
            ("synchronous", "full"),
            ("foreign_keys", "on"),
            ("cache_size", "-65536"),
            ("mmap_size", "1073741824"),
            ("temp_store", "memory"),
            ("wal_autocheckpoint", "4000"),
            ("journal_size_limit", "268435456"),
        ] {
            connection.pragma_update(None, name, value)?;
        }
        let (inbox, jobs) = channel();
        let writer = thread::spawn(move || write_all(connection, &jobs, workspace));
        Ok(Self { inbox, writer })
    }

    pub(crate) fn close(self) -> anyhow::Result<()> {
        drop(self.inbox);
        self.writer.join().map_err(|_| anyhow::anyhow!("the writer panicked"))?
    }
}

impl Appender for Rusqlite {
    async fn append(&self, link: NewLink) -> anyhow::Result<()> {
        let (done, answer) = oneshot::channel();
        self.inbox.send(Job { link, done }).ok().context("the writer has ended")?;
        answer.await.context("the link was not appended")
    }
}

fn write_all(mut connection: Connection, jobs: &Receiver<Job>, workspace: Uuid) -> anyhow::Result<()> {
    while let Ok(first) = jobs.recv() {
        let batch: Vec<Job> = std::iter::once(first).chain(jobs.try_iter().take(MOST_AT_ONCE - 1)).collect();
        let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        for job in &batch {
            write(&transaction, &job.link, workspace)?;
        }
        transaction.commit()?;
        for job in batch {
            // The receiver may have been dropped.
            let _ = job.done.send(());
        }
    }
    Ok(())
}

fn write(transaction: &Transaction<'_>, link: &NewLink, workspace: Uuid) -> anyhow::Result<()> {
    let (item, id, source) = (link.item_id(), link.id(), Source::Inventory.code());
    let mut moving = transaction.prepare_cached(MOVE)?;
    let moved = (&link.asset_id, source, link.at, workspace.as_bytes(), item.as_bytes(), &link.previous);
    let (step, purchase): (i64, [u8; 16]) = moving.query_row(moved, |row| Ok((row.get(0)?, row.get(1)?)))?;
    transaction.prepare_cached(APPEND)?.execute((
        workspace.as_bytes(),
        item.as_bytes(),
        step,
        id.as_bytes(),
        purchase,
        &link.asset_id,
        &link.previous,
        source,
        &link.source_id,
        link.at,
    ))?;
    Ok(())
}
