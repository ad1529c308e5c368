//! The root secret as the settings name it, and the one that it replaces.

use std::path::{Path, PathBuf};

use secrecy::{ExposeSecret as _, SecretString};
use tradepost::auth::{RootSecret, RootSecretError};

use super::storage;
use crate::failure::{Exit, Failure, Outcome};
use crate::settings::Loaded;

const ROOT: &str = "secret.root";
const FORMER: &str = "secret.former_root";

/// Whether those that the settings themselves contain can be used.
pub(super) fn check(loaded: &Loaded) -> Outcome {
    let secret = &loaded.settings.secret;
    given(loaded, ROOT, secret.root.as_ref())?;
    given(loaded, FORMER, secret.former_root.as_ref()).map(drop)
}

/// The root secret: the one that is set, else the file's. The file is made at first start, which is when there is no
/// database yet: a new secret would open nothing in one that is there.
pub(crate) fn root_secret(loaded: &Loaded) -> Outcome<RootSecret> {
    let database = loaded.settings.database.sqlite_file();
    if loaded.settings.secret.root.is_some() || database.as_deref().is_some_and(has_content) {
        return existing_root_secret(loaded);
    }
    let path = file(loaded);
    storage::make_folder(path.parent())?;
    RootSecret::load_or_create(&path).map_err(|error| failure(&error))
}

/// Whether there is more than an empty file: only then was something written under a root secret.
fn has_content(file: &Path) -> bool {
    file.metadata().is_ok_and(|file| file.len() > 0)
}

/// The root secret that must be there.
pub(crate) fn existing_root_secret(loaded: &Loaded) -> Outcome<RootSecret> {
    match given(loaded, ROOT, loaded.settings.secret.root.as_ref())? {
        Some(given) => Ok(given),
        None => RootSecret::load(&file(loaded)).map_err(|error| failure(&error)),
    }
}

/// The root secret that is being replaced, if one is named.
pub(crate) fn former_root_secret(loaded: &Loaded) -> Outcome<Option<RootSecret>> {
    let secret = &loaded.settings.secret;
    if let Some(given) = given(loaded, FORMER, secret.former_root.as_ref())? {
        return Ok(Some(given));
    }
    let load = |path: &PathBuf| RootSecret::load(path).map_err(|error| failure_of_former(&error));
    secret.former_root_file.as_ref().map(load).transpose()
}

/// A root secret in the settings themselves.
fn given(loaded: &Loaded, key: &str, text: Option<&SecretString>) -> Outcome<Option<RootSecret>> {
    let Some(text) = text else { return Ok(None) };
    let read = RootSecret::from_hex(text.expose_secret(), &format!("the setting {key}"));
    read.map(Some).map_err(|_| {
        let advice = "give the one of this installation; for a new one make it with: openssl rand -hex 32";
        loaded.wrong(key, "must be 64 hexadecimal digits", advice)
    })
}

fn file(loaded: &Loaded) -> PathBuf {
    let settings = &loaded.settings;
    settings.secret.root_file.clone().unwrap_or_else(|| settings.database.folder().join("root-secret"))
}

fn failure(error: &RootSecretError) -> Failure {
    let advice = access(error)
        .unwrap_or_else(|| "put a copy of the root secret there that this database was made with".to_owned());
    Failure::new(Exit::Config, error.to_string())
        .with_try(advice)
        .with_try("another file can be named with the setting secret.root_file (TRADEPOST_SECRET__ROOT_FILE)")
}

fn failure_of_former(error: &RootSecretError) -> Failure {
    let advice =
        access(error).unwrap_or_else(|| "put a copy of the root secret there that is being replaced".to_owned());
    Failure::new(Exit::Config, format!("the setting secret.former_root_file: {error}"))
        .with_try(advice)
        .with_try("remove the setting once `tradepost doctor` says that the former root secret can go")
}

/// What to do where the file is there and cannot be used as it is.
fn access(error: &RootSecretError) -> Option<String> {
    match error {
        RootSecretError::Exposed { path, .. } => Some(format!("chmod 600 {}", path.display())),
        RootSecretError::File { path, .. } => Some(format!("let this user use {} and its folder", path.display())),
        RootSecretError::Missing { .. } | RootSecretError::Exists { .. } | RootSecretError::Malformed { .. } => None,
    }
}
