//! The first start: a user, a workspace and a key, and where the key is shown.

use std::fs::OpenOptions;
use std::io::{self, IsTerminal as _, Write as _, stderr};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};

use secrecy::{ExposeSecret as _, SecretString};
use tradepost::Tradepost;
use tradepost::auth::{RootSecret, Vault};
use tradepost::domain::accounts::email::EmailAddress;
use tradepost::domain::text::Name;
use tradepost::operations::accounts::{Bootstrap, Bootstrapped};
use tradepost::operations::{Caller, OpError, Reason};
use tradepost::ports::secrets::{Secrets as _, TokenKind};

use crate::failure::{Exit, Failure, Outcome};
use crate::process::busy;
use crate::settings::Loaded;

/// What the first start has made.
pub(crate) struct FirstStart {
    /// The workspace's id.
    pub(crate) workspace_id: String,
    /// The owner's address.
    pub(crate) email: String,
    /// The key, where it may be shown: on a terminal.
    pub(crate) shown_key: Option<SecretString>,
    /// The link by which the owner chooses a password, where it may be shown.
    pub(crate) shown_setup_url: Option<SecretString>,
    /// The file that holds key and password, where they may not be shown or were not chosen by the operator.
    pub(crate) file: Option<PathBuf>,
}

/// Whether the settings of the first start can be used, as far as that can be checked without a database.
pub(crate) fn check(loaded: &Loaded) -> Outcome {
    order(loaded, random_password()).map(drop)
}

/// Makes the first user, workspace and key, if there are no users. `pages` is where a person opens the pages of the server. `quiet` keeps
/// the key off the terminal.
pub(crate) async fn run(app: &Tradepost, loaded: &Loaded, pages: &str, quiet: bool) -> Outcome<Option<FirstStart>> {
    let password = loaded.settings.bootstrap.password.clone().unwrap_or_else(random_password);
    let order = order(loaded, password.clone())?;
    match busy::until_done(async || app.operations().bootstrap(&Caller::system(), order.clone()).await).await {
        Ok(Some(made)) => {
            let page = if cfg!(feature = "console") { "setup" } else { "email/reset" };
            // Behind the #, which browsers send to no server.
            let url = |token: &SecretString| format!("{pages}/{page}#{}", token.expose_secret()).into();
            let setup_url = made.setup_token.as_ref().map(url);
            let secrets = FirstSecrets { password: &password, setup_url };
            first_start(loaded, &made, secrets, !quiet && stderr().is_terminal()).map(Some)
        }
        Ok(None) => Ok(None),
        Err(error) => Err(refused(loaded, &error)),
    }
}

/// What to make, as the settings say.
fn order(loaded: &Loaded, password: SecretString) -> Outcome<Bootstrap> {
    let settings = &loaded.settings.bootstrap;
    let wrong = |key: &str, error: &dyn std::error::Error| loaded.wrong(key, error, "correct it there, or remove it");
    Ok(Bootstrap {
        email: EmailAddress::new(&settings.email).map_err(|error| wrong("bootstrap.email", &error))?,
        display_name: Name::new(&settings.display_name).map_err(|error| wrong("bootstrap.display_name", &error))?,
        password,
        workspace: Name::new(&settings.workspace).map_err(|error| wrong("bootstrap.workspace", &error))?,
        key_name: Name::new("First key").map_err(|error| wrong("bootstrap.key", &error))?,
        key: settings.key.clone(),
        // An operator who has chosen the password signs in with it.
        setup_link: settings.password.is_none(),
    })
}

/// What was made besides the records.
struct FirstSecrets<'a> {
    password: &'a SecretString,
    setup_url: Option<SecretString>,
}

/// On a terminal key and link are shown once, unless nothing may be printed. Elsewhere output ends in log collectors: there they go into a
/// file that only this user can read. A password or key of the operator's own is not repeated.
fn first_start(loaded: &Loaded, made: &Bootstrapped, secrets: FirstSecrets<'_>, may_show: bool) -> Outcome<FirstStart> {
    let FirstSecrets { password, setup_url } = secrets;
    let settings = &loaded.settings.bootstrap;
    let key = settings.key.is_none().then_some(&made.key.raw_key);
    let password = settings.password.is_none().then_some(password);
    let mut shown = FirstStart {
        workspace_id: made.workspace.id.to_string(),
        email: settings.email.clone(),
        shown_key: key.filter(|_| may_show).cloned(),
        shown_setup_url: setup_url.clone().filter(|_| may_show),
        file: None,
    };
    let mut lines = vec![format!("workspaceId={}", shown.workspace_id), format!("email={}", shown.email)];
    lines.extend(password.map(|password| format!("password={}", password.expose_secret())));
    lines.extend(key.filter(|_| !may_show).map(|key| format!("apiKey={}", key.expose_secret())));
    lines.extend(setup_url.filter(|_| !may_show).map(|url| format!("setupUrl={}", url.expose_secret())));
    if lines.len() > 2 {
        let path = loaded.settings.database.folder().join("initial-credentials");
        write_private(&path, &(lines.join("\n") + "\n")).map_err(|error| unwritable(&path, &error))?;
        tracing::info!(path = %path.display(), "first start: credentials are in this file; move them to a safe place");
        shown.file = Some(path);
    }
    Ok(shown)
}

fn write_private(path: &Path, content: &str) -> io::Result<()> {
    let mut file = OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(path)?;
    file.set_permissions(std::os::unix::fs::PermissionsExt::from_mode(0o600))?;
    file.write_all(content.as_bytes())?;
    file.sync_all()
}

/// A token has more randomness than any password and passes every rule for them.
pub(crate) fn random_password() -> SecretString {
    token().expose_secret()["tpk_".len()..].into()
}

/// A key of the right form that opens nothing yet.
pub(crate) fn token() -> SecretString {
    // The form does not depend on the root secret; only what is stored of a key does.
    Vault::new(&RootSecret::from_bytes([0; 32])).issue(TokenKind::ApiKey).secret
}

fn refused(loaded: &Loaded, error: &OpError) -> Failure {
    // The operation names its field, which is the last word of the setting's name.
    if let Some(rule) = error.message.strip_prefix("password ") {
        return loaded.wrong("bootstrap.password", rule, "choose another one, or remove it to have one made");
    }
    if error.message.starts_with("key ") {
        return loaded.wrong("bootstrap.key", "is not an API key", "make one with: tradepost key generate");
    }
    let what = format!("the first start could not make a user: {error}");
    if error.reason == Reason::Busy {
        return Failure::new(Exit::Failed, what)
            .because("the machine has no time for it, and nothing was made")
            .with_try("start it again when there is less load");
    }
    Failure::new(Exit::Failed, what).because(error.reason).with_try("tradepost doctor looks for what is wrong")
}

fn unwritable(path: &Path, error: &io::Error) -> Failure {
    Failure::new(Exit::Failed, format!("cannot write {}: {error}", path.display()))
        .because("the first key and password are printed there")
        .with_try("let this user write there, then make another key with: tradepost key create")
}
