//! `cargo xtask package`: what a release consists of, made from the commit that is checked out.
//!
//! Two runs on one machine write equal files. Sources come from the commit and not from the work tree, so that neither changes nor
//! times of files matter.

mod archive;
mod checks;
mod clients;
mod compose;
mod debian;
mod documents;
mod image;
mod licences;
mod program;
mod protos;
mod provenance;
mod sbom;
mod source;
mod tarball;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use anyhow::Context;
use clap::{Args, ValueEnum};

use crate::checks::tool;
use crate::report::{Outcome, Report};
use crate::workspace_root;
use program::Program;
use source::Source;

pub(crate) use checks::{every_part, steps};
pub(crate) use image::check as check_image;

/// What to package, and where.
#[derive(Args)]
pub(crate) struct Arguments {
    /// The folder of the packages; what it holds is removed first.
    #[arg(long, default_value = "target/package/VERSION")]
    out: String,
    /// The program to package; built with the profile `dist` if absent.
    #[arg(long)]
    binary: Option<PathBuf>,
    /// The parts to make; all if absent.
    #[arg(long, value_delimiter = ',')]
    only: Vec<Part>,
    /// Checks the packages as `cargo xtask test` does, and makes none.
    #[arg(long, conflicts_with_all = ["out", "only"])]
    check: bool,
}

/// A part of a release.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Part {
    Tarball,
    Deb,
    Image,
    Python,
    Npm,
    Protos,
    Sbom,
}

impl Part {
    /// Whether it holds the program.
    fn has_program(self) -> bool {
        match self {
            Self::Tarball | Self::Deb | Self::Image => true,
            Self::Python | Self::Npm | Self::Protos | Self::Sbom => false,
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Tarball => "tarball",
            Self::Deb => "Debian package",
            Self::Image => "container image",
            Self::Python => "wheel and sdist",
            Self::Npm => "npm tarball",
            Self::Protos => "protos",
            Self::Sbom => "bill of materials",
        }
    }
}

/// One run: the commit, the program, and the folder of the packages.
struct Release {
    source: Source,
    /// Absent where no part needs it.
    program: Option<Program>,
    /// For the packages.
    out: PathBuf,
    /// For what they are made from.
    work: PathBuf,
}

/// Makes the packages, their checksums and their provenance.
///
/// # Errors
/// When the commit cannot be read, the program does not build, or the folders cannot be written.
pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    if arguments.check {
        let mut report = Report::default();
        steps(&mut report);
        report.step("container image", || check_image(arguments.binary.as_deref()));
        return Ok(report.finish());
    }
    let parts = if arguments.only.is_empty() { Part::value_variants().to_vec() } else { arguments.only.clone() };
    let out = workspace_root().join(arguments.out.replace("VERSION", source::VERSION));
    let work = workspace_root().join("target/package/work");
    let mut report = Report::default();
    make(&parts, arguments.binary.as_deref(), out, work, &mut report)?;
    Ok(report.finish())
}

/// Makes parts in an empty folder `out`, one step of the report each.
fn make(
    parts: &[Part],
    binary: Option<&Path>,
    out: PathBuf,
    work: PathBuf,
    report: &mut Report,
) -> anyhow::Result<Release> {
    empty(&out)?;
    empty(&work)?;
    let source = Source::export(&work)?;
    let needs_program = parts.iter().any(|part| part.has_program());
    let program = needs_program.then(|| Program::provide(binary, &source, &work)).transpose()?;
    let release = Release { source, program, out, work };
    for part in parts {
        report.step(part.name(), || release.make(*part));
    }
    report.step("provenance", || release.pass(provenance::write));
    report.step("checksums", || release.pass(archive::checksums));
    Ok(release)
}

impl Release {
    fn make(&self, part: Part) -> anyhow::Result<Outcome> {
        match part {
            Part::Tarball => self.pass(tarball::write),
            Part::Deb => self.pass(debian::write),
            Part::Image => image::write(self),
            Part::Python => clients::python(self),
            Part::Npm => clients::npm(self),
            Part::Protos => self.pass(protos::write),
            Part::Sbom => self.pass(sbom::write),
        }
    }

    fn pass(&self, write: impl FnOnce(&Self) -> anyhow::Result<()>) -> anyhow::Result<Outcome> {
        write(self).map(|()| Outcome::Passed)
    }

    fn program(&self) -> anyhow::Result<&Program> {
        self.program.as_ref().context("no program was built")
    }

    /// A command that makes files: with the times of the commit, and in English.
    fn command(&self, program: &str) -> Command {
        let mut command = tool(program);
        command.env("SOURCE_DATE_EPOCH", &self.source.epoch).env("LC_ALL", "C.UTF-8").env("TZ", "UTC");
        command
    }

    /// A new folder under the work folder.
    fn folder(&self, name: &str) -> anyhow::Result<PathBuf> {
        let folder = self.work.join(name);
        empty(&folder)?;
        Ok(folder)
    }
}

/// Leaves an empty folder.
fn empty(folder: &Path) -> anyhow::Result<()> {
    if folder.exists() {
        fs::remove_dir_all(folder).with_context(|| format!("cannot remove {}", folder.display()))?;
    }
    fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))
}

/// Copies a file with a mode, and makes the folders above it.
fn install(from: &Path, to: &Path, mode: u32) -> anyhow::Result<()> {
    let content = fs::read(from).with_context(|| format!("cannot read {}", from.display()))?;
    write(to, &content, mode)
}

/// Writes a file with a mode, and makes the folders above it.
fn write(to: &Path, content: &[u8], mode: u32) -> anyhow::Result<()> {
    use std::os::unix::fs::PermissionsExt as _;
    let written = || {
        to.parent().map_or(Ok(()), fs::create_dir_all)?;
        fs::write(to, content)?;
        fs::set_permissions(to, fs::Permissions::from_mode(mode))
    };
    written().with_context(|| format!("cannot write {}", to.display()))
}

/// Runs a command that must succeed.
fn succeed(command: &mut Command) -> anyhow::Result<()> {
    let program = command.get_program().display().to_string();
    let status = command.status().with_context(|| format!("cannot run {program}"))?;
    anyhow::ensure!(status.success(), "{program} failed: {status}");
    Ok(())
}

/// What a command that must succeed prints.
fn printed(command: &mut Command) -> anyhow::Result<Vec<u8>> {
    let program = command.get_program().display().to_string();
    let output = command.output().with_context(|| format!("cannot run {program}"))?;
    anyhow::ensure!(output.status.success(), "{program} failed: {}", String::from_utf8_lossy(&output.stderr));
    Ok(output.stdout)
}

/// The single line that a command that must succeed prints.
fn line(command: &mut Command) -> anyhow::Result<String> {
    Ok(String::from_utf8(printed(command)?)?.trim().to_owned())
}
