//! Tables of holdings, purchases and sales: a JSON array of objects, or comma-separated values with a header line. The names of fields are those of
//! [`HoldingField`], and for some of them those that the platform uses.

use serde_json::{Map, Value};
use tradepost_ports::imports::{HoldingField, ReadFault, ReadHolding, UnreadableImport};

use crate::{must, object, table};

/// Reads an array of objects, or one object.
pub(crate) fn read_json(text: &str) -> Result<Vec<ReadHolding>, UnreadableImport> {
    table::objects(text)?.iter().map(holding).collect()
}

/// Reads comma-separated values.
pub(crate) fn read_csv(text: &str) -> Result<Vec<ReadHolding>, UnreadableImport> {
    let of_values = |values: Vec<(HoldingField, String)>| {
        let mut read = ReadHolding::default();
        for (field, value) in values {
            set(&mut read, field, value);
        }
        read
    };
    Ok(table::lines(text, field)?.into_iter().map(of_values).collect())
}

fn holding(object: &Map<String, Value>) -> Result<ReadHolding, UnreadableImport> {
    let mut read = ReadHolding::default();
    for name in object.keys() {
        let field = field(name)?;
        match value_of(object, name, field) {
            Ok(value) => value.into_iter().for_each(|value| set(&mut read, field, value)),
            // The name of the field is a known one, so that it can be shown.
            Err(fault) => read.fault = Some(fault),
        }
    }
    Ok(read)
}

/// Returns the text of a field. Whether an item is held may also be a truth value.
fn value_of(object: &Map<String, Value>, name: &str, field: HoldingField) -> Result<Option<String>, ReadFault> {
    if let (HoldingField::Held, Some(Value::Bool(is_held))) = (field, object.get(name)) {
        return Ok(Some(is_held.to_string()));
    }
    object::scalar(object, name)
}

/// Returns the field of a name. An unknown name is not quoted: it may be a secret in the wrong place.
fn field(name: &str) -> Result<HoldingField, UnreadableImport> {
    match name {
        "account_name" => Ok(HoldingField::Account),
        "steamid" | "steam_id" => Ok(HoldingField::PlatformUserId),
        "assetid" => Ok(HoldingField::AssetId),
        "appid" => Ok(HoldingField::AppId),
        "contextid" => Ok(HoldingField::ContextId),
        "float" | "float_value" => Ok(HoldingField::Wear),
        "seed" => Ok(HoldingField::PaintSeed),
        other => other.parse().map_err(|_| {
            let known: Vec<&str> = HoldingField::ALL.iter().map(|field| field.as_str()).collect();
            must(&format!("have no fields but {}", known.join(", ")))
        }),
    }
}

fn set(read: &mut ReadHolding, field: HoldingField, value: String) {
    read.fields.retain(|(of, _)| *of != field);
    read.fields.push((field, value));
}
