//! Where settings come from, which wins, and how a wrong one is reported.

use secrecy::ExposeSecret as _;

use super::*;

fn fails(config: Option<&std::path::Path>, environment: &Environment) -> String {
    load(config.map(PathBuf::from), Vec::new(), environment).unwrap_err().to_string()
}

fn written(toml: &str) -> tempfile::NamedTempFile {
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), toml).unwrap();
    file
}

#[test]
fn a_flag_wins_over_a_variable_which_wins_over_the_file_which_wins_over_the_default() {
    let file = written("[server]\nlisten = \"127.0.0.1:1001\"\nbehind_proxy = true\n[log]\nlevel = \"debug\"\n");
    let environment =
        Environment::from([("TRADEPOST_SERVER__LISTEN", "127.0.0.1:1002"), ("TRADEPOST_LOG__LEVEL", "warn")]);
    let flags = vec![Single::flag("--listen", "server.listen", "127.0.0.1:1003")];
    let settings = load(Some(file.path().to_owned()), flags, &environment).unwrap().settings;
    assert_eq!(settings.server.listen.port(), 1003);
    assert_eq!(settings.log.level, "warn");
    assert!(settings.server.behind_proxy);
    assert_eq!(settings.database.url, "sqlite://data/tradepost.db");
}

#[test]
fn an_unknown_key_in_the_file_is_refused_with_the_one_that_was_meant() {
    let file = written("[server]\nlisen = \"127.0.0.1:1\"\n");
    let message = fails(Some(file.path()), &Environment::default());
    assert_eq!(
        message,
        format!(
            "error: there is no setting server.lisen\n  why: it comes from the file {}\n  try: did you mean server.listen?",
            file.path().display()
        )
    );
}

#[test]
fn an_unknown_variable_is_a_warning_and_has_no_effect() {
    let environment = Environment::from([("TRADEPOST_SERVER__LISEN", "127.0.0.1:1"), ("TRADEPOST_NONSENSE", "1")]);
    let loaded = load(None, Vec::new(), &environment).unwrap();
    assert_eq!(loaded.settings.server.listen.port(), 8080);
    assert_eq!(
        loaded.warnings,
        [
            "the environment variable TRADEPOST_NONSENSE is not a setting and has no effect",
            "the environment variable TRADEPOST_SERVER__LISEN is not a setting and has no effect; did you mean \
             TRADEPOST_SERVER__LISTEN?",
        ]
    );
}

#[test]
fn a_wrong_value_names_the_key_and_the_variable_that_it_came_from() {
    let environment = Environment::from([("TRADEPOST_LIMITS__READ__CALLS", "many")]);
    assert_eq!(
        fails(None, &environment),
        "error: setting limits.read.calls must be u32, not string \"many\"\n  why: it comes from the environment variable \
         TRADEPOST_LIMITS__READ__CALLS\n  try: correct limits.read.calls there, or remove it to get the default"
    );
}

#[test]
fn a_word_that_is_no_choice_is_answered_with_the_choices() {
    let environment = Environment::from([("TRADEPOST_MAIL__TRANSPORT", "pigeon")]);
    assert_eq!(
        fails(None, &environment),
        "error: setting mail.transport cannot be \"pigeon\"\n  why: it comes from the environment variable \
         TRADEPOST_MAIL__TRANSPORT\n  try: one of: directory, smtp"
    );
}

#[test]
fn a_secret_can_come_from_a_file_that_a_variable_names() {
    let file = written("correct horse\n");
    let path = file.path().display().to_string();
    let environment = Environment::from([("TRADEPOST_MAIL__SMTP__PASSWORD_FILE", path.as_str())]);
    let settings = load(None, Vec::new(), &environment).unwrap().settings;
    assert_eq!(settings.mail.smtp.password.unwrap().expose_secret(), "correct horse");
}

#[test]
fn the_database_url_can_come_from_a_file_since_it_may_have_a_password() {
    let file = written("postgres://app:correct-horse@db.example.com/tradepost\n");
    let path = file.path().display().to_string();
    let environment = Environment::from([("TRADEPOST_DATABASE__URL_FILE", path.as_str())]);
    let settings = load(None, Vec::new(), &environment).unwrap().settings;
    assert_eq!(settings.database.url, "postgres://app:correct-horse@db.example.com/tradepost");
}

/// The names of variables in the files under a folder.
fn variables_in(folder: &std::path::Path, found: &mut Vec<String>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            variables_in(&path, found);
            continue;
        }
        let text = std::fs::read_to_string(&path).unwrap();
        let words = text.split(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_');
        found.extend(words.filter(|word| word.starts_with("TRADEPOST_")).map(str::to_owned));
    }
}

#[test]
fn every_variable_in_a_file_of_the_packaging_is_a_setting() {
    let mut names = Vec::new();
    variables_in(std::path::Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../packaging")), &mut names);
    assert!(names.len() > 5, "{names:?}");
    let file = written("a secret");
    let path = file.path().display().to_string();
    let warnings = names.iter().flat_map(|name| {
        let (_, warnings) = sources::variables(&Environment::from([(name.as_str(), path.as_str())])).unwrap();
        warnings
    });
    assert_eq!(warnings.collect::<Vec<_>>(), Vec::<String>::new());
}

#[test]
fn the_settings_of_the_debian_package_are_valid() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../packaging/debian/tradepost.toml");
    let text = std::fs::read_to_string(file).unwrap();
    load(Some(file.into()), Vec::new(), &Environment::default()).unwrap();
    // The first lines are a comment and no settings.
    let uncommented = written(&text.split_once("\n\n").unwrap().1.replace("\n# ", "\n"));
    load(Some(uncommented.path().to_owned()), Vec::new(), &Environment::default()).unwrap();
}

#[test]
fn a_secret_can_come_from_systemd() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("bot_check.secret"), "12345").unwrap();
    let path = folder.path().display().to_string();
    let settings =
        load(None, Vec::new(), &Environment::from([("CREDENTIALS_DIRECTORY", path.as_str())])).unwrap().settings;
    assert!(settings.bot_check.secret.is_some());
}

#[test]
fn the_root_secrets_file_is_a_setting_and_not_read_as_one() {
    let environment = Environment::from([
        ("TRADEPOST_SECRET__ROOT_FILE", "/nowhere/root-secret"),
        ("TRADEPOST_SECRET__FORMER_ROOT_FILE", "/nowhere/former-root-secret"),
    ]);
    let secret = load(None, Vec::new(), &environment).unwrap().settings.secret;
    assert_eq!(secret.root_file, Some(PathBuf::from("/nowhere/root-secret")));
    assert_eq!(secret.former_root_file, Some(PathBuf::from("/nowhere/former-root-secret")));
}

#[test]
fn a_secret_file_that_cannot_be_read_is_named() {
    let environment = Environment::from([("TRADEPOST_BOT_CHECK__SECRET_FILE", "/nowhere/secret")]);
    let message = fails(None, &environment);
    assert!(message.starts_with("error: cannot read /nowhere/secret: "), "{message}");
    assert!(
        message.contains("TRADEPOST_BOT_CHECK__SECRET_FILE names it for the setting bot_check.secret"),
        "{message}"
    );
}

#[test]
fn a_file_that_is_no_toml_is_refused_with_the_place() {
    let file = written("[server\n");
    let message = fails(Some(file.path()), &Environment::default());
    assert!(
        message.starts_with(&format!("error: cannot read the settings file {}", file.path().display())),
        "{message}"
    );
    assert!(message.contains("line 1"), "{message}");
    assert!(message.contains("\n  try: correct the line"), "{message}");
    assert!(message.lines().skip(1).all(|line| line.starts_with("  ")), "{message}");
}

#[test]
fn a_file_that_is_named_must_exist() {
    let message = fails(Some(std::path::Path::new("/nowhere/tradepost.toml")), &Environment::default());
    assert!(message.starts_with("error: there is no settings file /nowhere/tradepost.toml"), "{message}");
}

#[test]
fn lists_are_written_in_brackets() {
    let environment = Environment::from([("TRADEPOST_SERVER__TRUSTED_PROXIES", "[192.0.2.1, 192.0.2.0/24]")]);
    let settings = load(None, Vec::new(), &environment).unwrap().settings;
    assert_eq!(settings.server.trusted_proxies, ["192.0.2.1", "192.0.2.0/24"]);
}
