//! The crates of the workspace, their folders, and which depends on which.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::Context;
use cargo_metadata::{MetadataCommand, Package, Target, TargetKind};

use crate::workspace_root;

/// The crate of the program. Those that depend on it test the whole, and take longest to build.
const PROGRAM: &str = "tradepost";

/// The crates by name.
pub(super) struct Graph(BTreeMap<String, Member>);

/// A crate of the workspace.
struct Member {
    /// Relative to the workspace, with a slash at its end.
    folder: String,
    /// The workspace's crates that it needs, for its tests as well.
    needs: BTreeSet<String>,
    has_library: bool,
    /// The names of its integration tests.
    tests: BTreeSet<String>,
}

/// Crates whose tests run together.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Stage {
    pub(super) packages: BTreeSet<String>,
    /// Whether they are built with the whole workspace.
    pub(super) is_wide: bool,
}

impl Graph {
    /// Asks cargo.
    pub(super) fn read() -> anyhow::Result<Self> {
        let mut command = MetadataCommand::new();
        command.current_dir(workspace_root()).no_deps();
        let metadata = command.exec().context("cargo metadata failed")?;
        Ok(Self(metadata.packages.iter().map(|package| (package.name.to_string(), Member::of(package))).collect()))
    }

    pub(super) fn packages(&self) -> impl Iterator<Item = &String> {
        self.0.keys()
    }

    /// Whether all crates of a stage have a library.
    pub(super) fn have_libraries(&self, stage: &Stage) -> bool {
        stage.packages.iter().all(|name| self.0.get(name).is_some_and(|member| member.has_library))
    }

    /// The names of the integration tests of crates.
    pub(super) fn tests(&self, packages: &BTreeSet<String>) -> BTreeSet<&String> {
        self.0.iter().filter(|(name, _)| packages.contains(*name)).flat_map(|(_, member)| &member.tests).collect()
    }

    /// The crate of which a file is a part. The protos are a part of the crate that generates code from them.
    pub(super) fn owner(&self, file: &str) -> Option<&str> {
        if file.starts_with("proto/") {
            return Some("tradepost-proto");
        }
        let owner = self.0.iter().find(|(_, member)| file.starts_with(&member.folder));
        owner.map(|(name, _)| name.as_str())
    }

    /// The changed crates, then those that need them, and last those that are built with the program.
    pub(super) fn stages(&self, changed: &BTreeSet<String>) -> Vec<Stage> {
        let needs_changed = |name: &str| changed.contains(name) || !self.all_needs(name).is_disjoint(changed);
        let reached: BTreeSet<String> = self.0.keys().filter(|name| needs_changed(name)).cloned().collect();
        let (wide, narrow): (BTreeSet<_>, BTreeSet<_>) = reached.into_iter().partition(|name| self.is_wide(name));
        let (first, near): (BTreeSet<_>, BTreeSet<_>) = narrow.into_iter().partition(|name| changed.contains(name));
        let (adapters, core) = near.into_iter().partition(|name| name.starts_with("tradepost-adapters-"));
        let stage = |packages, is_wide| Stage { packages, is_wide };
        let stages = [stage(first, false), stage(core, false), stage(adapters, false), stage(wide, true)];
        stages.into_iter().filter(|stage| !stage.packages.is_empty()).collect()
    }

    fn is_wide(&self, name: &str) -> bool {
        name == PROGRAM || self.all_needs(name).contains(PROGRAM)
    }

    /// What a crate needs, directly or not.
    fn all_needs(&self, name: &str) -> BTreeSet<String> {
        let (mut found, mut open) = (BTreeSet::new(), vec![name.to_owned()]);
        while let Some(name) = open.pop() {
            let needs = self.0.get(&name).into_iter().flat_map(|member| &member.needs);
            open.extend(needs.filter(|needed| found.insert((*needed).clone())).cloned());
        }
        found
    }
}

impl Member {
    fn of(package: &Package) -> Self {
        let folder = package.manifest_path.parent().and_then(|folder| folder.strip_prefix(workspace_root()).ok());
        let is_test = |target: &&Target| target.kind.contains(&TargetKind::Test);
        // Those of the workspace have a path.
        let own = package.dependencies.iter().filter(|dependency| dependency.path.is_some());
        Self {
            folder: folder.map_or_else(String::new, |folder| format!("{folder}/")),
            needs: own.map(|dependency| dependency.name.clone()).collect(),
            has_library: package.targets.iter().any(|target| target.kind.contains(&TargetKind::Lib)),
            tests: package.targets.iter().filter(is_test).map(|target| target.name.clone()).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(names: &[&str]) -> BTreeSet<String> {
        names.iter().map(|name| (*name).to_owned()).collect()
    }

    fn graph() -> Graph {
        let member = |name: &str, needs: &[&str]| {
            let folder = format!("crates/{name}/");
            (name.to_owned(), Member { folder, needs: set(needs), has_library: true, tests: BTreeSet::new() })
        };
        let members = [
            member("domain", &[]),
            member("ports", &["domain"]),
            member("other", &[]),
            member("tradepost-adapters-x", &["ports"]),
            member("tradepost", &["tradepost-adapters-x", "other"]),
            member("whole", &["tradepost"]),
        ];
        Graph(members.into_iter().collect())
    }

    fn stages(changed: &[&str]) -> Vec<(Vec<String>, bool)> {
        let stages = graph().stages(&set(changed)).into_iter();
        stages.map(|stage| (stage.packages.into_iter().collect(), stage.is_wide)).collect()
    }

    fn stage(names: &[&str], is_wide: bool) -> (Vec<String>, bool) {
        (set(names).into_iter().collect(), is_wide)
    }

    #[test]
    fn the_changed_crate_comes_first_and_what_needs_the_program_last() {
        let expected = [
            stage(&["domain"], false),
            stage(&["ports"], false),
            stage(&["tradepost-adapters-x"], false),
            stage(&["tradepost", "whole"], true),
        ];
        assert_eq!(stages(&["domain"]), expected);
    }

    #[test]
    fn a_crate_that_no_change_reaches_is_not_tested() {
        assert_eq!(stages(&["other"]), [stage(&["other"], false), stage(&["tradepost", "whole"], true)]);
        assert_eq!(stages(&["whole"]), [stage(&["whole"], true)]);
        assert_eq!(stages(&[]), []);
    }

    #[test]
    fn a_file_belongs_to_the_crate_of_its_folder() {
        assert_eq!(graph().owner("crates/ports/src/lib.rs"), Some("ports"));
        assert_eq!(graph().owner("proto/contracts/v1/pool.proto"), Some("tradepost-proto"));
        assert_eq!(graph().owner("docs/README.md"), None);
    }

    #[test]
    fn a_change_of_the_domain_reaches_the_tests_of_the_whole_and_not_these_commands() {
        let graph = Graph::read().unwrap();
        let stages = graph.stages(&set(&["tradepost-domain"]));
        assert_eq!(stages[0].packages, set(&["tradepost-domain"]));
        assert!(stages.last().unwrap().packages.contains("tradepost-tests"));
        assert!(!stages.iter().any(|stage| stage.packages.contains("xtask")));
        assert_eq!(graph.tests(&stages[0].packages), BTreeSet::from([&"laws".to_owned()]));
    }
}
