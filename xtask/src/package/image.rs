//! The container image: built by buildah from an empty one, and started by podman as a check.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use anyhow::Context;

use super::{Release, Source, install, line, printed, source, succeed};
use crate::apt;
use crate::checks::{answers, build_program, tool};
use crate::report::Outcome;
use crate::workspace_root;

const CONTAINERFILE: &str = "packaging/container/Containerfile";
/// The certificates of public authorities, where Debian and the program look for them.
const AUTHORITIES: &str = "/etc/ssl/certs/ca-certificates.crt";
/// Folders that the user of the image writes to. Volumes get their owner from them.
const WRITABLE: [&str; 2] = ["var/lib/tradepost", "var/backups/tradepost"];
/// The packages for building and starting images. The runtime is named because podman's default does not run everywhere.
const PACKAGES: [&str; 4] = ["buildah", "podman", "runc", "ca-certificates"];
/// For the first start of a server, which creates its database.
const PATIENCE: Duration = Duration::from_secs(90);

/// Writes the image as an archive that `podman load` and `docker load` read.
pub(super) fn write(release: &Release) -> anyhow::Result<Outcome> {
    if !answers("buildah", &["--version"]) {
        return Ok(Outcome::Skipped("buildah is not installed".to_owned()));
    }
    let images = Images(release.folder("image/store")?);
    let context = release.folder("image/context")?;
    stage(&release.program()?.path, &release.source.path(CONTAINERFILE), &context)?;
    let name = images.build(&context, &release.source)?;
    let archive = release.out.join(format!("tradepost-{}-image.tar", source::VERSION));
    succeed(images.buildah("push").arg(&name).arg(format!("docker-archive:{}:{name}", archive.display())))?;
    images.remove()?;
    Ok(Outcome::Passed)
}

/// Prepares the folder of the Containerfile: the program, the libraries that it links to, and certificates.
fn stage(program: &Path, containerfile: &Path, context: &Path) -> anyhow::Result<()> {
    let root = context.join("root");
    install(containerfile, &context.join("Containerfile"), 0o644)?;
    install(program, &root.join("usr/bin/tradepost"), 0o755)?;
    for library in libraries(program)? {
        install(&library, &root.join(library.strip_prefix("/").unwrap_or(&library)), 0o755)?;
    }
    install(Path::new(AUTHORITIES), &root.join(AUTHORITIES.trim_start_matches('/')), 0o644)?;
    for folder in WRITABLE {
        let folder = context.join("writable").join(folder);
        super::empty(&folder)?;
        succeed(tool("chmod").arg("700").arg(&folder))?;
    }
    Ok(())
}

/// The files that the dynamic linker loads for a program, the linker among them.
fn libraries(program: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let listed = String::from_utf8(printed(tool("ldd").arg(program))?).context("ldd printed no UTF-8")?;
    anyhow::ensure!(!listed.contains("not found"), "a library of {} is missing: {listed}", program.display());
    let words = listed.lines().filter_map(|line| line.split_whitespace().find(|word| word.starts_with('/')));
    Ok(words.map(PathBuf::from).collect())
}

/// A store of images of its own, so that those of the machine are neither read nor changed.
struct Images(PathBuf);

impl Images {
    /// Builds the image and returns its name.
    fn build(&self, context: &Path, source: &Source) -> anyhow::Result<String> {
        let name = format!("tradepost:{}", source::VERSION);
        let mut build = self.buildah("bud");
        // In Docker's format, since that of OCI has no health checks.
        build
            .args(["--isolation", "chroot", "--format", "docker", "--timestamp", &source.epoch, "--tag", &name])
            .args(["--build-arg", &format!("VERSION={}", source::VERSION)])
            .args(["--build-arg", &format!("COMMIT={}", source.commit)])
            .arg(context);
        succeed(&mut build)?;
        Ok(name)
    }

    fn buildah(&self, subcommand: &str) -> Command {
        self.command("buildah", subcommand, &[])
    }

    fn podman(&self, subcommand: &str) -> Command {
        let options = ["--runtime", "runc", "--cgroup-manager", "cgroupfs", "--events-backend", "file"];
        self.command("podman", subcommand, &options)
    }

    fn command(&self, program: &str, subcommand: &str, options: &[&str]) -> Command {
        let mut command = tool(program);
        command.arg("--root").arg(self.0.join("images")).arg("--runroot").arg(self.0.join("run"));
        command.args(["--storage-driver", "vfs"]).args(options).arg(subcommand);
        command
    }

    fn remove(&self) -> anyhow::Result<()> {
        fs::remove_dir_all(&self.0).with_context(|| format!("cannot remove {}", self.0.display()))
    }
}

/// Builds the image with the program of this build, and starts it without rights and with a read-only root, as `docs/install.md` does.
///
/// # Errors
/// When the program or the image does not build, or the server in it does not become ready.
pub(crate) fn check() -> anyhow::Result<Outcome> {
    if let Some(missing) = provide() {
        return Ok(Outcome::Skipped(missing));
    }
    let work = workspace_root().join("target/package/check-image");
    super::empty(&work)?;
    let (images, context) = (Images(work.join("store")), work.join("context"));
    let program = work.join("tradepost");
    succeed(tool("strip").arg("-o").arg(&program).arg(build_program()?))?;
    stage(&program, &workspace_root().join(CONTAINERFILE), &context)?;
    let source = Source::export(&work)?;
    let name = images.build(&context, &source)?;
    let container = Container::start(&images, &name)?;
    let ended = container.check();
    drop(container);
    images.remove()?;
    ended.map(|()| Outcome::Passed)
}

/// Installs what is missing. Returns the reason if it cannot.
fn provide() -> Option<String> {
    let are_there = || ["buildah", "podman", "runc"].iter().all(|program| answers(program, &["--version"]));
    if are_there() && Path::new(AUTHORITIES).exists() {
        return None;
    }
    if !apt::may_install() {
        return Some("buildah, podman and runc are not installed".to_owned());
    }
    match apt::install(&PACKAGES) {
        Ok(()) => None,
        Err(error) => Some(format!("buildah cannot be installed: {error:#}")),
    }
}

/// A started container, removed once dropped.
struct Container<'a> {
    images: &'a Images,
    id: String,
}

impl<'a> Container<'a> {
    fn start(images: &'a Images, image: &str) -> anyhow::Result<Self> {
        let mut run = images.podman("run");
        run.args([
            "--detach",
            "--read-only",
            "--cap-drop",
            "all",
            "--security-opt",
            "no-new-privileges",
            "--network",
            "none",
        ]);
        // Not more than the limits of the machine, which podman exceeds by default.
        run.args(["--tmpfs", "/tmp", "--ulimit", "nofile=1024:1024", "--ulimit", "nproc=1024:1024", image]);
        Ok(Self { images, id: line(&mut run)? })
    }

    /// Whether the server becomes ready, under its own user, and writes only to its volume.
    fn check(&self) -> anyhow::Result<()> {
        let begun = Instant::now();
        while !self.is_ready() {
            let log = self.log()?;
            anyhow::ensure!(begun.elapsed() < PATIENCE, "the server in the container did not become ready: {log}");
        }
        let user = line(self.images.podman("inspect").args(["--format", "{{.Config.User}}", &self.id]))?;
        anyhow::ensure!(user == "65532:65532", "the container runs as {user}");
        let health = line(self.images.podman("inspect").args(["--format", "{{.Config.Healthcheck.Test}}", &self.id]))?;
        anyhow::ensure!(health.contains("healthcheck"), "the image has the health check {health:?}");
        let changed = line(self.images.podman("diff").arg(&self.id))?;
        println!(
            "ready as user {user}; changed outside of the volume: {}",
            if changed.is_empty() { "nothing" } else { &changed }
        );
        Ok(())
    }

    fn is_ready(&self) -> bool {
        let mut exec = self.images.podman("exec");
        exec.args([&self.id, "/usr/bin/tradepost", "healthcheck"]);
        exec.output().is_ok_and(|output| output.status.success())
    }

    fn log(&self) -> anyhow::Result<String> {
        let output = self.images.podman("logs").arg(&self.id).output().context("cannot run podman")?;
        Ok(String::from_utf8_lossy(&output.stderr).into_owned())
    }
}

impl Drop for Container<'_> {
    fn drop(&mut self) {
        let removed = self.images.podman("rm").args(["--force", "--volumes", &self.id]).output();
        if let Err(error) = removed {
            eprintln!("cannot remove the container {}: {error}", self.id);
        }
    }
}
