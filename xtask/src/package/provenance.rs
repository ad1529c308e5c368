//! The provenance of the packages: a statement of in-toto with a predicate of SLSA 1.0. It is not signed.

use anyhow::Context;
use serde_json::{Value, json};

use super::{Release, archive, line, source};
use crate::checks::tool;

const FILE: &str = "provenance.intoto.json";

/// Writes the statement about all files that are there.
pub(super) fn write(release: &Release) -> anyhow::Result<()> {
    let files = archive::files(&release.out)?;
    let subject = files
        .iter()
        .map(|file| Ok(json!({ "name": archive::name(file), "digest": { "sha256": archive::digest(file)? } })));
    let subject = subject.collect::<anyhow::Result<Vec<Value>>>()?;
    let text = serde_json::to_string_pretty(&statement(release, &subject)?).context("cannot write JSON")?;
    super::write(&release.out.join(FILE), format!("{text}\n").as_bytes(), 0o644)
}

fn statement(release: &Release, subject: &[Value]) -> anyhow::Result<Value> {
    let source = &release.source;
    let is_given = release.program.as_ref().is_some_and(|program| program.is_given);
    let lock = archive::digest(&source.path("Cargo.lock"))?;
    Ok(json!({
        "_type": "https://in-toto.io/Statement/v1",
        "subject": subject,
        "predicateType": "https://slsa.dev/provenance/v1",
        "predicate": {
            "buildDefinition": {
                "buildType": "urn:tradepost:cargo-xtask-package:1",
                "externalParameters": { "version": source::VERSION, "program": if is_given { "given" } else { "built" } },
                "internalParameters": {
                    "target": release.program.as_ref().map(|program| program.target.as_str()),
                    "rustc": line(tool("rustc").arg("--version"))?,
                    "cargo": line(tool("cargo").arg("--version"))?,
                    "sourceDateEpoch": source.epoch,
                },
                "resolvedDependencies": [
                    { "name": "source", "uri": "git+file:tradepost", "digest": { "gitCommit": source.commit } },
                    { "name": "Cargo.lock", "digest": { "sha256": lock } },
                ],
            },
            "runDetails": { "builder": { "id": "urn:tradepost:cargo-xtask-package" } },
        },
    }))
}
