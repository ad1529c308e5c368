//! Examples of calls: those that the end-to-end tests keep, so an example is what the server answers.

use std::fs;

use anyhow::Context;
use prost_reflect::{Kind, MessageDescriptor, MethodDescriptor};
use serde_json::{Deserializer, Map, Value, json};

use crate::workspace_root;

const KEPT: &str = "tests/tests/all/snapshots";
/// What surrounds the lengths of random texts in the description of a list of them.
const TEXTS: (&str, &str) = ("texts of [", "] characters");
/// The reason of an item of a list that does not fit its schema.
const MALFORMED: &str = "MALFORMED";

/// A call and its answer.
pub(super) struct Example {
    pub(super) request: Value,
    pub(super) response: Value,
}

/// Returns the call of a method that the tests keep.
///
/// # Errors
/// When they keep none.
pub(super) fn of(method: &MethodDescriptor) -> anyhow::Result<Example> {
    let file = workspace_root().join(KEPT).join(format!("{}.snap", method.name()));
    let text = fs::read_to_string(&file).with_context(|| format!("cannot read {}", file.display()))?;
    let (_, kept) = text.trim_start_matches("---").split_once("\n---\n").context("a snapshot has a header")?;
    let mut kept = Deserializer::from_str(kept).into_iter();
    let mut next = || kept.next().with_context(|| format!("{} has no call with its answer", file.display()));
    let mut example = Example { request: next()??, response: next()?? };
    give_types(&mut example.request, &method.input());
    give_types(&mut example.response, &method.output());
    leave_out_malformed(&mut example);
    Ok(example)
}

/// Gives random values, of which the tests keep a description, the types of their fields.
fn give_types(kept: &mut Value, message: &MessageDescriptor) {
    for field in message.fields() {
        let Some(value) = kept.get_mut(field.json_name()) else { continue };
        if let Some(texts) = texts(value).filter(|_| field.is_list()) {
            *value = texts;
        }
        let kind = field.kind();
        match kind.as_message() {
            Some(inner) if field.is_list() => {
                value.as_array_mut().into_iter().flatten().for_each(|item| give_types(item, inner));
            }
            Some(inner) => give_types(value, inner),
            None if value.is_string() && matches!(kind, Kind::Int32 | Kind::Uint32) => *value = json!(1),
            None => {}
        }
    }
}

/// The texts of a description, each by its length.
fn texts(described: &Value) -> Option<Value> {
    let (before, after) = TEXTS;
    let lengths = described.as_str()?.strip_prefix(before)?.strip_suffix(after)?;
    Some(lengths.split(", ").map(|length| format!("{length} characters")).collect())
}

/// Leaves out the items that do not fit their schema, and what is reported of them. The tests send them to see them rejected, and everything
/// else accepted.
fn leave_out_malformed(example: &mut Example) {
    let Some(results) = example.response.get_mut("results").and_then(Value::as_array_mut) else { return };
    let is_kept: Vec<bool> = results.iter().map(|result| result["reason"] != MALFORMED).collect();
    let left_out = is_kept.iter().filter(|is_kept| !**is_kept).count();
    keep(results, &is_kept);
    let sent = example.request.as_object_mut().into_iter().flat_map(Map::values_mut);
    for items in sent.filter_map(Value::as_array_mut).filter(|items| items.len() == is_kept.len()) {
        keep(items, &is_kept);
    }
    if let Some(rejected) = example.response["rejected"].as_u64() {
        example.response["rejected"] = json!(rejected.saturating_sub(left_out.try_into().unwrap_or(0)));
    }
}

fn keep(items: &mut Vec<Value>, is_kept: &[bool]) {
    let mut is_kept = is_kept.iter();
    items.retain(|_| is_kept.next().copied().unwrap_or(true));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::openapi::own_protos;

    fn example(name: &str) -> Example {
        let pool = own_protos().unwrap();
        let mut methods = pool.services().flat_map(|service| service.methods().collect::<Vec<_>>());
        of(&methods.find(|method| method.name() == name).unwrap()).unwrap()
    }

    #[test]
    fn random_values_have_the_types_of_their_fields() {
        let codes = example("ConfirmTOTPEnrollment").response["recoveryCodes"].clone();
        assert_eq!(codes.as_array().map(Vec::len), Some(10), "{codes}");
        assert_eq!(codes[0], "24 characters");
        let sent = example("SendTestEvent").response["delivery"]["durationMs"].clone();
        assert!(sent.is_number(), "{sent}");
    }

    #[test]
    fn an_item_that_does_not_fit_its_schema_is_left_out_with_its_result() {
        let Example { request, response } = example("RecordMarketObservations");
        let (sent, results) = (request["observations"].as_array().unwrap(), response["results"].as_array().unwrap());
        assert_eq!(sent.len(), results.len());
        assert!(sent.iter().all(|observation| observation["priceCents"].is_string()), "{request}");
        let rejected = results.iter().filter(|result| result["outcome"] == "OBSERVATION_OUTCOME_REJECTED");
        assert_eq!(response["rejected"], rejected.count(), "{response}");
    }
}
