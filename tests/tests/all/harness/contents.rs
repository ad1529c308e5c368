//! Everything that is in a database, read separately from the server.

use std::collections::BTreeMap;

use sea_orm::{ConnectionTrait as _, DatabaseConnection, DbBackend, QueryResult, Statement};

use super::Place;

/// Tables of what is made behind the calls: when keys and sessions were last used, how often, what processes count, the chain of the
/// audit log, the positions of status changes, how far webhooks and alerts have followed
/// them, the prices of hours, and daily marks of equity.
const BEHIND_THE_CALLS: [&str; 16] = [
    "market_candles",
    "market_formed",
    "alert_progress",
    "api_key_uses",
    "audit_chain",
    "audit_heads",
    "audit_waiting",
    "equity_marks",
    "nodes",
    "rate_limits",
    "session_uses",
    "trading_processes",
    "transition_places",
    "transitions_waiting",
    "usage_counts",
    "webhook_progress",
];

/// An event of the audit log, as stored.
#[derive(Debug)]
pub(crate) struct Audited {
    pub(crate) kind: String,
    /// 1 for a workspace's log, 2 for a user's, 3 for one of no user.
    pub(crate) home: i16,
    pub(crate) client: String,
    pub(crate) details: String,
}

/// Reads all tables in one statement, which is asked often.
#[derive(Debug)]
pub(crate) struct Reader {
    connection: DatabaseConnection,
    every_row: String,
}

impl Reader {
    pub(crate) async fn of(place: &Place) -> Self {
        let connection = place.connect().await;
        let every_row = every_row(&connection).await;
        Self { connection, every_row }
    }

    /// Every row of every table, as text, once the mails are sent; apart from what is made behind the calls.
    pub(crate) async fn contents(&self) -> BTreeMap<String, Vec<String>> {
        while !rows(&self.connection, "SELECT 1 FROM outgoing_mails LIMIT 1").await.is_empty() {
            tokio::task::yield_now().await;
        }
        let mut contents = BTreeMap::<String, Vec<String>>::new();
        for row in rows(&self.connection, &self.every_row).await {
            contents.entry(text(&row, "name")).or_default().extend(row.try_get::<Option<String>>("", "line").unwrap());
        }
        contents.values_mut().for_each(|rows| rows.sort());
        assert!(contents.len() > 15, "found only the tables {:?}", contents.keys());
        contents
    }

    /// Every event of the audit log, in the order in which they were made.
    pub(crate) async fn audited(&self) -> Vec<Audited> {
        let select = "SELECT kind, home, coalesce(client, '') AS client, details FROM audit_events ORDER BY id";
        let event = |row: &QueryResult| Audited {
            kind: text(row, "kind"),
            home: row.try_get("", "home").unwrap(),
            client: text(row, "client"),
            details: text(row, "details"),
        };
        rows(&self.connection, select).await.iter().map(event).collect()
    }
}

/// The statement that gives each row with the name of its table, and each table once more with no row, so that an empty one is there.
async fn every_row(connection: &DatabaseConnection) -> String {
    let tables = match connection.get_database_backend() {
        DbBackend::Sqlite => {
            "SELECT m.name AS name, group_concat('quote(' || c.name || ')', ' || '' '' || ') AS line \
             FROM sqlite_master AS m JOIN pragma_table_info(m.name) AS c WHERE m.type = 'table' GROUP BY m.name"
        }
        _ => "SELECT tablename::text AS name, tablename || '::text' AS line FROM pg_tables WHERE schemaname = 'public'",
    };
    let tables = rows(connection, tables).await;
    let tables = tables.iter().map(|row| (text(row, "name"), text(row, "line")));
    let of_each = tables.filter(|(name, _)| !BEHIND_THE_CALLS.contains(&name.as_str())).map(|(name, line)| {
        format!("SELECT '{name}' AS name, {line} AS line FROM {name} UNION ALL SELECT '{name}', NULL")
    });
    of_each.collect::<Vec<_>>().join(" UNION ALL ")
}

async fn rows(connection: &DatabaseConnection, sql: &str) -> Vec<QueryResult> {
    connection.query_all_raw(Statement::from_string(connection.get_database_backend(), sql)).await.unwrap()
}

fn text(row: &QueryResult, column: &str) -> String {
    row.try_get("", column).unwrap()
}
