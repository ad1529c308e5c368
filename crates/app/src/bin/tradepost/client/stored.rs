//! What the commands of a client remember from one to the next: the keys of servers, and the workspace of each key.
//!
//! One file of the user's folder of settings, which only this user can read.

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use aws_lc_rs::digest::{SHA256, digest};
use serde::{Deserialize, Serialize};
use tempfile::NamedTempFile;

use crate::failure::{Exit, Failure, Outcome};
use crate::settings::Environment;

/// The file with what it remembers.
pub(super) struct Stored {
    file: Option<PathBuf>,
    memory: Memory,
}

#[derive(Default, Serialize, Deserialize)]
struct Memory {
    /// The server of the last login.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    server: Option<String>,
    /// The key of each server.
    #[serde(default)]
    keys: BTreeMap<String, String>,
    /// The workspace of each key, by the key's digest.
    #[serde(default)]
    workspaces: BTreeMap<String, String>,
}

impl Stored {
    /// Reads the file of the user.
    pub(super) fn read(environment: &Environment) -> Outcome<Self> {
        let home = environment.path("HOME").map(|home| home.join(".config"));
        let folder = environment.path("XDG_CONFIG_HOME").or(home);
        let Some(file) = folder.map(|folder| folder.join("tradepost/client.json")) else {
            return Ok(Self { file: None, memory: Memory::default() });
        };
        let memory = match fs::read(&file) {
            Ok(text) => serde_json::from_slice(&text).map_err(|error| unreadable(&file, &error))?,
            Err(error) if error.kind() == io::ErrorKind::NotFound => Memory::default(),
            Err(error) => return Err(unreadable(&file, &error)),
        };
        Ok(Self { file: Some(file), memory })
    }

    /// The server of the last login.
    pub(super) fn server(&self) -> Option<&str> {
        self.memory.server.as_deref()
    }

    /// The key of a server.
    pub(super) fn key(&self, server: &str) -> Option<&str> {
        self.memory.keys.get(server).map(String::as_str)
    }

    /// The workspace of a key, if it was looked up before.
    pub(super) fn workspace(&self, key: &str) -> Option<&str> {
        self.memory.workspaces.get(&digest_of(key)).map(String::as_str)
    }

    /// Remembers a login. Returns the file.
    pub(super) fn log_in(&mut self, server: &str, key: &str, workspace: &str) -> Outcome<&Path> {
        self.memory.server = Some(server.to_owned());
        self.memory.keys.insert(server.to_owned(), key.to_owned());
        self.memory.workspaces.insert(digest_of(key), workspace.to_owned());
        self.write()
    }

    /// Forgets the key of a server. Returns whether there was one.
    pub(super) fn log_out(&mut self, server: &str) -> Outcome<bool> {
        let Some(key) = self.memory.keys.remove(server) else { return Ok(false) };
        self.memory.workspaces.remove(&digest_of(&key));
        if self.memory.server.as_deref() == Some(server) {
            self.memory.server = None;
        }
        self.write().map(|_| true)
    }

    /// Remembers the workspace of a key. Where nothing can be stored it is looked up again the next time.
    pub(super) fn keep_workspace(&mut self, key: &str, workspace: &str) {
        self.memory.workspaces.insert(digest_of(key), workspace.to_owned());
        if let Err(failure) = self.write() {
            tracing::debug!(%failure, "workspace of the key not stored");
        }
    }

    fn write(&self) -> Outcome<&Path> {
        let Some(file) = &self.file else {
            return Err(Failure::new(Exit::Failed, "there is no folder to store the key in")
                .with_try("set XDG_CONFIG_HOME or HOME"));
        };
        self.replace(file)
            .map_err(|error| Failure::new(Exit::Failed, format!("cannot write {}", file.display())).because(error))?;
        Ok(file)
    }

    /// Replaces the file in one step, so that a command that reads it at this moment finds all of it.
    fn replace(&self, file: &Path) -> io::Result<()> {
        let folder = file.parent().unwrap_or(Path::new("."));
        fs::create_dir_all(folder)?;
        // A temporary file is readable by its owner alone.
        let mut new = NamedTempFile::new_in(folder)?;
        serde_json::to_writer_pretty(&mut new, &self.memory)?;
        new.write_all(b"\n")?;
        new.persist(file).map_err(|error| error.error)?;
        Ok(())
    }
}

fn digest_of(key: &str) -> String {
    digest(&SHA256, key.as_bytes()).as_ref().iter().map(|byte| format!("{byte:02x}")).collect()
}

fn unreadable(file: &Path, error: &dyn std::fmt::Display) -> Failure {
    Failure::new(Exit::Failed, format!("cannot read {}", file.display()))
        .because(error)
        .with_try("remove the file, and store the key again: tradepost login")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stored_in(folder: &Path) -> Stored {
        Stored::read(&Environment::from([("XDG_CONFIG_HOME", folder.to_str().unwrap())])).unwrap()
    }

    #[test]
    fn a_key_is_kept_for_its_server_alone_and_readable_by_its_user_alone() {
        use std::os::unix::fs::PermissionsExt as _;
        let folder = tempfile::tempdir().unwrap();
        let file = stored_in(folder.path()).log_in("http://one.example.com", "key", "workspace").unwrap().to_owned();
        assert_eq!(fs::metadata(file).unwrap().permissions().mode() & 0o777, 0o600);
        let stored = stored_in(folder.path());
        assert_eq!((stored.server(), stored.workspace("key")), (Some("http://one.example.com"), Some("workspace")));
        assert_eq!(stored.key("http://one.example.com"), Some("key"));
        assert_eq!(stored.key("http://two.example.com"), None);
    }

    #[test]
    fn a_logout_forgets_the_key() {
        let folder = tempfile::tempdir().unwrap();
        stored_in(folder.path()).log_in("http://one.example.com", "key", "workspace").unwrap();
        assert!(stored_in(folder.path()).log_out("http://one.example.com").unwrap());
        let mut stored = stored_in(folder.path());
        assert_eq!((stored.server(), stored.key("http://one.example.com")), (None, None));
        assert_eq!(stored.workspace("key"), None);
        assert!(!stored.log_out("http://one.example.com").unwrap());
    }
}
