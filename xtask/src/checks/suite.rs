//! Which tests a run has, and the command that runs them: nextest, or `cargo test` where it is not installed.

use std::num::NonZeroUsize;
use std::process::Command;
use std::thread;

use crate::browser::CHROMIUM;
use crate::checks::{WHOLE, answers, cargo};
use crate::memory;
use crate::postgres::pooler;
use crate::{npm, python_client};

/// Tests that not every run has, because they need more than Rust, or minutes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Group {
    InBrowser,
    WithPooler,
    WithPoolerByTransaction,
    OnSmallFileSystem,
    PagesWithPython,
    PagesWithNode,
    /// Compiles the library once more, as an embedder does: `cargo xtask nightly` runs it.
    PagesWithCargo,
    /// Minutes for each promise, and rarely failing: `cargo xtask nightly` runs them.
    Long,
    /// Two hundred engines, with the program as people build it for themselves: `cargo xtask nightly` runs them.
    ManyWorkspaces,
}

/// What tests of a group need, and who sees to it that it is there.
pub(crate) struct Need {
    pub(crate) name: &'static str,
    pub(crate) group: Group,
    /// Says what is missing.
    pub(crate) provide: fn() -> anyhow::Result<Option<String>>,
}

/// What the tests of every change need besides Rust.
pub(crate) const NEEDS: [Need; 6] = [
    Need { name: "for tests: browser", group: Group::InBrowser, provide: || Ok(CHROMIUM.provide()) },
    Need { name: "for tests: PgBouncer", group: Group::WithPooler, provide: || Ok(pooler::provide()) },
    Need {
        name: "for tests: PgBouncer 1.21",
        group: Group::WithPoolerByTransaction,
        provide: || Ok(pooler::provide_transactions()),
    },
    Need { name: "for tests: small disk", group: Group::OnSmallFileSystem, provide: memory::missing_mount },
    Need { name: "for pages: Python", group: Group::PagesWithPython, provide: python_client::missing },
    Need { name: "for pages: Node", group: Group::PagesWithNode, provide: || Ok(npm::missing().map(str::to_owned)) },
];

/// The groups that `cargo xtask nightly` runs.
pub(crate) const NIGHTLY: [Group; 3] = [Group::PagesWithCargo, Group::Long, Group::ManyWorkspaces];

impl Group {
    /// The module of these tests: `long` of any module, the others in the package of the tests of the whole.
    const fn module(self) -> &'static str {
        match self {
            Self::InBrowser => "browser::",
            Self::WithPooler => "faults::replicas::pooled::a_server_works_through_pgbouncer_in_session_mode",
            Self::WithPoolerByTransaction => {
                "faults::replicas::pooled::a_server_works_through_pgbouncer_in_transaction_mode"
            }
            Self::OnSmallFileSystem => "faults::disk::on_a_really_full_file_system",
            Self::PagesWithPython => "pages::python::",
            Self::PagesWithNode => "pages::node::",
            Self::PagesWithCargo => "pages::cargo::",
            Self::Long => "long::",
            Self::ManyWorkspaces => "faults::two_servers::many_workspaces::",
        }
    }

    fn filter(self) -> String {
        match self {
            Self::Long => format!("test(/(^|::){}/)", self.module()),
            Self::InBrowser
            | Self::WithPooler
            | Self::WithPoolerByTransaction
            | Self::OnSmallFileSystem
            | Self::PagesWithPython
            | Self::PagesWithNode
            | Self::PagesWithCargo
            | Self::ManyWorkspaces => format!("(package(tradepost-tests) and test(/^{}/))", self.module()),
        }
    }
}

/// All tests but those of these groups. Those that need a browser, Python or Node run together with the others: they wait most of their time.
pub(crate) fn all_but(groups: &[Group]) -> Command {
    if has_nextest() {
        return nextest(&format!("not ({})", filter_of(groups)));
    }
    let mut command = test();
    command.args(["--lib", "--bins", "--tests", "--examples", "--"]);
    command.args(groups.iter().flat_map(|group| ["--skip", group.module()]));
    command
}

/// The tests of these groups, as nextest names them.
pub(crate) fn filter_of(groups: &[Group]) -> String {
    groups.iter().map(|group| group.filter()).collect::<Vec<_>>().join(" or ")
}

/// The tests of one group.
pub(crate) fn only(group: Group) -> Command {
    if has_nextest() {
        return nextest(&group.filter());
    }
    let mut command = test();
    command.args(["--tests", "--", group.module()]);
    command
}

fn has_nextest() -> bool {
    answers("cargo", &["nextest", "--version"])
}

fn nextest(filter: &str) -> Command {
    let mut command = cargo("nextest");
    command.arg("run").args(WHOLE).args(["--no-fail-fast", "--filterset", filter]);
    command.args(["--test-threads", &at_once().to_string()]);
    in_memory(&mut command);
    command
}

fn test() -> Command {
    let mut command = cargo("test");
    command.args(WHOLE).arg("--no-fail-fast");
    in_memory(&mut command);
    command
}

/// How many tests run at once: one more than there are processors, since some wait for a clock, a process or a server.
fn at_once() -> usize {
    thread::available_parallelism().map_or(1, NonZeroUsize::get) + 1
}

/// Each test has a database of its own, and waits for the disk with every commit unless there is none.
fn in_memory(command: &mut Command) {
    if let Some(folder) = memory::folder_with(memory::FOR_FILES) {
        command.env("TMPDIR", folder);
    }
}
