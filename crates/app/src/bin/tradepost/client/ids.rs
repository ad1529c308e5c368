//! Ids: UUID text for users, base64 for the interface.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::Value;

/// The fields of requests that are ids; the values of others, such as `listingId`, are any text.
const FIELDS: [&str; 44] = [
    "accountGroupId",
    "accountId",
    "accountSessionId",
    "actorId",
    "afterTransitionId",
    "apiKeyId",
    "assignmentId",
    "channelId",
    "confirmationId",
    "contractId",
    "contractVersionId",
    "conversationId",
    "deliveryId",
    "endpointId",
    "enrollmentId",
    "evaluationId",
    "filterSetId",
    "friendId",
    "fromSnapshotId",
    "importId",
    "intentId",
    "inventoryChangeId",
    "inventoryItemId",
    "ledgerEntryId",
    "linkedAccountId",
    "membershipId",
    "messageId",
    "observationId",
    "passkeyId",
    "poolId",
    "priceOverrideId",
    "providerId",
    "purchaseId",
    "remediationId",
    "renewalId",
    "ruleId",
    "sellingContractId",
    "sessionId",
    "snapshotId",
    "subjectId",
    "toSnapshotId",
    "transitionId",
    "workspaceId",
    "workspaceKeyId",
];

/// The id as the interface has it, from UUID text or base64.
pub(crate) fn to_wire(text: &str) -> Option<String> {
    if let Some(bytes) = of_uuid(text) {
        return Some(STANDARD.encode(bytes));
    }
    // The interface also accepts the alphabet of URLs.
    let text = text.replace('-', "+").replace('_', "/");
    let bytes = STANDARD.decode(&text).ok()?;
    (bytes.len() == 16).then_some(text)
}

/// The id as UUID text, from base64.
pub(super) fn to_text(wire: &str) -> Option<String> {
    let bytes: [u8; 16] = STANDARD.decode(wire).ok()?.try_into().ok()?;
    let digits: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    let part = |from: usize, to: usize| digits.get(from..to).unwrap_or_default();
    Some([part(0, 8), part(8, 12), part(12, 16), part(16, 20), part(20, 32)].join("-"))
}

fn of_uuid(text: &str) -> Option<[u8; 16]> {
    let parts: Vec<&str> = text.split('-').collect();
    if !parts.iter().map(|part| part.len()).eq([8, 4, 4, 4, 12]) {
        return None;
    }
    u128::from_str_radix(&parts.concat(), 16).ok().map(u128::to_be_bytes)
}

/// Replaces UUID text by base64 in the fields of a request that are ids.
pub(crate) fn in_request(request: &mut Value) {
    match request {
        Value::Object(fields) => {
            for (name, value) in fields {
                if is_id(name) {
                    replace(value);
                } else {
                    in_request(value);
                }
            }
        }
        Value::Array(values) => values.iter_mut().for_each(in_request),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

/// Whether a field of a request is an id, or a list of ids.
fn is_id(field: &str) -> bool {
    let one = field.strip_suffix('s').unwrap_or(field);
    FIELDS.contains(&one) || one == "tradeOfferId" || one == "userId"
}

fn replace(value: &mut Value) {
    match value {
        Value::String(text) => {
            if let Some(bytes) = of_uuid(text) {
                *text = STANDARD.encode(bytes);
            }
        }
        Value::Array(values) => values.iter_mut().for_each(replace),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Object(_) => {}
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    const WIRE: &str = "AZuge+XocACAAAAAAFsAAA==";
    const TEXT: &str = "019ba07b-e5e8-7000-8000-0000005b0000";

    #[test]
    fn an_id_is_accepted_in_both_forms() {
        assert_eq!(to_wire(TEXT).as_deref(), Some(WIRE));
        assert_eq!(to_wire(WIRE).as_deref(), Some(WIRE));
        assert_eq!(to_text(WIRE).as_deref(), Some(TEXT));
        for text in ["", "Main", "019ba07b", "019ba07b-e5e8-7000-8000-00000000005z"] {
            assert_eq!(to_wire(text), None, "{text}");
        }
    }

    #[test]
    fn every_field_of_a_request_that_is_an_id_is_known() {
        let interface: Value = serde_json::from_str(include_str!("../../../../../../docs/openapi.json")).unwrap();
        let schemas = interface["components"]["schemas"].as_object().unwrap();
        let requests = schemas.iter().filter(|(name, _)| name.ends_with("Request"));
        let fields = requests.flat_map(|(_, schema)| schema["properties"].as_object().into_iter().flatten());
        let is_of_bytes = |field: &Value| field["format"] == "byte" || field["items"]["format"] == "byte";
        let ids: Vec<&String> = fields.filter(|(_, field)| is_of_bytes(field)).map(|(name, _)| name).collect();
        assert!(ids.len() > FIELDS.len(), "{ids:?}");
        let unknown: Vec<&&String> = ids.iter().filter(|name| !is_id(name) && **name != "content").collect();
        assert!(unknown.is_empty(), "FIELDS lacks {unknown:?}");
    }

    #[test]
    fn ids_of_a_request_are_replaced_and_other_texts_stay() {
        let mut request = json!({ "poolIds": [TEXT], "listingId": TEXT, "draft": { "filterSetId": TEXT } });
        in_request(&mut request);
        assert_eq!(request, json!({ "poolIds": [WIRE], "listingId": TEXT, "draft": { "filterSetId": WIRE } }));
    }
}
