//! Checks of the packages: two runs write equal files, and dpkg installs and removes the Debian package.
//!
//! They package a small program in place of tradepost, since compressing that takes minutes and the packages treat both alike. The nightly check
//! makes every part with the program itself.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Context;
use clap::ValueEnum as _;

use super::{Part, archive, compose, image, make, succeed};
use crate::apt;
use crate::checks::{answers, build_release, tool};
use crate::report::{Outcome, Report};
use crate::workspace_root;

/// It ends with success whatever its arguments are.
const STAND_IN: &str = "/usr/bin/true";
const TOOLS: [&str; 3] = ["dpkg-deb", "dpkg-shlibdeps", "strip"];
/// What needs no registry and is done in seconds.
const PARTS: [Part; 3] = [Part::Tarball, Part::Deb, Part::Protos];

/// The steps, for a run of all checks.
pub(crate) fn steps(report: &mut Report) {
    report.step("compose files", compose::check);
    report.step("packages, reproducible", reproducible);
    report.step("packages, installed", installed);
}

fn folder() -> PathBuf {
    workspace_root().join("target/package/check")
}

fn missing_tool() -> Option<Outcome> {
    if !answers("git", &["rev-parse", "--verify", "HEAD"]) {
        return Some(Outcome::Skipped("this is no git checkout, whose commit could be packaged".to_owned()));
    }
    let missing = TOOLS.iter().find(|program| !answers(program, &["--version"]));
    missing.map(|program| Outcome::Skipped(format!("{program} is not installed")))
}

fn reproducible() -> anyhow::Result<Outcome> {
    if let Some(missing) = missing_tool() {
        return Ok(missing);
    }
    let (first, second) = (packaged("1")?, packaged("2")?);
    let names = |files: &[PathBuf]| files.iter().map(|file| archive::name(file)).collect::<Vec<_>>();
    anyhow::ensure!(names(&first) == names(&second), "the runs wrote {:?} and {:?}", names(&first), names(&second));
    for (one, other) in first.iter().zip(&second) {
        anyhow::ensure!(fs::read(one)? == fs::read(other)?, "{} and {} differ", one.display(), other.display());
    }
    println!("equal in two runs: {}", names(&first).join(", "));
    Ok(Outcome::Passed)
}

/// The files of one run, in a folder of its own so that no path can be the same.
fn packaged(run: &str) -> anyhow::Result<Vec<PathBuf>> {
    let (out, work) = (folder().join(run).join("out"), folder().join(run).join("work"));
    let mut report = Report::default();
    make(&PARTS, Some(Path::new(STAND_IN)), out.clone(), work, &mut report)?;
    anyhow::ensure!(report.finish() == ExitCode::SUCCESS, "a part failed");
    archive::files(&out)
}

/// Makes every part of a release with the program as people build it. Returns whether each was made: a part that is skipped counts as one that
/// failed.
///
/// # Errors
/// When the commit cannot be read, the program does not build, or the folders cannot be written.
pub(crate) fn every_part() -> anyhow::Result<bool> {
    let program = build_release()?;
    if let Some(missing) = image::provide() {
        eprintln!("container image: {missing}");
    }
    let (out, work) = (folder().join("every/out"), folder().join("every/work"));
    let mut report = Report::default();
    make(Part::value_variants(), Some(&program), out.clone(), work, &mut report)?;
    for file in archive::files(&out)? {
        println!("{:>12} bytes  {}", fs::metadata(&file)?.len(), archive::name(&file));
    }
    let is_complete = report.is_complete();
    Ok(report.finish() == ExitCode::SUCCESS && is_complete)
}

/// Installs the package of the step before into a root of its own, upgrades it to itself, and purges it.
fn installed() -> anyhow::Result<Outcome> {
    if let Some(missing) = missing_tool() {
        return Ok(missing);
    }
    if !apt::is_root() {
        return Ok(Outcome::Skipped("dpkg installs packages as root alone".to_owned()));
    }
    if !answers("systemd-sysusers", &["--version"]) {
        return Ok(Outcome::Skipped("systemd-sysusers is not installed".to_owned()));
    }
    let is_package = |file: &PathBuf| file.extension().is_some_and(|extension| extension == "deb");
    let files = archive::files(&folder().join("1/out"))?;
    let package = files.into_iter().find(is_package).context("there is no Debian package")?;
    let root = Root::make(folder().join("root"))?;
    root.dpkg(&["--install"], &package)?;
    let secret = root.read("etc/tradepost/root-secret")?;
    anyhow::ensure!(secret.len() == 64, "the root secret has {} characters", secret.len());
    anyhow::ensure!(root.read("etc/passwd")?.contains("tradepost:x:"), "there is no user tradepost");
    root.change("etc/tradepost/tradepost.toml")?;
    root.dpkg(&["--install"], &package)?;
    anyhow::ensure!(root.read("etc/tradepost/tradepost.toml")?.contains("# changed"), "an upgrade lost a setting");
    anyhow::ensure!(root.read("etc/tradepost/root-secret")? == secret, "an upgrade replaced the root secret");
    root.dpkg(&["--purge"], Path::new("tradepost"))?;
    anyhow::ensure!(!root.0.join("usr/bin/tradepost").exists(), "the program is still there");
    anyhow::ensure!(root.read("etc/tradepost/root-secret")? == secret, "purging removed the root secret");
    println!("installed, upgraded and purged {}", archive::name(&package));
    Ok(Outcome::Passed)
}

/// A folder that dpkg takes for the root of a machine without other packages.
struct Root(PathBuf);

impl Root {
    fn make(folder: PathBuf) -> anyhow::Result<Self> {
        super::empty(&folder)?;
        for name in ["var/lib/dpkg/info", "var/lib/dpkg/updates", "etc"] {
            super::empty(&folder.join(name))?;
        }
        for name in ["var/lib/dpkg/status", "etc/passwd", "etc/group"] {
            super::write(&folder.join(name), b"", 0o644)?;
        }
        Ok(Self(folder))
    }

    fn dpkg(&self, action: &[&str], package: &Path) -> anyhow::Result<()> {
        let mut dpkg = tool("dpkg");
        // The scripts run outside of the root, which has no shell; DPKG_ROOT has its path.
        dpkg.arg("--root").arg(&self.0).args(["--force-script-chrootless", "--force-depends", "--force-confold"]);
        dpkg.arg("--log").arg(self.0.join("dpkg.log")).args(action).arg(package);
        succeed(&mut dpkg)
    }

    fn read(&self, name: &str) -> anyhow::Result<String> {
        fs::read_to_string(self.0.join(name)).with_context(|| format!("cannot read {name} in the root"))
    }

    /// Changes a file as an operator does.
    fn change(&self, name: &str) -> anyhow::Result<()> {
        let text = self.read(name)?;
        super::write(&self.0.join(name), format!("{text}# changed\n").as_bytes(), 0o644)
    }
}
