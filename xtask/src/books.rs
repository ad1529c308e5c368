//! `cargo xtask books`: writes consistent books of any size, as they are shipped, to look at with `tradepost doctor --deep`.

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use anyhow::Context;

use crate::checks::{build_release, tool};
use crate::postgres::{Cluster, FOR_MEASUREMENTS};
use crate::{command_of, workspace_root};

/// What the look at everything may take, and for how many purchases.
const PURCHASES: &str = "1000000";
const ON_SQLITE: Duration = Duration::from_mins(5);
const ON_POSTGRES: Duration = Duration::from_mins(8);
const AT_ONCE: Duration = Duration::from_secs(10);
const FOLDER: &str = "target/books";

/// Writes books with these arguments of theirs.
///
/// # Errors
/// When it does not build.
pub(crate) fn run(arguments: &[String]) -> anyhow::Result<ExitCode> {
    Ok(if write("release", arguments)? { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn write(profile: &str, arguments: &[String]) -> anyhow::Result<bool> {
    let mut command = command_of("cargo");
    command.args(["run", "--profile", profile, "--package", "tradepost-bench", "--features", "books", "--", "books"]);
    let status = command.args(arguments).current_dir(workspace_root()).status();
    Ok(status.context("cannot run cargo")?.success())
}

/// Writes books of so many purchases on SQLite, in place of those before, by a program of the tests' profile. Returns their folder.
///
/// # Errors
/// When they do not build.
pub(crate) fn of_purchases(purchases: u32) -> anyhow::Result<PathBuf> {
    let folder = workspace_root().join(FOLDER);
    if folder.exists() {
        std::fs::remove_dir_all(&folder)?;
    }
    let is_written = write("dev", &["--purchases".to_owned(), purchases.to_string()])?;
    anyhow::ensure!(is_written, "the books were not written");
    Ok(folder)
}

/// Looks at a million purchases on both databases; whether nothing is found, in the time that there is.
///
/// # Errors
/// When something does not build, or when there is no PostgreSQL.
pub(crate) fn examine() -> anyhow::Result<bool> {
    let folder = workspace_root().join(FOLDER);
    let cluster = Cluster::start(FOR_MEASUREMENTS)?;
    let file = format!("sqlite://{}", folder.join("tradepost.db").display());
    let mut is_sound = true;
    for (url, within) in [(file, ON_SQLITE), (cluster.url().clone(), ON_POSTGRES)] {
        if folder.exists() {
            std::fs::remove_dir_all(&folder)?;
        }
        is_sound &=
            write("release", &["--purchases".to_owned(), PURCHASES.to_owned(), "--database".to_owned(), url.clone()])?;
        for (flags, within) in [(&[][..], AT_ONCE), (&["--deep"][..], within)] {
            is_sound &= examined(&url, flags, within)?;
        }
    }
    Ok(is_sound)
}

fn examined(url: &str, flags: &[&str], within: Duration) -> anyhow::Result<bool> {
    let program = build_release()?;
    let began = Instant::now();
    let mut doctor = tool(&program.display().to_string());
    doctor.args(["doctor", "--database", url]).args(flags);
    doctor.env("TRADEPOST_SECRET__ROOT_FILE", workspace_root().join(FOLDER).join("root-secret"));
    let is_sound = doctor.status().context("cannot run tradepost")?.success();
    let took = began.elapsed();
    println!("doctor {} took {} s of {}", flags.join(" "), took.as_secs(), within.as_secs());
    Ok(is_sound && took <= within)
}
