//! Copying a table, and comparing it afterwards.

use futures::TryStreamExt as _;
use futures::stream::BoxStream;
use sqlx::postgres::{PgConnection, PgCopyIn};
use sqlx::sqlite::SqliteRow;
use tradepost_ports::store::StoreResult;

use super::MoveError;
use super::source::Source;
use super::state::{State, States, rows_of};
use super::table::MovedTable;
use super::target::{Target, failed};
use super::tuple::{HEADER, TRAILER, Tuples, append};

/// Bytes that one commit copies, at least.
const CHUNK: usize = 4 * 1_024 * 1_024;
/// Bytes that are sent at once, at least.
const SENT: usize = 256 * 1_024;

/// Copies what is left of the tables. After each chunk `copied` is called with the rows that are in the new database.
pub(super) async fn copy(
    source: &mut Source,
    target: &mut Target,
    tables: &[MovedTable],
    states: &mut States,
    mut copied: impl FnMut(u64) + Send,
) -> Result<(), MoveError> {
    let mut all = rows_of(states);
    for table in tables {
        let state = states.entry(table.name.clone()).or_default();
        if state.is_done {
            continue;
        }
        let mut rows = source.rows(table, state.rows);
        while !state.is_done {
            let before = state.rows;
            copy_chunk(&mut rows, target, table, state).await?;
            all += state.rows - before;
            copied(all);
        }
    }
    Ok(())
}

async fn copy_chunk(
    rows: &mut BoxStream<'_, StoreResult<SqliteRow>>,
    target: &mut Target,
    table: &MovedTable,
    state: &mut State,
) -> Result<(), MoveError> {
    let mut chunk = target.begin_chunk().await?;
    let mut copying = chunk.copy_in(table).await?;
    fill(&mut copying, rows, table, state).await?;
    copying.finish().await.map_err(failed)?;
    chunk.commit(table, state).await
}

/// Sends rows until they are a chunk or the last ones.
async fn fill(
    copying: &mut PgCopyIn<&mut PgConnection>,
    rows: &mut BoxStream<'_, StoreResult<SqliteRow>>,
    table: &MovedTable,
    state: &mut State,
) -> Result<(), MoveError> {
    let (mut bytes, mut sent) = (HEADER.to_vec(), 0);
    while sent < CHUNK && !state.is_done {
        match rows.try_next().await.map_err(MoveError::Source)? {
            Some(row) => {
                let begin = bytes.len();
                append(&mut bytes, &row, table).map_err(MoveError::Source)?;
                state.add(bytes.get(begin..).unwrap_or_default());
            }
            None => state.is_done = true,
        }
        if bytes.len() >= SENT {
            sent += bytes.len();
            copying.send(std::mem::take(&mut bytes)).await.map_err(failed)?;
        }
    }
    bytes.extend_from_slice(&TRAILER);
    copying.send(bytes).await.map_err(failed)?;
    Ok(())
}

/// Checks that the tables of the file still hold what was copied.
pub(super) async fn check_source(source: &mut Source, states: &States, tables: &[MovedTable]) -> Result<(), MoveError> {
    let mut tuple = Vec::new();
    for table in tables {
        let mut found = State { is_done: true, ..State::default() };
        let mut rows = source.rows(table, 0);
        while let Some(row) = rows.try_next().await.map_err(MoveError::Source)? {
            tuple.clear();
            append(&mut tuple, &row, table).map_err(MoveError::Source)?;
            found.add(&tuple);
        }
        if states.get(&table.name) != Some(&found) {
            return Err(MoveError::SourceChanged(table.name.clone()));
        }
    }
    Ok(())
}

/// Checks that the tables of the new database hold what was copied. After each table `compared` is called with its rows.
pub(super) async fn compare(
    target: &mut Target,
    states: &States,
    tables: &[MovedTable],
    compared: impl Fn(u64) + Send,
) -> Result<(), MoveError> {
    for table in tables {
        let mut found = State { is_done: true, ..State::default() };
        let mut tuples = Tuples::default();
        let mut sent = target.copy_out(table).await?;
        while let Some(bytes) = sent.try_next().await.map_err(failed)? {
            tuples.take(bytes.as_ref(), |tuple| found.add(tuple));
        }
        if states.get(&table.name) != Some(&found) || !tuples.is_ended() {
            return Err(MoveError::Differs(table.name.clone()));
        }
        compared(found.rows);
    }
    Ok(())
}
