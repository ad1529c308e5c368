//! Settings: what an operator can choose, where each value came from, and what is wrong with it.
//!
//! Precedence: flags, then `TRADEPOST_SECTION__KEY`, then systemd credentials, then the file, then defaults. Nothing else
//! in the program reads the environment.

mod database;
mod diagnostics;
mod environment;
mod limits;
mod outside;
mod secret_values;
mod sections;
mod sources;
pub(crate) mod span;
mod trading;

use std::path::PathBuf;

use figment::Figment;

use crate::failure::{Exit, Failure, Outcome};

pub(crate) use database::{Pooler, Synchronous};
pub(crate) use environment::Environment;
pub(crate) use outside::Addresses;
pub(crate) use sections::{BotCheckProvider, Log, LogFormat, MailTransport, Settings, SmtpEncryption};
pub(crate) use sources::Single;
pub(crate) use trading::Trading;

/// Settings as they were found, with where each came from.
#[derive(Debug)]
pub(crate) struct Loaded {
    /// The values.
    pub(crate) settings: Settings,
    /// What was found and not understood, for the log.
    pub(crate) warnings: Vec<String>,
    /// The file that was read, if there was one.
    pub(crate) file: Option<PathBuf>,
    figment: Figment,
}

/// Reads all settings: `config` is the file named on the command line, `flags` the other values given there.
///
/// # Errors
/// A failure that names the key, where its value came from, and what to do.
pub(crate) fn load(config: Option<PathBuf>, flags: Vec<Single>, environment: &Environment) -> Outcome<Loaded> {
    let file = sources::find_file(config, environment)?;
    let mut figment = Figment::new().merge(sources::fallbacks(environment));
    if let Some(path) = &file {
        figment = figment.merge(sources::file(path)?);
    }
    let credentials = sources::credentials(environment)?;
    let (variables, warnings) = sources::variables(environment)?;
    for single in credentials.into_iter().chain(variables).chain(flags) {
        figment = figment.merge(single);
    }
    let settings: Settings = figment.extract_lossy().map_err(|error| diagnostics::failure(&error))?;
    Ok(Loaded { settings, warnings, file, figment })
}

impl Loaded {
    /// The failure of a value that is well-formed and still wrong.
    pub(crate) fn wrong(&self, key: &str, rule: impl std::fmt::Display, advice: impl Into<String>) -> Failure {
        Failure::new(Exit::Config, format!("setting {key} {rule}"))
            .because(format!("its value comes from {}", self.origin(key)))
            .with_try(advice)
    }

    /// The failure of a setting that another one cannot do without.
    pub(crate) fn missing(&self, key: &str, needed_by: &str) -> Failure {
        Failure::new(Exit::Config, format!("setting {key} is missing"))
            .because(format!("{needed_by} needs it; the value of that comes from {}", self.origin(needed_by)))
            .with_try(format!("set {key}, or change {needed_by}"))
    }

    fn origin(&self, key: &str) -> String {
        self.figment.find_metadata(key).map_or_else(|| "the default".to_owned(), diagnostics::origin)
    }
}

#[cfg(test)]
mod documented;
#[cfg(test)]
mod tests;
