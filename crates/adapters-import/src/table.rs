//! Tables of accounts: a JSON array of objects, or comma-separated values with a header line. The names of fields are those of
//! [`ReadField`], with `platform_user_id` and `name`.

use secrecy::SecretString;
use serde_json::{Map, Value};
use tradepost_ports::imports::{ReadAccount, ReadFault, ReadField, UnreadableImport};

use crate::{must, object};

/// The column of a field.
#[derive(Clone, Copy)]
enum Column {
    Number,
    Name,
    Field(ReadField),
}

/// Reads an array of objects, or one object.
pub(crate) fn read_json(text: &str) -> Result<Vec<ReadAccount>, UnreadableImport> {
    objects(text)?.iter().map(account).collect()
}

/// Reads comma-separated values.
pub(crate) fn read_csv(text: &str) -> Result<Vec<ReadAccount>, UnreadableImport> {
    let of_values = |values: Vec<(Column, String)>| {
        let mut read = ReadAccount::default();
        for (column, value) in values {
            set(&mut read, column, value);
        }
        read
    };
    Ok(lines(text, column)?.into_iter().map(of_values).collect())
}

/// Returns the objects of an array, or the one object.
pub(crate) fn objects(text: &str) -> Result<Vec<Map<String, Value>>, UnreadableImport> {
    let of_objects = || must("be a JSON array of objects");
    match object::parse(text)? {
        Value::Object(one) => Ok(vec![one]),
        Value::Array(all) => all.into_iter().map(|one| object::of(one).ok_or_else(of_objects)).collect(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => Err(of_objects()),
    }
}

/// Returns the values of each line of comma-separated values, with the columns that the header names. Empty values are left out.
pub(crate) fn lines<C: Copy>(
    text: &str,
    column: fn(&str) -> Result<C, UnreadableImport>,
) -> Result<Vec<Vec<(C, String)>>, UnreadableImport> {
    let mut reader = csv::ReaderBuilder::new().trim(csv::Trim::All).from_reader(text.as_bytes());
    let header = reader.headers().map_err(|error| unreadable_line(&error))?.clone();
    let columns: Vec<C> = header.iter().map(column).collect::<Result<_, _>>()?;
    let values = |record: csv::StringRecord| {
        let given = columns.iter().zip(record.iter()).filter(|(_, value)| !value.is_empty());
        given.map(|(column, value)| (*column, value.to_owned())).collect::<Vec<_>>()
    };
    reader.records().map(|record| record.map(values).map_err(|error| unreadable_line(&error))).collect()
}

fn account(object: &Map<String, Value>) -> Result<ReadAccount, UnreadableImport> {
    let mut read = ReadAccount::default();
    for name in object.keys() {
        let column = column(name)?;
        match object::scalar(object, name) {
            Ok(value) => value.into_iter().for_each(|value| set(&mut read, column, value)),
            // The name of the field is a known one, so that it can be shown.
            Err(ReadFault { code, detail }) => read.fault = Some(ReadFault { code, detail }),
        }
    }
    Ok(read)
}

/// Returns the column of a name. An unknown name is not quoted: it may be a secret in the wrong place.
fn column(name: &str) -> Result<Column, UnreadableImport> {
    match name {
        "platform_user_id" | "steamid" | "steam_id" => Ok(Column::Number),
        "name" => Ok(Column::Name),
        "account_name" => Ok(Column::Field(ReadField::LoginName)),
        other => other.parse().map(Column::Field).map_err(|_| {
            let known: Vec<&str> = ReadField::ALL.iter().map(|field| field.as_str()).collect();
            must(&format!("have no fields but platform_user_id, name, {}", known.join(", ")))
        }),
    }
}

fn set(read: &mut ReadAccount, column: Column, value: String) {
    match column {
        Column::Number => read.platform_user_id = Some(value),
        Column::Name => read.name = Some(value),
        Column::Field(field) => {
            read.fields.retain(|(of, _)| *of != field);
            read.fields.push((field, SecretString::from(value)));
        }
    }
}

fn unreadable_line(error: &csv::Error) -> UnreadableImport {
    let line = error.position().map_or(1, csv::Position::line);
    must(&format!("be comma-separated values with a header line; line {line} is not"))
}
