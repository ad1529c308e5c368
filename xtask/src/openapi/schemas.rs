//! The schemas of messages and enums, as protobuf's JSON writes them.

use std::collections::BTreeSet;

use prost_reflect::prost_types::source_code_info::Location;
use prost_reflect::{DescriptorPool, EnumDescriptor, FieldDescriptor, FileDescriptor, Kind, MessageDescriptor};
use serde_json::{Map, Value, json};

const TIMESTAMP: &str = "google.protobuf.Timestamp";

/// Returns the schema of every message and enum that a method takes or answers.
pub(super) fn of(pool: &DescriptorPool) -> Map<String, Value> {
    let methods: Vec<_> = pool.services().flat_map(|service| service.methods().collect::<Vec<_>>()).collect();
    let mut requests = Reached::default();
    let mut all = Reached::default();
    for method in &methods {
        requests.message(&method.input());
        all.message(&method.input());
        all.message(&method.output());
    }
    let mut schemas = Map::new();
    for found in all.messages.iter().filter_map(|name| pool.get_message_by_name(name)) {
        let is_sent = requests.messages.contains(found.full_name());
        schemas.insert(found.full_name().to_owned(), message(&found, is_sent));
    }
    for found in all.enums.iter().filter_map(|name| pool.get_enum_by_name(name)) {
        schemas.insert(found.full_name().to_owned(), enumeration(&found));
    }
    schemas
}

/// Returns the reference to a schema.
pub(super) fn reference(name: &str) -> Value {
    json!({ "$ref": format!("#/components/schemas/{name}") })
}

/// Returns the comment in front of what is at `path` of a file, as one paragraph; empty without one.
pub(super) fn comment(file: &FileDescriptor, path: &[i32]) -> String {
    let info = file.file_descriptor_proto().source_code_info.as_ref();
    let location = info.and_then(|info| info.location.iter().find(|location| location.path == path));
    let text = location.map(Location::leading_comments).unwrap_or_default();
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The names of messages and enums that are part of others.
#[derive(Default)]
struct Reached {
    messages: BTreeSet<String>,
    enums: BTreeSet<String>,
}

impl Reached {
    fn message(&mut self, message: &MessageDescriptor) {
        if message.full_name() == TIMESTAMP || !self.messages.insert(message.full_name().to_owned()) {
            return;
        }
        for field in message.fields() {
            if let Some(inner) = field.kind().as_message() {
                self.message(inner);
            }
            if let Some(inner) = field.kind().as_enum() {
                self.enums.insert(inner.full_name().to_owned());
            }
        }
    }
}

fn enumeration(of: &EnumDescriptor) -> Value {
    let file = of.parent_file();
    let names: Vec<_> = of.values().map(|value| value.name().to_owned()).collect();
    let meanings = of.values().map(|value| format!("\n- `{}`: {}", value.name(), comment(&file, value.path())));
    let description = format!("{}\n{}", comment(&file, of.path()), meanings.collect::<String>());
    json!({ "type": "string", "enum": names, "description": description })
}

fn message(of: &MessageDescriptor, is_sent: bool) -> Value {
    let file = of.parent_file();
    let mut properties = Map::new();
    let mut required = Vec::new();
    for field in of.fields() {
        let said = comment(&file, field.path());
        if is_required(&field, &said, is_sent) {
            required.push(field.json_name().to_owned());
        }
        let mut schema = value(&field);
        schema["description"] = json!(said);
        properties.insert(field.json_name().to_owned(), schema);
    }
    let description = comment(&file, of.path());
    let mut schema = json!({ "type": "object", "description": description, "properties": properties });
    if !required.is_empty() {
        schema["required"] = json!(required);
    }
    if of.name().ends_with("Request") {
        // A request with an unknown field is rejected.
        schema["additionalProperties"] = json!(false);
    }
    schema
}

/// Whether a field is always there: in a request where its comment asks for it, in an answer where its comment names no exception.
fn is_required(field: &FieldDescriptor, said: &str, is_sent: bool) -> bool {
    if is_sent {
        return said.contains("Required.");
    }
    let is_scalar = !matches!(field.kind(), Kind::Message(_));
    let said = said.to_lowercase();
    is_scalar && field.supports_presence() && !said.contains("missing") && !said.contains("absent")
}

fn value(of: &FieldDescriptor) -> Value {
    if of.is_list() {
        return json!({ "type": "array", "items": item(&of.kind()) });
    }
    item(&of.kind())
}

fn item(kind: &Kind) -> Value {
    match kind {
        Kind::String => json!({ "type": "string" }),
        Kind::Bytes => json!({ "type": "string", "format": "byte", "contentEncoding": "base64" }),
        Kind::Bool => json!({ "type": "boolean" }),
        Kind::Int32 | Kind::Uint32 | Kind::Sint32 | Kind::Fixed32 | Kind::Sfixed32 => {
            json!({ "type": "integer", "format": "int32" })
        }
        Kind::Int64 | Kind::Uint64 | Kind::Sint64 | Kind::Fixed64 | Kind::Sfixed64 => {
            json!({ "type": "string", "format": "int64", "pattern": "^-?[0-9]+$" })
        }
        Kind::Double | Kind::Float => json!({ "type": "number" }),
        Kind::Message(message) if message.full_name() == TIMESTAMP => {
            json!({ "type": "string", "format": "date-time" })
        }
        Kind::Message(message) => reference(message.full_name()),
        Kind::Enum(of) => reference(of.full_name()),
    }
}
