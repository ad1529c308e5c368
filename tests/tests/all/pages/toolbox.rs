//! What a reader has at hand: a clone of the repository, and the program where cargo would have built it.

use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::{Path, PathBuf};
use std::process::Command;

use tempfile::TempDir;

use crate::architecture::repository;
use crate::harness::program;

/// Folders in which commands of pages write.
const COPIED: [&str; 2] = ["clients", "examples"];
const LEFT_OUT: [&str; 6] = [".git", "target", "node_modules", "build", "dist", "__pycache__"];

pub(super) struct Toolbox {
    folder: TempDir,
    pub(super) port: u16,
}

impl Toolbox {
    pub(super) fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let (clone, tools) = (folder.path().join("tradepost"), folder.path().join("tools"));
        fs::create_dir(&clone).unwrap();
        for entry in fs::read_dir(repository()).unwrap() {
            let entry = entry.unwrap();
            let (from, to, name) = (entry.path(), clone.join(entry.file_name()), entry.file_name());
            if COPIED.iter().any(|copied| name == *copied) {
                copy(&from, &to);
            } else if !LEFT_OUT.iter().any(|left_out| name == *left_out) {
                symlink(from, to).unwrap();
            }
        }
        fs::create_dir(&tools).unwrap();
        symlink(program(), tools.join("tradepost")).unwrap();
        put_cargo(&tools);
        let free = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        Self { folder, port: free.local_addr().unwrap().port() }
    }

    pub(super) fn clone_of_repository(&self) -> PathBuf {
        self.folder.path().join("tradepost")
    }

    /// A shell with the tools, and without settings of the machine.
    #[expect(clippy::disallowed_methods, reason = "the shell is given what a reader's shell has")]
    pub(super) fn shell(&self) -> Command {
        let mut shell = Command::new("bash");
        for (name, _) in std::env::vars_os().filter(|(name, _)| name.to_string_lossy().starts_with("TRADEPOST_")) {
            shell.env_remove(name);
        }
        let path = std::env::var("PATH").unwrap_or_default();
        shell
            .current_dir(self.clone_of_repository())
            .env("PATH", format!("{}:{path}", self.folder.path().join("tools").display()))
            .env("TRADEPOST_SERVER__LISTEN", format!("127.0.0.1:{}", self.port))
            .env("npm_config_prefer_offline", "true")
            .env_remove("PYTHONPATH");
        shell
    }
}

/// The folder that this test was built into.
fn target() -> PathBuf {
    program().ancestors().nth(2).unwrap().to_owned()
}

/// A cargo whose `build --release` makes the program that the tests were given. Everything else is built in the folder of the tests, and
/// without the lints of this repository.
fn put_cargo(tools: &Path) {
    let script = format!(
        "#!/bin/sh\n\
         if [ \"$1 $2\" = 'build --release' ]; then\n\
           mkdir -p target/release && ln -sf '{}' target/release/tradepost && exit\n\
         fi\n\
         unset RUSTC_WORKSPACE_WRAPPER CLIPPY_ARGS\n\
         PATH=${{PATH#*:}} CARGO_NET_OFFLINE=true CARGO_TARGET_DIR='{}' exec cargo \"$@\"\n",
        program().display(),
        target().display(),
    );
    let path = tools.join("cargo");
    fs::write(&path, script).unwrap();
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let (entry, name) = entry.map(|entry| (entry.path(), entry.file_name())).unwrap();
        if LEFT_OUT.iter().any(|left_out| name == *left_out) {
            continue;
        }
        if entry.is_dir() {
            copy(&entry, &to.join(name));
        } else {
            fs::copy(&entry, to.join(name)).unwrap();
        }
    }
}
