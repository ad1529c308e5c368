//! Proto to domain and back, by field. What every field of a kind has in common is here; records and enums are below.
//!
//! A field that cannot be read is refused with its JSON name. Whether a value makes sense is decided further in.

pub(crate) mod accounts;
pub(crate) mod alerts;
pub(crate) mod contracts;
pub(crate) mod enums;
pub(crate) mod events;
pub(crate) mod markets;
pub(crate) mod trading;

use buffa::MessageFieldView;
use buffa_types::google::protobuf::__buffa::view::TimestampView;
use buffa_types::google::protobuf::Timestamp as WireTimestamp;
use connectrpc::ConnectError;
use secrecy::SecretString;
use tradepost_domain::id::Id;
use tradepost_domain::time::Timestamp;
use tradepost_operations::OpError;

use crate::error::to_wire;

/// Why a field cannot be read.
pub(crate) fn invalid(field: &str, rule: impl std::fmt::Display) -> ConnectError {
    to_wire(OpError::invalid_field(field, rule))
}

/// What is refused of a message inside of a field.
pub(crate) fn inside(field: &str, mut error: ConnectError) -> ConnectError {
    error.message = error.message.map(|message| format!("{field}.{message}"));
    error
}

/// A required id.
pub(crate) fn id<K>(field: &str, bytes: &[u8]) -> Result<Id<K>, ConnectError> {
    if bytes.is_empty() {
        return Err(invalid(field, "is required"));
    }
    Id::from_slice(bytes).map_err(|_| invalid(field, "must be the base64 form of 16 bytes"))
}

/// An id that may be absent.
pub(crate) fn optional_id<K>(field: &str, bytes: &[u8]) -> Result<Option<Id<K>>, ConnectError> {
    if bytes.is_empty() { Ok(None) } else { id(field, bytes).map(Some) }
}

/// A list of ids.
pub(crate) fn ids<K>(field: &str, list: &[&[u8]]) -> Result<Vec<Id<K>>, ConnectError> {
    list.iter().enumerate().map(|(index, bytes)| id(&format!("{field}[{index}]"), bytes)).collect()
}

/// A challenge's id, which the interface has as text.
pub(crate) fn text_id<K>(field: &str, text: &str) -> Result<Id<K>, ConnectError> {
    if text.is_empty() {
        return Err(invalid(field, "is required"));
    }
    text.parse().map_err(|_| invalid(field, "must be the base64 form of 16 bytes"))
}

/// A point in time that may be absent.
pub(crate) fn timestamp(
    field: &str,
    given: &MessageFieldView<TimestampView<'_>>,
) -> Result<Option<Timestamp>, ConnectError> {
    let Some(given) = given.as_option() else { return Ok(None) };
    let refused = || invalid(field, "must be a time between the years 1 and 9999");
    if !(0..1_000_000_000).contains(&given.nanos) {
        return Err(refused());
    }
    let micros =
        given.seconds.checked_mul(1_000_000).and_then(|micros| micros.checked_add(i64::from(given.nanos / 1_000)));
    let time = Timestamp::from_micros(micros.ok_or_else(refused)?).map_err(|_| refused())?;
    Ok(Some(time))
}

/// Texts of a list.
pub(crate) fn texts(list: &[&str]) -> Vec<String> {
    list.iter().map(|text| (*text).to_owned()).collect()
}

/// A list that replaces another one: an empty one leaves it, and what `cleared` names takes everything away.
pub(crate) fn replaced<T>(
    field: &str,
    list: Vec<T>,
    cleared: &str,
    clear: bool,
) -> Result<Option<Vec<T>>, ConnectError> {
    match (list.is_empty(), clear) {
        (true, false) => Ok(None),
        (true, true) | (false, false) => Ok(Some(list)),
        (false, true) => Err(invalid(cleared, format_args!("and {field} exclude each other"))),
    }
}

/// A text that must not be logged.
pub(crate) fn secret(text: &str) -> SecretString {
    SecretString::from(text)
}

/// An id on the wire.
pub(crate) fn wire_id<K>(id: Id<K>) -> Vec<u8> {
    id.to_bytes().to_vec()
}

/// Ids on the wire.
pub(crate) fn wire_ids<K>(ids: Vec<Id<K>>) -> Vec<Vec<u8>> {
    ids.into_iter().map(wire_id).collect()
}

/// A point in time on the wire.
pub(crate) fn wire_time(time: Timestamp) -> WireTimestamp {
    let micros = time.as_micros();
    let nanos = micros.rem_euclid(1_000_000).saturating_mul(1_000);
    WireTimestamp {
        seconds: micros.div_euclid(1_000_000),
        nanos: i32::try_from(nanos).unwrap_or_default(),
        ..WireTimestamp::default()
    }
}

/// A whole number on the wire. The domain lets none grow beyond what fits.
pub(crate) fn wire_number(number: u32) -> i32 {
    i32::try_from(number).unwrap_or(i32::MAX)
}

/// The size of something small on the wire.
pub(crate) fn wire_size(size: usize) -> i32 {
    i32::try_from(size).unwrap_or(i32::MAX)
}

/// A count on the wire. More than fits is shown as the most that does.
pub(crate) fn wire_count(count: i64) -> i32 {
    i32::try_from(count).unwrap_or(i32::MAX)
}
