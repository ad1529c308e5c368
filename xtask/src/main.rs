//! The project's own commands, run as `cargo xtask <command>`.
//!
//! Owns what a contributor and CI run. It knows the tools and the workspace's layout, and nothing of the product's code.

mod apt;
mod bench;
mod books;
mod browser;
mod changed;
mod checks;
mod console;
mod dependencies;
mod docs;
mod interop;
mod language;
mod memory;
mod mutants;
mod nightly;
mod npm;
mod openapi;
mod package;
mod postgres;
mod protos;
mod python_client;
mod report;
mod soak;
mod tools;
mod typescript_client;

use std::path::Path;
use std::process::{Command, ExitCode};

use anyhow::Context;
use clap::{Parser, Subcommand};

/// The project's own commands.
#[derive(Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask")]
struct Cli {
    #[command(subcommand)]
    command: Task,
}

#[derive(Subcommand)]
enum Task {
    /// Runs the checks of every change: format, lints, documentation, tests on SQLite and PostgreSQL, protos, dependencies.
    #[command(after_help = "Example: cargo xtask test --changed main")]
    Test {
        /// Runs only tests of crates that changed since BASE [default: HEAD], and of those that depend on them.
        #[arg(long, value_name = "BASE", num_args = 0..=1, default_missing_value = "HEAD")]
        changed: Option<String>,
    },
    /// Measures the release binary and the store against hand-written programs; see docs/benchmarks.md.
    #[command(after_help = "Example: cargo xtask bench --only get --rounds 3", disable_help_flag = true)]
    Bench {
        /// What to measure and how: `cargo xtask bench --help` lists it, once built.
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        arguments: Vec<String>,
    },
    /// Trades in a simulated world with every fault, is killed over and over, and checks that everything adds up; see
    /// docs/soak.md.
    #[command(
        after_help = "Example: cargo xtask soak --purchases 20000 --kills 50 --database postgres --nodes 2",
        disable_help_flag = true
    )]
    Soak {
        /// How much of it: `cargo xtask soak --help` lists it, once built.
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        arguments: Vec<String>,
    },
    /// Writes consistent books of any size into an empty database, to look at with `tradepost doctor --deep`.
    #[command(
        after_help = "Example: cargo xtask books --purchases 1000000 --database sqlite://target/books/tradepost.db",
        disable_help_flag = true
    )]
    Books {
        /// How many, and where: `cargo xtask books --help` lists it, once built.
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        arguments: Vec<String>,
    },
    /// Runs what takes too long for every change and keeps how it ended in docs/nightly.md.
    #[command(after_help = "Example: cargo xtask nightly --only soak")]
    Nightly {
        /// The checks to run; all if absent.
        #[arg(long, value_delimiter = ',')]
        only: Vec<nightly::Check>,
    },
    /// Changes the rules one by one and looks whether a test notices; see docs/mutants.md.
    #[command(after_help = "Example: cargo xtask mutants domain/1")]
    Mutants {
        /// The parts to test, `domain/1` or all of a crate's by `domain`; the one that was tested longest ago if absent.
        parts: Vec<String>,
        /// Prints the parts and how each ended last.
        #[arg(long, conflicts_with = "parts")]
        list: bool,
    },
    /// Finds phrases that STYLE.md bans, and checks that no file has more than language-budget.txt allows.
    #[command(after_help = "Example: cargo xtask language docs/reference/rules.md")]
    Language {
        /// The files or folders of which every banned phrase is printed; files above their budget are always printed.
        paths: Vec<String>,
        /// Lowers the budget to the current counts; never raises it.
        #[arg(long)]
        write: bool,
    },
    /// Builds the documents as a book in target/book, and checks every link and anchor.
    Docs,
    /// Writes docs/openapi.json, the description of the interface for other tools.
    Openapi,
    /// Calls the demo with `buf curl`, connect-node, and Python's connectrpc and grpcio; needs npm and Python.
    Interop,
    /// Tests the Python client against the demo, and compares its generated code with the protos; needs Python and npm.
    PythonClient,
    /// Makes the packages of a release from the commit that is checked out; see docs/releasing.md.
    #[command(after_help = "Example: cargo xtask package --binary target/dist/tradepost --only tarball,deb")]
    Package(package::Arguments),
    /// Runs one command with a throw-away PostgreSQL, named to it in TRADEPOST_TEST_POSTGRES.
    #[command(after_help = "Example: cargo xtask with-postgres cargo nextest run -p tradepost-adapters-sql")]
    WithPostgres {
        /// The command and its arguments.
        #[arg(required = true, trailing_var_arg = true, allow_hyphen_values = true)]
        command: Vec<String>,
    },
}

fn main() -> ExitCode {
    let ended = match Cli::parse().command {
        Task::Test { changed: None } => checks::run(),
        Task::Test { changed: Some(base) } => changed::run(&base),
        Task::Bench { arguments } => bench::run(&arguments),
        Task::Soak { arguments } => soak::run(&arguments),
        Task::Books { arguments } => books::run(&arguments),
        Task::Nightly { only } => nightly::run(&only),
        Task::Mutants { list: true, .. } => mutants::list(),
        Task::Mutants { parts, list: false } => mutants::run(&parts),
        Task::Language { paths, write } => language::run(&paths, write),
        Task::Docs => Ok(docs::run()),
        Task::Openapi => openapi::run(),
        Task::Interop => interop::run(),
        Task::PythonClient => Ok(python_client::run()),
        Task::Package(arguments) => package::run(&arguments),
        Task::WithPostgres { command } => with_postgres(&command),
    };
    ended.unwrap_or_else(|error| {
        eprintln!("error: {error:#}");
        ExitCode::FAILURE
    })
}

fn with_postgres(command: &[String]) -> anyhow::Result<ExitCode> {
    let (program, arguments) = command.split_first().context("no command given")?;
    let cluster = postgres::Cluster::start(postgres::FOR_TESTS)?;
    let status = command_of(program)
        .args(arguments)
        .env(postgres::URL_VARIABLE, cluster.url())
        .status()
        .with_context(|| format!("cannot run {program}"))?;
    let code = status.code().and_then(|code| u8::try_from(code).ok());
    Ok(code.map_or(ExitCode::FAILURE, ExitCode::from))
}

/// The variables that cargo sets for this program, as far as build scripts read them.
const SET_BY_CARGO: [&str; 7] = [
    "CARGO_MANIFEST_DIR",
    "CARGO_MANIFEST_LINKS",
    "CARGO_PKG_NAME",
    "CARGO_PKG_VERSION_MAJOR",
    "CARGO_PKG_VERSION_MINOR",
    "CARGO_PKG_VERSION_PATCH",
    "CARGO_PKG_VERSION_PRE",
];

/// A program without the variables that cargo set for this one. Build scripts that read them would run again, and their dependents be
/// compiled again, in every cargo command that is not run from here.
fn command_of(program: &str) -> Command {
    let mut command = Command::new(program);
    for name in SET_BY_CARGO {
        command.env_remove(name);
    }
    command
}

/// The folder that holds the workspace's `Cargo.toml`.
fn workspace_root() -> &'static Path {
    let own = Path::new(env!("CARGO_MANIFEST_DIR"));
    own.parent().unwrap_or(own)
}
