//! Lists with filters. One index finds the records of a list in its order. What no index finds is looked for in at most
//! [`MOST_LOOKED_AT`] of them, so that a page costs the same however many records there are.

use std::fmt::Write as _;

use sea_orm::Value;
use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::id::Id;
use tradepost_domain::name_search::NameSearch;
use tradepost_domain::time::Timestamp;
use tradepost_ports::store::{MOST_LOOKED_AT, Page, PageRequest, StatusCounts, StoreResult};
use uuid::Uuid;

use crate::rows::{cell, id, uuid};
use crate::sql_text::{has_part, index_hint, one_more};
use crate::store::SqlStore;

/// The order of a list, newest first.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Order {
    /// By id.
    Id,
    /// By the time in a column, from a time on and before another, and then by id.
    Time { column: &'static str, from: Option<i64>, to: Option<i64> },
}

/// Returns a time as lists compare it, to the millisecond.
pub(crate) fn bound(time: Timestamp) -> i64 {
    time.as_micros().div_euclid(1_000).saturating_mul(1_000)
}

/// Which of the found records are read.
struct Limit {
    of_all: String,
    /// The most records of one value.
    of_each: String,
}

impl Limit {
    fn most(most: &str) -> Self {
        Self { of_all: format!("LIMIT {most}"), of_each: most.to_owned() }
    }

    /// The one after this many others.
    fn one_after(others: u32) -> Self {
        Self { of_all: format!("LIMIT 1 OFFSET {others}"), of_each: others.saturating_add(1).to_string() }
    }
}

/// A list with filters.
pub(crate) struct Filtered {
    table: &'static str,
    index: Option<&'static str>,
    order: Order,
    is_sqlite: bool,
    values: Vec<Value>,
    /// What the index finds.
    found: String,
    /// The same, of which a record has one: the index finds each, and the lists of all are merged.
    one_of: Vec<String>,
    /// What is looked for in the records that the index finds.
    rest: String,
    /// The columns that this reads.
    columns: Vec<&'static str>,
}

impl Filtered {
    /// Returns the list of all records of a workspace.
    pub(crate) fn new(table: &'static str, order: Order, scope: WorkspaceScope, is_sqlite: bool) -> Self {
        Self {
            table,
            index: None,
            order,
            is_sqlite,
            values: vec![uuid(scope.workspace_id()).into()],
            found: String::new(),
            one_of: Vec::new(),
            rest: String::new(),
            columns: Vec::new(),
        }
    }

    /// Names the index, which SQLite does not choose well without.
    pub(crate) const fn by_index(&mut self, index: &'static str) {
        self.index = Some(index);
    }

    fn bind(&mut self, value: Value) -> usize {
        self.values.push(value);
        self.values.len()
    }

    /// Narrows the list to a value of a column, which the index finds, or not.
    pub(crate) fn equal(&mut self, is_found: bool, column: &'static str, value: Value) {
        let number = self.bind(value);
        if is_found {
            // Writing into a text cannot fail.
            let _ = write!(self.found, " AND {column} = ${number}");
        } else {
            self.look_for(column, &format!("{column} = ${number}"));
        }
    }

    /// Narrows the list to records that have a value in a column, which the index finds.
    pub(crate) fn present(&mut self, column: &'static str) {
        // Writing into a text cannot fail.
        let _ = write!(self.found, " AND {column} IS NOT NULL");
    }

    /// Narrows the list to the records that a partial index holds, in the words of that index.
    pub(crate) fn held_by_index(&mut self, condition: &'static str) {
        // Writing into a text cannot fail.
        let _ = write!(self.found, " AND {condition}");
    }

    /// Narrows the list to one of several values of a column; to none of them if there is no value.
    pub(crate) fn one_of(&mut self, is_found: bool, column: &'static str, values: impl Iterator<Item = Value>) {
        let numbers: Vec<usize> = values.map(|value| self.bind(value)).collect();
        if numbers.is_empty() {
            return;
        }
        if is_found {
            self.one_of = numbers.iter().map(|number| format!(" AND {column} = ${number}")).collect();
        } else {
            let numbers: Vec<String> = numbers.iter().map(|number| format!("${number}")).collect();
            self.look_for(column, &format!("{column} IN ({})", numbers.join(", ")));
        }
    }

    /// Narrows the list to texts that contain each part of a search.
    pub(crate) fn containing(&mut self, column: &'static str, search: &NameSearch) {
        for part in search.parts() {
            let number = self.bind(part.as_str().into());
            self.look_for(column, &has_part(column, number, self.is_sqlite));
        }
    }

    /// Narrows the list to records of which a time is missing or over.
    pub(crate) fn over(&mut self, column: &'static str, at: Timestamp) {
        let number = self.bind(at.as_micros().into());
        self.look_for(column, &format!("({column} IS NULL OR {column} <= ${number})"));
    }

    /// Narrows the list to records with a time before another.
    pub(crate) fn earlier(&mut self, column: &'static str, than: Timestamp) {
        let number = self.bind(than.as_micros().into());
        self.look_for(column, &format!("{column} < ${number}"));
    }

    /// Narrows the list by a condition that no index finds.
    fn look_for(&mut self, column: &'static str, condition: &str) {
        let and = if self.rest.is_empty() { "" } else { " AND " };
        let _ = write!(self.rest, "{and}{condition}");
        if !self.columns.contains(&column) {
            self.columns.push(column);
        }
    }

    /// Returns the condition of the part of the list that begins after a record.
    fn start<K>(&mut self, before: Option<Id<K>>) -> String {
        match self.order {
            Order::Id => {
                // No id is greater than the greatest: a first page is a page before it, so that both are one statement.
                let before = self.bind(before.map_or(Uuid::max(), uuid).into());
                format!(" AND id < ${before}")
            }
            Order::Time { column, from, to } => {
                // No record has the nil id: a first page begins at the time.
                let before = self.bind(before.map_or(Uuid::nil(), uuid).into());
                let to = self.bind(to.unwrap_or(i64::MAX).into());
                let from = from.map(|from| format!(" AND {column} >= ${}", self.bind(from.into())));
                let table = self.table;
                format!(
                    "{} AND ({column}, id) < (coalesce((SELECT {column} FROM {table} \
                     WHERE workspace_id = $1 AND id = ${before}), ${to}), ${before})",
                    from.unwrap_or_default()
                )
            }
        }
    }

    const fn order(&self) -> &'static str {
        match self.order {
            Order::Id => "id DESC",
            // The second column of every part.
            Order::Time { .. } => "2 DESC, 1 DESC",
        }
    }

    /// Returns columns of the records that the index finds, in the order of the list. SQLite merges the lists of several values as it
    /// reads them. PostgreSQL may sort them instead, so that each list has a limit of its own.
    fn found(&self, columns: &[&str], start: &str, limit: &Limit) -> String {
        let place = match self.order {
            Order::Id => String::new(),
            Order::Time { column, .. } => format!(", {column} AS place"),
        };
        let by = self.index.map(|index| index_hint(index, self.is_sqlite)).unwrap_or_default();
        let more: String = columns.iter().map(|column| format!(", {column}")).collect();
        let part = |one: &str| {
            let (table, found) = (self.table, &self.found);
            format!("SELECT id{place}{more} FROM {table}{by} WHERE workspace_id = $1{found}{one}{start}")
        };
        let parts = match self.one_of.as_slice() {
            [] => part(""),
            [one] => part(one),
            values if self.is_sqlite => values.iter().map(|one| part(one)).collect::<Vec<_>>().join(" UNION ALL "),
            values => {
                let (order, most) = (self.order(), &limit.of_each);
                let part = |one| format!("SELECT * FROM ({} ORDER BY {order} LIMIT {most}) AS one", part(one));
                values.iter().map(|one| part(one)).collect::<Vec<_>>().join(" UNION ALL ")
            }
        };
        format!("{parts} ORDER BY {} {}", self.order(), limit.of_all)
    }

    /// Returns the statement of a page: ids, and 1 with the last record that was looked at if there may be further ones.
    fn page_statement<K>(&mut self, page: &PageRequest<K>) -> String {
        let start = self.start(page.before);
        let limit = self.bind(one_more(page.limit));
        if self.rest.is_empty() {
            return self.found(&[], &start, &Limit::most(&format!("${limit}")));
        }
        let looked_at = self.found(&self.columns, &start, &Limit::most(&MOST_LOOKED_AT.to_string()));
        let last = self.found(&[], &start, &Limit::one_after(MOST_LOOKED_AT - 1));
        format!(
            "SELECT * FROM (SELECT id, 0 AS is_last FROM ({looked_at}) AS looked_at WHERE {} LIMIT ${limit}) AS met \
             UNION ALL SELECT * FROM (SELECT id, 1 FROM ({last}) AS found) AS last",
            self.rest
        )
    }

    /// Returns the statement of the counts by status; -1 if there are further records.
    fn count_statement(&mut self) -> String {
        let start = self.start::<()>(None);
        let met =
            if self.rest.is_empty() { "1".to_owned() } else { format!("CASE WHEN {} THEN 1 ELSE 0 END", self.rest) };
        let mut columns = self.columns.clone();
        if !columns.contains(&"status") {
            columns.push("status");
        }
        let looked_at = self.found(&columns, &start, &Limit::most(&MOST_LOOKED_AT.to_string()));
        let next = self.found(&[], &start, &Limit::one_after(MOST_LOOKED_AT));
        format!(
            "SELECT CAST(status AS bigint), CAST(sum({met}) AS bigint) FROM ({looked_at}) AS looked_at GROUP BY status \
             UNION ALL SELECT * FROM (SELECT CAST(-1 AS bigint), CAST(1 AS bigint) FROM ({next}) AS found) AS further"
        )
    }
}

impl SqlStore {
    /// Returns a page of a list with filters.
    pub(crate) async fn filtered_page<K>(&self, mut list: Filtered, page: PageRequest<K>) -> StoreResult<Page<K>> {
        let text = list.page_statement(&page);
        if list.rest.is_empty() {
            return self.page_of(&text, list.values, page.limit).await;
        }
        let (mut ids, mut looked_to) = (Vec::new(), None);
        for row in self.rows(&text, list.values).await? {
            let found = id(cell::<Uuid>(&row, 0)?);
            if cell::<i32>(&row, 1)? == 0 { ids.push(found) } else { looked_to = Some(found) }
        }
        Ok(match looked_to {
            Some(seen) if ids.len() <= page.limit as usize => Page::short(ids, seen),
            Some(_) | None => Page::of(ids, page.limit),
        })
    }

    /// Returns how many records of a list with filters are in each status.
    pub(crate) async fn filtered_counts(&self, mut list: Filtered) -> StoreResult<StatusCounts> {
        let text = list.count_statement();
        let mut found = StatusCounts { counts: Vec::new(), truncated: false };
        for row in self.rows(&text, list.values).await? {
            match i16::try_from(cell::<i64>(&row, 0)?) {
                Ok(status @ 0..) => found.counts.push((status, cell(&row, 1)?)),
                Ok(_) | Err(_) => found.truncated = true,
            }
        }
        Ok(found)
    }
}
