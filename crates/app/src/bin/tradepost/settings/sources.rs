//! Where settings come from: the file, systemd credentials, environment variables and flags, one provider a value, so
//! that each value knows its exact origin.

use std::fs;
use std::path::{Path, PathBuf};

use figment::error::Kind;
use figment::providers::{Format as _, Toml};
use figment::value::{Dict, Map, Value};
use figment::{Error, Figment, Metadata, Profile, Provider};

use super::{Environment, Settings, diagnostics};
use crate::failure::{Exit, Failure, Outcome};

const PREFIX: &str = "TRADEPOST_";
/// Variables of the command line, which are no settings.
const NO_SETTINGS: [&str; 7] = [
    "TRADEPOST_CONFIG",
    "TRADEPOST_API_KEY",
    "TRADEPOST_API_KEY_FILE",
    "TRADEPOST_TOTP_CODE",
    "TRADEPOST_URL",
    "TRADEPOST_WEBHOOK_SECRET",
    "TRADEPOST_WORKSPACE",
];
/// The settings that are secrets, or contain one: each can also be read from a file.
const SECRETS: [&str; 14] = [
    "database.url",
    "database.session_url",
    "database.read_url",
    "secret.root",
    "secret.former_root",
    "mail.smtp.password",
    "bot_check.secret",
    "linking.discord.client_secret",
    "outside.keys.dmarket",
    "outside.keys.csfloat",
    "outside.keys.market_csgo",
    "outside.keys.waxpeer",
    "bootstrap.password",
    "bootstrap.key",
];
/// Files that are settings of their own, as they hold more than text.
const ROOT_FILES: [&str; 2] = ["secret.root_file", "secret.former_root_file"];

/// One value from one place.
#[derive(Debug, Clone)]
pub(crate) struct Single {
    origin: String,
    key: String,
    value: Value,
}

impl Single {
    /// A value given by a flag.
    pub(crate) fn flag(flag: &str, key: &str, value: impl Into<Value>) -> Self {
        Self { origin: format!("the flag {flag}"), key: key.to_owned(), value: value.into() }
    }

    fn variable(name: &str, key: String, text: &str) -> Self {
        // Lists are written [a, b]; everything else stays text, so that a password of digits stays text.
        let value = if text.starts_with('[') { text.parse().unwrap_or_else(|_| text.into()) } else { text.into() };
        Self { origin: format!("the environment variable {name}"), key, value }
    }

    fn secret(key: &str, path: &Path, named_by: &str) -> Outcome<Self> {
        let text = fs::read_to_string(path).map_err(|error| {
            Failure::new(Exit::Config, format!("cannot read {}: {error}", path.display()))
                .because(format!("{named_by} names it for the setting {key}"))
                .with_try("make the file readable for this user, or correct its path")
        })?;
        let origin = format!("the file {}, named by {named_by}", path.display());
        Ok(Self { origin, key: key.to_owned(), value: text.trim_end_matches(['\r', '\n']).into() })
    }

    /// Whether there is a setting of this name, and if not, what was probably meant.
    fn check_name(&self) -> Result<(), Option<String>> {
        let read = Figment::from(self.clone()).extract_lossy::<Settings>();
        if let Err(Error { kind: Kind::UnknownField(name, known), .. }) = &read {
            return Err(diagnostics::did_you_mean(name, known).map(|meant| self.key.replace(name.as_str(), meant)));
        }
        Ok(())
    }
}

impl Provider for Single {
    fn metadata(&self) -> Metadata {
        Metadata::named(self.origin.clone())
    }

    fn data(&self) -> Result<Map<Profile, Dict>, Error> {
        let nested = figment::util::nest(&self.key, self.value.clone());
        Ok(Profile::Default.collect(nested.into_dict().unwrap_or_default()))
    }
}

/// The settings file: the one that is named, else the first that exists.
pub(super) fn find_file(named: Option<PathBuf>, environment: &Environment) -> Outcome<Option<PathBuf>> {
    if let Some(path) = named.or_else(|| environment.path("TRADEPOST_CONFIG")) {
        return if path.is_file() { Ok(Some(path)) } else { Err(no_such_file(&path)) };
    }
    let home = environment.path("HOME").map(|home| home.join(".config"));
    let user = environment.path("XDG_CONFIG_HOME").or(home).map(|config| config.join("tradepost/tradepost.toml"));
    let usual = [Some(PathBuf::from("tradepost.toml")), user, Some(PathBuf::from("/etc/tradepost/tradepost.toml"))];
    Ok(usual.into_iter().flatten().find(|path| path.is_file()))
}

fn no_such_file(path: &Path) -> Failure {
    Failure::new(Exit::Config, format!("there is no settings file {}", path.display()))
        .because("--config or TRADEPOST_CONFIG names it")
        .with_try("correct the path, or leave it out to use the defaults")
}

/// The settings file, refused whole when a key in it is unknown.
pub(super) fn file(path: &Path) -> Outcome<Figment> {
    let file = Figment::from(Toml::file_exact(path));
    if let Err(error) = file.extract_lossy::<Settings>() {
        // Invalid TOML has no key to blame.
        if let (Kind::Message(message), true) = (&error.kind, error.path.is_empty()) {
            let what = format!("cannot read the settings file {}", path.display());
            return Err(Failure::new(Exit::Config, what)
                // The parser shows the line, in several lines.
                .because(message.trim_end().replace('\n', "\n       "))
                .with_try("correct the line, or compare it with docs/reference/configuration.md"));
        }
        return Err(diagnostics::failure(&error));
    }
    Ok(file)
}

/// What other programs' variables say, for where nothing of ours does.
pub(super) fn fallbacks(environment: &Environment) -> Figment {
    let url = environment.get("DATABASE_URL");
    url.map_or_else(Figment::new, |url| Figment::from(Single::variable("DATABASE_URL", "database.url".to_owned(), url)))
}

/// The secrets that systemd hands over (`LoadCredential=`), by the name of the setting.
pub(super) fn credentials(environment: &Environment) -> Outcome<Vec<Single>> {
    let Some(folder) = environment.path("CREDENTIALS_DIRECTORY") else { return Ok(Vec::new()) };
    let given = SECRETS.iter().map(|key| (key, folder.join(key))).filter(|(_, path)| path.is_file());
    given.map(|(key, path)| Single::secret(key, &path, "CREDENTIALS_DIRECTORY")).collect()
}

/// The variables that are settings, and a warning for each that is not.
pub(super) fn variables(environment: &Environment) -> Outcome<(Vec<Single>, Vec<String>)> {
    let (mut settings, mut warnings) = (Vec::new(), Vec::new());
    for (name, text) in environment.starting_with(PREFIX).filter(|(name, _)| !NO_SETTINGS.contains(name)) {
        let key = name[PREFIX.len()..].to_ascii_lowercase().replace("__", ".");
        let single = match secret_of_file(&key) {
            Some(secret) => Single::secret(secret, Path::new(text), name)?,
            None => Single::variable(name, key, text),
        };
        match single.check_name() {
            Ok(()) => settings.push(single),
            Err(meant) => warnings.push(unknown(name, meant)),
        }
    }
    Ok((settings, warnings))
}

/// The secret that a key with `_file` at its end names; not for those that are settings of their own.
fn secret_of_file(key: &str) -> Option<&'static str> {
    let name = key.strip_suffix("_file").filter(|_| !ROOT_FILES.contains(&key))?;
    SECRETS.into_iter().find(|secret| *secret == name)
}

fn unknown(name: &str, meant: Option<String>) -> String {
    let advice = meant.map(|key| format!("; did you mean {PREFIX}{}?", key.replace('.', "__").to_ascii_uppercase()));
    format!("the environment variable {name} is not a setting and has no effect{}", advice.unwrap_or_default())
}
