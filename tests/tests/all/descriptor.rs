//! The interface as its descriptor says it is: methods with their requests, walked by the tests.

use std::sync::LazyLock;

use prost_reflect::{DescriptorPool, Kind, MessageDescriptor, MethodDescriptor};
use prost_types::method_options::IdempotencyLevel;
use serde_json::{Value, json};
use tradepost_proto::DESCRIPTOR;

/// Reading it takes longer than most calls.
static POOL: LazyLock<DescriptorPool> = LazyLock::new(|| DescriptorPool::decode(DESCRIPTOR).unwrap());

/// Every method of our services.
pub(crate) fn methods() -> Vec<MethodDescriptor> {
    let methods: Vec<_> = POOL.services().flat_map(|service| service.methods().collect::<Vec<_>>()).collect();
    assert!(methods.len() > 40, "the descriptor has only {} methods", methods.len());
    methods
}

/// A method by its name.
pub(crate) fn method(name: &str) -> MethodDescriptor {
    methods().into_iter().find(|method| method.name() == name).unwrap_or_else(|| panic!("no method {name}"))
}

/// Whether a method changes nothing.
pub(crate) fn is_read(name: &str) -> bool {
    let options = method(name).method_descriptor_proto().options.clone();
    options.is_some_and(|options| options.idempotency_level() == IdempotencyLevel::NoSideEffects)
}

/// The changes to a request that no client may make, those inside of its messages included, each with the path that a
/// refusal names.
pub(crate) fn malformed_fields(request: &MessageDescriptor) -> Vec<(String, Value)> {
    let mut changes = Vec::new();
    for field in request.fields() {
        let name = field.json_name();
        let values = malformed(&field.kind(), field.is_list());
        changes.extend(values.into_iter().map(|value| (name.to_owned(), json!({ name: value }))));
        if let Some(inner) = field.kind().as_message().filter(|inner| inner.package_name() == request.package_name()) {
            let inside = malformed_fields(inner).into_iter();
            changes.extend(inside.map(|(path, change)| match field.is_list() {
                true => (format!("{name}[0].{path}"), json!({ name: [change] })),
                false => (format!("{name}.{path}"), json!({ name: change })),
            }));
        }
    }
    changes
}

fn malformed(kind: &Kind, is_list: bool) -> Vec<Value> {
    if is_list {
        let mut lists: Vec<Value> = malformed(kind, false).into_iter().map(|value| json!([value])).collect();
        lists.push(json!(7));
        return lists;
    }
    match kind {
        // One byte too short, one too long, no base64, no text.
        Kind::Bytes => vec![json!("AAAAAAAAAAAAAAAAAAAA"), json!("AAAAAAAAAAAAAAAAAAAAAAA="), json!("%%%"), json!(7)],
        Kind::String => vec![json!(7), json!({}), json!(["a"])],
        Kind::Int32 => vec![json!("ten"), json!(1.5), json!(2_147_483_648_u32), json!(true)],
        Kind::Int64 => vec![json!("12x"), json!("9223372036854775808"), json!({})],
        Kind::Bool => vec![json!(7), json!("yes"), json!({})],
        Kind::Enum(_) => vec![json!("NO_SUCH_VALUE"), json!(99), json!({})],
        Kind::Message(message) if message.name() == "Timestamp" => {
            vec![json!("yesterday"), json!("2026-13-01T00:00:00Z"), json!(7)]
        }
        // The codec takes an empty list for an empty message, so that a list is not an error there.
        Kind::Message(_) => vec![json!(7), json!("text")],
        other => panic!("no values are known that are malformed as {other:?}"),
    }
}

/// The field of bytes that holds a content and no identifier.
const UPLOAD: &str = "content";

/// The fields of a request that hold identifiers of records.
pub(crate) fn id_fields(request: &MessageDescriptor) -> Vec<(String, bool)> {
    let fields = request.fields().filter(|field| field.kind() == Kind::Bytes && field.name() != UPLOAD);
    fields.map(|field| (field.json_name().to_owned(), field.is_list())).collect()
}
