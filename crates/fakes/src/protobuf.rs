//! Messages of protocol buffers, written and read by tables of their fields.
//!
//! A message is a JSON object here: numbers, texts, and bytes as texts in base 64. A driver has its messages from elsewhere: both do not
//! merely agree with each other.

use std::slice::from_ref;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Map, Value, json};

/// The kinds of values on the wire.
const VARINT: u64 = 0;
const FIXED_64: u64 = 1;
const LENGTH: u64 = 2;
const FIXED_32: u64 = 5;

/// A field of a message.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Field {
    number: u64,
    name: &'static str,
    kind: Kind,
    is_repeated: bool,
}

/// The type of a field.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Kind {
    Bool,
    /// A number of any width; an enum as well.
    Number,
    Fixed64,
    Fixed32,
    Float,
    Text,
    Bytes,
    Message(&'static [Field]),
}

/// A value as it is on the wire.
enum Raw<'a> {
    Varint(u64),
    Fixed64(u64),
    Fixed32(u32),
    Length(&'a [u8]),
}

/// A field that is there once at most.
pub(crate) const fn one(number: u64, name: &'static str, kind: Kind) -> Field {
    Field { number, name, kind, is_repeated: false }
}

/// A field that is a list.
pub(crate) const fn many(number: u64, name: &'static str, kind: Kind) -> Field {
    Field { number, name, kind, is_repeated: true }
}

/// Writes a message. A field that the table does not have is written if its name is a number; what is not an object is an empty message.
pub(crate) fn encode(message: &Value, fields: &[Field]) -> Vec<u8> {
    let mut bytes = Vec::new();
    let Some(object) = message.as_object() else { return bytes };
    for field in fields {
        let Some(value) = object.get(field.name) else { continue };
        let list = value.as_array().filter(|_| field.is_repeated);
        for value in list.map_or(from_ref(value), Vec::as_slice) {
            put(&mut bytes, field.number, field.kind, value);
        }
    }
    for (name, value) in object {
        if let Ok(number) = name.parse::<u64>() {
            put(&mut bytes, number, if value.is_number() { Kind::Number } else { Kind::Text }, value);
        }
    }
    bytes
}

/// Reads a message. Fields that the table does not have are skipped; `None` for bytes that are not a message of these fields.
pub(crate) fn decode(mut bytes: &[u8], fields: &[Field]) -> Option<Value> {
    let mut message = Map::new();
    while !bytes.is_empty() {
        let tag = take_varint(&mut bytes)?;
        let raw = take(&mut bytes, tag & 7)?;
        let Some(field) = fields.iter().find(|field| field.number == tag >> 3) else { continue };
        let value = read(field.kind, raw)?;
        if field.is_repeated {
            message.entry(field.name).or_insert_with(|| json!([])).as_array_mut()?.push(value);
        } else {
            message.insert(field.name.to_owned(), value);
        }
    }
    Some(Value::Object(message))
}

/// Adds a field. A value of another type than the field's is left out.
fn put(bytes: &mut Vec<u8>, number: u64, kind: Kind, value: &Value) {
    let Some((wire, content)) = written(kind, value) else { return };
    bytes.extend(varint((number << 3) | wire));
    if wire == LENGTH {
        bytes.extend(varint(u64::try_from(content.len()).unwrap_or(u64::MAX)));
    }
    bytes.extend(content);
}

fn written(kind: Kind, value: &Value) -> Option<(u64, Vec<u8>)> {
    Some(match kind {
        Kind::Bool => (VARINT, varint(u64::from(value.as_bool()?))),
        Kind::Number => (VARINT, varint(value.as_u64()?)),
        Kind::Fixed64 => (FIXED_64, value.as_u64()?.to_le_bytes().to_vec()),
        Kind::Fixed32 => (FIXED_32, u32::try_from(value.as_u64()?).ok()?.to_le_bytes().to_vec()),
        Kind::Float => (FIXED_32, value.to_string().parse::<f32>().ok()?.to_le_bytes().to_vec()),
        Kind::Text => (LENGTH, value.as_str()?.as_bytes().to_vec()),
        Kind::Bytes => (LENGTH, STANDARD.decode(value.as_str()?).ok()?),
        Kind::Message(fields) => (LENGTH, encode(value, fields)),
    })
}

fn read(kind: Kind, raw: Raw<'_>) -> Option<Value> {
    Some(match (kind, raw) {
        (Kind::Bool, Raw::Varint(number)) => json!(number != 0),
        (Kind::Number, Raw::Varint(number)) | (Kind::Fixed64, Raw::Fixed64(number)) => json!(number),
        (Kind::Fixed32, Raw::Fixed32(number)) => json!(number),
        (Kind::Float, Raw::Fixed32(bits)) => json!(f32::from_bits(bits)),
        (Kind::Text, Raw::Length(bytes)) => json!(str::from_utf8(bytes).ok()?),
        (Kind::Bytes, Raw::Length(bytes)) => json!(STANDARD.encode(bytes)),
        (Kind::Message(fields), Raw::Length(bytes)) => decode(bytes, fields)?,
        _ => return None,
    })
}

/// A number in as few bytes as it needs, the lowest bits first.
fn varint(mut number: u64) -> Vec<u8> {
    let mut bytes = Vec::new();
    while number >= 0x80 {
        bytes.push(low_byte(number) | 0x80);
        number >>= 7;
    }
    bytes.push(low_byte(number));
    bytes
}

const fn low_byte(number: u64) -> u8 {
    let [low, ..] = number.to_le_bytes();
    low
}

fn take_varint(bytes: &mut &[u8]) -> Option<u64> {
    let mut number = 0;
    for shift in (0..64_u32).step_by(7) {
        let (first, rest) = bytes.split_first()?;
        *bytes = rest;
        number |= u64::from(first & 0x7f) << shift;
        if first & 0x80 == 0 {
            return Some(number);
        }
    }
    None
}

fn take<'a>(bytes: &mut &'a [u8], wire: u64) -> Option<Raw<'a>> {
    match wire {
        VARINT => take_varint(bytes).map(Raw::Varint),
        FIXED_64 => {
            let (number, rest) = bytes.split_first_chunk()?;
            *bytes = rest;
            Some(Raw::Fixed64(u64::from_le_bytes(*number)))
        }
        FIXED_32 => {
            let (number, rest) = bytes.split_first_chunk()?;
            *bytes = rest;
            Some(Raw::Fixed32(u32::from_le_bytes(*number)))
        }
        LENGTH => {
            let length = usize::try_from(take_varint(bytes)?).ok()?;
            let (content, rest) = bytes.split_at_checked(length)?;
            *bytes = rest;
            Some(Raw::Length(content))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const INNER: &[Field] = &[one(1, "type", Kind::Number), one(2, "message", Kind::Text)];
    const FIELDS: &[Field] = &[
        one(1, "id", Kind::Number),
        one(2, "user", Kind::Fixed64),
        one(3, "interval", Kind::Float),
        one(4, "is_new", Kind::Bool),
        one(5, "secret", Kind::Bytes),
        one(6, "since", Kind::Fixed32),
        many(16, "guards", Kind::Message(INNER)),
    ];

    fn message() -> Value {
        json!({
            "id": u64::MAX,
            "user": 76_561_197_960_265_729_u64,
            "interval": 5.0,
            "is_new": false,
            "secret": STANDARD.encode([0, 255, 7]),
            "since": u32::MAX,
            "guards": [{ "type": 2, "message": "example.com" }, { "type": 300 }, {}],
        })
    }

    #[test]
    fn a_message_is_read_as_it_was_written() {
        let bytes = encode(&message(), FIELDS);
        assert_eq!(decode(&bytes, FIELDS), Some(message()));
        assert_eq!(decode(&[], FIELDS), Some(json!({})));
        assert!(encode(&Value::Null, FIELDS).is_empty());
    }

    #[test]
    fn the_bytes_of_a_message_are_those_of_its_format() {
        // The example of the documents of protocol buffers: field 1 is 150.
        assert_eq!(encode(&json!({ "id": 150 }), FIELDS), [0x08, 0x96, 0x01]);
        assert_eq!(encode(&json!({ "user": 1 }), FIELDS), [0x11, 1, 0, 0, 0, 0, 0, 0, 0]);
        assert_eq!(encode(&json!({ "interval": 5 }), FIELDS), [0x1d, 0, 0, 0xa0, 0x40]);
        assert_eq!(encode(&json!({ "since": 7 }), FIELDS), [0x35, 7, 0, 0, 0]);
        assert_eq!(encode(&json!({ "guards": [{ "type": 3 }] }), FIELDS), [0x82, 0x01, 2, 0x08, 3]);
    }

    #[test]
    fn fields_of_no_table_are_written_by_their_number_and_skipped() {
        let odd = encode(&json!({ "id": 1, "97": 7, "98": "new" }), FIELDS);
        assert_eq!(odd.len(), encode(&json!({ "id": 1 }), FIELDS).len() + 3 + 6);
        assert_eq!(decode(&odd, FIELDS), Some(json!({ "id": 1 })));
    }

    #[test]
    fn bytes_that_end_early_or_have_other_types_are_not_a_message() {
        let bytes = encode(&json!({ "guards": [{ "type": 2, "message": "example.com" }] }), FIELDS);
        assert_eq!(decode(&bytes[..bytes.len() - 1], FIELDS), None);
        assert_eq!(decode(b"<!DOCTYPE html>", FIELDS), None);
        assert_eq!(decode(&encode(&json!({ "id": 1 }), FIELDS), &[one(1, "id", Kind::Text)]), None);
    }
}
