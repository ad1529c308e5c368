//! A store of images of its own, and containers that are started from it. The store of the machine is neither read nor changed.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use anyhow::Context;
use tempfile::{Builder, TempDir};

use super::super::{Source, line, source, succeed};
use crate::checks::tool;

/// For the first start of a server, which creates its database.
const PATIENCE: Duration = Duration::from_secs(90);
/// The user of the image, which has the same number outside of the container: the image is started as root, without a map of users.
const USER: &str = "65532";

/// A store of images of its own, so that those of the machine are neither read nor changed.
pub(super) struct Images {
    store: PathBuf,
    /// The state of running containers. podman rejects a path of more than 50 characters.
    state: TempDir,
}

impl Images {
    /// A store in this folder.
    pub(super) fn at(store: PathBuf) -> anyhow::Result<Self> {
        let state = Builder::new().prefix("containers").tempdir_in("/tmp").context("cannot make a folder in /tmp")?;
        Ok(Self { store, state })
    }

    /// Builds the image and returns its name.
    pub(super) fn build(&self, context: &Path, source: &Source) -> anyhow::Result<String> {
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

    pub(super) fn buildah(&self, subcommand: &str) -> Command {
        self.command("buildah", subcommand, &[])
    }

    fn podman(&self, subcommand: &str) -> Command {
        let options = ["--runtime", "runc", "--cgroup-manager", "cgroupfs", "--events-backend", "file"];
        self.command("podman", subcommand, &options)
    }

    fn command(&self, program: &str, subcommand: &str, options: &[&str]) -> Command {
        let mut command = tool(program);
        command.arg("--root").arg(&self.store).arg("--runroot").arg(self.state.path());
        command.args(["--storage-driver", "vfs"]).args(options).arg(subcommand);
        command
    }

    pub(super) fn remove(&self) -> anyhow::Result<()> {
        fs::remove_dir_all(&self.store).with_context(|| format!("cannot remove {}", self.store.display()))
    }
}

/// The number of the user that a process runs as.
fn user_of(process: &str) -> anyhow::Result<String> {
    let path = format!("/proc/{process}/status");
    let status = fs::read_to_string(&path).with_context(|| format!("cannot read {path}"))?;
    let users = status.lines().find_map(|line| line.strip_prefix("Uid:"));
    let effective = users.and_then(|users| users.split_whitespace().nth(1));
    effective.map(str::to_owned).with_context(|| format!("{path} has no user"))
}

/// A started container, removed once dropped.
pub(super) struct Container<'a> {
    images: &'a Images,
    id: String,
}

impl<'a> Container<'a> {
    pub(super) fn start(images: &'a Images, image: &str) -> anyhow::Result<Self> {
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

    /// Whether the server becomes ready, under its own user.
    pub(super) fn check(&self) -> anyhow::Result<()> {
        let begun = Instant::now();
        while !self.is_ready() {
            let runs = self.inspect("{{.State.Running}}")? == "true";
            let log = self.log()?;
            anyhow::ensure!(runs, "the server in the container ended: {log}");
            anyhow::ensure!(begun.elapsed() < PATIENCE, "the server in the container did not become ready: {log}");
        }
        let user = user_of(&self.inspect("{{.State.Pid}}")?)?;
        anyhow::ensure!(user == USER, "the server in the container runs as user {user}");
        let health = self.inspect("{{.Config.Healthcheck.Test}}")?;
        anyhow::ensure!(health.contains("healthcheck"), "the image has the health check {health:?}");
        println!("ready as user {user}, with a read-only root and without rights");
        Ok(())
    }

    fn inspect(&self, format: &str) -> anyhow::Result<String> {
        line(self.images.podman("inspect").args(["--format", format, &self.id]))
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
