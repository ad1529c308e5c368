//! The descriptor of the interface, walked: what every method and every message has to keep.

use std::collections::BTreeMap;

use buffa::type_registry::TypeRegistry;
use prost_reflect::{
    Cardinality, DescriptorPool, DynamicMessage, FieldDescriptor, MessageDescriptor, MethodDescriptor, Value,
};
use tradepost_operations::rules::{RULES, Rule};
use tradepost_ports::limiter::RateClass;

use tradepost_proto::DESCRIPTOR;
use tradepost_proto::{accounts, alerts, contracts, events, markets, trading};

pub(super) fn methods() -> Vec<MethodDescriptor> {
    let pool = DescriptorPool::decode(DESCRIPTOR).unwrap();
    let services: Vec<_> = pool.services().collect();
    services.iter().flat_map(|service| service.methods().collect::<Vec<_>>()).collect()
}

fn is_ours(message: &MessageDescriptor) -> bool {
    !message.package_name().starts_with("google.")
}

/// Every message that an answer can contain, by name.
fn answers() -> BTreeMap<String, MessageDescriptor> {
    let mut found = BTreeMap::new();
    let mut open: Vec<MessageDescriptor> = methods().iter().map(MethodDescriptor::output).collect();
    while let Some(message) = open.pop() {
        if found.insert(message.full_name().to_owned(), message.clone()).is_none() {
            let inside = message.fields().filter_map(|field| field.kind().as_message().cloned());
            open.extend(inside.filter(is_ours));
        }
    }
    found
}

#[test]
fn every_method_has_a_rule_and_every_rule_a_method() {
    let mut served: Vec<String> = methods().iter().map(|method| method.full_name().to_owned()).collect();
    let mut ruled: Vec<String> = RULES.iter().map(|rule| format!("{}.{}", rule.service, rule.method)).collect();
    served.sort();
    ruled.sort();
    assert_eq!(served, ruled);
}

#[test]
fn reads_and_only_reads_are_marked_as_free_of_side_effects() {
    const NO_SIDE_EFFECTS: i32 = 1;
    for method in methods() {
        let rule = Rule::of(method.name()).unwrap();
        let options = method.method_descriptor_proto().options.clone().unwrap_or_default();
        let marked = options.idempotency_level == Some(NO_SIDE_EFFECTS);
        assert_eq!(marked, matches!(rule.class, RateClass::Read | RateClass::List), "{}", method.full_name());
    }
}

#[test]
fn every_scalar_of_an_answer_has_presence() {
    for message in answers().values() {
        for field in message.fields().filter(|field| field.cardinality() != Cardinality::Repeated) {
            assert!(field.supports_presence(), "{}", field.full_name());
        }
    }
}

/// Sets the fields that have presence to their defaults, messages of ours included.
fn at_defaults(message: &MessageDescriptor) -> DynamicMessage {
    let mut defaults = DynamicMessage::new(message.clone());
    let single = |field: &FieldDescriptor| field.cardinality() != Cardinality::Repeated;
    for field in message.fields().filter(single) {
        match field.kind().as_message() {
            Some(inner) if is_ours(inner) => defaults.set_field(&field, Value::Message(at_defaults(inner))),
            Some(_) => {}
            None => defaults.set_field(&field, field.default_value()),
        }
    }
    defaults
}

#[test]
fn the_bodies_of_all_answers_at_their_defaults() {
    use prost_reflect::prost::Message as _;
    let mut registry = TypeRegistry::new();
    accounts::v1::register_types(&mut registry);
    alerts::v1::register_types(&mut registry);
    contracts::v1::register_types(&mut registry);
    markets::v1::register_types(&mut registry);
    events::v1::register_types(&mut registry);
    trading::v1::register_types(&mut registry);
    let bodies: Vec<String> = answers()
        .iter()
        .map(|(name, message)| {
            let codec = registry.json_any_by_url(&format!("type.googleapis.com/{name}")).unwrap();
            let body = (codec.to_json)(&at_defaults(message).encode_to_vec()).unwrap();
            format!("{name}\n{body:#}\n")
        })
        .collect();
    insta::assert_snapshot!(bodies.join("\n"));
}
