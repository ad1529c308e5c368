//! The fields of every request: one table per message, made once from the descriptor of the interface.

use std::collections::HashMap;
use std::sync::LazyLock;

use prost::Message as _;
use prost_types::field_descriptor_proto::Label;
use prost_types::{DescriptorProto, EnumDescriptorProto, FieldDescriptorProto, FileDescriptorSet};
use tradepost_proto::DESCRIPTOR;

/// How alike two names must be, from 0 to 1, for one to be a misspelling of the other.
const ALIKE: f64 = 0.8;

/// The package of types with a JSON form of their own.
const WELL_KNOWN: &str = "google.protobuf";

/// The tables of the interface.
pub(super) static INTERFACE: LazyLock<Schema> = LazyLock::new(|| match FileDescriptorSet::decode(DESCRIPTOR) {
    Ok(set) => Schema::of(&set),
    Err(error) => {
        tracing::error!(%error, "the descriptor of the interface cannot be read, so no JSON request is accepted");
        Schema::default()
    }
});

/// Tables of messages and enums.
#[derive(Debug, Default)]
pub(super) struct Schema {
    messages: Vec<Message>,
    enums: Vec<Vec<String>>,
    requests: HashMap<String, usize>,
}

/// The fields of a message.
#[derive(Debug)]
pub(super) struct Message {
    fields: Vec<Field>,
    /// By either name: that of JSON and that of the proto.
    by_name: HashMap<String, usize>,
}

#[derive(Debug)]
pub(super) struct Field {
    pub(super) json_name: String,
    pub(super) kind: Kind,
    pub(super) is_list: bool,
}

/// The values that a field takes, as far as names occur in them.
#[derive(Debug, Clone, Copy)]
pub(super) enum Kind {
    /// A scalar, or a well-known type with a JSON form of its own.
    Plain,
    /// The place of its names.
    Enum(usize),
    /// The place of its table.
    Message(usize),
}

impl Schema {
    fn of(set: &FileDescriptorSet) -> Self {
        let (mut messages, mut enums) = (Vec::new(), Vec::new());
        for file in set.file.iter().filter(|file| !file.package().starts_with(WELL_KNOWN)) {
            let package = format!(".{}", file.package());
            enums.extend(file.enum_type.iter().map(|of_file| (format!("{package}.{}", of_file.name()), of_file)));
            for message in &file.message_type {
                gather(&package, message, &mut messages, &mut enums);
            }
        }
        let places = Places { messages: places(&messages), enums: places(&enums) };
        Self {
            requests: requests(set, &places),
            messages: messages.iter().map(|(_, message)| Message::of(message, &places)).collect(),
            enums: enums.iter().map(|(_, of)| of.value.iter().map(|value| value.name().to_owned()).collect()).collect(),
        }
    }

    /// The message that a method takes, by the method's path.
    pub(super) fn request(&self, path: &str) -> Option<&Message> {
        self.requests.get(path).and_then(|place| self.messages.get(*place))
    }

    pub(super) fn message(&self, place: usize) -> Option<&Message> {
        self.messages.get(place)
    }

    /// The names of an enum, in the order of the proto.
    pub(super) fn names(&self, place: usize) -> &[String] {
        self.enums.get(place).map(Vec::as_slice).unwrap_or_default()
    }
}

impl Message {
    fn of(message: &DescriptorProto, places: &Places) -> Self {
        let fields: Vec<Field> = message.field.iter().map(|field| Field::of(field, places)).collect();
        let names = message.field.iter().map(FieldDescriptorProto::name).zip(0..);
        let json_names = fields.iter().map(|field| field.json_name.as_str()).zip(0..);
        let by_name = names.chain(json_names).map(|(name, place)| (name.to_owned(), place)).collect();
        Self { fields, by_name }
    }

    pub(super) fn field(&self, name: &str) -> Option<&Field> {
        self.by_name.get(name).and_then(|place| self.fields.get(*place))
    }

    /// The field that was probably meant, by its JSON name.
    pub(super) fn nearest(&self, given: &str) -> Option<&str> {
        let given = plain(given);
        let scored =
            self.fields.iter().map(|field| (strsim::jaro_winkler(&given, &plain(&field.json_name)), &field.json_name));
        let alike = scored.filter(|(score, _)| *score >= ALIKE);
        alike.max_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, name)| name.as_str())
    }
}

impl Field {
    fn of(field: &FieldDescriptorProto, places: &Places) -> Self {
        let message = places.messages.get(field.type_name()).copied().map(Kind::Message);
        let kind = message.or_else(|| places.enums.get(field.type_name()).copied().map(Kind::Enum));
        let is_list = field.label() == Label::Repeated;
        Self { json_name: field.json_name().to_owned(), kind: kind.unwrap_or(Kind::Plain), is_list }
    }
}

/// Where the tables of named types are.
struct Places {
    messages: HashMap<String, usize>,
    enums: HashMap<String, usize>,
}

fn places<T>(named: &[(String, T)]) -> HashMap<String, usize> {
    named.iter().map(|(name, _)| name.clone()).zip(0..).collect()
}

type Named<'a, T> = Vec<(String, &'a T)>;

/// Adds a message and everything declared inside it.
fn gather<'a>(
    scope: &str,
    message: &'a DescriptorProto,
    messages: &mut Named<'a, DescriptorProto>,
    enums: &mut Named<'a, EnumDescriptorProto>,
) {
    let name = format!("{scope}.{}", message.name());
    enums.extend(message.enum_type.iter().map(|inner| (format!("{name}.{}", inner.name()), inner)));
    for inner in &message.nested_type {
        gather(&name, inner, messages, enums);
    }
    messages.push((name, message));
}

fn requests(set: &FileDescriptorSet, places: &Places) -> HashMap<String, usize> {
    let services = set.file.iter().flat_map(|file| file.service.iter().map(move |service| (file.package(), service)));
    let methods = services.flat_map(|(package, service)| {
        let path = move |method: &str| format!("/{package}.{}/{method}", service.name());
        service.method.iter().map(move |method| (path(method.name()), method.input_type()))
    });
    methods.filter_map(|(path, input)| places.messages.get(input).map(|place| (path, *place))).collect()
}

/// A name without what a caller may write in either way.
fn plain(name: &str) -> String {
    name.chars().filter(|char| *char != '_').take(64).flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use prost_reflect::DescriptorPool;

    use super::*;

    #[test]
    fn every_method_has_a_table_with_every_field_by_both_names() {
        let pool = DescriptorPool::decode(DESCRIPTOR).unwrap();
        let services: Vec<_> = pool.services().collect();
        assert!(services.len() >= 4, "{services:?}");
        for method in services.iter().flat_map(|service| service.methods().collect::<Vec<_>>()) {
            let path = format!("/{}/{}", method.parent_service().full_name(), method.name());
            let request = INTERFACE.request(&path).unwrap();
            assert_eq!(request.fields.len(), method.input().fields().count(), "{path}");
            for field in method.input().fields() {
                for name in [field.name(), field.json_name()] {
                    assert_eq!(request.field(name).unwrap().json_name, field.json_name(), "{path} {name}");
                }
            }
        }
    }

    /// The entries of a map are messages whose names are chosen by the caller: the walk would refuse them.
    #[test]
    fn no_message_of_the_interface_has_a_map() {
        let pool = DescriptorPool::decode(DESCRIPTOR).unwrap();
        for message in pool.all_messages().filter(|message| !message.full_name().starts_with("google.")) {
            assert!(!message.is_map_entry(), "{}", message.full_name());
        }
    }

    #[test]
    fn the_nearest_name_is_one_that_is_alike() {
        let request = INTERFACE.request("/contracts.v1.Contracts/GetPurchase").unwrap();
        assert_eq!(request.nearest("purchaseID"), Some("purchaseId"));
        assert_eq!(request.nearest("purchase_ids"), Some("purchaseId"));
        assert_eq!(request.nearest("unheardOf"), None);
    }
}
