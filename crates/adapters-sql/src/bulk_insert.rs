//! Writing many rows of one table at once, in as few statements as the database takes, whose texts are few.

use std::fmt::Write as _;

use sea_orm::{ConnectionTrait, DbBackend, DbErr, QueryResult, Statement, Value};

/// Most rows of a statement on SQLite. Fewer are written by statements of half as many, and half of that, so that the texts
/// that are prepared stay few.
const MOST_ROWS: usize = 256;
/// Separates the values of a column. No text of the domain holds control characters.
const BETWEEN: char = '\u{1f}';
/// Represents NULL, and an empty text.
const NOTHING: char = '\u{1e}';

/// How a column is sent to PostgreSQL.
#[derive(Debug, Clone, Copy)]
pub(crate) enum PgEncoding {
    Id,
    Number,
    Code,
    Text,
    /// A text that may be empty, and never NULL.
    MaybeEmpty,
}

impl PgEncoding {
    const fn kind(self) -> &'static str {
        match self {
            Self::Id => "uuid",
            Self::Number => "bigint",
            Self::Code => "smallint",
            Self::Text | Self::MaybeEmpty => "text",
        }
    }
}

/// An `INSERT` of any number of rows.
pub(crate) struct Insert {
    /// The table, with an alias if the end needs one.
    pub(crate) table: &'static str,
    /// The columns in the order of the values.
    pub(crate) columns: &'static [(&'static str, PgEncoding)],
    /// What happens to rows that are there, and what is answered.
    pub(crate) end: &'static str,
}

impl Insert {
    /// Writes rows, of which no two are the same, and gives what the end answers.
    pub(crate) async fn write(
        &self,
        db: &impl ConnectionTrait,
        rows: Vec<Vec<Value>>,
    ) -> Result<Vec<QueryResult>, DbErr> {
        if rows.is_empty() {
            return Ok(Vec::new());
        }
        let backend = db.get_database_backend();
        if backend == DbBackend::Sqlite {
            return self.on_sqlite(db, rows).await;
        }
        let statement = Statement::from_sql_and_values(backend, self.postgres_text(), self.by_column(&rows));
        db.query_all_raw(statement).await
    }

    async fn on_sqlite(&self, db: &impl ConnectionTrait, rows: Vec<Vec<Value>>) -> Result<Vec<QueryResult>, DbErr> {
        let (mut answers, mut left) = (Vec::new(), rows.len());
        let mut rows = rows.into_iter();
        while left > 0 {
            let some = MOST_ROWS.min(1 << left.ilog2());
            let values: Vec<Value> = rows.by_ref().take(some).flatten().collect();
            let statement = Statement::from_sql_and_values(DbBackend::Sqlite, self.sqlite_text(some), values);
            answers.extend(db.query_all_raw(statement).await?);
            left -= some;
        }
        Ok(answers)
    }

    fn names(&self) -> String {
        self.columns.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(", ")
    }

    fn sqlite_text(&self, rows: usize) -> String {
        let row = format!("({})", vec!["?"; self.columns.len()].join(", "));
        format!("INSERT INTO {} ({}) VALUES {} {}", self.table, self.names(), vec![row; rows].join(", "), self.end)
    }

    /// One array a column: two thousand values as parameters of their own take longer to send than to write.
    fn postgres_text(&self) -> String {
        let array = |number: usize, sent: PgEncoding| {
            format!("string_to_array(${number}, E'\\x1f', E'\\x1e')::{}[]", sent.kind())
        };
        let arrays: Vec<String> = (1..).zip(self.columns).map(|(number, (_, sent))| array(number, *sent)).collect();
        let value = |name: &str, sent: PgEncoding| match sent {
            PgEncoding::MaybeEmpty => format!("coalesce({name}, '')"),
            PgEncoding::Id | PgEncoding::Number | PgEncoding::Code | PgEncoding::Text => name.to_owned(),
        };
        let values: Vec<String> = self.columns.iter().map(|(name, sent)| value(name, *sent)).collect();
        let (names, arrays, values) = (self.names(), arrays.join(", "), values.join(", "));
        format!(
            "INSERT INTO {} ({names}) SELECT {values} FROM unnest({arrays}) AS given ({names}) {}",
            self.table, self.end
        )
    }

    fn by_column(&self, rows: &[Vec<Value>]) -> Vec<Value> {
        let column = |position: usize| {
            let mut text = String::new();
            for (number, row) in rows.iter().enumerate() {
                if number > 0 {
                    text.push(BETWEEN);
                }
                write_value(&mut text, row.get(position));
            }
            text.into()
        };
        (0..self.columns.len()).map(column).collect()
    }
}

fn write_value(text: &mut String, value: Option<&Value>) {
    // Writing to a text cannot fail.
    if let Some(Value::Uuid(Some(id))) = value {
        let _ = write!(text, "{}", id.simple());
    } else if let Some(Value::BigInt(Some(number))) = value {
        let _ = write!(text, "{number}");
    } else if let Some(Value::SmallInt(Some(number))) = value {
        let _ = write!(text, "{number}");
    } else if let Some(Value::String(Some(given))) = value
        && !given.is_empty()
    {
        text.push_str(given);
    } else {
        text.push(NOTHING);
    }
}
