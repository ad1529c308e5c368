//! `cargo xtask openapi`: writes docs/openapi.json, a description of the interface in `OpenAPI` 3.1.
//!
//! It reads the protos, the pages that the code generates (rights of operations, reasons of errors), and the calls that the end-to-end tests
//! keep.

mod examples;
mod pages;
mod paths;
mod schemas;
mod validator;

use std::fs;
use std::path::Path;
use std::process::ExitCode;

use anyhow::Context;
use prost_reflect::DescriptorPool;
use serde_json::{Value, json};

use crate::report::Outcome;
use crate::workspace_root;

pub(crate) use validator::validate;

const WRITTEN: &str = "docs/openapi.json";
const SERVICES: [&str; 6] = [
    "accounts/v1/accounts.proto",
    "alerts/v1/alerts.proto",
    "contracts/v1/contracts.proto",
    "events/v1/events.proto",
    "markets/v1/markets.proto",
    "trading/v1/trading.proto",
];

/// Writes the description.
pub(crate) fn run() -> anyhow::Result<ExitCode> {
    let description = description()?;
    let text = serde_json::to_string_pretty(&description).context("cannot write JSON")?;
    fs::write(workspace_root().join(WRITTEN), format!("{text}\n"))
        .with_context(|| format!("cannot write {WRITTEN}"))?;
    let (paths, schemas) = (&description["paths"], &description["components"]["schemas"]);
    let count = |value: &Value| value.as_object().map_or(0, serde_json::Map::len);
    println!("{WRITTEN}: {} operations, {} schemas", count(paths), count(schemas));
    Ok(ExitCode::SUCCESS)
}

/// The check of `cargo xtask test`.
///
/// Values are compared instead of texts, because the order of keys depends on the features that other crates ask of `serde_json`.
pub(crate) fn check() -> anyhow::Result<Outcome> {
    let written =
        fs::read_to_string(workspace_root().join(WRITTEN)).with_context(|| format!("cannot read {WRITTEN}"))?;
    let written: Value = serde_json::from_str(&written).with_context(|| format!("{WRITTEN} is not JSON"))?;
    Ok(if written == description()? {
        Outcome::Passed
    } else {
        Outcome::Failed(format!("{WRITTEN} is out of date: write it with `cargo xtask openapi`"))
    })
}

fn description() -> anyhow::Result<Value> {
    let pool = own_protos()?;
    let reasons = pages::reasons()?;
    let schemas = schemas::of(&pool);
    Ok(json!({
        "openapi": "3.1.0",
        "info": {
            "title": "tradepost",
            "version": env!("CARGO_PKG_VERSION"),
            "license": { "name": "MIT OR Apache-2.0", "identifier": "MIT OR Apache-2.0" },
            "description": "A self-hosted platform that trades game items. docs/reference/api.md explains paging, retries and watching.",
        },
        "servers": [{ "url": "/" }],
        "security": [{ "token": [] }],
        "tags": paths::tags(&pool),
        "paths": paths::of(&pool, &pages::rights()?)?,
        "components": {
            "securitySchemes": {
                "token": { "type": "http", "scheme": "bearer", "description": "An API key or the token of a session." },
            },
            "parameters": paths::parameters(),
            "responses": { "Error": paths::error(&reasons) },
            "schemas": schemas,
        },
    }))
}

fn own_protos() -> anyhow::Result<DescriptorPool> {
    protos(&workspace_root().join("proto"))
}

/// The descriptors of the protos in a folder, with their comments.
///
/// # Errors
/// When they do not compile.
pub(crate) fn protos(folder: &Path) -> anyhow::Result<DescriptorPool> {
    let mut compiler = protox::Compiler::new([folder])?;
    compiler.include_imports(true).include_source_info(true).open_files(SERVICES)?;
    Ok(compiler.descriptor_pool())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    fn references(value: &Value, found: &mut BTreeSet<String>) {
        match value {
            Value::Object(fields) => {
                found.extend(fields.get("$ref").and_then(Value::as_str).map(str::to_owned));
                fields.values().for_each(|field| references(field, found));
            }
            Value::Array(items) => items.iter().for_each(|item| references(item, found)),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
        }
    }

    #[test]
    fn every_reference_of_the_description_leads_somewhere() {
        let description = description().unwrap();
        let mut found = BTreeSet::new();
        references(&description, &mut found);
        let missing: Vec<_> = found.iter().filter(|to| description.pointer(&to[1..]).is_none()).collect();
        assert!(found.len() > 400, "only {} references", found.len());
        assert_eq!(missing, Vec::<&String>::new());
    }

    #[test]
    fn every_method_has_a_path_with_its_rights_and_an_example() {
        let (pool, description) = (own_protos().unwrap(), description().unwrap());
        for method in pool.services().flat_map(|service| service.methods().collect::<Vec<_>>()) {
            let path = format!("/{}/{}", method.parent_service().full_name(), method.name());
            let operation = &description["paths"][&path]["post"];
            assert_eq!(operation["operationId"], method.name());
            assert!(operation["x-tradepost-caller"].is_string(), "{path}");
            for content in ["/requestBody/content", "/responses/200/content"] {
                let example = operation.pointer(content).unwrap()["application/json"]["example"].clone();
                assert!(example.is_object(), "{path}: {example}");
            }
        }
    }

    #[test]
    fn reads_can_be_called_by_get_and_writes_take_an_idempotency_key() {
        let paths = &description().unwrap()["paths"];
        let (read, write) =
            (&paths["/contracts.v1.Contracts/GetPurchase"], &paths["/contracts.v1.Contracts/CancelPurchase"]);
        assert_eq!(read["get"]["operationId"], "GetPurchaseByQuery");
        assert_eq!(read["post"]["parameters"], Value::Null);
        assert_eq!(write["get"], Value::Null);
        assert_eq!(write["post"]["parameters"][0]["$ref"], "#/components/parameters/IdempotencyKey");
    }

    #[test]
    fn fields_are_required_where_their_comments_say_so() {
        let schemas = &description().unwrap()["components"]["schemas"];
        let required = |message: &str| schemas[message]["required"].clone();
        assert_eq!(required("contracts.v1.GetPurchaseRequest"), json!(["workspaceId", "purchaseId"]));
        let purchase = required("contracts.v1.Purchase");
        let names = purchase.as_array().unwrap();
        assert!(names.contains(&json!("status")) && !names.contains(&json!("tradeId")), "{purchase}");
        let terms = required("contracts.v1.BuyingTerms");
        assert_eq!(terms, json!(["targetQuantity", "maxBuyPriceCents", "budgetCents"]));
    }
}
