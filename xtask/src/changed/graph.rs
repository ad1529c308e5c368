//! The crates of the workspace, their folders, and which depends on which.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::Context;
use serde_json::Value;

use crate::checks::tool;
use crate::workspace_root;

/// The crates by name.
pub(super) struct Graph(BTreeMap<String, Package>);

struct Package {
    /// Relative to the workspace, with a slash at its end.
    folder: String,
    /// The workspace's crates that it needs, for its tests as well.
    needs: BTreeSet<String>,
}

impl Graph {
    /// Asks cargo.
    pub(super) fn read() -> anyhow::Result<Self> {
        let mut command = tool("cargo");
        let output = command.args(["metadata", "--no-deps", "--format-version", "1", "--offline"]).output();
        let output = output.context("cannot run cargo")?;
        anyhow::ensure!(output.status.success(), "cargo metadata failed: {}", String::from_utf8_lossy(&output.stderr));
        Self::of(&serde_json::from_slice(&output.stdout).context("cargo metadata printed no JSON")?)
    }

    fn of(metadata: &Value) -> anyhow::Result<Self> {
        let packages = metadata["packages"].as_array().context("cargo metadata names no packages")?;
        let root = format!("{}/", workspace_root().display());
        let package = |package: &Value| {
            let name = package["name"].as_str().context("a package has no name")?.to_owned();
            let manifest = package["manifest_path"].as_str().context("a package has no manifest")?;
            let folder = manifest.strip_suffix("Cargo.toml").unwrap_or(manifest).trim_start_matches(&root).to_owned();
            let dependencies = package["dependencies"].as_array().into_iter().flatten();
            // Those of the workspace have a path.
            let own = dependencies.filter(|dependency| dependency["path"].is_string());
            let needs = own.filter_map(|dependency| dependency["name"].as_str()).map(str::to_owned).collect();
            Ok((name, Package { folder, needs }))
        };
        packages.iter().map(package).collect::<anyhow::Result<_>>().map(Self)
    }

    pub(super) fn packages(&self) -> impl Iterator<Item = &String> {
        self.0.keys()
    }

    /// The crate of which a file is a part. The protos are a part of the crate that generates code from them.
    pub(super) fn owner(&self, file: &str) -> Option<&str> {
        if file.starts_with("proto/") {
            return Some("tradepost-proto");
        }
        let owner = self.0.iter().find(|(_, package)| file.starts_with(&package.folder));
        owner.map(|(name, _)| name.as_str())
    }

    /// The changed crates, and then the crates that need them, in groups: fewer needs of the workspace's crates come first, since
    /// these are compiled sooner.
    pub(super) fn stages(&self, changed: &BTreeSet<String>) -> Vec<Vec<String>> {
        let mut stages = Vec::new();
        if !changed.is_empty() {
            stages.push(changed.iter().cloned().collect::<Vec<_>>());
        }
        let reached = self.0.keys().filter(|name| !changed.contains(*name));
        let reached = reached.filter(|name| !self.all_needs(name).is_disjoint(changed));
        let mut by_size: BTreeMap<usize, Vec<String>> = BTreeMap::new();
        for name in reached {
            by_size.entry(self.all_needs(name).len()).or_default().push(name.clone());
        }
        stages.extend(by_size.into_values());
        stages
    }

    /// What a crate needs, directly or not.
    fn all_needs(&self, name: &str) -> BTreeSet<String> {
        let (mut found, mut open) = (BTreeSet::new(), vec![name.to_owned()]);
        while let Some(name) = open.pop() {
            let needs = self.0.get(&name).into_iter().flat_map(|package| &package.needs);
            open.extend(needs.filter(|needed| found.insert((*needed).clone())).cloned());
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn graph() -> Graph {
        let package = |name: &str, needs: &[&str]| {
            let manifest = workspace_root().join("crates").join(name).join("Cargo.toml");
            let needs: Vec<_> = needs.iter().map(|name| json!({ "name": name, "path": "…" })).collect();
            json!({ "name": name, "manifest_path": manifest, "dependencies": needs })
        };
        let packages = [
            package("domain", &[]),
            package("ports", &["domain"]),
            package("other", &[]),
            package("engine", &["ports"]),
            package("app", &["engine", "other"]),
        ];
        Graph::of(&json!({ "packages": packages })).unwrap()
    }

    #[test]
    fn the_changed_crate_comes_first_and_the_widest_last() {
        let stages = graph().stages(&BTreeSet::from(["domain".to_owned()]));
        assert_eq!(stages, [["domain"], ["ports"], ["engine"], ["app"]]);
    }

    #[test]
    fn a_crate_that_no_change_reaches_is_not_tested() {
        let stages = graph().stages(&BTreeSet::from(["engine".to_owned()]));
        assert_eq!(stages, [["engine"], ["app"]]);
        assert!(graph().stages(&BTreeSet::new()).is_empty());
    }

    #[test]
    fn a_file_belongs_to_the_crate_of_its_folder() {
        assert_eq!(graph().owner("crates/ports/src/lib.rs"), Some("ports"));
        assert_eq!(graph().owner("proto/contracts/v1/pool.proto"), Some("tradepost-proto"));
        assert_eq!(graph().owner("docs/trading.md"), None);
    }

    #[test]
    fn every_crate_of_the_workspace_is_reached_from_the_domain_or_does_not_need_it() {
        let graph = Graph::read().unwrap();
        let reached = graph.stages(&BTreeSet::from(["tradepost-domain".to_owned()])).concat();
        assert!(reached.contains(&"tradepost".to_owned()) && reached.contains(&"tradepost-tests".to_owned()));
        assert!(!reached.contains(&"xtask".to_owned()));
    }
}
