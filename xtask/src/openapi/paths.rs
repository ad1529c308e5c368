//! The operations: one path for each method, with who may call it.

use std::collections::BTreeMap;

use anyhow::Context;
use prost_reflect::prost_types::method_options::IdempotencyLevel;
use prost_reflect::{DescriptorPool, MethodDescriptor};
use serde_json::{Map, Value, json};

use super::examples::{self, Example};
use super::pages::Rights;
use super::schemas::{comment, reference};

const NO_CREDENTIAL: &str = "no credential";

/// Returns the services with their comments.
pub(super) fn tags(pool: &DescriptorPool) -> Vec<Value> {
    let services = pool.services();
    let described =
        services.map(|service| (service.full_name().to_owned(), comment(&service.parent_file(), service.path())));
    described.map(|(name, description)| json!({ "name": name, "description": description })).collect()
}

/// Returns every path.
pub(super) fn of(pool: &DescriptorPool, rights: &BTreeMap<String, Rights>) -> anyhow::Result<Map<String, Value>> {
    let mut paths = Map::new();
    for method in pool.services().flat_map(|service| service.methods().collect::<Vec<_>>()) {
        let rights = rights.get(method.name()).with_context(|| format!("no rights of {}", method.name()))?;
        let path = format!("/{}/{}", method.parent_service().full_name(), method.name());
        paths.insert(path, operations(&method, rights, &examples::of(&method)?));
    }
    Ok(paths)
}

fn operations(method: &MethodDescriptor, rights: &Rights, example: &Example) -> Value {
    let request = content(method.input().full_name(), &example.request);
    let mut post = operation(method, rights, &example.response);
    post["operationId"] = json!(method.name());
    post["requestBody"] = json!({ "required": true, "content": request });
    if !is_read(method) {
        post["parameters"] = json!([{ "$ref": "#/components/parameters/IdempotencyKey" }]);
        return json!({ "post": post });
    }
    let mut get = operation(method, rights, &example.response);
    get["operationId"] = json!(format!("{}ByQuery", method.name()));
    get["parameters"] = json!([
        { "name": "message", "in": "query", "required": true, "content": request },
        { "$ref": "#/components/parameters/Encoding" },
    ]);
    json!({ "post": post, "get": get })
}

/// What both ways of calling a method have in common.
fn operation(method: &MethodDescriptor, rights: &Rights, answer: &Value) -> Value {
    let mut operation = json!({
        "tags": [method.parent_service().full_name()],
        "summary": comment(&method.parent_file(), method.path()),
        "x-tradepost-caller": rights.caller,
        "x-tradepost-rate-limit": rights.rate_limit,
        "responses": {
            "200": { "description": "Done.", "content": content(method.output().full_name(), answer) },
            "default": { "$ref": "#/components/responses/Error" },
        },
    });
    if !rights.second_factor.is_empty() {
        operation["x-tradepost-second-factor"] = json!(rights.second_factor);
    }
    if rights.caller == NO_CREDENTIAL {
        operation["security"] = json!([]);
    }
    operation
}

fn content(message: &str, example: &Value) -> Value {
    json!({ "application/json": { "schema": reference(message), "example": example } })
}

fn is_read(method: &MethodDescriptor) -> bool {
    let options = method.method_descriptor_proto().options.as_ref();
    options.is_some_and(|options| options.idempotency_level() == IdempotencyLevel::NoSideEffects)
}

/// Returns the parameters that several operations take.
pub(super) fn parameters() -> Value {
    json!({
        "IdempotencyKey": {
            "name": "idempotency-key",
            "in": "header",
            "description": "A name under which the call is carried out once; send the same call with the same name when no answer comes.",
            "schema": { "type": "string", "minLength": 1, "maxLength": 255 },
        },
        "Encoding": {
            "name": "encoding",
            "in": "query",
            "required": true,
            "description": "How `message` is written.",
            "schema": { "type": "string", "const": "json" },
        },
    })
}

/// Returns the answer of a call that failed.
pub(super) fn error(reasons: &[(String, String)]) -> Value {
    let names: Vec<_> = reasons.iter().map(|(name, _)| name).collect();
    let meanings: String = reasons.iter().map(|(name, meaning)| format!("\n- `{name}`: {meaning}")).collect();
    json!({
        "description": "The call failed.",
        "headers": {
            "x-error-reason": {
                "description": format!("The stable name of the case, for programs.\n{meanings}"),
                "schema": { "type": "string", "examples": names },
            },
            "x-request-id": {
                "description": "The id under which the call is in the server's log.",
                "schema": { "type": "string" },
            },
            "Retry-After": {
                "description": "Seconds to wait before the next try.",
                "schema": { "type": "integer" },
            },
        },
        "content": {
            "application/json": {
                "schema": {
                    "type": "object",
                    "required": ["code", "message"],
                    "properties": {
                        "code": { "type": "string" },
                        "message": { "type": "string", "description": "What happened, for people; it may change." },
                    },
                },
            },
        },
    })
}
