//! Rows as one JSON argument: a statement that takes any number of rows keeps one text, and is prepared once.

use sea_orm::{ColumnTrait as _, ColumnType, EntityTrait, IdenStatic as _, Iterable as _, ModelTrait, Value};
use serde_json::{Value as Json, json};

use crate::rows::row_values;

/// `INSERT` of all rows in `$1`.
pub(super) fn insert_text<E: EntityTrait>() -> String {
    let value = |position: usize, column: E::Column| {
        let is_bytes = matches!(column.def().get_column_type(), ColumnType::Uuid | ColumnType::VarBinary(_));
        if is_bytes { format!("unhex(value ->> {position})") } else { format!("value ->> {position}") }
    };
    let columns: Vec<&str> = E::Column::iter().map(|column| column.as_str()).collect();
    let values: Vec<String> = E::Column::iter().enumerate().map(|(position, column)| value(position, column)).collect();
    let table = E::default();
    format!(
        "INSERT INTO {} ({}) SELECT {} FROM json_each($1)",
        table.table_name(),
        columns.join(", "),
        values.join(", ")
    )
}

/// Rows as the argument of [`insert_text`].
pub(super) fn rows<M: ModelTrait>(rows: &[M]) -> Value {
    let row = |row: &M| Json::Array(row_values(row).map(|(_, value)| to_json(value)).collect());
    Json::Array(rows.iter().map(row).collect()).to_string().into()
}

/// 16 bytes as JSON.
pub(super) fn hex(bytes: [u8; 16]) -> String {
    uuid::Uuid::from_bytes(bytes).simple().to_string()
}

fn to_json(value: Value) -> Json {
    if let Value::Uuid(id) = value {
        json!(id.map(|id| hex(id.into_bytes())))
    } else if let Value::Bytes(bytes) = value {
        json!(bytes.map(|bytes| bytes.iter().map(|byte| format!("{byte:02x}")).collect::<String>()))
    } else if let Value::String(text) = value {
        json!(text)
    } else if let Value::BigInt(number) = value {
        json!(number)
    } else if let Value::SmallInt(number) = value {
        json!(number)
    } else {
        // What is appended has no other columns; NULL would be refused by the table.
        Json::Null
    }
}
