//! tokio-postgres by hand: the statement that the product sends, prepared on as many connections as the product has.

use std::sync::atomic::{AtomicUsize, Ordering};

use anyhow::Context as _;
use tokio::sync::Mutex;
use tokio_postgres::types::ToSql;
use tokio_postgres::{Client, Statement};
use tradepost_ports::changes::VersionGuard;
use tradepost_ports::record::Kind;
use uuid::Uuid;

use super::{Appender, NewLink};
use crate::load;

/// The product's default.
const CONNECTIONS: u32 = 16;

/// Connections, each with the prepared statement.
pub(crate) struct TokioPostgres {
    connections: Vec<Mutex<(Client, Statement)>>,
    next: AtomicUsize,
    workspace: Uuid,
    guards: Vec<(Option<Uuid>, Uuid, i64)>,
}

impl TokioPostgres {
    /// # Errors
    /// When the statement takes other values than those that an append with these guards has.
    pub(crate) async fn connect(
        url: &str,
        statement: &str,
        guards: &[VersionGuard],
        workspace: Uuid,
    ) -> anyhow::Result<Self> {
        let mut connections = Vec::new();
        for _ in 0..CONNECTIONS {
            let client = load::connect(url).await?;
            let prepared = client.prepare(statement).await?;
            connections.push(Mutex::new((client, prepared)));
        }
        let guards = guards.iter().map(|stamp| {
            let (home, key) = (Uuid::from_bytes(stamp.address.home), Uuid::from_bytes(stamp.address.key));
            ((stamp.address.kind != Kind::User).then_some(home), key, stamp.version)
        });
        Ok(Self { connections, next: AtomicUsize::new(0), workspace, guards: guards.collect() })
    }
}

impl Appender for TokioPostgres {
    async fn append(&self, link: NewLink) -> anyhow::Result<()> {
        let (item, id) = (link.item_id(), link.id());
        let mut values: Vec<&(dyn ToSql + Sync)> = Vec::new();
        for (home, key, version) in &self.guards {
            if let Some(home) = home {
                values.push(home);
            }
            values.push(key);
            values.push(version);
        }
        values.push(&self.workspace);
        values.push(&item);
        values.push(&id);
        values.push(&link.asset_id);
        values.push(&link.source_id);
        values.push(&link.at);
        let turn = self.next.fetch_add(1, Ordering::Relaxed) % self.connections.len();
        let (client, statement) = &*self.connections.get(turn).context("no such connection")?.lock().await;
        let rows = client.query(statement, &values).await?;
        anyhow::ensure!(rows.len() == 1, "the statement appended nothing");
        Ok(())
    }
}
