//! Makes and fills PostgreSQL databases: by COPY. The caller has made the schema.

use std::fmt::Write as _;
use std::pin::pin;

use anyhow::Context as _;
use axum::body::Bytes;
use futures::SinkExt as _;
use tokio_postgres::Client;
use uuid::Uuid;

use super::{Database, connect};
use crate::data::{Cell, ITEMS, Item, LINKS, PURCHASES, Purchase, Table, counters};

/// Text that is sent at once.
const CHUNK_BYTES: usize = 256 * 1_024;

/// The URL of a database of the server.
pub(crate) fn url_of(administrator: &str, name: &str) -> anyhow::Result<String> {
    let (server, _) = administrator.rsplit_once('/').context("a PostgreSQL URL ends with /DATABASE")?;
    Ok(format!("{server}/{name}"))
}

pub(super) async fn exists(administrator: &str, name: &str) -> anyhow::Result<bool> {
    let client = connect(administrator).await?;
    Ok(client.query_opt("SELECT 1 FROM pg_database WHERE datname = $1", &[&name]).await?.is_some())
}

/// Creates a database, in place of one of that name, as a copy of another one where that is given.
pub(crate) async fn create(administrator: &str, name: &str, template: Option<&str>) -> anyhow::Result<()> {
    let client = connect(administrator).await?;
    client.batch_execute(&format!("DROP DATABASE IF EXISTS {name} WITH (FORCE)")).await?;
    let template = template.map_or_else(String::new, |template| format!(" TEMPLATE {template}"));
    client.batch_execute(&format!("CREATE DATABASE {name}{template}")).await?;
    Ok(())
}

pub(super) async fn fill(database: &Database) -> anyhow::Result<()> {
    let (sizes, workspace) = (database.sizes, database.workspace);
    let client = connect(&database.url).await?;
    copy(&client, &PURCHASES, (0..sizes.purchases).map(|number| Purchase::new(number).row(workspace))).await?;
    copy(&client, &ITEMS, (0..sizes.items()).map(|number| Item::new(number).row(workspace))).await?;
    let items = (0..sizes.items()).map(Item::new).collect::<Vec<_>>();
    copy(&client, &LINKS, items.iter().flat_map(|item| item.link_rows(workspace))).await?;
    let count = client
        .prepare(
            "INSERT INTO record_counts (workspace_id, kind, contract_id, status, slot, n) \
             VALUES ($1, $2::bigint, $3, $4::bigint, 0, $5)",
        )
        .await?;
    for ((kind, contract, status), n) in counters(sizes) {
        client.execute(&count, &[&workspace, &kind, &contract.unwrap_or(Uuid::nil()), &status, &n]).await?;
    }
    // What autovacuum would do at some moment of its own choice.
    client.batch_execute("VACUUM (ANALYZE)").await?;
    client.batch_execute("CHECKPOINT").await?;
    Ok(())
}

pub(crate) async fn copy(client: &Client, table: &Table, rows: impl Iterator<Item = Vec<Cell>>) -> anyhow::Result<()> {
    let text = format!("COPY {} ({}) FROM STDIN", table.name, table.columns.join(", "));
    let mut sink = pin!(client.copy_in::<_, Bytes>(&text).await?);
    let mut chunk = String::with_capacity(CHUNK_BYTES * 2);
    for row in rows {
        write_row(&mut chunk, &row);
        if chunk.len() >= CHUNK_BYTES {
            sink.send(Bytes::from(std::mem::take(&mut chunk))).await?;
        }
    }
    sink.send(Bytes::from(chunk)).await?;
    sink.finish().await?;
    Ok(())
}

/// A line of COPY's text format. No value has a character that would have to be escaped.
fn write_row(chunk: &mut String, row: &[Cell]) {
    for (position, cell) in row.iter().enumerate() {
        if position > 0 {
            chunk.push('\t');
        }
        // Writing to a string cannot fail.
        let _ = match cell {
            Cell::Id(id) => write!(chunk, "{id}"),
            Cell::Text(text) => write!(chunk, "{text}"),
            Cell::Number(number) => write!(chunk, "{number}"),
            Cell::Nothing => write!(chunk, "\\N"),
        };
    }
    chunk.push('\n');
}
