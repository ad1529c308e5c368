//! A JSON object of an account, whichever program wrote it: texts and numbers by the names that programs use.

use secrecy::SecretString;
use serde_json::{Map, Value};
use tradepost_ports::imports::{ReadAccount, ReadFault, ReadField, ReasonCode, UnreadableImport};

use crate::must;

/// The names of each field, of which the first that is given counts.
const NAMES: [(ReadField, &[&str]); 8] = [
    (ReadField::LoginName, &["account_name"]),
    (ReadField::SharedSecret, &["shared_secret"]),
    (ReadField::IdentitySecret, &["identity_secret"]),
    (ReadField::RevocationCode, &["revocation_code"]),
    (ReadField::DeviceId, &["device_id"]),
    (ReadField::SerialNumber, &["serial_number"]),
    (ReadField::Uri, &["uri"]),
    (ReadField::Secret1, &["secret_1"]),
];
/// The names of the number. Programs write it as a number or as a text.
const NUMBER: [&str; 2] = ["steamid", "steam_id"];

/// Parses a JSON value. The parser's own words may quote the content and are dropped.
pub(crate) fn parse(text: &str) -> Result<Value, UnreadableImport> {
    serde_json::from_str(text).map_err(|error| {
        let (line, column) = (error.line(), error.column());
        must(&format!("be JSON; line {line}, column {column} is not"))
    })
}

/// Returns the object that a value is.
pub(crate) fn of(value: Value) -> Option<Map<String, Value>> {
    if let Value::Object(object) = value { Some(object) } else { None }
}

/// Returns the account of an object that a program of mobile authenticators wrote.
pub(crate) fn account(object: &Map<String, Value>) -> ReadAccount {
    fields(object).unwrap_or_else(|fault| ReadAccount {
        platform_user_id: number(object).ok().flatten(),
        fault: Some(fault),
        ..ReadAccount::default()
    })
}

fn fields(object: &Map<String, Value>) -> Result<ReadAccount, ReadFault> {
    let mut read = ReadAccount { platform_user_id: number(object)?, ..ReadAccount::default() };
    for (field, names) in NAMES {
        let given = names.iter().find_map(|name| scalar(object, name).transpose()).transpose()?;
        read.fields.extend(given.map(|text| (field, SecretString::from(text))));
    }
    Ok(read)
}

/// Returns the account's number, also where only its session has it.
fn number(object: &Map<String, Value>) -> Result<Option<String>, ReadFault> {
    let own = NUMBER.iter().find_map(|name| scalar(object, name).transpose()).transpose()?;
    let of_session = object.get("Session").and_then(Value::as_object).map(|session| scalar(session, "SteamID"));
    let number = own.or(of_session.transpose()?.flatten());
    // Programs write 0 for a session that never was.
    Ok(number.filter(|number| number != "0"))
}

/// Returns a text, or a number as a text; `None` where it is missing, null or empty.
pub(crate) fn scalar(object: &Map<String, Value>, name: &str) -> Result<Option<String>, ReadFault> {
    match object.get(name) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(text)) => Ok(Some(text.trim().to_owned()).filter(|text| !text.is_empty())),
        Some(Value::Number(number)) => Ok(Some(number.to_string())),
        Some(Value::Bool(_) | Value::Array(_) | Value::Object(_)) => {
            Err(invalid(format!("{name} is neither a text nor a number")))
        }
    }
}

/// Returns the fault of a file that cannot be read.
pub(crate) fn invalid(detail: impl Into<String>) -> ReadFault {
    ReadFault { code: ReasonCode::FileInvalid, detail: detail.into() }
}

/// Returns the account of a file that cannot be read.
pub(crate) fn unreadable(detail: &str) -> ReadAccount {
    ReadAccount { fault: Some(invalid(detail)), ..ReadAccount::default() }
}
