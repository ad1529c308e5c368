//! The tables that are moved, as both databases describe them.

use std::collections::BTreeMap;

use tradepost_ports::store::StoreError;

use super::MoveError;

/// A table of both databases.
#[derive(Debug, Clone)]
pub(super) struct MovedTable {
    pub(super) name: String,
    /// The columns that are copied, in one order for both.
    pub(super) columns: Vec<MovedColumn>,
    /// `SELECT` of all rows of the file, in the order of its key.
    pub(super) select: String,
}

/// A column of PostgreSQL.
#[derive(Debug, Clone)]
pub(super) struct MovedColumn {
    pub(super) name: String,
    pub(super) form: Form,
}

/// How the values of a column are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    SmallInt,
    Integer,
    BigInt,
    Boolean,
    Text,
    Uuid,
    Bytes,
}

impl Form {
    /// The form of a type, by the name that `information_schema` has for it.
    pub(super) fn of_type(name: &str) -> Option<Self> {
        match name {
            "smallint" => Some(Self::SmallInt),
            "integer" => Some(Self::Integer),
            "bigint" => Some(Self::BigInt),
            "boolean" => Some(Self::Boolean),
            "text" => Some(Self::Text),
            "uuid" => Some(Self::Uuid),
            "bytea" => Some(Self::Bytes),
            _ => None,
        }
    }
}

/// Columns that PostgreSQL alone has, and what they begin with. What it needs only while a statement runs begins as NULL.
const ADDED: [(&str, &str, &str); 2] =
    [("record_counts", "slot", "0"), ("inventory_items", "replaced_asset_id", "NULL")];
/// Columns that the file alone has: the order in which rows were added.
const LEFT_OUT: [(&str, &str); 1] = [("market_observations", "number")];
/// Tables that PostgreSQL alone has: what several processes share.
const NOT_IN_FILES: [&str; 4] = ["nodes", "rate_limits", "trading_processes", "transitions_waiting"];

/// The tables of both databases.
pub(super) fn matched(
    mut of_file: Vec<SourceTable>,
    of_postgres: BTreeMap<String, Vec<(String, Form)>>,
) -> Result<Vec<MovedTable>, MoveError> {
    let mut tables = Vec::new();
    for (name, columns) in of_postgres {
        if let Some(at) = of_file.iter().position(|table| table.name == name) {
            tables.push(matched_columns(&of_file.swap_remove(at), columns)?);
        } else if !NOT_IN_FILES.contains(&name.as_str()) {
            return Err(differs(format!("the file has no table {name}")));
        }
    }
    match of_file.first() {
        Some(table) => Err(differs(format!("PostgreSQL has no table {}", table.name))),
        None => Ok(tables),
    }
}

/// A table of the file.
#[derive(Debug)]
pub(super) struct SourceTable {
    pub(super) name: String,
    pub(super) columns: Vec<String>,
    /// The columns in whose order its rows are kept.
    pub(super) order: String,
}

fn matched_columns(table: &SourceTable, columns: Vec<(String, Form)>) -> Result<MovedTable, MoveError> {
    let name = &table.name;
    let mut selected = Vec::new();
    for (column, _) in &columns {
        let added = ADDED.iter().find(|(of, added, _)| of == name && added == column);
        match added {
            Some((.., value)) => selected.push((*value).to_owned()),
            None if table.columns.contains(column) => selected.push(column.clone()),
            None => return Err(differs(format!("the file has no column {name}.{column}"))),
        }
    }
    let is_known = |column: &String| {
        columns.iter().any(|(known, _)| known == column) || LEFT_OUT.contains(&(name.as_str(), column.as_str()))
    };
    if let Some(column) = table.columns.iter().find(|column| !is_known(column)) {
        return Err(differs(format!("PostgreSQL has no column {name}.{column}")));
    }
    Ok(MovedTable {
        select: format!("SELECT {} FROM {name} ORDER BY {} LIMIT -1 OFFSET ?", selected.join(", "), table.order),
        name: name.clone(),
        columns: columns.into_iter().map(|(name, form)| MovedColumn { name, form }).collect(),
    })
}

fn differs(what: String) -> MoveError {
    MoveError::Target(StoreError::Bug(what))
}

impl MovedTable {
    /// The columns as a SQL list.
    pub(super) fn list(&self) -> String {
        let names: Vec<&str> = self.columns.iter().map(|column| column.name.as_str()).collect();
        names.join(", ")
    }

    /// The error of a value that cannot be copied.
    pub(super) fn wrong(&self, column: &str, why: impl std::fmt::Display) -> StoreError {
        StoreError::Corrupt(format!("{}.{column}: {why}", self.name))
    }
}
