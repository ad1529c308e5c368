//! Clearing away what is over: one statement deletes a bounded number of rows, the oldest first, found by an index.

use sea_orm::Value;
use sqlx::{Connection as _, PgConnection};
use tradepost_domain::accounts::email_link::CONFIRMABLE_FOR;
use tradepost_domain::accounts::session::SessionLife;
use tradepost_domain::accounts::step_up::CHALLENGE_LIFE;
use tradepost_domain::accounts::usage::KEPT_FOR;
use tradepost_domain::accounts::{account_link, guesses};
use tradepost_domain::contracts::evaluation::Decision;
use tradepost_domain::events::webhook_delivery;
use tradepost_domain::idempotency::LIFE;
use tradepost_domain::markets::observation;
use tradepost_domain::markets::price_history::hour_of;
use tradepost_domain::time::Timestamp;
use tradepost_domain::trading::chat;
use tradepost_domain::transition::PLACES_KEPT_FOR;
use tradepost_ports::store::{Aged, ClearingTurn, ReadingTurn, StoreError, StoreResult, Worlds};

use crate::settings::{DatabaseSettings, PostgresSettings};
use crate::sql_text::in_worlds;
use crate::store::SqlStore;

/// The lock of the session that clears. The server gives it back when the connection ends, however it ends.
const TURN: &str = "SELECT pg_try_advisory_lock(hashtext('tradepost_clearing'))";
/// The lock of the session that reads price sources.
const READING: &str = "SELECT pg_try_advisory_lock(hashtext('tradepost_reading_prices'))";
/// Lets the server notice within 30 s that the machine of a session is lost. It would keep the session and its lock for two hours otherwise.
const NOTICED: &str = ", set_config('tcp_keepalives_idle', '15', false), \
    set_config('tcp_keepalives_interval', '5', false), set_config('tcp_keepalives_count', '3', false)";

/// What is looked at of a backlog at most: beyond it there is too much anyway.
pub(crate) const MOST_COUNTED: i64 = 100_000;
/// The first positions of changes that are looked at: no index has them by the times of their changes.
const FIRST_PLACES: i64 = 20_000;
/// Of each kind of record of a workspace the last old position stays.
const OVERDUE_PLACES: &str = "SELECT CAST(coalesce(sum(n - 1), 0) AS bigint) FROM (SELECT count(*) AS n FROM \
    (SELECT p.workspace_id, p.subject_kind, coalesce(t.logged_at, t.at) AS at FROM transition_places AS p \
    JOIN transitions AS t ON t.workspace_id = p.workspace_id AND t.subject_kind = p.subject_kind AND t.id = p.transition_id \
    WHERE p.position > 0 ORDER BY p.position LIMIT $1) AS oldest WHERE at < $2 GROUP BY workspace_id, subject_kind) AS of_kind";

/// Rows that should have been cleared away before a time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Backlog {
    /// The table.
    pub table: &'static str,
    /// How many there are, 100,000 at most.
    pub overdue: i64,
}

/// Rows of a table of which some are due.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Due {
    pub(crate) table: &'static str,
    /// What a row is found by in its table.
    pub(crate) key: &'static str,
    /// Which rows, with `$1` for a number, in the order of the index that finds them.
    pub(crate) which: &'static str,
}

pub(crate) const EXECUTIONS: Due =
    Due { table: "executions", key: "id", which: "created_at <= $1 ORDER BY created_at" };
pub(crate) const ANSWERS: Due =
    Due { table: "executions", key: "id", which: "kept_until <= $1 AND sealed IS NOT NULL ORDER BY kept_until" };
pub(crate) const USAGE_COUNTS: Due =
    Due { table: "usage_counts", key: "workspace_id, minute, key_id, operation", which: "minute < $1 ORDER BY minute" };

impl Due {
    const fn begun(table: &'static str, key: &'static str) -> Self {
        Self { table, key, which: "created_at < $1 ORDER BY created_at" }
    }

    const fn of(what: Aged) -> Self {
        match what {
            Aged::Sessions => Self::begun("sessions", "user_id, id"),
            Aged::PendingSignIns => Self::begun("pending_sign_ins", "id"),
            Aged::Challenges => Self::begun("challenges", "user_id, id"),
            Aged::CodeGuesses => {
                Self { table: "code_guesses", key: "user_id, guesser", which: "since < $1 ORDER BY since" }
            }
            Aged::EmailLinks => Self::begun("email_links", "user_id, purpose"),
            Aged::AccountLinks => Self::begun("account_links", "id"),
            Aged::DoneDeliveries => Self {
                table: "webhook_deliveries",
                key: "workspace_id, id",
                which: "state IN (2, 4) AND done_at < $1 ORDER BY done_at",
            },
            Aged::Deliveries => Self::begun("webhook_deliveries", "workspace_id, id"),
            Aged::AlertMessages => Self::begun("alert_messages", "workspace_id, id"),
            Aged::ChatMessages => Self::begun("chat_messages", "workspace_id, id"),
            Aged::ChatTexts => Self {
                table: "workspace_secrets",
                key: "workspace_id, id",
                which: "of_table = 'chat_messages' AND updated_at < $1 ORDER BY updated_at",
            },
            Aged::SpentAnswers => {
                Self { table: "spent_answers", key: "digest", which: "spent_at < $1 ORDER BY spent_at" }
            }
        }
    }

    /// How many rows are due, some at most.
    fn count(self) -> String {
        let which = self.which.split(" ORDER BY").next().unwrap_or(self.which);
        format!("SELECT count(*) FROM (SELECT 1 FROM {} WHERE {which} LIMIT {MOST_COUNTED}) due", self.table)
    }

    /// The condition of a statement on the table that is about the rows that are due, `$2` of them at most. PostgreSQL goes to their
    /// places at once: it could take the table as a whole otherwise, when many are due.
    fn condition(self, is_sqlite: bool) -> String {
        let Self { table, key, which } = self;
        if is_sqlite {
            format!("({key}) IN (SELECT {key} FROM {table} WHERE {which} LIMIT $2)")
        } else {
            format!("ctid = ANY(ARRAY(SELECT ctid FROM {table} WHERE {which} LIMIT $2))")
        }
    }
}

impl SqlStore {
    /// What was due to be cleared away by a time and is still there. Answers at once, however much it is.
    ///
    /// Sessions are due after the longest life that a setting can give them. What follows the time of a simulated market is left out, because
    /// only a process that trades in it knows that time. Of the positions of changes the first 20,000 are looked at.
    ///
    /// # Errors
    /// [`StoreError`] when the database fails.
    pub async fn clearing_backlog(&self, by: Timestamp) -> StoreResult<Vec<Backlog>> {
        let due = [
            (EXECUTIONS, by.plus(-LIFE).as_micros()),
            (ANSWERS, by.as_micros()),
            (USAGE_COUNTS, by.plus(-KEPT_FOR).as_micros().div_euclid(60_000_000)),
        ];
        let aged = [
            (Aged::PendingSignIns, CHALLENGE_LIFE),
            (Aged::Challenges, CHALLENGE_LIFE),
            (Aged::CodeGuesses, guesses::DAY),
            (Aged::AccountLinks, account_link::LIFE),
            (Aged::DoneDeliveries, webhook_delivery::DONE_KEPT_FOR),
            (Aged::Deliveries, webhook_delivery::KEPT_FOR),
            (Aged::AlertMessages, webhook_delivery::KEPT_FOR),
            (Aged::ChatMessages, chat::KEPT_FOR),
            (Aged::ChatTexts, chat::KEPT_FOR),
            (Aged::Sessions, SessionLife::LONGEST),
            (Aged::EmailLinks, CONFIRMABLE_FOR),
            (Aged::SpentAnswers, account_link::ANSWERS_KEPT_FOR),
        ]
        .map(|(what, life)| (Due::of(what), by.plus(-life).as_micros()));
        let mut backlogs = Vec::new();
        for (due, by) in due.into_iter().chain(aged) {
            let overdue = self.number(&due.count(), vec![by.into()]).await?;
            backlogs.push(Backlog { table: due.table, overdue });
        }
        backlogs.push(Backlog { table: "evaluations", overdue: self.overdue_evaluations(by).await? });
        backlogs.push(Backlog { table: "market_observations", overdue: self.overdue_observations(by).await? });
        backlogs.push(Backlog { table: "transition_places", overdue: self.overdue_places(by).await? });
        backlogs.retain(|backlog| backlog.overdue > 0);
        Ok(backlogs)
    }

    async fn overdue_evaluations(&self, by: Timestamp) -> StoreResult<i64> {
        let mut overdue = 0_i64;
        for decision in Decision::ALL {
            let before = by.plus(-decision.kept_for());
            let mut values: Vec<Value> = vec![decision.code().into(), before.as_micros().into()];
            let worlds = in_worlds("workspace_id", Worlds::Real, &mut values);
            let text = format!(
                "SELECT count(*) FROM (SELECT 1 FROM evaluations{{by}} WHERE decision = $1 AND at < $2{worlds} \
                 LIMIT {MOST_COUNTED}) due"
            );
            let counted = self.number(&self.by_index(&text, "evaluations_age"), values).await?;
            overdue = overdue.saturating_add(counted);
        }
        Ok(overdue.min(MOST_COUNTED))
    }

    /// By hours, as they are deleted: an hour is counted as a whole until nothing of it is left.
    async fn overdue_observations(&self, by: Timestamp) -> StoreResult<i64> {
        let mut values: Vec<Value> = vec![hour_of(by.plus(-observation::KEPT_FOR)).into()];
        let worlds = in_worlds("workspace_id", Worlds::Real, &mut values);
        let text = format!(
            "SELECT CAST(coalesce(sum(n), 0) AS bigint) FROM (SELECT n FROM market_counts{{by}} WHERE hour < $1{worlds} \
             LIMIT {MOST_COUNTED}) due"
        );
        Ok(self.number(&self.by_index(&text, "market_counts_hour"), values).await?.min(MOST_COUNTED))
    }

    async fn overdue_places(&self, by: Timestamp) -> StoreResult<i64> {
        let before = by.plus(-PLACES_KEPT_FOR).as_micros();
        self.number(OVERDUE_PLACES, vec![FIRST_PLACES.into(), before.into()]).await
    }

    /// Deletes rows that are due; how many they were.
    pub(crate) async fn delete_due(&self, due: Due, by: i64, most: u32) -> StoreResult<u64> {
        let sql = format!("DELETE FROM {} WHERE {}", due.table, due.condition(self.is_sqlite()));
        self.write(&sql, bounds(by, most)).await
    }

    /// Changes rows that are due; how many they were.
    pub(crate) async fn update_due(&self, due: Due, change: &str, by: i64, most: u32) -> StoreResult<u64> {
        let sql = format!("UPDATE {} SET {change} WHERE {}", due.table, due.condition(self.is_sqlite()));
        self.write(&sql, bounds(by, most)).await
    }

    pub(crate) async fn delete_aged(&self, what: Aged, before: Timestamp, most: u32) -> StoreResult<u64> {
        self.delete_due(Due::of(what), before.as_micros(), most).await
    }

    /// Takes the right to clear. A SQLite file is served by one process, in which one task clears at a time.
    pub(crate) async fn take_clearing_turn(&self) -> StoreResult<Option<ClearingTurn>> {
        match &self.settings {
            DatabaseSettings::Sqlite(_) => Ok(self.clearing.clone().try_lock_owned().ok().map(ClearingTurn::held_by)),
            DatabaseSettings::Postgres(settings) => Ok(lock(settings, TURN).await?.map(ClearingTurn::held_by)),
        }
    }

    /// Takes the right to read the price sources, in the same way.
    pub(crate) async fn take_reading_turn(&self) -> StoreResult<Option<ReadingTurn>> {
        match &self.settings {
            DatabaseSettings::Sqlite(_) => Ok(self.reading.clone().try_lock_owned().ok().map(ReadingTurn::held_by)),
            DatabaseSettings::Postgres(settings) => Ok(lock(settings, READING).await?.map(ReadingTurn::held_by)),
        }
    }
}

/// The connection that has a lock, if no other one has it.
async fn lock(settings: &PostgresSettings, turn: &'static str) -> StoreResult<Option<PgConnection>> {
    let unreachable = |error: sqlx::Error| StoreError::Unavailable(error.to_string());
    // Not of the pool: the lock is the connection's, and goes with it.
    let mut connection = settings.of_sessions().address()?.find().await?.connection;
    let asked = sqlx::AssertSqlSafe(format!("{turn}{NOTICED}"));
    let is_ours: bool = sqlx::query_scalar(asked).fetch_one(&mut connection).await.map_err(unreachable)?;
    if is_ours {
        return Ok(Some(connection));
    }
    connection.close().await.map_err(unreachable)?;
    Ok(None)
}

fn bounds(by: i64, most: u32) -> Vec<Value> {
    vec![by.into(), i64::from(most).into()]
}
